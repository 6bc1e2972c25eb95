#!/usr/bin/env bash
# The commands as scripts use them: run, config, list, solve, and what they leave behind. Usage: cli_test.sh TREAD, from the root of the
# project. Takes a few seconds.
set -euo pipefail
tread=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stand=configs/solo12_stand.yaml

source tests/check.sh
same_ticks() {  # equal but for the columns of wall-clock times
  awk -F, 'FNR == 1 { file++ }
    file == 1 { row[FNR] = $0; rows = FNR; next }
    FNR == 1 { if ($0 != row[1]) { print "other columns"; bad = 1; exit } for (i = 1; i <= NF; i++) timed[i] = $i ~ /_us$/ }
    { compared = FNR
      n = split(row[FNR], other, ",")
      if (n != NF) { print "line " FNR ": " n " and " NF " columns"; bad = 1; exit }
      for (i = 1; i <= NF; i++) if (!timed[i] && $i "" != other[i] "") { print "line " FNR ", column " i ": " other[i] " and " $i; bad = 1; exit } }
    END { if (!bad && (compared != rows || rows < 2)) { print rows " and " compared " lines"; bad = 1 } exit bad }' "$1" "$2"
}
json() {  # json PROGRAM FILES...: a Python program over the parsed files in `data`, which raises where something is wrong
  python3 - "$@" <<'PY'
import json, sys
data = []
for name in sys.argv[2:]:
    with open(name) as f:
        data.append(json.load(f))
exec(sys.argv[1])
PY
}
has_python=true
python3 -c '' 2>/dev/null || { has_python=false; echo "skipped: what needs python3 to read JSON"; }
if ! $has_python; then json() { :; }; fi

# run: reproducible, and its config.yaml is a config
for name in a b; do check "run $name" "$tread" run $stand --duration 0.5 --out "$work/$name"; done
page=  # report_test.sh checks that it is there where it can be
[[ ! -e $work/a/report.html ]] || page='report.html '
check "a run leaves its files and no others" test "$(ls -A "$work/a" | tr '\n' ' ')" = "config.yaml ${page}run.log summary.json ticks.csv "
check "equal runs have equal ticks" same_ticks "$work/a/ticks.csv" "$work/b/ticks.csv"
check "500 ticks and a header" test "$(wc -l <"$work/a/ticks.csv")" -eq 501
check "equal runs have equal configs" cmp "$work/a/config.yaml" "$work/b/config.yaml"
check "the config of a run runs" "$tread" run "$work/a/config.yaml" --out "$work/again"
check "and gives the same ticks" same_ticks "$work/a/ticks.csv" "$work/again/ticks.csv"
check "and the same config" cmp "$work/a/config.yaml" "$work/again/config.yaml"
sed '7s/,[0-9.e-]*,/,12345,/' "$work/b/ticks.csv" >"$work/changed.csv"
check "the comparison sees a change" exits 1 same_ticks "$work/a/ticks.csv" "$work/changed.csv"
check "another seed is another config" exits 1 cmp <("$tread" config $stand --set run.seed=2) <("$tread" config $stand)

# --force
check "--force replaces a run" "$tread" run $stand --duration 0.1 --out "$work/b" --force
check "with the new one" test "$(wc -l <"$work/b/ticks.csv")" -eq 101
mkdir "$work/mine"
echo precious >"$work/mine/notes.txt"
check "--force refuses a folder with files but no run" exits 2 "$tread" run $stand --duration 0.1 --out "$work/mine" --force
check "and leaves it alone" test "$(ls -A "$work/mine")" = notes.txt
echo precious >"$work/b/notes.txt"
check "--force leaves files that are not the run's" "$tread" run $stand --duration 0.1 --out "$work/b" --force
check "as they were" grep -q precious "$work/b/notes.txt"
check "a run without --out goes to runs/NAME" bash -c "cp $stand '$work/x.yaml' && cd '$work' && '$tread' run x.yaml --duration 0.01 && '$tread' run x.yaml --duration 0.01"
check "the second to runs/NAME-2" test -s "$work/runs/x/summary.json" -a -s "$work/runs/x-2/summary.json"

