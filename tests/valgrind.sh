#!/bin/sh
# Commands of the program, and the readers of files over their seeds and findings, under valgrind: nothing reads what was never
# written, nothing is lost. The sanitizers do not see the first, nor what the libraries of others do.
# Usage: valgrind.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 program=$2/sfgp
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
. "$source/tests/inject/commands.sh"

runs=0 failed=0
# watch NAME COMMAND...: children, too. A block whose only pointer is into it is possibly lost to valgrind: that is where an
# aligned block of ours keeps its data, and children that leave by _exit have many.
watch() {
    name=$1 code=0
    shift
    valgrind -q --trace-children=yes --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        --num-callers=20 --error-exitcode=99 --log-file="$name-%p.log" "$@" >/dev/null 2>err || code=$?
    runs=$((runs + 1))
    [ "$code" -le 1 ] && [ -z "$(cat "$name"-*.log)" ] && return 0
    echo "$name: code $code"
    tail -n 3 err
    cat "$name"-*.log
    failed=$((failed + 1))
}

sweep() {
    name=$1
    shift
    rm -rf out && mkdir out
    watch "$name" "$program" "$@"
}

sweep_all
sweep_more
sh "$source/tests/fuzz/seeds.sh" "$source" "$program" seeds
watch readers env SFGP_FUZZ_FORKS=1 "$build/tests/fuzz_regression" all seeds 1 0
echo "$runs runs, $failed failed"
[ "$failed" = 0 ]
