#!/usr/bin/env python3
"""measure --platform: simulated runs are complete, repeatable, and follow the platform's figures. calibrate
--platform: switches are found, what is near is distinguished from what is far, and predictions hold beyond the calibration.

    test_platform.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import csv
import json
import os
import re
import resource
import subprocess
import shutil
import sys
import tempfile
import time

from common import ISOCAST, SOURCE, expect, expect_run, finish, on_terminal, write

SIMULATED = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-kernel-simulated")
SHIPPED = {"sunwulf": ["C2", "C4'", "server:3+v210:22"], "ethernet-128": ["2", "7"], "fat-tree-128": ["1", "9"],
           "smp-16": ["3", "4x2"]}
PLATFORM = """platform: test
nodes: {node: {count: %(nodes)d, processors: %(processors)d, speed: %(speed)g Gflop/s, memory: 8 GB}}
network: {topology: %(topology)s, link_bandwidth: %(bandwidth)g Gbit/s, link_latency: %(latency)g us%(more)s}
"""
USUAL = {"nodes": 8, "processors": 1, "speed": 1, "topology": "switched", "bandwidth": 10, "latency": 10,
         "more": ""}
SHAPES = ("torus, shape: '2,4'", "torus, shape: '8'", "torus, shape: '2,2,2'", "fat-tree, shape: '1;8;1;1'",
          "fat-tree, shape: '2;4,2;1,2;2,1'", "fat-tree, shape: '3;2,2,2;2,1,2;1,1,3'",
          "dragonfly, shape: '2,1;2,2;2,1;1'", "dragonfly, shape: '1,1;2,1;2,3;2'", "dragonfly, shape: '1,1;1,1;1,1;8'")


def measure(folder, kernel, platform, systems, sizes, name="runs.csv", words="runs added"):
    path = os.path.join(folder, name)
    environment = {**os.environ, "TMPDIR": temporary}
    expect_run(0, "measure", kernel, "--platform", platform, "--systems", systems, "--sizes", sizes, "-o", path,
               words=words, cwd=folder, env=environment)
    expect(os.listdir(temporary) == [], "files are left behind: %s" % os.listdir(temporary))
    with open(path) as file:
        return list(csv.DictReader(file))


def check_shipped(folder, platform, systems):
    rows = measure(folder, "ge", platform, ",".join(systems), "30,61", platform + ".csv")
    name = "%s: " % platform
    expect(sorted((row["system"], row["N"]) for row in rows) == sorted((s, n) for s in systems for n in ("30", "61")),
           name + "other rows than asked for: %s" % rows)
    for row in rows:
        p = {"C2": 3, "C4'": 4, "server:3+v210:22": 25, "4x2": 8}.get(row["system"]) or int(row["system"])
        expect(row["machine"] == platform and int(row["p"]) == p, name + "wrong machine or p: %s" % row)
        expect(float(row["T"]) > 0 and row["oversubscribed"] == "0", name + "no time: %s" % row)
    again = measure(folder, "ge", platform, ",".join(systems), "30,61", platform + "-again.csv")

    def by_point(some):
        return sorted((row["system"], row["N"], row["T"]) for row in some)
    expect(by_point(rows) == by_point(again), name + "T differs between two runs")
    resumed = measure(folder, "ge", platform, ",".join(systems), "30,61", platform + ".csv", words="0 runs added")
    expect(len(resumed) == len(rows), name + "resuming added rows")


def check_large(folder):
    """Messages whose contents mean nothing take no memory: the blocks of these transposes have 6.7 GB."""
    measure(folder, "conv2d", "sunwulf", "C8", "20480", "large.csv")
    most = 1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    expect(most < 4e9, "a simulated run took %.1f GB" % (most / 1e9))


def simulate(folder, kernel, system="8", **changed):
    """The row of one run on a changed platform."""
    platform = write(folder, "platform.yaml", PLATFORM % {**USUAL, **changed})
    runs = os.path.join(folder, "one.csv")
    if os.path.exists(runs):
        os.unlink(runs)
    rows = measure(folder, kernel, platform, system, "96", "one.csv", words="1 runs added")
    return {key: float(value) for key, value in rows[0].items() if key.startswith("T")} if rows else {}


def check_laws(folder):
    for kernel in ("ge", "mm", "conv2d"):
        usual = simulate(folder, kernel)
        slow = simulate(folder, kernel, latency=20)
        expect(slow["T"] > usual["T"], "%s: twice the latency, T from %g to %g" % (kernel, usual["T"], slow["T"]))
        narrow = simulate(folder, kernel, bandwidth=5)
        expect(narrow["T_distribute"] > usual["T_distribute"], kernel + ": half the bandwidth distributes as fast")
    usual = simulate(folder, "mm")
    fast = simulate(folder, "mm", speed=2)
    ratio = usual["T_multiply"] / fast["T_multiply"]
    expect(abs(ratio - 2) < 1e-3, "twice the speed multiplies %g times as fast" % ratio)
    plain = simulate(folder, "mm", more=", latency_factor: 1, bandwidth_factor: 1")
    halved = simulate(folder, "mm", more=", latency_factor: 1, bandwidth_factor: {0 B: 1, 4 KiB: 0.5}")
    ratio = halved["T_distribute"] / plain["T_distribute"]
    expect(1.4 < ratio < 2, "half the bandwidth for long messages distributes in %g times the time" % ratio)
    slowed = simulate(folder, "mm", more=", latency_factor: {0 B: 3}, bandwidth_factor: 1")
    late = simulate(folder, "mm", latency=30, more=", latency_factor: 1, bandwidth_factor: 1")
    expect(abs(slowed["T"] / late["T"] - 1) < 1e-2, "a factor of 3 is not three times the latency")
    patient = simulate(folder, "conv2d", more=", eager_limit: 1 B")
    expect(patient["T"] > 1.01 * simulate(folder, "conv2d")["T"], "senders that wait for receivers are as fast")
    apart = simulate(folder, "ge", system="1x8", processors=8)
    together = simulate(folder, "ge", system="8x1", processors=8)
    expect(together["T"] < apart["T"], "processes of one node are not nearer to each other")


def check_topologies(folder):
    for shape in SHAPES:
        times = simulate(folder, "ge", topology=shape)
        expect(times.get("T", 0) > 0, shape + ": no time")
        simulate(folder, "ge", system="3", topology=shape)


def check_exported(folder):
    """What is exported is the network that isocast simulates on: the same program takes the same time, with the eager
    limit and the factors, and changing either changes it."""
    times = {}
    for name, classes, more, system in (
            ("plain", "node: {count: 6, processors: 2, speed: 1 Gflop/s}", "", "5"),
            ("factors", "node: {count: 6, processors: 2, speed: 1 Gflop/s}",
             ", eager_limit: 100 B, latency_factor: {0 B: 1.7, 1 KiB: 3}, bandwidth_factor: {0 B: 0.4, 1 KiB: 0.7}", "5"),
            ("capacity", "node: {count: 6, processors: 2, speed: 1 Gflop/s}",
             ", node_latency: 1 us, node_bandwidth: 200 MB/s, node_capacity: 20 MB/s", "2x2"),
            ("no capacity", "node: {count: 6, processors: 2, speed: 1 Gflop/s}",
             ", node_latency: 1 us, node_bandwidth: 200 MB/s, node_capacity: 20 TB/s", "2x2"),
            ("memory", "node: {count: 6, processors: 2, speed: 1 Gflop/s}", ", node_latency: 1 us, node_bandwidth: 200 MB/s", "2x2"),
            ("mix", "a: {count: 3, processors: 2, speed: 1 Gflop/s}, b: {count: 4, speed: 2 Gflop/s}", "", "a:5+b:3"),
            ("mixed factors", "a: {count: 3, processors: 2, speed: 1 Gflop/s}, b: {count: 4, speed: 2 Gflop/s}",
             ", backplane_bandwidth: 1.5 Gbit/s, eager_limit: 100 B, latency_factor: 1.5, bandwidth_factor: 0.9", "a:5+b:3")):
        platform = write(folder, "platform.yaml", "platform: test\nnodes: {%s}\nnetwork: {topology: switched, "
                         "link_bandwidth: 1 Gbit/s, link_latency: 10 us%s}\n" % (classes, more))
        row = measure(folder, "ge", platform, system, "96", name.replace(" ", "-") + ".csv")[0]
        xml, hosts = os.path.join(folder, "exported.xml"), os.path.join(folder, "exported-hosts")
        expect_run(0, "export", "simgrid", platform, "--system", system, "-o", xml, "--hosts", hosts)
        with open(hosts) as file:
            places = file.read().split()
        speeds = ",".join("2e9" if place.startswith("b") else "1e9" for place in places)
        result = subprocess.run(["smpirun", "-np", str(len(places)), "-platform", xml, "-hostfile", hosts,
                                 "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/shared-malloc:global",
                                 "--log=root.thresh:error", SIMULATED, "ge", "-n", "96", "--speeds", speeds, "--seed", "1",
                                 "--warm-up", "0", "--header"], capture_output=True, text=True, cwd=folder, timeout=3600)
        rows = list(csv.DictReader(line for line in result.stdout.splitlines() if "," in line))
        expect(rows and rows[0]["T"] == row["T"], "%s: smpirun on the exported platform gives %s, isocast %s: %s" % (
            name, rows and rows[0].get("T"), row["T"], result.stderr[-500:]))
        times[name] = float(row["T"])
        with open(xml) as file:
            limit = 'id="smpi/send-is-detached-thresh" value="%d"' % (100 if "eager_limit" in more else 65536)
            expect(limit in file.read(), name + ": the eager limit is not exported")
    expect(abs(times["factors"] / times["plain"] - 1) > 0.01 and abs(times["mixed factors"] / times["mix"] - 1) > 0.01,
           "the factors change nothing: %s" % times)
    expect(times["capacity"] > 1.01 * times["memory"] and abs(times["no capacity"] / times["memory"] - 1) < 1e-6,
           "what messages within a node share does not hold: %s" % times)


def check_refusals(folder):
    runs = os.path.join(folder, "refused.csv")
    platform = write(folder, "platform.yaml", PLATFORM % {**USUAL, "processors": 2})
    for system in ("17", "1x9", "node:17"):
        expect_run(2, "measure", "ge", "--platform", platform, "--systems", system, "-o", runs,
                   words="takes more than platform")
    expect(not os.path.exists(runs), "a refused measurement leaves a file")
    nothing = os.path.join(folder, "nothing")
    os.mkdir(nothing)
    missing = expect_run(5, "measure", "ge", "--platform", platform, "--systems", "2", "--sizes", "30", "-o", runs,
                         words="there is no program 'smpirun'", env={**os.environ, "PATH": nothing, "TMPDIR": temporary})
    expect("libsimgrid-dev" in missing.stderr.decode(), "the package of smpirun is not named")
    expect(os.listdir(temporary) == [], "files are left behind by a failure: %s" % os.listdir(temporary))


# Where SimGrid's own factors of latency and bandwidth change (smpi/lat-factor), and the eager limit. The shipped platforms name them.
SWITCHES = (257, 1426, 3484, 5776, 9376, 15424, 65472)
with open(os.path.join(SOURCE, "specs", "platforms", "ethernet-128.yaml"), encoding="utf-8") as shipped:
    GIGABIT = ", " + ", ".join(re.findall(r"^  ((?:latency|bandwidth)_factor: .*)$", shipped.read(), re.M))
MESSAGE = "algorithm: message\nsize: {N: {description: bytes}}\nwork: 1\noverhead: {message: T_recv(1 B * N)}\n"


def calibrate(folder, name, systems, **changed):
    """Calibrates a platform in simulation; the machine file's path and text, and the platform's path."""
    platform = write(folder, name + "-platform.yaml", PLATFORM % {**USUAL, **changed})
    machine = os.path.join(folder, name + ".yaml")
    expect_run(0, "calibrate", "--platform", platform, "--systems", systems, "-o", machine, cwd=folder, words="samples of")
    with open(machine, encoding="utf-8") as file:
        return machine, file.read(), platform


def switches_of(text, operation):
    """Where the ranges of an operation begin, B."""
    lines = text.split("\n")
    start = next(k for k, line in enumerate(lines) if line.split("#")[0].rstrip() == "  %s:" % operation) + 1
    end = next(k for k in range(start, len(lines)) if not lines[k].startswith("   "))
    units = {"B": 1, "KiB": 2**10, "MiB": 2**20}
    return [float(m) * units[unit] for m, unit in re.findall(r"from: ([\d.]+) (\w+)", "\n".join(lines[start:end]))]


def check_switches(folder):
    """Found by bisection, also where no size of the first grid is near."""
    machine, text, platform = calibrate(folder, "few", "2,5", more=GIGABIT)
    found = switches_of(text, "T_recv")
    for size in SWITCHES:
        expect(any(abs(m / size - 1) < 0.05 for m in found), "no switch is found near %d B: %s" % (size, found))
    return machine, platform


def check_longer(folder):
    """Without factors a message takes what the file says: the latency of two links, and its bytes. A longer one takes longer."""
    platform = write(folder, "sheet.yaml", PLATFORM % {**USUAL, "bandwidth": 100, "latency": 1})
    message = write(folder, "message.yaml", MESSAGE)
    sizes = (8, 256, 257, 1000, 1426, 2000, 9376, 40000)
    T = {}
    for N in sizes:
        reported = expect_run(0, "predict", message, "--platform", platform, "--at", "N=%d" % N, "--to", "2", "--no-cache", "--format", "json",
                          words="no latency_factor and no bandwidth_factor")
        T[N] = json.loads(reported.stdout)["rows"][0]["T"]
    expect(all(abs(T[N] / (2e-6 + N / 12.5e9) - 1) < 0.02 for N in T), "messages take %s" % T)
    expect(all(T[a] < T[b] for a, b in zip(sizes, sizes[1:])), "a longer message takes less time: %s" % T)


def processor_time():
    """s of the programs that were started; how long they wait for a processor does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def check_budget(folder):
    """A calibration of many processes ends with its budget, and what was simulated until then stays."""
    platform = write(folder, "many.yaml", PLATFORM % {**USUAL, "nodes": 256})
    output = os.path.join(folder, "many-machine.yaml")
    began = processor_time()
    expect_run(5, "calibrate", "--platform", platform, "--systems", "4,256", "--budget", "3s", "-o", output, cwd=folder,
               words="do not end within the budget of 3 s")
    expect(processor_time() - began < 60, "a budget of 3 s does not end the simulations")
    expect(not os.path.exists(output), "a calibration without its end leaves a machine file")
    said = on_terminal(["predict", "gaussian-elimination", "--platform", "ethernet-128", "--at", "N=1000", "--to", "16", "--no-cache"])
    expect("simulating: launch 1" in said, "no progress: %r" % said)


