// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// All the page knows, and the way to the solver.

import { History } from './plots.js';
import { sceneOf, textOf } from './scenes.js';

export const $ = (id) => document.getElementById(id);
export const query = new URLSearchParams(location.search);

export const brushTools = ['water', 'air', 'drag', 'stir', 'ink'];

/** All the page knows. */
export const page = {
    scene: sceneOf('dam_break'),
    other: null, // what the right one has differently
    playing: false,
    speed: 1,
    tool: 'water',
    brush: 0.05,
    cursor: [0.5, 0.55],
    held: false,
    look: { palette: 'water', overlay: 'none', range: 1 },
    sims: [],
    views: [],
    history: new History(),
    probe: null,
    trace: null,
    ruler: null,
    wallStart: null,
    watch: { running: false, from: 0, seconds: 0 },
    recording: false,
    off: new Set(),
    waiting: false,
    past: [], // scenes, for undo
    tilting: null, // follows the device
    showCompared: () => {}, // the controls of Compare
    showSwitches: () => {}, // those of Stages
    plain: false, // WebGL was lost
    cycles: [],
};

/** send(type, values): to the worker. */
export const solver = { send: null };
export const send = (type, values) => solver.send?.(type, values); // while it loads there is nobody to tell
export const say = (text) => ($('say').textContent = text);
export const texts = () => [page.scene, ...(page.other ? [{ ...page.scene, ...page.other }] : [])].map(textOf);
export const dt = () => 1 / page.scene.fps;

export const stateOf = () =>
    new Promise((resolve) => {
        page.onState = resolve;
        send('state');
    });
