// A view: canvas, lists and boxes over the scenes of one section of the page. Draws only when something changed.
function sfgpViewer(THREE, section, data) {
    "use strict";
    const SHOWN = { fit: ["Fit", "#d9d0bd"], scan: ["Scan", "#3b6ea5"], reference: ["Reference", "#8a8f96"],
        truth: ["Truth", "#2e8b57"] };
    const stage = section.querySelector(".view-stage"), canvas = section.querySelector("canvas");
    const panel = section.querySelector(".view-panel"), tip = section.querySelector(".view-tip");
    const choice = { scene: 0, fit: 0, colour: "error", shown: { fit: true, scan: true, reference: false, truth: false } };
    const unit = data.unit ? " " + data.unit : "";
    const world = new THREE.Scene(), camera = new THREE.PerspectiveCamera(28, 4 / 3, 0.1, 10);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const scanColour = () => (dark.matches ? "#7db0e8" : "#3b6ea5"); // its points are small: they need contrast
    const ground = () => (dark.matches ? "#26282b" : "#eceef0"); // as page.css
    const HINTS = { 2: "drag: move · click, then wheel: zoom · double click: reset",
        3: "drag: turn · Shift and drag: move · click, then wheel: zoom · double click: reset" };
    let objects = [], scene = null, asked = false;

    const gl = canvas.getContext("webgl2", { antialias: true });
    if (!gl) throw new Error("This browser shows no WebGL here, which the 3D view needs. Everything else on the page works.");
    const renderer = new THREE.WebGLRenderer({ canvas, context: gl, antialias: true });
    renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    const map = sfgpScene.ball(THREE);
    const orbit = sfgpOrbit(THREE, camera, canvas, draw);

    // ---- drawing ------------------------------------------------------------------------------------------------

    // Clouds have no surface that hides what is behind: the far side fades.
    function fade() {
        const cloud = scene.dimension === 3 && !scene.faces, size = sfgpScene.radius(scene.reference);
        const far = camera.position.length();
        world.fog = cloud ? new THREE.Fog(ground(), far - 0.25 * size, far + 1.1 * size) : null;
    }

    function render() {
        asked = false;
        fade();
        renderer.render(world, camera);
    }

    function draw() {
        if (asked) return;
        asked = true;
        requestAnimationFrame(render);
    }

    // The light comes over the left shoulder of whoever looks.
    function light() {
        const key = new THREE.DirectionalLight(0xffffff, 1.9), fill = new THREE.DirectionalLight(0xffffff, 0.5);
        key.position.set(-0.6, 0.9, 1);
        fill.position.set(1, -0.3, 0.6);
        camera.add(key, fill, key.target, fill.target);
        key.target.position.set(0, 0, -1);
        fill.target.position.set(0, 0, -1);
        world.add(camera, new THREE.HemisphereLight(0xffffff, 0xb9b4ab, 1.35));
        world.background = new THREE.Color(ground());
    }

    function resize() {
        const width = stage.clientWidth, height = stage.clientHeight;
        if (!width || !height) return;
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        orbit.place();
    }

    // ---- objects ------------------------------------------------------------------------------------------------

    function add(object) {
        objects.push(object);
        world.add(object);
    }

    // share: width of a ball, as a share of the distance between points.
    function makeCloud(xyz, colour, share) {
        return sfgpScene.cloud(THREE, xyz, colour, share * sfgpScene.grain(xyz, scene.dimension), map, camera);
    }

    function addCloud(xyz, colour, share) {
        add(makeCloud(xyz, colour, share));
    }

    // A shell around the fit, or a solid surface when the fit is hidden.
    function addShape(xyz, faces, colour) {
        if (faces) add(sfgpScene.surface(THREE, xyz, faces, colour, choice.shown.fit));
        else addCloud(xyz, colour, 0.45);
    }

    function addFit(fit) {
        const object = scene.faces ? sfgpScene.surface(THREE, fit.points, scene.faces, null, false)
            : makeCloud(fit.points, null, 0.8);
        const most = sfgpColours.top(scene.fits, choice.colour);
        sfgpScene.paint(THREE, object, fit.points.length / 3, sfgpColours.ofFit(fit, choice.colour, most));
        add(object);
    }

    function rebuild() {
        for (const object of objects) {
            world.remove(object);
            sfgpScene.dispose(object);
        }
        objects = [];
        if (choice.shown.fit && scene.fits[choice.fit]) addFit(scene.fits[choice.fit]);
        if (choice.shown.scan && scene.scanFaces)
            add(sfgpScene.surface(THREE, scene.scan, scene.scanFaces, SHOWN.scan[1], false));
        else if (choice.shown.scan && scene.scan) addCloud(scene.scan, SHOWN.scan[1], 0.28);
        if (choice.shown.reference) addShape(scene.reference, scene.faces, SHOWN.reference[1]);
        if (choice.shown.truth && scene.truth) addShape(scene.truth, scene.truthFaces, SHOWN.truth[1]);
        draw();
    }

    function setScene(index, look) {
        choice.scene = index;
        scene = sfgpScene.decode(data.scenes[index], data.references);
        choice.fit = Math.max(0, Math.min(choice.fit, scene.fits.length - 1));
        if (scene.fits.length === 0) choice.shown.reference = true;
        section.querySelector(".view-hint").textContent = HINTS[scene.dimension];
        if (look && scene.scanFaces) choice.shown.scan = false; // it would hide half of the fit
        if (look) {
            const direction = sfgpScene.outlook(THREE, scene);
            const up = Math.abs(direction.y) > 0.8 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, 1, 0);
            if (scene.dimension === 3) direction.addScaledVector(up, 0.15).normalize();
            orbit.frame(sfgpScene.radius(scene.reference), direction, up, scene.dimension === 2);
        }
    }

    // ---- choices ------------------------------------------------------------------------------------------------

    function fill() {
        const colours = sfgpColours.of(scene.fits[choice.fit]);
        if (!colours.includes(choice.colour)) choice.colour = colours[0];
        sfgpPanel(panel, { data, scene, choice, shown: SHOWN, unit, change, reset: orbit.reset });
    }

    // what: scene, fit, colour (a place in their list, a name) or the name of something shown.
    function change(what, value) {
        if (what in choice.shown) choice.shown[what] = value;
        else if (what === "scene") setScene(value, false);
        else choice[what] = value;
        fill();
        rebuild();
    }

    // ---- the point under the pointer ----------------------------------------------------------------------------

    function nearest(fit, px, py) {
        const point = new THREE.Vector3(), width = stage.clientWidth, height = stage.clientHeight;
        let best = -1, depth = Infinity;
        for (let k = 0; 3 * k < fit.points.length; k++) {
            point.fromArray(fit.points, 3 * k).project(camera);
            const far = Math.hypot((point.x + 1) / 2 * width - px, (1 - point.y) / 2 * height - py);
            if (far < 7 && point.z < depth && point.z > -1) {
                best = k;
                depth = point.z;
            }
        }
        return best;
    }

    function describe(fit, k) {
        const lines = ["point " + k];
        if (fit.error) lines.push("error " + sfgpColours.number(fit.error[k]) + unit);
        if (fit.sd) lines.push("sd " + sfgpColours.number(fit.sd[k]) + unit);
        if (fit.deviation) lines.push("from the reference " + sfgpColours.number(fit.deviation[k]) + unit);
        if (fit.distance) lines.push("to the scan " + sfgpColours.number(fit.distance[k]) + unit);
        if (fit.missing) lines.push(fit.missing[k] ? "missing" : "observed");
        return lines.join("\n");
    }

    function onHover(event) {
        const fit = scene.fits[choice.fit], box = stage.getBoundingClientRect();
        const x = event.clientX - box.left, y = event.clientY - box.top;
        const k = fit && choice.shown.fit && !orbit.isMoving() ? nearest(fit, x, y) : -1;
        tip.style.display = k < 0 ? "none" : "block";
        if (k < 0) return;
        tip.textContent = describe(fit, k);
        tip.style.left = Math.min(x + 14, stage.clientWidth - 120) + "px";
        tip.style.top = Math.min(y + 14, stage.clientHeight - 80) + "px";
    }

    // For the test of the page: how many colours are on the canvas.
    function countColours() {
        render();
        const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight), seen = new Set();
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        for (let k = 0; k < pixels.length; k += 4) seen.add(pixels[k] << 16 | pixels[k + 1] << 8 | pixels[k + 2]);
        return seen.size;
    }

    SHOWN.scan[1] = scanColour();
    light();
    resize();
    setScene(0, true);
    fill();
    rebuild();
    dark.addEventListener("change", () => {
        world.background.set(ground());
        SHOWN.scan[1] = scanColour();
        fill();
        rebuild();
    });
    new ResizeObserver(resize).observe(stage);
    canvas.addEventListener("pointermove", onHover);
    canvas.addEventListener("pointerleave", () => { tip.style.display = "none"; });
    return { countColours };
}
