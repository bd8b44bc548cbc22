#!/bin/sh
# Whether a change of the code changes an answer: the same fits by two programs, byte by byte.
#
#     bench/answers.sh fit PROGRAM FOLDER [PART...]  # writes the fits into FOLDER; parts: ears trained fish femur dense landmarks paper
#     bench/answers.sh compare OLD NEW               # lists what differs, with the mean distance; exit 1 if anything does
#
# 24 ears without and with training shapes, 40 fish, the femur both ways, a dense ear of 100 000 points, an ear with landmarks
# and the methods of the paper. Needs ../shared/data (or $SFGP_DATA) and python3 with h5py. About three minutes of one core.
set -eu
data=${SFGP_DATA:-$(dirname "$0")/../../shared/data}

# One line a fish: kind level, first samples of every level until there are 40.
extract_fish() {
    /usr/bin/python3 - "$data/fish/fish.h5" "$1" <<'PYTHON'
import sys, h5py, numpy
source, folder = h5py.File(sys.argv[1], 'r'), sys.argv[2]
levels = [(kind, level) for kind in source if kind != 'reference' for level in source[kind]]
cases = [(kind, level, sample) for sample in (0, 1) for kind, level in levels][:40]
numpy.save(folder + '/reference.npy', numpy.asarray(source['reference'], dtype='float64').reshape(-1, 2))
for kind, level, sample in cases:
    group = source[kind][level]['target']
    target = group[str(sample)] if isinstance(group, h5py.Group) else group[sample]
    target = numpy.asarray(target, dtype='float64').reshape(-1, 2)
    target = target[numpy.isfinite(target).all(axis=1)]
    numpy.save('%s/%s-%s-%d.npy' % (folder, kind, level, sample), target)
PYTHON
}

# fit NAME REFERENCE TARGET OPTION...: points, sd, mask and labels of a fit; its outcome is in the exit code.
fit() {
    name=$1; reference=$2; target=$3
    shift 3
    code=0
    "$program" register "$reference" "$target" -o "$folder/$name.ply" --table "$folder/$name.csv" --quiet "$@" 2>"$folder/$name.log" || code=$?
    echo "$code" >"$folder/$name.exit"
}

part_ears() {
    for scan in "$data"/ears/scan/*.ply; do fit "ear-$(basename "$scan" .ply)" "$data/ears/reference.ply" "$scan"; done
}

part_trained() {
    "$program" model build "$data/ears/reference.ply" --train "$data/ears/train" -o "$folder/model.h5" --quiet
    for scan in "$data"/ears/scan/*.ply; do fit "trained-$(basename "$scan" .ply)" "$folder/model.h5" "$scan"; done
}

part_fish() {
    mkdir -p "$folder/fish"
    extract_fish "$folder/fish"
    for target in "$folder"/fish/*-*.npy; do fit "fish-$(basename "$target" .npy)" "$folder/fish/reference.npy" "$target"; done
}

part_femur() {
    fit femur-there "$data/femur/femur.stl" "$data/femur/femur_target.stl"
    fit femur-back "$data/femur/femur_target.stl" "$data/femur/femur.stl"
}

part_dense() {
    "$program" simulate ear -o "$folder/simulated" --resolution 222 --deformation 0.03 --deformation-length 0.8 --hole-radius 0.4 \
        --noise 0.004 >/dev/null
    fit dense "$folder/simulated/reference.ply" "$folder/simulated/scan.ply"
    fit dense-threads "$folder/simulated/reference.ply" "$folder/simulated/scan.ply" --threads 2
}

# Every 600th vertex of a PLY file as landmarks p1, p601, ...
extract_landmarks() {
    /usr/bin/python3 - "$1" >"$2" <<'PYTHON'
import sys, numpy
types = {'float': 'f4', 'float32': 'f4', 'double': 'f8', 'float64': 'f8', 'uchar': 'u1', 'uint8': 'u1'}
with open(sys.argv[1], 'rb') as source:
    lines = iter(lambda: source.readline().decode().split(), ['end_header'])
    header = list(lines)
    order = '>' if ['format', 'binary_big_endian', '1.0'] in header else '<'
    count = next(int(line[2]) for line in header if line[:2] == ['element', 'vertex'])
    fields = [(line[2], order + types[line[1]]) for line in header if line[0] == 'property' and line[1] != 'list']
    points = numpy.frombuffer(source.read(count * numpy.dtype(fields).itemsize), dtype=fields, count=count)
for k in range(0, count, 600):
    print('p%d,%r,%r,%r' % (k + 1, *(float(points[axis][k]) for axis in 'xyz')))
PYTHON
}

part_landmarks() {
    extract_landmarks "$data/ears/reference.ply" "$folder/reference.csv"
    extract_landmarks "$data/ears/truth/003.ply" "$folder/target.csv"
    fit landmarks "$data/ears/reference.ply" "$data/ears/scan/003.ply" --landmarks "$folder/reference.csv" "$folder/target.csv"
}

part_paper() {
    for method in sfgp-full sfgp-scalar sfgp-nothreshold closest-point; do
        fit "paper-$method" "$data/ears/reference.ply" "$data/ears/scan/001.ply" --method "$method"
    done
    fit paper-trained "$data/ears/reference.ply" "$data/ears/scan/001.ply" --method sfgp-scalar --train "$data/ears/train"
}

# Mean distance between the points of two tables.
distance() {
    paste -d, "$1" "$2" | awk -F, 'NR == 1 { half = NF / 2; plane = ($4 != "z") }
        NR > 1 { d = 0; for (k = 2; k <= (plane ? 3 : 4); k++) d += ($k - $(k + half)) ^ 2; sum += sqrt(d) } END { printf "%.3g", sum / (NR - 1) }'
}

compare() {
    total=0; differ=0
    for old in "$1"/*.csv; do
        name=$(basename "$old" .csv)
        [ -e "$2/$name.csv" ] && [ -e "$1/$name.exit" ] || continue
        total=$((total + 1))
        cmp -s "$old" "$2/$name.csv" && cmp -s "$1/$name.ply" "$2/$name.ply" && cmp -s "$1/$name.exit" "$2/$name.exit" && continue
        differ=$((differ + 1))
        echo "$name differs by $(distance "$old" "$2/$name.csv") in the mean, exit $(cat "$1/$name.exit") and $(cat "$2/$name.exit")"
    done
    echo "$total fits compared, $differ differ"
    [ "$differ" -eq 0 ] && [ "$total" -gt 0 ]
}

case "${1:-}" in
fit)
    program=$2; folder=$3
    shift 3
    mkdir -p "$folder"
    for part in ${*:-ears trained fish femur dense landmarks paper}; do "part_$part"; done ;;
compare) compare "$2" "$3" ;;
*) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
