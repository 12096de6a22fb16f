"""The order of growth of 300 generated overhead functions, and 50 outside of the class.

    test_orders.py ISOCAST ROOT [--seed N] [--count N] [--strange N]

What is known of each comes from generate.py, which knows nothing of isocast. The known order is checked itself against the
numerical solution of W = K T_o(W, p) between p = 10^3 and 10^12; the last line counts how it agrees.
"""
import argparse
import collections
import json
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import generate

MACHINE = """machine: unit
source: a process of one flop a second
nodes: {process: {count: 1048576, processors: 1, marked_speed: 1 flop/s}}
parameters: {t_c: 1 s/flop}
"""


def algorithm(case):
    terms = "".join(f"  term-{k}: ({text})/p*(1 s)\n" for k, text in enumerate(case["texts"]))
    return (f"algorithm: generated\nsource: generated\nsize: {{N: {{description: size, min: 4, max: 1e80}}}}\n"
            f"work: {case['work']}\ndefine: {{w: W/(1 flop)}}\noverhead:\n{terms}")


def ask(isocast, folder, case):
    for name, text in (("generated.yaml", algorithm(case)), ("unit.yaml", MACHINE)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    run = subprocess.run([isocast, "explain", "generated.yaml", "unit.yaml", "--growth", "--efficiency", repr(case["E"]),
                          "--to", "64", "--format", "json"], cwd=folder, capture_output=True, text=True)
    if run.returncode not in (0, 4):
        return None, run.stderr
    return json.loads(run.stdout)["growth"], run.stderr


def near(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(b))


def judge(case, growth):
    verdict, x, y = case["known"]
    if growth["verdict"] != verdict:
        return f"verdict {growth['verdict']} ({growth['reason']}), known: {verdict} {x} {y}"
    if verdict == "proved" and not (near(growth["W"]["p"], x) and near(growth["W"]["log_p"], y)):
        return f"order {growth['order']}, known: p^{x} log^{y} p"
    return None


def slopes(case, decades):
    """d ln W/d ln p between neighbouring powers of ten of p; None where no W is found."""
    logs = [generate.log_work(case["terms"], case["E"], math.log(10) * e) for e in decades]
    return [None if low is None or high is None else (high - low) / ((b - a) * math.log(10))
            for low, high, a, b in zip(logs, logs[1:], decades, decades[1:])]


def agrees(case, found, decades, tolerance):
    verdict, x, y = case["known"]
    last = found[-1]
    if verdict == "proved":
        a, b = decades[-2:]
        return last is not None and abs(last - x - y * math.log(b / a) / ((b - a) * math.log(10))) <= tolerance
    # No polynomial holds E: nothing is found, or the exponent itself rises. Nothing at all is found for the other verdicts.
    return last is None or (verdict == "unscalable" and last > found[0] + tolerance)


def of_terms(case, terms, decades):
    return slopes({"terms": terms, "E": case["E"]}, decades)


def agrees_by_terms(case, found, decades, tolerance):
    """Where the order is not yet reached: the slope is that of the ruling term and the next one alone (and the terms that are in
    proportion to the work), and the ruling one grows faster of the two, so that it will rule."""
    verdict, x, y = case["known"]
    beside = [t for t in case["terms"] if t.c == 1]
    others = sorted((t for t in case["terms"] if t.c < 1), key=generate.order_of_term, reverse=True)
    if verdict != "proved" or found[-1] is None:
        return False
    ruling = [t for t in others[:1] if generate.order_of_term(t) == (x, y)]
    waiting = [t for t in others if t not in ruling]
    b = decades[-1] * math.log(10)
    waiting.sort(key=lambda t: generate.log_work(beside + [t], case["E"], b), reverse=True)
    model = of_terms(case, beside + ruling + waiting[:1], decades)[-1]
    own = of_terms(case, beside + ruling, decades)[-1] if ruling else 1.0
    next_one = of_terms(case, beside + waiting[:1], decades)[-1] if waiting else 0.0
    # What a bound rules, next to a term that is still larger than the bound, comes down to it.
    gains = own > next_one if ruling else next_one < own or next_one < found[0]
    return abs(found[-1] - model) <= tolerance and gains


def slope_kind(case):
    """How the known order agrees with numbers: "settled" between p = 10^3 and 10^12, "by terms" there (agrees_by_terms), or only
    "far out" from 10^300 to 10^2400, where a power and a logarithm change places later than at 10^12. None where they do not."""
    near_by, far_out = (3, 6, 9, 12), (300, 600, 1200, 2400)
    found = slopes(case, near_by)
    if agrees(case, found, near_by, 0.12):
        return "settled"
    if agrees_by_terms(case, found, near_by, 0.05):
        return "by terms"
    return "far out" if agrees(case, slopes(case, far_out), far_out, 0.01) else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isocast")
    parser.add_argument("root")
    parser.add_argument("--seed", type=int, default=20081403)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--strange", type=int, default=50)
    options = parser.parse_args()
    isocast = os.path.abspath(options.isocast)
    failures = 0
    kinds = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(generate.functions(options.seed, options.count)):
            growth, reported = ask(isocast, folder, case)
            problem = reported if growth is None else judge(case, growth)
            kind = slope_kind(case)
            kinds[kind] += 1
            problem = problem or (None if kind else "the slopes do not agree")
            if problem:
                failures += 1
                print(f"{number} ({case['kind']}), E = {case['E']}, W = {case['work']}: {' + '.join(case['texts'])}\n    {problem}")
        for number, case in enumerate(generate.strange(options.seed + 1, options.strange)):
            growth, reported = ask(isocast, folder, case)
            if growth is None or growth["verdict"] != "undecided" or not growth["reason"]:
                failures += 1
                print(f"strange {number}, E = {case['E']}, W = {case['work']}: {' + '.join(case['texts'])}\n    "
                      f"{reported if growth is None else growth}")
    total = options.count + options.strange
    print(f"{total - failures} of {total} right: {options.count} functions of the class, {options.strange} others")
    print(f"slopes of W over p: {kinds['settled']} agree with the order within 0.12 between 10^3 and 10^12, {kinds['by terms']} more "
          f"within 0.05 by the ruling term and the next one there, {kinds['far out']} only from 10^300 on")
    sys.exit(1 if failures else 0)


main()
