#!/bin/sh
# The k-th allocation of a whole run of the program fails (inject/memory.c), once or for good. The run has to end with code
# 6 (a batch whose cases all failed: 7) and words that name memory, or as if nothing had happened; never by a signal, and never with a part of an output.
# Usage: inject.sh SOURCE_DIR BUILD_DIR [SHARE [NAME]]; one allocation of SHARE is tried, the default is 97 and no more than five of a command; of
# the commands with NAME in their name only; 77 = skipped.
# SHARE sites: once for each place of the program that an allocation comes through (inject/sites.h).
set -eu
source=$1 build=$2 share=${3:-97} most=${3:+1000000} only=${4:-} library=$2/tests/libsfgp_inject_memory.so
[ -e "$library" ] || { echo "skipped: no $library (sanitizers have their own allocator)"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # in memory: outputs are synced
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
program=$build/sfgp
. "$source/tests/inject/commands.sh"

runs=0 failed=0 codes=
complain() { failed=$((failed + 1)); echo "$name, allocation $k$mode: $*"; sed 's/^/    /' err | head -n 3; }

# check CODE: what is left of a run is whole, and the code is one that is allowed. Where lines are counted (SFGP_COUNT), signals only.
check() {
    [ -z "${SFGP_COUNT:-}" ] || { [ "$1" -lt 128 ] || complain "code $1"; return 0; }
    case $1 in
    0 | "$usual") ;;
    1) case $name in batch* | compare*) ;; *) complain "code 1" ;; esac ;; # a case, or a run, says so
    6) grep -qi memory err || complain "code $1 without a word of memory" ;;
    7) case $name in batch*) ;; *) complain "code 7" ;; esac ;; # every case of the batch had no memory, and says so
    *) complain "code $1" ;;
    esac
    for file in out/fit.ply out/x.ply out/sample.ply; do
        [ ! -e "$file" ] || cmp -s "$file" "whole/${file#out/}" || complain "$file is not whole"
    done
    case $1-$name in 0-info*) cmp -s words whole.words || complain "other words" ;; esac
    [ -z "$(find out -name '*.tmp')" ] || complain "left $(find out -name '*.tmp')"
}

# The allocations that are tried.
chosen() {
    if [ "$share" = sites ]; then
        [ -n "$mode" ] || sed 's/.* //' list | sort -un
    else
        step=$((total / share > ${most:-5} ? total / ${most:-5} : share))
        seq $(((step > 1) * step / 2)) "$step" $((total - 1))
    fi
}

# sweep NAME ARGUMENT...: counts the allocations of a run, then repeats it.
sweep() {
    case $1 in *"$only"*) ;; *) return 0 ;; esac
    name=$1 k=all mode=
    shift
    fresh_out && : >list
    [ "$share" != sites ] || export FAIL_SITES="$scratch/sites" FAIL_LIST="$scratch/list"
    FAIL_COUNT=count LD_PRELOAD=$library "$program" "$@" >words 2>err && usual=0 || usual=$?
    [ "$usual" -le 1 ] || { complain "code $usual"; return 0; }
    unset FAIL_SITES FAIL_LIST
    rm -rf whole && cp -r out whole && mv words whole.words
    total=$(cat count)
    for always in "" FAIL_ALWAYS=1; do
        mode=${always:+ and all after it}
        for k in $(chosen); do
            fresh_out
            code=0
            timeout -s KILL 60 env $always FAIL_AT=$k LD_PRELOAD="$library" "$program" "$@" >words 2>err || code=$?
            check $code
            runs=$((runs + 1))
        done
    done
    echo "$name: $total allocations"
}

# try_without NAME COMMAND...: a run without room for the buffers of OpenBLAS. It would ask for them for ever.
try_without() {
    name=$1 k= mode=
    shift
    rm -rf out && mkdir out
    timeout -s KILL 20 "$@" >/dev/null 2>err && code=0 || code=$?
    runs=$((runs + 1))
}

# The buffer is refused, but not the room for it that was asked for before; where a limit of address space stands, OpenBLAS has two threads,
# which ask by themselves.
without_buffers() {
    small="register ear/reference.ply ear/scan.ply -o out/fit.ply $fast"
    try_without "no buffer" env FAIL_BYTES=134217728 LD_PRELOAD="$library" "$program" $small
    [ "$code" = 6 ] && grep -q "OpenBLAS needs 1 x 128 MiB" err || complain "code $code"
    for room in 62000 150000 220000 260000 300000 400000 500000; do
        try_without "$room KB" sh -c "ulimit -v $room; OPENBLAS_NUM_THREADS=2 exec '$program' $small"
        case $code in 1 | 127) ;; 6) grep -q memory err || complain "code 6 without a word of memory" ;; *) complain "code $code" ;; esac
    done
    [ "$code" = 1 ] || complain "500 MB are not enough: code $code" # three iterations: not converged
}

# The program has begun again without the threads of OpenBLAS (it reads a pipe meanwhile).
without_threads() {
    name="threads of OpenBLAS" k= mode=
    mkfifo input
    (ulimit -v 500000; OPENBLAS_NUM_THREADS=2 exec "$program" info - <input >/dev/null 2>err) &
    exec 3>input
    for turn in $(seq 100); do
        tr '\0' '\n' <"/proc/$!/environ" | grep -qx OPENBLAS_NUM_THREADS=1 && break
        sleep 0.1
    done
    [ "$turn" -lt 100 ] || complain "they are still there"
    exec 3>&-
    wait $! || true
}

[ -n "$only" ] || { without_buffers; without_threads; }
sweep_all
sweep_more
sweep_others
[ "$share" != sites ] && [ -z "$only" ] || sweep_rest
echo "$runs runs, $failed failed"
[ "$failed" = 0 ]
