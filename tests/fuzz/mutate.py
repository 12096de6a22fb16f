#!/usr/bin/env python3
"""Mutates files of every kind that isocast reads and runs the commands that read them, within limits.

    mutate.py ISOCAST SOURCE [--count N] [--seed S] [--first I] [--processes P] [--seconds T] [--megabytes M]
              [--keep FOLDER] [--strict] [--kind KIND]

ISOCAST is best a build with sanitizers. File number I of seed S is the same wherever it is made. A crash, a report of a
sanitizer, an exit status other than 0, 2, 3, 4 and 5, more than T seconds of processor time, more than M megabytes, or a
file that is refused without a place and a reason are problems: each is printed with the command and the file, which
--keep copies, and the exit status is 1. Bytes of the output that are no UTF-8, or control characters other than newline
and tab, are counted apart; --strict makes them problems too.
"""

import argparse
import glob
import json
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

WEIGHTS = {"algorithm": 6, "machine": 6, "platform": 3, "runs": 6, "timings": 4, "result": 3, "launchers": 1, "record": 4, "offers": 4,
           "sweep": 3, "samples": 2}
STATUSES = (0, 2, 3, 4, 5)
# What a refusal states: the file, its line where the reason lies in one, and the reason.
REFUSAL = re.compile(rb"^[^\n:]*/[^\n]+?(:\d+(:\d+)?)?: error: \S|^isocast [a-z-]+: /\S+ \S", re.M)
LIKELY = ["2", "3", "7", "0.5", "64", "1000", "3e-6", "1e6", "0.1", "1e-9", "12345.678", "1e12"]
NUMBERS = ["0", "-1", "1", "1e308", "-1e308", "1e-308", "5e-324", "1e309", "nan", "inf", "2147483648", "4294967296",
           "18446744073709551616", "9007199254740993", "1e15", "1e18", "1e400", "00", "1e", ".", "1..2", "1,000",
           "2..1e9", "1..100000*1.0001", "0x10", "99999999999999999999999"]
TOKENS = ["N", "p", "m", "W", "C", "C_j", "t_c", "alpha", "T_send(8 B*N)", "T_bcast(N)", "T_x()", "sum(i,1,N,i)",
          "sum(i, 1, 1e18, sum(j, 1, i, floor(i*j/3)))", "sum(k,0,p,T_send(k))", "if(N<p,1,2)", "max_class(C_i)",
          "sum_class(p_i)", "interpolate(N,1,2,3,4)", "floor(N/64)", "ceil(log2(p))", "sqrt(N)", "exp(N)", "log(0)", "N^N",
          "1/0", "8 B", "1 us", "2 Gflop/s", "server.memory", "min(N,", "(", ")", "^", "-", "*", "/", "==", "<", ",", "..",
          "binomial_volume(p)", "grid_rows(p)", "grid_layers(p)", "divisor(p, 3)", "T_send(8 B, p, 2)", "mod(N, p)", "cbrt(N)", "N > 3 and not p < 2 or N == 1", "not",
          "1 ms*N*p", "abs(-N)", "nodes", "p_node", "1 us ± 3 %", "±", "+/- 2 ns", "{start: 1 us}",
          "{8 B: 1 us, 1 KiB: 2 us}", "level: 1", "ranges", "tables", "from: 8 KiB", "[0.5]", "m/p", "correlation"]
YAML = [": ", "- ", "{", "}", "[", "]", "&a ", "*a", "!!str ", "|\n  ", ">\n  ", "? ", "#", "---\n", "...\n", "'", '"', "\t",
        "\\x00", "\\e", "\u200b", "\u202e", "%YAML 9\n", "<<: "]
