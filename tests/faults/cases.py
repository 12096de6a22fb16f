"""The command lines that faults are tried on: all that reads, solves, fits, draws and writes, and what starts programs."""

import os
import re
import shlex
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = os.path.join(ROOT, "tests", "cli", "files")
BROKEN = os.path.join(ROOT, "tests", "broken", "files")


class Case:
    """outputs: files that are there before and are replaced; made: those that are not there before; kept: what may stay behind where
    it fails; alike: what of the outputs is compared, where the rest differs from run to run; one_of: only so many of the faults are
    tried, as the command takes long; kinds: of faults (what doctor reports is what the system fails in)."""

    def __init__(self, name, line, outputs=(), stdin=None, status=0, made=(), kept=None, alike=None, one_of=1, kinds="ac"):
        self.name = name
        self.arguments = shlex.split(line)
        self.outputs = list(outputs)
        self.made = list(made)
        self.kept = re.compile(kept or "$.")
        self.alike = alike or (lambda text: text)
        self.one_of = one_of
        self.kinds = kinds
        self.stdin = stdin
        self.status = status


def first_words(text):
    """Of the rows of a table; sentences about it say how busy the machine is."""
    return b"\n".join(line.split(b"  ")[0] for line in text.splitlines() if b"  " in line)


def without_descriptors(text):
    """The number of a descriptor says nothing: a claim that is held without a lock has none."""
    return re.sub(rb"/proc/[^/]*/fd/[0-9]+", b"FD", text)


def without_times(text):
    return re.sub(rb"[0-9.]+(e[-+]?[0-9]+)?", b"0", text)


def launched_by(script, *settings):
    return shlex.quote(" ".join([sys.executable, "-S", os.path.join(ROOT, "tests", "workflow", script), "{p}", *settings]))


PROBE = launched_by("fake_probe.py")
KERNEL = launched_by("fake_launcher.py", "100000")
PUBLISHED = "gaussian-elimination-published sunwulf"

# What plot reads, and the command lines that write it.
RESULTS = {
    "prediction.json": f"predict {PUBLISHED} --efficiency 0.3 --to C2,C4,C8",
    "predictions.json": f"predict {PUBLISHED} --efficiency 0.2,0.3 --to C2,C4",
    "scaling.json": f"predict {PUBLISHED} --fixed time --base C2 --at N=310 --to C4,C8",
    "scalability.json": "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.3",
    "sets.json": "scalability sets-times.csv --metric isospeed --reference sets-reference.csv",
    "matrix.json": "predict sequential.yaml sunwulf --base C2 --at N=200 --to C4,C8 --matrix",
    "explanation.json": f"explain {PUBLISHED} --base C2 --at N=310 --to C4",
    "runs.json": "explain gaussian-elimination phases-machine.yaml --runs phases-runs.csv",
    "growth.json": "explain fft-binary-exchange-textbook textbook --growth --efficiency 0.6 --to 4,16",
    "suite.json": "offers offers-suite.yaml",
    "ranking.json": "compare fft-binary-exchange-textbook fft-2d-transpose-textbook textbook --at n=1024,65536 --to 16,64",
    "offers.json": "offers offers-algorithm.yaml offers-list.yaml --budget 21kEUR --at N=5000",
    "validation.json": "validate gaussian-elimination phases-machine.yaml phases-runs.csv",
}
OTHERS = [
    "fit-operations own.csv -o calibrated.yaml --marked-speed 2e9 --residuals r.csv --draws 5",
    f"predict {PUBLISHED} --efficiency 0.3 --to C2,C4 --format csv -o prediction.csv",
    f"sweep {PUBLISHED} --vary t_c=1ns..5ns:log:30 --efficiency 0.3 --to C2,C4 --threads 1 -o sweep.csv",
    f"sweep {PUBLISHED} --vary t_c=1e-8,2e-8,3e-8 --vary sunblade.marked_speed=2e7,3e7 --at N=310 --to C2 --threads 1 -o map.csv",
    f"sweep {PUBLISHED} --vary t_c=1e-8,2e-8,4e-8 --at N=310 --to C2,C4 --threads 1 --format json -o sweep.ndjson",
]

