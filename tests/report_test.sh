#!/usr/bin/env bash
# Report pages of runs: that they are written, and, in headless Chromium, that plots are drawn, the replay moves, nothing complains and nothing
# is asked of a network. Usage: report_test.sh TREAD, from the root of the project. Without Chromium its part is skipped.
set -euo pipefail
tread=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

source tests/check.sh

"$tread" run configs/ball_drop.yaml --duration 4 --out "$work/probe" >/dev/null 2>"$work/probe.txt"
if grep -q 'built without' "$work/probe.txt"; then
  echo "skipped: this tread was built without the libraries of report pages"
  exit 77
fi

# ---- files

check "run walks for 20 s" "$tread" run configs/solo12_bumpy_gentle.yaml --duration 20 --out "$work/walk"
check "and names its page" grep -q 'report.html' "$work/output"
check "which is smaller than 10 MB" test "$(stat -c %s "$work/walk/report.html")" -lt 10000000
check "report makes it anew" bash -c "rm '$work/walk/report.html' && '$tread' report '$work/walk' '$work/probe' && test -s '$work/walk/report.html'"
check "and prints where, one line per folder" test "$(wc -l <"$work/output")" -eq 2
check "--no-report leaves it away" "$tread" run configs/box_slide.yaml --no-report --out "$work/plain"
check "with no such file" test ! -e "$work/plain/report.html"
check "log.ticks: none gives a page" "$tread" run configs/solo12_stand.yaml --duration 0.1 --set log.ticks=none --out "$work/none"
check "that says why it has no plots" grep -q 'kept no ticks.csv' "$work/none/report.html"
cp -r "$work/plain" "$work/killed"
rm "$work/killed/summary.json"
truncate -s -20 "$work/killed/ticks.csv"
check "a run that was killed has a page" "$tread" report "$work/killed"
check "that says so" grep -q 'interrupted' "$work/killed/report.html"
mkdir "$work/other"
echo '{}' >"$work/other/summary.json"
check "a folder that holds no run is refused" exits 2 "$tread" report "$work/probe" "$work/other"
check "in one line" test "$(wc -l <"$work/output")" -eq 1
check "a folder that is not there too" exits 2 "$tread" report "$work/nowhere"
cp -r "$work/plain" "$work/spoilt"
sed -i '5s/^[^,]*,/zero,/' "$work/spoilt/ticks.csv"
check "and a log that is no table" exits 2 "$tread" report "$work/spoilt"
check "by its line" grep -q 'ticks.csv:5: column t ' "$work/output"
check "which leaves no page" test ! -e "$work/spoilt/report.html"

# ---- in a browser

if ! command -v chromium chromium-browser google-chrome >/dev/null || ! python3 -c '' 2>/dev/null; then
  echo "skipped: pages in a browser need chromium and python3"
  exit $((failures > 0))
fi

cat >"$work/judge.py" <<'PY'
import json, sys
found = json.load(open(sys.argv[1]))
robot = sys.argv[2] == "robot"
assert found["errors"] == [], found["errors"]
assert found["requests"] == [], found["requests"]
assert found["scroll_width"] <= 1000, found["scroll_width"]
figures, with_data, with_marks, headings, table, csv, before, after, pictures_differ, cursor, played, units = found["eval"]
assert found["drawn"] == figures > 5, (found["drawn"], figures)
assert with_marks == with_data > 5, (with_marks, with_data)
assert headings == "H1", headings
assert table > 10, table
assert csv > 10, csv
assert before["frame"] == 0 and after["frame"] == 150, (before, after)
moved = sum((a - b) ** 2 for a, b in zip(before["p"], after["p"])) ** 0.5
assert moved > 1e-4, moved
assert pictures_differ
assert cursor > 5, cursor
assert played > 150, played
assert units == [], units
if robot:
    assert after["arrows"] >= 2, after
    assert with_marks == figures, (with_marks, figures)
