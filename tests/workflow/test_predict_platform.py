#!/usr/bin/env python3
"""predict and validate --platform: the same answer the second time, from the cache alone; T as in simulated runs; a cache that
others could have written to is not used; messages.

    test_predict_platform.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from common import ISOCAST, SOURCE, expect, expect_run, finish, write

PROBE = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-probe-simulated")
PLATFORM = """platform: little
nodes: {node: {count: 8, processors: %d, speed: 1 Gflop/s, memory: 8 GB}}
network: {topology: switched, link_bandwidth: 10 Gbit/s, link_latency: 10 us}
"""
MOST = 0.01


MIXED = """platform: mixed
nodes:
  a: {count: 2, processors: 2, speed: 1 Gflop/s}
  b: {count: 3, processors: 1, speed: 1.7 Gflop/s}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 10 us}
"""
# A row of processes is done when the other still exchanges.
UNLIKE = """platform: unlike
nodes:
  a: {count: 4, processors: 1, speed: 3.7 Gflop/s}
  b: {count: 1, processors: 4, speed: 2.8 Gflop/s}
network: {topology: switched, link_bandwidth: 100 Gbit/s, link_latency: 40 us}
"""
# Single processors are a little faster than those of the other node, so that the rows of processes differ by one.
LIMIT = """platform: limit
nodes:
  a: {count: 16, processors: 1, speed: 5.9 Gflop/s}
  b: {count: 1, processors: 8, speed: 5.73 Gflop/s}
network: {topology: switched, link_bandwidth: 100 Gbit/s, link_latency: 49.4 us}
"""
# Rows go to fast and slow processes in turns, whose pivot rows come late or early to the next round.
TURNS = """platform: turns
nodes:
  a: {count: 2, processors: 4, speed: 4 Gflop/s}
  b: {count: 1, processors: 8, speed: 6.72 Gflop/s}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 11.4 us}
"""
# Four times oversubscribed: columns of a pipeline wait for each other on the way up.
TREE = """platform: tree
nodes: {node: {count: 16, processors: 4, speed: 7.1 Gflop/s}}
network: {topology: fat-tree, shape: "2;4,4;1,1;1,1", link_bandwidth: 1 Gbit/s, link_latency: 1.05 us}
"""
# Slow links that are shared: an exchange alone is not half of two, and what comes after a call meets its messages.
DRAGONFLY = """platform: dragonfly
nodes: {node: {count: 48, processors: 2, speed: 14.9 Gflop/s}}
network: {topology: dragonfly, shape: "4,1;3,1;4,1;1", link_bandwidth: 0.1 Gbit/s, link_latency: 3.59 us}
"""
# A row of processes whose messages cross on links that are shared: all of them take one of two orders, 8 % apart, and 10 ns
# for each look at the clock decided between them.
TWO_ORDERS = """platform: orders
nodes: {node: {count: 27, processors: 2, speed: 11.3 Gflop/s}}
network: {topology: dragonfly, shape: "3,1;1,1;3,1;3", link_bandwidth: 1 Gbit/s, link_latency: 7.36 us}
"""
# Two processors of a node take its whole memory.
MEMORY = """platform: memory
nodes: {node: {count: 2, processors: 6, speed: 10 Gflop/s, memory_bandwidth: 90 GB/s, cache: 8 MB}}
network: {topology: switched, link_bandwidth: 100 Gbit/s, link_latency: 1 us}
"""
# One operation, of which the time counts alone.
ONE = """algorithm: one
size: {N: {min: 1}}
work: 1
overhead:
  call: %s
