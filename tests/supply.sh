#!/bin/sh
# What comes from elsewhere: three.js only as it is pinned, a build without network has pages without views, and the list of what the
# packages are made of (SPDX) names all of it. Usage: supply.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "supply: $*"; exit 1; }

# ---- three.js ----------------------------------------------------------------------------------------------------------
unset SFGP_THREE
export https_proxy=http://127.0.0.1:9 SFGP_DOWNLOADS="$scratch/downloads" # no network: nobody listens there
mkdir "$scratch/downloads"
cat >"$scratch/take.cmake" <<END
set(PROJECT_SOURCE_DIR "$source")
set(PROJECT_BINARY_DIR "$scratch/build")
include("$source/src/page/viewer/three.cmake")
message(STATUS "folder: \${three_folder}")
END
take() { mkdir -p "$scratch/build"; cmake -P "$scratch/take.cmake" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "cmake ends with an error"; }; }

version=$(sed -n 's/^set(three_version \(.*\))/\1/p' "$source/src/page/viewer/three.cmake")
archive=$scratch/downloads/three-$version.tgz
if ! ls -d /usr/share/nodejs/three /usr/lib/node_modules/three /usr/local/lib/node_modules/three >/dev/null 2>&1; then
    take
    tr -s ' \n' '  ' <"$scratch/log" | grep -q 'No views in 3D in the reports: three.js did not arrive whole' || fail "a build without network does not say so"
    grep -qx -e '-- folder: ' "$scratch/log" || fail "three.js comes from nowhere"
    echo "not the archive" >"$archive"
    take
    grep -qx -e '-- folder: ' "$scratch/log" || fail "another archive is taken"
fi
given=$source/build/downloads/three-$version.tgz
if [ -e "$given" ]; then
    cp "$given" "$archive"
    take
    module=$(find "$scratch/build" -name three.module.min.js)
    [ -n "$module" ] || fail "the archive is not taken"
    cp "$module" "$scratch/whole"
    echo "changed()" >>"$module"
    take
    cmp -s "$module" "$scratch/whole" || fail "a changed file of the unpacked archive stays"
fi

# ---- SPDX --------------------------------------------------------------------------------------------------------------
command -v dpkg-query >/dev/null && command -v ldd >/dev/null || { echo "no Debian: no list"; exit 0; }
SOURCE_DATE_EPOCH=0 sh "$source/src/package/sbom.sh" "$source" "$build/sfgp" >"$scratch/sbom.json"
/usr/bin/python3 - "$scratch/sbom.json" <<'END'
import json, sys
document = json.load(open(sys.argv[1]))
assert document["spdxVersion"] == "SPDX-2.3" and document["creationInfo"]["created"] == "1970-01-01T00:00:00Z"
packages = {package["SPDXID"]: package for package in document["packages"]}
assert len(packages) == len(document["packages"]) and all(package["versionInfo"] for package in packages.values())
assert packages["SPDXRef-three"]["checksums"][0]["algorithm"] == "SHA512" and len(packages["SPDXRef-three"]["checksums"][0]["checksumValue"]) == 128
related = {relation["relatedSpdxElement"] for relation in document["relationships"]}
assert related == set(packages), related ^ set(packages)
names = " ".join(package["name"] for package in packages.values())
assert all(name in names for name in ("openblas", "hdf5", "libarpack2", "libcholmod", "zlib1g", "libc6")), names
END
echo "three.js as pinned, and a list of all that is linked"
