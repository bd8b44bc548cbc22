#!/bin/sh
# The k-th call of a system function fails in a whole run of the program (inject/system.c), once or for good. An interrupted or
# short call changes nothing. After another failure the run ends as usual where it does not matter, or with code 3, 6 or 7
# and words that name a file (or a process); never by a signal, never with a part of an output or a temporary file; and the
# next run is as if nothing had happened.
# Usage: system.sh SOURCE_DIR BUILD_DIR [SHARE [NAME]]; one call of SHARE is tried, the default is 23, of the commands with NAME in their name only;
# 77 = skipped.
# SHARE sites: once for each place of the program that a call comes through (inject/sites.h), each with every error.
set -eu
source=$1 build=$2 share=${3:-23} only=${4:-} library=$2/tests/libsfgp_inject_system.so
[ -e "$library" ] || { echo "skipped: no $library"; exit 77; }
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) # in memory: outputs are synced
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
program=$build/sfgp
. "$source/tests/inject/commands.sh"

# Each function with its errors; those after the stroke must change nothing. 0: half of what was asked for.
FUNCTIONS='open EIO EMFILE |
read EIO | EINTR 0
pread EIO | EINTR 0
write ENOSPC EIO | EINTR 0
close EIO | EINTR
fsync EIO | EINTR EINVAL
fdatasync EIO | EINTR EINVAL
rename EIO |
linkat ENOSPC |
mkdir EACCES |
fstat EIO |
ftruncate EIO |
fork EAGAIN |
pipe EMFILE |
socketpair EMFILE |
send EPIPE | EINTR 0
recv EIO | EINTR 0
mmap ENOMEM |
opendir EACCES |
lock ENOLCK EOPNOTSUPP | EINTR
fchmod EIO |
fchown | EPERM
poll | EINTR
waitpid | EINTR'

# Of errors that are handled alike one is enough where lines are counted.
[ -z "${SFGP_COUNT:-}" ] || FUNCTIONS=$(echo "$FUNCTIONS" | sed 's/EIO EMFILE/EIO/; s/ENOSPC EIO/ENOSPC/')

number_of() {
    case $1 in
    0) echo 0 ;; EPERM) echo 1 ;; EINTR) echo 4 ;; EIO) echo 5 ;; EAGAIN) echo 11 ;; ENOMEM) echo 12 ;; EACCES) echo 13 ;;
    EINVAL) echo 22 ;; EMFILE) echo 24 ;; ENOSPC) echo 28 ;; EPIPE) echo 32 ;; ENOLCK) echo 37 ;; EOPNOTSUPP) echo 95 ;;
    *) echo "system: no number for $1" >&2; exit 1 ;;
    esac
}

runs=0 failed=0 turn=0 name=locks function= k= error= mode= harmless=
complain() { failed=$((failed + 1)); echo "$name, $function $k $error$mode: $*"; sed 's/^/    /' err | head -n 3; }

# same_files all|"" [WORDS]: the files that a repeated run gives again, byte for byte; all, or those that are there.
same_files() {
    for file in $(cd whole && find . -name '*.ply' -o -name 'fit.csv' -o -name 'rows.csv' | grep -v work); do
        [ "$1" = all ] || [ -e "out/$file" ] || continue
        [ -n "$harmless" ] || [ -n "${2:-}" ] || ! grep -qs ,lost, "out/$file" || continue # a run whose words did not come, for now
        cut -d, -f1-14 "whole/$file" >wanted # rows of a study have times after that
        cut -d, -f1-14 "out/$file" 2>/dev/null | cmp -s wanted || { complain "$file is not whole${2:-}"; return 0; }
    done
}

check() {
    [ -z "${SFGP_COUNT:-}" ] || { [ "$1" -lt 128 ] || complain "code $1"; return 0; } # where lines are counted, signals only
    [ -z "$harmless" ] || [ "$1" = "$usual" ] || complain "code $1 after what changes nothing"
    case $1 in
    "$usual") ;;
    1) case $name in batch* | compare*) ;; *) complain "code 1" ;; esac ;; # a case, or a run, says so
    3 | 6 | 7) grep -qE '[a-z]\.(ply|h5|csv|txt|json|tsv|html|jsonl)|done|out|shapes|scans|process|pipe|memory' err || complain "code $1 without a name" ;;
    *) complain "code $1" ;;
    esac
    same_files "${harmless:+all}"
    [ -z "$(find out -name '*.tmp')" ] || complain "left $(find out -name '*.tmp')"
}

