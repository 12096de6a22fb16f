"""Purchases drawn at random against a brute force over all mixes: each sentence of the answer is read and checked.

    test_purchases.py ISOCAST [--seed N] [--count N] [--keep FOLDER]

The algorithm has closed forms for T and for the N that holds E, and the brute force, in Python, knows nothing of isocast. A sentence that it
cannot read is a failure, too.
"""
import argparse
import copy
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

YEAR = 365.25 * 86400
KWH = 3.6e6
CLOSE = 6e-4  # of numbers with four digits
PREFIXES = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
QUANTITY = r"[-+]?[\d.]+(?:e[-+]?\d+)? (?:[pnumkMGTP]?(?:EUR|s|J|W|flop/s|s/B|us)|[pnumkMGTP]?EUR/kWh|min|h|d|%)"


def quantity(text):
    number, unit = text.split(" ")
    for base in ("EUR/kWh", "EUR", "flop/s", "s/B", "s", "J", "W"):
        if unit.endswith(base) and unit[:-len(base)] in PREFIXES:
            return float(number) * PREFIXES[unit[:-len(base)]]
    raise ValueError("which unit is %s" % text)


def near(a, b, within=CLOSE):
    return abs(a - b) <= within * max(abs(a), abs(b)) + 1e-12 * (abs(a) + abs(b))


class Offer:
    def __init__(self, rng, name, big):
        self.name = name
        self.classes = []
        for i in range(rng.choice((1, 1, 2, 3))):
            self.classes.append({"name": ("thin", "fat", "old")[i], "count": rng.randint(1, 40 if big else 7), "processors": rng.choice((1, 2, 4, 8, 16)),
                                 "speed": rng.randint(5, 40) * 1e8, "memory": rng.choice((4, 16, 64)) * 1e9,
                                 "price": rng.randint(10, 160) * 100, "power": rng.randint(10, 90) * 10,
                                 "running": rng.choice((0, 0, rng.randint(1, 30) * 10))})
        if len(self.classes) == 3:
            for c in self.classes:
                c["count"] = min(c["count"], 5)
        self.start = rng.randint(10, 900) * 1e-7
        self.byte = rng.randint(1, 100) * 1e-11
        self.step = rng.randint(1, 90) * 1e-6
        self.errors = rng.choice(((0, 0), (3, 2), (30, 20), (0, 5)))  # %
        self.base_price = rng.choice((0, rng.randint(1, 90) * 100))
        self.base_power = rng.choice((0, rng.randint(1, 50) * 10))
        self.steps = [(rng.randint(1, 6), rng.randint(1, 40) * 50, rng.choice((0, rng.randint(1, 9) * 10))) for _ in range(rng.choice((0, 1, 2)))]
        self.lifetime = rng.randint(2, 8)
        self.use = rng.choice((0.5, 0.8, 1))
        self.energy_price = rng.choice((0.1, 0.3))

    def text(self):
        lines = ["machine: %s" % self.name, "nodes:"]
        for c in self.classes:
            lines.append("  %s: {count: %d, processors: %d, marked_speed: %.10g flop/s, memory: %.10g B, price: %d EUR, power: %d W, "
                         "running_cost: %d EUR/year}" % (c["name"], c["count"], c["processors"], c["speed"], c["memory"], c["price"], c["power"],
                                                         c["running"]))
        error = ["" if e == 0 else " ± %d %%" % e for e in self.errors]
        lines += ["operations:", "  T_sendrecv: {start: %.10g s%s, byte: %.10g s/B%s}" % (self.start, error[0], self.byte, error[1]),
                  "  T_allreduce: %.10g s * log2(p)" % self.step,
                  "purchase:", "  base_price: %d EUR" % self.base_price, "  base_power: %d W" % self.base_power,
                  "  lifetime: %d year" % self.lifetime, "  use: %g" % self.use, "  energy_price: %g EUR/kWh" % self.energy_price]
        if self.steps:
            lines.append("  steps: [%s]" % ", ".join("{nodes: %d, price: %d EUR, power: %d W}" % s for s in self.steps))
        return "\n".join(lines) + "\n"


