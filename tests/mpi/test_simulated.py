#!/usr/bin/env python3
"""Runs the kernels with many simulated processes: right results with real computation, and the same simulated time
where the arithmetic is modelled only.

    test_simulated.py KERNEL
"""

import csv
import io
import os
import subprocess
import sys
import tempfile

KERNEL = sys.argv[1]
SPEEDS = (20.88e6, 20.29e6, 36.45e6, 3e6)
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def write_platform(folder, processes):
    """Hosts of uneven speed on one switch; in both files process q is on host q."""
    platform = os.path.join(folder, "platform%d.xml" % processes)
    hosts = os.path.join(folder, "hosts%d" % processes)
    with open(platform, "w") as file:
        file.write('<?xml version="1.0"?>\n'
                   '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
                   '<platform version="4.1"><zone id="all" routing="Full">\n')
        for q in range(processes):
            file.write('<host id="h%d" speed="%gf"/>\n' % (q, SPEEDS[q % len(SPEEDS)]))
        file.write('<link id="switch" bandwidth="12.5MBps" latency="50us" sharing_policy="FATPIPE"/>\n')
        for q in range(processes):
            for r in range(q + 1, processes):
                file.write('<route src="h%d" dst="h%d"><link_ctn id="switch"/></route>\n' % (q, r))
        file.write("</zone></platform>\n")
    with open(hosts, "w") as file:
        file.write("".join("h%d\n" % q for q in range(processes)))
    return platform, hosts


def run(folder, processes, *arguments):
    platform, hosts = write_platform(folder, processes)
    speeds = ",".join("%g" % SPEEDS[q % len(SPEEDS)] for q in range(processes))
    command = ["smpirun", "-np", str(processes), "-platform", platform, "-hostfile", hosts,
               "--cfg=smpi/simulate-computation:no", "--cfg=smpi/shared-malloc:global",
               "--cfg=smpi/coll-selector:mpich", "--log=root.thresh:error",
               KERNEL, *map(str, arguments), "--speeds", speeds, "--header"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=3600, cwd=folder)
    rows = [line for line in result.stdout.splitlines() if "," in line]
    return result, list(csv.DictReader(io.StringIO("\n".join(rows))))


def check(folder, kernel, processes, size):
    name = "%s N = %d on %d simulated processes" % (kernel, size, processes)
    result, rows = run(folder, processes, kernel, "-n", size, "--compute", "real")
    expect(result.returncode == 0, "%s: %s" % (name, result.stderr[-500:]))
    if not rows:
        expect(False, name + ": no row: " + result.stdout + result.stderr)
        return
    expect(float(rows[0]["residual"]) <= 1e-13, name + ": residual " + rows[0]["residual"])
    modelled_result, modelled = run(folder, processes, kernel, "-n", size)
    expect(bool(modelled), name + " modelled: " + modelled_result.stderr[-500:])
    if modelled:
        expect(modelled[0]["T"] == rows[0]["T"],
               "%s: T = %s s, modelled %s s" % (name, rows[0]["T"], modelled[0]["T"]))
        expect(modelled[0]["flop"] == rows[0]["flop"], name + ": flop " + modelled[0]["flop"])
        T = float(modelled[0]["T"])
        phases = sum(float(value) for column, value in modelled[0].items() if column.startswith("T_"))
        expect(abs(phases - T) <= 1e-6 * T, "%s: the phases add up to %g s of %g s" % (name, phases, T))
        expect(modelled[0]["residual"] == "", name + ": modelled, but verified")


with tempfile.TemporaryDirectory() as folder:
    for kernel in ("ge", "mm", "conv2d", "summa", "stencil", "lcs"):
        dealt = kernel in ("ge", "mm", "conv2d")
        for processes in (3, 8, 33) if dealt else (4, 6, 16):
            for size in (1, 7, 101) if dealt else (2, 130):
                check(folder, kernel, processes, size)
        # Large enough that nothing could be computed, or held in memory, in the time of a test.
        if kernel != "ge":
            result, rows = run(folder, 33, kernel, "-n", 20000)
            expect(len(rows) == 1 and float(rows[0]["T"]) > (1000 if dealt or kernel == "summa" else 1), kernel + " N = 20000: " + result.stderr[-500:])
            # More than any machine could hold: no array is looked at. Blocks of summa are at most messages of 2 GiB.
            size = 90000 if kernel == "summa" else 200000
            result, rows = run(folder, 36 if kernel == "summa" else 33, kernel, "-n", size)
            expect(len(rows) == 1 and float(rows[0]["T"]) > (1e5 if dealt else 100), "%s N = %d: %s" % (kernel, size, result.stderr[-500:]))
    for processes, size in ((4, 16), (4, 2048), (8, 64), (8, 8192), (16, 256), (16, 1024)):
        for kernel in ("fft_binary", "fft_2d", "fft_3d"):
            check(folder, kernel, processes, size)
    for processes, size in ((4, 1), (8, 1000), (16, 37)):
        check(folder, "sum", processes, size)
    for kernel in ("fft_binary", "fft_2d", "fft_3d"):
        result, rows = run(folder, 32, kernel, "-n", 2**30)
        expect(len(rows) == 1 and float(rows[0]["T"]) > 10, kernel + " N = 2^30: " + result.stderr[-500:])
        result, rows = run(folder, 6, kernel, "-n", 4096)
        expect(result.returncode != 0 and "powers of two" in result.stderr, kernel + " on 6: " + result.stderr[-500:])
    result, rows = run(folder, 3, "conv2d", "-n", 300000)
    expect(result.returncode != 0 and "messages too large" in result.stderr, "blocks over 2 GiB: " + result.stderr[-500:])
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
