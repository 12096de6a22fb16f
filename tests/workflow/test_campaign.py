#!/usr/bin/env python3
"""bench/validate-simulated: the short form is complete and is kept; platforms of one's own; what is left out is reported.

    test_campaign.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

from common import ISOCAST, SOURCE, expect, finish, write

sys.path.insert(0, os.path.join(SOURCE, "bench"))
from campaign import report  # noqa: E402
from campaign.row import Row  # noqa: E402

COMMAND = os.path.join(SOURCE, "bench", "validate-simulated")
SIMULATED = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-kernel-simulated")
KERNELS = ("--kernels", "mm,conv2d")  # rounds of an elimination take most of the time
CASES = {("sunwulf", "mm"), ("sunwulf", "conv2d"), ("sunwulf, latency x10", "mm")}
MIXED = """platform: mixed
nodes:
  fast: {count: 4, processors: 2, speed: 2 Gflop/s}
  slow: {count: 8, speed: 1 Gflop/s}
network: {topology: switched, link_bandwidth: 1 Gbit/s, link_latency: 20 us}
"""


def campaign(folder, *arguments, status=0, words=""):
    result = subprocess.run([sys.executable, COMMAND, *arguments, "--isocast", ISOCAST, "-o", folder], timeout=3600,
                            capture_output=True, text=True)
    expect(result.returncode == status and words in result.stderr,
           "%s: status %d, not %d: %s" % (" ".join(arguments), result.returncode, status, result.stderr[-500:]))
    return result


def rows_of(folder):
    with open(os.path.join(folder, "campaign.json")) as file:
        document = json.load(file)
    with open(os.path.join(folder, "campaign.csv")) as file:
        lines = list(csv.DictReader(file))
    expect(len(lines) == len(document["rows"]), "CSV and JSON have not the same rows")
    expect(document["simulated"] is True, "the JSON does not say that runs are simulated")
    return document


def times_in(folder, ending):
    return {os.path.join(base, name): os.stat(os.path.join(base, name)).st_mtime_ns
            for base, _, names in os.walk(folder) for name in names if name.endswith(ending)}


def run_times(folder):
    return times_in(os.path.join(folder, "runs"), ".csv")


def machine_times(folder):
    return times_in(os.path.join(folder, "machines"), ".yaml")


def check_short(folder):
    result = campaign(folder, "--short", *KERNELS, "--run-limit", "400")
    document = rows_of(folder)
    for quantity in ("T", "E", "N", "psi"):
        found = {(row["case"], row["kernel"]) for row in document["rows"]
                 if row["quantity"] == quantity and row["error"] is not None}
        expect(found == CASES, "%s is compared for other cases: %s" % (quantity, found))
    for row in document["rows"]:
        expect((row["condition"] is not None) == (row["quantity"] in ("N", "psi")), "no condition: %s" % row)
        expect(row["status"] == "ok" and abs(row["predicted"] / row["measured"] - 1 - row["error"]) < 1e-9,
               "an error is not that of its row: %s" % row)
    expect({(term["case"], term["kernel"]) for term in document["terms"]} == CASES, "the terms: %s" % document["terms"])
    expect(all(word in result.stdout for word in ("simulated", "Criteria", "N' mean", "latency x10")),
           "the tables: %s" % result.stdout)
    before = run_times(folder)
    calibrated = machine_times(folder)
    again = campaign(folder, "--short", *KERNELS, "--run-limit", "400")
    expect(again.stdout == result.stdout, "the second time gives other tables")
    expect(run_times(folder) == before, "the second time simulates again")
    expect(machine_times(folder) == calibrated, "the second time calibrates again")


def check_own(folder):
    """Systems are chosen; with next to no time to simulate, all is left out and said to be."""
    platform = write(folder, "mixed.yaml", MIXED)
    output = os.path.join(folder, "own")
    campaign(output, platform, "--kernels", "mm", "--efficiencies", "0.2", "--run-limit", "400")
    rows = rows_of(output)["rows"]
    expect({row["quantity"] for row in rows if row["status"] == "ok"} == {"T", "E", "N", "psi"}, "own platform: %s" % rows)
    expect({row["platform"] for row in rows} == {"mixed"} and {row["p"] for row in rows} == {8, 16}, "own systems: %s" % rows)
    none = os.path.join(folder, "none")
    shutil.copytree(os.path.join(output, "machines"), os.path.join(none, "machines"))  # it is calibrated already
    result = campaign(none, platform, "--kernels", "mm", "--efficiencies", "0.2", "--run-limit", "0.01")
    skipped = [row for row in rows_of(none)["rows"] if row["status"] == "skipped"]
    expect(skipped and all(row["note"] for row in skipped), "what is left out has no reason: %s" % skipped)
    expect("to simulate, over the limit of 0.01 s" in result.stdout, "the reason is not in the tables: " + result.stdout)


def check_scores():
    """N' and psi' that are ill-conditioned are reported, and not scored; T and E are scored everywhere."""
    kinds = [("N", 0.7, 0.01), ("N", 45, 0.4), ("N", None, 0.9), ("psi", 12, 0.8), ("psi", 3, 0.02), ("T", None, 0.03)]
    rows = [Row("case", "platform", "ge", "2", "4", 4, quantity, efficiency=0.3, predicted=1, measured=1, error=error,
                    condition=condition) for quantity, condition, error in kinds]
    for quantity, mean in (("N", 0.01), ("psi", 0.02), ("T", 0.03)):
        found = report.summary(report.of(rows, quantity=quantity))
        expect((found.n, found.mean) == (1, mean), "%s is scored as %s" % (quantity, found))
    expect(["45" in line for line in report.size_lines(rows)] == [False, False, True, False], "conditions are not in the table")


def check_refusals(folder):
    output = os.path.join(folder, "refused")
    campaign(output, "--kernels", "lu", status=2, words="there is no kernel 'lu'")
    campaign(output, "nowhere", status=2, words="there is no file 'nowhere'")
    broken = write(folder, "broken.yaml", MIXED.replace("1 Gbit/s", "1 Gbit"))
    campaign(output, broken, status=3, words="broken.yaml:5:47: error")


if not os.path.exists(SIMULATED):
    print("skipped: " + SIMULATED + " is not there")
    sys.exit(77)
with tempfile.TemporaryDirectory() as scratch:
    check_scores()
    check_refusals(scratch)
    check_own(scratch)
    check_short(os.path.join(scratch, "short"))
finish()