class Mix:
    """So many nodes of each class, and what becomes of them. `change` has numbers in place of the offer's."""

    def __init__(self, q, offer, nodes, change=None):
        change = change or {}
        self.offer, self.nodes = offer, nodes
        used = [(n, c, i) for i, (n, c) in enumerate(zip(nodes, offer.classes)) if n > 0]
        self.count = sum(nodes)
        self.p = sum(n * c["processors"] for n, c, _ in used)
        self.C = sum(n * c["processors"] * change.get(("speed", i), c["speed"]) for n, c, i in used)
        self.room = min(c["memory"] / c["processors"] for _, c, _ in used)
        self.price = offer.base_price + sum(n * change.get(("price", i), c["price"]) for n, c, i in used)
        self.power = offer.base_power + sum(n * change.get(("power", i), c["power"]) for n, c, i in used)
        running = sum(n * c["running"] for n, c, _ in used) / YEAR
        for size, price, power in offer.steps:
            self.price += math.ceil(self.count / size) * price
            self.power += math.ceil(self.count / size) * power
        energy = self.power * change.get("energy_price", offer.energy_price) / KWH
        computing = offer.lifetime * YEAR * offer.use
        self.rate = self.price / computing + running / offer.use + energy
        self.spent = self.price + offer.lifetime * YEAR * running + computing * energy if q.whole_life else self.price
        # T = w N^2/C + fixed + each N
        self.fixed = q.messages * change.get("start", offer.start) + q.reductions * offer.step * math.log2(self.p)
        self.each = q.messages * 8 * change.get("byte", offer.byte)
        self.w = q.w
        self.N = change.get("N", q.N)
        E_min = change.get("efficiency", q.efficiency)
        if q.goal == "largest-problem":
            r = (1 / E_min - 1) * self.w / self.C if E_min < 1 else 0
            self.N = (self.each + math.sqrt(self.each ** 2 + 4 * r * self.fixed)) / (2 * r) if r > 0 else math.inf
        elif q.goal == "largest-run":
            self.N = min(q.N_max, math.sqrt(self.room * self.p / 8))
            if q.deadline is not None:
                a, b, c = self.w / self.C, self.each, self.fixed - q.deadline
                self.N = min(self.N, (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a) if c <= 0 else 0)
        self.value = math.nan
        self.serves = q.N_min <= self.N <= q.N_max
        if not self.serves:
            return
        self.T = self.time(self.N)
        self.E = self.w * self.N ** 2 / (self.T * self.C)
        self.cost, self.energy = self.rate * self.T, self.power * self.T
        slack = 1e-9 if q.goal == "largest-run" else 0
        serves = self.p <= q.breadth * self.N and 8 * self.N ** 2 / self.p <= self.room * (1 + 1e-9) and self.spent <= q.budget
        serves = serves and (q.deadline is None or self.T <= q.deadline * (1 + slack))
        if E_min is not None and q.goal != "largest-problem":
            serves = serves and self.E >= E_min * (1 - slack)
        self.serves = serves
        values = {"time": self.T, "cost": self.cost, "energy": self.energy, "largest-problem": -self.N, "largest-run": -self.N,
                  "processes": self.spent * self.T if q.efficiency is None else -self.p}
        self.value = values[q.goal] if serves else math.nan

    def time(self, N):
        return self.w * N * N / self.C + self.fixed + self.each * N

    def key(self):
        return (self.value, self.spent, self.count)


