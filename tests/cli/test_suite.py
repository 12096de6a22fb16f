"""isocast offers with a suite of applications: SSI, SSP and all that follows from them, by hand from the times and prices of the result;
and each weight and price that is said to change the answer does.

    test_suite.py ISOCAST ROOT
"""
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


def main():
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
