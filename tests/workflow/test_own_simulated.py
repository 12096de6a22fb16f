#!/usr/bin/env python3
"""A program on the exported platform takes the time that it takes through isocast measure; programs that isocast cc built
may be written in C++ and Fortran as well.

    test_own_simulated.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""
import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from common import SOURCE, expect, expect_run, finish, write

PLATFORM = """platform: own
nodes: {node: {count: 6, processors: 2, speed: 1 Gflop/s}}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 1 ms%s}
"""
FACTORS = ", eager_limit: 100 B, latency_factor: {0 B: 1.7, 1 KiB: 3}, bandwidth_factor: {0 B: 0.4, 1 KiB: 0.7}"
# Process 0 waits for a message that nobody sends; the simulator ends with status 0.
WAITS = """#include <mpi.h>
int main(int argc, char **argv) {
    int rank, word;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""
# Each process gets what the others sent; T of its region is less than that of the run.
TURNS = """program turns
  use mpi
  implicit none
  integer :: error, rank, p, n, got
  character(len=20) :: word
  integer, allocatable :: out(:), in(:)
  call MPI_Init_thread(MPI_THREAD_FUNNELED, got, error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, p, error)
  call get_command_argument(1, word)
  read (word, *) n
  allocate(out(n * p), in(n * p))
  out = rank
  call MPI_Pcontrol(1)
  call MPI_Alltoall(out, n, MPI_INTEGER, in, n, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Pcontrol(0)
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (in(n) /= 0 .or. in(n * p) /= p - 1) call MPI_Abort(MPI_COMM_WORLD, 3, error)
  call MPI_Finalize(error)
end program
"""
OBJECTS = """#include <mpi.h>
#include <vector>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::vector<double> all(1000, 1.0);
    MPI_Bcast(all.data(), 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""
# Makes communicators in all the ways in which the simulator goes on timing.
MAKES = """#include <mpi.h>
int main(int argc, char **argv) {
    int p, sides[2] = {0, 0}, ring[2] = {0, 0}, kept[2] = {1, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm grid, line, again, informed, few;
    MPI_Group group;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Dims_create(p, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, ring, 0, &grid);
    MPI_Cart_sub(grid, kept, &line);
    MPI_Comm_dup(grid, &again);
    MPI_Comm_dup_with_info(grid, MPI_INFO_NULL, &informed);
    MPI_Comm_group(grid, &group);
    MPI_Comm_create(grid, group, &few);
    MPI_Barrier(few);
    MPI_Finalize();
}
"""
MAKES_IN_FORTRAN = """program makes
  use mpi
  implicit none
  integer :: error, p, grid, line, again, few, group, sides(2)
  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, p, error)
  sides = 0
  call MPI_Dims_create(p, 2, sides, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, sides, (/ .false., .false. /), .false., grid, error)
  call MPI_Cart_sub(grid, (/ .true., .false. /), line, error)
  call MPI_Comm_dup(grid, again, error)
  call MPI_Comm_group(grid, group, error)
  call MPI_Comm_create(grid, group, few, error)
  call MPI_Barrier(few, error)
  call MPI_Finalize(error)
end program
"""
# How much more computing costs then: what the simulator computes itself would take a second, and what the program computes
# on a busy machine takes a tenth.
SLOW = 300
SIZED = """algorithm: sized
size: {n: {description: numbers}}
work: 100*n
overhead: {start: 0 s}
"""
# What it computes takes 1.5 ns/flop on all systems, by what it prints.
PRINTS = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (rank == 0) printf("took %.9g s\\n", 1.5e-9 * 100 * atof(argv[1]) / p);
    MPI_Finalize();
}
"""
KERNEL = "kernel: sized\nmemory: 8 B*n/p\n"
# Processor time of the program is part of T: latency is long enough for that to be little.
SAME = 0.05


def check_same(folder, more, system):
    write(folder, "own.yaml", PLATFORM % more)
    runs = os.path.join(folder, "runs.csv")
    expect_run(0, "measure", "--command", "./plain {N}", "--time", "took (.*) s", "--platform", "own.yaml", "--systems", system,
               "--sizes", "64,100000", "--repetitions", "1", "-o", runs, cwd=folder)
    expect_run(0, "export", "simgrid", "own.yaml", "--system", system, "-o", "own.xml", "--hosts", "hosts", cwd=folder)
    with open(runs) as file:
        rows = sorted(csv.DictReader(file), key=lambda row: int(row["N"]))
    os.unlink(runs)
    for row in rows:
        plain = subprocess.run(["smpirun", "-np", row["p"], "-platform", "own.xml", "-hostfile", "hosts", "--log=root.thresh:error",
                                "./plain", row["N"]], cwd=folder, capture_output=True, text=True)
        took = re.search(r"took (\S+) s", plain.stdout)
        ratio = float(took.group(1)) / float(row["T"]) if took else 0
        expect(abs(ratio - 1) < SAME, "%s on %s%s: plain smpirun takes %g of the time" % (row["N"], system, more, ratio))
    return [float(row["T"]) for row in rows]


def times_of(folder, command, *more, repetitions=1):
    """T in s on 3 and 8 processes, by p: the shortest of some repetitions, as computing is part of it and the machine may be busy."""
    runs = os.path.join(folder, "times.csv")
    expect_run(0, "measure", "--command", command, "--platform", "own.yaml", "--systems", "3,8", "--sizes", "10000", "--repetitions",
               repetitions, "-o", runs, *more, words="%d runs added" % (2 * repetitions), cwd=folder)
    T = {}
    with open(runs) as file:
        for row in csv.DictReader(file):
            T[row["p"]] = min(float(row["T"]), T.get(row["p"], float("inf")))
    os.unlink(runs)
    return T


def check_languages(folder):
    write(folder, "objects.cpp", OBJECTS)
    expect_run(0, "cc", "-O2", "-o", "objects", "objects.cpp", cwd=folder)
    write(folder, "sized.yaml", SIZED)
    T = times_of(folder, "./objects {n}", "--algorithm", "sized.yaml")
    expect(T["8"] > T["3"] > 1e-3, "a broadcast in C++ takes %s" % T)
    if shutil.which("gfortran") is not None:
        write(folder, "turns.f90", TURNS)
        expect_run(0, "cc", "-O2", "-o", "turns", "turns.f90", cwd=folder)
        whole = times_of(folder, "./turns {N}")
        region = times_of(folder, "./turns {N}", "--time", "region")
        expect(all(1e-3 < region[p] < whole[p] for p in whole), "an exchange in Fortran takes %s of %s" % (region, whole))


# Process 1 asks for a message again and again while process 0 computes.
ASKS = """#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, word = 0, found = 0, piece = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    while (rank == 1 && !found) {
        MPI_Test(&request, &found, MPI_STATUS_IGNORE);
        if (piece++ < PIECES) usleep(100);
    }
    if (rank == 0) usleep(50000);
    if (rank == 0) MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
"""


def check_files(folder):
    """Compiled files and programs have the names that compilers give them, and compiled Fortran and C++ are linked with their libraries."""
    reported = expect_run(0, "cc", "-c", "objects.cpp", cwd=folder)
    expect(b"-fno-semantic-interposition" in reported.stderr, "functions of the program are not inlined: %s" % reported.stderr)
    expect_run(0, "cc", "-o", "linked", "objects.o", cwd=folder)
    if shutil.which("gfortran") is not None:
        for name, text in (("one.f", "      subroutine one\n      print *, 'one'\n      end\n"), ("two.f03", TURNS)):
            write(folder, name, text)
        expect_run(0, "cc", "-c", "one.f", "two.f03", cwd=folder)
        expect_run(0, "cc", "one.o", "two.o", cwd=folder)
        made = set(os.listdir(folder))
        expect({"one.o", "two.o", "a.out"} <= made and ".o" not in made, "makes %s" % sorted(made))
        expect(times_of(folder, "./a.out {N}")["3"] > 1e-3, "a linked program in Fortran does not exchange")


def check_hints(folder):
    """Who is to blame: a hint names only what is wrong."""
    measured = ["--platform", "own.yaml", "--systems", "2", "--sizes", "1", "--repetitions", "1", "-o", "hints.csv"]
    write(folder, "asks.c", ASKS)
    write(folder, "fails.c", ASKS.replace("int rank, word", "return 3; int rank, word").replace("PIECES", "0"))
    write(folder, "run.sh", "#!/bin/sh\nexec ./asks $1\n")
    os.chmod(os.path.join(folder, "run.sh"), 0o755)
    for name in ("asks", "fails"):
        expect_run(0, "cc", "-O2", "-DPIECES=0", "-o", name, name + ".c", cwd=folder)
    subprocess.run(["smpicc", "-o", "other", "fails.c"], cwd=folder, check=True)
    expect_run(5, "measure", "--command", "./run.sh {N}", *measured, words="it is a script", cwd=folder)
    expect_run(5, "measure", "--command", "sh run.sh {N}", *measured, words="--command './jacobi {N} 100'; --folder stands for", cwd=folder)
    expect_run(5, "measure", "--command", "./other {N}", *measured, words="was not built with 'isocast cc'", cwd=folder)
    built = expect_run(5, "measure", "--command", "./fails {N}", *measured, cwd=folder)
    expect(b"isocast cc'" not in built.stderr, "blames isocast cc: %s" % built.stderr)


def check_asking(folder):
    """A process that asks again and again waits as long as one that waits, and one that works between asking works as long as else."""
    write(folder, "waits-for.c", ASKS.replace("MPI_Test(&request, &found,", "found = 1, MPI_Wait(&request,"))
    write(folder, "asks.c", ASKS)
    write(folder, "probes.c", ASKS.replace("MPI_Test(&request,", "MPI_Iprobe(0, 0, MPI_COMM_WORLD,").replace("if (rank == 1) MPI", "if (0) MPI"))
    # Where computing costs a thousandth, a busy machine is none of T; as it is, it may be in the time of those that wait.
    for speed, least in (("1Mflop/s", -1e-5), ("1Gflop/s", float("-inf"))):
        T = {}
        for name, pieces in (("waits-for", 0), ("asks", 0), ("asks", 700), ("asks", 20), ("probes", 0)):
            expect_run(0, "cc", "-O2", "-DPIECES=%d" % pieces, "-o", "asking", name + ".c", cwd=folder)
            T[name, pieces] = times_of(folder, "./asking {N}", "--own-speed", speed, repetitions=3)["3"]
        expect(0.05 < T["waits-for", 0] < 0.06, "a message that leaves after 50 ms takes %g s" % T["waits-for", 0])
        for key, time in T.items():
            off = time - T["waits-for", 0]
            expect(least < off < 3e-4, "%s with %d pieces of work takes %g s more than waiting" % (*key, off))


def check_communicators(folder):
    """What the simulator computes while communicators are made is no computing of the program."""
    sources = {"makes.c": MAKES}
    if shutil.which("gfortran") is not None:
        sources["makes.f90"] = MAKES_IN_FORTRAN
    for name, text in sources.items():
        write(folder, name, text)
        expect_run(0, "cc", "-O2", "-o", "makes", name, cwd=folder)
        usual = times_of(folder, "./makes {N}", "--own-speed", "1Gflop/s")
        slow = times_of(folder, "./makes {N}", "--own-speed", "%dGflop/s" % SLOW, repetitions=3)
        expect(all(slow[p] < 3 * usual[p] for p in usual), "%s takes %s, and %s where computing is slow" % (name, usual, slow))


# Each of 4 processes of a node exchanges blocks of argv[1] bytes with its neighbours, five times.
RING = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, p, n = atoi(argv[1]);
    MPI_Request both[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    char *out = malloc(n), *in = malloc(n);
    for (int i = 0; i < 5; i++) {
        MPI_Irecv(in, n, MPI_BYTE, (rank + p - 1) % p, 0, MPI_COMM_WORLD, &both[0]);
        MPI_Isend(out, n, MPI_BYTE, (rank + 1) % p, 0, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
}
"""
CACHED = """platform: caches
nodes: {node: {count: 1, processors: 4, speed: 1 Gflop/s, memory_bandwidth: 4 GB/s, sockets: 2%s}}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 1 ms, node_bandwidth: 4 GB/s, collectives: cray}
"""


def check_caches(folder):
    """Messages within a node: 4 processes have 8 blocks in hand. In caches of 64 MB each process copies at 4 GB/s, a message
    twice; from memory, of which a byte takes four, all have 1 GB/s together. At four times the caches 2 % of accesses hit."""
    write(folder, "ring.c", RING)
    expect_run(0, "cc", "-O2", "-o", "ring", "ring.c", cwd=folder)
    for cache, due in (("", {"4000000": 0.08, "32000000": 0.64}), (", cache: 32 MB", {"4000000": 0.01, "32000000": 0.63})):
        write(folder, "caches.yaml", CACHED % cache)
        expect_run(0, "measure", "--command", "./ring {N}", "--platform", "caches.yaml", "--systems", "4", "--sizes",
                   ",".join(due), "--repetitions", "1", "-o", "ring.csv", words="2 runs added", cwd=folder)
        with open(os.path.join(folder, "ring.csv")) as file:
            T = {row["N"]: float(row["T"]) for row in csv.DictReader(file)}
        os.unlink(os.path.join(folder, "ring.csv"))
        for size in due:
            expect(0.9 < T[size] / due[size] < 1.5, "%s B with%s: %g s, not %g" % (size, cache, T[size], due[size]))


def calibrate(folder, platform, output, status=0, words=""):
    expect_run(status, "calibrate", "--command", "./prints {n}", "--time", "took (.*) s", "--for", "timed.yaml", "--platform", platform,
               "--systems", "2x2,1x4,1x2", "--sizes", "1000,4000", "--repetitions", "2", "--no-cache", "-o", output, words=words, cwd=folder)


def check_time_per_flop(folder):
    """Simulated runs give the platform file the time per flop of a program, which predictions for it take."""
    write(folder, "prints.c", PRINTS)
    write(folder, "timed.yaml", SIZED + KERNEL)
    write(folder, "own.yaml", PLATFORM % "")
    expect_run(0, "cc", "-o", "prints", "prints.c", cwd=folder)
    calibrate(folder, "own.yaml", "timed-platform.yaml")
    with open(os.path.join(folder, "timed-platform.yaml")) as file:
        text = file.read()
    rows = re.findall(r" B: (.*) ns/flop", text)
    expect(text.startswith(PLATFORM % "") and len(rows) == 6 and all(abs(float(row.split()[0]) / 1.5 - 1) < 1e-6 for row in rows),
           "the platform file is %s" % text)
    for platform, T in (("own.yaml", 100 * 3000 / 6e9), ("timed-platform.yaml", 1.5e-9 * 100 * 3000 / 6)):
        expect_run(0, "predict", "timed.yaml", "--platform", platform, "--at", "n=3000", "--to", "6", "--format", "json", "-o", platform +
                   ".json", "--no-cache", cwd=folder)
        with open(os.path.join(folder, platform + ".json")) as file:
            row = json.load(file)["rows"][0]
        expect(abs(row["T"] / T - 1) < 1e-6, "T on %s is %s s, not %g s" % (platform, row["T"], T))
    calibrate(folder, "timed-platform.yaml", "again.yaml")
    with open(os.path.join(folder, "again.yaml")) as file:
        expect(file.read() == text, "a second calibration gives another file")
    write(folder, "beside.yaml", text.replace("sized:", "other:"))
    calibrate(folder, "beside.yaml", "both.yaml")
    with open(os.path.join(folder, "both.yaml")) as file:
        both = file.read()
    expect(all(re.search("^  \"?%s\"?:$" % name, both, re.M) for name in ("sized", "other")), "the file of both is %s" % both)
    braces = text[:text.index("compute:")] + "compute: {other: 2 ns/flop}\n"
    write(folder, "braces.yaml", braces)
    calibrate(folder, "braces.yaml", "none.yaml", 3, "a kernel cannot be added to a section in braces")
    expect(not os.path.exists(os.path.join(folder, "none.yaml")), "a failed calibration leaves a file")


def check_held_out(folder):
    """T of the largest point of simulated runs is compared with what the formulas give there, as predict does."""
    records = sorted(glob.glob(os.path.join(SOURCE, "tests", "cli", "files", "derive", "strips-*.csv")))
    write(folder, "own.yaml", PLATFORM % "")
    write(folder, "held.csv", "algorithm,system,p,N,T\nstrips,2x2,4,170,9\nstrips,8,8,170,0.5\nstrips,8,8,100,7\n")
    reported = expect_run(0, "derive", *records, "--marked-speed", "1Gflop/s", "--platform", "own.yaml", "--runs", "held.csv", "--no-cache",
                      "-o", "strips.yaml", words=" at p = 8, N = 170 on own: ", cwd=folder)
    expect_run(0, "predict", "strips.yaml", "--platform", "own.yaml", "--at", "N=170", "--to", "8", "--format", "json", "--no-cache", "-o",
               "strips.json", cwd=folder)
    with open(os.path.join(folder, "strips.json")) as file:
        T = json.load(file)["rows"][0]["T"]
    with open(os.path.join(folder, "strips.yaml")) as file:
        error = re.search(r"\n  T: {p: 8, N: 170, on: own, error: (\S+) %}\n", file.read())
    expect(error and abs(float(error.group(1)) - 100 * (T / 0.5 - 1)) < 0.06, "T is %s s, and held out: %s" % (T, reported.stderr))
    # A point of the records: the formulas are made without it and what is on more processes.
    write(folder, "held.csv", "system,p,N,T\n4,4,170,0.5\n")
    expect_run(0, "derive", *records, "--marked-speed", "1Gflop/s", "--platform", "own.yaml", "--runs", "held.csv", "--no-cache",
               "-o", "strips.yaml", words=" at p = 4, N = 170 on own: ", cwd=folder)
    write(folder, "held.csv", "system,N,T\n4,170,0.5\n")
    expect_run(0, "derive", *records, "--platform", "own.yaml", "--runs", "held.csv", "--no-cache", "-o", "strips.yaml",
               words="the runs do not say on how many processes they were", cwd=folder)


def main():
    if shutil.which("smpicc") is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(SOURCE, "tests", "programs", "exchange.c")
        subprocess.run(["smpicc", "-O2", "-o", "plain", source], cwd=folder, check=True)
        usual = check_same(folder, "", "2x2")
        factors = check_same(folder, FACTORS, "2x2")
        expect(all(abs(b / a - 1) > 0.1 for a, b in zip(usual, factors)), "factors change nothing: %s, %s" % (usual, factors))
        expect_run(0, "cc", "-O2", "-o", "corrected", source, cwd=folder)
        expect_run(0, "measure", "--command", "./corrected {N}", "--platform", "own.yaml", "--systems", "3,5,6", "--sizes", "40000",
                   "--repetitions", "1", "-o", "odd.csv", words="3 runs added", cwd=folder)
        check_languages(folder)
        check_files(folder)
        check_hints(folder)
        check_asking(folder)
        check_communicators(folder)
        check_caches(folder)
        check_time_per_flop(folder)
        check_held_out(folder)
        write(folder, "waits.c", WAITS)
        expect_run(0, "cc", "-o", "waits", "waits.c", cwd=folder)
        expect_run(5, "measure", "--command", "./waits {N}", "--platform", "own.yaml", "--systems", "3", "--sizes", "1",
                   "--repetitions", "1", "-o", "waits.csv", words="it did not come to MPI_Finalize on all of them", cwd=folder)
    finish()


main()
