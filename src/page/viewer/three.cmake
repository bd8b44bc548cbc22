# three.js for the 3D views of the report. Sets three_folder, or leaves it empty with a status message: a build without
# network and without three.js has pages without views. In this order:
#   1. $SFGP_THREE, -DSFGP_THREE=FOLDER: a folder of the npm package, and nothing else
#   2. the archive of the npm registry, pinned by the registry's own checksum, from $SFGP_DOWNLOADS or build/downloads,
#      which all build folders share
#   3. a package that npm or Debian has installed (Debian 12 has r111, which is too old)
#   4. the archive, downloaded
# 0.160 is the last line whose minified module is one file; neither node nor npm is needed.
set(three_version 0.160.1)
set(three_sha512
  060976c0f272a43399d6cb40c707d601c2745907fb433969b6cc648d889444fcfe9f99384410cbb2afba7fd63be536319fa6872dc5b3f89366c133975ab41305)
set(three_url https://registry.npmjs.org/three/-/three-${three_version}.tgz)
set(SFGP_THREE "$ENV{SFGP_THREE}" CACHE PATH "Folder of the npm package three (0.152 to 0.160); empty: looked for, then downloaded")
set(three_folder "")

if(DEFINED ENV{SFGP_DOWNLOADS})
  set(downloads $ENV{SFGP_DOWNLOADS})
else()
  set(downloads ${PROJECT_SOURCE_DIR}/build/downloads)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E make_directory ${downloads} RESULT_VARIABLE refused ERROR_QUIET)
if(refused)
  set(downloads ${PROJECT_BINARY_DIR}/downloads)
  file(MAKE_DIRECTORY ${downloads})
endif()
set(three_archive ${downloads}/three-${three_version}.tgz)

# Takes a folder of the npm package: the module must be whole in itself, and know the names of colour spaces.
function(three_from_package folder)
  set(module ${folder}/build/three.module.min.js)
  if(NOT EXISTS ${module} OR NOT EXISTS ${folder}/LICENSE)
    return()
  endif()
  file(READ ${module} text)
  if(text MATCHES "SRGBColorSpace" AND NOT text MATCHES "from ?[\"']\\./")
    set(copy ${PROJECT_BINARY_DIR}/three-package)
    configure_file(${module} ${copy}/package/build/three.module.min.js COPYONLY)
    configure_file(${folder}/LICENSE ${copy}/package/LICENSE COPYONLY)
    set(three_folder ${copy} PARENT_SCOPE)
  endif()
endfunction()

# Takes the archive, if its checksum is right.
function(three_from_archive)
  if(EXISTS ${three_archive})
    file(SHA512 ${three_archive} found)
  endif()
  if(NOT "${found}" STREQUAL three_sha512)
    return()
  endif()
  set(copy ${PROJECT_BINARY_DIR}/three-${three_version})
  if(NOT EXISTS ${copy}/package/LICENSE)
    file(ARCHIVE_EXTRACT INPUT ${three_archive} DESTINATION ${copy}
      PATTERNS package/build/three.module.min.js package/LICENSE)
  endif()
  set(three_folder ${copy} PARENT_SCOPE)
endfunction()

if(SFGP_THREE)
  three_from_package(${SFGP_THREE})
else()
  three_from_archive()
  foreach(folder /usr/share/nodejs/three /usr/lib/node_modules/three /usr/local/lib/node_modules/three)
    if(NOT three_folder)
      three_from_package(${folder})
    endif()
  endforeach()
  if(NOT three_folder)
    # Beside and renamed: another build folder may be configured at the same time.
    string(RANDOM LENGTH 8 part)
    file(DOWNLOAD ${three_url} ${three_archive}.${part} TIMEOUT 300 INACTIVITY_TIMEOUT 20 STATUS three_status)
    file(RENAME ${three_archive}.${part} ${three_archive})
    three_from_archive()
    if(NOT three_folder)
      file(REMOVE ${three_archive})
    endif()
  endif()
endif()
if(SFGP_THREE AND NOT three_folder)
  message(STATUS "No views in 3D in the reports: ${SFGP_THREE} is no npm package three of 0.152 to 0.160")
elseif(NOT three_folder)
  message(STATUS "No views in 3D in the reports: three.js did not arrive whole (${three_status}). "
    "Put ${three_url} into ${downloads}, or give the folder of an npm package as SFGP_THREE")
endif()
