// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Teaching: a step taken apart, two schemes side by side, advection in one dimension, lessons.

import { lessons, stageNotes } from './lessons.js';
import { sourceLines } from './sources.js';
import { make, select } from './panel.js';
import { word } from './words.js';

// The stages of a step.

export function buildStages(place, page, { send, say }) {
    const go = make('button', { type: 'button', className: 'main', id: 'stages-go', textContent: word('stages_go') });
    go.onclick = () => {
        page.recording = true;
        if (page.playing) document.getElementById('play').click();
        send('record', { on: true });
        send('step');
        send('record', { on: false });
        say('');
    };
    const switches = make('div');
    stageNotes.forEach((_, part) => {
        const input = make('input', { type: 'checkbox', checked: !page.off.has(part), id: `stage-${part}` });
        input.onchange = () => {
            input.checked ? page.off.delete(part) : page.off.add(part);
            send('off', { parts: [...page.off] });
        };
        switches.append(make('label', { className: 'check' }, input, `${part + 1}. ${word(`part_${part}`)}`));
    });
    page.showSwitches = () => stageNotes.forEach((_, part) => (document.getElementById(`stage-${part}`).checked = !page.off.has(part)));
    place.replaceChildren(make('p', { className: 'hint', textContent: word('stages_hint') }), go, make('div', { id: 'parts' }), make('div', { id: 'cycles' }), make('h2', { textContent: word('on') }), make('p', { className: 'hint', textContent: word('switch_hint') }), switches);
}

function fieldPicture(values, solid, nx, ny, range, sided, caption) {
    const canvas = make('canvas', { width: nx, height: ny }), image = new ImageData(nx, ny);
    for (let j = 0; j < ny; ++j)
        for (let i = 0; i < nx; ++i) {
            const at = j * nx + i, to = 4 * ((ny - 1 - j) * nx + i);
            const t = Math.max(-1, Math.min(1, values[at] / range));
            const low = sided ? [248, 248, 248] : [68, 1, 84], high = sided ? (t < 0 ? [33, 102, 172] : [214, 96, 10]) : [253, 231, 37], middle = [33, 145, 140];
            const s = Math.abs(t);
            for (let k = 0; k < 3; ++k) image.data[to + k] = solid[at] < 0 ? 75 : sided ? low[k] + s * (high[k] - low[k]) : s < 0.5 ? low[k] + 2 * s * (middle[k] - low[k]) : middle[k] + (2 * s - 1) * (high[k] - middle[k]);
            image.data[to + 3] = 255;
        }
    canvas.getContext('2d').putImageData(image, 0, 0);
    return make('div', {}, canvas, make('span', { textContent: caption }));
}

export function showParts(page, parts) {
    const { nx, ny } = page.sims[0];
    const cards = parts.map(({ part, phi, u, v, divergence, solid }) => {
        const [equation, , , field] = stageNotes[part], source = sourceLines[part];
        const speed = [0, 1].map((k) => u[k].map((x, i) => Math.hypot(x, v[k][i])));
        const shown = { phi, divergence, speed }[field];
        const sorted = Array.from(shown[0].map(Math.abs)).concat(Array.from(shown[1].map(Math.abs))).sort((a, b) => a - b);
        const range = field === 'phi' ? 6 : Math.max(sorted[Math.floor(0.99 * sorted.length)], 1e-9);
        const change = shown[1].map((x, i) => x - shown[0][i]), changed = change.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
        return make(
            'article',
            { className: 'card', 'data-part': part },
            make('h3', {}, make('span', { textContent: `${part + 1}. ${word(`part_${part}`)}` }), make('span', { className: 'hint', textContent: `Δ ${changed.toPrecision(2)}` })),
            make('p', { className: 'equation', textContent: equation }),
            make('code', { textContent: source[0], title: source[1] }),
            make('div', { className: 'pair three' }, ...[0, 1].map((k) => fieldPicture(shown[k], solid[k], nx, ny, range, field !== 'speed', `${field === 'phi' ? 'φ' : word(`overlay_${field}`)} ${word(k ? 'after' : 'before')}`)), fieldPicture(change, solid[1], nx, ny, Math.max(changed, 1e-12), true, word('change'))),
        );
    });
    document.getElementById('parts')?.replaceChildren(...cards);
}

