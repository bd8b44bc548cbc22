# three.js for the 3D views of the report: one archive from the npm registry, pinned by the registry's own checksum,
# kept in $SFGP_DOWNLOADS or build/downloads so that all build folders share it. Sets three_folder.
# 0.160 is the last line whose minified module is one file; neither node nor npm is needed.
set(three_version 0.160.1)
set(three_sha512
  060976c0f272a43399d6cb40c707d601c2745907fb433969b6cc648d889444fcfe9f99384410cbb2afba7fd63be536319fa6872dc5b3f89366c133975ab41305)
set(three_url https://registry.npmjs.org/three/-/three-${three_version}.tgz)

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
set(three_found "")
if(EXISTS ${three_archive})
  file(SHA512 ${three_archive} three_found)
endif()
if(NOT three_found STREQUAL three_sha512)
  # Beside and renamed: another build folder may be configured at the same time.
  string(RANDOM LENGTH 8 part)
  file(DOWNLOAD ${three_url} ${three_archive}.${part} TIMEOUT 300 STATUS three_status)
  file(SHA512 ${three_archive}.${part} three_found)
  if(NOT three_found STREQUAL three_sha512)
    file(REMOVE ${three_archive}.${part})
    message(FATAL_ERROR "three.js for the report's 3D views did not arrive whole: ${three_status}\n"
      "Either put ${three_url}\ninto ${downloads}, or build without the views: -DSFGP_VIEWER=OFF")
  endif()
  file(RENAME ${three_archive}.${part} ${three_archive})
endif()

set(three_folder ${PROJECT_BINARY_DIR}/three-${three_version})
if(NOT EXISTS ${three_folder}/package/LICENSE)
  file(ARCHIVE_EXTRACT INPUT ${three_archive} DESTINATION ${three_folder}
    PATTERNS package/build/three.module.min.js package/LICENSE)
endif()
