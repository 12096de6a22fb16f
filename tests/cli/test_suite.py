"""isocast offers with a suite of applications: SSI, SSP and all that follows from them, by hand from the times and prices of the result;
and each weight and price that is said to change the answer does.

    test_suite.py ISOCAST ROOT
"""
import csv
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ISOCAST, ROOT = map(os.path.abspath, sys.argv[1:3])
EXAMPLES = os.path.join(ROOT, "docs", "examples", "offers")
DIGITS = 1e-9
problems = []


def expect(holds, text):
    if not holds:
        problems.append(text)


def near(a, b, what, tolerance=DIGITS):
    expect(abs(a - b) <= tolerance * abs(b), "%s is %.12g, not %.12g" % (what, a, b))


def ask(text, *more):
    with open("suite.yaml", "w", encoding="utf-8") as file:
        file.write(text)
    result = subprocess.run([ISOCAST, "offers", "suite.yaml", "--format", "json", *more], capture_output=True, text=True, check=False)
    expect(result.returncode == 0, "exit status %d: %s" % (result.returncode, result.stderr))
    return json.loads(result.stdout)


def text_of(applications, reference=None, energy=0.27):
    lines = ["offers: drawn", "energy_price: %s EUR/kWh" % energy, "lifetime: 5 year", "use: 0.8", "applications:"]
    lines += ["  %s: {%s}" % (name, ", ".join("%s: %s" % pair for pair in keys.items())) for name, keys in applications.items()]
    lines += ["reference: {nodes: %d}" % reference] if reference else []
    return "\n".join(lines + ["list:", "  alpha: {machine: ethernet.yaml}", "  beta: {machine: infiniband.yaml}",
                              "  gamma: {machine: mixed.yaml}", ""])


def draw(rng, with_reference):
    applications = {}
    for name in ["one", "two", "three", "four"][:rng.randint(2, 4)]:
        heat = rng.random() < 0.5
        keys = {"algorithm": "heat.yaml" if heat else "particles.yaml",
                "at": "{N: %d}" % (rng.randint(8000, 60000) if heat else rng.randint(10**6, 10**9)), "weight": round(rng.uniform(0.2, 5), 2)}
        if rng.random() < 0.7:
            keys["nodes"] = rng.randint(1, 20)
        if with_reference:
            keys["reference"] = "{time: %.3g s, nodes: %d}" % (rng.uniform(0.5, 50), rng.randint(1, 60))
            keys["capability"] = rng.choice([1, 2.5])
        applications[name] = keys
    return applications


def mean(pairs):
    return math.exp(sum(w * math.log(x) for w, x in pairs) / sum(w for w, _ in pairs))


def check(applications, reference, answer, budget):
    runs = {}
    for run in answer["runs"]:
        runs.setdefault(run["offer"], []).append(run)
    merits = {}
    for row in answer["rows"]:
        of = runs[row["offer"]]
        for end, T in (("", "T"), ("_low", "T_high"), ("_high", "T_low")):
            near(row["SSP" + end], row["nodes"] * mean([(r["weight"], r["W"] / (r[T] * r["nodes"])) for r in of]), "SSP" + end)
            if reference:
                factors = []
                for r in of:
                    keys = applications[r["application"]]
                    t, n = re.match(r"{time: (.*) s, nodes: (.*)}", keys["reference"]).groups()
                    factors.append((r["weight"], keys["capability"] * (float(n) / r["nodes"]) * (row["nodes"] / reference) * (float(t) / r[T])))
                near(row["SSI" + end], mean(factors), "SSI" + end)
        near(row["SSP_per_price"], row["SSP"] / row["price"], "SSP over price")
        near(row["mixes_per_day"], 86400 * row["nodes"] / sum(r["weight"] * r["nodes"] * r["T"] for r in of), "mixes a day")
        power = row["work_energy"] * row["SSP"]
        life = 5 * 365.25 * 86400 * 0.8
        near(row["work_cost"], (row["price"] / life + power * 0.27 / 3.6e6) / row["SSP"], "cost of work")
        expect(row["price"] <= budget, "the price is over the budget")
        merits[row["offer"]] = (row["SSI"] if reference else row["SSP"]) / (1 if math.isfinite(budget) else row["price"])
    order = sorted(merits, key=merits.get, reverse=True)
    expect([answer["best"], answer["second"]] == order[:2], "the order is %s, not %s" % (order, answer["best"]))


