"""Screenshots of the page of a fit, of a batch and of a study, light and dark, 1400 and 390 pixels wide, compared by their structure:
where shapes are, which colours they have, and what changes from one state to the next. No pixel is compared with a stored one.

    screenshots.py CHROMIUM FIT.html OVERVIEW.html STUDY.html FOLDER    # the screenshots are left in FOLDER; exit code 1: a check failed
"""
import base64
import itertools
import json
import pathlib
import sys

from chromium import Browser

WIDTHS, THEMES = (1400, 390), ("light", "dark")
COLUMNS, ROWS = 32, 24  # of the grid over a view
SHAPE = 15  # a cell is part of a shape when its colour is so far (sum over red, green, blue) from the ground
INK = 12  # a cell has text, lines or pictures when its brightness (0 to 255) has this standard deviation
failed = []


def check(good, what):
    if not good:
        failed.append(what)
        print("not as it should be:", what)


# ---- grids of mean colours ----------------------------------------------------------------------------------------


def apart(one, other):
    return sum(abs(a - b) for a, b in zip(one, other))


def shape_of(cells):
    """The cells that differ from the ground, the colour of the first cell."""
    return {k for k, cell in enumerate(cells) if apart(cell, cells[0]) > SHAPE}


def overlap(one, other):
    return len(one & other) / max(1, len(one | other))


def share(cells, among, test):
    return sum(1 for k in among if test(*cells[k])) / max(1, len(among))


def mean_light(cells, among):
    return sum(sum(cells[k]) for k in among) / max(1, 3 * len(among))


def blue(r, g, b):
    return b > r + 20


def skin(r, g, b):
    return r > b + 20


def purple(r, g, b):
    return min(r, b) > g + 5


def grey(r, g, b):
    return max(r, g, b) - min(r, g, b) < 30


# ---- pages --------------------------------------------------------------------------------------------------------


def boxes(browser, selector):
    return browser.run("Array.from(document.querySelectorAll(%s), (e) => { const r = e.getBoundingClientRect(); "
                       "return [r.x + scrollX, r.y + scrollY, r.width, r.height]; })" % json.dumps(selector))


def take(browser, folder, name, box=None):
    png = browser.screenshot(box)
    (folder / f"{name}.png").write_bytes(base64.b64decode(png))
    return png


def visit(browser, folder, name, path, width, theme):
    """Opens a page; its ground is light or dark, nothing is wider than the window, and it is not empty. Returns where there is ink."""
    browser.said.clear()
    browser.open(path, width, 1600, theme == "dark")
    label = f"{name}-{width}-{theme}"
    cells, contrasts = browser.measure(take(browser, folder, label), 40, 40)
    light = sum(cells[0]) / 3
    check(light > 240 if theme == "light" else light < 40, f"{label}: the ground has {light:.0f} of 255")
    check(browser.run("document.documentElement.scrollWidth") <= width, f"{label}: wider than the window")
    ink = {k for k, contrast in enumerate(contrasts) if contrast > INK}
    check(len(ink) > 100, f"{label}: ink on {len(ink)} of 1600 cells")
    return ink


def visit_all(browser, folder, name, path, examine):
    for width in WIDTHS:
        seen = []
        for theme in THEMES:
            seen.append(visit(browser, folder, name, path, width, theme))
            examine(browser, folder, f"{name}-{width}-{theme}")
            check(not browser.said, f"{name}-{width}-{theme}: the console says {browser.said}")
        check(overlap(*seen) > 0.8, f"{name}-{width}: light and dark have {overlap(*seen):.2f} of their ink in the same places")


# ---- the page of a fit --------------------------------------------------------------------------------------------


def state(browser, folder, label, colour=None, shown=None):
    """The view with the fit coloured by an entry of its list, or with only one of its shapes."""
    if colour:
        browser.run("{ const list = document.querySelector('.view-panel select'); list.selectedIndex = Array.from(list.options)"
                    ".findIndex((o) => o.text === %s); list.dispatchEvent(new Event('change')); }" % json.dumps(colour))
    for name in ("Fit", "Scan", "Reference") if shown else ():
        browser.run("{ const box = Array.from(document.querySelectorAll('.view-panel fieldset label')).find((l) => l.textContent === %s)"
                    ".querySelector('input'); if (box.checked !== %s) box.click(); }" % (json.dumps(name), json.dumps(name == shown)))
    return browser.grid(take(browser, folder, label, boxes(browser, ".view canvas")[0]), COLUMNS, ROWS)


def check_colours(label, seen):
    """What is missing is a good quarter of the demo, and uncertain and far from the scan. Every quantity has its own hues."""
    shape, missing = shape_of(seen["missing"]), seen["missing"]
    gone = {k for k in shape if blue(*missing[k])}
    there = {k for k in shape if skin(*missing[k])}
    check(0.15 < len(gone) / max(1, len(shape)) < 0.45 and len(there) > len(gone), f"{label}: {len(gone)} blue, {len(there)} skin")
    for name in ("sd", "distance"):
        dark = mean_light(seen[name], there) - mean_light(seen[name], gone)
        check(dark > 15, f"{label}: {name} is darker where points are missing by {dark:.0f} of 255")
    for name, hue in (("sd", blue), ("deviation", purple), ("none", grey)):
        check(share(seen[name], shape, hue) > 0.6, f"{label}: {name} has its hue on {share(seen[name], shape, hue):.2f}")
    check(share(seen["distance"], shape, blue) < 0.05, f"{label}: distance has blue")
    for one, other in itertools.combinations(sorted(seen), 2):
        check(overlap(shape_of(seen[one]), shape_of(seen[other])) > 0.9, f"{label}: {one} and {other} have different shapes")
        changed = sum(1 for k in shape if apart(seen[one][k], seen[other][k]) > 25) / max(1, len(shape))
        check(changed > 0.15, f"{label}: from {one} to {other} only {changed:.2f} of the shape changes")
    return gone, there


