"""validate on runs that are exactly what the formulas say, at four sizes: N measured is N predicted within the error that validate
states of its own reading, whatever the laws of the machine and the algorithm.

    test_validate_exact.py ISOCAST [REPOSITORY] [--seed N] [--machines N]
"""
import argparse
import csv
import io
import json
import math
import os
import random
import re
import subprocess
import tempfile

MACHINE = """machine: drawn
source: drawn at random
nodes:
  node: {{count: 1e6, processors: 1, marked_speed: {speed!r} Gflop/s}}
parameters:
  t_c: {t_c!r} ns/flop
  t_s: {start!r} us
  t_w: {word!r} ns
operations:
  T_send: {start!r} us + {word!r} ns*m/(8 B)
  T_recv: {start!r} us
  T_sendrecv: 2*({start!r} us) + {word!r} ns*m/(8 B)
  T_bcast: ({start!r} us + {word!r} ns*m/(8 B))*log2(p)^{power!r}
  T_reduce: ({start!r} us + {word!r} ns*m/(8 B))*log2(p)
  T_barrier: {start!r} us*log2(p)
  T_scatter: {start!r} us*log2(p) + {word!r} ns*m/(8 B)*p
  T_gather: {start!r} us*log2(p) + {word!r} ns*m/(8 B)*p
"""

# Algorithms whose E rises in steps over N.
STEPS = ("jacobi-2d", "longest-common", "summa", "adding-numbers.yaml", "matrix-multiplication.yaml", "convolution-2d.yaml")


def table_of(isocast, *words):
    done = subprocess.run([isocast, *words, "--format", "csv", "--quiet"], capture_output=True, text=True)
    return list(csv.DictReader(io.StringIO(done.stdout))) if done.returncode == 0 else []


def draw_machine(chance):
    speed = 10 ** chance.uniform(-1, 2)
    return MACHINE.format(speed=speed, t_c=1 / speed / chance.uniform(0.5, 1), start=10 ** chance.uniform(0, 3),
                          word=10 ** chance.uniform(0, 2), power=chance.uniform(0.5, 1.5))


def check(isocast, algorithm, chance, folder):
    """N_error, its own error, and the files of one algorithm on one machine; None where nothing is compared."""
    machine, runs = os.path.join(folder, "drawn.yaml"), os.path.join(folder, "runs.csv")
    with open(machine, "w", encoding="utf-8") as file:
        file.write(draw_machine(chance))
    p, target, step = chance.choice((4, 16, 64, 256)), chance.uniform(0.1, 0.8), chance.uniform(1.3, 2.2)
    with open(algorithm, encoding="utf-8") as file:
        text = file.read()
    size = re.search(r"^size:\s*{?\s*(\w+):", text, re.MULTILINE)[1]
    found = table_of(isocast, "predict", algorithm, machine, "--efficiency", repr(target), "--to", str(p))
    if not found or not found[0]["N"] or not 40 < float(found[0]["N"]) < 1e12:
        return None
    first = float(found[0]["N"]) / step ** chance.uniform(0.2, 2.8)
    unit = p if first > 8 * p else 1
    sizes = sorted({max(2, unit * round(first * step ** k / unit)) for k in range(4)})
    if "fft" in algorithm:
        sizes = [2 ** (int(math.log2(first)) + k) for k in range(4)]
    times = [(N, table_of(isocast, "predict", algorithm, machine, "--at", f"{size}={N}", "--to", str(p))) for N in sizes]
    if len(sizes) < 4 or any(not rows or rows[0]["status"] != "ok" or rows[0]["p_working"] not in ("", str(p)) for _, rows in times):
        return None
    system = compare(isocast, algorithm, machine, runs, target, p, times)
    alone = compare(isocast, algorithm, machine, runs, target, p, [one_size(isocast, algorithm, machine, size, float(found[0]["N"]), p)])
    smooth = not any(name in algorithm for name in STEPS)
    if smooth and alone is not None and alone["N"] is None:  # a run that shows E within 2 % stands for the line
        assert abs(alone["N_error"]) <= 1.2 * alone["N_reading_error"] + 1e-6, (algorithm, alone)
    if alone is not None and alone["N_error"] is not None and smooth:
        check_limit(isocast, algorithm, machine, runs, target, "N", alone["N_error"], alone["N_reading_error"])
    return None if system is None else (abs(system["N_error"]), system["N_reading_error"])


def check_limit(isocast, algorithm, machine, runs, target, what, error, own):
    """An error that is no larger than the own error of what is measured is not over a limit, and --max-error states that."""
    if not own or abs(error) > own or abs(error) < 1e-5:
        return
    done = subprocess.run([isocast, "validate", algorithm, machine, runs, "--efficiency", repr(target), "--max-error", f"{what}={abs(error) / 2}"],
                          capture_output=True, text=True)
    assert done.returncode == 0 and f"mean error of {what} is" in done.stderr and "0 % are left" in done.stderr, (algorithm, error, own, done)


