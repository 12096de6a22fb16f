#!/usr/bin/env python3
"""plot: every format of every result is a picture of its kind with the labels in it."""

import os
import tempfile

from common import MACHINE, expect, expect_run, finish, write

STARTS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "txt": b""}

with tempfile.TemporaryDirectory() as folder:
    machine = write(folder, "machine.yaml", MACHINE)
    runs = write(folder, "runs.csv", "system,N,T\n" + "".join(
        "%d,%d,%g\n" % (p, size, size ** 3 * 0.5e-9 / p) for p in (1, 2) for size in (100, 200, 400)))
    validation = os.path.join(folder, "validation.json")
    prediction = os.path.join(folder, "prediction.json")
    scaling = os.path.join(folder, "scaling.json")
    expect_run(0, "validate", "gaussian-elimination", machine, runs, "--format", "json", "-o", validation)
    expect_run(0, "predict", "gaussian-elimination-published", "sunwulf", "--base", "C2", "--at",
               "N=310", "--to", "C4,C8", "--format", "json", "-o", prediction)
    expect_run(0, "predict", "gaussian-elimination", machine, "--at", "N=500", "--to", "1,2",
               "--format", "json", "-o", scaling)
    residuals = os.path.join(folder, "residuals.csv")
    timings = write(folder, "timings.csv", "operation,p,m,seconds\n" + "".join(
        "bcast,%d,%d,%g\n" % (p, m, 1e-6 * p + 1e-9 * m) for p in (2, 4, 8) for m in (8, 64, 512)))
    expect_run(0, "fit-operations", timings, "--residuals", residuals)
    labels = {residuals: b"measured / fitted", validation: b"execution time T (s)", prediction: b"scalability psi",
              scaling: b"speedup", runs: b"execution time T (s)"}
    for result, label in labels.items():
        for ending, start in STARTS.items():
            picture = os.path.join(folder, "picture." + ending)
            said = expect_run(0, "plot", result, "-o", picture).stderr
            expect(said == b"", "plot says %r" % said)
            content = open(picture, "rb").read()
            expect(content.startswith(start) and len(content) > 1000, "%s: no %s" % (result, ending))
            if ending in ("svg",):
                expect(label in content, "%s: the label %s is missing" % (result, label))
    text = expect_run(0, "plot", validation, "-o", "-").stdout
    expect(b"predicted" in text, "no text plot")

    broken = write(folder, "broken.csv", open(residuals).read() + "T_bcast,2,8,0,nan,1,1\n")
    expect_run(3, "plot", broken, "-o", os.path.join(folder, "x.png"), words="'nan' is no such number")
    expect_run(2, "plot", validation, "-o", os.path.join(folder, "x.gif"), words="must end in")
    expect_run(3, "plot", machine, "-o", os.path.join(folder, "x.png"), words="plot:")
    expect_run(3, "plot", write(folder, "o.json", "{}"), "-o", os.path.join(folder, "x.png"),
               words="neither")
    expect_run(5, "plot", validation, "-o", os.path.join(folder, "none", "x.png"))
    only = dict(os.environ, PATH=folder)
    expect_run(5, "plot", validation, "-o", os.path.join(folder, "x.png"), env=only,
               words="gnuplot-nox")
finish()
