#!/usr/bin/env bash
# Whatever a user may type wrongly: one line that says where, which key, which value and what would be right; exit code 2; no file made or
# changed. Usage: bad_input_test.sh TREAD. Takes a few seconds.
set -euo pipefail
tread=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/here"
cd "$work/here"
unset TREAD_ROBOT_DATA

failures=0 cases=0
# names, kinds, permissions and contents of all there is; --mtime: a folder may have been looked at by writing to it
everything() { tar -C "$work/here" --sort=name --mtime=@0 -cf - . | sha256sum; }
# refuses PATTERN ARGUMENTS...: the line on stderr is 'tread: ' and what the extended regular expression matches as a whole
refuses() {
  local pattern=$1 code=0 before after why=""
  shift
  before=$(everything)
  timeout 20 "$tread" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  after=$(everything)
  [[ $code -eq 2 ]] || why+=" exit code $code;"
  [[ $(wc -l <"$work/err") -eq 1 ]] || why+=" $(wc -l <"$work/err") lines on stderr;"
  grep -qE -- "^tread: $pattern\$" "$work/err" || why+=" the message is not '$pattern';"
  [[ ! -s $work/out ]] || why+=" something on stdout;"
  [[ $before == "$after" ]] || why+=" files made or changed: $(find . -newer "$work/out" | tr '\n' ' ');"
  cases=$((cases + 1))
  if [[ -n $why ]]; then
    failures=$((failures + 1))
    printf 'FAILED: tread %s:%s\n' "$*" "$why"
    head -c 1000 "$work/err" | sed 's/^/    /'
    [[ $before == "$after" ]] || { echo "stopped: the cases after this one count on the files as they were"; exit 1; }
  fi
}
# config PATTERN TEXT ARGUMENTS...: the same for 'tread run c.yaml' with that text in the file (\n: new line)
config() {
  local pattern=$1
  printf '%b' "$2" >c.yaml
  shift 2
  refuses "$pattern" run c.yaml "$@"
  rm c.yaml
}

# what the cases need to lie about
printf 'robot: none\nbodies:\n  - {name: ball, shape: sphere}\nrun: {duration: 0.01}\n' >good.yaml
mkdir empty full run
echo precious >full/notes.txt
echo precious >file
"$tread" run good.yaml --out run/a --record-problems problems >/dev/null
mkdir inputs
cp good.yaml inputs/config.yaml # a folder with a config of its own is not a run

# keys
config "c.yaml:2: robott: unknown key; did you mean 'robot'\? \(valid here: robot, .*\)" 'friction: 1\nrobott: none\n'
config "c.yaml:3: sim.contact.eps_asb: unknown key; did you mean 'eps_abs'\? .*" 'sim:\n  contact:\n    eps_asb: 1\n'
config "c.yaml:1: dt: unknown key; did you mean 'sim.dt'\? .*" 'dt: 0.001\n'
config "c.yaml:2: bodies.0.mas: unknown key; did you mean 'mass'\? .*" 'bodies:\n  - {name: a, mas: 1}\n'
config "c.yaml:1: initial: unknown key \(valid here: .*\)" 'initial: {position: [0, 0, 1]}\n'
config "c.yaml:2: friction: duplicate key, first given at c.yaml:1; remove one" 'friction: 1\nfriction: 2\n'
config "c.yaml:1: <<: unknown key .*" '<<: {friction: 1}\n'

