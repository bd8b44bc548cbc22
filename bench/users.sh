#!/bin/sh
# What users bring and what the program answers: the rows of docs/results/users.md, made again and checked.
#
#     bench/users.sh PROGRAM FOLDER [ROW...]   # FOLDER is for the files; prints the tables as Markdown; exit 1 if a row is not as expected
#
# Every row states the exit code, words that the answer has to hold (or that it warns of nothing), and the largest mean error of the
# fit. A row that fails with exit code 0 and no warning counts as silent, any other as wrong. Needs python3 with numpy; the rows
# on ears and heads need ../shared/data (or $SFGP_DATA). About three minutes of one core.
set -eu
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1"); folder=$2
data=$(cd "${SFGP_DATA:-$here/../../shared/data}" 2>/dev/null && pwd || true)
shift 2
wanted=" $* "
mkdir -p "$folder"
/usr/bin/python3 "$here/users_input.py" "$here/../data/demo" "$folder" ${data:+"$data/ears/scan"}
cp "$here"/../data/demo/*.ply "$folder"
cd "$folder"
ln -sf "$program" sfgp
PATH=$PWD:$PATH
source=$(dirname "$here")
export PATH source
rows=0; silent=0; wrong=0

# Mean distance of the points of fit.csv to those of a truth; points that the truth does not have are left out.
error_of() {
    if [ -z "$1" ]; then sed -n 's/.*"mean": \([^,]*\).*/\1/p' stdout | head -1 | awk '{ printf "%.3g", $1 }'; return; fi
    [ -e fit.csv ] || { echo -; return; }
    paste -d, fit.csv "$1.truth.csv" | awk -F, 'NF > 5 { d = 0; for (k = 1; k <= 3; k++) d += ($k - $(k + NF - 3)) ^ 2; sum += sqrt(d); n++ }
        END { printf "%.3g", sum / n }'
}

# What a run said, without names and summary lines, in one line that a table can hold; else the words that were looked for.
answer() {
    said=$({ sed -n 's/^sfgp: warning: //p' stderr; grep -v -e '^sfgp: warning' -e '[0-9] s[:;]' stderr | sed 's/^sfgp: //'; } |
        awk 'NF && n < 2 && !seen[$0]++ { if (length($0) > 150) $0 = substr($0, 1, 147) "..."; printf "%s%s", (n++ ? " / " : ""), $0 }' | tr '|' '/')
    [ -n "$said" ] || [ "$1" = quiet ] || [ "$1" = . ] || said=$(grep -aEo -m1 -e "$1" stdout | head -1)
    echo "$said"
}

# judge CODE BOUND WORDS ERROR: whether the run is as the row says. WORDS: an extended expression; "quiet": no warning.
judge() {
    [ "$1" = any ] || [ "$code" = "$1" ] || return 1
    [ "$2" = - ] || awk -v e="$4" -v b="$2" 'BEGIN { exit !(e != "-" && e <= b) }' || return 1
    if [ "$3" = quiet ]; then ! grep -q warning stderr; else cat stdout stderr | grep -aEq -e "$3"; fi
}

# row NUMBER WHAT CODE TRUTH:BOUND WORDS COMMAND. TRUTH:BOUND is - where no fit is compared.
row() {
    case $wanted in "  " | *" $1 "*) ;; *) return 0 ;; esac
    rm -f fit.csv
    code=0
    sh -c "$6" >stdout 2>stderr </dev/null || code=$?
    error=-
    [ "$4" = - ] || error=$(error_of "${4%:*}")
    verdict=
    if ! judge "$3" "${4##*:}" "$5" "$error"; then
        if [ "$code" = 0 ] && ! grep -q warning stderr; then silent=$((silent + 1)); verdict='**SILENT** '; else wrong=$((wrong + 1)); verdict='**WRONG** '; fi
    fi
    rows=$((rows + 1))
    echo "| $1 | $2 | \`$(echo "$6" | sed 's/ -o fit.csv//; s/|/\\|/g')\` | $code | $error | $verdict$(answer "$5") |"
}