def check_extrapolation(folder, machine, platform):
    """Calibrated on 5 processes at most, predicted on 8: the machine file knows its platform, also where it was moved."""
    moved = os.path.join(folder, "moved", "machine.yaml")
    os.mkdir(os.path.dirname(moved))
    shutil.copy(machine, moved)
    runs = os.path.join(folder, "eight.csv")
    for kernel, algorithm in (("ge", "gaussian-elimination"), ("mm", "matrix-multiplication"), ("conv2d", "convolution-2d")):
        expect_run(0, "measure", kernel, "--platform", platform, "--systems", "8", "--sizes", "96,160,320", "-o", runs,
                   "--repetitions", "1", cwd=folder, words="runs added")
        expect_run(0, "validate", algorithm, moved, runs, "--max-error", "T=0.01", cwd=folder, words="was calibrated on a simulated platform")
        expect_run(1, "validate", algorithm, moved, runs, "--max-error", "T=0.0001", "--laws", cwd=folder)
        expect_run(0, "explain", algorithm, moved, "--runs", runs, cwd=folder, words="For --runs times come from the formulas of the file")
        os.remove(runs)
    expect_run(0, "compare", "matrix-multiplication", "gaussian-elimination", moved, "--at", "N=200", "--to", "6", cwd=folder,
               words="was calibrated on a simulated platform")
    expect_run(0, "export", "simgrid", moved, "--system", "3", "-o", "moved.xml", cwd=folder)
    with open(moved, encoding="utf-8") as file:
        text = file.read()
    broken = write(folder, "broken.yaml", text.replace("platform: {topology: switched", "platform: {topology: star"))
    expect_run(3, "check", broken, words="there is no topology 'star'")
    alone = os.path.join(folder, "alone")
    shutil.copy(ISOCAST, alone)  # no program is beside it
    result = subprocess.run([alone, "predict", os.path.join(SOURCE, "specs", "algorithms", "matrix-multiplication.yaml"), moved, "--at", "N=100",
                             "--to", "6"], capture_output=True, text=True, check=False)
    expect(result.returncode == 0 and "For lack of SimGrid" in result.stderr, "without SimGrid: %s" % result.stderr)


def check_placements(folder):
    text = calibrate(folder, "packed", "4", nodes=4, processors=2)[1]
    send = text[text.index("\n  T_send:") + 1:]
    send = send[:send.index("\n  T_", 1)]
    expect("    one_node:\n" in send and "    several_nodes:\n" in send, "processes on one node and on several are not distinguished")


if not os.path.exists(SIMULATED):
    print("skipped: " + SIMULATED + " is not there")
    sys.exit(77)
with tempfile.TemporaryDirectory() as scratch:
    temporary = os.path.join(scratch, "t")
    os.mkdir(temporary)
    shipped = {os.path.splitext(name)[0] for name in os.listdir(os.path.join(SOURCE, "specs", "platforms"))}
    expect(shipped == set(SHIPPED), "not all platforms are tested: %s" % shipped)
    for each in sorted(SHIPPED):
        check_shipped(scratch, each, SHIPPED[each])
    check_large(scratch)
    check_laws(scratch)
    check_topologies(scratch)
    check_exported(scratch)
    check_refusals(scratch)
    check_longer(scratch)
    check_budget(scratch)
    check_extrapolation(scratch, *check_switches(scratch))
    check_placements(scratch)
finish()
