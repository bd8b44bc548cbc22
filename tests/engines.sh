#!/bin/sh
# The three engines of docs/batch.md for real, from Debian's packages: GNU parallel, Open MPI, and a Slurm of one node
# that this test starts and ends. Each has to give what one process gives, byte for byte, also when one of its
# processes is killed. Usage: engines.sh SOURCE_DIR BUILD_DIR [parallel|mpi|slurm]...
# What is not installed is skipped, Slurm also unless root; 77 when that is all. What is there has to work.
set -eu
build=$2
shift 2
engines=${*:-"parallel mpi slurm"}
sfgp="$build/sfgp"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK || true
work=$(mktemp -d /tmp/sfgp-engines-XXXXXX)
chmod 755 "$work"
cd "$work"
daemons="" # that this test started
ran=0

finish() {
    code=$?
    for process in $daemons; do kill "$process" 2>/dev/null || true; done
    for process in $daemons; do wait "$process" 2>/dev/null || true; done
    [ "$code" = 0 ] || [ "$code" = 77 ] || tail -n 20 "$work"/*.log >&2 || true
    cd / && rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
fail() { echo "engines: $*" >&2; exit 1; }

# Runs a command whose exit code has to be the first argument.
expect() {
    wanted=$1 code=0
    shift
    "$@" >>run.log 2>&1 || code=$?
    [ "$code" = "$wanted" ] || fail "exit code $code, not $wanted: $*"
}

# Twelve cases by a method that does not search: uneven times, one that is flagged and one that cannot be read.
prepare() {
    printf 'id\ttarget\ttolerance\tmax_iterations\tmethod\n' >cases.tsv
    for k in 0 1 2 3 4 5 6 7 8 9; do
        "$sfgp" simulate ear -o "ear$k" --resolution 20 --seed "$((k + 1))" 2>/dev/null
        printf 'ear-%d\tear%d/scan.ply\t%s\t\tsfgp-full\n' "$k" "$k" "$([ "$k" -gt 2 ] || echo 1e-5)" >>cases.tsv
    done
    printf 'flagged\tear0/scan.ply\t\t2\tsfgp-full\nunreadable\tnowhere.ply\t\t\tsfgp-full\n' >>cases.tsv
    reference=ear0/reference.ply
    expect 1 "$sfgp" batch cases.tsv -o alone --model "$reference" -j 1
}

# same FOLDER: holds what one process gave; everything but time and memory.
same() {
    for folder in alone "$1"; do
        expect 1 "$sfgp" collect "$folder"
        cut -d, -f1-14 "$folder/cases.csv" >"$folder.columns"
    done
    diff alone.columns "$1.columns" >&2 || fail "$1: other results than of one process"
    for fit in alone/*/fit.ply; do
        cmp "$fit" "$1/${fit#alone/}" >&2 || fail "$1: another fit"
    done
}

# once EVENTS: no case ended twice, whoever was killed. (That none is lost is what same sees.)
once() {
    twice=$(grep '"event":"case"' "$1" | sed 's/.*"id":"\([^"]*\)".*/\1/' | sort | uniq -d)
    [ -z "$twice" ] || fail "$1: done twice: $twice"
}

# strike EVENTS COUNT: kills the process that began case number COUNT, or a later one if that process has ended already.
strike() {
    waited=0 victim= dead=
    until [ -n "$victim" ] && [ "$victim" != "$dead" ] && kill -9 "$victim" 2>/dev/null; do
        waited=$((waited + 1)) dead=$victim
        [ "$waited" -lt 1500 ] || fail "$1: no process has a case $2 or a later one"
        sleep 0.02
        victim=$(grep '"event":"start"' "$1" 2>/dev/null | sed -n "$2,\$s/.*\"process\":\([0-9]*\).*/\1/p" | tail -n 1)
    done
}

try_parallel() {
    command -v parallel >/dev/null || { echo "engines: skipped: no GNU parallel"; return 0; }
    # Exit code: the number of jobs that ended with another code than 0.
    seq 0 11 | expect 2 parallel -j 2 "$sfgp" batch cases.tsv -o parallel --model "$reference" -j 1 --index {}
    same parallel
    echo "seq 0 5 | parallel --retries 3 -j 2 '$sfgp' batch cases.tsv -o retried --model $reference -j 1 \
        --chunk 2 --resume --events retried.jsonl --index {}" >retried.sh
    sh retried.sh >>run.log 2>&1 &
    process=$!
    strike retried.jsonl 3
    wait "$process" || true
    same retried
    once retried.jsonl
    ran=$((ran + 1))
}

