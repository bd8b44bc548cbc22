# Sourced by the sweeps of failing functions: their inputs, in the folder that they work in, and the commands that they repeat.
# Needs $program and a function sweep NAME ARGUMENT..., whose command writes into the folder out.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
fast="--method sfgp-scalar --max-iterations 3 --rank 5"
"$program" simulate ear -o ear --resolution 4 >/dev/null 2>&1
"$program" register ear/reference.ply ear/scan.ply -o fit.ply --save fit.h5 --quiet $fast 2>/dev/null || [ $? = 1 ]
"$program" model build ear/reference.ply -o model.h5 --rank 5 2>/dev/null
printf 'id\ttarget\na\tear/scan.ply\nb\tear/truth.ply\n' >cases.tsv
"$program" batch cases.tsv -o done --model ear/reference.ply $fast --quiet 2>/dev/null || [ $? = 1 ]
printf '{"title": "t", "sets": [{"name": "a", "axis": "x", "levels": [1], "samples": 2, "simulate": "fish"}], "methods": [{"name": "m", "method": "sfgp-scalar", "settings": {"max_iterations": 3, "rank": 5}}]}' >study.json

sweep_all() {
    sweep register register ear/reference.ply ear/scan.ply -o out/fit.ply --table out/fit.csv --report out/fit.json --save out/fit.h5 $fast
    sweep page register ear/reference.ply ear/scan.ply -o out/fit.ply --html out/fit.html $fast
    sweep model model build ear/reference.ply -o out/model.h5 --rank 5
    sweep sample model sample model.h5 -o out/sample.ply
    sweep apply apply fit.h5 ear/reference.ply -o out/x.ply
    sweep batch batch cases.tsv -o out/batch --model ear/reference.ply --quiet $fast
    sweep collect collect done
    sweep compare compare study.json -o out/study
}
