#!/bin/sh
# Seeds and findings of the fuzzer, and changed copies of each, go through every reader: one round of them, and more rounds for 8
# seconds a reader in the test command, which began at $SFGP_FUZZ_SINCE (seconds since 1970). Where its builds have taken two
# minutes the machine is too slow for the two and a half that this takes.
# Usage: fuzz.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sh "$source/tests/fuzz/seeds.sh" "$source" "$build/sfgp" "$scratch"
export ASAN_OPTIONS="quarantine_size_mb=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # freed memory of one input: more only costs pages
jobs=2 # PROCESSORS of this test in tests/CMakeLists.txt
readers=$("$build/tests/fuzz_regression")
now=$(date +%s) seconds=0
[ $((now - ${SFGP_FUZZ_SINCE:-0})) -gt 120 ] || seconds=8
echo "at least one round, and $seconds seconds a reader"
echo "$readers" | xargs -P "$jobs" -I{} "$build/tests/fuzz_regression" {} "$scratch" "${SFGP_FUZZ_COPIES:-20}" "$seconds"
