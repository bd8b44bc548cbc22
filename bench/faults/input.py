"""Damaged and odd files for run.sh: FOLDER/CLASS/..., where CLASS is a row of docs/results/faults.md.

    input.py FOLDER        # needs FOLDER/ear (sfgp simulate ear) and FOLDER/model.h5 (sfgp model build)
"""
import gzip
import os
import struct
import sys

import numpy

os.chdir(sys.argv[1])
TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0.5), (1, 1, 0.25)]
FACES = [(0, 1, 2), (1, 3, 2)]


def put(name, content):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def header(form="ascii", vertices=4, faces=2, properties="property float x\nproperty float y\nproperty float z\n",
           listed="uchar int", end="\n"):
    text = (f"ply\nformat {form} 1.0\nelement vertex {vertices}\n{properties}element face {faces}\n"
            f"property list {listed} vertex_indices\nend_header\n")
    return text.replace("\n", end)


ROWS = "".join("%g %g %g\n" % p for p in TRIANGLE)
CORNERS = "".join("3 %d %d %d\n" % f for f in FACES)


def binary(order, form):
    body = b"".join(struct.pack(order + "3f", *p) for p in TRIANGLE)
    return header(form).encode() + body + b"".join(struct.pack(order + "B3i", 3, *f) for f in FACES)


LITTLE, BIG, ASCII = binary("<", "binary_little_endian"), binary(">", "binary_big_endian"), header() + ROWS + CORNERS
STL = b"\0" * 80 + struct.pack("<I", 2) + b"".join(
    struct.pack("<12fH", 0, 0, 1, *sum((TRIANGLE[k] for k in face), ()), 0) for face in FACES)
OBJ = "".join("v %g %g %g\n" % p for p in TRIANGLE) + "f 1 2 3\nf 2 4 3\n"

# ---- what is no file, or half of one ----------------------------------------------------------------------------------
for kind in "ply obj stl npy csv off vtk vtp glb gltf h5 gz".split():
    put(f"1/empty.{kind}", "")
os.makedirs("2/folder.ply", exist_ok=True)
put("4/locked.ply", ASCII)
os.makedirs("5", exist_ok=True)
if not os.path.islink("5/dangling.ply"):
    os.symlink("nowhere.ply", "5/dangling.ply")
start, faces = len(header()), len(header() + ROWS)
for k in range(len(ASCII) - 1):
    put(f"{7 if k < faces else 8}/{k:03d}.ply", ASCII[:k])
put("9/last_newline.ply", ASCII[:-1])
put("9/last_row.csv", "0,0,0\n1,0,0\n0,1,0.5\n1,1,0.25")
for k in range(len(LITTLE)):
    put(f"10/{k:03d}.ply", LITTLE[:k])
put("11/rows.ply", header(vertices=3, faces=0) + ROWS)
put("11/bytes.ply", LITTLE + b"more")
for k, count in enumerate(["4000000000", "9223372036854775807", "18446744073709551616", "1e9", "-1", "", "0x4", "4.0"]):
    put(f"12/vertices{k}.ply", header(vertices=count) + ROWS + CORNERS)
    put(f"12/faces{k}.ply", header(faces=count) + ROWS + CORNERS)
    put(f"12/binary{k}.ply", header("binary_little_endian", vertices=count).encode() + LITTLE[-74:])
put("13/list.ply", header("binary_little_endian", faces=1, listed="uint int").encode() + LITTLE[start + 14:start + 62] + b"\xff" * 4)
for k, (kind, row) in enumerate([("char", "-1 0 1 2"), ("uchar", "1 0"), ("uchar", "2 0 1"), ("uchar", "255 0 1 2"), ("int", "-3 0 1 2"),
                                 ("uchar", "300 0 1 2")]):
    put(f"14/list{k}.ply", header(faces=1, listed=f"{kind} int") + ROWS + row + "\n")
put("14/none.ply", header(faces=1) + ROWS + "0\n")

# ---- variants of a good file -------------------------------------------------------------------------------------------
put("15/ascii.ply", ASCII), put("15/little.ply", LITTLE), put("15/big.ply", BIG)
for k, kind in enumerate("double float float32 float64".split()):
    put(f"16/{kind}.ply", ASCII.replace("float", kind))
put("17/colours.ply", header(properties="property uchar red\nproperty float z\nproperty float quality\nproperty float y\nproperty float x\n")
    + "".join("9 %g 0.5 %g %g\n" % p[::-1] for p in TRIANGLE) + CORNERS)
put("17b/twice.ply", header(properties="property float x\nproperty float x\nproperty float y\nproperty float z\n")
    + "".join("0 %g %g %g\n" % p for p in TRIANGLE) + CORNERS)
