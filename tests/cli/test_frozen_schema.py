"""What version 1 of the results promises: no member goes, or changes its name, type or unit; further ones may come.

    test_frozen_schema.py ISOCAST ROOT [--update]

tests/cli/schema-1.txt has a line for each member: its place, type, unit and values. --update adds what is new, as a
release does, and removes nothing.
"""
import json
import os
import re
import subprocess
import sys

program, root = sys.argv[1:3]
path = os.path.join(root, "tests", "cli", "schema-1.txt")
schema = json.loads(subprocess.run([program, "list", "schema"], stdout=subprocess.PIPE, text=True, check=True).stdout)


def type_of(node):
    if "$ref" in node:
        return node["$ref"].rsplit("/", 1)[1]
    if "anyOf" in node:
        return "|".join(sorted(map(type_of, node["anyOf"])))
    if "const" in node:
        return json.dumps(node["const"])
    if "enum" in node:
        return "word"
    return "|".join(sorted(node["type"] if isinstance(node["type"], list) else [node["type"]]))


def lines_of(place, node):
    """A line for what stands at a place, and for what stands in it."""
    unit = re.search(r"\[([^\]]+)\]$", node.get("description", ""))
    yield f"{place}: {type_of(node)}" + (f" in {unit[1]}" if unit else "")
    yield from (f"{place} may be {json.dumps(word)}" for word in node.get("enum", []))
    for inner in node.get("anyOf", []):
        yield from (line for line in lines_of(place, inner) if not line.startswith(f"{place}: "))
    for name, inner in node.get("properties", {}).items():
        yield from lines_of(f"{place}.{name}", inner)
    for name in node.get("required", []):
        yield f"{place}.{name} is always there"
    if "items" in node:
        yield from lines_of(place + "[]", node["items"])
    if isinstance(node.get("additionalProperties"), dict):
        yield from lines_of(place + ".*", node["additionalProperties"])


today = {line for name, node in schema["$defs"].items() for line in lines_of(name, node)}
today |= {f"a result is {place['$ref'].rsplit('/', 1)[1]}" for place in schema["oneOf"]}
kept = set()
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        kept = set(file.read().splitlines())
broken = sorted(kept - today)
if broken:
    sys.exit("promised by version 1, and not so any more:\n" + "\n".join(broken[:40]) +
             "\nA change of these takes a new version of the schema, beside this one")
if "--update" in sys.argv:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in sorted(today))
elif not kept:
    sys.exit(f"{path} is missing")
