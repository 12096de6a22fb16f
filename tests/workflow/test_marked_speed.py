#!/usr/bin/env python3
"""Marked speeds by program: a calibration measures them all, predictions and shares of the work follow the program's own."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile

from common import ISOCAST, expect, expect_run, finish, write

KERNEL = os.path.join(os.path.dirname(ISOCAST), "..", "libexec", "isocast", "isocast-kernel")
SUITE = {"ge", "mm", "fft_2d", "triad", "stencil", "csr"}  # whose mean is the default
SMALL = "L3Cache:1(size=1048576) core:2 pu:1"  # caches that hwloc then speaks of: little data goes beyond them

# Starts a program by itself, with time for all marked speeds, and keeps its command line.
GENEROUS = """import os, sys
command = sys.argv[3:]
if "--suite" in command:
    command += ["--suite-seconds", "60", "--suite-first", "60"]
open(sys.argv[1], "a").write(" ".join(command) + "\\n")
os.execvp("mpiexec.mpich", ["mpiexec.mpich", "-n", sys.argv[2], *command])
"""

# mm is as fast on both classes, ge three times as fast on one of them.
TWO_KINDS = """machine: kinds
nodes:
  fast: {count: 1, processors: 1, marked_speed: {mm: 4 Gflop/s, ge: 3 Gflop/s, default: 2 Gflop/s}}
  slow: {count: 1, processors: 1, marked_speed: {mm: 4 Gflop/s, ge: 1 Gflop/s, default: 1 Gflop/s}}
"""


def speeds_of(text):
    """{program: flop/s} of the calibrated file's one class, and what stands behind the default."""
    section = re.search(r"marked_speed:.*\n((?: {6}.*\n)+)", text)
    expect(section is not None, "the file has no marked speeds by program")
    lines = section.group(1).splitlines() if section else []
    found = {}
    for line in lines:
        name, value = re.match(r" +(\w+): +([0-9.e+]+) Mflop/s", line).groups()
        found[name] = 1e6 * float(value)
    return found, lines[0] if lines else ""


def calibrated(folder):
    script = write(folder, "generous.py", GENEROUS)
    said = os.path.join(folder, "commands")
    path = os.path.join(folder, "here.yaml")
    result = expect_run(0, "calibrate", "--processes", "1", "--launches", "2", "--budget", "8s", "--operations", "ge,mm",
                        "--launcher", "%s -S %s %s {p}" % (sys.executable, script, said), "-o", path,
                        env={**os.environ, "HWLOC_SYNTHETIC": SMALL})
    asked = [re.search(r"--suite (\S+)", line) for line in open(said)]
    expect(asked and asked[0] and len(asked[0].group(1).split(",")) > len(SUITE), "the first launch is asked for all: %s" % asked)
    text = open(path).read()
    found, head = speeds_of(text)
    default = found.pop("default", 0)
    expect(SUITE | {"conv2d"} <= set(found), "members of the suite are missing: %s" % sorted(found))
    expect(all(speed > 1e6 for speed in found.values()), "speeds: %s" % found)
    mean = sum(speed for name, speed in found.items() if name in SUITE) / len(SUITE)
    expect(abs(default / mean - 1) < 1e-4 and "# the mean of ge, mm, fft_2d, triad, stencil and csr" in head,
           "the default %g is not the mean %g: %s" % (default, mean, head))
    t_c = float(re.search(r"\n  t_c: (\S+) s/flop", text).group(1))
    expect(abs(t_c * default - 1) < 1e-4, "t_c is %g, the default %g" % (t_c, default))
    expect("no time to measure the marked speed" not in text, "something was left out: %s" % result.stderr.decode())
    expect(re.search(r'\n  mm: "dense product, [0-9.]+ MB, in \d launch', text), "what was run does not stand in the file")
    expect("the marked speeds of a processor are ge" in result.stderr.decode(), result.stderr.decode())
    # Each algorithm gets its own, and the output says so.
    for algorithm, program in (("gaussian-elimination", "ge"), ("matrix-multiplication", "mm")):
        # What a calibration of kernels alone lacks.
        whole = write(folder, "whole.yaml", text.replace("compute:", "operations: {T_send: 0 s, T_recv: 0 s, T_bcast: 0 s, "
                                                         "T_barrier: 0 s, T_copy: 0 s, T_scatter: 0 s, T_gather: 0 s}\ncompute:", 1)
                      if "\noperations:" not in text else text)
        row = json.loads(expect_run(0, "predict", algorithm, whole, "--at", "N=500", "--to", "1,2", "--format", "json").stdout)
        expect(all(abs(r["C"] / (r["p"] * found[program]) - 1) < 1e-4 for r in row["rows"]), "%s: C is %s" % (algorithm, row["rows"]))
        reported = row["provenance"]["machine"]["marked_speed"]
        expect(reported["program"] == program and not reported["mean"] and abs(reported["classes"][0]["value"] / found[program] - 1) < 1e-4,
               "%s: %s" % (algorithm, reported))
        table = expect_run(0, "predict", algorithm, whole, "--at", "N=500", "--to", "1").stdout.decode()
        expect("The marked speeds are those for %s (" % program in table, table)