CASES = [
    Case("check-files", "check algorithm.yaml sunwulf.yaml platform.yaml"),
    Case("check-together", "check --together algorithm.yaml sunwulf.yaml -o out", ["out"]),
    Case("check-json", "check algorithm.yaml - --format json", stdin="sunwulf.yaml"),
    Case("check-broken", "check broken-algorithm.yaml broken-machine.yaml", status=3),
    Case("check-program", "check --formulas every-step.yaml"),
    Case("check-csv", "check two-sizes.yaml --format csv -o out", ["out"]),
    Case("list-table", "list algorithms"),
    Case("list-json", "list machines --format json -o out", ["out"]),
    Case("derive", " ".join(["derive"] + [f"derive/strips-{N}-{p}.csv" for N in (100, 130, 170) for p in (1, 2, 4)] + ["-o out"]), ["out"]),
    Case("predict-table", f"predict {PUBLISHED} --base C2 --at N=310 --to C4,C8"),
    Case("predict-json", f"predict {PUBLISHED} --efficiency 0.3 --to C2,C4 --format json -o out", ["out"]),
    Case("predict-html", f"predict {PUBLISHED} --efficiency 0.3 --to C2,C4 --format html -o out", ["out"]),
    Case("predict-csv", "predict two-sizes.yaml sunwulf --at N=310,K=3 --to C2 --format csv -o out", ["out"]),
    Case("predict-markdown", "predict two-roots.yaml sunwulf --efficiency 0.5 --to C2 --format markdown"),
    Case("predict-unreachable", "predict two-roots.yaml sunwulf --efficiency 0.9 --to C2", status=4),
    Case("predict-calibrated", "predict broadcasts.yaml calibrated.yaml --efficiency 0.3 --to 4,16 --format json"),
    Case("sweep-csv", f"sweep {PUBLISHED} --vary t_c=1e-8,2e-8 --vary sunblade.marked_speed=2e7,3e7 --efficiency 0.3 --to C2,C4 "
         "--threads 1"),
    Case("sweep-json", "sweep two-sizes.yaml sunwulf --vary K=1..9 --design sobol:5 --at N=310 --to C2 --format json --threads 1"),
    Case("offers-table", "offers offers-algorithm.yaml offers-list.yaml --budget 21kEUR --at N=5000"),
    Case("offers-json", "offers offers-algorithm.yaml offers-table.csv --budget 21kEUR --efficiency 0.8 --format json -o out",
         ["out"]),
    Case("offers-html", "offers offers-algorithm.yaml offers-list.yaml --budget 21kEUR --at N=5000 --format html -o out", ["out"]),
    Case("offers-accept", "offers offers-algorithm.yaml offers-list.yaml --at N=5000 --accept 1,2"),
    Case("offers-suite", "offers offers-suite.yaml --budget 21kEUR --accept 1 --format json -o out", ["out"]),
    Case("offers-none", "offers offers-algorithm.yaml offers-list.yaml --budget 5kEUR --at N=5000", status=4),
    Case("scalability-table", "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.3"),
    Case("scalability-monotone", "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.3 --monotone "
         "--format json -o out", ["out"]),
    Case("predict-traffic", "predict traffic.yaml traffic-machine.yaml --at N=512 --to 4,32"),
    Case("transfer-table", "transfer transfer-runs.csv --from transfer-here.yaml --to transfer-wide.yaml"),
    Case("transfer-json", "transfer transfer-runs.csv --from transfer-here.yaml --to transfer-there.yaml --with matrix-multiplication "
         "--format json -o out", ["out"], status=4),
    Case("forecast-table", "forecast forecast-runs.csv --to p=64,1024,N=100,300 --laws --budget 60s", status=4),
    Case("forecast-json", "forecast forecast-weak.csv --to 32..128*2 --format json -o out", ["out"]),
    Case("scalability-list", "scalability ge-sizes.csv --work gaussian-elimination --format csv"),
    Case("scalability-machine", "scalability sunwulf-runs.csv --work gaussian-elimination --machine sunwulf --efficiency 0.3 "
         "--format markdown -o out", ["out"]),
    Case("scalability-sets", "scalability sets-times.csv --metric isospeed --reference sets-reference.csv --matrix -o out",
         ["out"]),
    Case("scalability-metric", "scalability sets-runs.csv --work matrix-multiplication --metric time-scale --efficiency 0.6 "
         "--reference sets-reference.csv --format json"),
    Case("predict-matrix", "predict sequential.yaml sunwulf --base C2 --at N=200 --to C4,C8 --matrix"),
    Case("predict-latency", f"predict {PUBLISHED} --metric latency --efficiency 0.3 --to C2,C4 --format json"),
    Case("forecast-harness", "forecast reframe.json --to 64 --formulas out.tex --extra-p out", ["out.tex", "out"]),
    Case("forecast-with", "forecast joined-runs.csv --with joined-stencil.yaml joined-machine.yaml --to p=1024 --fitted out", ["out"]),
    Case("validate-table", "validate gaussian-elimination phases-machine.yaml phases-runs.csv"),
    Case("validate-json", "validate gaussian-elimination sunwulf sunwulf-runs.csv --format json -o out", ["out"]),
    Case("validate-limit", "validate gaussian-elimination phases-machine.yaml phases-runs.csv --max-error T=0.0001 --format csv",
         status=1),
    Case("explain-table", f"explain {PUBLISHED} --efficiency 0.3 --to C2,C4"),
    Case("explain-json", f"explain {PUBLISHED} --base C2 --at N=310 --to C4 --format json -o out", ["out"]),
    Case("explain-csv", f"explain {PUBLISHED} --at N=1000 --to C8 --format csv"),
    Case("explain-idle", "explain idle-algorithm.yaml tunable.yaml --idle --at N=6000 --to 8"),  # variation.c
    Case("explain-idle-json", f"explain {PUBLISHED} --idle --efficiency 0.3 --to C2,C4 --format json -o out", ["out"]),
    Case("explain-growth", f"explain {PUBLISHED} --growth --efficiency 0.3 --to C2,C8"),
    Case("explain-growth-json", "explain fft-binary-exchange-textbook textbook --growth --efficiency 0.6 --to 4,16 --format json"),
    Case("explain-runs", "explain gaussian-elimination phases-machine.yaml --runs phases-runs.csv -o out", ["out"]),
    Case("fit-csv", "fit-operations own.csv --draws 5"),
    Case("fit-machine", "fit-operations own.csv -o m.yaml --marked-speed 2e9 --residuals r.csv --draws 5", ["m.yaml", "r.csv"]),
    Case("fit-json", "fit-operations osu-full.txt --to 32,64 --format json --draws 5 -o out", ["out"]),
    Case("fit-formats", "fit-operations imb.txt skampi.txt reprompi-4.txt --draws 5 --format csv --residuals r.csv", ["r.csv"]),
    Case("fit-kernels", "fit-operations kernels.csv", status=3),
    Case("export-system", "export simgrid sunwulf --system C8 -o platform.xml --hosts hosts", ["platform.xml", "hosts"]),
    Case("export-whole", "export simgrid platform.yaml"),
    Case("export-torus", "export simgrid torus.yaml -o platform.xml", ["platform.xml"]),
    Case("compare-table", "compare fft-binary-exchange-textbook fft-2d-transpose-textbook textbook --at n=1024,65536 --to 16,64"),
    Case("compare-json", "compare gaussian-elimination-published matrix-multiplication sunwulf --efficiency 0.3 --to C2,C8 "
         "--format json -o out", ["out"]),
    Case("compare-csv", "compare gaussian-elimination matrix-multiplication sunwulf --at N=500,1000 --to C2,C4 --format csv"),
    Case("compare-machines", "compare no-machine.yaml algorithm.yaml --at N=1000 --to 2,4", status=3),
    Case("sweep-file", f"sweep {PUBLISHED} --vary t_c=1e-8,2e-8 --at N=310,500 --to C2,C4 --threads 1 -o out.csv",
         made=["out.csv"], kept="out[.]csv"),
    Case("scaling", f"predict {PUBLISHED} --fixed time --base C2 --at N=310 --to C4,C8 --format json"),
    Case("doctor", "doctor --launcher 'mpiexec.mpich -n {p}'", alike=first_words, one_of=40, kinds="a"),
    Case("doctor-json", "doctor --format json -o out", ["out"], alike=lambda text: b"", one_of=60, kinds="a"),
    Case("calibrate", f"calibrate --processes 1,2 --launches 4 --launcher {PROBE} --name here -o here.yaml --budget 20s",
         made=["here.yaml", "here.samples.csv"], kept="here[.]samples[.]csv", alike=lambda text: b"", one_of=30),
    Case("measure", f"measure ge --machine sunwulf.yaml --oversubscribe --systems C2 --sizes 100,200 --repetitions 2 --launcher {KERNEL} "
         "-o found.csv", made=["found.csv"], kept="found[.]csv", one_of=10),
    Case("run", f"run steps.yaml -n 2 --set K=2 --oversubscribe --set N=100 --repetitions 2 --launcher {KERNEL} -o out", ["out"], one_of=10),
    Case("measure-steps", f"measure steps.yaml --set K=2 --machine sunwulf.yaml --oversubscribe --systems C2 --sizes 100 --repetitions 2 --launcher {KERNEL} "
         "-o found.csv", made=["found.csv"], kept="found[.]csv", one_of=10),
    Case("measure-find", f"measure ge --machine sunwulf.yaml --oversubscribe --systems C2 --find E=0.3 --repetitions 2 "
         f"--launcher {KERNEL} -o found.csv", made=["found.csv"], kept="found[.]csv", status=4, one_of=20),
    Case("record", "record -n 2 --launcher ./replay -o made.csv -- programs/jacobi 24", made=["made.csv"], kept="made[.]csv($|[.]parts-)",
         alike=without_times, one_of=4),
    Case("cc", "cc -O2 -c -o made.o hello.c", made=["made.o"], kept="made[.]o$", alike=without_times, one_of=4),
] + [
    Case(f"plot-{name.replace('.', '-')}", f"plot {name} -o {output}", [output] if output != "-" else [],
         alike=without_descriptors)
    for name, output in [(name, "-") for name in RESULTS] + [("ge-runs.csv", "out.svg"), ("phases-runs.csv", "out.png"), ("r.csv", "-"),
                                                             ("prediction.csv", "out.pdf"), ("sweep.csv", "out.svg"),
                                                             ("map.csv", "-"), ("sweep.ndjson", "out.txt")]
] + [
    Case("plot-broken", "plot broken.json -o -", status=3),
    Case("unknown-name", "predict gaussian-elimination-publisht sunwulf --at N=310 --to C4", status=2),
    Case("unknown-option", "predict a.yaml m.yaml --efficency 0.3", status=2),
    Case("unknown-size", f"predict {PUBLISHED} --at M=310 --to C4", status=2),
    Case("check-mistakes", "check " + " ".join(f"mistakes/{name}" for name in sorted(os.listdir(BROKEN))), status=3),
]


