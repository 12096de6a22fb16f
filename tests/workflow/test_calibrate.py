#!/usr/bin/env python3
"""A short calibration gives a machine file that loads, with its samples; failures keep what was there."""

import hashlib
import os
import re
import tempfile

from common import expect, expect_run, finish, run, write

with tempfile.TemporaryDirectory() as folder:
    machine = os.path.join(folder, "here.yaml")
    expect_run(0, "calibrate", "--processes", "1,2" if os.cpu_count() > 1 else "1", "--launches", 2,
               "--budget", "8s", "-o", machine, words="timings are in")
    expect_run(0, "check", machine)
    text = open(machine, encoding="utf-8").read()
    samples = open(os.path.join(folder, "here.samples.csv"), "rb").read()
    expect(hashlib.sha256(samples).hexdigest() in text, "the samples' hash is not in the file")
    expect(b"launch,operation,p,m,index,seconds,stop" in samples, "the samples have no header")
    # Transforms are measured at lengths alone that the specification is valid for: two images of N^2 complex numbers.
    lengths = {round((float(m) / 32) ** 0.5) for m in re.findall(rb"^\d+,conv2d,1,([^,]+),", samples, re.M)}
    for N in lengths:
        note = run("predict", "convolution-2d", "sunwulf", "--at", "N=%d" % N, "--to", "C2", "-q", "--format", "csv").stdout
        expect(b"holds only for" not in note, "calibrate measures transforms of length %d" % N)
    expect("simulated: false" in text and " ± " in text, "provenance is missing")
    numbers = re.findall(r": +([-+.\w]+) \w*s(?:/\w+)? ± ", text)
    expect(len(numbers) > 10, "the file has only %d numbers with errors" % len(numbers))
    for number in numbers:
        expect(float(number) >= 0, "a coefficient is negative: " + number)
    expect(not os.path.exists(os.path.join(folder, "here.samples.csv.part")), "a part file stays")
    result = run("predict", "gaussian-elimination", machine, "--at", "N=300", "--to", "1",
                 "--format", "csv")
    expect(result.returncode == 0 and len(result.stdout.splitlines()) == 2, "no prediction")

    before = open(machine).read()
    expect_run(2, "calibrate", "--processes", 64, "-o", machine, words="would measure the scheduler")
    expect_run(2, "calibrate", words="-o MACHINE.yaml is needed")
    expect_run(5, "calibrate", "--launcher", "no-such-mpiexec -n {p}", "-o", machine,
               words="there is no program 'no-such-mpiexec'")
    expect_run(5, "calibrate", "--launcher", "false", "-o", machine, words="exit status 1")
    expect_run(5, "calibrate", "-o", os.path.join(folder, "none", "x.yaml"), words="cannot write")
    expect(open(machine).read() == before, "a failed calibration changed the machine file")
finish()
