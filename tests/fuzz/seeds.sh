#!/bin/sh
# A folder of small valid files for each reader of fuzz/readers.c, and a dictionary of the words that its source compares
# with. What the fuzzer has found is kept in fuzz/found and is a seed, too.
# Usage: seeds.sh SOURCE_DIR PROGRAM OUTPUT
set -eu
source=$1 program=$2 out=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seed READER FILE: the file is standard input.
seed() { mkdir -p "$out/$1" && cat >"$out/$1/$2"; }

"$program" simulate ear -o "$work" --resolution 4 >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fit() { "$program" register "$work/reference.ply" "$work/scan.ply" --max-iterations 1 --method sfgp-scalar --rank 3 --quiet "$@" 2>/dev/null || [ $? = 1 ]; }
for format in ply obj stl npy csv vtp; do fit -o "$work/fit.$format"; done
fit -o "$work/fit.txt" --save "$work/fit.h5"
"$program" model build "$work/reference.ply" -o "$work/model.h5" --rank 3 2>/dev/null
"$program" model build "$work/reference.ply" --train "$work/fit.ply" "$work/truth.ply" "$work/reference.ply" --kernel "se:length=4,variance=0.02+surface:length=4,variance=0.02" \
    --rank 3 -o "$work/trained.h5" 2>/dev/null
for method in cpd bcpd; do # one has a matrix of the modes, the other a spread
    "$program" register "$work/trained.h5" "$work/scan.ply" --max-iterations 2 --method $method --quiet -o "$work/x.ply" --save "$work/$method.h5" 2>/dev/null || [ $? = 1 ]
done
tail -c +4097 "$work/model.h5" >"$work/plain.h5" # without the digest it is read as a file of others
tail -c +4097 "$work/fit.h5" >"$work/plain_fit.h5"

for format in ply obj stl npy vtp; do seed $format fit.$format <"$work/fit.$format"; done
seed ply scan.ply <"$work/scan.ply"
seed text fit.csv <"$work/fit.csv"
seed text fit.txt <"$work/fit.txt"
gzip -nc "$work/fit.obj" | seed gzip fit.obj.gz
seed mask truth.txt <"$work/truth_missing.txt"
printf '0\n1\n0\n1\n1\n0\n0\n1\n' | seed mask eight.txt
for reader in model array; do
    seed $reader model.h5 <"$work/model.h5"
    seed $reader plain.h5 <"$work/plain.h5"
done
for file in model trained; do seed model_table $file.h5 <"$work/$file.h5"; done
for file in fit cpd bcpd; do seed fit_table $file.h5 <"$work/$file.h5"; done
seed deformation fit.h5 <"$work/fit.h5"
seed deformation plain.h5 <"$work/plain_fit.h5"

