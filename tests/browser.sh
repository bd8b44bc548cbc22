#!/bin/sh
# Opens a page of test_report_page from disk, without a network, in headless Chromium: the views start, their lists and
# boxes change the picture, tables sort, and the console stays empty. Then the same for the page of a fit, also in the dark and
# without WebGL. The screenshots are left in BUILD_DIR/browser.
# Usage: browser.sh SOURCE_DIR BUILD_DIR; 77 = skipped.
set -eu
build=$2
[ -x "$build/tests/test_report_page" ] || { echo "skipped: no test_report_page"; exit 77; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    { echo "skipped: no chromium"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$build/browser"
page=$build/browser/page.html

fail() { echo "$*"; exit 1; }

# view ADDRESS OPTION...: what the browser prints goes to $scratch/out, what it says to $scratch/err.
view() {
    address=$1
    shift
    HOME=$scratch timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --use-gl=angle \
        --use-angle=swiftshader --enable-unsafe-swiftshader --disable-quic --no-first-run --hide-scrollbars \
        --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
        --host-resolver-rules="MAP * ~NOTFOUND" --user-data-dir="$scratch/profile" --enable-logging=stderr \
        --window-size=1280,1200 --virtual-time-budget=20000 "$@" "$address" >"$scratch/out" 2>"$scratch/err" ||
        { cat "$scratch/err"; fail "the browser failed at $address"; }
}

# The stalls are the browser's own: without a GPU it reads the canvas back to show it.
check_console() { ! grep CONSOLE "$scratch/err" | grep -v 'GPU stall due to ReadPixels' || fail "the console is not empty"; }

SFGP_PAGE=$page "$build/tests/test_report_page" >/dev/null 2>&1 || fail "test_report_page writes no page"
grep -q '^<section class="view">' "$page" || { echo "skipped: built without views (SFGP_VIEWER=OFF)"; exit 77; }

# The browser's clock runs ahead whenever the page is idle, and its budget would be over before three.js is read: this
# keeps the page busy (in real time) until it has come to a result.
hold() {
    cat <<HTML
<script>
{
    const turn = () => { for (let k = 0, sum = 0; k < 5e6; k++) sum += Math.sqrt(k); if ($1) clearInterval(timer); };
    const timer = setInterval(turn, 10);
}
</script>
HTML
}

# As a reader would open it.
{ cat "$page"; hold 'document.body.dataset.viewer !== "loading"'; } >"$scratch/plain.html"
view "file://$scratch/plain.html" --dump-dom
grep -q '<body data-viewer="ready">' "$scratch/out" || fail "the view is not ready: $(grep -o '<body[^>]*>' "$scratch/out")"
check_console

# Where there is no WebGL the page says so, and that is all.
view "file://$scratch/plain.html" --dump-dom --disable-3d-apis
grep -q '<body data-viewer="unavailable">' "$scratch/out" || fail "without WebGL: $(grep -o '<body[^>]*>' "$scratch/out")"
grep -q 'class="view-message">This browser shows no WebGL' "$scratch/out" || fail "no word about the missing WebGL"
check_console

# With hands on it: the script turns every list and box and writes into <body> what it saw.
{
    cat "$page"
    hold 'document.body.dataset.done || document.body.dataset.error'
    cat <<'HTML'
<script>
const wait = (ready) => new Promise((done) => { const look = () => ready() ? done() : setTimeout(look, 50); look(); });
const views = Array.from(document.querySelectorAll("section.view"));
const change = (element, set) => { set(element); element.dispatchEvent(new Event("change")); };
// Elements are made anew by every change: found again each time.
const lists = (view) => Array.from(view.querySelectorAll("select"));
const boxes = (view) => Array.from(view.querySelectorAll("input[type=checkbox]"));
wait(() => views.every((view) => view.countColours)).then(async () => {
    const report = document.body.dataset;
    report.colours = views.map((view) => view.countColours()).join(" ");
    let turns = 0;
    for (const view of views) {
        for (let l = 0; l < lists(view).length; l++)
            for (let o = lists(view)[l].options.length - 1; o >= 0; o--, turns++)
                change(lists(view)[l], (list) => { list.selectedIndex = o; });
        const before = view.countColours();
        for (const box of boxes(view)) change(box, (b) => { b.checked = false; turns++; });
        report.empty = (report.empty || "") + " " + view.countColours();
        for (const box of boxes(view)) change(box, (b) => { b.checked = true; turns++; });
        const canvas = view.querySelector("canvas"), at = canvas.getBoundingClientRect();
        const point = (type, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: at.left + x,
            clientY: at.top + 200, bubbles: true }));
        canvas.setPointerCapture = () => {};
        for (const [type, x] of [["pointermove", 300], ["pointerdown", 300], ["pointermove", 380], ["pointerup", 380]])
            point(type, x);
        for (const key of ["ArrowLeft", "ArrowUp", "+", "-", "0"])
            canvas.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        if (view.countColours() < 2) report.error = "nothing left on the canvas; before " + before;
    }
    report.turns = turns;
    const heads = document.querySelectorAll("table th button");
    const order = () => Array.from(document.querySelectorAll("tbody tr")).map((row) => row.cells[0].textContent).join("");
    heads[1].click();
    report.up = order();
    heads[1].click();
    report.down = order();
    heads[0].click();
    report.names = order();
    report.done = "yes";
});
</script>
HTML
} >"$scratch/hands.html"
view "file://$scratch/hands.html#probe" --dump-dom
body=$(grep -o '<body[^>]*>' "$scratch/out")
value() { echo "$body" | sed -n "s/.* data-$1=\"\([^\"]*\)\".*/\1/p"; }
[ "$(value done)" = yes ] || fail "the script did not come to its end: $body"
[ -z "$(value error)" ] || fail "an error: $(value error)"
for colours in $(value colours); do
    [ "$colours" -gt 200 ] || fail "only $colours colours on a canvas: $(value colours)"
