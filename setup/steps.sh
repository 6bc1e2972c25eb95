# Sourced by ./tread: one long command at a time, with its log, its duration, and one clear line if it fails.

say() { printf 'tread: %s\n' "$*" >&2; }

trap 'say "interrupted; the next call goes on from here"; exit 130' INT TERM

die() {
  say "$*"
  exit 2
}

# step TEXT LOG COMMAND...: runs COMMAND with its output in build/logs/LOG.log, and says TEXT and the seconds it took.
# On a terminal one line is kept current; elsewhere a line comes every 30 s, so that a log never looks dead.
step() {
  local text=$1 log=build/logs/$2.log begin=$SECONDS code=0 ticker
  shift 2
  : >"$log" || die "$text: cannot write $log ($(free_space) free)"
  [[ -t 2 ]] || say "$text ..."
  show_progress "$text" "$log" $$ 9>&- &
  ticker=$!
  "$@" >>"$log" 2>&1 </dev/null || code=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  if ((code != 0)); then
    explain_failure "$text" "$log"
    exit 2
  fi
  say "$text: done in $((SECONDS - begin)) s"
}

# Ends by itself when the process PARENT is gone. Pauses in `read`, so that no sleeping process outlives an interrupt.
show_progress() {
  local text=$1 log=$2 parent=$3 begin=$SECONDS pause=30 line
  trap - INT TERM
  [[ ! -t 2 ]] || pause=1
  exec 8<> <(:)
  while kill -0 "$parent" 2>/dev/null; do
    read -r -t "$pause" -u 8 || true
    line="$text, $((SECONDS - begin)) s  $(last_line "$log")"
    if [[ -t 2 ]]; then
      printf '\r\033[Ktread: %s' "${line:0:$(($(columns) - 8))}" >&2
    else
      say "$line"
    fi
  done
}

last_line() { tail -c 2000 "$1" 2>/dev/null | tr '\r' '\n' | grep -v '^ *$' | tail -n 1 | cut -c 1-100 || true; }

columns() { tput cols 2>/dev/null || echo 80; }

free_space() { df -h --output=avail . | tail -n 1 | tr -d ' '; }

# A first set-up takes 0.8 GB for libraries, as much again while it unpacks them, and up to 1 GB for the build.
enough_disk() {
  local need_mb=300 free_mb
  [[ $deps_mode == system ]] || dependencies_ready || need_mb=3000
  free_mb=$(df -m --output=avail . | tail -n 1 | tr -d " ")
  ((free_mb >= need_mb)) || die "the disk is nearly full: $free_mb MB free here, $need_mb MB needed"
}

# The usual reasons in one line each; the compiler's own words if it was the compiler; otherwise the end of the log.
explain_failure() {
  local text=$1 log=$2
  if grep -qiE 'No space left on device|Disk quota exceeded' "$log"; then
    say "$text failed: the disk is full ($(free_space) free here). Log: $log"
  elif grep -qE 'Read-only file system|Permission denied' "$log"; then
    say "$text failed: $(grep -m 1 -E 'Read-only file system|Permission denied' "$log" | cut -c 1-160). Log: $log"
  elif grep -qiE 'Temporary failure (in name resolution|resolving)|Name or service not known|Network is unreachable|Failed to establish a new connection|Could not resolve' "$log"; then
    say "$text failed: no network. Connect, and call again: it goes on from here. Log: $log"
  elif grep -q 'DO NOT MATCH THE HASHES' "$log"; then
    say "$text failed: a downloaded file is not the one pinned in setup/. Log: $log"
  elif grep -qE 'No matching distribution found' "$log"; then
    say "$text failed: the package index offers no such wheel for $(uname -m), Python $("$python" -c 'import platform; print(platform.python_version())'). Log: $log"
  elif grep -qE 'Killed signal|cannot allocate memory|virtual memory exhausted' "$log"; then
    say "$text failed: out of memory. TREAD_JOBS=1 ./tread ... compiles one file at a time. Log: $log"
  elif grep -q '^FAILED: ' "$log"; then
    sed -n '/^FAILED: /,$p' "$log" | grep -vE '^(FAILED: |/.* -o |\[[0-9]+/[0-9]+\]|: && )' | cut -c 1-300 | head -n 40 >&2
    say "$text failed: the code does not compile. Log: $log"
  else
    tail -n 15 "$log" | cut -c 1-300 >&2
    say "$text failed. Log: $log"
  fi
}
