"""Scalability computed from the published measurements of Sunwulf against an independent calculation
and against the figures of [CSW] (Chen, Sun, Wu, JPDC 68 (2008) 1403-1412).

    test_scalability.py ISOCAST ROOT

What N the printed tables read at E = 0.3 was found with least squares elsewhere; psi is computed here
from W(N) and C. Table 6 prints 0.290505 as 0.290, so a little more than half a digit is let pass there.
"""
import csv
import io
import json
import math
import os
import subprocess
import sys

READ_AT = {1: [304.9, 474.4], 2: [287.2, 456.6], 3: [288.2, 457.1]}  # degree: N on C2, C4
TABLE_6 = [0.445, 0.198, 0.383, 0.290]

WORKS = {
    "gaussian-elimination-published": lambda n: 2 / 3 * n**3 - n**2 / 2 - 19 / 6 * n + 3,
    "matrix-multiplication": lambda n: 2 * n**3,
    "convolution-2d": lambda n: 66 * n**2 * math.log2(n) + 21 * n**2 + 84 * n * math.log2(n),
}


def rows_of(program, *arguments):
    done = subprocess.run([program, "scalability", *arguments, "--format", "json"],
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)["rows"]


def reading_problems(program, runs):
    problems = []
    for degree, due in READ_AT.items():
        rows = rows_of(program, runs, "--work", "gaussian-elimination", "--efficiency", "0.3",
                       "--degree", str(degree))
        for row, N in zip(rows, due, strict=True):
            if abs(row["N"] - N) > 0.1:
                problems.append(f"degree {degree}, {row['system']}: N is {row['N']}, due is {N}")
            if not row["N_low"] < row["N"] < row["N_high"]:
                problems.append(f"degree {degree}, {row['system']}: N is not within its interval")
    return problems


def psi_problems(program, path, work):
    """psi and W of a list against W(N) and C as they stand in the file."""
    with open(path, encoding="utf-8") as file:
        text = "".join(line for line in file if not line.startswith("#"))
    listed = [(row["system"], float(row["C"]), float(row["N"]))
              for row in csv.DictReader(io.StringIO(text))]
    rows = rows_of(program, path, "--work", work)
    problems = []
    if [row["system"] for row in rows] != [system for system, _, _ in listed]:
        problems.append(f"{path}: the rows are {[row['system'] for row in rows]}")
    W = WORKS[work]
    if rows[0]["psi"] is not None or rows[0]["psi_from_base"] is not None:
        problems.append(f"{path}: the first row has a psi")
    product = 1
    for (_, C, N), (_, C_to, N_to), row in zip(listed, listed[1:], rows[1:]):
        psi = C_to * W(N) / (C * W(N_to))
        product *= psi
        for name, due in (("psi", psi), ("psi_from_base", product), ("W", W(N_to))):
            if abs(row[name] - due) > 1e-12 * due:
                problems.append(f"{path}, {row['system']}: {name} is {row[name]}, due is {due}")
    return problems


def table_problems(program, path):
    rows = rows_of(program, path, "--work", "gaussian-elimination-published")
    return [f"Table 6, {row['system']}: psi is {row['psi']}, printed is {due}"
            for row, due in zip(rows[1:], TABLE_6, strict=True)
            if abs(row["psi"] - due) > 0.0006]


def main():
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    runs = os.path.join(root, "specs", "runs", "sunwulf-")
    problems = reading_problems(program, runs + "gaussian-elimination.csv")
    elimination = runs + "gaussian-elimination-sizes.csv"
    problems += table_problems(program, elimination)
    problems += psi_problems(program, elimination, "gaussian-elimination-published")
    problems += psi_problems(program, runs + "matrix-multiplication-sizes.csv",
                             "matrix-multiplication")
    problems += psi_problems(program, os.path.join(root, "tests", "cli", "files", "conv-sizes.csv"),
                             "convolution-2d")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
