"""names.py PAGE FILE...: has the page every series that the files ask for?

A file that ends with .json has to be one, too.
"""
import json
import re
import sys

page = open(sys.argv[1]).read()
there = {line.split("{")[0].split(" ")[0]
         for line in page.splitlines() if not line.startswith("#")}
asked = set()
for path in sys.argv[2:]:
    text = open(path).read()
    if path.endswith(".json"):
        board = json.loads(text)
        text = "\n".join(t["expr"] for p in board["panels"]
                         for t in p["targets"])
    else:
        text = re.sub(r"record: \S+", "", text)
    asked |= set(re.findall(r"(?<![\w:])tallyd_[a-z0-9_]+", text))
missing = sorted(asked - there)
if missing or len(asked) < 10:
    sys.exit(f"of {len(asked)} names there are not: {' '.join(missing)}")
