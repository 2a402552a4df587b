#!/usr/bin/env python3
"""Files of readings that are not as neat as ours: what is said of them follows all the same.

   B=build tests/readings_odd.py

Each line of ODD makes another file of one of tests/data/readings: other line ends, rows in
another order, missing or faulting rows, clocks and energy that go backward, one reading;
each line of OTHERS one whose CPU has another signature.
tests/readings_figures.py then samples machines of them and holds the figures against the
files.  Prints a line a file.
"""
import os, re, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RUNNING = 'e7', 'e8', '611', '619', 'c001029a', 'c001029b'


def of(*addresses):
    return lambda row: row.split('\t')[1] in addresses


def but(change, rows, which):
    return [change(r.split('\t')) if which(r) else r for r in rows]


def backward(w):
    return '\t'.join(w[:2] + w[:1:-1])


def near_its_end(w):
    """As much between readings, over the end of 32 bits."""
    first = int(w[2], 16)
    return '\t'.join(w[:2] + [f'{int(v, 16) - first - 200 & 0xffffffff:x}' for v in w[2:]])


def faults(w):
    return '\t'.join(w[:2] + ['fault'])


ODD = {
    'reversed': lambda rows: rows[::-1],
    'no-newline-cr': lambda rows: [r + '\r' for r in rows],
    'more-rows': lambda rows: ['', '# remark', '0\t3a\tfault'] + rows +
        ['0\tc0000080\td01', '0\tdead\t1\t2\t3', '9999\te7\t1\t2\t3'],
    'upper-case': lambda rows: [r.upper().replace('FAULT', 'fault') for r in rows],
    'no-clocks': lambda rows: [r for r in rows if not of('e7', 'e8')(r)],
    'no-units': lambda rows: [r for r in rows if not of('606', 'c0010299')(r)],
    'no-nominal': lambda rows: [r for r in rows if not of('ce', 'c0010064')(r)],
    'no-energy': lambda rows: but(faults, rows, of('611', '619', 'c001029b', '1b1', 'ce')),
    'backward': lambda rows: but(backward, rows, of(*RUNNING)),
    'clock-backward': lambda rows: but(backward, rows, of('e8')),
    'wraps': lambda rows: but(near_its_end, rows, of('611', '619')),
    'read-once': lambda rows: ['\t'.join(r.split('\t')[:3]) for r in rows],
    'read-twice': lambda rows: ['\t'.join(r.split('\t')[:4]) for r in rows],
}

# What a file is then, of another CPU of the same generation or the next.
OTHERS = {
    'hsx-1': '00306f4', 'gnr-1': '00a06f3',     # Haswell-EX, Sierra Forest
    'zen1-1': '0800f82', 'zen2-3': '0860f01', 'zen3-1': '0a20f12',
    'zen4-1': '0a10f81', 'zen5c-1': '0b40f40',
}


def main():
    dir, files = tempfile.mkdtemp(prefix='tallyd-readings-odd.'), []
    try:
        for name in 'hsx-1', 'spr-1', 'zen3-1':
            with open(f'{HERE}/data/readings/{name}.tsv') as f:
                head, *rows = f.read().splitlines()
            for odd, change in ODD.items():
                files.append(f'{dir}/{name}-{odd}.tsv')
                with open(files[-1], 'w', newline='') as f:
                    f.write('\n'.join([head] + change(rows)))
        for name, signature in OTHERS.items():
            with open(f'{HERE}/data/readings/{name}.tsv') as f:
                text = re.sub('signature [0-9a-f]+', f'signature {signature}', f.read(), 1)
            files.append(f'{dir}/{name}-as-{signature}.tsv')
            with open(files[-1], 'w') as f:
                f.write(text)
        return subprocess.run([f'{HERE}/readings_figures.py', *files]).returncode
    finally:
        shutil.rmtree(dir)


if __name__ == '__main__':
    sys.exit(main())