# the summary
"$tread" run $stand --duration 0.5 --json --out "$work/json" >"$work/printed.json"
check "--json prints summary.json" cmp "$work/printed.json" "$work/json/summary.json"
check "the summary has the keys that scripts rely on" json '
s = data[0]
for key in """version config_hash backend law controller seed duration outcome outcome_time outcome_reason tracking drift_xy terrain criteria
    solver step_us mpc_us wbc_us tick_us real_time_factor cost_of_transport slip saturation_share allocations_per_tick""".split():
    assert key in s, key
for axis in ("vx", "vy", "wz"):
    assert {"gait_mean_error", "gait_rms_error", "rms_error"} <= set(s["tracking"][axis]), axis
assert "steady_from" in s["tracking"]
assert {"slope_p95", "slope_max"} <= set(s["terrain"])
for law in ("ncp", "own"):
    for eps in ("eps_p", "eps_d", "eps_c"):
        assert {"mean", "p95", "max"} <= set(s["criteria"][law][eps]), (law, eps)
assert {"iterations", "unconverged_share", "fallbacks", "solve_us"} <= set(s["solver"])
assert {"mean", "p95", "max"} <= set(s["solver"]["iterations"])
assert {"mean", "p50", "p95", "p99", "max"} <= set(s["solver"]["solve_us"])
assert {"distance", "ratio"} <= set(s["slip"])
assert s["outcome"] == "completed" and s["duration"] == 0.5 and abs(s["outcome_time"] - 0.5) < 1e-9
assert len(s["config_hash"]) == 16 and s["version"]
assert abs(s["normal_force"]["mean"] / s["normal_force"]["weight"] - 1) < 0.05' "$work/json/summary.json"
check "equal configs have equal hashes" json 'assert data[0]["config_hash"] == data[1]["config_hash"]' "$work/json/summary.json" "$work/a/summary.json"
"$tread" run configs/box_slide.yaml --out "$work/box" >"$work/box.txt"
check "no tracking without a robot" json '
s = data[0]
assert all(s["tracking"][axis] == {} for axis in ("vx", "vy", "wz"))
assert abs(s["normal_force"]["weight"] - 10) < 1e-9, s["normal_force"]' "$work/box/summary.json"
check "nor on the screen" exits 1 grep -q tracking "$work/box.txt"
check "the screen is one screen" test "$(wc -l <"$work/box.txt")" -le 12

# log.ticks, require
check "log.ticks: none" "$tread" run $stand --duration 0.1 --set log.ticks=none --out "$work/none"
check "leaves no ticks.csv" test ! -e "$work/none/ticks.csv"
check "log.ticks: every 10" "$tread" run $stand --duration 0.5 --set 'log.ticks=every 10' --out "$work/every"
check "leaves every tenth row" same_ticks <(awk 'NR == 1 || NR % 10 == 2' "$work/a/ticks.csv") "$work/every/ticks.csv"
check "a fall is exit code 0" exits 0 "$tread" run $stand --set fall.height=0.5 --out "$work/fall"
check "and 1 under require: completed" exits 1 "$tread" run $stand --set fall.height=0.5 --set require=completed --out "$work/fall1"
check "with all its files" test "$(ls -A "$work/fall1" | tr '\n' ' ')" = "config.yaml ${page}run.log summary.json ticks.csv "
check "which say so" grep -q '"outcome": "fell"' "$work/fall1/summary.json"
check "and have no tracking error from before it counts" json 'assert data[0]["tracking"]["vx"]["gait_rms_error"] is None, data[0]["tracking"]' "$work/fall1/summary.json"
one_sweep="--duration 0.1 --set sim.contact.max_iterations=1 --set sim.contact.warm_start=false"
check "on_failure: stop ends the run with exit code 1" exits 1 "$tread" run $stand $one_sweep --set sim.contact.on_failure=stop --out "$work/stop"
check "and says why" grep -q '"outcome": "solver_failed"' "$work/stop/summary.json"
check "keep goes on" grep -q '"outcome": "completed"' <("$tread" run $stand $one_sweep --json --out "$work/keep")
check "a fallback is counted" grep -q '"fallbacks": [1-9]' <("$tread" run $stand $one_sweep --set sim.contact.on_failure=fallback:ncp_newton --json --out "$work/fallback")
check "a run that completes satisfies it" exits 0 "$tread" run $stand --duration 0.1 --set require=completed --out "$work/fine"

