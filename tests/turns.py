#!/usr/bin/env python3
"""Event sets that take turns, on simulated machines whose work changes.

   B=build tests/turns.py [--all] [--turn SEC] [MODEL...]

Each machine is a built-in one, smaller, with two kinds of work of its own and a
third that we add, of the same cycles and other rates, in phases: constant, random
(0.3 to 5 s), periodic (a turn, 1 s, 7 s), and bursts of 50 ms in each second.  The
truth is the same node with one set at a time always on its counters: these dumps
are joined to one of all events, and tally is asked for the same metrics of both.
Prints a line a test; with --all a table: of all intervals the median and the 95th
percentile of the error, and of the metrics of the whole run the greatest, in per
cent of the truth.
"""
import argparse, csv, io, os, random, re, subprocess, sys, tempfile

B = os.path.abspath(os.environ.get('B', 'build'))
CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'config')
MACHINES = {'skx': 'skx-8160-2s', 'spr': 'spr-9480-2s', 'zen4': 'genoa-9654-2s'}
# Fewer cores: each is alike to us.
SMALLER = {'skx': ('cores 24 ids=0-5,8-13,16-21,24-29', 'cores 2 ids=0-1'),
           'spr': ('cores 56 ids=0-55', 'cores 2 ids=0-1'),
           'zen4': ('cores 96 ids=0-95', 'cores 8 ids=0-7')}
# Of so few counts that they are a matter of luck.
FEW = {'flops_single', 'remote_dram', 'core_t1_only'}
# A turn, where nobody asks for one.
LEAST = 0.01
# Of a figure that is not there.
NONE = 999
failed = 0


def say(ok, name, why=''):
    global failed
    failed += not ok
    print(f'{"ok    " if ok else "FAILED"} {name}' + (f': {why}' if why and not ok else ''))


def run(*words):
    p = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True, timeout=600)
    if p.returncode != 0:
        sys.exit(f'{" ".join(words)}: {p.stderr}')
    return p.stdout


# ---- machines --------------------------------------------------------------

def busy(text):
    """The name of the phase that is not idle."""
    return next(m for m in re.findall(r'^phase (\w+)', text, re.M) if m != 'idle')


def machine(model, phases):
    """Its text: phases are (which, seconds), which 0 to 2 for idle, its work, ours."""
    with open(os.path.join(CONFIG, 'machines', MACHINES[model] + '.machine')) as f:
        text = f.read()
    name, lots = busy(text), random.Random(model)
    words, out = ['idle', name, 'other'], []
    for line in text.replace(*SMALLER[model]).split('\n'):
        if line.startswith('phase '):
            # each is named, be it after the end
            out += [f'phase {words[p]}' + (f' {s or 99999:.6f}' if s < 1e6 else '')
                    for p, s in phases + [(0, 1), (1, 1), (2, 1e6)][:3 * len(phases)]]
            phases = []
            continue
        line = re.sub(r'\s*#.*', '', line)
        m = re.search(rf' {name}=(\d+)', line)
        if m and re.match('event core|msr', line) and not re.search(r'\ball=', line):
            # halted cycles, clocks, temperatures and energy stay as they are
            same = 'event core fixed' in line or not line.startswith('event')
            by = 1 if same else lots.uniform(0.2, 1)
            line = line[:m.end()] + f' other={int(int(m.group(1)) * by)}' + line[m.end():]
        elif m:
            line = line[:m.end()] + f' other={m.group(1)}' + line[m.end():]
        out.append(line)
    return '\n'.join(out)


def random_phases(seconds, seed=7):
    lots, at, out = random.Random(seed), 0, []
    while at < seconds:
        lasts = round(lots.uniform(0.3, 5), 3)
        which = lots.choice([p for p in (0, 1, 2) if not out or p != out[-1][0]])
        out.append((which, lasts))
        at += lasts
    return out + [(2, 0)]


def periodic(period, seconds):
    n = int(seconds / period) + 1
    return [(1 + i % 2, period / 2) for i in range(2 * n)] + [(1, 0)]


def workloads(turn, seconds):
    return {'constant': [(1, 0)], 'random': random_phases(seconds),
            'period of 1 s': periodic(1, seconds), 'period of 7 s': periodic(7, seconds),
            "period of a turn": periodic(turn, min(seconds, 2000 * turn)),
            'bursts of 50 ms': [(2 - i % 2, 0.95 if i % 2 == 0 else 0.05)
                                for i in range(2 * seconds + 2)] + [(1, 0)]}