section() {
    printf '\n## %s\n\n| row | what | command | exit | mm | what it says |\n|---|---|---|---|---|---|\n' "$1"
}

register() { row "$1" "$2" "$3" "$4" "$5" "sfgp register $6 -o fit.csv"; }

section "What was wrong or dangerous"
register 1 'moved by 150 mm' 0 moved150:0.5 quiet 'reference.ply moved150.npy'
register 1 'moved by 600 mm' 0 moved600:0.5 'lies 600' 'reference.ply moved600.npy'
register 1 'moved by 20 m' 0 moved20000:0.5 'lies 2000' 'reference.ply moved20000.npy'
register 1 'in UTM coordinates' 0 utm:0.5 'lies 4.67' 'reference.ply utm.npy'
register 1 'centred at 0' 0 centred:0.5 quiet 'reference.ply centred.npy'
register 1 'turned at random, 900 mm away' 0 turned_far:1 'its middle lies' 'reference.ply turned_far.npy'
for distance in 90 200; do
    register 2 "reference and one vertex $distance mm away" 0 asis:0.5 'points far from the others: 1' "stray$distance.npy scan.ply"
done
register 2 'OBJ with a second object' 0 asis:0.5 'far from the others: 8' 'objects.obj scan.ply'
register 2 'OBJ with the shape twice' 0 asis:0.5 '2 pieces' 'twins.obj scan.ply'
row 2 'other methods' 0 - 'points far from the others: 1' 'for m in sfgp-scalar sfgp-full bcpd; do sfgp register stray200.npy scan.ply --method $m -o fit.csv || exit 9; done'
register 3 'three vertices in no face' 0 asis:0.5 'in no face|far from the others' 'loose.ply scan.ply'
register 4 'landmarks, scan 20 m away' 0 moved20000:0.5 'lies 2000' 'reference.ply moved20000.npy --landmarks reference.marks.csv moved20000.marks.csv'
register 4 'landmarks, scan turned and 900 mm away' 0 turned_far:0.5 'its middle lies' 'reference.ply turned_far.npy --landmarks reference.marks.csv turned_far.marks.csv'
register 4 'landmarks 20 m from their scan' 1 - 'landmarks: the middle' 'reference.ply scan.ply --landmarks reference.marks.csv moved20000.marks.csv'
row 5 'outputs of no known format' 2 - 'use .ply' 'for f in x.vtk x.glb x; do sfgp register reference.ply scan.ply -o $f; test $? = 2 || exit 9; done; exit 2'
row 5 'packed output' 0 - quiet 'sfgp register reference.ply scan.ply -o x.ply.gz && gzip -t x.ply.gz'
row 5 'standard output' 0 - '^ply' 'sfgp register reference.ply scan.ply -o - --save fit.h5'
row 5 '`apply` likewise' 2 - 'use .ply' 'sfgp apply fit.h5 scan.ply -o x.glb'
register 6 'mirrored' 1 - 'mirror: the target fits the mirror image' 'reference.ply mirrored.npy'
register 6 'mirrored, and said so' 0 mirrored:0.5 quiet 'reference.ply mirrored.npy --mirror'
row 7 'x87 arithmetic is refused by CMake' 0 - quiet 'sh "$source/tests/arithmetic.sh" "$source" .'
for core in Haswell Prescott; do
    row 8 'routines of another processor: two optima, as README says' 0 asis:0.5 quiet "OPENBLAS_CORETYPE=$core sfgp register reference.ply scan.ply -o fit.csv"
