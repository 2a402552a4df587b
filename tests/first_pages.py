#!/usr/bin/env python3
"""The first page of every built-in machine, with its default, @hpc and @io.

   B=build tests/first_pages.py [MACHINE...]

Samples each simulated machine for 30 s of its time and reads what tally says of
that as a person would: the data are sound, nothing is impossible, every n/a has
its reason below, the page is short and answers what one asks first.  Figures of
processors, memory and power are held against what follows from the machine's
text, which is read here, by raw addresses, with code of its own.  Every command
that shows a figure has to show the same one.  Prints a line a test.
"""
import base64, csv, html, io, json, math, os, re, shutil, signal, struct, subprocess, sys
import tempfile, time

B = os.path.abspath(os.environ.get('B', 'build'))
MACHINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'config', 'machines')
SAMPLES = 30
LINES, COLUMNS = 70, 100

# CPUs that have no counter of floating point operations (reference: Haswell's
# were removed, Silvermont's list has none), or whose tables are not known.
NO_FLOPS = {'hsx', 'slm', 'any-x86'}

# What may be n/a, on which model, and why.
NOT_AVAILABLE = {
    ('icx', 'load_imbalance'): 'no core of package 1 ran for a hundredth of the time',
    ('grace', 'pcie_loc_rd_latency'): 'no device of package 1 read anything',
    ('grace', 'scf_cache_rate'): 'the six counters of the SCF count memory; @hpc has this, too',
    ('grace', 'remote_rd_latency'): 'of grace-hopper: there is no other socket',
}

# Machines of whose @hpc page each point of each metric of the node is looked at, and the
# metrics that have none while the node is idle: of no work there is no distribution.
EACH_POINT = {'skx-8160-2s', 'spr-9480-2s', 'genoa-9654-2s'}
OF_WORK = {'load_imbalance', 'work_imbalance', 'vectorization_ratio'}
POINTS = 59
# A package may draw more than its thermal design power; check has twice that as its bound.
BEYOND_100 = {'package_power_of_tdp': 200}

failed = 0


def say(ok, name, why=''):
    global failed
    failed += not ok
    print(f'{"ok    " if ok else "FAILED"} {name}' + (f': {why}' if why and not ok else ''))


def run(*words):
    p = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, timeout=600)
    return p.returncode, p.stdout, p.stderr


# ---- a machine's text ------------------------------------------------------

