#!/bin/sh
# Which small changes of the code no test sees (mutation testing).
#
#     bench/mutants/run.sh FOLDER [SOURCE_FOLDER=COUNT...]   # FOLDER is for a copy of the tree, its build and the journal
#     bench/mutants/run.sh FOLDER summary                    # the figures of the journal, and the changes that no test saw
#
# The changes are those of make.py; tests.tsv beside it says which tests can see a change of a file. For each change its object and
# these tests are built and run, the shortest first, until one fails. A change whose object is the same byte for byte is no change.
# A test that takes three times its time of processor without the change, and 2 s more, has seen it.
# FOLDER/journal.tsv has one line a change: a second run goes on where the first ended. Left out are tests that take longer than
# SFGP_MUTANTS_LONGEST seconds of processor (600). The unseen ones of such a run are tried again in a FOLDER without their lines in the journal.
set -eu
[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd); shift
tree=$folder/tree build=$folder/build journal=$folder/journal.tsv
longest=${SFGP_MUTANTS_LONGEST:-600}
SFGP_DATA=${SFGP_DATA:-$source/../shared/data}
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 CMOCKA_TEST_ABORT=1 # the first failure ends a test
[ -w /dev/shm ] && memory=/dev/shm || memory=/tmp
export SFGP_DATA OMP_NUM_THREADS OPENBLAS_NUM_THREADS CMOCKA_TEST_ABORT

summary() {
    awk -F'\t' '{ n[$7]++; split($2, part, "/"); folder = part[2]; if ($7 == "seen" || $7 == "unseen") { of[folder]++; seen[folder] += $7 == "seen" } }
        END { printf "%d changes: %d seen, %d unseen; left out: %d with the same object, %d that do not compile\n", NR, n["seen"], n["unseen"], n["same"], n["refused"]
              for (folder in of) printf "%s %d of %d\n", folder, seen[folder], of[folder] }' "$journal"
    grep -P '\tunseen\t' "$journal" || true
}
[ "${1:-}" != summary ] || { summary; exit 0; }

# The copy, built whole once; its tests, each with its time in seconds.
prepare() {
    mkdir -p "$tree"
    git -C "$source" archive HEAD | tar -x -C "$tree"
    git -C "$source" rev-parse --short HEAD >"$folder/commit"
    command -v ld.lld >/dev/null && fast_link=-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld || fast_link=
    cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSFGP_TESTS=ON $fast_link >"$folder/build.log"
    tests=$(cut -f2 "$here/tests.tsv" | tr ' ' '\n' | sort -u)
    ninja -C "$build" -j1 $tests >>"$folder/build.log"
    for test in $tests; do
        code=0
        time=$(time_test "$test") || code=$?
        case $code in
            0) echo "$test $time" ;;
            124 | 152) ;; # it takes longer
            *) echo "mutants: $test fails without a change" >&2; exit 1 ;;
        esac
    done | sort -n -k2 >"$folder/times.part"
    mv "$folder/times.part" "$folder/times"
}
# run_test TEST SECONDS: of the processor; ten times as long on the clock, for what waits for ever.
run_test() { (cd "$build/tests" && ulimit -t "$2" && timeout $(($2 * 10)) "./$1" >"$folder/test.log" 2>&1 </dev/null 9>&-); }
# Its time of processor in ms.
time_test() {
    run_test "$1" "$longest" || return $?
    times >"$folder/used"
    awk 'NR == 2 { split($1, user, /[ms]/); print int((user[1] * 60 + user[2]) * 1000) }' "$folder/used"
}
exec 9>"$folder/lock"
flock -n 9 || { echo "mutants: another run is in $folder" >&2; exit 1; }
SFGP_TEST_PLACE=$(mktemp -d "$memory/sfgp-mutants-XXXXXX") # of the folders of tests
export SFGP_TEST_PLACE
trap 'rm -rf "$SFGP_TEST_PLACE"' EXIT
[ -e "$folder/times" ] || prepare

# tests_of FILE: the tests of the rows that fit, the shortest first, each with its time.
tests_of() {
    awk -F'\t' -v file="$1" 'file ~ "^" $1 { print $2 }' "$here/tests.tsv" | tr ' ' '\n' | sort -u |
        awk 'NR == FNR { time[$1] = $2; next } $1 in time { print $1, time[$1] }' "$folder/times" - | sort -n -k2
}

# see FILE OBJECT: how the changed file is seen: result, test.
see() {
    cp "$build/$2" "$folder/object"
    ninja -C "$build" -j1 "$2" >"$folder/build.log" 2>&1 || { printf 'refused\t-'; return; }
    ! cmp -s "$folder/object" "$build/$2" || { printf 'same\t-'; return; }
    tests_of "$1" >"$folder/todo"
    while read -r test time; do
        ninja -C "$build" -j1 "$test" >"$folder/build.log" 2>&1 || { printf 'refused\t-'; return; }
        run_test "$test" $((2 + time * 3 / 1000)) || { printf 'seen\t%s' "$test"; return; }
    done <"$folder/todo"
    printf 'unseen\t-'
}

[ $# -gt 0 ] || set -- fit=34 gpr=36 correspond=34 io=64 em=32 search=20
/usr/bin/python3 "$here/make.py" "$tree" "$@" >"$folder/changes.tsv"
touch "$journal"
[ ! -e "$folder/changed" ] || cp "$folder/original" "$tree/$(cat "$folder/changed")" # a run was ended here
while IFS="$(printf '\t')" read -r number file line kind old new; do
    ! grep -q "^$number" "$journal" || continue
    object=CMakeFiles/sfgp_objects.dir/$file.o
    ninja -C "$build" -j1 "$object" >"$folder/build.log" 2>&1
    cp "$tree/$file" "$folder/original"
    echo "$file" >"$folder/changed"
    /usr/bin/python3 "$here/make.py" --apply "$tree/$file" "$number"
    start=$(date +%s)
    result=$(see "$file" "$object")
    cp "$folder/original" "$tree/$file" # with a new time, so that it is compiled again
    rm -rf "$folder/changed" "$SFGP_TEST_PLACE"/*
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$number" "$file" "$line" "$kind" "$old" "$new" "$result" $(($(date +%s) - start)) >>"$journal"
done <"$folder/changes.tsv"
summary
