#!/bin/sh
# Which layer of src/ may include which: the table below, from the bottom up. The program (report and below it in the
# table) has the public header, page, base/platform*.h, base/quantile.h, and no other layer of the library. What knows the system stands in
# base/platform_*, what systems differ in by #if in base/platform.h. Usage: layers.sh SOURCE_DIR BUILD_DIR
set -eu
cd "$1/src"
awk '
    BEGIN {
        allow("base")
        allow("linalg", "base")
        allow("geom", "base linalg")
        allow("io", "base geom")
        allow("kernel", "base linalg")
        allow("lowrank", "base linalg geom kernel")
        allow("model", "base linalg geom io kernel lowrank")
        allow("correspond", "base linalg geom")
        allow("gpr", "base linalg geom kernel lowrank correspond")
        allow("baseline", "base linalg geom lowrank model correspond gpr")
        allow("em", "base linalg geom lowrank model correspond gpr")
        allow("search", "base geom lowrank em")
        allow("outcome", "base geom lowrank model em search")
        allow("deformation", "base linalg geom io model gpr em")
        allow("fit", "base geom lowrank model baseline em search outcome deformation")
        allow("simulate", "base linalg geom io") # nothing of the methods that it judges
        allow("page") # the program has it too; but the public function, which is of the library alone
        allow("report", "page")
        allow("batch", "page report")
        allow("study", "page report batch") # the pool of processes
        allow("cli", "page report batch study")
        allow("python")
        allow("r")
    }
    BEGIN {
        n = split("assert ctype errno fenv float inttypes limits locale math setjmp stdarg stdatomic stdbool stddef stdint " \
                  "stdio stdlib string time", names, " ")
        for (k = 1; k <= n; k++) portable[names[k]] = 1
        libraries = "^(sfgp/sfgp|cholmod|arpack|cblas|lapacke|lbfgs|hdf5|xxhash|zlib|jansson|mpi|kdtree\\+\\+/.*|R|Rinternals|cmath|limits|vector|algorithm|utility|new|array|cstdint|cstddef)$"
    }
    function allow(layer, others,    k, n, list) {
        known[layer] = 1
        allowed[layer, layer] = 1
        n = split(others, list, " ")
        for (k = 1; k <= n; k++) {
            if (!(list[k] in known)) { print "table: " list[k] " stands above " layer; bad = 1 }
            allowed[layer, list[k]] = 1
        }
    }
    FNR == 1 { split(FILENAME, part, "/"); own = part[1]; if (!(own in known)) { print FILENAME ": no such layer: " own; bad = 1 } }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quote, "\""); path = quote[2]; split(path, piece, "/"); other = piece[1]
        if (path == "sfgp/sfgp.h") next
        if (own == "r" && path !~ "/") next # R compiles in the folder of the package
        seen++
        if (path ~ /^base\/(platform(_[a-z]+)?|quantile)\.h$/ && own != "python" && own != "r") next # known to the whole program
        if (FILENAME == "page/fit_write.c" && other == "base") next
        if (!(other in known)) { print FILENAME ":" FNR ": include \"layer/file.h\", not \"" path "\""; bad = 1 }
        else if (!((own, other) in allowed)) { print FILENAME ":" FNR ": " own " must not include " other; bad = 1 }
    }
    /cholmod|cblas_|LAPACKE_|arpack|lbfgs/ && /^[ \t]*#[ \t]*include/ && own != "linalg" {
        print FILENAME ":" FNR ": only linalg names a numerics library"; bad = 1 }
    /^[ \t]*#[ \t]*include[ \t]*<mpi/ && FILENAME != "cli/batch_mpi.c" { print FILENAME ":" FNR ": only cli/batch_mpi.c names MPI"; bad = 1 }
    /^[ \t]*#[ \t]*include[ \t]*<hdf5/ && own != "io" { print FILENAME ":" FNR ": only io names HDF5"; bad = 1 }
    /^[ \t]*#[ \t]*pragma[ \t]+omp/ && $3 != "simd" { print FILENAME ":" FNR ": loops run by base/parallel.h"; bad = 1 }
    /^[ \t]*#[ \t]*include[ \t]*<zlib/ && own != "io" && FILENAME != "page/png.c" { print FILENAME ":" FNR ": only io and page/png.c name zlib"; bad = 1 }
    # What knows the system stands in base/platform_*, and every #if about one in base/platform.h: elsewhere there are the
    # headers of C11 and of the libraries. watch.c of Python reads a clock.
    /^[ \t]*#[ \t]*include[ \t]*</ && FILENAME !~ /^base\/platform_/ && own != "r" {
        split($0, angle, /[<>]/); header = angle[2]; sub(/\.h$/, "", header)
        if (!(header in portable) && header !~ libraries) {
            print FILENAME ":" FNR ": <" angle[2] "> belongs into base/platform_*"; bad = 1 }
    }
    /^[ \t]*#[ \t]*(if|elif|ifdef|ifndef)/ && /linux|APPLE|WIN32|MINGW|BSD|unix|GLIBC|MUSL|x86_64|i386|aarch64|s390|BYTE_ORDER|[ (!]O_[A-Z]+/ {
        if (FILENAME == "base/platform.h") conditions++
        else { print FILENAME ":" FNR ": an #if about a system belongs into base/platform.h"; bad = 1 } }
    (/^[ \t]*#[ \t]*define[ \t]+_[A-Z]+_SOURCE/ || /"\/proc\//) && FILENAME !~ /^base\/platform_/ {
        print FILENAME ":" FNR ": what knows the system belongs into base/platform_*"; bad = 1 }
    FILENAME ~ /^base\/platform_/ { platform++ }
    END { if (conditions < 5) { print "base/platform.h was not seen"; bad = 1 }
          if (platform < 500) { print "base/platform_* was not seen"; bad = 1 }
          if (seen < 50) { print "only " seen + 0 " includes seen: the test looks at nothing"; bad = 1 } exit bad }
' $(find . -name '*.[ch]' -o -name '*.cpp' | sed 's,^\./,,' | sort)
