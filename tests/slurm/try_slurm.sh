#!/usr/bin/env bash
# The command on a Slurm of one node (one_node.sh): calibrate within the budget, check the file, run a kernel, end a job
# in the middle and go on. Ends with "ok", or with what went wrong; status 77 where Slurm is not installed.
#
#     tests/slurm/try_slurm.sh [ISOCAST]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
isocast=$(realpath "${1:-$here/../../build/release/bin/isocast}")

if [ "${2:-}" != inside ]; then
    exec "$here/one_node.sh" "$here/try_slurm.sh" "$isocast" inside
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() {
    echo "try_slurm.sh: $*"
    exit 1
}

started=$SECONDS
"$isocast" calibrate --launcher slurm --budget 40s -o cluster.yaml
took=$((SECONDS - started))
echo "calibrated in $took s of 40 s"
[ "$took" -le 44 ] || fail "the budget was not kept"
"$isocast" check cluster.yaml
grep -q 'bound to' cluster.samples.csv || fail "the samples do not say where processes are bound"

echo "== measured again"
"$isocast" check --against-machine cluster.yaml --launcher slurm --budget 20s || [ $? -eq 1 ] || fail "check: $?"

echo "== a kernel"
"$isocast" measure ge --machine cluster.yaml --launcher slurm --sizes 200,400 --repetitions 3 -o runs.csv
"$isocast" validate gaussian-elimination cluster.yaml runs.csv

echo "== ended in the middle"
"$isocast" calibrate --launcher slurm --budget 40s -o ended.yaml &
pid=$!
for _ in $(seq 300); do
    [ -s ended.samples.csv.part ] && [ "$(wc -l <ended.samples.csv.part)" -gt 500 ] && break
    sleep 0.1
done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
[ "$status" -eq 5 ] || fail "ended with status $status, not 5"
sleep 1
[ -z "$(squeue -h -s -j "$SLURM_JOB_ID" -o %i | grep -v -e batch -e extern || true)" ] || fail "a step goes on running"
"$isocast" calibrate --launcher slurm --budget 40s --resume -o ended.yaml
"$isocast" check ended.yaml
echo ok
