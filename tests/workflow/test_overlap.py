#!/usr/bin/env python3
"""predict and explain --platform with an algorithm file that has a program: what executing it makes of T is a term, which agrees with
simulated runs; it is there in JSON and CSV, with an error where messages were counted; and where nothing can be executed the result
says so.

    test_overlap.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

from common import ISOCAST, SOURCE, expect, expect_run, finish, write

EXECUTOR = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-schedule-quick")
PROGRAMS = os.path.join(SOURCE, "docs", "examples", "programs")
MOST = 0.03
COUNTED_MOST = 0.03
PLATFORM = """platform: little
nodes: {node: {count: 64, processors: 1, speed: 5 Gflop/s}}
network: {topology: switched, link_bandwidth: 10 Gbit/s, link_latency: 5 us}
"""
# Work that hides a message, of a size that is set.
HIDDEN = """algorithm: hidden
size:
  N: {min: 1}
  B: {min: 1, description: kilobytes}
work: 1e5*N*p
valid: {that: B < 1e6, otherwise: a message must have less than 1 GB}
program:
  - for: i = 1..N
    do:
      - start: ring
        do:
          - shift: {by: 1, bytes: 1e3 B*B}
      - work: 1e5 flop
      - finish: ring
"""
STARTED = """algorithm: started
size: {N: {min: 1}}
work: 1e5*N*p
program:
  - for: i = 1..N
    do:
      - start: tree
        do:
          - bcast: {root: 0, bytes: 1 KiB}
      - work: 1e5 flop
      - finish: tree
"""
# On 20 processes one sends less than the next one receives, which a check of small numbers of processes does not find.
FAULTY = """algorithm: faulty
size: {N: {min: 1}}
work: 1e5*N*p
program:
  - for: i = 1..N
    do:
      - shift: {by: 1, bytes: "if(p == 20, if(N == 40, if(rank == 3, 8 B, 16 B), 16 B), 16 B)"}
      - work: 1e5 flop
"""


def program(name):
    return os.path.join(PROGRAMS, name + ".yaml")


def ask(command, algorithm, *more):
    result = expect_run(0, command, algorithm, "--platform", "little.yaml", "--cache", "cache", "--budget", "600", "--format", "json", *more)
    return json.loads(result.stdout)


def measured(algorithm, systems, size, *more):
    """T of simulated runs by system, s."""
    expect_run(0, "measure", algorithm, "--platform", "little.yaml", "--systems", systems, "--sizes", size, "-o", "runs.csv", *more)
    with open("runs.csv") as file:
        times = {row["system"]: float(row["T"]) for row in csv.DictReader(file)}
    os.remove("runs.csv")
    return times


def off(answer, times):
    return max(abs(row["T"] / times[row["system"]] - 1) for row in answer["rows"])


def test_fixed_size():
    """Messages that hide each other: without the term T is several times too long."""
    for name, systems, size in [("halo-3d", "8,27", 60), ("ring-with-overlap", "2,8", 3000), ("task-farm", "2,5", 90)]:
        answer = ask("predict", program(name), "--at", "N=%d" % size, "--to", systems)
        times = measured(program(name), systems, size)
        expect(off(answer, times) < MOST, "%s: T is off by %g" % (name, off(answer, times)))
        for row in answer["rows"]:
            expect(row["overlap"] == row["terms"]["overlap"] and row["overlap_error"] == 0, "%s: %s" % (name, row))
            expect(abs(sum(row["terms"].values()) - row["T_o"]) < 1e-9 * row["T"], "%s: terms do not add up" % name)
        expect(answer["sources"][-1] == {"part": "overlap", "source": "simulated-schedule"}, "sources: %s" % answer["sources"])
        expect({"part": "computation", "source": "formulas"} in answer["sources"] and "simulated-operations" in
               [part["source"] for part in answer["sources"]], "sources: %s" % answer["sources"])
        expect("was simulated on" in answer["schedule"], "schedule: %s" % answer["schedule"])
        if name == "halo-3d":
            expect(all(row["overlap"] < -0.1 * row["T"] for row in answer["rows"]), "the messages of the halo hide nothing")
    again = expect_run(0, "predict", program("halo-3d"), "--platform", "little.yaml", "--cache", "cache", "--at", "N=60", "--to", "8,27")
    expect(b"0 simulations were run" in again.stderr, "a cached answer was simulated again: %s" % again.stderr)
    for words in [b"executing the program itself in simulation (overlap)", b"beside its formulas: the program was simulated on 8 (N = 60)"]:
        expect(words in again.stdout, "the table lacks %s: %s" % (words, again.stdout))


def test_solved_for():
    """N' holds E with the term: the program, simulated there, has that efficiency."""
    answer = ask("predict", program("halo-3d"), "--efficiency", "0.4", "--to", "8,27")
    for row in answer["rows"]:
        # The program takes whole sizes; T goes on to the broken one as the work does.
        whole = round(row["N"])
        T = measured(program("halo-3d"), row["system"], whole)[row["system"]]
        E = 50 * 54 * whole**3 / (T * row["C"])
        expect(abs(E / 0.4 - 1) < 0.03 + 2 * abs(whole / row["N"] - 1), "%s: E is %g at N = %d (N' %g)" % (row["system"], E, whole, row["N"]))


