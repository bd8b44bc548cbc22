// Data of a view: arrays out of base64, three.js objects out of arrays.
const sfgpScene = (function () {
    "use strict";

    function bytes(text) {
        const raw = atob(text), out = new Uint8Array(raw.length);
        for (let k = 0; k < raw.length; k++) out[k] = raw.charCodeAt(k);
        return out.buffer;
    }

    const floats = (text) => (text ? new Float32Array(bytes(text)) : null);

    // Points of the plane get z = 0.
    function points(text, dimension) {
        const flat = floats(text);
        if (!flat || dimension === 3) return flat;
        const out = new Float32Array(flat.length / 2 * 3);
        for (let k = 0; k < flat.length / 2; k++) out.set([flat[2 * k], flat[2 * k + 1], 0], 3 * k);
        return out;
    }

    function decodeFit(fit, dimension) {
        return { name: fit.name, points: points(fit.points, dimension), error: floats(fit.error), sd: floats(fit.sd),
            deviation: floats(fit.deviation), distance: floats(fit.distance),
            missing: fit.missing ? new Uint8Array(bytes(fit.missing)) : null };
    }

    // Once a scene; kept.
    function decode(scene, references) {
        if (scene.decoded) return scene.decoded;
        const reference = references[scene.reference], dimension = reference.dimension;
        if (!reference.decoded)
            reference.decoded = { points: points(reference.points, dimension),
                faces: reference.faces ? new Uint32Array(bytes(reference.faces)) : null };
        scene.decoded = { dimension, reference: reference.decoded.points, faces: reference.decoded.faces,
            scan: points(scene.scan, dimension), truth: points(scene.truth, dimension),
            scanFaces: scene.scanFaces ? new Uint32Array(bytes(scene.scanFaces)) : null,
            truthFaces: scene.truthFaces ? reference.decoded.faces : null,
            fits: scene.fits.map((fit) => decodeFit(fit, dimension)) };
        return scene.decoded;
    }

    // Largest distance to 0; the coordinates have the middle of the reference there.
    function radius(xyz) {
        let most = 0;
        for (let k = 0; k < xyz.length; k += 3) most = Math.max(most, Math.hypot(xyz[k], xyz[k + 1], xyz[k + 2]));
        return most || 1;
    }

    // Where to look from: along the mean normal of an open surface, across the thinnest side of anything else.
    function outlook(THREE, scene) {
        const normal = new THREE.Vector3(), a = new THREE.Vector3(), b = new THREE.Vector3(), c = new THREE.Vector3();
        let area = 0;
        if (scene.dimension === 2) return new THREE.Vector3(0, 0, 1);
        for (let k = 0; scene.faces && k < scene.faces.length; k += 3) {
            a.fromArray(scene.reference, 3 * scene.faces[k]);
            b.fromArray(scene.reference, 3 * scene.faces[k + 1]).sub(a);
            c.fromArray(scene.reference, 3 * scene.faces[k + 2]).sub(a);
            area += b.cross(c).length();
            normal.add(b);
        }
        if (area > 0 && normal.length() > 0.1 * area) return normal.normalize();
        const box = new THREE.Box3().setFromArray(scene.reference), size = box.getSize(new THREE.Vector3());
        if (size.x <= size.y && size.x <= size.z) return new THREE.Vector3(1, 0, 0);
        return size.y < size.z ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    }

    // Grain of a cloud: the side of the square that each point would have on a disc of that size; in the plane a
    // share of the size.
    function grain(xyz, dimension) {
        return radius(xyz) * (dimension === 2 ? 0.022 : 1.8 / Math.sqrt(xyz.length / 3));
    }

    // What a point looks like: a small ball.
    function ball(THREE) {
        const canvas = document.createElement("canvas"), size = 64, pen = canvas.getContext("2d");
        const shade = pen.createRadialGradient(0.4 * size, 0.36 * size, 0, size / 2, size / 2, size / 2);
        canvas.width = canvas.height = size;
        shade.addColorStop(0, "#fff");
        shade.addColorStop(0.55, "#f2f2f2");
        shade.addColorStop(1, "#8c8c8c");
        pen.fillStyle = shade;
        pen.arc(size / 2, size / 2, size / 2 - 1, 0, 2 * Math.PI);
        pen.fill();
        const texture = new THREE.CanvasTexture(canvas);
        texture.colorSpace = THREE.SRGBColorSpace;
        return texture;
    }

    // width: of a ball, in the unit of the points; three.js leaves the angle of view out of it.
    function cloud(THREE, xyz, colour, width, map, camera) {
        const size = width / Math.tan(THREE.MathUtils.degToRad(camera.fov / 2));
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(xyz, 3));
        const material = new THREE.PointsMaterial({ size, map, alphaTest: 0.5, color: colour || 0xffffff,
            vertexColors: !colour });
        return new THREE.Points(geometry, material);
    }

    // ghost: a transparent shell around what is opaque.
    function surface(THREE, xyz, faces, colour, ghost) {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(xyz, 3));
        geometry.setIndex(new THREE.BufferAttribute(faces, 1));
        geometry.computeVertexNormals();
        const material = new THREE.MeshStandardMaterial({ color: colour || 0xffffff, vertexColors: !colour,
            roughness: 0.82, metalness: 0, side: THREE.DoubleSide, transparent: ghost, opacity: ghost ? 0.32 : 1,
            depthWrite: !ghost });
        return new THREE.Mesh(geometry, material);
    }

    function paint(THREE, object, count, colourOf) {
        const colour = new THREE.Color(), values = new Float32Array(3 * count);
        for (let k = 0; k < count; k++) {
            const [r, g, b] = colourOf(k);
            colour.setRGB(r, g, b, THREE.SRGBColorSpace).toArray(values, 3 * k);
        }
        object.geometry.setAttribute("color", new THREE.BufferAttribute(values, 3));
    }

    function dispose(object) {
        object.geometry.dispose();
        object.material.dispose();
    }

    return { decode, radius, outlook, grain, ball, cloud, surface, paint, dispose };
})();
