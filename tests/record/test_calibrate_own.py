#!/usr/bin/env python3
"""isocast calibrate --command: the time per flop of a program whose times are known, as it prints them itself.

    test_calibrate_own.py ISOCAST
"""
import os
import subprocess
import sys
import tempfile

ISOCAST = os.path.abspath(sys.argv[1])
MACHINE = """machine: here
nodes: {node: {count: 1, processors: 2, marked_speed: 1 Gflop/s, memory: 4 GB}}   # kept as it stands
operations:
  T_send: 1 ms
compute:
    ge: 1 ns/flop
    own:
        tables:
            1: {8 B: 7 s/flop}
    mm: 2 ns/flop
"""
ALGORITHM = """algorithm: own
size: {N: {description: points, min: 1}%s}
work: %s
kernel: own
%soverhead:
  send: if(p > 1, T_send(8 B), 0 s)
"""
# T = 10 N ms on any number of processes. No launcher of MPI: MPICH's sometimes fails with programs that end at once without MPI.
COMMAND = ["--launcher", "env PROCESSES={p}", "--command", "/bin/echo took {N}e-2", "--time", "took ([0-9.e-]+)", "--sizes", "100,200,400", "--repetitions", "3"]
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)


def run(arguments, folder, status=0, said=""):
    done = subprocess.run([ISOCAST] + arguments, cwd=folder, capture_output=True, text=True)
    expect(done.returncode == status and said in done.stderr,
           "isocast %s: status %d, not %d, and not '%s': %s" % (" ".join(arguments), done.returncode, status, said, done.stderr))
    return done


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def calibrate(folder, algorithm, output="new.yaml", status=0, said="", more=()):
    return run(["calibrate"] + COMMAND + ["--for", algorithm, "--machine", "here.yaml", "-o", output, *more], folder, status, said)


def times(folder, algorithm, machine, at):
    rows = run(["predict", algorithm, machine, "--at", at, "--to", "1,2", "--format", "csv"], folder).stdout.splitlines()
    return [float(row.split(",")[rows[0].split(",").index("T")]) for row in rows[1:]]


def check_times(folder):
    """What was run is predicted as it was measured: with a working set at each size, without one on a straight line."""
    write(folder, "sets.yaml", ALGORITHM % ("", "N^2", "memory: 8 B * N^2/p\n"))
    calibrate(folder, "sets.yaml", said="18 runs added")
    for N in (100, 200, 400):
        for T in times(folder, "sets.yaml", "new.yaml", "N=%d" % N):
            expect(abs(T / (N * 1e-2) - 1) < 1e-4, "N = %d takes %g s, not %g" % (N, T, N * 1e-2))
    text = read(folder, "new.yaml")
    expect("# kept as it stands" in text and "7 s/flop" not in text, "the file is not as it was: " + text)
    before, after = text[:text.index("    own:")], text[text.index("    mm:"):]
    expect(MACHINE.startswith(before) and MACHINE.endswith(after), "other lines changed: " + text)
    write(folder, "line.yaml", ALGORITHM % ("", "N", ""))
    calibrate(folder, "line.yaml", "line-machine.yaml", said="the same at all sizes")
    calibrate(folder, "line.yaml", "line-machine.yaml", said="0 runs added to line-machine.runs.csv, 18 were there")
    T = times(folder, "line.yaml", "line-machine.yaml", "N=200")
    expect(abs(T[0] / 2 - 1) < 1e-4 and abs(T[1] / 2 - 1) < 1e-2, "a constant time per flop: %s" % T)
    run(["validate", "line.yaml", "line-machine.yaml", "line-machine.runs.csv", "--max-error", "T=0.01"], folder)
    # The file may be the one that it is added to.
    write(folder, "same.yaml", MACHINE)
    run(["calibrate"] + COMMAND + ["--for", "line.yaml", "--machine", "same.yaml", "-o", "same.yaml"], folder)
    expect(times(folder, "line.yaml", "same.yaml", "N=200") == T, "added to itself the file differs")


# Two of three runs are slowed; the first ones all are.
SLOWED = """#!/bin/sh
k=$(cat count 2>/dev/null || echo 0)
echo $((k + 1)) >count
if [ $k -lt 6 ] || [ $((k % 3)) -gt 0 ]; then echo took $((22 * $1))e-4; else echo took $((10 * $1))e-4; fi
"""


