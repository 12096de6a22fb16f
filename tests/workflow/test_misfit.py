#!/usr/bin/env python3
"""What an algorithm's formulas miss: calibrate --for runs its kernel on a simulated platform, and intervals then hold it.

    test_misfit.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import json
import os
import re
import sys
import tempfile

from common import ISOCAST, expect, expect_run, finish, write

SIMULATED = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-probe-simulated")
# Ways of several lengths, which columns of lcs share at times that hang on the work between them.
SHARED = """platform: shared
nodes: {node: {count: 16, processors: 4, speed: 4.22 Gflop/s}}
network: {topology: dragonfly, shape: "2,2;2,1;2,1;2", link_bandwidth: 1 Gbit/s, link_latency: 1.85 us}
"""
PLAIN = """platform: plain
nodes: {node: {count: 8, processors: 1, speed: 2 Gflop/s}}
network: {topology: switched, link_bandwidth: 10 Gbit/s, link_latency: 5 us}
"""
LCS = "longest-common-subsequence"
N = 1000


def calibrate(folder, platform, systems, algorithm):
    """The text of the machine file."""
    expect_run(0, "calibrate", "--platform", platform, "--systems", systems, "--for", algorithm, "-o", "machine.yaml",
               cwd=folder, words="runs of %s" % algorithm)
    expect_run(0, "check", "machine.yaml", cwd=folder)
    with open(os.path.join(folder, "machine.yaml")) as file:
        return file.read()


def interval(folder, machine):
    """Of T on 6 processes."""
    text = expect_run(0, "predict", LCS, machine, "--at", "N=%d" % N, "--to", "6", "--format", "json", "-q", cwd=folder).stdout
    row = json.loads(text)["rows"][0]
    return row["T_low"], row["T_high"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "shared.yaml", SHARED)
        write(folder, "plain.yaml", PLAIN)
        text = calibrate(folder, "shared.yaml", "2,3,6", LCS)
        found = re.search(r'^algorithms:.*\n  "%s": {misfit: (\S+), (?:drift: (\S+), )?runs: (\d+), measured: {p: \[2, 6\]}}$' % LCS, text, re.M)
        expect(found and 0.01 < float(found[1]) < 0.2 and int(found[3]) == 18, "no misfit: %s" % text[-300:])
        expect(found and (found[2] is None or float(found[2]) < 0.2), "the drift is %s" % (found and found[2]))
        write(folder, "without.yaml", text[:text.index("\nalgorithms:") + 1] if found else text)
        expect_run(0, "measure", "lcs", "--platform", "shared.yaml", "--systems", "6", "--sizes", N, "-o", "runs.csv", cwd=folder)
        with open(os.path.join(folder, "runs.csv")) as file:
            header, row = (line.split(",") for line in file.read().splitlines()[:2])
        T = float(row[header.index("T")])
        low, high = interval(folder, "machine.yaml")
        narrow = interval(folder, "without.yaml")
        expect(low <= T <= high, "T = %g is not in [%g, %g]" % (T, low, high))
        expect(not narrow[0] <= T <= narrow[1], "the operations explain it, so nothing is tested: %g, %s" % (T, narrow))
        # Where the formulas are right, at most what the rounding of the operations leaves is kept.
        text = calibrate(folder, "plain.yaml", "2,4,8", "adding-numbers")
        kept = re.search(r"^algorithms:.*\n.*{misfit: ([^,]+),", text, re.M)
        expect(kept is None or float(kept[1]) < 1e-4, "a misfit of right formulas: %s" % text[-300:])
    finish()


if __name__ == "__main__":
    if not os.path.exists(SIMULATED):
        sys.exit(77)
    main()