# values
config "c.yaml:1: sim.dt = fast: expected a number \(\[s\]\)" 'sim: {dt: fast}\n'
config "c.yaml:1: sim.dt = 1 ms: expected a number \(\[s\]\)" 'sim: {dt: 1 ms}\n'
config "c.yaml:1: friction = 0,5: expected a number .*" 'friction: 0,5\n'
config "c.yaml:1: friction = '1': expected a number .*" "friction: '1'\n"
config "c.yaml:1: friction = \(nothing\): expected a number .*" 'friction:\n'
config "c.yaml:2: sim.contact.warm_start = 1: expected true or false .*" 'sim:\n  contact: {warm_start: 1}\n'
config "c.yaml:1: sim.contact.max_iterations = 1e4: expected an integer, such as 0 or 1000" 'sim: {contact: {max_iterations: 1e4}}\n'
config "c.yaml:1: friction = \[...\]: expected a number .*" 'friction: [1]\n'
config "c.yaml:1: sim = 3: expected a section of 'key: value' lines" 'sim: 3\n'
config "c.yaml:1: bodies = \{...\}: expected a list of sections .*" 'bodies: {name: a}\n'
config "c.yaml:1: gravity = -9.81: expected a list of 3 numbers in brackets .*" 'gravity: -9.81\n'
config "c.yaml:3: bodies.0.mass = -1: must be > 0 \(\[kg\]\)" 'bodies:\n  - name: a\n    mass: -1\n'
config "c.yaml:2: bodies.0.mass = 0: must be > 0 \(\[kg\]\)" 'bodies:\n  - {name: a, mass: 0}\n'
config "c.yaml:1: friction = .nan: must be finite .*" 'friction: .nan\n'
config "c.yaml:1: friction = NaN: must be finite .*" 'friction: NaN\n'
config "c.yaml:1: friction = .inf: must be finite .*" 'friction: .inf\n'
config "c.yaml:1: friction = 1e999: beyond the range of a double; .*" 'friction: 1e999\n'
config "c.yaml:1: friction = -0.1: must be >= 0 .*" 'friction: -0.1\n'
config "c.yaml:1: restitution = 2: must be >= 0 and <= 1" 'restitution: 2\n'
config "c.yaml:1: run.seed = -1: must be >= 0" 'run: {seed: -1}\n'
config "c.yaml:2: bodies.0.initial.position = \[...\]: expected \[x, y, z\], or \[\] for on the ground" \
  'bodies:\n  - {name: a, initial: {position: [1, 2]}}\n'
config "c.yaml:1: log.ticks = every 0: must be all, every N \(such as 'every 10'\), or none" 'log: {ticks: every 0}\n'
config "c.yaml:1: log.ticks = sometimes: must be all, .*" 'log: {ticks: sometimes}\n'
config "c.yaml:1: require = complete: must be one of any, completed; did you mean 'completed'\? .*" 'require: complete\n'

# files
refuses "none.yaml: no such file; check the path" run none.yaml
refuses "none.yaml: no such file; check the path" config none.yaml
refuses "report gone: there is no such folder; name that of a run" report gone
refuses "report good.yaml: is a file; name the folder it is in" report good.yaml
refuses "report empty: holds nothing to report on; it should hold a run .*" report empty
refuses "empty: is a folder; name a file in it" run empty
refuses "file/c.yaml: no such file; check the path" run file/c.yaml
refuses "'': no name; give the path of a configuration file" run ''
config "c.yaml: empty file; write at least one key, or \{\} for all defaults" ''
config "c.yaml: empty file; .*" '# nothing but talk\n'
config "c.yaml:3: more than one YAML document; remove the --- lines, .*" 'friction: 1\n---\nfriction: 2\n'
config "c.yaml:2: tab in the indentation; use spaces" 'sim:\n\tdt: 0.001\n'
config "c.yaml:3: YAML syntax error: .*; check colons, brackets, quotes and indentation on and above this line" 'friction: 1\nsim: {dt: 0.001\n'
config "c.yaml:1: YAML syntax error: .*" 'friction: 1: 2\n'
config "c.yaml:1: expected keys at the top of the file, such as 'key: value'; found .*" 'solo12\n'
config "c.yaml:1: expected keys at the top of the file, .*" '- friction: 1\n'
config "c.yaml:[0-9]*:? ?.*" '\0\001\002\xff\xfe'
refuses "problems/tick0000000.dat:1: .*" run problems/tick0000000.dat
config "c.yaml:2: extends = gone.yaml: gone.yaml: no such file; check the path" 'friction: 1\nextends: gone.yaml\n'
config "c.yaml:1: extends = empty: empty: is a folder; .*" 'extends: empty\n'
config "c.yaml:1: extends = c.yaml: c.yaml: extends itself, directly or through others; break the cycle" 'extends: c.yaml\n'
printf 'extends: c.yaml\n' >other.yaml
config "other.yaml:1: extends = c.yaml: c.yaml: extends itself, .*" 'extends: other.yaml\n'
printf 'friction: x\n' >other.yaml
config "other.yaml:1: friction = x: expected a number .*" 'extends: other.yaml\n'

