"""Models: a reference and a Gaussian process over its displacements."""
from __future__ import annotations

import difflib
import numbers
import os
import tempfile
import warnings
from typing import Any, Callable, Iterable, Optional

import numpy as np
from numpy.typing import NDArray

from sfgp._checks import shapes_of, whole
from sfgp._library import Error, FitWarning, Session, Status, ffi, lib, path_bytes, text, text_bytes
from sfgp._shapes import Borrowed, Faces, Mesh, ShapeLike, as_mesh, borrow, mesh_faces, view

#: The library takes a seed as 64 bits.
LAST_SEED = 2**64 - 1


def setting_names() -> list[str]:
    """All settings, as the library names them."""
    return [name for name, _ in ffi.typeof("sfgp_settings").fields if name != "size"]


#: What options of the program are here.
_ELSEWHERE = {"columns": "sfgp.read(path, columns=...)", "target_scale": "sfgp.read(path, scale=...)", "output": "sfgp.write(path, fit)",
              "save": "Fit.save", "html": "Fit.to_html", "report": "Fit.report", "unit": "Fit.to_html(path, unit)"}


def _refuse_unknown(settings: dict[str, Any]) -> None:
    for name in settings:
        if name not in setting_names():
            near = [_ELSEWHERE[name]] if name in _ELSEWHERE else difflib.get_close_matches(name, setting_names(), 1)
            hint = f" (did you mean {near[0]}?)" if near else "; docs/settings.md lists them"
            raise Error(Status.ERROR_PARAMETER, f"{name}: no such setting{hint}")


#: What a model depends on; of the method only with form=auto of a kernel.
OF_MODEL = ("kernel", "align_training", "lowrank", "rank", "accuracy", "method", "threads", "seed", "max_memory")


def _warn_unread(settings: dict[str, Any]) -> None:
    for name in settings:
        if name not in OF_MODEL:
            warnings.warn(f"{name}: a model does not depend on it; give it to the fit", FitWarning, stacklevel=3)


def settings_from(session: Session, settings: dict[str, Any]) -> Any:
    """The settings of the library; docs/settings.md lists them."""
    made = ffi.new("sfgp_settings *")
    lib.sfgp_settings_default(made)
    _refuse_unknown(settings)
    for name, value in settings.items():
        if isinstance(value, (numbers.Integral, np.bool_)):
            value = int(value)  # True is 1, too
        elif isinstance(value, numbers.Real):
            value = float(value)  # repr keeps all bits
        session.check(lib.sfgp_settings_set(session.context, made, text_bytes(name), text_bytes(value)))
    return made


def read_map(path: Any) -> Any:
    """The map of a fit that was saved."""
    name = path_bytes(path)
    with Session() as session:
        return session.make("sfgp_deformation *", lambda made: lib.sfgp_deformation_read(session.context, name, made),
                            lib.sfgp_deformation_free)


