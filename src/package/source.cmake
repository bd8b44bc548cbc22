# Run by CPack after packing. In a git repository the source archive is that of the last commit: sorted names, the time of
# the commit, no owner. So two folders give the same bytes, which the times and owners of CPack's own archive prevent.
list(GET CPACK_INSTALLED_DIRECTORIES 0 folder) # empty unless this is the source
if(EXISTS "${folder}/.git" AND CPACK_GENERATOR STREQUAL "TGZ")
  execute_process(COMMAND git -C ${folder} archive --format=tar --prefix=${CPACK_PACKAGE_FILE_NAME}/ HEAD
    COMMAND gzip -9n OUTPUT_FILE ${CPACK_PACKAGE_FILES} COMMAND_ERROR_IS_FATAL ANY)
endif()
