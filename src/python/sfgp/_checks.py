"""Arguments that the library could not tell from right ones: what is refused before it sees them."""
from __future__ import annotations

import numbers
import os
from typing import Any, List

import numpy as np
from numpy.typing import NDArray


def _plain(name: str, values: Any) -> NDArray[Any]:
    """An array without a mask. A conversion ignores masks, so that hidden numbers would be used."""
    rows = values if isinstance(values, (list, tuple)) else [values]
    if any(isinstance(row, np.ma.MaskedArray) and np.any(row.mask) for row in rows):
        raise ValueError(f"{name}: some entries are masked; leave their rows out (np.ma.compress_rows, .compressed()) or fill "
                         "them (.filled)")
    try:
        return np.asarray(values)
    except ValueError as error:  # rows of different lengths, as of (vertices, faces)
        raise ValueError(f"{name}: {error}") from None


def numbers_of(name: str, values: Any) -> NDArray[np.float64]:
    """Real numbers; float64 arrays in C order are not copied."""
    array = _plain(name, values)
    if array.size and array.dtype.kind not in "biuf":
        hints = {"O": "; take the columns of numbers alone, of a data frame as frame[['x', 'y', 'z']].astype(float)",
                 "V": "; make rows of the fields, np.column_stack([a['x'], a['y'], a['z']])"}
        raise ValueError(f"{name}: dtype {array.dtype}; expected real numbers{hints.get(array.dtype.kind, '')}")
    return array if array.ndim == 0 else np.ascontiguousarray(array, dtype=np.float64)


def column_of(name: str, values: Any, count: int) -> NDArray[np.float64]:
    """One number for each of count points."""
    array = numbers_of(name, values)
    if array.shape != (count,):
        raise ValueError(f"{name}: shape {array.shape}; expected ({count},)")
    return array


def flags_of(name: str, values: Any, count: int) -> NDArray[np.uint8]:
    """One flag for each of count points: bool, or 0 and 1."""
    array = column_of(name, values, count)
    wrong = np.flatnonzero((array != 0) & (array != 1))
    if len(wrong):
        raise ValueError(f"{name}: {array[wrong[0]]:g} of point {wrong[0]}; expected True or False, 1 or 0")
    return array.astype(np.uint8)


def indices_of(name: str, values: Any) -> NDArray[np.int64]:
    """Whole numbers, also as floating-point numbers."""
    array = _plain(name, values)
    whole = array.dtype.kind in "iu" or array.dtype.kind == "f" and bool((np.isfinite(array) & (array == np.floor(array))).all())
    if not whole:
        raise ValueError(f"{name}: entries that are no whole numbers (dtype {array.dtype})")
    return array.astype(np.int64, copy=False)


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number within limits."""
    if not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}: {value!r} is not a whole number")
    number = int(value)
    if not low <= number <= high:
        raise ValueError(f"{name}: {number} is not one of {low} to {high}")
    return number


def shapes_of(name: str, shapes: Any) -> List[Any]:
    """A list of shapes. One shape is refused: its letters or points would be taken for shapes."""
    one = isinstance(shapes, (str, bytes, os.PathLike)) or isinstance(shapes, np.ndarray) and shapes.ndim == 2
    if one or hasattr(shapes, "points") or hasattr(shapes, "vertices"):
        raise TypeError(f"{name}: one {type(shapes).__name__}; give a list of shapes, such as [{name}]")
    if isinstance(shapes, dict):  # its names would be taken for paths
        raise TypeError(f"{name}: dict; give a list of shapes, such as list({name}.values())")
    return list(shapes)
