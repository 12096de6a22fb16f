"""No command ends with another status than 0 in silence.

    test_silence.py ISOCAST ROOT

Goes over all subcommands that the help lists, and over ends of each kind. Where the answer is on standard output, a check that
failed and rows without a solution need no more; all other ends have a message.
"""
import os
import re
import subprocess
import sys
import tempfile

ISOCAST, ROOT = map(os.path.abspath, sys.argv[1:3])
FILES = os.path.join(ROOT, "tests", "cli", "files")
GE = ["gaussian-elimination-published", "sunwulf"]
UNREACHABLE = [os.path.join(FILES, "unreachable.yaml"), "sunwulf", "--efficiency", "0.3", "--to", "C2,C4"]

# Ends with status 4 whose answer stands in a file: the message is the only thing that is seen.
ANSWERED = {
    "predict": (4, [*UNREACHABLE, "-o", "out", "--format", "csv"]),
    "explain": (4, [*UNREACHABLE, "-o", "out"]),
    "sweep": (4, [*GE, "--vary", "t_c=31ps/flop,31ns/flop", "--efficiency", "2", "--to", "C4", "-o", "out", "--quiet"]),
    "offers": (4, [os.path.join(FILES, "offers-algorithm.yaml"), os.path.join(FILES, "offers-list.yaml"), "--budget", "5kEUR", "--at",
                   "N=5000", "-o", "out"]),
    "scalability": (4, [os.path.join(FILES, "runs-edges.csv"), "--work", "matrix-multiplication", "--efficiency", "0.5", "-o", "out"]),
}


def run(arguments, folder, **more):
    return subprocess.run([ISOCAST, *arguments], cwd=folder, text=True, check=False, timeout=120, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def ends_of(command):
    """Lines that are wrong in what they say, name and find: no arguments, words that are nothing, files that are no input."""
    yield []
    yield ["--no-such-option"]
    yield ["-o"]
    if command == "cc":
        yield ["noise"]  # what else is wrong the compiler says, and takes a second for it
        return
    for name in ("nothing-of-this-name", "empty", "noise", "folder", "results.csv"):
        yield [name]
        yield [name, name, "-o", "out", "--quiet"]
    yield [*GE, "--at", "N=310", "--to", "C4", "-o", "missing/out"]
    yield ["--twin", "noise", "-o", "out"]
    yield ["--resume", "-o", "out"]


def main():
    commands = re.findall(r"^  ([a-z-]+)  +[a-z]", run(["help"], ".").stdout.split("Exit status")[0].split("Where to begin")[0], re.MULTILINE)
    assert len(commands) > 15 and "calibrate" in commands, commands
    wrong = []
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "folder"))
        for name, text in (("empty", ""), ("noise", "\x01{[: -\n"), ("results.csv", "system,N\nA,1\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        ends = [(command, words) for command in commands for words in ends_of(command)]
        for command, words in ends:
            done = run([command, *words], folder)
            if os.path.exists(os.path.join(folder, "out")):
                os.remove(os.path.join(folder, "out"))
            failed += done.returncode != 0
            shown = done.stdout and done.returncode in (1, 4)
            if done.returncode != 0 and not done.stderr and not shown:
                wrong.append(f"{command} {words} ends with {done.returncode} and no message")
        for command, (due, words) in ANSWERED.items():
            done = run([command, *words], folder)
            os.remove(os.path.join(folder, "out"))
            if done.returncode != due or f"(exit status {due})" not in done.stderr or f"isocast {command}: " not in done.stderr:
                wrong.append(f"{command} {words}: {done.returncode}, not {due}: {done.stderr!r}")
            shown = run([command, *(word for word in words if word not in ("-o", "out"))], folder)
            if shown.returncode != due or "exit status" in shown.stderr:
                wrong.append(f"{command}: {shown.returncode}: what is shown is stated again: {shown.stderr!r}")
    assert failed > 0.7 * len(ends), f"{failed} of {len(ends)} ends"
    sys.exit("\n".join(wrong) or 0)


main()
