"""Platforms drawn at random: what a data sheet may say, so that nobody can tune to it.

Kinds take turns, all else is drawn: processors, speeds, links, how far a tree is oversubscribed, how many processes. The
same seed gives the same platforms.
"""

import dataclasses
import random

from campaign import platforms

PROCESSES_LEAST = 6


@dataclasses.dataclass
class Drawn:
    name: str
    kind: str
    text: str      # of the platform file
    systems: list  # (p, system), rising: what is predicted
    powers: list   # likewise, where algorithms need a power of two
    parts: list    # (class, processors): what systems are made of


def log_uniform(draw, low, high):
    return float("%.3g" % (low * (high / low) ** draw.random()))


def node_class(name, count, processors, speed):
    return "  %s: {count: %d, processors: %d, speed: %.3g Gflop/s}\n" % (name, count, processors, speed)


def network(draw, topology, shape=None):
    words = ["topology: " + topology]
    if shape:
        words.append('shape: "%s"' % shape)
    words.append("link_bandwidth: %g Gbit/s" % draw.choice((0.1, 1, 1, 10, 25, 100)))
    words.append("link_latency: %g us" % log_uniform(draw, 0.5, 50))
    if draw.random() < 0.3:
        words.append("eager_limit: %d KiB" % draw.choice((4, 16, 256)))
    return "network: {%s}\n" % ", ".join(words)


def one_class(draw, nodes, processors):
    return "nodes:\n" + node_class("node", nodes, processors, log_uniform(draw, 2, 20))


def switched(draw, most):
    processors = draw.choice((1, 2, 3, 4, 6, 8))
    nodes = max(2, most // processors)
    return one_class(draw, nodes, processors) + network(draw, "switched"), [("node", nodes * processors)]


def mixed(draw, most):
    """Two or three classes, which differ in processors and speed."""
    parts = []
    text = "nodes:\n"
    speed = log_uniform(draw, 2, 15)
    kinds = draw.sample((1, 2, 3, 4, 6, 8), draw.choice((2, 3)))
    for name, processors in zip("abc", kinds):
        nodes = max(1, draw.randint(most // 3, most) // (len(kinds) * processors))
        text += node_class(name, nodes, processors, speed * draw.uniform(0.7, 1.5))
        parts.append((name, nodes * processors))
    return text + network(draw, "switched"), parts


def fat_tree(draw, most):
    """Two levels, with two to four times as many nodes below a switch as links above it."""
    processors = draw.choice((1, 1, 2, 4))
    below = draw.choice((4, 6, 8, 12))
    leaves = max(2, most // (below * processors))
    above = max(1, below // draw.choice((2, 3, 4)))
    text = one_class(draw, below * leaves, processors)
    return text + network(draw, "fat-tree", "2;%d,%d;1,%d;1,1" % (below, leaves, above)), [("node", below * leaves * processors)]


def torus(draw, most):
    processors = draw.choice((1, 1, 2, 3, 4))
    axes = draw.choice(((2, 3, 4), (3, 3, 3), (2, 4, 4), (4, 5), (3, 7), (3, 4, 5), (2, 2, 5), (6, 6)))
    nodes = 1
    for length in axes:
        nodes *= length
    return (one_class(draw, nodes, processors) + network(draw, "torus", ",".join(map(str, axes))),
            [("node", min(nodes * processors, most))])


def dragonfly(draw, most):
    """A chassis has as many routers as there are groups."""
    processors = draw.choice((1, 1, 2, 4))
    groups, chassis, each = draw.choice((2, 3, 4)), draw.choice((1, 2, 3)), draw.choice((1, 2, 3))
    nodes = groups * chassis * groups * each
    shape = "%d,%d;%d,1;%d,1;%d" % (groups, draw.choice((1, 2)), chassis, groups, each)
    return one_class(draw, nodes, processors) + network(draw, "dragonfly", shape), [("node", min(nodes * processors, most))]


KINDS = {"switched": switched, "mixed": mixed, "fat-tree": fat_tree, "torus": torus, "dragonfly": dragonfly}


def system_of(parts, p):
    """p processes as a system is written; None: too few for a mix."""
    return str(p) if len(parts) == 1 else platforms.mix(parts, p)


def systems_of(draw, parts, most):
    """Some number of processes and about a third of it, and powers of two."""
    total = min(most, sum(count for _, count in parts))
    last = draw.randint(max(PROCESSES_LEAST, 2 * total // 3), total)
    first = max(len(parts) + 1, draw.randint(last // 4, last // 2))
    power = 1 << (last.bit_length() - 1)
    return ([(p, system_of(parts, p)) for p in (first, last)],
            [(p, system_of(parts, p)) for p in (max(power // 4, 2), power) if p >= len(parts)])


def draw_platform(seed, number, most):
    """The number-th platform of a seed, with systems of up to `most` processes."""
    draw = random.Random("isocast %d %d" % (seed, number))
    kind = list(KINDS)[number % len(KINDS)]
    text, parts = KINDS[kind](draw, draw.randint(max(PROCESSES_LEAST, most // 2), most))
    name = "random-%d-%d-%s" % (seed, number, kind)
    systems, powers = systems_of(draw, parts, most)
    return Drawn(name, kind, "platform: %s\n%s" % (name, text), systems, powers, parts)


ALIKE = [kind for kind in KINDS if kind != "mixed"]


def draw_alike(seed, number, processes):
    """The number-th platform of a seed whose nodes are alike, with room for so many processes."""
    draw = random.Random("isocast alike %d %d" % (seed, number))
    kind = ALIKE[number % len(ALIKE)]
    room = 0
    while room < processes:
        text, parts = KINDS[kind](draw, draw.randint(processes, 2 * processes))
        room = sum(count for _, count in parts)
    name = "random-%d-%d-%s" % (seed, number, kind)
    return Drawn(name, kind, "platform: %s\n%s" % (name, text), [], [], parts)
