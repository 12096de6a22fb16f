"""isocast sweep: its rows are those of predict with the same values set by hand, and its file is the same to the byte
whatever the number of threads and processes, and wherever it was cut off.

    test_sweep.py ISOCAST ROOT
"""
import csv
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

from schema_check import problems_of

ISOCAST, ROOT = sys.argv[1:3]
FILES = os.path.join(ROOT, "tests", "cli", "files")
SEED = 14
RUNS = [  # arguments, and the names that vary with the unit that --set takes
    (["gaussian-elimination-published", "sunwulf", "--efficiency", "0.3,0.2", "--to", "C4,C8,C2"],
     {"t_c=1e-8..1e-7:log:3": "s/flop", "sunblade.marked_speed=10Mflop/s,50Mflop/s": "flop/s"}),
    (["ruled.yaml", "grid.yaml", "--at", "N=1024", "--to", "16,64,12"],
     {"K=1,7,30": "", "t_x=2us..8us*2": "s", "block=16,32": "", "node.marked_speed=1e9,3e9": "flop/s"}),
    (["ruled.yaml", "grid.yaml", "--efficiency", "0.5,0.99", "--to", "16,64"],
     {"t_x=1us..9us+4us": "s", "K=2..8*2": ""}),
    (["gaussian-elimination", "calibrated.yaml", "--at", "N=600,1200", "--to", "2"],
     {"t_c=1ns,2ns": "s/flop", "node.count=1,2": ""}),
    (["matrix-multiplication", "sets.yaml", "--efficiency", "0.4", "--to", "4x1,2x2", "--metric", "isoefficiency"],
     {"node.marked_speed=0.5Gflop/s..2Gflop/s:log:3": "flop/s"}),
    (["matrix-multiplication", "sets.yaml", "--efficiency", "0.4", "--to", "4x1,2x2"],
     {"node.processors=2..4:lin:3": "", "node.memory=1MB..1GB:log:2": "B"}),
]


