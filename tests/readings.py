#!/usr/bin/env python3
"""Makes a simulated machine of what others read off a real CPU.

   tests/readings.py FILE OUT.machine

FILE (tests/data/README.md) holds MSRs of a node's lprocs, the running ones
three times, 200 ms apart.  The machine has those MSRs and no others, but for the
counters of a core, which CPUID announces on every CPU of its generation: they are
at rest, and nothing is known that they would count.  What ran between the readings
runs in the machine by the same counts, and after the last as in all of their time; what
went backwards, as it does where a reader was moved from one lproc to another, is a value
that changes; what faulted is absent.  Of a package that was read once, energy and clocks
stand still.

The text is of the machine's registers alone: addresses are those of the file, the
counters of a core as in config/machines.
"""
import re, sys

STEP = 0.2                      # seconds between two readings

# Registers that count, and how many bits do: energies of packages, cores and memory,
# times that power was limited, residencies, APERF and MPERF.  All others are values.
COUNTERS = {0xe7: 64, 0xe8: 64, 0x60d: 64, 0x611: 32, 0x613: 32, 0x619: 32, 0x61b: 32,
            0x639: 32, 0x641: 32, 0x63b: 32, 0x64d: 32,
            0xc001029a: 32, 0xc001029b: 32}
FIXED = {0x309, 0x30a, 0x30b, 0x30c}    # with the core's other counters
# Of an lproc, of a core; the others are of a package.
OF_LPROC = {0x17, 0x8b, 0xe7, 0xe8, 0x198, 0x199, 0x19b, 0x1a0, 0x1a4, 0x1b0, 0x1fc,
            0x770, 0x774, 0x777} | set(range(0xc0010004, 0xc0010008)) | \
           {0xc0010015} | set(range(0xc0010061, 0xc001006c)) | {0xc0010293}
OF_CORE = {0x19a, 0x19c, 0x660, 0xc001029a}

# The core's counters and the leaves of CPUID that announce them, by generation: as in
# config/machines, where they stand with their sources.
INTEL = """\
msr 0x38e lproc = 0
msr 0x390 lproc raz-wi
box core scope=lproc counters={n} bits=48 ctl=0x186 ctr=0xc1 write=32 alias=0x4c1
box core valid=0x3{x}ffffff ignore=0x100000 reset=0
box core nibbles=0x38d nfixed={f} fixed=0x309 fixedbits=48 global=0x38f
box core filter=offcore0,0x1a6,0x3fffffffff filter=offcore1,0x1a7,0x3fffffffff
box core filter=ldlat,0x3f6,0xffff"""
FOUR = 'msr 0x345 lproc = 0x31c3\nmsr 0x3f1 lproc = 0 write=0xf\n' + \
    INTEL.format(n=4, f=3, x='ff')
FOUR_3 = 'cpuid 0xa 0x07300403 0 0 0x00000603\n' + FOUR
FOUR_4 = 'cpuid 0xa 0x07300404 0 0 0x00000603\nmsr 0x391 lproc raz-wi\n' + FOUR + \
    '\nbox core inuse=0x392 filter=frontend,0x3f7,0xffffff'
EIGHT = 'cpuid 0xa 0x08300805 0 0x0000000f 0x00008604\nmsr 0x345 lproc = 0xb3c5\n' \
    'msr 0x391 lproc raz-wi\nmsr 0x3f1 lproc = 0 write=0xff\n' + \
    INTEL.format(n=8, f=4, x='fd') + '\nbox core inuse=0x392 ' \
    'globalmore=0x1000000000000 filter=frontend,0x3f7,0xffffff'