class Machine:
    """Phases, and the rates of registers and events by raw address.  What is
    said last wins, so lines are kept in reverse."""

    def __init__(self, name):
        self.phases, self.lines, self.value, self.box = [], [], {}, {}
        self.hz = self.start = 0
        self.packages = self.cores = 1
        self.threads = 1
        self.read(name)
        self.lines.reverse()

    def read(self, name):
        with open(os.path.join(MACHINES, name + '.machine')) as f:
            for line in f:
                w = line.split('#')[0].split()
                if w:
                    self.statement(w)

    def statement(self, w):
        if w[0] == 'like':
            self.read(w[1].lstrip('@'))
        elif w[0] == 'phase':
            self.phases.append((w[1], float(w[2]) if len(w) > 2 else 1e9))
        elif w[0] == 'tsc':
            self.hz = int(w[1])
        elif w[0] == 'start':
            self.start = int(w[1])
        elif w[0] in ('packages', 'cores', 'threads'):
            setattr(self, w[0], int(w[1]))
        elif w[0] == 'box' and w[2:] == ['none']:
            self.box[w[1]] = {'instances': '0', 'present': '0'}
        elif w[0] == 'box':
            self.box.setdefault(w[1], {}).update(x.split('=', 1) for x in w[2:] if '=' in x
                                                 and not x.startswith('pkg='))
        elif w[0] == 'msr' and w[3] == '=':
            self.value[int(w[1], 0)] = int(w[4], 0)
            self.lines.append((('msr', int(w[1], 0)), {}))
        elif w[0] == 'msr' and w[3] == 'counter':
            self.lines.append((('msr', int(w[1], 0)), self.keys(w[4:])))
        elif w[0] == 'event' and len(w) > 2:
            control = w[2] if w[2].startswith('fixed') else int(w[2].split('/')[0], 0)
            self.lines.append(((w[1], control), self.keys(w[3:])))
        elif w[0] == 'count':
            self.lines.append(((w[1], int(w[2], 0)), self.keys(w[3:])))

    @staticmethod
    def keys(words):
        out = {}
        for x in words:
            k, eq, v = x.partition('=')
            if eq and re.fullmatch(r'0x[0-9a-fA-F]+|\d+', v):
                out[k] = int(v, 0)
        return out

    def rate(self, what, phase, pkg, inst=0, thread=0):
        for key, k in self.lines:
            if key != what:
                continue
            if k.get('pkg', pkg) != pkg or k.get('inst', inst) != inst or \
                    k.get('thread', thread) != thread:
                continue
            r = k.get(phase, k.get('all', 0))
            if r:
                r += inst * k.get('step', 0) + pkg * k.get('pkgstep', 0) + \
                    thread * k.get('threadstep', 0)
            return r
        raise KeyError(what)

    def counted(self, what, t0, t1, pkg, inst=0, thread=0):
        """What a counter counts from t0 to t1, seconds since the machine began."""
        n, at = 0.0, 0.0
        for phase, length in self.phases:
            share = min(t1, at + length) - max(t0, at)
            if share > 0:
                n += share * self.rate(what, phase, pkg, inst, thread)
            at += length
        return n

    def lprocs(self, what, t0, t1, pkg):
        return sum(self.counted(what, t0, t1, pkg, c, t)
                   for c in range(self.cores) for t in range(self.threads))

    def boxes(self, box, event, t0, t1, pkg):
        b = self.box[box]
        n = int(b.get('instances', b.get('n', '1')).split(',')[0], 0)
        present = int(b.get('present', hex((1 << n) - 1)), 0)
        return sum(self.counted((box, event), t0, t1, pkg, i)
                   for i in range(n) if present >> i & 1)


# ---- what follows from it, by model: raw controls of the reference -----------

CAS = {'skx': (0x304, 0xc04), 'hsx': (0x304, 0xc04), 'bdx': (0x304, 0xc04), 'icx': (0xf04, 0x3004),
       'spr': (0xcf05, 0xf005), 'emr': (0xcf05, 0xf005)}


