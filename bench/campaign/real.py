"""Predictions against runs of this machine: sizes drawn at random, calibrations and runs in turns, errors of T.

Every step is kept in the folder as it ends, so that the next call goes on behind it.
"""

import csv
import json
import math
import os
import random
import statistics
import time

from campaign.command import ALGORITHMS

# N of the kernels: from where a run takes a tenth of a millisecond to where one takes about a second on a processor of
# 10 Gflop/s.
RANGES = {"ge": (128, 2048), "mm": (128, 2560), "conv2d": (128, 2048), "stencil": (128, 2048)}
# Sizes that the algorithm's specification is valid for: (multiples of, factors).
VALID = {"conv2d": (32, (2, 3, 5))}
# Mean error of T that is aimed at.
LIMITS = {"ge": 0.06, "mm": 0.06, "conv2d": 0.08, "stencil": 0.08}


def is_valid(kernel, N):
    multiple, factors = VALID.get(kernel, (1, ()))
    rest = N
    for factor in factors:
        while rest % factor == 0:
            rest //= factor
    return N % multiple == 0 and (rest == 1 or not factors)


def draw(kernel, count, seed):
    """So many different sizes, evenly spread in ln N; of those that the algorithm is valid for."""
    least, most = RANGES[kernel]
    allowed = [N for N in range(least, most + 1) if is_valid(kernel, N)]
    generator = random.Random("%d %s" % (seed, kernel))
    chosen = set()
    while len(chosen) < min(count, len(allowed)):
        wanted = math.exp(generator.uniform(math.log(least), math.log(most)))
        chosen.add(min(allowed, key=lambda N: abs(math.log(N / wanted))))
    return sorted(chosen)


class Plan:
    """What is to be done, in order: after each calibration its part of the repetitions."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.sizes = {kernel: draw(kernel, arguments.sizes, arguments.seed) for kernel in arguments.kernels}

    def path(self, name):
        return os.path.join(self.arguments.output, name)

    def machine(self, number):
        return self.path("calibration-%d.yaml" % number)

    def runs(self, kernel):
        return self.path("runs-%s.csv" % kernel)

    def steps(self):
        """("calibrate", number) and ("measure", kernel, repetitions up to then)."""
        done = 0
        for number in range(1, self.arguments.calibrations + 1):
            yield "calibrate", number
            until = round(self.arguments.repetitions * number / self.arguments.calibrations)
            for repetition in range(done + 1, until + 1):
                for kernel in self.sizes:
                    yield "measure", kernel, repetition
            done = until

    def is_done(self, step):
        if step[0] == "calibrate":
            return os.path.exists(self.machine(step[1]))
        wanted = {(p, N) for p in self.arguments.processes for N in self.sizes[step[1]]}
        return wanted <= {(row["p"], row["N"]) for row in self.rows(step[1]) if row["repetition"] == step[2] - 1}

    def rows(self, kernel):
        """Rows of the runs that belong to the plan."""
        if not os.path.exists(self.runs(kernel)):
            return []
        with open(self.runs(kernel), encoding="utf-8", newline="") as file:
            found = [{"p": int(row["p"]), "N": int(row["N"]), "repetition": int(row["repetition"]), "T": float(row["T"])}
                     for row in csv.DictReader(file)]
        return [row for row in found if row["p"] in self.arguments.processes and row["N"] in self.sizes[kernel]]

    def do(self, step, isocast):
        processes = ",".join(map(str, self.arguments.processes))
        if step[0] == "calibrate":
            isocast.run("calibrate", "--budget", "%gs" % self.arguments.budget, "--processes", processes, "--seed",
                        self.arguments.seed + step[1], "--name", "this-machine", "-o", self.machine(step[1]), "-q")
            return
        _, kernel, repetitions = step
        isocast.run("measure", kernel, "--machine", self.machine(1), "--systems", processes, "--sizes",
                    ",".join(map(str, self.sizes[kernel])), "--repetitions", repetitions, "--seed",
                    self.arguments.seed + repetitions, "-o", self.runs(kernel), "-q")


def carry_out(plan, isocast, report):
    """Does what is not done yet, until the time is over. How many steps are left."""
    started = time.monotonic()
    left = [step for step in plan.steps() if not plan.is_done(step)]
    count = len(left)
    while left and time.monotonic() - started < plan.arguments.within:
        report("step %d of %d: %s" % (count - len(left) + 1, count, " ".join(map(str, left[0]))))
        plan.do(left.pop(0), isocast)
    return len(left)


def spread_of(times):
    """How far a run is from the median of the others, on average, relative. What no prediction can be better than."""
    others = [times[:k] + times[k + 1:] for k in range(len(times))]
    return statistics.mean(abs(T / statistics.median(rest) - 1) for T, rest in zip(times, others)) if len(times) > 1 else None


def share_inside(times, row):
    """Of the runs, those whose T, and so E = W/(T C), is in the interval of the prediction; None: it has none."""
    return statistics.mean(row["T_low"] <= T <= row["T_high"] for T in times) if row["T_low"] is not None else None


def points(plan, isocast):
    """One for each kernel, p and N: errors by calibration, the spread of its runs, the term that is most off."""
    found = {}
    for kernel in plan.sizes:
        times = {}
        for row in plan.rows(kernel):
            times.setdefault((row["p"], row["N"]), []).append(row["T"])
        for number in range(1, plan.arguments.calibrations + 1):
            document = json.loads(isocast.run("explain", ALGORITHMS[kernel], plan.machine(number), "--runs",
                                              plan.runs(kernel), "--format", "json", "-q"))
            for row in document["rows"]:
                key = kernel, row["p"], row["N"]
                if key[1:] not in times:
                    continue
                point = found.setdefault(key, {"kernel": kernel, "p": row["p"], "N": row["N"], "T": row["T"],
                                               "runs": len(times[key[1:]]), "spread": spread_of(times[key[1:]]),
                                               "errors": [], "parts": [], "inside": []})
                point["errors"].append(row["T_error"])
                point["inside"].append(share_inside(times[key[1:]], isocast.predict_at(
                    kernel, plan.machine(number), str(row["p"]), row["N"])))
                point["parts"].append({part["part"]: part["off"] for part in row["parts"]})
    for point in found.values():
        off = {part: statistics.mean(each[part] for each in point["parts"]) for part in point["parts"][0]}
        point["term"] = max(off, key=lambda part: abs(off[part]))
        point["off"] = off[point["term"]]
        del point["parts"]
    return [found[key] for key in sorted(found, key=lambda key: (list(plan.sizes).index(key[0]), *key[1:]))]
