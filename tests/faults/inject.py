#!/usr/bin/env python3
"""Makes each allocation and each system call of all commands fail in turn, and judges what they do then.

Right is one of two: the command ends with exit status 5, one message that names the cause, an output that is untouched and
nothing left behind; or the failure does no harm, and status, results and messages are those of the undisturbed run.

    tests/faults/inject.py build/checked/bin/isocast build/checked/tests/inject.so --cases 2 --faults 8    as ctest runs it
    tests/faults/inject.py build/checked/bin/isocast build/checked/tests/inject.so --each 150   minutes; as the option
                                                                                                ISOCAST_LONG_TESTS runs it
    tests/faults/inject.py build/checked/bin/isocast build/checked/tests/inject.so --all        every site, about an hour
"""

import argparse
import concurrent.futures
import errno
import os
import random
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from cases import CASES, prepare  # noqa: E402

# Begins as what derive writes: it overwrites nothing else.
OLD = b"# Derived by isocast: what was here before\n"
HEAD = struct.Struct("=QQqqQ40Q")
SITE = struct.Struct("=Qii")
WORKERS = 2
SANITIZER_STATUS = 86
TRIES = 8
# The sanitizer knows what the loader keeps by its caller, which is the injector here.
LEAKS_OF_LOADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loader.supp")

# The x86-64 numbers of the calls that can fail in a way worth trying, each with what a kernel may say of it.
FILE = ["EIO", "EACCES", "ENOMEM"]
CALLS = {
    0: ("read", ["EIO", "EINTR", "short"]),
    1: ("write", ["ENOSPC", "EIO", "EINTR", "EPIPE", "short"]),
    2: ("open", ["EMFILE", "ENFILE", "EACCES", "EIO", "ENOSPC", "EINTR"]),
    3: ("close", ["EIO", "EINTR"]),
    4: ("stat", FILE), 5: ("fstat", ["EIO", "ENOMEM"]), 6: ("lstat", FILE),
    8: ("lseek", ["EIO"]), 9: ("mmap", ["ENOMEM"]), 11: ("munmap", ["ENOMEM"]), 12: ("brk", ["ENOMEM"]),
    16: ("ioctl", ["EIO"]), 17: ("pread", ["EIO"]), 18: ("pwrite", ["ENOSPC", "EIO"]),
    20: ("writev", ["ENOSPC", "EIO", "EINTR"]), 21: ("access", FILE), 25: ("mremap", ["ENOMEM"]),
    32: ("dup", ["EMFILE"]), 33: ("dup2", ["EMFILE"]), 72: ("fcntl", ["EIO", "EMFILE"]),
    73: ("flock", ["EINTR", "ENOLCK"]), 74: ("fsync", ["EIO", "ENOSPC", "EINTR"]), 76: ("truncate", ["EIO"]),
    77: ("ftruncate", ["EIO", "ENOSPC"]), 79: ("getcwd", ["EACCES", "ENOMEM"]), 82: ("rename", ["EIO", "ENOSPC", "EACCES"]),
    83: ("mkdir", ["ENOSPC", "EACCES"]), 84: ("rmdir", ["EIO"]), 86: ("link", ["EIO", "ENOSPC"]),
    87: ("unlink", ["EIO", "EACCES"]), 89: ("readlink", FILE), 90: ("chmod", ["EIO"]), 91: ("fchmod", ["EIO", "EACCES"]),
    217: ("getdents", ["EIO", "ENOMEM"]), 257: ("openat", ["EMFILE", "ENFILE", "EACCES", "EIO", "ENOSPC", "EINTR"]),
    262: ("newfstatat", FILE), 263: ("unlinkat", ["EIO"]), 264: ("renameat", ["EIO", "ENOSPC"]),
    267: ("readlinkat", FILE), 269: ("faccessat", FILE), 293: ("pipe2", ["EMFILE", "ENFILE"]),
    292: ("dup3", ["EMFILE"]), 316: ("renameat2", ["EIO", "ENOSPC", "EACCES", "EINVAL"]), 318: ("getrandom", ["EIO"]),
    319: ("memfd_create", ["EMFILE", "ENOMEM"]), 332: ("statx", FILE), 439: ("faccessat2", FILE),
}
# Calls whose failure is one of the kernel, not of a machine that is short of something: futex, exit, rt_sigreturn, umask,
# rt_sigaction, rt_sigprocmask, getpid, set_robust_list, setitimer.
NEVER_FAIL = {202, 60, 15, 95, 13, 14, 39, 273, 38}
# A cause that stays: no more files, or a full disk.
LASTING = {"open": "EMFILE", "openat": "EMFILE", "write": "ENOSPC", "newfstatat": "EIO", "access": "EIO", "fsync": "EIO"}

