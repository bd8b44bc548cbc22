#!/bin/sh
# Runs axe-core over pages, light and dark, 1400 and 390 pixels wide, in headless Chromium, and fails when it finds anything. It needs a network once,
# for axe-core. Usage: axe.sh DOWNLOADS PAGE...
set -eu
downloads=$1
shift
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "no chromium"; exit 1; }
[ -e "$downloads/package/axe.min.js" ] || cmake -DFOLDER="$downloads" -P "$(dirname "$0")/axe.cmake"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The page with axe-core behind it; what it finds goes into <body data-axe>. Busy until then, as in tests/browser.sh.
instrument() {
    cat "$1"
    echo '<script>'
    sed 's,</script,<\\/script,g' "$downloads/package/axe.min.js"
    cat <<'HTML'
</script>
<script>
{
    const busy = setInterval(() => { for (let k = 0, sum = 0; k < 5e6; k++) sum += Math.sqrt(k); }, 10);
    const describe = (found) => found.impact + " " + found.id + ": " + found.help + ": " + found.nodes[0].html.slice(0, 100);
    const tell = (text) => { document.body.dataset.axe = text; clearInterval(busy); };
    const begin = setInterval(() => {
        if (document.body.dataset.viewer === "loading") return;
        clearInterval(begin);
        axe.run(document).then((found) => tell(found.passes.length + " rules pass. " + found.violations.map(describe).join("; ")),
            (error) => tell("error: " + error));
    }, 50);
}
</script>
HTML
}

bad=0
for page; do
    page=$(cd "$(dirname "$page")" && pwd)/$(basename "$page")
    instrument "$page" >"$scratch/page.html"
    for shown in 1:1400 0:1400 1:390 0:390; do # 1: light, 0: dark; the width
        HOME=$scratch "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --use-gl=angle --use-angle=swiftshader \
            --enable-unsafe-swiftshader --no-first-run --user-data-dir="$scratch/profile" --window-size=${shown#*:},1200 \
            --blink-settings=preferredColorScheme=${shown%:*} --virtual-time-budget=30000 --dump-dom \
            "file://$scratch/page.html#probe" >"$scratch/out" 2>/dev/null
        found=$(sed -n 's/.*<body[^>]* data-axe="\([^"]*\)".*/\1/p' "$scratch/out")
        echo "$page ($([ ${shown%:*} = 1 ] && echo light || echo dark), ${shown#*:}): ${found:-no answer}"
        case $found in *[1-9]*" rules pass. ") ;; *) bad=1 ;; esac
    done
done
exit $bad
