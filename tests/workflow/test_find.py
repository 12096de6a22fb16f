#!/usr/bin/env python3
"""measure --find: the N that shows a wanted E, on runs whose times are known: E = N/(N + 100 p)."""

import collections
import csv
import json
import os
import re
import tempfile

from common import MACHINE, expect, expect_run, fake_launcher, finish, on_terminal, write


# Prints the T of a given E at 2 Gflop/s a process. Sizes above the last word do not end; where that is 0, sizes do not end that are
# tried after one over the target.
PROGRAM = """#!/usr/bin/env python3
import os, sys, time
N, p, E, ends = float(sys.argv[1]), float(sys.argv[2]), eval(sys.argv[3], {"N": float(sys.argv[1])}), float(sys.argv[4])
passed = os.path.exists("passed")
if ends == 0 and E > 0.3:
    open("passed", "w").close()
if N > ends > 0 or (ends == 0 and passed):
    time.sleep(60)
print("took %.17g" % (2*N/(2e9*p)/E), flush=True)
"""


def work(N):
    return 2 / 3 * N ** 3 - N ** 2 / 2 - 19 / 6 * N + 3


def near(a, b):
    return abs(a - b) <= 1e-9 * abs(b)


with tempfile.TemporaryDirectory() as folder:
    machine = write(folder, "machine.yaml", MACHINE.replace("processors: 2", "processors: 8"))
    runs = os.path.join(folder, "runs.csv")
    command = ["measure", "ge", "--machine", machine, "--systems", "1,2,8", "--oversubscribe",
               "--sizes", "20,40", "--repetitions", "3", "--launcher", fake_launcher(), "-o", runs]
    result = expect_run(0, *command, "--find", "E=0.3", "--format", "json")
    answer = json.loads(result.stdout)
    expect(result.stderr == b"", "progress where there is no terminal: %r" % result.stderr)
    expect(answer["schema"] == "isocast.measurement/1" and answer["target"] == 0.3, "head")
    before = None
    for row, p in zip(answer["rows"], (1, 2, 8)):
        expect(row["p"] == p and row["C"] == 2e9 * p and row["status"] == "ok", "row %s" % row)
        expect(abs(row["E"] / 0.3 - 1) <= 0.01, "E is off: %s" % row)
        expect(near(row["E"], row["N"] / (row["N"] + 100 * p)), "E is not that of N: %s" % row)
        expect(near(row["W"], work(row["N"])), "W is not that of N: %s" % row)
        if before is None:
            expect(row["psi"] is None, "the first row has a psi")
        else:
            expect(near(row["psi"], row["C"] * before["W"] / (before["C"] * row["W"])), "psi")
            first = answer["rows"][0]
            expect(near(row["psi_from_base"], row["C"] * first["W"] / (first["C"] * row["W"])),
                   "psi_from_base")
        before = row
    rows = list(csv.DictReader(open(runs)))
    keys = {(row["system"], row["N"], row["repetition"]) for row in rows}
    steps = sum(row["steps"] for row in answer["rows"])
    expect(len(rows) == len(keys) == 3 * steps, "%d rows of %d steps" % (len(rows), steps))
    expect(steps < 30, "%d steps" % steps)

    # Every step is in the file: nothing is run again, and what was lost of the end is measured again.
    never = [*command, "--launcher", "false"]
    expect(expect_run(0, *never, "--find", "E=0.3", "--format", "json").stdout.split(b"provenance")[0] ==
           result.stdout.split(b"provenance")[0], "a second search gives another result")
    text = open(runs).read()
    write(folder, "runs.csv", text[:len(text) * 2 // 3])
    expect_run(0, *command, "--find", "E=0.3", "--format", "csv", words="half a row")
    expect(open(runs).read() == text, "the search took another way after an interruption")

    # A run that would take too long is not begun.
    answer = json.loads(expect_run(4, *command, "--systems", "1", "--find", "E=0.99", "--limit", "10ms", "--format", "json",
                                   words="would take about").stdout)
    longest = max(float(row["T"]) for row in csv.DictReader(open(runs)) if row["system"] == "1")
    expect(answer["rows"][0]["status"] == "above" and 0.002 < longest <= 0.01, "the longest run took %g s" % longest)
    note = answer["rows"][0]["note"]
    expect("as far as --limit allows: a run at N = " in note and "memory" not in note, "what ended the search: %s" % note)
    expect_run(2, *command, "--limit", "10ms", words="--limit goes with --command or --find")

    # Where E leaps over the target from one N to the next, no N has it.
    leaps = [*command, "--systems", "1", "-o", os.path.join(folder, "leaps.csv"), "--find", "E=0.3", "--launcher"]
    row = json.loads(expect_run(4, *leaps, fake_launcher(slow_to=60), "--format", "json").stdout)["rows"][0]
    expect(row["status"] == "jump" and row["N"] is None and row["E"] is None, "a leap is an answer: %s" % row)
    expect("at N = 60 and 0.3789 at N = 61" in row["note"] and "T falls there from" in row["note"], "note: %s" % row["note"])

    # A program of the user's own that --limit ends. E = 0.05 is never the answer to E = 0.3, and the note names what ended the search.
    os.chmod(write(folder, "program", PROGRAM), 0o755)
    write(folder, "own.yaml", "algorithm: own\nsize: {N: {min: 1}}\nwork: 2*N\n")
    write(folder, "powers.yaml", "algorithm: powers\nsize: {N: {min: 1, valid: {factors: [2]}}}\nwork: 2*N\n")
    not_reached = r"^E = 0.3 is not reached as far as --limit allows: a run at N = %s takes longer than that; the best is 0.05 at N = \d+$"
    leap = "0.05 if N < 1500 else 0.6"
    for algorithm, E, ends, sizes, status, words in (
            ("own", "0.05", 2000, "1000,2000,2060", "above", not_reached % "2060"),
            ("own", leap, 0, "1450,1500", "above", not_reached % "14\d\d"),
            ("own", leap, 1e9, "1490,1500", "jump", r"^E jumps over 0.3: it is 0.05 at N = 1499 and 0.6 at N = 1500, and no N is between them\. "
             "T falls there from 3e-05 s to 2.5e-06 s: something else slowed runs"),
            ("powers", "N/(N + 2000)", 1e9, "512", "jump", r"^E jumps over 0.3: it is 0.2038 at N = 512 and 0.3386 at N = 1024, and no N is "
             r"between them\. '--tolerance 0.13' takes the nearer one, N = 1024$")):
        own = ["measure", "--command", "./program {N} {p} '%s' %g" % (E, ends), "--time", "took (.*)", "--machine", machine,
               "--systems", "1", "--sizes", sizes, "--repetitions", "1", "--find", "E=0.3", "--algorithm", algorithm + ".yaml",
               "--limit", "4s", "-o", "own.csv", "--format", "json"]
        result = expect_run(4, *own, cwd=folder)
        row = json.loads(result.stdout or '{"rows": [{"status": "", "N": "", "note": ""}]}')["rows"][0]
        expect(row["status"] == status and row["N"] is None and row["E"] is None and row["psi"] is None, "%s: %s" % (E, row))
        expect(re.search(words, row["note"]), "%s: %s" % (E, row["note"]))
        if algorithm == "own":
            os.remove(os.path.join(folder, "own.csv"))
    expect_run(0, *own, "--tolerance", "0.13", cwd=folder)

    # An exact E, and one that lies between two N.
    for tolerance, E, N in (("0", "E=0.5", 100), ("0.00001", "E=0.3", 43)):
        answer = json.loads(expect_run(0, *command, "--systems", "1", "--find", E, "--tolerance", tolerance,
                                       "--format", "json").stdout)
        expect(answer["rows"][0]["N"] == N, "N is %s, not %d" % (answer["rows"][0]["N"], N))
    note = answer["rows"][0]["note"]
    expect("at N = 42 and 0.3007 at N = 43, and no N is between them" in note and "--repetitions" not in note, "note: %s" % note)

    # Out of reach: by --sizes, by memory, at the smallest N; the other rows are there all the same.
    for options, status, words in (
            (["--sizes", "20"], "above", "0.9275 at N = 1280"),
            (["--launcher", fake_launcher(700)], "above", "0.87"),
            (["--sizes", "2000"], "below", "start --sizes lower"),
            (["--launcher", fake_launcher(10)], "above", "not even the smallest")):
        only = os.path.join(folder, status + words[:3] + ".csv")
        result = expect_run(4, *command, "--systems", "1", "-o", only, "--find",
                            "E=0.95" if status == "above" else "E=0.6", *options, "--format", "json")
        row = json.loads(result.stdout)["rows"][0]
        expect(row["status"] == status and row["N"] is None and words in row["note"], "row %s" % row)
        expect("--limit" not in row["note"], "no limit was given: %s" % row["note"])
    mixed = expect_run(4, *command, "--systems", "1,2,8", "--sizes", "60", "--find", "E=0.3",
                       "--format", "json", "-o", os.path.join(folder, "mixed.csv"))
    mixed = json.loads(mixed.stdout)["rows"]
    expect([row["status"] for row in mixed] == ["below", "ok", "ok"], "statuses: %s" % mixed)
    expect(mixed[1]["psi"] is None and mixed[2]["psi"] is not None, "psi beside a row without N")
    table = expect_run(0, *command, "--find", "E=0.3").stdout.decode()
    expect("psi_from_base" in table and "median of 3 runs" in table, "table: " + table)

    # Several targets are one search each, and know the steps of those before.
    several = [*command, "--systems", "1,2", "-o", os.path.join(folder, "several.csv"), "--find", "E=0.3,0.4,0.6"]
    answer = json.loads(expect_run(0, *several, "--format", "json").stdout)
    expect(answer["schema"] == "isocast.measurements/1", "several targets: %s" % answer)
    expect([one["target"] for one in answer["measurements"]] == [0.3, 0.4, 0.6], "targets: %s" % answer)
    for one in answer["measurements"]:
        expect(all(abs(row["E"] / one["target"] - 1) <= 0.01 for row in one["rows"]), "E is off: %s" % one)
    rows = list(csv.DictReader(open(os.path.join(folder, "several.csv"))))
    keys = {(row["system"], row["N"], row["repetition"]) for row in rows}
    expect(len(rows) == len(keys), "a step that is known was run again: %d rows, %d of them different" % (len(rows), len(keys)))
    table = expect_run(0, *several).stdout.decode()
    expect(len(re.findall(r"^0?\s*0\.[346]0 +[12] ", table, re.M)) == 6, "rows of the table: " + table)

    # Runs that something else slowed do not count: every third takes three times as long.
    slow = [*command, "--systems", "1", "--launcher", fake_launcher(slow_every=3), "--repetitions", "4", "-o",
            os.path.join(folder, "slowed.csv"), "--find", "E=0.5", "--tolerance", "0"]
    result = expect_run(0, *slow, "--calm", "--format", "json", words="slowed")
    row = json.loads(result.stdout)["rows"][0]
    expect(row["N"] == 100 and near(row["E"], 0.5), "a slowed run counts: %s" % row)
    counts = collections.Counter(row["N"] for row in csv.DictReader(open(os.path.join(folder, "slowed.csv"))))
    expect(min(counts.values()) > 4, "no run was made in the place of a slowed one: %s" % counts)

    said = on_terminal([*command, "--find", "E=0.3", "-o", os.path.join(folder, "terminal.csv")])
    expect("finding E = 0.3 on 8 (system 3 of 3): step 2" in said, "no progress: %r" % said)
    expect("the last step gave E = " in said, "no E in the progress: %r" % said)
    expect(said.endswith("\r\x1b[K"), "the progress line stays: %r" % said[-80:])
    said = on_terminal([*command, "-o", os.path.join(folder, "grid.csv")])
    expect("measuring: run 2 of 18, about " in said, "no time left: %r" % said)

    expect_run(2, *command, "--find", "0.3", words="such as E=0.3")
    expect_run(2, *command, "--find", "E=-1", words="such as E=0.3")
    expect_run(2, *command, "--find", "E=0.3", "--tolerance", "1.5", words="--tolerance")
finish()
