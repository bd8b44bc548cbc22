#!/bin/sh
# Builds the README's example with an installed library, once through pkg-config and once through the CMake package, and a
# project in C++ alone. Usage: install_use.sh SOURCE_DIR PROGRAM SCRATCH_DIR
set -eu
source=$1 program=$2 scratch=$3
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/README.md" >"$scratch/example.c"
grep -q sfgp_solver_run "$scratch/example.c" || { echo "README.md has no C example"; exit 1; }
lines=$(grep -c . "$scratch/example.c")
[ "$lines" -le 24 ] || { echo "the example has $lines lines"; exit 1; }
flags="-std=c11 -Wall -Wextra -Werror"
cc $flags "$scratch/example.c" -o "$scratch/by-pkg-config" $(pkg-config --cflags --libs sfgp)
printf '#include <sfgp/sfgp.h>\nint main() { return sfgp_status_text(SFGP_OK)[0] != 111; }\n' >"$scratch/example.cpp"
cat >"$scratch/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user CXX)
find_package(sfgp REQUIRED)
add_executable(by-cxx example.cpp)
target_link_libraries(by-cxx sfgp::sfgp)
CMAKE
mkdir "$scratch/c"
cat >"$scratch/c/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(sfgp REQUIRED)
add_executable(by-cmake ../example.c)
target_link_libraries(by-cmake sfgp::sfgp)
CMAKE
for project in . c; do
    cmake -S "$scratch/$project" -B "$scratch/out/$project" >/dev/null
    cmake --build "$scratch/out/$project" >/dev/null
done
cd "$scratch"
./out/by-cxx
for example in ./by-pkg-config ./out/c/by-cmake; do
    "$example" "$source/data/demo/reference.ply" "$source/data/demo/scan.ply" fit.ply
    "$program" info fit.ply | grep -q points
    rm fit.ply
done
