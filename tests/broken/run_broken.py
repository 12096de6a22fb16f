#!/usr/bin/env python3
"""Runs `isocast check` on one broken file and compares all it says.

    run_broken.py ISOCAST FOLDER NAME [--update]

NAME is a file of FOLDER/files, or one of the files that are too odd to keep, which are made here. Exit
status 3, nothing on standard output and exactly the text of FOLDER/expected/NAME.err are due.
"""

import os
import subprocess
import sys
import tempfile


def huge(path):
    """100 MB, sparse: the size alone must be enough to refuse it."""
    with open(path, "wb") as file:
        file.truncate(100 * 1024 * 1024)


def nested_yaml(path):
    with open(path, "w") as file:
        file.write("machine: " + "[" * 10000 + "]" * 10000 + "\n")


def nested_formula(path):
    with open(path, "w") as file:
        file.write("algorithm: deep\nsize: {N: {min: 1}}\nwork: " + "(" * 10000 + "N" + ")" * 10000 + "\n")


def long_formula(path):
    with open(path, "w") as file:
        file.write("algorithm: long\nsize: {N: {min: 1}}\nwork: N" + "+N" * 8000 + "\n")


def exploding_definitions(path):
    with open(path, "w") as file:
        file.write("algorithm: exploding\nsize: {N: {min: 1}}\nwork: d80\ndefine:\n  d0: N\n")
        for i in range(1, 81):
            file.write("  d%d: (d%d + d%d) * 1 s\n" % (i, i - 1, i - 1))


def missing(path):
    pass


MADE = {
    "huge": huge,
    "nested-yaml": nested_yaml,
    "nested-formula": nested_formula,
    "long-formula": long_formula,
    "exploding-definitions": exploding_definitions,
    "missing": missing,
}


def main():
    isocast, folder, name = sys.argv[1:4]
    update = sys.argv[4:] == ["--update"]
    with tempfile.TemporaryDirectory() as scratch:
        place = os.path.join(folder, "files")
        if name in MADE:
            place = scratch
            MADE[name](os.path.join(scratch, name + ".yaml"))
        result = subprocess.run(
            [os.path.abspath(isocast), "check", name + ".yaml"],
            cwd=place, capture_output=True, timeout=3600)
    expected_path = os.path.join(folder, "expected", name + ".err")
    said = result.stderr.decode("utf-8", "replace")
    if update:
        with open(expected_path, "w") as file:
            file.write(said)
    with open(expected_path) as file:
        expected = file.read()
    problems = []
    if result.returncode != 3:
        problems.append("exit status %d, not 3" % result.returncode)
    if result.stdout:
        problems.append("standard output is not empty: %r" % result.stdout)
    if said != expected:
        problems.append("it says\n%s\nbut is expected to say\n%s" % (said, expected))
    for problem in problems:
        print("%s: %s" % (name, problem))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