def test_counted():
    """Where the simulator takes too long, messages are counted; then the term has an error, which intervals count."""
    answer = json.loads(expect_run(0, "predict", program("wavefront"), "--platform", "little.yaml", "--no-cache", "--budget", "2", "--format",
                                   "json", "--at", "N=2400", "--to", "64").stdout)
    row = answer["rows"][0]
    expect("counted on links" in answer["schedule"], "schedule: %s" % answer["schedule"])
    expect(row["overlap_error"] > 0 and row["T_low"] < row["T"] < row["T_high"], "no error: %s" % row)
    T = measured(program("wavefront"), "64", 2400)["64"]
    expect(abs(row["T"] / T - 1) < COUNTED_MOST, "counted: T is off by %g" % (row["T"] / T - 1))


def test_counted_on_a_tree():
    """Several messages of a node share its link to the switch of a fat tree, as in the simulator."""
    write(".", "tree.yaml", """platform: tree
nodes: {node: {count: 16, processors: 1, speed: 5 Gflop/s}}
network: {topology: fat-tree, shape: "2;4,4;1,4;1,1", link_bandwidth: 10 Gbit/s, link_latency: 1 us}
""")
    write(".", "network", """library mpich
eager_limit 65536
latency 0 1
bandwidth 0 1
link_latency 1e-6
link_byte 8e-10
near_latency 5e-7
near_byte 1.6666666666666666e-10
route 1 2;4,4;1,4;1,1
processes 16 1 5e9 0 0 0
""")
    write(".", "rows.yaml", """algorithm: rows
size: {N: {min: 1}}
work: N
program:
  - for: i = 1..40
    do:
      - bcast: {root: "mod(i, p)", bytes: 8 B*N}
      - barrier: {}
""")
    for size in [10, 1000, 6000]:
        counted = subprocess.run([EXECUTOR, "network", "rows.yaml", "-n", str(size), "--header", "--nodes", "16", "--speeds", "5e9", "--warm-up",
                                  "0"], capture_output=True, timeout=600).stdout.decode()
        expect_run(0, "measure", "rows.yaml", "--platform", "tree.yaml", "--systems", "16", "--sizes", str(size), "-o", "rows.csv")
        with open("rows.csv") as file:
            T = float(next(csv.DictReader(file))["T"])
        os.remove("rows.csv")
        off = float(next(csv.DictReader(io.StringIO(counted)))["T"]) / T - 1
        expect(abs(off) < 0.005, "rows on a fat tree, N = %d: counted messages are off by %g" % (size, off))


