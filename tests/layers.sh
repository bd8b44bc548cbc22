#!/bin/sh
# A file of src/ includes its own layer or lower ones, never higher. The command line and its reports see the public
# header only. Usage: layers.sh SOURCE_DIR BUILD_DIR
set -eu
cd "$1/src"
awk '
    BEGIN {
        count = split("base linalg geom io kernel lowrank model correspond gpr baseline fit simulate evaluate report process batch study cli", order, " ")
        for (k = 1; k <= count; k++) level[order[k]] = k
    }
    FNR == 1 { split(FILENAME, part, "/"); own = part[1]; if (!(own in level)) { print FILENAME ": no such layer: " own; bad = 1 } }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quote, "\""); path = quote[2]; split(path, piece, "/"); other = piece[1]
        if (path == "sfgp/sfgp.h") next
        seen++
        if (!(other in level)) { print FILENAME ":" FNR ": include \"layer/file.h\", not \"" path "\""; bad = 1 }
        else if (level[other] > level[own]) { print FILENAME ":" FNR ": " own " must not see " other; bad = 1 }
        else if (level[own] >= level["report"] && level[other] < level["report"]) {
            print FILENAME ":" FNR ": the program uses the public header only, not " path; bad = 1 }
    }
    /cholmod|cblas_|LAPACKE_|arpack|lbfgs/ && /^[ \t]*#[ \t]*include/ && own != "linalg" {
        print FILENAME ":" FNR ": only linalg names a numerics library"; bad = 1 }
    /^[ \t]*#[ \t]*include[ \t]*<mpi/ && FILENAME != "cli/batch_mpi.c" { print FILENAME ":" FNR ": only cli/batch_mpi.c names MPI"; bad = 1 }
    /^[ \t]*#[ \t]*include[ \t]*<hdf5/ && own != "io" { print FILENAME ":" FNR ": only io names HDF5"; bad = 1 }
    END { if (seen < 50) { print "only " seen + 0 " includes seen: the test looks at nothing"; bad = 1 } exit bad }
' $(find . -name '*.[ch]' -o -name '*.cpp' | sed 's,^\./,,' | sort)
