// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Numbers of the flow, and what theory says of the scene.

import { word } from './words.js';

const rounded = (x) => (!isFinite(x) ? '–' : x === 0 ? '0' : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(2) : String(Number(x.toPrecision(4))));

/** What can be told beforehand: [label, value, unit]. */
export function theory(page) {
    const { scene, sims } = page, g = Math.hypot(...scene.gravity), [width] = scene.upper;
    const depth = (sims[0]?.numbers.target ?? 0) / width, k = Math.PI / width;
    const lines = [];
    if (scene.name === 'sloshing') lines.push([word('theory_slosh'), (2 * Math.PI) / Math.sqrt(g * k * Math.tanh(k * depth)), 's']);
    if (['sloshing', 'drops', 'dam_break'].includes(scene.name)) lines.push([word('theory_hydro'), (scene.waterDensity - scene.airDensity) * g * depth + scene.airDensity * g * scene.upper[1], 'Pa']);
    if (scene.name === 'rayleigh_taylor') lines.push([word('theory_growth'), Math.sqrt((Math.abs(scene.waterDensity - scene.airDensity) / (scene.waterDensity + scene.airDensity)) * g * 2 * k), '1/s']);
    if (scene.name === 'rising_bubble') lines.push([word('theory_bubble'), 0.5 * Math.sqrt(g * 0.007), 'm/s']);
    return lines;
}

export function showNumbers(list, page) {
    const n = page.sims[0]?.numbers;
    if (!n) return;
    const { scene, sims } = page, g = Math.hypot(...scene.gravity), size = Math.sqrt(Math.max(n.target, 1e-12)), u = n.speed;
    const rows = [
        [word('time'), `${n.time.toFixed(3)} s`],
        [word('stopwatch'), 'watch'],
        [`${sims[0].nx}×${sims[0].ny} ${word('cells')}`, `${n.spent.toFixed(1)} ms ${word('per_step')}`],
        [word('reynolds'), rounded((scene.waterDensity * u * size) / scene.viscosity)],
        [word('weber'), rounded((scene.waterDensity * u * u * size) / scene.tension)],
        [word('bond'), rounded((Math.abs(scene.waterDensity - scene.airDensity) * g * size * size) / scene.tension)],
        [word('froude'), rounded(u / Math.sqrt(g * size))],
        [word('atwood'), rounded((scene.waterDensity - scene.airDensity) / (scene.waterDensity + scene.airDensity))],
        ...theory(page).map(([label, value, unit]) => [`${word('theory')}: ${label}`, `${rounded(value)} ${unit}`]),
    ];
    list.replaceChildren(
        ...rows.flatMap(([name, value]) => {
            const dt = document.createElement('dt'), dd = document.createElement('dd');
            dt.textContent = name;
            if (value === 'watch') dd.append(stopwatch(page, n.time));
            else dd.textContent = value;
            return [dt, dd];
        }),
    );
}

/** Runs on simulated time. */
function stopwatch(page, time) {
    const button = document.createElement('button'), w = page.watch;
    const seconds = w.seconds + (w.running ? time - w.from : 0);
    button.textContent = `${w.running ? '■' : '▶'} ${seconds.toFixed(3)} s`;
    button.onpointerdown = button.onkeydown = (event) => {
        if (event.type === 'keydown' && event.key !== 'Enter') return;
        if (w.running) Object.assign(w, { running: false, seconds });
        else Object.assign(w, { running: true, from: time, seconds: 0 });
        event.preventDefault();
    };
    return button;
}
