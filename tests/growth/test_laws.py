"""Every sentence of `explain --growth` on random laws, against an independent solution at p up to 10^(10^12).

    test_laws.py ISOCAST ROOT [--seed N] [--count N] [--before ISOCAST]

laws.py draws the laws and solves E = target in decimals. A sentence about p that grows without end is contradicted where the solution
at p = 10^100 and at larger p is another one, and an order where W over it still moves between the last two p. A sentence that is not
known here fails the test. `--before` counts how many laws another program answers, and how many of its answers are contradicted.
"""
import argparse
import collections
import fractions
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from decimal import Decimal as D

sys.dont_write_bytecode = True
from laws import Point, laws

NEAR = [D(10) ** e for e in (3, 6, 12, 25, 50)]
FAR = [D(10) ** e for e in (100, 10 ** 6, 10 ** 11, 10 ** 12)]
SOME = D(10) ** 9  # above the constants of these laws: what is beyond it is beyond an order; ln p is above it, ln ln p is not
CONSTANTS = (SOME, D(10) ** 6, D(1000), D(100), D(10), D(3), D("1.1"))
BETWEEN = D(10) ** (3 * 10 ** 11)
ROUNDED = 1e-12  # of exponents that are no simple fractions; a power of p has no other error as small
NUMBER = r"([-+0-9.e]+)"
ORDER = r"Theta\((.*?)\)(?=[,. ;]|$)"


class Contradiction(Exception):
    pass


def check(right, *what):
    if not right:
        raise Contradiction(" ".join(str(w) for w in what))


def near(a, b, tolerance):
    return abs(a - b) <= tolerance * max(1, abs(b))


def exponents(text):
    """Exponents of p, log p and log log p of what stands inside of Theta(...)."""
    fraction = lambda t: float(t.split("/")[0]) / float(t.split("/")[1]) if "/" in t else float(t)
    found = [0.0, 0.0, 0.0]
    patterns = ((2, r"(/ )?\(log log p\)\^\(?([-0-9./]+)\)?"), (2, r"(/ )?log log p"), (1, r"(/ )?log\^\(?([-0-9./]+)\)? p"),
                (1, r"(/ )?log p"), (0, r"(/ )?p\^\(?([-0-9./]+)\)?"), (0, r"(/ )?p"))
    for which, pattern in patterns:
        match = re.search(pattern, text)
        if match:
            value = fraction(match.group(2)) if match.lastindex == 2 or len(match.groups()) == 2 and match.group(2) else 1.0
            found[which] += -value if match.group(1) else value
            text = text.replace(match.group(0), " ", 1)
    check(text.strip() in ("", "1"), "an order that is not read:", text)
    return found


def exact(exponent):
    """An exponent of JSON in decimals: the simple fraction of which it is the nearest double, or itself; and whether it is such one."""
    simple = fractions.Fraction(exponent).limit_denominator(24)
    is_simple = abs(float(simple) - exponent) <= 1e-15 * max(1, abs(exponent))
    return D(simple.numerator) / D(simple.denominator) if is_simple else D(repr(exponent)), is_simple