def expected(m, model, t0, t1):
    """{metric: [value of each package]}, {metric: value of the node}"""
    out, dt, pkgs = {}, t1 - t0, range(m.packages)
    lprocs = m.cores * m.threads

    def each(name, f):
        out[name] = [f(p) for p in pkgs]

    if model == 'grace':
        cyc = lambda p: m.lprocs(('armv8_pmuv3_0', 0x11), t0, t1, p)
        each('ipc', lambda p: m.lprocs(('armv8_pmuv3_0', 8), t0, t1, p) / cyc(p))
        return out, {}
    mperf = lambda p: m.lprocs(('msr', 0xc00000e7 if zen(model) else 0xe7), t0, t1, p)
    aperf = lambda p: m.lprocs(('msr', 0xc00000e8 if zen(model) else 0xe8), t0, t1, p)
    each('utilisation', lambda p: 100 * mperf(p) / (m.hz * dt * lprocs))
    if zen(model):
        each('frequency', lambda p: aperf(p) / mperf(p) * m.hz / 1e9)
        each('ipc', lambda p: m.lprocs(('core', 0x300c0), t0, t1, p)
             / m.lprocs(('core', 0x30076), t0, t1, p))
        unit = 0.5 ** (m.value[0xc0010299] >> 8 & 31)
        each('package_power', lambda p: m.counted(('msr', 0xc001029b), t0, t1, p) * unit / dt)
        if model in ('zen4', 'zen5'):
            each('dram_read', lambda p: m.boxes('umc', 0x10a, t0, t1, p) * 64 / dt / 1e9)
            each('dram_write', lambda p: m.boxes('umc', 0x20a, t0, t1, p) * 64 / dt / 1e9)
    else:
        fixed = lambda n, p: m.lprocs(('core', f'fixed{n}'), t0, t1, p)
        each('frequency', lambda p: fixed(1, p) / fixed(2, p) * m.hz / 1e9)
        each('ipc', lambda p: fixed(0, p) / fixed(1, p))
        unit = 0.5 ** (m.value[0x606] >> 8 & 31)
        each('package_power', lambda p: m.counted(('msr', 0x611), t0, t1, p) * unit / dt)
        if model in CAS:
            for name, event in zip(('dram_read', 'dram_write'), CAS[model]):
                each(name, lambda p: m.boxes('imc', event, t0, t1, p) * 64 / dt / 1e9)
        if model in ('gnr', 'srf', 'cwf'):
            for name, both in (('dram_read', (0xcf05, 0xcf06)), ('dram_write', (0xf005, 0xf006))):
                each(name, lambda p: sum(m.boxes('imc', e, t0, t1, p) for e in both)
                     * 64 / dt / 1e9)
        if model == 'spr' and m.box.get('mchbm', {}).get('instances', '0') != '0':
            each('hbm_read', lambda p: m.boxes('mchbm', 0xcf05, t0, t1, p) * 32 / dt / 1e9)
    node = {n: sum(out[n]) for n in out if n in ('package_power', 'dram_read', 'dram_write',
                                                 'hbm_read')}
    node.update({n: sum(out[n]) / m.packages for n in ('utilisation',)})
    return out, node


def zen(model):
    return model.startswith('zen')


# ---- the tests ---------------------------------------------------------------

def head_of(dump):
    """The dump's assignments before the first sample, and the times of the first
    and last sample."""
    model, wall = None, []
    sec = usec = 0
    with open(dump) as f:
        for line in f:
            if line.startswith('model = '):
                model = line.split('"')[1]
            elif line.startswith('walltime['):
                k = re.match(r'walltime\[([01])\]\[(\d+)\] = (\d+)', line)
                if not k:
                    continue
                if k[1] == '0':
                    sec = int(k[3])
                else:
                    wall.append(sec + int(k[3]) / 1e6)
    return model, wall[0], wall[-1]


def rows_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {(r['metric'], r['scope'], r['where']): r for r in rows}


def text_page(name, model, config, text):
    lines = text.rstrip('\n').split('\n')
    say(re.search(r'^Data +sound', text, re.M), f'{name}: the data are sound',
        next((l for l in lines if l.startswith('Data')), ''))
    wrong = [l for l in lines if re.search(r'\d[!*](\s|$)', l)]
    say(not wrong, f'{name}: nothing is impossible or lacks something', '; '.join(wrong))
    say(len(lines) <= LINES, f'{name}: at most {LINES} lines', str(len(lines)))
    wide = [l for l in lines if len(l) > COLUMNS]
    say(not wide, f'{name}: at most {COLUMNS} columns', '; '.join(wide))
    blank = [l for l in lines if l.endswith(' ')]
    say(not blank, f'{name}: no line has blanks at its end', '; '.join(blank))
    empty = [a for a, b in zip(lines, lines[1:] + [''])
             if re.match(r'\S.*(node|number\)|lprocs)$', a) and not b.strip()]
    say(not empty, f'{name}: no heading is empty', '; '.join(empty))
    share = [l for l in lines if re.search(r'-\d', l[40:]) and l.startswith('  ')]
    say(not share, f'{name}: no figure is negative', '; '.join(share))
    say((model in NO_FLOPS) != ('GFLOP/s' in text), f'{name}: GFLOP/s where they can be counted')


