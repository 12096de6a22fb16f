"""Runs a campaign: calibrates, predicts, decides which runs can be simulated, makes them, and keeps what is finished.

Predictions are made again each time. Calibrations are kept for the programs that made them: the model is what is on trial,
so another build calibrates again. Runs and searches do not depend on the model; they are kept in the folder, under the
fingerprint of their platform.
"""

import concurrent.futures
import dataclasses
import json
import os
import re
import sys
import threading
import time

from campaign import cost, platforms
from campaign.command import Failed
from campaign.row import row_of

LADDER = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)  # efficiencies that stand in for those too costly to reach
GRID = [200 * 2 ** k for k in range(9)]
ROWS_EACH = 4       # sizes of the grid give every process this many rows at least
# Of E, in a search: about as much as gives N to a tenth of a per cent, as E of the later ones rises slowly with N.
TOLERANCE = {"ge": 0.001, "mm": 0.0002, "conv2d": 0.0001}
AROUND = (0.95, 1.05, 1.25, 1.6)  # sizes that a search goes through, times the prediction
RETREATS = 8
SMALLEST = 2


@dataclasses.dataclass
class Search:
    """For the N that shows an efficiency, in simulation."""
    kernel: str
    platform: str
    system: str
    p: int
    efficiency: float
    guess: float  # N
    found: dict = None  # the row of isocast measure --find
    failure: str = ""

    def key(self):
        return (self.kernel, platforms.fingerprint(self.platform), self.system, self.efficiency)

    def cost(self):
        return 4 * cost.seconds(self.kernel, self.guess, self.p)


@dataclasses.dataclass
class Grid:
    """Runs of one system over sizes."""
    kernel: str
    platform: str
    system: str
    p: int
    sizes: list
    failure: str = ""

    def key(self):
        return (self.kernel, platforms.fingerprint(self.platform), self.system)

    def cost(self):
        return sum(cost.seconds(self.kernel, N, self.p) for N in self.sizes)


@dataclasses.dataclass
class Part:
    """One kernel of a case."""
    case: object
    kernel: str
    machine: str      # file
    base: str         # the system before those predicted; None: there is none
    processes: dict   # by system
    predictions: dict = dataclasses.field(default_factory=dict)  # by efficiency: by system
    searches: dict = dataclasses.field(default_factory=dict)     # by (efficiency, system)
    grids: dict = dataclasses.field(default_factory=dict)        # by system
    skipped: list = dataclasses.field(default_factory=list)      # rows


