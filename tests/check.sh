# Sourced by tests of the command line: counts what fails, runs on.
failures=0
check() {  # check WHAT COMMAND...; the output of the one before is in $work/output
  local what=$1 passed=true
  shift
  "$@" >"$work/output.new" 2>&1 || passed=false
  mv "$work/output.new" "$work/output"
  if $passed; then
    echo "ok: $what"
  else
    echo "FAILED: $what"
    head -c 2000 "$work/output" | sed 's/^/    /'
    failures=$((failures + 1))
  fi
}
exits() {  # exits CODE COMMAND...
  local expected=$1 code=0
  shift
  "$@" || code=$?
  [[ $code -eq $expected ]] || { echo "exit code $code, expected $expected"; return 1; }
}