DATE = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)?")


def read(path):
    try:
        with open(path, "rb") as file:
            return DATE.sub(b"DATE", file.read())
    except FileNotFoundError:
        return None


def share_inputs(inputs, work):
    """Commands replace files, and change none: links do, and a copy for each command takes longer than what it does."""
    os.mkdir(work)
    for entry in os.scandir(inputs):
        path = os.path.join(work, entry.name)
        if entry.is_file(follow_symlinks=False):
            os.link(entry.path, path)
        else:
            os.symlink(entry.path, path)


class Server:
    """One command, loaded and ready to run again and again with another fault."""

    def __init__(self, case, arguments, folder):
        self.case = case
        self.folder = folder
        self.log = os.path.join(folder, "log")
        self.work = os.path.join(folder, "work")
        os.makedirs(folder)
        share_inputs(arguments.inputs, self.work)
        self.made = [os.path.join(self.work, name) for name in case.made]
        self.outputs = [os.path.join(self.work, name) for name in case.outputs]
        self.restore()
        self.usual = set(self.listing())
        requests, self.to = os.pipe()
        self.replies, replies = os.pipe()
        environment = dict(os.environ, LD_PRELOAD=arguments.preload, FAULTS_REQUESTS=str(requests),
                           FAULTS_REPLIES=str(replies), FAULTS_LOG=self.log, FAULTS_STDOUT=os.path.join(folder, "stdout"),
                           FAULTS_STDERR=os.path.join(folder, "stderr"), LC_ALL="C.UTF-8",
                           PATH=self.work + ":" + os.environ["PATH"], TMPDIR=folder, XDG_CACHE_HOME=os.path.join(folder, "cache"),
                           ASAN_OPTIONS="verify_asan_link_order=0:allocator_may_return_null=1:detect_leaks=1:"
                                        f"exitcode={SANITIZER_STATUS}",
                           LSAN_OPTIONS=f"report_objects=0:print_suppressions=0:suppressions={LEAKS_OF_LOADER}")
        if case.stdin is not None:
            environment["FAULTS_STDIN"] = os.path.join(self.work, case.stdin)
        self.process = subprocess.Popen([arguments.isocast] + case.arguments, cwd=self.work, env=environment,
                                        pass_fds=(requests, replies), stdin=subprocess.DEVNULL)
        os.close(requests)
        os.close(replies)

    def listing(self):
        return [os.path.join(self.work, name) for name in os.listdir(self.work)]

    def restore(self):
        self.remove(self.outputs)
        for path in self.outputs:
            with open(path, "wb") as file:
                file.write(OLD)

    def remove(self, paths):
        for path in paths:
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            elif os.path.lexists(path):
                os.unlink(path)

    def run(self, kind, site=0, lasting=False, cause=0):
        os.write(self.to, f"{kind} {site} {int(lasting)} {cause}\n".encode())
        reply = os.read(self.replies, 64)
        if not reply:
            raise SystemExit(f"{' '.join(self.case.arguments)}: the program cannot be started with the injector")
        with open(self.log, "rb") as log:
            count, fired, call, argument, depth, *stack = HEAD.unpack(log.read(HEAD.size))
            sites = [SITE.unpack(log.read(SITE.size)) for _ in range(count)] if site == 0 else []
        alike = self.case.alike
        present = sorted(set(self.listing()) - self.usual)
        left = [path for path in present if path not in self.made and not self.case.kept.match(os.path.basename(path))]
        contents = [alike(read(path) or b"") for path in self.outputs] + \
                   [None if (text := read(path)) is None else alike(text) for path in self.made]
        run = Run(int(reply), alike(read(os.path.join(self.folder, "stdout"))), read(os.path.join(self.folder, "stderr")),
                  contents, left, count, fired > 0, call, argument, stack[:depth], sites)
        run.present = present
        run.keeps = self.case.kept.pattern != "$."  # and its messages say what
        run.lists = self.case.arguments[0] == "list"
        run.unreadable = self.case.name == "record"  # a program need not be readable to run: its record lacks names
        run.untouched = all(run.contents[k] == alike(OLD) for k in range(len(self.outputs))) and \
            all(path not in present or self.case.kept.match(os.path.basename(path)) for path in self.made)
        self.remove(present)
        if not all(read(path) == OLD for path in self.outputs):
            self.restore()
        return run

    def close(self):
        os.close(self.to)
        os.close(self.replies)
        self.process.wait()


