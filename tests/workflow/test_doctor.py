#!/usr/bin/env python3
"""doctor: finds what is there and what is not, by programs that stand for the real ones; none of them hangs it or steers a
terminal."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time

from common import ISOCAST, expect, finish, run

LIBEXEC = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast")
ROW = "adding-numbers,,,%d,1000,0,1e-6"
# What each program says; a shell script behind it.
GOOD = {
    "mpiexec.mpich": "case $1 in --version) echo HYDRA build details:; echo '    Version:     4.0.2';; *) echo %s;; esac" % (ROW % 2),
    "mpicc.mpich": "echo gcc 12",
    "smpirun": "echo SimGrid version 3.32",
    "smpicc": "echo SimGrid version 3.32",
    "gnuplot": "case $1 in --version) echo gnuplot 5.4;; *) echo ' dumb pdfcairo pngcairo svg ';; esac",
}
# Builds with sanitizers, or without SimGrid, have no simulated programs.
SIMULATED = all(os.path.exists(os.path.join(LIBEXEC, name)) for name in ("isocast-kernel-simulated", "isocast-probe-simulated"))


def examine(*arguments, **programs):
    """The exit status, the findings by name and the seconds, where these programs take the place of the good ones; None: it
    is not there. A name has _ for a point."""
    with tempfile.TemporaryDirectory() as folder:
        for name, script in {**GOOD, **{key.replace("_", "."): value for key, value in programs.items()}}.items():
            if script is not None:
                path = os.path.join(folder, name)
                with open(path, "w") as file:
                    file.write("#!/bin/sh\nPATH=/usr/bin:/bin\n%s\n" % script)
                os.chmod(path, 0o755)
        began = time.monotonic()
        done = run("doctor", *arguments, "--format", "json", env={**os.environ, "PATH": folder})
        seconds = time.monotonic() - began
    findings = {row["what"]: row for row in json.loads(done.stdout)["rows"]} if done.stdout else {}
    return done.returncode, findings, seconds


def expect_missing(what, words, remedy, **programs):
    status, findings, _ = examine(**programs)
    finding = findings[what]
    expect(status == 1, "%s: exit status %d, not 1" % (what, status))
    expect(finding["state"] == "missing", "%s is %s" % (what, finding["state"]))
    expect(words in (finding["found"] or ""), "%s: found %r, not %r" % (what, finding["found"], words))
    expect(remedy in (finding["remedy"] or ""), "%s: remedy %r, not %r" % (what, finding["remedy"], remedy))
    return findings


# All is there.
status, findings, _ = examine()
expect(status == (0 if SIMULATED else 1), "good programs: exit status %d" % status)
expect(findings["MPI launcher"]["found"] == "MPICH 4.0.2", "launcher: %r" % findings["MPI launcher"])
expect(findings["MPI launcher"]["path"].endswith("/mpiexec.mpich"), "no path: %r" % findings["MPI launcher"])
expect(findings["gnuplot formats"]["found"] == "svg, png, pdf, txt", "formats: %r" % findings["gnuplot formats"])
for what in ("two processes", "isocast-probe", "isocast-kernel", "specifications", "SimGrid", "MPI compiler", "SimGrid compiler"):
    expect(findings[what]["state"] == "ok", "%s: %r" % (what, findings[what]))
for finding in findings.values():
    expect(finding["state"] in ("ok", "warning", "missing", None), "state %r" % finding["state"])
    expect((finding["state"] in ("warning", "missing")) == bool(finding["remedy"]), "remedy of %r" % finding)
    expect(finding["state"] is None or finding["state"] == "missing" or finding["found"], "nothing found: %r" % finding)

# Nothing is there. What cannot be tried is not known.
status, findings, _ = examine(**{name.replace(".", "_"): None for name in GOOD})
expect(status == 1, "nothing: exit status %d" % status)
for what, package in (("MPI launcher", "mpich"), ("SimGrid", "libsimgrid-dev"), ("MPI compiler", "libmpich-dev"),
                      ("SimGrid compiler", "libsimgrid-dev"), ("gnuplot", "gnuplot-nox")):
    expect(findings[what]["state"] == "missing" and "install the package " + package in findings[what]["remedy"],
           "nothing: %r" % findings[what])
for what in ("two processes", "gnuplot formats"):
    expect(findings[what]["state"] is None and findings[what]["found"] is None, "nothing: %r" % findings[what])
with tempfile.TemporaryDirectory() as folder:
    done = run("doctor", env={**os.environ, "PATH": folder})
    text = done.stdout.decode()
    expect(done.returncode == 1 and done.stderr == b"", "empty PATH: %d, %r" % (done.returncode, done.stderr))
    expect(text.startswith("Something is missing for: calibrate, measure, record, check --against-machine"), "empty PATH: " + text)
    expect("\ngnuplot: install the package gnuplot-nox.\n" in text, "no way to correct: " + text)
    quiet = run("doctor", "--quiet", env={**os.environ, "PATH": folder}).stdout.decode()
    expect(quiet.startswith("what ") and "install the" not in quiet, "--quiet: " + quiet)

# Launchers that are there and do not work, or are of another library.
expect_missing("two processes", "do not find each other", "MPI library that isocast is built with",
               mpiexec_mpich="case $1 in --version) echo other;; *) echo %s; echo %s;; esac" % (ROW % 1, ROW % 1))
expect_missing("two processes", "exit status 7: no slots", "",
               mpiexec_mpich="case $1 in --version) echo other;; *) echo no slots >&2; exit 7;; esac")
status, findings, _ = examine(mpiexec_mpich="case $1 in --version) echo 'mpiexec (OpenRTE) 4.1.4';; *) echo %s;; esac" % (ROW % 2))
expect(findings["MPI launcher"]["found"] == "not of MPICH: mpiexec (OpenRTE) 4.1.4", "Open MPI: %r" % findings["MPI launcher"])
expect(findings["two processes"]["state"] == "ok", "Open MPI: %r" % findings["two processes"])
findings = expect_missing("MPI launcher", "exit status 127", "--launcher", mpiexec_mpich="no-such-program 2>/dev/null")
expect(findings["two processes"]["state"] is None, "a launcher that fails was tried")
status, findings, _ = examine("--launcher", "starter --with {processes}", starter=GOOD["mpiexec.mpich"], mpiexec_mpich=None)
expect(findings["MPI launcher"]["path"].endswith("/starter") and findings["two processes"]["state"] == "ok", "--launcher: %r" % findings)

# gnuplot without a format, and one that hangs, with what it started.
expect_missing("gnuplot formats", "svg, png, txt, not pdf", "gnuplot-nox",
               gnuplot="case $1 in --version) echo gnuplot 5.4;; *) echo ' dumb pngcairo svg xpdfcairo ';; esac")
mark = "98.%d" % os.getpid()
status, findings, seconds = examine(gnuplot="sleep %s & sleep %s" % (mark, mark))
expect(status == 1 and "does not end within 5 s" in findings["gnuplot"]["found"], "hanging: %r" % findings["gnuplot"])
expect(findings["gnuplot formats"]["state"] is None, "a program that hangs was tried again")
expect(seconds < 60, "hanging: %g s" % seconds)
left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
expect("sleep " + mark not in left, "a process is left behind")

# What programs say does not steer a terminal.
HOSTILE = r"printf '\033[31mred\007 \342\200\256turned %0100d\n' 1; printf '\033]0;title\007' >&2"
for form in ("table", "csv", "markdown", "json"):
    with tempfile.TemporaryDirectory() as folder:
        for name in GOOD:
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.write("#!/bin/sh\nPATH=/usr/bin:/bin\n%s\nexit $(( $# > 1 ))\n" % HOSTILE)
            os.chmod(path, 0o755)
        done = run("doctor", "--format", form, env={**os.environ, "PATH": folder})
    said = (done.stdout + done.stderr).decode()
    expect(done.returncode == 1, "hostile: exit status %d" % done.returncode)
    expect("red" in said and not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", said), "%s: %r" % (form, said))

# One processor that another program uses.
processor = min(os.sched_getaffinity(0))
busy = subprocess.Popen([sys.executable, "-c", "import os\nos.sched_setaffinity(0, {%d})\nprint('goes', flush=True)\nwhile True: pass"
                         % processor], stdout=subprocess.PIPE)
busy.stdout.readline()
done = subprocess.run([ISOCAST, "doctor"], capture_output=True, text=True, timeout=3600,
                      preexec_fn=lambda: os.sched_setaffinity(0, {processor}))
busy.kill()
busy.wait()
expect(done.returncode == (0 if SIMULATED else 1), "a warning: exit status %d: %s" % (done.returncode, done.stdout))
expect(re.search(r"^[^\n]*; measurements may be disturbed: [^\n]*other programs used \d+ % of the processors", done.stdout),
       "other programs: " + done.stdout)
expect("other programs: wait until the machine is quiet" in done.stdout, "no way to correct: " + done.stdout)

done = run("doctor", "here")
expect(done.returncode == 2, "an argument: exit status %d" % done.returncode)
finish()
