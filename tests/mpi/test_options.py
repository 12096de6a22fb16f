#!/usr/bin/env python3
"""Numbers among the options of the probe and the kernels: what is none is refused, with its option and its value.

    test_options.py PROBE KERNEL
"""

import subprocess
import sys

PROBE, KERNEL = sys.argv[1:3]

NUMBERS = ["nan", "1e999", "-1", "3x"]
WHOLE = ["nan", "-1", "3x", "1.5", "99999999999999999999"]
LISTS = ["1,x", "1,", "-1", "99999999999999999999", ",".join(["1"] * 65)]

# Program, its arguments before, option, values that are refused.
CASES = [
    (PROBE, [], "--budget", NUMBERS + ["0"]),
    (PROBE, [], "--planning", NUMBERS),
    (PROBE, [], "--launch", WHOLE + ["1000001"]),
    (PROBE, [], "--seed", WHOLE),
    (PROBE, [], "--sizes", LISTS + ["1073741825"]),
    (PROBE, [], "--problems", LISTS + ["0"]),
    (PROBE, [], "--planned", LISTS + ["0"]),
    (PROBE, [], "--counts", LISTS + ["0"]),
    (PROBE, [], "--weights", ["ge", "=1", "ge=nan", "ge=0", "ge:x=2", "g" * 32 + "=1"]),
    (KERNEL, ["ge"], "-n", WHOLE),
    (KERNEL, ["ge", "-n", "8"], "--seed", WHOLE),
    (KERNEL, ["ge", "-n", "8"], "--repetitions", WHOLE + ["1000000001"]),
    (KERNEL, ["ge", "-n", "8"], "--warm-up-time", WHOLE),
    (KERNEL, ["ge", "-n", "8"], "--speeds", NUMBERS + ["0", "1,2"]),
]


def main():
    problems = []
    for program, before, option, values in CASES:
        for value in values:
            result = subprocess.run([program, *before, option, value], capture_output=True, text=True, timeout=3600)
            what = "%s %s '%s'" % (program.rsplit("/", 1)[-1], option, value)
            if result.returncode != 2:
                problems.append("%s: exit status %d" % (what, result.returncode))
            reported = result.stderr.split("\n", 1)[0]
            if option not in reported or value not in reported:
                problems.append("%s: reported: %s" % (what, reported))
            if result.stdout:
                problems.append("%s: printed: %s" % (what, result.stdout[:80]))
    print("\n".join(problems) or "%d values refused" % sum(len(case[3]) for case in CASES))
    sys.exit(1 if problems else 0)


main()