# Once more, where it left off; not where lines are counted.
check_next() {
    [ -z "${SFGP_COUNT:-}" ] || return 0
    code=0
    case $name in batch*) set -- "$@" --resume --retry-failed ;; esac
    timeout -s KILL 60 "$program" "$@" >/dev/null 2>err || code=$?
    [ "$code" = "$usual" ] || complain "the next run ends with code $code"
    same_files all " after the next run"
}

# try ARGUMENT...: one run with one failure, and the next.
try() {
    fresh_out
    code=0
    timeout -s KILL 60 env $mode FAIL_CALL="$function" FAIL_AT="$k" FAIL_ERROR="$(number_of "$error")" LD_PRELOAD="$library" \
        "$program" "$@" >/dev/null 2>err || code=$?
    check "$code"
    check_next "$@"
    runs=$((runs + 1))
}

# The calls that are tried.
chosen() {
    if [ "$share" = sites ]; then
        [ -n "$mode" ] || sed -n "s/^$function //p" list | sort -un
    else
        seq 0 $((count - 1))
    fi
}

# sweep_function COUNT ERRORS ARGUMENT...
sweep_function() {
    count=$1 errors=$2 harmless=
    shift 2
    for error in $errors; do
        [ "$error" != "|" ] || { harmless=1; continue; }
        for mode in "" FAIL_ALWAYS=1; do
            [ -z "$mode" ] || [ "$error" != EINTR ] || continue # for good, it would never end
            for k in $(chosen); do
                turn=$((turn + 1))
                [ "$share" != sites ] && [ $((turn % share)) != 0 ] || try "$@"
            done
        done
    done
}

# sweep NAME ARGUMENT...: counts the calls of a run, then repeats it.
sweep() {
    case $1 in *"$only"*) ;; *) return 0 ;; esac
    name=$1 function=none k=all error= mode= harmless=
    shift
    fresh_out && : >list
    [ "$share" != sites ] || export FAIL_SITES="$scratch/sites" FAIL_LIST="$scratch/list"
    FAIL_COUNT=counts LD_PRELOAD=$library "$program" "$@" >/dev/null 2>err && usual=0 || usual=$?
    [ "$usual" -le 1 ] || { complain "code $usual"; return 0; }
    unset FAIL_SITES FAIL_LIST
    rm -rf whole && cp -r out whole
    before=$runs
    echo "$FUNCTIONS" >functions
    while read -r function errors <&3; do
        sweep_function "$(sed -n "s/^$function //p" counts)" "$errors" "$@"
    done 3<functions
    echo "$name: $(awk '{ n += $2 } END { print n }' counts) calls, $((runs - before)) runs"
}

# The file system has no locks: batches and studies say so, and work.
without_locks() {
    rm -rf out && mkdir out
    FAIL_CALL=lock FAIL_AT=0 FAIL_ALWAYS=1 FAIL_ERROR=$1 LD_PRELOAD=$library "$program" "$2" "$3" -o out/x $4 >/dev/null 2>err ||
        [ $? = 1 ] || complain "$2 without locks: code $?"
    grep -q "out/x: no locks ($5): run one sfgp $2 at a time in this folder" err || complain "$2 does not say that there are no locks"
}
sweep_locks() {
    without_locks 37 batch cases.tsv "--model ear/reference.ply $fast" "No locks available"
    without_locks 95 batch cases.tsv "--model ear/reference.ply $fast" "Operation not supported"
    without_locks 37 compare study.json "" "No locks available"
}

# A folder that cannot be looked into may have results: nothing is written.
a_closed_folder() {
    name="closed folder" function=opendir error=EACCES code=0
    FAIL_CALL=opendir FAIL_AT=0 FAIL_ERROR=13 LD_PRELOAD=$library \
        "$program" batch cases.tsv -o done --model ear/reference.ply --quiet $fast >/dev/null 2>err || code=$?
    [ "$code" = 3 ] && grep -q "done: cannot read the folder: Permission denied" err || complain "code $code"
}

