#!/usr/bin/env python3
"""bench/real: timings that are twice as long as predicted are off by a factor of 2, and what is compared.

    test_data_sheets.py ISOCAST SOURCE          status 77, skipped, where isocast was built without SimGrid
"""

import csv
import os
import subprocess
import sys
import tempfile

from common import ISOCAST, SOURCE, expect, finish, write

SIMULATED = os.path.join(os.path.dirname(os.path.dirname(ISOCAST)), "libexec", "isocast", "isocast-probe-simulated")
SHEETS = """# a machine of two nodes
system,machine,processors,used,speed,memory_gb_s,sockets,cache_mib,link_gbit_s,kind,collectives,certainty,source
small,here,2,2,1,20,1,8,10,ethernet-tcp,mpich,read,made up
"""
HEAD = "system,operation,nodes,p,bytes,repetitions,t_min_us,t_avg_us,t_max_us,launch\n"


def bench(folder, rows, *more):
    """Status, standard output, and {(operation, nodes, bytes): s predicted} of these timings: (operation, nodes, p, bytes, s, launch)."""
    write(folder, "sheets.csv", SHEETS)
    write(folder, "imb.csv", HEAD + "".join("small,%s,%d,%d,%d,9,0,0,%.9g,%s\n" % (*row[:4], 1e6 * row[4], row[5]) for row in rows))
    result = subprocess.run([sys.executable, os.path.join(SOURCE, "bench", "real"), ".", "--isocast", ISOCAST, "--sheets",
                             "sheets.csv", "-o", "files", "--points", "points.csv", *more], cwd=folder, capture_output=True,
                            text=True, env={**os.environ, "XDG_CACHE_HOME": os.path.join(folder, "cache")}, timeout=3600)
    points = {}
    if result.returncode == 0:
        with open(os.path.join(folder, "points.csv"), newline="") as file:
            for row in csv.DictReader(file):
                points[row["operation"], int(row["nodes"]), int(row["bytes"])] = float(row["t_predicted_s"])
    return result, points


def main():
    if not os.path.exists(SIMULATED):
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        asked = [(operation, nodes, 2 * nodes, size) for operation in ("Sendrecv", "Alltoall") for nodes in (1, 2)
                 for size in (8, 128)]
        sheet = ("--part", "sheet", "--sizes", "8,128")
        _, predicted = bench(folder, [(*row, 1e-5, "a") for row in asked], *sheet)
        expect(sorted(predicted) == sorted((row[0], row[1], row[3]) for row in asked), "compares %s" % sorted(predicted))
        expect(predicted.get(("Sendrecv", 2, 8), 0) > 1.5e-5, "a message takes less than its latency")
        # Twice as long, in the middle of three launches; a size, a count of processes and an operation that are not compared.
        twice = [(*row, factor * predicted[row[0], row[1], row[3]], launch) for row in asked
                 for factor, launch in ((1, "a"), (2, "b"), (50, "c"))]
        beside = [("Sendrecv", 1, 2, 64, 1, "a"), ("Sendrecv", 1, 1, 8, 1, "a"), ("Exchange", 1, 2, 8, 1, "a")]
        result, _ = bench(folder, twice + beside, *sheet)
        expect("command" not in result.stderr, "predicts again what it has\n" + result.stderr)
        expect("| small | 8 |  | 2.00, 2.00 | 2.00, 2.00 |" in result.stdout, "prints\n" + result.stdout)
        expect("| all | 8 |  | 2.00, 2.00 |" in result.stdout, "prints\n" + result.stdout)
        result, _ = bench(folder, beside[1:2], *sheet)
        expect(result.returncode == 2 and "has none of the rows" in result.stderr, "takes a file without rows")
        # Counted in place of simulated.
        result, counted = bench(folder, [(*row, 1e-5, "a") for row in asked], *sheet, "--counted")
        expect("command 2," in result.stderr, "takes simulated times for counted ones\n" + result.stderr)
        expect(all(abs(counted[row[0], row[1], row[3]] / predicted[row[0], row[1], row[3]] - 1) < 0.05 for row in asked),
               "counts %s, simulates %s" % (counted, predicted))
        # Constants that are read off a machine are those that it was made of.
        link, share, gap, overhead, node, rate = 1.25e9, 0.5, 2e-7, 6e-7, 2e-7, 4e9
        ping = node + overhead / 2 + gap * link * share / rate  # the gap counts as bytes within a node, too
        made = [("PingPong", 1, 2, 8, ping, "a"), ("Sendrecv", 1, 2, 8, ping + overhead / 2, "a")]
        made += [("PingPong", 1, 2, 2**k, 2**k / rate, "a") for k in range(16, 21)]
        made += [("Alltoall", 2, 4, 2**k, 4 * (2**k / (link * share) + gap), "a") for k in (9, 10, 11)]
        made += [("Alltoall", 2, 4, 2**k, 4 * (2**k / (link * share)), "a") for k in (17, 18, 19)]
        made += [("Alltoall", 4, 8, 2**k, 12 * 1.5 * 2**k / (link * share), "a") for k in (17, 18, 19)]
        made += [("Alltoall", 4, 8, 2**k, 12 * (1.5 * 2**k / (link * share) + gap), "a") for k in (9, 10, 11)]
        result, _ = bench(folder, made, "--constants")
        expect("ethernet-tcp: {message_overhead: 6e-07 s, node_latency: 2e-07 s, node_bandwidth: 4e+09 B/s, link_share: 0.5 , "
               "congestion: 0.5 , message_gap: 2e-07 s}" in result.stdout, "reads\n" + result.stdout + result.stderr)
    finish()


if __name__ == "__main__":
    main()
