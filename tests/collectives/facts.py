#!/usr/bin/env python3
"""Recorded messages of the collective operations of MPI libraries, and whether isocast's are the same.

    facts.py check LIST_MESSAGES FACTS...   lists the messages of all cases of the files and compares them
    facts.py record mpich|openmpi FACTS     records those of the library that is installed here, and writes the file
    facts.py differ LIST_MESSAGES mpich|openmpi P EACH OPERATION:BYTES...
                                            prints what the library sends and what isocast lists, where they differ

A file has a line for each operation, number of processes, processes a node (below 0: ranks go round so many nodes) and
root: "bcast 8 4 0 16=7:9f3ac21b 2048=7:11ab90d2" says that with 16 B there are 7 messages, and the check sum (CRC-32) of
who sends how many bytes to whom and who receives from whom, in the order in which each process begins it. 'differ' shows
the messages themselves. Recording MPICH needs its packaged library with binutils; Open MPI is looked for in OPAL_PREFIX,
or else beside mpicc.openmpi.
"""
import bisect
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

PROCESSES = [2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 24, 31, 32]
VECTORS = ["bcast", "reduce", "allreduce"]
BLOCKS = ["allgather", "alltoall", "gather", "scatter", "reduce_scatter", "reduce_scatter_block", "allgatherv", "alltoallv",
          "gatherv", "scatterv"]
CASES = (["%s:%d" % (o, b) for o in VECTORS for b in (16, 2048, 4096, 65536, 1048576)] +
         ["%s:%d" % (o, b) for o in BLOCKS for b in (16, 1024, 8192, 65536)] + ["barrier:0", "scan:16", "scan:65536"])
# Processes a node: processes to start, made-up nodes, and whether these have blocks of ranks.
LAYOUTS = {1: (32, 32, 1), 2: (32, 16, 1), 3: (33, 11, 1), 4: (32, 8, 1), 5: (30, 6, 1), 6: (30, 5, 1), 7: (28, 4, 1),
           8: (32, 4, 1), 32: (32, 1, 1), -4: (32, 4, 0)}
HERE = os.path.dirname(os.path.abspath(__file__))