# names of things
config "c.yaml:1: robot = solo13: must be one of none, solo12, .*; did you mean 'solo12'\? .*" 'robot: solo13\n'
config "c.yaml:1: sim.backend = ncp_psg: must be one of .*; did you mean 'ncp_pgs'\?" 'sim: {backend: ncp_psg}\n'
refuses "--backend ncp_psg: sim.backend = ncp_psg: must be one of .*; did you mean 'ncp_pgs'\?" run good.yaml --backend ncp_psg
refuses "--backend '': sim.backend = '': must be one of .*" run good.yaml --backend ''
refuses "--set sim.backend=x: sim.backend = x: must be one of .*" run good.yaml --set sim.backend=x
config "c.yaml:1: sim.contact.on_failure = 'fallback:x': must be one of keep, stop, fallback:.*" 'sim: {contact: {on_failure: "fallback:x"}}\n'
config "c.yaml:1: terrain.type = bumby: must be one of flat, .*; did you mean 'bumpy'\?" 'terrain: {type: bumby}\n'
config "c.yaml:1: terrain.amplitude: unknown key.*" 'terrain: {amplitude: 0.1}\n'
config "c.yaml:1: terrain.blend_radius = 0.1: must be larger than terrain.flat_radius" 'terrain: {type: bumpy, blend_radius: 0.1}\n'
config "c.yaml:4: bodies.0.material = ice: must be one of default, ground, icy; did you mean 'icy'\?" \
  'materials: {icy: {friction: 0}}\nbodies:\n  - name: a\n    material: ice\n'
config "c.yaml:1: pairs.0.second = ice: must be one of default, ground" 'pairs: [{first: ground, second: ice}]\n'
config "c.yaml:3: initial.joints.FL_HAB = .*: solo12 has no such joint; did you mean 'FL_HAA'\?" 'robot: solo12\ninitial:\n  joints: {FL_HAB: 1}\n'
config "c.yaml:3: wrenches.0.body = bell: no such system; one of ball, or NAME/LINK" 'bodies: [{name: ball}]\nwrenches:\n  - {body: bell}\n'
config "c.yaml:3: wrenches.0.body = solo12/FL_FOT: .*no link 'FL_FOT'; did you mean 'FL_FOOT'\?" 'robot: solo12\nwrenches:\n  - {body: solo12/FL_FOT}\n'
config "c.yaml:3: wrenches.0.body \(not given\): every wrench needs the NAME of .*" 'bodies: [{name: ball}]\nwrenches:\n  - force: [1, 0, 0]\n'
config "c.yaml:3: bodies.1.name = a: the name is taken; choose another" 'bodies:\n  - {name: a}\n  - {name: a}\n'
config "c.yaml:2: robots.0.name = solo12: the name is taken; choose another" 'robot: solo12\nrobots: [{model: solo12}]\n'
config "c.yaml:2: bodies.0.name \(not given\): every body needs a name .*" 'bodies:\n  - {mass: 1}\n'
config "c.yaml:1: bodies.0.name = a b: every body needs a name without blanks.*" 'bodies: [{name: a b}]\n'
config "c.yaml:1: controller.type = stand: there is no robot; use passive" 'controller: {type: stand}\n'
config "c.yaml:1: controller.type = stnad: must be one of .*; did you mean 'stand'\?" 'controller: {type: stnad}\n'

# what only several keys together get wrong
config "c.yaml:1: sim.dt = 0.0007: must divide controller.period = 0.001 or be a multiple of it, such as 0.001" 'sim: {dt: 0.0007}\n'
config "c.yaml:1: controller.period = 0.0015: must be a multiple of sim.dt = 0.001, or sim.dt of it" 'controller: {period: 0.0015}\n'
config "c.yaml:1: run.duration = 1000000: must be at least one control tick of 0.001 s and at most 1e8 of them" 'run: {duration: 1e6}\n'
config "c.yaml:1: run.duration = 1e-05: must be at least one control tick of 0.001 s .*" 'run: {duration: 1e-5}\n'
config "c.yaml:1: .*; masses and sizes of bodies must be nearer to 1" 'bodies: [{name: a, size: [1e200, 1e200, 1e200]}]\n'