def check_changes(applications, reference, answer, more):
    """Just below a threshold the best stays, just beyond it the second is better."""
    found = 0
    for change in answer["changes"]:
        if change["of"] != "weight" or change["threshold"] is None or change["threshold"] == 0:
            continue
        up = change["threshold"] > change["now"]
        for beyond in (False, True):
            changed = {name: dict(keys) for name, keys in applications.items()}
            share = 1e-3 if up == beyond else -1e-3
            changed[change["application"]]["weight"] = repr(change["threshold"] * (1 + share))
            again = ask(text_of(changed, reference), *more)
            rank = {row["offer"]: row["SSI" if reference else "SSP"] / (1 if more else row["price"]) for row in again["rows"]}
            expect((rank[answer["second"]] > rank[answer["best"]]) == beyond,
                   "weight of %s at %s: not as stated" % (change["application"], changed[change["application"]]["weight"]))
        found += 1
    return found


HAND = """algorithm: hand
size: {N: {min: 1}}
parameters: {wait: {default: 0 s}}
work: N
compute: W/C
overhead: {wait: wait}
"""
HAND_MACHINE = """machine: hand
nodes: {node: {count: 100, processors: 10, marked_speed: 1 Gflop/s, price: 1 kEUR, power: 500 W}}
purchase: {lifetime: 5 year, use: 0.8, energy_price: 0.27 EUR/kWh}
operations: {}
"""
HAND_SUITE = """offers: by-hand
reference: {nodes: 50}
applications:
  a: {algorithm: hand.yaml, at: {N: 1e13}, nodes: 10, reference: {time: 400 s, nodes: 20}}
  b: {algorithm: hand.yaml, at: {N: 6e13, wait: 20 s}, weight: 2, capability: 2, reference: {time: 90 s, nodes: 50}}
list: {one: {machine: hand-machine.yaml%s}}
"""


