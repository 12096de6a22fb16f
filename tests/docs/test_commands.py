"""Runs every command that README.md and the pages of docs/ show, as it stands, and compares the output that they show.

    test_commands.py ROOT BUILD [FILE.md...]

A command is a line of an indented or fenced block that begins with one of PROGRAMS; a line that ends in a backslash goes
on in the next. A block that is a whole specification is given to `isocast check`. All of one file run in order in one
shell, in a scratch folder with the tree's specs/, docs/ and tools beside it and the build under test as build/release.
Output that is shown is the indented block after the command, with nothing or one paragraph that begins with "prints"
between; it is compared line by line, numbers with TOLERANCE, and those of a measurement (MEASURED) by their words alone.

A wrapper stands for the command isocast. It measures shorter than a user would: ISOCAST_DOCS_BUDGET (3s) takes the place of
--budget in calibrate and check, 10 s that of study, and ISOCAST_DOCS_REPETITIONS (1) that of --repetitions in measure on
this machine and in calibrate --command. Of a list of more than three --sizes there, the first three are measured. measure
has no --calm, which makes more runs for as long as a machine is busy: workflow.find and record.calibrate_own have it.
Nothing else is changed. What does not run is in EXCEPTIONS and ELSEWHERE, with the reason.
"""
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

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
# Another page has them word by word, and runs them. Nothing else of these pages takes their files.
ELSEWHERE = (
    ("README.md", r"isocast study"),
    ("docs/how-to/scalability.md", r"fat-tree\.csv"),
)
# A page that goes on in the folder of another one: what both have in the same words, and shows no output, runs once.
GOES_ON = {"docs/tutorials/own-program.md": "docs/how-to/study.md"}
# These take longest, and begin first, so that no processor waits at the end.
FIRST = ("docs/how-to/study.md", "docs/how-to/platforms.md", "docs/how-to/own-program.md", "docs/how-to/calibration.md",
         "docs/how-to/questions.md")
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
    calibrate | check) budget=${ISOCAST_DOCS_BUDGET:-3s} ;;
    measure) repetitions=${ISOCAST_DOCS_REPETITIONS:-1} calm=--calm ;;
esac
case " $* " in *" --platform "*) repetitions= budget= ;; esac
case " $1 $* " in
    *" check "*" --against-machine "* | *" calibrate "*) ;;
    *) budget= ;;
esac
case " $1 $* " in
    *" calibrate "*" --command "*) repetitions=${ISOCAST_DOCS_REPETITIONS:-1} ;;
esac
case $1 in study) budget=10s ;; esac
while [ $# -gt 0 ]; do
    if [ "$1" = --budget ] && [ -n "$budget" ] || [ "$1" = --repetitions ] && [ -n "$repetitions" ]; then
        shift
    elif [ "$1" = --sizes ] && [ -n "$repetitions" ]; then
        arguments+=("$1" "$(cut -d, -f1-3 <<<"$2")")
        shift
    elif [ "$1" != "$calm" ]; then
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
    """Runs commands in one shell; (status, stdout, stderr, seconds, seconds of processors) of each."""
    script = []
    for i, command in enumerate(commands):
        # Braces keep what `export` changes; the limit of time is that of the whole shell.
        script.append("{ time { %s\n} >%d.out 2>%d.err; } 2>%d.time; echo $? >%d.status" % (command.text, i, i, i, i))
    environment = {**os.environ, "PATH": tools + ":" + os.environ["PATH"], "LC_ALL": "C.UTF-8",
                     "HOME": home, "TIMEFORMAT": "%R %U %S"}
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
        for ending in ("status", "out", "err", "time"):
            path = os.path.join(folder, "%d.%s" % (i, ending))
            texts.append(open(path, encoding="utf-8", errors="replace").read() if os.path.exists(path) else "")
        elapsed, user, system = map(float, texts[3].split() or (0, 0, 0))
        results.append((int(texts[0]) if texts[0] else None, texts[1], texts[2], elapsed, user + system))
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


def is_elsewhere(path, command):
    return any(path == page and re.search(pattern, command.text) for page, pattern in ELSEWHERE)


def check_elsewhere(pages):
    """Each page of ELSEWHERE has such commands, and another page runs them."""
    text_of = lambda command: command.text.replace("build/release/bin/", "")
    run = {text_of(command) for path, commands in pages.items() for command in commands if not is_elsewhere(path, command)}
    for page, pattern in ELSEWHERE:
        due = {text_of(command) for command in pages[page] if re.search(pattern, command.text)}
        if not due or not due <= run:
            yield "%s: no other page runs all that matches %s" % (page, pattern)


def check_folder(paths, pages, root, build, home, used):
    """The pages of one folder, one after the other."""
    problems = []
    running = []
    took = []
    seen = set()
    for path, command in ((path, command) for path in paths for command in pages[path]):
        exception = matching(command.text, EXCEPTIONS)
        if exception is not None:
            used.add(exception)
        elif is_elsewhere(path, command) or path in GOES_ON and command.text in seen and not command.shown:
            continue
        elif shutil.which("smpirun") is None and re.search(r"smpirun|--platform", command.text):
            print("%s:%d: left out, SimGrid is not installed: %s" % (path, command.line, command.text))
        else:
            running.append((path, command))
            seen.add(command.text)
    with tempfile.TemporaryDirectory() as folder:
        results = run_all([command for _, command in running], folder, prepare(folder, root, build), home)
    for (path, command), (status, output, errors, *seconds) in zip(running, results):
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
    pages = {path: read_commands(os.path.join(root, path)) for path in paths if path not in LEFT_OUT}
    folders = {}
    for path in sorted(pages, key=lambda path: (FIRST + (path,)).index(path)):
        folders.setdefault(GOES_ON.get(path, path), []).append(path)
    problems = []
    used = set()
    took = []
    began = time.time()
    # What a platform was simulated for once is kept there, as a reader of several pages has it.
    with tempfile.TemporaryDirectory() as home, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for times, found in pool.map(lambda paths: check_folder(paths, pages, root, build, home, used), folders.values()):
            took += times
            problems += found
    if not sys.argv[3:]:
        problems += ["nothing matches the exception %s any more" % entry[0]
                     for entry in EXCEPTIONS + STATUSES if entry not in used]
        problems += check_elsewhere(pages)
    for problem in problems:
        print(problem)
    for seconds, at in sorted(took, reverse=True)[:LONGEST]:
        print("%.1f s (%.1f s of processors): %s" % (*seconds, at), end="")
    print("%d commands ran in %.0f s (%.0f s of processors), %d problems" %
          (len(took), time.time() - began, sum(seconds[1] for seconds, _ in took), len(problems)))
    return 1 if problems or not took else 0


if __name__ == "__main__":
    sys.exit(main())