# height maps
map='terrain:\n  type: heightmap\n'
config "c.yaml:1: terrain.file \(not given\): a terrain of type heightmap needs the path of a height map file" "$map"
config "c.yaml:3: terrain.file = none.txt: no such file; give a path from the folder tread is called in, .*" "$map  file: none.txt\n"
config "c.yaml:3: terrain.file = empty: is a folder; give the path of a height map file" "$map  file: empty\n"
printf '3 2 0.1 0 0\n0 0 0\n' >map.txt
config "c.yaml:3: terrain.file = 'map.txt', line 3: the file ends after 1 of 2 rows" "$map  file: map.txt\n"
printf '3 2 0.1 0 0\n0 0 0\n0 nan 0\n' >map.txt
config "c.yaml:3: terrain.file = 'map.txt', line 3: 'nan' is not a finite number" "$map  file: map.txt\n"
printf 'hello\n' >map.txt
config "c.yaml:3: terrain.file = 'map.txt', line 1: .*" "$map  file: map.txt\n"

# --set and the options that stand for keys
refuses "--set sim.dt: expected KEY=VALUE, for instance --set sim.dt=0.001" run good.yaml --set sim.dt
refuses "--set =1: expected KEY=VALUE, .*" run good.yaml --set =1
refuses "--set sim..dt=1: empty part in the key; write it as a.b.c" run good.yaml --set sim..dt=1
refuses "--set sim.td=1: sim.td: unknown key; did you mean 'sim.dt'\? .*" run good.yaml --set sim.td=1
refuses "--set bodies.1.mass=1: bodies.1.mass: no element '1' in the list at good.yaml:2; it has 1, counted from 0" config good.yaml --set bodies.1.mass=1
refuses "--set gravity=\[0: YAML syntax error in the value: .*; check brackets and quotes" config good.yaml --set 'gravity=[0'
refuses "--set run=3: run = 3: expected a section of 'key: value' lines" run good.yaml --set run=3
refuses "--set robot=x y: robot = x y: must be one of .*" run good.yaml --set $'robot=x\ny'
refuses "run: --set: 1 required TEXT missing; see 'tread run --help'" run good.yaml --set
refuses "--seed -3: run.seed = -3: must be >= 0" run good.yaml --seed -3
refuses "--seed 1.5: run.seed = 1.5: expected an integer, such as 0 or 1000" run good.yaml --seed 1.5
refuses "--seed 99999999999999999999: run.seed = 99999999999999999999: must be between .*" run good.yaml --seed 99999999999999999999
refuses "--duration 0: run.duration = 0: must be > 0 and <= 1e\+?06 \(\[s\]\)" run good.yaml --duration 0
refuses "--duration -1: run.duration = -1: must be > 0 .*" run good.yaml --duration -1
refuses "--duration abc: run.duration = abc: expected a number \(\[s\]\)" run good.yaml --duration abc
refuses "--duration nan: run.duration = nan: must be finite \(\[s\]\)" run good.yaml --duration nan
refuses "--duration '': run.duration = '': expected a number \(\[s\]\)" run good.yaml --duration ''

# where files would go
refuses "--out empty: exists; choose another folder, or --force to replace the run in it" run good.yaml --out empty
refuses "--out run/a: exists; choose another folder, or --force .*" run good.yaml --out run/a
refuses "--out full: holds files but no run \(config.yaml, run.log\); choose another folder" run good.yaml --out full --force
refuses "--out inputs: holds files but no run .*" run inputs/config.yaml --out inputs --force
refuses "--out file: is a file; name a folder" run good.yaml --out file
refuses "--out file: is a file; name a folder" run good.yaml --out file --force
refuses "--out file/new: cannot be made: .*; choose a folder you may write to" run good.yaml --out file/new
refuses "--out /proc/none/new: cannot be made: .*; choose a folder you may write to" run good.yaml --out /proc/none/new
refuses "--out '': no name; name a folder, or leave --out away for runs/good" run good.yaml --out ''
long=$(printf 'x%.0s' {1..300})
refuses "--out new/$long: cannot be made: File name too long; .*" run good.yaml --out "new/$long"
refuses "--record-problems full: holds files; choose another folder" run good.yaml --out new --record-problems full
refuses "--record-problems file: is a file; name a folder" run good.yaml --out new --record-problems file
refuses "--record-problems file: is a file; name a folder" run good.yaml --out run/a --force --record-problems file # the old run stays
refuses "--record-problems '': no name; name a folder" run good.yaml --record-problems ''
refuses "--out full: exists; .*" run good.yaml --out full --record-problems new
if [[ $EUID -ne 0 ]]; then
  mkdir closed
  chmod a-w closed
  refuses "--out closed/new: cannot be made: Permission denied; choose a folder you may write to" run good.yaml --out closed/new
