#!/usr/bin/env python3
"""Writes extreme numbers into every kind of file and every option that takes numbers, one at a time, and runs what reads them.

    extremes.py ISOCAST SOURCE [--count N] [--seed S]

Change number I of seed S is the same wherever it is made. A signal, more than 20 s of processor time or 1 GB, the exit status 5, a
sentence that fits any cause, `inf` or `nan` on standard output, and a wrong file without a place are problems.
"""

import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

NUMBERS = ["1e15", "4503599627370496", "9007199254740992", "5e-324", "1e-320", "1e308", "0", "-0", "-1", "1e-308", "1e18"]
NUMBER = re.compile(r"(?<![A-Za-z_0-9.])[0-9]+([.][0-9]+)?(e[-+]?[0-9]+)?(?![A-Za-z_0-9.])")
# Sentences of a status alone, which name neither what is wrong nor where.
GENERIC = re.compile(r"outside its documented range|a numerical method gave no result|no finite value at this point"
                     r"|out of memory|gnuplot failed|gnuplot drew nothing")
NO_NUMBER = re.compile(r"(?<![\w-])[-+]?(inf|nan)(?![\w-])")
PLACE = re.compile(r"^[^\n]*:[0-9]+:[0-9]+: |: error: (cannot be|is )", re.M)

