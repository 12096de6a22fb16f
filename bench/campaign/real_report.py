"""What came out of runs of this machine: tables, files, and a section of docs/accuracy.md."""

import json
import os
import re
import statistics

from campaign import real, report
from campaign.run import write_whole

WORST = 4  # points named for each kernel
BEGIN = "<!-- figures of bench/validate-real: begin -->"
END = "<!-- figures of bench/validate-real: end -->"


def absolute(point):
    """Mean absolute error of a point over the calibrations."""
    return statistics.mean(map(abs, point["errors"]))


def spread(part):
    known = [point["spread"] for point in part if point["spread"] is not None]
    return statistics.mean(known) if known else None


def inside(part):
    """Of all runs, those within the interval of their prediction."""
    known = [share for point in part for share in point["inside"] if share is not None]
    return statistics.mean(known) if known else None


def error_lines(found):
    """By kernel and p. Header first."""
    calibrations = len(found[0]["errors"])
    lines = [["kernel", "p", "sizes", "mean", "median", "max", "bias"] +
             ["calibration %d" % (k + 1) for k in range(calibrations)] + ["spread of the runs", "runs inside"]]
    for kernel, p in dict.fromkeys((point["kernel"], point["p"]) for point in found):
        part = [point for point in found if (point["kernel"], point["p"]) == (kernel, p)]
        errors = [error for point in part for error in point["errors"]]
        sizes = list(map(abs, errors))
        each = [statistics.mean(abs(point["errors"][k]) for point in part) for k in range(calibrations)]
        lines.append([kernel, str(p), str(len(part))] +
                     [report.percent(x) for x in (statistics.mean(sizes), statistics.median(sizes), max(sizes))] +
                     ["%+.1f" % (100 * statistics.mean(errors))] + [report.percent(x) for x in each] +
                     [report.percent(spread(part)), report.percent(inside(part))])
    return lines


def verdict_lines(found):
    """By kernel: the limit is what is aimed at, or the spread of the runs where that is larger. Header first."""
    lines = [["kernel", "verdict", "mean error of T", "limit", "spread of the runs"]]
    for kernel in dict.fromkeys(point["kernel"] for point in found):
        part = [point for point in found if point["kernel"] == kernel]
        mean, limit = statistics.mean(map(absolute, part)), max(real.LIMITS[kernel], spread(part) or 0)
        lines.append([kernel, "met" if mean <= limit else "missed", report.percent(mean), report.percent(limit),
                      report.percent(spread(part))])
    return lines


def worst_lines(found):
    """The points that are most off. Header first."""
    lines = [["kernel", "p", "N", "T measured, ms", "errors", "spread of its runs", "term most off", "of T"]]
    for kernel in dict.fromkeys(point["kernel"] for point in found):
        part = sorted((point for point in found if point["kernel"] == kernel), key=absolute, reverse=True)
        for point in part[:WORST]:
            lines.append([kernel, str(point["p"]), str(point["N"]), "%.3g" % (1e3 * point["T"]),
                          ", ".join("%+.1f" % (100 * error) for error in point["errors"]),
                          report.percent(point["spread"]), point["term"], "%+.1f" % (100 * point["off"])])
    return lines


def sections(found):
    """(heading, table, number of columns with words)"""
    return [("Errors of T, %", error_lines(found), 1), ("Criteria, %", verdict_lines(found), 2),
            ("Sizes that are most off, %", worst_lines(found), 1)]


def text(found):
    parts = []
    for heading, lines, words in sections(found):
        parts += [heading, "", report.aligned(lines, words), ""]
    return "\n".join(parts).rstrip("\n") + "\n"


def write_files(plan, found):
    arguments = plan.arguments
    write_whole(plan.path("real.json"), json.dumps(
        {"schema": "isocast.real/1", "seed": arguments.seed, "budget": arguments.budget,
         "calibrations": arguments.calibrations, "points": found}, indent=1) + "\n")
    write_whole(plan.path("real.txt"), text(found))


HEAD = """## Predicted against measured

Written by `bench/validate-real --docs` on %(machine)s: %(calibrations)d calibrations of %(budget)g s, and after each its part of
the runs. %(sizes)d sizes of each kernel were drawn at random (seed %(seed)d), evenly spread in ln N from the smallest to where a run takes
about a second on one process (%(ranges)s), those of conv2d from the lengths that its [specification](reference/specifications.md) is valid for, which are all calibrated.
Errors are relative, predicted T over the median of %(repetitions)d runs, less 1. The spread of the runs is how far one run of a
size is from the median of the others, on average: no prediction can be closer to a single run. Inside are the runs whose T, and so E, is in
the interval that `isocast predict` gives. The term most off is that of
`isocast explain ALGORITHM MACHINE --runs RUNS.csv`, with its mean difference as part of T.
"""


def processor():
    """What the system calls the processor, and how many there are."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.findall(r"^model name\s*: (.*)$", file.read(), re.M)
    return "%s, %d processors" % (names[0] if names else "this machine", os.cpu_count())


def block(plan, found):
    arguments = plan.arguments
    ranges = ", ".join("%s %d to %d" % (kernel, *real.RANGES[kernel]) for kernel in plan.sizes)
    parts = [HEAD % {"machine": processor(), "ranges": ranges, "calibrations": arguments.calibrations,
                     "budget": arguments.budget, "sizes": arguments.sizes, "seed": arguments.seed,
                     "repetitions": arguments.repetitions}]
    for heading, lines, words in sections(found):
        parts += ["### " + heading, "", report.markdown(lines, words), ""]
    return "%s\n\n%s\n%s" % (BEGIN, "\n".join(parts), END)


def kept(page):
    """The section of a page that there is already; empty where there is none."""
    match = re.search(re.escape(BEGIN) + ".*?" + re.escape(END), page, re.S)
    return match.group(0) if match else ""


def write_section(plan, found, path):
    """Into the page, in place of what was there."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    new = block(plan, found)
    write_whole(path, page.replace(kept(page), new) if kept(page) else page.rstrip("\n") + "\n\n" + new + "\n")
