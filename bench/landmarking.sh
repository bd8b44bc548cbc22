#!/bin/sh
# From a folder of scans to a table of landmarks: one command against a loop of register and apply, byte by byte.
#
#     bench/landmarking.sh PROGRAM FOLDER [COUNT]   # COUNT simulated ears (50); prints a row of bench/results/landmarking.csv
#
# Exit 1 if a fit, a saved fit or a file of landmarks differs, or the table does not hold the landmarks of the single runs.
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 2; }
program=$(realpath "$1"); count=${3:-50}
commit=$(git -C "$(dirname "$0")" describe --always --dirty=+ --exclude='*' 2>/dev/null || echo unknown)
machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
mkdir "$2"
cd "$2"

mkdir scans one
for k in $(seq 1 "$count"); do
    "$program" simulate ear --resolution 20 --seed "$k" -o ear >/dev/null 2>&1
    mv ear/scan.ply "scans/$k.ply"
done
awk 'BEGIN { print "name,x,y,z\ntip,0,25,5\nlobe,-3,-28,2\ntragus,-8,0,4" }' >marks.csv

# CPU seconds of the children of a subshell, from the second line of `times`.
seconds_of() {
    awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%.1f", 60 * (u[1] + s[1]) + u[2] + s[2] }' "$1"
}

(
    "$program" batch scans -o all --reference ear/reference.ply --apply marks.csv --save --collect 2>log >/dev/null || true
    times >all.times
)
(
    for k in $(seq 1 "$count"); do
        "$program" register ear/reference.ply "scans/$k.ply" -o "one/$k.ply" --save "one/$k.h5" --threads 1 --quiet 2>/dev/null || true
        "$program" apply "one/$k.h5" marks.csv -o "one/$k.csv" --threads 1 2>/dev/null >/dev/null || true
    done
    times >one.times
)

fits=0; saved=0; marks=0
echo 'id,landmark,x,y,z,sd' >one.csv
for k in $(cut -d, -f1 all/landmarks.csv | sed 1d | uniq); do
    cmp -s "all/$k/fit.ply" "one/$k.ply" && fits=$((fits + 1))
    cmp -s "all/$k/fit.h5" "one/$k.h5" && saved=$((saved + 1))
    cmp -s "all/$k/landmarks.csv" "one/$k.csv" && marks=$((marks + 1))
    sed "1d; s/^/$k,/" "one/$k.csv" >>one.csv
done
table=0
cmp -s one.csv all/landmarks.csv && table=1
echo "commit,machine,specimens,fits_equal,saved_equal,landmarks_equal,table_equal,batch_cpu_s,single_cpu_s"
echo "$commit,$machine,$count,$fits,$saved,$marks,$table,$(seconds_of all.times),$(seconds_of one.times)"
[ "$fits $saved $marks $table" = "$count $count $count 1" ]