CSV = [",", '"', '""', "\n", "\r\n", "#", ";", "\t", '"\n"', "=1+1", "@x", "-", "\ufeff"]
CONTROL = [b"\x00", b"\x1b[2J", b"\x1b]0;x\x07", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x7f", b"\r", b"\x08", b"\xc2\x9b"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def yaml_files(source, key):
    """Files of a kind; those that are right count more, as a change leaves most of them readable."""
    found = []
    for folder in ("specs/*/*.yaml", "docs/examples/programs/*.yaml", "tests/cli/files/*.yaml", "tests/broken/files/*.yaml", "tests/cli/files/specs/*/*.yaml"):
        for path in sorted(glob.glob(os.path.join(source, folder))):
            if re.search(rb"^%s:" % key, read(path), re.M):
                found += [path] * (1 if "broken" in path else 12)
    return found


def make_results(isocast, source, folder):
    """Results in JSON and CSV, which plot reads."""
    runs = os.path.join(source, "specs", "runs", "sunwulf-gaussian-elimination.csv")
    commands = {
        "prediction.json": ["predict", "gaussian-elimination-published", "sunwulf", "--base", "C2", "--at", "N=310",
                            "--to", "C4,C8,C16,C32", "--format", "json"],
        "fixed.json": ["predict", "matrix-multiplication", "sunwulf", "--at", "N=2000", "--to", "C2,C4,C8",
                       "--format", "json"],
        "validation.json": ["validate", "gaussian-elimination-published", "sunwulf", runs, "--format", "json"],
        "explanation.json": ["explain", "gaussian-elimination-published", "sunwulf", "--efficiency", "0.3", "--to",
                             "C4,C8", "--format", "json"],
    }
    for name, command in commands.items():
        result = subprocess.run([isocast, *command], capture_output=True, timeout=3600)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(result.stdout or b"{}")
    return sorted(os.path.join(folder, name) for name in commands)


def make_sweeps(isocast, folder):
    """Rows of sweeps in CSV and JSON lines, over one name and over two."""
    paths = []
    for name, more in (("one.csv", []), ("two.csv", ["--vary", "N=100..1000:5"]), ("one.json", ["--format", "json"])):
        question = ["--at", "N=1000"] if "two" not in name else []
        paths.append(os.path.join(folder, name))
        subprocess.run([isocast, "sweep", "gaussian-elimination", "sunwulf", "--vary", "t_c=1ns..5ns:log:6", "--to", "C2,C4",
                        *question, *more, "-o", paths[-1], "--quiet"], capture_output=True, timeout=3600)
    return [path for path in paths if os.path.exists(path)]


def make_samples(folder):
    """Samples as isocast calibrate keeps them."""
    path = os.path.join(folder, "samples.csv")
    with open(path, "w") as file:
        file.write("launch,operation,p,m,index,seconds,stop,oversubscribed,nodes,p_node\n# host: a\n")
        for launch in range(3):
            for operation in ("T_send", "T_recv", "T_bcast", "T_barrier"):
                for p in (2, 4):
                    for m in (8, 1024, 65536):
                        file.write("%d,%s,%d,%d,0,%g,fixed,0,2,%d\n" % (launch, operation, p, m, 1e-6 * p + 1e-9 * m, p // 2))
    return [path]


def make_offers(source, folder):
    """Files of offers in YAML and CSV, whose machines are found from any folder."""
    files = os.path.join(source, "tests/cli/files")
    paths = []
    for path in sorted(glob.glob(os.path.join(files, "offers-[!b]*"))):
        text = read(path)
        if re.match(rb"offer,", text) or re.search(rb"^(list|offers):", text, re.M):
            paths.append(os.path.join(folder, os.path.basename(path)))
            with open(paths[-1], "wb") as file:
                file.write(re.sub(rb"offers-\w+\.yaml", lambda m: os.path.join(files, m.group(0).decode()).encode(), text))
    return paths


def make_runs(source, folder):
    """The published runs without the column that names their algorithm."""
    path = os.path.join(folder, "runs.csv")
    with open(path, "w") as out, open(os.path.join(source, "specs/runs/sunwulf-gaussian-elimination.csv")) as file:
        for line in file:
            out.write(line if line.startswith("#") else line.split(",", 1)[1])
    return path


def seeds_of(isocast, source, folder):
    runs = sorted(glob.glob(os.path.join(source, "specs/runs/*.csv")) + glob.glob(os.path.join(source, "tests/cli/files/*.csv")))
    timings = sorted(glob.glob(os.path.join(source, "tests/cli/files/timings/*")))
    return {
        "algorithm": yaml_files(source, b"algorithm"),
        "machine": yaml_files(source, b"machine"),
        "platform": yaml_files(source, b"platform"),
        "runs": runs,
        "timings": timings,
        "result": make_results(isocast, source, folder),
        "launchers": [os.path.join(source, "specs", "launchers.yaml")],
        "record": records_of(source),
        "offers": make_offers(source, folder),
        "sweep": make_sweeps(isocast, folder),
        "samples": make_samples(folder),
    }


def records_of(source):
    """Records of one program, from which formulas can be derived."""
    return sorted(glob.glob(os.path.join(source, "tests/cli/files/derive/*.csv")))


def commands_of(kind, path, text, runs, source):
    """The commands that read a file of a kind; `runs` fits any algorithm."""
    systems = "C2,C4,C8" if kind != "machine" or b"C4:" in text else "1,2,4"
    to = ["--to", systems]
    ge = "gaussian-elimination-published"
    offered = os.path.join(source, "tests/cli/files/offers-algorithm.yaml")
    some = ["--system", "C8" if b"C8:" in text else "2"]
    files = os.path.join(source, "tests", "cli", "files")
    here, there = os.path.join(files, "transfer-here.yaml"), os.path.join(files, "transfer-wide.yaml")
    carried = os.path.join(files, "transfer-runs.csv")
    return {
        "algorithm": [["check", path], ["predict", path, "sunwulf", "--efficiency", "0.3", *to],
                      ["predict", path, "sunwulf", "--at", "N=1000", *to, "--format", "json"],
                      ["explain", path, "sunwulf", "--efficiency", "0.3", *to],
                      ["scalability", runs, "--work", path, "--efficiency", "0.3"],
                      ["validate", path, "sunwulf", runs],
                      ["predict", path, os.path.join(files, "traffic-machine.yaml"), "--at", "N=512", "--to", "1,32,512"],
                      ["transfer", carried, "--from", here, "--to", there, "--with", path],
                      ["check", "--together", path, os.path.join(source, "specs", "machines", "sunwulf.yaml")]],
        "machine": [["check", path], ["predict", ge, path, "--efficiency", "0.3", *to],
                    ["predict", "matrix-multiplication", path, "--at", "N=1000", *to, "--format", "csv"],
                    ["explain", ge, path, "--efficiency", "0.3", *to], ["validate", ge, path, runs],
                    ["predict", os.path.join(files, "traffic.yaml"), path, "--efficiency", "0.5", *to],
                    ["transfer", carried, "--from", here, "--to", path],
                    ["scalability", runs, "--work", ge, "--efficiency", "0.3", "--machine", path]],
        "platform": [["check", path], ["transfer", carried, "--from", path, "--to", there, "--format", "json"],
                     ["export", "simgrid", path, "-o", "-"],
                     ["export", "simgrid", path, *some, "--hosts", "/dev/null"],
                     ["export", "simgrid", path, "--system", "100000000", "--hosts", "/dev/null"]],
        "runs": [["forecast", path, "--format", "json", "--laws"], ["forecast", path, "--to", "p=64,N=500", "--by", "machine"],
                 ["transfer", path, "--from", here, "--to", there],
                 ["transfer", path, "--from", here, "--to", there, "--with", "matrix-multiplication", "--format", "json"],
                 ["scalability", path, "--work", ge, "--efficiency", "0.3"], ["scalability", path, "--work", ge],
                 ["scalability", path, "--work", "matrix-multiplication", "--efficiency", "0.3", "--machine", "sunwulf",
                  "--monotone"],
                 ["validate", "gaussian-elimination", "sunwulf", path, "--format", "json"], ["plot", path, "-o", "-"],
                 ["explain", "gaussian-elimination", "sunwulf", "--runs", path],
                 ["scalability", path, "--work", ge, "--efficiency", "0.3", "--metric", "time-scale", "--matrix"],
                 ["scalability", path, "--metric", "isospeed", "--reference", path, "--matrix", "--format", "csv"]],
        "timings": [["fit-operations", path, "--processes", "4"], ["fit-operations", path],
                    ["fit-operations", path, "--format", "json"]],
        "result": [["plot", path, "-o", "-"]],
        "launchers": [["measure", "ge", "--machine", "sunwulf", "--launcher", "no-such-launcher", "--systems", "C2",
                       "--sizes", "100", "-o", "measured.csv"], ["check", path]],
        "offers": [["check", path], ["offers", offered, path, "--at", "N=1000", "--budget", "50000 EUR"],
                   ["offers", offered, path, "--efficiency", "0.3", "--budget", "50000 EUR", "--format", "json"],
                   ["offers", offered, path, "--at", "N=1000", "--goal", "cost", "--deadline", "1 h"]],
        "sweep": [["plot", path, "-o", "-"]],
        "samples": [["fit-operations", path], ["plot", path, "-o", "-"]],
        "record": [["derive", path, *records_of(source)[1:]], ["derive", *records_of(source)[:-1], path],
                   ["derive", *records_of(source)[:-3], "--hold-out", path], ["derive", path, path, path],
                   ["derive", *records_of(source)[1:9:2], path, "--size", "side=1"], ["plot", path, "-o", "-"]],
    }[kind]


def some_place(chance, text):
    return chance.randrange(len(text) + 1)


def find_places(chance, text, pattern):
    """Where a pattern fits; mostly where values and formulas stand, not the keys of a mapping."""
    places = [m.span() for m in re.finditer(pattern, text)]
    values = [place for place in places if b": " in text[text.rfind(b"\n", 0, place[0]) + 1:place[0]]
              and not re.match(rb"[^\n,}]*:", text[place[1]:place[1] + 40])]
    return values if values and chance.random() < 0.85 else places


def replace_number(chance, text):
    places = find_places(chance, text, rb"[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
    if not places:
        return text
    begin, end = chance.choice(places)
    return text[:begin] + chance.choice(LIKELY if chance.random() < 0.5 else NUMBERS).encode() + text[end:]


def replace_token(chance, text):
    places = find_places(chance, text, rb"[A-Za-z_][A-Za-z_0-9.]*(\([^()\n]*\))?")
    if not places:
        return text
    begin, end = chance.choice(places)
    return text[:begin] + chance.choice(TOKENS).encode() + text[end:]


def widen_formula(chance, text):
    """Wraps a token in an expression."""
    places = find_places(chance, text, rb"[A-Za-z_][A-Za-z_0-9.]*|[0-9.]+")
    if not places:
        return text
    begin, end = chance.choice(places)
    token = text[begin:end].strip(b".") or b"1"
    shape = chance.choice([b"(%s)^%s", b"%s*%s", b"%s/(%s-%s)", b"sum(ii,1,%s,%s)", b"if(%s>1,%s,0)", b"floor(%s/7)*%s",
                           b"sum(ii,1,1e18,sum(jj,1,%s,floor(ii*jj/7)))", b"-%s", b"%s^-%s", b"max(%s,1/%s)"])
    return text[:begin] + shape.replace(b"%s", token) + text[end:]


def flip_bytes(chance, text):
    changed = bytearray(text)
    for _ in range(chance.choice((1, 1, 2, 8))):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def insert(words):
    def change(chance, text):
        at = some_place(chance, text)
        word = chance.choice(words)
        return text[:at] + (word if isinstance(word, bytes) else word.encode()) + text[at:]
    return change


def delete_part(chance, text):
    at = some_place(chance, text)
    return text[:at] + text[at + chance.choice((1, 1, 3, 10, 100)):]


def change_lines(chance, text):
    lines = text.split(b"\n")
    i = chance.randrange(len(lines))
    what = chance.randrange(5)
    if what == 0:
        del lines[i]
    elif what == 1:
        lines.insert(chance.randrange(len(lines) + 1), lines[i])
    elif what == 2:
        j = chance.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    elif what == 3:
        lines[i] = b" " * chance.randrange(1, 9) + lines[i]
    else:
        lines[i] = lines[i].strip()
    return b"\n".join(lines)


def repeat_line(chance, text):
    lines = text.split(b"\n")
    i = chance.randrange(len(lines))
    count = chance.choice((10, 100, 1000, 5000))
    numbered = chance.random() < 0.7
    many = [re.sub(rb"[A-Za-z_][A-Za-z_0-9-]*", lambda m: b"%s%d" % (m.group(0), k), lines[i], count=1) if numbered else lines[i]
            for k in range(count)]
    return b"\n".join(lines[:i] + many + lines[i:])


def nest(chance, text):
    at = some_place(chance, text)
    depth = chance.choice((3, 60, 70, 190, 210, 5000))
    opening, closing = chance.choice(((b"(", b")"), (b"[", b"]"), (b"{a: ", b"}"), (b"-", b""), (b"min(", b")"), (b"- ", b""),
                                      (b'"', b'"')))
    return text[:at] + opening * depth + chance.choice((b"N", b"1", b"")) + closing * depth + text[at:]


def lengthen(chance, text):
    at = some_place(chance, text)
    return text[:at] + chance.choice((b"9", b"a", b" ", b"+N", b"\xc3\xa9", b",", b"\n", b"0 B, ")) * chance.choice(
        (100, 1000, 20000, 70000)) + text[at:]


def add_returns(_chance, text):
    """As Windows ends lines."""
    return text.replace(b"\n", b"\r\n")


def cut(chance, text):
    return text[:some_place(chance, text)]


CHANGES = [replace_number] * 14 + [replace_token] * 6 + [widen_formula] * 10 + [flip_bytes] * 2 + [insert(TOKENS)] + [
    insert(NUMBERS), insert(YAML), insert(CSV), insert(CONTROL), delete_part, change_lines, change_lines, change_lines,
    repeat_line, nest, lengthen, cut, add_returns]


def make(seeds, seed, index):
    """The kind, the text and the chance that chooses the command."""
    chance = random.Random("%s-%d" % (seed, index))
    kind = chance.choices(list(seeds), weights=[WEIGHTS[kind] for kind in seeds])[0]
    text = read(chance.choice(seeds[kind]))
    if chance.random() < 0.08:
        other = read(chance.choice(seeds[chance.choice(list(seeds))]))
        text = text[:some_place(chance, text)] + other[some_place(chance, other):]
    for _ in range(chance.choice((1, 1, 1, 1, 1, 2, 4))):
        # A command is charged with the memory that this process has when it starts it.
        text = chance.choice(CHANGES)(chance, text)[:5000000]
    return kind, text, chance


def run(command, environment, folder, seconds):
    """Exit status, processor time, memory in MB, output and messages; the status is negative for a signal."""
    out_path, err_path = os.path.join(folder, "out"), os.path.join(folder, "err")
    with open(out_path, "wb") as out, open(err_path, "wb") as err:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment, cwd=folder)
        timer = threading.Timer(6 * seconds, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, read(out_path), read(err_path)


def is_clean(text):
    try:
        return re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text.decode("utf-8")) is None
    except UnicodeDecodeError:
        return False


def judge(status, seconds, megabytes, out, err, limits):
    problems = []
    if status not in STATUSES:
        problems.append("exit status %d" % status)
    if status == 3 and not REFUSAL.search(err):
        problems.append("refused without a place and a reason")
    if b"Sanitizer" in err or b"runtime error:" in err:
        problems.append("a sanitizer's report")
    if seconds > limits["seconds"]:
        problems.append("%.1f s" % seconds)
    if megabytes > limits["megabytes"]:
        problems.append("%.0f MB" % megabytes)
    dirty = not is_clean(out) or not is_clean(err)
    return problems, dirty


def check_derived(options, environment, folder, text):
    """What derive writes is a specification, whatever the names in the records, whose processes can be executed."""
    derived = os.path.join(folder, "derived.yaml")
    with open(derived, "wb") as file:
        file.write(text)
    status, _, _, _, err = run([options["isocast"], "check", derived], environment, folder, options["seconds"])
    return [] if status == 0 else ["what was derived is no specification: " + err[-1000:].decode("utf-8", "replace")]


def work(task):
    options, seeds, index = task
    kind, text, chance = make(seeds, options["seed"], index)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=8:exitcode=99", "TMPDIR": folder,
                       "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}
        names = {"launchers": "launchers.yaml", "offers": "offers.csv" if text.startswith(b"offer,") else "offers.yaml", "runs": "runs.csv", "timings": "timings", "result": "result.json", "samples": "samples.csv", "sweep": "sweep.csv"}
        path = os.path.join(folder, names.get(kind, kind + ".yaml"))
        with open(path, "wb") as file:
            file.write(text)
        if kind == "launchers":
            environment["ISOCAST_SPECS"] = folder
            for name in ("algorithms", "machines"):
                os.symlink(os.path.join(options["source"], "specs", name), os.path.join(folder, name))
        command = [options["isocast"], *chance.choice(commands_of(kind, path, text, options["runs"], options["source"]))]
        status, seconds, megabytes, out, err = run(command, environment, folder, options["seconds"])
        problems, dirty = judge(status, seconds, megabytes, out, err, options)
        if command[1] == "derive" and status == 0:
            problems += check_derived(options, environment, folder, out)
        if options["strict"] and dirty:
            problems.append("output that is no clean text")
        if (problems or dirty) and options["keep"]:
            shutil.copy(path, os.path.join(options["keep"], "%s-%d-%s" % (options["seed"], index, os.path.basename(path))))
        reported = [" ".join(command[1:]), err[-2000:].decode("utf-8", "replace")] if problems else []
        return index, kind, status, seconds, megabytes, problems, dirty, reported


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isocast")
    parser.add_argument("source")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--megabytes", type=float, default=1024)
    parser.add_argument("--keep")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--kind", help="files of this kind only")
    options = vars(parser.parse_args())
    options["isocast"] = os.path.abspath(options["isocast"])
    options["source"] = os.path.abspath(options["source"])
    began = time.monotonic()
    if options["keep"]:
        os.makedirs(options["keep"], exist_ok=True)
        options["keep"] = os.path.abspath(options["keep"])
    summary = {"files": 0, "problems": 0, "not clean": 0, "most seconds": 0, "most megabytes": 0}
    kinds, statuses = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        seeds = seeds_of(options["isocast"], options["source"], folder)
        options["runs"] = make_runs(options["source"], folder)
        if options["kind"]:
            seeds = {kind: paths for kind, paths in seeds.items() if kind == options["kind"]}
        numbers = range(options["first"], options["first"] + options["count"])
        with multiprocessing.Pool(options["processes"]) as pool:
            for index, kind, status, seconds, megabytes, problems, dirty, reported in pool.imap_unordered(
                    work, ((options, seeds, i) for i in numbers), chunksize=4):
                summary["files"] += 1
                summary["not clean"] += dirty
                summary["most seconds"] = max(summary["most seconds"], round(seconds, 2))
                summary["most megabytes"] = max(summary["most megabytes"], round(megabytes))
                kinds[kind] = kinds.get(kind, 0) + 1
                statuses[status] = statuses.get(status, 0) + 1
                if problems:
                    summary["problems"] += 1
                    print("seed %s, file %d (%s): %s" % (options["seed"], index, kind, "; ".join(problems)))
                    print("    isocast " + "\n    ".join(reported), flush=True)
    summary["took"] = "%.0f s" % (time.monotonic() - began)
    print(json.dumps({**summary, "kinds": kinds, "statuses": {str(k): statuses[k] for k in sorted(statuses)}}))
    return 1 if summary["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
