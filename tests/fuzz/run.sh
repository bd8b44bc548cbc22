#!/bin/sh
# One reader under libFuzzer, and a row of bench/results/fuzz.csv: commit, machine, reader, executions,
# seconds of the processor, findings. A finding stands in BUILD/found/READER; made smaller (BUILD/tests/fuzzer
# -minimize_crash=1 FILE), it belongs into tests/fuzz/found/READER.
# Usage: run.sh SOURCE_DIR BUILD_DIR READER OPTION_OF_LIBFUZZER...
set -eu
source=$1 build=$2 reader=$3
shift 3
mkdir -p "$build/found/$reader"
[ -z "$(git -C "$source" status --porcelain src include tests/fuzz)" ] && changed= || changed=+
commit=$(git -C "$source" rev-parse --short HEAD)$changed
machine=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
log=$build/$reader.log times=$build/$reader.times
SFGP_FUZZ_READER=$reader UBSAN_OPTIONS=print_stacktrace=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
ASAN_OPTIONS=quarantine_size_mb=4 # freed memory of one input: more only costs pages
export SFGP_FUZZ_READER UBSAN_OPTIONS ASAN_OPTIONS OMP_NUM_THREADS OPENBLAS_NUM_THREADS
# libhdf5 in this process keeps memory from input to input, which would be looked for after each. The regression looks for leaks.
case $reader in hdf5_recipe | model_json | model_table | fit_table) set -- -detect_leaks=0 "$@" ;; esac
result=clean
# A damaged file asks libhdf5 for impossible amounts: it has to be told no, as it is without a sanitizer, and not be ended.
case $reader in model | deformation | array) ASAN_OPTIONS=$ASAN_OPTIONS:allocator_may_return_null=1 ;; esac
# The last line of `times` is that of the children: user and system.
sh -c 'log=$1 times=$2; shift 2; "$@" >"$log" 2>&1; code=$?; times >"$times"; exit $code' run "$log" "$times" \
    "$build/tests/fuzzer" -max_len=65536 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 "-dict=$build/corpus/words/$reader.dict" \
    "-artifact_prefix=$build/found/$reader/" "$@" "$build/corpus/$reader" || result=FOUND
executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
seconds=$(awk 'NR == 2 { split($1, a, "m"); split($2, b, "m"); printf "%.0f", 60 * a[1] + a[2] + 60 * b[1] + b[2] }' "$times")
findings=$(find "$build/found/$reader" -type f | wc -l)
rows=$build/fuzz.csv
[ -s "$rows" ] || echo "commit,machine,reader,executions,cpu_s,findings" >"$rows"
echo "$commit,$machine,$reader,${executions:-0},$seconds,$findings" >>"$rows"
echo "$reader: ${executions:-0} executions, $seconds s, $result"
[ $result = clean ]
