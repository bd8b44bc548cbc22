"""Files as people bring them, made from the demo, for users.sh. Usage: users_input.py DEMO FOLDER [EARS]

EARS: scans, of which the mirror images are written too.
"""
import gzip
import json
import os
import struct
import sys

import numpy

demo, folder = sys.argv[1:3]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def read(name):
    """Points and triangles of a binary PLY file with x, y, z alone."""
    with open(os.path.join(demo, name), 'rb') as source:
        header = list(iter(lambda: source.readline().decode().split(), ['end_header']))
        counts = [int(line[2]) for line in header if line[0] == 'element']
        kind = '<f8' if ['property', 'double', 'x'] in header else '<f4'
        points = numpy.frombuffer(source.read(3 * int(kind[2]) * counts[0]), kind).reshape(-1, 3).astype(float)
        if len(counts) == 1:
            return points, None
        kind = next(line[4] for line in header if line[:2] == ['property', 'list'])
        row = [('n', 'u1'), ('i', '<u4' if 'u' in kind else '<i4', 3)]
        return points, numpy.frombuffer(source.read(), row, counts[1])['i'].astype(int)


def text(name, points, head='', separator=' ', index=False, extra=None):
    rows = points if extra is None else numpy.hstack([points, extra])
    with open(name, 'w') as out:
        out.write(head)
        for k, row in enumerate(rows):
            out.write(separator.join(([str(k)] if index else []) + ['%.17g' % value for value in row]) + '\n')


def obj(name, parts, middle=''):
    """parts: pairs of points and triangles, each an object of its own."""
    with open(name, 'w') as out:
        first = 1
        for number, (points, faces) in enumerate(parts):
            out.write('o part%d\n' % number)
            out.writelines('v %.17g %.17g %.17g\n' % tuple(p) for p in points)
            out.write(middle)
            out.writelines('f %d %d %d\n' % tuple(f + first) for f in faces)
            first += len(points)


def ply(name, points, faces=None, extra=(), ascii=False):
    """extra: names and values of more properties, 32-bit; colours are uchar."""
    kinds = ['uchar' if n in ('red', 'green', 'blue') else 'float' for n, _ in extra]
    with open(name, 'wb') as out:
        say = lambda line: out.write((line + '\n').encode())
        say('ply\nformat %s 1.0\nelement vertex %d' % ('ascii' if ascii else 'binary_little_endian', len(points)))
        for axis in 'xyz':
            say('property double ' + axis)
        for (label, _), kind in zip(extra, kinds):
            say('property %s %s' % (kind, label))
        if faces is not None:
            say('element face %d\nproperty list uchar int vertex_indices' % len(faces))
        say('end_header')
        for k, point in enumerate(points):
            values = list(point) + [column[k] for _, column in extra]
            values = [int(v) if 3 <= j and kinds[j - 3] == 'uchar' else float(v) for j, v in enumerate(values)]
            if ascii:
                say(' '.join(map(repr, values)))
            else:
                out.write(struct.pack('<3d' + ''.join('B' if k == 'uchar' else 'f' for k in kinds), *values))
        for face in faces if faces is not None else ():
            say('3 %d %d %d' % tuple(face)) if ascii else out.write(struct.pack('<B3i', 3, *face))


def stl(name, points, faces):
    with open(name, 'wb') as out:
        out.write(b'made for a test'.ljust(80) + struct.pack('<I', len(faces)))
        for face in faces:
            out.write(struct.pack('<12fH', 0, 0, 0, *points[face].ravel(), 0))


def landmarks(name, points):
    with open(name, 'w') as out:
        out.write('name,x,y,z\n')
        for k in range(0, len(points), 400):
            out.write('p%d,%.17g,%.17g,%.17g\n' % (k, *points[k]))


def turned(points, seed):
    rotation = numpy.linalg.qr(numpy.random.default_rng(seed).normal(size=(3, 3)))[0]
    return points @ (rotation * numpy.sign(numpy.linalg.det(rotation))).T


reference, faces = read('reference.ply')
scan, _ = read('scan.ply')
truth, _ = read('truth.ply')
centre = scan.mean(0)


def case(name, change):
    """A scan that was changed as a whole, and the truth likewise."""
    numpy.save(name + '.npy', change(scan))
    text(name + '.truth.csv', change(truth), separator=',')


# ---- where the scan lies --------------------------------------------------------------------------------------
case('asis', lambda p: p)
for distance in (150, 200, 600, 20000):
    case('moved%d' % distance, lambda p: p + [distance, 0, 0])
case('utm', lambda p: p + [500000, 4649776, 120])
case('centred', lambda p: p - centre)
case('turned180', lambda p: (p - centre) * [-1, -1, 1] + centre)
case('turned_far', lambda p: turned(p, 1) + [900, 0, 0])
case('mirrored', lambda p: p * [-1, 1, 1])
case('inches', lambda p: p / 25.4)
case('cm', lambda p: p / 10)
case('metres', lambda p: p / 1000)
case('tenfold', lambda p: p * 10)
case('half', lambda p: p / 2)
case('twice', lambda p: p * 2)
landmarks('reference.marks.csv', reference)
landmarks('asis.marks.csv', truth)
landmarks('moved20000.marks.csv', truth + [20000, 0, 0])
landmarks('turned_far.marks.csv', turned(truth, 1) + [900, 0, 0])

# ---- references with more than one shape ----------------------------------------------------------------------
for distance in (90, 100, 120, 200):
    numpy.save('stray%d.npy' % distance, numpy.vstack([reference, [[distance, 0, 0]]]))
