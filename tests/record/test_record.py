#!/usr/bin/env python3
"""isocast record and measure --command on programs whose calls are known.

    test_record.py ISOCAST PROGRAMS [PART...]   PROGRAMS is the folder of the built programs; parts: hostile, calls, ends, names, jacobi,
                                                fortran, command, merged, short, again, threads, waits, launched, derive, callers,
                                                shares, sweeps
"""
import collections
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ISOCAST, PROGRAMS = (os.path.abspath(path) for path in sys.argv[1:3])
failures = []


def check(good, text):
    if not good:
        failures.append(text)


def run(words, folder, status=0, **more):
    done = subprocess.run([ISOCAST] + words, cwd=folder, capture_output=True, text=True, timeout=3600, **more)
    check(done.returncode == status, f"{' '.join(words)}: exit status {done.returncode}, not {status}\n{done.stderr}")
    return done


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    lines = collections.defaultdict(list)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.reader(file):
            lines[row[0]].append(row[1:])
    return lines


def record(program, folder, processes, status=0, name="r.csv", **more):
    done = run(["record", "-n", str(processes), "-o", name, "--"] + program, folder, status, **more)
    path = os.path.join(folder, name)
    check(not [entry for entry in os.listdir(folder) if "parts" in entry], "parts are left behind")
    return (read(path) if os.path.exists(path) else None), done


def calls_of(lines, process):
    """{call: [(partner, size, source, received, calls)]} of one process."""
    found = collections.defaultdict(list)
    for row in lines["call"]:
        if row[0] == str(process):
            found[row[3]].append(tuple(row[4:9]))
    return found


def test_calls(folder):
    lines, _ = record([f"{PROGRAMS}/calls"], folder, 4)
    check(lines["end"] == [["complete"]], f"the run ended {lines['end']}")
    for rank in range(4):
        next_, last = str((rank + 1) % 4), str((rank + 3) % 4)
        own = str(8 * (rank + 1))
        expected = {
            "MPI_Irecv": [("any", "80", "", "", "1")],
            "MPI_Isend": [(next_, "24", "", "", "1")],
            "MPI_Waitall": [("", "2", "", "", "1"), ("", "2", "", "", "3")],
            "MPI_Sendrecv": [(next_, "20", last, "20", "1")],
            "MPI_Sendrecv_replace": [(last, "2", next_, "2", "1")],
            "MPI_Start(MPI_Send_init)": [(next_, "32", "", "", "3")],
            "MPI_Start(MPI_Recv_init)": [(last, "32", "", "", "3")],
            "MPI_Bcast": [("1", "48", "", "", "1")],
            "MPI_Gather": [("0", "16", "", "", "1")],
            "MPI_Gatherv": [("0", own, "", "80" if rank == 0 else "", "1")],
            "MPI_Scatterv": [("0", own, "", "80" if rank == 0 else "", "1")],
            "MPI_Allgather": [("", "24", "", "", "1")],
            "MPI_Alltoallv": [("", "80", "", str(32 * (rank + 1)), "1")],
            "MPI_Reduce_scatter": [("", own, "", "80", "1")],
            "MPI_Iallreduce": [("", "72", "", "", "1")],
            "MPI_Allreduce": [("", "4", "", "", "5")],
            "MPI_Comm_split": [("", "0", "", "", "5")],
            "MPI_Neighbor_alltoall": [("", "8", "", "2", "1")],
            # A line has one neighbour at its ends.
            "MPI_Neighbor_alltoallv": [("", "32", "2", "32", "1") if rank in (1, 2) else ("", "16", "1", "16", "1")],
            "MPI_Neighbor_allgather": [("", "4", "", "2" if rank in (1, 2) else "1", "1")],
        }
        if rank % 2 == 0:
            expected |= {"MPI_Ssend": [(next_, "28", "", "", "1")], "MPI_Send": [("null", "0", "", "", "1")]}
        else:
            expected |= {"MPI_Recv": [(last, "28", "", "", "1")], "MPI_Probe": [("any", "0", "", "", "1")]}
        found = calls_of(lines, rank)
        for name, rows in expected.items():
            check(sorted(found[name]) == sorted(rows), f"rank {rank}, {name}: {found[name]}, not {rows}")
    splits = [row for row in lines["communicator"] if row[1] == "MPI_Comm_split"]
    check([row[5] for row in splits] == ["0 2", "1 3"], f"the splits have the members {splits}")
    functions = {row[1] for row in lines["site"]}
    check(functions >= {"messages", "collectives", "communicators", "main"}, f"functions {functions}")
    check(all(row[2].endswith("calls.c") and int(row[3]) > 0 for row in lines["site"]), "a site without its line")