/** What the cycles of the pressure solver leave: a curve on a scale of powers of ten, and where it is. */
export function showCycles(page, cycles) {
    const place = document.getElementById('cycles');
    if (!place || !page.sims[0]) return;
    if (!cycles.length) return place.replaceChildren();
    const { nx, ny, packed } = page.sims[0], w = 300, h = 110;
    const solid = Float32Array.from({ length: nx * ny }, (_, i) => packed[4 * i + 2]);
    const low = Math.min(-3, Math.floor(Math.log10(Math.max(cycles.at(-1).relative, 1e-12)))), high = Math.max(0, Math.ceil(Math.log10(cycles[0].relative)));
    const x = (k) => 34 + (k / Math.max(1, cycles.length - 1)) * (w - 44), y = (r) => 8 + ((high - Math.log10(Math.max(r, 1e-12))) / (high - low)) * (h - 28);
    const lines = [];
    for (let power = low; power <= high; ++power) lines.push(`<path d="M30 ${y(10 ** power)}H${w}" stroke="#d3dce1"/><text x="2" y="${y(10 ** power) + 4}">1e${power}</text>`);
    cycles.forEach((_, k) => lines.push(`<text x="${x(k) - 3}" y="${h - 2}">${k}</text>`));
    const path = cycles.map((c, k) => `${k ? 'L' : 'M'}${x(k).toFixed(1)} ${y(c.relative).toFixed(1)}`).join('');
    const curve = make('div', { role: 'img', 'aria-label': word('cycles') });
    curve.innerHTML = `<svg viewBox="0 0 ${w} ${h}" font-size="10" fill="currentColor">${lines.join('')}<path d="${path}" fill="none" stroke="#1d7fb8" stroke-width="2"/>${cycles.map((c, k) => `<circle cx="${x(k)}" cy="${y(c.relative)}" r="3" fill="#1d7fb8"/>`).join('')}</svg>`;
    // Each picture on a scale of its own: the form of what is left, not its size, which the curve says.
    const pictures = cycles.slice(0, 6).map((c, k) => {
        const sizes = Array.from(c.values, Math.abs).sort((a, b) => a - b);
        return fieldPicture(c.values, solid, nx, ny, Math.max(sizes[Math.floor(0.99 * sizes.length)], 1e-12), true, `${k}: ${c.relative.toExponential(1)}`);
    });
    place.replaceChildren(make('article', { className: 'card', id: 'cycle-card' }, make('h3', { textContent: word('cycles') }), make('p', { className: 'hint', textContent: word('cycles_hint') }), curve, make('div', { className: 'pair three' }, ...pictures)));
}

// Two solvers, one input.

const schemes = ['cip', 'linear', 'maccormack', 'cubic', 'rational'];
export function buildCompare(place, page, { reopen, changeScene, sceneOf }) {
    const on = make('input', { type: 'checkbox', id: 'compare-on', checked: page.other !== null });
    const left = make('select', { id: 'compare-left' }, ...schemes.map((s) => new Option(s, s)));
    left.value = page.scene.advection;
    const right = make('select', { id: 'compare-right' }, ...schemes.map((s) => new Option(s, s)));
    right.value = page.other?.advection ?? 'linear';
    const choices = (id, values) => make('select', { id }, new Option(word('compare_same'), ''), ...values.map((v) => new Option(v, v)));
    const cells = choices('compare-divisions', [32, 48, 64, 96, 128, 192]), cfl = choices('compare-cfl', [0.5, 1, 2, 5, 10]);
    const other = () => (on.checked ? { advection: right.value, ...(cells.value && { divisions: Number(cells.value) }), ...(cfl.value && { cfl: Number(cfl.value) }) } : null);
    const again = () => reopen({ ...sceneOf(page.scene.name), advection: left.value }, other());
    on.onchange = right.onchange = cells.onchange = cfl.onchange = again;
    left.onchange = () => (page.other ? again() : changeScene({ advection: left.value }));
    const row = (name, element) => make('label', { className: 'check' }, name, element);
    page.showCompared = () => {
        on.checked = page.other !== null;
        left.value = page.scene.advection;
        if (!page.other) return;
        right.value = page.other.advection ?? page.scene.advection;
        cells.value = page.other.divisions ?? '';
        cfl.value = page.other.cfl ?? '';
    };
    page.showCompared();
    place.replaceChildren(make('p', { className: 'hint', textContent: word('compare_hint') }), row(`${word('compare_advection')}, ${word('left')}`, left), make('label', { className: 'check' }, on, word('compare_on')), row(`${word('compare_advection')}, ${word('right')}`, right), row(`${word('compare_divisions')}, ${word('right')}`, cells), row(`${word('compare_cfl')}, ${word('right')}`, cfl));
}

// Advection in one dimension.

const profiles = ['linear', 'CIP', 'CIP monotone', 'CIP clamped', 'rational'];
const lab = { values: [], slopes: [], start: [], travelled: 0, steps: 0, curve: [], shape: 'square', held: null, chosen: 0 };