try_mpi() {
    mpi="$build/sfgp-mpi"
    command -v mpirun >/dev/null && [ -x "$mpi" ] || { echo "engines: skipped: no MPI"; return 0; }
    run="mpirun --oversubscribe -n 3"
    expect 1 $run "$mpi" batch cases.tsv -o mpi --model "$reference" --events mpi.jsonl
    same mpi
    once mpi.jsonl
    ranks=$(grep '"event":"start"' mpi.jsonl | sed 's/.*"process":\([0-9]*\).*/\1/' | sort -u | wc -l)
    [ "$ranks" = 2 ] || fail "$ranks ranks had cases, not 2"
    # A rank dies: its cases are done by another in the same job.
    $run --enable-recovery "$mpi" batch cases.tsv -o recovered --model "$reference" --events recovered.jsonl \
        >>run.log 2>&1 &
    process=$!
    strike recovered.jsonl 3
    wait "$process" || true # the exit code is mpirun's own then, not that of rank 0
    grep -q "is silent" run.log || fail "no rank died"
    same recovered
    once recovered.jsonl
    # Without --enable-recovery the job ends, and --resume goes on.
    $run "$mpi" batch cases.tsv -o resumed --model "$reference" --events resumed.jsonl >>run.log 2>&1 &
    process=$!
    strike resumed.jsonl 3
    wait "$process" || true
    expect 1 $run "$mpi" batch cases.tsv -o resumed --model "$reference" --resume --events resumed.jsonl
    same resumed
    ran=$((ran + 1))
}

# One node, no cgroups, all of it in this folder.
start_slurm() {
    host=$(hostname -s)
    mkdir state spool
    dd if=/dev/urandom of=munge.key bs=64 count=1 2>/dev/null
    chmod 600 munge.key
    munged --foreground --force --socket="$work/munge.socket" --key-file="$work/munge.key" \
        --pid-file="$work/munge.pid" --log-file="$work/munge.log" --seed-file="$work/munge.seed" >munged.log 2>&1 &
    daemons="$daemons $!"
    cat >slurm.conf <<CONF
ClusterName=sfgp
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
SlurmctldPort=$((20000 + $$ % 10000))
SlurmdPort=$((30000 + $$ % 10000))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF="$work/slurm.conf"
    slurmctld -D -c >slurmctld-out.log 2>&1 &
    daemons="$daemons $!"
    slurmd -D -c >slurmd-out.log 2>&1 &
    daemons="$daemons $!"
    waited=0
    until sinfo -h -o %T 2>/dev/null | grep -q -E '^(idle|mixed)'; do
        waited=$((waited + 1))
        [ "$waited" -lt 150 ] || fail "Slurm does not start"
        sleep 0.2
    done
}

try_slurm() {
    for program in munged slurmctld slurmd sbatch; do
        command -v "$program" >/dev/null || { echo "engines: skipped: no $program"; return 0; }
    done
    [ "$(id -u)" = 0 ] || { echo "engines: skipped: Slurm is started by root only"; return 0; }
    grep -q ' /sys/fs/cgroup' /proc/mounts || { echo "engines: skipped: slurmd needs /sys/fs/cgroup"; return 0; }
    start_slurm
    printf '#!/bin/sh\n%s batch cases.tsv -o slurm --model %s --chunk 3 -j 1\n' "$sfgp" "$reference" >job.sh
    expect 1 sbatch --wait --array=0-3 -o "$work/slurm-%a.log" job.sh
    same slurm
    # A task is killed; the same array again with --resume does what is missing, and only that.
    printf '#!/bin/sh\n%s batch cases.tsv -o killed --model %s --chunk 3 -j 1 --resume --events killed.jsonl\n' \
        "$sfgp" "$reference" >job.sh
    sbatch --wait --array=0-3 -o "$work/killed-%a.log" job.sh >>run.log 2>&1 &
    process=$!
    strike killed.jsonl 3
    wait "$process" || true
    expect 1 sbatch --wait --array=0-3 -o "$work/again-%a.log" job.sh
    same killed
    once killed.jsonl
    ran=$((ran + 1))
}

prepare
for engine in $engines; do
    "try_$engine"
done
[ "$ran" -gt 0 ] || exit 77
echo "engines: $ran tried"
