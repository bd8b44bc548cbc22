#!/bin/sh
# Programs that were compiled before go on working. (1) A program that was compiled with a header in which every struct that may
# grow lacks its last field, or its last row, runs with the library of today and gets the same. (2) The header is compatible
# with tests/abi/VERSION.txt, that of the first release of this minor version, as abidiff sees it.
#
#     abi.sh SOURCE_DIR BUILD_DIR   # 77 = skipped
#     abi.sh --update SOURCE_DIR    # writes tests/abi/VERSION.txt: for a new minor version, whose interface may change
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The declarations of a header, without comments and without those of the C library.
declarations() {
    mkdir -p "$scratch/none"
    : >"$scratch/none/stddef.h"
    : >"$scratch/none/stdint.h"
    printf '#include <stddef.h>\n#include <stdint.h>\n'
    cc -E -P -nostdinc -I "$scratch/none" -x c "$1"
}

if [ "$1" = --update ]; then
    version=$(sed -n 's/^#define SFGP_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' "$2/include/sfgp/sfgp.h")
    declarations "$2/include/sfgp/sfgp.h" >"$2/tests/abi/$version.txt"
    exit 0
fi
source=$1 build=$2
version=$(sed -n 's/^#define SFGP_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' "$source/include/sfgp/sfgp.h")
library=$(find "$build" "$build/tests" -maxdepth 1 -type f -name 'libsfgp.so.*' | head -n 1)
[ -n "$library" ] || { echo "there is no shared library in $build"; exit 1; }

# ---- a program of yesterday --------------------------------------------------------------------------------
# Of the tables the line before the last row loses its backslash.
mkdir -p "$scratch/old/sfgp"
awk '/^    COUNT\(fuzzy,/ || /^    X\(SFGP_STAGE_WRITE,/ || /^    COUNT\(file_unit,/ { sub(/ *\\$/, "", held); skip = 1 }
     /^    (char kernel\[SFGP_TEXT_SIZE\]|int64_t knots|int64_t warning_count);/ || /^    double scale;$/ { next }
     /^    (sfgp_error_summary missing|sfgp_distance_summary symmetric|int64_t targets|int64_t peak);/ { next }
     !skip { if (NR > 1) print held; held = $0; next }
     !/\\$/ { skip = 0 }
     END { print held }' "$source/include/sfgp/sfgp.h" >"$scratch/old/sfgp/sfgp.h"
for header in "$scratch/old" "$source/include"; do
    name=$(basename "$header")
    cc -std=c11 -Wall -Wextra -Werror -I "$header" "$source/tests/abi/program.c" "$library" -o "$scratch/$name.program"
    LD_LIBRARY_PATH=$(dirname "$library") "$scratch/$name.program" "$source/data/demo/reference.ply" "$source/data/demo/scan.ply" \
        "$scratch/page.html" >"$scratch/$name.out" 2>"$scratch/$name.err" ||
        { cat "$scratch/$name.err"; echo "the program of $name fails"; exit 1; }
done
cmp "$scratch/old.out" "$scratch/include.out" || { echo "a program without the last fields gets something else"; exit 1; }
paste "$scratch/old.err" "$scratch/include.err" | awk '$1 == "size" { seen++; if ($3 >= $6) { print "not shorter: " $2; bad = 1 } }
    END { exit bad || seen < 11 }' || { echo "the program of yesterday is none"; exit 1; }
for kind in setting damage; do
    grep -q "^$kind 1" "$scratch/include.err" && grep -q "^$kind 0 .*without this $kind" "$scratch/old.err" ||
        { cat "$scratch/old.err" "$scratch/include.err"; echo "a $kind that a program does not know"; exit 1; }
done

# ---- the header of the first release of this minor version ---------------------------------------------------
command -v abidiff >/dev/null || { echo "skipped: no abidiff"; exit 77; }
[ -e "$source/tests/abi/$version.txt" ] || { echo "tests/abi/$version.txt is missing: tests/abi.sh --update ."; exit 1; }

# A library whose functions do nothing: the types are what counts. symbols.sh sees to the functions of the real one.
make_stub() {
    awk 'BEGIN { RS = ";" } /visibility\("default"\)/ { print $0 " { __builtin_trap(); }"; next } NF { print $0 ";" }' "$1" >"$2.c"
    cc -std=gnu11 -g -w -shared -fPIC "$2.c" -o "$2.so"
}
declarations "$source/include/sfgp/sfgp.h" >"$scratch/now.h"
# What stands between the braces of a type, without the number of stages.
body() {
    tr -s ' \n' ' ' <"$1" | sed -n "s/.*[ ;]$2 { \([^}]*\)}.*/\1/p" | sed 's/ *SFGP_STAGES *$//'
}
growing=$(sed -n 's/^name_regexp = ^sfgp_(\(.*\))\$$/\1/p' "$source/tests/abi/allowed.suppr" | tr '|' ' ')
for name in $growing; do
    type="struct sfgp_$name"
    [ "$name" != stage ] || type="enum sfgp_stage"
    before=$(body "$source/tests/abi/$version.txt" "$type") now=$(body "$scratch/now.h" "$type")
    [ -n "$before" ] || { echo "$type: not found"; exit 1; }
    case "$now" in "$before"*) ;; *) echo "$type: it may grow at its end, but changes elsewhere"; exit 1 ;; esac
done
make_stub "$source/tests/abi/$version.txt" "$scratch/before"
make_stub "$scratch/now.h" "$scratch/now"
abidiff --no-added-syms --suppressions "$source/tests/abi/allowed.suppr" "$scratch/before.so" "$scratch/now.so" ||
    { echo "programs compiled with sfgp $version.0 would break: see above, or begin a new minor version (abi.sh --update)"; exit 1; }
