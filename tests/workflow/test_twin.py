#!/usr/bin/env python3
"""calibrate --twin: a platform that was calibrated in simulation comes back from its timings, between nodes and within one.

    test_twin.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import os
import re
import sys
import tempfile

from common import ISOCAST, expect, expect_run, finish, write

SIMULATED = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-probe-simulated")
TRUTH = """platform: truth
nodes: {node: {count: 4, processors: 2, speed: 1 Gflop/s}}
network: {topology: switched, link_bandwidth: 25 Gbit/s, link_latency: 5 us, node_bandwidth: 8 GB/s, node_latency: 2 us,
  latency_factor: {0 B: 1, 10000 B: 2}, bandwidth_factor: {0 B: 0.5, 10000 B: 0.9}, eager_limit: 10000 B}
"""


def value(text, key):
    return float(re.search(rf"^  {key}: ([-+.e0-9]+)", text, re.MULTILINE).group(1))


def check_truth(folder):
    write(folder, "truth.yaml", TRUTH)
    expect_run(0, "calibrate", "--platform", "truth.yaml", "--systems", "2x2", "--operations", "T_send,T_recv", "-o",
               "m.yaml", cwd=folder)
    twin = ["calibrate", "--twin", "m.yaml", "-o", "twin.yaml", "--nodes", "9", "--format", "csv", "--cache", "cache"]
    first = expect_run(0, *twin, cwd=folder).stdout.decode()
    with open(os.path.join(folder, "twin.yaml"), encoding="utf-8") as file:
        text = file.read()
    # A short message takes two links' latency, a long one twice that, at 0.9 of 25 Gbit/s.
    for key, due in (("link_latency", 5e-6), ("link_bandwidth", 0.9 * 25e9 / 8), ("node_latency", 2e-6),
                     ("node_bandwidth", 0.9 * 8e9), ("eager_limit", 10000)):
        expect(abs(value(text, key) / due - 1) < 0.03, f"{key} is {value(text, key)}, not {due}")
    expect("count: 9" in text, "--nodes is not followed")
    row = [line for line in first.splitlines() if line.startswith("T_message")][0].split(",")
    expect(float(row[3]) < 0.01, f"messages are off by {row[3]}")
    expect_run(0, "check", "twin.yaml", cwd=folder)
    again = expect_run(0, *twin, cwd=folder).stdout.decode()
    expect(again == first, f"the same timings say {again}, not {first}")


def add_noise(path, share):
    """Makes every second time of a file of samples longer, and the others shorter."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for i, line in enumerate(lines):
        fields = line.split(",")
        if len(fields) > 6 and fields[0].isdigit():
            fields[5] = "%.9g" % (float(fields[5]) * (1 + share * (-1) ** i))
            lines[i] = ",".join(fields)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def check_noise(folder):
    """What noise leaves is not searched for."""
    expect_run(0, "calibrate", "--platform", "truth.yaml", "--systems", "1x2,2x2", "--operations", "T_send,T_recv,T_bcast",
               "-o", "noisy.yaml", cwd=folder)
    add_noise(os.path.join(folder, "noisy.samples.csv"), 0.06)
    reported = expect_run(0, "calibrate", "--twin", "noisy.yaml", "-o", "noisy-twin.yaml", "--cache", "cache",
                      cwd=folder).stdout.decode()
    tried = re.search(r"([0-9]+) sets of parameters were tried", reported)
    expect(tried is not None and int(tried.group(1)) == 5, f"tries are not those of five libraries: {reported}")
    expect("better" in reported and "T_bcast" in reported, f"says {reported}")


def check_memory(folder):
    """A simulation that there is no memory for is not begun."""
    small = dict(os.environ, ISOCAST_SIMULATION_MEMORY="1 MB")
    command = ["calibrate", "--platform", "truth.yaml", "--systems", "2x2", "--operations", "T_barrier", "-o", "small.yaml"]
    reported = expect_run(2, *command, cwd=folder, env=small).stderr.decode()
    expect("4 processes takes about 40.3 MB of memory, and 1 MB may be used" in reported, f"says {reported!r}")
    left = [name for name in os.listdir(folder) if name.startswith("small")]
    expect(left == [], f"it left {left}")
    expect_run(2, *command, cwd=folder, env=dict(small, ISOCAST_SIMULATION_MEMORY="20"), words="20 B may be used")
    expect_run(2, *command, cwd=folder, env=dict(small, ISOCAST_SIMULATION_MEMORY="20 s"), words="no amount of memory")


SAMPLES = """launch,operation,p,m,index,seconds,stop,oversubscribed,nodes,p_node
0,T_send,2,8,0,1e-6,interval,0,2,1
0,T_send,2,80000,0,1e-4,interval,0,2,1
0,T_recv,2,8,0,1e-6,interval,0,2,1
0,T_recv,2,80000,0,1e-4,interval,0,2,1
"""


def check_names(folder):
    """Classes of machine files have names that hosts of the simulator cannot have."""
    write(folder, "s.csv", SAMPLES)
    machine = "machine: m\nnodes: {%s: {count: 4, marked_speed: 1 Gflop/s}}\ncalibration: {samples: {file: s.csv}}\n"
    twin = ["calibrate", "--twin", "named.yaml", "-o", "named-twin.yaml", "--no-cache"]
    write(folder, "named.yaml", machine % '"a#b"')
    reported = expect_run(3, *twin, cwd=folder).stderr.decode()
    expect("a#b: the name of a node class becomes" in reported and "hint: use letters" in reported, f"says {reported!r}")
    write(folder, "named.yaml", machine % "a-b")
    expect_run(0, *twin, cwd=folder)
    expect_run(0, "check", "named-twin.yaml", cwd=folder)


def check_single(folder):
    """A twin of a machine whose nodes have one processor; a message needs both its ends."""
    calibrate = ["calibrate", "--platform", "fat-tree-128", "--systems", "2,4,1x2", "--operations"]
    twin = ["calibrate", "--twin", "single.yaml", "-o", "single-twin.yaml", "--no-cache"]
    expect_run(0, *calibrate, "T_send,T_recv,T_bcast,T_barrier", "-o", "single.yaml", cwd=folder)
    reported = expect_run(0, *twin, cwd=folder).stdout.decode()
    for line in reported.splitlines():
        cells = line.split()
        if cells and cells[0] in ("T_message", "T_bcast", "T_barrier"):
            expect(float(cells[3]) < 5, f"errors of {line}")
    expect_run(0, *calibrate, "T_send,T_bcast,T_barrier,T_allreduce", "-o", "single.yaml", cwd=folder)
    expect_run(3, *twin, cwd=folder, words="the timings have no messages between two processes of several sizes")


def main():
    if not os.path.exists(SIMULATED):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        check_truth(folder)
        check_noise(folder)
        check_names(folder)
        check_memory(folder)
        check_single(folder)
    finish()


main()
