"""isocast offers --accept: what few nodes must show, against closed forms of T and its gradient, and against draws of the numbers.

    test_acceptance.py ISOCAST ROOT
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from statistics import NormalDist

ISOCAST = os.path.abspath(sys.argv[1])
NORMAL = NormalDist()
LEVEL = 0.9
problems = []

ALGORITHM = """algorithm: closed
size: {N: {min: 1}}
work: N
compute: W/C
overhead: {exchange: p*T_send(8 B), wait: log2(p)*T_barrier()}
"""


def expect(holds, text):
    if not holds:
        problems.append(text)


def near(a, b, what, tolerance=2e-5):
    expect(a is not None and abs(a - b) <= tolerance * abs(b), "%s is %s, not %.9g" % (what, a, b))


class Machine:
    """T = N/(p s) + p (a + 8 b) + log2(p) c, with relative errors of s, a, b and c, and a spread of runs."""

    def __init__(self, rng, wide):
        self.processors = rng.choice((4, 16, 32))
        self.values = [rng.uniform(1, 3) * 1e9, rng.uniform(1, 9) * 1e-6, rng.uniform(1, 9) * 1e-8, rng.uniform(1, 9) * 1e-4]
        self.errors = [rng.uniform(0.01, 0.04) * (3 if wide else 1) for _ in range(4)]
        self.spread = rng.uniform(0.002, 0.01)

    def text(self, name):
        s, a, b, c = self.values
        e = ["%.6f %%" % (100 * x) for x in self.errors]
        return ("machine: %s\nnodes: {node: {count: 64, processors: %d, marked_speed: %r flop/s ± %s, price: 1 kEUR}}\n"
                "operations:\n  T_send: {start: %r s ± %s, byte: %r s/B ± %s}\n  T_barrier: {start: %r s ± %s}\n"
                "calibration: {sigma: {launch: %r}}\n" % (name, self.processors, s, e[0], a, e[1], b, e[2], c, e[3], self.spread))

    def T(self, N, nodes, values=None):
        s, a, b, c = values or self.values
        p = nodes * self.processors
        return N / (p * s) + p * (a + 8 * b) + math.log2(p) * c

    def E(self, N, nodes, T=None):
        return N / ((T or self.T(N, nodes)) * nodes * self.processors * self.values[0])

    def size(self, E, nodes):
        """N/(T C) = E."""
        p, s = nodes * self.processors, self.values[0]
        return round(E / (1 - E) * (self.T(0, nodes)) * p * s)

    def gradient(self, N, nodes):
        """d ln T/d ln of each number."""
        s, a, b, c = self.values
        p, T = nodes * self.processors, self.T(N, nodes)
        return [-N / (p * s) / T, p * a / T, 8 * p * b / T, math.log2(p) * c / T]


def due(machine, N, all_nodes, few, deadline):
    E = machine.E(N, all_nodes)
    n = machine.size(E, few)
    g, h = machine.gradient(n, few), machine.gradient(N, all_nodes)
    v = sum((x * e) ** 2 for x, e in zip(g, machine.errors)) + machine.spread ** 2
    w = sum((x * e) ** 2 for x, e in zip(h, machine.errors)) + machine.spread ** 2
    c = sum(x * y * e * e for x, y, e in zip(g, h, machine.errors))
    T, T_all = machine.T(n, few), machine.T(N, all_nodes)
    promised = deadline or T_all * math.exp(NORMAL.inv_cdf(0.95) * math.sqrt(w))
    reach = (math.log(promised / T_all) - NORMAL.inv_cdf(LEVEL) * math.sqrt(w - c * c / v)) * v / c
    T_most = T * math.exp(reach)
    return {"N": n, "T_predicted": T, "E_predicted": machine.E(n, few), "T_most": T_most, "E_least": machine.E(n, few, T_most),
            "passes": NORMAL.cdf(reach / math.sqrt(v)), "T_promised": promised, "correlation": c / math.sqrt(v * w)}


def share_of_draws(rng, machine, N, all_nodes, row):
    """Of draws whose T on few nodes is about T_most, how many keep the promise on all of them."""
    kept = count = 0
    for _ in range(150000):
        values = [x * (1 + e * rng.gauss(0, 1)) for x, e in zip(machine.values, machine.errors)]
        few = machine.T(row["N"], row["nodes"], values) * math.exp(machine.spread * rng.gauss(0, 1))
        if abs(few / row["T_most"] - 1) < 0.002:
            count += 1
            kept += machine.T(N, all_nodes, values) * math.exp(machine.spread * rng.gauss(0, 1)) <= row["T_promised"]
    return kept / count if count > 1500 else None


def ask(*arguments, status=0):
    result = subprocess.run([ISOCAST, "offers", *arguments, "--format", "json", "--quiet"], capture_output=True, text=True, check=False)
    expect(result.returncode == status, "exit status %d: %s" % (result.returncode, result.stderr))
    return json.loads(result.stdout) if status == 0 else result.stderr


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    rng = random.Random(20261127)
    write("closed.yaml", ALGORITHM)
    drawn = 0
    for case in range(12):
        machine = Machine(rng, wide=False)
        write("m.yaml", machine.text("m"))
        N, all_nodes = rng.randint(10 ** 9, 10 ** 11), rng.choice((16, 40, 64))
        deadline = machine.T(N, all_nodes) * rng.uniform(1.0, 1.1) if case % 2 else None
        more = ["--deadline", "%r s" % deadline] if deadline else []
        answer = ask("closed.yaml", "m.yaml", "--budget", "%d kEUR" % all_nodes, "--at", "N=%d" % N, "--accept", "1,2,4,64", *more)
        if answer["rows"][0]["nodes"] != all_nodes:
            continue  # the least time is that of fewer nodes
        rows = answer["acceptance"]
        expect([row["nodes"] for row in rows] == [1, 2, 4], "rows of %s nodes" % [row["nodes"] for row in rows])
        for row in rows:
            expect((row["all_nodes"], row["all_N"], row["status"], row["application"]) == (all_nodes, N, "ok", None), "%s" % row)
            for key, value in due(machine, N, all_nodes, row["nodes"], deadline).items():
                near(row[key], value, "case %d, %d nodes: %s" % (case, row["nodes"], key))
        share = share_of_draws(rng, machine, N, all_nodes, rows[-1])
        if share is not None:
            drawn += 1
            expect(abs(share - LEVEL) < 0.03, "case %d: %.3f of draws keep the promise" % (case, share))
    expect(drawn > 2, "draws were compared in %d cases" % drawn)

    # A suite has jobs of its own, each with its nodes; one on as many nodes as are shown has no row.
    write("suite.yaml", "offers: s\napplications:\n  a: {algorithm: closed.yaml, at: {N: %d}, nodes: 8}\n"
          "  b: {algorithm: closed.yaml, at: {N: %d}, nodes: 2}\nlist: {m: {machine: m.yaml}}\n" % (10 ** 10, 10 ** 9))
    rows = ask("suite.yaml", "--accept", "1,2")["acceptance"]
    expect([(row["application"], row["nodes"], row["all_nodes"]) for row in rows] == [("a", 1, 8), ("a", 2, 8), ("b", 1, 2)], "%s" % rows)
    for row in rows:
        for key, value in due(machine, row["all_N"], row["all_nodes"], row["nodes"], None).items():
            near(row[key], value, "suite, %s on %d nodes: %s" % (row["application"], row["nodes"], key))

    # Without errors nothing follows; with errors that have nothing in common neither.
    write("bare.yaml", "machine: bare\nnodes: {node: {count: 8, processors: 4, marked_speed: 1 Gflop/s, price: 1 kEUR}}\n"
          "operations: {T_send: 2 us, T_barrier: 3 us}\n")
    row = ask("closed.yaml", "bare.yaml", "--at", "N=1000000000", "--accept", "2")["acceptance"][0]
    expect(row["status"] == "no-errors" and row["T_most"] is None and row["T_predicted"] > 0, "%s" % row)
    write("local.yaml", "algorithm: local\nsize: {N: {min: 1}}\nwork: N\ncompute: W/C\noverhead: {far: \"if(p > 8, T_barrier(), 0 s)\"}\n")
    write("far.yaml", "machine: far\nnodes: {node: {count: 8, processors: 4, marked_speed: 1 Gflop/s, price: 1 kEUR}}\n"
          "operations: {T_send: 2 us, T_barrier: {start: 3 s ± 5 %}}\n")
    row = ask("local.yaml", "far.yaml", "--at", "N=100000000000", "--accept", "2")["acceptance"][0]
    expect(row["status"] == "apart" and row["passes"] is None, "%s" % row)
    for wrong in ("0", "1,", "1.5", "a", "1,2,3,4,5,6,7,8,9"):
        expect("--accept takes" in ask("closed.yaml", "m.yaml", "--at", "N=1000000", "--accept", wrong, status=2), wrong)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
