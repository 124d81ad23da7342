// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Hands: pointers and the brush.

import { changeScene } from './change.js';
import { $, brushTools, page, say, send } from './state.js';
import { draw } from './views.js';
import { word } from './words.js';

const brushed = () => brushTools.includes(page.tool);
function toolCall(place, u = 0, v = 0) {
    const [x, y] = place, r = page.brush;
    if (page.tool === 'stir') return ['stir', x, y, 1.6 * r, 12 * Math.sqrt(0.05 / r) * 0.5];
    if (page.tool === 'ink') return ['ink', x, y, r, 1];
    if (page.tool === 'drag') return ['drag', x, y, 1.6 * r, u, v, 0.6];
    return [page.tool, x, y, r, 0, 0];
}
/** Each finger has a brush of its own; other tools have one hand. `finger` is 0 for the keyboard. */
export function press(finger = 0) {
    const first = !page.held;
    page.held = true;
    if (brushed()) {
        if (first) page.past.push(page.scene);
        send('tool', { finger, tool: toolCall(page.cursor), begin: first, once: !page.playing });
    } else if (page.tool === 'wall') page.wallStart = [...page.cursor];
    else if (page.tool === 'body') dropBody();
    else if (page.tool === 'ruler') page.ruler = { a: [...page.cursor], b: [...page.cursor] };
    else if (page.tool === 'probe') {
        page.probe = [...page.cursor];
        send('probe', { place: page.probe });
        send('trace', { x: page.probe[0], y: page.probe[1], count: 12 });
    } else if (page.tool === 'erase') erase();
    draw();
}
export function drag(u, v, finger = 0) {
    if (page.held && brushed()) send('tool', { finger, tool: toolCall(page.cursor, u, v), once: !page.playing });
    if (page.held && page.tool === 'ruler') page.ruler.b = [...page.cursor];
    draw();
}
export function release(finger = 0, last = true) {
    if (!page.held) return;
    page.held = !last;
    if (brushed()) send('tool', { finger, tool: null });
    if (page.wallStart) {
        const a = page.wallStart.map((x) => +x.toFixed(4)), b = page.cursor.map((x) => +x.toFixed(4));
        page.wallStart = null;
        if (Math.hypot(a[0] - b[0], a[1] - b[1]) > page.brush / 2) changeScene({ walls: [...page.scene.walls, { a, b, width: +Math.max(0.6 * page.brush, 2 / page.scene.divisions * Math.max(...page.scene.upper)).toFixed(4) }] });
    }
    draw();
}

/** A body as large as the brush, where there is room for it. */
function dropBody() {
    const { scene } = page, r = page.brush, round = (x) => +x.toFixed(4);
    const center = page.cursor.map((x, a) => round(Math.min(scene.upper[a] - 1.05 * r, Math.max(1.05 * r, x))));
    if (page.sims[0]?.bodies.some(([x, y], i) => Math.hypot(x - center[0], y - center[1]) < 1.5 * r + 1.5 * sizeOf(scene.bodies[i]))) return say(word('no_room'));
    const number = 1 + Math.max(0, ...scene.bodies.map((b) => Number(b.name.slice(5))));
    const shape = scene.bodyKind === 'box' ? { kind: 'box', size: [round(1.8 * r), round(1.8 * r)], turn: 20 } : { kind: 'sphere', radius: round(r) };
    changeScene({ bodies: [...scene.bodies, { name: `body_${number}`, ...shape, center, density: scene.bodyDensity }] });
}
const sizeOf = (body) => body?.radius ?? Math.max(...(body?.size ?? [0])) / 2;

/** The nearest body, else the nearest wall. */
function erase() {
    const [x, y] = page.cursor, { scene } = page;
    const body = (page.sims[0]?.bodies ?? []).findIndex(([bx, by], i) => Math.hypot(x - bx, y - by) < sizeOf(scene.bodies[i]) + page.brush / 2);
    if (body >= 0) return changeScene({ bodies: scene.bodies.filter((_, i) => i !== body) });
    const away = ({ a, b, width }) => {
        const dx = b[0] - a[0], dy = b[1] - a[1], t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
        return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy) - width / 2;
    };
    const near = scene.walls.map(away), best = near.indexOf(Math.min(...near));
    if (best >= 0 && near[best] < page.brush) changeScene({ walls: scene.walls.filter((_, i) => i !== best) });
}

export function listen(view, index) {
    const fingers = new Map();
    const place = (event) => {
        const box = view.figure.getBoundingClientRect(), size = box.width / page.scene.upper[0];
        return [Math.min(page.scene.upper[0], Math.max(0, (event.clientX - box.left) / size)), Math.min(page.scene.upper[1], Math.max(0, (box.bottom - event.clientY) / size))];
    };
    view.figure.addEventListener('pointerdown', (event) => {
        if (event.button > 0) return;
        view.figure.setPointerCapture(event.pointerId);
        page.cursor = place(event);
        fingers.set(event.pointerId, { at: page.cursor, time: event.timeStamp });
        press(event.pointerId);
        event.preventDefault();
        $('stage').focus({ preventScroll: true });
    });
    view.figure.addEventListener('pointermove', (event) => {
        const finger = fingers.get(event.pointerId), next = place(event);
        page.cursor = next;
        if (!finger) return page.playing ? undefined : draw();
        const seconds = Math.max(1e-3, (event.timeStamp - finger.time) / 1000) / page.speed;
        const most = 0.4 * page.scene.cfl * (Math.max(...page.scene.upper) / page.scene.divisions) * page.scene.fps;
        const limit = (x) => Math.max(-most, Math.min(most, x));
        drag(limit((next[0] - finger.at[0]) / seconds), limit((next[1] - finger.at[1]) / seconds), event.pointerId);
        fingers.set(event.pointerId, { at: next, time: event.timeStamp });
    });
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'])
        view.figure.addEventListener(name, (event) => {
            if (fingers.delete(event.pointerId)) release(event.pointerId, fingers.size === 0);
        });
    view.figure.dataset.index = index;
}

export const toolKeys = ['water', 'air', 'drag', 'stir', 'ink', 'wall', 'erase', 'probe', 'ruler', 'body'];
