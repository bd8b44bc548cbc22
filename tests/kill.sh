#!/bin/sh
# sfgp batch is killed (SIGKILL) at random moments and started again with --resume each time, first one runner alone,
# then two in one folder, of which one is killed each time. In the end every case has the result that a batch has which
# nobody killed; none was lost, and none that was finished was done again. Then the same two on a disk that is too small.
# SFGP_SEED chooses the moments, SFGP_KILLS how many; two runners get half of them, with and without the full disk.
# Usage: kill.sh SOURCE_DIR BUILD_DIR
set -eu
# Where a process may have mounts of its own, it can have a small disk.
if [ -z "${SFGP_OWN_MOUNTS:-}" ] && unshare -rm true 2>/dev/null; then
    SFGP_OWN_MOUNTS=1 exec unshare -rm sh "$0" "$@"
fi
sfgp="$2/sfgp"
seed=${SFGP_SEED:-1}
kills=${SFGP_KILLS:-14}
unset SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK || true
work=$(mktemp -d)
trap 'cd / && { umount "$work/disk" 2>/dev/null || true; } && rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
fail() { echo "kill: $*" >&2; exit 1; }

# Forty cases of some ten milliseconds, by a method that does not search, so that kills fall into reading, fitting and writing.
"$sfgp" simulate ear -o ear --resolution 12 2>/dev/null
printf 'id\ttarget\tseed\ttolerance\tmethod\n' >cases.tsv
for k in $(seq 40); do
    printf 'case-%d\tear/scan.ply\t%d\t1e-%d\tsfgp-scalar\n' "$k" "$k" "$((3 + k % 6))" >>cases.tsv
done
batch() { "$sfgp" batch cases.tsv --model ear/reference.ply -j 2 --quiet "$@"; }
batch_here() { exec "$sfgp" batch cases.tsv --model ear/reference.ply -j 2 --quiet "$@"; } # in the background: its process

start=$(date +%s%N)
batch -o whole || [ $? = 1 ]
length=$((($(date +%s%N) - start) / 1000000)) # ms

# Moments up to a tenth of the whole, so that many fall before the end; MINSTD of Park and Miller.
choose_moment() {
    seed=$((seed * 48271 % 2147483647))
    moment=$((10 + seed % (length / 10 + 20)))
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
}

# Ends a process and says whether it was alive: 137.
kill_runner() {
    kill -9 "$1" 2>/dev/null || true
    code=0
    wait "$1" 2>/dev/null || code=$?
}

# All cases of folder $1 are those of the batch that nobody killed, and no case has two events in its file $2.
check() {
    for case in whole/case-*; do
        cmp "$case/fit.ply" "$1/${case#whole/}/fit.ply" >&2 || fail "$1: $case: another fit, or none"
    done
    "$sfgp" collect "$1" 2>/dev/null || [ $? = 1 ]
    "$sfgp" collect whole 2>/dev/null || [ $? = 1 ]
    for folder in whole "$1"; do cut -d, -f1-14 "$folder/cases.csv" >"$folder.columns"; done
    diff whole.columns "$1.columns" >&2 || fail "$1: other results"
    twice=$(grep '"event":"case"' "$2" | grep -v '"status":"absent"' | sed 's/.*"id":"\([^"]*\)".*/\1/' | sort | uniq -d)
    [ -z "$twice" ] || fail "$1: done twice: $twice"
    left=$(find "$1" -name '.sfgp-*.tmp' | head -3)
    [ -z "$left" ] || fail "$1: temporary files are left: $left"
}

# ---- one runner ----------------------------------------------------------------------------------------------------
# A batch that came to its end all the same begins again in an empty folder.
killed=0
tries=0
while [ "$killed" -lt "$kills" ]; do
    tries=$((tries + 1))
    [ "$tries" -le $((10 * kills)) ] || fail "only $killed of $tries batches were alive to be killed"
    batch_here -o killed --resume --events events.jsonl &
    process=$!
    choose_moment
    kill_runner "$process"
    if [ "$code" = 137 ]; then
        killed=$((killed + 1))
    else
        rm -rf killed events.jsonl
    fi
done
done_before=$(grep -c '"event":"case"' events.jsonl 2>/dev/null || true)
batch -o killed --resume --events events.jsonl || [ $? = 1 ]
check killed events.jsonl
echo "kill: $killed kills, $done_before of 40 cases done before the last run, none lost, none twice"

# ---- two runners ---------------------------------------------------------------------------------------------------
# What is done is right, also where the rest is not.
check_part() {
    rm -rf copy && cp -r "$1" copy
    "$sfgp" collect copy 2>/dev/null || [ $? = 1 ]
    for case in $(grep -E ',(ok|flagged),' copy/cases.csv | cut -d, -f1); do
        cmp "whole/$case/fit.ply" "copy/$case/fit.ply" >&2 || fail "$1: $case: another fit"
    done
}

# start_runner FOLDER: its process is $!.
start_runner() { batch_here -o "$1" --resume --events shared.jsonl 2>>said & }

# two_runners FOLDER KILLS CODE: one of two is killed, the other goes on; it is killed in the next round unless it came to its
# end, with CODE.
two_runners() {
    killed=0 tries=0 rounds=0
    start_runner "$1"
    first=$!
    while [ "$killed" -lt "$2" ]; do
        tries=$((tries + 1))
        [ "$tries" -le $((10 * $2)) ] || fail "only $killed of $tries runners were alive to be killed"
        start_runner "$1"
        second=$!
        choose_moment
        kill_runner "$first"
        if [ "$code" = 137 ]; then
            killed=$((killed + 1))
        else
            [ "$code" = "$3" ] || fail "$1: a runner ended with code $code"
            wait "$second" 2>/dev/null || true
            if [ "$3" = 7 ]; then check_part "$1"; else check "$1" shared.jsonl; fi
            rm -rf "$1" shared.jsonl
            rounds=$((rounds + 1))
            start_runner "$1"
            second=$!
        fi
        first=$second
    done
    code=0
    wait "$first" || code=$?
}

end_of_whole=0
"$sfgp" collect whole 2>/dev/null || end_of_whole=1
two_runners shared $(((kills + 1) / 2)) $end_of_whole
[ "$code" = "$end_of_whole" ] || fail "the runner that was left alone ended with code $code"
check shared shared.jsonl
echo "kill: $killed of two runners killed, $rounds folders done before the last, none lost, none twice"

# ---- and a full disk -----------------------------------------------------------------------------------------------
size=$(du -ck whole/case-* | tail -n 1 | cut -f1)
mkdir disk
mount -t tmpfs -o "size=$((size / 2))k" none disk 2>/dev/null ||
    { echo "kill: no disk of its own: not tried with a full one"; exit 0; }
rm -f shared.jsonl
two_runners disk/shared $(((kills + 1) / 2)) 7
[ "$code" = 7 ] || fail "the runner of a full disk that was left alone ended with code $code"
check_part disk/shared
full=$(grep -c '"status":"absent"' shared.jsonl)
mount -o "remount,size=$((size * 4))k" disk
batch -o disk/shared --resume --events shared.jsonl || [ $? = 1 ]
check disk/shared shared.jsonl
echo "kill: $killed of two runners killed on a full disk, $rounds rounds before, no room for a case $full times in the last, none lost, none twice"
