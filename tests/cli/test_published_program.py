"""A published program on published machines, by commands alone: messages' timings to a machine file (fit-operations --system), the time
per point from runs on few nodes (validate --fit), and T on up to 16 times as many. Then --fit on runs whose answer is known, and what it
refuses.

    test_published_program.py ISOCAST ROOT
"""
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

ISOCAST, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
PUBLISHED = os.path.join(ROOT, "tests", "published")
TIMINGS = os.path.join(PUBLISHED, "imb-sendrecv.csv")
MOST = 0.12  # median error of T
problems = []


def check(right, *what):
    if not right:
        problems.append(what)
        print(*what)


def run(*arguments, status=0):
    done = subprocess.run([ISOCAST, *arguments], capture_output=True, text=True, check=False)
    check(done.returncode == status, " ".join(arguments), "exit status %d, not %d" % (done.returncode, status), done.stderr)
    return done.stdout, done.stderr


def validate(*arguments):
    return json.loads(run("validate", *arguments, "--format", "json", "-q")[0])


def check_published(folder):
    for system, runs, given, most in (("Peta4-Skylake_IMPI193", "opensbli-csd3.csv", 64, 32), ("ARCHER_CrayMPICH774", "opensbli-archer.csv", 96, 32)):
        machine = os.path.join(folder, system + ".yaml")
        run("fit-operations", TIMINGS, "--system", system, "-o", machine, "--marked-speed", "1e7", "-q")
        with open(machine, encoding="utf-8") as file:
            names = re.findall(r"^  (T_\w+):", file.read(), re.M)
        check(names == ["T_sendrecv"], "operations of one system:", names)
        result = validate("opensbli-tgv", machine, os.path.join(PUBLISHED, runs), "--fit", "t_c", "--fit-to", str(given))
        errors = [abs(row["T_error"]) for row in result["rows"]]
        check(len(errors) >= 3 and min(row["p"] for row in result["rows"]) > given, "runs that were fitted to are compared:", result["rows"])
        check(statistics.median(errors) <= MOST, system, "the median error of T is", statistics.median(errors))
        check(max(int(row["system"].split("x")[1]) for row in result["rows"]) == most, "the largest is not compared")


ALGORITHM = """algorithm: simple
size: {N: {min: 1}}
work: 1 flop*N^3
compute: W*t_c/p
define: {share: 0.25}
overhead: {all: "share*1 us*p*N"}
"""
MACHINE = "machine: four\nnodes: {node: {count: 64, processors: 4, marked_speed: 1 Gflop/s}}\n"
T_C = 3e-8


def time_of(p, N, t_c=T_C, share=0.25):
    return t_c * N ** 3 / p + share * 1e-6 * p * N


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_known(folder):
    """What the runs were made with is found, also where one run in eight is far off; and only larger runs are compared."""
    files = write(folder, "simple.yaml", ALGORITHM), write(folder, "four.yaml", MACHINE)
    lines = ["%d,%d,%.17g" % (p, N, time_of(p, N) * (3 if (p, N) == (4, 200) else 1)) for p in (1, 2, 4, 8, 64) for N in (100, 200, 400)]
    runs = write(folder, "runs.csv", "system,N,T\n" + "\n".join(lines) + "\n")
    for arguments, shown in ((["--fit-to", "8"], {64}), ([], {1, 2, 4, 8, 64}), (["--fit-to", "8", "--set", "t_c=5e-9"], {64})):
        result = validate(*files, runs, "--fit", "t_c", *arguments)
        check(abs(result["provenance"]["set"]["t_c"] / T_C - 1) < 1e-6, "t_c is fitted as", result["provenance"]["set"])
        check({row["p"] for row in result["rows"]} == shown, arguments, "compares", result["rows"])
    result = validate(*files, runs, "--fit", "share", "--set", "t_c=%.17g" % T_C)
    check(abs(result["provenance"]["set"]["share"] / 0.25 - 1) < 1e-6, "share is fitted as", result["provenance"]["set"])
    text = run("validate", *files, runs, "--fit", "t_c", "--fit-to", "2")[0]
    check("t_c = 30 ns/flop was fitted to T of 6 sizes on up to 2 processes, where T is off by" in text, text)
    for arguments, status, words in (
            (["--fit", "t_c", "--fit-to", "0.5"], 2, "--fit-to takes a number of processes"),
            (["--fit-to", "2"], 2, "name what is fitted"),
            (["--fit", "t_c", "--fit-to", "64"], 2, "none is left to compare"),
            (["--fit", "nothing"], 2, "there is no size, parameter or definition 'nothing'"),
            (["--fit", "t_c,N"], 2, "'N' is a size"),
            (["--fit", "node.marked_speed"], 2, "is a property of a node class"),
            (["--fitted", "file.yaml"], 2, "name what is fitted")):
        said = run("validate", *files, runs, *arguments, status=status)[1]
        check(words in said, arguments, "says", said)
    text = run("validate", *files, runs, "--fit", "share", "--set", "t_c=9e-7")[0]
    check("The runs contradict 'share'" in text, text)
    # Two numbers together, into a file that other commands read: also where the machine has its own t_c.
    fitted = os.path.join(folder, "fitted.yaml")
    result = validate(*files, runs, "--fit", "t_c,share", "--fitted", fitted)
    for name, truth in (("t_c", T_C), ("share", 0.25)):
        check(abs(result["provenance"]["set"][name] / truth - 1) < 1e-6, name, "is fitted as", result["provenance"]["set"])
    other = write(folder, "other.yaml", MACHINE + "parameters: {t_c: 1 ns/flop}\n")
    result = validate(fitted, other, runs)
    check(sum(abs(row["T_error"]) < 1e-5 for row in result["rows"]) == 14, "by the file", result["rows"])
    check_errors(folder)
    check_written(folder, files[1], runs)


