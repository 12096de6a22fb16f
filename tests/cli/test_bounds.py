#!/usr/bin/env python3
"""Small files that once took minutes or gigabytes, and every bound of docs/reference/limits.md at its edge and over it.

    test_bounds.py ISOCAST SOURCE
"""

import os
import resource
import subprocess
import sys
import tempfile

ISOCAST = os.path.abspath(sys.argv[1])
SOURCE = os.path.abspath(sys.argv[2])
PATIENCE = 3600  # s; it waits for what never comes then
PROCESSOR = 100  # s of processor time; what is tested takes less than five, and took minutes
MEGABYTES = 700  # with sanitizers too
GE = os.path.join(SOURCE, "specs", "algorithms", "gaussian-elimination-published.yaml")
problems = []

ALGORITHM = "algorithm: a\nsize: {N: {min: 1}}\nwork: 2*N^3\n"
NODES = "nodes: {n: {count: 16, marked_speed: 1 Gflop/s}}\n"
MACHINE = "machine: m\n" + NODES + "operations:\n"
PLATFORM = "platform: p\nnodes:\n%snetwork: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 20 us%s}\n"


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))


def run(what, status, words, *arguments):
    """Runs isocast; the exit status, words of its messages, its memory and its time must be right."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([ISOCAST, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   start_new_session=True, preexec_fn=limit,
                                   env={**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=8"})
        try:
            timed = subprocess.Popen(["sh", "-c", "sleep %d; kill -9 %d" % (PATIENCE, process.pid)],
                                     start_new_session=True)
            _, ended, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(ended)
        finally:
            os.killpg(timed.pid, 9)
            timed.wait()
        out.seek(0)
        err.seek(0)
        output, said = out.read().decode(), err.read().decode()
    if process.returncode != status:
        problems.append("%s: exit status %d, not %d: %s" % (what, process.returncode, status, said[-600:]))
    if words not in said + output:
        problems.append("%s: does not say '%s': %s" % (what, words, (said + output)[:600]))
    if len(said) > 20000:
        problems.append("%s: %d bytes of messages" % (what, len(said)))
    if usage.ru_maxrss > MEGABYTES * 1024:
        problems.append("%s: %d MB" % (what, usage.ru_maxrss // 1024))
    return output


def grows_as_rows(what, status, rows, folder, *arguments):
    """Four times the rows may take about four times as long; it was sixteen. rows(count): the text of runs.csv."""
    times = []
    for count in (15000, 60000):
        write(folder, "runs.csv", rows(count))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run("%s, %d rows" % (what, count), status, "", *arguments)
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    if times[1] > 8 * times[0] + 0.5:
        problems.append("%s: %.2f s, and %.2f s with four times the rows" % (what, *times))


def check_runs(folder):
    plain = write(folder, "plain.yaml", ALGORITHM + "overhead: {a: 1 us*p}\n")
    negative = write(folder, "negative.yaml", "algorithm: a\nsize: {N: {min: 1}}\nwork: 100 - N\n")
    machine = write(folder, "machine.yaml", MACHINE + "  T_x: 1 us\n")
    runs = os.path.join(folder, "runs.csv")

    def rows(count, systems=(1, 2)):
        return "system,p,C,N,T\n" + "".join(
            "%d,%d,%de9,%d,%.3g\n" % (p, p, p, N, 2e-9 * N ** 3 / p + 1e-6 * N)
            for N in range(200, 200 + count // len(systems)) for p in systems)
    one = (2,)
    grows_as_rows("scalability", 4, lambda count: rows(count, one), folder, "scalability", runs, "--work", plain,
                  "--efficiency", "0.3")
    grows_as_rows("scalability without work", 3, lambda count: rows(count, one), folder, "scalability", runs, "--work",
                  negative, "--efficiency", "0.3")
    grows_as_rows("scalability with T(W,1)", 4, rows, folder, "scalability", runs, "--work", plain, "--metric",
                  "time-scale", "--efficiency", "0.3")
    write(folder, "runs.csv", rows(50000))
    run("50000 sizes", 0, "", "validate", plain, machine, runs)
    write(folder, "runs.csv", rows(50002))
    for question in (["validate", plain, machine, runs], ["explain", plain, machine, "--runs", runs],
                     ["validate", plain, machine, runs, "--fit", "t_c"]):
        run("50002 sizes", 3, "too many sizes to compare (at most 50000", *question)

    def systems(count):
        return "system,p,C,N,T\n" + "".join("s%d,2,1e9,100,1\n" % k for k in range(count))
    write(folder, "runs.csv", systems(20000))
    run("20000 systems", 4, "", "scalability", runs, "--work", plain, "--efficiency", "0.3", "--format", "json")
    write(folder, "runs.csv", systems(20001))
    run("20001 systems", 3, "too many systems (at most 20000", "scalability", runs, "--work", plain, "--efficiency", "0.3")
    os.remove(runs)  # measure goes on with a file of that name


def check_forecasts(folder):
    def check(what, status, words, head, line, count=200000):
        runs = write(folder, "runs.csv", head + "\n" + "".join(line(i) + "\n" for i in range(count)))
        output = run("forecast, " + what, status, words, "forecast", runs)
        os.remove(runs)
        return output
    T = ["%.6g" % (100 / 2 ** k + 1) for k in range(10)]
    check("a million rows", 0, "T on more processes", "p,T", lambda i: "%d,%s" % (2 ** (i % 10), T[i % 10]), 1000000)
    check("launches", 0, "T on more processes", "p,launch,repetition,T", lambda i: "%d,%d,%d,%s" % (2 ** (i % 10), i // 100, i % 10, T[i % 10]))
    check("as many p as rows", 0, "T on more processes", "p,T", lambda i: "%d,%.6g" % (i + 1, 100 / (i + 1) + 1))
    check("as many sizes as rows", 3, "more than 500 series", "p,N,T", lambda i: "%d,%d,%s" % (2 ** (i % 10), i // 10 + 1, T[i % 10]))
    check("one point", 3, "no series has runs on more than one p", "p,T", lambda i: "4,1", 1)
    check("one p", 3, "no series has runs on more than one p", "p,T", lambda i: "64,%d" % (1 + i % 7))
    check("no times", 3, "T must be above 0, this is 0", "p,T", lambda i: "%d,0" % 2 ** (i % 10))
    check("negative times", 3, "T must be above 0, this is -", "p,T", lambda i: "%d,-%d" % (2 ** (i % 10), i + 1))
    check("missing times", 3, "T must be a number, this is ''", "p,T", lambda i: "%d," % 2 ** (i % 10))
    check("two units", 3, "are units mixed?", "p,T", lambda i: "%d,%d" % (2 ** (i % 10), 1000 if i % 3 else 1))


def doubling(levels, first, second):
    """Operations each of which calls the next twice."""
    calls = "".join("  T_%d: T_%d(%s) + T_%d(%s)\n" % (i, i + 1, first, i + 1, second) for i in range(levels))
    return MACHINE + calls + "  T_%d: 1e-9 s/B*m\n" % levels


def check_operations(folder):
    uses = write(folder, "uses.yaml", ALGORITHM + "overhead: {a: T_0(8 B*N)}\n")
    alike = write(folder, "alike.yaml", doubling(60, "m", "m"))
    run("twice in 60 levels", 0, "ok", "check", alike)
    output = run("twice in 60 levels", 0, "", "predict", uses, alike, "--at", "N=100", "--to", "4", "--format", "csv")
    if "922337203685.4777" not in output:
        problems.append("2^60 calls of 800 ns are no such time: %s" % output)
    other = write(folder, "other.yaml", doubling(60, "m*1.5", "2*m"))
    run("60 levels with other arguments", 3, "operations", "predict", uses, other, "--at", "N=100", "--to", "4")
    constant = write(folder, "constant.yaml", ALGORITHM + "overhead: {a: T_0(8 B)}\n")
    many = MACHINE + "".join("  T_%d: T_%d(m*%g) + T_%d(2*m)\n" % (i, i + 1, 1 + i / 7, i + 1) for i in range(60))
    other = write(folder, "many.yaml", many + "  T_60: 1e-9 s/B*m\n")
    run("60 levels with constant arguments", 3, "become too long", "predict", constant, other, "--at", "N=100", "--to", "4")

    def chain(levels):
        return write(folder, "chain.yaml", MACHINE + "".join("  T_%d: T_%d(m)\n" % (i, i + 1) for i in range(levels)) +
                     "  T_%d: 1 us\n" % levels)
    run("a chain of calls", 0, "", "predict", uses, chain(5998), "--at", "N=100", "--to", "4")
    run("a longer chain of calls", 3, "nested too deeply (at most 6000", "predict", uses, chain(6000), "--at", "N=100",
        "--to", "4")


def check_definitions(folder):
    machine = write(folder, "machine.yaml", MACHINE + "  T_x: 1 us\n")
    lines = ["  d%d: d%d + 1\n" % (i, i - 1) for i in range(1, 5001)]
    for name, order in (("upwards", lines), ("downwards", lines[::-1])):
        chain = write(folder, "chain.yaml", ALGORITHM + "overhead: {a: 1 us*d5000}\ndefine:\n  d0: N\n" + "".join(order))
        run("5000 definitions " + name, 0, "ok", "check", chain)
        run("5000 definitions " + name, 0, "5.1", "predict", chain, machine, "--at", "N=100", "--to", "4")
    deep = "".join("  d%d: %sd%d%s\n" % (i, "(" * 150, i - 1, "+1)" * 150) for i in range(1, 201))
    chain = write(folder, "deep.yaml", ALGORITHM + "overhead: {a: 1 us*d200}\ndefine:\n  d0: N\n" + deep)
    run("200 deep definitions", 0, "", "predict", chain, machine, "--at", "N=100", "--to", "4")
    circle = write(folder, "circle.yaml", ALGORITHM + "overhead: {a: 1 us*d5000}\ndefine:\n  d0: d5000\n" + "".join(lines))
    run("a circle of 5001 definitions", 3, "d0 -> d5000 -> d4999", "check", circle)


def check_sums(folder):
    machine = write(folder, "machine.yaml", MACHINE + "  T_x: 1 us\n")
    for name, term in (("two", "sum(j, 1, 1e18, i*j - 64*floor(i*j/64))"),
                       ("three", "sum(j, 1, 1e18, sum(k, 1, 1e18, floor(17.3*log(i*j*k + N))))")):
        nested = write(folder, "sums.yaml", ALGORITHM + "overhead:\n  a: 1 us*sum(i, 1, 1e18, %s)\n" % term)
        for question in (["--at", "N=100"], ["--efficiency", "0.3"]):
            run("%s nested sums" % name, 4, "not-converged", "predict", nested, machine, *question, "--to", "4")
            many = MACHINE.replace("count: 16", "count: 1000") + "  T_x: 1 us\n"
            run("%s nested sums on many systems" % name, 4, "not-converged", "predict", nested,
                write(folder, "many.yaml", many), *question, "--to", "2..600")
        # Each try of an efficiency solves for every system.
        tries = write(folder, "tries.csv", "system,N,T\n" + "".join(
            "%d,%d,%r\n" % (p, N, 2e-9 * N ** 3 / p + 1e-6 * N ** 2) for p in range(2, 40) for N in (100, 200, 400, 800)))
        run("%s nested sums against runs" % name, 0, "", "validate", nested, write(folder, "many.yaml", many), tries)
    exact = write(folder, "exact.yaml", ALGORITHM + "overhead:\n  a: 1 us*sum(i, 1, 1e6, sum(j, 1, i, sum(k, 1, j, 1)))\n")
    run("three exact sums", 0, "", "predict", exact, machine, "--at", "N=100", "--to", "4")

    def sums(depth):
        text = "".join("sum(i%d, 1, 2, " % k for k in range(depth)) + "N" + ")" * depth
        return write(folder, "depth.yaml", ALGORITHM + "overhead:\n  a: 1 us*%s\n" % text)
    run("16 nested sums", 0, "", "predict", sums(16), machine, "--at", "N=100", "--to", "4")
    run("17 nested sums", 3, "sums are nested too deeply (at most 16)", "predict", sums(17), machine, "--at", "N=100",
        "--to", "4")


def check_formulas(folder):
    def check(what, status, words, formula):
        run(what, status, words, "check", write(folder, "formula.yaml", "algorithm: a\nsize: {N: {min: 1}}\nwork: " +
                                                formula + "\n"))
    check("199 brackets", 0, "ok", "(" * 199 + "N" + ")" * 199)
    check("200 brackets", 3, "nested too deeply (at most 200 levels)", "(" * 200 + "N" + ")" * 200)
    check("9999 operations", 0, "ok", "N" + "+N" * 4999)
    check("10001 operations", 3, "too long (at most 10000 operations)", "N" + "+N" * 5000)
    check("65536 bytes", 0, "ok", "N+" + " " * (65536 - 3) + "1")
    check("65537 bytes", 3, "too long (at most 65536 bytes)", "N+" + " " * (65537 - 3) + "1")


def check_yaml(folder):
    def check(what, status, words, text):
        run(what, status, words, "check", write(folder, "file.yaml", text))
    terms = "define:\n" + "".join("  t%d: 1 us\n" % i for i in range(10000))
    check("10000 keys", 0, "ok", ALGORITHM + terms)
    check("10001 keys", 3, "too many keys in one mapping (at most 10000)", ALGORITHM + terms + "  more: 1 us\n")
    terms = "overhead:\n" + "".join("  t%d: 1 us\n" % i for i in range(1000))
    check("1000 terms", 0, "ok", ALGORITHM + terms)
    check("1001 terms", 3, "too many overhead terms: at most 1000 are taken, these are 1001",
          ALGORITHM + terms + "  more: 1 us\n")
    parameters = "parameters:\n" + "".join("  q%d: 1 us\n" % i for i in range(1000))
    check("1000 parameters", 0, "ok", MACHINE + "  T_x: q0\n" + parameters)
    check("1001 parameters", 3, "too many parameters: at most 1000", MACHINE + "  T_x: q0\n" + parameters + "  q: 1 s\n")
    numbers = "parameters: {q: 1 us}\noperations:\n" + "".join("  T_x%d: {start: 1 us}\n" % i for i in range(999))
    head = MACHINE.replace("operations:\n", "")
    check("1000 numbers", 0, "ok", head + numbers)
    check("1001 numbers", 3, "too many numbers: at most 1000 parameters and numbers of operations are taken, these are 1001",
          head + numbers + "  T_x: {start: 1 us}\n")
    ranges = "".join("      - {from: %d B, start: 1 us}\n" % i for i in range(300))
    check("300 ranges", 3, "the formula is nested too deeply", MACHINE + "  T_x:\n    ranges:\n" + ranges)
    classes = "machine: m\nnodes:\n" + "".join("  n%d: {marked_speed: 1 Gflop/s}\n" % i for i in range(9999))
    mix = "systems: {all: \"" + "+".join("n%d:1" % i for i in range(9999)) + "\"}\n"
    check("a mix of 9999 classes", 0, "ok", classes + mix + "operations: {T_x: 1 us}\n")
    check("64 levels", 3, "unknown key 'x'", ALGORITHM + "x: " + "[" * 63 + "]" * 63 + "\n")
    check("65 levels", 3, "nested too deeply (at most 64 levels)", ALGORITHM + "x: " + "[" * 64 + "]" * 64 + "\n")
    few = 200000 - 13  # the others are the mappings, keys and values of ALGORITHM, and the list with its key
    check("200000 values", 3, "unknown key 'x'", ALGORITHM + "x: [" + "1," * (few - 1) + "1]\n")
    check("200001 values", 3, "too many values", ALGORITHM + "x: [" + "1," * few + "1]\n")
    full = 4 * 1024 * 1024
    check("4 MiB", 0, "ok", ALGORITHM + "#" * (full - len(ALGORITHM) - 1) + "\n")
    check("a byte more", 3, "is too large: it has", ALGORITHM + "#" * (full - len(ALGORITHM)) + "\n")
    check("a mapping of one key", 3, "given twice", ALGORITHM + "overhead:\n" + "  t: 1 us\n" * 10000)
    check("unknown names", 3, "more errors like",
          ALGORITHM + "define:\n" + "".join("  t%d: nn%d + mm%d\n" % (i, i, i) for i in range(10000)))
    check("an anchor", 3, "anchors (&name) are not used", ALGORITHM + "title: &x text\n")
    check("anchors", 3, "anchors (&name) are not used", ALGORITHM + "x: [" + "".join("&a%d 1," % i for i in range(90000)) + "1]\n")


def check_lists(folder):
    machine = write(folder, "machine.yaml", "machine: m\nnodes: {n: {count: 1e9, marked_speed: 1 Gflop/s}}\n"
                    "operations:\n  T_x: 1 us\n")
    algorithm = write(folder, "algorithm.yaml", ALGORITHM)
    run("100000 systems", 0, "", "predict", algorithm, machine, "--at", "N=100", "--to", "1..100000", "--format", "csv")
    for systems in ("1..100001", "2..1e9", "1,2..1e9"):
        run("--to " + systems, 2, "the list is too long (at most 100000 entries)", "predict", algorithm, machine, "--at",
            "N=100", "--to", systems)


def check_tables(folder):
    rows = "algorithm,system,p,C,N,T\n" + '"","","","","",""\n' * 165000
    runs = write(folder, "quoted.csv", rows)
    full = 4 * 1024 * 1024
    large = write(folder, "large.csv", "algorithm,system,p,C,N,T\n" + "#" * full)
    run("runs over 4 MiB", 3, "large.csv: error: is too large: it has %d bytes, at most %d are read" % (full + 25, full),
        "scalability", large, "--work", GE, "--efficiency", "0.3")
    run("165000 quoted rows", 3, "", "scalability", runs, "--work", GE, "--efficiency", "0.3")
    run("a quote that never ends", 3, "", "scalability", write(folder, "open.csv", 'system,N,T\n"' + '1,2,3\n' * 500000),
        "--work", GE, "--efficiency", "0.3")
    timings = "operation,p,m,launch,seconds\n" + "".join("T_x,4,%d,0,%g\n" % (8 << k, 1e-6 * (1 + k)) for k in range(10))
    run("a line of 65536 bytes", 0, "", "fit-operations", write(folder, "line.csv", timings + "#" * 65535 + "\n"))
    run("a line of 65537 bytes", 3, "line.csv:12:1: error: a line longer than 65536 bytes", "fit-operations",
        write(folder, "line.csv", timings + "#" * 65537 + "\n"))
    run("a device", 3, "a line longer than 65536 bytes", "fit-operations", "/dev/zero")


def check_offers(folder):
    machine = write(folder, "offered.yaml", "machine: m\nnodes: {n: {count: 1e15, marked_speed: 1 Gflop/s, price: 1 EUR}}\n"
                    "operations: {T_x: 1 us}\n")
    algorithm = write(folder, "algorithm.yaml", ALGORITHM + "overhead: {a: T_x()*p}\n")
    question = ["--at", "N=1000", "--budget", "1e30 EUR"]
    run("10^15 nodes", 0, "Buy", "offers", algorithm, machine, *question)
    run("10^100 nodes of an offer", 3, "offers.csv:2:10: error: count must be at most 1e+15, this is 1e+100", "offers", algorithm,
        write(folder, "offers.csv", "offer,count,class,machine\nmany:one,1e100,n,%s\n" % machine), *question)
    huge = write(folder, "huge.yaml", "machine: m\nnodes: {n: {count: 1e100, marked_speed: 1 Gflop/s, price: 1 EUR}}\n"
                 "operations: {T_x: 1 us}\n")
    for command in (["check", huge], ["offers", algorithm, huge, *question]):
        run("10^100 nodes", 3, "count must be at most 1e+15, this is 1e+100", *command)
    run("10^100 nodes by --set", 2, "must be at most 1e+15", "predict", algorithm, machine, "--set", "n.count=1e100", "--at", "N=100",
        "--to", "4")
    for what, header, row, words in (
            ("offers", "offer,machine", "o%d,sunwulf", "offers.csv:18:1: error: more than 16 offers"),
            ("classes", "offer,machine,class,count", "o,sunwulf,c%d,3", "offers.csv:18:11: error: more than 16 node classes"),
            ("steps", "offer,machine,step,step_nodes,step_price", "o,sunwulf,s,%d,3", "offers.csv:18:11: error: more than 16 steps")):
        table = header + "\n" + "".join(row % i + "\n" for i in range(150000))
        run("150000 " + what, 3, words, "offers", algorithm, write(folder, "offers.csv", table), *question)
    run("17 offers", 3, "too many offers: at most 16 are taken, these are 17", "check",
        write(folder, "offers.yaml", "offers: x\nlist:\n" + "".join("  o%d: {machine: sunwulf}\n" % i for i in range(17))))


def check_inputs(folder):
    """What a file names is a plain file; what waits, or has no end, is refused before it is read."""
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    algorithm = write(folder, "algorithm.yaml", ALGORITHM)
    for named, words in ((pipe, "pipe: error: is a pipe, not a file"), ("/dev/zero", "/dev/zero: error: is a device, not a file"),
                         ("/dev/stdin", "/dev/stdin: error: is "), (folder, "is a folder, not a file")):
        offers = write(folder, "offers.yaml", "offers: x\nlist: {one: {machine: %s}}\n" % named)
        run("an offer of " + named, 3, words, "offers", algorithm, offers, "--at", "N=100", "--budget", "1 EUR")
        twin = write(folder, "twin.yaml", "machine: m\n" + NODES + "operations: {T_x: 1 us}\ncalibration: {samples: %s}\n" % named)
        run("samples in " + named, 3, words, "calibrate", "--twin", twin, "-o", os.path.join(folder, "out.yaml"))
    samples = os.path.join(folder, "samples.csv")
    with open(samples, "w") as file:
        file.write("launch,operation,p,m,index,seconds,stop,oversubscribed,nodes,p_node\n")
        file.truncate(3 << 30)
    twin = write(folder, "twin.yaml", "machine: m\n" + NODES + "operations: {T_x: 1 us}\ncalibration: {samples: samples.csv}\n")
    run("samples of 3 GiB", 3, "is too large: it has 3221225472 bytes, at most 134217728 are read", "calibrate", "--twin", twin, "-o",
        os.path.join(folder, "out.yaml"))
    for name, head in (("sweep.csv", "# isocast.sweep/1\n"), ("sweep.json", '{"schema": "isocast.sweep/1"}\n')):
        endless = write(folder, name, head)
        os.truncate(endless, 1 << 30)
        run("a sweep with an endless line", 3, name + ":2:1: error: this line is longer than 1048576 bytes", "plot", endless, "-o", "-")
    timings = "operation,p,m,launch,seconds\n" + "".join("T_x%d,4,8,0,1e-6\n" % i for i in range(20000))
    run("20000 operations", 3, "timings.csv:1002:1: error: there are more than 1000 operations", "fit-operations",
        write(folder, "timings.csv", timings))


def check_records(folder):
    def record(sites):
        lines = ["record,1", "isocast,0.13.0", "date,2026-11-22T07:30:00Z", "program,./a", "hash,sha256:51", "argument,100",
                 "processes,1", "end,complete"]
        lines += ["site,%d,f,a.c,%d,/home/ada/a,%d" % (i, 10 + i, 16 * i) for i in range(sites)]
        lines += ["communicator,0,MPI_COMM_WORLD,,,,0-0,,", "process,0,here,0.05,0.05,0.0001,0,0,0,complete"]
        return write(folder, "record.csv", "\n".join(lines) + "\n")
    run("2001 call sites", 3, "record.csv:2009:6: error: the record has 2001 call sites; at most 2000 are taken", "derive", record(2001))


def check_platforms(folder):
    classes = "  a: {count: 3000, speed: 1 Gflop/s}\n  b: {count: 3000, speed: 2 Gflop/s}\n"
    mix = write(folder, "mix.yaml", PLATFORM % (classes, ", backplane_bandwidth: 10 Gbit/s"))
    output = run("6000 nodes of two classes", 0, "", "export", "simgrid", mix)
    if not 1e6 < len(output) < 4e6:
        problems.append("6000 nodes of two classes are %d bytes" % len(output))
    huge = write(folder, "huge.yaml", PLATFORM % ("  a: {count: 1e9, speed: 1 Gflop/s}\n", ""))
    hosts = os.path.join(folder, "hosts")
    run("200000 processes", 0, "", "export", "simgrid", huge, "--system", "200000", "--hosts", hosts)
    for system in ("200001", "100000000"):
        run(system + " processes", 2, "files for the simulator are written for at most 200000", "export", "simgrid", huge,
            "--system", system, "--hosts", hosts)
    if os.path.exists(os.path.join(os.path.dirname(ISOCAST), "../libexec/isocast/isocast-kernel-simulated")):
        run("measuring with 100000000 processes", 2, "at most 200000", "measure", "ge", "--platform", huge, "--systems",
            "100000000", "--sizes", "100", "-o", os.path.join(folder, "runs.csv"))
    run("more processes than the platform has", 2, "takes more than platform", "export", "simgrid", mix, "--system", "a:100000000")

    def factors(count):
        steps = ", ".join("%d B: 1" % (64 * i) for i in range(count))
        return write(folder, "factors.yaml", PLATFORM % ("  a: {count: 2, speed: 1 Gflop/s}\n",
                                                         ", latency_factor: {%s}" % steps))
    run("16 factors", 0, "ok", "check", factors(16))
    run("17 factors", 3, "takes 1 to 16 sizes", "check", factors(17))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for check in (check_operations, check_definitions, check_sums, check_formulas, check_yaml, check_lists,
                      check_tables, check_runs, check_forecasts, check_offers, check_inputs, check_records, check_platforms):
            check(folder)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
