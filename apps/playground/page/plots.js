// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Lines over time, and the table they come from.

import { waves } from './measures.js';

export const plotted = ['volume', 'kinetic', 'potential', 'divergence', 'cfl', 'iterations'];
/** Of two simulations: the right one less the left one. */
export const differences = { volume_difference: (s) => s.volume, energy_difference: (s) => s.kinetic + s.potential };

/** Lines of a plot: a value a row, a line a simulation; or one, of the difference. */
function linesOf(rows, name) {
    const of = differences[name];
    if (of) return [rows.map((r) => (r.sims[1] ? of(r.sims[1]) - of(r.sims[0]) : NaN))];
    return rows[0].sims.map((_, k) => rows.map((r) => r.sims[k]?.[name] ?? NaN));
}
const inks = ['#1f77b4', '#d95f02'];

export class History {
    constructor() {
        this.rows = [];
    }
    clear() {
        this.rows = [];
    }
    add(sims) {
        const time = sims[0].numbers.time, last = this.rows.at(-1);
        if (last && time === last.time) return;
        if (last && time < last.time) this.rows = this.rows.filter((r) => r.time < time);
        this.rows.push({ time, sims: sims.map((s) => ({ ...s.numbers, ...waves(s.columns), floor: s.floor - s.roof, bubble: s.bubble })) });
        if (this.rows.length > 6000) this.rows = this.rows.filter((_, i) => i % 2);
    }
    table() {
        const names = ['time', ...Object.keys(this.rows[0]?.sims[0] ?? {}).filter((n) => n !== 'time')];
        const head = this.rows[0]?.sims.flatMap((_, k) => names.slice(1).map((n) => (k ? `${n}_${k + 1}` : n))) ?? [];
        return [['time', ...head].join(','), ...this.rows.map((r) => [r.time, ...r.sims.flatMap((s) => names.slice(1).map((n) => s[n]))].join(','))].join('\n') + '\n';
    }
}

const short = (x) => (x === 0 ? '0' : Math.abs(x) < 1e-2 || Math.abs(x) >= 1e4 ? x.toExponential(1) : String(Number(x.toPrecision(3))));

export function plot(canvas, history, name, label) {
    const width = (canvas.width = canvas.clientWidth * devicePixelRatio), height = (canvas.height = canvas.clientHeight * devicePixelRatio);
    const context = canvas.getContext('2d'), style = getComputedStyle(canvas);
    context.scale(devicePixelRatio, devicePixelRatio);
    const w = width / devicePixelRatio, h = height / devicePixelRatio;
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = style.color;
    /** Text that lines may run behind. */
    const write = (text, align, x, y) => {
        context.textAlign = align;
        context.setLineDash([]);
        context.lineWidth = 4;
        context.strokeStyle = '#fff';
        context.strokeText(text, x, y);
        context.fillText(text, x, y);
    };
    write(label, 'left', 2, 11);
    const rows = history.rows;
    if (rows.length < 2) return;
    const lines = linesOf(rows, name), seen = lines.flat().filter(isFinite);
    let low = differences[name] ? 0 : Infinity, high = -low;
    for (const value of seen) {
        low = Math.min(low, value);
        high = Math.max(high, value);
    }
    const middle = (low + high) / 2, reach = Math.max(high - low, Math.abs(middle) * (name === 'volume' ? 0.02 : 1e-3), differences[name] ? 1e-9 : 1e-12);
    low = middle - reach / 2;
    high = middle + reach / 2;
    const begin = rows[0].time, span = rows.at(-1).time - begin;
    context.globalAlpha = 0.2;
    context.fillRect(0, 15, w, 1);
    context.fillRect(0, h - 1, w, 1);
    context.globalAlpha = 1;
    const height_of = (value) => 17 + (1 - (value - low) / (high - low)) * (h - 20), last = lines.map((line) => line.at(-1));
    if (differences[name]) {
        context.globalAlpha = 0.4;
        context.fillRect(0, height_of(0), w, 1);
        context.globalAlpha = 1;
    }
    canvas.dataset.last = String(last.at(-1));
    lines.forEach((line, k) => {
        context.strokeStyle = differences[name] ? '#7b3294' : inks[k];
        context.lineWidth = 1.6;
        context.setLineDash(k ? [5, 3] : []);
        context.beginPath();
        line.forEach((value, i) => isFinite(value) && context.lineTo(((rows[i].time - begin) / span) * w, height_of(value)));
        context.stroke();
    });
    write(short(high), 'right', w - 2, 11);
    write(short(low), 'right', w - 2, h - 4);
    if (lines.length < 2) return;
    const difference = last[1] - last[0];
    write(`Δ ${short(Math.abs(difference) > 1e-12 * Math.abs(last[0]) ? difference : 0)}`, 'left', 2, h - 4);
}
