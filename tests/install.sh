#!/bin/sh
# Installs into a scratch folder and uses what is there: install_use.sh.
# Usage: install.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
if grep -rn "$(dirname "$(cc -print-file-name=libm.so)")" "$scratch/usr/lib"*/cmake "$scratch/usr/lib"*/*/cmake 2>/dev/null; then
    echo "an installed target names a file of this machine"; exit 1
fi
"$build/sfgp" settings --markdown | diff - "$source/docs/settings.md" || {
    echo "docs/settings.md is not what build/sfgp settings --markdown prints"; exit 1; }
export PKG_CONFIG_PATH="$(dirname "$(find "$scratch/usr" -name sfgp.pc)")" CMAKE_PREFIX_PATH="$scratch/usr"
export LD_LIBRARY_PATH="$(dirname "$(find "$scratch/usr" -name 'libsfgp*' | head -n 1)")" # of a shared build
sh "$source/tests/install_use.sh" "$source" "$build/sfgp" "$scratch"
sh "$source/tests/install_static.sh" "$source" "$scratch"
sh "$source/tests/install_help.sh" "$build/sfgp" "$scratch/usr/share"
