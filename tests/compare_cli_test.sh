#!/usr/bin/env bash
# tread compare as scripts use it: the same results for any --jobs, what is left behind, a worker that is killed, an interruption.
# Usage: compare_cli_test.sh TREAD, from the root of the project. Takes a few seconds.
set -euo pipefail
tread=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bumpy=configs/solo12_bumpy.yaml

source tests/check.sh
json() {  # json PROGRAM FILE: a Python program over the parsed file, which raises where something is wrong
  python3 -c "import json, sys; data = json.load(open(sys.argv[1]))
$1" "$2"
}
timeless() {  # timeless FOLDER: all numbers of a comparison but those of the wall clock
  python3 - "$1" <<'PY'
import csv, json, sys
def strip(x):
    if isinstance(x, dict): return {k: strip(v) for k, v in x.items() if not k.endswith("_us")}
    return [strip(v) for v in x] if isinstance(x, list) else x
print(json.dumps(strip(json.load(open(sys.argv[1] + "/compare.json")))))
for name in ("runs.csv", "compare.csv"):
    rows = list(csv.reader(open(f"{sys.argv[1]}/{name}")))
    assert len(rows) > 1 and all(len(row) == len(rows[0]) for row in rows), name
    keep = [i for i, column in enumerate(rows[0]) if not column.endswith("_us")]
    print([[row[i] for i in keep] for row in rows])
PY
}
# long enough to reach the bumps, or the seeds would not matter, and to count errors (1 s after the ramp)
compare=("$tread" compare $bumpy --set run.duration=2 --set command.start=0.1 --set command.ramp=0.3 --backends ncp_pgs,ccp_pgs --seeds 2)

# the same for any number of jobs
check "one job" "${compare[@]}" --vary friction=0.3,0.9 --out "$work/one"
check "three jobs" "${compare[@]}" --vary friction=0.3,0.9 --out "$work/three" --jobs 3
check "give the same results" cmp <(timeless "$work/one") <(timeless "$work/three")
check "in these files" grep -qE '^compare.csv compare.json config.yaml (report.html )?run.log runs.csv ?$' <(ls -A "$work/three" | tr '\n' ' ')
check "of which the table has" json '
assert [c["name"] for c in data["columns"]] == ["ncp_newton@1e-9", "ncp_pgs", "ccp_pgs"]
assert [c["role"] for c in data["columns"]] == ["reference", "control", "model"]
assert data["units"] == 4 and data["distinct_units"] == 4 and data["candidates"] == 2
reference, control, model = data["columns"]
assert reference["dv"]["median"] == 0 and max(reference["replay"]["curve"]["q3"]) == 0
assert model["dv"]["median"] > 1e-6 > control["dv"]["median"] > 0
assert model["criteria"]["eps_c"]["median_of_mean"] > 100 * control["criteria"]["eps_c"]["max"]
assert data["transfer"]["kendall"][0][0] == 1 and data["transfer"]["transfer"][1][1] == 1' "$work/three/compare.json"

# --json, seeds that nothing depends on
"$tread" compare configs/solo12_flat.yaml --set run.duration=0.3 --backends ncp_pgs --seeds 3 --json --no-replay --out "$work/flat" >"$work/printed.json"
check "--json prints compare.json" cmp "$work/printed.json" "$work/flat/compare.json"
check "equal seeds count once" json '
assert data["units"] == 3 and data["distinct_units"] == 1 and data["columns"][1]["survival"]["n"] == 1
assert any("the seed makes no difference" in note for note in data["notes"]), data["notes"]
assert "replay" not in data["columns"][0] and "transfer" not in data' "$work/flat/compare.json"
check "no folder twice" exits 2 "${compare[@]}" --out "$work/flat"
check "but with --force" "$tread" compare configs/box_slide.yaml --backends raisim --out "$work/flat" --force
check "any scene will do" json 'assert data["columns"][2]["dv"]["median"] is not None' "$work/flat/compare.json"

# a worker that is killed is shown
killed() {
  "$tread" compare $bumpy --backends ncp_pgs --seeds 2 --set run.duration=5 --no-replay --out "$work/killed" >"$work/said" 2>"$work/progress" &
  local command=$! worker=""
  until worker=$(ps -o pid= --ppid $command | head -n 1) && [[ -n $worker ]]; do sleep 0.02; done
  kill -KILL $worker
  exits 1 wait $command || return 1
  grep -q 'note: ncp_newton@1e-9, seed 1 died: killed by signal 9' "$work/said" || { cat "$work/said"; return 1; }
  grep -q '^ncp_newton@1e-9,ncp,reference,,1,,died,' "$work/killed/runs.csv" || { cat "$work/killed/runs.csv"; return 1; }
  json 'assert data["columns"][0]["outcomes"]["died"] == 1 and data["columns"][1]["survival"]["n"] == 1' "$work/killed/compare.json"
}
check "a killed worker is shown, the others go on" killed

# interrupted: what was done is there, and no compare.json
interrupted() {
  set -m
  "$tread" compare $bumpy --backends ncp_pgs --set run.duration=1000 --out "$work/int" 2>"$work/said" >/dev/null &
  set +m
  until [[ -e $work/int/run.log ]]; do sleep 0.05; done
  sleep 0.3
  kill -s INT $!
  exits 130 wait $! || return 1
  [[ $(ls -A "$work/int" | tr '\n' ' ') == "config.yaml run.log runs.csv " ]] || { ls -A "$work/int"; return 1; }
  grep -q '^interrupted by signal 2 after 0 of 3 tasks' "$work/int/run.log"
}
check "Ctrl-C" interrupted

[[ $failures -eq 0 ]] || { echo "$failures failed"; exit 1; }