printf 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nproperty uchar red\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n3 0 1 3 7\n9 0 1 2 3 -1 3 0 1 -1\n' | seed ply strips.ply
seed ply text.ply <<'END'
ply
format ascii 1.0
comment TextureFile a.png
element vertex 4
property float x
property float y
property float z
property uchar red
element face 2
property list uchar int vertex_indices
property list uchar float texcoord
end_header
0 0 0 255
1 0 0 0
0 1 0 7
0 0 1 9
3 0 1 2 6 0 0 1 0 0 1
4 0 1 2 3 8 0 0 1 0 0 1 1 1
END
seed obj all.obj <<'END'
mtllib a.mtl
o one
v 0 0 0 1 0 0
v 1 0 0 1 0 0
v 0 1 0 1 0 0
v 0 0 1
vt 0 0
vn 0 0 1
g side
usemtl red
s 1
f 1/1/1 2/1/1 3/1/1
f -1 -2 \
-3
f 1//1 2//1 4//1
END
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n' | seed stl text.stl
printf '# x y z\n1,2,3\n4;5;6\n\n-1e-3 2 .5\n' | seed text mixed.csv
printf 'COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 0.5 1 1\n0 1 0.5 1 2 3 4\n3 0 1 2 0.1 0.2 0.3\n' | seed off colours.off
printf 'OFF # comment\n3 1\n0 0 0\n1 0 0\n0 1 0.5\n3 0 1 2\n' | seed off plain.off
printf '# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0.5 0\n1 0\nVERTICES 1 2\n1 0\nPOLYGONS 2 8\n3 0 1 2\n3 0 2 3\nPOINT_DATA 4\nSCALARS a f\nx\n' | seed vtk three.vtk
printf '# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0.5 0\n1 0\nMETADATA\nINFORMATION 0\n\nPOLYGONS 3 6\nOFFSETS vtktypeint64\n0 3 6\nCONNECTIVITY vtktypeint64\n0 1 2 0 2 3\n' | seed vtk five.vtk
printf '# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET POLYDATA\nFIELD FieldData 3\na 1 2 string\none%%20two\n\nMETADATA\nINFORMATION 0\n\nb 2 1 double\n1 2\nc 1 1 string\nx\nPOINTS 1 float\n0 0 0\n' | seed vtk strings.vtk
printf '# vtk DataFile Version 5.1\ntitle\nBINARY\nDATASET POLYDATA\nFIELD FieldData 1\na 1 4 string\n\303one\200\003two\100\000\000\001x\000\000\000\000\000\000\000\001y\nPOINTS 1 float\n\077\200\000\000\000\000\000\000\000\000\000\000' | seed vtk lengths.vtk
printf '# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0\n1 1 0.5 0\n1 0\nCELLS 3 10\n3 0 1 2\n3 0 2 3\n1 1\nCELL_TYPES 3\n5\n7 1\n' | seed vtk grid.vtk
seed vtp text.vtp <<'END'
<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt32">
<PolyData><Piece NumberOfPoints="3" NumberOfPolys="1">
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0</DataArray></Points>
<Polys><DataArray type="Int32" Name="connectivity" format="ascii">0 1 2</DataArray>
<DataArray type="Int32" Name="offsets" format="ascii">3</DataArray></Polys>
</Piece></PolyData></VTKFile>
END
# Three points of 32-bit reals and the 16-bit indices 0 1 2.
buffer=AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAA=
printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"scale":[1,2,1],"children":[1]},{"mesh":0,"rotation":[0,0,0,1]}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],"buffers":[{"byteLength":44,"uri":"data:application/octet-stream;base64,%s"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}]}' "$buffer" | seed gltf inside.gltf
# The same as .glb: a head, the JSON, the binary part. And one whose buffer is the file itself.
json='{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],"buffers":[{"byteLength":44}]}'
word() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256)))\\0\\0"; } # a number below 65536
{
    printf glTF && word 2 && word $((12 + 8 + ${#json} + 8 + 44)) && word ${#json} && printf 'JSON%s' "$json"
    word 44 && printf 'BIN\0' && printf %s "$buffer" | base64 -d
} | seed gltf three.glb
printf '{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"a.gltf"}]}' | seed gltf itself.gltf
# Reals of 32 bits, one column after the other, and bytes.
npy() { printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '$1', 'fortran_order': $2, 'shape': ($3), }"; }
{ npy '<f4' True '2, 3' && printf '\0\0\0\0\0\0\200?\0\0\0@\0\0@@\0\0\200@\0\0\240@'; } | seed npy columns.npy
{ npy '|u1' False '2, 2' && printf '\1\2\3\4'; } | seed npy bytes.npy

printf '# name,x,y,z\ntip,1,2.5,-3\n"lobe, upper",4,5,6\n' | seed landmarks_csv two.csv
printf 'Version 1.0\r\n3\r\nS0000 1 2.5 -3\r\nS0001 9999 9999 9999\r\nC0000 4 5 6\r\n' | seed landmarks_csv checkpoint.csv
printf '"","x","y","z"\n"tip",NA,NA,NA\n"lobe",1,2,3\n' | seed landmarks_csv unset.csv
printf '# Markups fiducial file version = 4.11\n# CoordinateSystem = LPS\n# columns = id,x,y,z,ow,ox,oy,oz,vis,sel,lock,label,desc,associatedNodeID\n1,-1.5,2,3,0,0,0,1,1,1,0,"tip, ""upper""",,\n2,4,5,6,0,0,0,1,1,1,0,lobe,some words,\n' | seed landmarks_fcsv slicer.fcsv
printf '{"@schema": "x", "markups": [{"type": "Fiducial", "coordinateSystem": "RAS", "controlPoints": [{"label": "tip \\u00e9\\ud83d\\udc42", "position": [1, -2.0, 3e1]}, {"position": null, "positionStatus": "undefined"}], "measurements": [{"a": [1, {}]}, null, true]}]}' | seed landmarks_markups slicer.mrk.json
printf '[{"id": "tip", "coordinates": [1, 2.5, -3]}, {"id": "lobe", "description": "", "coordinates": [4, 5, 6], "uncertainty": {"stddevs": [1, 1, 1], "pcs": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}]' | seed landmarks_scalismo two.json
printf '<!DOCTYPE PickedPoints>\n<PickedPoints>\n <DocumentData><DataFileName name="x.ply"/></DocumentData>\n <point x="1" y="-2.5" z="3e1" active="1" name="tip &quot;a&quot;"/>\n <point active="0" y="0" x="0" z="0" name="never"/>\n</PickedPoints>\n' | seed landmarks_picked two.pp
printf 'LM=2\r\n10 -20\r\n30 40\r\nCURVES=1\r\nPOINTS=2\r\n1 1\r\n2 2\r\nID=0\r\nSCALE=0.5\r\n' | seed landmarks_tps two.tps
printf '"a skull\n1 2L 3 1 9999 DIM=3\ntip lobe\n1 -2.5 3e1\n9999 9999 9999\n' | seed landmarks_nts two.nts
printf "'Exported\\r\\n1 1L 6L 1 9999 Dim=3\\r\\nskull 12\\r\\nx1 y1 z1 x2 y2 z2\\r\\n1 2 3\\r\\n4 5 6\\r\\n" | seed landmarks_nts one.dta

# Objects of HDF5, one a line (recipe.h): a Statismo model with texts and types of all kinds, and the groups of our own.
seed hdf5_recipe statismo.txt <<'END'
/version/majorVersion i4 = 0
/version/minorVersion u1 = 9
/representer g =
/representer@name v = itkStandardMeshRepresenter
/representer@datasetType s = POLYGON_MESH
/representer/points F4:kz 3 4 = 0 1 0 0 0 0 1 0 0 0 0 1
/representer/cells I4:ks 3 2 = 0 1 1 2 2 3
/model/mean f8:p 12 = 0 0 0 1 0 0 0 1 0 0 0 1.5
/model/pcaBasis f4:m 12 1 = 0 0 0 0 0 0 0 0 0 0 0 1
/model/pcaVariance f4 1 = 4
/model/noiseVariance f4 = 0
/modelinfo/build-time v = now
END
seed hdf5_recipe catalogue.txt <<'END'
/catalog/a/modelPath s = /one
/one/version/majorVersion i4 = 0
/one/version/minorVersion i4 = 8
/one/representer/points f4 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1
/one/representer/cells u4 1 3 = 0 1 2
/one/model/mean f4 12 = 0 0 0 1 0 0 0 1 0 0 0 1
/one/model/pcaBasis f8 12 2 = 1 0 0 1
/one/model/pcaVariance f8 2 = 4 1
/one/model/noiseVariance f4 1 = 0
/two l = /one
/model h = /one/model
END
seed hdf5_recipe own.txt <<'END'
/sfgp/version i4 = 1
/sfgp/reference f8 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1
/sfgp/frame f8 4 = 0.25 0.25 0.25 1
/sfgp/mean f8 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1
/sfgp/surface f8 = 0
/sfgp/scalar f8 4 1 = 1 0.5
/sfgp/pivots i8 1 = 0
/sfgp/pca f8 12 1 = 0 1 0
/sfgp/residual f8 = 0
/sfgp/face_start i8 2 = 0 3
/sfgp/face_points i8 3 = 0 1 2
/sfgp/kernel s = se:length=1,variance=1
/sfgp/prior s = se:length=1,variance=1
/sfgp/checksum s = 0000000000000000
/fit/version i4 = 1
/fit/outcome s = converged
/fit/points f8 4 3 = 0 0 0 1 0 0 0 1 0 0 0 1
END

number='"type": {"class": "H5T_FLOAT", "base": "H5T_IEEE_F32LE"}, "shape": {"class": "H5S_SIMPLE", "dims":'
hard() { printf '{"class": "H5L_TYPE_HARD", "title": "%s", "collection": "%s", "id": "%s"}' "$1" "$2" "$3"; }
cat <<END | seed model_json four.h5.json
{"apiVersion": "1.1.1", "datasets": {
"1": {$number [3, 4]}, "value": [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}, "2": {$number [3, 4]}, "value": [[0, 0, 0, 1], [1, 1, 2, 2], [2, 3, 3, 3]]},
"3": {$number [12]}, "value": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.5]}, "4": {$number [12, 1]}, "value": [[0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [0], [1]]},
"5": {$number [1]}, "value": [4]}, "6": {$number [1]}, "value": [0.0]},
"7": {"shape": {"class": "H5S_SCALAR"}, "value": 0}, "8": {"shape": {"class": "H5S_SCALAR"}, "value": 9}},
"groups": {"root": {"attributes": [], "links": [$(hard model groups m), $(hard representer groups r), $(hard version groups v)]},
"r": {"attributes": [{"name": "datasetType", "shape": {"class": "H5S_SCALAR"}, "value": "POLYGON_MESH"}], "links": [$(hard points datasets 1), $(hard cells datasets 2)]},
"m": {"attributes": [], "links": [$(hard mean datasets 3), $(hard pcaBasis datasets 4), $(hard pcaVariance datasets 5), $(hard noiseVariance datasets 6)]},
"v": {"attributes": [], "links": [$(hard majorVersion datasets 7), $(hard minorVersion datasets 8)]}}, "root": "root"}
END