# ---- the truth ---------------------------------------------------------------

def statements(name):
    """The lines of a configuration, and of those that it includes."""
    with open(os.path.join(CONFIG, 'events', f'{name}.conf')) as f:
        for line in f:
            line = line.split('#')[0].rstrip()
            if line.startswith('include "@'):
                yield from statements(line.split('"')[1][1:])
            elif line:
                yield line


def sets_of(model):
    """What is always counted, and the lines of each set."""
    always, sets = [], []
    for line in statements(f'hpc-{model}'):
        if line.startswith('set '):
            sets.append([])
        else:
            (sets[-1] if sets else always).append(line)
    return always, sets


SAMPLE = re.compile(r'.*\[(\d+)\] = ')


def sample(dirname, name, *words):
    path = os.path.join(dirname, name)
    run(f'{B}/tallyd', '-q', '--virtual-time', '--overwrite', '-o', path, *words)
    return path


def join(paths, to):
    """Dumps of one node at one time, as one: of all but the first only the events."""
    with open(paths[0]) as f:
        lines = f.read().split('\n')
    known = {line.split('[')[0] + line[line.find('["'):line.find('"]')]
             for line in lines if '_counts[' in line}
    begin = next(i for i, line in enumerate(lines) if line.startswith('tsc[0]'))
    more, heads = {}, []
    for path in paths[1:]:
        with open(path) as f:
            for line in f:
                if '_counts' not in line.split('[')[0] or '["' not in line:
                    continue
                event = line.split('[')[0] + line[line.find('["'):line.find('"]')]
                if event in known:
                    continue
                line = line.rstrip('\n')
                m = SAMPLE.match(line)
                if m and line.rfind(']["') < line.rfind('"][') and ' = {}' not in line:
                    more.setdefault(int(m.group(1)), []).append(line)
                else:
                    heads.append(line)
    out = lines[:begin] + heads
    for i, line in enumerate(lines[begin:]):
        m = re.match(r'tsc\[(\d+)\]', line)
        if m and int(m.group(1)) > 0:
            out += more[int(m.group(1)) - 1]
        out.append(line)
    last = max(more)
    out[-1:] = more[last] + ['']
    with open(to, 'w') as f:
        f.write('\n'.join(out))


def truth(dirname, model, text, n):
    always, sets = sets_of(model)
    paths = []
    for i, lines in enumerate(sets):
        conf = os.path.join(dirname, f'{i}.conf')
        with open(conf, 'w') as f:
            f.write('\n'.join(always + lines) + '\n')
        paths.append(sample(dirname, f'{i}.lua', '--sim', text, '-c', conf, '-n', str(n)))
    to = os.path.join(dirname, 'truth.lua')
    join(paths, to)
    return to


# ---- figures -------------------------------------------------------------------

def rows(path, *words):
    return [row for row in csv.DictReader(io.StringIO(run(
        f'{B}/tally', 'metrics', '-S', 'node', '-f', 'csv', *words, path)))
            if row['value'] not in ('', 'n/a', 'nan')]


def figures(path, *words):
    """By sample and metric; with no samples of the whole run."""
    return {(row.get('sample', ''), row['metric']): float(row['value'])
            for row in rows(path, *words)}


def errors(got, true, metrics):
    """In per cent of the truth, of figures that are more than a twentieth of their
    greatest.  Where there is one for several samples it is of each of them."""
    most = {m: max((abs(v) for (_, k), v in true.items() if k == m), default=0) for m in metrics}
    out, last = {}, {}
    for (s, m), v in sorted(true.items(), key=lambda t: -int(t[0][0] or 0)):
        last[m] = got.get((s, m), last.get(m))
        if m in metrics and abs(v) > 0.05 * most[m]:
            out[s, m] = NONE if last[m] is None else 100 * abs(last[m] - v) / abs(v)
    return out


def part(values, q):
    values = sorted(values)
    return values[min(int(q * len(values)), len(values) - 1)] if values else 0


def shared(path):
    """Metrics that event sets have a part in."""
    return sorted({r['metric'] for r in rows(path) if 'estimate' in r['note']} - FEW)


