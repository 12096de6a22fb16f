#!/usr/bin/env python3
"""measure, ended at any moment: finished rows stay, the same command goes on, nothing is left running."""

import csv
import os
import random
import signal
import subprocess
import tempfile
import time

from common import ISOCAST, MACHINE, expect, expect_run, fake_launcher, finish, wait_until, write

KILLS = 20
SIZES = range(32, 65, 8)


SEED = str(100000000 + os.getpid())  # by which this test knows the kernels that it started


def started_kernels():
    """Processes of kernels with this seed."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % process, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:  # it has just ended
            continue
        if SEED.encode() in words and b"isocast-kernel" in b" ".join(words):
            found.append(int(process))
    return found


def whole_lines(path):
    """The lines of the runs file that have an end; at most one more may be there."""
    text = open(path).read() if os.path.exists(path) else ""
    lines = text.split("\n")[:-1]
    for line in lines:
        expect(line.count(",") == lines[0].count(",") and line != "", "no whole row: %r" % line)
    return lines


def kill_and_resume(folder, launcher, sleeps, repetitions):
    """Kills at random moments, then runs to the end."""
    machine = write(folder, "machine.yaml", MACHINE)
    runs = os.path.join(folder, "killed.csv")
    command = ["measure", "ge", "--machine", machine, "--systems", "1", "--sizes", "32..64+8",
               "--repetitions", repetitions, "--seed", SEED, "--launcher", launcher, "-o", runs]
    dice = random.Random(20080104)
    before, kills, killed = [], 0, 0
    began = time.monotonic()
    expect_run(0, *command[:-1], os.path.join(folder, "whole.csv"), "--sizes", "32", "--repetitions", "1")
    pace = max(1, (time.monotonic() - began) / 0.3)  # of this machine, as busy as it is
    for kill in range(KILLS):
        if len(before) - 1 > len(SIZES) * repetitions // 2:
            break
        kills += 1
        cut_off = os.path.exists(runs) and not ("\n" + open(runs).read()).endswith("\n")
        process = subprocess.Popen([ISOCAST, *map(str, command)], stderr=subprocess.PIPE)
        if kill % 4 == 3:
            wait_until(lambda: len(whole_lines(runs)) > len(before) or process.poll() is not None)
        time.sleep(pace * dice.uniform(*sleeps))
        killed += process.poll() is None
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[1].decode()
        expect(cut_off or "half a row" not in said, "cut off what was whole: %s" % said)
        lines = whole_lines(runs)
        expect(lines[:len(before)] == before, "a finished row is gone after kill %d" % kill)
        before = lines
        if kill % 4 == 3 and len(lines) > 1:
            with open(runs, "a") as file:  # what a crash of the whole machine may leave
                file.write(lines[-1][:dice.randrange(1, len(lines[-1]))])
    expect(killed >= kills * 3 // 4, "only %d of %d were killed at work" % (killed, kills))
    expect(0 < len(before) - 1 < len(SIZES) * repetitions, "%d rows while killing" % (len(before) - 1))
    expect_run(0, *command, words="runs added")
    lines = whole_lines(runs)
    expect(lines[:len(before)] == before, "resuming lost a finished row")
    keys = sorted((row["system"], int(row["N"]), int(row["repetition"])) for row in csv.DictReader(lines))
    expect(keys == [("1", N, r) for N in SIZES for r in range(repetitions)], "not every run once: %s" % keys)
    expect(wait_until(lambda: not started_kernels()), "a kernel goes on running")


def end_cleanly(folder, number, delay):
    """Ctrl-C or a batch system's end while a long run starts up, or in the middle of it."""
    machine = write(folder, "machine.yaml", MACHINE)
    runs = os.path.join(folder, "ended-%d-%g.csv" % (number, delay))
    command = ["measure", "ge", "--machine", machine, "--systems", "1", "--repetitions", "1", "--seed", SEED, "-o", runs]
    expect_run(0, *command, "--sizes", "32")
    before = open(runs).read()
    process = subprocess.Popen([ISOCAST, *command, "--sizes", "4000"], stderr=subprocess.PIPE)
    expect(wait_until(lambda: started_kernels()), "no kernel was started")
    time.sleep(delay)
    process.send_signal(number)
    said = process.communicate(timeout=3600)[1].decode()
    expect(process.returncode == 5, "exit status %d after signal %d" % (process.returncode, number))
    expect("the same command goes on" in said and runs in said, "the message: " + said)
    expect(wait_until(lambda: not started_kernels()), "a kernel goes on running")
    expect(open(runs).read() == before, "the rows have changed")


with tempfile.TemporaryDirectory() as folder:
    slow = write(folder, "slow.sh", "sleep 0.03\nexec mpiexec.mpich -n \"$@\"\n")
    kill_and_resume(folder, "sh %s {p}" % slow, (0.0, 0.5), 12)
    os.remove(os.path.join(folder, "killed.csv"))
    kill_and_resume(folder, fake_launcher(), (0.0, 0.3), 50)  # in the thick of writing
    for delay in (0, 0.3):
        end_cleanly(folder, signal.SIGINT, delay)
        end_cleanly(folder, signal.SIGTERM, delay)
finish()