def figures(name, model, rows, machine, t0, t1):
    na = {m for (m, s, w), r in rows.items() if m and r['value'] in ('', 'n/a', 'nan')}
    na = {m for m in na if (model, m) not in NOT_AVAILABLE}
    say(not na, f'{name}: every figure is there', ' '.join(sorted(na)))
    pkg, node = expected(machine, model, t0, t1)
    off = []
    for metric, values in pkg.items():
        for p, v in enumerate(values):
            off += differs(rows, metric, 'package', str(p), v)
    for metric, v in node.items():
        off += differs(rows, metric, 'node', '', v)
    say(not off and len(pkg) > 0, f'{name}: {" ".join(sorted(pkg))} as the machine counts',
        '; '.join(off))


def differs(rows, metric, scope, where, want):
    r = rows.get((metric, scope, where))
    if r is None:
        return [f'no {metric} of {scope} {where}']
    got = float(r['value'] or 'nan')
    if abs(got - want) <= 0.005 * abs(want) + 1e-4:
        return []
    return [f'{metric} of {scope} {where} is {got}, not {want:.4f}']


def one_value(name, dump, rows, folder):
    """Other commands say the same of the node as the report does."""
    _, text, _ = run(f'{B}/tally', 'metrics', '-f', 'csv', '-S', 'node,package', dump)
    other = rows_of(text)
    off = [k[0] for k, r in rows.items() if k in other and other[k]['value'] != r['value']
           and not near(other[k]['value'], r['value'])]
    say(not off, f'{name}: metrics has the same figures', ' '.join(off))
    _, text, _ = run(f'{B}/tally', 'merge', '-f', 'csv', dump)
    merged = {r['metric']: r['median'] for r in csv.DictReader(io.StringIO(text))}
    off = [k[0] for k, r in rows.items() if k[1] == 'node' and k[0] in merged and r['value']
           and not near(merged[k[0]], r['value'])]
    say(not off, f'{name}: merge has the same figures', ' '.join(off))
    page = os.path.join(folder, 'page.html')
    status, _, err = run(f'{B}/tally', 'page', '--overwrite', '-o', page, dump)
    say(status == 0, f'{name}: there is a page', err)
    with open(page) as f:
        table = re.search(r'<table id="figures">(.*?)</table>', f.read(), re.S)[1]
    off = []
    titles = {r['line']: k[0] for k, r in rows.items()}
    for tr in re.findall(r'<tr><th scope="row".*?</tr>', table, re.S):
        title = html.unescape(re.sub('<[^>]*>', '', re.search(r'<th.*?</th>', tr, re.S)[0]))
        cells = [re.sub('<[^>]*>', '', c) for c in re.findall(r'<td.*?</td>', tr, re.S)]
        row = rows.get((titles.get(title), 'node', ''))
        if row is None or not row['value']:
            continue
        if not near(cells[-2], row['value']):
            off.append(f'{title} {cells[-2]}, not {row["value"]}')
    say(not off, f'{name}: the page has the same figures', '; '.join(off))


def as_steady(metric, got, want, factor):
    """Is an interval's figure the whole's, as exactly as one is known on a loaded machine?"""
    # channels are read one after the other: by how much a pause between two of
    # them moves the busiest is a share of a channel's count, not of the difference
    of = 100 * factor if metric == 'dram_imbalance' else abs(want)
    return abs(got - want) <= 0.05 * of + 0.1 * factor


def export_unlike(series, rows):
    """The figures of an export that differ from the report's."""
    scale = {'%': ('ratio', 0.01), 'GHz': ('hertz', 1e9), 'W': ('watts', 1)}
    off, n = [], 0
    for row in rows.values():
        suffix, factor = scale.get(row['unit'], ('', 0))
        got = re.search(f'^tallyd_node_{row["metric"]}_{suffix} (.*)', series, re.M)
        if not factor or not row['value'] or got is None:
            continue
        n += 1
        want = float(row['value']) * factor
        if not as_steady(row['metric'], float(got[1]), want, factor):
            off.append(f'{row["metric"]} {got[1]}, not {want}')
    return off if n > 1 else ['no figures']


