#!/usr/bin/env bash
# Runs a command inside an allocation of a Slurm of one node, this one, that is set up in a temporary folder and
# ended afterwards. Needs root and Debian's packages slurm-wlm and munge; no part of the default tests.
#
#     one_node.sh COMMAND [ARGUMENTS...]        as a batch job; its output is shown, its exit status given
set -euo pipefail

for program in munged munge slurmctld slurmd sbatch; do
    if ! command -v "$program" >/dev/null && [ ! -x "/usr/sbin/$program" ]; then
        echo "one_node.sh: $program is missing; install slurm-wlm and munge" >&2
        exit 77
    fi
done
PATH=$PATH:/usr/sbin
folder=$(mktemp -d /tmp/isocast-slurm-XXXXXX)
chmod 755 "$folder"
host=$(hostname -s)
pids=()

finish() {
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    if [ "${KEEP:-no}" = no ]; then
        rm -rf "$folder"
    else
        echo "one_node.sh: logs are in $folder" >&2
    fi
}
trap finish EXIT

mkdir -p "$folder"/{munge,state,spool}
chmod 700 "$folder/munge"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
chmod 400 "$folder/munge/key"
cat >"$folder/slurm.conf" <<END
ClusterName=isocast
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CryptoType=crypto/munge
MpiDefault=pmi2
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldPort=26817
SlurmdPort=26818
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmdSpoolDir=$folder/spool
StateSaveLocation=$folder/state
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$folder/slurm.conf

# The socket may lie in a folder that others can write to: this cluster lives for a minute.
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munge/seed" >"$folder/munged.out" 2>&1 &
pids+=($!)
for _ in $(seq 50); do
    [ -S "$folder/munge.socket" ] && break
    sleep 0.1
done
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$folder/slurmd.out" 2>&1 &
pids+=($!)
for _ in $(seq 100); do
    if sinfo -h -o %T 2>/dev/null | grep -q idle; then
        break
    fi
    sleep 0.2
done
if ! sinfo -h -o %T 2>/dev/null | grep -q idle; then
    echo "one_node.sh: the node does not become idle:" >&2
    tail -n 20 "$folder"/*.log "$folder"/*.out >&2
    exit 1
fi

{
    echo '#!/usr/bin/env bash'
    printf '%q ' "$@"
    echo
} >"$folder/job.sh"
status=0
sbatch --wait --quiet --exclusive --ntasks="$(nproc)" --chdir="$PWD" --output="$folder/job.out" "$folder/job.sh" ||
    status=$?
cat "$folder/job.out"
exit "$status"