printf '/sfgp group\n/sfgp/version int32 4096\n/model/mean float32 4104 30\n/model/basis float64 8192 30 4\n/info/text text 9000 12\n\n' | seed hdf5_table model.txt
printf 'kernel=se:length=2,variance=1+matern52:length=0.5,variance=0.1\nomega=0.2\nrank=auto\nmethod=sfgp-full\nmax_memory=2G\nmirror=1\n' | seed settings some.txt
printf '{"settings": {"omega": 0.1, "kernel": "se:length=2,variance=1", "mirror": true, "max-iterations": 20}}' | seed config report.json
printf '{"rank": "auto", "method": "sfgp-full", "max_memory": "2G"}' | seed config plain.json
printf -- '-x\nx.txt\n-y\ny.txt\n-w0.1\n-l\n50\n-b2.0\n-g\n3\n-J300\n-K70\n-p\n-d7\n-e0.3\n-f0.3\n-n\n50\n-sA\n-DB,5000,0.08\n-ux\n-Tsrn\n-G1\n-k\n1e9\n-c\n1e-6\n-r\n1\n-A' | seed bcpd all.txt
printf -- '--auto\n-q\n-o\nout_\n-sye\n-h' | seed bcpd auto.txt
printf '# comment\nid\ttarget\ttruth\tomega\tapply\n\na\tscan.ply\t\t0.1\tx.csv\nb\tscan 2.ply\ttruth.ply\t\t\n' | seed manifest tabs.tsv
printf 'id,target,kernel\na,"scan, 1.ply","se:length=2,variance=1"\nb,"say ""b"".ply",\n' | seed manifest commas.tsv
printf '{"id": "a", "status": "converged", "error": null, "digests": {"key": "00", "fit": null}, "seal": "00"}' | seed record a.json
printf '{"status": "ok", "outcome": "converged", "error": null, "unit": "mm", "warnings": ["one", "two"], "target_path": "none.ply", "sha256": {"key": "00", "fit": null, "target": "00", "carried": null}, "seconds": {"total": 1.5}, "iterations": 20, "sd": {"mean": 0.5, "largest": 1}, "errors": {"all": {"mean": 1, "median": 1, "p95": 2}}, "peak_mib": 80}' | seed row one.json
printf 'id,x,y,z\n1,1,2,3\n2,4,5,6\n' | seed columns names.csv
printf '1 2 3\n4 5 6\n7 8 9.5\n' | seed columns plain.txt
printf '{"title": "t", "text": "x", "data": ".", "seed": 1, "jobs": 1, "sets": [{"name": "a", "axis": "Level", "hdf5": "none.h5", "group": "g/{level}", "levels": [1, 2], "samples": 2}], "methods": [{"name": "one", "method": "sfgp-scalar", "settings": {"omega": [0.1, 0.2]}}, {"name": "two", "method": "cpd", "grid": {"omega": [0.1, 0.2]}, "sets": ["a"]}, {"name": "three", "command": "prog -a {omega} {reference}", "points": "{output}y.txt", "timeout": 2}], "tune": {"set": "a", "level": 1, "samples": 1}, "views": [{"set": "a", "level": 1, "sample": 0}]}' | seed study small.json
printf '0\t-1\t0\t1\t2\tconverged\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t14\t15\t16\t17\t18\t19\t20\tmessage\n' | seed journal line.tsv