ply('loose.ply', numpy.vstack([reference, [[300, 0, 0], [0, 200, 0], [0, 0, 100]]]), faces)
cube = numpy.array([[x, y, z] for x in (0, 5) for y in (0, 5) for z in (0, 5)], float)
sides = numpy.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5]])
obj('objects.obj', [(reference, faces), (cube + [155, 0, 0], sides)])
obj('twins.obj', [(reference, faces), (reference + [65, 0, 0], faces)])

# ---- formats --------------------------------------------------------------------------------------------------
normals = numpy.tile([0.0, 0.0, 1.0], (len(scan), 1))
colours = numpy.arange(3 * len(scan)).reshape(-1, 3) % 256
paint = list(zip(('red', 'green', 'blue'), colours.T))
ply('open3d.ply', scan, extra=list(zip(('nx', 'ny', 'nz'), normals.T)) + paint)
ply('open3d_ascii.ply', scan, extra=paint, ascii=True)
text('savetxt.txt', scan, '# x y z\n')
open('crlf.txt', 'wb').write(b'\xef\xbb\xbf' + open('savetxt.txt', 'rb').read().split(b'\n', 1)[1].replace(b'\n', b'\r\n'))
text('pandas.csv', scan, ',x,y,z\n', ',', index=True)
text('header.csv', scan, 'x,y,z\n', ',')
text('normals.xyz', scan, extra=normals)
text('rgb.xyz', scan, extra=colours)
text('cloudcompare.txt', scan, '//X Y Z R G B\n', extra=colours)
text('cloud.pts', scan, '%d\n' % len(scan), extra=numpy.hstack([colours[:, :1], colours]))
text('intensity.xyz', scan, extra=scan[:, :1])
numpy.save('tripled.npy', numpy.repeat(scan, 3, axis=0))
stl('truth.stl', truth, faces)
ply('truth.faces.ply', truth, faces)
obj('quads.obj', [(truth, faces)])
with gzip.open('scan.ply.gz', 'wb') as out:
    out.write(open(os.path.join(demo, 'scan.ply'), 'rb').read())
with open('cloud.vtk', 'w') as out:
    out.write('# vtk DataFile Version 3.0\nscan\nASCII\nDATASET POLYDATA\nPOINTS %d double\n' % len(scan))
    out.writelines('%.17g %.17g %.17g\n' % tuple(p) for p in scan)
with open('mesh.off', 'w') as out:
    out.write('NOFF\n%d %d 0\n' % (len(truth), len(faces)))
    out.writelines('%.17g %.17g %.17g 0 0 1\n' % tuple(p) for p in truth)
    out.writelines('3 %d %d %d\n' % tuple(f) for f in faces)


def glb(name, points, triangles):
    body = points.astype('<f4').tobytes() + triangles.astype('<u4').tobytes()
    start = 12 * len(points)
    tree = {'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
            'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}], 'buffers': [{'byteLength': len(body)}],
            'bufferViews': [{'buffer': 0, 'byteLength': start}, {'buffer': 0, 'byteOffset': start, 'byteLength': len(body) - start}],
            'accessors': [{'bufferView': 0, 'componentType': 5126, 'count': len(points), 'type': 'VEC3'},
                          {'bufferView': 1, 'componentType': 5125, 'count': triangles.size, 'type': 'SCALAR'}]}
    head = json.dumps(tree).encode()
    head += b' ' * (-len(head) % 4)
    with open(name, 'wb') as out:
        out.write(struct.pack('<4sII', b'glTF', 2, 28 + len(head) + len(body)))
        out.write(struct.pack('<I4s', len(head), b'JSON') + head + struct.pack('<I4s', len(body), b'BIN\0') + body)


glb('phone.glb', truth, faces)
numpy.savez('scan.npz', scan)
open('scan.pcd', 'w').write('# .PCD v0.7\nFIELDS x y z\n')
open('scan.las', 'wb').write(b'LASF' + bytes(300))
open('scan.e57', 'wb').write(b'ASTM-E57' + bytes(300))
open('wide.txt', 'w', encoding='utf-16').write('0 0 0\n1 0 0\n')
open('comma.txt', 'w').write('1,5;2,5;3,5\n2,5;3,5;4,5\n')
open('nan.txt', 'w').write('0 0 0\n1 nan 0\n')

# ---- references with colours, texture and materials -----------------------------------------------------------
ply('painted.ply', reference, faces, list(zip(('red', 'green', 'blue'), (numpy.arange(3 * len(reference)).reshape(-1, 3) % 256).T)))
with open('material.obj', 'w') as out:
    out.write('mtllib ear.mtl\n')
    out.writelines('v %.17g %.17g %.17g\n' % tuple(p) for p in reference)
    out.write('vt 0 0\nvt 1 0\nvt 0 1\ng ear\nusemtl skin\n')
    out.writelines('f %d/1 %d/2 %d/3\n' % tuple(f + 1) for f in faces)
text('source.txt', reference)
text('target.txt', scan)
os.makedirs('folder', exist_ok=True)
numpy.save('folder/one.npy', scan)
numpy.save('folder/two.npy', scan + [30, 0, 0])

for path in sorted(os.listdir(sys.argv[3]))[:7] if len(sys.argv) > 3 else ():
    numpy.save('ear' + path[:3] + '.npy', read(os.path.join(sys.argv[3], path))[0] * [-1, 1, 1])
