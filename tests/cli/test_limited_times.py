"""Where fewer processes can work than there are, every command gives the T and the E that predict gives, on algorithms drawn at random
with a degree of concurrency: validate and sweep; and the parts of explain --runs add up to that T.

    test_limited_times.py ISOCAST [REPOSITORY] [--seed N] [--count N]
"""
import argparse
import csv
import json
import os
import random
import re
import subprocess
import tempfile

MACHINE = """machine: drawn
source: drawn at random
nodes:
  node: {{count: 4096, processors: {cores}, marked_speed: {speed!r} Gflop/s}}
parameters:
  t_s: {start!r} us
  t_w: {word!r} ns
operations:
  T_send: {start!r} us + {word!r} ns*m/(8 B)
  T_recv: {start!r} us
"""
WORKS = ("{a!r}*N", "{a!r}*N*log2(N + 1)", "{a!r}*N^2", "{a!r}*N^3")
CONCURRENCIES = ("N", "sqrt(N)", "N/{k}", "N^2/{k}", "min(N, p/{k} + 3)")
OVERHEADS = ("t_s*log2(p)", "t_s*(p - 1)", "t_w*N/p", "T_send(8 B*N/p)", "t_s*nodes", "t_w*N*p_node")
SAME = 1e-9


def run(isocast, *words):
    done = subprocess.run([isocast, *words, "--quiet"], capture_output=True, text=True)
    assert done.returncode in (0, 1, 4), (words, done.returncode, done.stderr)
    return done.stdout


def table(isocast, *words):
    lines = run(isocast, *words, "--format", "csv").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def is_near(a, b):
    return abs(a - b) <= SAME * abs(b)


def draw(chance):
    a, k = 10 ** chance.uniform(0, 6), chance.choice((2, 3, 7))
    terms = chance.sample(OVERHEADS, chance.randint(1, 3))
    lines = [f"algorithm: drawn\ntitle: drawn\nsource: drawn at random\nsize: {{N: {{description: size, min: 1}}}}",
             "work: " + chance.choice(WORKS).format(a=a), "concurrency: " + chance.choice(CONCURRENCIES).format(k=k),
             "parameters: {t_s: {unit: s}, t_w: {unit: s}}", "overhead:"]
    lines += [f"  term-{i}: {term}" for i, term in enumerate(terms)]
    lines += ["phases:"] + [f"  T_term{i}: term-{i}" for i in range(len(terms))]
    machine = MACHINE.format(cores=chance.choice((1, 4, 12)), speed=10 ** chance.uniform(-1, 2), start=10 ** chance.uniform(-1, 2),
                             word=10 ** chance.uniform(-1, 2))
    return "\n".join(lines) + "\n", machine, len(terms)


def check(isocast, chance, folder):
    """How many of the points had fewer processes at work."""
    algorithm, machine, terms = draw(chance)
    A, M, runs = (os.path.join(folder, name) for name in ("drawn.yaml", "machine.yaml", "runs.csv"))
    for path, text in ((A, algorithm), (M, machine)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    processes = sorted({chance.randint(2, 4000) for _ in range(3)})
    sizes = sorted({int(10 ** chance.uniform(0, 5)) for _ in range(4)})
    points = {}
    for N in sizes:
        for row in table(isocast, "predict", A, M, "--at", f"N={N}", "--to", ",".join(map(str, processes))):
            points[row["system"], N] = row
    known = {at: row for at, row in points.items() if row["T"]}
    if not known:
        return 0
    with open(runs, "w", encoding="utf-8") as file:
        file.write("algorithm,system,N,T," + ",".join(f"T_term{i}" for i in range(terms)) + "\n")
        for (system, N), row in sorted(known.items()):
            file.write(f"drawn,{system},{N},{row['T']}" + ",0" * terms + "\n")
    said = (algorithm, machine)
    for point in json.loads(run(isocast, "validate", A, M, runs, "--format", "json"))["rows"]:
        want = known[point["system"], point["N"]]
        assert is_near(point["T_predicted"], float(want["T"])) and is_near(point["E_predicted"], float(want["E"])), (said, point, want)
    for row in json.loads(run(isocast, "explain", A, M, "--runs", runs, "--format", "json"))["rows"]:
        assert is_near(sum(part["predicted"] for part in row["parts"]), float(known[row["system"], row["N"]]["T"])), (said, row)
    sizes_text, systems_text = ",".join(map(str, sizes)), ",".join(map(str, processes))
    start = re.search(r"t_s: (.*)", machine)[1]
    for row in table(isocast, "sweep", A, M, "--vary", f"t_s={start}", "--at", f"N={sizes_text}", "--to", systems_text):
        want = points[row["system"], int(float(row["N"]))]
        assert (row["T"] == "") == (want["T"] == ""), (said, row, want)
        assert not row["T"] or is_near(float(row["T"]), float(want["T"])) and is_near(float(row["E"]), float(want["E"])), (said, row, want)
    return sum(row.get("p_working") not in ("", None, row["p"]) for row in known.values())


LIMITED = """algorithm: limited
title: limited
source: of this test
size: {N: {description: size, min: 1}}
work: 1e5*N
concurrency: N
overhead: {constant: 1e-6 s}
"""


def check_pairing(isocast, folder):
    """Where the concurrency rules N, no N of E is compared, and the reason stands there."""
    A, M, runs = (os.path.join(folder, name) for name in ("limited.yaml", "machine.yaml", "runs.csv"))
    with open(A, "w", encoding="utf-8") as file:
        file.write(LIMITED)
    with open(M, "w", encoding="utf-8") as file:
        file.write(MACHINE.format(cores=1, speed=1.0, start=1.0, word=1.0))
    with open(runs, "w", encoding="utf-8") as file:
        file.write("system,N,T\n" + "".join(f"64,{N},{1e-4 + 1e-6!r}\n" for N in (20, 30, 40, 50, 60)))
    done = subprocess.run([isocast, "validate", A, M, runs, "--efficiency", "0.6"], capture_output=True, text=True)
    assert done.returncode == 0 and "where E passes 0.6 not all of its processes can work" in done.stdout, done
    system = json.loads(run(isocast, "validate", A, M, runs, "--efficiency", "0.6", "--format", "json"))["systems"][0]
    assert system["N_predicted"] is None and not system["compared"], system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isocast")
    parser.add_argument("repository", nargs="?", help="not needed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=12)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    limited = 0
    with tempfile.TemporaryDirectory() as folder:
        check_pairing(given.isocast, folder)
        for _ in range(given.count):
            limited += check(given.isocast, chance, folder)
    assert limited > 0
    print(f"{given.count} algorithms, {limited} points with fewer processes at work")


if __name__ == "__main__":
    main()
