// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What leaves the page, and comes back by a link.

import { listen } from './hands.js';
import { packed, unpacked } from './link.js';
import { refreshPlay } from './panel.js';
import { cellsOf, mostCells, presets, sceneOf, textOf } from './scenes.js';
import { $, page, say, send, stateOf } from './state.js';
import { draw, makeViews } from './views.js';
import { word } from './words.js';

export function download(name, blob) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The scene of the start travels as the state's log knows it. */
export async function shareLink() {
    const { log, steps, hash } = await stateOf();
    const value = { version: 1, scene: page.scene, first: page.firstTexts, other: page.other, dt: page.firstDt, log, steps, hash, speed: page.speed };
    history.replaceState(null, '', `#s=${await packed(value)}`);
    try {
        await navigator.clipboard.writeText(location.href);
        say(word('copied'));
    } catch {
        say(word('link_shown'));
    }
}

export async function fromLink() {
    const text = /[#&]s=([^&]+)/.exec(location.hash)?.[1];
    if (!text) return false;
    try {
        openShared(checked(await unpacked(text)));
        return true;
    } catch {
        say(word('bad_link'));
        return false;
    }
}

const most = { texts: 2, textLength: 1e5, log: 1e5, steps: 1e6 };
const entries = { change: 2, off: 1, water: 5, air: 5, drag: 6, ink: 4, stir: 4 };
/** A link of this page, else an error: what a stranger wrote does not reach the solver. */
function checked(value) {
    const numbers = (list) => list.every((x) => typeof x === 'number' && isFinite(x));
    const text = (t) => typeof t === 'string' && t.length < most.textLength;
    const texts = (list) => Array.isArray(list) && list.length > 0 && list.length <= most.texts && list.every(text);
    const entry = ([step, kind, ...a]) => {
        if (!(step >= 0) || a.length < entries[kind]) return false;
        if (kind === 'change') return texts(a[0]) && a[1] > 0;
        return kind === 'off' ? Array.isArray(a[0]) && numbers(a[0]) : kind in entries && numbers(a);
    };
    const { scene, first, dt, log, steps, other } = value, plain = sceneOf(presets[scene.name] ? scene.name : 'dam_break');
    const same = Object.keys(plain).every((key) => scene[key] === undefined || (typeof scene[key] === typeof plain[key] && Array.isArray(scene[key]) === Array.isArray(plain[key])));
    const right = same && cellsOf({ ...plain, ...scene }).reduce((a, b) => a * b) <= 1.1 * mostCells && texts(first) && dt > 0 && dt < 1 && steps <= most.steps && log.length <= most.log && log.every((e) => Array.isArray(e) && entry(e));
    const two = (other ?? null) !== null; // what a scene holds shows when it is written out
    if (!right || (two && typeof other !== 'object') || two !== (first.length > 1) || /undefined|NaN|null/.test(textOf({ ...plain, ...scene }))) throw new Error('not a link of this page');
    return { ...value, scene: { ...plain, ...scene } };
}

function openShared(value) {
    page.scene = value.scene;
    page.other = value.other ?? null;
    page.speed = [2, 1, 0.5, 0.2, 0.1].includes(value.speed) ? value.speed : 1;
    page.firstTexts = value.first;
    page.firstDt = value.dt;
    page.off.clear();
    for (const [, kind, parts] of value.log) if (kind === 'off') page.off = new Set(parts);
    page.showSwitches();
    page.past = [];
    page.history.clear();
    makeViews(listen);
    refreshPlay(page);
    page.showCompared();
    send('replay', { scenes: value.first, log: value.log, steps: value.steps, dt: value.dt, hash: value.hash });
}

export function picture() {
    const canvas = document.createElement('canvas'), { water, glass } = page.views[0];
    canvas.width = water.width * page.views.length;
    canvas.height = water.height;
    const context = canvas.getContext('2d');
    draw();
    page.views.forEach((view, i) => {
        context.drawImage(view.water, i * water.width, 0);
        context.drawImage(view.glass, i * glass.width, 0);
    });
    return canvas;
}

let film = null;
export function toggleFilm() {
    if (film) return film.stop();
    const canvas = picture(), context = canvas.getContext('2d');
    const parts = [], recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: MediaRecorder.isTypeSupported('video/webm') ? 'video/webm' : 'video/mp4' });
    const copy = setInterval(() => page.views.forEach((view, i) => [view.water, view.glass].forEach((layer) => context.drawImage(layer, i * view.water.width, 0))), 33);
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
        clearInterval(copy);
        download(`spume_${page.scene.name}.${recorder.mimeType.includes('mp4') ? 'mp4' : 'webm'}`, new Blob(parts, { type: recorder.mimeType }));
        film = null;
        $('film').textContent = word('film');
    };
    recorder.start();
    film = recorder;
    $('film').textContent = word('film_stop');
}
