# Sourced by the sweeps of failing functions: their inputs, in the folder that they work in, and the commands that they repeat.
# Needs $source, $program and a function sweep NAME ARGUMENT..., whose command writes into the folder out.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
fast="--method sfgp-scalar --max-iterations 3 --rank 5"
"$program" simulate ear -o ear --resolution 4 >/dev/null 2>&1
"$program" register ear/reference.ply ear/scan.ply -o fit.ply --save fit.h5 --quiet $fast 2>/dev/null || [ $? = 1 ]
"$program" model build ear/reference.ply -o model.h5 --rank 5 2>/dev/null
printf 'id\ttarget\na\tear/scan.ply\nb\tear/truth.ply\n' >cases.tsv
"$program" batch cases.tsv -o done --model ear/reference.ply $fast --quiet 2>/dev/null || [ $? = 1 ]
printf '{"title": "t", "sets": [{"name": "a", "axis": "x", "levels": [1], "samples": 2, "simulate": "fish"}], "methods": [{"name": "m", "method": "sfgp-scalar", "settings": {"max_iterations": 3, "rank": 5}}]}' >study.json

# What a command finds in its folder: the files of the folder begun, none but in sweep_begun.
mkdir begun
fresh_out() { rm -rf out && cp -r begun out; }

# What only some batches and studies have: references to choose from, landmarks, training shapes; folders, stand-ins, grids, programs.
mkdir scans shapes
cp ear/scan.ply scans/a.ply
cp ear/truth.ply ear/reference.ply shapes
printf 'name,x,y,z\ntip,0,0,0\nlobe,1,0,0\n' >marks.csv
printf '1,0,0,0,0,0,0,1,1,1,0,tip,,\n2,1,0,0,0,0,0,1,1,1,0,lobe,,\n' >marks.fcsv
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
    sweep info_of_marks info marks.fcsv
    sweep info_of_fit model info fit.h5
    sweep evaluate_marks evaluate marks.fcsv marks.fcsv --table out/marks_table.csv
    sweep evaluate evaluate ear/truth.ply ear/reference.ply --missing ear/truth_missing.txt
}

# A model that others have written: our own without its digest, read by libhdf5 in a process of its own.
sweep_others() {
    tail -c +4097 model.h5 >plain.h5
    sweep info_of_others model info plain.h5
}

# Files of every format that is read, and the other verbs, formats and methods: only for sweeps by place, where a command costs its new places.
readable() { for file in "$@"; do ! "$program" info "$file" >/dev/null 2>&1 || echo "$file"; done; }

