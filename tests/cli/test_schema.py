"""docs/result-schema.json is what `isocast list schema` writes: the results declare it.

    test_schema.py ISOCAST ROOT [--update]
"""
import json
import os
import subprocess
import sys

program, root = sys.argv[1:3]
path = os.path.join(root, "docs", "result-schema.json")
made = subprocess.run([program, "list", "schema"], stdout=subprocess.PIPE, text=True, check=True).stdout
if "--update" in sys.argv:
    with open(path, "w", encoding="utf-8") as file:
        file.write(made)
with open(path, encoding="utf-8") as file:
    kept = file.read()
if kept != made:
    sys.exit(f"{path} is not what the command says: tests/cli/test_schema.py ISOCAST ROOT --update writes it again")

# Every definition is used, and every one that is used is there.
schema = json.loads(made)


def references(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[1]
        for inner in node.values():
            yield from references(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from references(inner)


used = set(references(schema))
there = set(schema["$defs"])
if used - there or there - used - {"sweep_row"}:
    sys.exit(f"without a definition: {sorted(used - there)}; never used: {sorted(there - used)}")
