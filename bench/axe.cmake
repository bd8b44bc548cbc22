# axe-core (MPL 2.0) from the npm registry, pinned by its checksum. Usage: cmake -DFOLDER=DIR -P axe.cmake, which leaves
# DIR/package/axe.min.js. It is a tool of this check only; nothing of it goes into a page of sfgp.
set(archive ${FOLDER}/axe-core-4.10.2.tgz)
file(DOWNLOAD https://registry.npmjs.org/axe-core/-/axe-core-4.10.2.tgz ${archive} TIMEOUT 120
  EXPECTED_HASH SHA512=444de6750ecfdc54527bb7aa096a1e43f67d417aed9e24a3a75c148ede67442dd6229cf9ad20af7baa377ec676682a49b6b663499823c170284cee64e2d108d3)
file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${FOLDER} PATTERNS package/axe.min.js)