done
[ "$(echo $(value colours) | wc -w)" = 2 ] || fail "not two views: $(value colours)"
for colours in $(value empty); do
    [ "$colours" = 1 ] || fail "$colours colours on a canvas with everything off"
done
[ "$(value turns)" -ge 20 ] || fail "only $(value turns) changes"
# 8.5, 9, 10, none; 10, 9, 8.5, none; by name
[ "$(value up) $(value down) $(value names)" = "dabc badc abcd" ] ||
    fail "sorted: $(value up) up, $(value down) down, $(value names) by name"
check_console

view "file://$scratch/plain.html#probe" --screenshot="$build/browser/page.png"
[ "$(wc -c <"$build/browser/page.png")" -gt 40000 ] || fail "the screenshot is blank"
echo "colours on the canvases: $(value colours); screenshot: $build/browser/page.png"

# ---- the page of a fit: everything has a name, the keyboard turns the ear, colours change ----------------------
program=$build/sfgp demo=$1/data/demo fit=$build/browser/fit.html
"$program" register "$demo/reference.ply" "$demo/scan.ply" -o "$scratch/fit.ply" --html "$fit" --unit mm --quiet ||
    fail "no page of a fit"
{
    cat "$fit"
    hold 'document.body.dataset.done || document.body.dataset.error'
    cat <<'HTML'
<script>
const settle = (ready) => new Promise((done) => { const look = () => ready() ? done() : setTimeout(look, 50); look(); });
const nameOf = (e) => e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim());
const view = document.querySelector("section.view"), report = document.body.dataset;
settle(() => view.countColours || report.viewer === "unavailable").then(() => {
    report.nameless = Array.from(document.querySelectorAll("canvas, select, input, button, a")).filter((e) => !nameOf(e)).length;
    report.pictures = Array.from(document.images).filter((i) => i.alt.length > 8 && i.naturalWidth > 100).length;
    report.wide = document.documentElement.scrollWidth > window.innerWidth;
    report.title = document.title;
    if (view.countColours) {
        const canvas = view.querySelector("canvas"), list = view.querySelector("select"), seen = [];
        for (let k = 0; k < list.options.length; k++) {
            const now = view.querySelector("select");
            now.selectedIndex = k;
            now.dispatchEvent(new Event("change"));
            seen.push(view.countColours());
        }
        report.choices = seen.length;
        report.least = Math.min(...seen);
        canvas.focus();
        const before = view.countColours();
        for (let k = 0; k < 12; k++) canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
        report.turned = view.countColours() !== before;
        for (const box of view.querySelectorAll("input[type=checkbox]"))
            if (!box.checked) box.click(); else { box.click(); view.querySelectorAll("input[type=checkbox]")[0].click(); }
    }
    report.done = "yes";
});
</script>
HTML
} >"$scratch/fit.html"