def check_shapes(label, fit, scan, reference, gone, there):
    """One at a time: the scan is blue and has holes where the fit says missing, the reference is grey and of the size of the fit."""
    shape = shape_of(fit)
    check(0.1 < len(shape) / len(fit) < 0.7, f"{label}: the fit has {len(shape)} of {len(fit)} cells")
    held = [len(shape_of(scan) & part) / max(1, len(part)) for part in (there, gone)]
    check(held[0] > 0.6 and held[1] < 0.5 * held[0], f"{label}: of the seen points the scan shows {held[0]:.2f}, of the others {held[1]:.2f}")
    check(share(scan, shape_of(scan), lambda r, g, b: b > r) > 0.9, f"{label}: the scan is not blue")
    check(share(reference, shape_of(reference), grey) > 0.9, f"{label}: the reference is not grey")
    check(0.5 < overlap(shape, shape_of(reference)) < 0.99, f"{label}: fit and reference overlap by {overlap(shape, shape_of(reference)):.2f}")


def check_keys(browser, folder, label):
    """Tab comes to the canvas, arrows turn the shape, 0 turns it back."""
    for _ in range(60):
        browser.press("Tab")
        if browser.run("document.activeElement.tagName === 'CANVAS'"):
            break
    check(browser.run("document.activeElement.tagName === 'CANVAS'"), f"{label}: Tab does not come to the view")
    before = state(browser, folder, label + "-focus")
    browser.press("ArrowLeft", 12)
    turned = state(browser, folder, label + "-turned")
    moved = sum(1 for one, other in zip(before, turned) if apart(one, other) > 25) / len(before)
    check(moved > 0.08, f"{label}: arrows change {moved:.2f} of the view")
    browser.press("0")
    check(max(map(apart, state(browser, folder, label + "-back"), before)) < 30, f"{label}: 0 does not turn it back")


COLOURS = {"missing": "Missing from the scan", "sd": "Standard deviation", "deviation": "Deviation from the reference",
           "distance": "Distance to the scan", "none": "Nothing"}


def examine_fit(browser, folder, label):
    state(browser, folder, label + "-view", shown="Fit")
    seen = {name: state(browser, folder, f"{label}-{name}", colour=text) for name, text in COLOURS.items()}
    gone, there = check_colours(label, seen)
    one = {name: state(browser, folder, f"{label}-{name.lower()}", shown=name) for name in ("Scan", "Reference", "Fit")}
    check_shapes(label, one["Fit"], one["Scan"], one["Reference"], gone, there)
    check_keys(browser, folder, label)


# ---- overview and study -------------------------------------------------------------------------------------------


def examine_overview(browser, folder, label):
    """Two pictures of a case that was fitted: the scan is blue-grey, the fit has the colour of skin."""
    pictures = boxes(browser, "img.thumbnail")
    check(len(pictures) == 4, f"{label}: {len(pictures)} pictures")
    for k, box in enumerate(pictures):
        cells = browser.grid(browser.screenshot(box), 12, 12)
        shape = shape_of(cells)
        check(0.2 < len(shape) / 144 < 0.9, f"{label}: picture {k} has a shape on {len(shape)} of 144 cells")
        colour = share(cells, shape, (lambda r, g, b: b > r) if k % 2 == 0 else skin)
        check(colour > 0.5, f"{label}: picture {k} has the colour of a {'scan' if k % 2 == 0 else 'fit'} on {colour:.2f}")


def examine_study(browser, folder, label):
    """Every chart has the colours of both methods, and the view a shape in the middle."""
    charts = boxes(browser, "figure > svg")
    check(len(charts) >= 5, f"{label}: {len(charts)} charts")
    for k, box in enumerate(charts):
        cells = browser.grid(browser.screenshot(box), 80, 60)
        lines = [share(cells, range(len(cells)), test) for test in (lambda r, g, b: b > r + 8, lambda r, g, b: r > b + 8)]
        check(min(lines) > 0.0008, f"{label}: chart {k} has blue on {lines[0]:.4f} and orange on {lines[1]:.4f}")
    shape = shape_of(state(browser, folder, label + "-view"))
    check(0.05 < len(shape) / (COLUMNS * ROWS) < 0.8, f"{label}: the view has a shape on {len(shape)} cells")


def main(program, fit, overview, study, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    browser = Browser(program)
    try:
        visit_all(browser, folder, "fit", fit, examine_fit)
        visit_all(browser, folder, "overview", overview, examine_overview)
        visit_all(browser, folder, "study", study, examine_study)
    finally:
        browser.close()
    print(f"screenshots: {folder}; {len(failed)} checks failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
