#!/usr/bin/env python3
"""calibrate finds where an operation switches, also where it was interrupted on the way.

    test_refine.py ISOCAST SOURCE
"""

import os
import re
import sys
import tempfile

from common import SOURCE, expect, expect_run, finish

SWITCH = 7000  # B


def fake(*settings):
    script = os.path.join(SOURCE, "tests", "workflow", "fake_probe.py")
    return " ".join([sys.executable, "-S", script, "{p}", *settings])


def sizes_of_launches(lines):
    """The sizes of T_recv in each launch."""
    sizes = {}
    for row in (line.split(",") for line in lines if line[:1].isdigit()):
        if row[1] == "T_recv":
            sizes.setdefault(int(row[0]), set()).add(int(row[3]))
    return sizes


def check_found(path):
    lines = open(path[:-len(".yaml")] + ".samples.csv").read().splitlines()
    found = [re.fullmatch(r"# refined: (\d+) message sizes added; switches: T_recv p=2 (\d+)\.\.(\d+) B", line)
             for line in lines if line.startswith("# refined:")]
    expect(len(found) == 1 and found[0], "what was refined: %s" % [line for line in lines if "refined" in line])
    added, below, above = (int(number) for number in found[0].groups())
    expect(below < SWITCH <= above < 1.05 * below, "the switch is in %d..%d B" % (below, above))
    sizes = sizes_of_launches(lines)
    first, last = sizes[min(sizes)], sizes[max(sizes)]
    expect(first < last and len(last - first) == added, "%d sizes added: %s" % (added, last - first))
    expect(lines[-1].startswith("# refined:"), "it is reported before the end")
    expect('"refined": "%d message sizes added' % added in open(path).read(), "the machine file does not report")


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "whole.yaml")
    command = ["calibrate", "--processes", "1,2", "--launches", "7", "-o"]
    expect_run(0, *command, path, "--launcher", fake("switch=%d" % SWITCH))
    check_found(path)

    path = os.path.join(folder, "resumed.yaml")
    expect_run(5, *command, path, "--launcher", fake("switch=%d" % SWITCH, "fail=6"))
    before = open(path[:-len(".yaml")] + ".samples.csv.part").read().splitlines()
    expect(not any("refined" in line for line in before), "reported before it was found")
    expect_run(0, *command, path, "--launcher", fake("switch=%d" % SWITCH), "--resume")
    check_found(path)
    after = open(path[:-len(".yaml")] + ".samples.csv").read().splitlines()
    expect(after[:len(before)] == before, "resuming lost samples")
    sizes = sizes_of_launches(after)
    resumed = max(sizes_of_launches(before)) + 1
    expect(sizes[min(sizes)] < sizes[min(k for k in sizes if k >= resumed)], "what was found was forgotten")

    path = os.path.join(folder, "smooth.yaml")
    expect_run(0, *command, path, "--launcher", fake("switch=1000000000"))
    expect("refined" not in open(path).read(), "something was found where there is nothing")
finish()