done
register 11 'settings of another method' 0 asis:0.5 'beta.*not' 'reference.ply scan.ply --beta 0.1 --lambda 1000'
row 12 'report' 0 - '"omega": 0.0[0-9]*' 'sfgp register reference.ply scan.ply -o fit.csv --json'
register 13 'reference and scan swapped' 0 - 'are the two swapped' 'scan.ply truth.faces.ply'
register 14 'inches' 1 - 'inches' 'reference.ply inches.npy'
register 14 'cm' any - 'cm and the other' 'reference.ply cm.npy'
register 14 'metres' 1 - 'units' 'reference.ply metres.npy'
register 14 'ten times as large' any - 'cm and the other' 'reference.ply tenfold.npy'
register 14 'half as large' 0 half:0.5 'times as large' 'reference.ply half.npy'
register 14 'twice as large' 0 twice:0.5 'times as large' 'reference.ply twice.npy'

section "Typical input"
# The same points as those of the demo's scan, or another file of it: no fit is needed to see that they were read.
same() { row "$1" "$2" 0 ":$5" . "sfgp evaluate $3 $4"; }
same ply 'Open3D, binary, normals and colours' open3d.ply scan.ply 0
same ply 'Open3D, ASCII, colours' open3d_ascii.ply scan.ply 0
same text '`np.savetxt` with a header' savetxt.txt scan.ply 0
same text 'byte order mark, CRLF' crlf.txt scan.ply 0
same text 'pandas: header and index' pandas.csv scan.ply 0
same text 'header row' header.csv scan.ply 0
same text 'normals' normals.xyz scan.ply 0
same text 'colours' rgb.xyz scan.ply 0
same text 'CloudCompare, `//X Y Z R G B`' cloudcompare.txt scan.ply 0
same text 'Leica, Faro: `.pts`' cloud.pts scan.ply 0
row text 'an intensity' 4 - '--columns' 'sfgp info intensity.xyz'
same text 'the same' 'intensity.xyz --columns 1,2,3' scan.ply 0
same gzip 'packed' scan.ply.gz scan.ply 0
same stdin 'standard input' '- ' 'scan.ply <scan.ply' 0
same vtk 'VTK legacy' cloud.vtk scan.ply 0
same off 'OFF with normals' mesh.off truth.ply 0
same glb 'GLB of a phone, 32-bit' phone.glb truth.ply 1e-6
same stl 'STL: corners in the order of the file' truth.stl 'truth.ply --surface' 1e-6
row vtp 'VTP, out and in' 0 :0 . 'sfgp align truth.ply truth.ply -o truth.vtp && sfgp evaluate truth.vtp truth.ply'
row refused 'PCD' 4 - pcl_pcd2ply 'sfgp info scan.pcd'
row refused 'NPZ' 4 - 'unpack it' 'sfgp info scan.npz'
row refused 'LAS' 4 - CloudCompare 'sfgp info scan.las'
row refused 'E57' 4 - 'E57 file' 'sfgp info scan.e57'
row refused 'UTF-16' 4 - 'UTF-16' 'sfgp info wide.txt'
row refused 'decimal commas' 4 - decimal 'sfgp info comma.txt'
row refused 'not a number' 5 - 'line 2' 'sfgp info nan.txt'
register turned 'by 180 degrees' 0 turned180:0.5 quiet 'reference.ply turned180.npy'
register points 'every point three times' 0 asis:0.5 quiet 'reference.ply tripled.npy'
row kept 'colours of the reference' 0 - quiet 'sfgp register painted.ply scan.ply -o p.ply && head -30 p.ply | grep -aq "property uchar red"'
row kept 'texture, groups, materials' 0 - quiet 'sfgp register material.obj scan.ply -o m.obj && grep -q "usemtl skin" m.obj && grep -q "vt 1 0" m.obj && grep -q "g ear" m.obj'
row kept 'MeshLab and ParaView' 0 - quiet 'sfgp register reference.ply scan.ply -o q.ply --save fit.h5 && sfgp align q.ply q.ply -o q.vtp && for n in sd missing distance quality; do head -20 q.ply | grep -aq "property .* $n" || exit 9; done'

