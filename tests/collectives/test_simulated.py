#!/usr/bin/env python3
"""Simulated programs compute what MPI says, and send the messages that isocast lists for the platform's MPI library.

    test_simulated.py ISOCAST LIST_MESSAGES       status 77, skipped, where there is no SimGrid
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from facts import CASES, messages_of

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARIES = ["mpich", "openmpi", "intel", "mvapich2", "cray"]
PLATFORM = """platform: nodes
nodes: %s
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 10 us, collectives: %s}
"""
THREES = "{node: {count: 8, processors: 3, speed: 1 Gflop/s}}"
MIXED = "{a: {count: 4, processors: 4, speed: 1 Gflop/s}, b: {count: 3, processors: 1, speed: 1 Gflop/s}}"
# The first places of sends in a trace of the simulator: 15, time, type, container, value, process, key.
SENDS = re.compile(r"^15 \S+ \S+ \S+ \S+ \S+ (\d+)_(\d+)_-31021_\d+ (\d+)", re.MULTILINE)
problems = []


def run(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=250)


def make_platform(isocast, folder, nodes, library, system):
    with open(os.path.join(folder, "nodes.yaml"), "w", encoding="utf-8") as file:
        file.write(PLATFORM % (nodes, library))
    made = run([isocast, "export", "simgrid", "nodes.yaml", "--system", system, "-o", "nodes.xml", "--hosts", "hosts"], folder)
    if made.returncode != 0:
        problems.append("no platform for %s: %s" % (library, made.stderr))


def simulate(folder, program, *options):
    with open(os.path.join(folder, "hosts"), encoding="utf-8") as file:
        count = str(len(file.read().split()))
    return run(["smpirun", "-np", count, "-platform", "nodes.xml", "-hostfile", "hosts", "--log=root.thresh:error",
                "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", *options, *program], folder)


def check_values(isocast, folder, nodes, library, system, longest):
    make_platform(isocast, folder, nodes, library, system)
    reported = simulate(folder, ["./values", longest])
    if reported.returncode != 0 or not re.fullmatch(r"\d{3,} calls, 0 wrong\n", reported.stdout):
        problems.append("values on %s with %s: %s %s" % (system, library, reported.stdout[:500], reported.stderr[-500:]))


def check_messages(isocast, lister, folder, library, processes):
    """Each message of each process, in its order. Collectives before the first and after the last case have 0 B or 4 B."""
    make_platform(isocast, folder, THREES, library, str(processes))
    for case in CASES:
        if case.split(":")[0] != "barrier" and not case.endswith((":1048576", ":4096")):
            reported = simulate(folder, ["./calls", case], "-trace", "-trace-file", "calls.trace",
                            "--cfg=tracing/smpi/internals:yes", "--cfg=tracing/smpi/display-sizes:yes")
            with open(os.path.join(folder, "calls.trace"), encoding="utf-8") as file:
                found = SENDS.findall(file.read())
            (lines,) = [lines for key, lines in messages_of(run([lister, library, "3", str(processes), "/", case],
                                                                folder).stdout).items() if key[3] == 0]
            due = [[(int(d), int(b)) for d, b in re.findall(r"(\d+)>(\d+)", line)] for line in lines]
            sent = [[] for _ in lines]
            for source, target, size in found:
                sent[int(source) - 1].append(((int(target) - int(source)) % processes, int(size)))
            if reported.returncode != 0 or sent != due:
                problems.append("%s with %s on %d: sent %s, not %s %s" % (case, library, processes, str(sent)[:300], str(due)[:300],
                                                                         reported.stderr[-300:]))


def main():
    if shutil.which("smpirun") is None:
        sys.exit(77)
    isocast, lister = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        for name in ("values", "calls"):
            built = run([isocast, "cc", "-O1", "-o", name, os.path.join(HERE, name + ".c")], folder)
            if built.returncode != 0:
                sys.exit(built.stderr)
        for library in LIBRARIES:
            check_values(isocast, folder, THREES, library, "7", "700")
            check_values(isocast, folder, MIXED, library, "a:2x4+b:1", "17")
        for library in ("mpich", "openmpi"):
            check_values(isocast, folder, THREES, library, "16", "5000")
            check_messages(isocast, lister, folder, library, 7)
        check_messages(isocast, lister, folder, "mpich", 12)
    for problem in problems:
        print(problem)
    print("%d problems" % len(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
