#!/usr/bin/env python3
"""Programs of some kinds are recorded on at most 6 processes; simulated on 16, the steps that follow take as long as the
programs themselves.

    test_program.py ISOCAST PROGRAMS SOURCE KIND       status 77, skipped, where isocast was built without SimGrid
"""
import csv
import os
import subprocess
import sys
import tempfile

ISOCAST, PROGRAMS, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
# What a process computes takes the time of this machine in the records: on this platform that is little.
PLATFORM = """platform: quick
nodes: {node: {count: 16, processors: 1, speed: 100 Gflop/s}}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 20 us}
"""
# Sizes and rounds of the records, what is simulated, and what the file has.
# Rounds round a loop without a call of their own show by their computing alone: beside other programs, the two may be one.
ROUNDS = ("- for: turn_2 = 1..p\n", "- for: turn = 1..M*p\n")
KINDS = {
    "sweep": ([60, 90, 130], (1, 2, 3, 4, 6), (400, 4), ["  - grid: {", "- pass: {by: {y: 1}", "- for: turn_2 = 1..8\n"]),
    "sort": ([3000, 5000, 8000], (1, 2, 3, 4, 5), (20000, 4), [ROUNDS]),
    "farm": ([40, 60, 100], (2, 3, 4, 5), (400, 30), ["receive: {from: any", "send: {to: sender"]),
    "put": ([5000, 8000, 12000], (1, 2, 3, 4), (20000, 8), ["- win_fence: {}", "put: {to: \"mod(rank + 1, p)\""]),
    "summa": ([20, 30, 44], (1, 2, 4, 6), (100, 3), ["bcast: {along: [y], root: \"mod(turn - 1, rows)\""]),
    "spectral": ([20, 28, 36], (1, 2, 4, 6, 8), (60, 5), ["- start: messages_1"]),
}
MOST = 0.05  # of T


def run(folder, *arguments):
    done = subprocess.run([ISOCAST, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=3600)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: exit status {done.returncode}\n{done.stderr}")
    return done.stderr


def time_of(folder, name, *arguments):
    run(folder, "measure", *arguments, "--platform", "quick.yaml", "--systems", 16, "--repetitions", 1, "-o", name)
    with open(os.path.join(folder, name), newline="", encoding="utf-8") as file:
        return float(next(csv.DictReader(file))["T"])


def main():
    kind = sys.argv[4]
    sizes, processes, (N, rounds), expected = KINDS[kind]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "quick.yaml"), "w", encoding="utf-8") as file:
            file.write(PLATFORM)
        made = subprocess.run([ISOCAST, "cc", "-O1", "-o", "kinds", f"{SOURCE}/tests/programs/kinds.c"], cwd=folder,
                              capture_output=True, text=True, timeout=3600)
        if "built without SimGrid" in made.stderr:
            sys.exit(77)
        if made.returncode:
            sys.exit(made.stderr)
        records = []
        for p in processes:
            few = [(sizes[1], 3)] if p in (3, processes[-1]) else [(n, 3) for n in sizes] + [(sizes[1], 5), (sizes[1], 8)]
            for n, m in few:
                records.append(f"{kind}-{p}-{n}-{m}.csv")
                run(folder, "record", "-o", records[-1], "-n", p, "--", f"{PROGRAMS}/kinds", kind, n, m)
        said = run(folder, "derive", *records, "--size", "N=2", "--size", "M=3", "--marked-speed", "1Gflop/s",
                   "-o", "steps.yaml")
        if f"bytes of {len(records)} of {len(records)} records\n" not in said:
            sys.exit(f"the steps do not have all calls:\n{said}")
        run(folder, "check", "steps.yaml")
        with open(os.path.join(folder, "steps.yaml"), encoding="utf-8") as file:
            text = file.read()
        for line in expected:
            forms = line if isinstance(line, tuple) else (line,)
            if not any(form in text for form in forms):
                sys.exit(f"no {line!r} in\n{text}")
        program = time_of(folder, "a.csv", "--command", f"./kinds {kind} {{N}} {rounds}", "--own-speed", "1Mflop/s",
                          "--sizes", N)
        steps = time_of(folder, "b.csv", "steps.yaml", "--sizes", N, "--set", f"M={rounds}")
        print(f"{kind}: the program takes {program:.6f} s, the steps take {steps:.6f} s ({100 * (steps / program - 1):+.2f} %)")
        if abs(steps / program - 1) > MOST:
            sys.exit(f"more than {100 * MOST:.0f} % apart:\n{text}")


if __name__ == "__main__":
    main()
