// The panel beside a view: lists, boxes, the meaning of the colours, what the fit comes to. Made anew by every call.
// state: data, scene and choice of the view, shown (names and colours), unit, change(what, value), reset().
function sfgpPanel(panel, state) {
    "use strict";
    const { scene, choice, unit } = state, fit = scene.fits[choice.fit], number = sfgpColours.number;

    function make(tag, attributes, ...children) {
        const element = Object.assign(document.createElement(tag), attributes);
        element.append(...children);
        return element;
    }

    function makeList(text, names, value, onChange) {
        const select = make("select", {}, ...names.map((name) => make("option", {}, name)));
        select.selectedIndex = value;
        select.addEventListener("change", () => onChange(select.selectedIndex));
        return make("label", { className: "wide" }, text, select);
    }

    function makeLists() {
        const lists = [], colours = sfgpColours.of(fit), names = (things) => things.map((thing) => thing.name);
        if (state.data.scenes.length > 1)
            lists.push(makeList("Scene", names(state.data.scenes), choice.scene, (k) => state.change("scene", k)));
        if (fit)
            lists.push(makeList("Colour the fit by", colours.map((key) => sfgpColours.LABELS[key]), colours.indexOf(choice.colour),
                    (k) => state.change("colour", colours[k])));
        if (scene.fits.length > 1)
            lists.splice(-1, 0, makeList("Fit", names(scene.fits), choice.fit, (k) => state.change("fit", k)));
        return lists;
    }

    function makeBox(key) {
        const box = make("input", { type: "checkbox", checked: choice.shown[key] });
        const swatch = make("span", { className: "view-swatch" }), [name, colour] = state.shown[key];
        swatch.style.background = colour;
        box.addEventListener("change", () => state.change(key, box.checked));
        return make("label", {}, box, swatch, name);
    }

    function makeBoxes() {
        const has = (key) => (key === "fit" ? fit : scene[key]);
        return make("fieldset", {}, make("legend", {}, "Show"), ...Object.keys(state.shown).filter(has).map(makeBox));
    }

    // What the colours mean.
    function makeKey() {
        const key = choice.colour, stops = sfgpColours.SCALES[key], most = stops && sfgpColours.top(scene.fits, key);
        const bar = make("div", { className: "view-bar" }), box = make("div", {});
        const texts = stops ? ["0", number(most / 2), "≥ " + number(most) + unit] : ["observed", "missing"];
        if (key === "none") return box;
        bar.style.background = "linear-gradient(to right, " + (stops ? stops.join(", ")
            : sfgpColours.OBSERVED + " 50%, " + sfgpColours.MISSING + " 50%") + ")";
        box.append(bar, make("div", { className: "view-ticks" }, ...texts.map((text) => make("span", {}, text))));
        return box;
    }

    // Over the points to keep that have a number.
    function mean(values, keep) {
        let sum = 0, count = 0;
        for (let k = 0; k < values.length; k++)
            if (isFinite(values[k]) && keep(k)) {
                sum += values[k];
                count++;
            }
        return sum / count;
    }

    function makeFacts() {
        const list = make("dl", { className: "view-facts" });
        const add = (name, text) => list.append(make("dt", {}, name), make("dd", {}, text));
        const addMeans = function (name, values) {
            add(name, number(mean(values, () => true)) + unit);
            if (!fit.missing) return;
            add("– observed", number(mean(values, (k) => !fit.missing[k])) + unit);
            add("– missing", number(mean(values, (k) => fit.missing[k])) + unit);
        };
        if (fit && fit.error) addMeans("Mean error", fit.error);
        if (fit && fit.sd) addMeans("Mean sd", fit.sd);
        if (fit && fit.distance) addMeans("Mean distance", fit.distance);
        if (fit && fit.missing) add("Missing", number(100 * mean(fit.missing, () => true)) + " %");
        return list;
    }

    const reset = make("button", { type: "button" }, "Reset the view");
    reset.addEventListener("click", state.reset);
    const focus = Array.from(panel.querySelectorAll("select, input, button")).indexOf(document.activeElement);
    panel.replaceChildren(...makeLists(), makeKey(), makeBoxes(), makeFacts(), reset);
    if (focus >= 0) panel.querySelectorAll("select, input, button")[focus]?.focus(); // where the keyboard was
}
