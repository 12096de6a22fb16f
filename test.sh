#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests, in about twenty minutes on two processors; --long runs all of
# them, in about forty. Ends with the summary of ctest.
set -euo pipefail
cd "$(dirname "$0")"
. tools/setup.sh

# named BUILD: a pattern of the tests of tests/long.txt.
named() {
    sed -n "s/^$1 \([^ ]*\) .*/\1/p" tests/long.txt | paste -sd '|' | sed 's/.*/^(&)$/'
}

case "$*" in
"") long=no ;;
--long) long=yes ;;
*)
    echo "usage: ./test.sh [--long]" >&2
    exit 2
    ;;
esac

isocast_require_packages
isocast_build build/checked -DISOCAST_WERROR=ON
isocast_build build/sanitized -DISOCAST_WERROR=ON -DISOCAST_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug
# unit.fit_truth counts how often intervals hold the truth in hundreds of fits; the fits themselves are those of unit.fit.
without='^unit.fit_truth$'
long_ones='^$'
if [ "$long" = no ]; then
    without="$without|$(named sanitized)"
    long_ones=$(named checked)
fi
isocast_say "tests, with AddressSanitizer and UndefinedBehaviorSanitizer"
# ILL in a report of AddressSanitizer is undefined behaviour, such as an overflow of an int, at the place it names.
ASAN_OPTIONS=handle_sigill=1 isocast_test build/sanitized -L 'unit|broken|fuzz|formulas|cli' -E "$without"
if [ "$long" = no ]; then
    isocast_say "tests that take long with these"
    isocast_test build/checked -L 'fuzz|cli' -R "$without" -E "$long_ones"
fi
isocast_say "tests"
# Cases of the command and files with errors were tried with the sanitizers.
isocast_test build/checked -LE '^(cli|broken|fuzz|formulas)$' -E "$long_ones"
