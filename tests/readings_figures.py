#!/usr/bin/env python3
"""What tallyd and tally say of CPUs that others read, against what the readings say.

   B=build tests/readings_figures.py [FILE...]

Makes a machine of each file (tests/readings.py; none named: tests/data/readings and
what ../shared has more of), samples it 0.2 s apart, three times with the default and
with @hpc, and nine times with the default, and holds power, frequency and temperature of
its first package against what follows from the file, which is read here with code of its
own.  No power may be negative or above what the part can draw; energy that never moved is not 0 W but not
counted here.  Of a CPU without tables there is no @hpc, which tallyd has to say.  Prints
a line a machine; with V=1 also what is absent on it, and why.
"""
import csv, glob, io, os, re, shutil, subprocess, sys, tempfile

B = os.path.abspath(os.environ.get('B', 'build'))
HERE = os.path.dirname(os.path.abspath(__file__))
V = os.environ.get('V')

# By signature, less the stepping: the unit of DRAM energy, as 2^-N J, where it is not
# the package's; what temperature and frequency are read by.
DRAM_16 = {'306f', '406f', '5065', '606a', '606c', '506f'}
UNKNOWN = {'506f'}     # no tables: the unit of DRAM energy is not known
NOTHING = 'n/a'


class File:
    """The first rows' values by register; None: it faulted."""

    def __init__(self, path):
        self.name = os.path.basename(path).rsplit('.', 1)[0]
        lines = open(path).read().splitlines()
        self.signature = re.search(r'signature 0*([0-9a-f]+)', lines[0])[1]
        self.lprocs = int(re.search(r'(\d+) lprocs', lines[0])[1])
        of = {}                                 # of lprocs: the reader's has most rows
        for lproc, address, *values in (x.split() for x in lines[1:] if x.strip()
                                         and x[0] != '#'):
            of.setdefault(lproc, {})[int(address, 16)] = None if values == ['fault'] \
                else [int(v, 16) for v in values[:3]]
        self.at = max(of.values(), key=len)
        self.model = self.signature[:-1]
        self.amd = self.signature[-3] == 'f'    # family 0Fh and more
        self.known = not any(self.model.startswith(m) for m in UNKNOWN)

    def bits(self, address, hi, lo, n=0):
        return self.at[address][n] >> lo & (1 << hi - lo + 1) - 1

    def moved(self, address, mask=0xffffffff):
        """How much it counted, from the first to the last reading; None: it is not there;
        0: it stands still."""
        v = self.at.get(address)
        return v and (v[-1] - v[0] & mask)

    def watts(self):
        """Of the package, of memory: W, NOTHING where it stands still, None."""
        if not self.at.get(0xc0010299 if self.amd else 0x606):
            return [None, None]
        unit = self.bits(0xc0010299 if self.amd else 0x606, 12, 8)
        of = [(0xc001029b, unit)] if self.amd else [(0x611, unit),
            (0x619, 16 if self.model[:4] in DRAM_16 else unit)]
        w = []
        for address, log2 in of:
            counts = self.moved(address)
            v = self.at.get(address)
            if not counts:
                w.append(NOTHING if counts == 0 else None)
            elif all((b - a & 0xffffffff) < 1 << 31 for a, b in zip(v, v[1:])):
                w.append(counts * 2.0 ** -log2 / (0.2 * (len(v) - 1)))
            else:                               # it went backward, which is no power
                w.append(('none', 0))
        return (w + [None])[:2]

    def most_watts(self):
        """The TDP of 0x614, or what the power limits of 0x610 have, where that is more:
        firmware lets a part draw that; of AMD nothing is read."""
        said = [self.bits(a, 14, 0) for a in (0x614, 0x610) if self.at.get(a)]
        if self.amd or not self.at.get(0x614) or not self.at.get(0x606):
            return 500.0
        return max(said) * 2.0 ** -self.bits(0x606, 3, 0)

    def nominal_ghz(self):
        if not self.at.get(0xc0010064 if self.amd else 0xce):
            return None
        if not self.amd:
            return self.bits(0xce, 15, 8) / 10
        if self.model.startswith('b'):          # family 1Ah
            return self.bits(0xc0010064, 11, 0) * 0.005
        return self.bits(0xc0010064, 7, 0) * 0.2 / self.bits(0xc0010064, 13, 8)

    def ghz(self):
        """Of the intervals in which both clocks went forward; NOTHING: none, or one in
        which one of them alone did."""
        e7, e8 = self.at.get(0xe7), self.at.get(0xe8)
        if not e7 or not e8 or not self.nominal_ghz():
            return None
        pairs = [(e8[i + 1] - e8[i], e7[i + 1] - e7[i]) for i in range(len(e7) - 1)]
        good = [p for p in pairs if min(p) > 0]
        if not good or any(min(p) <= 0 < max(p) for p in pairs):
            return NOTHING
        ghz = sum(p[0] for p in good) / sum(p[1] for p in good) * self.nominal_ghz()
        most = 6.0 if self.amd or not self.at.get(0x1ad) else max(
            self.bits(0x1ad, 8 * i + 7, 8 * i) for i in range(8)) / 10
        return ghz if ghz < 1.1 * most else ('up to', ghz)

    def celsius(self):
        """By the package's sensor, or the cores' of an Atom C2000, which has no other;
        None: no reading."""
        t = self.at.get(0x19c if self.model == '406d' else 0x1b1)
        if self.amd or not t or not self.at.get(0x1a2):
            return None
        return self.bits(0x1a2, 23, 16) - (t[-1] >> 16 & 0x7f)


