#!/usr/bin/env bash
# Builds in build/coverage, runs the tests that run the command or parts of it, and prints the share of lines that ran in
# model/, cli/ and, without what runs under MPI, calibrate/. Needs the package gcovr. build/coverage/lines.json has the
# share of each file. With arguments, which are options of ctest, only those tests run.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/setup.sh

isocast_build build/coverage -DISOCAST_COVERAGE=ON
find build/coverage -name '*.gcda' -delete
# Files that count lines are written when a program ends. The tests of faults make that fail, and one test bounds the size
# of all files. Bounds of time are those of an optimized build. The others run no code that is counted.
left_out='^(docs|style|install|flow|faults|threads|mpi)[.]|^cli[.](output_old_file_kept|bounds)$'
status=0
isocast_test build/coverage -E "$left_out" "$@" || status=$?
gcovr --root . --filter '(model|calibrate|cli)/' -j 2 --gcov-ignore-parse-errors \
    --json-summary build/coverage/lines.json build/coverage
python3 - build/coverage/lines.json <<'END'
import json, sys
files = json.load(open(sys.argv[1]))["files"]
for part in ("model", "calibrate", "cli"):
    of = [file for file in files if file["filename"].startswith(part + "/")]
    ran, all_lines = (sum(file[key] for file in of) for key in ("line_covered", "line_total"))
    print(f"{part:10} {100 * ran / all_lines:.1f} % of {all_lines} lines")
END
exit $status
