#!/bin/sh
# Every class of fault, what is tried of it and what came of it: docs/results/faults.md.
#
#     bench/faults/run.sh BUILD_FOLDER FOLDER [CLASS...]   # FOLDER is for the files; prints the table as Markdown; exit 1 if a row is not as expected
#
# A row of rows.sh names the class, the exit codes and words that are expected, and the inputs: files of input.py, commands, or tests
# of a test program whose names match. A run that succeeds where it should not is silent, one that ends by a signal or after
# 60 s is a signal or a hang; any other that is not as expected, or leaves an output after an error, is wrong. Needs python3 with numpy.
set -eu
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
folder=$PWD
shift 2
wanted=" $* "
ln -sf "$build/sfgp" sfgp
PATH=$folder:$PATH
export PATH folder source build
total=0; all_silent=0; all_signals=0; all_hangs=0; all_wrong=0; rows=0

begin() {
    case $wanted in "  " | *" $1 "*) ;; *) return 1 ;; esac
    class=$1; what=$2
    tried=0; silent=0; signals=0; hangs=0; wrong=0
    : >failures
}

# The line of the table. Details of what is not as expected go to the standard error.
finish() {
    echo "| $class | $what | $tried | $1 | $((tried - silent - signals - hangs - wrong)) | $silent | $signals | $hangs |"
    sed "s/^/class $class: /" failures >&2
    rows=$((rows + 1)); total=$((total + tried)); all_silent=$((all_silent + silent))
    all_signals=$((all_signals + signals)); all_hangs=$((all_hangs + hangs)); all_wrong=$((all_wrong + wrong))
}

# judge CODES WORDS NAME: counts a run whose exit code is $code.
judge() {
    tried=$((tried + 1))
    if [ "$code" = 124 ] || [ "$code" = 137 ]; then hangs=$((hangs + 1))
    elif [ "$code" -gt 128 ] && ! echo "$code" | grep -Eqx "$1"; then signals=$((signals + 1))
    elif ! echo "$code" | grep -Eqx "$1"; then
        if [ "$code" = 0 ]; then silent=$((silent + 1)); else wrong=$((wrong + 1)); fi
    elif [ "$code" -gt 1 ] && [ -e out.ply ]; then wrong=$((wrong + 1)); code="$code, and an output"
    elif [ "$2" != . ] && ! cat stdout stderr | grep -aEq -e "$2"; then wrong=$((wrong + 1)); code="$code without the words"
    else return 0
    fi
    echo "exit $code: $3: $(head -c 200 stderr | head -1)" >>failures
}

execute() {
    rm -f out.ply
    code=0
    timeout -k 1 60 sh -c "$1" >stdout 2>stderr </dev/null || code=$?
}

# files CLASS WHAT CODES WORDS COMMAND FILE...: the command with each file as $f. Codes and words are extended expressions.
files() {
    begin "$1" "$2" || return 0
    codes=$3; words=$4; command=$5
    shift 5
    for f in "$@"; do
        export f
        execute "$command"
        judge "$codes" "$words" "$f"
    done
    finish "exit $(echo "$codes" | sed 's/|/ or /g')"
}

# commands CLASS WHAT CODES WORDS: the same for each line of the standard input.
commands() {
    begin "$1" "$2" || return 0
    while IFS= read -r line; do
        execute "$line"
        judge "$3" "$4" "$line"
    done
    finish "exit $(echo "$3" | sed 's/|/ or /g')"
}

# tests CLASS WHAT PROGRAM NAMES: the tests of the program whose names match.
tests() {
    begin "$1" "$2" || return 0
    log=$folder/$3.log
    if [ ! -e "$log" ] || [ "$log" -ot "$build/tests/$3" ]; then
        (cd "$build/tests" && OPENBLAS_NUM_THREADS=1 timeout 900 "./$3" >"$log" 2>&1) || echo "$3: exit $?" >>failures
    fi
    tried=$(grep -aEc "^\[ (      OK|  FAILED ) *\] ($4)" "$log" || true)
    good=$(grep -aEc "^\[       OK \] ($4)" "$log" || true)
    wrong=$((tried - good))
    [ "$tried" -gt 0 ] || { wrong=1 tried=1; echo "$3 has no test $4" >>failures; }
    finish "tests of \`$3\` pass"
}

# script CLASS WHAT SCRIPT: a script of tests/.
script() {
    begin "$1" "$2" || return 0
    code=0
    tried=1
    sh "$source/tests/$3.sh" "$source" "$build" >stdout 2>stderr || code=$?
    [ "$code" = 0 ] || { wrong=1; echo "$3.sh: exit $code: $(tail -1 stderr)" >>failures; }
    finish "\`tests/$3.sh\` passes: $(tail -1 stdout | sed "s/^$3: //" | cut -c1-90)"
}

# ---- files that the rows use ---------------------------------------------------------------------------------------------
[ -e ear/scan.ply ] || sfgp simulate ear -o ear --resolution 6 --quiet
[ -e model.h5 ] || sfgp model build ear/reference.ply -o model.h5 --quiet
[ -e whole.ply ] || sfgp model mean model.h5 -o whole.ply --quiet
[ -e fit.h5 ] || sfgp register ear/reference.ply ear/scan.ply -o fit.ply --save fit.h5 --quiet || true
[ -e made ] || { /usr/bin/python3 "$here/input.py" . && touch made; }
chmod 000 4/locked.ply

echo "| class | what is tried | inputs | expected | as expected | silent | signals | hangs |"
echo "|---|---|---|---|---|---|---|---|"
. "$here/rows.sh"
printf '\n%d rows, %d inputs: %d silent, %d signals, %d hangs, %d otherwise wrong.\n' $rows $total $all_silent $all_signals $all_hangs $all_wrong
[ $((all_silent + all_signals + all_hangs + all_wrong)) -eq 0 ]
