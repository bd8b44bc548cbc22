// The camera: drag turns, right button or Shift and drag moves, wheel (once the view has the focus) or two fingers
// zoom, double click resets. Keys: arrows, + and -, 0. In the plane (flat) a drag moves. Calls changed() when to draw.
function sfgpOrbit(THREE, camera, element, changed) {
    "use strict";
    const target = new THREE.Vector3(), home = { direction: new THREE.Vector3(0, 0, 1), up: new THREE.Vector3(0, 1, 0) };
    const pointers = new Map();
    let radius = 1, distance = 1, flat = false;

    function place() {
        const back = new THREE.Vector3(0, 0, 1).applyQuaternion(camera.quaternion);
        camera.position.copy(target).addScaledVector(back, distance);
        camera.near = Math.max(distance - 4 * radius, distance / 500);
        camera.far = distance + 8 * radius;
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
        changed();
    }

    function fitDistance() {
        const half = Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) * Math.min(1, camera.aspect);
        return 1.08 * radius / half;
    }

    function reset() {
        camera.position.copy(home.direction);
        camera.up.copy(home.up);
        camera.lookAt(0, 0, 0);
        target.set(0, 0, 0);
        distance = fitDistance();
        place();
    }

    // The scene has its middle at 0.
    function frame(newRadius, direction, up, isFlat) {
        radius = newRadius;
        flat = isFlat;
        home.direction.copy(direction);
        home.up.copy(up);
        reset();
    }

    function turn(dx, dy) {
        if (flat) return;
        const up = new THREE.Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
        const right = new THREE.Vector3(1, 0, 0).applyQuaternion(camera.quaternion);
        const spin = new THREE.Quaternion().setFromAxisAngle(up, -dx);
        spin.multiply(new THREE.Quaternion().setFromAxisAngle(right, -dy));
        camera.quaternion.premultiply(spin).normalize();
        place();
    }

    // Pixels: what is under the pointer stays under it.
    function pan(dx, dy) {
        const size = 2 * distance * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2)) / element.clientHeight;
        target.add(new THREE.Vector3(-dx * size, dy * size, 0).applyQuaternion(camera.quaternion));
        place();
    }

    function zoom(factor) {
        distance = Math.min(20 * radius, Math.max(0.1 * radius, distance * factor));
        place();
    }

    function spread() {
        const [a, b] = pointers.values();
        return { length: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    }

    function onMove(event) {
        const last = pointers.get(event.pointerId);
        if (!last) return;
        const before = pointers.size === 2 ? spread() : null;
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        const dx = event.clientX - last.x, dy = event.clientY - last.y;
        if (before) {
            const after = spread();
            pan(after.x - before.x, after.y - before.y);
            zoom(before.length / after.length);
        } else if (flat || event.shiftKey || event.buttons & 6) pan(dx, dy);
        else turn(dx * 0.008, dy * 0.008);
    }

    function onKey(event) {
        const act = { ArrowLeft: () => turn(0.1, 0), ArrowRight: () => turn(-0.1, 0), ArrowUp: () => turn(0, 0.1),
            ArrowDown: () => turn(0, -0.1), "+": () => zoom(0.9), "-": () => zoom(1 / 0.9), "0": reset }[event.key];
        if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        act();
    }

    function release(event) {
        pointers.delete(event.pointerId);
    }

    element.addEventListener("pointerdown", function (event) {
        element.focus({ preventScroll: true });
        element.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    element.addEventListener("pointermove", onMove);
    element.addEventListener("pointerup", release);
    element.addEventListener("pointercancel", release);
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    element.addEventListener("dblclick", reset);
    element.addEventListener("keydown", onKey);
    element.addEventListener("wheel", function (event) {
        if (document.activeElement !== element) return; // the page scrolls
        event.preventDefault();
        zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 400))));
    }, { passive: false });

    return { frame, reset, place, isMoving: () => pointers.size > 0 };
}
