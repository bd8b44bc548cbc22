# Run by CPack between installing and packing: what Debian wants in every package beside the files that are installed.
# Programs without symbols, compressed manual pages and change logs, a copyright file, no second copy of the licence.
include(${CPACK_SFGP_PACKAGES})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH where it is set
file(READ ${source}/LICENSE licence)
string(REGEX REPLACE "^MIT License\n\n(Copyright \\(c\\) )([^\n]*)\n\n" "" text "${licence}")
set(holder ${CMAKE_MATCH_2})
string(REGEX REPLACE "\n+$" "" text "${text}")
string(REGEX REPLACE "\n\n" "\n.\n" text "${text}")
string(REPLACE "\n" "\n " text " ${text}")

foreach(component ${CPACK_COMPONENTS_ALL})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component})
  if(NOT EXISTS ${root})
    continue() # built without it
  endif()
  set(name ${package_of_${component}})
  set(documents ${root}/usr/share/doc/${name})
  file(WRITE ${documents}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: sfgp

Files: *
Copyright: ${holder}
License: Expat

Files: three.js
Copyright: 2010-2023 three.js authors
License: Expat
Comment: A part of the program, which puts it into the HTML reports that it
 writes.

License: Expat
${text}
")
  file(WRITE ${documents}/changelog.Debian
"sfgp (${version}) unstable; urgency=medium

  * See /usr/share/doc/sfgp/changelog.gz.

 -- ${maintainer}  ${date}
")
  if(EXISTS ${documents}/LICENSE)
    file(REMOVE ${documents}/LICENSE)
    file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
  endif()
  if(component STREQUAL "library")
    file(WRITE ${root}/usr/share/lintian/overrides/${name}
      "# CPack adds calls of ldconfig beside the trigger; they do no harm.\n${name}: maintscript-calls-ldconfig\n")
  endif()
  file(GLOB_RECURSE programs ${root}/usr/bin/* ${root}/*.so ${root}/*.so.*.*.*)
  foreach(program ${programs})
    if(NOT IS_SYMLINK ${program})
      execute_process(COMMAND ${strip} --strip-unneeded --remove-section=.comment --remove-section=.note ${program}
        COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
  file(GLOB_RECURSE archives ${root}/*.a)
  foreach(archive ${archives})
    execute_process(COMMAND ${strip} --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives
      ${archive} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB large ${documents}/changelog* ${root}/usr/share/man/man*/*)
  execute_process(COMMAND gzip -9n ${large} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
