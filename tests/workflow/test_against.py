#!/usr/bin/env python3
"""check --against-machine, --for and --operations, on a probe whose times are known."""

import csv
import io
import os
import sys
import tempfile

from common import MACHINE, SOURCE, expect, expect_run, finish, write

FAKE = " ".join([sys.executable, "-S", os.path.join(SOURCE, "tests", "workflow", "fake_probe.py"), "{p} %s"])


def operations(path):
    """What the samples of a calibration are of."""
    with open(path[:-len(".yaml")] + ".samples.csv") as file:
        return {line.split(",")[1] for line in file if line[:1].isdigit()}


def check_against(folder):
    machine = os.path.join(folder, "here.yaml")
    calibrate = ["calibrate", "--processes", "1,2", "--launches", "4", "-o", machine, "--launcher"]
    expect_run(0, *calibrate, FAKE % "")
    check = ["check", "--against-machine", machine, "--format", "csv", "--launcher"]
    result = expect_run(0, *check, FAKE % "")
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    expect({row["operation"] for row in rows} == {"T_send", "T_bcast", "T_barrier", "T_copy", "ge"},
           "operations: %s" % sorted({row["operation"] for row in rows}))
    for row in rows:
        expect(row["status"] == "ok" and 0.95 < float(row["ratio"]) < 1.05, "the same machine: %s" % row)
        expect(float(row["ratio_low"]) < 1 < float(row["ratio_high"]) < 1.3, "a band: %s" % row)
    for scale in (0.5, 1.5, 3):
        result = expect_run(1, *check, FAKE % ("scale=%g" % scale), words="no longer describes this machine")
        rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
        expect(all(abs(float(row["ratio"]) / scale - 1) < 0.05 and row["status"] == "outside" for row in rows),
               "a machine %g times as slow: %s" % (scale, rows[:3]))
    table = expect_run(0, "check", "--against-machine", machine, "--launcher", FAKE % "").stdout.decode()
    expect("0 of " in table and "still describes" in table and "predicted" in table, "the table: " + table)
    # Launches that differ by a factor of ten say nothing of one of two.
    expect_run(0, *calibrate, FAKE % "spread=0.8")
    expect_run(5, *check, FAKE % "scale=2", words="it is not known")

    expect_run(2, "check", "--against-machine", machine, machine, words="takes no further files")
    expect_run(2, "check", words="write isocast check FILE...")
    expect_run(2, "check", "--against-machine", "no-such-machine", words="no-such-machine")
    expect_run(2, "check", "--against-machine", machine, "--budget", "0s", words="--budget")
    expect_run(5, *check, "no-such-mpiexec {p}", words="isocast check: there is no program")
    plain = write(folder, "plain.yaml", MACHINE)
    expect_run(1, "check", "--against-machine", plain, "--launcher", FAKE % "scale=4")


def check_choice(folder):
    path = os.path.join(folder, "chosen.yaml")
    command = ["calibrate", "--processes", "1,2", "--launches", "2", "--launcher", FAKE % "", "-o", path]
    expect_run(0, *command, "--operations", "T_bcast,T_copy")
    expect(operations(path) == {"T_bcast", "T_copy", "ge"}, "--operations: %s" % operations(path))
    expect_run(0, *command, "--operations", "all")
    expect(operations(path) == {"T_send", "T_recv", "T_bcast", "T_barrier", "T_copy", "ge", "triad"},
           "--operations all: %s" % operations(path))
    expect_run(2, *command, "--operations", "T_nothing", words="'T_nothing' cannot be measured; besides the groups usual and all there are: T_send")
    expect_run(2, *command, "--operations", "", words="--operations is an empty list")
    expect_run(2, *command, "--operations", "all", "--for", "gaussian-elimination", words="exclude each other")

    algorithm = write(folder, "mine.yaml", "algorithm: mine\nsize: {N: {min: 1}}\nwork: N^3\noverhead:\n"
                      "  # T_barrier is not called\n  all: N*T_mine(8 B * N)\n"
                      "operations: {T_mine: T_bcast(m), T_other: T_copy(m)}\n")
    expect_run(0, *command, "--for", algorithm)
    expect(operations(path) == {"T_bcast", "T_send", "T_recv", "T_copy", "ge"}, "--for: %s" % operations(path))
    expect_run(0, "check", "--together", algorithm, path)
    nothing = write(folder, "nothing.yaml", "algorithm: nothing\nsize: {N: {min: 1}}\nwork: N\n")
    expect_run(0, *command, "--for", nothing, words="the marked speed of a processor is")
    expect("marked_speed" in open(path).read() and "operations:" not in open(path).read(), "--for what calls nothing")


def check_launchers(folder):
    """Names, placeholders, batch jobs, and node classes by their hardware."""
    path = os.path.join(folder, "cluster.yaml")
    command = ["calibrate", "--launches", "2", "-o", path, "--launcher"]
    outside = {key: value for key, value in os.environ.items() if not key.startswith("SLURM")}
    expect_run(2, *command, "slurm", words="works where SLURM_JOB_ID is set", env=outside)
    tools = os.path.join(folder, "bin")
    os.mkdir(tools)
    srun = write(tools, "srun", '#!/bin/sh\necho "$1 $4" >> %s/called\np=${4#--ntasks=}\nshift 4\nexec %s "$@"\n' %
                 (folder, FAKE.replace("{p}", "$p") % "nodes=6"))
    os.chmod(srun, 0o755)
    inside = {**outside, "SLURM_JOB_ID": "1", "SLURM_NPROCS": "36", "PATH": tools + ":" + os.environ["PATH"]}
    expect_run(0, *command, "slurm", env=inside)
    called = open(os.path.join(folder, "called")).read()
    expect("--mpi=pmi2 --ntasks=1\n" in called and "--ntasks=36\n" in called, "srun was called: " + called)
    text = open(path).read()
    expect("  cn: {count: 2, processors: 2, marked_speed: 1000 Mflop/s, memory: 4 GB}" in text and
           "  cn_2: {count: 4, processors: 8, marked_speed: 3000 Mflop/s, memory: 16 GB}" in text,
           "node classes: " + text[:600])
    expect("oversubscribed" not in text.split("environment:")[0], "36 processes of 36 are called too many")
    expect_run(2, *command, "slurm", "--processes", "37", env=inside, words="37 processes on 36 processors")
    expect_run(0, "check", path)
    mine = os.path.join(folder, "specs")
    os.mkdir(mine)
    write(mine, "launchers.yaml", "launchers:\n  fake: {command: '%s'}\n  none: {inside: HOME}\n" % (
        FAKE.replace("{p}", "{processes}") % ""))
    environment = {**os.environ, "ISOCAST_SPECS": mine}
    expect_run(0, *command, "fake", env=environment)
    expect_run(3, *command, "none", env=environment, words="launchers.yaml:3:3: error: the launcher 'none' has no command")


with tempfile.TemporaryDirectory() as scratch:
    check_launchers(scratch)
    check_against(scratch)
    check_choice(scratch)
finish()