def measure(model, name, turn, seconds):
    """A line of the table: of turns of a sample, and of turns within."""
    with tempfile.TemporaryDirectory() as d:
        text = os.path.join(d, 'm.machine')
        with open(text, 'w') as f:
            f.write(machine(model, workloads(turn or LEAST, seconds)[name]))
        n = seconds + 1
        true = truth(d, model, text, n)
        cells, metrics = [], None
        for how in (['--rotate', '1'], ['--turn', str(turn)] if turn else []):
            path = sample(d, 'turns.lua', '--sim', text, '-c', '@hpc', '-n', str(n), *how)
            metrics = metrics or shared(path)
            every = list(errors(figures(path, '-e'), figures(true, '-e'), metrics).values())
            whole = errors(figures(path), figures(true), metrics)
            cells.append((part(every, .5), part(every, .95), max(whole.values())))
        return cells


def within(path, true, metrics, *words):
    """Of what estimates say of their error: how many standard errors each is from the
    truth, and whether each interval's truth is within two of them.  What digits are
    printed, and clocks of two runs, are no error of turns: a 2000th of it."""
    apart, ok = [], []
    for row in rows(path, *words):
        at = row.get('sample', ''), row['metric']
        if row['metric'] not in metrics or at not in true or row['error'] == '':
            continue
        off, error = abs(float(row['value']) - true[at]), float(row['error'])
        apart.append(off / error if error > 0 else 0)
        ok.append(off <= 2 * error + abs(true[at]) / 2000)
    return apart, ok


def honest(model, how, seconds, seeds):
    """Of random phases: the part of intervals whose truth is within two standard
    errors, of figures of a sample and of figures of a run."""
    every, whole = [], []
    for seed in seeds:
        with tempfile.TemporaryDirectory() as d:
            text = os.path.join(d, 'm.machine')
            with open(text, 'w') as f:
                f.write(machine(model, random_phases(seconds, seed)))
            n = seconds + 1
            true = truth(d, model, text, n)
            path = sample(d, 'turns.lua', '--sim', text, '-c', '@hpc', '-n', str(n), *how)
            metrics = shared(path)
            every += within(path, figures(true, '-e'), metrics, '-e')[1]
            whole += within(path, figures(true), metrics)[1]
    return 100 * sum(every) / len(every), len(every), 100 * sum(whole) / len(whole), len(whole)


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ask.add_argument('--all', action='store_true', help='the whole table, of 120 s each: minutes')
    ask.add_argument('--turn', type=float, help='not the default, which is as --turn 0.01 here')
    ask.add_argument('model', nargs='*')
    ask = ask.parse_args()
    seconds = 120 if ask.all else 40
    if ask.all:
        print(f'{"":6} {"":18} {"turns of a sample":>29}   {"turns within a sample":>29}')
        print(f'{"":6} {"":18} ' + '   '.join([f'{"median":>9} {"95 %":>9} {"run":>9}'] * 2))
    for model in ask.model or (MACHINES if ask.all else ['skx']):
        for name in workloads(ask.turn or LEAST, seconds) if ask.all else ['random', 'bursts of 50 ms']:
            was, now = measure(model, name, ask.turn, seconds)
            if ask.all:
                print(f'{model:6} {name:18} ' + '   '.join(
                    ' '.join(f'{v:9.3f}' for v in c) for c in (was, now)), flush=True)
            limits = [('the median of intervals', now[0], 2), ('95 % of them', now[1], 10),
                      ('the run', now[2], 1 if ask.all else 2)]
            # of bursts that are shorter than a round only the run is known well
            if name.startswith('bursts'):
                limits = [('the run', now[2], 5)]
            for what, got, most in limits:
                if not ask.all or got > most:
                    say(got <= most, f'{model}, {name}: {what} within {most} % of the truth', f'{got:.3f} %')
        how = ['--turn', str(ask.turn)] if ask.turn else []
        every, n, whole, m = honest(model, how, seconds, range(1, 4))
        say(90 <= every <= 98, f'{model}, random: of {n} figures of an interval the truth is within '
            'two standard errors in 90 to 98 %', f'{every:.1f} %')
        say(whole >= 90, f'{model}, random: and of {m} figures of a run in 90 % or more',
            f'{whole:.1f} %')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
