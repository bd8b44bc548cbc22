#!/bin/sh
# Every C file is as clang-format writes it. Usage: format.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
cd "$1"
command -v clang-format >/dev/null || { echo "skipped: no clang-format"; exit 77; }
find src include tests bench -name '*.[ch]' -o -name '*.cpp' | sort | xargs clang-format --dry-run --Werror