sweep_formats() {
    for reader in ply obj stl npy text off vtk vtp gltf gzip; do
        sweep "read $reader" info $(readable seeds/$reader/*)
    done
    sweep info_json info ear/scan.ply ear/truth.ply --json
    for format in obj stl vtp npy csv txt ply.gz; do
        sweep "write $format" apply fit.h5 ear/truth.ply -o "out/x.$format"
    done
    for landmarks in seeds/landmarks_*/two.[!t]* seeds/landmarks_*/slicer.*; do
        sweep "landmarks $landmarks" apply fit.h5 "$landmarks" -o "out/x.${landmarks#*.}"
    done
    printf 'LM3=3\n0 0 0\n1 0 0\n0 1 0\nID=a\n' >three.tps
    sweep landmarks_tps apply fit.h5 three.tps -o out/x.tps
}

sweep_models() {
    for model in seeds/model/model.h5 seeds/model/plain.h5 seeds/model_json/four.h5.json; do
        sweep "info of $model" model info "$model"
        sweep "sample of $model" model sample "$model" -o out/sample.ply
    done
    sweep "apply plain.h5" apply seeds/deformation/plain.h5 ear/reference.ply -o out/x.ply
    sweep trained model build ear/reference.ply --train shapes seeds/ply/fit.ply --align-training similarity \
        --kernel se:length=1,variance=0.1+surface:length=1,variance=0.1 --rank 8 -o out/model.h5
    for lowrank in eigen nystrom; do
        sweep $lowrank model build ear/reference.ply --lowrank $lowrank --rank 6 -o out/model.h5
    done
    sweep mean model mean model.h5 -o out/x.ply
    sweep component model component model.h5 -o out/x.vtp
    sweep posterior model posterior fit.h5 -o out/model.h5
}

sweep_methods() {
    for method in $("$program" methods | sed 's/ .*//'); do
        sweep "$method" register ear/reference.ply ear/scan.ply -o out/fit.ply --method "$method" --train shapes --max-iterations 2
    done
    sweep options register ear/reference.ply ear/scan.ply -o out/fit.ply --landmarks marks.csv marks.csv --profile --max-memory 4G --mirror \
        --html out/fit.html --unit mm --verbose --json --table out/fit.csv --save out/fit.h5 $fast
    sweep saved register model.h5 ear/scan.ply -o out/fit.ply --config settings.json --effort quick --max-iterations 2
    sweep sparse register ear/reference.ply ear/scan.ply -o out/fit.ply --method sfgp-scalar --max-iterations 2 \
        --kernel surface:length=1,variance=0.1,form=sparse
    sweep dry register ear/reference.ply ear/scan.ply -o out/fit.ply --dry-run
}

# Shapes that are large enough for the searches, levels and factors of method auto, which end soon.
sweep_shapes() {
    soon="--tolerance 0.1 --rank 20"
    "$program" simulate ear -o turned --resolution 16 --rotation 70 >/dev/null 2>&1
    "$program" simulate ear -o large --resolution 28 >/dev/null 2>&1
    "$program" simulate shape turned/truth.ply -o piece --holes 3 --hole-radius 0.9 >/dev/null 2>&1
    sweep turned register turned/reference.ply turned/scan.ply -o out/fit.ply $soon
    sweep levels register large/reference.ply large/scan.ply -o out/fit.ply --effort quick $soon --save out/fit.h5
    sweep mirrored register turned/reference.ply turned/scan.ply -o out/fit.ply --mirror $soon
    sweep thorough register turned/reference.ply turned/scan.ply -o out/fit.ply --effort thorough $soon
    sweep held register turned/reference.ply turned/scan.ply -o out/fit.ply --landmarks three.csv three.csv $soon
    printf 'id\ttarget\na\tlarge/scan.ply\nb\tlarge/truth.ply\n' >large.tsv
    sweep kept_levels batch large.tsv -o out/large --model large/reference.ply --effort quick --jobs 1 --quiet $soon
    sweep clutter register piece/scan.ply turned/scan.ply -o out/fit.ply $soon
    sweep subset register turned/reference.ply turned/scan.ply -o out/fit.ply --method bcpd++ --subset 200 --max-iterations 3
    sweep surface model build turned/reference.ply -o out/model.h5 --kernel surface:length=1,variance=0.1 --rank 20
    sweep eigenpairs model build turned/reference.ply -o out/model.h5 --lowrank eigen --rank 20
    sweep sparse_field register turned/reference.ply turned/scan.ply -o out/fit.ply --method sfgp-scalar --max-iterations 2 \
        --kernel surface:length=1,variance=0.1,form=sparse --max-memory 4G
    sweep two_stages model build large/reference.ply -o out/model.h5 --accuracy 1e-3
}

sweep_verbs() {
    sweep align_landmarks align ear/reference.ply ear/truth.ply -o out/x.ply --landmarks three.csv three.csv --kind similarity --transform out/x.json
    sweep surfaces evaluate ear/truth.ply ear/reference.ply --surface
    sweep map evaluate ear/truth.ply ear/reference.ply --distance-map out/x.ply
    sweep fish simulate fish -o out/fish
    sweep ear simulate ear -o out/ear --resolution 4
    sweep shape simulate shape ear/truth.ply -o out/shape --box-width 0.5 --missing-share 0.1 --deformation 0.1
    for verb in methods "methods --json" settings "settings --markdown" "settings --json" help "help register" "help --man" "help --completion bash" --version; do
        sweep "$verb" $verb
    done
    printf 'target\near/scan.ply\near/truth.ply\nnowhere.ply\n' >some.tsv # ids are made, a case fails, the solver warns
    sweep pages batch some.tsv -o out/pages --reference ear/reference.ply --html --collect --verbose --unit mm --events out/events --isolate --jobs 2 $fast
    sweep kept batch some.tsv -o out/kept --reference ear/reference.ply --collect --beta 3 --jobs 1 --quiet $fast
    printf 'id,target\na,ear/scan.ply\n' >commas.csv
    sweep commas batch commas.csv -o out/commas --reference ear/reference.ply --quiet --dry-run $fast
    sweep folder batch scans -o out/folder --reference ear/reference.ply --quiet --dry-run $fast
    sweep figures compare figures.json -o out/figures
}

# What goes on from results: a batch that lacks a fit, a study whose journal ends within a line, a folder of results.
sweep_begun() {
    cp -r done begun/batch
    rm begun/batch/b/fit.ply
    "$program" compare study.json -o begun/study >/dev/null 2>&1 || true
    head -c -9 begun/study/journal.tsv >shorter && mv shorter begun/study/journal.tsv
    sweep resumed batch cases.tsv -o out/batch --model ear/reference.ply --quiet $fast --resume --retry-failed --save --collect
    sweep collected collect out/batch
    sweep compare_resumed compare study.json -o out/study
    rm -r begun/*
}

sweep_rest() {
    sh "$source/tests/fuzz/seeds.sh" "$source" "$program" seeds >/dev/null 2>&1
    printf '{"settings": {"omega": 0.1}}' >settings.json
    printf 'name,x,y,z\na,0,0,0\nb,1,0,0\nc,0,1,0\n' >three.csv
    printf '{"title": "t", "sets": [{"name": "a", "axis": "x", "unit": "mm", "levels": [1, 2], "samples": 2, "simulate": "fish", "damage": {"noise": [0.01, 0.02], "holes": 1}}, {"name": "b", "levels": [1, 2], "samples": 2, "simulate": "fish", "damage": {"noise": [0.01, 0.02]}, "stand_in": {"simulate": "fish"}}], "methods": [{"name": "m", "method": "sfgp-scalar", "settings": {"max_iterations": 3, "rank": 5}}, {"name": "n", "method": "cpd-rigid", "settings": {"max_iterations": 3}}], "views": [{"set": "a", "level": 1, "sample": 0}]}' >figures.json
    sweep_formats
    sweep_models
    sweep_verbs
    sweep_begun
    sweep_methods
    sweep_shapes
}