section "Journeys"
row BCPD 'its options without a verb' 2 - 'sfgp bcpd' 'sfgp -x target.txt -y source.txt'
row BCPD "ALPACA's line" 0 - '' 'sfgp bcpd -x target.txt -y source.txt -l2.0 -b2.0 -g0.1 -K140 -J500 -c1e-6 -p -d7 -e0.3 -f0.3 -ux -N1 && mv output_y.txt y.txt && tr "\t" , <y.txt >fit.csv'
row BCPD 'the default method' 0 asis:0.5 quiet 'sfgp bcpd --auto -x target.txt -y source.txt && tr "\t" , <output_y.txt >fit.csv'
row BCPD 'what cannot be honoured' 2 - 'G3' 'sfgp bcpd -x target.txt -y source.txt -G3'
row ALPACA 'folder to table of landmarks' 0 - 'landmarks.csv' 'rm -rf out; sfgp batch folder -o out --reference reference.ply --apply reference.marks.csv --save --html --collect && grep -q "^two,p2800" out/landmarks.csv && test -s out/one/fit.html'
row ALPACA 'several references, the best by evidence' 0 - '2 ok' 'rm -rf out2; sfgp batch folder -o out2 --reference reference.ply --reference truth.ply && grep -q "reference.: .truth.ply" out2/one/case.json'
row Scalismo 'posterior, a sample of it' 0 - quiet 'sfgp model posterior fit.h5 -o post.h5 && sfgp model sample post.h5 -o sample.ply && sfgp model mean post.h5 -o mean.ply'
row Scalismo 'MeshLab, geomorph and Scalismo landmarks' 0 - quiet 'for f in pp tps scalismo.json fcsv mrk.json; do sfgp apply fit.h5 reference.marks.csv -o marks.$f && sfgp apply fit.h5 marks.$f -o again.csv || exit 9; done'
row CloudCompare 'distances to surfaces' 0 - '"symmetric"' 'sfgp evaluate q.ply truth.ply --surface --distance-map map.ply && head -20 map.ply | grep -aq "property .* distance"'
row look 'one fit' 0 - quiet 'sfgp register reference.ply scan.ply -o fit.csv --html fit.html --unit mm && grep -q "mm in the mean" fit.html'
row command 'a wrong verb' 2 - 'did you mean register' 'sfgp regster a b'
row command 'a wrong option' 2 - 'did you mean --omega' 'sfgp register reference.ply scan.ply -o x.ply --omga 0.2'
row command 'report fed back' 0 asis:0.5 quiet 'sfgp register reference.ply scan.ply -o a.csv --report a.json && sfgp register reference.ply scan.ply -o fit.csv --config a.json && cmp a.csv fit.csv'
row command 'dry run' 0 - 'memory: ' 'sfgp register reference.ply scan.ply -o none.ply --dry-run && test ! -e none.ply'
row command 'limit of iterations' 1 - 'after 5 iterations' 'sfgp register reference.ply scan.ply -o fit.csv --max-iterations 5'
row command 'what a file holds' 0 - 'holes .*' 'sfgp info reference.ply'
row command 'libraries' 0 - 'OpenBLAS.*' 'sfgp --version'

if [ -n "$data" ]; then
    ln -sfn "$data/ears" ears
    ln -sfn "$data/families/ear_in_head" head
    section "Ears of the evaluation data"
    row 6 'seven ears of the other side: how many are warned of' 0 - '^7$' 'for k in 0 1 2 3 4 5 6; do sfgp register ears/reference.ply ear00$k.npy -o fit.csv 2>&1; done | grep -c "mirror: the target fits"'
    for k in 000 002 004; do
        row head 'ear in half a head' 0 :4 . "sfgp register head/reference.ply head/scan/$k.ply -o fit.ply && sfgp evaluate fit.ply head/truth/$k.ply"
    done
fi
printf '\n%d rows, %d silent, %d wrong.\n' $rows $silent $wrong
[ $((silent + wrong)) -eq 0 ]
