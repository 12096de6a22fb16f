"""The size at which runs show an efficiency, read round the size N' that was predicted for it.

E may jump from a size to the next, or go down and up again. So a line through two sizes is a reading only where both say
next to the same. Else runs are made until they pass E: what is found then was seen in runs, however E goes between.
"""

import math

AWAY = 2        # pairs of valid sizes: how far is looked where only some sizes are valid
APART = 0.03    # of N', to each side: how far is looked
ENOUGH = 0.005  # of N': what is off by less by the slope round it is not looked for


def condition_of(sizes, efficiencies):
    """d ln N/d ln E between two sizes."""
    rise = math.log(efficiencies[1] / efficiencies[0])
    return math.log(sizes[1] / sizes[0]) / rise if rise != 0 else math.inf


def crossing(sizes, efficiencies, E):
    """N at which a power law through two sizes has E."""
    condition = condition_of(sizes, efficiencies)
    return sizes[0] * math.exp(condition * math.log(E / efficiencies[0])) if math.isfinite(condition) else math.inf


def pairs_round(N, valid_round):
    """Pairs of valid sizes that follow each other, those next to N first, then up to AWAY further up and down.
    valid_round(N): the valid sizes next to N."""
    low = high = valid_round(N)
    yield low
    for _ in range(AWAY):
        high = valid_round(high[1])
        yield high
        below = valid_round(low[0] * (1 - 1e-9))
        if below[0] < low[0]:
            low = below
            yield low


def sizes_round(N):
    """The whole sizes next to N, and those APART from it."""
    near = [max(1, math.floor(N)), max(1, math.floor(N)) + 1]
    return near, [max(1, round(N * (1 - APART))), max(near[1], round(N * (1 + APART)))]


def passes(efficiencies, E):
    return min(efficiencies) <= E <= max(efficiencies) and efficiencies[0] != efficiencies[1]


def narrow(sizes, E, simulate):
    """From two sizes between which runs pass E to two that follow each other."""
    low, high = sizes
    at = simulate([low, high])
    while high - low > 1:
        middle = (low + high) // 2
        at.update(simulate([middle]))
        if passes([at[low], at[middle]], E):
            high = middle
        else:
            low = middle
    return crossing([low, high], [at[low], at[high]], E)


def look(near, apart, E, simulate):
    """The nearest size at which runs pass E, looked for at 1, 2, 4, ... sizes from those next to N'; None: nowhere."""
    low, high = near
    step = 1
    while low > apart[0] or high < apart[1]:
        new_low, new_high = max(apart[0], near[0] - step), min(apart[1], near[1] + step)
        at = simulate(sorted({new_low, low, high, new_high}))
        for sizes in ([high, new_high], [new_low, low]):
            if sizes[0] < sizes[1] and passes([at[size] for size in sizes], E):
                return narrow(sizes, E, simulate)
        low, high, step = new_low, new_high, 2 * step
    return None


def find_size(N, E, simulate):
    """N at which runs show E. simulate(sizes): E of runs, by size.

    Where they pass E between the whole sizes next to N, it is there. Else what they are off there is turned into N by the
    slope round it, if that is next to nothing, also were E to change no faster than N. If it is more, the nearest size is
    looked for at which runs pass E. The slope counts again where there is none within APART of N.
    """
    near, apart = sizes_round(N)
    at = simulate(sorted(set(near + apart)))
    at_near = [at[size] for size in near]
    if passes(at_near, E):
        return crossing(near, at_near, E)
    here = at_near[0] + (N - near[0]) * (at_near[1] - at_near[0])
    slope = condition_of(apart, [at[size] for size in apart])
    off = math.log(E / here)
    if abs(off) * max(1, abs(slope)) > ENOUGH:
        seen = look(near, apart, E, simulate)
        if seen is not None:
            return seen
    return N * math.exp(slope * off) if math.isfinite(slope) else math.inf