def run(arguments, folder, due=(0, 4), before=(), environment=None):
    done = subprocess.run([*before, ISOCAST, *arguments], cwd=folder, text=True, check=False, timeout=3600,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    if done.returncode not in due:
        raise SystemExit(f"{arguments}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def rows_of(text):
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def sweep_arguments(arguments, varied):
    return ["sweep", *arguments, *(word for values in varied for word in ("--vary", values))]


def is_near(text, number):
    if text == "" or number is None:
        return text == "" and number is None
    return math.isclose(float(text), number, rel_tol=1e-9)


def predict(arguments, settings, row, folder):
    """The row that predict gives for the system of a row of a sweep, with the values set by hand."""
    words = list(arguments)
    words[words.index("--to") + 1] = row["system"]
    if "--efficiency" in words:
        words[words.index("--efficiency") + 1] = row["target"]
    else:
        words[words.index("--at") + 1] = f"N={row['N']}"
    words = ["predict", *words, "--format", "json", "--quiet"]
    for name, unit in settings.items():
        words += ["--set", f"{name}={row[name]} {unit}".strip()]
    done = run(words, folder, due=(0, 2, 4))
    return json.loads(done.stdout)["rows"][0] if done.returncode != 2 else None


def check_rows(rng):
    statuses = set()
    for arguments, varied in RUNS:
        settings = {values.split("=")[0]: unit for values, unit in varied.items()}
        done = run(sweep_arguments(arguments, varied), FILES)
        rows = rows_of(done.stdout)
        solved = all(row["status"] in ("ok", "several") for row in rows)
        assert done.returncode == (0 if solved else 4), arguments
        for row in rng.sample(rows, min(5, len(rows))):
            due = predict(arguments, settings, row, FILES)
            statuses.add(row["status"])
            if due is None:
                assert row["status"] == "not-valid" and row["C"] == row["T"] == "", (arguments, row)
                continue
            # A row whose memory does not do has its numbers here and there.
            assert row["status"] == due["status"], (arguments, row, due)
            for name in ("p", "C", "N", "W", "T", "T_c", "T_o", "E"):
                assert is_near(row[name], due[name]), (arguments, name, row, due)
    assert {"ok", "not-valid"} <= statuses, statuses


def check_formats():
    arguments, varied = RUNS[1]
    words = sweep_arguments(arguments, varied)
    rows = rows_of(run(words, FILES).stdout)
    lines = [json.loads(line) for line in run([*words, "--format", "json"], FILES).stdout.splitlines()]
    head, lines = lines[0], lines[1:]
    assert head["schema"] == "isocast.sweep/1" and head["rows"] == len(rows) == len(lines)
    assert head["units"]["t_x"] == "s" and head["units"]["C"] == "flop/s"
    for row, line in zip(rows, lines):
        assert list(row) == list(line)
        assert all(text == ("" if line[name] is None else line[name] if isinstance(line[name], str) else text)
                   and (not isinstance(line[name], (int, float)) or float(text) == line[name])
                   for name, text in row.items()), (row, line)


LONG = ["sweep", "gaussian-elimination-published", "sunwulf", "--vary", "t_c=1e-8..1e-7:log", "--vary",
        "sunblade.marked_speed=1e7,2e7", "--design", "sobol:200", "--efficiency", "0.3,0.25", "--to", "C4,C8,C2"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def check_cut_off(rng, folder):
    whole = os.path.join(folder, "whole.csv")
    cut = os.path.join(folder, "cut.csv")
    run([*LONG, "--threads", "1", "-o", whole], folder)
    content = read(whole)
    run([*LONG, "--threads", "3", "-o", cut], folder)
    assert read(cut) == content, "threads change the file"
    middle = content.index(b"\n1024,") + 1
    lengths = [0, 1, 40, len(content) - 1, len(content), middle, middle + 3, *(rng.randrange(len(content))
                                                                             for _ in range(2))]
    for length in lengths:
        write(cut, content[:length])
        run([*LONG, "--resume", "-o", cut], folder)
        assert read(cut) == content, f"cut at {length} of {len(content)}"
    # Without a file it begins; a file is not begun again.
    os.remove(cut)
    run([*LONG, "--resume", "-o", cut], folder)
    assert read(cut) == content
    assert "--resume" in run([*LONG, "-o", cut], folder, due=(2,)).stderr and read(cut) == content
    check_other_files(folder, content, cut)
    check_processes(folder, content)


def check_other_files(folder, content, cut):
    """Files that this command does not go on with stay as they are."""
    lines = content.splitlines(keepends=True)
    torn = b"".join(lines[:-40])
    others = [torn.replace(b"\n9,", b"\n8,"),  # a row is missing
              torn.replace(b",ok\n", b",fine\n", 1),
              content.replace(b"# sha256: ", b"# sha256: 0"),
              content + b"6000,\n",
              b"some other file\n"]
    last = lines[-41].split(b",")
    last[5] = last[5][:-1] + (b"1" if last[5][-1:] != b"1" else b"2")
    others.append(b"".join(lines[:-41]) + b",".join(last))
    # Values of the first block, behind a last row that is torn; the last row in another block is right.
    first = lines[20].split(b",")
    first[5] = first[5][:-1] + (b"1" if first[5][-1:] != b"1" else b"2")
    others.append(b"".join(lines[:20]) + b",".join(first) + b"".join(lines[21:-40]) + lines[-40][:7])
    for other in others:
        write(cut, other)
        done = run([*LONG, "--resume", "-o", cut], folder, due=(3,))
        assert "cannot go on" in done.stderr and read(cut) == other, done.stderr
    write(cut, torn)
    question = [word.replace("0.3,0.25", "0.3,0.26") for word in LONG]
    assert "another question" in run([*question, "--resume", "-o", cut], folder, due=(3,)).stderr
    assert read(cut) == torn


def check_processes(folder, content):
    path = os.path.join(folder, "ranks.csv")
    # What MPI itself keeps until the end is no leak of ours.
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}
    for count in ("2", "4"):
        run([*LONG, "-o", path], folder, before=("mpiexec.mpich", "-n", count), environment=quiet)
        assert read(path) == content, f"{count} processes change the file"
        os.remove(path)
    write(path, content[:len(content) // 3])
    run([*LONG, "--resume", "--threads", "2", "-o", path], folder, before=("mpiexec.mpich", "-n", "3"),
        environment=quiet)
    assert read(path) == content


def check_killed(folder):
    """A sweep that is killed at any time is gone on with; one that is interrupted says so."""
    words = [word.replace("sobol:400", "sobol:1200") for word in LONG]
    whole = os.path.join(folder, "long.csv")
    cut = os.path.join(folder, "killed.csv")
    run([*words, "-o", whole], folder)
    for number in (signal.SIGKILL, signal.SIGINT):
        with subprocess.Popen([ISOCAST, *words, "--resume", "-o", cut], cwd=folder, text=True,
                              stderr=subprocess.PIPE) as child:
            sums = os.path.join(folder, ".killed.csv.isocast-sums")
            while child.poll() is None and not (os.path.exists(sums) and os.path.getsize(sums) >= 65):
                time.sleep(0.001)
            child.send_signal(number)
            message = child.stderr.read()
        # It may have come to its end before.
        if number == signal.SIGINT and child.returncode == 5:
            assert "interrupted after" in message and "--resume" in message, message
        if child.returncode != 0:
            check_sums(folder, words, cut, number)
        run([*words, "--resume", "-o", cut], folder)
        assert read(cut) == read(whole)
        os.remove(cut)
        left = [name for name in os.listdir(folder) if name.startswith(".")]
        assert not left, f"a sweep that was gone on with leaves {left}"


def check_sums(folder, words, cut, number):
    """Sums vouch for the blocks that were written, not for other values; without sums the same is found by computing again."""
    sums = os.path.join(folder, ".killed.csv.isocast-sums")
    blocks, content = read(sums), read(cut)
    assert blocks and len(blocks) % 65 == 0, f"sums of {len(blocks)} bytes"
    assert number == signal.SIGKILL or not os.path.exists(os.path.join(folder, ".killed.csv.isocast-lock"))
    changed = content.replace(b",ok\n", b",several\n", 1)
    for there in (blocks, b"", b"x" * len(blocks)):
        write(cut, changed)
        write(sums, there)
        run([*words, "--resume", "-o", cut], folder, due=(3,))
        assert read(cut) == changed
    write(cut, content)
    write(sums, blocks)


def check_schema():
    """The lines of JSON against docs/result-schema.json, by what test_json_contract.py checks with."""
    with open(os.path.join(ROOT, "docs", "result-schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    for arguments, varied in RUNS:
        lines = run([*sweep_arguments(arguments, varied), "--format", "json"], FILES).stdout.splitlines()
        head = json.loads(lines[0])
        problems = problems_of(head, schema, schema)
        for line in lines[1:]:
            row = json.loads(line)
            problems += problems_of(row, schema["$defs"]["sweep_row"], schema)
            assert set(head["units"]) == {name for name in row if name not in ("row", "system", "note", "status")}
        assert not problems, problems


def covered(svg):
    """The share of a map's left panel that its cells cover: cells are rectangles that are filled with a colour."""
    areas, edges = [], []
    for points in re.findall(r"<polygon fill *= *'rgb[^>]*points *= *'([^']*)'", svg):
        xs, ys = zip(*(tuple(map(float, point.split(","))) for point in points.split()))
        if min(xs) < 400:
            areas.append((max(xs) - min(xs)) * (max(ys) - min(ys)))
            edges += [(min(xs), min(ys)), (max(xs), max(ys))]
    xs, ys = zip(*edges)
    return sum(areas) / ((max(xs) - min(xs)) * (max(ys) - min(ys)))


def check_pictures(folder):
    """Curves, maps, draws that are averaged, and rows without any solution."""
    base = ["sweep", "gaussian-elimination-published", "sunwulf", "--to", "C4,C8"]
    t_c = ["--vary", "t_c=1e-8..2e-7:log:40"]
    speed = ["--vary", "sunblade.marked_speed=1e7..2e8:log:9"]
    draws = ["--vary", "t_c=1e-8..2e-7:log", "--vary", "sunblade.marked_speed=1e7..2e8", "--design", "random:500"]
    for number, (words, ending) in enumerate(((t_c + ["--efficiency", "0.3"], "csv"),
                                              (t_c + speed + ["--efficiency", "0.3,0.2"], "jsonl"),
                                              (draws + ["--at", "N=500"], "csv"),
                                              (t_c + ["--efficiency", "99"], "csv"),
                                              (t_c + speed + ["--efficiency", "99"], "csv"))):
        path = os.path.join(folder, f"picture-{number}.{ending}")
        picture = os.path.join(folder, "picture.svg")
        run([*base, *words, "-o", path], folder)
        run(["plot", path, "-o", picture], folder, due=(0,))
        with open(picture, encoding="utf-8") as file:
            drawn = file.read()
        assert "Sweep: gaussian-elimination-published on sunwulf" in drawn and "t_c (ns/flop)" in drawn, words
        assert ("no row has a solution" in drawn) == ("99" in words), words
        # Draws fill a map, too: it has as many places as they can fill.
        assert "--design" not in words or 0.8 < covered(drawn) < 1.1, covered(drawn)
        assert run(["plot", path, "-o", "-"], folder, due=(0,)).stdout.strip()


def main():
    rng = random.Random(SEED)
    check_rows(rng)
    check_formats()
    check_schema()
    with tempfile.TemporaryDirectory() as folder:
        check_cut_off(rng, folder)
        check_killed(folder)
        check_pictures(folder)


main()
