#!/usr/bin/env python3
"""Processor sets on a simulated platform: processes run where the set says, and calibrate --reference measures R_f.

    test_sets.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import csv
import os
import re
import sys
import tempfile

from common import ISOCAST, expect, expect_run, finish, write

SIMULATED = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-probe-simulated")
# A network that is slow against the memory of a node.
PLATFORM = """platform: sets
nodes: {node: {count: 8, processors: 4, speed: 1 Gflop/s, memory: 8 GB}}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 5 us}
"""
STEP_FLOP = 1024 * (2 * 1023 + 1)
STEPS = 50


def factors(path):
    """R_f by set, from the times of the file."""
    with open(path) as file:
        section = file.read().split("\nreference:")[1]
    times = {name.strip('"'): float(seconds) for name, seconds in re.findall(r'^    (\S+): (\S+) s', section, re.M)}

    def processes(name):
        return sum(int(k) * int(m) for k, m in (part.split("x") for part in name.split("+")))
    return times, {name: processes(name) * times["1x1"] / seconds for name, seconds in times.items()}


def calibrate(folder, ratio):
    path = os.path.join(folder, "machine-%d.yaml" % ratio)
    expect_run(0, "calibrate", "--platform", "platform.yaml", "--systems", "2", "--reference",
               "1x2,2x1,2,4x1,1x2+2x1", "--ratio", ratio, "-o", path, cwd=folder)
    expect_run(0, "check", path, cwd=folder)
    return factors(path)


def main():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "platform.yaml", PLATFORM)
        times, few = calibrate(folder, 20)
        # "2" is 1x2, and one processor is measured without being asked for.
        expect(sorted(times) == sorted(["1x1", "1x2", "2x1", "4x1", "1x2+2x1"]), "other sets: %s" % times)
        expect(abs(times["1x1"] / (STEPS * STEP_FLOP / 1e9) - 1) < 1e-4, "not the work of one process: %s" % times)
        expect(1 < few["1x2"] < few["2x1"] < 2 and 2 < few["1x2+2x1"] < few["4x1"] < 4, "R_f: %s" % few)
        # With less communication every set comes nearer to its number of processors.
        _, many = calibrate(folder, 2000)
        expect(all(many[name] > few[name] for name in few if name != "1x1"), "the ratio: %s, %s" % (few, many))
        # Each set is measured where it says: messages within a node are faster.
        expect_run(0, "measure", "mm", "--platform", "platform.yaml", "--systems", "1x4,4x1,2x1+1x2,1x2+2x1",
                   "--sizes", "200", "--repetitions", "1", "-o", "runs.csv", cwd=folder)
        with open(os.path.join(folder, "runs.csv")) as file:
            T = {row["system"]: float(row["T"]) for row in csv.DictReader(file)}
        expect(T["4x1"] < T["2x1+1x2"] < T["1x4"], "T: %s" % T)
        # What the launcher is not reported it does not do.
        write(folder, "two.yaml", "machine: two\nnodes: {node: {count: 2, processors: 2, marked_speed: 1 Gflop/s}}\n")
        for systems, words in (("1x2", "has 2 nodes, and the launcher does not say"),
                               ("1x1+2x1", "different numbers of processes on its nodes")):
            expect_run(2, "measure", "mm", "--machine", "two.yaml", "--oversubscribe", "--systems", systems, "--sizes", "64",
                       "-o", "no.csv", words=words, cwd=folder)
            expect(not os.path.exists(os.path.join(folder, "no.csv")), "runs of %s" % systems)
    finish()


if not os.path.exists(SIMULATED):
    sys.exit(77)
main()