put("18/no_z.ply", header(properties="property float x\nproperty float y\nproperty float q\n") + ROWS + CORNERS)
put("18/no_vertex.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n3 0 1 2\n")
put("18/two.ply", ASCII.replace("element face 2\n", "element vertex 1\nproperty float x\nelement face 2\n"))
put("19/no_points.ply", header(vertices=0, faces=0))
put("19b/no_faces.ply", header(faces=0) + ROWS)
put("19b/faces_first.ply", "ply\nformat ascii 1.0\nelement face 2\nproperty list uchar int vertex_indices\nelement vertex 4\n"
    "property float x\nproperty float y\nproperty float z\nend_header\n" + CORNERS + ROWS)
for k, corner in enumerate(["-1", "4", "99999999", "4294967296"]):
    put(f"20/corner{k}.ply", header(faces=1) + ROWS + f"3 0 1 {corner}\n")
    put(f"20/corner{k}.obj", OBJ + f"f 1 2 {corner if k != 1 else 5}\n".replace("-1", "-9"))
put("21/crlf_binary.ply", header("binary_little_endian", end="\r\n").encode() + LITTLE[-74:])
put("22/cr.ply", ASCII.replace("\n", "\r")), put("24/crlf.ply", ASCII.replace("\n", "\r\n"))
put("23/lfcr.ply", ASCII.replace("\n", "\n\r"))
put("25/bom.ply", b"\xef\xbb\xbf" + ASCII.encode()), put("25/bom.csv", b"\xef\xbb\xbf0,0,0\n1,0,0\n0,1,0\n1,1,1\n")
for name, text in (("ply", ASCII), ("csv", "0,0,0\n1,0,0\n"), ("obj", OBJ)):
    put(f"26/wide.{name}", text.encode("utf-16"))
put("27/nul.csv", b"0,0,0\n1,\0,0\n"), put("27/line.csv", "1" * 1000000), put("27/open.ply", "ply\nformat ascii 1.0\n" + "comment a\n" * 100000)
put("27/blank.csv", "\n" * 100000), put("27/zeros.ply", b"\0" * 100000)
put("28/comma.txt", "0,5 1,5 2,5\n1,5 0,5 0,25\n"), put("28/comma.csv", "0,5;1,5;2,5\n1,5;0,5;0,25\n")
for k, word in enumerate(["nan", "inf", "-nan(0x1)", "1e400"]):
    put(f"30/value{k}.csv", f"0,0,0\n1,{word},0\n0,1,0\n"), put(f"30/value{k}.ply", ASCII.replace("0.25", word))
put("30b/small.csv", "0,0,0\n1,1e-400,0\n0,1,4.9e-324\n1,1,1\n")
for k, word in enumerate(["1.5.2", "--1", "1,2,3;4", "0x1p3x", "1e", "e5", "1 2"]):
    put(f"30c/word{k}.csv", f"0,0,0\n1,{word},0\n0,1,0\n")
for name, rows in (("short", "0,0,0\n1,1\n0,1,0\n"), ("long", "0,0,0\n1,1,1,1\n0,1,0\n"), ("first", "0,0\n1,1,1\n0,1,0\n")):
    put(f"31/{name}.csv", rows), put(f"31/{name}.xyz", rows.replace(",", " "))
put("32/comments.txt", "# a\n\n0 0 0\n\t1\t0\t0\n\n# b\n0  1   0\n1 1 1\n")
put("32b/words.txt", "0 0 0\nhello there you\n0 1 0\n")
put("33/short.stl", STL[:-1]), put("33/count.stl", STL[:80] + struct.pack("<I", 3) + STL[84:]), put("33/half.stl", STL[:100])
put("33b/solid.stl", b"solid" + STL[5:])
put("34/relative.obj", OBJ.replace("f 2 4 3", "f -3 -1 -2")), put("34/normals.obj", OBJ.replace("f 1 2 3", "f 1//2 2//1 3//1"))
put("34/four.obj", OBJ.replace("v 0 0 0", "v 0 0 0 1")), put("34/six.obj", OBJ.replace("v 0 0 0", "v 0 0 0 1 0 0"))
put("34/continued.obj", OBJ.replace("f 2 4 3", "f 2 \\\n4 3"))
put("34b/two.obj", OBJ.replace("v 0 0 0", "v 0 0")), put("34b/zero.obj", OBJ.replace("f 1 2 3", "f 0 1 2"))
put("35/packed.ply", gzip.compress(ASCII.encode())), put("35/ply.obj", ASCII)
put("35b/archive.npz", b"PK\3\4" + b"\0" * 60), put("35b/page.csv", "<html><body>1,2,3</body></html>"), put("35b/cloud.las", b"LASF" + b"\0" * 300)

