#!/usr/bin/env bash
# Builds in build/coverage, runs the quick tests, and prints the share of lines that ran in model/, calibrate/ and cli/,
# without what runs under MPI. Needs the package gcovr. The share of each file stands in build/coverage/lines.json.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh

isocast_build build/coverage -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=--coverage -DISOCAST_SIMGRID=OFF
find build/coverage -name '*.gcda' -delete
isocast_test build/coverage -L quick
gcovr --root . --filter '(model|calibrate|cli)/' --exclude 'calibrate/(probe|quick)/' --exclude cli/ranks/ -j 2 \
    --gcov-ignore-parse-errors --json-summary build/coverage/lines.json build/coverage
python3 - build/coverage/lines.json <<'END'
import json, sys
files = json.load(open(sys.argv[1]))["files"]
for part in ("model", "calibrate", "cli"):
    of = [file for file in files if file["filename"].startswith(part + "/")]
    ran, all_lines = (sum(file[key] for file in of) for key in ("line_covered", "line_total"))
    print(f"{part:10} {100 * ran / all_lines:.1f} % of {all_lines} lines")
END
