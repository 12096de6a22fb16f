"""validate by each metric, on runs whose times are those of the formulas: T and what is held have no error, N' that of a trend line
between sizes, psi' that of N'; and psi of time-scale and latency is T/T', that of isospeed at its own sizes.

    test_validate_metrics.py ISOCAST
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ALGORITHM, MACHINE, SYSTEMS = "adding-numbers-textbook", "textbook", (1, 4, 8, 16)
T_C, T_S, T_W = 2, 25, 4
problems = []


def time_of(n, p):
    return T_C * n / p + math.log2(p) * (T_C + T_S + T_W)


def run(isocast, runs, *more):
    return subprocess.run([isocast, "validate", ALGORITHM, MACHINE, runs, "--format", "json", *more], capture_output=True, text=True)


def check(right, *what):
    if not right:
        problems.append(what)
        print(*what)


def size_that_holds(metric, target, p):
    """n at which n/(p T) or T(n, 1)/(p T) is the target: both rise with n."""
    low, high = 1.0, 1e9
    for _ in range(200):
        middle = math.sqrt(low * high)
        above = middle if metric == "isospeed" else T_C * middle
        low, high = (middle, high) if above / (p * time_of(middle, p)) < target else (low, middle)
    return low


def main():
    isocast = os.path.abspath(sys.argv[1])
    chance = random.Random(31)
    sizes = sorted({int(10 ** chance.uniform(1.5, 5)) for _ in range(30)})
    with tempfile.TemporaryDirectory() as folder:
        runs = os.path.join(folder, "runs.csv")
        for systems in (SYSTEMS, SYSTEMS[1:]):
            with open(runs, "w", encoding="utf-8") as file:
                file.write("system,N,T\n" + "".join(f"{p},{n},{time_of(n, p)!r}\n" for n in sizes for p in systems))
            for metric, option in (("isospeed-e", "--efficiency=0.5"), ("isospeed", "--speed=0.2flop/s"), ("latency", "--efficiency=0.5"),
                                   ("time-scale", "--efficiency=0.5"), ("isoefficiency", "--efficiency=0.5")):
                done = run(isocast, runs, "--metric", metric, option)
                if 1 not in systems and metric not in ("isospeed-e", "isospeed"):
                    check(done.returncode == 3 and "no run on one process" in done.stderr, metric, done.returncode, done.stderr)
                    continue
                check(done.returncode == 0, metric, done.returncode, done.stderr)
                result = json.loads(done.stdout)
                check(result["metric"] == metric and result["errors"]["E"]["max"] < 1e-9, metric, result["errors"])
                rows = {row["system"]: row for row in result["systems"]}
                held = {p: size_that_holds(metric, result["efficiency"], p) for p in SYSTEMS[1:]}
                for before, p in zip(SYSTEMS[1:], SYSTEMS[2:]):
                    row = rows[str(p)]
                    n, due = held[p], time_of(held[before], before) / time_of(held[p], p)
                    due = None if metric == "isoefficiency" else due
                    check(abs(row["N_predicted"] / n - 1) < 1e-6 and abs(row["N"] / n - 1) < 0.02, metric, p, row, n)
                    for name, tolerance in (("psi_predicted", 1e-6), ("psi", 0.03)):
                        psi = row[name]
                        check((psi is None) if due is None else abs(psi / due - 1) < tolerance, metric, p, name, psi, due)
    print(f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