def live_unlike(text, rows):
    """The figures of a live page that differ from the report's."""
    off = [] if 'Processors' in text else ['no figures']
    for line in text.splitlines():
        title = line[:27].strip()
        row = rows.get(title)
        # events of which there are a few a second are not as steady as that
        if row is None or row['unit'] == '/s' or not row['value'] or not line.startswith('  '):
            continue
        cells = line[27:].strip().removeprefix(row['unit']).split()
        # all of it is one phase: the last interval is as the whole, but for how
        # exactly a short interval is known
        if cells and cells[0] != 'n/a' and not as_steady(
                row['metric'], float(cells[0].rstrip('*!')), float(row['value']), 1):
            off.append(f'{title} {cells[0]}, not {row["value"]}')
    return off


def live_page(machine, folder):
    """The first page of a node while it is sampled, beside the report of that."""
    store, dump = os.path.join(folder, 'store'), os.path.join(folder, 'live.lua')
    steady = os.path.join(folder, 'steady.machine')
    shutil.copy(os.path.join(MACHINES, machine + '.machine'), steady)
    with open(steady, 'a') as f:        # one phase, however slow this machine is
        f.write(f'phase none\nphase {Machine(machine).phases[0][0]}\n')
    daemon = subprocess.Popen([f'{B}/tallyd', '-q', '--sim', steady, '-i', '0.5', '--store', store,
                               '--overwrite', '-o', dump], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    text, shown = '', []
    try:
        end = time.monotonic() + 120
        while 'sample ' not in text and daemon.poll() is None and time.monotonic() < end:
            time.sleep(0.3)
            _, text, _ = run(f'{B}/tally', 'live', '--once', store)
        # two intervals: on a loaded machine the daemon may be stopped between the
        # stamp and the registers of one
        for wait in (0, 1):
            time.sleep(wait)
            shown.append([run(f'{B}/tally', *words, store)[1] for words in (
                ('export', 'prometheus', '--once', '--metrics-only'), ('live', '--once'))])
    finally:
        daemon.send_signal(signal.SIGTERM)
        try:
            daemon.wait(120)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()
    say('\nsound: ' in text, f'{machine}: live says that it is sound', text[:300])
    _, report, _ = run(f'{B}/tally', 'report', '-f', 'csv', dump)
    rows = {r['line']: r for r in csv.DictReader(io.StringIO(report)) if r['scope'] == 'node'}
    for what, unlike in ('export', export_unlike), ('live', live_unlike):
        off = [unlike(pair[what == 'live'], rows) for pair in shown]
        say([] in off, f'{machine}: {what} has the same figures', '; '.join(off[-1]))


def near(shown, exact):
    """Is a printed figure the exact one, rounded to its digits?"""
    try:
        a, b = float(shown), float(exact)
    except ValueError:
        return shown == exact
    digits = len(shown.partition('.')[2]) if 'e' not in shown else 3
    return abs(a - b) <= 0.51 * 10 ** -digits + 2e-4 * abs(b)


def first_page(machine, config, folder):
    name = machine + (' ' + config if config else '')
    dump = os.path.join(folder, 'dump.lua')
    words = [f'{B}/tallyd', '-q', '--virtual-time', '--sim', '@' + machine, '-n', str(SAMPLES),
             '--overwrite', '-o', dump]
    # a fifth of the turns that it takes by itself: most of the time is theirs
    words += ['-c', config, '--turn', '0.05'] if config else []
    status, out, err = run(*words)
    say(status == 0, f'{name}: it is sampled', (out + err).strip())
    if status != 0:
        return
    model, first, last = head_of(dump)
    m = Machine(machine)
    _, text, _ = run(f'{B}/tally', 'report', dump)
    text_page(name, model, config, text)
    status, out, err = run(f'{B}/tally', 'check', dump)
    say(status == 0, f'{name}: check has no finding', (out + err).strip()[:400])
    status, text, _ = run(f'{B}/tally', 'report', '-f', 'csv', dump)
    rows = rows_of(text)
    figures(name, model, rows, m, first - m.start, last - m.start)
    one_value(name, dump, rows, folder)


def floats(text):
    data = base64.b64decode(text)
    return struct.unpack(f'<{len(data) // 4}f', data)


def point_problem(name, unit, line):
    """What is wrong with the points of a metric of the node; '': nothing."""
    points = floats(line['v']) if 'v' in line else [math.nan if line.get('k') is None
                                                    else line['k']] * POINTS
    there = [p for p in points if not math.isnan(p)]
    if len(points) != POINTS or not there or (len(there) < POINTS and name not in OF_WORK):
        return f'{name} has {len(there)} of {POINTS} points'
    # two clocks differ by a few parts in a million
    most = BEYOND_100.get(name, 100.1) if unit == '%' else math.inf
    odd = [p for p in there if not -0.01 <= p <= most or math.isinf(p)]
    return f'{name} has {odd[0]} {unit}' if odd else ''


def each_point(machine, folder):
    """An interval's point of each metric of the node, all of them in range."""
    dump, page = os.path.join(folder, 'dump.lua'), os.path.join(folder, 'page.html')
    run(f'{B}/tallyd', '-q', '--virtual-time', '--sim', '@' + machine, '-n', str(POINTS + 1),
        '-c', '@hpc', '--overwrite', '-o', dump)
    status, out, err = run(f'{B}/tally', 'page', '--overwrite', '-o', page, dump)
    say(status == 0, f'{machine} @hpc: it has a page', (out + err).strip())
    if status != 0:
        return
    with open(page) as f:
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>',
                                    f.read(), re.S).group(1))
    lines = [l for l in data['lines'] if l['s'] == 'node']
    problems = [point_problem(data['metrics'][l['m']]['name'], data['metrics'][l['m']]['unit'], l)
                for l in lines]
    say(len(lines) >= 40 and not any(problems),
        f'{machine} @hpc: each metric of the node has a point an interval, in range',
        '; '.join(filter(None, problems)) or f'{len(lines)} metrics')