fi
mkdir cwd
echo precious >cwd/runs
cd cwd
refuses "--out runs/good: cannot be made: .*; choose a folder you may write to" run ../good.yaml
cd ..

# the command itself
refuses "no command; there are run, .*solve, .*; see 'tread --help'"
refuses "rnu: no such command; did you mean 'run'\?; see 'tread --help'" rnu good.yaml
refuses "simulate: no such command; there are run, .*; see 'tread --help'" simulate
refuses "good.yaml: no such command; .*" good.yaml
refuses "--verison: no such option; did you mean '--version'\?; see 'tread --help'" --verison
refuses "run: config is required; see 'tread run --help'" run
refuses "run: 'good.yaml' is one argument too many; see 'tread run --help'" run good.yaml good.yaml
refuses "run: --ot: no such option; did you mean '--out'\?; see 'tread run --help'" run good.yaml --ot new
refuses "run: --duraton: no such option; did you mean '--duration'\\?; .*" run --duraton=3 good.yaml
refuses "config: --out: no such option; .*" config good.yaml --out new
refuses "list robot: no such kind; did you mean 'robots'\?" list robot
refuses "list solvers: no such kind.*" list solvers
refuses "list: 'terrains' is one argument too many; .*" list robots terrains
refuses "doctor: 'x' is one argument too many; .*" doctor x

# sweeps
mkdir sweep
"$tread" sweep good.yaml --seeds 2 --out sweep/a >/dev/null
echo '{"runs": 3' >sweep/plan.json
axis="--axis friction=0.3,0.5"
refuses "sweep: no configuration; name a file, .*" sweep
refuses "sweep: nothing to sweep over; give --axis .* or --seeds N" sweep good.yaml
refuses "none.yaml: .*" sweep none.yaml $axis
refuses "--axis friction: expected KEY=V1,V2,.*" sweep good.yaml --axis friction
refuses "--axis friction=0.3,: a value is empty; .*" sweep good.yaml --axis friction=0.3,
refuses "--axis friction=1,2,1: the value 1 is there twice" sweep good.yaml --axis friction=1,2,1
refuses "--axis friction=1: a second axis of this key; .*" sweep good.yaml $axis --axis friction=1
refuses "--axis friction=0.3,0.5: the key is also given by --set friction=1; .*" sweep good.yaml $axis --set friction=1
refuses "--axis run.seed=1,2: seeds have an option of their own, --seeds" sweep good.yaml --axis run.seed=1,2
printf 'robot: solo12\ncontroller: {type: centroidal, timing: {mode: thread}}\nrun: {duration: 0.01}\n' >thread.yaml
refuses "controller.timing.mode = thread: not reproducible, .*" sweep thread.yaml --seeds 2 --out new
refuses "controller.timing.mode = thread: not reproducible, .*" tune thread.yaml --over friction=0.1:1
rm thread.yaml
refuses "--axis frction=2: frction: unknown key; did you mean 'friction'\? .*" sweep good.yaml --axis frction=2
refuses "--axis friction=-1: friction = -1: must be >= 0 .*" sweep good.yaml --axis friction=0.3,-1 --out new
refuses "--axis sim.backend=ncp_pgx: sim.backend = ncp_pgx: .*did you mean 'ncp_pgs'\?.*" sweep good.yaml --axis sim.backend=ncp_pgs,ncp_pgx
refuses "--axis sim.dt=0.0007: sim.dt = 0.0007: must divide controller.period = 0.001 .*" sweep good.yaml --axis sim.dt=0.001,0.0007
refuses "--set friction=x: friction = x: .*" sweep good.yaml --seeds 2 --set friction=x
for seeds in 0 -3 5-3 1- -1-4 x 1-x 1.5 99999999999999999999; do
  refuses "--seeds .*: expected N for seeds 1 to N, or A-B .*" sweep good.yaml --seeds="$seeds"
done
refuses "--seeds '': expected N for seeds 1 to N, .*" sweep good.yaml --seeds ''
refuses "--axis: more than ten million runs; .*" sweep good.yaml $axis --seeds 9999999
for jobs in 0 -1 x 1.5; do refuses "--jobs $jobs: expected a number from 1 to 10000" sweep good.yaml $axis --jobs=$jobs; done
for shard in 3/3 -1/3 1 1/0 1/x /3 0/3x; do
  refuses "--shard $shard: expected i/N with i from 0 to N-1, such as 0/4" sweep good.yaml $axis --out new --shard=$shard
