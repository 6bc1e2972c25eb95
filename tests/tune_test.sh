#!/usr/bin/env bash
# tread tune on the binary: the same search for any number of jobs and after a kill, what it leaves behind, what it refuses. Usage: tune_test.sh TREAD,
# from the root of the project. Takes some seconds.
set -euo pipefail
tread=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$(pwd)
stand=$root/configs/solo12_stand.yaml
cd "$work"

source "$root/tests/check.sh"
lines() { [[ $(wc -l <"$1") -eq $2 ]] || { echo "$1 has $(wc -l <"$1") lines, expected $2"; return 1; }; }

# a box on a slope slides: how far is a matter of friction, which is what is searched
printf 'extends: %s\nrun: {duration: 0.3}\n' "$root/configs/box_slope.yaml" >box.yaml
tune=(tune box.yaml --set friction=0.35 --over friction=0.05:0.8 --over sim.contact.eps_abs=1e-9:1e-2:log
      --objective 'abs(drift_xy - 0.05) + 1e-4 * solver.iterations.mean + fell' --seeds 2)
check "one job" "$tread" "${tune[@]}" --budget 20 --out one
check "two jobs" "$tread" "${tune[@]}" --budget 20 --jobs 2 --out two
check "the same evaluations" cmp one/evaluations.csv two/evaluations.csv
check "the same result" cmp one/result.json two/result.json
check "twenty evaluations and a header" lines one/evaluations.csv 21
check "its files and no others" test "$(ls -A one | grep -v "^report.html$" | tr '\n' ' ')" = "best.yaml evaluations.csv plan.json result.json "
check "the box slides as far as was asked" awk -F, 'NR == 2 { own = $5 } NR > 1 && (best == "" || $5 < best) { best = $5 }
  END { if (!(best < own / 2)) { print own " to " best; exit 1 } }' one/evaluations.csv
check "the best runs" "$tread" run one/best.yaml --out run
check "another seed of the search is another search" "$tread" "${tune[@]}" --budget 20 --seed 2 --out other
check "with other evaluations" bash -c '! cmp -s one/evaluations.csv other/evaluations.csv'

# what the best config says, where a key is an element of a list, and with --set
check "a key in a list" "$tread" tune box.yaml --over bodies.0.mass=1:2 --set run.duration=0.01 --objective drift_xy --budget 2 --seeds 1 --out list
check "and its best config runs" "$tread" run list/best.yaml --out list_run
check "for as long as --set said" grep -q 'duration: 0.01 ' list_run/config.yaml
check "NLopt" "$tread" "${tune[@]}" --method nlopt_bobyqa --budget 10 --jobs 2 --out bobyqa
check "whole numbers" "$tread" tune box.yaml --over sim.contact.max_iterations=1:50 --set run.duration=0.01 --objective solver.iterations.mean --budget 8 --seeds 1 --out whole
check "are whole" awk -F, 'NR > 1 && $3 != int($3) { print $3; exit 1 }' whole/evaluations.csv

# killed half-way, and gone on with
killed=(tune "$stand" --over controller.kp=1:20:log --over sim.contact.eps_abs=1e-8:1e-2:log --set run.duration=0.5
        --objective 'drift_xy + 1e-6 * solver.iterations.mean' --seeds 2 --validate 5-6)
check "not interrupted" "$tread" "${killed[@]}" --budget 16 --out whole_search
"$tread" "${killed[@]}" --budget 16 --out half >/dev/null 2>&1 &
victim=$!
for ((i = 0; i < 600; ++i)); do
  [[ -f half/evaluations.csv && $(wc -l <half/evaluations.csv) -ge 6 ]] && break
  sleep 0.02
done
kill -9 "$victim" 2>/dev/null || true
wait "$victim" 2>/dev/null || true
done_before=$(wc -l <half/evaluations.csv)
check "killed half-way" test "$done_before" -ge 6 -a "$done_before" -lt 17
printf '99,3,0.1' >>half/evaluations.csv # torn
check "resumed" "$tread" "${killed[@]}" --budget 16 --jobs 2 --out half --resume
check "the same evaluations as without" cmp whole_search/evaluations.csv half/evaluations.csv
check "the same result as without" cmp whole_search/result.json half/result.json
check "the same best config as without" cmp whole_search/best.yaml half/best.yaml
check "resumed with a larger budget" "$tread" "${killed[@]}" --budget 18 --out half --resume
check "goes on" lines half/evaluations.csv 19
check "from the same evaluations" bash -c 'head -17 half/evaluations.csv | cmp - whole_search/evaluations.csv'