ATOM = """\
cpuid 0xa 0x07280203 0 0 0x00004503
msr 0x38e lproc = 0
msr 0x390 lproc raz-wi
box core scope=lproc counters=2 bits=40 ctl=0x186 ctr=0xc1 write=32
box core valid=0xffffffff ignore=0x100000 reset=0
box core nibbles=0x38d nfixed=3 fixed=0x309 fixedbits=40 global=0x38f
box core filter=offcore0,0x1a6,0x768005ffff filter=offcore1,0x1a7,0x368005ffff"""
E_CORES = """\
cpuid 0xa 0x07300805 0 0x00000007 0x00008603
msr 0x38e lproc = 0
msr 0x390 lproc raz-wi
msr 0x391 lproc raz-wi
box core scope=lproc counters=8 bits=48 ctl=0x186 ctr=0xc1 write=32 alias=0x4c1
box core valid=0xffdfffff ignore=0x100000 reset=0
box core nibbles=0x38d nfixed=3 fixed=0x309 fixedbits=48 global=0x38f inuse=0x392
box core filter=offcore0,0x1a6,0x800ff3ffffffffff filter=offcore1,0x1a7,0x000ff3ffffffffff
box core filter=ldlat,0x3f6,0xffff"""
AMD = """\
cpuid 0x80000000 0x80000028 0x68747541 0x444d4163 0x69746e65
cpuid 0x80000001 0 0x40000000 0x75c237ff 0x2fd3fbff
cpuid 0x80000007 0 0x3b 0 0x6799
cpuid 0x8000001e 0 {ebx} 0 0
box core scope=lproc counters=6 bits=48 ctl=0xc0010200+2 ctr=0xc0010201+2
box core valid=0x30fffd7ffff ignore=0x100000 reset=0 merge=0xf004000ff
box l3 scope=ccx counters=6 bits=48 ctl=0xc0010230+2 ctr=0xc0010231+2
box l3 valid={l3} ignore=0 reset=0"""
AMD_V2 = '\ncpuid 0x80000022 0x00000007 0x00000006 0 0\nbox core global=0xc0000301\n' \
    'msr 0xc0000300 lproc = 0\nmsr 0xc0000302 lproc raz-wi\n' \
    'msr 0xc0000303 lproc raz-wi'

ZEN_4 = set(range(0x10, 0x20)) | set(range(0x60, 0xb0))

# (vendor, family): models, lines, threads a core, lprocs that share an L3.  A CPU that
# has no row here has what its file shows, and nothing else.
GENERATIONS = {
    ('GenuineIntel', 6): [
        ({0x3f, 0x4f}, FOUR_3, 2, 0),           # Haswell-EP, Broadwell
        ({0x55}, FOUR_4, 2, 0),                 # Skylake-SP, Cascade Lake-SP
        ({0x6a, 0x6c}, EIGHT, 2, 0),            # Ice Lake
        ({0x8f, 0xcf, 0xad, 0xae}, EIGHT, 2, 0),        # Sapphire Rapids and later
        ({0x4d}, ATOM, 1, 0),                   # Atom C2000
        ({0xaf}, E_CORES, 1, 0),                # Sierra Forest
        ({0x5f, 0x86, 0xdd}, '', 1, 0),         # Atoms and E-cores: no SMT
    ],
    ('AuthenticAMD', 0x17): [(set(range(0x100)), AMD, 2, 8)],       # Zen 1 and 2
    ('AuthenticAMD', 0x19): [
        (ZEN_4, AMD + AMD_V2, 2, 16),
        (set(range(0x100)) - ZEN_4, AMD, 2, 16),                    # Zen 3
    ],
    ('AuthenticAMD', 0x1a): [(set(range(0x100)), AMD + AMD_V2, 2, 16)],
}


