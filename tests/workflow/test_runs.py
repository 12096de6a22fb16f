#!/usr/bin/env python3
"""Runs of any origin: scalability and validate read one N, name every solution, and compare the same one; what a
stranger's RUNS.csv has wrong is reported at its place, and large files take little time."""

import json
import math
import os
import random
import re
import tempfile

from common import SOURCE, expect, expect_run, finish, run, write

MACHINE = """machine: test
nodes: {node: {count: 64, processors: 1, marked_speed: 1 Gflop/s}}
parameters: {t_c: 1 ns/flop}
operations:
  T_step: 1 us*p + 0 ns/B*m
"""
# Beyond N = 3000 the data leaves a cache: E rises, then falls.
HUMP = """algorithm: hump
size: {N: {min: 2}}
work: N^3
compute: N^3*1 ns/p
overhead:
  step: N*T_step(8 B * N)
  memory: 2e-13 s*N^4/p/(1 + (3000/N)^3)
"""


def hump_T(p, N):
    return N ** 3 * 1e-9 / p + N * 1e-6 * p + 2e-13 * N ** 4 / p / (1 + (3000 / N) ** 3)


def hump_E(p, N):
    return N ** 3 / (hump_T(p, N) * p * 1e9)


def solutions(E, of_N, least, most):
    """Every N at which of_N passes E, by a scan: (N, whether it rises)."""
    found = []
    points = [least * (most / least) ** (k / 4000) for k in range(4001)]
    for a, b in zip(points, points[1:]):
        if (of_N(a) < E) != (of_N(b) < E):
            rises = of_N(b) >= E
            for _ in range(60):
                middle = (a + b) / 2
                a, b = (middle, b) if (of_N(middle) >= E) != rises else (a, middle)
            found.append((a, rises))
    return found


def answer(*arguments, status=0):
    result = expect_run(status, *arguments, "--format", "json")
    return json.loads(result.stdout) if result.stdout else None


def one_reading(folder, machine, algorithm):
    """scalability and validate give the same N on the same runs, near the truth, without and with noise."""
    draw = random.Random(9)
    off = []
    for noise, repetitions in ((0, 1), (0.02, 1), (0.02, 5), (0.05, 3)):
        lines = ["system,C,N,T"]
        for p in (4, 8):
            for N in (100, 140, 200, 280, 400, 560, 800):
                for _ in range(repetitions):
                    lines.append("%d,%g,%d,%.17g" % (p, p * 1e9, N, hump_T(p, N) * math.exp(draw.gauss(0, noise))))
        runs = write(folder, "runs.csv", "\n".join(lines) + "\n")
        validated = answer("validate", algorithm, machine, runs, "--efficiency", 0.7)
        computed = answer("scalability", runs, "--work", algorithm, "--efficiency", 0.7)
        both = [[row["N"] for row in validated["systems"]], [row["N"] for row in computed["rows"]]]
        expect(both[0] == both[1], "validate reads %s and scalability %s" % tuple(both))
        if noise == 0:
            for p, N in zip((4, 8), both[1]):
                off.append(abs(N / solutions(0.7, lambda n, p=p: hump_E(p, n), 100, 800)[0][0] - 1))
    expect(max(off) < 0.02, "without noise N is off by %s" % off)


def same_branch(folder, machine, algorithm):
    """Where E passes the wanted value twice, each is compared with its like, and what was not measured is left out."""
    E = 0.9
    due = {p: solutions(E, lambda n, p=p: hump_E(p, n), 20, 50000) for p in (4, 8)}
    expect([len(found) for found in due.values()] == [2, 2], "the hump has two solutions: %s" % due)

    def validated(sizes, factor=1.0):
        rows = ["%d,%d,%.17g" % (p, N, hump_T(p, N) * factor) for p in (4, 8) for N in sizes]
        return answer("validate", algorithm, machine,
                      write(folder, "runs.csv", "\n".join(["system,N,T", *rows]) + "\n"), "--efficiency", E)

    rising = (80, 120, 180, 270, 400, 600, 900)
    falling = (1500, 2000, 3000, 4500, 6700, 10000, 15000)
    for sizes, branch in ((rising, 0), (falling, 1), (rising + falling, 0)):
        result = validated(sizes)
        for system, p in zip(result["systems"], (4, 8)):
            N, rises = due[p][branch]
            expect(system["compared"] and abs(system["N"] / N - 1) < 0.05 and abs(system["N_predicted"] / N - 1) < 1e-6,
                   "sizes %s: N is %s and %s, due is %g" % (sizes, system["N"], system["N_predicted"], N))
            expect(system["N_direct"] is None or abs(system["N_direct"] / N - 1) < 0.5,
                   "measured directly is %s where N is %g" % (system["N_direct"], N))
        expect(result["errors"]["N"]["mean"] < 0.05, "error of N: %s" % result["errors"]["N"])
    # Only the smallest sizes: E is not passed, the prediction stands alone.
    result = validated((20, 25, 30))
    expect(all(not s["compared"] and s["N"] is None and s["N_error"] is None for s in result["systems"]),
           "systems that do not pass E are compared")
    expect(result["errors"]["N"] == {"mean": None, "mean_beyond": None, "max": None, "bias": None, "n": 0},
           "an error of nothing: %s" % result["errors"]["N"])
    expect("NaN" not in json.dumps(result), "NaN in the JSON")
    table = run("validate", algorithm, machine, os.path.join(folder, "runs.csv"), "--efficiency", E).stdout.decode()
    expect("no N and no psi is compared" in table and "nan" not in table, "the table does not say why: %s" % table)
    # Left to itself it takes an efficiency that is met once by all.
    lines = ["%d,%d,%.17g" % (p, N, hump_T(p, N)) for p in (4, 8) for N in rising + falling]
    runs = write(folder, "runs.csv", "\n".join(["system,N,T", *lines]) + "\n")
    result = answer("validate", algorithm, machine, runs)
    for system, p in zip(result["systems"], (4, 8)):
        expect(system["compared"] and abs(system["N_error"]) < 0.05, "chosen E: %s" % system)


