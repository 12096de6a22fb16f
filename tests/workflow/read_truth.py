#!/usr/bin/env python3
"""Draws random curves E(N) and compares the N that isocast scalability reads with the truth.

    read_truth.py ISOCAST [CURVES]    prints a table: errors of N by noise; several programs may be compared
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

C = 1e9


def curve(draw):
    """E(N): saturating, with a hump, or with a step as of a cache."""
    kind = draw.choice(["saturating", "saturating", "hump", "step"])
    ceiling, half, power = draw.uniform(0.6, 1.1), 10 ** draw.uniform(2.2, 3.2), draw.uniform(0.5, 2.2)

    def E(N):
        value = ceiling / (1 + (half / N) ** power)
        if kind == "hump":
            return value * (1 - 0.4 / (1 + (6 * half / N) ** 4))
        return value * (1 - 0.25 / (1 + (2 * half / N) ** 12)) if kind == "step" else value

    return E


def sizes(draw):
    count = draw.randint(3, 20)
    if draw.random() < 0.5:
        factor = 2 if count <= 10 else 1.3
        return [round(64 * factor ** k) for k in range(count)]
    step = draw.choice([50, 100, 200])
    return [step * (k + 1) for k in range(count)]


def solutions(E, wanted, least, most):
    points = [least * (most / least) ** (k / 2000) for k in range(2001)]
    found = []
    for a, b in zip(points, points[1:]):
        if (E(a) < wanted) != (E(b) < wanted):
            found.append((a * b) ** 0.5)
    return found


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    print("| noise | curves | with an N | mean error, % | 90th percentile, % | worst, % | all solutions, % of curves |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "cube.yaml")
        with open(work, "w", encoding="utf-8") as file:
            file.write("algorithm: cube\nsize: {N: {min: 1}}\nwork: N^3\n")
        for noise in (0, 0.01, 0.02, 0.05):
            draw = random.Random(17)
            errors, tried, right = [], 0, 0
            while tried < count:
                E, N = curve(draw), sizes(draw)
                best = max(E(n) for n in N)
                wanted = E(N[0]) + (best - E(N[0])) * draw.uniform(0.1, 0.9)
                due = solutions(E, wanted, N[0], N[-1])
                if not due:
                    continue
                tried += 1
                runs = os.path.join(folder, "runs.csv")
                with open(runs, "w", encoding="utf-8") as file:
                    file.write("system,C,N,T\n")
                    for n in N:
                        file.write(f"a,{C:g},{n},{n ** 3 / (E(n) * math.exp(draw.gauss(0, noise)) * C)!r}\n")
                done = subprocess.run([program, "scalability", runs, "--work", work, "--efficiency", repr(wanted),
                                       "--format", "json"], stdout=subprocess.PIPE, check=False)
                row = json.loads(done.stdout)["rows"][0]
                read = [c["N"] for c in row["crossings"]] if "crossings" in row else [row["N"]] if row["N"] else []
                right += len(read) == len(due)
                if read:
                    errors.append(abs(math.log(read[0] / due[0])))
            errors.sort()
            print(f"| {100 * noise:.0f} % | {tried} | {len(errors)} | {100 * sum(errors) / len(errors):.1f} | "
                  f"{100 * errors[int(0.9 * len(errors))]:.1f} | {100 * errors[-1]:.0f} | {100 * right / tried:.0f} |")


main()
