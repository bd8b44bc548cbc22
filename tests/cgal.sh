#!/bin/sh
# Distances to surfaces are those of CGAL's AABB tree: from the demo's reference to its truth and back, to 1e-12 mm.
# Usage: cgal.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 program=$2/sfgp demo=$1/data/demo scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
echo '#include <CGAL/version.h>' | c++ -xc++ -fsyntax-only - 2>/dev/null || { echo "skipped: no CGAL (libcgal-dev)"; exit 77; }
c++ -std=c++17 -O1 -DCGAL_DISABLE_GMP -DNDEBUG "$source/tests/cgal.cpp" -o cgal

# Vertices and triangles of an OBJ that sfgp has written, as text.
unpack() {
    "$program" align "$1" "$1" -o "$2.obj" 2>/dev/null
    awk -v points="$2.points" -v faces="$2.faces" '$1 == "v" { v[++n] = $2 " " $3 " " $4; print v[n] >points }
        $1 == "f" { print v[int($2)], v[int($3)], v[int($4)] >faces }' "$2.obj"
}

# check FROM TO: the distance map of one shape to the other: x, y, z, distance, quality, as doubles behind the header.
check() {
    "$program" evaluate "$demo/$1.ply" "$demo/$2.ply" --surface --distance-map map.ply >/dev/null
    ./cgal "$1.points" "$2.faces" >expected
    tail -c +"$(($(grep -abo end_header map.ply | head -1 | cut -d: -f1) + 12))" map.ply | head -c $((40 * $(wc -l <expected))) |
        od -An -v -w40 -t f8 | awk '{ print $4 }' >found
    paste found expected | awk -v name="$1 to $2" '{ d = $1 > $2 ? $1 - $2 : $2 - $1; if (d > worst) worst = d; if ($2 > far) far = $2 }
        END { printf "%s: %d points, up to %g away, largest difference %g\n", name, NR, far, worst; exit !(NR > 1000 && far > 1 && worst < 1e-12) }'
}

unpack "$demo/reference.ply" reference
unpack "$demo/truth.ply" truth
check reference truth
check truth reference
