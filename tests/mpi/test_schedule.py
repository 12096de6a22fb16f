#!/usr/bin/env python3
"""Executes programs of algorithm files, on one and two real processes and on more simulated ones: what is sent and computed is what the
formulas say, and programs that cannot run are refused.

    test_schedule.py SCHEDULE SOURCE [SIMULATED KERNEL]

SIMULATED and KERNEL are the programs for the simulator.
"""

import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile

SCHEDULE, SOURCE = sys.argv[1:3]
SIMULATED, KERNEL = (sys.argv[3:5] + [None, None])[:2]
MPIEXEC = os.environ.get("MPIEXEC") or shutil.which("mpiexec.mpich") or "mpiexec"
ALL_STEPS = os.path.join(SOURCE, "tests", "mpi", "all-steps.yaml")
PROGRAMS = os.path.join(SOURCE, "specs", "algorithms")
HEAD = "algorithm: small\nsize: {N: {min: 1}}\nwork: N\nprogram:\n"
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def run(processes, *arguments):
    return subprocess.run([MPIEXEC, "-n", str(processes), SCHEDULE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=3600)


def rows_of(result):
    lines = [line for line in result.stdout.splitlines() if "," in line]
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def check_row(name, row, **due):
    for key, value in due.items():
        expect(float(row[key]) == value, "%s: %s is %s, not %g" % (name, key, row[key], value))
    expect(row["mismatches"] == "0", "%s: %s mismatches" % (name, row["mismatches"]))
    expect(float(row["T"]) > 0, "%s: T = %s" % (name, row["T"]))


def elimination(processes, n):
    """What Gaussian elimination sends, by its closed form."""
    rounds = n - 1
    pivots = sum(8 * (n + 1 - i) for i in range(rounds))
    away = sum(8 * (n + 1) * (n // processes + (q < n % processes)) for q in range(1, processes))
    return {"messages": 2 * (processes - 1), "bytes": 2 * away, "calls": 2 * rounds * processes,
            "call_bytes": pivots * processes, "flop": sum((2 * (n - i) + 1) * (n - i - 1) for i in range(rounds)) + n * n}


def check_real(folder):
    for processes in (1, 2):
        result = run(processes, os.path.join(PROGRAMS, "gaussian-elimination.yaml"), "-n", 37, "--header", "--repetitions", 2)
        expect(result.returncode == 0, "elimination on %d: %s" % (processes, result.stderr))
        for row in rows_of(result):
            check_row("elimination on %d" % processes, row, **elimination(processes, 37))
        result = run(processes, ALL_STEPS, "-n", 100, "--set", "K=3", "--header")
        expect(result.returncode == 0, "all steps on %d: %s" % (processes, result.stderr))
        for row in rows_of(result):
            check_row("all steps on %d" % processes, row, calls=32 * processes)
    # Twice the time per flop takes longer than a fiftieth of it, on any machine.
    times = []
    work = os.path.join(folder, "work.yaml")
    write(work, HEAD + "  - work: 1 flop*N\n")
    for time in ("1e-7", "2e-9"):
        row = rows_of(run(1, work, "-n", 200000, "--header", "--time-per-flop", time))[0]
        check_row("work", row, flop=200000)
        times.append(float(row["T"]))
    expect(times[0] > times[1], "work takes %g s and %g s" % tuple(times))


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check_refusals(folder):
    path = os.path.join(folder, "refused.yaml")
    waits = '  - receive: {from: "mod(rank+1, p)", bytes: 8 B}\n'
    for program, arguments, status, words in (
            (waits, (), 3, "refused.yaml:5:5: error: process 0 waits here forever: the message from process 1 is not sent"),
            ('  - sendrecv: {to: "mod(rank+1, p)", from: "mod(rank+1, p)", bytes: 8 B*(1+rank)}\n', (), 3,
             "receives 8 B here, and process"),
            ("  - bcast: {root: p, bytes: 8 B}\n", (), 3, "root must be a whole number from 0 to 1"),
            ("  - bcast: {root: 0, bytes: 4 GiB}\n", (), 5, "a message is above 2 GiB"),
            ("  - alltoall: {bytes: 1 GiB}\n", (), 5, "more than 1 GiB of room"),
            ("  - for: i = 1..1e8\n    do: [barrier]\n", (), 5, "more than 3e7 steps"),
            ("  - barrier\n", ("--set", "K=2"), 3, "'K'"),
            ("  - barrier\n", ("--set", "K=2", "--show-distribution"), 2, "--show-distribution is not an option of this program"),
            ("  - barrier\n", ("--set", "K=2") * 33, 2, "--set can be given 32 times at most"),
            ("  - barrier\n", ("--speeds", "1,2,3"), 2, "--speeds takes one positive number, or 2")):
        write(path, HEAD + program)
        result = run(2, path, "-n", 5, *arguments)
        expect(result.returncode == status, "%s: status %d, %s" % (program, result.returncode, result.stderr))
        expect(words in result.stderr, "%s: %s" % (program, result.stderr))
        expect(not rows_of(result), "%s: %s" % (program, result.stdout))
    result = run(1, os.path.join(folder, "missing.yaml"), "-n", 5)
    expect(result.returncode != 0 and "missing.yaml" in result.stderr, "missing: %s" % result.stderr)
    result = run(1, os.path.join(SOURCE, "specs", "algorithms", "jacobi-2d-textbook.yaml"), "-n", 5)
    expect(result.returncode == 3 and "there is no section program:" in result.stderr, "no program: %s" % result.stderr)


def write_platform(folder, processes):
    platform, hosts = os.path.join(folder, "platform%d.xml" % processes), os.path.join(folder, "hosts%d" % processes)
    zone = "".join('<host id="h%d" speed="1Gf"/>\n' % q for q in range(processes))
    routes = "".join('<route src="h%d" dst="h%d"><link_ctn id="switch"/></route>\n' % (q, r)
                     for q in range(processes) for r in range(q + 1, processes))
    write(platform, '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                    '<platform version="4.1"><zone id="all" routing="Full">\n%s'
                    '<link id="switch" bandwidth="125MBps" latency="20us" sharing_policy="FATPIPE"/>\n%s</zone></platform>\n'
          % (zone, routes))
    write(hosts, "".join("h%d\n" % q for q in range(processes)))
    return platform, hosts


def simulate(folder, processes, program, *arguments):
    platform, hosts = write_platform(folder, processes)
    return subprocess.run(["smpirun", "-np", str(processes), "-platform", platform, "-hostfile", hosts,
                           "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0", "--cfg=smpi/shared-malloc:global",
                           "--log=root.thresh:error", program, *map(str, arguments), "--header", "--warm-up", "0"],
                          capture_output=True, text=True, timeout=3600, cwd=folder)


def check_simulated(folder):
    for processes in (5, 12):
        result = simulate(folder, processes, SIMULATED, ALL_STEPS, "-n", 100, "--set", "K=3")
        expect(result.returncode == 0 and len(rows_of(result)) == 1, "simulated on %d: %s" % (processes, result.stderr[-800:]))
        for row in rows_of(result):
            check_row("all steps on %d simulated" % processes, row, calls=32 * processes)
    # The program that stands for a kernel takes the very time of the kernel.
    for name, kernel, processes, size in (("gaussian-elimination", "ge", 6, 60), ("jacobi-2d", "stencil", 6, 60),
                                          ("matrix-multiplication", "mm", 6, 61), ("convolution-2d", "conv2d", 6, 100),
                                          ("adding-numbers", "sum", 6, 100), ("summa", "summa", 6, 61),
                                          ("fft-2d-transpose", "fft_2d", 8, 2048), ("fft-3d-transpose", "fft_3d", 8, 2048),
                                          ("fft-binary-exchange", "fft_binary", 8, 2048)):
        step = rows_of(simulate(folder, processes, SIMULATED, os.path.join(PROGRAMS, name + ".yaml"), "-n", size))
        real = rows_of(simulate(folder, processes, KERNEL, kernel, "-n", size))
        expect(len(step) == 1 and len(real) == 1 and abs(float(step[0]["T"]) / float(real[0]["T"]) - 1) < 1e-3,
               "%s: %s, the kernel %s" % (name, step, real))


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_real(folder)
        check_refusals(folder)
        if SIMULATED is not None:
            check_simulated(folder)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
