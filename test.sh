#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Ends with the summary of ctest.
set -euo pipefail
cd "$(dirname "$0")"
. tools/setup.sh

isocast_require_packages
isocast_build build/checked -DISOCAST_WERROR=ON
isocast_build build/sanitized -DISOCAST_WERROR=ON -DISOCAST_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug
isocast_say "tests, with AddressSanitizer and UndefinedBehaviorSanitizer"
# unit.fit_truth counts how often intervals hold the truth in hundreds of fits; the fits themselves are those of unit.fit.
isocast_test build/sanitized -L 'unit|broken|fuzz|formulas|cli' -E '^unit.fit_truth$'
isocast_say "tests"
# Cases of the command and files with errors were tried with the sanitizers.
isocast_test build/checked -LE '^(cli|broken|fuzz|formulas)$'
