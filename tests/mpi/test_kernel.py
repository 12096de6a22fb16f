#!/usr/bin/env python3
"""Runs the kernels under mpiexec: right results for odd sizes and uneven speeds, honest refusals.

    test_kernel.py KERNEL FAULTS

FAULTS is a library that makes results wrong when it is preloaded.
"""

import csv
import io
import math
import os
import shutil
import subprocess
import sys

KERNEL, FAULTS = sys.argv[1:3]
MPIEXEC = os.environ.get("MPIEXEC") or shutil.which("mpiexec.mpich") or "mpiexec"
KERNELS = {"ge": "gaussian-elimination", "mm": "matrix-multiplication", "conv2d": "convolution-2d", "summa": "summa",
           "stencil": "jacobi-2d", "lcs": "longest-common-subsequence"}
# Those that deal out blocks of a grid, of one size at any speeds.
ON_A_GRID = ("summa", "stencil")
# Powers of two alone, each with what it does on p processes, for each point.
TRANSFORMS = {"fft_binary": ("fft-binary-exchange", 0), "fft_2d": ("fft-2d-transpose", 6), "fft_3d": ("fft-3d-transpose", 12)}
problems = []


def run(processes, *arguments):
    return subprocess.run(
        [MPIEXEC, "-n", str(processes), KERNEL, *map(str, arguments)],
        capture_output=True, text=True, timeout=3600)


def rows_of(result):
    return list(csv.DictReader(io.StringIO(result.stdout)))


def expect(condition, what):
    if not condition:
        problems.append(what)


def flops(kernel, n):
    """What a kernel does, by its closed form."""
    if kernel == "ge":
        return 2 / 3 * n**3 + 3 / 2 * n**2 - 7 / 6 * n
    if kernel in ("mm", "summa"):
        return 2 * n**3
    if kernel == "stencil":
        return 100 * 4 * n**2
    if kernel == "lcs":
        return 3 * n**2
    return 66 * n**2 * math.log2(n) + 21 * n**2 + 84 * n * math.log2(n)


def check_results():
    for kernel, algorithm in KERNELS.items():
        for processes, speeds in ((1, "1"), (2, "1,1"), (2, "1,3.7"), (2, "20.88,0.5")):
            for size in (1, 2, 17, 201):
                result = run(processes, kernel, "-n", size, "--header", "--repetitions", 2,
                             "--speeds", speeds, "--system", "S", "--machine", "M")
                name = "%s N = %d on %d (%s)" % (kernel, size, processes, speeds)
                expect(result.returncode == 0, name + ": " + result.stderr)
                rows = rows_of(result)
                expect(len(rows) == 2, name + ": %d rows" % len(rows))
                for row in rows:
                    expect(row["algorithm"] == algorithm, name + ": " + row["algorithm"])
                    expect(float(row["residual"]) <= 1e-13, name + ": residual " + row["residual"])
                    expect(float(row["T"]) > 0 and int(row["p"]) == processes, name + ": %s" % row)
                    phases = sum(float(row[c]) for c in row if c.startswith("T_"))
                    expect(abs(phases - float(row["T"])) <= 1e-6 * float(row["T"]), name + ": the phases add up to %g" % phases)
                    expect(abs(float(row["flop"]) - flops(kernel, size)) <= 1e-9 * flops(kernel, size),
                           name + ": %s flop" % row["flop"])


def check_transforms():
    for kernel, (algorithm, factors) in TRANSFORMS.items():
        for processes in (1, 2):
            for size in (4, 8, 64, 512, 16384):
                result = run(processes, kernel, "-n", size, "--header", "--repetitions", 2)
                name = "%s N = %d on %d" % (kernel, size, processes)
                rows = rows_of(result)
                expect(result.returncode == 0 and len(rows) == 2, name + ": " + result.stderr)
                due = 5 * size * math.log2(size) + (factors * size if processes > 1 else 0)
                for row in rows:
                    expect(row["algorithm"] == algorithm, name + ": " + row["algorithm"])
                    expect(float(row["residual"]) <= 1e-15, name + ": residual " + row["residual"])
                    expect(float(row["flop"]) == due, name + ": %s flop, %g are due" % (row["flop"], due))
        for processes, size, words in ((1, 12, "powers of two"), (2, 12, "powers of two")):
            result = run(processes, kernel, "-n", size)
            expect(result.returncode == 2 and words in result.stderr and result.stdout == "",
                   "%s N = %d: %d, %r" % (kernel, size, result.returncode, result.stderr))
    result = run(2, "fft_2d", "-n", 2)
    expect(result.returncode == 2 and "larger N" in result.stderr, "fft_2d N = 2 on 2: %r" % result.stderr)


def check_sum():
    for processes, speeds in ((1, "1"), (2, "1,1"), (2, "1,3.7")):
        for size in (1, 2, 17, 1000, 123457):
            result = run(processes, "sum", "-n", size, "--header", "--speeds", speeds)
            name = "sum N = %d on %d (%s)" % (size, processes, speeds)
            rows = rows_of(result)
            expect(result.returncode == 0 and len(rows) == 1, name + ": " + result.stderr)
            expect(rows and float(rows[0]["residual"]) <= 1e-15 and float(rows[0]["flop"]) == size, name + ": %s" % rows)


