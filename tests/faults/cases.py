"""The command lines that faults are tried on: all that reads, solves, fits and writes."""

import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = os.path.join(ROOT, "tests", "cli", "files")
BROKEN = os.path.join(ROOT, "tests", "broken", "files")


class Case:
    def __init__(self, name, line, outputs=(), stdin=None, status=0):
        self.name = name
        self.arguments = line.split()
        self.outputs = list(outputs)
        self.stdin = stdin
        self.status = status


PUBLISHED = "gaussian-elimination-published sunwulf"

CASES = [
    Case("check-files", "check algorithm.yaml sunwulf.yaml platform.yaml"),
    Case("check-together", "check --together algorithm.yaml sunwulf.yaml -o out", ["out"]),
    Case("check-json", "check algorithm.yaml - --format json", stdin="sunwulf.yaml"),
    Case("check-broken", "check broken-algorithm.yaml broken-machine.yaml", status=3),
    Case("check-csv", "check two-sizes.yaml --format csv -o out", ["out"]),
    Case("list-table", "list algorithms"),
    Case("list-json", "list machines --format json -o out", ["out"]),
    Case("derive", " ".join(["derive"] + [f"derive/strips-{N}-{p}.csv" for N in (100, 130, 170) for p in (1, 2, 4)] + ["-o out"]), ["out"]),
    Case("predict-table", f"predict {PUBLISHED} --base C2 --at N=310 --to C4,C8"),
    Case("predict-json", f"predict {PUBLISHED} --efficiency 0.3 --to C2,C4 --format json -o out", ["out"]),
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
    Case("offers-none", "offers offers-algorithm.yaml offers-list.yaml --budget 5kEUR --at N=5000", status=4),
    Case("scalability-table", "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.3"),
    Case("scalability-monotone", "scalability ge-runs.csv --work gaussian-elimination --efficiency 0.3 --monotone "
         "--format json -o out", ["out"]),
    Case("predict-traffic", "predict traffic.yaml traffic-machine.yaml --at N=512 --to 4,32"),
    Case("transfer-table", "transfer transfer-runs.csv --from transfer-here.yaml --to transfer-wide.yaml"),
    Case("transfer-json", "transfer transfer-runs.csv --from transfer-here.yaml --to transfer-there.yaml --with matrix-multiplication "
         "--format json -o out", ["out"], status=4),
    Case("scalability-list", "scalability ge-sizes.csv --work gaussian-elimination --format csv"),
    Case("scalability-machine", "scalability sunwulf-runs.csv --work gaussian-elimination --machine sunwulf --efficiency 0.3 "
         "--format markdown -o out", ["out"]),
    Case("scalability-sets", "scalability sets-times.csv --metric isospeed --reference sets-reference.csv --matrix -o out",
         ["out"]),
    Case("scalability-metric", "scalability sets-runs.csv --work matrix-multiplication --metric time-scale --efficiency 0.6 "
         "--reference sets-reference.csv --format json"),
    Case("predict-matrix", "predict sequential.yaml sunwulf --base C2 --at N=200 --to C4,C8 --matrix"),
    Case("predict-latency", f"predict {PUBLISHED} --metric latency --efficiency 0.3 --to C2,C4 --format json"),
    Case("validate-table", "validate gaussian-elimination phases-machine.yaml phases-runs.csv"),
    Case("validate-json", "validate gaussian-elimination sunwulf sunwulf-runs.csv --format json -o out", ["out"]),
    Case("validate-limit", "validate gaussian-elimination phases-machine.yaml phases-runs.csv --max-error T=0.0001 --format csv",
         status=1),
    Case("explain-table", f"explain {PUBLISHED} --efficiency 0.3 --to C2,C4"),
    Case("explain-json", f"explain {PUBLISHED} --base C2 --at N=310 --to C4 --format json -o out", ["out"]),
    Case("explain-csv", f"explain {PUBLISHED} --at N=1000 --to C8 --format csv"),
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
    subprocess.run([isocast, "fit-operations", "own.csv", "-o", "calibrated.yaml", "--marked-speed", "2e9", "--quiet"],
                   cwd=folder, stdout=subprocess.DEVNULL, check=True)
