"""Runs one golden case of the command and compares what it wrote.

    run_case.py ISOCAST FILE.case            compares; status 1 and a diff where it differs
    run_case.py ISOCAST FILE.case --update   writes what came out into the case, to be read with care

A case is a text file:

    command: isocast predict ...     a line for /bin/sh; `isocast` is the tested program
    exit: 0                          the exit status of the whole line
    tolerance: 1e-6                  relative, for numbers; without it texts must be equal
    --- stdout
    what it writes; a line "..." stands for any lines, {VERSION} for the version, {SHARE} for the folder of what comes along
    --- stderr
    likewise; left out: nothing

Cases run in an empty folder of their own, into which tests/cli/files is copied.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_MAX = 3600  # it has hung then; a machine may be slow or busy


def read_case(path):
    case = {"stdout": "", "stderr": "", "exit": "0", "tolerance": "", "command": ""}
    section = None
    comments = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("--- "):
                section = line[4:].strip()
            elif section is not None:
                case[section] += line
            elif line.startswith("#") or not line.strip():
                comments.append(line)
            else:
                key, value = line.split(":", 1)
                case[key.strip()] = value.strip()
    case["comments"] = "".join(comments)
    return case


def write_case(path, case):
    with open(path, "w", encoding="utf-8") as file:
        file.write(case["comments"])
        for key in ("command", "exit", "tolerance"):
            if case[key]:
                file.write(f"{key}: {case[key]}\n")
        for section in ("stdout", "stderr"):
            if case[section]:
                file.write(f"--- {section}\n{case[section]}")


def run(program, command):
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "work")
        shutil.copytree(os.path.join(HERE, "files"), work, copy_function=shutil.copyfile)
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        # A wrapper, not a link: the program finds its specifications beside its own file.
        wrapper = os.path.join(tools, "isocast")
        with open(wrapper, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{program}" "$@"\n')
        os.chmod(wrapper, 0o755)
        environment = {**os.environ, "PATH": tools + ":" + os.environ["PATH"], "LC_ALL": "C"}
        environment.pop("ISOCAST_SPECS", None)
        environment.pop("COLUMNS", None)
        done = subprocess.run(["/bin/sh", "-c", command], cwd=work, env=environment, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, timeout=SECONDS_MAX, check=False)
    return done.returncode, done.stdout, done.stderr


def numbers_agree(due, got, tolerance):
    if due == got:
        return True
    a, b = float(due), float(got)
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def lines_agree(due, got, tolerance):
    if due == got:
        return True
    if tolerance is None or NUMBER.sub("#", due) != NUMBER.sub("#", got):
        return False
    return all(numbers_agree(a, b, tolerance)
               for a, b in zip(NUMBER.findall(due), NUMBER.findall(got)))


def texts_agree(due, got, tolerance):
    """Whether the lines agree, where a line "..." of `due` stands for any number of lines."""
    if not due:
        return not got
    if due[0] == "...":
        return any(texts_agree(due[1:], got[skip:], tolerance) for skip in range(len(got) + 1))
    return bool(got) and lines_agree(due[0], got[0], tolerance) and texts_agree(
        due[1:], got[1:], tolerance)


def compare(what, due, got, tolerance):
    if texts_agree(due.splitlines(), got.splitlines(), tolerance):
        return True
    import difflib  # here, as most cases need none of what it loads

    print(f"{what} differs:")
    for line in difflib.unified_diff(due.splitlines(), got.splitlines(), "due", "got", lineterm=""):
        print("    " + line)
    return False


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, path = os.path.abspath(sys.argv[1]), sys.argv[2]
    sys.setrecursionlimit(10000)
    case = read_case(path)
    with_version = len(sys.argv) == 4 or "{VERSION}" in case["stdout"] + case["stderr"]
    version = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True,
                             check=True).stdout.split()[1] if with_version else "{VERSION}"
    share = os.path.join(os.path.dirname(os.path.dirname(program)), "share", "isocast")
    status, *texts = run(program, case["command"])
    stdout, stderr = (text.replace(share, "{SHARE}") for text in texts)
    if len(sys.argv) == 4:
        write_case(path, {**case, "exit": str(status), "stdout": stdout.replace(version, "{VERSION}"),
                          "stderr": stderr})
        return 0
    tolerance = float(case["tolerance"]) if case["tolerance"] else None
    good = str(status) == case["exit"]
    if not good:
        print(f"exit status {status}, due is {case['exit']}")
    for what, got in (("stdout", stdout), ("stderr", stderr)):
        due = case[what].replace("{VERSION}", version)
        good = compare(what, due, got, tolerance) and good
    if not good:
        print(f"command: {case['command']}")
    return 0 if good else 1


sys.exit(main())
