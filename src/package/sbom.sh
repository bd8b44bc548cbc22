#!/bin/sh
# What the packages are made of, as SPDX 2.3 (JSON): sfgp, the libraries that its program is linked with or loads, by the Debian
# packages that they come from, and three.js, which is part of the pages.
# Usage: sbom.sh SOURCE_DIR PROGRAM >sfgp.spdx.json; SOURCE_DATE_EPOCH is the time of its making.
set -eu
source=$1 program=$2
version=$(sed -n 's/.*define SFGP_VERSION "\(.*\)"/\1/p' "$source/include/sfgp/sfgp.h")
commit=$(git -C "$source" rev-parse HEAD 2>/dev/null || echo unknown)
three=$(sed -n 's/^set(three_version \(.*\))/\1/p' "$source/src/page/viewer/three.cmake")
three_digest=$(sed -n '/^set(three_sha512/{n;s/[^0-9a-f]//g;p;}' "$source/src/page/viewer/three.cmake")

# SPDX allows letters, digits, dots and hyphens.
identifier() { echo "$1" | tr -c 'A-Za-z0-9.\n' -; }
# package ID NAME VERSION LICENCE URL EXTRA
package() {
    printf '  {"SPDXID": "SPDXRef-%s", "name": "%s", "versionInfo": "%s", "licenseDeclared": "%s", "licenseConcluded": "%s", "copyrightText": "NOASSERTION", "filesAnalyzed": false, "downloadLocation": "%s"%s}' \
        "$(identifier "$1")" "$2" "$3" "$4" "$4" "$5" "$6"
}
relation() { printf '  {"spdxElementId": "SPDXRef-sfgp", "relationshipType": "%s", "relatedSpdxElement": "SPDXRef-%s"}' "$1" "$(identifier "$2")"; }

# The Debian packages of the libraries: name, version and source package, one line each. A library may be known by one of three paths.
name=$(grep -ao 'libhdf5[a-z_]*\.so\.[0-9]*' "$program" | head -n 1)
loaded=$(/sbin/ldconfig -p | sed -n "s|^[[:space:]]*${name:-none} .*=> ||p" | head -n 1)
paths=$({ ldd "$program" $loaded; echo "=> $loaded "; } | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | while read -r file; do echo "$file" "$(realpath "$file")" "/usr$file"; done)
names=$(dpkg-query -S $paths 2>/dev/null | sed -n '/^diversion/d; s/^\([^:,]*\)[:,].*/\1/p' | sort -u)
libraries=$(dpkg-query -W -f '${Package} ${Version} ${source:Package}\n' $names | sort -u)

cat <<END
{"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "sfgp-$version",
 "documentNamespace": "https://example.org/sfgp/$version/$commit",
 "creationInfo": {"created": "$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)", "creators": ["Organization: The sfgp authors"]},
 "documentDescribes": ["SPDXRef-sfgp"],
 "packages": [
END
package sfgp sfgp "$version" MIT NOASSERTION ", \"sourceInfo\": \"git commit $commit\""
printf ',\n'
package three three.js "$three" MIT "https://registry.npmjs.org/three/-/three-$three.tgz" \
    ", \"checksums\": [{\"algorithm\": \"SHA512\", \"checksumValue\": \"$three_digest\"}]"
echo "$libraries" | while read -r name number from; do
    printf ',\n'
    package "$name" "$name" "$number" NOASSERTION NOASSERTION \
        ", \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"pkg:deb/debian/$name@$number?upstream=$from\"}]"
done
printf '],\n "relationships": [\n  {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-sfgp"},\n'
relation CONTAINS three
echo "$libraries" | while read -r name number from; do
    printf ',\n'
    relation DYNAMIC_LINK "$name"
done
printf ']}\n'
