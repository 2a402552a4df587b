#!/usr/bin/env python3
"""Makes the tables of this folder from what others published.

  pack.py list LIST.json        an event or metric list of Intel's perfmon
  pack.py recording DUMP        a dump of the original tool
  pack.py report FIRST:LAST REPORT   what its script prints of that dump

tests/unpack.c turns the first two back; README.md says what they look like.
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


if __name__ == "__main__":
    {"list": pack_list, "recording": pack_recording,
     "report": pack_report}[sys.argv[1]](*sys.argv[2:])