def check_slowed(folder):
    """A processor that others use half of the time makes runs 2.2 times as long. The time per flop is that of the others."""
    write(folder, "slowed.sh", SLOWED)
    os.chmod(os.path.join(folder, "slowed.sh"), 0o755)
    slowed = COMMAND[:2] + ["--command", "./slowed.sh {N}"] + COMMAND[4:6] + ["--sizes", "200"]
    run(["calibrate"] + slowed + ["--for", "line.yaml", "--machine", "here.yaml", "-o", "calm.yaml"], folder,
        said="runs took more than 1.25 times as long as the shortest of their size")
    T = times(folder, "line.yaml", "calm.yaml", "N=200")
    expect(abs(T[0] / 0.2 - 1) < 0.01 and abs(T[1] / 0.2 - 1) < 0.01, "slowed runs count: %s" % T)
    # Without them T is predicted as it was; their median is another one.
    run(["validate", "line.yaml", "calm.yaml", "calm.runs.csv", "--calm", "--max-error", "T=0.01"], folder, said="runs are left out")
    run(["validate", "line.yaml", "calm.yaml", "calm.runs.csv", "--max-error", "T=0.01"], folder, 1)
    words = ["measure"] + slowed + ["--machine", "here.yaml", "--systems", "1", "--calm", "-o", "calm-runs.csv"]
    run(words, folder, said="something else slowed them")
    expect(len(read(folder, "calm-runs.csv").splitlines()) > 1 + 5, "five runs are not enough here")
    # A search leaves them out likewise, whether it finds E (which this line has at no size) or not.
    run(words[:-2] + ["--find", "E=0.3", "--algorithm", "line.yaml", "-o", "found.csv"], folder, 4, "others were made in their place")


def check_sizes(folder):
    write(folder, "two.yaml", ALGORITHM % (", K: {description: steps, min: 1}", "N*K", ""))
    calibrate(folder, "two.yaml", status=2, said="two also needs K (steps): --set K=NUMBER".replace("two", "own"))
    calibrate(folder, "two.yaml", "two-machine.yaml", more=("--set", "K=5"))
    T = times(folder, "two.yaml", "two-machine.yaml", "N=200,K=10")
    expect(abs(T[0] / 4 - 1) < 1e-4, "twice the steps: %s" % T)


def check_faults(folder):
    write(folder, "unnamed.yaml", (ALGORITHM % ("", "N", "")).replace("kernel: own\n", ""))
    write(folder, "fixed.yaml", (ALGORITHM % ("", "N", "")) + "compute: 1 s\n")
    write(folder, "braces.yaml", "machine: b\nnodes: {node: {marked_speed: 1}}\noperations: {T_send: 1 ms}\ncompute: {ge: 1 ns/flop}\n")
    write(folder, "long.yaml", MACHINE.replace("1 ms", "1 h"))
    write(folder, "always.yaml", (ALGORITHM % ("", "N", "")).replace("if(p > 1, T_send(8 B), 0 s)", "T_send(8 B)"))
    run(["calibrate"] + COMMAND + ["--for", "line.yaml", "--machine", "long.yaml", "-o", "one.yaml"], folder,
        said="no size shows the time per flop on 2, so that of fewer processes holds there")
    calibrate(folder, "unnamed.yaml", status=2, said="names no kernel; add 'kernel: echo'")
    calibrate(folder, "fixed.yaml", status=3, said="does not depend on the time per flop")
    end = ["-o", "bad.yaml"]
    for words, status, said in (
            (COMMAND + end, 2, "--command needs --for"), (["--machine", "here.yaml"] + end, 2, "go with --command"),
            (COMMAND[2:] + ["--for", "line.yaml", "--platform", "smp-16", "--systems", "2", "--machine", "m.yaml"] + end, 2, "--platform and --machine exclude each other"),
            (COMMAND + ["--for", "line.yaml", "--machine", "braces.yaml"] + end, 3, "section in braces"),
            (COMMAND + ["--for", "always.yaml", "--machine", "long.yaml"] + end, 3, "no run shows the time per flop"),
            (COMMAND + ["--for", "line.yaml", "--machine", "here.yaml", "--repetitions", "0"] + end, 2, "must be above 0"),
            (COMMAND[:4] + ["--sizes", "1.5", "--for", "line.yaml", "--machine", "here.yaml"] + end, 2, "a whole number"),
            (["--command", "/bin/false {N}", "--for", "line.yaml", "--machine", "here.yaml"] + end, 5, "exit status 1")):
        run(["calibrate"] + words, folder, status, said)
    expect(not os.path.exists(os.path.join(folder, "bad.yaml")), "a file was written after a fault")


def main():
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "here.yaml", MACHINE)
        check_times(folder)
        check_slowed(folder)
        check_sizes(folder)
        check_faults(folder)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