for folder in "$source"/tests/fuzz/found/*/; do
    [ -d "$folder" ] && mkdir -p "$out/$(basename "$folder")" && cp "$folder"* "$out/$(basename "$folder")"
done
mkdir -p "$out/words"
for reader in "$out"/*/; do
    name=$(basename "$reader")
    case $name in
    words) continue ;;
    landmarks_*) files="$source/src/io/landmarks*.c" ;;
    model* | *_table | array | deformation | hdf5_recipe) files="$source/src/io/hdf5*.c $source/src/model/*.c" ;;
    manifest | record | row) files="$source/src/batch/*.c" ;;
    study | journal) files="$source/src/study/*.c" ;;
    config) files="$source/src/cli/config.c $source/include/sfgp/sfgp.h" ;;
    bcpd) files="$source/src/cli/bcpd*.c" ;;
    settings) files="$source/src/kernel/*.c $source/include/sfgp/sfgp.h" ;;
    gzip) files="$source/src/io/gzip.c" ;;
    text | columns | mask) files="$source/src/io/text*.c $source/src/io/columns.c" ;;
    *) files="$source/src/io/$name*.c" ;;
    esac
    # What is no plain word, libFuzzer would refuse.
    grep -oh '"[A-Za-z0-9_:@<>/=#. -]\{2,24\}"' $files | sort -u >"$out/words/$name.dict" || true
done
