#!/usr/bin/env python3
"""The size at which runs show an efficiency is one at which they pass it, also where E jumps, or goes down and up again; what
a prediction is off by is not hidden.

    test_found_size.py ISOCAST SOURCE
"""

import math
import os
import sys

from common import SOURCE, expect, finish

sys.path.insert(0, os.path.join(SOURCE, "bench"))
from campaign import found_size  # noqa: E402


def found(N, E, curve):
    """What is read round N, and how many runs that took."""
    made = set()

    def simulate(sizes):
        made.update(sizes)
        return {size: curve(size) for size in sizes}
    return found_size.find_size(N, E, simulate), len(made)


def expect_size(name, N, E, curve, truth, within=1.0, runs=40):
    size, made = found(N, E, curve)
    expect(abs(size - truth) <= within and made <= runs, "%s: %g, not %g, by %d runs" % (name, size, truth, made))


def smooth(size):
    return size / (size + 1000)


def saw(size):
    """It falls from 0.564 at 4298 to 0.553 at 4431, jumps to 0.618, and falls again."""
    return 0.564 - (size - 4298) * 8.3e-5 if size < 4432 else 0.618 - (size - 4432) * 2.2e-4


expect_size("what is right", 1000.4, smooth(1000.4), smooth, 1000.4, 0.01, 4)
# Runs are slower by the same part everywhere, so that they need a larger N: seen in runs where it is near, else on a line
# that states most of it.
for slower in (0.0005, 0.002, 0.01, 0.1, 0.3):
    truth = 1000 * smooth(1000) / (1 - slower - smooth(1000))
    read, _ = found(1000, smooth(1000), lambda N, part=1 - slower: smooth(N) * part)
    near = abs(truth - 1000) < 30
    expect(abs(read - truth) < (0.5 if near else 0.5 * (truth - 1000)),
           "runs slower by %g: %g, not %g" % (slower, read, truth))
# The jump is next to N', the line through sizes on both sides is 9 % away.
expect_size("a jump beside N'", 4430.6, 0.5911, saw, 4432)
expect_size("the same from above", 4433.2, 0.5911, saw, 4432)
# No jump excuses an N' that is a hundred sizes from where runs pass E.
expect_size("a jump 60 sizes away", 4371.5, 0.5911, saw, 4432)
size, _ = found(4200, 0.5911, saw)
expect(abs(size / 4200 - 1) > 0.04, "a jump beyond what is looked at: %g" % size)
# Where powers of two alone are valid, predictions may pass E a size further on.
powers = list(found_size.pairs_round(6948.9, lambda N: [2 ** int(math.log2(N)), 2 * 2 ** int(math.log2(N))]))
expect(powers == [[4096, 8192], [8192, 16384], [2048, 4096], [16384, 32768], [1024, 2048]], "pairs of powers: %s" % powers)
# E jumps over what is asked; E is the same all over; sizes end at 1.
expect_size("E jumps over it", 500.5, 0.5, lambda size: 0.3 if size <= 500 else 0.7, 500.5)
size, _ = found(500, 0.5, lambda size: 0.4)
expect(size > 1e6, "E is 0.4 at all sizes: %g" % size)
expect_size("small sizes", 1.4, 0.6, lambda size: size / (size + 1), 1.5, 0.3)
finish()
