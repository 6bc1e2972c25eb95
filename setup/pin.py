#!/usr/bin/env python3
"""Writes requirements.txt: every wheel of VERSIONS with the hashes of its Linux files.

Run it after a change of VERSIONS:  python3 setup/pin.py
The hashes are those the package index states, for x86_64 and aarch64, Python 3.10 to 3.13.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# The set that works together. Their metadata says only `>=`, and the newest set does not:
# libpinocchio 3.8.0 lacks the .so.3 names libcrocoddyl 3.2.0 asks for, 4.1.0 with libcrocoddyl
# 3.2.1 crashes at the first call, and 4.0.0 does not compile with g++ 12.
VERSIONS = """
libpinocchio==3.9.0
libcrocoddyl==3.2.0
libcoal==3.0.2
libproxsuite==0.7.2
example-robot-data==4.4.0
cmeel==0.62.0
cmeel-assimp==6.0.2
cmeel-boost==1.89.0
cmeel-cereal==1.3.2
cmeel-console-bridge==1.0.2.3
cmeel-eigen==3.4.1
cmeel-octomap==1.10.0
cmeel-qhull==8.0.2.1
cmeel-simde==0.8.2
cmeel-tinyxml2==10.0.0
cmeel-urdfdom==4.0.1
cmeel-urdfdom-headers==1.1.2
cmeel-zlib==1.3.1
jrl-cmakemodules==1.1.0
plotly==7.1.0
meshcat==0.3.2
"""

# OSQP comes as a source archive; pip asks its build system for metadata before it hands the
# archive over, and these four wheels are what that build system needs.
OSQP_VERSIONS = """
osqp==0.6.7.post3
packaging==24.2
setuptools==75.8.0
setuptools-scm==8.1.0
wheel==0.45.1
"""

# NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM.whl
WHEEL = re.compile(
    r"(?:-(?P<build>\d+))?-(?:py3|py2\.py3|cp310|cp311|cp312|cp313)-(?:none|cp\d+)-"
    r"(?:any|manylinux\w*_(?:x86_64|aarch64)(?:\.manylinux\w*)*)\.whl$")


def hashes(requirement):
    """The sha256 sums the index states for the Linux files of one `name==version`."""
    name, version = requirement.split("==")
    with tempfile.TemporaryDirectory() as folder:
        source = name == "osqp"
        command = [sys.executable, "-m", "pip", "download", "-vvv", "--no-deps", "--no-cache-dir", "--dest", folder,
                   requirement] + (["--no-binary", name] if source else [])
        log = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    # builds: build number -> digests; a later build of a version replaces the earlier one
    builds = {}
    for file, digest in re.findall(r"([^/\s]+\.(?:whl|tar\.gz))#sha256=([0-9a-f]{64})", log):
        stem = file.replace("_", "-").lower()
        wheel = WHEEL.search(file)
        if source and stem == f"{name}-{version}.tar.gz":
            builds.setdefault(0, set()).add(digest)
        elif not source and wheel and stem.startswith(f"{name}-{version}-"):
            builds.setdefault(int(wheel["build"] or 0), set()).add(digest)
    if not builds:
        sys.exit(f"pin.py: the index offers no file for {requirement}")
    return sorted(builds[max(builds)])


def write(path, versions, opening):
    lines = [f"# {line}" for line in opening]
    for requirement in versions.split():
        digests = hashes(requirement)
        lines.append(" \\\n".join([requirement] + [f"    --hash=sha256:{digest}" for digest in digests]))
        print(f"{requirement}: {len(digests)} file(s)", file=sys.stderr)
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    write(here / "requirements.txt", VERSIONS,
          ["C++ libraries as wheels, installed with --no-deps --require-hashes. Written by pin.py, which says why these."])
    write(here / "osqp.txt", OSQP_VERSIONS,
          ["The OSQP source archive and what pip needs to unpack it. Written by pin.py."])