function labStart(shape) {
    const n = shape === 'two' ? 2 : 80;
    lab.shape = shape;
    lab.values = Array.from({ length: n }, (_, i) => (shape === 'two' ? i : shape === 'square' ? Number(i >= 20 && i < 40) : Math.exp(-(((i - 30) / 6) ** 2))));
    lab.slopes = lab.values.map((_, i) => (shape === 'two' ? [2, 0][i] : (lab.values[(i + 1) % n] - lab.values[(i + n - 1) % n]) / 2));
    lab.start = [...lab.values];
    lab.chosen = 0;
    lab.travelled = lab.steps = 0;
}

function labView() {
    const canvas = document.getElementById('lab-canvas');
    const n = lab.values.length, w = canvas.clientWidth, h = canvas.clientHeight;
    return { canvas, w, h, x: (i) => 14 + (i / Math.max(1, n - 1)) * (w - 28), y: (f) => h - 48 - (f + 0.15) * (h - 70) * 0.78 };
}

function drawLab() {
    const { canvas, w, h, x, y } = labView();
    canvas.width = w * devicePixelRatio;
    canvas.height = h * devicePixelRatio;
    const context = canvas.getContext('2d');
    context.scale(devicePixelRatio, devicePixelRatio);
    const line = (points, colour, width, dash = []) => {
        context.beginPath();
        points.forEach(([a, b]) => context.lineTo(a, b));
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.setLineDash(dash);
        context.stroke();
    };
    for (const f of [0, 1]) line([[0, y(f)], [w, y(f)]], '#d3dce1', 1);
    const n = lab.values.length;
    if (lab.shape !== 'two') {
        const exact = lab.start.map((_, i) => lab.start[(((Math.round(i - lab.travelled) % n) + n) % n)]);
        line(exact.map((f, i) => [x(i), y(f)]), '#9aa9b3', 1.2, [4, 3]);
    }
    line(lab.curve.map(([i, f]) => [x(i), y(f)]), '#1d7fb8', 2);
    lab.values.forEach((f, i) => {
        context.beginPath();
        context.arc(x(i), y(f), lab.shape === 'two' ? 6 : 2.2, 0, 7);
        context.fillStyle = '#0a3358';
        context.fill();
        if (i === lab.chosen && document.activeElement === canvas) {
            context.strokeStyle = '#f2a900';
            context.lineWidth = 3;
            context.stroke();
        }
        if (lab.shape === 'two') {
            const [hx, hy] = slopeHandle(i);
            line([[x(i), y(f)], [hx, hy]], '#d95f02', 2);
            context.beginPath();
            context.arc(hx, hy, 5, 0, 7);
            context.fillStyle = '#d95f02';
            context.fill();
        }
    });
    let error = 0;
    lab.values.forEach((f, i) => (error += Math.abs(f - lab.start[(((Math.round(i - lab.travelled) % n) + n) % n)])));
    const sum = lab.values.reduce((a, b) => a + b, 0);
    context.fillStyle = '#5d6f7c';
    context.font = '11px system-ui, sans-serif';
    const seen = lab.shape === 'two' ? lab.curve.map((c) => c[1]) : lab.values;
    if (lab.shape !== 'two') context.fillText(`${lab.steps} × · ${word('lab_error')} ${error.toFixed(3)}`, 8, h - 22);
    context.fillText(`${word('lab_range')} ${Math.min(...seen).toFixed(3)} … ${Math.max(...seen).toFixed(3)}${lab.shape === 'two' ? '' : ` · ${word('lab_mass')} ${sum.toFixed(3)}`}`, 8, h - 8);
    canvas.dataset.error = error.toFixed(6);
    canvas.dataset.most = Math.max(...lab.values).toFixed(6);
}
function slopeHandle(i) {
    const { x, y } = labView(), reach = 0.22 * (i ? -1 : 1);
    return [x(i + reach), y(lab.values[i] + reach * lab.slopes[i])];
}

