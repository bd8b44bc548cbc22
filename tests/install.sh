#!/bin/sh
# Installs into a scratch folder and builds the README's example against it, once through pkg-config and once through
# the CMake package, from a project in C++ as well. Usage: install.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v pkg-config >/dev/null || { echo "skipped: no pkg-config"; exit 77; }
cmake --install "$build" --prefix "$scratch/usr" >/dev/null
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/README.md" >"$scratch/example.c"
grep -q sfgp_solver_run "$scratch/example.c" || { echo "README.md has no C example"; exit 1; }
lines=$(grep -c . "$scratch/example.c")
[ "$lines" -le 24 ] || { echo "the example has $lines lines"; exit 1; }
export PKG_CONFIG_PATH="$(dirname "$(find "$scratch/usr" -name sfgp.pc)")"
flags="-std=c11 -Wall -Wextra -Werror"
cc $flags "$scratch/example.c" -o "$scratch/by-pkg-config" $(pkg-config --cflags --libs sfgp)
printf '#include <sfgp/sfgp.h>\nint main() { return sfgp_status_text(SFGP_OK)[0] != 111; }\n' >"$scratch/example.cpp"
if grep -rn "$(dirname "$(cc -print-file-name=libm.so)")" "$scratch/usr/lib"*/cmake "$scratch/usr/lib"*/*/cmake 2>/dev/null; then
    echo "an installed target names a file of this machine"; exit 1
fi
cat >"$scratch/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user CXX)
find_package(sfgp REQUIRED)
add_executable(by-cxx example.cpp)
target_link_libraries(by-cxx sfgp::sfgp)
enable_language(C)
add_executable(by-cmake example.c)
target_link_libraries(by-cmake sfgp::sfgp)
CMAKE
cmake -G Ninja -S "$scratch" -B "$scratch/out" -DCMAKE_PREFIX_PATH="$scratch/usr" >/dev/null
cmake --build "$scratch/out" >/dev/null
"$build/sfgp" settings --markdown | diff - "$source/docs/settings.md" || {
    echo "docs/settings.md is not what build/sfgp settings --markdown prints"; exit 1; }
cd "$scratch"
export LD_LIBRARY_PATH="$(dirname "$(find "$scratch/usr" -name 'libsfgp*' | head -n 1)")" # of a shared build
./out/by-cxx
for program in ./by-pkg-config ./out/by-cmake; do
    "$program" "$source/data/demo/reference.ply" "$source/data/demo/scan.ply" fit.ply
    "$build/sfgp" info fit.ply | grep -q points
    rm fit.ply
done
