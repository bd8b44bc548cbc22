#!/bin/sh
# The shared library exports what the public header declares and nothing else, all of one version.
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
