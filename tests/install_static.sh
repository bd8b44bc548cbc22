#!/bin/sh
# Builds the example that install_use.sh has left in SCRATCH_DIR with the static library, which a program then has within
# itself. Usage: install_static.sh SOURCE_DIR SCRATCH_DIR
set -eu
source=$1 scratch=$2
needs=$(pkg-config --static --cflags --libs sfgp | sed 's/-lsfgp/-l:libsfgp.a/') # -lsfgp prefers the shared one
cc -std=c11 "$scratch/example.c" -o "$scratch/static-by-pkg-config" $needs
mkdir "$scratch/static"
cat >"$scratch/static/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(sfgp REQUIRED)
add_executable(static-by-cmake ../example.c)
target_link_libraries(static-by-cmake sfgp::sfgp_static)
CMAKE
cmake -S "$scratch/static" -B "$scratch/out/static" >/dev/null
cmake --build "$scratch/out/static" >/dev/null
cd "$scratch"
for example in ./static-by-pkg-config ./out/static/static-by-cmake; do
    if ldd "$example" | grep libsfgp; then echo "$example needs the shared library"; exit 1; fi
    "$example" "$source/data/demo/reference.ply" "$source/data/demo/scan.ply" static.ply
    [ -s static.ply ] || { echo "$example writes nothing"; exit 1; }
    rm static.ply
done
