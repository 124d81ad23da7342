// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { colourOf } from './colours.js';
import { PointCloud } from './points.js';

/** Everything in the 3D view, and the eye that looks at it. */
export class World {
    constructor(element) {
        this.element = element;
        this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer.setClearColor(0x08141c);
        element.append(this.renderer.domElement);
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(45, 1, 0.001, 1000);
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.addEventListener('change', () => this.draw());
        this.controls.addEventListener('start', () => (this.touched = true));
        this.scene.add(new THREE.HemisphereLight(0xdff4ff, 0x123040, 2));
        const sun = new THREE.DirectionalLight(0xffffff, 1.5);
        sun.position.set(1, 3, 2);
        this.scene.add(sun);
        this.clouds = new Map();
        this.meshes = new Map();
        this.tiles = null;
        this.slice = null;
        this.solids = null;
        this.framed = false;
        this.touched = false; // by hand: from then on the eye stays where it was put
        this.own = null; // the scene's camera
        new ResizeObserver(() => this.resize()).observe(element);
        this.resize();
    }

    resize() {
        const { clientWidth: w, clientHeight: h } = this.element;
        if (w === 0 || h === 0) return;
        this.renderer.setSize(w, h);
        this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        this.draw();
    }

    /** From where another world is looked at. */
    look(other) {
        this.camera.position.copy(other.camera.position);
        this.controls.target.copy(other.controls.target);
        for (const name of ['fov', 'near', 'far']) this.camera[name] = other.camera[name];
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.draw();
    }

    draw() {
        // Pixels a metre at one metre from the eye, for the size of sprites.
        const scale = this.renderer.domElement.height / Math.tan((this.camera.fov * Math.PI) / 360);
        for (const cloud of this.clouds.values()) cloud.material.uniforms.scale.value = scale;
        this.renderer.render(this.scene, this.camera);
        const { projectionMatrix, matrixWorldInverse } = this.camera;
        const toScreen = projectionMatrix.clone().multiply(matrixWorldInverse);
        this.element.dataset.toScreen = toScreen.elements.join(' '); // for tests
    }

    showPoints(name, packet, by) {
        if (!this.clouds.has(name)) {
            this.clouds.set(name, new PointCloud());
            this.scene.add(this.clouds.get(name).object);
        }
        this.clouds.get(name).show(packet, by);
    }

    showMesh(name, packet) {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(packet.arrays.P.values, 3));
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(packet.arrays.triangles.values), 1));
        geometry.computeVertexNormals();
        if (!this.meshes.has(name)) {
            const material = new THREE.MeshStandardMaterial({ color: 0x7cc4e8, roughness: 0.25, side: THREE.DoubleSide });
            this.meshes.set(name, new THREE.Mesh(geometry, material));
            this.scene.add(this.meshes.get(name));
            return;
        }
        const mesh = this.meshes.get(name);
        mesh.geometry.dispose();
        mesh.geometry = geometry;
    }

    showTiles(packet) {
        this.#replace('tiles', packet && tileLines(packet));
    }

    showSlice(packet) {
        this.#replace('slice', packet && slicePlane(packet));
    }

    /** Glass, so that bubbles inside a barrel can be seen. */
    showSolids(packet) {
        this.#replace('solids', packet && solidMesh(packet));
    }

    #replace(what, object) {
        if (this[what]) {
            this.scene.remove(this[what]);
            this[what].geometry.dispose();
            this[what].material.map?.dispose();
            this[what].material.dispose();
        }
        this[what] = object || null;
        if (this[what]) this.scene.add(this[what]);
    }

    hideAll() {
        for (const thing of [...this.clouds.values()].map((c) => c.object).concat([...this.meshes.values()]))
            thing.visible = false;
        this.showTiles(null);
        this.showSlice(null);
        this.draw();
    }

    setVisible(kind, name, visible) {
        const thing = kind === 'points' ? this.clouds.get(name)?.object : this.meshes.get(name);
        if (thing) thing.visible = visible;
    }

    /** Looks at everything there is now and at these places, once, or again when asked. */
    frameAll(again, places) {
        if (this.framed && !again) return;
        const box = new THREE.Box3();
        for (const values of places ?? []) if (values.length) box.union(new THREE.Box3().setFromArray(values));
        for (const cloud of this.clouds.values()) {
            cloud.object.geometry.computeBoundingBox();
            if (cloud.packet.header.count > 0) box.union(cloud.object.geometry.boundingBox);
        }
        for (const object of [...this.meshes.values(), this.tiles, this.slice]) if (object) box.expandByObject(object);
        if (box.isEmpty()) return;
        this.framed = true;
        const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
        const centre = box.getCenter(new THREE.Vector3());
        if (this.own && !this.touched) {
            this.controls.target.fromArray(this.own.target);
            this.camera.position.fromArray(this.own.position);
            this.camera.fov = this.own.field_of_view;
        } else {
            this.controls.target.copy(centre);
            this.camera.position.copy(centre).add(new THREE.Vector3(0.35, 0.25, 1).normalize().multiplyScalar(1.25 * size));
        }
        this.camera.near = size / 1000;
        this.camera.far = 20 * size;
        this.camera.updateProjectionMatrix();
        this.controls.update();
    }

    /** Text about the bubble under the pointer, or null. */
    pickAt(clientX, clientY) {
        const box = this.renderer.domElement.getBoundingClientRect();
        const at = new THREE.Vector2(
            (2 * (clientX - box.left)) / box.width - 1,
            1 - (2 * (clientY - box.top)) / box.height,
        );
        const caster = new THREE.Raycaster();
        caster.setFromCamera(at, this.camera);
        for (const cloud of this.clouds.values()) {
            const found = cloud.pick(caster.ray);
            if (found >= 0) return cloud.describe(found);
        }
        return null;
    }
}

