#!/usr/bin/env bash
# tread sweep as a user meets it: the same rows whatever the shards, the jobs, and what was killed on the way. Usage: sweep_test.sh TREAD,
# from the root of the project. Takes about half a minute.
set -euo pipefail
tread=$(realpath "$1")
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

source "$root/tests/check.sh"
# The rows without wall-clock times: real_time_factor and names with a part that ends in _us. No field of these sweeps holds a comma.
rows() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) timed[i] = ($i == "real_time_factor" || ($i ".") ~ /_us\./) }
    { line = ""; for (i = 1; i <= NF; i++) if (!timed[i]) line = line "," $i; print line }' "$1/results.csv"
}
same_rows() { [[ $(rows "$1" | wc -l) -eq 31 ]] && diff <(rows "$1") <(rows "$2"); }
# 2 x 3 points, 5 seeds: 30 runs of 0.3 s
call=("$tread" sweep "$root/configs/solo12_bumpy.yaml" --axis sim.backend=ncp_pgs,ccp_pgs --axis sim.contact.eps_abs=1e-1,1e-3,1e-6
  --seeds 3-7 --set run.duration=0.3 --set command.start=0.1 --set command.ramp=0.1)
sweep() { "${call[@]}" "$@"; }
journal_lines() { cat "$1"/journal.* 2>/dev/null | wc -l; }

check "a sweep" exits 0 sweep --out one
check "it leaves its files" test -s one/plan.json -a -s one/config.yaml -a -s one/results.csv -a -s one/results.sqlite
check "two jobs make the same rows" exits 0 sweep --out two --jobs 2
check "... indeed" same_rows one two
for shards in 3 7; do
  # the first three at the same time, into a folder that is not there yet
  for ((i = 0; i < shards; i++)); do
    sweep --out "shards$shards" --shard "$i/$shards" --jobs $((i % 2 + 1)) >"out.$i" 2>&1 &
    ((i < 2)) || wait $! || true
  done
  wait
  check "$shards shards make the same rows" same_rows one "shards$shards"
done

# kill -9 of one shard half-way, its workers end with it; resumed it makes the rest
sweep --out killed --shard 0/2 --jobs 2 >/dev/null 2>&1
"${call[@]}" --out killed --shard 1/2 --jobs 2 >/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 2000; i++)); do
  (($(journal_lines killed) >= 18)) && break
  sleep 0.01
done
kill -9 $victim
wait $victim 2>/dev/null || true
made=$(journal_lines killed)
check "the killed shard was half-way ($made of 30)" test "$made" -ge 18 -a "$made" -lt 30
check "no results yet" test ! -e killed/results.csv
check "gather gives the rows there are" exits 0 "$tread" sweep --gather killed
check "... all of them" test "$(wc -l <killed/results.csv)" -eq $(($(journal_lines killed) + 1))
printf '{"run":29,"status":"done","summ' >>killed/journal.1-of-2.jsonl
check "resumed" exits 0 sweep --out killed --shard 1/2 --resume
check "only what was missing was run" test "$(journal_lines killed)" -eq 30
check "the rows are the same" same_rows one killed
check "a resume by other shards finds nothing to do" exits 0 sweep --out killed --resume
check "... and leaves the journals" test "$(journal_lines killed)" -eq 30

# a worker killed: its run only, exit code 0, and --resume makes it
"${call[@]}" --out worker --jobs 1 >worker.out 2>worker.err &
pool=$!
for ((i = 0; i < 2000; i++)); do
  (($(journal_lines worker) >= 5)) && child=$(pgrep -P $pool | head -n 1) && [[ -n $child ]] && kill -9 "$child" 2>/dev/null && break
  sleep 0.01
done
check "the sweep with a dead worker ends well" wait $pool
check "it says which run died" grep -q '^tread: run .* died: killed by signal 9' worker.err
check "its row says died" test "$(grep -c ',died,' worker/results.csv)" -eq 1
check "resumed, the rows are the same" exits 0 sweep --out worker --resume
check "... indeed, again" same_rows one worker

# Ctrl-C
"${call[@]}" --out stopped --jobs 2 >/dev/null 2>stopped.err &
pool=$!
for ((i = 0; i < 2000; i++)); do
  (($(journal_lines stopped) >= 3)) && break
  sleep 0.01
done
kill -TERM $pool
check "a signal stops it with its code" exits 143 wait $pool
check "it says how to go on" grep -q 'interrupted; --resume --out stopped goes on' stopped.err
check "and it goes on" exits 0 sweep --out stopped --resume --jobs 2
check "to the same rows" same_rows one stopped

# what --resume refuses
other() {  # other PATTERN ARGUMENTS...
  local pattern=$1 code=0
  shift
  "$@" >/dev/null 2>err || code=$?
  [[ $code -eq 2 ]] && grep -qE -- "$pattern" err || { cat err; return 1; }
}
base=("$tread" sweep "$root/configs/solo12_bumpy.yaml" --axis sim.backend=ncp_pgs,ccp_pgs --set run.duration=0.3 --set command.start=0.1 --set command.ramp=0.1)
check "another axis" other 'holds another sweep: .*--axis sim.contact.eps_abs=' "${base[@]}" --seeds 3-7 --out one --resume
check "other values" other 'holds another sweep: --axis sim.contact.eps_abs has 1e-1,1e-3,1e-6 there' \
  "${base[@]}" --axis sim.contact.eps_abs=1e-1 --seeds 3-7 --out one --resume
check "other seeds" other 'holds another sweep: --seeds are 3-7 there' \
  "${base[@]}" --axis sim.contact.eps_abs=1e-1,1e-3,1e-6 --seeds 5 --out one --resume
check "another key" other 'holds another sweep: friction is 0.3 there, 0.5 here' \
  "${base[@]}" --axis sim.contact.eps_abs=1e-1,1e-3,1e-6 --seeds 3-7 --set friction=0.5 --out one --resume
check "a sweep that is there" other 'holds a sweep; --resume' \
  "${base[@]}" --axis sim.contact.eps_abs=1e-1,1e-3,1e-6 --seeds 3-7 --out one

if command -v sqlite3 >/dev/null; then
  check "SQLite has the rows" test "$(sqlite3 one/results.sqlite 'select count(*), count(distinct seed) from runs where status = "done"')" = "30|5"
  check "... and says what is timing" test "$(sqlite3 one/results.sqlite \
    "select group_concat(name) from columns where is_timing and name not like '%\_us.%' escape '\\'")" = real_time_factor
fi
check "report makes the page anew" exits 0 bash -c "rm -f one/report.html; '$tread' report one && test -s one/report.html"
check "ticks, if asked for" exits 0 "$tread" sweep "$root/configs/ball_drop.yaml" --seeds 2 --set log.ticks=all --out ticks
check "... one file per run" test -s ticks/ticks-0.csv -a -s ticks/ticks-1.csv

[[ $failures -eq 0 ]] || { echo "$failures failed"; exit 1; }
