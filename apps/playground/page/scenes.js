// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Scenes as the page holds them, and as texts that `spume run` takes too.

const box = (x, y, w, h, more = {}) => ({ kind: 'box', center: [x, y], size: [w, h], ...more });
const ball = (x, y, radius, more = {}) => ({ kind: 'sphere', center: [x, y], radius, ...more });
const wall = (ax, ay, bx, by, width = 0.03) => ({ a: [ax, ay], b: [bx, by], width });

const common = {
    upper: [1, 0.75],
    divisions: 96,
    gravity: [0, -9.81],
    waterDensity: 1000,
    airDensity: 1.2,
    viscosity: 0.001,
    airViscosity: 1.8e-5,
    tension: 0.072,
    fps: 60,
    cfl: 3,
    liquids: [],
    walls: [],
    bodies: [], // that the fluid moves
    bodyDensity: 400, // of the next one
    bodyKind: 'sphere',
    advection: 'cip',
    fragments: true,
    compensation: true,
    momentum: 'consistent',
    interface: 'smeared',
    speed: 1,
};

/** What each shows stands in the strings, by its name. */
export const presets = {
    dam_break: { liquids: [box(-0.35, 0, 1.3, 1)] },
    glug: {
        upper: [0.6, 0.8],
        liquids: [box(0.3, 1.14, 2, 1.4)],
        walls: [wall(0, 0.43, 0.24, 0.36), wall(0.36, 0.36, 0.6, 0.43)],
    },
    lava_lamp: {
        upper: [0.45, 0.75],
        divisions: 112,
        waterDensity: 1000,
        airDensity: 900,
        viscosity: 0.4,
        airViscosity: 0.6,
        tension: 0.35,
        fragments: false,
        liquids: [box(0.225, 0.375, 2, 2), box(0.225, -0.4, 2, 1, { hollow: true }), ball(0.15, 0.1, 0.075, { hollow: true }), ball(0.3, 0.09, 0.06, { hollow: true })],
    },
    rising_bubble: {
        upper: [0.06, 0.08],
        divisions: 112,
        airDensity: 1.2,
        viscosity: 0.02,
        liquids: [box(0.03, 0, 0.2, 0.136), ball(0.03, 0.014, 0.007, { hollow: true })],
        speed: 0.2,
        fps: 240,
        fragments: false,
    },
    sloshing: { liquids: [box(0.5, -0.2, 3, 1, { turn: 9 })] },
    waterfall: {
        liquids: [box(-0.3, 0.605, 1.05, 0.25), box(0.5, -0.2, 3, 0.58)],
        walls: [wall(0, 0.48, 0.3, 0.46), wall(0.24, 0.46, 0.24, 0.56), wall(0.33, 0.33, 0.62, 0.27), wall(1, 0.25, 0.7, 0.16)],
    },
    rayleigh_taylor: {
        upper: [0.4, 0.8],
        divisions: 128,
        waterDensity: 3,
        airDensity: 1,
        viscosity: 0.001,
        airViscosity: 0.001,
        tension: 0,
        gravity: [0, -1],
        fragments: false,
        liquids: [box(0.2, 0.91, 2, 1), ball(0.2, 0.46, 0.1)],
    },
    pool: {
        liquids: [box(0.5, -0.2, 3, 1.1)],
        bodies: [
            { name: 'body_1', ...ball(0.28, 0.55, 0.06), density: 200 },
            { name: 'body_2', ...box(0.6, 0.52, 0.11, 0.11, { turn: 20 }), density: 600 },
        ],
        divisions: 64,
    },
    drops: { liquids: [box(0.5, -0.3, 3, 1), ball(0.3, 0.55, 0.07), ball(0.66, 0.42, 0.05), ball(0.5, 0.68, 0.04)] },
};

export function sceneOf(name) {
    return { ...structuredClone(common), ...structuredClone(presets[name]), name };
}

/** The finest grid this page takes: what a browser's worker holds and a hand waits for. */
export const mostCells = 512 * 384;
export function cellsOf(scene) {
    const longest = Math.max(...scene.upper);
    return scene.upper.map((x) => Math.ceil((x / longest) * scene.divisions - 1e-9));
}
export function finestOf(scene) {
    const shape = Math.min(...scene.upper) / Math.max(...scene.upper);
    return Math.floor(Math.sqrt(mostCells / shape));
}

function shapeText(s) {
    const turn = s.turn ? `, rotation = [0, 0, ${s.turn}]` : '';
    const center = `center = [${s.center[0]}, ${s.center[1]}, 0]`;
    return s.kind === 'box' ? `{ kind = "box", ${center}, size = [${s.size[0]}, ${s.size[1]}, 2]${turn} }` : `{ kind = "sphere", ${center}, radius = ${s.radius} }`;
}

function wallShape({ a, b, width }) {
    const dx = b[0] - a[0], dy = b[1] - a[1];
    const round = (x) => Math.round(x * 1e6) / 1e6;
    return {
        kind: 'box',
        center: [round((a[0] + b[0]) / 2), round((a[1] + b[1]) / 2)],
        size: [round(Math.hypot(dx, dy) + width), width],
        turn: round((Math.atan2(dy, dx) * 180) / Math.PI),
    };
}

const bodyText = (b) => `\n[[solid]]\nname = "${b.name}"\nmotion = "dynamic"\ndensity = ${b.density}\nshape = ${shapeText(b)}\n`;

/** A scene file of Spume. */
export function textOf(scene) {
    const flags = ['fragments', 'compensation'].map((k) => `${k} = ${scene[k]}`);
    const words = ['advection', 'momentum', 'interface'].map((k) => `${k} = "${scene[k]}"`);
    return `version = 1
title = "${scene.name}"
method = "cip"

[time]
fps = ${scene.fps}
frames = ${Math.round(4 * scene.fps)}
max_substeps = 512

[domain]
dimensions = 2
lower = [0, 0, 0]
upper = [${scene.upper[0]}, ${scene.upper[1]}, 1]
divisions = ${scene.divisions}
sides = "wall"
bottom = "wall"
top = "wall"

[physics]
gravity = [${scene.gravity[0]}, ${scene.gravity[1]}, 0]
water_density = ${scene.waterDensity}
air_density = ${scene.airDensity}
viscosity = ${scene.viscosity}
surface_tension = ${scene.tension}

[cip]
${[...words, ...flags].join('\n')}
air_viscosity = ${scene.airViscosity}
cfl = ${scene.cfl}
pressure_tolerance = 1e-3
${scene.liquids.map((l) => `\n[[liquid]]\nshape = ${shapeText(l)}\n${l.hollow ? 'mode = "hollow"\n' : ''}`).join('')}${scene.walls.map((w) => `\n[[solid]]\nshape = ${shapeText(wallShape(w))}\n`).join('')}${scene.bodies.map(bodyText).join('')}`;
}
