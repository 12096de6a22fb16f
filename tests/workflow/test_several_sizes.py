#!/usr/bin/env python3
"""Runs of an algorithm with two and three sizes: validate, scalability, measure --find and pictures, with sizes from columns
and from --set. Rows at one value of the further sizes are read as if they stood alone.

    test_several_sizes.py ISOCAST SOURCE
"""
import csv
import json
import math
import os
import random
import sys
import tempfile

from common import expect, expect_run, finish, run, write

MACHINE = """machine: m
nodes: {node: {count: 8, processors: 1, marked_speed: 100 Mflop/s}}
operations: {T_bcast: (10 us + 1 ns/B * m) * ceil(log2(p))}
"""
# Sizes in another order than columns; the last is a factor of the work.
ALGORITHM = """algorithm: three
size: {side: {description: rows, min: 1}, K: {description: columns, min: 1, max: 1000}, steps: {min: 1}}
work: 2*side^2*K*steps
overhead: {broadcast: T_bcast(8 B * side*K)*steps}
"""
# What measure runs: E = 1/(1 + 20/N) on two processes at K = 5, and 1 on one.
PROGRAM = """#!/bin/sh
awk -v N=$1 -v K=$2 -v p=$3 'BEGIN {printf "took %.12g\\n", 2*N*N*K/1e8/p*(1 + (p - 1)*4*K/N)}'
"""


def time_of(N, K, steps, p):
    return steps * (2 * N * N * K / 1e8 / p + (1e-5 + 8e-9 * N * K) * math.ceil(math.log2(p)))


def write_runs(folder, name, others, generator):
    with open(os.path.join(folder, name), "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["steps", "system", "N", "T", "K"])
        rows = [(steps, p, N, time_of(N, K, steps, p) * generator.uniform(0.99, 1.01), K) for p in (1, 2, 4, 8) for K, steps in others
                for N in (10, 20, 40, 80, 160, 320, 640) for _ in range(3)]
        generator.shuffle(rows)
        writer.writerows(rows)


def result(folder, *arguments, status=0):
    done = expect_run(status, *arguments, "--format", "json", cwd=folder)
    return json.loads(done.stdout) if done.stdout else {}


def without_place(rows):
    kept = [{key: value for key, value in row.items() if key not in ("system", "other_sizes")} for row in rows]
    return json.loads(json.dumps(kept), parse_float=lambda text: "%.9g" % float(text))


def check_parts(folder, seed):
    """A part of the runs by --set, and the same part of all of them."""
    generator = random.Random(seed)
    others = [(generator.randint(2, 400), generator.randint(1, 9)) for _ in range(2)] + [(7, 3)]
    write_runs(folder, "runs.csv", others, generator)
    for command in (["validate", "three.yaml", "m.yaml", "runs.csv", "--efficiency", "0.8"],
                    ["scalability", "runs.csv", "--work", "three.yaml", "--machine", "m.yaml", "--efficiency", "0.8"]):
        status = 4 if command[0] == "scalability" else 0
        together = result(folder, *command, status=status)
        for K, steps in others:
            alone = result(folder, *command, "--set", "K=%d" % K, "--set", "steps=%d" % steps, status=status)
            name = "%s at K = %d, steps = %d" % (command[0], K, steps)
            for part in ("rows", "systems"):
                chosen = [row for row in together.get(part, []) if row["other_sizes"] == {"K": K, "steps": steps}]
                expect(len(chosen) == len(alone.get(part, [])), "%s: %d %s" % (name, len(chosen), part))
                expect(without_place(chosen) == without_place(alone.get(part, [])), "%s: %s differ\n%s\n%s" % (
                    name, part, without_place(chosen), without_place(alone.get(part, []))))
        if command[0] == "validate":
            expect(together["errors"]["T"]["max"] < 0.011, "T is off: %s" % together["errors"])
            expect(len({row["system"] for row in together["rows"]}) == 12, "systems are not distinguished")
        write(folder, "result.json", json.dumps(together))
        expect_run(0, "plot", "result.json", "-o", "picture.svg", cwd=folder)
    expect_run(0, "validate", "three.yaml", "m.yaml", "runs.csv", "--metric", "isoefficiency", cwd=folder)
    run_alone = run("scalability", "runs.csv", "--work", "three.yaml", "--machine", "m.yaml", "--metric", "isoefficiency",
                    "--efficiency", "0.8", cwd=folder)
    expect(run_alone.returncode in (0, 4) and b"p = 1" not in run_alone.stderr, "T(W,1) is not found: %s" % run_alone.stderr)


def check_faults(folder):
    write(folder, "few.csv", "system,N,T,K\n1,10,1,5\n")
    write(folder, "cells.csv", "system,N,T,K,steps\n1,10,1,5,1\n1,20,1,x,1\n1,30,1,2000,1\n")
    for arguments in (["validate", "three.yaml", "m.yaml"], ["scalability", "--work", "three.yaml", "--machine", "m.yaml",
                                                             "--efficiency", "0.5"]):
        expect_run(3, *arguments, "few.csv", words="there is no column 'steps', which is a size of three", cwd=folder)
        expect_run(3, *arguments, "cells.csv", words="the column 'K' has no number in this row", cwd=folder)
        expect_run(3, *arguments, "cells.csv", words="'three' takes K up to 1000, this is 2000", cwd=folder)
        expect_run(3, *arguments, "few.csv", "--set", "steps=1", "--set", "K=6", words="no row has K = 6, as 'three' has it (1 row",
                   cwd=folder)


def check_find(folder):
    os.chmod(write(folder, "program", PROGRAM), 0o755)
    write(folder, "two.yaml", "algorithm: two\nsize: {N: {min: 1}, K: {min: 1}}\nwork: 2*N^2*K\n")
    find = ["measure", "--command", "./program {N} {K} {p}", "--time", "took (.*)", "--machine", "m.yaml", "--systems", "2",
            "--sizes", "10,20", "--repetitions", "1", "--find", "E=0.8", "--algorithm", "two.yaml", "--oversubscribe"]
    expect_run(2, *find, "-o", "found.csv", words="{K} has no value", cwd=folder)
    find[2] = "./program {N} 5 {p}"
    expect_run(2, *find, "-o", "found.csv", words="two also needs K: --set K=NUMBER", cwd=folder)
    find[2] = "./program {N} {K} {p}"
    for K in (5, 9):
        found = expect_run(0, *find, "--set", "K=%d" % K, "-o", "found.csv", "--format", "json", cwd=folder)
        N = json.loads(found.stdout)["rows"][0]["N"] if found.stdout else 0
        expect(abs(N / (16 * K) - 1) < 0.1, "K = %d: E = 0.8 at N = %s, not %d" % (K, N, 16 * K))
    expect_run(0, "validate", "two.yaml", "m.yaml", "found.csv", "--set", "K=9", words="rows do not count in which K is not 9", cwd=folder)


with tempfile.TemporaryDirectory() as scratch:
    write(scratch, "m.yaml", MACHINE)
    write(scratch, "three.yaml", ALGORITHM)
    for draw in (1, 2):
        check_parts(scratch, draw)
    check_faults(scratch)
    check_find(scratch)
sys.exit(finish())
