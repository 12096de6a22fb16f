#!/usr/bin/env python3
"""calibrate, when things go wrong: each fault has its message and status, and what was measured is kept.

    test_calibrate_faults.py ISOCAST SOURCE FAULTS

FAULTS is a library that lets a process die, or the clock jump, when it is preloaded into the probe.
"""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from common import ISOCAST, SOURCE, expect, expect_run, finish, on_terminal, wait_until

FAULTS = os.path.abspath(sys.argv[3])
HEADER = "launch,operation,p,m,index,seconds,stop,oversubscribed,nodes,p_node"


def fake(*settings):
    script = os.path.join(SOURCE, "tests", "workflow", "fake_probe.py")
    return " ".join([sys.executable, "-S", script, "{p}", *settings])


def faulty(fault):
    return "env LD_PRELOAD=%s ISOCAST_FAULT=%s mpiexec.mpich -n {p}" % (FAULTS, fault)


def probes(name):
    """Processes of the probe of one calibration, known by its file of plans."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % process, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:  # it has just ended
            continue
        if any(name.encode() in word for word in words) and b"isocast-probe" in b" ".join(words):
            found.append(int(process))
    return found


def part_lines(path):
    text = open(path + ".samples.csv.part").read()
    expect(text.endswith("\n"), "the part file ends within a line: %r" % text[-50:])
    lines = text.splitlines()
    expect(lines[0] == HEADER, "no header: %r" % lines[0])
    for line in lines[1:]:
        expect(line.startswith("#") or line.count(",") in (7, 9), "no whole sample: %r" % line)
    return lines


def samples(lines):
    return [line for line in lines if line[:1].isdigit()]


def finished(path, before):
    """The machine file is there, with all samples that were kept."""
    stem = path[:-len(".yaml")]
    lines = open(stem + ".samples.csv").read().splitlines()
    expect(lines[:len(before)] == before, "resuming lost samples of %s" % path)
    expect(not os.path.exists(stem + ".samples.csv.part"), "a part file stays")
    expect_run(0, "check", path)
    return lines


def interrupt(folder, number, delay):
    """Ctrl-C, or the end of a batch job, while mpiexec starts up or later; nothing goes on running."""
    name = "ended%d-%s" % (number, delay)
    path = os.path.join(folder, name + ".yaml")
    process = subprocess.Popen([ISOCAST, "calibrate", "--processes", "1,2", "--budget", "60s", "-o", path],
                               stderr=subprocess.PIPE)
    expect(wait_until(lambda: probes(name)), "no probe was started")
    if delay is None:  # in the middle of measuring
        part = path[:-len(".yaml")] + ".samples.csv.part"
        expect(wait_until(lambda: os.path.getsize(part) > 8000), "no samples")
    else:
        time.sleep(delay)
    process.send_signal(number)
    said = process.communicate(timeout=3600)[1].decode()
    expect(process.returncode == 5 and "interrupted" in said, "%s: %d: %s" % (name, process.returncode, said))
    expect(wait_until(lambda: not probes(name)), "a probe goes on running")
    expect(not os.path.exists(path), "an interrupted calibration wrote a machine file")
    if delay is None:
        expect("is kept in" in said and "--resume" in said, "the message: " + said)
        part_lines(path[:-len(".yaml")])


def resume(folder):
    """Interrupted between and within launches: the same command with --resume measures what is missing."""
    path = os.path.join(folder, "resumed.yaml")
    stem = path[:-len(".yaml")]
    command = ["calibrate", "--processes", "1,2", "--launches", "4", "--seed", "7", "-o", path]
    said = expect_run(5, *command, "--launcher", fake("fail=5"), words="exit status 9").stderr.decode()
    expect("a process was killed" in said and stem + ".samples.csv.part" in said, "it says: " + said)
    before = part_lines(stem)
    expect(len({line.split(",")[0] for line in samples(before)}) == 6, "5 launches and a half are not kept")
    with open(stem + ".samples.csv.part", "a") as file:  # what a crash of the machine may leave
        file.write("5,T_send,2,8,3,1.2e")
    expect_run(2, *command[:-4], "--seed", "8", "-o", path, "--launcher", fake(), "--resume",
               words="has processes 1,2; seed 7")
    expect_run(0, *command, "--launcher", fake(), "--resume")
    lines = finished(path, before)
    ends = [line for line in lines if line.startswith("# end of launch")]
    expect(len(ends) == 8, "%d launches were finished" % len(ends))
    # Finished, and the machine file lost: it is fitted again, and nothing measured.
    text = open(path).read()
    os.remove(path)
    expect_run(0, *command, "--launcher", "false", "--resume")
    expect(open(path).read().split("calibration:")[0].split("source:")[1].split("\n", 1)[1] ==
           text.split("calibration:")[0].split("source:")[1].split("\n", 1)[1], "another fit of the same samples")
    expect_run(2, *command[:-1], os.path.join(folder, "none.yaml"), "--launcher", fake(), "--resume",
               words="no unfinished calibration")

    # Another calibration does not throw away what an interrupted one has measured.
    expect_run(5, *command, "--launcher", fake("fail=1"))
    kept = open(stem + ".samples.csv.part").read()
    expect_run(0, *command, "--launcher", fake(), words=".part.old")
    expect(open(stem + ".samples.csv.part.old").read() == kept, "the older samples are gone")
    with open(stem + ".samples.csv.part", "w") as file:
        file.write("these are no samples\n")
    expect_run(3, *command, "--launcher", fake(), "--resume", words=".part:1:1: error:")


def full_disk(folder):
    """Whole samples stay as far as they fit; once there is room it goes on."""
    path = os.path.join(folder, "full.yaml")
    stem = path[:-len(".yaml")]
    command = [ISOCAST, "calibrate", "--processes", "1,2", "--launches", "3", "--launcher", fake(), "-o", path]

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))

    done = subprocess.run(command, capture_output=True, timeout=3600, preexec_fn=limit, restore_signals=False)
    said = done.stderr.decode()
    expect(done.returncode == 5, "a full disk: exit status %d: %s" % (done.returncode, said))
    expect("cannot write " + stem + ".samples.csv.part" in said and "is kept in" in said, "it says: " + said)
    before = part_lines(stem)
    expect(40000 < len("\n".join(before)) <= 60000, "what fits is not kept")
    expect(not os.path.exists(path), "a machine file in spite of a full disk")
    expect_run(0, *command[1:], "--resume")
    finished(path, before)


def dying_process(folder):
    path = os.path.join(folder, "dying.yaml")
    said = expect_run(5, "calibrate", "--processes", "2", "--launches", "1", "--budget", "40s", "--operations",
                      "T_send,T_barrier", "--launcher",
                      faulty("die"), "-o", path, words="the probe ended with exit status").stderr.decode()
    expect("is kept in" in said, "a dead process: " + said)
    before = part_lines(path[:-len(".yaml")])
    expect(len(samples(before)) > 0, "a dead process: no samples are kept")
    expect(wait_until(lambda: not probes("dying")), "the other process goes on running")


def jumping_clock(folder):
    path = os.path.join(folder, "jumping.yaml")
    samples_path = path[:-len(".yaml")] + ".samples.csv"

    def calibrate(fault, words):
        """Within a budget that is long enough for the clock to jump, which depends on what else the machine does."""
        for budget in ("5s", "20s", "60s"):
            run = subprocess.run([ISOCAST, "calibrate", "--processes", "2", "--launches", "1", "--budget", budget, "--operations",
                                  "T_send,T_barrier", "-o", path, "--launcher", faulty(fault)], capture_output=True, check=False)
            if words in run.stderr.decode():
                break
            for name in (path, samples_path):
                if os.path.exists(name):
                    os.remove(name)
        expect(words in run.stderr.decode(), f"{fault}: '{words}' is not in {run.stderr.decode()}")
        return run

    run = calibrate("jump-once", "the clock (MPI_Wtime) jumped")
    expect(run.returncode == 0 and b"3.6e+03 s" in run.stderr, f"a jump of the clock: {run.returncode}: {run.stderr.decode()}")
    for line in samples(open(samples_path).read().splitlines()):
        expect(0 <= float(line.split(",")[5]) < 60, "a jump is in a sample: " + line)
    os.remove(path)
    run = calibrate("jump-on", "keeps jumping")
    expect(run.returncode == 5 and not os.path.exists(path), f"a clock that jumps: {run.returncode}, or a machine file in spite of it")


def others(folder):
    path = os.path.join(folder, "others.yaml")
    expect_run(5, "calibrate", "--processes", "1", "--launches", "2", "--launcher", fake("flops=0"), "-o", path,
               words="no marked speed")
    expect(not os.path.exists(path), "a machine file without a marked speed")
    expect_run(5, "calibrate", "-o", path, words="there is no program", env={**os.environ, "PATH": folder})
    expect(not os.path.exists(path[:-len(".yaml")] + ".samples.csv.part"), "a part file without samples")
    expect_run(2, "calibrate", "--processes", "512", "-o", path, words="would measure the scheduler")
    expect_run(0, "calibrate", "--processes", "512", "--oversubscribe", "--launches", "2", "--launcher", fake(),
               "-o", path)
    expect("oversubscribed: more processes than processors" in open(path).read(), "the file does not say so")


def progress(folder):
    """On a terminal the time left is shown, and taken away; else nothing is."""
    path = os.path.join(folder, "shown.yaml")
    command = ["calibrate", "--processes", "1", "--launches", "3", "--budget", "60s", "--launcher",
               fake("sleep=0.3"), "-o", path]
    said = on_terminal(command)
    shown = re.findall(r"launch (\d) of 3, (\d+) s so far, about (\d+) s left", said)
    expect(sorted({launch for launch, _, _ in shown}) == ["1", "2", "3"], "the progress: %r" % said)
    expect(all(abs(int(so_far) + int(left) - 60) <= 1 for _, so_far, left in shown), "time left: %s" % shown)
    expect("\r\x1b[Kisocast calibrate: " in said, "the progress is not taken away: %r" % said[-200:])
    expect("left" not in on_terminal([*command, "--quiet"]), "progress in spite of --quiet")
    expect(b"left" not in expect_run(0, *command).stderr, "progress where there is no terminal")


with tempfile.TemporaryDirectory() as scratch:
    progress(scratch)
    resume(scratch)
    full_disk(scratch)
    others(scratch)
    dying_process(scratch)
    jumping_clock(scratch)
    for wait in (0, None):
        interrupt(scratch, signal.SIGINT, wait)
    interrupt(scratch, signal.SIGTERM, 0.3)
finish()
