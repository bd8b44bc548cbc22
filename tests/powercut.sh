#!/bin/sh
# What is written survives a power cut: all that a run does to files is recorded (inject/record.c), and every beginning of the
# record is replayed (inject/replay.awk) as if the power had gone then. Usage: powercut.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 library=$2/tests/libsfgp_inject_record.so
[ -e "$library" ] || { echo "skipped: no $library"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
program=$build/sfgp failed=0
. "$source/tests/inject/commands.sh"

replay() { awk -f "$source/tests/inject/replay.awk" record record >said; }

# run ARGUMENT...: a run whose record is replayed.
run() {
    rm -f record
    RECORD=$PWD/record LD_PRELOAD=$library "$program" "$@" >/dev/null 2>err || [ $? = 1 ] || { cat err; exit 1; }
}

# sweep NAME ARGUMENT...: a run into an empty folder, and one over what the first has left.
sweep() {
    name=$1
    shift
    rm -rf out && mkdir out
    for again in "" " again"; do
        [ "$name" != batch ] || [ -z "$again" ] || { rm -r out/batch/a/case.json; set -- "$@" --resume; }
        run "$@"
        replay || { failed=1; echo "$name$again:"; head -n 5 said; }
        # A new file has no other name before its own: a process that is ended leaves none behind.
        [ -n "$again" ] || ! grep '^name .*\.sfgp-.*\.tmp' record || { failed=1; echo "$name: a new file had another name"; }
        echo "$name$again: $(tail -n 1 said)"
    done
}

sweep_all
export RECORD_NO_SYNC=1 # the replay has eyes
rm -rf out && mkdir out
run apply fit.h5 ear/reference.ply -o out/x.ply
! replay || { echo "a file that was not synced is not found"; failed=1; }
exit $failed
