"""Which cases a campaign has: platforms, what they are calibrated on, what is predicted, and what is asked of it."""

import dataclasses

from campaign import platforms
from campaign.command import Failed

KERNELS = ("ge", "mm", "conv2d")
EFFICIENCIES = (0.3, 0.5)
FEW = ("2", "4", "8", "16")
FEW_APART = ("1x2", "1x4", "1x8", "1x16")  # each on a node of its own


@dataclasses.dataclass
class Limit:
    """What the errors of a case are held against; relative."""
    quantity: str  # "N", "T" or "psi"
    kernels: tuple
    mean: float
    most: float = None  # None: no limit for single errors


@dataclasses.dataclass
class Case:
    name: str
    platform: str         # path
    calibrate: list       # systems
    predict: list         # systems
    kernels: tuple = KERNELS
    efficiencies: tuple = EFFICIENCIES
    limits: tuple = ()
    picture: bool = False


# psi' = C'W/(C W') takes the errors of two N', each as often as W grows with N: about three times.
EXTRAPOLATED = (Limit("N", ("ge",), 0.03, 0.06), Limit("N", ("mm", "conv2d"), 0.02, 0.04), Limit("T", KERNELS, 0.03),
                Limit("psi", KERNELS, 0.1))
SAME_PROCESSES = (Limit("N", KERNELS, 0.01, 0.02), Limit("T", KERNELS, 0.01, 0.02), Limit("psi", KERNELS, 0.03))
LARGER = (Limit("N", KERNELS, 0.05), Limit("psi", KERNELS, 0.15))


def variants(path, folder):
    """(what is changed, path) of a platform's variants. An error where its text is not written as expected."""
    text = platforms.read(path)
    changes = (("latency x10", "latency-x10", platforms.scale(text, "link_latency", 10)),
               ("bandwidth x10", "bandwidth-x10", platforms.scale(text, "link_bandwidth", 10)),
               ("eager limit 8 KiB", "eager-8k", platforms.set_network(text, "eager_limit", "8 KiB")))
    base = platforms.fingerprint(path)[:6]
    for what, _, changed in changes:
        if changed is None:
            raise Failed("%s: cannot be changed to %s: its key is not written as 'key: value'" % (path, what))
    return [(what, platforms.derive(folder, "%s-%s" % (word, base), changed)) for what, word, changed in changes]


def sunwulf_mix(path, folder):
    """Another node mix: servers twice as fast, as many V210 as SunBlades."""
    text = platforms.read(path).replace("20.88 Mflop/s", "41.76 Mflop/s")
    return platforms.derive(folder, "sunwulf-mix", text)


MIX = {2: "server:1+v210:1", 4: "server:1+sunblade:1+v210:2", 8: "server:1+sunblade:3+v210:4",
       16: "server:1+sunblade:7+v210:8", 32: "server:1+sunblade:15+v210:16"}


def full(isocast, source, folder):
    """All that the project reports of itself."""
    def shipped(name):
        return platforms.find(name, source)
    sunwulf, ethernet = shipped("sunwulf"), shipped("ethernet-128")
    many = platforms.derive(folder, "ethernet-1024", platforms.set_count(platforms.read(ethernet), 1024))
    found = [
        Case("sunwulf", sunwulf, ["C2", "C4", "C8"], ["C16", "C32"], limits=EXTRAPOLATED, picture=True),
        Case("sunwulf, same p", sunwulf, ["C2", "C4", "C8", "C16", "C32"], ["C16", "C32"], limits=SAME_PROCESSES),
        Case("ethernet-128", ethernet, FEW, ["64", "128"], ("ge",), limits=LARGER, picture=True),
        Case("ethernet-128", ethernet, FEW, ["128"], ("conv2d",), limits=LARGER, picture=True),
        Case("ethernet-1024", many, FEW, ["256", "1024"], ("mm",), limits=LARGER, picture=True),
        Case("smp-16", shipped("smp-16"), FEW_APART, ["4x16"], limits=LARGER, picture=True),
        Case("fat-tree-128", shipped("fat-tree-128"), FEW, ["64"], limits=LARGER, picture=True)]
    for what, path in variants(sunwulf, folder):
        found.append(Case("sunwulf, " + what, path, ["C2", "C4", "C8"], ["C16", "C32"], limits=EXTRAPOLATED))
    found.append(Case("sunwulf, other mix", sunwulf_mix(sunwulf, folder), [MIX[2], MIX[4], MIX[8]], [MIX[16], MIX[32]],
                      limits=EXTRAPOLATED))
    for what, path in variants(ethernet, folder):
        found.append(Case("ethernet-128, " + what, path, FEW, ["32"], limits=LARGER))
    return found


def short(isocast, source, folder):
    """A small part of the same, for the tests."""
    sunwulf = platforms.find("sunwulf", source)
    what, slow = variants(sunwulf, folder)[0]
    return [Case("sunwulf", sunwulf, ["C2", "C4"], ["C8"], efficiencies=(0.3,), limits=EXTRAPOLATED),
            Case("fat-tree-128", platforms.find("fat-tree-128", source), ["2", "4"], ["8"], ("ge",), efficiencies=(0.3,),
                 limits=LARGER),
            Case("sunwulf, " + what, slow, ["C2", "C4"], ["C8"], ("mm",), efficiencies=(0.3,),
                 limits=EXTRAPOLATED)]


def own(isocast, source, folder, arguments):
    """Platforms that the user names."""
    found = []
    for name in arguments.platforms:
        path = platforms.find(name, source)
        isocast.check(path)
        calibrate, predict = platforms.choose_systems(isocast, path)
        changed = variants(path, folder) if arguments.variants else []
        title = name if path != name else platforms.name_of(path)
        for what, each in [("", path)] + [(", " + what, each) for what, each in changed]:
            found.append(Case(title + what, each, arguments.calibrate or calibrate, arguments.predict or predict,
                              tuple(arguments.kernels), tuple(arguments.efficiencies), LARGER, picture=not what))
    return found