class Campaign:
    def __init__(self, isocast, folder, run_limit, jobs, quiet):
        self.isocast = isocast
        self.folder = folder
        self.run_limit = run_limit  # s of real time, one simulated run
        self.jobs = jobs
        self.quiet = quiet
        self.lock = threading.Lock()
        self.started = time.monotonic()

    def path(self, *parts):
        path = os.path.join(self.folder, *parts)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def say(self, text):
        if not self.quiet and not self.isocast.stopped:
            with self.lock:
                print("%5.0f s  %s" % (time.monotonic() - self.started, text), file=sys.stderr, flush=True)

    def in_parallel(self, function, items):
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(function, items))

    # Calibration and prediction

    def machine_of(self, case):
        return self.path("machines", "%s-%s-%s.yaml" % (platforms.fingerprint(case.platform), slug("-".join(case.calibrate)),
                                                        self.isocast.fingerprint()))

    def calibrate(self, cases):
        needed = {self.machine_of(case): case for case in cases}
        needed = {machine: case for machine, case in needed.items() if not os.path.exists(machine)}

        def one(item):
            machine, case = item
            self.isocast.calibrate(case.platform, case.calibrate, machine)
            self.say("%s calibrated on %s" % (case.name, ", ".join(case.calibrate)))
        self.in_parallel(one, needed.items())

    def prepare(self, case, kernel):
        """Predicts, and decides what is run."""
        before = [system for system in case.calibrate if system not in case.predict]
        base = before[-1] if before else None
        systems = ([base] if base else []) + list(case.predict)
        processes = {system: len(self.isocast.processes(case.platform, system)) for system in systems}
        part = Part(case, kernel, self.machine_of(case), base, processes)
        for system in case.predict:
            self.plan_searches(part, system)
            self.plan_grid(part, system)
        if base:
            for efficiency in sorted({efficiency for efficiency, _ in part.searches}):
                self.plan_search(part, base, efficiency)
        return part

    def predicted(self, part, efficiency):
        if efficiency not in part.predictions:
            systems = ([part.base] if part.base else []) + list(part.case.predict)
            part.predictions[efficiency] = self.isocast.predict(part.kernel, part.machine, systems, efficiency)
        return part.predictions[efficiency]

    def plan_search(self, part, system, efficiency):
        """Why it cannot be; None where it is planned."""
        row = self.predicted(part, efficiency)[system]
        N = row["N"]
        if N is None:
            return "no N is predicted: %s" % (row["note"] or row["status"])
        p = part.processes[system]
        search = Search(part.kernel, part.case.platform, system, p, efficiency, N)
        obstacle = cost.obstacle(part.kernel, N, p, self.run_limit)
        if obstacle is None or os.path.exists(self.result_file(search)):  # an earlier campaign took the time
            part.searches[efficiency, system] = search
            return None
        return obstacle

    def plan_searches(self, part, system):
        """Those asked for, and lower efficiencies in the place of those that cannot be reached."""
        planned = 0
        for efficiency in part.case.efficiencies:
            obstacle = self.plan_search(part, system, efficiency)
            planned += obstacle is None
            if obstacle:
                part.skipped.append(row_of(part, system, "N", efficiency=efficiency, status="skipped", note=obstacle))
        for efficiency in LADDER:
            if planned < len(part.case.efficiencies) and efficiency < min(part.case.efficiencies):
                planned += self.plan_search(part, system, efficiency) is None

    def plan_grid(self, part, system):
        p = part.processes[system]
        sizes = [N for N in GRID if N >= ROWS_EACH * p and cost.obstacle(part.kernel, N, p, self.run_limit / 4) is None]
        if sizes:
            part.grids[system] = Grid(part.kernel, part.case.platform, system, p, sizes)
        else:
            part.skipped.append(row_of(part, system, "T", status="skipped", note="no size of the grid can be simulated"))

    # Simulated runs

    def runs_file(self, task, what):
        kernel, fingerprint, system = task.key()[:3]
        return self.path("runs", fingerprint, "%s-%s-%s.csv" % (kernel, slug(system), what))

    def simulate(self, parts):
        """All searches and grids, each once, the long ones first."""
        shared = {}
        for part in parts:
            for tasks in (part.searches, part.grids):
                for key, task in tasks.items():
                    tasks[key] = shared.setdefault(task.key(), task)
        order = sorted(shared.values(), key=lambda task: -task.cost())
        expected = sum(task.cost() for task in order) / self.jobs
        self.say("%d searches and grids, about %.0f s without what is there already" % (len(order), expected))
        done = iter(range(1, len(order) + 1))

        def one(task):
            began = time.monotonic()
            said = self.search(task) if isinstance(task, Search) else self.measure(task)
            with self.lock:
                number = next(done)
            self.say("%d/%d %s on %s, %s: %s (%.0f s)" % (number, len(order), task.kernel, platforms.name_of(task.platform),
                                                         task.system, said, time.monotonic() - began))
        self.in_parallel(one, order)

    def result_file(self, task):
        return self.runs_file(task, "E%g" % task.efficiency)[:-4] + ".json"

    def measure(self, grid):
        try:
            self.isocast.measure(grid.kernel, grid.platform, grid.system, grid.sizes, self.runs_file(grid, "grid"))
        except Failed as failure:
            grid.failure = str(failure)
        return grid.failure or "N = %d to %d" % (grid.sizes[0], grid.sizes[-1])

    def search(self, task):
        runs = self.runs_file(task, "E%g" % task.efficiency)
        result = self.result_file(task)
        if os.path.exists(result):
            with open(result) as file:
                task.found = json.load(file)
        try:
            task.found = task.found or self.find(task, runs)
        except Failed as failure:
            task.failure = str(failure)
            return task.failure
        write_whole(result, json.dumps(task.found, indent=1))
        return "E = %g at N = %s (%s)" % (task.efficiency, task.found["N"], task.found["status"])

    def find(self, task, runs):
        """Around the prediction, and further down where E is over the target there."""
        guess = task.guess
        for _ in range(RETREATS):
            sizes = sorted({max(SMALLEST, round(guess * factor)) for factor in AROUND})
            row = self.isocast.find(task.kernel, task.platform, task.system, task.efficiency, sizes,
                                    TOLERANCE[task.kernel], runs)
            if row["status"] != "below" or sizes[0] == SMALLEST:
                break
            guess *= 0.7
        return row


def slug(text):
    return re.sub(r"[^A-Za-z0-9.-]+", "_", text.replace("'", "p").replace("+", "_"))


def write_whole(path, text):
    """All of it or nothing, also where the program is interrupted."""
    temporary = path + ".new"
    with open(temporary, "w") as file:
        file.write(text)
    os.replace(temporary, path)
