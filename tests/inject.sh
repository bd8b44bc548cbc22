#!/bin/sh
# The k-th allocation of a whole run of the program fails (inject/memory.c), once or for good. The run has to end with code
# 6 and words that name memory, or as if nothing had happened; never by a signal, and never with a part of an output.
# Usage: inject.sh SOURCE_DIR BUILD_DIR [SHARE]; one allocation of SHARE is tried, the default is 97; 77 = skipped.
set -eu
build=$2 share=${3:-97} library=$2/tests/libsfgp_inject_memory.so
[ -e "$library" ] || { echo "skipped: no $library (sanitizers have their own allocator)"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # in memory: outputs are synced
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
program=$build/sfgp
fast="--method sfgp-scalar --max-iterations 3 --rank 5"
"$program" simulate ear -o ear --resolution 4 >/dev/null 2>&1
"$program" register ear/reference.ply ear/scan.ply -o fit.ply --save fit.h5 --quiet $fast 2>/dev/null || [ $? = 1 ]
"$program" model build ear/reference.ply -o model.h5 --rank 5 2>/dev/null
printf 'id\ttarget\na\tear/scan.ply\nb\tear/truth.ply\n' >cases.tsv
"$program" batch cases.tsv -o done --model ear/reference.ply $fast --quiet 2>/dev/null || [ $? = 1 ]
printf '{"title": "t", "sets": [{"name": "a", "axis": "x", "levels": [1], "samples": 2, "simulate": "fish"}], "methods": [{"name": "m", "method": "sfgp-scalar", "settings": {"max_iterations": 3, "rank": 5}}]}' >study.json

runs=0 failed=0 codes=
complain() { failed=$((failed + 1)); echo "$name, allocation $k$mode: $*"; sed 's/^/    /' err | head -n 3; }

# check CODE: what is left of a run is whole, and the code is one that is allowed.
check() {
    case $1 in
    0 | "$usual") ;;
    1) [ "$name" = batch ] || [ "$name" = compare ] || complain "code 1" ;; # a case, or a run, says so
    6) grep -qi memory err || complain "code 6 without a word of memory" ;;
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

sweep register register ear/reference.ply ear/scan.ply -o out/fit.ply --table out/fit.csv --report out/fit.json --html out/fit.html --save out/fit.h5 $fast
sweep model model build ear/reference.ply -o out/model.h5 --rank 5
sweep sample model sample model.h5 -o out/sample.ply
sweep apply apply fit.h5 ear/reference.ply -o out/x.ply
sweep batch batch cases.tsv -o out/batch --model ear/reference.ply --quiet $fast
sweep collect collect done
sweep compare compare study.json -o out/study
echo "$runs runs, $failed failed"
[ "$failed" = 0 ]
