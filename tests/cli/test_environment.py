#!/usr/bin/env python3
"""The same command does the same wherever it runs, and numbers that are too large or too small have a message with a place.

    test_environment.py ISOCAST SOURCE
"""
import fcntl
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

ISOCAST, ROOT = map(os.path.abspath, sys.argv[1:3])
FILES = os.path.join(ROOT, "tests", "cli", "files")
GE = ["gaussian-elimination-published", "sunwulf"]
PREDICT = ["predict", *GE, "--efficiency", "0.3", "--to", "C2,C4,C8"]
wrong = []


def run(folder, *arguments, without=(), **settings):
    environment = {name: value for name, value in os.environ.items() if name not in without}
    return subprocess.run([ISOCAST, *arguments], cwd=folder, env={**environment, **settings}, text=True, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True)


def expect(what, done, status=0, words=""):
    if done.returncode != status or words not in done.stderr + done.stdout:
        wrong.append(f"{what}: {done.returncode}, not {status}; '{words}' is due: {done.stderr[-400:]}")


def written(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return b""
    with open(path, "rb") as file:
        return file.read()


def surroundings(folder):
    """Each question in each environment: what it writes is what it writes in the usual one."""
    blank = os.path.join(folder, "with a blank")
    os.mkdir(blank)
    expect("prediction", run(folder, *PREDICT, "--format", "json", "-o", "p.json"))
    environments = {"usual": {}, "GNUTERM=x11": {"GNUTERM": "x11", "DISPLAY": ":99"}, "COLUMNS=40": {"COLUMNS": "40"},
                    "TMPDIR with a blank": {"TMPDIR": blank}, "HOME unset": {"without": ("HOME", "XDG_CACHE_HOME")},
                    "HOME with a blank": {"HOME": blank}, "no colour": {"NO_COLOR": "1", "TERM": "dumb"}}
    # A decimal comma changes nothing, where the system has such a locale or can make one.
    locales = os.path.join(folder, "locales")
    os.mkdir(locales)
    made = shutil.which("localedef") is not None and subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(locales, "de_DE.UTF-8")], check=False, capture_output=True)
    known = subprocess.run(["locale", "-a"], text=True, check=False, capture_output=True).stdout.split()
    if os.path.isdir(os.path.join(locales, "de_DE.UTF-8")):
        environments["decimal comma"] = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": locales}
    elif "de_DE.utf8" in known:
        environments["decimal comma"] = {"LC_ALL": "de_DE.UTF-8"}
    else:
        print("no locale with a decimal comma: left out", made.stderr if made else "")
    questions = {"table.txt": [*PREDICT], "p.txt": ["plot", "p.json"], "p.svg": ["plot", "p.json"],
                 "sweep.csv": ["sweep", *GE, "--vary", "t_c=1e-8,2e-8", "--at", "N=310", "--to", "C4", "--quiet"]}
    usual = {}
    for name, settings in environments.items():
        for output, question in questions.items():
            if os.path.exists(os.path.join(folder, output)):
                os.remove(os.path.join(folder, output))
            expect(f"{question} with {name}", run(folder, *question, "-o", output, **settings))
            text = written(folder, output)
            if not text or usual.setdefault(output, text) != text:
                wrong.append(f"{question} -o {output} with {name} is another file")
    if os.listdir(blank):
        wrong.append(f"left in TMPDIR: {os.listdir(blank)}")


def narrow(folder):
    """On a terminal of 60 columns no line is wider, and what is written is text alone."""
    for question in (PREDICT, ["explain", *GE, "--base", "C2", "--at", "N=310", "--to", "C4"]):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        with subprocess.Popen([ISOCAST, *question], cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs,
                              stderr=subprocess.DEVNULL) as done:
            os.close(theirs)
            text = b""
            try:
                while part := os.read(ours, 65536):
                    text += part
            except OSError:  # so Linux says that the other end is closed
                pass
        os.close(ours)
        lines = text.decode().splitlines()
        wide = [line for line in lines if len(line) > 60]
        if done.returncode != 0 or not lines or wide or "\033" in text.decode():
            wrong.append(f"{question} on 60 columns: {done.returncode}, {len(lines)} lines, too wide: {wide}")


def signs_in_names(folder):
    """gnuplot takes %, @, ^, _ and braces as its own."""
    for name in ("offers-algorithm.yaml", "offers-list.yaml", "offers-slow.yaml", "offers-fast.yaml"):
        shutil.copy(os.path.join(FILES, name), folder)
    path = os.path.join(folder, "offers-list.yaml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("  fast:", '  "50 %d @^_{} % %s":'))
    question = ["offers", "offers-algorithm.yaml", "offers-list.yaml", "--budget", "21kEUR", "--at", "N=5000", "--format", "json"]
    expect("offers", run(folder, *question, "-o", "o.json"))
    expect("a picture with % in a name", run(folder, "plot", "o.json", "-o", "o.svg"))
    if b"50 %d" not in written(folder, "o.svg"):
        wrong.append("the name with % is not in the picture")


def numbers(folder):
    for name, text in (("T.csv", "system,N,T\nC2,100,1\nC2,200,1e-320\n"), ("N.csv", "system,N,T\nC2,5e-324,1\n")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    expect("T of 1e-320", run(folder, "validate", *GE, "T.csv", "--fit", "t_c"), 3, "T.csv:3:8: error: T must be from")
    expect("N of 5e-324", run(folder, "plot", "N.csv"), 3, "N.csv:2:4: error: N must be from")
    with open(os.path.join(folder, "offers-fast.yaml"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(folder, "offers-fast.yaml"), "w", encoding="utf-8") as file:
        file.write(text.replace("processors: 4", "processors: 1e15"))
    for form in ("json", "table", "csv"):
        expect("10^15 processors", run(folder, "offers", "offers-algorithm.yaml", "offers-list.yaml", "--budget", "21kEUR", "--at",
                                       "N=5000", "--format", form))
    expect("10^16 nodes", run(folder, "sweep", *GE, "--vary", "sunblade.count=1,1e16", "--at", "N=310", "--to", "C4"), 2, "1e16")


def column_without_numbers(folder):
    """A sweep whose name that varies has no number in any row, and in some."""
    expect("sweep", run(folder, "sweep", *GE, "--vary", "t_c=1e-8,2e-8,4e-8", "--at", "N=310", "--to", "C2,C4", "-o", "s.csv"))
    with open(os.path.join(folder, "s.csv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("row,"))
    for name, keep in (("none.csv", 0), ("some.csv", 2)):
        rows = [line if k < keep else ",".join([line.split(",")[0], "", *line.split(",")[2:]])
                for k, line in enumerate(lines[head + 1:])]
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines[:head + 1] + rows) + "\n")
    place = f"none.csv:{head + 1}:1: error: no row has a number in column 't_c'"
    expect("no number", run(folder, "plot", "none.csv", "-o", "none.svg"), 3, place)
    expect("some numbers", run(folder, "plot", "some.csv", "-o", "some.svg"))


def main():
    for test in (surroundings, narrow, signs_in_names, column_without_numbers):
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
            if test is signs_in_names:
                numbers(folder)
    sys.exit("\n".join(wrong) or 0)


main()