export function buildLab(place, page, { send }) {
    const shape = select('lab-shape', ['square', 'bump', 'two'], 'lab_', lab.shape, (name) => {
        labStart(name);
        carry(0);
    });
    const scheme = make('select', { id: 'lab-scheme' }, ...profiles.map((name, i) => new Option(name, i)));
    scheme.value = '1';
    const courant = make('input', { type: 'range', min: 0.05, max: 2.5, step: 0.05, value: 0.3, id: 'lab-courant' });
    const steps = make('select', { id: 'lab-steps' }, ...[1, 10, 100, 1000].map((n) => new Option(`${n} ×`, n)));
    const run = make('button', { type: 'button', className: 'main', id: 'lab-run', textContent: word('lab_run') });
    const restart = make('button', { type: 'button', id: 'lab-restart', textContent: word('lab_restart') });
    const canvas = make('canvas', { id: 'lab-canvas', tabIndex: 0 });
    canvas.setAttribute('aria-label', word('tab_lab'));
    function carry(count) {
        if (!lab.values.length) labStart(shape.value);
        lab.travelled += count * courant.valueAsNumber;
        lab.steps += count;
        send('lab', { values: lab.values, slopes: lab.slopes, courant: courant.valueAsNumber, profile: Number(scheme.value), count: lab.shape === 'two' ? 0 : count, id: 0 });
    }
    run.onclick = () => carry(Number(steps.value));
    restart.onclick = () => {
        labStart(shape.value);
        carry(0);
    };
    scheme.onchange = () => {
        labStart(shape.value);
        carry(0);
    };
    canvas.onpointerdown = (event) => {
        const box = canvas.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top, { x, y } = labView();
        let best = 22;
        lab.held = null;
        lab.values.forEach((f, i) => {
            const spots = lab.shape === 'two' ? [['slope', ...slopeHandle(i)], ['value', x(i), y(f)]] : [['value', x(i), y(f)]];
            for (const [what, sx, sy] of spots) {
                const away = Math.hypot(px - sx, py - sy);
                if (away < best) [best, lab.held] = [away, [what, i]];
            }
        });
        canvas.setPointerCapture(event.pointerId);
    };
    canvas.onpointermove = (event) => {
        if (!lab.held) return;
        const box = canvas.getBoundingClientRect(), { y } = labView(), py = event.clientY - box.top;
        const f = (py - y(0)) / (y(1) - y(0)), [what, i] = lab.held;
        if (what === 'value') lab.values[i] = f;
        else lab.slopes[i] = (f - lab.values[i]) / (0.22 * (i ? -1 : 1));
        carry(0);
    };
    canvas.onpointerup = () => (lab.held = null);
    // By keyboard: left and right choose a point, up and down move it, with shift its slope.
    canvas.onkeydown = (event) => {
        const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key], upwards = { ArrowDown: -0.05, ArrowUp: 0.05 }[event.key], n = lab.values.length;
        if (sideways) lab.chosen = (lab.chosen + sideways + n) % n;
        else if (upwards && event.shiftKey) lab.slopes[lab.chosen] += 4 * upwards;
        else if (upwards) lab.values[lab.chosen] += upwards;
        else return;
        event.preventDefault();
        event.stopPropagation();
        carry(0);
    };
    const row = (name, element) => make('label', { className: 'check' }, name, element);
    place.replaceChildren(make('p', { className: 'hint', textContent: word('lab_hint') }), canvas, row(word('lab_wave'), shape), row(word('lab_scheme'), scheme), row(word('lab_courant'), courant), make('div', { className: 'check' }, steps, run, restart));
    document.getElementById('tabs-lab').addEventListener('click', () => carry(0));
}

export function showLab({ values, slopes, curve }) {
    lab.values = values;
    lab.slopes = slopes;
    lab.curve = curve;
    if (document.getElementById('lab-canvas').clientWidth) drawLab();
}

// Lessons.

/** Sets a lesson up. */
export function openLesson(page, name, { reopen, sceneOf, setOverlay, setPlaying }) {
    const lesson = lessons[name];
    page.off.clear();
    reopen(sceneOf(lesson.scene), lesson.compare ?? null);
    setOverlay(lesson.overlay ?? 'none');
    document.getElementById(`tabs-${lesson.tab ?? (lesson.compare ? 'compare' : 'lessons')}`).click();
    document.getElementById('about').textContent = `${word(`lesson_${name}_title`)} ${word(`lesson_${name}_text`)}`;
    setPlaying(!lesson.tab);
}

export function buildLessons(place, page, actions) {
    const questions = (name) => [1, 2, 3, 4].map((i) => word(`lesson_${name}_q${i}`, {}, '')).filter(Boolean);
    place.replaceChildren(
        make('p', { className: 'hint', textContent: word('lessons_hint') }),
        ...Object.keys(lessons).map((name) => {
            const go = make('button', { type: 'button', textContent: word('lesson_open'), 'data-lesson': name });
            go.onclick = () => openLesson(page, name, actions);
            const address = new URL(location.href);
            address.hash = '';
            address.search = `?lesson=${name}&lang=${document.documentElement.lang}`;
            const link = make('a', { href: address.href, textContent: word('lesson_link') });
            return make(
                'article',
                { className: 'card' },
                make('h3', { textContent: word(`lesson_${name}_title`) }),
                make('p', { className: 'hint', textContent: word(`lesson_${name}_text`) }),
                make('ol', {}, ...questions(name).map((q) => make('li', { textContent: q }))),
                make('details', {}, make('summary', { textContent: word('answers') }), make('p', { className: 'hint', textContent: word(`lesson_${name}_answers`) })),
                make('p', { className: 'foot' }, go, link),
            );
        }),
    );
}
