"""The figures of a campaign in the project's own page, docs/how-to/validation.md."""

import os

from campaign import real_report, report
from campaign.run import write_whole

HEAD = """# Predicted against simulated

Written by `bench/validate-simulated --docs`, which calibrates platforms on few simulated processes, predicts larger systems, and
measures them in simulation too. Simulated runs show whether the model's formulas hold ([platforms.md](platforms.md)); nothing here
was measured on a real cluster.

Errors are relative, predicted over measured, less 1. T and E are compared over N = 200, 400, 800, ... as far as each process has four
rows at least and a run takes no more than a quarter of the limit (%(limit)g s of real time for one simulated run); N' at E = 0.3 and
0.5, and at lower E where those take longer (see [Left out](#left-out); for the criteria these count only where a kernel has no other); psi' from each system to the next, the first being the largest
one calibrated on. N' and psi' are scored where the condition number of N', |d ln N'/d ln E|, is below 10: where E hardly changes with N,
no small error of T leaves N' known. Their rows are all listed. N' is found by search, which begins around the prediction and goes where E leads:
`isocast measure KERNEL --platform PLATFORM --systems SYSTEM --find E=0.3 --tolerance 0.001` (0.0001 for conv2d,
whose E hardly rises with N).

Published runs of a real program on real machines are in [applications.md](applications.md), and all figures side by side in [trust.md](../explanation/trust.md).
"""
BY_HAND = "## Predictions from a data sheet"


def body(cases, rows, terms):
    parts = []
    for heading, lines, words in report.sections(cases, rows, terms):
        title = heading.split(",")[0].split(";")[0] if heading != "N' predicted, and found by search in simulation" else "N'"
        parts += ["", "## " + title, ""]
        parts += [heading + ".", ""] if title != heading else []
        parts += [report.markdown(lines, words) if words else "\n".join("- " + line for line in lines)]
    return "\n".join(parts) + "\n"


def pictures(paths, folder):
    parts = ["", "## Pictures", "", "Lines are predicted, points simulated; the first system is one that was calibrated on.", ""]
    for title, path in paths:
        parts += ["![%s](%s)" % (title, os.path.relpath(path, folder)), ""]
    return "\n".join(parts)


def written_by_hand(text):
    """What stands behind all figures: predictions from a data sheet."""
    start = text.find("\n" + BY_HAND + "\n")
    return text[start:] if start >= 0 else ""


def write(cases, rows, terms, paths, run_limit, source):
    docs = os.path.join(source, "docs", "how-to")
    page = os.path.join(docs, "validation.md")
    with open(page, encoding="utf-8") as file:
        before = file.read()
    measured = real_report.kept(before)  # by bench/validate-real, in the same page
    text = HEAD % {"limit": run_limit} + body(cases, rows, terms) + pictures(paths, docs)
    write_whole(page, text + ("\n" + measured + "\n" if measured else "") + written_by_hand(before))