def shares(folder):
    """measure deals the rows out by the speeds of the kernel that runs, as the kernel then has them."""
    script = write(folder, "generous.py", GENEROUS)
    said = os.path.join(folder, "shares")
    machine = write(folder, "kinds.yaml", TWO_KINDS)
    due = {"ge": ("3000000000,1000000000", [75, 25]), "mm": ("4000000000,4000000000", [50, 50]), "conv2d": ("2000000000,1000000000", [67, 33])}
    for kernel, (speeds, rows) in due.items():
        expect_run(0, "measure", kernel, "--machine", machine, "--systems", "fast:1+slow:1", "--sizes", "32", "--repetitions", "1",
                   "--oversubscribe", "--launcher", "%s -S %s %s {p}" % (sys.executable, script, said), "-o",
                   os.path.join(folder, kernel + ".csv"))
        given = re.findall(r"--speeds (\S+)", open(said).read())[-1]
        expect(set(map(float, given.split(","))) == set(map(float, speeds.split(","))), "%s: --speeds %s" % (kernel, given))
        shown = subprocess.run(["mpiexec.mpich", "-n", "2", KERNEL, kernel, "-n", "100", "--speeds", given, "--show-distribution"],
                               capture_output=True, text=True, check=True, timeout=3600).stdout
        counts = [int(row["rows"]) for row in csv.DictReader(io.StringIO(shown))]
        expect(all(abs(a - b) <= 1 for a, b in zip(counts, rows)), "%s: rows %s" % (kernel, counts))


def agree(folder):
    """C of scalability, validate and predict is the same."""
    machine = write(folder, "agree.yaml", TWO_KINDS + "operations: {T_send: 0 s, T_recv: 0 s, T_bcast: 0 s, T_barrier: 0 s, "
                    "T_copy: 0 s, T_scatter: 0 s, T_gather: 0 s}\n")
    runs = write(folder, "agree.csv", "system,p,N,T\n" + "".join(
        "%s,%d,%d,%g\n" % (system, p, N, 2 * N ** 3 / (4e9 * p) * (1 + 300 * p / N)) for system, p in (("fast:1", 1), ("fast:1+slow:1", 2))
        for N in (100, 200, 400, 800, 1600)))
    result = expect_run(0, "scalability", runs, "--work", "matrix-multiplication", "--machine", machine, "--efficiency", "0.5",
                        "--format", "json")
    rows = json.loads(result.stdout)["rows"]
    expect([row["C"] for row in rows] == [4e9, 8e9], "scalability: %s" % [row["C"] for row in rows])
    table = expect_run(0, "scalability", runs, "--work", "matrix-multiplication", "--machine", machine, "--efficiency", "0.5")
    expect("The marked speeds are those for mm." in table.stdout.decode(), table.stdout.decode())
    points = json.loads(expect_run(0, "validate", "matrix-multiplication", machine, runs, "--format", "json").stdout)
    reported = points["provenance"]["machine"]["marked_speed"]
    expect([c["value"] for c in reported["classes"]] == [4e9, 4e9], "validate: %s" % reported)
    table = expect_run(0, "validate", "matrix-multiplication", machine, runs).stdout.decode()
    expect("The marked speeds are those for mm." in table, table)
    # E of a measured run is W/(T C) with that C.
    first = re.search(r"\nfast:1 .*", table).group(0).split()
    expect(abs(float(first[7]) - 0.25) < 1e-3, "E measured: %s" % first)


with tempfile.TemporaryDirectory() as folder:
    calibrated(folder)
    shares(folder)
    agree(folder)
finish()
