"""The prediction of Gaussian elimination on Sunwulf against an independent solution, and against the
figures published in Table 12 of [CSW] (Chen, Sun, Wu, JPDC 68 (2008) 1403-1412).

    test_published_table.py ISOCAST ROOT

Nothing here is taken from the program: T_o, t_c and the marked speeds are those of the article, and
the condition W/(T C) = W'/(T' C') is solved by bisection in decimal arithmetic of 40 digits.
"""
import csv
import io
import subprocess
import sys
from decimal import Decimal, getcontext

getcontext().prec = 40
D = Decimal

SERVER, SUNBLADE = D("20.88e6"), D("20.29e6")  # flop/s, one processor
T_C = D("3.1e-8")  # s per flop
BASE_NODES, BASE_N = 2, D(310)
NODES = [4, 8, 16, 32]
PUBLISHED = {4: 492, 8: 928, 16: 1683, 32: 3226}  # Table 12
PUBLISHED_DEVIATION_MAX = 0.037
TOLERANCE = 1e-9


def work(n):
    return D(2) / 3 * n**3 - n**2 / 2 - D(19) / 6 * n + 3


def marked_speed(nodes):
    """The server with two processors and a SunBlade for each further node."""
    return 2 * SERVER + (nodes - 1) * SUNBLADE


def time(n, nodes):
    """T = W t_c/p + T_bcast + 2 (p-1)(T_send + T_recv) + N (2 T_bcast + T_barrier), in s."""
    p = D(nodes + 1)
    bcast = D("0.12e-3") + D("0.23e-3") * p
    message = D("0.08e-3") + D("0.00003e-3") * n
    barrier = D("0.39e-3") * p
    return work(n) * T_C / p + bcast + 2 * (p - 1) * 2 * message + n * (2 * bcast + barrier)


def efficiency(n, nodes):
    return work(n) / (time(n, nodes) * marked_speed(nodes))


def solve(target, nodes):
    low, high = D(2), D(10)**6
    for _ in range(200):
        middle = (low + high) / 2
        if efficiency(middle, nodes) < target:
            low = middle
        else:
            high = middle
    return low


def predicted(program):
    command = [program, "predict", "gaussian-elimination-published", "sunwulf", "--base", "C2", "--at",
               "N=310", "--to", ",".join(f"C{n}" for n in NODES), "--format", "csv"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def main():
    rows = predicted(sys.argv[1])
    failures = 0 if len(rows) == len(NODES) else 1
    target = efficiency(BASE_N, BASE_NODES)
    before = (marked_speed(BASE_NODES), work(BASE_N))
    base = before
    print(f"target E = {float(target):.9f}")
    for nodes, row in zip(NODES, rows):
        n = solve(target, nodes)
        here = (marked_speed(nodes), work(n))
        due = {
            "p": D(nodes + 1),
            "C": here[0],
            "N": n,
            "W": here[1],
            "T": time(n, nodes),
            "E": target,
            "psi": here[0] * before[1] / (before[0] * here[1]),
            "psi_from_base": here[0] * base[1] / (base[0] * here[1]),
        }
        before = here
        for name, value in due.items():
            error = abs(float(row[name]) / float(value) - 1)
            if error > TOLERANCE:
                failures += 1
                print(f"C{nodes}: {name} is {row[name]}, due is {float(value):.12g} (off by {error:.1e})")
        deviation = float(row["N"]) / PUBLISHED[nodes] - 1
        failures += abs(deviation) > PUBLISHED_DEVIATION_MAX
        print(f"C{nodes}: N' = {float(row['N']):.4f}, own solution {float(n):.4f}, "
              f"published {PUBLISHED[nodes]}: {100 * deviation:+.2f} %")
    return 1 if failures else 0


sys.exit(main())