"""


def ask(platform, *more, algorithm="gaussian-elimination"):
    # Time enough to simulate small systems on a machine that is busy.
    budget = () if "--budget" in more else ("--budget", "600s")
    run = subprocess.run([ISOCAST, "predict", algorithm, "--platform", platform, "--format", "json", *budget, *more],
                         capture_output=True, text=True, check=False)
    expect(run.returncode == 0, "predict --platform: status %d\n%s" % (run.returncode, run.stderr))
    return (json.loads(run.stdout)["rows"] if run.returncode == 0 else []), run.stderr


def check_cache(folder, platform):
    cache = os.path.join(folder, "a", "cache")
    question = ("--efficiency", "0.3", "--to", "2,4", "--cache", cache)
    first, said = ask(platform, *question)
    expect("; 0 results came from the cache" in said, "an empty cache gave results: " + said)
    second, said = ask(platform, *question)
    expect(first == second and len(first) == 2, "the second answer differs: %s, %s" % (first, second))
    expect(": 0 simulations were run" in said, "simulated again: " + said)
    names = sorted(os.listdir(cache))
    expect(names and all(name.endswith(".times") for name in names), "other files in the cache: %s" % names)
    # Damaged, cut off, of others, no file at all: simulated again, with the same answer.
    path = os.path.join(cache, names[0])
    with open(path, "r+") as file:
        text = file.read()
        file.seek(0)
        file.write(text.replace(".", "1", 1))
    with open(os.path.join(cache, names[1]), "w") as file:
        file.write("isocast simulated times 1\n")
    os.chmod(os.path.join(cache, names[2]), 0o666)
    os.unlink(os.path.join(cache, names[3]))
    os.mkfifo(os.path.join(cache, names[3]))
    os.unlink(os.path.join(cache, names[4]))
    os.symlink(path, os.path.join(cache, names[4]))
    third, said = ask(platform, *question)
    # A part of the simulations begins at other times, and the last digits of their times differ.
    close = all(abs(a[key] / b[key] - 1) < 1e-8 for a, b in zip(first, third) for key in ("N", "W", "T", "E"))
    expect(close and len(first) == len(third), "bad files in the cache change the answer: %s, %s" % (first, third))
    expect(" 0 simulations were run" not in said, "bad files were believed: " + said)
    os.chmod(cache, 0o777)
    fourth, said = ask(platform, *question)
    expect("others own it or may write there" in said and fourth == first, "a cache open to others: " + said)


def check_runs(folder, platform, systems, sizes, kernel="ge", algorithm="gaussian-elimination", most=MOST):
    runs = os.path.join(folder, "runs.csv")
    expect_run(0, "measure", kernel, "--platform", platform, "--systems", systems, "--sizes", sizes, "-o", runs)
    with open(runs) as file:
        measured = {(row["system"], row["N"]): float(row["T"]) for row in csv.DictReader(file)}
    os.unlink(runs)
    for N in sizes.split(","):
        rows, _ = ask(platform, "--to", systems, "--at", "N=" + N, "--no-cache", algorithm=algorithm)
        for row in rows:
            error = row["T"] / measured[row["system"], N] - 1
            expect(abs(error) < most, "%s, %s, N = %s: T is %.2f %% off" % (kernel, row["system"], N, 100 * error))


def check_validation(folder, platform):
    """Predictions of runs are those of predict --platform; a machine and a platform exclude each other."""
    runs = os.path.join(folder, "validated.csv")
    ge = "gaussian-elimination"
    expect_run(0, "measure", "ge", "--platform", platform, "--systems", "2,4", "--sizes", "60..480*2", "--repetitions", "1",
               "-o", runs)
    # The steps were simulated at the very sizes: T is that of the runs. Of others it is not.
    with open(runs, encoding="utf-8") as file:
        lines = file.read().splitlines()
    at = lines[0].split(",").index("T")
    rows = [line.split(",") for line in lines[1:]]
    others = write(folder, "others.csv", "\n".join([lines[0]] + [
        ",".join(row[:at] + [repr(1.02 * float(row[at]))] + row[at + 1:]) for row in rows]) + "\n")
    for file, limits, status in ((runs, "T=%g,N=0.05" % MOST, 0), (runs, "T=1e-9", 0), (others, "T=0.01", 1)):
        expect_run(status, "validate", ge, "--platform", platform, file, "--max-error", limits, "--cache",
                   os.path.join(folder, "validated"))
    expect_run(2, "validate", ge, "sunwulf", runs, "--platform", platform, words="takes the place of MACHINE")
    expect_run(2, "validate", ge, runs, words="an argument is missing")
    expect_run(2, "validate", ge, "--platform", platform, runs, "--fit", "t_c", words="goes with a machine file")


def check_lines(folder, platform):
    """Other lines of scaling pass through the same T; numbers of processes are chosen from systems that are named."""
    kept = ("--cache", os.path.join(folder, "lines"))
    weak, _ = ask(platform, "--fixed", "size-per-process=50", "--to", "2,4", *kept)
    for row in weak:
        plain, _ = ask(platform, "--at", "N=%g" % row["N"], "--to", row["system"], *kept)
        expect(row["N"] == 50 * row["p"] and abs(plain[0]["T"] / row["T"] - 1) < 1e-3, "N/p = 50: %s, at that N: %s" % (row, plain))
    timed, _ = ask(platform, "--fixed", "time=%gs" % weak[1]["T"], "--to", "4", *kept)
    expect(abs(timed[0]["N"] / weak[1]["N"] - 1) < 0.01, "T of N = %g is reached at %g" % (weak[1]["N"], timed[0]["N"]))
    few, _ = ask(platform, "--at", "N=3", "--to", "3,4", *kept)
    expect(few[0]["T"] == few[1]["T"] > 0, "an elimination with 3 rows takes another time on 4 processes than on 3: %s" % few)
    chosen, _ = ask(platform, "--processes", "least-time", "--at", "N=50", "--to", "1,2,4", *kept)
    expect([row["p"] for row in chosen] == [1], "least time at N = 50: %s" % chosen)
    expect_run(2, "predict", "gaussian-elimination", "--platform", platform, "--processes", "least-time", "--at", "N=50",
               words="needs the systems to choose from")


def check_explanation(folder, platform):
    """What was simulated is named by the operation and the processes."""
    run = subprocess.run([ISOCAST, "explain", "gaussian-elimination", "--platform", platform, "--at", "N=200", "--to", "2,4",
                          "--cache", os.path.join(folder, "a", "cache")], capture_output=True, text=True, check=False)
    expect(run.returncode == 0 and "time of T_bcast_barrier as a whole (by its table) on 4 processes  machine parameter" in
           run.stdout and "_p4" not in run.stdout, "explain --platform: %d\n%s%s" % (run.returncode, run.stdout, run.stderr))


def time_of(folder, call, platform, system):
    rows, _ = ask(platform, "--to", system, "--at", "N=1000000", "--no-cache", algorithm=write(folder, "one.yaml", ONE % call))
    return rows[0]["T"] if rows else 0


def check_parts(folder, single, double):
    """Operations on parts of the processes are simulated on all parts at once, placed as the call says."""
    half = time_of(folder, "T_bcast(8 B * N, 4)", single, "8")
    whole = time_of(folder, "T_bcast(8 B * N)", single, "4")
    expect(abs(half / whole - 1) < 1e-6, "two halves do not disturb each other on a switch: %g and %g s" % (half, whole))
    # Nodes 0, 2, 4, 6 and nodes 1, 3, 5, 7.
    apart = time_of(folder, "T_bcast(8 B * N, 4, 1/2)", single, "8")
    expect(abs(apart / whole - 1) < 1e-6, "every other node: %g and %g s" % (apart, whole))
    # Each node has a process of both parts, which share its link.
    shared = time_of(folder, "T_bcast(8 B * N, 4, 1)", double, "2x4")
    expect(1.5 < shared / time_of(folder, "T_bcast(8 B * N)", double, "1x4") < 2.5, "two parts share links: %g s" % shared)
    within = time_of(folder, "T_bcast(8 B * N, 2, 2)", double, "2x4")
    expect(within < shared / 2 and within > 0, "a part on each node: %g s, where links take %g s" % (within, shared))
    # The system of 4 and the parts of 4 in one command: they are distinguished.
    rows, _ = ask(double, "--to", "1x4,2x4", "--at", "N=1000000", "--no-cache",
                  algorithm=write(folder, "one.yaml", ONE % "T_bcast(8 B * N, 4, 1)"))
    expect(len(rows) == 2 and abs(rows[1]["T"] / shared - 1) < 1e-6 and rows[1]["T"] > 1.5 * rows[0]["T"],
           "parts and a system with as many processes: %s" % rows)
    expect_run(2, "predict", write(folder, "one.yaml", ONE % "T_bcast(8 B * N, 2*p)"), "--platform", single, "--to", "4",
               "--at", "N=64", "--no-cache", words="on 8 processes")


def check_messages(folder, platform):
    ge = "gaussian-elimination"
    expect_run(3, "predict", ge, platform, "--efficiency", "0.3", "--to", "2", words="--platform " + platform)
    expect_run(2, "predict", ge, "--to", "2", "--efficiency", "0.3", words="--platform PLATFORM")
    expect_run(2, "predict", ge, "sunwulf", "--platform", platform, "--to", "2", "--at", "N=9", words="one argument too many")
    expect_run(2, "predict", ge, "sunwulf", "--to", "C2", "--at", "N=9", "--no-cache", words="go with --platform")
    expect_run(2, "predict", ge, "--platform", platform, "--to", "99", "--at", "N=9", "--no-cache",
               words="takes more than platform")
    # A budget that is used up at once leaves what is counted on the smallest system.
    rows, said = ask(platform, "--to", "4", "--at", "N=64", "--no-cache", "--budget", "1ms")
    expect("not checked by a simulation" in said and len(rows) == 1 and rows[0]["T"] > 0, "no budget: %s\n%s" % (rows, said))
    # Where N leaves processes idle, no time goes into those of all.
    rows, said = ask(platform, "--to", "4", "--at", "N=3", "--no-cache", "--budget", "1ms", algorithm="matrix-multiplication")
    expect("on 3 processes are counted" in said and "on 4 processes" not in said and rows, "idle: %s\n%s" % (rows, said))


def check_traffic(folder):
    """The memory of a node is shared by what its processes compute, in predictions as in simulated runs of kernels and programs."""
    memory = write(folder, "memory.yaml", MEMORY)
    check_runs(folder, memory, "1,6,12", "1500", "stencil", "jacobi-2d")
    program = os.path.join(SOURCE, "specs", "algorithms", "jacobi-2d.yaml")
    check_runs(folder, memory, "6", "1500", program, program, most=0.03)
    rows, _ = ask(memory, "--to", "6", "--at", "N=1500", algorithm="jacobi-2d")
    # 100 sweeps of 16 B a point; a sixth of the cache holds that much of the two arrays of a process.
    moved = 100 * 16 * 1500**2 / 90e9 * (1 - 8e6 / 6 / (2 * 8 * 1500**2 / 6))
    expect(abs(rows[0]["T_c"] / moved - 1) < 1e-6, "T_c %g, the memory takes %g" % (rows[0]["T_c"], moved))


def check_counted(folder):
    """Where there is no time to simulate, 16 processes are counted alone: with the copies that messages and collectives make,
    and with caches that hold half of what is in hand."""
    caches = ", memory_bandwidth: 8 GB/s, sockets: 2, cache: 1 MB"
    for call, N, memory in (("T_alltoall(128 B * N)", 1, ""), ("T_allreduce(8 B * N)", 256, ""), ("T_bcast(8 B * N)", 1024, ""),
                            ("T_sendrecv(8 B * N)", 65536, caches), ("T_alltoall(8 B * N)", 4096, caches)):
        kind = write(folder, "kind.yaml", "platform: kind\nnodes: {node: {count: 4, processors: 4, speed: 1 Gflop/s%s}}\n"
                     "network: {kind: infiniband, topology: switched, link_bandwidth: 100 Gbit/s, collectives: intel}\n" % memory)
        one = write(folder, "one.yaml", ONE % call)
        question = ("--to", "16", "--at", "N=%d" % N, "--no-cache")
        counted, said = ask(kind, *question, "--budget", "1ms", algorithm=one)
        simulated, _ = ask(kind, *question, algorithm=one)
        expect("not checked by a simulation" in said and abs(counted[0]["T"] / simulated[0]["T"] - 1) < 0.02,
               "%s: counted %s, simulated %s" % (call, counted, simulated))
    # So it is where there is no memory to simulate so few.
    os.environ["ISOCAST_SIMULATION_MEMORY"] = "1 MB"
    without, said = ask(kind, *question, algorithm=one)
    expect("not checked by a simulation" in said and without and abs(without[0]["T"] / simulated[0]["T"] - 1) < 0.02,
           "no memory: %s, %s" % (without, said))
    del os.environ["ISOCAST_SIMULATION_MEMORY"]


def check_timings(folder, platform):
    """Timings on two nodes correct those, and by less with each doubling of the nodes; nothing else."""
    one = write(folder, "one.yaml", ONE % "T_bcast(8 B * N)")
    ask_one = ("--at", "N=1000", "--no-cache")
    plain, _ = ask(platform, "--to", "2x2,2x4,1x4", *ask_one, algorithm=one)
    timings = write(folder, "timings.csv", "operation,nodes,p,bytes,t_us\n" + "".join(
        "Bcast,2,4,%d,%.9g\n" % (m, 2e6 * plain[0]["T"]) for m in (8000,)) + "Bcast,1,2,8000,1\n")
    rows, said = ask(platform, "--to", "2x2,2x4,1x4", *ask_one, "--timings", timings, algorithm=one)
    for row, was, factor in zip(rows, plain, (2, 2**0.83, 1)):
        expect(abs(row["T"] / was["T"] / factor - 1) < 1e-3, "%s is to take %g times %g s" % (row, factor, was["T"]))
    expect("T_bcast on 2x4 are multiplied by 1.78 to 1.78, by timings on 2 nodes" in said, said)
    expect("T_bcast on 1x4 are as predicted: no timings are of nodes as full" in said, said)
    expect(rows[1]["T_high"] > 1.2 * rows[1]["T"], "what two nodes do not show is in the interval: %s" % rows[1])
    # The largest system with timings that is within the one asked for counts.
    with open(timings, "a", encoding="utf-8") as file:
        file.write("Bcast,4,8,8000,%.9g\nBcast,8,16,8000,1\n" % (3e6 * plain[1]["T"]))
    rows, _ = ask(platform, "--to", "2x4", *ask_one, "--timings", timings, algorithm=one)
    expect(abs(rows[0]["T"] / plain[1]["T"] / 3 - 1) < 1e-3, "timings on four nodes: %s, plain %s" % (rows, plain))
    program = os.path.join(SOURCE, "specs", "algorithms", "jacobi-2d.yaml")
    _, said = ask(platform, "--to", "2x2", "--at", "N=64", "--no-cache", "--timings", timings, algorithm=program)
    expect("timings correct operations alone" in said, said)
    question = ("predict", one, "--to", "2x2", *ask_one, "--timings")
    unplaced = write(folder, "unplaced.csv", "operation,p,bytes,t_us\nBcast,4,8,1\n")
    expect_run(3, *question, unplaced, "--platform", platform, words="do not state on how many nodes")
    expect_run(3, *question, write(folder, "torn.csv", "operation,nodes,p\nBcast,2,4\n"), "--platform", platform)
    expect_run(3, *question, os.path.join(folder, "none.csv"), "--platform", platform, words="none.csv")
    expect_run(2, "predict", "gaussian-elimination", "sunwulf", "--to", "C2", "--at", "N=9", "--timings", timings,
               words="--timings goes with --platform")
    expect_run(2, "compare", "gaussian-elimination", "--platform", platform, "--platform", "smp-16", "--to", "2", "--at", "N=9",
               "--timings", timings, words="--timings are of one platform")


def check_large(folder):
    """A system that is too large to simulate is predicted from smaller ones, in time, and says so; one that is just small enough
    comes near to its simulation."""
    large = write(folder, "large.yaml", "platform: large\nnodes: {node: {count: 1000000, processors: 16, speed: 1 Gflop/s}}\n"
                  "network: {topology: switched, link_bandwidth: 10 Gbit/s, link_latency: 2 us, eager_limit: 4096 B}\n")
    one = write(folder, "one.yaml", ONE % "T_bcast(8 B * N) + T_gather(8 B * N)")
    for count in ("1024", "1000000"):
        began = time.monotonic()
        rows, said = ask(large, "--to", count, "--at", "N=4000", "--no-cache", "--budget", "4s", algorithm=one)
        # The least is not bound to the budget, and the machine may be busy.
        expect(time.monotonic() - began < 120, "%s processes took %g s" % (count, time.monotonic() - began))
        expect("times of T_gather on %s processes are counted" % count in said and rows and rows[0]["T"] > 0,
               "%s processes: %s\n%s" % (count, rows, said))
        expect(rows and "extrapolated" in json.dumps(rows[0]), "%s processes: the row does not say so: %s" % (count, rows))
    # None of two systems takes the time of the other one: both go up beyond the rungs that they share. A slow machine needs a
    # larger budget for that; where one system takes all, no budget is enough.
    for budget in ("10s", "30s", "90s"):
        _, said = ask(large, "--to", "1000000,15x60000", "--at", "N=4000", "--no-cache", "--budget", budget, algorithm=one)
        counted = {count: int(up) for count, up in re.findall(r"T_gather on (\d+) processes are counted up to (\d+),", said)}
        if counted.keys() == {"1000000", "900000"} and min(counted.values()) > 32:
            break
    else:
        expect(False, "two at once: %s\n%s" % (counted, said))
    # Messages of a gather end one after the other at process 0: its link alone counts, and p = 10^6 is a straight line.
    gather = write(folder, "one.yaml", ONE % "T_gather(8 B * N)")
    rows, _ = ask(large, "--to", "1000000", "--at", "N=4000", "--no-cache", "--budget", "4s", algorithm=gather)
    expect(rows and 25 < rows[0]["T"] < 40, "32 kB from each of 10^6 at 10 Gbit/s, one by one: %s" % rows)
    runs = os.path.join(folder, "large.csv")
    expect_run(0, "measure", "mm", "--platform", large, "--systems", "16x6", "--sizes", "400", "-o", runs)
    with open(runs) as file:
        simulated = float(next(csv.DictReader(file))["T"])
    rows, said = ask(large, "--to", "16x6", "--at", "N=400", "--no-cache", "--budget", "30s", algorithm="matrix-multiplication")
    expect(rows and abs(rows[0]["T"] / simulated - 1) < 0.05, "mm on 96: %s, simulated %g\n%s" % (rows, simulated, said))


if not os.path.exists(PROBE):
    print("isocast was built without SimGrid")
    sys.exit(77)
with tempfile.TemporaryDirectory() as work:
    single = write(work, "single.yaml", PLATFORM % 1)
    check_parts(work, single, write(work, "two.yaml", PLATFORM % 2))
    check_timings(work, write(work, "two.yaml", PLATFORM % 2))
    check_cache(work, single)
    check_explanation(work, single)
    check_validation(work, single)
    check_lines(work, single)
    check_runs(work, single, "2,4", "100,400")
    check_runs(work, write(work, "double.yaml", PLATFORM % 2), "1x4,2x2", "300")
    # Grids, and parts by speed: processes differ, and those of a node share its link.
    mixed = write(work, "mixed.yaml", MIXED)
    for asked, name, size in (("summa", "summa", "400"), ("stencil", "jacobi-2d", "400"), ("mm", "matrix-multiplication", "300"),
                              ("conv2d", "convolution-2d", "320")):
        check_runs(work, mixed, "a:3+b:3", size, asked, name)
    # Processes have 40 or 41 rows, on both sides of the eager limit.
    limit = write(work, "limit.yaml", LIMIT)
    check_runs(work, limit, "a:3+b:2", "200", "mm", "matrix-multiplication", most=0.001)
    # Parts are sent at once; at the next size that all systems are simulated at they wait, and take thirty times as long.
    check_runs(work, limit, "a:6+b:6", "310", "ge", "gaussian-elimination", most=0.003)
    check_runs(work, write(work, "turns.yaml", TURNS), "a:3+b:2", "200", "ge", "gaussian-elimination", most=0.004)
    # Rows that no number of processes divides, and work beside messages on links that are shared.
    tree = write(work, "tree.yaml", TREE)
    # Columns wait for each other, and that of the next block comes while a process works.
    check_runs(work, tree, "14", "2000", "lcs", "longest-common-subsequence")
    check_runs(work, tree, "11", "160", "conv2d", "convolution-2d")
    # Who has its rows begins while others wait for theirs. Processors of one speed have rows in turn.
    check_runs(work, mixed, "a:2+b:1", "960", "conv2d", "convolution-2d", most=0.0005)
    dragonfly = write(work, "dragonfly.yaml", DRAGONFLY)
    check_runs(work, dragonfly, "8", "4096", "fft_2d", "fft-2d-transpose")
    check_runs(work, dragonfly, "10", "10000", "sum", "adding-numbers")
    check_runs(work, write(work, "orders.yaml", TWO_ORDERS), "41", "1000", "stencil", "jacobi-2d")
    # SimGrid's broadcasts go wrong where nodes have three processes.
    three = write(work, "three.yaml", PLATFORM % 3)
    check_runs(work, three, "3x4", "1000", "summa", "summa")
    # Three columns in nodes of three, whose broadcasts are in blocks.
    check_runs(work, three, "20", "300", "summa", "summa")
    # One row of 23, whose blocks of 192 x 8 numbers are just as long as a broadcast that is cut.
    check_runs(work, three, "23", "192", "summa", "summa", most=0.0005)
    # Exchanges, and work, that begin on each process when it has ended what comes before.
    unlike = write(work, "unlike.yaml", UNLIKE)
    check_runs(work, unlike, "a:4+b:4", "65536", "fft_3d", "fft-3d-transpose", most=0.0005)
    check_runs(work, unlike, "a:4+b:4", "65536", "fft_binary", "fft-binary-exchange", most=0.0005)
    # Messages beyond the longest that every operation is simulated at, with work between them.
    check_runs(work, single, "5", "4000", "summa", "summa", most=0.0005)
    check_runs(work, single, "3", "4000", "mm", "matrix-multiplication")
    # Nor does every library's choice end on six processes.
    for library, call in (("intel", "T_allreduce"), ("intel", "T_alltoall"), ("openmpi", "T_alltoall")):
        chosen = write(work, "chosen.yaml", (PLATFORM % 1).replace("10 us", "10 us, collectives: " + library))
        expect(time_of(work, call + "(8 B * N/1000)", chosen, "6") > 0, "%s with %s" % (call, library))
    # A part with few processes a node, which on nodes of fewer processors would be half a process a node.
    wide = write(work, "wide.yaml", PLATFORM % 48)
    for part in ("4, 2", "4, 1"):
        expect(time_of(work, "T_sendrecv(8 B * N, %s)" % part, wide, "48x4") > 0, "T_sendrecv on a part of wide nodes: " + part)
    check_messages(work, single)
    check_traffic(work)
    check_counted(work)
    check_large(work)
finish()
