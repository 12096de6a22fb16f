"""isocast study: a whole one in some seconds, what it leaves, how it goes on, and what it refuses. No time is compared.

    test_study.py ISOCAST PROGRAMS
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

TENDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/examples/offers/tender.yaml")
ISOCAST, PROGRAMS = (os.path.abspath(path) for path in sys.argv[1:3])
SIZES = "61,83,101,127,151"
problems = []


def study(folder, status, *arguments, words=""):
    done = subprocess.run([ISOCAST, "study", *arguments], cwd=folder, capture_output=True, text=True, timeout=1800)
    line = " ".join(arguments)
    expect(done.returncode == status, f"{line}: exit status {done.returncode}, not {status}: {done.stderr}")
    expect(words in done.stderr, f"{line} does not say {words!r}: {done.stderr}")
    return done


def expect(condition, what):
    if not condition:
        problems.append(what)


def lines_of(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read().splitlines()


def check_whole(folder):
    done = study(folder, 0, f"{PROGRAMS}/spin {{N}}", "--sizes", SIZES, "--to", "1,2,4", "--budget", "10s")
    made = os.path.join(folder, "study")
    with open(os.path.join(made, "prediction.json"), encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    expect([row["p"] for row in rows] == [1, 2, 4] and all(row["T"] > 0 for row in rows), f"the prediction: {rows}")
    expect(rows[0]["N"] == 151, f"it is not for the largest size: {rows[0]}")
    with open(os.path.join(made, "validation.json"), encoding="utf-8") as file:
        held = json.load(file)["rows"]
    expect(held and all(row["N"] == 101 for row in held), f"what is held out: {held}")
    expect("Held out: T at N = 101 on p = 1" in done.stdout and "strong scaling" in done.stdout, f"what it says: {done.stdout}")
    commands = lines_of(made, "commands.txt")
    expect(all(line.startswith("isocast ") for line in commands), f"commands: {commands}")
    for command in ("record", "derive", "calibrate", "measure", "predict", "validate", "plot"):
        expect(any(line.startswith(f"isocast {command} ") for line in commands), f"no {command}: {commands}")
        expect(f"isocast {command} " in done.stderr, f"{command} is not shown: {done.stderr}")
    expect(all(f" {line}\n" in done.stderr for line in commands), "a command that was run is not shown")
    # Each does its step alone: the size that is held out is in no record, and no command of a shell reads other files than it does.
    expect(not any("101" in name for name in os.listdir(os.path.join(made, "records"))), "the size that is held out is recorded")
    alone = [line for line in commands if line.startswith("isocast derive")][-1].replace("isocast", ISOCAST, 1)
    again = subprocess.run(["/bin/sh", "-c", alone.replace("study/algorithm.yaml", "again.yaml")], cwd=folder, capture_output=True, text=True)
    with open(os.path.join(folder, "again.yaml"), encoding="utf-8") as file, open(os.path.join(made, "algorithm.yaml"), encoding="utf-8") as own:
        expect(again.returncode == 0 and file.read() == own.read(), f"{alone} does something else: {again.stderr}")


def check_going_on(folder):
    made = os.path.join(folder, "study")
    study(folder, 2, f"{PROGRAMS}/spin {{N}}", "--to", "2", words="--resume study goes on")
    # Interrupted behind the derivation, with a row that is cut off: what was recorded is not recorded again.
    steps, commands = lines_of(made, "steps.csv"), lines_of(made, "commands.txt")
    kept = next(i for i, line in enumerate(steps) if i > 0 and line.startswith("3,")) + 1
    with open(os.path.join(made, "steps.csv"), "w", encoding="utf-8") as file:
        file.write("\n".join(steps[:kept]) + "\n" + steps[kept][:7])
    # What failed and ended it is tried again.
    machine = os.path.join(made, "calibrated.yaml")
    os.unlink(machine)
    os.mkdir(machine)
    study(folder, 3, "--resume", "study", words="--resume study tries the last step again")
    os.rmdir(machine)
    study(folder, 0, "--resume", "study")
    more = lines_of(made, "commands.txt")[len(commands):]
    expect(more[0].startswith("isocast calibrate --for") and not any(line.startswith("isocast record") for line in more),
           f"it did not go on from there: {more}")
    # From another folder, and under another name; but a copy is none that this command made.
    os.rename(made, os.path.join(folder, "moved"))
    study(folder, 3, "--resume", "moved", words="was moved")
    shutil.copytree(os.path.join(folder, "moved"), os.path.join(folder, "copied"))
    before = lines_of(os.path.join(folder, "copied"), "commands.txt")
    study(folder, 3, "--resume", "copied", words="was not made here")
    expect(lines_of(os.path.join(folder, "copied"), "commands.txt") == before, "a command of another folder was run")
    os.rename(os.path.join(folder, "moved"), made)
    study(os.path.dirname(folder), 0, "--resume", made, "--quiet")
    # Rows of another study, or none of what the machine had: nothing of the file is lost.
    for rows in ([steps[0], "1,61,1,1,0,1,1,1,1,0,0,0,0", *steps[1:]], steps[1:]):
        with open(os.path.join(made, "steps.csv"), "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
        study(folder, 3, "--resume", "study", words="is not of this study")
        expect(lines_of(made, "steps.csv") == rows, "rows that do not fit are taken out of the file")


def check_offers(folder):
    done = study(folder, 0, f"{PROGRAMS}/spin {{N}}", "--sizes", SIZES, "--offers", TENDER, "--spend", "500kEUR", "--at", "N=151",
                 "--budget", "10s", "-o", "for-a-tender", "--quiet")
    expect("beta" in done.stdout and "Held out: T at N = 101" in done.stdout, f"which offer: {done.stdout}")
    expect("--marked-speed" in done.stdout, f"it does not say whose flops the data sheet counts: {done.stdout}")
    expect("isocast record" not in done.stderr, f"--quiet shows steps: {done.stderr}")
    expect(os.path.exists(os.path.join(folder, "for-a-tender/offers.json")), "there is no offers.json")


def check_refusals(folder):
    stripped = os.path.join(folder, "stripped")
    subprocess.run(["objcopy", "--strip-debug", f"{PROGRAMS}/spin", stripped], check=True)
    given = ["--to", "2", "--sizes", SIZES, "--budget", "10s", "-o"]
    study(folder, 3, "./stripped {N}", *given, "a", words="compile it with -g")
    study(folder, 3, f"{PROGRAMS}/spin {{N}} 2", *given, "b", words="several threads")
    study(folder, 3, f"{PROGRAMS}/spin {{N}}", "--to", "2", "--sizes", "1,2,3,4", "-o", "c", words="too short")
    study(folder, 5, "/bin/echo {N}", *given, "d", words="did not come to MPI_Init")


with tempfile.TemporaryDirectory() as place:
    os.mkdir(os.path.join(place, "work"))
    for check in (check_whole, check_going_on, check_offers, check_refusals):
        check(os.path.join(place, "work"))
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