BROADCASTS = """algorithm: broadcasts
size: {N: {description: numbers, min: 1}}
work: 100*N
overhead:
  share: T_bcast_binomial(8 B * N)
"""


# What stands for slow programs. gnuplot hands on what it reads, so that a number that is lost is seen.
# replay keeps the parts of a record's first run, and puts them where those of the next are awaited.
STUBS = {
    "gnuplot": """#!/bin/sh
[ "$1" = -d ] && [ "$2" != -e ] || exec env PATH="${PATH#*:}" gnuplot "$@"
picture=$(sed -n 's/^output = "\\(.*\\)"/\\1/p' "$2")
cat "$2" $(sed -n 's/^[a-z]* = "\\(.proc.*\\)"/\\1/p' "$2" | grep -v "$picture") > "$picture"
""",
    "replay": """#!/bin/sh
if [ ! -d parts ]; then
  mpiexec.mpich -n 2 "$@" >/dev/null && mkdir parts && cp -a "$ISOCAST_RECORD_FOLDER/." parts
else
  cp -a parts/. "$ISOCAST_RECORD_FOLDER"
fi
""",
    "hello.c": "#include <stdio.h>\nint main(void) { puts(\"\"); return 0; }\n",
}


def prepare(folder, isocast):
    """Puts the inputs of all cases into a folder."""
    for name in os.listdir(FILES):
        path = os.path.join(FILES, name)
        if os.path.isfile(path):
            shutil.copy(path, folder)
    shutil.copytree(os.path.join(FILES, "derive"), os.path.join(folder, "derive"), dirs_exist_ok=True)
    timings = os.path.join(FILES, "timings")
    for name in ("own.csv", "osu-full.txt", "imb.txt", "skampi.txt", "reprompi-4.txt", "kernels.csv"):
        shutil.copy(os.path.join(timings, name), folder)
    shutil.copytree(BROKEN, os.path.join(folder, "mistakes"))
    specs = os.path.join(ROOT, "specs")
    shutil.copy(os.path.join(specs, "algorithms", "gaussian-elimination.yaml"), os.path.join(folder, "algorithm.yaml"))
    shutil.copy(os.path.join(specs, "machines", "sunwulf.yaml"), folder)
    shutil.copy(os.path.join(specs, "platforms", "fat-tree-128.yaml"), os.path.join(folder, "platform.yaml"))
    shutil.copy(os.path.join(specs, "runs", "sunwulf-gaussian-elimination.csv"), os.path.join(folder, "sunwulf-runs.csv"))
    with open(os.path.join(folder, "broadcasts.yaml"), "w", encoding="utf-8") as file:
        file.write(BROADCASTS)
    for name, text in STUBS.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(os.path.join(folder, name), 0o755)
    programs = os.path.join(os.path.dirname(os.path.dirname(isocast)), "tests", "programs")
    if os.path.isdir(programs):
        os.symlink(programs, os.path.join(folder, "programs"))
    for line in (["record -n 2 --launcher ./replay -o made.csv -- programs/jacobi 24"] if os.path.isdir(programs) else []) + OTHERS + [f"{line} --format json -o {name}" for name, line in RESULTS.items()]:
        subprocess.run([isocast, line.split()[0], "--quiet", *line.split()[1:]], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    with open(os.path.join(folder, "prediction.json"), encoding="utf-8") as file:
        whole = file.read()
    with open(os.path.join(folder, "broken.json"), "w", encoding="utf-8") as file:
        file.write(whole[:len(whole) // 2])
    for name in os.listdir(folder):
        if name.startswith("made"):
            os.remove(os.path.join(folder, name))