# interrupted: what was done is there, no summary
interrupted() {  # interrupted SIGNAL CODE FOLDER
  set -m # a job of its own group, in which SIGINT is not ignored
  timeout --foreground 60 "$tread" run $stand --duration 1000 --out "$3" 2>"$work/said" &
  set +m
  until [[ -e $3/ticks.csv ]]; do sleep 0.05; done
  sleep 0.3
  kill -s "$1" $!
  exits "$2" wait $! || return 1
  [[ $(wc -l <"$work/said") -eq 1 ]] && grep -q 'interrupted at' "$work/said" || { cat "$work/said"; return 1; }
  [[ $(ls -A "$3" | tr '\n' ' ') == "config.yaml run.log ticks.csv " ]] || { ls -A "$3"; return 1; }
  grep -q "^interrupted by signal" "$3/run.log" || { cat "$3/run.log"; return 1; }
  # whole rows only, up to the time in the log
  awk -F, 'NR == 1 { n = NF } NF != n { print "line " NR " is not whole"; exit 1 }' "$3/ticks.csv" || return 1
  awk -v t="$(tail -n 1 "$3/ticks.csv" | cut -d, -f1)" '/^interrupted/ { exit !($(NF - 1) - t < 1e-5 && t - $(NF - 1) < 1e-5) }' "$3/run.log"
}
check "Ctrl-C keeps what was done" interrupted INT 130 "$work/int"
check "so does SIGTERM" interrupted TERM 143 "$work/term"
check "an interrupted run can be replaced" "$tread" run $stand --duration 0.1 --out "$work/int" --force

# config
for file in configs/*.yaml; do
  "$tread" config "$file" >"$work/once.yaml"
  check "config of config of $file" cmp <("$tread" config "$work/once.yaml") "$work/once.yaml"
done
check "--set gets into it" grep -q 'friction: 0.25 ' <("$tread" config $stand --set friction=0.25)

# recorded problems, solved
check "--record-problems" "$tread" run $stand --duration 0.05 --out "$work/recorded" --record-problems "$work/recorded/problems"
check "writes one per tick" test "$(find "$work/recorded/problems" -name '*.dat' | wc -l)" -eq 50
check "solve reads them" bash -c "'$tread' solve '$work'/recorded/problems/*.dat --solver ncp_pgs --solution '$work/forces' --json >'$work/solved'"
check "and solves them all" test "$(grep -c '"solved":true' "$work/solved")" -eq 50
check "one solution each" test "$(find "$work/forces" -name 'tick*.dat.ncp_pgs.txt' | wc -l)" -eq 50
three_per_contact() {
  local file contacts
  for file in "$work"/recorded/problems/*.dat; do
    contacts=$(sed -n 2p "$file")
    [[ $(wc -l <"$work/forces/${file##*/}.ncp_pgs.txt") -eq $((3 * contacts)) ]] || { echo "$file"; return 1; }
  done
}
check "of three lines per contact" three_per_contact
unsolved() { "$tread" solve "$work/recorded/problems/tick0000020.dat" --max-iterations 1 --eps 1e-12 --json >"$work/unsolved"; }
check "an unsolved problem is exit code 0" exits 0 unsolved
check "and says so" grep -q '"solved":false' "$work/unsolved"
sed -e '1s/^/[/' -e '$!s/$/,/' -e '$s/$/]/' "$work/solved" >"$work/solved.json"
check "every line of solve --json is JSON with its keys" json '
for s in data[0]:
    for key in "file solver law nc status iterations eps_p eps_d eps_c own_eps force_scale velocity_scale solved setup_us solve_us".split():
        assert key in s, key' "$work/solved.json"

# list
for kind in backends robots terrains controllers studies configs; do
  check "list $kind" "$tread" list $kind
  "$tread" list $kind --json >"$work/list.json"
  check "list $kind --json" json '
assert isinstance(data[0], list)
for row in data[0]:
    assert {"kind", "name", "summary", "family", "law", "available", "reason"} <= set(row) and row["name"], row
    assert row["kind"] + "s" == "'$kind'", row' "$work/list.json"
done
"$tread" list --json >"$work/list.json"
check "list --json has all kinds" json 'assert {"backend", "robot", "terrain", "controller", "config"} <= {row["kind"] for row in data[0]}' "$work/list.json"
check "a full disk is noticed" exits 1 bash -c "'$tread' list >/dev/full"

[[ $failures -eq 0 ]] || { echo "$failures failed"; exit 1; }