def run(*words):
    p = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True, timeout=600)
    return p.returncode, p.stdout


def agrees(got, note, expected):
    if expected is None:
        return True
    if expected == NOTHING:                     # or said of what it is
        return got is None or 'not counted at one time' in note
    if isinstance(expected, tuple):             # impossible: not shown, or the same
        return got is None or abs(got - expected[1]) <= 0.002 * expected[1]
    return got is not None and abs(got - expected) <= 0.002 * abs(expected) + 6e-5


def figures(dump):
    """Of package 0, by metric: the value or None, and the note."""
    rc, text = run(f'{B}/tally', 'metrics', '-f', 'csv', '-S', 'package', dump)
    rows = csv.DictReader(io.StringIO(text))
    return rc, {r['metric']: (float(r['value']) if r['value'] else None, r['note'])
                for r in rows if r['where'] == '0'}


def wrong_figures(f, dump):
    rc, got = figures(dump)
    if rc:
        return ['tally metrics ends with %d' % rc]
    wrong = []
    watts = f.watts()
    expected = {'package_power': watts[0], # without a table nobody says what its unit is
                'dram_power': watts[1] if f.known else None,
                'frequency': f.ghz(), 'temperature': f.celsius()}
    report = run(f'{B}/tally', 'report', dump)[1]
    for metric, is_ in expected.items():
        value, note = got.get(metric, (None, 'no such metric'))
        if is_ is None or not f.known and metric == 'dram_power' and metric not in got:
            continue
        if not agrees(value, note, is_):
            wrong.append(f'{metric} is {value} ({note}), {is_} by its readings')
        if metric.endswith('_power') and is_ == NOTHING and \
                not ('not counted here' in note and re.search(
                    r'not counted here.*: .*\b' + metric, report)):
            wrong.append(f'{metric}: not said that it is not counted here: {note}')
        if metric.endswith('_power') and value is not None and \
                not 0 < value <= f.most_watts():
            wrong.append(f'{metric}: {value} W of at most {f.most_watts()}')
    rows = {'package_power': 'package power', 'dram_power': 'DRAM power',
            'temperature': 'temperature'}
    for metric, title in rows.items():
        value = got.get(metric, (None,))[0]
        m = re.search(rf'^  {title} +\S+ +([\d.]+)', report, re.M)
        if value is not None and (not m or abs(float(m[1]) - value) > 0.06):
            wrong.append(f'tally report: {title} is not {value}')
    return wrong


def check_says(f, machine):
    """Does --check name a register that faults, of those that it would read?"""
    rc, text = run(f'{B}/tallyd', '--virtual-time', '--sim', machine, '--check', '-v')
    wrong = [] if rc == 0 else ['--check ends with %d' % rc]
    for family, address in ('pkg_therm_status', 0x1b1), ('rapl_dram_energy', 0x619):
        if address in f.at and f.at[address] is None and family in text and \
                not re.search(rf'absent +{family}.*: msr 0x{address:x} ', text):
            wrong.append(f'--check does not say that {family} is absent')
    return wrong


def machine(path, dir):
    f = File(path)
    at, dump = f'{dir}/{f.name}.machine', f'{dir}/{f.name}.lua'
    rc, text = run(f'{HERE}/readings.py', path, at)
    if rc:
        return f, [text]
    wrong = []
    for config, n in ([], '3'), (['-c', '@hpc'], '3'), ([], '9'):
        rc, text = run(f'{B}/tallyd', '--virtual-time', '--sim', at, '-i', '0.2', '-n',
                       n, *config, '-v', '--overwrite', '-o', dump)
        if rc and not f.known and config and 'none is built in for this CPU' in text:
            continue
        if rc:
            wrong.append(f'tallyd {" ".join(config)} ends with {rc}: {text[-300:]}')
            continue
        wrong += wrong_figures(f, dump)
        if V and n == '9':
            print('\n'.join('  ' + l for l in text.splitlines() if 'cannot' in l or
                            'absent' in l or 'no such' in l))
    if f.known:
        wrong += check_says(f, at)
    return f, wrong


def main():
    own = sorted(glob.glob(f'{HERE}/data/readings/*.tsv'))
    more = sorted(glob.glob(f'{HERE}/../../shared/data/readings/*.tsv'))
    names = {os.path.basename(p) for p in more}
    files = sys.argv[1:] or more + [p for p in own if os.path.basename(p) not in names]
    dir, failed = tempfile.mkdtemp(prefix='tallyd-readings.'), 0
    try:
        for path in files:
            f, wrong = machine(path, dir)
            failed += bool(wrong)
            print(f'{"FAILED" if wrong else "ok"} what is said of {f.name} follows from '
                  'its readings' + ''.join(f'\n  {w}' for w in wrong), flush=True)
    finally:
        shutil.rmtree(dir)
    sys.exit(failed > 0)


main()
