#!/bin/sh
# sfgp batch is killed (SIGKILL) at 20 random moments and started again with --resume each time. In the end every case
# has the result that a batch has which nobody killed; none was lost, and none that was finished was done again.
# SFGP_SEED chooses the moments. Usage: kill.sh SOURCE_DIR BUILD_DIR
set -eu
sfgp="$2/sfgp"
seed=${SFGP_SEED:-1}
kills=20
export OMP_WAIT_POLICY=passive
unset SLURM_ARRAY_TASK_ID SLURM_CPUS_PER_TASK || true
work=$(mktemp -d)
trap 'cd / && rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work"
fail() { echo "kill: $*" >&2; exit 1; }

# Forty cases of some ten milliseconds, so that kills fall into reading, fitting and writing.
"$sfgp" simulate ear -o ear --resolution 12 2>/dev/null
printf 'id\ttarget\tseed\ttolerance\n' >cases.tsv
for k in $(seq 40); do
    printf 'case-%d\tear/scan.ply\t%d\t1e-%d\n' "$k" "$k" "$((3 + k % 6))" >>cases.tsv
done
batch() { "$sfgp" batch cases.tsv --model ear/reference.ply -j 2 --quiet "$@"; }
batch_here() { exec "$sfgp" batch cases.tsv --model ear/reference.ply -j 2 --quiet "$@"; } # in the background: its process

start=$(date +%s%N)
batch -o whole || [ $? = 1 ]
length=$((($(date +%s%N) - start) / 1000000)) # ms

# Moments up to a tenth of the whole, so that many fall before the end; MINSTD of Park and Miller. A batch that
# came to its end all the same begins again in an empty folder.
killed=0
tries=0
while [ "$killed" -lt "$kills" ]; do
    tries=$((tries + 1))
    [ "$tries" -le $((10 * kills)) ] || fail "only $killed of $tries batches were alive to be killed"
    seed=$((seed * 48271 % 2147483647))
    moment=$((10 + seed % (length / 10 + 20)))
    batch_here -o killed --resume --events events.jsonl &
    process=$!
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    kill -9 "$process" 2>/dev/null || true
    code=0
    wait "$process" 2>/dev/null || code=$?
    if [ "$code" = 137 ]; then
        killed=$((killed + 1))
    else
        rm -rf killed events.jsonl
    fi
done
done_before=$(grep -c '"event":"case"' events.jsonl 2>/dev/null || true)
batch -o killed --resume --events events.jsonl || [ $? = 1 ]

for case in whole/case-*; do
    cmp "$case/fit.ply" "killed/${case#whole/}/fit.ply" >&2 || fail "$case: another fit, or none"
done
"$sfgp" collect killed 2>/dev/null || [ $? = 1 ]
"$sfgp" collect whole 2>/dev/null || [ $? = 1 ]
for folder in whole killed; do cut -d, -f1-14 "$folder/cases.csv" >"$folder.columns"; done
diff whole.columns killed.columns >&2 || fail "other results"
twice=$(grep '"event":"case"' events.jsonl | sed 's/.*"id":"\([^"]*\)".*/\1/' | sort | uniq -d)
[ -z "$twice" ] || fail "done twice: $twice"
left=$(find killed -name '.sfgp-*.tmp' | head -3)
[ -z "$left" ] || fail "temporary files are left: $left"
echo "kill: $killed kills, $done_before of 40 cases done before the last run, none lost, none twice"
