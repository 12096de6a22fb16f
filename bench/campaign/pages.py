"""The figures of a campaign in docs/accuracy.md: errors by kernel, and criteria, between two marks."""

import os
import re

from campaign import report
from campaign.run import write_whole

BEGIN = "<!-- figures of bench/validate-simulated: begin -->"
END = "<!-- figures of bench/validate-simulated: end -->"
TITLES = ("Errors by kernel", "Criteria")


def body(cases, rows, terms):
    parts = []
    for title, (heading, lines, words) in zip(TITLES, report.sections(cases, rows, terms)):
        parts += ["#### " + title, "", heading + ".", "", report.markdown(lines, words).rstrip("\n"), ""]
    return "\n".join(parts)


def write(cases, rows, terms, source):
    page = os.path.join(source, "docs", "accuracy.md")
    with open(page, encoding="utf-8") as file:
        before = file.read()
    whole = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    write_whole(page, whole.sub(lambda _: "%s\n\n%s\n%s" % (BEGIN, body(cases, rows, terms), END), before, count=1))