def test_layers():
    """A broadcast along layers that reach over all nodes, on more processes than are simulated by themselves."""
    write(".", "wide.yaml", PLATFORM.replace("count: 64", "count: 128"))
    answer = json.loads(expect_run(0, "predict", program("matrix-2.5d"), "--platform", "wide.yaml", "--cache", "cache", "--budget", "600",
                                   "--format", "json", "--at", "N=256", "--at", "c=2", "--to", "128").stdout)
    expect_run(0, "measure", program("matrix-2.5d"), "--set", "c=2", "--platform", "wide.yaml", "--systems", "128", "--sizes", "256", "-o",
               "wide.csv")
    with open("wide.csv") as file:
        T = float(next(csv.DictReader(file))["T"])
    row = answer["rows"][0]
    expect(abs(row["T"] / T - 1) < MOST and abs((row["T"] - row["overlap"]) / T - 1) < 0.2, "layers: %s, T is %g" % (row, T))


def test_other_outputs():
    parts = ask("explain", program("halo-3d"), "--at", "N=60", "--to", "8")
    overlap = [part for part in parts["parts"] if part["part"] == "overlap"]
    expect(len(overlap) == 1 and overlap[0]["T"][0] < 0, "explain lacks the term: %s" % parts["parts"])
    expect(parts["systems"][0]["overlap"] == overlap[0]["T"][0] and parts["systems"][0]["overlap_error"] == 0, "explain: %s" % parts["systems"])
    table = expect_run(0, "predict", program("halo-3d"), "--platform", "little.yaml", "--cache", "cache", "--at", "N=60", "--to", "8", "--format",
                       "csv")
    row = next(csv.DictReader(io.StringIO(table.stdout.decode())))
    expect(float(row["overlap"]) < 0 and float(row["overlap_error"]) == 0, "CSV: %s" % row)
    both = expect_run(0, "compare", program("halo-3d"), "jacobi-2d", "--platform", "little.yaml", "--cache", "cache", "--at", "N=60",
                      "--to", "8", "--format", "json")
    T = {row["contender"]: row["T"] for row in json.loads(both.stdout)["rows"]}
    expect(T["halo-3d"] == parts["systems"][0]["T"], "compare has another T: %s" % T)


def test_further_size():
    write(".", "hidden.yaml", HIDDEN)
    answer = ask("predict", "hidden.yaml", "--at", "N=40", "--at", "B=8", "--to", "4")
    times = measured("hidden.yaml", "4", 40, "--set", "B=8")
    expect(off(answer, times) < MOST, "a further size: T is off by %g" % off(answer, times))
    answer = ask("predict", "hidden.yaml", "--set", "B=16", "--at", "N=40", "--to", "4")
    times = measured("hidden.yaml", "4", 40, "--set", "B=16")
    expect(off(answer, times) < MOST, "a size that is set: T is off by %g" % off(answer, times))


def test_time_per_flop():
    """Work takes the platform's time per flop in the program as well."""
    with open(program("halo-3d")) as file:
        write(".", "timed.yaml", file.read() + "kernel: slow\n")
    write(".", "slow.yaml", PLATFORM + "compute: {slow: 0.7 ns/flop}\n")
    answer = json.loads(expect_run(0, "predict", "timed.yaml", "--platform", "slow.yaml", "--cache", "cache", "--at", "N=60", "--to", "8",
                                   "--format", "json").stdout)
    expect_run(0, "measure", "timed.yaml", "--platform", "slow.yaml", "--systems", "8", "--sizes", "60", "-o", "timed.csv")
    with open("timed.csv") as file:
        T = float(next(csv.DictReader(file))["T"])
    row = answer["rows"][0]
    usual = ask("predict", program("halo-3d"), "--at", "N=60", "--to", "8")["rows"][0]
    expect(abs(row["T_c"] / usual["T_c"] / 3.5 - 1) < 1e-9 and "was simulated on" in answer["schedule"], "a time per flop: %s" % row)
    expect(abs(row["T"] / T - 1) < MOST, "a time per flop: T is off by %g" % (row["T"] / T - 1))


