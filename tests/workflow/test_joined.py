#!/usr/bin/env python3
"""forecast --with: one coefficient of Gaussian elimination is hidden. On two simulated platforms runs on up to 4 processes find it within
its interval, and say T on 4 times as many within 5 %; and the file with what was found is an algorithm file for other commands."""

import csv
import io
import json
import os
import sys
import tempfile

from common import ISOCAST, expect, expect_run, finish, write

PLATFORM = """platform: %s
nodes: {node: {count: 16, processors: 1, speed: %s}}
network: {topology: switched, link_bandwidth: %s, link_latency: %s}
"""
PLATFORMS = {"slow": ("8 Gflop/s", "1 Gbit/s", "50 us"), "fast": ("4 Gflop/s", "10 Gbit/s", "5 us")}
# What the kernel does, and how often it does its rounds is left open: once.
ALGORITHM = """algorithm: open
size: {N: {min: 2}}
work: 2/3*N^3 - 1/2*N^2 - 19/6*N + 3
parameters: {rounds: {fit: true, description: "how often, 1 in truth"}, far: {fit: true, unit: s}}
define: {row: 8 B*(N+1)}
overhead:
  pivot: rounds*sum(left, 1, N-1, T_bcast(8 B*(left+2)) + T_barrier(p))
  deal: 2*(p-1)*T_send(N/p*row)
  beyond: if(p > 16, far, 0 s)
"""
QUANTILE = 1.645


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def check_platform(folder, name):
    platform = write(folder, name + ".yaml", PLATFORM % ((name,) + PLATFORMS[name]))
    machine, runs = os.path.join(folder, name + "-machine.yaml"), os.path.join(folder, name + ".csv")
    algorithm = write(folder, "open.yaml", ALGORITHM)
    expect_run(0, "calibrate", "--platform", platform, "--systems", "4,16", "--budget", "20s", "--operations",
               "T_bcast,T_barrier,T_send", "-o", machine, "-q")
    expect_run(0, "measure", "gaussian-elimination", "--platform", platform, "--systems", "2,4,16", "--sizes", "600,1200",
               "-o", runs, "-q")
    with open(runs, encoding="utf-8") as file:
        lines = file.read().splitlines()
    place = lines[0].split(",").index("p")
    few = write(folder, "few.csv", "\n".join([lines[0]] + [line for line in lines[1:] if float(line.split(",")[place]) <= 4]) + "\n")
    expect_run(3, "predict", algorithm, machine, "--laws", "--efficiency", "0.3", "--to", "4", words="is left open for runs to say")
    fitted = os.path.join(folder, "fitted.yaml")
    given = ["forecast", few, "--with", algorithm, machine, "--fitted", fitted, "--format", "json", "--to"]
    result = json.loads(expect_run(0, *given, "p=16").stdout)
    numbers = {number["name"]: number for number in result["numbers"]}
    rounds = numbers["rounds"]
    expect(rounds["status"] == "ok" and abs(rounds["value"] - 1) <= QUANTILE * rounds["error"] * rounds["value"],
           "%s: rounds is not within its interval: %s" % (name, rounds))
    expect(rounds["error"] < 0.05, "%s: an error that says nothing: %s" % (name, rounds))
    expect(numbers["far"]["status"] == "silent" and numbers["far"]["value"] is None, "far is invented: %s" % numbers["far"])
    truth = {float(row["N"]): float(row["T"]) for row in rows_of("\n".join(lines)) if row["p"] == "16"}
    for row in result["rows"]:
        expect(abs(row["T"] / truth[row["N"]] - 1) < 0.05, "%s: T is %s, in truth %g" % (name, row, truth[row["N"]]))
    # A number of which the runs say nothing is named where T depends on it.
    beyond = json.loads(expect_run(4, *given, "p=32").stdout)
    expect(all(row["status"] == "open" and row["open"] == "far" and row["T"] is None for row in beyond["rows"]),
           "beyond: %s" % beyond["rows"])
    # The file is an algorithm: it has the value and its error, and what is open stays so.
    with open(fitted, encoding="utf-8") as file:
        text = file.read()
    expect("rounds: {fit: true, default: " in text and "\u00b1" in text and "far: {fit: true, unit: s}" in text
           and 'description: "how often' in text, "the file: " + text)
    expect_run(3, "predict", fitted, machine, "--laws", "--efficiency", "0.3", "--to", "4", words="'far' is left open")
    said = expect_run(0, "predict", fitted, machine, "--laws", "--at", "N=600,1200", "--to", "16", "--set", "far=0",
                      "--format", "csv").stdout.decode()
    expect(rows_of(said), "predict: " + said)


if not os.path.exists(os.path.join(os.path.dirname(ISOCAST), "..", "libexec", "isocast", "isocast-probe-simulated")):
    print("isocast was built without SimGrid")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    for name in PLATFORMS:
        check_platform(folder, name)
finish()
