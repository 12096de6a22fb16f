#!/usr/bin/env python3
"""Two commands that write one file at a time: one of them ends with 0 and its output is whole, the other one says so.

    test_raced.py ISOCAST SOURCE RACE_LIBRARY [--pairs COUNT] [--seed SEED] [--only WORD]

Pairs of all commands that write are started at random moments. race.c has the two meet, where they claim their file, where
they have their first claim, or where they are about to write, and delays what they do with files, so that nothing depends on the
machine's speed. What is there at the end must be, byte by byte, what the command writes alone. The usual count takes a few seconds.
"""

import argparse
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "faults"))
from cases import prepare  # noqa: E402
from common import ISOCAST, MACHINE, SOURCE, expect, fake_launcher, finish, problems, write  # noqa: E402

OLD = b"# Derived by isocast: what was here before\n"
VARYING = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)?|sha256: \w+")
GE = "gaussian-elimination-published sunwulf"
DERIVE = " ".join(f"derive/strips-{N}-{p}.csv" for N in (100, 130, 170) for p in (1, 2, 4))
SIMULATOR = os.path.exists(os.path.join(os.path.dirname(ISOCAST), "..", "libexec", "isocast", "isocast-probe-simulated"))


class Kind:
    """One command in two forms whose results differ. outputs: names in the folder of the pair. old: something may be
    there. same: what of an output does not change from run to run. torn: a part of the output is there, and is gone on with. both: each
    has an output of its own."""

    def __init__(self, name, first, second, outputs=("out",), old=True, weight=8, same="bytes", torn=None, both=False):
        self.name, self.lines, self.outputs, self.old = name, (first, second), outputs, old
        self.weight, self.same, self.torn, self.both = weight, same, torn, both


def kinds():
    measured = f"measure ge --machine machine.yaml --systems 1 --sizes %s --repetitions 2 --launcher '{fake_launcher()}' -o P/runs.csv"
    sweep = f"sweep {GE} --vary t_c=1e-8,2e-8,%s --efficiency 0.3 --to C2,C4 --threads 1"
    found = [
        Kind("check", "check algorithm.yaml -o P/out", "check platform.yaml -o P/out"),
        Kind("list", "list algorithms -o P/out", "list machines -o P/out"),
        Kind("predict", f"predict {GE} --at N=310 --to C4 -o P/out", f"predict {GE} --at N=320 --to C4 --format csv -o P/out"),
        Kind("explain", f"explain {GE} --at N=310 --to C4 -o P/out", f"explain {GE} --at N=320 --to C4 -o P/out"),
        Kind("compare", "compare algorithm.yaml two-sizes.yaml sunwulf --set K=3 --at N=310 --to C2 -o P/out",
             "compare algorithm.yaml two-sizes.yaml sunwulf --set K=3 --at N=320 --to C2 -o P/out"),
        Kind("sweep", sweep % "3e-8" + " -o P/out", sweep % "4e-8" + " -o P/out", old=False),
        Kind("sweep-lines", sweep % "3e-8" + " -o P/out.jsonl", sweep % "4e-8" + " -o P/out.jsonl", ("out.jsonl",), False),
        Kind("sweep-resume", sweep % "3e-8" + " --resume -o P/out", sweep % "3e-8" + " --resume -o P/out", old=False, torn=0.6),
        Kind("offers", "offers offers-algorithm.yaml offers-list.yaml --budget 21kEUR --at N=5000 -o P/out",
             "offers offers-algorithm.yaml offers-list.yaml --budget 22kEUR --at N=5000 --format json -o P/out"),
        Kind("validate", "validate gaussian-elimination phases-machine.yaml phases-runs.csv -o P/out",
             "validate gaussian-elimination phases-machine.yaml phases-runs.csv --format json -o P/out"),
        Kind("scalability", "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.3 -o P/out",
             "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.25 -o P/out"),
        Kind("fit-operations", "fit-operations own.csv -o P/m.yaml --marked-speed 2e9 --residuals P/r.csv --draws 5",
             "fit-operations own.csv -o P/m.yaml --marked-speed 3e9 --residuals P/r.csv --draws 5", ("m.yaml", "r.csv")),
        Kind("derive", f"derive {DERIVE} -o P/out", f"derive {DERIVE} --marked-speed 1e9 -o P/out", weight=3),
        Kind("export", "export simgrid sunwulf --system C8 -o P/p.xml --hosts P/hosts",
             "export simgrid sunwulf --system C4 -o P/p.xml --hosts P/hosts", ("p.xml", "hosts")),
        # Each names first what the other one names second: one gets both.
        Kind("crossed", "fit-operations own.csv -o P/a --marked-speed 2e9 --residuals P/b --draws 5",
             "export simgrid sunwulf --system C8 -o P/b --hosts P/a", ("a", "b")),
        Kind("measure", measured % "64,96", measured % "80,112", ("runs.csv",), False, 2, "lines"),
        Kind("record", "record -o P/r.csv -n 1 -- ./program 1", "record -o P/r.csv -n 1 -- ./program 2", ("r.csv",), False, 1,
             "head"),
        Kind("record-names", "record -o P -n 1 -- ./program 1", "record -o P -n 1 -- ./program 1",
             ("program-1-p1.csv", "program-1-p1-2.csv"), False, 1, "head", both=True),
    ]
    if subprocess.run([ISOCAST, "doctor"], capture_output=True, check=False).returncode == 0:
        found.append(Kind("doctor", "doctor --format json -o P/out", "doctor -o P/out", weight=1, same="head"))
    if shutil.which("gnuplot"):
        found.append(Kind("plot", "plot ge-runs.csv -o P/out.svg", "plot sunwulf-runs.csv -o P/out.svg", ("out.svg",), weight=1))
    if SIMULATOR and shutil.which("smpirun"):
        line = "calibrate --platform sunwulf --systems %s --operations T_barrier -o P/m.yaml"
        found.append(Kind("calibrate", line % "C2", line % "C4", ("m.yaml", "m.samples.csv"), weight=1))
        found.append(Kind("crossed-beside", line % "C2", "export simgrid sunwulf --system C8 -o P/m.samples.csv --hosts P/m.yaml",
                          ("m.yaml", "m.samples.csv"), weight=1))
        found.append(Kind("cc", "cc -DWORD=1 -o P/program small.c", "cc -DWORD=2 -o P/program small.c", ("program",), False, 0.3))
    return found


