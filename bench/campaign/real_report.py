"""What came out of runs of this machine: tables and files."""

import json
import statistics

from campaign import real, report
from campaign.run import write_whole

WORST = 4  # points named for each kernel


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


def markdown(found):
    """Errors and criteria."""
    return "\n\n".join(heading + ":\n\n" + report.markdown(lines, words) for heading, lines, words in sections(found)[:2]) + "\n"


def write_files(plan, found):
    arguments = plan.arguments
    write_whole(plan.path("real.json"), json.dumps(
        {"schema": "isocast.real/1", "seed": arguments.seed, "budget": arguments.budget,
         "calibrations": arguments.calibrations, "points": found}, indent=1) + "\n")
    write_whole(plan.path("real.txt"), text(found))