# is_lost_for_now STUDY FUNCTION ERROR WORDS: with one of its last calls failing a row says lost and these words, and the next compare runs it again.
is_lost_for_now() {
    study=$1 function=$2 error=$3 words=$4 name="lost for now" harmless= mode=
    rm -rf out && mkdir out
    FAIL_COUNT=counts LD_PRELOAD=$library "$program" compare "$study" -o out/study >/dev/null 2>err || [ $? = 1 ] || complain "code $?"
    rm -rf whole && cp -r out whole
    k=$(sed -n "s/^$function //p" counts)
    while [ "$k" -gt 0 ]; do
        k=$((k - 1))
        rm -rf out && mkdir out
        FAIL_CALL=$function FAIL_AT=$k FAIL_ERROR=$(number_of "$error") LD_PRELOAD=$library "$program" compare "$study" -o out/study >/dev/null 2>err || true
        ! grep -qs ",lost,.*$words" out/study/rows.csv || break
    done
    grep -qs ",lost,.*$words" out/study/rows.csv || complain "no row says lost: $words"
    "$program" compare "$study" -o out/study >/dev/null 2>err || [ $? = 1 ] || complain "code $?"
    same_files all " after the next run"
}

# The result of a run of the tuning cannot be read: it is run again at once, and the same setting is chosen.
a_lost_tuning() {
    study=sources.json name="lost tuning" function=read error=EIO harmless=1
    for k in 1 2; do
        rm -rf out && mkdir out
        FAIL_CALL=read FAIL_AT=$k LD_PRELOAD=$library "$program" compare $study -o out/study >/dev/null 2>err || complain "code $?"
        same_files all
    done
}

lost_results() {
    is_lost_for_now study.json read EIO "" # of sfgp's own methods
    is_lost_for_now sources.json fork EAGAIN "could not be started" # an external program
    is_lost_for_now sources.json pread EIO "no points" # its output
    a_lost_tuning
}

# What a case has written and cannot read back, and what collect cannot read, is named: the last files that are opened, one after another.
a_file_not_read_back() {
    name="not read back" function=open error=EIO mode= harmless=
    set -- batch one.tsv -o out/batch --model ear/reference.ply --apply marks.csv --collect --jobs 1 --quiet $fast
    printf 'id\ttarget\na\tear/scan.ply\n' >one.tsv
    fresh_out
    FAIL_COUNT=counts LD_PRELOAD=$library "$program" "$@" >/dev/null 2>err || true
    k=$(sed -n "s/^open //p" counts)
    for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        k=$((k - 1)) code=0
        fresh_out
        FAIL_CALL=open FAIL_AT=$k FAIL_ERROR=5 LD_PRELOAD=$library "$program" "$@" >/dev/null 2>err || code=$?
        [ "$code" = 1 ] || grep -qE '/(fit.ply|landmarks.(csv|tps)|case.json|manifest.tsv|cases.csv|overview.html)' err || complain "code $code without the name of the file"
    done
}

# A process of a batch that cannot be given its next case, or cannot be told to end: nobody waits for it.
a_job_not_given() {
    name="job not given" function=send error=EPIPE mode=
    for k in 0 1; do
        rm -rf out && mkdir out
        code=0
        timeout -s KILL 60 env FAIL_CALL=send FAIL_AT=$k FAIL_ERROR=32 LD_PRELOAD="$library" "$program" batch cases.tsv -o out/batch \
            --model ear/reference.ply --jobs 1 --quiet $fast >/dev/null 2>err || code=$?
        [ "$code" = 1 ] || complain "code $code" # three iterations: not converged
    done
}

[ -n "$only" ] || { sweep_locks; a_closed_folder; a_file_not_read_back; lost_results; a_job_not_given; }
sweep_all
[ "$share" != sites ] && [ -z "$only" ] || { sweep_more; sweep_rest; }
echo "$runs runs, $failed failed"
[ "$failed" = 0 ]