def check_psi(isocast, algorithm, size, chance, folder):
    """The error of psi and its own error, between p and 4 p processes; None where it is not compared."""
    machine, runs = os.path.join(folder, "drawn.yaml"), os.path.join(folder, "runs.csv")
    with open(machine, "w", encoding="utf-8") as file:
        file.write(draw_machine(chance))
    p, target = chance.choice((4, 16, 64)), chance.uniform(0.1, 0.8)
    rows = []
    for system in (p, 4 * p):
        found = table_of(isocast, "predict", algorithm, machine, "--efficiency", repr(target), "--to", str(system))
        if not found or not found[0]["N"] or not 40 < float(found[0]["N"]) < 1e12:
            return None
        first, step = float(found[0]["N"]), chance.uniform(1.3, 2.2)
        first /= step ** chance.uniform(0.2, 2.8)
        unit = system if first > 8 * system else 1
        sizes = sorted({max(2, unit * round(first * step ** k / unit)) for k in range(4)})
        for N in sizes:
            at = table_of(isocast, "predict", algorithm, machine, "--at", f"{size}={N}", "--to", str(system))
            if not at or not at[0]["T"]:
                return None
            rows.append(f"{system},{N},{at[0]['T']}\n")
    with open(runs, "w", encoding="utf-8") as file:
        file.write("system,N,T\n" + "".join(rows))
    done = subprocess.run([isocast, "validate", algorithm, machine, runs, "--efficiency", repr(target), "--format", "json", "--quiet"],
                          capture_output=True, text=True)
    system = json.loads(done.stdout)["systems"][-1] if done.returncode == 0 else {"psi_error": None}
    if system["psi_error"] is None:
        return None
    check_limit(isocast, algorithm, machine, runs, target, "psi", system["psi_error"], system["psi_reading_error"])
    return abs(system["psi_error"]), system["psi_reading_error"]


def one_size(isocast, algorithm, machine, size, N, p):
    N = round(1.005 * N)
    return N, table_of(isocast, "predict", algorithm, machine, "--at", f"{size}={N}", "--to", str(p))


def compare(isocast, algorithm, machine, runs, target, p, times):
    """The only system of the validation; None where nothing is compared."""
    if any(not rows or not rows[0]["T"] for _, rows in times):
        return None
    with open(runs, "w", encoding="utf-8") as file:
        file.write("system,N,repetition,T\n")
        file.writelines(f"{p},{N},{k},{rows[0]['T']}\n" for N, rows in times for k in (1, 2))
    done = subprocess.run([isocast, "validate", algorithm, machine, runs, "--efficiency", repr(target), "--format", "json", "--quiet"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None
    result = json.loads(done.stdout)
    system = result["systems"][0]
    if system["N_error"] is None or result["errors"]["T"]["n"] < len(times):
        return None
    assert result["errors"]["T"]["max"] < 1e-9, (algorithm, result["errors"])
    return system


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isocast")
    parser.add_argument("repository", nargs="?", default=".")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--machines", type=int, default=2)
    given = parser.parse_args()
    isocast, chance = os.path.abspath(given.isocast), random.Random(given.seed)
    folder_of = os.path.join(os.path.abspath(given.repository), "specs", "algorithms")
    read, ratios = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(folder_of)):
            for _ in range(given.machines):
                found = check(isocast, os.path.join(folder_of, name), chance, folder)
                if found is not None:
                    read.append((name, *found))
                path = os.path.join(folder_of, name)
                with open(path, encoding="utf-8") as file:
                    size = re.search(r"^size:\s*{?\s*(\w+):", file.read(), re.MULTILINE)[1]
                found = None if "fft" in name or name.startswith(STEPS) else check_psi(isocast, path, size, chance, folder)
                if found is not None:
                    ratios.append((name, *found))
    outside = [row for row in read if not row[0].startswith(STEPS) and (row[2] is None or row[1] > row[2] + 1e-6)]
    errors = sorted(row[1] for row in read)
    print(f"{len(read)} readings of {len({row[0] for row in read})} algorithms: {len(outside)} are farther off than stated; N off by "
          f"{100 * sum(errors) / len(errors):.3f} % on average, {100 * errors[-1]:.2f} % at most; stated, the median: "
          f"{100 * sorted(row[2] for row in read if row[2] is not None)[len(read) // 2]:.3f} %")
    for row in outside:
        print(*row)
    farther = [row for row in ratios if row[2] is None or row[1] > row[2] + 1e-6]
    print(f"{len(ratios)} psi: {len(farther)} are farther off than stated")
    for row in farther:
        print(*row)
    assert len(ratios) >= 10 and len(farther) <= 0.1 * len(ratios)
    assert len(read) >= 20 and len(outside) <= 0.1 * len(read)
    assert sum(errors) / len(errors) < 0.003


if __name__ == "__main__":
    main()
