#!/bin/sh
# The k-th allocation of a whole run of the program fails (inject/memory.c), once or for good. The run has to end with code
# 6 (a batch whose cases all failed: 7) and words that name memory, or as if nothing had happened; never by a signal, and never with a part of an output.
# Usage: inject.sh SOURCE_DIR BUILD_DIR [SHARE]; one allocation of SHARE is tried, the default is 97; 77 = skipped.
set -eu
source=$1 build=$2 share=${3:-97} library=$2/tests/libsfgp_inject_memory.so
[ -e "$library" ] || { echo "skipped: no $library (sanitizers have their own allocator)"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # in memory: outputs are synced
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
program=$build/sfgp
. "$source/tests/inject/commands.sh"

runs=0 failed=0 codes=
complain() { failed=$((failed + 1)); echo "$name, allocation $k$mode: $*"; sed 's/^/    /' err | head -n 3; }

# check CODE: what is left of a run is whole, and the code is one that is allowed.
check() {
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
    [ -z "$(find out -name '*.tmp')" ] || complain "left $(find out -name '*.tmp')"
}

# sweep NAME ARGUMENT...: counts the allocations of a run, then repeats it.
sweep() {
    name=$1 k=all mode=
    shift
    rm -rf out && mkdir out
    FAIL_COUNT=count LD_PRELOAD=$library "$program" "$@" >/dev/null 2>err && usual=0 || usual=$?
    [ "$usual" -le 1 ] || { complain "code $usual"; return 0; }
    rm -rf whole && cp -r out whole
    total=$(cat count)
    for always in "" FAIL_ALWAYS=1; do
        mode=${always:+ and all after it}
        k=$((share / 2))
        [ "$share" -gt 1 ] || k=0
        while [ "$k" -lt "$total" ]; do
            rm -rf out && mkdir out
            code=0
            timeout -s KILL 60 env $always FAIL_AT=$k LD_PRELOAD="$library" "$program" "$@" >/dev/null 2>err || code=$?
            check $code
            runs=$((runs + 1)) k=$((k + share))
        done
    done
    echo "$name: $total allocations"
}

sweep_all
sweep_more
echo "$runs runs, $failed failed"
[ "$failed" = 0 ]
