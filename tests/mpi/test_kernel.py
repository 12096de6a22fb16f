#!/usr/bin/env python3
"""Runs the kernels under mpiexec: right results for odd sizes and uneven speeds, honest refusals."""

import csv
import io
import shutil
import subprocess
import sys

KERNEL = sys.argv[1]
MPIEXEC = shutil.which("mpiexec.mpich") or "mpiexec"
problems = []


def run(processes, *arguments):
    return subprocess.run(
        [MPIEXEC, "-n", str(processes), KERNEL, *map(str, arguments)],
        capture_output=True, text=True, timeout=120)


def expect(condition, what):
    if not condition:
        problems.append(what)


def check_results():
    for processes, speeds in ((1, "1"), (2, "1,1"), (2, "1,3.7"), (2, "20.88,0.5")):
        for size in (1, 2, 3, 17, 64, 201):
            result = run(processes, "ge", "-n", size, "--header", "--repetitions", 2,
                         "--speeds", speeds, "--system", "S", "--machine", "M")
            name = "ge N = %d on %d (%s)" % (size, processes, speeds)
            expect(result.returncode == 0, name + ": " + result.stderr)
            rows = list(csv.DictReader(io.StringIO(result.stdout)))
            expect(len(rows) == 2, name + ": %d rows" % len(rows))
            for row in rows:
                expect(float(row["residual"]) <= 1e-13, name + ": residual " + row["residual"])
                expect(float(row["T"]) > 0 and int(row["p"]) == processes, name + ": %s" % row)
                phases = sum(float(row[c]) for c in row if c.startswith("T_"))
                expect(phases >= float(row["T"]) * 0.999, name + ": phases are less than T")


def check_independence():
    """Who owns a row does not change its arithmetic: the rounding errors are the same to the digit."""
    for size in (17, 64, 201):
        residuals = set()
        for processes, speeds in ((1, "1"), (2, "1,1"), (2, "1,3.7"), (2, "1e-6,1")):
            result = run(processes, "ge", "-n", size, "--speeds", speeds, "--seed", 5)
            residuals.add(result.stdout.strip().rsplit(",", 1)[-1])
        expect(len(residuals) == 1, "N = %d: residuals %s" % (size, sorted(residuals)))
    one = run(1, "ge", "-n", 64, "--seed", 5).stdout.rsplit(",", 1)[-1]
    other = run(1, "ge", "-n", 64, "--seed", 6).stdout.rsplit(",", 1)[-1]
    expect(one != other, "the seed changes nothing")


def check_rows():
    result = run(2, "ge", "-n", 8, "--repetitions", 3, "--first-repetition", 4, "--no-verify")
    rows = result.stdout.splitlines()
    expect([row.split(",")[5] for row in rows] == ["4", "5", "6"], "repetitions: %s" % rows)
    expect(all(row.endswith(",") for row in rows), "a residual nobody asked for: %s" % rows)
    listed = subprocess.run([KERNEL, "--list"], capture_output=True, text=True).stdout
    expect("ge\tgaussian-elimination\t" in listed, "--list says %r" % listed)


def check_full_disk():
    with open("/dev/full", "w") as full:
        result = subprocess.run([KERNEL, "ge", "-n", "8"], stdout=full, stderr=subprocess.PIPE,
                                text=True)
    expect(result.returncode == 5, "full disk: exit status %d" % result.returncode)
    expect("cannot write" in result.stderr, "full disk: %r" % result.stderr)


def check_distribution():
    """Rows in proportion to speed, to within one."""
    for speeds in ("1,1", "1,3", "36.45,20.29"):
        result = run(2, "ge", "-n", 1000, "--show-distribution", "--speeds", speeds)
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        total = sum(float(row["speed"]) for row in rows)
        expect(sum(int(row["rows"]) for row in rows) == 1000, "rows are lost: " + result.stdout)
        for row in rows:
            share = 1000 * float(row["speed"]) / total
            expect(abs(int(row["rows"]) - share) <= 1, "%s: share %g: %s" % (speeds, share, row))


def check_refusals():
    cases = (
        (("ge", "-n", 2000000), 5, "GB"),
        (("none", "-n", 10), 2, "there is no kernel 'none'; known are: ge"),
        (("-n", 10), 2, "name a kernel; known are: ge"),
        (("ge", "-n", "ten"), 2, "'ten' is no whole number"),
        (("ge", "-n", -3), 2, "'-3' is no whole number"),
        (("ge", "-n", "99999999999999999999"), 2, "is no whole number"),
        (("ge", "-n", 10, "--what"), 2, "--what"),
        (("ge", "-n", 10, "--speeds", "1,2,3"), 2, "--speeds needs 2 positive numbers"),
        (("ge", "-n", 10, "--speeds", "1e308,1e308"), 2, "--speeds needs 2 positive numbers"),
        (("ge", "-n", 10, "--speeds", "nan,1"), 2, "--speeds needs 2 positive numbers"),
        (("ge", "-n", 10, "--speeds", "1"), 2, "--speeds needs 2 positive numbers"),
        (("ge", "-n", 10, "--speeds", "1,-1"), 2, "--speeds needs 2 positive numbers"),
        (("ge", "-n", 0), 2, "N = 0"),
        (("ge", "-n", 3000000000), 2, "N = 3000000000"),
        (("ge",), 2, "the problem size is missing"),
    )
    for arguments, status, words in cases:
        result = run(2, *arguments)
        expect(result.returncode == status, "%s: exit status %d" % (arguments, result.returncode))
        expect(words in result.stderr, "%s says %r" % (arguments, result.stderr))


check_results()
check_independence()
check_rows()
check_full_disk()
check_distribution()
check_refusals()
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
