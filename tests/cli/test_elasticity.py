"""The elasticities and growth of `explain` against differences of separate predictions.

    test_elasticity.py ISOCAST ROOT

Each parameter of a machine file is written 1 % smaller and larger into a copy, and each overhead term
of an algorithm file; `predict` on the copies must move as `explain` says.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile

STEP = 0.01
ALGORITHM = """algorithm: sample
size: {N: {min: 2}}
work: 2/3*N^3
compute: W*t_c/p
overhead:
  rounds: (%s)*(N*T_bcast(8 B * N))
  deal: (%s)*((p-1)*(T_send(8 B * N^2/p) + T_recv(8 B * N^2/p)))
"""
TERMS = ["rounds", "deal"]
PARAMETERS = ["t_c", "latency", "bandwidth_time", "unused"]
CLASSES = ["node"]  # their marked speeds
QUESTIONS = [["--base", "4", "--at", "N=300"], ["--efficiency", "0.3"],
             ["--at", "N=1500"]]
TO = ["--to", "8,64"]


def run(program, command, algorithm, machine, question):
    line = [program, command, algorithm, machine, *question, *TO, "--format", "json"]
    done = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def scaled_machine(text, name, factor):
    key = rf"  {name}: {{.*marked_speed: " if name in CLASSES else f"  {name}: "
    pattern = re.compile(rf"^({key})([0-9.e-]+)", re.MULTILINE)
    assert pattern.search(text), name
    return pattern.sub(lambda m: f"{m.group(1)}{float(m.group(2)) * factor!r}", text)


def scaled_algorithm(name, factor):
    return ALGORITHM % tuple(repr(factor) if term == name else "1.0" for term in TERMS)


class Copies:
    """Predicts with copies of the two files."""

    def __init__(self, program, folder, machine):
        self.program, self.folder, self.machine = program, folder, machine

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def outcome(self, driver, factor, question):
        is_term = driver in TERMS
        algorithm = self.write("a.yaml", scaled_algorithm(driver if is_term else None, factor))
        machine = self.write("m.yaml", self.machine if is_term else
                             scaled_machine(self.machine, driver, factor))
        row = run(self.program, "predict", algorithm, machine, question)["rows"][-1]
        return row["T"] if "--at" in question and "--base" not in question else row["N"]

    def elasticity(self, driver, question):
        less, more = (self.outcome(driver, 1 + sign * STEP, question) for sign in (-1, 1))
        return math.log(more / less) / (math.log1p(STEP) - math.log1p(-STEP))


def check_question(copies, question):
    algorithm = copies.write("a.yaml", scaled_algorithm(None, 1.0))
    machine = copies.write("m.yaml", copies.machine)
    explained = run(copies.program, "explain", algorithm, machine, question)
    predicted = run(copies.program, "predict", algorithm, machine, question)
    fixed = explained["held"] == "size"
    due_names = set(PARAMETERS + CLASSES) | (set() if fixed else set(TERMS))
    drivers = {d["driver"]: d["elasticity"] for d in explained["sensitivity"]["drivers"]}
    problems = []
    if set(drivers) != due_names:
        problems.append(f"drivers are {sorted(drivers)}, due are {sorted(due_names)}")
    for name, elasticity in drivers.items():
        due = copies.elasticity(name, question)
        print(f"{' '.join(question)}: {name}: {elasticity:.6f}, by two predictions {due:.6f}")
        # Terms are differentiated at one point, parameters over the same +-1 % as here.
        if abs(elasticity - due) > (1e-3 if name in TERMS else 1e-9) * (1 + abs(due)):
            problems.append(f"{name}: {elasticity}, due is {due}")
    first, last = predicted["rows"]
    for part in explained["parts"]:
        times = [r["T_c"] if part["part"] == "computation" else r["terms"][part["part"]]
                 for r in (first, last)]
        growth = math.log(times[1] / times[0]) / math.log(last["p"] / first["p"])
        shares = [t / r["T"] for t, r in zip(times, (first, last))]
        if part["T"] != times or part["share"] != shares or abs(part["growth"] - growth) > 1e-12:
            problems.append(f"part {part} is not {times}, {shares}, {growth}")
    order = [part["share"][-1] for part in explained["parts"]]
    if order != sorted(order, reverse=True):
        problems.append("the parts are not in the order of their shares")
    return [f"{' '.join(question)}: {problem}" for problem in problems]


def main():
    program, root = os.path.abspath(sys.argv[1]), sys.argv[2]
    with open(os.path.join(root, "tests", "cli", "files", "tunable.yaml"), encoding="utf-8") as file:
        machine = file.read()
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(program, folder, machine)
        for question in QUESTIONS:
            problems += check_question(copies, question)
    for problem in problems:
        print("wrong: " + problem)
    return 1 if problems else 0


sys.exit(main())
