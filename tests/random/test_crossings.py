"""Crossings of random pairs of algorithms against a scan of the same formulas.

    test_crossings.py ISOCAST [SEED] [PAIRS]

T of each algorithm is a random sum of powers of N and p, logarithms, steps and switches, times random factors. A scan of
20000 sizes and of every number of processes finds where the faster of two changes; `isocast compare` must give the
same changes, and no others, and say that it knows them all.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

N_MOST, P_MOST, POINTS = 1e6, 600, 20000
# As isocast takes it, and as Python does.
TERMS = [
    ("N^{a}/p", "N**{a}/p"), ("N^{a}", "N**{a}"), ("N*log2(N)/p", "N*log2(N)/p"), ("log2(p)*N^{a}", "log2(p)*N**{a}"),
    ("sqrt(p)*N^{a}", "sqrt(p)*N**{a}"), ("p", "p"), ("cbrt(N*p)*log2(N + 1)", "(N*p)**(1/3)*log2(N + 1)"),
    ("if(N > {c} and p > 2 or N < {b}, N, 3*N)", "(N if N > {c} and p > 2 or N < {b} else 3*N)"),
    ("max(N, {c})*p^0.3", "max(N, {c})*p**0.3"), ("ceil(log2(p))*N", "ceil(log2(p))*N"),
    ("(200 + mod(p, 7))*N^0.5", "(200 + p % 7)*N**0.5"),
]
NAMES = {"log2": math.log2, "sqrt": math.sqrt, "ceil": math.ceil, "max": max}


def formula(rng):
    ours, theirs = [], []
    for _ in range(rng.randint(2, 4)):
        mine, other = rng.choice(TERMS)
        b = round(10 ** rng.uniform(0.3, 3), 1)
        values = {"a": rng.choice(["0.5", "1", "1.5", "2"]), "b": b, "c": b * 7}
        factor = float(f"{10 ** rng.uniform(-2, 3):.4g}")
        ours.append(f"{factor!r} us*({mine.format(**values)})")
        theirs.append(f"{factor!r}e-6*({other.format(**values)})")
    return " + ".join(ours), eval(f"lambda N, p: {' + '.join(theirs)}", dict(NAMES))  # pylint: disable=eval-used


def changes(points, difference):
    """Neighbouring points between which the sign of the difference changes, ties left aside."""
    found, before = [], None
    for x in points:
        first, second = difference(x)
        if abs(first - second) <= 1e-13 * max(first, second):
            continue
        sign = first > second
        if before is not None and sign != before[1]:
            found.append((before[0], x))
        before = (x, sign)
    return found


def compare(program, folder, formulas, N, p):
    names = []
    for i, text in enumerate(formulas):
        names.append(os.path.join(folder, f"{i}.yaml"))
        with open(names[-1], "w", encoding="utf-8") as file:
            file.write(f"algorithm: a{i}\nsize: {{N: {{min: 2, max: {N_MOST:.0f}}}}}\nwork: 1 flop*N^2\n"
                       f"compute: {text}\n")
    machine = os.path.join(folder, "machine.yaml")
    with open(machine, "w", encoding="utf-8") as file:
        file.write(f"machine: m\nnodes: {{node: {{count: {P_MOST}, marked_speed: 1 Gflop/s}}}}\n")
    done = subprocess.run([program, "compare", *names, machine, "--to", str(p), "--at", f"N={N}", "--format", "json"],
                          stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout)


def problems_of(reported, due, what):
    at = [point["at"] for point in reported["points"]]
    if not reported["complete"] or reported["more"]:
        return [] if len(due) > 16 else [f"{what}: not complete: {reported}"]
    problems = [f"{what}: {low} to {high} is not among {at}" for low, high in due
                if not any(low <= x <= high for x in at)]
    # Two crossings between two points of the scan are not seen by it.
    for x in at:
        near = sum(abs(y / x - 1) < 1e-3 for y in at)
        if near == 1 and not any(low * (1 - 1e-9) <= x <= high * (1 + 1e-9) for low, high in due):
            problems.append(f"{what}: {x} is no crossing, due are {due}")
    return problems


def main():
    program = os.path.abspath(sys.argv[1])
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 5)
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 80
    step = math.log(N_MOST / 2) / (POINTS - 1)
    sizes = [min(2 * math.exp(step * k), N_MOST) for k in range(POINTS)]
    problems, crossings = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(pairs):
            (first, T_first), (second, T_second) = formula(rng), formula(rng)
            N, p = rng.randint(2, 100000), rng.choice([1, 2, 3, 8, 60, 500])
            result = compare(program, folder, [first, second], N, p)
            over_N = changes(sizes, lambda x: (T_first(x, p), T_second(x, p)))  # pylint: disable=cell-var-from-loop
            over_p = changes(range(1, P_MOST + 1), lambda x: (T_first(N, x), T_second(N, x)))  # pylint: disable=cell-var-from-loop
            text = f"{first}  |  {second}, "
            problems += problems_of(result["crossings_over_N"][0], over_N, text + f"p = {p}")
            problems += problems_of(result["crossings_over_p"][0], over_p, text + f"N = {N}")
            crossings += len(over_N) + len(over_p)
    for problem in problems:
        print(problem)
    print(f"{pairs} pairs, {crossings} crossings, {len(problems)} problems")
    return 1 if problems or crossings < pairs / 2 else 0


sys.exit(main())