def test_ends(folder):
    for end, status, said, ended in (("abort", 5, "called MPI_Abort", "aborted"), ("kill", 5, "was killed", "killed"),
                                     ("exit", 5, "without MPI_Finalize", "exited"),
                                     ("status", 5, "ended with exit status 4", "complete")):
        lines, done = record([f"{PROGRAMS}/calls", end], folder, 4, status, f"{end}.csv")
        check(said in done.stderr, f"{end}: {done.stderr}")
        check(lines is not None and lines["end"] == [[ended]], f"{end}: no record, or another end")
        check(lines is not None and calls_of(lines, 2)["MPI_Bcast"] == [("1", "48", "", "", "1")], f"{end}: calls lost")
    os.mkdir(os.path.join(folder, "none.csv.d"))
    write(os.path.join(folder, "plain"), "#!/bin/sh\n")
    write(os.path.join(folder, "script"), "#! /no/such/shell -x\n", 0o755)
    for program, said in (([f"{PROGRAMS}/calls", "none"], "before MPI_Init"), (["/bin/true"], "did not call MPI_Init"),
                          (["./missing"], "./missing did not start: here is no program of that name; nothing"),
                          (["missing"], "missing did not start: here is no program of that name in PATH; one in a folder"),
                          (["./none.csv.d"], "./none.csv.d did not start: it is a folder; nothing"),
                          (["./plain"], "./plain did not start: its file may not be executed; chmod +x allows it; nothing"),
                          (["./script"], "./script did not start: the interpreter that its first line names is not there"),
                          ([""], " did not start: its name is empty; nothing is recorded")):
        lines, done = record(program, folder, 1, 5, "none.csv")
        check(lines is None and said in done.stderr, f"{program}: {done.stderr}")
    done = run(["record", "-o", "abort.csv", "--", "/bin/true"], folder, 2)
    check("not overwritten" in done.stderr, done.stderr)
    for words, said in ((["-n", "9000000"], "9000000 processes take 90 TB of memory and more, and this machine has"),
                        (["-o", ""], "--output takes the name of a file, not ''")):
        done = run(["record"] + words + ["--", "/bin/true"], folder, 2)
        check(said in done.stderr, done.stderr)
    done = run(["record", "-n", "0", "--", "/bin/true"], folder, 2)
    check("-n needs one process or more" in done.stderr, done.stderr)