done
refuses "--shard: name the folder that the shards share with --out" sweep good.yaml $axis --shard 0/2
refuses "--resume: name the folder of the sweep with --out" sweep good.yaml $axis --resume
refuses "--out '': no name; .*" sweep good.yaml $axis --out ''
refuses "--out new: holds no sweep to resume \(plan.json\); leave --resume away" sweep good.yaml $axis --out new --resume
refuses "--out full: exists, and holds no sweep; choose another folder" sweep good.yaml $axis --out full
refuses "--out full: holds files but no sweep \(plan.json\); .*" sweep good.yaml $axis --out full --shard 0/2
refuses "--out file: is a file; name a folder" sweep good.yaml $axis --out file
refuses "--out sweep/a: holds a sweep; --resume to go on with it, or choose another folder" sweep good.yaml --seeds 2 --out sweep/a
refuses "--out sweep/a: holds another sweep: --seeds are 1-2 there; .*" sweep good.yaml --seeds 3 --out sweep/a --resume
refuses "--out sweep/a: holds another sweep: friction is 0.5 here, and not given there; .*" sweep good.yaml --seeds 2 --set friction=0.5 --out sweep/a --resume
refuses "sweep/plan.json: not the plan of a sweep; .*" sweep good.yaml --seeds 2 --out sweep --resume
refuses "empty/plan.json: not the plan of a sweep; name the folder of one" sweep --gather empty
refuses "--gather sweep/a: stands alone; .*" sweep good.yaml --gather sweep/a
refuses "--launcher pbs: no such launcher \(there are: local, slurm\)" sweep good.yaml $axis --launcher pbs
refuses "--array-size 3: is for --launcher slurm" sweep good.yaml $axis --array-size 3
command -v sbatch >/dev/null ||
  refuses "--launcher slurm: sbatch is not installed; .* slurm-client .*" sweep good.yaml $axis --launcher slurm
refuses "sweep: --axes: no such option; did you mean '--axis'\?; .*" sweep good.yaml --axes friction=1
rm -r sweep

# contact problems
good=problems/tick0000000.dat
refuses "none.dat: cannot be opened .*; give the path of a contact problem file" solve none.dat
refuses "none.dat: cannot be opened .*" solve "$good" none.dat --solution new
refuses "empty: is a folder; give the path of a contact problem file" solve empty
refuses "no such.dat: cannot be opened .*" solve $'no\nsuch.dat'
refuses "good.yaml:1: dimension = 'robot:': expected a number" solve good.yaml
problem() {  # problem PATTERN TEXT
  printf '%b' "$2" >p.dat
  refuses "$1" solve p.dat
  rm p.dat
}
problem "p.dat:1: the file ends where dimension should stand; it is truncated" ''
problem "p.dat:1: dimension = 2: expected 3" '2 1 0 2 2\n'
problem "p.dat:1: number of contacts = 0: expected a whole number from 1 to 100000" '3 0 0 0 0\n'
problem "p.dat:[12]: the file is too short for 9 matrix entries; it is truncated" '3 1 0 3 3\n3 3 1 0\n'
problem "p.dat:6: the file ends where mu\[0\] should stand; it is truncated" '3 1 0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0'
problem "p.dat:4: matrix entry \(1, 1\) = nan: expected a finite number" '3 1 0 3 3\n3 3\n1 0 0\n0 nan 0\n0 0 1\n-1 0 0\n0.5\n'
problem "p.dat:6: q\[0\] = 'x': expected a number" '3 1 0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\nx 0 0\n0.5\n'
problem "p.dat:5: matrix entries \(0, 1\) = 0.1 and \(1, 0\) = 0: asymmetric by 0.1 of the largest entry; at most 0.01 is accepted" \
  '3 1 0 3 3\n3 3\n1 0.1 0\n0 1 0\n0 0 1\n-1 0 0\n0.5\n'
