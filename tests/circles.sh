#!/bin/sh
# Files of a folder do not use each other in a circle, and folders do not. What a file uses is read from the object files
# of the build: symbols that it leaves undefined. Usage: circles.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v nm >/dev/null || { echo "skipped: no nm"; exit 77; }

# Objects stay in a build folder when their source has gone: the list of sources says which count.
(cd "$source/src" && find . -name '*.c' -o -name '*.cpp') | sed 's,^\./,source ,' >"$scratch/symbols"
find "$build/CMakeFiles" -path '*.dir/src/*.o' | sort | xargs nm -A -P | sed 's,^[^:]*\.dir/src/,,; s,\.o:,,' >>"$scratch/symbols"
# A line "a.c b.c": a.c uses a symbol that b.c defines.
awk '$1 == "source" { there[$2] = 1; next }
     !($1 in there) { next }
     $3 ~ /^[TDBRCi]$/ { owner[$2] = $1 }
     $3 == "U" { users[++count] = $1; symbols[count] = $2 }
     END { for (k = 1; k <= count; k++) if (symbols[k] in owner && owner[symbols[k]] != users[k]) print users[k], owner[symbols[k]] }' \
    "$scratch/symbols" | sort -u >"$scratch/uses"
[ "$(wc -l <"$scratch/uses")" -ge 500 ] || { echo "only $(wc -l <"$scratch/uses") uses seen: the test looks at nothing"; exit 1; }

# The first circle of the graph on standard input as "a b c a"; nothing when there is none.
circle() {
    tsort 2>&1 >/dev/null | awk '/contains a loop/ { loops++; next }
        loops == 1 { sub(/^tsort: /, ""); if (first == "") first = $0; printf "%s ", $0 } END { if (loops) print first }' || true
}

bad=0
found=$(awk '{ split($1, a, "/"); split($2, b, "/") } a[1] != b[1] { print a[1], b[1] }' "$scratch/uses" | sort -u | circle)
[ -z "$found" ] || { echo "folders in a circle: $found"; bad=1; }
for folder in $(cut -d/ -f1 "$scratch/uses" | sort -u); do
    found=$(grep "^$folder/[^ ]* $folder/" "$scratch/uses" | circle)
    [ -z "$found" ] || { echo "files in a circle: $found"; bad=1; }
done
exit $bad
