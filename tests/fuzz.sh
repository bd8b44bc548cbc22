#!/bin/sh
# Seeds and findings of the fuzzer, and changed copies of each, go through every reader: one round of them, and until the time
# $SFGP_FUZZ_UNTIL (seconds since 1970) more rounds, at most 30 seconds a reader.
# Usage: fuzz.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sh "$source/tests/fuzz/seeds.sh" "$source" "$build/sfgp" "$scratch"
export ASAN_OPTIONS="quarantine_size_mb=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}" # freed memory of one input: more only costs pages
jobs=2 # PROCESSORS of this test in tests/CMakeLists.txt
readers=$("$build/tests/fuzz_regression")
now=$(date +%s)
seconds=$(((${SFGP_FUZZ_UNTIL:-$now} - now) * jobs / $(echo "$readers" | wc -l)))
[ "$seconds" -le 30 ] || seconds=30
echo "at least one round, and at most $seconds seconds of more rounds a reader"
echo "$readers" | xargs -P "$jobs" -I{} "$build/tests/fuzz_regression" {} "$scratch" "${SFGP_FUZZ_COPIES:-20}" "$seconds"