# Of each kind: the file that is changed and the command lines that read it.
A, M = "gaussian-elimination", "sunwulf"
TO = "--to C2,C4"
KINDS = [
    ("algorithm.yaml", [f"predict algorithm.yaml {M} --efficiency 0.3 {TO}", f"predict algorithm.yaml {M} --at N=310 {TO}",
                        f"explain algorithm.yaml {M} --at N=1000 {TO}", f"scalability ge-runs.csv --work algorithm.yaml --efficiency 0.3",
                        f"compare algorithm.yaml matrix-multiplication {M} --at N=1000 {TO}",
                        f"predict algorithm.yaml {M} --fixed time --base C2 --at N=310 --to C4"]),
    ("sunwulf.yaml", [f"predict {A} sunwulf.yaml --efficiency 0.3 {TO} --format csv", f"predict {A} sunwulf.yaml --at N=310 {TO}",
                      f"explain {A} sunwulf.yaml --at N=1000 {TO}", f"sweep {A} sunwulf.yaml --vary t_c=1e-8,2e-8 --at N=310 {TO} --threads 1",
                      f"export simgrid sunwulf.yaml --system C4", f"validate {A} sunwulf.yaml sunwulf-runs.csv"]),
    ("offers-algorithm.yaml", [f"offers offers-algorithm.yaml offers-list.yaml --budget 21kEUR {goal}" for goal in
                               ("--at N=5000", "--efficiency 0.8", "--goal largest-run", "--goal processes --at N=500", "--at N=5000 --format json")]),
    ("offers-slow.yaml", [f"offers offers-algorithm.yaml offers-list.yaml --budget 21kEUR {goal}" for goal in
                          ("--at N=5000", "--efficiency 0.8", "--goal largest-run", "--goal processes --at N=500", "--at N=5000 --format json")]),
    ("offers-table.csv", [f"offers offers-algorithm.yaml offers-table.csv --budget 21kEUR {goal}" for goal in
                          ("--at N=5000", "--efficiency 0.8", "--goal cost --at N=5000", "--goal energy --at N=5000")]),
    ("phases-runs.csv", [f"validate {A} phases-machine.yaml phases-runs.csv", f"validate {A} phases-machine.yaml phases-runs.csv --fit t_c",
                         f"explain {A} phases-machine.yaml --runs phases-runs.csv", "plot phases-runs.csv -o -",
                         f"scalability phases-runs.csv --work {A} --machine phases-machine.yaml --efficiency 0.3"]),
    ("ge-runs.csv", [f"scalability ge-runs.csv --work {A} --efficiency 0.3", f"scalability ge-runs.csv --work {A} --efficiency 0.3 --format csv",
                     "plot ge-runs.csv -o -"]),
    ("sets-times.csv", ["scalability sets-times.csv --metric isospeed --reference sets-reference.csv --matrix"]),
    ("own.csv", ["fit-operations own.csv --draws 5", "fit-operations own.csv --draws 5 --format csv"]),
    ("strips-100-2.csv", ["derive derive/*.csv strips-100-2.csv"]),
    ("fat-tree.yaml", ["check fat-tree.yaml", "export simgrid fat-tree.yaml --system 4"]),
    ("prediction.json", ["plot prediction.json -o -"]),
    ("sweep.csv", ["plot sweep.csv -o -"]),
]
# Command lines whose own numbers are changed.
LINES = [f"predict {A} {M} --base C2 --at N=310 --to C4 --fixed time", f"predict {A} {M} --efficiency 0.3 {TO}",
         f"predict {A} {M} --at N=310 {TO}", f"explain {A} {M} --growth --efficiency 0.3 {TO}", f"compare {A} matrix-multiplication {M} --at "
         f"N=500 {TO}", f"sweep {A} {M} --vary t_c=1ns..5ns:log:4 --at N=310 {TO} --threads 1", "offers offers-algorithm.yaml "
         "offers-list.yaml --budget 21000EUR --at N=5000", "offers offers-algorithm.yaml offers-list.yaml --budget 21000EUR --deadline 2 "
         "--goal largest-run", f"scalability ge-runs.csv --work {A} --efficiency 0.3", "fit-operations own.csv --draws 5 --to 32",
         "export simgrid sunwulf --system 2", f"validate {A} phases-machine.yaml phases-runs.csv --max-error T=0.1 --efficiency 0.2",
         f"predict {A} {M} --set t_c=2 --at N=310 {TO}", f"predict {A} {M} --processes 8 --at N=310 --limit 4"]


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 21))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def prepare(folder, isocast, source):
    files = os.path.join(source, "tests", "cli", "files")
    for name in os.listdir(files):
        if os.path.isfile(os.path.join(files, name)):
            shutil.copy(os.path.join(files, name), folder)
    shutil.copy(os.path.join(files, "timings", "own.csv"), folder)
    shutil.copytree(os.path.join(files, "derive"), os.path.join(folder, "derive"))
    shutil.move(os.path.join(folder, "derive", "strips-100-2.csv"), folder)
    specs = os.path.join(source, "specs")
    shutil.copy(os.path.join(specs, "algorithms", "gaussian-elimination.yaml"), os.path.join(folder, "algorithm.yaml"))
    shutil.copy(os.path.join(specs, "machines", "sunwulf.yaml"), folder)
    shutil.copy(os.path.join(specs, "platforms", "fat-tree-128.yaml"), os.path.join(folder, "fat-tree.yaml"))
    shutil.copy(os.path.join(specs, "runs", "sunwulf-gaussian-elimination.csv"), os.path.join(folder, "sunwulf-runs.csv"))
    for line in (f"predict {A} {M} --efficiency 0.3 {TO} --format json -o prediction.json -q",
                 f"sweep {A} {M} --vary t_c=1ns..5ns:log:4 --at N=310 {TO} --threads 1 -o sweep.csv -q"):
        subprocess.run([isocast, *line.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def change(chance, text):
    """One number of a file that is in no comment; the runs of a benchmark have a header first."""
    places = [m for m in NUMBER.finditer(text) if "#" not in text[text.rfind("\n", 0, m.start()) + 1:m.start()]]
    m = chance.choice(places)
    return text[:m.start()] + chance.choice(NUMBERS) + text[m.end():]


def one(chance, folder, isocast):
    """A command line, and the name and text of the file that it reads changed, or None."""
    if chance.random() < 0.25:
        line = chance.choice(LINES)
        options = line.index("--")
        return line[:options] + change(chance, line[options:]), None, None
    name, lines = chance.choice(KINDS)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return chance.choice(lines), name, change(chance, file.read())


def problem_of(run, name):
    if run.returncode < 0:
        return signal.Signals(-run.returncode).name
    if run.returncode not in (0, 1, 2, 3, 4):
        return f"status {run.returncode}"
    if GENERIC.search(run.stderr):
        return "a sentence that fits any cause"
    if NO_NUMBER.search(run.stdout):
        return "inf or nan is shown"
    if run.returncode == 3 and not PLACE.search(run.stderr):
        return "no place"
    if run.returncode == 2 and name is not None:
        return "a wrong file is said to be a wrong command line"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isocast")
    parser.add_argument("source")
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    isocast = os.path.abspath(arguments.isocast)
    problems = 0
    with tempfile.TemporaryDirectory(prefix="isocast-extremes-") as folder:
        prepare(folder, isocast, arguments.source)
        for number in range(arguments.count):
            chance = random.Random(f"{arguments.seed}/{number}")
            line, name, text = one(chance, folder, isocast)
            if name is not None:
                path = os.path.join(folder, name)
                shutil.copy(path, path + ".kept")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            run = subprocess.run(["/bin/sh", "-c", f'exec "$0" {line}', isocast], cwd=folder, capture_output=True, text=True,
                                 errors="replace", preexec_fn=limits, check=False)
            if name is not None:
                with open(path + ".kept", encoding="utf-8") as file:
                    old = file.read().splitlines()
                os.replace(path + ".kept", path)
            problem = problem_of(run, name)
            if problem:
                problems += 1
                changed = [new for new, before in zip(text.splitlines(), old) if new != before] if name else [""]
                shown = [row for row in run.stdout.splitlines() if NO_NUMBER.search(row)][:1] if "shown" in problem else []
                print(number, problem, line, name or "", changed[0][:200], "; ".join(run.stderr.splitlines()[-3:])[:300], *shown, sep=" | ")
    print(f"{problems} of {arguments.count} changes of seed {arguments.seed} have a problem" if problems else "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
