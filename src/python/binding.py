"""Generates the C source of the Python module from the public header, so that no declaration is written twice.

Usage: binding.py COMPILER HEADER OUTPUT
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

# What watch.c adds, and what Python defines for it.
OWN = """
typedef struct python_watch { void *listener; double asked; } python_watch;
static int watch_progress(void *user, const sfgp_progress *progress);
static void watch_log(void *user, const char *warning);
extern "Python" int python_progress(void *listener, const sfgp_progress *progress);
extern "Python" void python_log(void *listener, const char *warning);
#define SFGP_TEXT_SIZE ...
#define SFGP_WARNING_SIZE ...
static char *const SFGP_VERSION;
"""


def declarations(compiler: str, header: str) -> str:
    """The header as the preprocessor leaves it, without the bodies of its inline functions, which the compiler knows. cffi knows
    the types of stddef.h and stdint.h itself."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stddef.h", "stdint.h"):
            pathlib.Path(empty, name).touch()
        command = [compiler, "-E", "-P", "-U__GNUC__", "-nostdinc", "-I", empty, "-x", "c", header]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return re.sub(r"static inline ([^{;]*\))\s*\{[^}]*\}", r"\1;", text)


def main(compiler: str, header: str, output: str) -> None:
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, header) + OWN)
    ffi.set_source("sfgp._binding", pathlib.Path(__file__).with_name("watch.c").read_text())
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
