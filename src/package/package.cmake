# Packages of CPack. `./bootstrap packages` makes them and tries them; docs/adr/0023 has the reasons.
#   cmake --preset debian && cmake --build build/debian && (cd build/debian && cpack -G DEB)
# makes sfgp, libsfgpX.Y, libsfgp-dev and python3-sfgp. Without the preset files lie where Debian does not look for them.
set(SFGP_MAINTAINER "The sfgp authors <sfgp@example.org>" CACHE STRING "Who is named in the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sfgp)
set(CPACK_PACKAGE_CONTACT ${SFGP_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # every package has its own
set(CPACK_COMPONENTS_ALL program library development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0upstream1) # a package of Debian itself is newer
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/src/package/debian.cmake)

# debian_package(COMPONENT NAME SECTION SUMMARY TEXT DEPENDS): TEXT is the long description, of lines.
macro(debian_package component name section summary text depends)
  string(TOUPPER ${component} COMPONENT)
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${COMPONENT}_DESCRIPTION "${summary}\n${text}")
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_DEPENDS "${depends}")
endmacro()
set(library_package libsfgp${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same_library "${library_package} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(what_it_does "It takes a complete reference shape and a scan with holes, noise and outliers.
The result is the complete shape, point by point in correspondence with the
reference, with a standard deviation for every point. A Gaussian process
predicts the parts that are missing from the scan.
.")
# A library that is loaded by its name is not seen by dpkg-shlibdeps.
if(hdf5_soname)
  file(REAL_PATH ${HDF5_LIBRARY} hdf5_file)
  execute_process(COMMAND dpkg-query -S ${hdf5_file} OUTPUT_VARIABLE hdf5_package ERROR_QUIET)
  string(REGEX REPLACE "[:,].*" "" hdf5_package "${hdf5_package}")
endif()
debian_package(program sfgp science "fit of a reference shape to a damaged 3D scan: program"
  "${what_it_does}\nThis package has the program." "${same_library}")
debian_package(library ${library_package} libs "fit of a reference shape to a damaged 3D scan: library"
  "${what_it_does}\nThis package has the shared library." "${hdf5_package}")
debian_package(development libsfgp-dev libdevel "fit of a reference shape to a damaged 3D scan: header"
  "${what_it_does}\nThis package has what is needed to compile programs with the library, shared or
static." "${same_library}")
debian_package(python python3-sfgp python "fit of a reference shape to a damaged 3D scan: Python"
  "${what_it_does}\nThis package has the module for Python 3."
  "${same_library}, python3:any (>= 3.9), python3-numpy, python3-cffi-backend")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
# What programs are linked with beside the static library; the shared one needs none of it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libsuitesparse-dev, libarpack2-dev, libopenblas-dev, liblapacke-dev, libhdf5-dev, liblbfgs-dev, libxxhash-dev, zlib1g-dev")
set(control ${PROJECT_BINARY_DIR}/package)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${control}/shlibs;${control}/symbols;${control}/triggers")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${control}/postinst;${control}/prerm")

# ---- control files ---------------------------------------------------------------------------------------
# What programs depend on that are linked with the library: while the interface may change, this very minor version.
set(soname libsfgp.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(symbol_version SFGP_${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(least ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.0)
file(WRITE ${control}/shlibs
  "libsfgp ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${library_package} (>= ${PROJECT_VERSION})\n")
string(REPLACE "; " ";" names "${public_functions}")
list(TRANSFORM names PREPEND " ")
list(TRANSFORM names APPEND "@${symbol_version} ${least}")
list(APPEND names " ${symbol_version}@${symbol_version} ${least}")
list(SORT names)
list(JOIN names "\n" names)
file(WRITE ${control}/symbols "${soname} ${library_package} #MINVER#\n* Build-Depends-Package: libsfgp-dev\n${names}\n")
file(WRITE ${control}/triggers "activate-noawait ldconfig\n")
file(WRITE ${control}/postinst "#!/bin/sh\nset -e\nif command -v py3compile >/dev/null 2>&1; then\n    py3compile -p python3-sfgp\nfi\n")
file(WRITE ${control}/prerm "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null 2>&1; then\n    py3clean -p python3-sfgp\nfi\n")
file(CHMOD ${control}/postinst ${control}/prerm FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(WRITE ${control}/packages.cmake "set(maintainer \"${SFGP_MAINTAINER}\")
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(source ${PROJECT_SOURCE_DIR})
set(strip ${CMAKE_STRIP})
set(package_of_program sfgp)
set(package_of_library ${library_package})
set(package_of_development libsfgp-dev)
set(package_of_python python3-sfgp)\n")
set(CPACK_SFGP_PACKAGES ${control}/packages.cmake)

# ---- source: cpack --config CPackSourceConfig.cmake -G TGZ -------------------------------------------------
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME sfgp-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "${PROJECT_SOURCE_DIR}/build/" "${PROJECT_SOURCE_DIR}/[.]git(/|$)" __pycache__)
set(CPACK_SOURCE_STRIP_FILES OFF)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/src/package/source.cmake)
include(CPack)