PY
browse() {  # browse PAGE robot|bodies
  local state='({frame: tread.replay.frame(), p: tread.replay.movers[0].position.toArray(), arrows: tread.replay.arrows.filter(a => a.visible).length})'
  python3 tests/report_browser.py "$1" --width 1000 \
    --eval 'document.querySelectorAll("figure.plot").length' \
    --eval 'tread.plots.filter(p => p.item.lines.some(l => tread.array(l.y).some(Number.isFinite))).length' \
    --eval 'tread.plots.filter(p => [...p.canvas.querySelectorAll(".scatterlayer path")].some(l => (l.getAttribute("d") || "").length > 5)).length' \
    --eval 'document.querySelector("h1, h2, h3").tagName' \
    --eval '(() => { document.querySelector("figure.plot .bar button").click(); return document.querySelectorAll("figure.plot tbody tr").length; })()' \
    --eval 'tread.csv(tread.plots[0].item).split("\n").length' \
    --eval "$state" \
    --eval "(() => { window.shot = tread.replay.viewer.capture_image(); const s = document.querySelector('.replay input[type=range]'); s.value = '150'; s.dispatchEvent(new Event('input')); return $state; })()" \
    --eval 'tread.replay.viewer.capture_image() !== window.shot' \
    --eval '[...document.querySelectorAll(".cursor")].filter(c => c.style.display === "block").length' \
    --eval 'new Promise(done => { document.querySelector(".replay button").click(); setTimeout(() => done(tread.replay.frame()), 1500); })' \
    --eval 'tread.data.items.filter(i => i.kind === "lines" && !(i.x.label && i.y.label)).map(i => i.title)' >"$work/found.json" &&
    cat "$work/found.json" && python3 "$work/judge.py" "$work/found.json" "$2"
}
check "the page of a walk in a browser" browse "$work/walk/report.html" robot
check "the page of free bodies in a browser" browse "$work/probe/report.html" bodies
python3 tests/report_browser.py "$work/none/report.html" >"$work/none.json"
check "the page without plots in a browser" python3 -c "
import json
found = json.load(open('$work/none.json'))
assert found['drawn'] == 0 and not found['errors'] and not found['requests'], found"

# pages of many runs: as many figures as data, drawn, without complaint or request, no wider than the window
many() {  # many PAGE LEAST_FIGURES
  python3 tests/report_browser.py "$1" --width 1000 --eval 'document.querySelectorAll("figure.plot").length' \
    --eval '[...document.querySelectorAll("figure.plot")].filter(f => f.querySelector(".scatterlayer path, .scatterlayer .point, .heatmaplayer image")).length' >"$work/found.json" &&
    cat "$work/found.json" && python3 -c "
import json
found = json.load(open('$work/found.json'))
figures, with_marks = found['eval']
assert found['drawn'] == figures >= $2, found
assert with_marks >= figures - 1, found
assert found['errors'] == [] and found['requests'] == [] and found['scroll_width'] <= 1000, found"
}
short="--set run.duration=3 --set command.start=0.1 --set command.ramp=0.3"
check "compare" "$tread" compare configs/solo12_bumpy.yaml $short --backends ncp_pgs,ccp_pgs --seeds 2 --jobs 2 --out "$work/compare"
check "its page in a browser" many "$work/compare/report.html" 4
check "made anew" bash -c "rm '$work/compare/report.html' && '$tread' report '$work/compare' && test -s '$work/compare/report.html'"
check "sweep" "$tread" sweep configs/solo12_bumpy.yaml $short --axis sim.contact.budget=1,5 --axis sim.backend=ncp_pgs,ccp_pgs --seeds 2 --jobs 2 --out "$work/sweep"
check "its page in a browser" many "$work/sweep/report.html" 4
check "smaller than 10 MB" test "$(stat -c %s "$work/sweep/report.html")" -lt 10000000

echo "$failures failed"
exit $((failures > 0))
