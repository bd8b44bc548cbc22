#!/bin/sh
# The shared library exports what the public header declares and nothing else, all of one version. libhdf5 is loaded when a file
# needs it, and an error names it.
# Usage: symbols.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v nm >/dev/null || { echo "skipped: no nm"; exit 77; }
library=$(find "$build" "$build/tests" -maxdepth 1 -type f -name 'libsfgp.so.*' | head -n 1)
[ -n "$library" ] || { echo "there is no shared library in $build"; exit 1; }

# The compiler's view of the header, so that a prototype without SFGP_API counts too.
printf '#include <sfgp/sfgp.h>\n' | cc -E -P -I "$source/include" -x c - | tr '\n' ' ' | tr ';{}' '\n\n\n' | grep -vE 'typedef|static inline' |
    grep -oE '\bsfgp_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$scratch/declared"
[ "$(wc -l <"$scratch/declared")" -ge 70 ] || { echo "only $(wc -l <"$scratch/declared") functions found in the header"; exit 1; }
version=$(sed -n 's/^#define SFGP_VERSION "\([0-9]*\.[0-9]*\).*/SFGP_\1/p' "$source/include/sfgp/sfgp.h")
nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort >"$scratch/exported"
sed "s/\$/@@$version/" "$scratch/declared" | diff - "$scratch/exported" || {
    echo "< declared in sfgp.h, > exported by $library (mark what is public with SFGP_API)"; exit 1; }
soname=$(objdump -p "$library" | awk '$1 == "SONAME" { print $2 }')
[ "$soname" = "libsfgp.so.${version#SFGP_}" ] || { echo "soname $soname of version $version"; exit 1; }

# ---- libhdf5 -----------------------------------------------------------------------------------------------------------
! grep -q 'SFGP_LOAD_HDF5:BOOL=OFF' "$build/CMakeCache.txt" || { echo "libhdf5 is linked"; exit 0; }
hdf5=$(grep -ao 'libhdf5[a-z_]*\.so\.[0-9]*' "$build/sfgp" | head -n 1)
for linked in "$build/sfgp" "$library"; do
    ! objdump -p "$linked" | grep 'NEEDED.*hdf5' || { echo "$linked is linked with libhdf5, which it shall load"; exit 1; }
done
: >"$scratch/$hdf5"
code=0
LD_LIBRARY_PATH=$scratch "$build/sfgp" info "$source/data/demo/reference.ply" >/dev/null || { echo "a mesh needs libhdf5"; exit 1; }
LD_LIBRARY_PATH=$scratch "$build/sfgp" model build "$source/data/demo/reference.ply" -o "$scratch/model.h5" --rank 3 2>"$scratch/err" || code=$?
[ "$code" = 3 ] && grep -q "$hdf5 cannot be loaded" "$scratch/err" && [ ! -e "$scratch/model.h5" ] || {
    echo "without $hdf5: code $code"; cat "$scratch/err"; exit 1; }