class Question:
    def __init__(self, rng):
        self.goal = rng.choice(("time", "cost", "energy", "processes", "largest-problem", "largest-run"))
        self.big = rng.random() < 0.2
        self.offers = [Offer(rng, name, self.big) for name in ("alpha", "beta", "gamma", "delta")[:rng.randint(1, 4)]]
        if len(self.offers) > 1 and rng.random() < 0.3:  # two that intervals may not distinguish
            twin = copy.deepcopy(self.offers[0])
            twin.name, twin.errors = self.offers[1].name, (30, 20)
            twin.start *= 1 + rng.randint(0, 3) / 100
            self.offers[1] = twin
        self.w, self.messages, self.reductions = rng.choice((40, 400)), rng.choice((1, 100, 1000)), rng.choice((0, 10, 500))
        self.breadth = rng.choice((0.05, 1, 100)) if not self.goal.startswith("largest") else 1e6
        self.N_min, self.N_max = 10, 1e6
        self.N = rng.choice((200, 2000, 10000, 60000)) + rng.randint(0, 99) if not self.goal.startswith("largest") else math.nan
        self.whole_life = rng.random() < 0.25
        self.efficiency = rng.choice((None, 0.5, 0.8, 0.95)) if self.goal != "largest-problem" else rng.choice((0.3, 0.7, 0.9))
        self.deadline = rng.choice((None, None, rng.choice((0.05, 1, 10, 200)))) if self.goal != "largest-problem" else None
        total = max(sum(c["count"] * c["price"] for c in o.classes) for o in self.offers)
        self.budget = rng.choice((math.inf, round(total * rng.uniform(0.05, 1.2), -2) or 100, round(total * rng.uniform(0.1, 0.5), -2) or 100))

    def algorithm(self):
        return ("algorithm: drawn\nsize: {N: {min: %g, max: %g}}\nwork: %g*N^2\noverhead: {edges: %g*T_sendrecv(8 B*N), reduce: %g*T_allreduce()}\n"
                "memory: 8 B*N^2/p\nconcurrency: %g*N\n" % (self.N_min, self.N_max, self.w, self.messages, self.reductions, self.breadth))

    def words(self):
        words = ["--goal", self.goal]
        if not math.isnan(self.N):
            words += ["--at", "N=%d" % self.N]
        if self.efficiency is not None:
            words += ["--efficiency", "%g" % self.efficiency]
        if self.deadline is not None:
            words += ["--deadline", "%gs" % self.deadline]
        if math.isfinite(self.budget):
            words += ["--budget", "%dEUR" % self.budget]
        return words + (["--budget-for", "lifetime"] if self.whole_life else [])

    def mixes(self, offer, change=None, budget=None):
        saved, self.budget = self.budget, self.budget if budget is None else budget
        found = [Mix(self, offer, nodes, change) for nodes in itertools.product(*(range(c["count"] + 1) for c in offer.classes)) if sum(nodes)]
        found = [m for m in found if m.spent <= self.budget]
        self.budget = saved
        return found


def best(mixes):
    serving = [m for m in mixes if m.serves]
    return min(serving, key=Mix.key) if serving else None