problem "p.dat:5: contact 0: the diagonal of the matrix must be positive" '3 1 0 3 3\n3 3\n1 0 0\n0 0 0\n0 0 1\n-1 0 0\n0.5\n'
problem "p.dat:7: mu\[0\] = -0.5.*: must be >= 0" '3 1 0 3 3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n-0.5\n'
refuses "--solver ncp_pgx: no such solver; did you mean 'ncp_pgs'\?" solve "$good" --solver ncp_pgx
refuses "--solver '': no such solver; .*" solve "$good" --solver ''
refuses "--eps 0: eps = 0: must be > 0 .*" solve "$good" --eps 0
refuses "--eps nan: eps = nan: must be finite .*" solve "$good" --eps nan
refuses "--eps 1e-6x: eps = 1e-6x: expected a number .*" solve "$good" --eps 1e-6x
refuses "--max-iterations 0: sim.contact.max_iterations = 0: must be >= 1" solve "$good" --max-iterations 0
refuses "--max-iterations 99999999999: sim.contact.max_iterations = 99999999999: must be between .*" solve "$good" --max-iterations 99999999999
refuses "--repeat 0: repeat = 0: must be >= 1 .*" solve "$good" --repeat 0
refuses "--set step=safe: step: unknown key; did you mean 'sim.contact.step'\? .*" solve "$good" --set step=safe
refuses "--set sim.contact.step=paprr: sim.contact.step = paprr: must be one of safe, paper; did you mean 'paper'\? .*" solve "$good" --set sim.contact.step=paprr
refuses "--set sim.contact.budget=1.5: sim.contact.budget = 1.5: expected an integer.*" solve "$good" --set sim.contact.budget=1.5
refuses "--set sim.contact.relaxation=2: sim.contact.relaxation = 2: must be > 0 and < 2" solve "$good" --set sim.contact.relaxation=2
refuses "--set sim.contact.step: expected KEY=VALUE, .*" solve "$good" --set sim.contact.step
refuses "--solution file: is a file; name a folder" solve "$good" --solution file
refuses "--solution '': no name; name a folder" solve "$good" --solution ''
mkdir twin
cp "$good" twin/
refuses "twin/tick0000000.dat: another file is called tick0000000.dat too, .*" solve "$good" twin/tick0000000.dat --solution new
refuses "solve: files is required; see 'tread solve --help'" solve

# compare
refuses "compare: --backends is required; see 'tread compare --help'" compare good.yaml
refuses "--backends ncp_pgx: no such backend; did you mean 'ncp_pgs'\?" compare good.yaml --backends raisim,ncp_pgx
refuses "--backends raisim: named twice; name it once" compare good.yaml --backends raisim,raisim
refuses "--backends raisim@x: expected BACKEND@EPS with an accuracy > 0, such as ncp_newton@1e-9" compare good.yaml --backends raisim@x
refuses "--backends raisim@: expected BACKEND@EPS .*" compare good.yaml --backends raisim@
refuses "--backends raisim@0: expected BACKEND@EPS .*" compare good.yaml --backends raisim@0
refuses "--reference ncp: no such backend; .*" compare good.yaml --backends raisim --reference ncp
refuses "--seeds 0: expected N for seeds 1 to N, or A-B .*" compare good.yaml --backends raisim --seeds 0
refuses "--seeds 5-4: expected N for seeds 1 to N, .*" compare good.yaml --backends raisim --seeds 5-4
refuses "--jobs 0: expected a whole number from 1 to 1024" compare good.yaml --backends raisim --jobs 0
refuses "--vary sim.dt: expected KEY=V1,V2,.*" compare good.yaml --backends raisim --vary sim.dt
refuses "--vary sim.dt=: a value is empty; .*" compare good.yaml --backends raisim --vary sim.dt=
refuses "--vary friction=1,1: the value 1 is there twice" compare good.yaml --backends raisim --vary friction=1,1
refuses "--vary friction=-1: friction = -1: must be >= 0 .*" compare good.yaml --backends raisim --vary friction=0.5,-1
refuses "--set frction=1: frction: unknown key; did you mean 'friction'\? .*" compare good.yaml --backends raisim --set frction=1
refuses "--out full: exists; choose another folder, or --force to replace the run in it" compare good.yaml --backends raisim --out full
refuses "--out '': no name; name a folder, or leave --out away for runs/compare-good" compare good.yaml --backends raisim --out ''
refuses "none.yaml: no such file; check the path" compare none.yaml --backends raisim

echo "$cases bad inputs, $failures not refused as they should be"
[[ $failures -eq 0 ]]
