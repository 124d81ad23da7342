// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What theory says of a scene, and the same measured.

import { word } from './words.js';

/** Times at which values cross zero upwards or downwards, by straight lines between. */
function crossings(rows, value) {
    const times = [];
    for (let i = 1; i < rows.length; ++i) {
        const before = value(rows[i - 1]), now = value(rows[i]);
        if (before * now < 0) times.push(rows[i - 1].time + ((rows[i].time - rows[i - 1].time) * before) / (before - now));
    }
    return times;
}
/** Rate of change over the last seconds: the straight line of least squares. */
function slope(rows, value, seconds) {
    const last = rows.filter((r) => r.time > rows.at(-1).time - seconds && isFinite(value(r))), n = last.length;
    if (n < 4) return NaN;
    const t = last.reduce((sum, r) => sum + r.time, 0) / n, y = last.reduce((sum, r) => sum + value(r), 0) / n;
    return last.reduce((sum, r) => sum + (r.time - t) * (value(r) - y), 0) / last.reduce((sum, r) => sum + (r.time - t) ** 2, 0);
}

/** Amplitudes of the columns' heights, in the first and second cosine across the box: of sloshing, of a bulge in the middle. */
export function waves(columns) {
    const n = columns.length, sum = [0, 0];
    columns.forEach((height, i) => [1, 2].forEach((m) => (sum[m - 1] += (2 / n) * height * Math.cos((m * Math.PI * (i + 0.5)) / n))));
    return { first: sum[0], second: sum[1] };
}

/** What can be told beforehand, and what it is now: [label, theory, measured, unit]. */
export function theory(page) {
    const { scene, sims, history } = page, { rows } = history, g = Math.hypot(...scene.gravity), [width] = scene.upper;
    const sim = sims[0], depth = (sim?.numbers.target ?? 0) / width, k = Math.PI / width;
    const lines = [], of = (name) => (row) => row.sims[0][name];
    if (scene.name === 'sloshing') {
        const times = crossings(rows, of('first'));
        const period = times.length > 2 ? (2 * (times.at(-1) - times[0])) / (times.length - 1) : NaN;
        lines.push([word('theory_slosh'), (2 * Math.PI) / Math.sqrt(g * k * Math.tanh(k * depth)), period, 's']);
    }
    // The air above presses with its own weight; the solver's pressure has mean zero, so that differences count.
    if (['sloshing', 'drops', 'dam_break'].includes(scene.name)) lines.push([word('theory_hydro'), (scene.waterDensity - scene.airDensity) * g * depth, sim ? sim.floor - sim.roof - scene.airDensity * g * scene.upper[1] : NaN, 'Pa']);
    if (scene.name === 'rayleigh_taylor') lines.push([word('theory_growth'), Math.sqrt((Math.abs(scene.waterDensity - scene.airDensity) / (scene.waterDensity + scene.airDensity)) * g * 2 * k), rows.length ? slope(rows, (row) => Math.log(Math.abs(row.sims[0].second)), 0.25) : NaN, '1/s']);
    if (scene.name === 'rising_bubble') lines.push([word('theory_bubble'), 0.5 * Math.sqrt(g * 0.007), rows.length ? slope(rows, of('bubble'), 0.05) : NaN, 'm/s']);
    return lines;
}
