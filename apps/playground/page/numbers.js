// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Numbers of the flow, and theory beside measurement.

import { theory } from './measures.js';
import { word } from './words.js';

const rounded = (x) => (!isFinite(x) ? '–' : x === 0 ? '0' : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(2) : String(Number(x.toPrecision(4))));

export function showNumbers(list, page) {
    const n = page.sims[0]?.numbers;
    if (!n) return;
    const { scene, sims } = page, g = Math.hypot(...scene.gravity), size = Math.sqrt(Math.max(n.target, 1e-12)), u = n.speed;
    const rows = [
        [word('time'), `${n.time.toFixed(3)} s`],
        [word('stopwatch'), 'watch'],
        [`${sims[0].nx}×${sims[0].ny} ${word('cells')}`, `${n.spent.toFixed(1)} ms ${word('per_step')}, ${word(n.threads > 1 ? 'threads' : 'one_thread', { n: n.threads })}`],
        ['CFL', rounded(n.cfl)],
        [word('reynolds'), rounded((scene.waterDensity * u * size) / scene.viscosity)],
        [word('weber'), rounded((scene.waterDensity * u * u * size) / scene.tension)],
        [word('bond'), rounded((Math.abs(scene.waterDensity - scene.airDensity) * g * size * size) / scene.tension)],
        [word('froude'), rounded(u / Math.sqrt(g * size))],
        [word('atwood'), rounded((scene.waterDensity - scene.airDensity) / (scene.waterDensity + scene.airDensity))],
        ...theory(page).flatMap(([label, value, now, unit]) => [
            [`${label}: ${word('theory')}`, `${rounded(value)} ${unit}`],
            [`${label}: ${word('measured')}`, isFinite(now) ? `${rounded(now)} ${unit}` : word('not_yet')],
        ]),
    ];
    const names = rows.map(([name]) => name).join();
    if (list.dataset.names === names) {
        // Elements stay: one of them may have the focus.
        rows.forEach(([, value], i) => (value === 'watch' ? showWatch(list.children[2 * i + 1].firstChild, page, n.time) : (list.children[2 * i + 1].textContent = value)));
        return;
    }
    list.dataset.names = names;
    list.replaceChildren(
        ...rows.flatMap(([name, value]) => {
            const dt = document.createElement('dt'), dd = document.createElement('dd');
            dt.textContent = name;
            if (value === 'watch') dd.append(stopwatch(page));
            else dd.textContent = value;
            return [dt, dd];
        }),
    );
}

/** Runs on simulated time. */
function stopwatch(page) {
    const button = document.createElement('button');
    button.id = 'stopwatch';
    button.onclick = () => {
        const { time } = page.sims[0].numbers, { running, from } = page.watch;
        page.watch = running ? { running: false, from, seconds: time - from } : { running: true, from: time, seconds: 0 };
        showWatch(button, page, time);
    };
    showWatch(button, page, page.sims[0].numbers.time);
    return button;
}
function showWatch(button, page, time) {
    const { running, from, seconds } = page.watch;
    button.textContent = `${running ? '■' : '▶'} ${(running ? time - from : seconds).toFixed(3)} s`;
}