class Run:
    def __init__(self, status, stdout, stderr, contents, left, count, fired, call, argument, stack, sites):
        self.signal = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        self.status = os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
        self.stdout = stdout
        self.stderr = stderr
        self.contents = contents
        self.left = left
        self.count = count
        self.fired = fired
        self.call = call
        self.argument = argument
        self.stack = stack
        self.sites = sites


KINDS = ["same", "reported", "signal", "hang", "status", "message", "changed", "left", "leak"]
RIGHT = KINDS[:2]


def lines(text):
    return text.decode(errors="replace").splitlines()


# A lock that cannot be removed is no one's: the next command takes it.
LOCK = re.compile(r"[.].*[.]isocast-lock$")


def judge(run, usual, cause, lasting):
    """What a run with a fault is, of KINDS, and why."""
    call = CALLS.get(run.call, ("", []))[0] if run.call >= 0 else "allocation"
    to_messages = call in ("write", "writev") and run.argument == 2
    reasons = ["short", os.strerror(errno.ENOSPC)] if cause == "short" else [os.strerror(getattr(errno, cause))]
    if cause == "ENOMEM":
        reasons.append("out of memory")
    new = [line for line in lines(run.stderr) if line not in lines(usual.stderr)]
    due = [any(reason in line for reason in reasons) for line in new]
    said = run.stderr.decode(errors="replace")
    if run.signal == signal.SIGALRM:
        return "hang", "it did not end"
    if run.signal:
        return "signal", signal.Signals(run.signal).name
    if run.status == SANITIZER_STATUS:
        return "leak", "\n".join(lines(run.stderr))
    unnamed = [path for path in run.left if os.path.basename(path) not in said and not LOCK.match(os.path.basename(path))]
    if unnamed or run.left and not (any(due) or call in ("unlink", "unlinkat")):
        return "left", ", ".join(run.left) + f": status {run.status}: " + "; ".join(lines(run.stderr)[:3])
    if cause == "EACCES" and call in ("open", "openat", "newfstatat") and run.status == 3 and new:
        # A file that may not be read is an input that is wrong.
        return ("reported", "") if any(due) else ("message", said)
    if cause == "EACCES" and run.status == 0 and run.lists and os.strerror(errno.EACCES) in run.stdout.decode() + str(run.contents):
        # list goes on, and shows such a file as broken.
        return "reported", ""
    if run.status == usual.status and run.stdout == usual.stdout and run.contents == usual.contents:
        if run.stderr == usual.stderr or to_messages:
            return "same", ""
        # Nothing is lost, and what stays behind, or is not as it should be, is named.
        return ("reported", "") if due and all(due) else ("message", "all is done, yet it says: " + "; ".join(new))
    if run.status == usual.status == 0 and run.unreadable and cause == "EACCES" and any(due):
        return "reported", ""
    if run.status != 5:
        if run.status == usual.status:
            return "changed", "; ".join(lines(run.stderr)[:2])
        return "status", f"{run.status}: " + "; ".join(lines(run.stderr)[:3])
    if not run.untouched:
        return "changed", "status 5, but an output is replaced: " + "; ".join(lines(run.stderr)[:3])
    if not usual.stdout.startswith(run.stdout):
        return "changed", "status 5, but another result on standard output"
    if run.stdout and call not in ("write", "close", "rename", "renameat2") and run.stdout != usual.stdout:
        return "changed", "status 5, but half a result on standard output"
    # A reader that has gone is not reported; what cannot be written to standard error is not read.
    if to_messages or call == "write" and cause == "EPIPE" and not new:
        return "reported", ""
    unnamed = [path for path in run.present if os.path.basename(path) not in said and not LOCK.match(os.path.basename(path))]
    # A file that is whole, as without the failure, is what was asked for.
    if unnamed and run.contents != usual.contents:
        return "left", "and not named: " + ", ".join(unnamed) + ": " + "; ".join(new[:3])
    if due and (all(due) and (lasting or len(due) == 1) or any(due) and run.keeps):
        return "reported", ""
    return "message", f"'{reasons[0]}' is due: " + "; ".join(new[:4])