def run(words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def messages_of(text):
    """(operation, p, each, root, bytes) -> lines of the processes, as recorder.c and list_messages.c print them."""
    found, lines = {}, None
    for line in text.splitlines():
        words = line.split()
        if words and words[0].isidentifier():
            lines = found.setdefault((words[0], int(words[1]), int(words[2]), int(words[4]), int(words[3])), [])
        elif lines is not None:
            lines.append(line)
    return found


def condensed(found):
    """(operation, p, each, root) -> {bytes: "messages:check sum"}"""
    rows = collections.OrderedDict()
    for case, lines in found.items():
        text = "\n".join(lines)
        rows.setdefault(case[:4], {})[case[4]] = "%d:%08x" % (text.count(">"), zlib.crc32(text.encode()))
    return rows


def read_facts(path):
    rows = collections.OrderedDict()
    with open(path) as file:
        for line in file:
            words = line.split()
            if words and words[0] != "#":
                key = (words[0], *(int(w) for w in words[1:4]))
                rows[key] = {int(w.split("=")[0]): w.split("=")[1] for w in words[4:]}
    return rows


def listed(program, library, each, processes, cases):
    return messages_of(run([program, library, str(each), *map(str, processes), "/", *cases]))


def check(program, paths):
    wrong = total = 0
    for path in paths:
        library = os.path.basename(path).split("-")[0]
        facts = read_facts(path)
        operations = collections.Counter()
        for each in sorted({key[2] for key in facts}):
            keys = [key for key in facts if key[2] == each]
            cases = sorted({"%s:%d" % (key[0], size) for key in keys for size in facts[key]})
            ours = condensed(listed(program, library, each, sorted({key[1] for key in keys}), cases))
            for key in keys:
                for size, fact in facts[key].items():
                    total += 1
                    operations[key[0]] += 1
                    mine = ours.get(key, {}).get(size, "nothing")
                    if mine != fact:
                        wrong += 1
                        if wrong <= 20:
                            print("%s: %s on %d processes, %d a node, root %d, %d B: messages:check sum %s, isocast has %s"
                                  % (library, key[0], key[1], each, key[3], size, fact, mine))
        print("%s: %s" % (library, ", ".join("%s %d" % item for item in operations.items())))
        if min(operations.values(), default=0) == 0 or len(operations) < 15:
            wrong += 1
            print("%s has too few cases" % path)
    print("%d of %d cases differ" % (wrong, total))
    return 1 if wrong else 0


def mpich_places(library):
    """Offsets of the functions that all messages of collectives pass, by the texts that name them in error messages."""
    kinds = {"MPIC_Send": 0, "MPIC_Ssend": 0, "MPIC_Isend": 0, "MPIC_Issend": 0, "MPIC_Recv": 1, "MPIC_Irecv": 1,
             "MPIC_Sendrecv": 2, "MPIC_Sendrecv_replace": 3}
    with open(library, "rb") as file:
        data = file.read()
    places = {}
    for name in kinds:
        places["%x" % (data.index(b"\0" + name.encode() + b"\0") + 1)] = name
    frames = run(["readelf", "--debug-dump=frames", library])
    starts = sorted(int(start, 16) for start in re.findall(r"pc=([0-9a-f]+)\.\.", frames))
    found = {}
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", library], stdout=subprocess.PIPE, text=True) as listing:
        for line in listing.stdout:
            match = re.search(r"# ([0-9a-f]+)\b", line)
            if match and match.group(1) in places:
                at = starts[bisect.bisect(starts, int(line.split(":")[0], 16)) - 1]
                found[places[match.group(1)]] = at
    if len(found) != len(kinds):
        sys.exit("facts.py: only %s are found in %s" % (sorted(found), library))
    return " ".join("%x:%d" % (at, kinds[name]) for name, at in found.items())


def record_mpich(folder, each, processes, cases):
    program = os.path.join(folder, "recorder")
    if not os.path.exists(program):
        run(["mpicc", "-O1", "-rdynamic", "-o", program, os.path.join(HERE, "recorder.c"), "-ldl"])
        library = re.search(r"libmpich\.so\S* => (\S+)", run(["ldd", program])).group(1)
        os.environ["RECORDER_PLACES"] = mpich_places(os.path.realpath(library))
    count, nodes, by_block = LAYOUTS[each]
    # Collectives inside a node do not go through shared memory instead of messages.
    settings = {"MPIR_CVAR_NUM_CLIQUES": nodes, "MPIR_CVAR_CLIQUES_BY_BLOCK": by_block,
                "MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD": 1000000}
    words = ["mpiexec", "-n", str(count)]
    for name, value in settings.items():
        words += ["-env", name, str(value)]
    return run(words + [program, str(each), *(str(p) for p in processes if p <= count), "/", *cases])


def record_openmpi(folder, each, processes, cases):
    program = os.path.join(folder, "recorder")
    prefix = os.environ.get("OPAL_PREFIX")
    if not os.path.exists(program):
        compiler = [shutil.which("mpicc.openmpi") or "mpicc.openmpi", "-rdynamic"]
        if prefix:
            compiler = ["gcc", "-rdynamic", "-I" + prefix + "/include", "-Wl,--unresolved-symbols=ignore-in-shared-libs"]
        library = [os.path.join(prefix, "lib", "libmpi.so")] if prefix else []
        run([*compiler, "-O1", "-o", program, os.path.join(HERE, "recorder.c"), *library, "-ldl"])
    starter = os.path.join(prefix, "bin", "orterun") if prefix else "mpirun.openmpi"
    words = [starter, "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "--mca", "btl",
             "self,vader", "--mca", "pml", "ob1", "-n", "32"]
    return run(words + [program, str(each), *map(str, processes), "/", *cases])


RECORD = {"mpich": (record_mpich, list(LAYOUTS)), "openmpi": (record_openmpi, [32])}


def record(library, path):
    rows = collections.OrderedDict()
    how, layouts = RECORD[library]
    with tempfile.TemporaryDirectory() as folder:
        for each in layouts:
            rows.update(condensed(messages_of(how(folder, each, PROCESSES, CASES))))
    write_facts(path, library, rows)


def write_facts(path, library, rows):
    with open(path, "w") as file:
        file.write("# Messages of %s, recorded by facts.py, which says what the lines mean.\n" % library)
        for key, sizes in rows.items():
            file.write("%s %s\n" % (" ".join(map(str, key)), " ".join("%d=%s" % item for item in sizes.items())))


def differ(program, library, processes, each, cases):
    with tempfile.TemporaryDirectory() as folder:
        theirs = messages_of(RECORD[library][0](folder, each, [processes], cases))
    ours = listed(program, library, each, [processes], cases)
    for case, lines in theirs.items():
        for its, mine in zip(lines, ours[case]):
            if its != mine:
                print("%s\n  %s: %s\n  isocast: %s" % (" ".join(map(str, case)), library, its, mine))


def main():
    words = sys.argv[1:]
    if len(words) >= 3 and words[0] == "check":
        sys.exit(check(words[1], words[2:]))
    elif len(words) == 3 and words[0] == "record" and words[1] in RECORD:
        record(words[1], words[2])
    elif len(words) >= 6 and words[0] == "differ" and words[2] in RECORD:
        differ(words[1], words[2], int(words[3]), int(words[4]), words[5:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
