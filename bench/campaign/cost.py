"""What a simulated run costs in real time: messages, and the simulated processes themselves.

The figures are from a virtual machine with two processors (SimGrid 3.32); they decide which runs are made, so they need
not be good to more than a factor of two.
"""

import math

MESSAGE = 4.5e-6  # s of real time
DEALT = 0.5e-6    # s of real time for each process that waits meanwhile, a message that process 0 deals out or gathers
PROCESS = 0.012   # s of real time
PIECE = 2 ** 27   # numbers of 8 B that the kernels send at once
BLOCK_MAX = 2 ** 27  # numbers of 16 B that a transpose of the simulated kernels exchanges at once
SIZE_MAX = 2 ** 31 - 2   # the largest N that a kernel takes


def broadcast_messages(bytes_, p):
    """By MPICH's choice of algorithm."""
    if bytes_ < 12288 or p < 8:
        return p - 1
    if bytes_ < 524288 and p & (p - 1) == 0:
        return p - 1 + p * math.log2(p)
    return p - 1 + p * (p - 1)


def elimination_messages(N, p):
    barrier = p * math.ceil(math.log2(p)) if p > 1 else 0
    # Rounds by the length of the row, of N down to 1 numbers; the algorithm changes at these.
    edges = sorted({0, min(N, 1536), min(N, 65536), N})
    rounds = sum((high - low) * (broadcast_messages(4 * (low + high), p) + barrier)
                 for low, high in zip(edges, edges[1:]))
    return rounds


def dealt(numbers, p):
    """Messages that process 0 sends, or receives, where each other process has its share."""
    return (p - 1) * math.ceil(numbers / PIECE)


def seconds(kernel, N, p):
    """Of real time, for one run."""
    if kernel == "ge":
        pieces, others = 2 * dealt(N * N / p, p), elimination_messages(N, p)
    elif kernel == "mm":
        pieces, others = 2 * dealt(N * N / p, p) + dealt(N * N, p), 0
    else:
        pieces, others = 3 * dealt(2 * N * N / p, p), 3 * p * (p - 1)
    return PROCESS * p + MESSAGE * others + (MESSAGE + DEALT * p) * pieces


def obstacle(kernel, N, p, limit):
    """Why a run is not made; None where it can be."""
    if N > SIZE_MAX:
        return "N = %.3g is more than a kernel takes" % N
    if kernel == "conv2d" and (N / p + 1) ** 2 > BLOCK_MAX:
        return "at N = %.3g the blocks of a transpose are too large to simulate" % N
    cost = seconds(kernel, N, p)
    if cost > limit:
        return "a run at N = %.3g takes about %.0f s to simulate, over the limit of %g s" % (N, cost, limit)
    return None
