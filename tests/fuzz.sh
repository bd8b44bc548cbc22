#!/bin/sh
# Seeds and findings of the fuzzer, and changed copies of each, go through every reader.
# Usage: fuzz.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sh "$source/tests/fuzz/seeds.sh" "$source" "$build/sfgp" "$scratch"
export ASAN_OPTIONS="quarantine_size_mb=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # freed memory of one input: more only costs pages
"$build/tests/fuzz_regression" "$scratch" "${SFGP_FUZZ_COPIES:-20}"
