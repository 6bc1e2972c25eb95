#!/usr/bin/env bash
# Dependencies point one way: experiments -> control, sim -> robots; Pinocchio and Coal stay out of headers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
failures=0
forbid() {  # forbid FOLDER PATTERN WHY
  local found
  found=$(grep -rnE "#include [\"<]($2)" "$1" --include='*.h' --include='*.cc' || true)
  [[ -z $found ]] || { printf '%s: %s\n%s\n' "$1" "$3" "$found"; failures=$((failures + 1)); }
}
forbid robots 'sim/|control/|experiments/|tests/' "robots know nothing of who uses them"
forbid sim 'control/|experiments/|tests/' "the simulator does not know its controller"
forbid control 'sim/|experiments/|tests/' "the controller does not know the simulator"
forbid experiments 'tests/' "programs do not depend on tests"
headers=$(grep -rlE '#include <(pinocchio|coal|crocoddyl|proxsuite|yaml-cpp|CLI)/' robots sim control experiments --include='*.h' || true)
[[ -z $headers ]] || { printf 'heavy libraries in headers:\n%s\n' "$headers"; failures=$((failures + 1)); }
heavy=$(grep -rlE '#include <pinocchio/' robots sim control experiments --include='*.cc' | wc -l)
((heavy <= 6)) || { echo "$heavy files include Pinocchio; keep it behind few"; failures=$((failures + 1)); }
((failures > 0)) || echo "the include graph is as docs/design.md says; Pinocchio is in $heavy files"
exit $((failures > 0))
