"""Runs every command that README.md and the pages of docs/ show, as it stands, and compares the output that they show.

    test_commands.py ROOT BUILD [FILE.md...]

A command is a line of an indented or fenced block that begins with one of PROGRAMS; a line that ends in a backslash goes
on in the next. A block that is a whole specification is given to `isocast check`. All of one file run in order in one shell, in a scratch folder with the tree's specs/, docs/ and tools beside
it and the build under test as build/release. Output that is shown is the indented block after the command, with nothing or
one paragraph that begins with "prints" between; it is compared line by line, numbers with TOLERANCE, and those of a
measurement (MEASURED) by their words alone.

A wrapper stands for the command isocast. It measures shorter than a user would: ISOCAST_DOCS_BUDGET (4s) takes the place of
--budget in calibrate and check, ISOCAST_DOCS_REPETITIONS (1) that of --repetitions in measure on this machine, 3 in
calibrate --command, and of a list of more than three --sizes there, the first three are measured. Nothing else is changed. What does not run is in EXCEPTIONS, with the reason.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAMS = re.compile(r"isocast |build/release/(bin|libexec)/|cmake |\./\w|(bench|tests|tools|docs)/\w|(smpirun|mpiexec\S*|export|"
                      r"mpicc|python3|sbatch|srun|sudo|apt\S*|mkdir|cp|cd|for \w+ in) ")
SPECIFICATION = re.compile(r"(algorithm|machine|platform): ")
# Written by a test of its own (docs/reference/commands.md: cli.help_text), or of no commands.
LEFT_OUT = ("docs/reference/commands.md",)
EXCEPTIONS = (
    (r"^\./(demo|test)\.sh", "takes minutes; test.sh is what runs this test"),
    (r"^cmake (-G Ninja -S|--build)", "the build under test is what these make"),
    (r"^build/release/bin/bench-kernels", "takes 100 s"),
    (r"steps\.csv|mine\.yaml", "needs runs of the reader's own; bench/transformers makes some of published ones"),
    (r"isocast study .* -o for-", "measures as long as the first study of its page"),
    (r"--launcher slurm|-hosts a,b,c,d", "needs another cluster"),
    (r"--timings imb\.csv", "needs a platform and timings of the reader's own; workflow.predict_platform makes some"),
    (r"^smpirun .* \./program$", "needs a program of the reader's own; workflow.platform runs the exported files"),
)
# Exit statuses other than 0 that are right, too.
STATUSES = (
    (r"check --against-machine", (0, 1, 5), "says 1 where the machine is busier than before, 5 where it is too busy to report"),
    (r"predict prefix-sum-textbook textbook --efficiency 0.9", (4,), "shows what is said where an efficiency is unreachable"),
    (r"--find E=", (0, 4), "says 4 where noise keeps it from the efficiency"),
    (r"--marked-speed peak --efficiency", (0, 4), "says 4 where messages are too slow here for that efficiency"),
)
MEASURED = r"--against-machine|bench-solve|measure|calibrate|validate|smpirun"
TOLERANCE = 1e-4
SECONDS_MAX = 3600  # it has hung then; a machine may be slow or busy
LONGEST = 25  # commands whose times are printed
AT_ONCE = 2  # files; measured numbers are compared by their words alone
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

WRAPPER = """#!/usr/bin/env bash
arguments=()
budget= repetitions= calm=
case $1 in
    calibrate | check) budget=${ISOCAST_DOCS_BUDGET:-4s} ;;
    measure) repetitions=${ISOCAST_DOCS_REPETITIONS:-1} ;;
esac
case " $* " in
    *" --platform "*) repetitions= budget= ;;
    *" --find "*) calm=--calm ;;
esac
case " $1 $* " in
    *" check "*" --against-machine "* | *" calibrate "*) ;;
    *) budget= ;;
esac
case " $1 $* " in
    *" calibrate "*" --command "*) repetitions=3 ;;
