# Sourced by ./tread: the system packages, and the libraries in .deps/.

# what must be there : the Debian or Ubuntu package that brings it
tools=(g++:g++ cmake:cmake ninja:ninja-build ccache:ccache python3:python3)
packages=(ca-certificates python3-venv libyaml-cpp-dev libcli11-dev libspdlog-dev nlohmann-json3-dev
          libbenchmark-dev libgtest-dev libnlopt-cxx-dev libsqlite3-dev)

have_package() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

missing_packages() {
  local entry package
  for entry in "${tools[@]}"; do
    command -v "${entry%%:*}" >/dev/null || echo "${entry##*:}"
  done
  for package in "${packages[@]}"; do
    have_package "$package" || echo "$package"
  done
}

# For those who bring their own libraries.
need_tools() {
  local tool
  for tool in cmake ninja; do
    command -v "$tool" >/dev/null || die "$tool is missing (TREAD_DEPS=system leaves its installation to you)"
  done
  command -v "${CXX:-c++}" >/dev/null || die "no C++ compiler (TREAD_DEPS=system leaves its installation to you)"
}

# Through apt as root or with a sudo that asks nothing; otherwise says the one command to run.
install_packages() {
  command -v dpkg-query >/dev/null ||
    die "this is no Debian or Ubuntu. Install Pinocchio, Crocoddyl, ... your way and call TREAD_DEPS=system ./tread (CONTRIBUTING.md)"
  local missing as_root=()
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]} > 0)) || return 0
  if [[ $EUID -ne 0 ]]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      say "system packages are missing. Run this, then call ./tread again:"
      printf '  sudo apt-get update && sudo apt-get install -y --no-install-recommends %s\n' "${missing[*]}" >&2
      exit 2
    fi
    as_root=(sudo -n)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  say "missing: ${missing[*]}"
  step "system packages" packages sh -c '
    as_root=$1; shift
    $as_root dpkg --configure -a              # an earlier installation may have been interrupted
    $as_root apt-get update -q || true        # one broken source need not matter
    $as_root apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"' sh "${as_root[*]}" "${missing[@]}"
}

# ---- .deps ----------------------------------------------------------------------------------------------------------

# What .deps must have been made from.
dependencies_key() { cat setup/requirements.txt setup/osqp.txt setup/build_osqp.sh | sha256sum | cut -c 1-64; }

dependencies_ready() { [[ -e .deps/key && $(<.deps/key) == "$(dependencies_key)" ]]; }

# The interpreter pip runs in; nothing else of Python is used. The system's own first: pyenv and conda put others before it.
find_python() {
  local candidate
  for candidate in /usr/bin/python3 python3 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
      python=$candidate
      return
    fi
  done
  die "no Python 3.10 to 3.13 with venv: the pinned wheels are made for these"
}

# Everything is made in .deps.partial, which becomes .deps when complete. A call that was interrupted leaves
# .deps.partial, and the next one goes on after the last step that ended there.
install_dependencies() {
  dependencies_ready && return
  local key new=$root/.deps.partial
  key=$(dependencies_key)
  find_python
  if [[ ! -e $new/wheels-$key ]]; then
    rm -rf "$new"
    step "Python environment" environment "$python" -m venv "$new"
    step "C++ libraries (200 MB of wheels)" wheels "$new/bin/python" -m pip install --disable-pip-version-check \
      --no-deps --require-hashes --only-binary :all: -r setup/requirements.txt
    touch "$new/wheels-$key"
  fi
  step "OSQP" osqp bash setup/build_osqp.sh "$new" "$new/osqp"

  # scripts of the environment name the folder they were made in
  grep -rlIFZ "$new" "$new/bin" "$new/pyvenv.cfg" | xargs -0 -r sed -i "s|$new|$root/.deps|g"
  rm -f "$new/wheels-$key"
  printf '%s' "$key" >"$new/key"
  rm -rf .deps.old
  [[ ! -e .deps ]] || mv .deps .deps.old
  mv "$new" .deps
  rm -rf .deps.old
}

# ---- doctor ---------------------------------------------------------------------------------------------------------

describe_setup() {
  local missing=()
  if [[ $deps_mode == system ]]; then
    echo "libraries        from the system (TREAD_DEPS=system)"
  else
    if command -v dpkg-query >/dev/null; then mapfile -t missing < <(missing_packages); fi
    if ((${#missing[@]} > 0)); then
      echo "system packages  missing: ${missing[*]}"
      echo "                 sudo apt-get install -y --no-install-recommends ${missing[*]}"
    else
      echo "system packages  all there"
    fi
    if dependencies_ready; then
      echo "libraries        .deps, complete"
    elif [[ -e .deps.partial ]]; then
      echo "libraries        .deps, interrupted: the next command goes on with it"
    else
      echo "libraries        .deps is missing or out of date: the next command makes it (0.8 GB)"
    fi
  fi
  echo "compiler         $( ("${CXX:-g++}" --version 2>/dev/null || echo none) | head -n 1)"
  echo "cmake            $( (cmake --version 2>/dev/null || echo none) | head -n 1)"
  echo "machine          $(uname -sm), $(nproc) cores, $(awk '/MemTotal/ {printf "%.0f GB", $2 / 1048576}' /proc/meminfo), $(free_space) free here"
}