class Tally:
    def __init__(self, most):
        self.most = most  # wrong runs that are shown, as they come
        self.counts = dict.fromkeys(["sites", "stacks", "missed", "runs"] + KINDS, 0)
        self.wrong = []
        self.aborts = {}  # of libraries, by command line and signal
        self.lock = threading.Lock()

    def add(self, kind, *details):
        with self.lock:
            self.counts["runs"] += 1
            self.counts[kind] += 1
            if kind not in RIGHT:
                self.wrong.append((kind,) + details)
                if len(self.wrong) <= self.most:
                    print(kind, *details, sep=" | ", flush=True)
            elif details[5]:
                self.aborts[details[0], details[5]] = self.aborts.get((details[0], details[5]), 0) + 1


def firsts_of(sites, draw, repeats):
    """(number, site, whether it is the first of its call stack); of those that repeat a stack, one of so many, drawn."""
    seen = set()
    for number, site in enumerate(sites, 1):
        first = (site[0], site[1]) not in seen
        seen.add((site[0], site[1]))
        if first or draw.randrange(repeats) == 0:
            yield number, site, first


def faults_of_allocations(sites, every, draw, repeats):
    """(site, lasting, cause): each allocation fails once; those from the first of each place in the program on, all that follow
    fail. A sample has one of each place."""
    for count, (number, _, first) in enumerate(firsts_of(sites, draw, repeats)):
        if every or first:
            yield number, False, "ENOMEM"
        if first and (every or count % 4 == 0):
            yield number, True, "ENOMEM"


def faults_of_calls(sites, every, draw, repeats):
    for number, (_, call, _), _ in firsts_of(sites, draw, repeats):
        name, causes = CALLS.get(call, (str(call), [] if call in NEVER_FAIL else ["EIO"]))
        for k, cause in enumerate(causes):
            if every or k == number % len(causes) or number % 3 == 0:
                yield number, False, cause
        if name in LASTING:
            yield number, True, LASTING[name]


# Where libdw, which reads debug information for record, has no memory, some of its own functions go on with a NULL, and an
# assertion of it fails. isocast looks at all that libdw gives, and leaves its way to end the program; not a crash inside.
CRASHES = re.compile("libdw|libelf")


def crashes_inside(server, run):
    if run.signal not in (signal.SIGSEGV, signal.SIGABRT) or run.call >= 0:
        return False
    with open(server.log + ".maps", encoding="utf-8") as file:
        spans = [[int(part, 16) for part in line.split()[0].split("-")] for line in file if CRASHES.search(line)]
    return any(begin <= address < end for address in run.stack for begin, end in spans)


def where(server, stack):
    """The functions of the program on a stack, innermost first."""
    found = []
    with open(server.log + ".maps", encoding="utf-8") as file:
        maps = [line.split() for line in file]
    for address in stack:
        for entry in maps:
            begin, end = (int(part, 16) for part in entry[0].split("-"))
            if begin <= address < end and len(entry) > 5 and "/bin/" in entry[5]:
                base = min(int(other[0].split("-")[0], 16) for other in maps if len(other) > 5 and other[5] == entry[5])
                out = subprocess.run(["addr2line", "-sfie", entry[5], hex(address - base - 1)], capture_output=True, text=True,
                                     check=False).stdout.split("\n")
                found += [f"{name}({place})" for name, place in zip(out[::2], out[1::2])]
    return " < ".join(found[:6])


def try_case(case, arguments, tally, pool, folder):
    workers = 1 if arguments.faults else WORKERS
    servers = [Server(case, arguments, os.path.join(folder, f"{case.name}-{k}")) for k in range(workers)]
    usual = servers[0].run("x")
    if usual.signal or usual.status != case.status:
        raise SystemExit(f"{case.name}: undisturbed, it ended with {usual.status}: {usual.stderr.decode()}")
    for kind, faults in (("a", faults_of_allocations), ("c", faults_of_calls)):
        if kind not in arguments.kinds or kind not in case.kinds:
            continue
        sites = servers[0].run(kind).sites
        tally[kind].counts["sites"] += len(sites)
        tally[kind].counts["stacks"] += len({site[:2] for site in sites})
        draw = random.Random(f"{arguments.seed} {case.name} {kind}")
        work = list(faults(sites, arguments.all, draw, arguments.repeats))[::arguments.each * (1 if arguments.all else case.one_of)]
        if arguments.faults:
            work = draw.sample(work, min(len(work), arguments.faults))

        def drive(k):
            for site, lasting, cause in work[k::workers]:
                number = 0 if cause == "short" else getattr(errno, cause)
                run = servers[k].run(kind, site, lasting, number)
                # What a kernel may do twice or not at all moves the others by one; where a program was started, times do.
                for _ in range(TRIES):
                    if run.call != sites[site - 1][1]:
                        run = servers[k].run(kind, site, lasting, number)
                if run.call != sites[site - 1][1]:
                    with tally[kind].lock:
                        tally[kind].counts["missed"] += 1
                    continue
                verdict = judge(run, usual, cause, lasting)
                if crashes_inside(servers[k], run):
                    verdict = ("reported", f"{verdict[1]} in libdw")
                place = where(servers[k], run.stack) if verdict[0] not in RIGHT and len(tally[kind].wrong) < arguments.show else ""
                name = "allocation" if kind == "a" else CALLS.get(run.call, (str(run.call),))[0] + f"({run.argument})"
                tally[kind].add(verdict[0], case.name, name, site, "lasting" if lasting else "once", cause, verdict[1], place)

        list(pool.map(drive, range(workers)))
    for server in servers:
        server.close()