def check_by_hand():
    """a: T = 1e13/(10*10*1e9) = 100 s, 1e10 flop/s a node, 1*(20/10)*(100/50)*(400/100) = 16.
    b: T = 6e13/(100*10*1e9) + 20 = 80 s, 7.5e9 flop/s a node, 2*(50/100)*(100/50)*(90/80) = 2.25.
    SSI = (16*2.25^2)^(1/3) = 81^(1/3). SSP = 100*(1e10*7.5e9^2)^(1/3) = 100*8.2548e9.
    5 years of 0.8 are 1.2623e8 s: 1e5/1.2623e8 + 50 kW * 0.27/3600 = 4.5422e-3 EUR/s.
    With 40 nodes in the first year: 0.2*40 + 0.8*100 = 88 nodes, 44 kW, 4.0922e-3 EUR/s."""
    for name, text in (("hand.yaml", HAND), ("hand-machine.yaml", HAND_MACHINE)):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    row = ask(HAND_SUITE % "")["rows"][0]
    phased = ask(HAND_SUITE % ", phases: [{after: 0 s, nodes: 40}, {after: 1 year}]")
    late = ask(HAND_SUITE % ", phases: [{after: 1 year, nodes: 5}, {after: 2 year}]")["rows"][0]
    due = {"SSI": 4.327, "SSP": 8.255e11, "SSP_per_price": 8.255e6, "work_cost": 5.502e-15, "work_cost_exa": 5502, "work_energy": 6.057e-8,
           "mixes_per_day": 508.2, "price": 1e5}  # 86400*100/(10*100 + 2*100*80)
    for key, value in due.items():
        near(row[key], value, "by hand, " + key, 1.5e-4)
    due = {"SSI": 4.327, "SSP": 7.264e11, "work_cost": 5.633e-15, "work_energy": 6.057e-8}
    for key, value in due.items():
        near(phased["rows"][0][key], value, "by hand in phases, " + key, 1.5e-4)
    expect([(p["after_years"], p["nodes"], round(p["share"], 9), float("%.4g" % p["SSP"])) for p in phased["phases"]]
           == [(0, 40, 0.2, 3.302e11), (1, 100, 0.8, 8.255e11)], "phases are %s" % phased["phases"])
    near(late["SSP"], 4.953e11, "by hand, with too few nodes for a job in the second year, SSP", 1.5e-4)  # 0.6*100 nodes
    near(late["work_cost"], (1e5 / (5 * 31557600 * 0.8) + (0.2 * 2.5 + 0.6 * 50) * 0.27 / 3600) / late["SSP"], "and its cost of work")
    for phases, words in [("[{after: 0 s}, {after: 1 year}]", "needs the key 'nodes'"), ("[{after: 1 year, nodes: 3}]", "brings all nodes that are left"),
                          ("[{after: 2 year, nodes: 3}, {after: 1 year}]", "after the one before"), ("[{after: 9 year}]", "its lifetime is over"),
                          ("[{nodes: 3}]", "needs the key 'after'")]:
        with open("wrong.yaml", "w", encoding="utf-8") as file:
            file.write(HAND_SUITE % (", phases: " + phases))
        result = subprocess.run([ISOCAST, "offers", "wrong.yaml"], capture_output=True, text=True, check=False)
        expect(result.returncode in (2, 3) and words in result.stderr, "%s: %d %s" % (phases, result.returncode, result.stderr))
    with open("wrong.yaml", "w", encoding="utf-8") as file:
        file.write("offers: wrong\nlist: {one: {machine: hand-machine.yaml, phases: [{after: 0 s}]}}\n")
    result = subprocess.run([ISOCAST, "offers", "hand.yaml", "wrong.yaml", "--at", "N=1e9"], capture_output=True, text=True, check=False)
    expect(result.returncode == 3 and "has no applications" in result.stderr, "phases without applications: %s" % result.stderr)