# refused: one line, exit code 2, nothing made or changed
everything() { tar --exclude='./output*' --sort=name --mtime=@0 -cf - . | sha256sum; }
refuses() {  # refuses PATTERN ARGUMENTS...
  local pattern=$1 code=0 before after
  shift
  before=$(everything)
  "$tread" "$@" >output 2>&1 || code=$?
  after=$(everything)
  if [[ $code -eq 2 && $(wc -l <output) -eq 1 && $before == "$after" ]] && grep -qE -- "^tread: $pattern\$" output; then
    echo "ok: refuses $pattern"
  else
    echo "FAILED: tread $*: exit code $code, files $([[ $before == "$after" ]] && echo as before || echo changed), not '$pattern'"
    sed 's/^/    /' output
    failures=$((failures + 1))
  fi
}
over() { local pattern=$1; shift; refuses "--over [^ ]*: $pattern" tune box.yaml --objective drift_xy --over "$@"; }
refuses "tune: no --over .*" tune box.yaml
over "expected KEY=LO:HI .*" friction
over "expected KEY=LO:HI .*" friction=1
over "expected KEY=LO:HI .*" friction=0.1:1:lin
over "'x' is no number" friction=x:1
over "'nan' is no number" friction=nan:1
over "the first bound must be below the second" friction=1:1
over "a logarithmic axis needs bounds above 0" friction=0:1:log
over "frictoin: unknown key; did you mean 'friction'\?" frictoin=0:1
over "sim.backend: is not a number; .*" sim.backend=0:1
over "run.seed: every value .*" run.seed=1:5
over "sim.contact.max_iterations: takes whole numbers; .*" sim.contact.max_iterations=1.5:5
over "friction = -1: must be .*" friction=-1:1
over "given before; .*" friction=0:1 --over friction=0:2
refuses "--objective 'drift_x': character 1: drift_x: no such number in summary.json; did you mean 'drift_xy'\?" tune box.yaml --over friction=0:1 --objective drift_x
refuses "--objective 'drift_xy \+': character 11: it ends here; .*" tune box.yaml --over friction=0:1 --objective 'drift_xy +'
refuses "--objective '.*': character 1: step_us.mean is wall-clock time, .*" tune box.yaml --over friction=0:1 --objective step_us.mean
refuses "--objective '.*': character 1: tracking.vx.gait_rms_error: no such number .*" tune box.yaml --over friction=0:1
refuses "--method cmaess: no such method; did you mean 'cmaes'\?" tune box.yaml --over friction=0:1 --method cmaess
refuses "--method nlopt_bobyqa: needs at least 2 keys; .*" tune box.yaml --over friction=0:1 --method nlopt_bobyqa
refuses "--budget 0: must be at least 1" tune box.yaml --over friction=0:1 --budget 0
refuses "--jobs 0: must be at least 1" tune box.yaml --over friction=0:1 --jobs 0
refuses "--seeds 5-3: .*" tune box.yaml --over friction=0:1 --seeds 5-3
refuses "--validate 8-20: must not share seeds with --seeds 1-8; .*" tune box.yaml --over friction=0:1 --validate 8-20
refuses "--backend nonsense: .*" tune box.yaml --over friction=0:1 --backend nonsense
refuses "--out one: exists; --resume .*" "${tune[@]}" --out one
refuses "--resume: nowhere holds no plan.json; .*" "${tune[@]}" --out nowhere --resume
refuses "--resume: one/plan.json has another seeds, .*" "${tune[@]:0:${#tune[@]}-2}" --seeds 3 --out one --resume
refuses "--resume: one/plan.json has another config_hash, .*" "${tune[@]}" --set run.duration=0.2 --out one --resume
refuses "--budget 10: evaluations.csv has 20 already" "${tune[@]}" --budget 10 --out one --resume

[[ $failures -eq 0 ]] || { echo "$failures failed"; exit 1; }
