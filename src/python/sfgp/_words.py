"""What the C library says, for Python: it names the flags of the program, which are arguments here."""
from __future__ import annotations

import re
from typing import Match

from sfgp._binding import ffi

#: Commands of the program that have another name here.
_COMMANDS = {"sfgp evaluate --surface": "sfgp.evaluate_surfaces", "sfgp register --save": "Fit.save",
             "landmarks go to sfgp apply, --landmarks of sfgp register, align and batch and, two files of them, sfgp evaluate":
                 "sfgp.read_landmarks reads landmarks"}
#: Flags that are arguments of :func:`sfgp.read`.
_OF_READ = {"target_scale": "scale", "columns": "columns"}
_FIELDS = dict(ffi.typeof("sfgp_settings").fields)
_ARGUMENTS = {"landmarks", "train", *_FIELDS}
_TEXTS = "|".join(name.replace("_", "-") for name, field in _FIELDS.items() if field.type.kind == "array")
_CHOICE = re.compile(rf"(?<![^ (])--({_TEXTS}) ([a-z]+(?:-[a-z]+)*)")
_FLAG = re.compile(r"(?<![^ (])--([a-z][a-z0-9-]*)(?: (\d+(?:,\d+)+|\d(?:[\d.e+-]*\d)?))?")


def _choice(found: Match[str]) -> str:
    return f'{found[1].replace("-", "_")}="{found[2]}"'


def _argument(found: Match[str]) -> str:
    name, value = found[1].replace("-", "_"), found[2] or ""
    if name in _OF_READ:
        given = f'"{value}"' if name == "columns" else value
        return f"sfgp.read(path, {_OF_READ[name]}={given})" if value else f"{_OF_READ[name]}= of sfgp.read"
    return f"{name}={value}" if name in _ARGUMENTS else found[0]


def in_python(message: str) -> str:
    """The message, with ``rank=20`` for ``--rank 20`` and ``sfgp.read(path, scale=1000)`` for ``--target-scale 1000``."""
    for command, name in _COMMANDS.items():
        message = message.replace(command, name)
    return _FLAG.sub(_argument, _CHOICE.sub(_choice, message))
