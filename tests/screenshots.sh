#!/bin/sh
# Makes the page of a fit, of a batch and of a study, and compares their screenshots in headless Chromium: browser/screenshots.py.
# The screenshots are left in BUILD_DIR/browser. Usage: screenshots.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
source=$1 build=$2 python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
"$python" -c '' 2>/dev/null || { echo "skipped: no python3"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: no chromium"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
demo=$source/data/demo program=$build/sfgp

printf 'id,target,max-iterations\ngood,%s,\nflagged,%s,5\nlost,none.ply,\n' "$demo/scan.ply" "$demo/scan.ply" >cases.csv
"$program" batch cases.csv -o batch --reference "$demo/reference.ply" --unit mm --html --collect --quiet 2>/dev/null || [ $? = 1 ]
grep -q '<section class="view">' batch/good/fit.html || { echo "skipped: built without views (SFGP_VIEWER=OFF)"; exit 77; }
cat >study.json <<'JSON'
{"title": "Two methods on holes", "seed": 1,
 "sets": [{"name": "ears", "axis": "Radius of the holes", "unit": "mm", "simulate": "ear", "points": 800, "levels": [0.3, 0.5],
           "samples": 2, "damage": {"holes": 3, "hole_radius": "level", "noise": 0.003}}],
 "methods": [{"name": "SFGP", "method": "auto"}, {"name": "BCPD", "method": "bcpd"}],
 "views": [{"set": "ears", "level": 0.5, "sample": 0}]}
JSON
"$program" compare study.json -o study --quiet
PYTHONDONTWRITEBYTECODE=1 "$python" "$source/tests/browser/screenshots.py" "$browser" "$PWD/batch/good/fit.html" "$PWD/batch/overview.html" \
    "$PWD/study/report.html" "$build/browser"
