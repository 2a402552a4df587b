#!/usr/bin/env python3
"""Makes the tables of this folder from what others published.

  pack.py list LIST.json        an event or metric list of Intel's perfmon
  pack.py recording DUMP        a dump of the original tool
  pack.py report FIRST:LAST REPORT   what its script prints of that dump
  pack.py node FACTS            CPUID and MSRs of a node's lprocs

tests/tools/unpack.c turns the first two back, tests/tools/node_machine.c makes a machine of
the last; README.md says what they look like.
"""
import collections
import json
import re
import sys

# The members that say what is counted; their sentences stay where they are.
MEMBERS = """EventName Unit EventCode UMask UMaskExt PortMask FCMask Counter
CounterHTOff CounterType MSRIndex MSRValue CounterMask Invert AnyThread
EdgeDetect ExtSel Filter FILTER_VALUE TakenAlone Deprecated
MetricName UnitOfMeasure ResolutionLevels BaseFormula Formula Events
Constants""".split()


def cell(member, value):
    if isinstance(value, list):
        return ";".join("%(Alias)s=%(Name)s" % v for v in value)
    if member == "BaseFormula":         # only that there is one matters
        return "1" if value else ""
    return " ".join(value.split())


def pack_list(file):
    root = json.load(open(file))
    rows = root.get("Events") or root["Metrics"]
    head, columns = [], []
    for member in MEMBERS:
        if not any(member in row for row in rows):
            continue
        column = [cell(member, row.get(member, "")) for row in rows]
        usual, n = collections.Counter(column).most_common(1)[0]
        if member.endswith("Name") or member == "Formula" or "" in column:
            usual = ""
        head.append(member + ("=" + usual if usual else ""))
        columns.append(["" if c == usual else c for c in column])
    print("\t".join(head))
    for row in zip(*columns):
        print("\t".join(row).rstrip("\t"))


def pack_recording(file):
    series = {}
    for line in open(file):
        line = line.rstrip("\n")
        m = re.fullmatch(r"([a-z].*)\[(\d+)\] = (.*)", line)
        if not m:
            print(line)
            continue
        name, sample, value = m.groups()
        assert int(sample) == len(series.setdefault(name, [])), line
        series[name].append(value)
    for name, values in series.items():
        if all(re.fullmatch(r"\d+", v) for v in values):
            numbers = [int(v) for v in values]
            steps = [b - a for a, b in zip(numbers, numbers[1:])]
            values = [values[0]] + [str(s) if s else "" for s in steps]
        print("\t".join([name] + values))


def pack_report(samples, file):
    text = open(file).read()
    print("# Samples %s of the recording, by the original's own script; the "
          "kinds of rows\n# are explained in README.md." % samples)

    def rows(kind, pattern):
        for m in re.finditer(pattern, text, re.M):
            print("\t".join([kind, *m.groups()]))

    def words(n):
        return r" +".join([r"([-\d.]+)"] * n)
    rows("package", r"^ +%s *$" % words(10))
    rows("lproc", r"^\d+ \d+ %s *$" % words(4))
    rows("elapsed", r"^Lproc 0 Elapsed_TSC (\d+) Event Inst_R")
    rows("fixed", r"^Lproc (\d+) .* Event (\S+) TotalDelta (\d+)$")
    rows("fixed_all", r"^Elapsed_TSC (\d+) Event (\S+) AllCoreDelta (\d+)$")
    rows("core", r"^LogicalProcessor (\d+) .* Event (\S+) TotalDelta (\d+)$")
    rows("cha", r"^Socket (\d+) cha (\d+) Event (\S+) TotalDelta (\d+)$")
    series = re.findall(r"^\d+ +\d+\.\d+ .*/.*$", text, re.M)
    for package, line in enumerate(series):
        for m in re.finditer(r"(\d+) +[\d.]+ +%s +\( *%s\)" % (words(2),
                             r"/ *".join([r"([-\d.]+)"] * 3)), line):
            print("\t".join(["channels", str(package), *m.groups()]))
    rows("pages", r"Hits Misses Conflicts *\n +%s *$" % words(9))
    rows("reads", r"^(?:Socket|Global) ?(\d?) IMC [rR]eads +(\d+)$")
    rows("writes", r"^(?:Socket|Global) ?(\d?) IMC writes +(\d+)$")


def pack_node(file):
    """Rows `cpuid LPROC LEAF SUBLEAF EAX EBX ECX EDX`, `msr LPROC NUMBER VALUE`,
    of other lprocs where they differ from 0's.  An APIC id says all that CPUID
    does of another lproc; MSRs are kept of the first lproc of each package."""
    rows = [line.split() for line in open(file)]
    apic = {int(r[1]): int(r[7], 16) for r in rows
            if r[0] == "cpuid" and r[2:4] == ["b", "0"]}
    shift = [int(r[4], 16) & 31 for r in rows
             if r[0] == "cpuid" and r[1] == "0" and r[2] == "b"][-1]
    firsts = {}
    for lproc in sorted(apic):
        firsts.setdefault(apic[lproc] >> shift, lproc)
    seen = set()
    for r in rows:
        if r[0] == "cpuid" and r[1] == "0":
            print("\t".join(["cpuid"] + r[2:]))
    print("\t".join(["apic"] + ["%x" % apic[n] for n in sorted(apic)]))
    for r in rows:
        if r[0] == "msr" and int(r[1]) in firsts.values() and \
                tuple(r[1:3]) not in seen:
            seen.add(tuple(r[1:3]))
            print("\t".join(r))


if __name__ == "__main__":
    {"list": pack_list, "recording": pack_recording,
     "report": pack_report, "node": pack_node}[sys.argv[1]](*sys.argv[2:])