def check_independence():
    """Who owns a row does not change an elimination's arithmetic: the rounding errors are the same to the digit."""
    for size in (17, 64, 201):
        residuals = set()
        for processes, speeds in ((1, "1"), (2, "1,1"), (2, "1,3.7"), (2, "1e-6,1")):
            result = run(processes, "ge", "-n", size, "--speeds", speeds, "--seed", 5)
            residuals.add(result.stdout.strip().rsplit(",", 1)[-1])
        expect(len(residuals) == 1, "N = %d: residuals %s" % (size, sorted(residuals)))
    for kernel in KERNELS:
        if kernel == "lcs":  # whole numbers, without rounding errors
            continue
        one = run(1, kernel, "-n", 64, "--seed", 5).stdout.rsplit(",", 1)[-1]
        other = run(1, kernel, "-n", 64, "--seed", 6).stdout.rsplit(",", 1)[-1]
        expect(one != other, kernel + ": the seed changes nothing")


def check_rows():
    result = run(2, "ge", "-n", 8, "--repetitions", 3, "--first-repetition", 4, "--no-verify")
    rows = result.stdout.splitlines()
    expect([row.split(",")[5] for row in rows] == ["4", "5", "6"], "repetitions: %s" % rows)
    expect(all(row.endswith(",") for row in rows), "a residual nobody asked for: %s" % rows)
    listed = subprocess.run([KERNEL, "--list"], capture_output=True, text=True).stdout
    for kernel, algorithm in KERNELS.items():
        expect("%s\t%s\t" % (kernel, algorithm) in listed, "--list says %r" % listed)


def check_wrong_results():
    """A wrong result is an error, and gives no row."""
    for kernel in KERNELS:
        for size in (16, 100):
            # One process alone sends nothing in lcs.
            processes = "2" if kernel == "lcs" else "1"
            result = subprocess.run([MPIEXEC, "-n", processes, "env", "LD_PRELOAD=" + FAULTS, KERNEL, kernel, "-n",
                                     str(size)], capture_output=True, text=True, timeout=3600)
            name = "%s N = %d with a fault" % (kernel, size)
            expect(result.returncode == 1, name + ": exit status %d" % result.returncode)
            expect("wrong result" in result.stderr, name + ": %r" % result.stderr)
            expect(result.stdout == "", name + ": a row: %r" % result.stdout)


def check_full_disk():
    with open("/dev/full", "w") as full:
        result = subprocess.run([KERNEL, "ge", "-n", "8"], stdout=full, stderr=subprocess.PIPE,
                                text=True)
    expect(result.returncode == 5, "full disk: exit status %d" % result.returncode)
    expect("cannot write" in result.stderr, "full disk: %r" % result.stderr)


def check_distribution():
    """Rows in proportion to speed, to within one."""
    for kernel in ON_A_GRID:
        for processes in (1, 2, 4):
            rows = rows_of(run(processes, kernel, "-n", 101, "--show-distribution"))
            expect(sum(int(row["rows"]) * int(row["columns"]) for row in rows) == 101**2 and len(rows) == processes,
                   "%s on %d: %s" % (kernel, processes, rows))
    for kernel in (kernel for kernel in KERNELS if kernel not in ON_A_GRID):
        for speeds in ("1,1", "1,3", "36.45,20.29"):
            result = run(2, kernel, "-n", 1000, "--show-distribution", "--speeds", speeds)
            rows = rows_of(result)
            total = sum(float(row["speed"]) for row in rows)
            expect(sum(int(row["rows"]) for row in rows) == 1000, "rows are lost: " + result.stdout)
            for row in rows:
                share = 1000 * float(row["speed"]) / total
                expect(abs(int(row["rows"]) - share) <= 1, "%s: share %g: %s" % (speeds, share, row))


def check_refusals():
    cases = (
        (("ge", "-n", 2000000), 5, "GB"),
        (("mm", "-n", 2000000), 5, "GB"),
        (("conv2d", "-n", 2000000), 5, "GB"),
        (("none", "-n", 10), 2, "there is no kernel 'none'; known are: ge, mm, conv2d"),
        (("-n", 10), 2, "name a kernel; known are: ge"),
        (("ge", "-n", "ten"), 2, "not 'ten'"),
        (("ge", "-n", -3), 2, "not '-3'"),
        (("ge", "-n", "99999999999999999999"), 2, "not '99999999999999999999'"),
        (("ge", "-n", 10, "--what"), 2, "--what"),
        (("ge", "-n", 10, "--compute", "modelled"), 2, "only a simulation"),
        (("ge", "-n", 10, "--compute", "sometimes"), 2, "real or modelled"),
        (("ge", "-n", 10, "--speeds", "1,2,3"), 2, "--speeds takes one positive number, or 2"),
        (("ge", "-n", 10, "--speeds", "1e308,1e308"), 2, "--speeds takes a number above 0"),
        (("ge", "-n", 10, "--speeds", "nan,1"), 2, "--speeds takes a number above 0"),
        (("ge", "-n", 10, "--speeds", "1,-1"), 2, "--speeds takes a number above 0"),
        (("ge", "-n", 0), 2, "N = 0"),
        (("ge", "-n", 3000000000), 2, "N = 3000000000"),
        (("ge",), 2, "the problem size is missing"),
    )
    for arguments, status, words in cases:
        result = run(2, *arguments)
        expect(result.returncode == status, "%s: exit status %d" % (arguments, result.returncode))
        expect(words in result.stderr, "%s says %r" % (arguments, result.stderr))


check_results()
check_transforms()
check_sum()
check_independence()
check_rows()
check_wrong_results()
check_full_disk()
check_distribution()
check_refusals()
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
