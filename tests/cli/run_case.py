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

Cases run in an empty folder of their own, into which those of tests/cli/files are copied that the command names, and that
these name. There are hundreds of cases: what only some of them need is imported there.
"""
import os
import sys

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")


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


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def write_bytes(path, data, mode=0o644):
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, mode)


def copy(path, to):
    """Copies a file or a folder. Gives what stands in the file."""
    if not os.path.isdir(path):
        data = read_bytes(path)
        write_bytes(to, data)
        return data
    os.mkdir(to)
    return b"".join(copy(os.path.join(path, name), os.path.join(to, name)) for name in os.listdir(path))


def copy_named(command, folder):
    """Copies the files of which a text has the name up to its first point: the command, or a file that is copied. Patterns
    and variables of the shell may name any of them."""
    left = set(os.listdir(FILES))
    texts = [command.encode()]
    any_of_them = "*." in command or "$" in command
    for text in texts:
        for name in [name for name in left if any_of_them or name.split(".")[0].encode() in text]:
            left.remove(name)
            texts.append(copy(os.path.join(FILES, name), os.path.join(folder, name)))


def remove(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            remove(entry.path)
        else:
            os.unlink(entry.path)
    os.rmdir(folder)


def run(program, command):
    folder = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"isocast-case-{os.getpid()}")
    work, tools = os.path.join(folder, "work"), os.path.join(folder, "bin")
    for path in (folder, work, tools):
        os.mkdir(path)
    try:
        copy_named(command, work)
        # A wrapper, not a link: the program finds its specifications beside its own file.
        write_bytes(os.path.join(tools, "isocast"), f'#!/bin/sh\nexec "{program}" "$@"\n'.encode(), 0o755)
        environment = {**os.environ, "PATH": tools + ":" + os.environ["PATH"], "LC_ALL": "C"}
        environment.pop("ISOCAST_SPECS", None)
        environment.pop("COLUMNS", None)
        os.chdir(work)
        texts = [os.path.join(folder, name) for name in ("stdout", "stderr")]
        write = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                   *((os.POSIX_SPAWN_OPEN, 1 + i, text, write, 0o644) for i, text in enumerate(texts))]
        child = os.posix_spawn("/bin/sh", ["/bin/sh", "-c", command], environment, file_actions=actions)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return status, *(read_bytes(text).decode(errors="replace") for text in texts)
    finally:
        os.chdir("/")
        remove(folder)


def numbers_agree(due, got, tolerance):
    if due == got:
        return True
    a, b = float(due), float(got)
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def lines_agree(due, got, tolerance):
    if due == got:
        return True
    if tolerance is None:
        return False
    import re

    number = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
    return number.sub("#", due) == number.sub("#", got) and all(
        numbers_agree(a, b, tolerance) for a, b in zip(number.findall(due), number.findall(got)))


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
    import difflib

    print(f"{what} differs:")
    for line in difflib.unified_diff(due.splitlines(), got.splitlines(), "due", "got", lineterm=""):
        print("    " + line)
    return False


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, path = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    sys.setrecursionlimit(10000)
    case = read_case(path)
    with_version = len(sys.argv) == 4 or "{VERSION}" in case["stdout"] + case["stderr"]
    version = run(program, "isocast --version")[1].split()[1] if with_version else "{VERSION}"
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