function solidMesh({ arrays }) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(arrays.P.values, 3));
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(arrays.triangles.values), 1));
    const material = new THREE.MeshStandardMaterial({
        color: 0xc9b79c,
        flatShading: true,
        transparent: true,
        opacity: 0.25,
        depthWrite: false,
        side: THREE.DoubleSide,
    });
    return new THREE.Mesh(geometry, material);
}

function tileLines({ header, arrays }) {
    const { voxel, origin, side } = header;
    const corners = arrays.tiles.values;
    const edges = [0, 1, 0, 2, 0, 4, 1, 3, 1, 5, 2, 3, 2, 6, 3, 7, 4, 5, 4, 6, 5, 7, 6, 7];
    const lines = new Float32Array((corners.length / 3) * edges.length * 3);
    let at = 0;
    for (let t = 0; t < corners.length; t += 3)
        for (const corner of edges)
            for (let a = 0; a < 3; ++a) lines[at++] = origin[a] + (corners[t + a] + ((corner >> a) & 1) * side[a]) * voxel;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(lines, 3));
    return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0x2f5d78, transparent: true, opacity: 0.5 }));
}

function slicePlane({ header, arrays }) {
    const { width, height, axis, layer, voxel, origin, lower, least, most } = header;
    const values = arrays.values.values;
    const pixels = new Uint8Array(4 * width * height);
    const rgb = [0, 0, 0];
    for (let i = 0; i < values.length; ++i) {
        colourOf((values[i] - least) / (most > least ? most - least : 1), rgb, 0);
        for (let c = 0; c < 3; ++c) pixels[4 * i + c] = 255 * rgb[c];
        pixels[4 * i + 3] = 255;
    }
    const texture = new THREE.DataTexture(pixels, width, height);
    texture.colorSpace = THREE.SRGBColorSpace; // the colours of the legend
    texture.needsUpdate = true;
    const u = axis === 0 ? 1 : 0;
    const v = axis === 2 ? 1 : 2;
    const corner = (i, j) => {
        const p = [0, 0, 0];
        p[axis] = origin[axis] + (layer + 0.5) * voxel;
        p[u] = origin[u] + (lower[u] + i * width) * voxel;
        p[v] = origin[v] + (lower[v] + j * height) * voxel;
        return p;
    };
    const geometry = new THREE.BufferGeometry();
    const positions = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)].flat();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute('uv', new THREE.BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    return new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ map: texture, side: THREE.DoubleSide }));
}
