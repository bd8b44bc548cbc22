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

# What only some batches and studies have: references to choose from, landmarks, training shapes; folders, stand-ins, grids, programs.
mkdir scans shapes
cp ear/scan.ply scans/a.ply
cp ear/truth.ply ear/reference.ply shapes
printf 'name,x,y,z\ntip,0,0,0\nlobe,1,0,0\n' >marks.csv
printf 'id\ttarget\ttruth\tlandmarks\tseed\na\tear/scan.ply\tear/truth.ply\tmarks.csv\t3\nb\tear/truth.ply\t\t\t\n' >choices.tsv
cat >sources.json <<'STUDY'
{"title": "t", "data": ".", "sets": [
  {"name": "f", "folder": ".", "reference": "ear/reference.ply", "scans": "scans", "truth": "ear/truth.ply", "missing": "ear/truth_missing.txt", "training": "shapes"},
  {"name": "h", "hdf5": "none.h5", "samples": 1, "stand_in": {"simulate": "fish", "training": 3, "damage": {"deformation": 0.1}}},
  {"name": "u", "hidden": true, "simulate": "fish", "first": 10, "samples": 1}],
 "methods": [
  {"name": "m", "method": "sfgp-scalar", "settings": {"max_iterations": 2, "rank": 5}, "grid": {"omega": [0.1, 0.2]}},
  {"name": "e", "method": "external", "command": "cp {reference} {output}y.txt", "points": "{output}y.txt"}],
 "tune": {"set": "u", "samples": 1}, "views": [{"set": "f", "level": 0, "sample": 0}]}
STUDY

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

# Verbs and options beside those above.
sweep_more() {
    sweep batch_of_references batch choices.tsv -o out/choices --reference ear/reference.ply --reference ear/truth.ply --apply marks.csv \
        --apply marks.csv --median --landmarks marks.csv --landmarks marks.csv --save --collect --unit mm --quiet --effort quick --max-iterations 2 --rank 5
    sweep batch_with_training batch choices.tsv -o out/trained --reference ear/reference.ply --train shapes --landmarks marks.csv \
        --apply ear/truth.ply --profile --quiet $fast
    sweep compare_sources compare sources.json -o out/sources
    sweep bcpd bcpd -x ear/scan.ply -y ear/reference.ply -o out/b_ -s yxvacePTA -n 3
    sweep align align ear/reference.ply ear/truth.ply -o out/x.ply --json
    sweep info info ear/scan.ply
    sweep evaluate evaluate ear/truth.ply ear/reference.ply --missing ear/truth_missing.txt
}
