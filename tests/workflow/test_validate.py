#!/usr/bin/env python3
"""validate: known times give known errors; limits, bad files and unknown systems have their statuses."""

import json
import os
import tempfile

from common import MACHINE, SOURCE, expect, expect_run, finish, write

ALGORITHM = """algorithm: simple
size: {N: {min: 1}}
work: N^3
overhead: {all: 1 us * p * N}
"""
SIZES = (100, 200, 400, 800)


def predicted(p, size):
    return size ** 3 / (2e9 * p) + 1e-6 * p * size


def near(a, b):
    return abs(a - b) <= 1e-9 * abs(b)


with tempfile.TemporaryDirectory() as folder:
    machine = write(folder, "machine.yaml", MACHINE)
    algorithm = write(folder, "algorithm.yaml", ALGORITHM)
    lines = ["system,N,T,comment"]
    for p in (2, 1):
        for size in SIZES:
            for factor in (0.99, 1.0, 1.3):  # the median counts, not the mean
                lines.append('%d,%d,%.17g,"a, b"' % (p, size, predicted(p, size) * 1.25 * factor))
    runs = write(folder, "runs.csv", "\r\n".join(lines) + "\r\n")
    result = expect_run(0, "validate", algorithm, machine, runs, "--format", "json")
    answer = json.loads(result.stdout)
    expect(answer["schema"] == "isocast.validation/1", "schema")
    expect(answer["errors"]["T"]["n"] == 8, "points: %s" % answer["errors"]["T"])
    expect(near(answer["errors"]["T"]["mean"], 0.2), "mean of T: %s" % answer["errors"]["T"])
    expect(near(answer["errors"]["T"]["max"], 0.2), "max of T")
    expect(near(answer["errors"]["E"]["mean"], 0.25), "mean of E: %s" % answer["errors"]["E"])
    expect([row["p"] for row in answer["rows"]] == [1] * 4 + [2] * 4, "order of the systems")
    expect(all(row["T_min"] < row["T"] < row["T_max"] for row in answer["rows"]), "extremes")
    expect(answer["efficiency"] is not None and answer["errors"]["N"]["n"] == 2, "N is compared")
    expect(answer["errors"]["psi"]["n"] == 1, "psi is compared")
    for key in json.load(open(os.path.join(SOURCE, "docs/result-schema.json")))["$defs"]["validation"]["required"]:
        expect(key in answer, "the schema's field %s is missing" % key)
    expect(len(answer["curves"]) == 2 and len(answer["curves"][0]["N"]) > 50, "curves")

    # Several efficiencies: a table of each, errors of all together, and one table alone.
    several = json.loads(expect_run(0, "validate", algorithm, machine, runs, "--efficiency", "0.3,0.5", "--format", "json").stdout)
    expect([one["efficiency"] for one in several["targets"]] == [0.3, 0.5], "targets: %s" % several["targets"])
    alone = [json.loads(expect_run(0, "validate", algorithm, machine, runs, "--efficiency", E, "--format", "json").stdout)
             for E in ("0.3", "0.5")]
    expect([one["systems"] for one in several["targets"]] == [one["systems"] for one in alone], "several differ from one each")
    expect(several["errors"]["N"]["n"] == sum(one["errors"]["N"]["n"] for one in alone), "errors of N are not of all")
    N = expect_run(0, "validate", algorithm, machine, runs, "--efficiency", "0.3,0.5", "--only", "sizes").stdout.decode()
    expect(N.startswith("The N that gives E, predicted and measured") and "relative error of" not in N, "--only: " + N)
    expect_run(2, "validate", algorithm, machine, runs, "--only", "all", words="points, sizes or summary")
    expect_run(2, "validate", algorithm, machine, runs, "--efficiency", "0.3,-1", words="above 0")

    # A machine with errors has intervals, and the text states how many measured N they hold.
    sure = write(folder, "sure.yaml", MACHINE.replace("0.5 ns/flop}", "0.5 ns/flop ± 1 %}")
                 .replace("T_send: 1 us + 0.2 ns/B * m", "T_send: {start: 1 us ± 30 %}"))
    own = write(folder, "own.yaml", ALGORITHM.replace("1 us", "T_send(8 B)").replace("work: N^3", "work: N^3\ncompute: W*t_c/p"))
    result = json.loads(expect_run(0, "validate", own, sure, runs, "--efficiency", "0.5", "--format", "json").stdout)
    row = result["systems"][1]
    expect(row["N_predicted_low"] < row["N_predicted"] < row["N_predicted_high"], "no interval: %s" % row)
    expect(near(row["psi_predicted_low"], 0.25) and near(row["psi_predicted_high"], 0.25), "psi is that of 1:4 at any error: %s" % row)
    predicted_N = json.loads(expect_run(0, "predict", own, sure, "--efficiency", "0.5", "--to", "1,2", "--format", "json").stdout)
    expect(near(row["N_predicted_low"], predicted_N["rows"][1]["N_low"]), "another interval than that of predict")
    compared = [one for one in result["systems"] if one["N_error"] is not None]
    inside = sum(one["N_predicted_low"] <= one["N"] <= one["N_predicted_high"] for one in compared)
    text = expect_run(0, "validate", own, sure, runs, "--efficiency", "0.5").stdout.decode()
    expect("%d of %d measured N lie between N_low and N_high" % (inside, len(compared)) in text, "intervals: " + text)

    expect(all(row["valid"] for row in answer["rows"]), "every size is valid where the algorithm excludes none")

    # Sizes that the algorithm excludes are shown, marked, and count for nothing, here with times that are wild.
    wild = ["%d,%d,%.17g,x" % (p, size, 30 * predicted(p, size)) for p in (1, 2) for size in (300, 90, 1200)]
    excluding = write(folder, "excluding.yaml", ALGORITHM.replace("{min: 1}", "{min: 1, valid: {factors: [2, 5]}}"))
    more = write(folder, "more.csv", "\n".join(lines + wild) + "\n")
    marked = json.loads(expect_run(0, "validate", excluding, machine, more, "--format", "json").stdout)
    expect(marked["errors"] == answer["errors"], "excluded sizes count: %s" % marked["errors"])
    expect(marked["systems"] == answer["systems"], "N or psi is read from excluded sizes: %s" % marked["systems"])
    expect([row["N"] for row in marked["rows"] if not row["valid"]] == [90, 300, 1200] * 2,
           "excluded sizes are not marked")
    table = expect_run(0, "validate", excluding, machine, more).stdout.decode()
    expect("the prediction holds only for products of 2 and 5" in table, "the table does not say it: " + table)
    only = write(folder, "only.csv", "\n".join(lines[:1] + wild) + "\n")
    none = json.loads(expect_run(0, "validate", excluding, machine, only, "--format", "json").stdout)
    expect(none["errors"]["T"] == {"mean": None, "max": None, "bias": None, "mean_beyond": None, "n": 0}, "no valid size, and errors")
    expect_run(0, "validate", excluding, machine, only)

    expect_run(0, "validate", algorithm, machine, runs, "--max-error", "T=0.21,E=0.3")
    expect_run(1, "validate", algorithm, machine, runs, "--max-error", "T=0.19", words="error of T")
    expect_run(2, "validate", algorithm, machine, runs, "--max-error", "X=1", words="--max-error")
    table = expect_run(0, "validate", algorithm, machine, runs).stdout.decode()
    expect("under-predicted" in table and "error of T" in table, "the table does not say the bias")

    for text, words in (
            ("system,N\n1,5\n", "there is no column 'T'"),
            ("system,N,T\n1,5,fast\n", "T must be a number, this is 'fast'"),
            ("system,N,T\n1,-5,1\n", "N must be above 0"),
            ("system,N,T\n1,5\n", "2 cells, the first line names 3"),
            ("system,N,T\nC9,5,1\n", "not a system"),
            ("algorithm,system,N,T\nother,1,5,1\nthird,1,5,1\n", "no runs of algorithm 'simple'"),
            ("", "is empty")):
        expect_run(3, "validate", algorithm, machine, write(folder, "bad.csv", text), words=words)
finish()
