#!/usr/bin/env python3
"""measure: every run once, resumable, nothing lost, refusals before anything is started."""

import csv
import os
import signal
import subprocess
import tempfile
import time

from common import ISOCAST, MACHINE, expect, expect_run, finish, write

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

    expect_run(2, "measure", "nothing", "--machine", machine, "-o", runs, words="there are: ge")
    expect_run(2, "measure", "ge", "-o", runs, words="--machine is needed")
    expect_run(2, "measure", "ge", "--machine", machine, words="-o RUNS.csv is needed")
    expect_run(2, "measure", "ge", "--machine", machine, "--systems", "512", "-o", runs,
               words="would measure the scheduler")
    expect_run(2, "measure", "ge", "--machine", machine, "--sizes", "2.5", "-o", runs,
               words="whole number")
    expect_run(5, "measure", "ge", "--machine", machine, "--systems", "1", "--sizes", "900000", "-o",
               os.path.join(folder, "large.csv"), words="needs")
    other = write(folder, "other.csv", "system,N,T\n1,5,0.1\n")
    expect_run(3, "measure", "ge", "--machine", machine, "--systems", "1", "-o", other,
               words="other columns")
finish()
