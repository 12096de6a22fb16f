"""Platforms of the campaign: finding one, changing one into a variant, and choosing systems of one that is not known.

Platform files are edited as text, key by key, so that variants stay readable; isocast itself reads and checks them.
"""

import hashlib
import os
import re

CALIBRATED_MAX = 16  # processes, of systems chosen here
PREDICTED_MAX = 128


def find(name, source):
    """The path of a platform: a file, or the name of one in specs/platforms."""
    if os.path.exists(name):
        return os.path.abspath(name)
    return os.path.join(source, "specs", "platforms", name + ".yaml")


def read(path):
    with open(path) as file:
        return file.read()


def fingerprint(path):
    """Of what is simulated: comments, title and source do not count."""
    lines = (re.sub(r"\s+#.*", "", line).rstrip() for line in read(path).splitlines())
    kept = [line for line in lines if line and not re.match(r"#|title:|source:", line)]
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()[:12]


def scale(text, key, factor):
    """Multiplies the number of a key, whose unit stays; None where the text has no such number."""
    pattern = re.compile(r"(\b%s:\s*)([0-9.eE+-]+)" % key)
    changed, count = pattern.subn(lambda m: "%s%.9g" % (m.group(1), float(m.group(2)) * factor), text)
    return changed if count else None


def set_network(text, key, value):
    """Sets a key of the network, which is written in braces or as indented lines; None where it is neither."""
    bare = re.sub(r",\s*%s:[^,}\n]*" % key, "", re.sub(r"\n[ ]+%s:.*" % key, "", text))
    changed, count = re.subn(r"(network:\s*\{[^}]*)\}", r"\1, %s: %s}" % (key, value), bare)
    if not count:
        changed, count = re.subn(r"(?m)^(network:.*\n)([ ]+)", r"\1\2%s: %s\n\2" % (key, value), bare)
    return changed if count else None


def set_count(text, count):
    """Another number of nodes, of a platform of one class on a switch."""
    return re.sub(r"\bcount:\s*\d+", "count: %d" % count, text, count=1)


def derive(folder, name, text):
    """Writes a changed platform under a name of its own."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".yaml")
    renamed = re.sub(r"^platform:.*$", "platform: " + name, text, count=1, flags=re.M)
    with open(path, "w") as file:
        file.write(renamed)
    return path


def named_systems(path):
    """Names under the key 'systems', in the order of the file."""
    match = re.search(r"^systems:(.*(?:\n(?:[ #].*|$))*)", read(path), re.M)
    if not match:
        return []
    text = re.sub(r"(^|\s)#.*", "", match.group(1))
    return [name.strip().strip("\"") for name in re.findall(r"(?:^|[{,\n])\s*([^{},\n]+?)\s*:\s*\"", text)]


def classes(isocast, path):
    """(name, processors of all its nodes) of each node class, in the order of the file."""
    counts = {}
    for host in isocast.processes(path):
        name = host.rsplit("-", 1)[0]
        counts[name] = counts.get(name, 0) + 1
    return list(counts.items())


def mix(parts, p):
    """p processes shared out over node classes by their processors, as a system is written; None: p is too few."""
    total = sum(count for _, count in parts)
    if p < len(parts) or p > total:
        return None
    shares = [max(1, int(p * count / total)) for _, count in parts]
    while sum(shares) != p:
        missing = [p * count / total - share for (_, count), share in zip(parts, shares)]
        step = 1 if sum(shares) < p else -1
        order = sorted(range(len(parts)), key=lambda k: -step * missing[k])
        k = next(k for k in order if shares[k] + step >= 1 and shares[k] + step <= parts[k][1])
        shares[k] += step
    return "+".join("%s:%d" % (name, share) for (name, _), share in zip(parts, shares))


def choose_systems(isocast, path):
    """What to calibrate on and what to predict where nobody says: ([system], [system])."""
    parts = classes(isocast, path)
    total = sum(count for _, count in parts)
    names = one_family(named_systems(path))
    if names:
        named = sorted((len(isocast.processes(path, name)), name) for name in names)
    else:
        sizes = [2 ** k for k in range(1, 21) if 2 ** k <= min(total, PREDICTED_MAX)]
        named = [(p, str(p) if len(parts) == 1 else mix(parts, p)) for p in sizes]
    named = [(p, system) for p, system in named if system and p <= PREDICTED_MAX]
    calibrated = [name for p, name in named if p <= CALIBRATED_MAX]
    if len(calibrated) == len(named):
        calibrated = calibrated[:-2] if len(calibrated) > 3 else calibrated[:-1]
    predicted = [name for _, name in named if name not in calibrated][-2:]
    return calibrated, predicted


def one_family(names):
    """Of systems with names such as C2, C4, C2', C4', those that are written like the first."""
    shapes = [re.sub(r"\d+", "0", name) for name in names]
    return [name for name, shape in zip(names, shapes) if shape == shapes[0]]


def name_of(path):
    match = re.search(r"^platform:\s*(\S+)", read(path), re.M)
    return match.group(1).strip("\"'") if match else os.path.basename(path)