def words(line, place):
    return [place if word == "P" else word.replace("P/", place + "/") for word in shlex.split(line)]


def contents(place):
    """What is in the folder of a pair, by name; hidden files, too."""
    found = {}
    for name in os.listdir(place):
        with open(os.path.join(place, name), "rb") as file:
            found[name] = VARYING.sub(b"VARIES", file.read())
    return found


def part(text, same):
    """What two runs of one command share: all, the number of lines where times differ, or the head of a whole file."""
    return text if same == "bytes" else (text[:16], text.count(b"\n") if same == "lines" else text[-1:])


class Pairs:
    def __init__(self, folder, library, seed):
        self.folder, self.library, self.seed = folder, library, seed
        self.dice = random.Random(seed)
        self.alone = {}
        self.count = 0

    def place(self):
        path = os.path.join(self.folder, "pair")
        if os.path.exists(path):
            shutil.rmtree(path)
        os.mkdir(path)
        os.mkdir(os.path.join(self.folder, "pair", "P"))
        return path

    def start(self, line, self_number, meet, base):
        environment = dict(os.environ, LD_PRELOAD=self.library, RACE_FOLDER=base, RACE_SELF=str(self_number), RACE_MEET=meet,
                           RACE_SEED=str(self.dice.randrange(1 << 60)), TMPDIR="/tmp", LC_ALL="C.UTF-8")
        return subprocess.Popen([ISOCAST, *words(line, "pair/P")], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def result_alone(self, line, torn=None):
        """What a command writes where nobody else does."""
        if line not in self.alone:
            place = os.path.join(self.place(), "P")
            done = subprocess.run([ISOCAST, *words(line, "pair/P")], cwd=self.folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=120, check=False)
            if done.returncode != 0:
                sys.exit(f"alone, '{line}' ends with {done.returncode}: {done.stderr.decode()}")
            raw = {}
            for name in os.listdir(place):
                with open(os.path.join(place, name), "rb") as file:
                    raw[name] = file.read()
            self.alone[line] = (contents(place), raw)
        return self.alone[line]

    def run(self, first, second):
        """A pair of (kind, line)."""
        self.count += 1
        pair = (first, second)
        due = [self.result_alone(line) for _, line in pair]
        base = self.place()
        place = os.path.join(base, "P")
        old = first[0].old and second[0].old and self.dice.random() < 0.5
        if old:
            for name in set(first[0].outputs + second[0].outputs):
                with open(os.path.join(place, name), "wb") as file:
                    file.write(OLD)
        if first[0].torn:
            for name, text in due[0][1].items():
                with open(os.path.join(place, name), "wb") as file:
                    file.write(text[:int(len(text) * first[0].torn)])
        meet = "held" if first[0].name.startswith("crossed") else self.dice.choice(("claim", "held", "write"))
        processes = []
        for number, (_, line) in enumerate(pair):
            processes.append(self.start(line, number, meet, base))
            time.sleep(self.dice.choice((0, self.dice.uniform(0, 0.02))))
        said = [process.communicate(timeout=200)[1].decode("utf-8", "replace") for process in processes]
        statuses = [process.returncode for process in processes]
        what = f"pair {self.count} of seed {self.seed} (meet to {meet}, old {old}): {first[1]} | {second[1]}: {statuses} {said}"
        if first[0].both:
            left = contents(place)
            expect(statuses == [0, 0] and sorted(left) == sorted(first[0].outputs), f"{what}: left {sorted(left)}")
            expect(all(text.rstrip().count(b"\n") > 3 for text in left.values()), f"{what}: a record is not whole")
            return
        expect(statuses.count(0) == 1, what)
        if statuses.count(0) != 1:
            return
        winner = statuses.index(0)
        expect(statuses[1 - winner] == 5 and ("is left as it is" in said[1 - winner]), f"the loser: {what}")
        left = contents(place)
        wanted = due[winner][0]
        expected = dict.fromkeys(pair[1 - winner][0].outputs, VARYING.sub(b"VARIES", OLD)) if old else {}
        expected.update(wanted)
        expect(sorted(left) == sorted(expected), f"{what}: left {sorted(left)}, not {sorted(expected)}")
        parts = {name: (part(left.get(name, b""), pair[winner][0].same), part(text, pair[winner][0].same))
                 for name, text in expected.items()}
        wrong = [name for name, (here, alone) in parts.items() if here != alone]
        expect(not wrong, f"{what}: {wrong} are not as written alone")


PROGRAM = """#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; }
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isocast")
    parser.add_argument("source")
    parser.add_argument("library")
    parser.add_argument("--pairs", type=int, default=0, help="random ones; 0: one of each command")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--only", help="commands of this name")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isocast-raced-") as folder:
        prepare(folder, ISOCAST)
        write(folder, "machine.yaml", MACHINE)
        write(folder, "small.c", PROGRAM)
        os.mkdir(os.path.join(folder, "pair"))
        built = subprocess.run(["mpicc.mpich", "-o", "program", "small.c"], cwd=folder, capture_output=True, check=False)
        all_kinds = [kind for kind in kinds() if not arguments.only or kind.name.startswith(arguments.only)]
        if built.returncode != 0:
            all_kinds = [kind for kind in all_kinds if not kind.name.startswith("record")]
        pairs = Pairs(folder, os.path.abspath(arguments.library), arguments.seed)
        plain = [kind for kind in all_kinds if kind.outputs == ("out",) and kind.old]
        began = time.monotonic()
        for number in range(arguments.pairs or len(all_kinds)):
            if arguments.pairs:
                kind = pairs.dice.choices(all_kinds, [kind.weight for kind in all_kinds])[0]
            else:
                kind = all_kinds[number]
            # Two commands that have nothing in common but the name of their output, or one with other options.
            other = pairs.dice.choice(plain) if kind in plain and arguments.pairs and pairs.dice.random() < 0.3 else kind
            lines = list(kind.lines)
            pairs.dice.shuffle(lines)
            second = lines[1] if other is kind else pairs.dice.choice(other.lines)
            pairs.run((kind, lines[0]), (other, second))
        print(f"{pairs.count} pairs of {len(all_kinds)} commands in {time.monotonic() - began:.0f} s: {len(problems)} problems")
    finish()


if __name__ == "__main__":
    main()