class Judge:
    def __init__(self, law, result, text):
        self.law, self.result, self.text = law, result, text
        self.whole = result["growth"]
        self.cache = {}

    def last_points(self, which=None, E=None):
        """Where what is said as p grows without end is seen."""
        return self.points(which, E)[-2:]

    def points(self, which=None, E=None):
        key = (None if which is None else tuple(which), E)
        if key not in self.cache:
            self.cache[key] = [Point(self.law, p, E, which) for p in FAR]
        return self.cache[key]

    def beyond(self, part):
        """A factor: what is said of a part holds for N above it times the bound. SOME times it is beyond an order that is above
        the bound's by log log p alone, at every p that there is here."""
        near_bound = part["verdict"] == "proved" and self.is_just_above(self.order_of(part), self.order_of_bound(part))
        return D(1) if part["held_at_bound"] is not None or near_bound else SOME

    def order_of_bound(self, part):
        bounds = [[1.0, 0.0, 0.0]]
        if part is self.whole:
            bounds += [self.order_of(b) for b in self.result["parts"] if b["part"] == "concurrency" and b["verdict"] == "proved"]
        return max(bounds)

    @staticmethod
    def is_just_above(order, other):
        """By a power of log log p."""
        return near(order[0], other[0], 1e-9) and near(order[1], other[1], 1e-9) and order[2] > other[2] + 1e-9

    def first(self, point, factor):
        """The smallest N that holds E beyond factor times the bound; None where there is none."""
        check(point.bound is not None, "a bound is never reached")
        if factor not in point.firsts:
            point.firsts[factor] = point.first_where(True, point.bound * factor)
        return point.firsts[factor]

    def log_work(self, point, factor):
        N = self.first(point, factor)
        check(N is not None, "E is never held, at p = 1e", point.p.log10(), [term.text for term in point.terms])
        return point.work(N).ln()

    def log_works(self, which, factor, E=None):
        return [self.log_work(point, factor) for point in self.last_points(which, E)]

    def log_works_of(self, name):
        part = next(part for part in self.result["parts"] if part["part"] == name)
        return self.log_works([int(name[1:])], self.beyond(part))

    def check_order(self, log_work, order, what, which):
        """W over the order stays between two numbers: it moves little between the last two p. An error of the exponent of p by
        rounding counts as often as ln p does. It is in proportion to ln p; a missing factor of log log p is not."""
        def rest(point):
            log_p = point.p.ln()
            return log_work(point) - sum(exact(e)[0] * t for e, t in zip(order, (log_p, log_p.ln(), log_p.ln().ln())))

        points = self.last_points(which)
        first, last = map(rest, points)
        if abs(last - first) < D("0.05"):
            return
        rounded = (last - first) / (points[-1].p.ln() - points[0].p.ln())
        right = not exact(order[0])[1] and abs(rounded) <= D(ROUNDED) * (1 + abs(D(order[0])))
        if right:
            right = abs(rest(Point(self.law, BETWEEN, None, which)) - first - rounded * (BETWEEN.ln() - points[0].p.ln())) < D("0.01")
        check(right, what, "is of another order: ln of W over it is", float(first), float(last))

    def order_of(self, part):
        return [part["W"][key] for key in ("p", "log_p", "log_log_p")]

    def check_part(self, part, which):
        """Verdict of a part: of one term alone, or of all (which is None)."""
        verdict, factor = part["verdict"], self.beyond(part)
        points = self.points(which)
        if verdict == "proved":
            self.check_order(lambda point: self.log_work(point, factor), self.order_of(part), part["part"], which)
            if part["held_at_bound"] is False:
                check(all(self.first(p, D(1)) for p in points[-2:]), part["part"], "is never held")
                ratios = [(self.first(p, D(1)) / p.bound).ln() for p in points[-2:]]
                check(ratios[-1] > ratios[0] + D("0.01"), part["part"], "is held at the bound", ratios)
        elif verdict == "free":
            check(all(p.held(p.bound * SOME) is not False or self.first(p, D(1)) < p.bound * SOME for p in points[-2:]), part["part"], "is not held at the bound")
        elif verdict in ("unreachable", "unscalable", "finite-range") and not part["reason"]:
            for p in points[-2:]:
                check(self.first(p, factor) is None, part["part"], verdict, "yet E is held at N =", self.first(p, factor), "p =", p.p)
        if verdict in ("proved", "free"):
            self.check_later(part, which, factor)

    def loss(self, point, factor, beyond):
        """The first N beyond the order at which E is lost; None where it is not."""
        start = self.first(point, factor)
        return point.first_where(False, max(start, point.bound) * beyond)

    def constant_between(self, which, factor):
        """SOME, or the largest constant that times the first order is below the second one at the p there are: between them may be
        a power of log p times a small number, or log log p alone, which SOME is above."""
        points = self.last_points(which)
        starts = [max(self.first(point, factor), point.bound) for point in points]
        held = (c for c in CONSTANTS if all(point.held(start * c) for point, start in zip(points, starts)))
        return next(held, SOME)

    def check_later(self, part, which, factor):
        if part["falls_later"] is None:
            return
        order = [part["lost_at_W"][key] for key in ("p", "log_p", "log_log_p")] if part["lost_at_W"] else None
        beyond = self.constant_between(which, factor) if order else SOME
        if not part["falls_later"]:
            lost = [self.loss(point, factor, beyond) for point in self.last_points(which)]
            check(all(N is None for N in lost), part["part"], "falls later, at", lost)
            return

        def log_work(point):
            N = self.loss(point, factor, beyond)
            check(N is not None, part["part"], "never falls later")
            return point.work(N).ln()

        if order:
            self.check_order(log_work, order, "the order at which E is lost", which)
        else:
            for point in self.last_points(which):
                log_work(point)

    def check_near(self):
        """The exponent between neighbouring p up to 10^100: as the order has it within 0.15, or still on the way."""
        part = self.whole
        if part["verdict"] != "proved":
            return None
        slopes, before = [], None
        for p in NEAR + FAR[:1]:
            point = Point(self.law, p)
            N = self.first(point, self.beyond(part)) if point.bound is not None else None
            log_W = point.work(N).ln() if N is not None else None
            if before and before[1] and log_W:
                slopes.append(float((log_W - before[1]) / (p.ln() - before[0])))
            before = (p.ln(), log_W)
        order = self.order_of(part)
        ways = [(FAR[0].ln(), NEAR[-1].ln())]
        ways += [tuple(x.ln() for x in ways[-1])]
        ways += [tuple(x.ln() for x in ways[-1])]
        due = sum(e * float((x - y) / (ways[0][0] - ways[0][1])) for e, (x, y) in zip(order, ways))
        return bool(slopes) and abs(slopes[-1] - due) < 0.15

    # Sentences.

    def is_order(self, match, part):
        check(near(exponents(match)[0], part["W"]["p"], 1e-4), "the sentence has another order", match)

    def largest(self, name, rows):
        time = lambda row, part: row["idle"] if part == "idle" else row["terms"][part]
        parts = [part["part"] for part in self.result["parts"] if part["kind"] != "bound"]
        return all(all(time(row, name) >= time(row, part) for part in parts) for row in rows)

    def part_of(self, words):
        if words == "the idle or excess computation":
            return "idle"
        if words == "the bound W = Omega(p)":
            return "processes"
        if words == "the bound of concurrency":
            return "concurrency"
        return words.removeprefix("the overhead ")

    def check_rules(self, words):
        """A part alone asks for what the whole does."""
        name = self.part_of(words)
        if name == "idle":
            check(False, "idle rules where there is none")
        if self.whole["verdict"] != "proved":
            which = [int(name[1:])]
            for p in self.last_points(which):
                check(self.first(p, SOME) is None, name, "alone holds E at", self.first(p, SOME))
            return
        whole = self.log_works(None, self.beyond(self.whole))
        if name in ("processes", "concurrency"):
            bound = {"processes": self.law.work, "concurrency": self.law.concurrency}[name]
            own = [p.work(p.first(lambda N, p=p: bound.value(N, p.p) - p.p)).ln() for p in self.last_points()]
        else:
            own = self.log_works_of(name)
        apart = [float(a - b) for a, b in zip(whole, own)]
        check(abs(apart[-1] - apart[-2]) < 0.05, name, "does not rule: ln of W of all over its own is", apart)

    def check_nobody_rules(self):
        if self.whole["verdict"] != "proved":
            for k in range(len(self.law.terms)):
                check(self.first(self.points([k])[-1], SOME) is not None, f"t{k} decides alone")
            return
        whole = self.log_works(None, self.beyond(self.whole))
        for k in range(len(self.law.terms)):
            own = self.log_works_of(f"t{k}")
            apart = [float(a - b) for a, b in zip(whole, own)]
            check(abs(apart[-1] - apart[-2]) > 0.05, f"t{k} rules alone", apart)

    def check_law(self, text, K):
        match = re.fullmatch(r"p\^\((?:([-0-9./]+) \+ )?(?:([-0-9./]+) )?(?:K|\(([-0-9./]+) K\)\^\(([-0-9./]+)\))\)(.*)", text)
        check(match, "a law that is not read:", text)
        number = lambda t, other: other if t is None else (float(t.split("/")[0]) / float(t.split("/")[1]) if "/" in t else float(t))
        for factor in (0.99, 1.01):
            own = K * factor
            base = number(match[3], 1.0) * own
            x = number(match[1], 0.0) + number(match[2], 1.0) * base ** number(match[4], 1.0)
            logs = self.log_works(None, self.beyond(self.whole), own / (1 + own))
            check(near(float(logs[-1] / FAR[-1].ln()), x, 2e-4), "the law is not that of K =", own, float(logs[-1] / FAR[-1].ln()), x)

    def sentence(self, line):
        whole, rows = self.whole, self.result["rows"]
        E = self.law.E
        is_E = lambda t: check(near(float(t), E, 1e-5), "another E", t)
        patterns = [
            (r"(?:Where the work grows faster than the bounds, t|T)he isoefficiency function is " + ORDER + r", which is proved\. "
             r"(?:To give all processes work and t|T)o hold E = (\S+) the work must grow with p at this rate, and N as " + ORDER + r"\.",
             lambda m: (self.is_order(m[1], whole), is_E(m[2]), check(whole["verdict"] == "proved", line),
                        check(line.startswith("Where") == (whole["held_at_bound"] is None), line))),
            (r"The exponent depends on E: near this E the function is Theta\((.*)\), and K = (\S+) here\.",
             lambda m: self.check_law(m[1], self.result["K"])),
            (r"The exponent depends on E; it is that of E = (\S+)\.", lambda m: is_E(m[1])),
            (r"Where the work grows faster, as a polynomial of p, E stays at least (\S+) and p T = O\(W\): the algorithm is "
             r"cost-optimal there\.", lambda m: (is_E(m[1]), check(whole["falls_later"] is False, line))),
            (r"E falls below (\S+) again at larger work\.", lambda m: check(whole["falls_later"] is True, line)),
            (r"E falls below (\S+) again at larger work of the order " + ORDER + r"\. Between the two orders p T = O\(W\): the "
             r"algorithm is cost-optimal there\.",
             lambda m: check(whole["falls_later"] is True and near(exponents(m[2])[0], whole["lost_at_W"]["p"], 1e-4), line)),
            (r"Whether E falls below (\S+) again at larger work is not certain\.", lambda m: check(whole["falls_later"] is None, line)),
            (r"(.*), E = (\S+) is unreachable as p grows, which is proved for every W that is a polynomial of p\.",
             lambda m: check(whole["verdict"] == "unreachable", line)),
            (r"Where N grows fast enough with p, E tends to (\S+)\.", self.check_limit),
            (r"(.*), the algorithm is unscalable at E = (\S+), which is proved: no W that is a polynomial of p holds E\.",
             lambda m: check(whole["verdict"] == "unscalable", line)),
            (r"The algorithm is unscalable at E = (\S+), which is proved: the processes that can work stay below p at every N that is a "
             r"polynomial of p\.", lambda m: self.check_never_enough()),
            (r"(.*), E = (\S+) is held on a finite range of p at most, which is proved: the overhead grows faster with N than the work, "
             r"so that E falls as N grows\.", lambda m: (check(whole["verdict"] == "finite-range", line), self.check_falls())),
            (r"The order of growth is undecided: (.*)\. The numbers above are those of the formulas, and prove no order\.",
             lambda m: check(whole["verdict"] == "undecided", line)),
            (r"Whether E = (\S+) is held where the work grows as the bounds is not certain\.",
             lambda m: check(whole["held_at_bound"] is None, line)),
            (r"Where E is held, T goes as (\S.*), psi from a fixed system as (\S.*)\.", lambda m: self.check_along(m)),
            (r"Where W is fixed, T is least at a p that goes as .*: by the largest terms of T alone, which is no proof\.", lambda m: None),
            (r"What decides that is a bound\.", lambda m: self.check_never_enough()),
            (r"What decides that is (.*)\.", lambda m: self.check_rules(m[1])),
            (r"What rules is (.*); on all of these systems it is the largest part of the total overhead\.",
             lambda m: (self.check_rules(m[1]), check(self.largest(self.part_of(m[1]), rows), line))),
            (r"What rules is (.*); among these systems it is the largest part of the total overhead from p = (\S+) on\.",
             lambda m: (self.check_rules(m[1]), check(self.largest(self.part_of(m[1]), [r for r in rows if r["p"] >= float(m[2])]), line),
                        check(any(r["p"] >= float(m[2]) for r in rows), line))),
            (r"What rules as p grows is (.*); on the largest of these systems another part of the total overhead is still larger, or there "
             r"is no solution\.",
             lambda m: (self.check_rules(m[1]),
                        check(rows[-1]["N"] is None or not self.largest(self.part_of(m[1]), rows[-1:]), line))),
            (r"The same order is needed for (.*)\.", lambda m: [self.check_rules(words) for words in m[1].split(", ")]),
            (r"The same would be decided by (.*)\.", lambda m: [self.check_rules(words) for words in m[1].split(", ")]),
            (r"A bound rules the order, and no overhead: E is held as soon as all processes can have work\.",
             lambda m: [check(p.held(p.bound / s), "E is lost at the bound over", s) for s in (1, 10) for p in self.points()[-1:]]),
            (r"A bound rules the order, and all overheads together\.",
             lambda m: [check(p.held(p.bound / SOME) is False, "E is held below the bound") for p in self.last_points()]),
            (r"A bound rules the order\. Whether the overheads ask for it, too, is not certain\.", lambda m: None),
            (r"No part alone (rules|decides that): it is several together\.", lambda m: self.check_nobody_rules()),
            (r"Which part (rules|decides that) is not certain\.", lambda m: None),
            (r"The order is that of the formulas as p grows without end, also beyond the processors that the machine file has\.",
             lambda m: None),
        ]
        for pattern, judge in patterns:
            match = re.fullmatch(pattern, line)
            if match:
                judge(match)
                return
        check(False, "a sentence that nobody checks:", line)

    def check_along(self, match):
        """T = W/(E C) and psi = C' W/(C W'), by the order that is proved for W."""
        T, psi = (exponents(re.fullmatch(ORDER, text)[1]) for text in match.groups())
        W = [self.whole["W"][name] for name in ("p", "log_p", "log_log_p")]
        for k, own in enumerate((1, 0, 0)):
            check(abs(T[k] - (W[k] - own)) < 1e-4 and abs(psi[k] - (own - W[k])) < 1e-4, match[0], "but W goes as", W)

    def check_limit(self, match):
        point = self.points()[1]
        E = float(point.efficiency(point.p ** 10 ** 9))
        check(abs(E - float(match[1])) < 2e-3, "E tends to", E)

    def check_never_enough(self):
        for p in FAR[-2:]:
            point = Point(self.law, p)
            start = point.first(lambda N, p=p: self.law.work.value(N, p) - p)
            check(all(self.law.concurrency.value(N, p) < p for N in point.grid(start, p ** 1000)), "all processes can work")

    def check_falls(self):
        point = self.points()[1]
        check(point.efficiency(point.p ** 10 ** 4) > point.efficiency(point.p ** 10 ** 9), "E does not fall")

    def judge(self):
        self.check_part(self.whole, None)
        for part in self.result["parts"]:
            if part["kind"] == "overhead":
                self.check_part(part, [int(part["part"][1:])])
        lines = self.text[self.text.index("What each part needs alone"):].split("\n\n")[2].split("\n")
        for line in lines:
            if line:
                self.sentence(line)
        return self.check_near()


