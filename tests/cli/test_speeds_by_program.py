"""Machines with several processors on a node, marked speeds by program and times per flop that depend on both.

    test_speeds_by_program.py ISOCAST

`compare` takes the same T at p whether p is a system or a point of its curve over p, and a marked speed set by hand is
that of every program.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

ALGORITHM = """
algorithm: {name}
size: {{N: {{min: 1}}}}
work: 1e6*N
memory: 8 B*N
kernel: ge
overhead: {{x: {overhead}}}
"""
MACHINE = """
machine: tables
nodes: {node: {count: 8, processors: 4, memory: 1 GB, marked_speed: {default: 1 Gflop/s, ge: 2 Gflop/s}}}
operations: {T_send: 1 us + 1 ns/B*m, T_recv: 1 us}
compute:
  ge: {tables: {1: {1 MB: 0.5 ns/flop}, 4: {1 MB: 2 ns/flop}}}
"""


def run(arguments):
    done = subprocess.run(arguments + ["--format", "json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def curves_meet_the_rows(program, files):
    result = run([program, "compare", *files, "--at", "N=1000", "--to", "1..32*2"])
    curves = {curve["contender"]: dict(zip(curve["p"], curve["T"])) for curve in result["curves_over_p"]}
    met = 0
    for row in result["rows"]:
        if row["p"] in curves[row["contender"]]:
            of_curve = curves[row["contender"]][row["p"]]
            assert math.isclose(of_curve, row["T"], rel_tol=1e-9), (of_curve, row)
            met += 1
    assert met >= 10, met


def set_by_hand(program, files):
    for speed, given in ((2e9, []), (3e9, ["--set", "node.marked_speed=3 Gflop/s"])):
        result = run([program, "predict", files[0], files[2], "--at", "N=1000", "--to", "8"] + given)
        row = result["rows"][-1]
        assert math.isclose(row["C"], 8 * speed, rel_tol=1e-12), row


def main():
    with tempfile.TemporaryDirectory() as folder:
        texts = {"one.yaml": ALGORITHM.format(name="one", overhead="(p - 1)*T_send(8 B*N)"),
                 "two.yaml": ALGORITHM.format(name="two", overhead="20*p_node_max*T_send(64 B*N)*log2(p)"),
                 "machine.yaml": MACHINE}
        for name, text in texts.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        files = [os.path.join(folder, name) for name in texts]
        curves_meet_the_rows(sys.argv[1], files)
        set_by_hand(sys.argv[1], files)


if __name__ == "__main__":
    main()
