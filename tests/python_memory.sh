#!/bin/sh
# Tests of the Python package under valgrind: no error of memory, and no block is lost by what sfgp does. Run by ./bootstrap
# memory, not by the test command. Usage: python_memory.sh SOURCE_DIR BUILD_DIR
set -eu
source=$1 build=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/own" <<'SUPPRESSIONS'
{
   the loader compares a path of 8 bytes by words (glibc 2.36)
   Memcheck:Addr8
   fun:strncmp
   fun:is_dst
}
SUPPRESSIONS
export PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1 SFGP_SOURCE="$source" SFGP_PROGRAM="$build/sfgp"
export PYTHONMALLOC=malloc OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
status=0
# Python and numpy keep blocks until the process ends, so that valgrind's own verdict on leaks says nothing.
valgrind --child-silent-after-fork=yes --suppressions=/usr/lib/valgrind/python3.supp --suppressions="$scratch/own" --error-exitcode=9 --leak-check=full \
    --show-leak-kinds=definite --errors-for-leak-kinds=none --num-callers=40 --log-file="$scratch/log" \
    /usr/bin/python3 -m pytest -q -p no:cacheprovider "$source/tests/python/test_shapes.py" "$source/tests/python/test_fit.py" \
    "$source/tests/python/test_control.py" -k 'test_shapes or what_a_fit_has or outlive or follow or models or warnings or status' ||
    status=$?
grep 'ERROR SUMMARY' "$scratch/log"
[ "$status" = 0 ] || { cat "$scratch/log"; exit 1; }
# A record ends with an empty line. What is made when the module is loaded is kept.
awk -v RS='==[0-9]+== \n' '/definitely lost in/ && /_binding\.abi3|libsfgp/ && !/PyInit__binding/ { print; lost = 1 } END { exit lost }' \
    "$scratch/log"
echo "nothing is lost by sfgp"
