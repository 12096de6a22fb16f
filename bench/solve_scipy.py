#!/usr/bin/env python3
"""Seconds a solve of the published condition of Gaussian elimination on Sunwulf by SciPy's brentq, in a bracket of a
factor of two around the root; bench-solve runs it and reads the one number that it prints."""
import random
import time

from scipy.optimize import brentq

SYSTEMS = [(3, 62.05e6), (5, 102.63e6), (9, 183.79e6), (17, 346.11e6), (33, 670.75e6)]
COUNT = 5000


def residual(N, p, C, target):
    W = 2 / 3 * N**3 - N**2 / 2 - 19 / 6 * N + 3
    T_bcast = 0.12e-3 + 0.23e-3 * p
    T_send = 0.08e-3 + 0.00003e-3 * N
    T_o = T_bcast + 2 * (p - 1) * (T_send + T_send) + N * (2 * T_bcast + 0.39e-3 * p)
    return W / ((W * 3.1e-8 / p + T_o) * C) / target - 1


rng = random.Random(1)
conditions = []
for k in range(COUNT):
    p, C = SYSTEMS[k % len(SYSTEMS)]
    target = 0.05 + 0.55 * rng.random()
    root = brentq(residual, 2, 1e6, args=(p, C, target))
    conditions.append((root / 2**0.5, root * 2**0.5, (p, C, target)))
start = time.perf_counter()
for low, high, condition in conditions:
    brentq(residual, low, high, args=condition, rtol=1e-9, xtol=1e-12)
print((time.perf_counter() - start) / COUNT)