esac
case $1 in study) budget=10s ;; esac
while [ $# -gt 0 ]; do
    if [ "$1" = --budget ] && [ -n "$budget" ] || [ "$1" = --repetitions ] && [ -n "$repetitions" ]; then
        shift
    elif [ "$1" = --sizes ] && [ -n "$repetitions" ]; then
        arguments+=("$1" "$(cut -d, -f1-3 <<<"$2")")
        shift
    elif [ "$1" != "$calm" ]; then # workflow.find has searches with it, which take minutes
        arguments+=("$1")
    fi
    shift
done
exec "@ISOCAST@" "${arguments[@]}" ${budget:+--budget "$budget"} ${repetitions:+--repetitions "$repetitions"}
"""

OSU = """# OSU MPI Broadcast Latency Test v7.0
# Size       Avg Latency(us)
1                       %s
1024                    %s
65536                   %s
"""


class Command:
    def __init__(self, text, line):
        self.text = text
        self.line = line
        self.shown = []


def blocks(lines):
    """(first line, from one; lines without indent or fence; the paragraph before) of each block."""
    i = 0
    paragraph = []
    while i < len(lines):
        if lines[i].startswith("```"):
            end = next(k for k in range(i + 1, len(lines)) if lines[k].startswith("```"))
            yield i + 2, lines[i + 1:end], paragraph
            paragraph = []
            i = end + 1
        elif lines[i].startswith("    ") and (i == 0 or not lines[i - 1].strip()):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield i + 1, [line[4:] for line in lines[i:end]], paragraph
            paragraph = []
            i = end
        else:
            if lines[i].strip():
                paragraph.append(lines[i])
            i += 1


def read_commands(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    commands = []
    waits = False  # the last block was commands, whose output may follow
    for first, block, paragraph in blocks(lines):
        waits = waits and (not paragraph or paragraph[0].startswith("prints"))
        if SPECIFICATION.match(block[0]):
            commands.append(Command("isocast check - <<'END'\n%s\nEND" % "\n".join(block), first))
            waits = False
            continue
        has_command = any(PROGRAMS.match(line) for line in block)
        if not has_command and waits:
            commands[-1].shown += block
        going_on = False
        for i, line in enumerate(block):
            if going_on:
                commands[-1].text += "\n" + line
            elif PROGRAMS.match(line):
                commands.append(Command(line, first + i))
            elif has_command and commands:
                commands[-1].shown.append(line)
            going_on = (going_on or PROGRAMS.match(line)) and line.endswith("\\")
        waits = has_command
    for command in commands:
        command.shown = [line for line in command.shown if line.strip()]
        command.text = re.sub(r"\s+#[^\n]*$", "", command.text)
    return commands


def prepare(folder, root, build):
    """The scratch folder: links to the tree and the build, the wrapper, and files that a reader would have."""
    for name in ("specs", "docs", "bench", "tests", "tools", "plots"):
        os.symlink(os.path.join(root, name), os.path.join(folder, name))
    release = os.path.join(folder, "build", "release")
    tools = os.path.join(release, "bin")
    os.makedirs(tools)
    for name in os.listdir(build):
        if name != "bin":
            os.symlink(os.path.join(build, name), os.path.join(release, name))
    for name in os.listdir(os.path.join(build, "bin")):
        if name != "isocast":
            os.symlink(os.path.join(build, "bin", name), os.path.join(tools, name))
    wrapper = os.path.join(tools, "isocast")
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(WRAPPER.replace("@ISOCAST@", os.path.join(build, "bin", "isocast")))
    os.chmod(wrapper, 0o755)
    for p, times in ((4, (2.1, 3.0, 61.2)), (8, (3.2, 4.4, 93.0)), (16, (4.1, 6.1, 121.5))):
        with open(os.path.join(folder, "osu%d.txt" % p), "w", encoding="utf-8") as file:
            file.write(OSU % times)
    with open(os.path.join(folder, "timings.csv"), "w", encoding="utf-8") as file:
        file.write("operation,p,m,seconds,launch\n")
        for launch in range(3):
            for p in (2, 4, 8, 16):
                for m in (8, 256, 8192, 262144):
                    seconds = p.bit_length() * (2e-6 + 1e-10 * m) * (1 + 0.01 * launch)
                    file.write("MPI_Bcast,%d,%d,%.6g,%d\n" % (p, m, seconds, launch))
    return tools


def matching(text, table):
    return next((entry for entry in table if re.search(entry[0], text)), None)


def run_all(commands, folder, tools, home):
    """Runs commands in one shell; (status, stdout, stderr, seconds) of each."""
    script = []
    for i, command in enumerate(commands):
        # Braces keep what `export` changes; the limit of time is that of the whole shell.
        script.append("began=$EPOCHREALTIME; { %s\n} >%d.out 2>%d.err; echo $? $began $EPOCHREALTIME >%d.status" %
                      (command.text, i, i, i))
    environment = {**os.environ, "PATH": tools + ":" + os.environ["PATH"], "LC_ALL": "C.UTF-8",
                     "HOME": home}
    for name in ("ISOCAST_SPECS", "COLUMNS"):
        environment.pop(name, None)
    try:
        subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, env=environment, check=False,
                       stdin=subprocess.DEVNULL, timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        pass
    results = []
    for i in range(len(commands)):
        texts = []
        for ending in ("status", "out", "err"):
            path = os.path.join(folder, "%d.%s" % (i, ending))
            texts.append(open(path, encoding="utf-8", errors="replace").read() if os.path.exists(path) else "")
        status, began, ended = map(float, texts[0].split() or (-1, 0, 0))
        results.append((int(status) if status >= 0 else None, texts[1], texts[2], ended - began))
    return results


def words(line):
    return " ".join(NUMBER.sub("#", line).split())


def lines_agree(due, got, measured):
    if words(due) != words(got):
        return False
    pairs = zip(map(float, NUMBER.findall(due)), map(float, NUMBER.findall(got)))
    return measured or all(abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) for a, b in pairs)


def compare(command, output):
    """What is shown must stand in the output, line after line, without others between."""
    got = [line for line in output.splitlines() if line.strip()]
    measured = re.search(MEASURED, command.text) is not None
    if len(command.shown) != len(got):
        return "shows %d lines, %d came out:\n%s" % (len(command.shown), len(got), output)
    for due, line in zip(command.shown, got):
        if not lines_agree(due, line, measured):
            return "shows\n    %s\nbut it is\n    %s" % (due, line)
    return None


def check_file(path, root, build, home, used):
    commands = read_commands(os.path.join(root, path))
    problems = []
    running = []
    took = []
    for command in commands:
        exception = matching(command.text, EXCEPTIONS)
        if exception is not None:
            used.add(exception)
        elif shutil.which("smpirun") is None and re.search(r"smpirun|--platform", command.text):
            print("%s:%d: left out, SimGrid is not installed: %s" % (path, command.line, command.text))
        else:
            running.append(command)
    with tempfile.TemporaryDirectory() as folder:
        results = run_all(running, folder, prepare(folder, root, build), home)
    for command, (status, output, errors, seconds) in zip(running, results):
        at = "%s:%d: %s\n" % (path, command.line, command.text)
        took.append((seconds, at))
        allowed = matching(command.text, STATUSES)
        if allowed is not None:
            used.add(allowed)
        if status not in (allowed[1] if allowed is not None else (0,)):
            problems.append(at + ("exit status %s: %s" % (status, errors) if status is not None else "did not end"))
        elif command.shown and not (status and re.search(MEASURED, command.text)):
            difference = compare(command, output)
            problems += [at + difference] if difference is not None else []
    return took, problems


def main():
    root, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    paths = sys.argv[3:] or ["README.md"] + sorted(os.path.relpath(path, root) for path in
                                                   glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))
    problems = []
    used = set()
    took = []
    # What a platform was simulated for once is kept there, as a reader of several pages has it.
    with tempfile.TemporaryDirectory() as home, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for times, found in pool.map(lambda path: check_file(path, root, build, home, used),
                                     [path for path in paths if path not in LEFT_OUT]):
            took += times
            problems += found
    if not sys.argv[3:]:
        problems += ["nothing matches the exception %s any more" % entry[0]
                     for entry in EXCEPTIONS + STATUSES if entry not in used]
    for problem in problems:
        print(problem)
    for seconds, at in sorted(took, reverse=True)[:LONGEST]:
        print("%.1f s: %s" % (seconds, at), end="")
    print("%d commands ran, %d problems" % (len(took), len(problems)))
    return 1 if problems or not took else 0


if __name__ == "__main__":
    sys.exit(main())
