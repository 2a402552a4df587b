#!/usr/bin/env python3
"""usage: page_data.py PAGE.html EACH.csv

What the script of a page is given is what `tally metrics -e -f csv` says: the
means of each line of the node and its packages, a bucket an interval.
"""
import base64
import csv
import json
import math
import re
import struct
import sys

page, each = sys.argv[1:]
text = re.search(r'<script type="application/json" id="data">(.*?)</script>',
                 open(page).read(), re.S).group(1)
data = json.loads(text)


def floats(s):
    b = base64.b64decode(s)
    return struct.unpack("<%df" % (len(b) // 4), b)


buckets = len(floats(data["from"]))
want = {}
for row in csv.DictReader(open(each)):
    if row["value"] not in ("", "n/a"):
        key = row["metric"], row["scope"], row["where"], int(row["sample"])
        want[key] = float(row["value"])
compared = 0
for line in data["lines"]:
    if line["s"] not in ("node", "package") or line.get("k", 0) is None:
        continue
    metric = data["metrics"][line["m"]]["name"]
    means = floats(line["v"]) if "v" in line else (line["k"],) * buckets
    if len(means) != buckets:
        sys.exit(f"{metric}: {len(means)} values in {buckets} buckets")
    for value, sample in zip(means, data["last"]):
        right = want.get((metric, line["s"], line["w"], sample))
        if right is None or math.isnan(value):
            continue
        if abs(value - right) > 1e-3 * abs(right) + 5e-5:
            sys.exit(f"{metric} of {line['s']} {line['w']}, sample {sample}: "
                     f"{value} instead of {right}")
        compared += 1
if compared < 1000:
    sys.exit(f"only {compared} values could be compared")
for word in ("const N = from.length", "--rule", "prefers-color-scheme"):
    if word not in open(page).read():
        sys.exit(f"its script or its style is missing: no {word}")
