#!/usr/bin/env python3
"""compare and sweep with --platform: their rows are those of predict on the very platforms; how many simulations are
needed is reported before; nothing is simulated again; messages.

    test_platform_questions.py ISOCAST SOURCE        status 77, skipped, where isocast was built without SimGrid
"""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

from common import ISOCAST, expect, expect_run, finish, write

PROBE = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-probe-simulated")
PLATFORM = """platform: %s
nodes: {node: {count: 8, processors: 1, speed: %s}}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: %s}
"""
# A further size, and definitions without and with a unit.
ALGORITHM = """algorithm: mine
size: {N: {min: 1}, K: {min: 1}}
work: 1000*N*K
define:
  rounds: 3
  pause: 1 us
overhead:
  share: rounds*(T_bcast(8 B * N) + pause)
  more: if(K > 3, T_allgather(8 B * N*K/p), 0 s)
"""
NEAR = 1e-5


def run(*words):
    result = subprocess.run([ISOCAST, *words], capture_output=True, text=True, check=False)
    expect(result.returncode == 0, "%s: status %d\n%s" % (" ".join(words), result.returncode, result.stderr))
    return result.stdout, result.stderr


def rows_of(text):
    return list(csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#")))


def predicted(cache, platform, systems, question, algorithm="gaussian-elimination", more=()):
    text, _ = run("predict", algorithm, "--platform", platform, "--to", systems, *question, *more, "--cache", cache,
                  "--format", "csv", "-q")
    return [(row["system"], float(row["N"]), float(row["T"])) for row in rows_of(text)]


def same(what, found, due):
    near = len(found) == len(due) and all(a[0] == b[0] and abs(a[1] / b[1] - 1) < NEAR and abs(a[2] / b[2] - 1) < NEAR
                                          for a, b in zip(found, due))
    expect(near, "%s: %s, where predict has %s" % (what, found, due))


def check_compare(folder, cache, slow, quick):
    question = ("--efficiency", "0.3")
    words = ("compare", "gaussian-elimination", "--platform", slow, "--platform", quick, *question, "--to", "2,4",
             "--cache", cache, "--format", "json")
    text, said = run(*words)
    expect("the answer needs at least 4 simulations" in said, "it is not reported how many are needed: " + said)
    answer = json.loads(text)
    for name, platform in (("slow", slow), ("quick", quick)):
        found = [(row["system"], row["N"], row["T"]) for row in answer["rows"] if row["contender"] == name]
        same("compare on " + name, found, predicted(cache, platform, "2,4", question))
    again, said = run(*words)
    expect(json.loads(again)["rows"] == answer["rows"] and ": 0 simulations were run" in said, "compared again: " + said)
    # Algorithms on one platform cross where times at that very size, simulated, are equal.
    text, _ = run("compare", "gaussian-elimination", "matrix-multiplication", "--platform", slow, "--to", "4", "--cache", cache,
                  "--format", "json", "-q")
    crossings = [point for pair in json.loads(text)["crossings_over_N"] for point in pair["points"]]
    expect(len(crossings) > 0, "no crossing: " + text)
    for crossing in crossings:
        N = ("--at", "N=%.9g" % crossing["at"])
        times = [predicted(cache, slow, "4", N, algorithm)[0][2] for algorithm in
                 ("gaussian-elimination", "matrix-multiplication")]
        # Crossings are those of formulas: the overlap of the programs is not in them.
        expect(abs(times[0] / times[1] - 1) < 0.01, "no crossing at %s: %s" % (N[1], times))


def check_sweep(folder, cache, slow, quick):
    question = ("--efficiency", "0.3")
    # Of formulas: a sweep does not execute a program.
    formulas = write(folder, "formulas.yaml", "algorithm: formulas\nsize: {N: {min: 1}}\nwork: 2*N^2\noverhead: {messages: T_bcast(8 B*N)}\n")
    words = ("sweep", formulas, "--platform", slow, "--vary", "network.link_latency=20us,5us", "--vary",
             "node.speed=1Gflop/s,2Gflop/s", *question, "--to", "2,4", "--cache", cache)
    text, said = run(*words)
    expect("the answer needs at least" in said and "4 pairs" in said, "it is not reported how many are needed: " + said)
    rows = rows_of(text)
    expect(len(rows) == 8, "rows: " + text)
    due = {("2e-05", "1000000000"): slow, ("5e-06", "2000000000"): quick}
    for values, platform in due.items():
        found = [(row["system"], float(row["N"]), float(row["T"])) for row in rows
                 if abs(float(row["network.link_latency"]) / float(values[0]) - 1) < 1e-9 and
                 float(row["node.speed"]) == float(values[1])]
        same("sweep at %s" % (values,), found, predicted(cache, platform, "2,4", question, formulas))
    again, said = run(*words)
    expect(again == text and ": 0 simulations were run" in said, "swept again: " + said)


def check_names(folder, cache, slow):
    """What varies of the algorithm: a size, and definitions."""
    algorithm = write(folder, "mine.yaml", ALGORITHM)
    text, _ = run("sweep", algorithm, "--platform", slow, "--vary", "K=2,5", "--vary", "rounds=2,3", "--vary", "pause=1us,9us",
                  "--at", "N=10000", "--to", "4", "--cache", cache, "-q")
    for row in rows_of(text):
        more = ("--set", "K=" + row["K"], "--set", "rounds=" + row["rounds"], "--set", "pause=%s s" % row["pause"])
        same("sweep at %s" % (more,), [(row["system"], float(row["N"]), float(row["T"]))],
             predicted(cache, slow, "4", ("--at", "N=10000"), algorithm, more))


def check_groups(folder, cache, slow):
    """A sum calls operations on parts of the system, too: each is simulated for the sizes of the sum."""
    head = "algorithm: groups\nsize: {N: {min: 1}}\nwork: 1 kflop*N\noverhead:\n  a: "
    apart = "+".join("T_sendrecv(%d B*N, p/2, 1)" % (8 // n) for n in (1, 2, 4))
    times = []
    for name, formula in (("sum.yaml", "sum(l, 0, 2, T_sendrecv(8 B*N/2^l, p/2, 1))"), ("apart.yaml", apart)):
        text, _ = run("predict", write(folder, name, head + formula + "\n"), "--platform", slow, "--at", "N=1024", "--to", "4",
                      "--cache", cache, "--format", "json", "-q")
        times.append([(name[:0], row["N"], row["T"]) for row in json.loads(text)["rows"]])
    same("groups in a sum", *times)


def check_messages(cache, slow):
    ge = ("sweep", "gaussian-elimination", "--platform", slow, "--at", "N=100", "--to", "2", "--cache", cache)
    expect_run(2, *ge, "--vary", "network.link_latenzy=1us", words="did you mean 'network.link_latency'?")
    expect_run(2, *ge, "--vary", "node.count=1,2", words="no number 'node.count' that can vary")
    expect_run(2, *ge, "--vary", "network.link_latency=0us", words="must be above 0")
    expect_run(2, *ge, "--vary", "network.link_latency=1us..2us:lin:1001", words="1001 platforms")
    expect_run(2, *ge, "--vary", "network.link_latency=1us", "--vary", "t_c=1ns..2ns:lin:200000", words="at most 100000 with --platform")
    expect_run(2, "sweep", "gaussian-elimination", "sunwulf", "--vary", "network.link_latency=1us", "--at", "N=9", "--to", "C2",
               words="'network.link_latency' to vary")
    expect_run(2, "compare", "gaussian-elimination", "--platform", slow, "--to", "2", words="2 to 12 such pairs are compared")
    expect_run(2, "compare", "gaussian-elimination", "matrix-multiplication", "sunwulf", "--to", "C2", "--no-cache",
               words="go with --platform")
    beyond = "takes more than platform %s has: %s"
    expect_run(2, "predict", "jacobi-2d", "--platform", "ethernet-128", "--at", "N=1000", "--to", "100000",
               words="system 100000 " + beyond % ("ethernet-128", "128 nodes of 1 processor"))
    expect_run(2, "measure", "ge", "--platform", "sunwulf", "--systems", "sunblade:65", "--sizes", "10", "-o", "r.csv",
               words="system sunblade:65 " + beyond % ("sunwulf", "1 server node of 4 processors, 64 sunblade nodes"))
    expect_run(2, "sweep", "jacobi-2d", "--platform", "ethernet-128", "--vary", "network.link_latency=1us..2us:lin:2", "--at",
               "N=100", "--to", "129", words="system 129 " + beyond % ("ethernet-128", "128 nodes of 1 processor"))


if not os.path.exists(PROBE):
    print("isocast was built without SimGrid")
    sys.exit(77)
with tempfile.TemporaryDirectory() as work:
    stored = os.path.join(work, "cache")
    slow_one = write(work, "slow.yaml", PLATFORM % ("slow", "1 Gflop/s", "20 us"))
    quick_one = write(work, "quick.yaml", PLATFORM % ("quick", "2 Gflop/s", "5 us"))
    check_compare(work, stored, slow_one, quick_one)
    check_sweep(work, stored, slow_one, quick_one)
    check_names(work, stored, slow_one)
    check_groups(work, stored, slow_one)
    check_messages(stored, slow_one)
finish()
