"""Makes a wheel: CMake builds the module with the library in it, setuptools packs it."""
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = SOURCE / "build" / "wheel"  # nothing is left among the sources


class ByCMake(build_ext):
    def get_ext_filename(self, fullname):
        return fullname.replace(".", "/") + ".abi3.so"

    def build_extension(self, extension):
        folder = pathlib.Path(self.build_temp).resolve()
        module = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DSFGP_PYTHON=ON", "-DSFGP_TESTS=OFF",
                        "-DBUILD_SHARED_LIBS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
        jobs = {"CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1)}  # --parallel alone is a process for every file
        subprocess.run(["cmake", "--build", folder, "--target", "sfgp_python"], check=True, env={**jobs, **os.environ})
        module.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(folder / "python" / "sfgp" / module.name), str(module))


BUILD.mkdir(parents=True, exist_ok=True)
header = (SOURCE / "include" / "sfgp" / "sfgp.h").read_text()
setup(version=re.search(r'#define SFGP_VERSION "(.*)"', header).group(1),
      ext_modules=[Extension("sfgp._binding", [], py_limited_api=True)], cmdclass={"build_ext": ByCMake},
      options={"bdist_wheel": {"py_limited_api": "cp39"}, "build": {"build_base": str(BUILD)}, "egg_info": {"egg_base": str(BUILD)}})