def measured_directly(folder, machine, algorithm):
    """A run far from the solution does not show it, however near its E is by another solution."""
    lines = ["system,N,T"]
    for N, E in ((100, 0.2), (200, 0.45), (400, 0.75), (800, 0.97), (1600, 0.705), (3200, 0.60)):
        lines.append("4,%d,%.17g" % (N, N ** 3 / (E * 4e9)))
    runs = write(folder, "runs.csv", "\n".join(lines) + "\n")
    system = answer("validate", algorithm, machine, runs, "--efficiency", 0.7)["systems"][0]
    expect(200 < system["N"] < 400, "N is %s" % system["N"])
    expect(system["N_direct"] is None, "the run at 1600 is on the other branch: %s" % system["N_direct"])
    expect(system["crossings"] == 2, "crossings: %s" % system["crossings"])


def throughout(folder, machine, algorithm):
    """"throughout" is said where every error has the same sign."""
    for signs, said in (((1, 1, 1, 1), True), ((1, 1, 1, -0.01), False)):
        lines = ["system,N,T"] + ["4,%d,%.17g" % (N, hump_T(4, N) * (1 - 0.2 * sign))
                                  for N, sign in zip((200, 400, 600, 800), signs)]
        table = run("validate", algorithm, machine, write(folder, "runs.csv", "\n".join(lines) + "\n")).stdout.decode()
        expect(("throughout" in table) == said, "signs %s: %s" % (signs, table))


def places(folder, machine, algorithm):
    """Every problem of a RUNS.csv has its line and column; a system or a size that is wrong hides no other."""
    text = "system,N,T\n4,0.5,1\n4,1e16,1\n4,1e40,1\n4,100,1\n"
    runs = write(folder, "bad.csv", text)
    for command in (("validate", algorithm, machine, runs),
                    ("scalability", runs, "--work", algorithm, "--machine", machine, "--efficiency", 0.3)):
        said = expect_run(3, *command).stderr.decode()
        expect(re.findall(r"bad\.csv:(\d+):(\d+): error", said) == [("2", "3"), ("3", "3"), ("4", "3")],
               "places of sizes: %s" % said)
    runs = write(folder, "bad.csv", "system,N,T\n4,0,1\n4,-5,1\n4,many,0\nC9,5,1\n")
    said = expect_run(3, "validate", algorithm, machine, runs).stderr.decode()
    expect(re.findall(r"bad\.csv:(\d+):(\d+): error", said) == [("2", "3"), ("3", "3"), ("4", "3"), ("4", "8")],
           "places of numbers: %s" % said)
    runs = write(folder, "bad.csv", "N,system,T\n5,C9,1\n7,4,1\n8,x y,1\n9,C9,1\n")
    said = expect_run(3, "validate", algorithm, machine, runs).stderr.decode()
    expect(re.findall(r"bad\.csv:(\d+):(\d+): error", said) == [("2", "3"), ("4", "3")], "places of systems: %s" % said)


def families(folder, machine, algorithm):
    """Runs of a program are compared with any specification of it; a warning says so, or --algorithm does."""
    published = os.path.join(SOURCE, "specs", "runs", "sunwulf-gaussian-elimination.csv")
    command = ("validate", "gaussian-elimination-published", "sunwulf", published)
    expect_run(0, *command, words="the runs are of 'gaussian-elimination'")
    said = expect_run(0, *command, "--algorithm", "gaussian-elimination").stderr
    expect(said == b"", "a warning for what was asked for: %s" % said)
    expect(answer(*command)["errors"]["T"]["n"] == 12, "the published runs are 12")
    runs = write(folder, "two.csv", "algorithm,system,N,T\nfirst,4,100,1\nfirst,4,200,2\nsecond,4,100,1\n")
    expect_run(3, "validate", algorithm, machine, runs, words="two.csv:2:1: error: there are no runs of")
    expect(answer("validate", algorithm, machine, runs, "--algorithm", "first")["errors"]["T"]["n"] == 2,
           "--algorithm chooses rows")


def many(folder, machine, algorithm):
    """Thousands of sizes and of systems: ten times as many take no hundred times as long (run has a limit)."""
    lines = ["system,C,N,T"] + ["4,4e9,%d,%.9g" % (N, hump_T(4, N)) for N in range(50, 20050)]
    runs = write(folder, "many.csv", "\n".join(lines) + "\n")
    expect(answer("scalability", runs, "--work", algorithm, "--efficiency", 0.5)["rows"][0]["points"] == 20000, "sizes")
    lines = ["system,N,T"] + ["node:%d,%d,%.9g" % (p, N, hump_T(p, N)) for N in range(100, 850) for p in range(1, 65)]
    runs = write(folder, "many.csv", "\n".join(lines) + "\n")
    result = answer("validate", algorithm, machine, runs, "--efficiency", 0.5)
    expect(result["errors"]["T"]["n"] == 750 * 64 and result["errors"]["T"]["max"] < 1e-6, "systems and sizes")


with tempfile.TemporaryDirectory() as place:
    files = (place, write(place, "machine.yaml", MACHINE), write(place, "hump.yaml", HUMP))
    for part in (one_reading, same_branch, measured_directly, throughout, places, families, many):
        part(*files)
finish()