def ask(program, folder, law, machine):
    with open(os.path.join(folder, "law.yaml"), "w", encoding="utf-8") as file:
        file.write(law.specification())
    out = []
    for form in ("json", "table"):
        run = subprocess.run([program, "explain", "law.yaml", machine, "--growth", "--efficiency", repr(law.E), "--to", "64,4096",
                              "--format", form], cwd=folder, capture_output=True, text=True)
        check(run.returncode in (0, 4), run.stderr)
        out.append(run.stdout)
    return json.loads(out[0]), out[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isocast")
    parser.add_argument("root")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--only", type=lambda text: [int(n) for n in text.split(",")], help="numbers of laws, such as 3,17")
    parser.add_argument("--before")
    options = parser.parse_args()
    counts, judged, failures = collections.Counter(), 0, 0
    machine = os.path.abspath(os.path.join(options.root, "specs", "machines", "textbook-unit.yaml"))
    with tempfile.TemporaryDirectory() as folder:
        for number, law in enumerate(laws(options.seed, max(options.only) + 1 if options.only else options.count)):
            if options.only and number not in options.only:
                continue
            judged += 1
            try:
                result, text = ask(os.path.abspath(options.isocast), folder, law, machine)
                whole = result["growth"]
                counts[whole["verdict"]] += 1
                counts["later not certain"] += whole["verdict"] == "proved" and whole["falls_later"] is None
                counts["not certain at the bounds"] += whole["verdict"] != "undecided" and whole["held_at_bound"] is None
                counts["which part is not certain"] += "Which part" in text
                judge = Judge(law, result, text)
                agrees = judge.judge()
                counts["slope near 10^100 as the order"] += agrees is True
                counts["slope near 10^100 on the way"] += agrees is False
                if options.before:
                    old, _ = ask(os.path.abspath(options.before), folder, law, machine)
                    gone = old["growth"]["verdict"] != "undecided" and whole["verdict"] == "undecided"
                    counts["answered before alone"] += gone
                    counts["answered before"] += old["growth"]["verdict"] != "undecided"
                    if gone:
                        print(f"{number}: {law}\n    before: {old['growth']['verdict']} {old['growth']['order']}; now: {whole['reason']}")
            except Contradiction as problem:
                failures += 1
                print(f"{number}: {law}\n    {whole['verdict']} {whole['order']}: {problem}")
    print(f"{judged - failures} of {judged} laws right; " + ", ".join(f"{name}: {n}" for name, n in sorted(counts.items())))
    sys.exit(1 if failures else 0)


main()
