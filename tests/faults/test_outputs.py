#!/usr/bin/env python3
"""Outputs appear together or not at all, and never take the place of an input or of each other; failures of the system are distinguished from wrong inputs."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ISOCAST = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(sys.argv[2])
TIMINGS = os.path.join(ROOT, "tests", "cli", "files", "timings", "own.csv")
OLD = "what was here before\n"
failures = 0


def run(line, folder):
    return subprocess.run([ISOCAST] + line.split(), cwd=folder, capture_output=True, text=True, check=False)


def expect(what, good, done):
    global failures
    if not good:
        failures += 1
        print(f"FAILED: {what}: status {done.returncode}\n{done.stdout[:300]}{done.stderr[:600]}")


def content(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def write_old(folder, *names):
    for name in names:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(OLD)


def one_file_twice(folder):
    os.mkdir(os.path.join(folder, "inside"))
    write_old(folder, "there.csv")
    os.symlink("there.csv", os.path.join(folder, "link.csv"))
    os.link(os.path.join(folder, "there.csv"), os.path.join(folder, "second.csv"))
    pairs = [("x", "x"), ("x", "./x"), ("x", "inside/../x"), ("there.csv", "link.csv"), ("second.csv", "there.csv"),
             ("inside/y", os.path.join(folder, "inside", "y"))]
    for first, second in pairs:
        done = run(f"fit-operations own.csv --draws 5 -o {first} --residuals {second}", folder)
        expect(f"-o {first} --residuals {second}",
               done.returncode == 2 and "are the same file" in done.stderr and not done.stdout, done)
        done = run(f"export simgrid sunwulf -o {first} --hosts {second}", folder)
        expect(f"-o {first} --hosts {second}", done.returncode == 2 and "are the same file" in done.stderr, done)
    done = run("fit-operations own.csv --draws 5 --residuals -", folder)
    expect("report and residuals on standard output", done.returncode == 2, done)
    expect("nothing is written", content(folder, "there.csv") == OLD and not os.path.exists(os.path.join(folder, "x")), done)
    done = run("fit-operations own.csv --draws 5 -o /dev/null --residuals /dev/null", folder)
    expect("a device may be named twice", done.returncode == 0, done)


def output_is_input(folder):
    shutil.copy(os.path.join(ROOT, "specs", "machines", "sunwulf.yaml"), os.path.join(folder, "m.yaml"))
    shutil.copy(os.path.join(ROOT, "specs", "algorithms", "gaussian-elimination.yaml"), os.path.join(folder, "a.yaml"))
    os.symlink("m.yaml", os.path.join(folder, "link.yaml"))
    machine = content(folder, "m.yaml")
    timings = content(folder, "own.csv")
    lines = ["predict a.yaml m.yaml --at N=300 --to C2 -o m.yaml", "explain a.yaml m.yaml --at N=300 --to C2 -o ./m.yaml",
             "check a.yaml m.yaml -o link.yaml", "fit-operations own.csv --draws 5 -o own.csv",
             "fit-operations own.csv --draws 5 --residuals own.csv",
             "scalability own.csv --work a.yaml --machine link.yaml --efficiency 0.3 -o m.yaml"]
    for line in lines:
        done = run(line, folder)
        expect(line, done.returncode == 2 and not done.stdout, done)
    expect("the inputs are as they were", content(folder, "m.yaml") == machine and content(folder, "own.csv") == timings, done)
    write_old(folder, "simgrid", "sunwulf.txt")
    done = run("export simgrid sunwulf -o simgrid", folder)
    expect("a file may be called as a word of the command line", done.returncode == 0, done)


def all_or_nothing(folder):
    write_old(folder, "out.yaml", "platform.xml", "report.txt")
    lines = ["fit-operations own.csv --draws 5 -o out.yaml --marked-speed 2e9 --residuals missing/r.csv",
             "fit-operations own.csv --draws 5 -o report.txt --residuals missing/r.csv",
             "export simgrid sunwulf -o platform.xml --hosts missing/hosts"]
    for line in lines:
        done = run(line, folder)
        expect(line, done.returncode == 5 and "No such file" in done.stderr and not done.stdout, done)
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([ISOCAST, "fit-operations", "own.csv", "--draws", "5", "-o", "out.yaml", "--marked-speed", "2e9"],
                              cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        done.stdout = ""
    expect("a report that has no room", done.returncode == 5 and "No space left" in done.stderr, done)
    expect("the old files stay", all(content(folder, name) == OLD for name in ("out.yaml", "platform.xml", "report.txt")), done)
    expect("nothing is left over", not [name for name in os.listdir(folder) if name.startswith(".isocast")], done)


def standard_output_by_name(folder):
    """What has been written to a file before stays, and so does the file itself."""
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        write_old(folder, "log.txt")
        with open(os.path.join(folder, "log.txt"), "a", encoding="utf-8") as log:
            done = subprocess.run([ISOCAST, "list", "machines", "-o", name], cwd=folder, stdout=log, stderr=subprocess.PIPE, text=True,
                                  check=False)
        done.stdout = ""
        text = content(folder, "log.txt")
        expect(f"-o {name} >> log.txt", done.returncode == 0 and text.startswith(OLD) and "sunwulf" in text, done)


def ended_early(folder):
    """A command that a signal ends leaves its output alone, and no lock."""
    shutil.copy(os.path.join(ROOT, "specs", "algorithms", "gaussian-elimination.yaml"), os.path.join(folder, "a.yaml"))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        write_old(folder, "out.txt")
        with subprocess.Popen([ISOCAST, "check", "a.yaml", "-", "-o", "out.txt"], cwd=folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            for _ in range(2000):
                if os.path.exists(os.path.join(folder, ".out.txt.isocast-lock")):
                    break
                time.sleep(0.01)
            time.sleep(0.05)
            child.send_signal(number)
            said = child.communicate(timeout=60)[1]
        left = [name for name in os.listdir(folder) if name.startswith(".")]
        done = subprocess.CompletedProcess([], child.returncode, "", said)
        expect(f"signal {number}", child.returncode == -number and not left and content(folder, "out.txt") == OLD, done)


def changed_by_others(folder):
    """A file that something else writes while the command runs is not replaced."""
    for old in (True, False):
        if old:
            write_old(folder, "out.csv")
        else:
            os.remove(os.path.join(folder, "out.csv"))
        with subprocess.Popen([ISOCAST, "check", "-", "--format", "csv", "-o", "out.csv"], cwd=folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            for _ in range(2000):
                if os.path.exists(os.path.join(folder, ".out.csv.isocast-lock")):
                    break
                time.sleep(0.01)
            with open(os.path.join(folder, "out.csv"), "w", encoding="utf-8") as file:
                file.write("another's")
            with open(os.path.join(ROOT, "specs", "machines", "sunwulf.yaml"), encoding="utf-8") as file:
                said = child.communicate(file.read(), timeout=60)[1]
        done = subprocess.CompletedProcess([], child.returncode, "", said)
        expect(f"another writes the output, old {old}", child.returncode == 5 and "is left as it is" in said
               and content(folder, "out.csv") == "another's", done)


def refused_runs(folder):
    """Rows that measure refuses stay as they are, to the half row at the end."""
    rows = "algorithm,machine,system,p,N,repetition,T,oversubscribed\ngaussian-elimination,m,1,1,64,0,no,0\ngaussian-eli"
    with open(os.path.join(folder, "runs.csv"), "w", encoding="utf-8") as file:
        file.write(rows)
    done = run("measure ge --machine sunwulf --systems C2 --sizes 64 --oversubscribe -o runs.csv", folder)
    expect("rows that are wrong", done.returncode == 3 and content(folder, "runs.csv") == rows, done)


def refused_samples(folder):
    """So do samples that calibrate does not go on with, and their name."""
    head = "launch,operation,p,m,index,seconds,stop,oversubscribed,nodes,p_node\n"
    plan = "# plan: processes 1; seed 1; usual operations\n"
    calibrate = "calibrate --processes 1,2 --oversubscribe --resume -o here.yaml"
    for text, status in ((head + plan + "0,T_ba", 2), (head + "this is no sample\n0,T_ba", 3)):
        for name in ("here.samples.csv", "here.samples.csv.part"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            done = run(calibrate, folder)
            left = sorted(entry for entry in os.listdir(folder) if entry.startswith((".", "here")))
            expect(f"samples {text!r}", done.returncode == status and left == [name] and content(folder, name) == text, done)
            os.remove(os.path.join(folder, name))


def system_or_input(folder):
    """Files that are not there, and one that the system cannot read; inject.py has the other causes."""
    done = run("check /proc/self/mem", folder)
    expect("EIO", done.returncode == 5 and "Input/output error" in done.stderr, done)
    done = run("fit-operations /proc/self/mem", folder)
    expect("EIO on timings", done.returncode == 5 and "Input/output error" in done.stderr, done)
    done = run("check no-such.yaml", folder)
    expect("ENOENT", done.returncode == 3, done)


def main():
    for test in (one_file_twice, output_is_input, all_or_nothing, standard_output_by_name, ended_early, changed_by_others,
                 refused_runs, refused_samples, system_or_input):
        with tempfile.TemporaryDirectory(prefix="isocast-outputs-") as folder:
            shutil.copy(TIMINGS, folder)
            test(folder)
    print("failed" if failures else "ok")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