def test_too_large():
    """A size of too many steps: a smaller one shows, of a program whose steps are all alike."""
    write(".", "hidden.yaml", HIDDEN)
    size = 50000000
    answer = json.loads(expect_run(0, "predict", "hidden.yaml", "--set", "B=4000", "--platform", "little.yaml", "--no-cache", "--budget", "12",
                                   "--format", "json", "--at", "N=%d" % size, "--to", "3").stdout)
    T = measured("hidden.yaml", "3", 1000, "--set", "B=4000")["3"] * size / 1000
    expect(str(size) not in answer["schedule"], "too many steps were executed: %s" % answer["schedule"])
    expect(abs(answer["rows"][0]["T"] / T - 1) < MOST, "a size that is too large: %s, T is %g" % (answer["rows"], T))


def test_not_executed():
    """The result says why there is no term."""
    text = subprocess.run([ISOCAST, "predict", "-", "--platform", "little.yaml", "--cache", "cache", "--at", "N=40", "--to", "4", "--format", "json"],
                          input=STARTED.encode(), capture_output=True, timeout=600)
    expect(text.returncode == 0, "standard input: %s" % text.stderr)
    answer = json.loads(text.stdout)
    expect(answer["schedule"].startswith("no schedule was executed: "), "schedule: %s" % answer["schedule"])
    expect("overlap" not in answer["rows"][0]["terms"] and "overlap" not in answer["rows"][0], "there is a term: %s" % answer["rows"])
    expect(b"no schedule was executed" in text.stderr, "nothing is reported: %s" % text.stderr)
    # What does not wait is simulated, never counted.
    write(".", "started.yaml", STARTED)
    answer = ask("predict", "started.yaml", "--at", "N=40", "--to", "4")
    expect(off(answer, measured("started.yaml", "4", 40)) < MOST, "a started broadcast: %s" % answer["rows"])
    # Where some processes have nothing to do the formulas are of the others.
    answer = ask("predict", "gaussian-elimination", "--at", "N=6", "--to", "8")
    expect("only 6 processes have work" in answer["schedule"], "idle processes: %s" % answer["schedule"])
    # A file without a program has neither.
    write(".", "plain.yaml", "algorithm: plain\nsize: {N: {min: 1}}\nwork: 2*N^2\noverhead: {messages: T_bcast(8 B*N)}\n")
    answer = ask("predict", "plain.yaml", "--at", "N=200", "--to", "4")
    expect("schedule" not in answer and "overlap" not in answer["rows"][0], "a file without a program: %s" % answer)


def test_faulty():
    """A program that cannot run on a system is not taken from smaller ones, on which it can."""
    write(".", "faulty.yaml", FAULTY)
    answer = ask("predict", "faulty.yaml", "--at", "N=40", "--to", "10,20")
    expect("the program cannot run on 20: " in answer["schedule"] and "faulty.yaml:7:9: error: " in answer["schedule"] and
           "receives" in answer["schedule"], "a faulty program: %s" % answer["schedule"])
    expect(answer["rows"][1]["terms"]["overlap"] == 0, "a faulty program has a term: %s" % answer["rows"][1])
    # Another size that it can run at hides nothing.
    both = expect_run(0, "predict", "faulty.yaml", "--platform", "little.yaml", "--cache", "cache", "--at", "N=40,48", "--to", "20").stderr
    expect(b"the program cannot run on 20: " in both, "the error is hidden by another size: %s" % both)


if __name__ == "__main__":
    if not os.path.exists(EXECUTOR):
        print("isocast was built without SimGrid")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write(".", "little.yaml", PLATFORM)
        for test in [test_fixed_size, test_solved_for, test_counted, test_counted_on_a_tree, test_layers, test_other_outputs, test_further_size, test_time_per_flop, test_too_large, test_not_executed,
                     test_faulty]:
            test()
        os.chdir("/")
    finish()
