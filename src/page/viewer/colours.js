// What a point's colour means: quantities of a fit, their colour scales, numbers as text.
const sfgpColours = (function () {
    "use strict";

    // From nothing to much, light to dark, so that they survive a black and white printer.
    const SCALES = {
        error: ["#f4efe4", "#f9d99a", "#f5a94f", "#e2662f", "#b52a2a", "#6d0f35"],
        sd: ["#efdfd0", "#b4d0c9", "#5fa3b5", "#2f6b9a", "#30387a"], // these three as palette.c
        deviation: ["#f3ece2", "#d9c3d6", "#b088bd", "#7f4f9e", "#472063"],
        distance: ["#f4efe4", "#f8c77c", "#ec7a3c", "#b52a2a", "#6d0f35"],
    };
    const OBSERVED = "#e8c9b1", MISSING = "#5fa8b5", PLAIN = "#e3ddd0";
    const LABELS = { error: "Error", missing: "Missing from the scan", sd: "Standard deviation",
        deviation: "Deviation from the reference", distance: "Distance to the scan", none: "Nothing" };

    function parse(hex) {
        return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
    }

    // t in 0 .. 1; red, green, blue in 0 .. 1 as on the screen. No number is grey.
    function at(scale, t) {
        if (!isFinite(t)) return [0.6, 0.6, 0.6];
        const stops = SCALES[scale], x = Math.max(0, Math.min(1, t)) * (stops.length - 1);
        const k = Math.min(stops.length - 2, Math.floor(x)), a = parse(stops[k]), b = parse(stops[k + 1]);
        return a.map((value, c) => value + (x - k) * (b[c] - value));
    }

    function quantile(values, share) {
        const sorted = Float32Array.from(values).filter(isFinite).sort();
        return sorted.length ? sorted[Math.floor(share * (sorted.length - 1))] : NaN;
    }

    // The top of a scale: 98 % of the points of the worst fit of the scene, so that fits can be compared by eye.
    function top(fits, quantity) {
        const tops = fits.filter((fit) => fit[quantity]).map((fit) => quantile(fit[quantity], 0.98)).filter(isFinite);
        const most = Math.max(0, ...tops);
        if (most === 0) return 1;
        const unit = Math.pow(10, Math.floor(Math.log10(most)) - 1);
        return Math.ceil(most / unit - 1e-6) * unit;
    }

    // One colour a point, or null for a plain surface.
    function ofFit(fit, quantity, most) {
        if (quantity === "missing" && fit.missing)
            return (k) => parse(fit.missing[k] ? MISSING : OBSERVED);
        if (SCALES[quantity] && fit[quantity])
            return (k) => at(quantity, fit[quantity][k] / most);
        return () => parse(PLAIN);
    }

    // The quantities that a fit (or nothing) can be coloured by.
    function of(fit) {
        return Object.keys(LABELS).filter((key) => key === "none" || (fit && fit[key]));
    }

    function number(value) {
        return isFinite(value) ? String(Number(value.toPrecision(3))) : "–";
    }

    return { SCALES, OBSERVED, MISSING, LABELS, top, of, ofFit, number };
})();
