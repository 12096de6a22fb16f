"""The version of the public header is that of the command, the citation and the changelog, with one date.

    test_version.py ROOT ISOCAST
"""
import os
import re
import subprocess
import sys

ROOT, ISOCAST = sys.argv[1:]


def found(path, pattern):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        matches = re.findall(pattern, file.read(), re.MULTILINE)
    return matches if matches else sys.exit(f"{path}: nothing like {pattern}")


version = ".".join(found("include/isocast/isocast.h", r"^#define ISOCAST_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$"))
date = found("CITATION.cff", r"^date-released: (\S+)$")[0]
stated = {"isocast --version": subprocess.run([ISOCAST, "--version"], capture_output=True, text=True, check=True).stdout.split()[1],
          "CITATION.cff": found("CITATION.cff", r"^version: (\S+)$")[0],
          "include/isocast/isocast.h, in a comment": found("include/isocast/isocast.h", r'as text \("([^"]+)"\)')[0]}
heading = found("CHANGELOG.md", r"^## (.*)$")[0]
problems = [f"{place} states version {other}, and the header {version}" for place, other in stated.items() if other != version]
if heading != f"{version} ({date})":
    problems.append(f"CHANGELOG.md begins with '{heading}', and not with '{version} ({date})'")
sys.exit("\n".join(problems) or None)
