#!/usr/bin/env bash
# A sample batch script: calibrates a machine of four nodes of 16 processors and checks the file once more.
#
#     sbatch docs/slurm-calibrate.sh
#
#SBATCH --job-name=isocast
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=16
#SBATCH --exclusive
#SBATCH --time=00:40:00
# Half a minute before the time is over the samples are saved; the next job goes on with them.
#SBATCH --signal=B:TERM@30
set -euo pipefail
isocast=${ISOCAST:-build/release/bin/isocast}

resume=()
[ -f cluster.samples.csv.part ] && resume=(--resume)

# A shell waits for what it runs in the foreground before it looks at signals, so isocast runs beside it.
"$isocast" calibrate --launcher slurm --processes 1,2,4,8,16,32,64 --budget 30min --name cluster \
    "${resume[@]}" -o cluster.yaml &
trap 'kill -TERM %1; wait %1' TERM
wait %1

"$isocast" check --against-machine cluster.yaml --launcher slurm --budget 1min
