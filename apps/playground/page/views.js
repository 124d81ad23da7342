// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The views: water, what lies above it, and marks of the tools.

import { drawThings, pictureOn, rangeOf } from './picture.js';
import { $, brushTools, page, query, say } from './state.js';
import { word } from './words.js';

/** One view a simulation; `listen` is told of each new one. */
export function makeViews(listen) {
    const count = page.other ? 2 : 1;
    if (page.views.length !== count) {
        $('views').replaceChildren();
        page.views = Array.from({ length: count }, (_, i) => {
            const figure = document.createElement('figure');
            const water = document.createElement('canvas'), glass = document.createElement('canvas'), caption = document.createElement('figcaption');
            water.className = 'water';
            figure.append(water, glass);
            if (count > 1) figure.append(caption);
            $('views').append(figure);
            const plain = page.plain || query.has('plain') || !document.createElement('canvas').getContext('webgl2');
            if (plain) say(word('no_webgl'));
            water.addEventListener('webglcontextlost', () => {
                page.plain = true;
                page.views = [];
                makeViews(listen);
            });
            const view = { figure, water, glass, caption, draw: pictureOn(water, plain) };
            listen(view, i);
            return view;
        });
    }
    layout();
}

export function layout() {
    const room = $('views').getBoundingClientRect();
    const [w, h] = page.scene.upper;
    const across = (room.width - (page.views.length - 1) * 12) / page.views.length;
    const size = Math.max(40, Math.min(across / w, room.height / h));
    for (const view of page.views) {
        view.figure.style.width = `${Math.floor(size * w)}px`;
        view.figure.style.height = `${Math.floor(size * h)}px`;
        const dense = Math.min(devicePixelRatio, 2);
        for (const canvas of [view.water, view.glass]) {
            canvas.width = Math.max(1, Math.floor(size * w) * dense);
            canvas.height = Math.max(1, Math.floor(size * h) * dense);
        }
    }
    draw();
}

export function draw() {
    page.sims.forEach((sim, i) => {
        const view = page.views[i];
        if (!view) return;
        page.look.range = rangeOf(page.sims[0], page.look.overlay);
        view.draw(sim, page.look);
        const context = view.glass.getContext('2d'), height = view.glass.height, size = view.glass.width / page.scene.upper[0];
        const to = (x, y) => [x * size, height - y * size];
        context.clearRect(0, 0, view.glass.width, height);
        drawThings(context, sim, page.look, to, size, page.scene.bodies);
        drawMarks(context, to, size, i);
        if (page.other) view.caption.textContent = `${word(i ? 'right' : 'left')}: ${(i ? { ...page.scene, ...page.other } : page.scene).advection}, ${sim.nx}×${sim.ny}`;
    });
    document.body.dataset.steps = page.sims[0]?.numbers.steps ?? '';
}

function drawMarks(context, to, size, index) {
    const dense = Math.min(devicePixelRatio, 2);
    context.lineWidth = 1.5 * dense;
    const [x, y] = to(...page.cursor);
    if (index === 0 && brushTools.includes(page.tool)) {
        context.beginPath();
        context.arc(x, y, page.brush * size, 0, 7);
        context.strokeStyle = page.held ? '#f2a900' : 'rgba(30,40,60,.55)';
        context.setLineDash(page.held ? [] : [6 * dense, 5 * dense]);
        context.stroke();
        context.setLineDash([]);
    }
    const lines = [];
    if (page.wallStart) lines.push([page.wallStart, page.cursor, page.brush * size * 0.6, 'rgba(60,50,40,.5)']);
    if (page.ruler) lines.push([page.ruler.a, page.ruler.b, 2 * dense, '#b4530f']);
    for (const [a, b, width, colour] of lines) {
        context.beginPath();
        context.moveTo(...to(...a));
        context.lineTo(...to(...b));
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.stroke();
    }
    context.font = `${13 * dense}px system-ui, sans-serif`;
    const tag = (text, px, py) => {
        const wide = context.measureText(text).width;
        const left = Math.min(px + 8 * dense, context.canvas.width - wide - 12 * dense), top = Math.max(py, 22 * dense);
        context.fillStyle = 'rgba(255,255,255,.88)';
        context.fillRect(left - 4 * dense, top - 15 * dense, wide + 8 * dense, 20 * dense);
        context.fillStyle = '#1d2b36';
        context.fillText(text, left, top);
    };
    if (page.ruler) tag(`${Math.hypot(page.ruler.b[0] - page.ruler.a[0], page.ruler.b[1] - page.ruler.a[1]).toFixed(4)} m`, ...to(...page.ruler.b));
    if (page.trace && index === 0) {
        context.strokeStyle = '#f2a900';
        context.lineWidth = 2 * dense;
        context.beginPath();
        page.trace.forEach((p) => context.lineTo(...to(...p)));
        context.stroke();
    }
    if (page.probe) {
        const { probed } = page.sims[index], [px, py] = to(...page.probe);
        context.beginPath();
        context.arc(px, py, 4 * dense, 0, 7);
        context.fillStyle = '#b4530f';
        context.fill();
        if (probed) tag(word('probe_hint', { s: Math.hypot(probed.u, probed.v).toFixed(3), p: probed.pressure.toFixed(1), d: probed.distance.toFixed(1) }), px, py - 8 * dense);
    }
}
