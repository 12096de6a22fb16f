#!/usr/bin/env python3
"""A full disk: exit status 5, and what was there stays. On a tiny file system where one may be mounted,
and everywhere with a limit of the size of files."""

import csv
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

from common import ISOCAST, MACHINE, expect, expect_run, fake_launcher, finish, write

LIMIT = 4096  # bytes: a page of the tiny file system
COUNT = 120   # rows, which need more


def run(command, limited):
    def limit():
        if limited:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # else the signal ends what writes too much
            resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    done = subprocess.run([ISOCAST, *map(str, command)], capture_output=True, timeout=3600,
                          preexec_fn=limit, restore_signals=not limited)
    return done.returncode, done.stderr.decode()


def fill(folder):
    """Leaves about a page on the file system of the folder."""
    path = os.path.join(folder, "filler")
    with open(path, "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 1024):
                pass
        except OSError:
            pass
        file.truncate(file.tell() // LIMIT * LIMIT - LIMIT)
    return path


def check_measure(folder, machine, limited):
    runs = os.path.join(folder, "runs.csv")
    command = ["measure", "ge", "--machine", machine, "--systems", "1", "--sizes", "40", "--repetitions",
               COUNT, "--launcher", fake_launcher(), "-o", runs]
    filler = None if limited else fill(folder)
    kept = ""
    for _ in range(2):  # a second try finds no more room, and loses nothing either
        status, said = run(command, limited)
        expect(status == 5, "measure: exit status %d: %s" % (status, said))
        expect("cannot write " + runs in said and "are kept" in said, "measure says: " + said)
        text = open(runs).read()
        expect(text.startswith(kept) and text.endswith("\n"), "rows are lost or cut off")
        expect(LIMIT / 2 < len(text) <= LIMIT, "%d bytes" % len(text))
        kept = text
    if filler is not None:
        os.remove(filler)
    expect_run(0, *command, words="runs added")
    rows = list(csv.DictReader(open(runs)))
    expect(open(runs).read().startswith(kept), "rows are lost once there is room")
    expect(sorted(int(row["repetition"]) for row in rows) == list(range(COUNT)), "not every run once")


def check_output(folder, machine, runs, limited):
    """A result that has no room leaves the old file, and nothing beside it."""
    filler = None if limited else fill(folder)
    inside = os.path.join(folder, "result.json")
    with open(inside, "w") as file:
        file.write("old\n")
    if filler is not None:
        with open(filler, "ab", buffering=0) as file:
            try:
                while file.write(b"x" * 64):
                    pass
            except OSError:
                pass
    names = sorted(os.listdir(folder))
    for command in (["predict", "gaussian-elimination", machine, "--at", "N=500", "--to", "1..40+1"],
                    ["validate", "gaussian-elimination", machine, runs]):
        status, said = run([*command, "--format", "json", "-o", inside], limited)
        expect(status == 5 and "cannot write" in said, "%s: %d: %s" % (command[0], status, said))
        expect(open(inside).read() == "old\n", "%s: the old result is gone" % command[0])
        expect(sorted(os.listdir(folder)) == names, "%s leaves a file: %s" % (command[0], os.listdir(folder)))


def check_record(folder, machine):
    """Processes that cannot leave what they did: a message, and nothing is left."""
    program = os.path.join(os.path.dirname(ISOCAST), "..", "tests", "programs", "jacobi")
    fill(folder)
    names = sorted(os.listdir(folder))
    status, said = run(["record", "-n", "2", "-o", os.path.join(folder, "r.csv"), "--", program, "24", "2"], False)
    expect(status == 5 and "no process could leave what it did" in said and "is the disk full?" in said,
           "record: %d: %s" % (status, said))
    expect("No space left on device" in said, "record does not say why: " + said)
    expect(sorted(os.listdir(folder)) == names, "record leaves %s" % os.listdir(folder))
    status, said = run(["measure", "--machine", machine, "--systems", "2", "--sizes", "24", "--command",
                        program + " {N} 2", "-o", os.path.join(folder, "own.csv")], False)
    expect(status == 5 and "is the disk full?" in said, "measure --command: %d: %s" % (status, said))
    expect(sorted(os.listdir(folder)) == names, "measure leaves %s" % os.listdir(folder))


def check_all(full, limited):
    with tempfile.TemporaryDirectory() as folder:
        machine = write(folder, "machine.yaml", MACHINE)
        runs = write(folder, "some.csv", "system,N,T\n1,100,0.001\n1,200,0.005\n1,400,0.03\n")
        check_measure(full, machine, limited)
        os.remove(os.path.join(full, "runs.csv"))
        check_output(full, machine, runs, limited)
        if not limited:
            check_record(full, machine)


def mounts(folder):
    """Mounts the tiny file system, in a name space of its own that this process started in."""
    return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", folder],
                          capture_output=True).returncode == 0


if len(sys.argv) > 3:  # started again by unshare
    if mounts(sys.argv[3]):
        check_all(sys.argv[3], False)
    else:
        print("no file system can be mounted here", file=sys.stderr)
    finish()

with tempfile.TemporaryDirectory() as limited_folder:
    check_all(limited_folder, True)
with tempfile.TemporaryDirectory() as mount_point:
    unshare = shutil.which("unshare")
    if unshare is not None and os.getuid() == 0:
        probe = subprocess.run([unshare, "-m", "true"], capture_output=True)
        if probe.returncode == 0:
            inner = subprocess.run([unshare, "-m", sys.executable, __file__, ISOCAST, sys.argv[2],
                                    mount_point], timeout=3600)
            expect(inner.returncode == 0, "on a full file system")
finish()
