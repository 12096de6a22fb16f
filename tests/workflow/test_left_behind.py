#!/usr/bin/env python3
"""However isocast ends, nothing that it started goes on: kill -9, the end of a terminal, a reader that has gone."""

import os
import shutil
import signal
import subprocess
import tempfile

from common import ISOCAST, MACHINE, expect, expect_run, finish, wait_until, write

SIGNALS = (signal.SIGKILL, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE)


def running(word):
    """Processes with a word of this text in their command line."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % process, "rb") as file:
                line = file.read()
            with open("/proc/%s/stat" % process) as file:
                ended = file.read().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:  # it has just ended
            continue
        if word.encode() in line and not ended:
            found.append((int(process), line))
    return found


def end_it(what, command, number, word, started, env=None):
    """Runs a command until `started`, ends it, and expects that nothing with the word goes on."""
    process = subprocess.Popen([ISOCAST, *map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    expect(wait_until(started), "%s: nothing was started" % what)
    process.send_signal(number)
    said = process.communicate(timeout=3600)[1].decode("utf-8", "replace")
    if number != signal.SIGKILL:
        expect(process.returncode == 5, "%s: exit status %d after signal %d: %s" % (what, process.returncode, number, said))
    left = lambda: running(word)
    expect(wait_until(lambda: not left()), "%s: left behind by signal %d: %s" % (what, number, left()))


def program(folder, name, word):
    """A program that starts others in its group and in a session of their own, stubborn ones too, and goes on."""
    path = write(folder, name, "#!/bin/sh\nsleep %s &\nsetsid sleep %s &\nsetsid sh -c 'trap \"\" TERM HUP; sleep %s; sleep %s' &\nsleep %s\n" %
                 ((word,) * 5))
    os.chmod(path, 0o755)
    return path


def fake(folder):
    """In the place of gnuplot and of a launcher."""
    results = write(folder, "runs.csv", "system,N,T\nA,100,1\nA,200,2\n")
    machine = write(folder, "machine.yaml", MACHINE)
    for k, number in enumerate(SIGNALS):
        word = "3%03d.%d" % (k, os.getpid())
        started = lambda: len(running(word)) >= 4
        tools = os.path.join(folder, "tools%d" % k)
        os.mkdir(tools)
        program(tools, "gnuplot", word)
        picture = os.path.join(folder, "picture.svg")
        env = dict(os.environ, PATH=tools + ":" + os.environ["PATH"])
        end_it("plot", ["plot", results, "-o", picture], number, word, started, env)
        expect(not os.path.exists(picture), "a picture was written")
        launcher = program(folder, "launcher%d.sh" % k, word)
        end_it("measure", ["measure", "ge", "--machine", machine, "--systems", "1", "--sizes", "64", "--launcher", launcher,
                           "-o", os.path.join(folder, "measured.csv")], number, word, started)
        end_it("calibrate", ["calibrate", "--processes", "1", "--launcher", launcher, "-o",
                             os.path.join(folder, "here%d.yaml" % k)], number, word, started)


def real(folder):
    """mpiexec and kernels, whose rows are kept."""
    for number in (signal.SIGKILL, signal.SIGHUP, signal.SIGQUIT):
        seed = str(100000000 + 64 * os.getpid() + number)
        kernels = "0\0--seed\0" + seed  # behind the number of the repetition
        machine = write(folder, "real.yaml", MACHINE)
        runs = os.path.join(folder, "real%d.csv" % number)
        command = ["measure", "ge", "--machine", machine, "--systems", "1", "--repetitions", "1", "-o", runs, "--seed", seed]
        expect_run(0, *command, "--sizes", "32")
        before = open(runs).read()
        end_it("a real run", [*command, "--sizes", "4000"], number, kernels, lambda: running(kernels))
        expect(open(runs).read() == before, "the rows have changed")
        expect_run(0, *command, "--sizes", "48", words="1 runs added")


def simulated():
    if shutil.which("smpirun") is None:
        return
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="i") as folder:
        env = dict(os.environ, TMPDIR=folder)
        command = ["measure", "ge", "--platform", "fat-tree-128", "--systems", "128", "--sizes", "6000", "-o",
                   os.path.join(folder, "x.csv")]
        if subprocess.run([ISOCAST, *command[:5], "2", "--sizes", "16", "-o", os.path.join(folder, "y.csv")],
                          stderr=subprocess.DEVNULL, env=env, check=False).returncode != 0:
            return  # built without the simulator
        for number in (signal.SIGKILL, signal.SIGHUP):
            end_it("a simulation", command, number, folder + "/isocast", lambda: len(running(folder + "/isocast")) >= 2, env)


with tempfile.TemporaryDirectory() as scratch:
    fake(scratch)
    real(scratch)
simulated()
finish()
