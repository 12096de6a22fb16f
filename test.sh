#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests, in under ten minutes on two processors; --long runs all of them,
# and with sanitizers too, in about forty. Ends with the summary of ctest.
set -euo pipefail
cd "$(dirname "$0")"
. tools/setup.sh

case "$*" in
"" | --long) ;;
*)
    echo "usage: ./test.sh [--long]" >&2
    exit 2
    ;;
esac

isocast_require_packages
isocast_build build/checked -DISOCAST_WERROR=ON
if [ "$*" = "" ]; then
    isocast_say "tests"
    isocast_test build/checked -E "$(sed -n 's/^\([a-z][^ ]*\) .*/\1/p' tests/long.txt | paste -sd '|' | sed 's/.*/^(&)$/')"
    exit
fi
isocast_build build/sanitized -DISOCAST_WERROR=ON -DISOCAST_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug
isocast_say "tests, with AddressSanitizer and UndefinedBehaviorSanitizer"
# ILL in a report of AddressSanitizer is undefined behaviour, such as an overflow of an int, at the place it names.
# unit.fit_truth counts how often intervals hold the truth in hundreds of fits; the fits themselves are those of unit.fit.
ASAN_OPTIONS=handle_sigill=1 isocast_test build/sanitized -L 'unit|broken|fuzz|formulas|cli' -E '^unit.fit_truth$'
isocast_say "tests"
# Cases of the command and files with errors were tried with the sanitizers.
isocast_test build/checked -LE '^(cli|broken|fuzz|formulas)$'