def test_names(folder):
    """A name that would steer a terminal is in no record, which stays readable; a file that is cut off anywhere is none."""
    name = "a\x1b[31m b\n\"c'$(touch made);d"
    shutil.copy(f"{PROGRAMS}/jacobi", os.path.join(folder, name))
    lines, done = record([f"./{name}", "24", "2", "=1+1\n\x07"], folder, 2)
    check(lines["program"] == [["./a?[31m b?\"c'$(touch made);d"]], f"{lines['program']}")
    check(lines["argument"] == [["24"], ["2"], ["'=1+1??"]], f"{lines['argument']}")
    with open(os.path.join(folder, "r.csv"), "rb") as file:
        text = file.read()
    check(not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", text) and b"\x1b" not in done.stderr.encode(), "control characters")
    check(lines["lines"] == [[str(text[text.index(b"end,"):].count(b"\n"))]],
          f"{lines['lines']}")
    done = run(["derive", "r.csv"], folder, 3)
    check("three sizes are needed" in done.stderr, done.stderr)
    begin = text.index(b"end,")
    for length in list(range(begin, len(text), 97)) + [len(text) - 1]:
        with open(os.path.join(folder, "cut.csv"), "wb") as file:
            file.write(text[:length])
        done = run(["derive", "cut.csv"], folder, 3)
        check("that follow this one is cut off" in done.stderr or "lines must follow this one" in done.stderr,
              f"cut at {length}: {done.stderr}")
    check(sorted(os.listdir(folder)) == sorted([name, "r.csv", "cut.csv"]), f"{os.listdir(folder)}")


def test_launched(folder):
    """Commands that start MPI programs, started several times by a launcher: one message, and no run."""
    for words, right in ((["record", "--", f"{PROGRAMS}/jacobi", "24", "5"], "isocast record -n 4 -- ./program"),
                         (["measure", "ge", "--machine", "sunwulf", "-o", "r.csv"], "without that launcher")):
        said = ""
        for rank in range(3):
            named = os.environ | {"PMI_SIZE": "3", "PMI_RANK": str(rank)}
            said += run(words, folder, 2, env=named).stderr
        check(said.count("a launcher started 3 processes") == 1 and right in said, said)
    check(not os.listdir(folder), f"files: {os.listdir(folder)}")


def test_jacobi(folder):
    lines, _ = record([f"{PROGRAMS}/jacobi", "24", "10"], folder, 6)
    grid = [row for row in lines["communicator"] if row[1] == "MPI_Cart_create"]
    check(len(grid) == 1 and grid[0][6] == "3x2", f"the grid is {grid}")
    sent = collections.Counter()
    for rank in range(6):
        for partner, size, _, _, calls in calls_of(lines, rank)["MPI_Isend"]:
            if partner != "null":
                sent[size] += int(calls)
    # 24 rows in 3, 24 columns in 2: 4 borders of 12 points across, 3 of 8 along, both ways, 10 times.
    check(sent == {"96": 80, "64": 60}, f"messages {sent}")
    times = sum(int(row[3]) for row in lines["compute"])
    calls = sum(int(row[8]) for row in lines["call"])
    check(times == calls - 6, f"{calls} calls and {times} ways between them")
    other = run(["record", "--", "mpiexec", "-n", "2", f"{PROGRAMS}/jacobi", "24", "10"], folder)
    check("jacobi-24-10-p2.csv" in other.stderr, other.stderr)
    lines = read(os.path.join(folder, "jacobi-24-10-p2.csv"))
    check(lines["launcher"] == [["mpiexec -n 2"]] and lines["argument"] == [["24"], ["10"]], "the command line")


def test_fortran(folder):
    lines, _ = record([f"{PROGRAMS}/ring", "100", "7"], folder, 3)
    found = calls_of(lines, 0)
    check(found["MPI_Sendrecv"] == [("1", "800", "2", "800", "7")], f"{found['MPI_Sendrecv']}")
    check(found["MPI_Isend"] == [("1", "800", "", "", "7")] and found["MPI_Reduce"] == [("0", "8", "", "", "1")],
          f"{found}")
    check({row[1] for row in lines["site"]} == {"start", "pass_old", "pass_new", "finish"}, f"{lines['site']}")


def test_merged(folder):
    lines, done = record([f"{PROGRAMS}/cg", "30", "40"], folder, 2, env=os.environ | {"ISOCAST_RECORD_ROWS": "1"})
    rows = [row for row in lines["merged"] if row[3] == "MPI_Sendrecv"]
    check(not rows, "rows of one size were merged")
    lines, done = record([f"{PROGRAMS}/sizes", "500"], folder, 2, name="s.csv",
                         env=os.environ | {"ISOCAST_RECORD_ROWS": "100"})
    kept = sum(int(row[8]) for row in lines["call"] if row[0] == "0" and row[3] == "MPI_Bcast")
    rows = [row for row in lines["merged"] if row[0] == "0"]
    check(kept == 100 and len(rows) == 1 and rows[0][4] == "400", f"{kept} kept, merged {rows}")
    # Sizes 1 to 500 bytes; the first 100 have rows of their own.
    check(rows[0][6] == "300.5" and rows[0][8:] == ["101", "500"], f"{rows}")
    check("different sizes" in done.stderr, done.stderr)


def test_short(folder):
    """Short calls are counted one by one and timed by samples; what is computed between them is not lost."""
    rounds = 20
    lines, _ = record([f"{PROGRAMS}/short", str(rounds)], folder, 1)
    probes = {row[0]: (row[1], rounds * 1000) for row in lines["site"] if row[1].startswith("before_")}
    for row in lines["call"]:
        if row[3] == "MPI_Iprobe":
            check(row[8] == str(rounds * 1000), f"{row[8]} calls of {rounds * 1000}")
    estimated = sum(int(row[2]) for row in lines["estimated"])
    check(estimated > rounds * 1000, f"only {estimated} of {2 * rounds * 1000} calls were not timed")
    ways = collections.Counter()
    for row in lines["compute"]:
        if row[1] in probes:
            ways[probes[row[1]][0], row[1] == row[2]] += float(row[4])
    # The spinning counts processor time, so these are shares of what the program did and no speeds. The computing is
    # nearly all of the time of each function.
    another, itself = ways["before_another", False], ways["before_itself", True] + ways["before_itself", False]
    check(another > ways["before_another", True], f"computing before another call was lost: {ways}")
    check(0.5 * another < itself < 2 * another, f"computing before the same call was lost: {ways}")
    for row in lines["compute"]:
        check(float(row[6]) <= float(row[4]) / int(row[3]) * 1.001 <= float(row[7]) * 1.01, f"least, mean, longest: {row}")
    done = run(["derive", "r.csv"], folder, 3)
    check("three numbers of processes are needed" in done.stderr, done.stderr)


def test_threads(folder):
    """What other threads compute is known, and is none of the computing between two calls."""
    lines, _ = record([f"{PROGRAMS}/threads"], folder, 2)
    others = {row[0]: float(row[1]) for row in lines["threads"]}
    check(set(others) == {"0", "1"} and min(others.values()) > 0.029, f"processor time of other threads: {others}")
    own = sum(float(row[4]) for row in lines["compute"])
    check(own < sum(others.values()), f"the computing of other threads counts: {own} s")


def test_waits(folder):
    libraries = subprocess.run(["ldd", f"{PROGRAMS}/waits"], capture_output=True, text=True).stdout
    if "libucp" not in libraries:
        return
    # A process that waits lets others run; where the time alone is asked for, it waits as without the library.
    # On a busy machine what it waits for may be there before it has had a processor: then it is tried again.
    for attempt in range(20):
        _, done = record([f"{PROGRAMS}/waits"], folder, 2, name=f"waits-{attempt}.csv")
        yields = re.search(r"yields: (\d+)", done.stdout)
        if yields and int(yields[1]) > 10:
            break
    check(yields and int(yields[1]) > 10, f"a process that waits never yields: {done.stdout}")
    library = os.path.join(os.path.dirname(ISOCAST), "../libexec/isocast/libisocast-record.so")
    for mode, folder_of_parts in (("time", folder), (None, None)):
        environment = {**os.environ, "LD_PRELOAD": library} if mode else dict(os.environ)
        if mode:
            environment |= {"ISOCAST_RECORD_MODE": mode, "ISOCAST_RECORD_FOLDER": folder_of_parts}
        plain = subprocess.run(["mpiexec", "-n", "2", f"{PROGRAMS}/waits"], env=environment, capture_output=True, text=True,
                               timeout=3600)
        check(plain.stdout == "yields: 0\n", f"mode {mode}: {plain.stdout}{plain.stderr}")


def test_again(folder):
    """Calls that are made again are counted by what they send, also where only that is new."""
    lines, _ = record([f"{PROGRAMS}/again", "12000"], folder, 1)
    sizes = collections.defaultdict(collections.Counter)
    kinds = collections.Counter()
    for row in lines["call"]:
        sizes[row[3]][row[5]] += int(row[8])
        if row[3] == "MPI_Allreduce":
            kinds[lines["communicator"][int(row[2])][1]] += int(row[8])
    for call in ("MPI_Isend", "MPI_Recv"):
        check(sizes[call] == {"4": 4000, "8": 4000, "12": 4000}, f"{call}: {sizes[call]}")
    check(sizes["MPI_Sendrecv"] == {"8": 6000, "20": 6000}, f"types: {sizes['MPI_Sendrecv']}")
    check(kinds == {"MPI_Comm_dup": 6000, "MPI_Cart_create": 6000}, f"communicators: {kinds}")
    calls, ways = (sum(int(row[at]) for row in lines[name]) for name, at in (("call", 8), ("compute", 3)))
    check(ways == calls - 1, f"{calls} calls and {ways} ways between them")
    check(all(0 <= float(row[-1]) < 60 for row in lines["call"]), "times of calls")
    estimated = sum(int(row[2]) for row in lines["estimated"])
    check(calls > estimated > calls / 4, f"{estimated} of {calls} calls were not timed")


def test_order(folder):
    """Calls are counted where they came from and for what they were also where their order is drawn."""
    lines, done = record([f"{PROGRAMS}/again", "20000", "mixed"], folder, 1)
    reported = collections.defaultdict(collections.Counter)
    for word, first, second, count in (line.split() for line in done.stdout.splitlines() if line.split()[0] in ("sent", "way")):
        reported[word][first, second] = int(count)
    seen = collections.defaultdict(collections.Counter)
    own = {row[0]: row[3] for row in lines["site"] if row[1] == "mix"}
    for row in lines["call"]:
        if row[3] in ("MPI_Isend", "MPI_Issend"):
            seen["sent"][row[3], row[5]] += int(row[8])
    for row in lines["compute"]:
        if row[1] in own and row[2] in own:
            seen["way"][own[row[1]], own[row[2]]] += int(row[3])
    check(len(reported["sent"]) == 8 and seen["sent"] == +reported["sent"], f"sent {reported['sent']}, seen {seen['sent']}")
    check(len(reported["way"]) == 5 and seen["way"] == reported["way"], f"went {reported['way']}, seen {seen['way']}")
    estimated = sum(int(row[2]) for row in lines["estimated"])
    check(estimated > 20000, f"only {estimated} calls were not timed")


def test_command(folder):
    with open(os.path.join(folder, "here.yaml"), "w", encoding="utf-8") as file:
        file.write("machine: here\nnodes: {node: {count: 1, processors: 2, marked_speed: 1 Gflop/s, memory: 4 GB}}\n"
                   "parameters: {t_c: 1 ns/flop}\noperations: {}\n")
    base = ["measure", "--machine", "here.yaml", "--sizes", "20,40", "--systems", "1,2", "--repetitions", "1"]
    command = ["--command", f"{PROGRAMS}/jacobi {{N}} {{iterations}}", "--set", "iterations=5"]
    for what in ("run", "region", "Avg time (s): *([0-9.eE+-]+)"):
        run(base + command + ["--time", what, "-o", "runs.csv"], folder)
        again = run(base + command + ["--time", what, "-o", "runs.csv"], folder)
        check("0 runs added to runs.csv, 4 were there already" in again.stderr, again.stderr)
        with open(os.path.join(folder, "runs.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        check(sorted((row["system"], row["N"]) for row in rows) == [(s, n) for s in "12" for n in ("20", "40")],
              f"{what}: rows {rows}")
        check(all(0 < float(row["T"]) < 60 and row["iterations"] == "5" for row in rows), f"{what}: {rows}")
        os.remove(os.path.join(folder, "runs.csv"))
    # MPICH's launcher sometimes fails with processes that end at once without MPI, so there is one, and it stays for a while.
    base += ["--systems", "1"]
    late = os.path.join(folder, "late")
    with open(late, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\necho "$@"\nsleep 0.2\n')
    os.chmod(late, 0o755)
    # What a shell would do with it is not done.
    done = run(base + ["--command", late + " {N} $(touch made) ; touch made", "--time", "([0-9]+)", "-o", "e.csv"], folder)
    check(not os.path.exists(os.path.join(folder, "made")), "a shell saw the command")
    check("2 runs added" in done.stderr, done.stderr)
    for words, status, said in (
            (["--command", "./a {M}"], 2, "{M} has no value"), (["--command", "./a '{N}"], 2, "a quote is not closed"),
            (["--command", "./a 3"], 2, "it has no {N}"), (["--command", "./a {N}", "--time", "("], 2, "no regular expression"),
            (["--command", "./a {N}", "--time", "x"], 2, "needs a group"), (["ge", "--command", "./a {N}"], 2, "not both"),
            (["ge", "--time", "run"], 2, "go with --command"), (["--command", "/bin/true {N}"], 5, "did not call MPI_Init"),
            (["--command", late + " {N}", "--time", "time ([0-9]+)"], 5, "no line of its output"),
            (["--command", f"{PROGRAMS}/cg {{N}} 5", "--time", "region"], 5, "marked no region"),
            (["--command", f"{PROGRAMS}/calls abort {{N}}"], 5, "exit status"),
            (["--command", "/bin/sleep {N}", "--limit", "0.2"], 5, "more than 0.2 s"),
            (["--command", "mpiexec -n 2 ./a {N}"], 2, "mpiexec is a launcher, and isocast starts one itself"),
            (["--command", "A=1 ./a {N}"], 2, "a variable of the environment is given by --environment A=1"),
            (["--command", "/bin/sleep {N}", "--limit", "0"], 2, "--limit must be above 0"),
            (["--command", "./a {N}", "--folder", "here.yaml"], 2, "--folder: here.yaml is no folder"),
            (["--command", "./here.yaml {N}"], 5, "./here.yaml did not start: its file may not be executed"),
            (["--command", "./a {N}", "--folder", ".."], 5, "./a did not start: here is no program of that name\n")):
        done = run(base + words + ["-o", "bad.csv"], folder, status)
        check(said in done.stderr, f"{words}: {done.stderr}")
    check(not [name for name in os.listdir(folder) if ".run" in name], "a folder of a run is left behind")


def test_derive(folder):
    """Formulas from 1, 2 and 4 processes hold on 9 and 16, at other sizes."""
    few = [(1, 40), (2, 40), (2, 61), (2, 90), (4, 40), (4, 61), (4, 90)]
    for program, sites, more in (("jacobi", 11, [(9, 77), (16, 131)]), ("cg", 6, [(9, 77)])):
        made, held_out = [], []
        for processes, N in few + more:
            name = f"{program}-{N}-{processes}.csv"
            record([f"{PROGRAMS}/{program}", str(N), "2"], folder, processes, name=name)
            held_out += [name] if processes > 4 else []
            made += [name] if processes <= 4 else []
        done = run(["derive"] + made + ["--hold-out"] + held_out + ["--size", "side=1", "-o", f"{program}.yaml"], folder)
        check(f"of {sites} sites (lines that send by MPI) {sites} are exact: steps make all their calls in 7 records" in done.stderr, done.stderr)
        check(f"of {sites} sites {sites} are exact in {len(more)} record" in done.stderr, done.stderr)
        run(["check", f"{program}.yaml"], folder)
    with open(os.path.join(folder, "jacobi.yaml"), encoding="utf-8") as file:
        text = re.sub("\n {4,}", " ", file.read())  # each formula in one line
    # Both halves of a halo are under way together in each turn.
    for line in ("- for: turn = 1..2 ", "- grid: {", "ends: open}", "- finish: messages_1 ", "bytes: 8 B * ceil(side/rows)"):
        check(line in text, f"no {line} in\n{text}")
    # Records of two programs do not go together.
    done = run(["derive", "jacobi-40-1.csv", "cg-40-2.csv", "jacobi-61-4.csv"], folder, 3)
    check("a record of another program" in done.stderr, done.stderr)


def test_callers(folder):
    """What led to a call belongs to its site; a function that calls itself, and one way of several to one call, are none."""
    program, names = [f"{PROGRAMS}/callers"], []
    for p, N, turns in ((1, 100, 3), (2, 100, 3), (2, 150, 5), (3, 70, 4), (4, 100, 3), (4, 90, 6)):
        names.append(f"{p}-{N}-{turns}.csv")
        lines, _ = record(program + [str(N), str(turns)], folder, p, name=names[-1])
    ways = {site: caller for site, caller in lines["caller"]}

    def way(site):
        frame, functions = ways.get(site), []
        while frame:
            _, function, _, _, _, _, caller = lines["frame"][int(frame)]
            functions, frame = functions + [function], caller
        return functions

    found = collections.Counter((row[1], *way(row[0])) for row in lines["site"])
    for what, times in ((("exchange", "main"), 2), (("add", "main"), 2), (("give", "share", "start", "main"), 2),
                        (("descend", "main"), 1), (("descend", "descend", "main"), 1), (("main",), 2)):
        check(found[what] == times, f"{times} sites in {what} are expected, there are {found[what]}:\n{found}")
    held_out = names.pop()
    done = run(["derive"] + names + ["--hold-out", held_out, "-o", "callers.yaml"], folder)
    check("of 7 sites (lines that send by MPI) 7 are exact" in done.stderr, done.stderr)
    check("of 7 sites 7 are exact in 1 record" in done.stderr, done.stderr)
    with open(os.path.join(folder, "callers.yaml"), encoding="utf-8") as file:
        text = file.read()
    for line in ("bytes: 8 B * N", "bytes: 16 B * N"):
        check(line in text, f"no {line} in\n{text}")
    # Older records have no callers: then none of the others is held against them.
    for name in names[:2]:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            kept = [line for line in file if not re.match("frame,|caller,|lines,", line)]
        write(os.path.join(folder, name), "".join(kept))
    done = run(["derive"] + names + ["-o", "older.yaml"], folder)
    check(re.search(r"of 4 sites \(lines that send by MPI\)", done.stderr), done.stderr)


MACHINE = """machine: here
nodes: {node: {count: 1, processors: 8, marked_speed: 3 Gflop/s, memory: 4 GB}}
operations: {T_bcast: 1 us*log2(p), T_allreduce: 1 us*log2(p)}
"""


def test_shares(folder):
    """T is held out, and its error stands in the file and in predictions; so does what the records do not reach."""
    for kind in ("weak", "serial"):
        for processes in (1, 2, 3, 4):
            for N in (400, 800, 1200):
                record([f"{PROGRAMS}/shares", kind, str(N)], folder, processes, name=f"{kind}-{N}-{processes}.csv")
        records = [f"{kind}-{N}-{p}.csv" for p in (1, 2, 3, 4) for N in (400, 800, 1200)]
        done = run(["derive"] + records + ["--size", "N=2", "-o", f"{kind}.yaml"], folder)
        check("held out, T_c is predicted " in done.stderr and " at p = 4, N = 1200: " in done.stderr, done.stderr)
        check("held out, T was not compared: derive was given no machine" in done.stderr, done.stderr)
        check("the speed of the recorded processor is not known" in done.stderr, done.stderr)
        with open(os.path.join(folder, f"{kind}.yaml"), encoding="utf-8") as file:
            text = re.sub("\n {4,}", " ", file.read())  # each formula in one line
        check("\nrecorded: {p: [1, 2, 3, 4], N: [400, 800, 1200], marked_speed: unknown}\n" in text, text)
        check(re.search(r"\nheld_out:\n  T_c: \{p: 4, N: 1200, error: \S+ %\}.*\n  T: \"derive was given no machine", text), text)
    write(os.path.join(folder, "here.yaml"), MACHINE)
    # A flop of the work is a nanosecond of the records: how much that may be off is said.
    done = run(["predict", "weak.yaml", "here.yaml", "--at", "N=2400", "--to", "8", "--format", "csv"], folder)
    check("the computing counts as 3 times as fast on 'here'" in done.stderr, done.stderr)
    check("p = 8 is 2 times the largest one that was recorded, N = 2400 is 2 times" in done.stdout, done.stdout)
    done = run(["derive"] + [f"weak-{N}-{p}.csv" for p in (1, 2, 3, 4) for N in (400, 800, 1200)] +
               ["--size", "N=2", "--machine", "here.yaml", "-o", "weak.yaml"], folder)
    check(re.search("held out, T (is predicted .* at p = [234], N = [0-9]+: |was not compared: in no record)", done.stderr), done.stderr)
    # The speed that the file is written for changes nothing of T on the machine of the records.
    other = run(["derive"] + [f"weak-{N}-{p}.csv" for p in (1, 2, 3, 4) for N in (400, 800, 1200)] +
                ["--size", "N=2", "--machine", "here.yaml", "--marked-speed", "1 Gflop/s", "-o", "other.yaml"], folder)
    held = [[line for line in text.splitlines() if "held out, T " in line] for text in (done.stderr, other.stderr)]
    check(held[0] == held[1] != [], held)
    # Where more processes ran than the machine has processors, T is not compared.
    write(os.path.join(folder, "one.yaml"), re.sub("processors: *[0-9]+", "processors: 1", MACHINE))
    one = run(["derive"] + [f"weak-{N}-{p}.csv" for p in (1, 2, 3, 4) for N in (400, 800, 1200)] +
              ["--size", "N=2", "--machine", "one.yaml", "-o", "one-node.yaml"], folder)
    check("held out, T was not compared: in no record of several processes" in one.stderr, one.stderr)
    # Runs state T of more processes than the machine of the records has.
    write(os.path.join(folder, "runs.csv"), "system,p,N,T\n8,8,2400,2\n8,8,2400,3\n8,8,2400,2.5\n4,4,2400,1\n")
    reported = run(["derive"] + [f"weak-{N}-{p}.csv" for p in (1, 2, 3, 4) for N in (400, 800, 1200)] +
               ["--size", "N=2", "--machine", "here.yaml", "--runs", "runs.csv", "-o", "reported.yaml"], folder)
    check(re.search("held out, T is predicted .* at p = 8, N = 2400 on here: .* for 2.5 s; runs there differ by 50.0 %\n", reported.stderr), reported.stderr)
    with open(os.path.join(folder, "reported.yaml"), encoding="utf-8") as file:
        check(re.search(r"\n  T: \{p: 8, N: 2400, on: here, error: \S+ %, runs_differ_by: 50.0 %\}\n", file.read()), reported.stderr)
    done = run(["predict", "reported.yaml", "here.yaml", "--at", "N=800", "--to", "4", "--format", "table"], folder)
    check(re.search(r"T was off by \S+ % at p = 8, N = 2400 on here, where runs differ by 50.0 %", done.stdout), done.stdout)
    for words, said in ((["--runs", "runs.csv"], "--runs needs the machine or the platform"),
                        (["--machine", "here.yaml", "--platform", "ethernet-128"], "exclude each other"),
                        (["--cache", "c"], "--cache and --no-cache go with --platform")):
        done = run(["derive", "weak-400-1.csv"] + words, folder, 2)
        check(said in done.stderr, done.stderr)
    done = run(["derive"] + [f"weak-{N}-{p}.csv" for p in (1, 2, 3, 4) for N in (400, 800, 1200)] +
               ["--size", "N=2", "--platform", "ethernet-128", "-o", "none.yaml"], folder)
    check("held out, T was not compared: derive was given no runs on the platform (--runs)" in done.stderr, done.stderr)
    for command in ("predict", "explain"):
        done = run([command, "weak.yaml", "here.yaml", "--at", "N=800", "--to", "4", "--format", "table"], folder)
        check("whose speed is not known" not in done.stderr and "was recorded" not in done.stdout, done.stdout + done.stderr)
        check("Records held out when the formulas were derived: T_c was off by " in done.stdout, done.stdout)
    done = run(["predict", "weak.yaml", "here.yaml", "--at", "N=800", "--to", "4", "--format", "json"], folder)
    check(json.loads(done.stdout)["provenance"]["algorithm"]["held_out"].startswith("T_c was off by"), done.stdout)


def test_sweeps(folder):
    """What T depends on by the order of calls: pipelines that fill once or in each sweep, and fences."""
    wanted = {
        "heat": ["- for: turn = 1..M ", "- send: {to: rank "],
        "wavefront": ["- pass: {by: 1, bytes: 8 B", "allreduce: {bytes: 8 B}"],
        "fence": ["- win_fence: {}", "- put: {to: "],
    }
    for way, texts in wanted.items():
        made = []
        for processes in range(1, 5):
            for N, sweeps in ((1000, 5), (2000, 8), (3500, 13)):
                name = f"{way}-{N}-{processes}.csv"
                record([f"{PROGRAMS}/sweeps", way, str(N), str(sweeps)], folder, processes, name=name)
                made.append(name)
        done = run(["derive"] + made + ["-o", f"{way}.yaml"], folder)
        check("messages and bytes of 12 of 12 records" in done.stderr, done.stderr)
        run(["check", f"{way}.yaml"], folder)
        with open(os.path.join(folder, f"{way}.yaml"), encoding="utf-8") as file:
            text = re.sub("\n {4,}", " ", file.read())  # each formula in one line
        for wanted_text in texts:
            check(wanted_text in text, f"no {wanted_text} in\n{text}")


HOSTILE = """#!/bin/sh
folder=$(ls -d *.parts-*)
case $1 in
fifo) mkfifo "$folder/part-000001";;
wait) mkfifo "$folder/part-000001"; touch waiting; sleep 600;;
link) rm -r "$folder" && ln -s "$2" "$folder";;
esac
"""


def test_hostile(folder):
    """A program that leaves a pipe among its parts, or a link in place of their folder."""
    write(os.path.join(folder, "hostile.sh"), HOSTILE, 0o755)
    done = run(["record", "-o", "r.csv", "--", "mpiexec.mpich", "-n", "1", "./hostile.sh", "fifo"], folder, 5)
    check("no process could leave what it did" in done.stderr, done.stderr)
    check(not [name for name in os.listdir(folder) if "parts" in name], os.listdir(folder))
    os.mkdir(os.path.join(folder, "kept"))
    write(os.path.join(folder, "kept", "part-000000"), "mine")
    done = run(["record", "-o", "r.csv", "--", "mpiexec.mpich", "-n", "1", "./hostile.sh", "link", os.path.join(folder, "kept")], folder,
               5)
    check(os.listdir(os.path.join(folder, "kept")) == ["part-000000"], "a file behind a link was removed")
    with subprocess.Popen([ISOCAST, "record", "-o", "w.csv", "--", "mpiexec.mpich", "-n", "1", "./hostile.sh", "wait"], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while child.poll() is None and not os.path.exists(os.path.join(folder, "waiting")):
            time.sleep(0.05)
        child.send_signal(signal.SIGTERM)
        ended = child.wait()
    check(ended in (-signal.SIGTERM, 5), f"SIGTERM beside a pipe: {ended}")
    check(not [name for name in os.listdir(folder) if "w.csv" in name], f"left after SIGTERM: {os.listdir(folder)}")


def main():
    tests = {name[5:]: value for name, value in globals().items() if name.startswith("test_")}
    for name in sys.argv[3:] or tests:
        with tempfile.TemporaryDirectory() as folder:
            tests[name](folder)
    print("\n".join(failures) or "as expected")
    sys.exit(1 if failures else 0)


main()