def check_errors(folder):
    """Errors of defaults are in intervals, as those of a machine's parameters."""
    machine = write(folder, "plain.yaml", MACHINE)
    plain = "algorithm: a\nsize: {N: {min: 1}}\nwork: 1 flop*N\nparameters: {%s}\noverhead: {all: a*N, more: b*N}\n"
    widths = []
    for a, b in (("1 s", "1 s"), ("1 s ± 10 %", "1 s"), ("1 s ± 10 %", "1 s ± 10 %, correlation: {a: 0.5}")):
        algorithm = write(folder, "errors.yaml", plain % ("a: {fit: true, default: %s}, b: {fit: true, default: %s}" % (a, b)))
        out = run("predict", algorithm, machine, "--at", "N=10", "--to", "4", "--format", "json")[0]
        row = json.loads(out)["rows"][0]
        widths.append(0 if row["T_low"] is None else math.log(row["T_high"] / row["T_low"]) / 2 / 1.645)
    check(all(abs(width - due) < 0.002 for width, due in zip(widths, (0, 0.05, 0.05 * 3 ** 0.5))), "intervals:", widths)
    for wrong, words in (("a: {fit: maybe, unit: s}", "'fit' must be true or false"), ("a: {unit: s, correlation: {b: 0.5}}", "no parameter 'b'"),
                         ("b: {unit: s}, a: {unit: s, correlation: {b: 2}}", "from -1 to 1"), ("t_c: {unit: s}", "reserved")):
        said = run("check", write(folder, "wrong.yaml", plain % wrong), status=3)[1]
        check(words in said, wrong, "says", said)


def check_written(folder, machine, runs):
    """Values go where the file has them, in whatever style, and its comments stay."""
    for parameters, kept in (("parameters:\n  share: {fit: true, description: 'a \"share\"'}  # kept\n", ("# kept", "description: 'a \"share\"'")),
                             ("parameters:\n  share:\n    fit: true\n    # gone\n    default: 1\n# kept\n", ("# kept",)),
                             ("parameters: {share: {fit: true}} # kept\n", ("}} # kept",)), ("define: {one: 1, share: 1, two: 2} # kept\n", ("{one: 1, two: 2} # kept",)),
                             ("define:\n  one: 1\n  share: 1 # gone\n  two: 2 # kept\n", ("  one: 1\n  two: 2 # kept",)),
                             ("define:\n  share: 1 # gone\n# kept\n", ("# kept",))):
        algorithm = write(folder, "style.yaml", ALGORITHM.replace("define: {share: 0.25}\n", "") + parameters)
        fitted = os.path.join(folder, "styled.yaml")
        run("validate", algorithm, machine, runs, "--fit", "share,t_c", "--fitted", fitted)
        with open(fitted, encoding="utf-8") as file:
            text = file.read()
        check("share: {fit: true, default: 0.25" in text and all(part in text for part in kept) and "gone" not in text, text)
        result = validate(fitted, machine, runs)
        check(sum(abs(row["T_error"]) < 1e-5 for row in result["rows"]) == 14, "by", text, result["rows"])


def check_systems(folder):
    said = run("fit-operations", TIMINGS, "--system", "Nowhere", status=3)[1]
    check("has no time of any operation on the system Nowhere" in said, said)
    without = write(folder, "without.csv", "operation,p,m,t_us\nbcast,2,8,1.5\nbcast,4,8,2.5\n")
    said = run("fit-operations", without, "--system", "Here", status=3)[1]
    check("there is no column system" in said, said)


with tempfile.TemporaryDirectory() as scratch:
    check_published(scratch)
    check_known(scratch)
    check_systems(scratch)
print("%d problems" % len(problems))
sys.exit(1 if problems else 0)
