// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

import * as THREE from 'three';
import { colourOf, rangeOf } from './colours.js';

// Bubbles are drawn as round sprites with the normal of a sphere: one vertex each, so that a million
// of them stay light. The rim is bright, as that of a bubble under water is.
const vertexShader = `
    attribute float radius;
    attribute vec3 tint;
    uniform float scale;
    varying vec3 vTint;
    void main() {
        vTint = tint;
        vec4 p = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * p;
        gl_PointSize = clamp(scale * radius / max(-p.z, 1e-6), 1.5, 512.0);
    }`;
const fragmentShader = `
    varying vec3 vTint;
    void main() {
        vec2 p = 2.0 * gl_PointCoord - 1.0;
        float r2 = dot(p, p);
        if (r2 > 1.0) discard;
        vec3 n = vec3(p.x, -p.y, sqrt(1.0 - r2));
        float light = 0.35 + 0.65 * max(dot(n, normalize(vec3(0.3, 0.8, 0.5))), 0.0);
        float rim = smoothstep(0.55, 0.95, r2);
        gl_FragColor = vec4(mix(vTint * light, vec3(0.9, 0.97, 1.0), 0.35 * rim), 1.0);
    }`;

/** Numbers a colour can stand for. */
export function shades(arrays) {
    const names = ['plain'];
    if (arrays.v) names.push('speed');
    for (const [name, { values, components }] of Object.entries(arrays))
        if (components === 1 && !(values instanceof Uint32Array)) names.push(name);
    return names;
}

function numbersOf(arrays, by, count) {
    if (by === 'speed' && arrays.v) {
        const v = arrays.v.values;
        const speed = new Float32Array(count);
        for (let i = 0; i < count; ++i) speed[i] = Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
        return speed;
    }
    return arrays[by]?.components === 1 ? arrays[by].values : null;
}

export class PointCloud {
    constructor() {
        this.material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: { scale: { value: 1 } } });
        this.object = new THREE.Points(new THREE.BufferGeometry(), this.material);
        this.object.frustumCulled = false;
        this.range = null;
    }

    show(packet, by) {
        const { arrays, header } = packet;
        const count = header.count;
        const radius = arrays.pscale?.values ?? new Float32Array(count).fill(0.002);
        const numbers = numbersOf(arrays, by, count);
        const tint = new Float32Array(3 * count);
        this.range = numbers ? rangeOf(numbers) : null;
        for (let i = 0; i < count; ++i) {
            if (numbers) colourOf((numbers[i] - this.range[0]) / (this.range[1] - this.range[0]), tint, 3 * i);
            else tint.set([0.55, 0.78, 0.9], 3 * i);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(arrays.P.values, 3));
        geometry.setAttribute('radius', new THREE.BufferAttribute(radius, 1));
        geometry.setAttribute('tint', new THREE.BufferAttribute(tint, 3));
        this.object.geometry.dispose();
        this.object.geometry = geometry;
        this.packet = packet;
    }

    /** The point nearest to the eye under a ray: its number, or −1. */
    pick(ray) {
        if (!this.packet || !this.object.visible) return -1;
        const { P, pscale } = this.packet.arrays;
        const { origin: o, direction: d } = ray;
        let best = -1;
        let nearest = Infinity;
        for (let i = 0; i < this.packet.header.count; ++i) {
            const x = P.values[3 * i] - o.x;
            const y = P.values[3 * i + 1] - o.y;
            const z = P.values[3 * i + 2] - o.z;
            const along = x * d.x + y * d.y + z * d.z;
            if (along <= 0 || along >= nearest) continue;
            const r = Math.max(pscale?.values[i] ?? 0, 0.002 * along);
            if (x * x + y * y + z * z - along * along <= r * r) {
                best = i;
                nearest = along;
            }
        }
        return best;
    }

    /** What is known of a point, as lines of text. */
    describe(i) {
        const { arrays } = this.packet;
        const lines = [];
        if (arrays.id) {
            const [lo, hi] = [arrays.id.values[2 * i], arrays.id.values[2 * i + 1]];
            lines.push(`id ${(BigInt(hi) << 32n) | BigInt(lo)}`);
        }
        if (arrays.pscale) lines.push(`radius ${(1000 * arrays.pscale.values[i]).toPrecision(3)} mm`);
        if (arrays.v) lines.push(`speed ${numbersOf(arrays, 'speed', this.packet.header.count)[i].toPrecision(3)} m/s`);
        if (arrays.age) lines.push(`age ${arrays.age.values[i].toPrecision(3)} s`);
        return lines.join('\n');
    }
}
