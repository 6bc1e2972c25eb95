#!/usr/bin/env bash
# build_osqp.sh ENVIRONMENT PREFIX: OSQP (and QDLDL inside it) from its pinned source archive, static, installed to PREFIX.
set -euo pipefail
environment=$1
prefix=$2
setup=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$environment/osqp.work
rm -rf "$work" "$prefix"
mkdir -p "$work"

# pip hands the archive over only after asking its build system for metadata: that needs the other wheels of osqp.txt,
# and not the NumPy the archive also names, hence no isolated environment.
pip() { "$environment/bin/python" -m pip "$@" --disable-pip-version-check --no-deps --require-hashes; }
sed '/^osqp==/,/--hash/d' "$setup/osqp.txt" >"$work/tools.txt"
sed -n '/^osqp==/,/--hash/p' "$setup/osqp.txt" >"$work/archive.txt"
pip install --only-binary :all: -r "$work/tools.txt"
pip download --no-build-isolation --no-binary osqp --dest "$work" -r "$work/archive.txt"
tar -xzf "$work"/osqp-*.tar.gz -C "$work"
source=$(echo "$work"/osqp-*/osqp_sources)

# the archive lacks the demo its CMakeLists.txt wants to build
mkdir -p "$source/examples"
echo 'int main(void) { return 0; }' >"$source/examples/osqp_demo.c"

# DLONG=OFF: 32-bit indices, as in Eigen's sparse matrices. CTRLC=OFF: a library does not catch signals.
cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
  -DDLONG=OFF -DCTRLC=OFF -DUNITTESTS=OFF -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_PREFIX="$prefix"
cmake --build "$work/build"
cmake --install "$work/build"
rm -rf "$work"
