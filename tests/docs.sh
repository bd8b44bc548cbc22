#!/bin/sh
# Every ADR is in the index. The reference of the public header is made without a warning: every function, field and value has a comment, and every
# function is in a group. Usage: docs.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for page in "$source"/docs/adr/[0-9]*.md; do
    grep -q "](${page##*/})" "$source/docs/adr/README.md" || { echo "$page is not in its README.md"; exit 1; }
done
command -v doxygen >/dev/null || { echo "skipped: no doxygen"; exit 77; }
cd "$source"
header=include/sfgp/sfgp.h

# make OPTION...: with these options after those of the file.
make() {
    { cat docs/api/Doxyfile; printf '%s\n' "OUTPUT_DIRECTORY = $scratch" "$@"; } | doxygen -
}
make
groups=$(sed -n 's/.*@defgroup \([a-z]*\) .*/\1/p' $header | tr '\n' ' ')
case $groups in
"context mesh settings model solver result "*" profile ") ;;
*) echo "groups in another order than a program meets them: $groups"; exit 1 ;;
esac
functions=$(tr '\n' ' ' <$header | grep -oE '(SFGP_API|static inline) [^;(]*\bsfgp_[a-z0-9_]+\(' | grep -oE 'sfgp_[a-z0-9_]+\(' | tr -d '(')
[ "$(echo "$functions" | wc -l)" -ge 70 ] || { echo "only few functions found in the header: $functions"; exit 1; }
for function in $functions; do
    grep -q ">$function</" "$scratch"/html/group__*.html || { echo "$function is in no group"; exit 1; }
done
grep -q 'mean motion is below' "$scratch/html/structsfgp__settings.html" || { echo "settings have no help"; exit 1; }

# A comment that is missing is an error.
mkdir "$scratch/bare"
grep -v '^/\*\* Frees a solver' $header >"$scratch/bare/sfgp.h"
if make "INPUT = $scratch/bare/sfgp.h" 2>"$scratch/errors"; then
    echo "a function without a comment was let through"; exit 1
fi
grep -q 'sfgp_solver_free.*not documented' "$scratch/errors"
