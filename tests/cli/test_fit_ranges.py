#!/usr/bin/env python3
"""forecast --with on numbers that have a range (min, max). Runs are drawn at random. The fit stays in the ranges, and no other point
in them is nearer to the runs; what the runs say nothing of is the middle of its range, with an error, and counts in intervals.

    test_fit_ranges.py ISOCAST ROOT
"""
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

ISOCAST = os.path.abspath(sys.argv[1])
MACHINE = """machine: cluster
nodes: {node: {count: 512, processors: 1, marked_speed: 1 Gflop/s}}
"""
ALGORITHM = """algorithm: ranged
size: {N: {min: 1}}
work: 1 flop
parameters:
  a: {fit: true%s}
  b: {fit: true, unit: s%s}
  c: {fit: true, unit: s%s}
  far: {fit: true, unit: s, min: 1 s, max: 4 s}
compute: a*1 s*N/p
overhead:
  tree: b*log2(p)
  start: c
  beyond: if(p > 64, far, 0 s)
"""
problems = []


def check(right, *what):
    if not right:
        problems.append(what)
        print(*what)


def time_of(values, p, N):
    return values[0] * N / p + values[1] * math.log2(p) + values[2]


def loss(values, runs, floor):
    """What the fit makes least: squares of errors up to the floor, and beyond it what they are."""
    total = 0
    for p, N, T in runs:
        error = abs(math.log(max(time_of(values, p, N), 1e-300) / T))
        total += error * error / (2 * floor) if error <= floor else error - floor / 2
    return total


def fit(folder, ranges, runs):
    texts = ["".join(", %s: %.17g%s" % (word, end, "" if k == 0 else " s") for word, end in zip(("min", "max"), ends)
                     if 0 < end < math.inf) for k, ends in enumerate(ranges)]
    for name, text in (("machine.yaml", MACHINE), ("ranged.yaml", ALGORITHM % tuple(texts)), (
            "runs.csv", "system,N,T\n" + "".join("%d,%d,%.17g\n" % run for run in runs))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    done = subprocess.run([ISOCAST, "forecast", "runs.csv", "--with", "ranged.yaml", "machine.yaml", "--to", "p=32,128,N=10", "--fitted", "out.yaml",
                           "--format", "json"], cwd=folder, capture_output=True, text=True, check=False)
    check(done.returncode == 0, "exit status", done.returncode, done.stderr, texts)
    return json.loads(done.stdout)


with tempfile.TemporaryDirectory() as folder:
    draw = random.Random(20261128)
    ends_met = set()
    off, held = [], 0  # of numbers that are found where all truths are in their ranges
    for case in range(40):
        truth = [draw.uniform(0.5, 4), draw.uniform(0.1, 1), draw.uniform(0.1, 3)]
        noise = draw.choice((0.01, 0.1))
        runs = [(p, N, time_of(truth, p, N) * math.exp(draw.gauss(0, noise))) for p in (1, 2, 4, 8, 16, 32, 64) for N in (1, 10)]
        ranges = []
        for value in truth:
            low = draw.choice((0, value * draw.uniform(0.3, 1.5)))
            ranges.append((low, draw.choice((math.inf, max(low, value) * draw.uniform(1.05, 2), low + value * draw.uniform(0.1, 0.9)))))
        result = fit(folder, ranges, runs)
        numbers = {number["name"]: number for number in result["numbers"]}
        found = [numbers[name]["value"] for name in "abc"]
        for name, value, (low, high) in zip("abc", found, ranges):
            status = numbers[name]["status"]
            check(low * (1 - 1e-5) <= value <= high * (1 + 1e-5), case, name, "is", value, "outside", low, high)
            check((status == "most") == (value >= high * (1 - 1e-5)), case, name, value, high, status)
            check((status in ("least", "contradicted", "alike")) == (value <= low * (1 + 1e-9)), case, name, value, low, status)
            ends_met.add(status)
        if all(low < value < high for value, (low, high) in zip(truth, ranges)):
            known = [(numbers[name], value) for name, value in zip("abc", truth) if numbers[name]["status"] == "ok"]
            off += [number["error"] for number, _ in known]
            held += sum(abs(number["value"] / value - 1) <= 2 * number["error"] * number["value"] / value for number, value in known)
        check(numbers["far"]["status"] == "assumed" and abs(numbers["far"]["value"] - 2) < 1e-9, case, numbers["far"])
        errors = sorted(abs(math.log(time_of(found, p, N) / T)) for p, N, T in runs)
        floor = 1.345 * 1.4826 * statistics.median(errors)
        least = loss(found, runs, floor)
        for _ in range(400):
            width = 10 ** draw.uniform(-4, 0)
            other = [min(max(value * math.exp(draw.gauss(0, width)) + draw.choice((0, 0, draw.uniform(-width, width) * value)), low), high)
                     for value, (low, high) in zip(found, ranges)]
            check(loss(other, runs, floor) > least * (1 - 1e-5), case, found, other, "is nearer", least, loss(other, runs, floor))
        near, beyond = result["rows"]
        check(near["status"] == beyond["status"] == "ok", case, near, beyond)
        check(beyond["T_high"] - beyond["T"] > 1.2, case, "the interval leaves out what is not known:", beyond)
    check({"ok", "least", "most"} <= ends_met, "only", ends_met)
    # Errors are those of the fit: what a range says before it is not counted as an error of the machine.
    check(len(off) > 20 and statistics.median(off) < 0.1 and held > 0.8 * len(off), "errors", len(off), statistics.median(off), held)
    # The file that a fit writes keeps the ranges. What no run said stays open, and others take the middle of it, and say so.
    with open(os.path.join(folder, "out.yaml"), encoding="utf-8") as file:
        text = file.read()
    check("far: {fit: true, unit: s, min: 1 s, max: 4 s}" in text, text)
    done = subprocess.run([ISOCAST, "predict", "out.yaml", "machine.yaml", "--at", "N=10", "--to", "128", "--format", "json"], cwd=folder,
                          capture_output=True, text=True, check=False)
    check(done.returncode == 0 and "these numbers come from no run" in done.stderr and "intervals cover the ranges: far" in done.stderr, done.stderr)
    row = json.loads(done.stdout)["rows"][0]
    check(row["T_high"] - row["T"] > 1.2, row)
print("%d problems" % len(problems))
sys.exit(1 if problems else 0)
