#!/bin/sh
# Seeds and findings of the fuzzer, and changed copies of each, go through every reader.
# Usage: fuzz.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sh "$source/tests/fuzz/seeds.sh" "$source" "$build/sfgp" "$scratch"
"$build/tests/fuzz_regression" "$scratch" "${SFGP_FUZZ_COPIES:-20}"
