#!/bin/sh
# The tests of the Python package (tests/python), with the package of the build tree.
# Usage: python.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
"$python" -c 'import cffi, numpy, pytest' 2>/dev/null || { echo "skipped: no python3-cffi, python3-numpy or python3-pytest"; exit 77; }
[ -e "$build/python/sfgp/_binding.abi3.so" ] || { echo "skipped: built without the Python package (python3-dev?)"; exit 77; }
export PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1 SFGP_SOURCE="$source" SFGP_PROGRAM="$build/sfgp"
exec "$python" -m pytest -q -rs --durations=6 -p no:cacheprovider -W error "$source/tests/python"