def io_page(machine, folder):
    """What the I/O analysis of a CPU that has one counts is sound, and in figures."""
    dump = os.path.join(folder, 'dump.lua')
    status, _, err = run(f'{B}/tallyd', '-q', '--virtual-time', '--sim', '@' + machine, '-n',
                         str(SAMPLES), '-c', '@io', '--overwrite', '-o', dump)
    if '@io: none is built in for this CPU' in err:
        return
    _, text, _ = run(f'{B}/tally', 'report', dump)
    say(status == 0 and '\nData      sound: ' in text, f'{machine} @io: sound', err + text[:500])
    status, text, err = run(f'{B}/tally', 'report', '--io', dump)
    say(status == 0 and re.search(r'^  PCIe total +GB/s +[0-9.]+ +[0-9.]+ ', text, re.M),
        f'{machine} @io: its page has what PCIe carried', err + text[:500])


def main():
    _, text, _ = run(f'{B}/tallyd', '--list', 'texts')
    machines = [w[0].lstrip('@') for w in (l.split() for l in text.splitlines())
                if len(w) > 1 and w[1] == 'machine']
    with tempfile.TemporaryDirectory() as folder:
        for machine in sys.argv[1:] or machines:
            for config in ('', '@hpc'):
                first_page(machine, config, folder)
            if machine in EACH_POINT:
                each_point(machine, folder)
            io_page(machine, folder)
            live_page(machine, folder)
    say(len(machines) >= 14, 'all machines are looked at')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