class Check:
    def __init__(self, q, result, text):
        self.q, self.json, self.text, self.problems, self.read = q, result, text, [], 0
        self.mixes = [q.mixes(o) for o in q.offers]
        self.best = [best(m) for m in self.mixes]
        self.by_name = {o.name: i for i, o in enumerate(q.offers)}

    def expect(self, condition, what, *values):
        if not condition:
            self.problems.append(what % values)

    def mix_of(self, name, system):
        offer = self.q.offers[self.by_name[name]]
        nodes = [0] * len(offer.classes)
        for part in system.split("+"):
            label, _, rest = part.rpartition(":")
            i = [c["name"] for c in offer.classes].index(label) if label else 0
            each, count = rest.split("x")
            self.expect(int(each) == offer.classes[i]["processors"], "not all processors of %s work", system)
            nodes[i] = int(count)
        return Mix(self.q, offer, tuple(nodes))

    def purchase(self, name, nodes, system, p, amount):
        mix = self.mix_of(name, system)
        self.expect(mix.count == int(nodes) and mix.p == int(p) and near(mix.spent, quantity(amount)), "%s of %s: not %s nodes, %s processes, %s",
                    system, name, nodes, p, amount)
        self.expect(mix.serves, "%s of %s does not serve", system, name)
        due = self.best[self.by_name[name]]
        self.expect(due is not None and near(mix.value, due.value, 1e-8), "%s is not the best of %s, which is %s", system, name,
                    due and due.nodes)
        if due is not None and mix.value == due.value:
            self.expect(mix.key() <= due.key() or near(mix.spent, due.spent, 1e-12), "%s costs more than as good ones", system)
        return mix

    def rank(self, names):
        others = [m for i, m in enumerate(self.best) if m is not None and self.q.offers[i].name not in names]
        return min(others, key=Mix.key) if others else None

    def interval(self, name):
        offer = [o for o in self.json["rows"] if o["offer"] == name][0]
        low, high = ("N_low", "N_high") if self.q.goal == "largest-problem" else ("T_low", "T_high")
        if offer.get(low) is None or self.q.goal == "largest-run" or (self.q.goal == "processes" and self.q.efficiency is not None):
            return None
        m = self.best[self.by_name[name]]
        base = m.N if self.q.goal == "largest-problem" else m.T
        o = m.offer
        if self.q.goal != "largest-problem":
            sigma = math.hypot(self.q.messages * o.start * o.errors[0], self.q.messages * 8 * m.N * o.byte * o.errors[1]) / 100
            self.expect(abs((offer[high] - offer[low]) / 2 / 1.6449 / sigma - 1) < 0.05 + 2 * sigma / m.T, "the interval of %s is %s to %s, sigma %s",
                        name, offer[low], offer[high], sigma)
        ends = sorted((m.value * offer[low] / base, m.value * offer[high] / base))
        return ends

    def overlap(self, a, b):
        one, other = self.interval(a), self.interval(b)
        return one is not None and other is not None and one[0] <= other[1] and other[0] <= one[1]

    # ---- sentences, each with its pattern

    def first(self, m):
        self.chosen = self.purchase(m["name"], m["nodes"], m["system"], m["p"], m["amount"])
        self.name = m["name"]
        top = self.rank(())
        self.expect(near(self.chosen.value, top.value, 1e-8), "%s is not the best offer, %s is", m["name"], top.offer.name)
        self.expect(bool(m["life"]) == self.q.whole_life, "lifetime of %s", m["amount"])
        doubt = {o.name for i, o in enumerate(self.q.offers) if o.name != m["name"] and self.best[i] is not None and self.overlap(m["name"], o.name)}
        self.expect(doubt == set(re.split(" or ", m["doubt"]) if m["doubt"] else ()), "intervals overlap those of %s, not of %s", doubt, m["doubt"])
        quicker = [i for i in range(len(self.q.offers)) if self.faster(i)]
        self.expect((m["verb"] == "Buy ") == (not doubt and not quicker), "Buy, with doubt %s, faster %s", doubt, quicker)

    def faster(self, i):
        """Whether the best of another offer runs the chosen N with at least the efficiency in less time."""
        mix, q = self.best[i], self.q
        if q.goal != "largest-problem" or mix is None or q.offers[i].name == self.name:
            return False
        T = mix.time(self.chosen.N)
        E = q.w * self.chosen.N ** 2 / T / mix.C
        return E >= q.efficiency and T < self.chosen.T and 8 * self.chosen.N ** 2 / mix.p <= mix.room

    def reason(self, m):
        q, c = self.q, self.chosen
        looked = sum(len(x) for x in self.mixes)
        serving = sum(1 for x in self.mixes for mix in x if mix.serves)
        self.expect(int(m["all"]) == looked and int(m["serving"] or looked) == serving, "%s serve of %s, not %d of %d", m["serving"], m["all"],
                    serving, looked)
        self.expect((m["which"] == "inside the budget") == math.isfinite(q.budget), m["which"])
        if m["N"]:
            self.expect(near(float(m["N"]), c.N, 1e-5), "N is %s, not %g", m["N"], c.N)
        if m["T"]:
            self.expect(near(quantity(m["T"]), c.T), "T is %s, not %g s", m["T"], c.T)
        if m["cost"]:
            self.expect(near(quantity(m["cost"]), c.cost), "the cost is %s, not %g EUR", m["cost"], c.cost)
        if m["energy"]:
            self.expect(near(quantity(m["energy"]), c.energy), "the energy is %s, not %g J", m["energy"], c.energy)
        if m["E"]:
            self.expect(near(float(m["E"]), c.E), "E is %s, not %g", m["E"], c.E)
        limit = m["limit"]
        if limit:
            due = {"which is all that the algorithm file allows": near(c.N, q.N_max), "which fills their memory": near(8 * c.N ** 2 / c.p, c.room),
                   "which takes all of the time allowed": q.deadline is not None and near(c.T, q.deadline)}
            self.expect(due.get(limit, False), "%s: no", limit)
        if m["count"]:
            self.expect(int(m["count"]) == c.p, "%s processes, not %d", m["count"], c.p)
            self.expect(("worth" in m[0]) == (q.efficiency is None), "which reason: %s", m[0])

    def nature(self, m):
        q, c = self.q, self.chosen
        self.expect(m["goal"] == q.goal, "a nature of %s", m["goal"])
        self.expect(("deadline" in m["within"]) == (q.deadline is not None), m["within"])
        if m["spent"]:
            self.expect(near(quantity(m["spent"]), c.spent) and near(quantity(m["budget"]), q.budget), "it spends %s of %s", m["spent"], m["budget"])
        self.expect(near(quantity(m["T"]), c.T), "it takes %s", m["T"])

    def contra(self, m):
        due = {self.q.offers[i].name for i in range(len(self.q.offers)) if self.faster(i)}
        found = re.findall(r"(\w+) runs that N with E = ([\d.e+-]+) in (%s)" % QUANTITY, m["them"])
        self.expect({f[0] for f in found} == due, "%s are faster there, not %s", due, found)
        for name, E, T in found:
            mix = self.best[self.by_name[name]]
            self.expect(near(quantity(T), mix.time(self.chosen.N)), "%s takes %s", name, T)
            self.expect(near(float(E), self.q.w * self.chosen.N ** 2 / mix.time(self.chosen.N) / mix.C), "%s has E = %s", name, E)
        self.expect(near(quantity(m["T"]), self.chosen.T) and near(float(m["N"]), self.chosen.N, 1e-5), "it takes %s", m["T"])

    def second(self, m):
        mix = self.purchase(m["name"], m["nodes"], m["system"], m["p"], m["amount"])
        due = self.rank((self.name,))
        self.expect(near(mix.value, due.value, 1e-8), "%s does not come next, %s does", m["name"], due.offer.name)
        values = {"time": mix.T, "cost": mix.cost, "energy": mix.energy, "largest-problem": mix.N, "largest-run": mix.N, "processes": mix.T}
        word = re.search(r"(?:N = )([\d.e+]+)" if self.q.goal.startswith("largest") else "(%s)" % QUANTITY, m["value"]).group(1)
        shown = float(word) if self.q.goal.startswith("largest") else quantity(word)
        self.expect(near(shown, values[self.q.goal]), "%s has %s", m["name"], m["value"])
        self.expect(bool(m["doubt"]) == self.overlap(self.name, m["name"]), "overlap of %s", m["name"])

    def more(self, m):
        c = self.chosen
        names = [x["name"] for x in c.offer.classes]
        i = names.index(m["node"]) if m["node"] else 0
        self.expect(bool(m["node"]) == (len(names) > 1), "class %s", m["node"])
        nodes = list(c.nodes)
        nodes[i] += 1
        saved, self.q.budget = self.q.budget, math.inf
        mix = Mix(self.q, c.offer, tuple(nodes))
        self.q.budget = saved
        self.expect(near(quantity(m["amount"]), mix.spent - c.spent), "one node more costs %g EUR, not %s", mix.spent - c.spent, m["amount"])
        change = mix.N / c.N - 1 if m["what"] == "N" else mix.T / c.T - 1
        self.expect(abs(float(m["percent"]) / 100 - change) < 6e-3 * abs(change) + 1e-6, "it changes %s by %g, not %s %%", m["what"], change,
                    m["percent"])

    def budgets(self, m):
        ranges = [(name, quantity(amount)) for name, amount in re.findall(r"(\w+) is the best from (%s) on" % QUANTITY, m["ranges"])]
        serving = sorted((mix for x in self.mixes for mix in x if mix.serves), key=lambda mix: mix.spent)
        for name, at in ranges:  # with just the amount that is printed
            inside = [mix for mix in serving if mix.spent <= at * (1 + 1e-12)]
            own = [mix.value for mix in inside if mix.offer.name == name]
            self.expect(own and near(min(own), min(mix.value for mix in inside), 1e-8), "with %s EUR %s is not the best", at, name)
        top = None
        for k, mix in enumerate(serving):
            top = mix if top is None or mix.key() < top.key() else top
            level = mix.spent
            if (k + 1 < len(serving) and serving[k + 1].spent == level) or any(near(level, at) and level < at for _, at in ranges):
                continue
            below = [(name, at) for name, at in ranges if at <= level or near(at, level)]
            if not below:
                self.expect("others below" in m[0], "nothing is said of a budget of %g EUR", level)
                continue
            name = below[0][0]
            at_most = [x for x in serving if x.spent <= level and x.offer.name == name]
            self.expect(at_most and near(min(x.value for x in at_most), top.value, 1e-8), "at %g EUR %s is the best, not %s", level,
                        top.offer.name, name)

    def changed(self, what, value):
        """The best of both offers, or what both become, with another number."""
        q, names = self.q, (self.name, self.rank((self.name,)).offer.name)
        change, where = {}, None
        found = re.match(r"the (price|power|marked speed) of a (?:node|processor)(?: of class (\w+))? of (\w+)$", what)
        again = False
        if found:
            offer = q.offers[self.by_name[found[3]]]
            i = [c["name"] for c in offer.classes].index(found[2]) if found[2] else 0
            kind = {"price": "price", "power": "power", "marked speed": "speed"}[found[1]]
            change, where, again = {(kind, i): value}, found[3], kind != "speed"
            now = offer.classes[i][kind]
        elif what == "the price of energy":
            change, again, now = {"energy_price": value}, True, self.chosen.offer.energy_price
        elif what == "N":
            change, now = {"N": value}, q.N
        elif what in ("the efficiency that is held", "the least efficiency allowed"):
            change, now = {"efficiency": value}, q.efficiency
        else:
            found = re.match(r"sendrecv_(start|byte) of (\w+)", what)
            change, where, now = {found[1]: value}, found[2], getattr(q.offers[self.by_name[found[2]]], found[1])
        out = []
        for name in names:
            i = self.by_name[name]
            own = change if where in (None, name) else {}
            out.append(best(q.mixes(q.offers[i], own)) if again else Mix(q, q.offers[i], self.best[i].nodes, own))
        return out, now

    def decider(self, what, way, threshold, now):
        amount = float(threshold) if re.fullmatch(r"[\d.e+-]+", threshold) else quantity(threshold)
        held = False
        for margin in (0, 1e-10, 1.01e-9):  # what is stated is true as it is printed: "just above"
            (one, other), due = self.changed(what, amount * (1 + (margin if way == "above" else -margin)))
            held = held or (other is not None and other.serves and (one is None or not one.serves or one.key() >= other.key()))
        shown = float(now) if re.fullmatch(r"[\d.e+-]+", now) else quantity(now)
        self.expect(shown != amount and (amount > shown) == (way == "above"), "%s is %s, and %s is %s that", what, now, threshold, way)
        self.expect(near(shown, due), "%s is %s, not %g", what, now, due)
        self.expect(held, "%s is still better with %s %s %s", self.name, what, way, threshold)

    def change(self, m):
        self.expect(m["name"] == self.name and m["other"] == self.rank((self.name,)).offer.name, "between %s and %s", m["name"], m["other"])
        self.decider(re.sub(r" \(.*\)$", "", m["what"]), m["way"], m["at"], m["now"])

    def lack(self, m):
        for name, why in re.findall(r"(\w+)(?: does not serve)?: ([^;.]+(?:\.\d+[^;.]*)*)", m["all"]):
            i = self.by_name[name]
            self.expect(self.best[i] is None, "%s serves", name)
            cost = re.search("costs (%s), which is over" % QUANTITY, why)
            self.expect(bool(cost) == (not self.mixes[i]), "%s: %s", name, why)
            if cost:
                offer = self.q.offers[i]
                saved, self.q.budget = self.q.budget, math.inf
                least = min(Mix(self.q, offer, tuple(int(k == j) for k in range(len(offer.classes)))).spent for j in range(len(offer.classes)))
                self.q.budget = saved
                self.expect(near(quantity(cost[1]), least), "the cheapest node costs %g EUR, not %s", least, cost[1])

    def is_static(self, m):
        pass

    def check(self):
        mix = r"(?P<nodes>\d+) nodes? \((?P<system>\S+), (?P<p>\d+) process(?:es)?\) for (?P<amount>%s)(?P<life> over the lifetime)?" % QUANTITY
        proof = r" of (?:the (?P<serving>\d+) that serve, of )?all (?P<all>\d+) mixes (?P<which>inside the budget|that are offered)\."
        Q, F = "(%s)" % QUANTITY, r"[\d.e+-]+"
        reason = (r"(?:They run N = (?P<Na>F) in (?P<Ta>Q), the least time|A run of N = (?P<Nb>F) costs (?P<cost>Q) on them, the least cost|"
                  r"A run of N = (?P<Nc>F) takes (?P<energy>Q) on them, the least energy|They hold E = (?P<Ea>F) at N = (?P<Nd>F), the largest N|"
                  r"They run N up to (?P<Ne>F), (?P<limit>[^,]+), in (?P<Tb>Q) with E = (?P<Eb>F): the largest N|"
                  r"(?P<count>\d+) process(?:es)? are the most (?:worth buying: price times time is the least|that keep the efficiency) at N = (?P<Nf>F))")
        reason = reason.replace("Q", QUANTITY).replace("F)", "[\\d.e+-]*\\d)")
        patterns = [
            (r"(?:(?P<verb>Buy )(?P<a>\w+)|(?P<b>\w+) comes first(?:, but it is not certain that it is better than (?P<doubt>[\w ]+))?): " + mix +
             r"\. ", self.first),
            (reason + proof, self.reason),
            (r"This goal takes the mix with the least (?P<goal>cost|energy) of a run, (?P<within>however long that takes|within the deadline)"
             r"(?:, and spends (?P<spent>%s) of the budget of (?P<budget>%s))?; here it takes (?P<T>%s)\. For the shortest run(?: inside the budget)?, "
             r"take --goal time\." % (Q[1:-1], Q[1:-1], Q[1:-1]), self.nature),
            (r"But this does not speak for it: (?P<them>.+), where it takes (?P<T>%s) itself\. Compare the times with --goal time --at N=(?P<N>\S+)\." %
             QUANTITY, self.contra),
            (r"(?P<name>\w+) comes next: " + mix + r", with (?P<value>.+?)\.(?P<doubt> The 90 % intervals of both overlap, so which is better is not "
             r"certain\.)?$", self.second),
            (r"One node more(?: of class (?P<node>\w+))? costs (?P<amount>%s) \([-+][\d.e+-]+ %%\) and changes (?P<what>[TN]) by (?P<percent>[-+][\d.e+-]+) "
             r"%%\.$" % QUANTITY, self.more),
            (r"With a smaller budget: (?P<ranges>.+)\.$", self.budgets),
            (r"The smallest change that was found: (?P<name>\w+) is no longer better than (?P<other>\w+) with (?P<what>.+) just (?P<way>above|below) "
             r"(?P<at>.+) \(now (?P<now>.+)\)\.$", self.change),
            (r"No offer serves\. (?P<all>.+)\.$", self.lack),
            (r"(?P<all>\w+ does not serve: .+)\.$", self.lack),
            (r"(?:One number changes at a time\. As prices change, the best mix of each offer is chosen again; as others do, both keep their nodes\.|"
             r"Pareto front of price and (?:size|time), from the cheapest mix on|What makes \w+ no longer better than \w+|"
             r"\d+ of \d+ mixes are shown; JSON has more\.)$", self.is_static)]
        table = 0
        for line in self.text.split("\n"):
            if line.startswith(("offer ", "number ")):
                table = 1 if line.startswith("offer ") else 2
                continue
            table = 0 if not line.strip() else table
            if table == 2:
                cells = re.split(r"  +", line.strip())
                found = re.match("(above|below) (.+)", cells[2])
                if found:
                    self.read += 1
                    self.decider(re.sub(r" \(.*\)$", "", cells[0]), found[1], found[2], cells[1])
            rest = "" if table else line.strip()
            while rest:
                for pattern, judge in patterns:
                    found = re.match(pattern, rest)
                    if found:
                        break
                else:
                    self.expect(False, "cannot read: %s", rest)
                    break
                groups = found.groupdict()
                merged = {k: v for k, v in groups.items()}
                for name, parts in (("name", "ab"), ("N", ("Na", "Nb", "Nc", "Nd", "Ne", "Nf")), ("T", ("Ta", "Tb")), ("E", ("Ea", "Eb"))):
                    if name not in merged:
                        merged[name] = next((groups[x] for x in parts if groups.get(x)), None)
                merged[0] = found[0]
                self.read += judge != self.is_static
                judge(merged)
                rest = rest[found.end():].strip()
        nobody = all(m is None for m in self.best)
        self.expect(nobody == self.text.startswith("No offer serves"), "whether an offer serves")


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def ask(isocast, seed, folder):
    rng = random.Random(seed)
    q = Question(rng)
    for name, text in [("drawn.yaml", q.algorithm())] + [(o.name + ".yaml", o.text()) for o in q.offers]:
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    command = [isocast, "offers", "drawn.yaml"] + [o.name + ".yaml" for o in q.offers] + q.words()
    table = run(command, folder)
    result = run(command + ["--format", "json"], folder)
    if table.returncode not in (0, 4) or result.returncode not in (0, 4):
        return ["exit status %d: %s" % (table.returncode, table.stderr)], 0, command
    check = Check(q, json.loads(result.stdout), table.stdout)
    try:
        check.check()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        check.problems.append("cannot check: %r" % error)
    return check.problems, check.read, command


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isocast")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    failed = sentences = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(options.count):
            problems, read, command = ask(os.path.abspath(options.isocast), "%d/%d" % (options.seed, k), folder)
            sentences += read
            failed += bool(problems)
            if problems:
                print("purchase %d of seed %d: %s" % (k, options.seed, " ".join(command[1:])))
                print("".join("    %s\n" % p for p in problems), end="")
    print("%d purchases, %d sentences checked, %d purchases with problems" % (options.count, sentences, failed))
    sys.exit(failed > 0)


main()
