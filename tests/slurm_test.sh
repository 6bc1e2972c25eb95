#!/usr/bin/env bash
# tread sweep --launcher slurm on a real Slurm, started on this machine for the test: an array of 4 makes the rows of a local sweep.
# Usage: slurm_test.sh TREAD, as root, from the root of the project. Exit code 77 (skipped) where Slurm, munge or root is missing.
set -euo pipefail
tread=$(realpath "$1")
config=$PWD/configs/solo12_bumpy.yaml
export PATH=$PATH:/usr/sbin:/sbin
for program in sbatch squeue sinfo slurmctld slurmd munged munge; do
  command -v $program >/dev/null || { echo "skipped: no $program (packages slurm-wlm and munge)"; exit 77; }
done
[[ $EUID -eq 0 ]] || { echo "skipped: slurmctld and slurmd want root"; exit 77; }

# TMPDIR may be long, and a socket's path may not
work=$(mktemp -d /tmp/tread-slurm.XXXXXX)
chmod 755 "$work"
end_daemon() {  # by its pid file; waits until it is gone
  local pid
  [[ -s $1 ]] && pid=$(<"$1") || return 0
  kill "$pid" 2>/dev/null || return 0
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -9 "$pid" 2>/dev/null || true
}
end_all() {
  for name in slurmd slurmctld munged; do end_daemon "$work/$name.pid"; done
  rm -rf "$work"
}
trap end_all EXIT

free_port() {
  local port
  for port in $(shuf -i 20000-50000 -n 50); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}
start_slurm() {
  local host
  host=$(hostname -s)
  mkdir "$work/munge" "$work/state" "$work/spool"
  chmod 711 "$work/munge"
  head -c 1024 /dev/urandom >"$work/munge.key"
  chmod 400 "$work/munge.key"
  # a run of munged as root, with files of its own; --force: whoever owns /tmp
  munged --force --key-file="$work/munge.key" --socket="$work/munge/socket" --pid-file="$work/munged.pid" \
    --log-file="$work/munged.log" --seed-file="$work/munge.seed"
  cat >"$work/slurm.conf" <<CONF
ClusterName=tread
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$work/slurm.conf
  slurmctld
  slurmd
  for _ in $(seq 300); do
    [[ $(sinfo --noheader --format=%t 2>/dev/null) == idle ]] && return 0
    sleep 0.1
  done
  echo "FAILED: slurm does not start"
  tail -n 20 "$work"/*.log
  exit 1
}
rows() {  # without wall-clock times
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) timed[i] = ($i == "real_time_factor" || ($i ".") ~ /_us\./) }
    { line = ""; for (i = 1; i <= NF; i++) if (!timed[i]) line = line "," $i; print line }' "$1/results.csv"
}
sweep() {
  "$tread" sweep "$config" --axis sim.backend=ncp_pgs,ccp_pgs --axis sim.contact.eps_abs=1e-2,1e-4,1e-6 --seeds 2 \
    --set run.duration=0.3 --set command.start=0.1 --set command.ramp=0.1 "$@"
}
fail() {
  echo "FAILED: $*"
  tail -n 20 "$work"/*.log "$work"/err "$work"/array/slurm-*.log 2>/dev/null
  exit 1
}

start_slurm
echo "ok: $(slurmctld -V) runs"
cd "$work"
sweep --out local --jobs 2 >/dev/null 2>&1 || fail "the local sweep"
sweep --out array --launcher slurm >out 2>err || fail "the sweep on Slurm"
grep -q '^tread: job [0-9]*, an array of 4$' err || fail "the job's number"
[[ $(ls array/journal.?-of-4.jsonl | wc -l) -eq 4 ]] || fail "a journal per task"
[[ $(rows local | wc -l) -eq 13 ]] && diff <(rows local) <(rows array) || fail "the rows differ"
echo "ok: an array of 4 makes the same rows"

# a node that lost two tasks: their runs are made by another array
rm array/journal.1-of-4.jsonl array/journal.2-of-4.jsonl array/results.*
sweep --out array --launcher slurm --array-size 3 --resume >out 2>err || fail "the sweep on Slurm, resumed"
diff <(rows local) <(rows array) || fail "the rows differ after a resume"
echo "ok: resumed after the loss of two tasks, in an array of 3, the same rows"

if SLURM_CONF=/dev/null sweep --out nowhere --launcher slurm >out 2>err; then fail "a Slurm that does not answer"; fi
grep -q '^tread: sbatch: ' err || fail "what sbatch said"
echo "ok: what sbatch refuses is said"
