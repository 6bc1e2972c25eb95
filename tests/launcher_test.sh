#!/usr/bin/env bash
# The launcher on a machine of stand-ins: no network, no compiler, nothing installed. Takes about a second.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset TREAD_DEPS TREAD_JOBS CMAKE_PREFIX_PATH CC CXX

failures=0
expect() {  # expect WHAT CODE PATTERN: of the last call
  if [[ $code -ne $2 ]] || ! grep -qE -- "$3" "$work/output"; then
    echo "FAILED: $1 (exit code $code, expected $2 and '$3'):"
    sed 's/^/    /' "$work/output"
    failures=$((failures + 1))
  else
    echo "ok: $1"
  fi
}
call() {
  code=0
  "$@" >"$work/output" 2>&1 </dev/null || code=$?
}

# a checkout, in a folder whose name has a space, with stand-ins for whatever the launcher would start
tree="$work/a checkout"
mkdir -p "$tree/cmake" "$work/bin"
cp -r "$repository/tread" "$repository/setup" "$tree/"
touch "$tree/CMakeLists.txt"
mkdir "$tree"/{sim,tests}
touch "$tree"/{sim,tests}/CMakeLists.txt
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
export PATH=$work/bin:$PATH
cd "$work"

call "$tree/tread" --help
expect "help needs no set-up" 0 '^usage: '
call "$tree/tread"
expect "no command is bad usage" 2 '^usage: '
call env TREAD_DEPS=mine "$tree/tread" list
expect "an unknown TREAD_DEPS is refused" 2 "TREAD_DEPS is 'mine'"

# system packages missing: root tries apt, which finds no network; others are told what to run
stand_in dpkg-query 'exit 1'
stand_in dpkg 'exit 0'
stand_in sudo 'exit 1'
stand_in apt-get 'echo "Temporary failure resolving the.mirror"; exit 100'
call "$tree/tread" list
if [[ $EUID -eq 0 ]]; then
  expect "no network is one line" 2 '^tread: system packages failed: no network.*Log: build/logs/packages.log$'
else
  expect "missing packages are one command" 2 'sudo apt-get install -y .*libyaml-cpp-dev'
fi
call "$tree/tread" doctor
expect "doctor installs nothing and says what is missing" 0 'missing: .*libyaml-cpp-dev'

# own libraries: no package manager; CMake configures and builds
stand_in ninja 'exit 0'
stand_in c++ 'exit 0'
stand_in cmake '
case "$*" in
  *--build*)
    echo "$*" >>calls
    case "$*" in *tread_run*) program=tread-run ;; *) program=tread ;; esac
    printf "#!/bin/bash\necho \${0##*/} in \$PWD: \$*\n" >build/$program
    chmod +x build/$program ;;
  *) touch build/build.ninja ;;
esac'
export TREAD_DEPS=system
call "$tree/tread" run "some file.yaml" --seed 3
expect "run builds what it needs, then hands over arguments and folder" 0 "^tread-run in $work: run some file.yaml --seed 3"
call "$tree/tread" run again.yaml
expect "the second call goes straight to the program" 0 '^tread-run in'
[[ $(wc -l <"$tree/calls") -eq 1 ]] || { echo "FAILED: built twice"; failures=$((failures + 1)); }
call "$tree/tread" list
expect "another command builds the whole program" 0 "^tread in $work: list"
call "$tree/tread" run again.yaml
expect "which then runs too" 0 "^tread in $work: run again.yaml"
[[ $(wc -l <"$tree/calls") -eq 2 ]] || { echo "FAILED: built again"; failures=$((failures + 1)); }
sleep 0.02
touch "$tree/sim/new.cc"
call "$tree/tread" list
[[ $(wc -l <"$tree/calls") -eq 3 ]] || { echo "FAILED: a new source was not built"; failures=$((failures + 1)); }
rm "$tree/sim/new.cc"
call "$tree/tread" list
[[ $(wc -l <"$tree/calls") -eq 4 ]] || { echo "FAILED: a removed source was not noticed"; failures=$((failures + 1)); }
sleep 0.02
touch "$tree/tests/new_test.cc"
call "$tree/tread" list
[[ $(wc -l <"$tree/calls") -eq 5 ]] || { echo "FAILED: a new test was not noticed"; failures=$((failures + 1)); }
ln -s "$tree/tread" "$work/bin/tread"
call tread list
expect "works through a symbolic link" 0 '^tread in'

# failures of a build are one line, after the compiler's own words
touch "$tree/sim/broken.cc"
stand_in cmake 'echo "FAILED: sim/broken.o"; echo "broken.cc:3:1: error: no such thing"; exit 1'
call "$tree/tread" list
expect "a compiler error is shown" 2 'broken.cc:3:1: error'
expect "a compiler error names the log" 2 'does not compile. Log: build/logs/build.log'
stand_in cmake 'echo "fatal error: error writing: No space left on device"; exit 1'
call "$tree/tread" list
expect "a full disk is one line" 2 'failed: the disk is full'
stand_in cmake 'exit 0'
call "$tree/tread" list
expect "the call after a failure works" 0 '^tread in'

exit $((failures > 0))