# check_fit NAME=VALUE...: what the script has to have found.
check_fit() {
    body=$(grep -o '<body[^>]*>' "$scratch/out")
    for pair in done=yes "title=Fit of reference.ply to scan.ply" nameless=0 pictures=5 wide=false "$@"; do
        [ "$(value "${pair%%=*}")" = "${pair#*=}" ] || fail "the page of a fit: not $pair: $body"
    done
    [ -z "$(value error)" ] || fail "an error in the page of a fit: $(value error)"
    check_console
}
view "file://$scratch/fit.html#probe" --dump-dom
check_fit viewer=ready choices=5 turned=true
[ "$(value least)" -gt 200 ] || fail "only $(value least) colours on the fit"
view "file://$scratch/fit.html#probe" --dump-dom --disable-3d-apis --window-size=390,900
check_fit viewer=unavailable
view "file://$scratch/fit.html" --screenshot="$build/browser/fit-dark.png" --blink-settings=preferredColorScheme=0 --window-size=390,1600
[ "$(wc -c <"$build/browser/fit-dark.png")" -gt 40000 ] || fail "the screenshot of the fit is blank"
# ---- the overview of a batch: no column beyond a window of 1400 pixels, whatever a case says -------------------
long=/$(printf 'a/very/long/path/%.0s' 1 2 3 4 5)scan.ply
"$program" align "$demo/scan.ply" "$demo/scan.ply" -o "$scratch/scan.csv" 2>/dev/null || fail "no scan as text"
awk -F, '{ print $1 + 600 "," $2 "," $3 }' "$scratch/scan.csv" >"$scratch/far.csv"
printf 'id,target,truth,max-iterations\ngood,%s,%s,\nfar,far.csv,,5\nlost,%s,,\n' "$demo/scan.ply" "$demo/truth.ply" "$long" >"$scratch/cases.csv"
"$program" batch "$scratch/cases.csv" -o "$scratch/batch" --reference "$demo/reference.ply" --unit mm --collect --quiet && fail "no case failed"
{
    cat "$scratch/batch/overview.html"
    cat <<'HTML'
<script>
const table = document.querySelector(".table");
document.body.dataset.beyond = table.scrollWidth - table.clientWidth;
document.body.dataset.links = Array.from(document.querySelectorAll("tbody a")).length;
document.body.dataset.warnings = document.querySelectorAll("tbody tr td.words:nth-child(4):not(:empty)").length;
</script>
HTML
} >"$scratch/overview.html"
view "file://$scratch/overview.html" --dump-dom --window-size=1400,1000
body=$(grep -o '<body[^>]*>' "$scratch/out")
for pair in beyond=0 links=3 warnings=1; do
    [ "$(value "${pair%%=*}")" = "${pair#*=}" ] || fail "the overview of a batch: not $pair: $body"
done
check_console
echo "page of a fit: $(wc -c <"$fit") bytes; screenshot: $build/browser/fit-dark.png"
