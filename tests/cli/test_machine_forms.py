"""Machine files that state numbers of terms, and those that state formulas, made of the same fit: predictions and
what moves them are the same to 1e-9, and so are intervals that need no draws.

    test_machine_forms.py ISOCAST ROOT

files/formulas/ has names of coefficients under `parameters`, formulas, errors and a matrix apart (with all digits of the
covariances). files/ has the same fits as numbers of terms, of a real machine and of a simulated cluster of
nodes with several processors, and of timings of other benchmarks.
"""
import json
import math
import os
import subprocess
import sys

TOLERANCE = 1e-9
# Ends of intervals by 2000 draws differ by less than this part of the interval (of ln).
DRAWS_SHARE = 0.1
# The misfit of formulas, which intervals of T and E have in them, is spoken of other formulas by formulas.
LEFT_OUT = ("provenance", "machine", "answer", "T_low", "T_high", "E_low", "E_high")
KERNELS = ["gaussian-elimination", "matrix-multiplication", "convolution-2d"]
REAL = [["--to", "1,2"]]
CLUSTER = [["--to", "3,8,2x2,16x4"]]
AIMS = [["--at", "N=300"], ["--at", "N=1000"], ["--efficiency", "0.3"]]


def run(isocast, root, machine, algorithm, options, command):
    folder = os.path.join(root, "tests", "cli", "files")
    result = subprocess.run([isocast, command, algorithm, machine, *options, "--format", "json"], capture_output=True,
                            cwd=folder, timeout=3600, check=False)
    if result.returncode not in (0, 4):
        sys.exit("%s %s %s: exit status %d\n%s" % (command, algorithm, machine, result.returncode, result.stderr.decode()))
    return json.loads(result.stdout)


def leaves(value, path=""):
    """Every number and text below a value, by its path; drivers by their names, as those without effect have any order."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "drivers":
                item = {driver["driver"]: {"meaning": driver["meaning"], "elasticity": driver["elasticity"]} for driver in item}
            if key not in LEFT_OUT:
                yield from leaves(item, path + "." + key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, "%s[%d]" % (path, index))
    else:
        yield path, value


def same(a, b):
    numbers = isinstance(a, (int, float)) and isinstance(b, (int, float))
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) if numbers else a == b


def interval_of(path, values):
    """The ends of the interval that a path is an end of; None for other paths."""
    for end in ("_low", "_high"):
        if path.endswith(end):
            return [values.get(path[:-len(end)] + other) for other in ("_low", "_high")]
    return None


def near(path, older, newer):
    """Where an interval comes from draws, these are others where the parameters have another order."""
    before, now = interval_of(path, older), interval_of(path, newer)
    if before is None or not all(isinstance(end, (int, float)) and end > 0 for end in before + now):
        return False
    width = math.log(before[1] / before[0])
    return all(abs(math.log(a / b)) <= DRAWS_SHARE * width for a, b in zip(before, now))


def compare(what, older, newer):
    older, newer = dict(leaves(older)), dict(leaves(newer))
    problems = ["%s has no %s" % (what, path) for path in older if path not in newer]
    for path, value in newer.items():
        # Elasticities are differences of solutions: they are known to fewer digits.
        loose = path.endswith("elasticity") and isinstance(value, float) and isinstance(older.get(path), float)
        if path not in older or not (same(older[path], value) or near(path, older, newer) or
                                     (loose and abs(older[path] - value) < 1e-7)):
            problems.append("%s: %s is %r by formulas and %r now" % (what, path, older.get(path), value))
    return problems, sum(".N_low" in path and value is not None for path, value in newer.items())


def main():
    isocast, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    problems = []
    intervals = 0
    for machine, systems in (("calibrated.yaml", REAL), ("simulated.yaml", CLUSTER)):
        for algorithm in KERNELS if machine == "simulated.yaml" else KERNELS[:2]:
            for options in [aim + to for aim in AIMS for to in systems]:
                command = "explain" if options[0] == "--at" and options[1] == "N=1000" else "predict"
                older = run(isocast, root, os.path.join("formulas", machine), algorithm, options, command)
                newer = run(isocast, root, machine, algorithm, options, command)
                found, count = compare("%s %s %s" % (algorithm, machine, " ".join(options)), older, newer)
                problems += found
                intervals += count
    if intervals < 10:
        problems.append("only %d intervals were compared" % intervals)
    for problem in problems[:20]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