# ---- models -------------------------------------------------------------------------------------------------------------
model = open("model.h5", "rb").read()
for k in range(0, len(model), max(512, len(model) // 400 // 512 * 512)):
    put(f"38/{k:07d}.h5", model[:k])
for k in range(0, 8 * len(model), 8 * len(model) // 200):
    changed = bytearray(model)
    changed[k // 8] ^= 1 << k % 8
    put(f"39/{k:08d}.h5", bytes(changed))
put("40/empty.h5", ""), put("41/text.h5", ASCII), put("41/zeros.h5", b"\0" * 4096)

# ---- shapes -------------------------------------------------------------------------------------------------------------
def load(name):
    data = open(name, "rb").read()
    body = data.index(b"end_header\n") + 11
    lines = data[:body].decode().split("\n")
    count = next(int(line.split()[2]) for line in lines if line.startswith("element vertex"))
    names = []
    for line in lines[lines.index(next(x for x in lines if x.startswith("element vertex"))) + 1:]:
        if not line.startswith("property"):
            break
        names.append((line.split()[2], {"double": "<f8", "float": "<f4", "uchar": "u1", "int": "<i4"}[line.split()[1]]))
    rows = numpy.frombuffer(data, dtype=names, count=count, offset=body)
    return numpy.stack([rows["x"], rows["y"], rows["z"]], 1).astype(float)


def save(name, points):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    numpy.save(name, points)


scan = load("ear/scan.ply")
middle, size = scan.mean(0), numpy.abs(scan - scan.mean(0)).max()
random = numpy.random.default_rng(1)
for n in (1, 2, 3):
    save(f"46/first{n}.npy", scan[:n])
save("46b/four.npy", scan[:4])
save("47/same.npy", numpy.repeat(scan[:1], 50, 0)), save("47/two_dimensions.npy", numpy.repeat(scan[:1, :2], 50, 0))
save("48/half_twice.npy", numpy.vstack([scan, scan[::2]])), save("48/all_twice.npy", numpy.vstack([scan, scan]))
save("48/copies1e4.npy", numpy.vstack([scan, numpy.repeat(scan[:1], 10000, 0)]))
save("49/line.npy", scan * [1, 0, 0]), save("50/plane.npy", scan * [1, 1, 0])
save("51/clusters.npy", numpy.vstack([scan, scan + 20 * size])), save("52/stray.npy", numpy.vstack([scan, middle + 1e6 * size]))
for k, value in enumerate([numpy.nan, numpy.inf, -numpy.inf]):
    changed = scan.copy()
    changed[17, 1] = value
    save(f"53/value{k}.npy", changed)
for k, offset in enumerate([1e6, 1e9]):
    save(f"54/offset{k}.npy", scan + offset)
for k, scale in enumerate([1e-150, 1e-12, 1e-9, 1e9, 1e150]):
    save(f"55/scan{k}.npy", scan * scale), save(f"55r/scan{k}.npy", load("ear/reference.ply") * scale)
save("56/metres.npy", scan / 1000), save("57/outliers.npy", middle + size * 2 * (random.random((len(scan), 3)) - 0.5))
save("57/part.npy", scan[numpy.argsort(scan[:, 0])[:5]])
save("59/mirrored.npy", scan * [-1, 1, 1]), save("59/upside_down.npy", scan * [1, -1, -1])
save("60/ten.npy", scan[:: len(scan) // 10]), save("60/many.npy", numpy.repeat(scan, 40, 0) + 0.01 * size * random.standard_normal((40 * len(scan), 3)))
put("61/odd.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nv 2 2 2\nv 0 0 1\nf 1 2 3\nf 1 2 3\nf 2 1 4\nf 1 2 6\nf 1 1 2\n")
save("89/far.npy", scan + [20000, 0, 0]), save("89/utm.npy", scan + [4.67e5, 5.4e6, 300])
save("91/twice.npy", middle + 2 * (scan - middle)), save("91/half.npy", middle + 0.5 * (scan - middle))
reference = load("ear/reference.ply")
save("92/stray.npy", numpy.vstack([reference, reference.mean(0) + 30 * size]))
save("98/copies1e5.npy", numpy.vstack([scan, numpy.repeat(scan[:1], 100000, 0)])), save("98/million.npy", numpy.tile(scan, (1000000 // len(scan) + 1, 1))
     + 0.01 * size * random.standard_normal((len(scan) * (1000000 // len(scan) + 1), 3)))
save("98/ten.npy", reference[:: len(reference) // 10])
