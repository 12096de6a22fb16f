#!/usr/bin/env python3
"""bench/validate-real: a short campaign is complete, is kept, and goes on; its figures are those of its runs."""

import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

from common import ISOCAST, MACHINE, SOURCE, expect, finish, write

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "bench"))
from campaign import real, real_report  # noqa: E402

COMMAND = os.path.join(SOURCE, "bench", "validate-real")


def campaign(folder, *arguments, status=0, words=""):
    result = subprocess.run([sys.executable, COMMAND, *arguments, "--isocast", ISOCAST, "-o", folder], timeout=3600,
                            capture_output=True, text=True)
    expect(result.returncode == status and words in result.stderr,
           "%s: status %d, not %d: %s" % (" ".join(arguments), result.returncode, status, result.stderr[-500:]))
    return result


def is_valid(N):
    for factor in (2, 3, 5):
        while N % (factor * (32 if factor == 2 else 1)) == 0:
            N //= factor
    return N == 32


def check_sizes():
    for kernel, (least, most) in real.RANGES.items():
        sizes = real.draw(kernel, 20, 5)
        expect(len(set(sizes)) == 20 and min(sizes) >= least and max(sizes) <= most, "%s: sizes %s" % (kernel, sizes))
        expect(sizes == real.draw(kernel, 20, 5) != real.draw(kernel, 20, 6), "%s: the seed" % kernel)
    expect(all(is_valid(N) for N in real.draw("conv2d", 50, 1)), "conv2d: sizes that are not valid")


def check_spread():
    expect(real.spread_of([1.0]) is None, "one run has no spread")
    expect(abs(real.spread_of([1.0, 2.0, 4.0]) - (2 / 3 + 0.2 + 5 / 3) / 3) < 1e-12, "the spread of three runs")


def check_inside():
    expect(real.share_inside([1.0, 2.0, 4.0, 8.0], {"T_low": 2.0, "T_high": 4.0}) == 0.5, "two of four runs are inside")
    expect(real.share_inside([1.0], {"T_low": None, "T_high": None}) is None, "no interval")


def check_short(folder):
    options = ["--kernels", "mm,conv2d", "--sizes", "2", "--calibrations", "2", "--repetitions", "3", "--processes", "1",
               "--budget", "4", "--seed", "3"]
    campaign(folder, *options, "--within", "0", status=75, words="8 steps are left")
    for number in (1, 2):  # as if they had been made already
        write(folder, "calibration-%d.yaml" % number, MACHINE.replace("machine: test", "machine: this-machine"))
    campaign(folder, *options, "--within", "0", status=75, words="6 steps are left")
    result = campaign(folder, *options)
    with open(os.path.join(folder, "real.json")) as file:
        points = json.load(file)["points"]
    expect([point["kernel"] for point in points] == ["mm", "mm", "conv2d", "conv2d"], "points: %s" % points)
    for point in points:
        with open(os.path.join(folder, "runs-%s.csv" % point["kernel"])) as file:
            times = [float(row["T"]) for row in csv.DictReader(file) if int(row["N"]) == point["N"]]
        expect(len(times) == 3 == point["runs"], "%s: %d runs" % (point, len(times)))
        expect(abs(point["T"] / statistics.median(times) - 1) < 1e-6, "T is not the runs' median: %s" % point)
        expect(len(point["errors"]) == 2 and point["term"], "errors and a term: %s" % point)
        expect(point["inside"] == [None, None], "a machine without errors has no interval: %s" % point)
    expect("Sizes that are most off" in result.stdout and "spread of the runs" in result.stdout, result.stdout)
    before = os.stat(os.path.join(folder, "runs-mm.csv")).st_mtime_ns
    again = campaign(folder, *options, "-q")
    expect(again.stdout == result.stdout and not again.stderr, "the second time gives other tables")
    expect(os.stat(os.path.join(folder, "runs-mm.csv")).st_mtime_ns == before, "the second time measures again")


def check_markdown():
    """What docs/accuracy.md has of a campaign."""
    found = [{"kernel": "ge", "p": 1, "N": 200, "T": 1e-3, "runs": 6, "spread": 0.02, "errors": [0.05, -0.01],
              "inside": [1.0, 0.5], "term": "computation", "off": 0.02}]
    expect("| ge | 1 | 1 | 3.0 |" in real_report.markdown(found) and "| 75.0 |" in real_report.markdown(found), "the errors")
    found[0]["errors"] = [0.15, 0.15]
    expect("| ge | missed | 15.0 | 6.0 |" in real_report.markdown(found), "the criteria")


with tempfile.TemporaryDirectory() as scratch:
    check_sizes()
    check_spread()
    check_inside()
    check_markdown()
    campaign(scratch, "--kernels", "lu", status=2, words="there is no kernel 'lu'")
    check_short(os.path.join(scratch, "short"))
finish()