def check_apex():
    """The published reference of nine applications on Edison: that machine itself has SSI = 1; drawn ones have the SSI, SSP and
    cost of work of the definitions. Two applications have a rate; an update counts as a flop."""
    with open(os.path.join(ROOT, "tests", "published", "apex-edison.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    expect(len(rows) == 9, "there are %d applications" % len(rows))
    rng = random.Random(5576)
    for case in range(6):
        nodes = 5576 if case == 0 else rng.randint(3000, 12000)
        with open("apex-machine.yaml", "w", encoding="utf-8") as file:
            file.write(HAND_MACHINE.replace("count: 100, processors: 10", "count: %d, processors: 1" % nodes).replace("1 Gflop/s", "1 Tflop/s"))
        lines, factors, rates = [], [], []
        for row in rows:
            n_ref, value, is_rate = int(row["nodes"]), float(row["value"]), row["unit"] != "s"
            n = n_ref if case == 0 else rng.randint(10, nodes)
            weight, capability = (1, 1) if case == 0 else (round(rng.uniform(0.2, 3), 2), rng.choice([1, 4.5]))
            W = round(1e12 * n * rng.uniform(1, 2) * (1 if is_rate else 0.4 * value))
            t_ref = W / (value * 1e9) if is_rate else value
            T = t_ref if case == 0 else W / (1e12 * n) * rng.uniform(1, 9)
            wait = T - W / (1e12 * n)
            lines.append("  %s: {algorithm: hand.yaml, at: {N: %d, wait: %.15g s}, nodes: %d, weight: %s, capability: %s, reference: {%s, nodes: %d}}"
                         % (row["application"], W, wait, n, weight, capability,
                            "rate: %s Gflop/s" % value if is_rate else "time: %s s" % value, n_ref))
            factors.append((weight, capability * n_ref / n * nodes / 5576 * t_ref / T))
            rates.append((weight, W / T / n))
        suite = "offers: apex\nreference: {nodes: 5576}\napplications:\n%s\nlist: {one: {machine: apex-machine.yaml}}\n" % "\n".join(lines)
        row = ask(suite)["rows"][0]
        near(row["SSI"], 1 if case == 0 else mean(factors), "SSI against Edison, case %d" % case, 1e-6)
        near(row["SSP"], nodes * mean(rates), "SSP beside Edison", 1e-6)
        life = 5 * 365.25 * 86400 * 0.8
        near(row["work_cost"], nodes * (1000 / life + 500 * 0.27 / 3.6e6) / row["SSP"], "cost of work beside Edison", 1e-6)
    for keys in ("nodes: 4", "time: 3 s, rate: 1 Gflop/s, nodes: 4"):
        with open("wrong.yaml", "w", encoding="utf-8") as file:
            file.write(re.sub("reference: {time[^}]*}|reference: {rate[^}]*}", "reference: {%s}" % keys, suite, count=1))
        result = subprocess.run([ISOCAST, "offers", "wrong.yaml"], capture_output=True, text=True, check=False)
        expect(result.returncode == 3 and "either its time or its rate" in result.stderr, "%s: %d %s" % (keys, result.returncode, result.stderr))


def main():
    check_by_hand()
    check_apex()
    rng = random.Random(20261127)
    changes = 0
    for case in range(40):
        reference = rng.randint(50, 200) if case % 2 else None
        budget = math.inf if case % 3 == 0 else rng.randint(200, 700) * 1000
        more = [] if math.isinf(budget) else ["--budget", "%dEUR" % budget]
        applications = draw(rng, reference is not None)
        answer = ask(text_of(applications, reference), *more)
        check(applications, reference, answer, budget)
        changes += check_changes(applications, reference, answer, more)
    expect(changes > 3, "only %d weights change an answer" % changes)
    for wrong, words in [("applications: {a: {algorithm: heat.yaml, at: {N: 5000}, weight: 0}}", "weight must be above 0"),
                         ("applications: {a: {algorithm: heat.yaml}}", "needs the key 'at'"),
                         ("applications: {}", "there is no application"),
                         ("reference: {nodes: 4}\napplications: {a: {algorithm: heat.yaml, at: {N: 5000}}}", "no application states its time"),
                         ("applications: {a: {algorithm: heat.yaml, at: {N: 5000}, nodes: 1.5}}", "nodes must be a whole number")]:
        with open("wrong.yaml", "w", encoding="utf-8") as file:
            file.write("offers: wrong\n%s\nlist: {alpha: {machine: ethernet.yaml}}\n" % wrong)
        result = subprocess.run([ISOCAST, "offers", "wrong.yaml"], capture_output=True, text=True, check=False)
        expect(result.returncode == 3 and words in result.stderr, "%s: %d %s" % (wrong, result.returncode, result.stderr))
    for arguments, words in [(["tender.yaml"], "too few arguments"), (["suite.yaml", "--at", "N=5"], "states its sizes itself")]:
        result = subprocess.run([ISOCAST, "offers", *arguments], capture_output=True, text=True, check=False)
        expect(result.returncode == 2 and words in result.stderr, "%s: %d %s" % (arguments, result.returncode, result.stderr))


with tempfile.TemporaryDirectory() as folder:
    for name in os.listdir(EXAMPLES):
        shutil.copy(os.path.join(EXAMPLES, name), folder)
    os.chdir(folder)
    main()
    os.chdir("/")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
