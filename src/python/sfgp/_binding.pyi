# What the module that cffi generates has, for type checkers.
from typing import Any

ffi: Any
lib: Any