def print_table(tallies):
    head = ["command", "fault", "sites", "call stacks", "not reached again", "runs", "no harm", "exit 5", "signal", "hang", "wrong status", "wrong message",
            "changed result", "left over", "sanitizer"]
    rows = [head]
    totals = [0] * (len(head) - 2)
    for command, tally in tallies.items():
        for kind, word in (("a", "allocation"), ("c", "system call")):
            counts = tally[kind].counts
            numbers = [counts[name] for name in ["sites", "stacks", "missed", "runs"] + KINDS]
            totals = [a + b for a, b in zip(totals, numbers)]
            rows.append([command, word] + [str(number) for number in numbers])
    rows.append(["all", ""] + [str(number) for number in totals])
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        print("  ".join(text.ljust(width) if i < 2 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths))))
    return sum(totals[6:])


def chosen_cases(arguments):
    cases = [case for case in CASES if not arguments.case or any(case.name.startswith(name) for name in arguments.case)]
    of_command = {}
    for case in cases:
        of_command.setdefault(case.arguments[0], []).append(case)
    if arguments.cases:
        for command, own in of_command.items():
            of_command[command] = random.Random(f"{arguments.seed} {command}").sample(own, min(len(own), arguments.cases))
    return [case for own in of_command.values() for case in own]


def preload_of(isocast, library):
    """What is loaded before the program: a sanitizer's library has to come next."""
    needed = subprocess.run(["ldd", isocast], capture_output=True, text=True, check=True).stdout
    sanitizer = re.search(r"=> (\S*/libasan\S*)", needed)
    return f"{library}:{sanitizer.group(1)}" if sanitizer else library


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isocast")
    parser.add_argument("library", help="inject.c, built")
    parser.add_argument("--all", action="store_true", help="every site, in place of a sample")
    parser.add_argument("--case", action="append", help="only the cases whose name starts so")
    parser.add_argument("--kinds", default="ac", help="a: allocations, c: system calls")
    parser.add_argument("--each", type=int, default=1, help="only one of so many faults")
    parser.add_argument("--repeats", type=int, default=1, help="of what has the call stack of an earlier one, one of so many, drawn")
    parser.add_argument("--cases", type=int, default=0, help="so many command lines of each subcommand, drawn at random; 0: all")
    parser.add_argument("--faults", type=int, default=0, help="at most so many faults of each kind, drawn at random; 0: no bound")
    parser.add_argument("--seed", type=int, default=1, help="of both draws")
    parser.add_argument("--show", type=int, default=40, help="how many wrong runs are spoken of, each command and kind")
    arguments = parser.parse_args()
    arguments.isocast = os.path.abspath(arguments.isocast)
    arguments.preload = preload_of(arguments.isocast, os.path.abspath(arguments.library))
    tallies = {}
    folder = tempfile.mkdtemp(prefix="isocast-faults-")
    try:
        arguments.inputs = os.path.join(folder, "inputs")
        os.mkdir(arguments.inputs)
        prepare(arguments.inputs, arguments.isocast)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for case in chosen_cases(arguments):
                tally = tallies.setdefault(case.arguments[0], {"a": Tally(arguments.show), "c": Tally(arguments.show)})
                try_case(case, arguments, tally, pool, folder)
    finally:
        shutil.rmtree(folder)
    wrong = print_table(tallies)
    for kind in (kind for tally in tallies.values() for kind in tally.values()):
        for (name, what), count in kind.aborts.items():
            print(f"{name}: {what}: {count}")
    print("every fault was borne" if wrong == 0 else f"{wrong} runs went wrong")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
