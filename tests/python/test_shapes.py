"""Shapes of other packages, files, and memory."""
import gzip
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import sfgp
from conftest import DEMO
from sfgp._library import Session
from sfgp._shapes import borrow, mesh_faces, mesh_points, points_of

POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]])
TRIANGLES = np.array([[0, 1, 4], [1, 2, 4]])


@pytest.mark.parametrize("shape", [
    SimpleNamespace(vertices=POINTS, faces=TRIANGLES),  # trimesh
    SimpleNamespace(vertices=POINTS.tolist(), triangles=TRIANGLES.astype("int32")),  # Open3D, mesh
    SimpleNamespace(points=POINTS.astype("float32"), faces=np.array([3, 0, 1, 4, 3, 1, 2, 4])),  # PyVista
    SimpleNamespace(points=POINTS, cells_dict={"triangle": TRIANGLES, "line": np.array([[0, 1]])}),  # meshio
    sfgp.Mesh(POINTS, TRIANGLES),
])
def test_meshes_of_other_packages(shape):
    borrowed = borrow(Session(), shape)
    assert (mesh_points(borrowed.mesh) == POINTS).all() and (mesh_faces(borrowed.mesh) == TRIANGLES).all()


def open3d_mesh(package):
    vectors = package.utility
    return package.geometry.TriangleMesh(vectors.Vector3dVector(POINTS), vectors.Vector3iVector(TRIANGLES.astype("int32")))


@pytest.mark.parametrize("name, make", [
    ("trimesh", lambda package: package.Trimesh(POINTS, TRIANGLES, process=False)),
    ("open3d", open3d_mesh),
    ("pyvista", lambda package: package.PolyData(POINTS, np.column_stack([[3, 3], TRIANGLES]).ravel())),
    ("meshio", lambda package: package.Mesh(POINTS, [("triangle", TRIANGLES), ("line", [[0, 1]])])),
])
def test_the_packages_themselves(name, make):
    """Those that are installed; the others are skipped by their names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shape = make(pytest.importorskip(name))
    borrowed = borrow(Session(), shape)
    assert mesh_points(borrowed.mesh).astype("float32").tolist() == POINTS.tolist()
    assert (mesh_faces(borrowed.mesh) == TRIANGLES).all()


def test_triangles_and_quads_of_meshio():
    shape = SimpleNamespace(points=POINTS, cells_dict={"triangle": TRIANGLES[:1], "quad": np.array([[0, 1, 2, 3]])})
    assert [face.tolist() for face in mesh_faces(borrow(Session(), shape).mesh)] == [[0, 1, 4], [0, 1, 2, 3]]


def test_rows_of_corners_are_no_faces():
    """Triangles whose first, second and third corners are rows; three pentagons are faces."""
    points, corners = np.random.default_rng(1).normal(size=(15, 3)), np.arange(15).reshape(3, 5)
    assert (mesh_faces(borrow(Session(), sfgp.Mesh(points, corners)).mesh) == corners).all()
    with pytest.raises(ValueError, match=r"^faces: shape \(3, 5\); expected f x k, its transpose \(.T\)\?$"):
        borrow(Session(), sfgp.Mesh(points, corners % 4))


@pytest.mark.parametrize("shape", [POINTS, POINTS.tolist(), SimpleNamespace(points=POINTS)])  # Open3D, point cloud
def test_point_sets(shape):
    borrowed = borrow(Session(), shape)
    assert (mesh_points(borrowed.mesh) == POINTS).all() and len(mesh_faces(borrowed.mesh)) == 0


def test_arrays_are_not_copied():
    mesh = sfgp.read(DEMO / "reference.ply")
    assert points_of(mesh) is mesh.points and not mesh.points.flags.owndata
    assert mesh_points(borrow(Session(), mesh).mesh).ctypes.data == mesh.points.ctypes.data


def test_polygons_of_several_sizes(tmp_path):
    faces = [np.array([0, 1, 2, 3]), np.array([0, 1, 4])]
    sfgp.write(tmp_path / "mixed.ply", sfgp.Mesh(POINTS, faces))
    mesh = sfgp.read(tmp_path / "mixed.ply")
    assert [face.tolist() for face in mesh.faces] == [[0, 1, 2, 3], [0, 1, 4]]
    padded = SimpleNamespace(points=POINTS, faces=[4, 0, 1, 2, 3, 3, 0, 1, 4])
    padded.faces = np.array(padded.faces)
    assert [face.tolist() for face in mesh_faces(borrow(Session(), padded).mesh)] == [[0, 1, 2, 3], [0, 1, 4]]


def test_attributes_are_written_and_read(tmp_path):
    sd, missing = np.arange(5) / 3, np.array([True, False, True, False, False])
    sfgp.write(tmp_path / "a.ply", POINTS, {"sd": sd, "missing": missing})
    mesh = sfgp.read(tmp_path / "a.ply")
    assert (mesh.points == POINTS).all() and (mesh.attributes["sd"] == sd).all() and mesh.format == "ply"
    assert (mesh.attributes["missing"] == missing).all()
    assert b"property uchar missing" in (tmp_path / "a.ply").read_bytes()
    with pytest.raises(ValueError, match="sd: shape"):
        sfgp.write(tmp_path / "b.ply", POINTS, {"sd": sd[1:]})


@pytest.mark.parametrize("name", ["a.obj", "a.csv.gz", "a.npy", "a.STL"])
def test_attributes_that_would_be_lost_are_refused(tmp_path, name):
    """They were left out without a word."""
    with pytest.raises(ValueError, match="attributes: only PLY and VTP hold them"):
        sfgp.write(tmp_path / name, POINTS, attributes={"heat": POINTS[:, 0]})
    assert not (tmp_path / name).exists()
    sfgp.write(tmp_path / name, sfgp.Mesh(POINTS, TRIANGLES, {"heat": POINTS[:, 0]}))  # those of a shape go where there is room


def test_attributes_are_a_dict(tmp_path):
    with pytest.raises(TypeError, match=r"attributes: list; .* faces are given by sfgp.Mesh"):
        sfgp.write(tmp_path / "a.ply", POINTS, [[0, 1, 4]])
    with pytest.raises(sfgp.Error, match="'my heat': expected values and a name of one word"):
        sfgp.write(tmp_path / "a.ply", POINTS, attributes={"my heat": POINTS[:, 0]})


def test_colours_are_bytes(tmp_path):
    red = np.array([0, 1, 128, 254, 255], np.uint8)
    sfgp.write(tmp_path / "a.ply.gz", POINTS, attributes={"red": red, "green": red, "blue": red})
    assert b"property uchar red" in gzip.decompress((tmp_path / "a.ply.gz").read_bytes())
    assert (sfgp.read(tmp_path / "a.ply.gz").attributes["red"] == red).all()


def test_columns_of_text(tmp_path):
    (tmp_path / "a.csv").write_text("id,z,y,x\n7,3,2,1\n8,6,5,4\n")
    assert sfgp.read(tmp_path / "a.csv", columns="x,y,z").points.tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize("shape", [np.zeros((4, 4)), np.zeros(3), np.zeros((2, 3, 3)), [["a", "b"]]])
def test_what_is_no_shape(shape):
    with pytest.raises(ValueError):
        borrow(Session(), shape)


@pytest.mark.parametrize("index", [-1, 5])
def test_faces_beyond_the_points_are_refused(index):
    with pytest.raises(ValueError, match="faces: index"):
        borrow(Session(), sfgp.Mesh(POINTS, np.array([[0, 1, index]])))