class Model:
    """A reference and a Gaussian process over its displacements. It never changes; threads may share it."""

    def __init__(self, pointer: Any) -> None:
        self._pointer = pointer
        self._info = ffi.new("sfgp_model_info *")
        lib.sfgp_model_describe(pointer, self._info)

    @classmethod
    def build(cls, reference: ShapeLike, train: Optional[Iterable[ShapeLike]] = None, **settings: Any) -> "Model":
        """Makes a model.

        Args:
            reference: the shape that is fitted later, N points
            train: shapes that correspond to the reference point by point: their mean and principal components become the
                prior, or part of it; a k x N x d array or any sequence of shapes
            settings: kernel, align_training, lowrank, rank, accuracy, threads and seed (docs/settings.md)
        """
        with Session() as session:
            own = settings_from(session, settings)
            _warn_unread(settings)
            return cls(make_model(session, borrow(session, reference, "reference"), train, own))

    @classmethod
    def read(cls, path: Any) -> "Model":
        """Reads a model of sfgp, Statismo or Scalismo (HDF5): a file, or ``FILE:NAME`` for one of a catalogue."""
        with Session() as session:
            name = path_bytes(path)
            return cls(session.make("sfgp_model *", lambda made: lib.sfgp_model_read(session.context, name, made),
                                    lib.sfgp_model_free))

    @classmethod
    def posterior(cls, fit: Any) -> "Model":
        """The posterior of a :class:`sfgp.Fit`, or of a file in which one was saved: its mean is the fit, its samples are shapes that the fit holds possible. Their
        standard deviations are those of the fit. It has N d m numbers, m being the rank."""
        deformation = read_map(fit) if isinstance(fit, (str, os.PathLike)) else fit._map()
        with Session() as session:
            return cls(session.make("sfgp_model *", lambda made: lib.sfgp_deformation_posterior(session.context, deformation, made),
                                    lib.sfgp_model_free))

    def write(self, path: Any) -> None:
        """Writes the model as a file of Statismo and Scalismo (HDF5: ``.h5`` or ``.hdf5``), whole or not at all. Read back, it has the same bits."""
        with Session() as session:
            session.check(lib.sfgp_model_write(session.context, self._pointer, path_bytes(path)))

    def __reduce__(self) -> Any:
        """A pickle holds the file that :meth:`write` makes."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.h5")
            self.write(path)
            with open(path, "rb") as file:
                return _from_bytes, (file.read(),)

    def __copy__(self) -> "Model":
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> "Model":
        return self

    @property
    def count(self) -> int:
        """Reference points, N."""
        return int(self._info.count)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return int(self._info.dimension)

    @property
    def rank(self) -> int:
        """Columns of the low-rank factor of the prior."""
        return int(self._info.rank)

    @property
    def kernel(self) -> str:
        """The prior, with what "auto" became."""
        return text(self._info.kernel)

    @property
    def scale(self) -> float:
        """RMS radius of the reference, in the unit of its file: the unit of all lengths in settings."""
        return float(self._info.scale)

    @property
    def symmetric(self) -> Optional[bool]:
        """Whether the reference is symmetric to a plane, which fits make use of (setting ``symmetry``). None: nothing looks for a plane, as the
        prior is not the default one of a surface."""
        return None if self._info.symmetric < 0 else bool(self._info.symmetric)

    def _shape(self, call: Callable[..., Any], *arguments: Any) -> Mesh:
        with Session() as session:
            return as_mesh(session.make("sfgp_mesh *", lambda made: call(session.context, self._pointer, *arguments, made),
                                        lib.sfgp_mesh_free))

    def reference(self) -> Mesh:
        """The reference."""
        return self._shape(lib.sfgp_model_reference)

    def mean(self) -> Mesh:
        """The mean of the prior."""
        return self._shape(lib.sfgp_model_mean)

    def sample(self, seed: int = 1) -> Mesh:
        """A random shape of the prior. Equal seeds give equal shapes."""
        return self._shape(lib.sfgp_model_sample, whole("seed", seed, 0, LAST_SEED))

    def component(self, index: int, deviations: float = 1.0) -> Mesh:
        """The mean plus ``deviations`` standard deviations of principal component ``index`` (from 0)."""
        if not np.isfinite(deviations):
            raise ValueError(f"deviations: {deviations} is not finite")
        shape = self._shape(lib.sfgp_model_component, index, deviations)
        if not np.isfinite(shape.points).all():
            raise ValueError(f"deviations: {deviations} gives points that are not finite")
        return shape

    def variances(self) -> NDArray[np.float64]:
        """Variances of the principal components, largest first, each summed over all points, in squared units of the shapes.
        Divided by their sum they are the shares of the variance. Those below 1e-10 of the first are left out."""
        with Session() as session:
            found = session.make("sfgp_array *", lambda made: lib.sfgp_model_variances(session.context, self._pointer, made),
                                 lib.sfgp_array_free)
            return np.array(view(found, found.values, (found.shape[0],), np.float64))

    def __repr__(self) -> str:
        return f"<sfgp.Model: {self.count} points in {self.dimension}D, rank {self.rank}, kernel {self.kernel}>"


def _from_bytes(content: bytes) -> Model:
    """The model of a pickle."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.h5")
        with open(path, "wb") as file:
            file.write(content)
        return Model.read(path)


def make_model(session: Session, reference: Borrowed, train: Optional[Iterable[ShapeLike]], settings: Any) -> Any:
    """The model of the library."""
    shapes = [] if train is None else shapes_of("train", train)
    training = [borrow(session, shape, f"train[{k}]") for k, shape in enumerate(shapes)]
    meshes = ffi.new("sfgp_mesh *[]", [shape.mesh for shape in training])
    return session.make("sfgp_model *", lambda made: lib.sfgp_model_new(
        session.context, reference.mesh, meshes, len(training), settings, made), lib.sfgp_model_free)


def _refuse_prior(settings: Any, train: Any) -> None:
    standard = ffi.new("sfgp_settings *")
    lib.sfgp_settings_default(standard)
    row = lib.sfgp_settings_prior_change(settings, standard)
    name = "train" if train is not None else text(row.name) if row != ffi.NULL else None
    if name:
        raise Error(Status.ERROR_PARAMETER, f"{name}: it belongs to the model, which is made already; give it to Model.build")


def prior(session: Session, reference: Any, train: Any, settings: Any) -> tuple[Any, Faces]:
    """The model to fit, made if need be, and the faces of its reference."""
    if isinstance(reference, (str, os.PathLike)) and lib.sfgp_model_is_file(path_bytes(reference)):
        reference = Model.read(reference)
    if isinstance(reference, Model):
        _refuse_prior(settings, train)
        return reference._pointer, reference.reference().faces
    base = borrow(session, reference, "reference")
    return make_model(session, base, train, settings), mesh_faces(base.mesh)