class Readings:
    """A file: rows[address][lproc] = its values, or None where it faulted."""

    def __init__(self, name):
        with open(name) as f:
            head = f.readline()
            m = re.match(r'# (\S+) signature ([0-9a-f]+), (\d+) lprocs, (.*)$', head)
            if not m:
                sys.exit(f'{name}: the first line has no signature and lprocs')
            self.name = m[1]
            v = int(m[2], 16)
            self.lprocs = int(m[3])
            self.brand = re.split(r'; | \(one', m[4])[0].strip()
            self.family = v >> 8 & 0xf
            if self.family == 15:
                self.family += v >> 20 & 0xff
            self.model = v >> 4 & 0xf | v >> 12 & 0xf0
            self.stepping = v & 0xf
            self.rows, rows_of = {}, {}
            for line in f:
                w = line.split()
                if not w or w[0].startswith('#') or int(w[0]) >= self.lprocs:
                    continue
                lproc, address = int(w[0]), int(w[1], 16)
                values = None if w[2] == 'fault' else [int(x, 16) for x in w[2:5]]
                self.rows.setdefault(address, {})[lproc] = values
                rows_of[lproc] = rows_of.get(lproc, 0) + 1
            if not rows_of:
                sys.exit(f'{name}: no row of a register')
            self.reader = max(rows_of, key=rows_of.get)     # that has all registers
        self.amd = self.family >= 0x15
        self.vendor = 'AuthenticAMD' if self.amd else 'GenuineIntel'

    def first(self, address):
        """Its values where the reader ran, or None."""
        return self.rows.get(address, {}).get(self.reader)

    def generation(self):
        for models, lines, threads, ccx in GENERATIONS.get((self.vendor, self.family), []):
            if self.model in models:
                return lines, threads, ccx
        return '', 1 if self.lprocs % 2 else 2, 16 if self.amd else 0

    def tsc_hz(self):
        """The ratio of 0xCE and 100 MHz, or what the brand says; of AMD the frequency
        of state P0."""
        if not self.amd:
            ratio = (self.first(0xce) or [0])[0] >> 8 & 0xff
            said = re.search(r'@ ([\d.]+)GHz', self.brand)
            return ratio * 100_000_000 or round(float(said[1] if said else 1) * 1e9)
        p0 = (self.first(0xc0010064) or [0])[0]
        if self.family >= 0x1a:
            return (p0 & 0xfff) * 5_000_000 or 1_000_000_000
        return (p0 & 0xff) * 200_000_000 // (p0 >> 8 & 0x3f or 1) or 1_000_000_000

    def first_of_packages(self):
        """The first lproc of each package.  Lprocs were read one after the other, so that
        an energy goes on from one to the next by about as much each time; where
        it leaps by a thousand times that, another package begins."""
        energy = {l: v[0] for l, v in self.rows.get(0x611, {}).items() if v}
        lprocs = sorted(energy)[1:]             # the reader's was read three times
        steps = [(abs(energy[b] - energy[a]), b) for a, b in zip(lprocs, lprocs[1:])]
        if not steps or len(energy) < self.lprocs:
            return [0]
        usual = sorted(s for s, _ in steps)[len(steps) // 2]
        leaps = [b for s, b in steps if s > 1000 * max(usual, 1)]
        pkgs = len(leaps) + 1
        if [b * pkgs for b in leaps] != [self.lprocs * i for i in range(1, pkgs)]:
            return [0]                          # not where packages of one size begin
        return [0] + leaps


def low(bits):
    return (1 << bits) - 1


def forward(values, bits):
    """Does it count up, past its end perhaps?"""
    return all(v <= low(bits) for v in values) and \
        all((b - a & low(bits)) < 1 << bits - 1 for a, b in zip(values, values[1:]))


def rates(values, bits):
    """Counts a second from one reading to the next; then on as in all of that time."""
    hz = [round((b - a & low(bits)) / STEP) for a, b in zip(values, values[1:])]
    return f's0={hz[0]} s1={hz[-1]} s2={(hz[0] + hz[-1]) // 2}'


def body(address, values, amd_wide):
    bits = COUNTERS.get(address)
    if bits == 32 and amd_wide and address >= 0xc0010000:
        bits = 64
    if len(set(values)) == 1:
        return f'= 0x{values[0]:x}'
    if bits and forward(values, bits):
        return f'counter bits={bits} init=0x{values[0]:x} {rates(values, bits)}'
    return f'reading bits=64 all=0x{values[0]:x} ' + \
        ' '.join(f's{i}=0x{v:x}' for i, v in enumerate(values) if i)


def clocks(r, put):
    """Cycles are what APERF and MPERF count, in the counters of the core, too, where
    both go forward."""
    def counted(address, lproc):
        v = r.rows.get(address, {}).get(lproc)
        return v if v and len(set(v)) > 1 and forward(v, 64) else None

    for lproc in sorted(r.rows.get(0xe7, {})):
        mperf, aperf = counted(0xe7, lproc), counted(0xe8, lproc)
        if not mperf or not aperf:
            continue
        for values, control in (aperf, '0x30076' if r.amd else 'fixed1'), \
                *(((mperf, 'fixed2'), (aperf, '0x3003c')) * (not r.amd)):
            put(f'event core {control} {rates(values, 64)} lproc={lproc}')


def registers(r, firsts, put):
    wide = r.family == 0x19 and r.model in ZEN_4 or r.family >= 0x1a
    for address, of in sorted(r.rows.items()):
        if address in FIXED:
            continue
        names = [address] + {0xe7: [0xc00000e7], 0xe8: [0xc00000e8]}.get(address, []) * r.amd
        base = r.first(address) if r.reader in of else next(iter(of.values()))
        scope = 'core' if address in OF_CORE else \
            'lproc' if address in OF_LPROC else 'pkg'
        for name in names:
            if base is None:
                put(f'msr 0x{name:x} none')
                continue
            if scope == 'pkg':
                put(f'msr 0x{name:x} pkg {body(address, base, wide)}')
                for p, lproc in enumerate(firsts[1:], 1):
                    v = of.get(lproc, base)     # read once: it stands still
                    put(f'msr 0x{name:x} pkg = 0x{v[0]:x} pkg={p}' if v else
                        f'msr 0x{name:x} pkg none pkg={p}')
                continue
            put(f'msr 0x{name:x} {scope} = 0x{base[0]:x}')
            for lproc, v in sorted(of.items()):
                if v is None:
                    put(f'msr 0x{name:x} {scope} none lproc={lproc}')
                elif len(v) > 1 or v != base[:1]:
                    put(f'msr 0x{name:x} {scope} {body(address, v, wide)} lproc={lproc}')


def machine(r, put):
    lines, threads, ccx = r.generation()
    firsts = r.first_of_packages()
    cores = re.search(r'(\d+)-Cores?\b', r.brand)
    pkgs = len(firsts)
    if r.amd and cores and r.lprocs % (int(cores[1]) * threads) != 0:
        threads = 1
    if r.lprocs % (pkgs * threads):
        threads = 1
    shift = (r.lprocs // pkgs - 1).bit_length() or 1
    put(f'# {r.name}: {r.brand}, as others read it; see tests/readings.py.')
    put(f'host {r.name}')
    put(f'name {r.brand}')
    put(f'cpu vendor={r.vendor} family={r.family} model=0x{r.model:x} '
        f'stepping={r.stepping}')
    put(f'packages {pkgs}\ncores {r.lprocs // pkgs // threads}\nthreads {threads}')
    put('numbering adjacent')
    if r.amd:
        put(f'apic pkg={shift} ccx={min((ccx - 1).bit_length(), shift)}')
    # Where no register tells the TSC's frequency, tallyd measures it for 50 ms
    # before it samples.
    measured = r.amd or lines is ATOM
    put(f'start {1699999999.95 if measured else 1700000000}')
    put(f'tsc {r.tsc_hz()} init=100000000000000')
    put('phase before 0.05\n' * measured +
        f'phase s0 {STEP}\nphase s1 {STEP}\nphase s2\n')
    put('msr 0x10 lproc counter tsc')
    if lines:
        put(lines.replace('{ebx}', f'0x{threads - 1 << 8:x}').replace('{l3}',
            '0xff0f00000040ffff' if r.family < 0x19 else '0xff0fc0000040ffff'))
        clocks(r, put)
    put('')
    registers(r, firsts, put)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit('usage: readings.py FILE OUT.machine')
    readings = Readings(sys.argv[1])
    with open(sys.argv[2], 'w') as out:
        machine(readings, lambda line: print(line, file=out))
