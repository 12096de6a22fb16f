#!/usr/bin/env python3
"""forecast --with on steps of training that were made from known numbers: all seventeen that transformer-training leaves open are found
again, together, though some stand in a max(), and T of other configurations is right.

    test_transformers.py ISOCAST ROOT
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

ISOCAST = os.path.abspath(sys.argv[1])
SIZES = ("sequence", "hidden", "layers", "heads", "vocabulary", "micro", "tensor", "pipeline", "passes", "attention", "sharding", "precision", "context", "experts",
         "active", "spread")
TRUTH = {"products": 1.4, "eight_bits": 0.8, "logits": 2.1, "scores": 3.5, "softmax": 1.2, "activations": 1.4, "within": 1.3, "reductions": 2.3,
         "inside": 1.8, "between": 1.9, "gather": 0.9, "exchange": 0.7, "dispatch": 1.4, "launch": 0.6e-3, "host": 3.2e-3, "start": 9e-5, "update": 4e-3}
# p, batch, then the sizes.
PLAIN = [(tensor * data * pipeline, 8 * data * pipeline, sequence, hidden, 24, 16, 51200, micro, tensor, pipeline, 3, attention, 1, 1, 1, 1, 1, 1)
         for tensor, data, pipeline in ((1, 1, 1), (2, 1, 1), (1, 8, 1), (4, 2, 1), (2, 2, 2), (8, 8, 1), (16, 2, 2), (16, 4, 1))
         for (hidden, sequence), (micro, attention) in itertools.product(((512, 1024), (2048, 2048), (4096, 1024), (8192, 2048)), ((1, 2), (4, 2), (2, 1)))]
SHARDED = [(p, 2 * p, sequence, hidden, 32, 32, 50368, 2, 1, 1, passes, 1, 2, precision, 1, 1, 1, 1)
           for (p, passes, precision), (hidden, sequence) in zip(itertools.product((8, 16, 64), (3, 4), (1, 2)),
                                                               itertools.cycle(((768, 2048), (4096, 2048), (5120, 4096))))]
# Sequences and experts that several GPUs share, in a node and over nodes.
SHARED = [(p, p, 8192, hidden, 24, 32, 51200, 1, 2, 1, 3, 1, 1, 1, context, experts, 2, spread)
          for p, context, experts, spread in ((8, 2, 1, 1), (64, 8, 1, 1), (8, 1, 8, 4), (64, 1, 8, 8), (64, 2, 8, 2)) for hidden in (2048, 4096)]
OTHERS = [(256, 512, 2048, 6144, 40, 48, 51200, 2, 8, 4, 4, 2, 1, 1, 1, 1, 1, 1),
          (128, 256, 4096, 4096, 32, 32, 50368, 2, 1, 1, 4, 1, 2, 1, 1, 1, 1, 1), (128, 64, 8192, 4096, 32, 32, 51200, 1, 2, 1, 3, 1, 1, 1, 4, 8, 2, 4)]
problems = []


def check(right, *what):
    if not right:
        problems.append(what)
        print(*what)


def run(*arguments):
    done = subprocess.run([ISOCAST, *arguments], capture_output=True, text=True, check=False)
    check(done.returncode == 0, " ".join(arguments), "exit status", done.returncode, done.stderr)
    return done.stdout


def time_of(algorithm, configuration, numbers):
    p, batch, *sizes = configuration
    values = [word for name, value in list(zip(SIZES, sizes)) + list(numbers.items()) for word in ("--set", "%s=%.17g" % (name, value))]
    return json.loads(run("predict", algorithm, "a100-8", "--at", "batch=%d" % batch, "--to", str(p), *values, "--set", "node.memory=10TB", "--format", "json",
                          "-q"))["rows"][0]["T"]


with tempfile.TemporaryDirectory() as folder:
    runs, fitted = os.path.join(folder, "runs.csv"), os.path.join(folder, "fitted.yaml")
    with open(runs, "w", encoding="utf-8") as file:
        file.write("system,N,T," + ",".join(SIZES) + "\n")
        for configuration in PLAIN + SHARDED + SHARED:
            file.write("%d,%d,%.17g,%s\n" % (configuration[:2] + (time_of("transformer-training", configuration, TRUTH),
                                                                 ",".join(map(str, configuration[2:])))))
    result = json.loads(run("forecast", runs, "--with", "transformer-training", "a100-8", "--to", "p=64", "--fitted", fitted, "--format", "json"))
    found = {number["name"]: number["value"] for number in result["numbers"]}
    check(found.keys() == TRUTH.keys(), "open are", found)
    for name, truth in TRUTH.items():
        check(found[name] is not None and abs(found[name] / truth - 1) < 1e-3, name, "is", found[name], "and was", truth)
    for configuration in OTHERS:
        truth = time_of("transformer-training", configuration, TRUTH)
        check(abs(time_of(fitted, configuration, {}) / truth - 1) < 1e-3, configuration, "is off:", time_of(fitted, configuration, {}), truth)
print("%d problems" % len(problems))
sys.exit(1 if problems else 0)
