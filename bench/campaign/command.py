"""Calling isocast. Everything else of the campaign asks it through these few functions."""

import functools
import hashlib
import json
import os
import subprocess
import threading

ALGORITHMS = {"ge": "gaussian-elimination", "mm": "matrix-multiplication", "conv2d": "convolution-2d", "stencil": "jacobi-2d"}
INVALID_INPUT = 3
# What a campaign predicts does not depend on how busy the machine is.
BUDGET = ("--budget", "10min")
NO_SOLUTION = 4  # exit status: at least one row has none, the others are there
# What ge, mm and conv2d call. A calibration measures more, which takes as long again.
OPERATIONS = ("T_send", "T_recv", "T_bcast", "T_barrier", "T_bcast_barrier", "T_copy", "T_sendrecv", "T_reduce", "T_alltoallv")


SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def find_isocast():
    """That of the build for use, or else of the build for tests."""
    paths = [os.path.join(SOURCE, "build", build, "bin", "isocast") for build in ("release", "checked")]
    return next((path for path in paths if os.path.exists(path)), paths[0])


class Failed(Exception):
    """A command ended with an exit status that is not expected; the text is what it said."""


class Invalid(Exception):
    """An input file is wrong; the text is what isocast says of it."""


class Isocast:
    def __init__(self, program, timeout):
        self.program = program
        self.timeout = timeout  # s, of any command
        self.lock = threading.RLock()  # also taken by the handler of a signal
        self.running = set()
        self.stopped = False

    @functools.lru_cache(maxsize=None)
    def fingerprint(self):
        """Of the command and the programs that it starts: what calibrates and predicts."""
        helpers = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(self.program))), "libexec", "isocast")
        names = sorted(os.path.join(base, name) for base, _, files in os.walk(helpers) for name in files)
        digest = hashlib.sha256()
        for name in [self.program] + names:
            with open(name, "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()[:12]

    def stop(self):
        """Ends what is running, and lets nothing more begin."""
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.terminate()

    def start(self, command):
        with self.lock:
            if self.stopped:
                raise Failed("interrupted")
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.running.add(process)
        return process

    def run(self, *arguments, accepted=(0,)):
        """Standard output."""
        process = self.start([self.program, *map(str, arguments)])
        try:
            output, said = process.communicate(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            process.terminate()  # isocast ends the simulation with itself
            process.communicate()
            raise Failed("took longer than %g s" % self.timeout) from None
        finally:
            with self.lock:
                self.running.discard(process)
        if process.returncode == INVALID_INPUT and arguments[0] == "check":
            raise Invalid(said)
        if process.returncode not in accepted:
            lines = [line for line in said.splitlines() if line.strip()]
            raise Failed("isocast %s: exit status %d: %s" % (arguments[0], process.returncode, " ".join(lines[:2])))
        return output

    def check(self, path):
        self.run("check", path)

    def calibrate(self, platform, systems, machine):
        self.run("calibrate", "--platform", platform, "--systems", ",".join(systems), "--operations", ",".join(OPERATIONS), "-o",
                 machine, "-q")

    def predict(self, kernel, machine, systems, efficiency):
        """By system: the row of the prediction that holds an efficiency."""
        text = self.run("predict", ALGORITHMS[kernel], machine, "--efficiency", efficiency, "--to", ",".join(systems),
                        *BUDGET, "--format", "json", "-q", accepted=(0, NO_SOLUTION))
        return {row["system"]: row for row in json.loads(text)["rows"]}

    def predict_at(self, kernel, machine, system, N):
        """T and E of a system at N."""
        text = self.run("predict", ALGORITHMS[kernel], machine, "--at", "N=%d" % N, "--to", system, *BUDGET, "--format", "json",
                        "-q", accepted=(0, NO_SOLUTION))
        return json.loads(text)["rows"][0]

    def measure(self, kernel, platform, system, sizes, runs):
        self.run("measure", kernel, "--platform", platform, "--systems", system, "--sizes", ",".join(map(str, sizes)),
                 "-o", runs, "-q")

    def find(self, kernel, platform, system, efficiency, sizes, tolerance, runs):
        """The row of a search: N whose run shows the efficiency, or a status that says why not."""
        text = self.run("measure", kernel, "--platform", platform, "--systems", system, "--find", "E=%g" % efficiency,
                        "--sizes", ",".join(map(str, sizes)), "--tolerance", tolerance, "-o", runs, "-q", "--format",
                        "json", accepted=(0, NO_SOLUTION))
        return json.loads(text)["rows"][0]

    def validate(self, kernel, machine, runs, output, efficiency=None):
        at = ["--efficiency", efficiency] if efficiency is not None else []
        self.run("validate", ALGORITHMS[kernel], machine, runs, *BUDGET, "--format", "json", "-o", output, "-q", *at)
        with open(output) as file:
            return json.load(file)

    def compare(self, kernel, machine, runs):
        """Terms of the prediction against the phases of runs."""
        return json.loads(self.run("explain", ALGORITHMS[kernel], machine, "--runs", runs, *BUDGET, "--format", "json", "-q"))

    def plot(self, result, picture):
        self.run("plot", result, "-o", picture)

    def processes(self, platform, system=None):
        """The host of each process of a system; of all processors of the platform without one."""
        of = ["--system", system] if system else []
        text = self.run("export", "simgrid", platform, *of, "-o", os.devnull, "--hosts", "-")
        return text.split()
