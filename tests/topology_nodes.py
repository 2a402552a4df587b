#!/usr/bin/env python3
"""Packages, NUMA nodes, L3s and cores of real nodes, and of odd ones.

   B=build tests/topology_nodes.py [FILE...]

Makes a machine of each file (tests/topology.py; none named: tests/data/topologies), with
sysfs and with CPUID alone, samples it and compares lproc_package, lproc_node, lproc_l3
and lproc_core of the dump with the file's `pu` rows.  Then nodes that trip naive readers:
those have to be sampled, and to say of each lproc where it is.  Prints a line a test.
"""
import glob, os, re, shutil, subprocess, sys, tempfile

B = os.path.abspath(os.environ.get('B', 'build'))
HERE = os.path.dirname(os.path.abspath(__file__))
CPU = '/sys/devices/system/cpu/cpu'
failed = 0


def say(name, wrong):
    global failed
    failed += bool(wrong)
    print(f'{"FAILED" if wrong else "ok"} {name}' + ''.join(f'\n  {w}' for w in wrong[:9]))


def lprocs_of(machine, dir, before=None):
    """lproc_KEY[N] of a dump of the machine, by KEY and N; what tallyd said."""
    dump = f'{dir}/dump.lua'
    p = subprocess.run([f'{B}/tallyd', '-q', '--virtual-time', '--sim', machine, '-n', '2',
                        '--overwrite', '-o', dump], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                       timeout=600, preexec_fn=before)
    if p.returncode:
        return None, p.stdout
    of = {}
    for key, n, value in re.findall(r'^lproc_(\w+)\[(\d+)\] = (-?\d+)$', open(dump).read(),
                                    re.M):
        of.setdefault(key, {})[int(n)] = int(value)
    return of, p.stdout


def make(path, dir, *options):
    machine = f'{dir}/node.machine'
    subprocess.run([f'{HERE}/topology.py', *options, path, machine], check=True)
    return machine


def real(path, dir):
    name = os.path.basename(path).rsplit('.', 1)[0]
    rows = [line.split() for line in open(path) if line.startswith('pu')]
    for option, how in ('', 'by sysfs'), ('--cpuid', 'by CPUID alone'):
        of, text = lprocs_of(make(path, dir, *[option] * bool(option)), dir)
        wrong = [text] if of is None else [
            f'lproc_{key}[{r[1]}] is {of.get(key, {}).get(int(r[1]))}, not {r[i]}'
            for r in rows for i, key in enumerate(('package', 'node', 'l3', 'core'), 2)
            if r[i] != '-' and of.get(key, {}).get(int(r[1])) != int(r[i])]
        say(f'{len(rows)} lprocs of {name} are where they are, {how}', wrong)


def confined():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


# What is appended to the machine of the Haswell (two packages of 12 cores, even lprocs in
# the first), and what lprocs then have: (key, lproc, value).
ODD = [
    ('lprocs that are offline',
     'from 0 lproc 5 offline\nfrom 0 lproc 0 offline\nfrom 0 lproc 23 offline\n',
     [('package', 5, -1), ('package', 0, -1), ('l3', 2, 0), ('l3', 22, 1), ('l3', 1, 2),
      ('core', 1, 0), ('package', 23, -1)]),
    ('packages with ids 36 and 2364', 'packages 2 ids=36,2364\n',
     [('package', 0, 0), ('package', 1, 1), ('l3', 23, 3), ('core', 23, 13)]),
    ('no NUMA', 'file /sys/devices/system/node/node0/cpulist none\n'
     'file /sys/devices/system/node none\n',
     [('node', 0, -1), ('package', 0, 0), ('package', 1, 1)]),
    ('caches that are not alike',
     f'file {CPU}0/cache/index3/shared_cpu_list = 0\n' + ''.join(
         f'file {CPU}{l}/cache/index3/shared_cpu_list = 2,4,6,8,10\n'
         for l in (2, 4, 6, 8, 10)) + ''.join(
         f'file {CPU}{l}/cache/index3/shared_cpu_list none\n' for l in range(1, 24, 2)),
     [('l3', 0, 0), ('l3', 2, 1), ('l3', 10, 1), ('l3', 12, 2), ('l3', 1, -1),
      ('package', 1, 1)]),
    ('a gap of lprocs', 'lproc 300 pkg=1 core=14 apic=60\n',
     [('package', 300, 1), ('core', 300, 14), ('l3', 300, 3)]),
    ('a process that is confined to one lproc', '',
     [('package', 0, 0), ('package', 23, 1), ('l3', 23, 3)]),
]


def odd(path, dir):
    for name, lines, expected in ODD:
        machine = make(path, dir)
        with open(machine, 'a') as f:
            f.write(lines)
        of, text = lprocs_of(machine, dir, confined if 'confined' in name else None)
        say(f'a node with {name} is sampled', [text] if of is None else [
            f'lproc_{key}[{l}] is {of.get(key, {}).get(l)}, not {value}'
            for key, l, value in expected if of.get(key, {}).get(l) != value])


def main():
    files = sys.argv[1:] or sorted(glob.glob(f'{HERE}/data/topologies/*.tsv'))
    dir = tempfile.mkdtemp(prefix='tallyd-topology.')
    try:
        for path in files:
            real(path, dir)
        odd(f'{HERE}/data/topologies/hsx-2680v3-2s.tsv', dir)
    finally:
        shutil.rmtree(dir)
    sys.exit(failed > 0)


main()
