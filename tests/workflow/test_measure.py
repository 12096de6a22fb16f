#!/usr/bin/env python3
"""measure: every run once, resumable, nothing lost, refusals before anything is started."""

import csv
import fcntl
import os
import signal
import subprocess
import tempfile
import time

from common import ISOCAST, MACHINE, SOURCE, expect, expect_run, finish, write

with tempfile.TemporaryDirectory() as folder:
    machine = write(folder, "machine.yaml", MACHINE)
    runs = os.path.join(folder, "runs.csv")
    systems = "1,2" if os.cpu_count() > 1 else "1"
    count = len(systems.split(","))
    command = ["measure", "ge", "--machine", machine, "--systems", systems, "--sizes", "50,33",
               "--repetitions", "3", "-o", runs]
    expect_run(0, *command, words="%d runs added" % (6 * count))
    rows = list(csv.DictReader(open(runs)))
    keys = {(row["system"], row["N"], row["repetition"]) for row in rows}
    expect(len(rows) == 6 * count and len(keys) == 6 * count, "not every run once: %s" % keys)
    expect(all(row["oversubscribed"] == "0" for row in rows), "labelled as oversubscribed")
    expect_run(0, *command, words="0 runs added")
    with open(runs, "a") as file:
        file.write("gaussian-elimination,test,1,1,50,9,0.0")  # a row cut off by a crash
    expect_run(0, *command, words="ends in half a row")
    expect(len(list(csv.DictReader(open(runs)))) == 6 * count, "the half row is still there")

    # Interrupted at any moment: whole rows, and the same command goes on.
    more = [ISOCAST, *command]
    more[more.index("50,33")] = "20..400+20"
    for delay in (0.15, 0.4, 0.7):
        process = subprocess.Popen(more, stderr=subprocess.PIPE)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL if delay < 0.5 else signal.SIGINT)
        process.communicate()
        text = open(runs).read()
        expect(text.endswith("\n"), "the file ends in half a row")
        expect(all(line.count(",") == text.splitlines()[0].count(",") for line in text.splitlines()),
               "a row is not whole")

    expect_run(2, "measure", "nothing", "--machine", machine, "-o", runs, words="KERNEL takes ge, mm")
    expect_run(2, "measure", "ge", "-o", runs, words="--machine is needed")
    expect_run(2, "measure", "ge", "--machine", machine, words="-o RUNS.csv is needed")
    expect_run(2, "measure", "ge", "--machine", machine, "--systems", "512", "-o", runs,
               words="would measure the scheduler")
    expect_run(2, "measure", "ge", "--machine", machine, "--sizes", "2.5", "-o", runs,
               words="whole number")
    expect_run(2, "measure", "ge", "--machine", "no-such-machine", "-o", runs, words="no-such-machine")
    without = write(folder, "without.yaml", "machine: m\nnodes: {node: {count: 1, memory: 4 GB}}\n")
    expect_run(3, "measure", "ge", "--machine", without, "-o", runs, words="isocast calibrate -o")

    # A size that does not fit is refused before anything is allocated; the others are measured.
    large = os.path.join(folder, "large.csv")
    said = expect_run(5, "measure", "ge", "--machine", machine, "--systems", "1", "--sizes",
                      "900000,40,800000", "--repetitions", "2", "-o", large,
                      words="4 runs were left out").stderr.decode()
    expect("N = 900000 needs " in said and " GB are free" in said, "the refusal does not state the sizes: " + said)
    expect(said.count("N = 900000 needs") == 1, "a size that does not fit is tried again: " + said)
    expect([row["N"] for row in csv.DictReader(open(large))] == ["40", "40"], "the rest did not go on")
    # Sizes that the algorithm is not valid for: the nearest ones instead, each once, unless they are asked for.
    valid = os.path.join(folder, "valid.csv")
    rounded = ["measure", "conv2d", "--machine", machine, "--systems", "1", "--sizes", "64,103,99,147", "--repetitions", "1"]
    said = expect_run(0, *rounded, "-o", valid, words="96 instead of 103, 96 instead of 99, 160 instead of 147").stderr.decode()
    expect("multiples of 32 that are products of 2, 3 and 5" in said, "it does not say which sizes are valid: " + said)
    expect(sorted(row["N"] for row in csv.DictReader(open(valid))) == ["160", "64", "96"], "other sizes were measured")
    kept = os.path.join(folder, "kept.csv")
    said = expect_run(0, *rounded, "--keep-sizes", "-o", kept).stderr.decode()
    expect("instead" not in said, "it says that it rounds: " + said)
    expect(sorted(row["N"] for row in csv.DictReader(open(kept))) == ["103", "147", "64", "99"], "sizes were not kept")
    # Another program's file stays as it is, also where its last line has no end.
    for text in ("system,N,T\n1,5,0.1\n", "system,N,T\n1,5,0.1", "my notes"):
        other = write(folder, "other.csv", text)
        expect_run(3, "measure", "ge", "--machine", machine, "--systems", "1", "-o", other,
                   words="other columns")
        expect(open(other).read() == text, "a file that is not measure's was changed")
    # One kernel's rows do not go under the columns of another.
    mixed = write(folder, "mixed.csv", "algorithm,machine,system,p,N,repetition,T,x,oversubscribed\n")
    expect_run(3, "measure", "ge", "--machine", machine, "--systems", "1", "--sizes", "40", "-o", mixed,
               words="other columns")
    expect(open(mixed).read().count("\n") == 1, "a row was added under other columns")
    # What a crash left of the header is made again.
    part = write(folder, "part.csv", "algorithm,mach")
    expect_run(0, "measure", "ge", "--machine", machine, "--systems", "1", "--sizes", "40",
               "--repetitions", "1", "-o", part, words="half a row")
    expect(len(list(csv.DictReader(open(part)))) == 1, "no header after a cut-off one")
    # The steps of an algorithm file in the place of a kernel; each setting is a column, and other runs.
    steps = os.path.join(SOURCE, "tests", "cli", "files", "steps.yaml")
    stepped = os.path.join(folder, "steps.csv")
    for rounds, added in (("2", "1 runs added"), ("2", "0 runs added"), ("3", "1 runs added")):
        expect_run(0, "measure", steps, "--set", "K=" + rounds, "--machine", machine, "--systems", "1", "--sizes", "1000",
                   "--repetitions", "1", "-o", stepped, words=added)
    found = [(row["algorithm"], row["K"], row["flop"], row["calls"], row["mismatches"]) for row in csv.DictReader(open(stepped))]
    expect(found == [("rounds-of-steps", "2", "4000", "2", "0"), ("rounds-of-steps", "3", "6000", "3", "0")], "steps: %s" % found)
    # Two at once would write over each other's rows.
    with open(os.path.join(folder, ".part.csv.isocast-lock"), "w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        expect_run(5, "measure", "ge", "--machine", machine, "--systems", "1", "-o", part,
                   words="another isocast")
finish()
