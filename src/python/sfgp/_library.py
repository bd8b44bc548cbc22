"""Loads the C library; contexts, errors and warnings."""
from __future__ import annotations

import enum
import os
import sys
import warnings
from typing import Any, Callable, List, NamedTuple, Optional

from sfgp import _binding
from sfgp._words import in_python


ffi, lib = _binding.ffi, _binding.lib


def text(pointer: Any) -> str:
    """A C string."""
    return str(ffi.string(pointer), "utf-8", "replace")


class Status(enum.IntEnum):
    """How a call of the C library ended. The values are the exit codes of the program. A test compares them with the header."""

    OK = 0
    ERROR_PARAMETER = 2
    ERROR_READ = 3
    ERROR_FORMAT = 4
    ERROR_DATA = 5
    ERROR_MEMORY = 6
    ERROR_WRITE = 7
    ERROR_NUMERIC = 8
    CANCELLED = 9


class Error(Exception):
    """What the C library refused. The text names the file and line, or the parameter.

    Attributes:
        status: a :class:`Status`, such as ``Status.ERROR_FORMAT``
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = Status(status)

    def __reduce__(self) -> Any:
        return type(self), (int(self.status), str(self))


class FitWarning(UserWarning):
    """What the C library warns of, such as a residual that is large."""


class Progress(NamedTuple):
    """State of a running fit."""

    fraction: float  #: of the run that is done: 0 to 1, never less than before; an estimate
    iteration: int  #: of the fit that runs; a run makes several
    change: float  #: mean motion of the points in the last iteration, RMS radii of the reference
    missing: float  #: share of the reference points that the target does not show


class Listener:
    """Who is told what happens in C. What a call-back raises is kept, as it cannot pass through C."""

    def __init__(self, progress: Optional[Callable[[Progress], object]]) -> None:
        self.progress = progress
        self.warnings: List[str] = []
        self.raised: Optional[BaseException] = None


def _keep(kind: Any, error: BaseException, trace: Any) -> None:
    handle = trace.tb_frame.f_locals.get("handle") if trace else None
    if handle is not None:
        ffi.from_handle(handle).raised = error


@ffi.def_extern(error=1, onerror=_keep)  # type: ignore[misc]
def python_progress(handle: Any, state: Any) -> int:
    """Signals are seen here as well: an interrupt raises, and so ends the fit."""
    listener = ffi.from_handle(handle)
    if listener.progress and listener.raised is None:
        listener.progress(Progress(state.fraction, state.iteration, state.change, state.missing))
    return int(listener.raised is not None)


@ffi.def_extern(onerror=_keep)  # type: ignore[misc]
def python_log(handle: Any, warning: Any) -> None:
    ffi.from_handle(handle).warnings.append(in_python(text(warning)))


class Session:
    """A context of the library, for one thread. After a ``with`` block its warnings are Python's."""

    def __init__(self, progress: Optional[Callable[[Progress], object]] = None) -> None:
        self.listener = Listener(progress)
        self._handle = ffi.new_handle(self.listener)
        self._watch = ffi.new("python_watch *", {"listener": self._handle})
        made = ffi.new("sfgp_context **")
        if lib.sfgp_context_new(ffi.NULL, made) != lib.SFGP_OK:
            raise MemoryError
        self.context = ffi.gc(made[0], lib.sfgp_context_free)
        lib.sfgp_context_set_log(self.context, ffi.addressof(lib, "watch_log"), self._watch)
        lib.sfgp_context_set_progress(self.context, ffi.addressof(lib, "watch_progress"), self._watch)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None:
            self.warn()

    def check(self, status: int) -> None:
        """Raises what a call-back raised, or the error of the library."""
        raised, self.listener.raised = self.listener.raised, None
        if raised is not None:
            raise raised
        if status != lib.SFGP_OK:
            raise Error(status, in_python(text(lib.sfgp_context_error(self.context))))

    def make(self, kind: str, call: Callable[[Any], Any], free: Any, keep: Any = None) -> Any:
        """What ``call`` puts into a pointer to ``kind``. It is freed with the last reference, before ``keep`` is."""
        made = ffi.new(kind + "*")
        self.check(call(made))
        return ffi.gc(made[0], lambda pointer, keep=keep: free(pointer))

    def warn(self) -> None:
        """Warns of everything so far at the line that called the package."""
        level, frame = 1, sys._getframe()
        while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "sfgp":
            level, frame = level + 1, frame.f_back
        for message in self.listener.warnings:
            warnings.warn(message, FitWarning, stacklevel=level)


def text_bytes(value: Any) -> bytes:
    """A text as the library takes it: up to a null byte, which is refused."""
    encoded = value if isinstance(value, bytes) else str(value).encode()
    if b"\0" in encoded:
        raise ValueError(f"{value!r}: embedded null byte")
    return encoded


def path_bytes(path: Any) -> bytes:
    """A path as the library takes it."""
    return text_bytes(os.fsencode(path))
