// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The solver at work, away from the page. All simulations get the same input; the first one leads. What hands do is
// logged by the step at which they did it, so that a link can do it again, bit for bit.

const SHOWN = { distance: 0, solid: 1, u: 2, v: 3, pressure: 4, vorticity: 5, divergence: 6, light: 7, phi: 8, ink: 9 };
const MEASURED = ['time', 'steps', 'volume', 'target', 'kinetic', 'potential', 'speed', 'divergence', 'iterations', 'residual', 'cfl', 'drops', 'bubbles', 'foam', 'dt'];
const FRAME_WORK = 40; // ms of steps between two frames

let solver = null;
let scenes = []; // texts, one a simulation
let handles = [];
let log = [];
let marks = [];
let tool = null;
let overlay = 'none';
let dt = 1 / 60;
let debt = 0;
let recording = false;
let off = new Set();
let spent = 0;
let inked = false;

const round = (x) => Math.round(x * 1e4) / 1e4;

function withText(text, use) {
    const room = solver.lengthBytesUTF8(text) + 1;
    const place = solver._malloc(room);
    solver.stringToUTF8(text, place, room);
    try {
        return use(place);
    } finally {
        solver._free(place);
    }
}
const message = () => solver.UTF8ToString(solver._spume_text());
const floats = (place) => new Float32Array(solver.HEAPF32.subarray(place >> 2, (place >> 2) + solver._spume_count()));
const field = (handle, name) => floats(solver._spume_field(handle, SHOWN[name]));
const measure = (handle, name) => solver._spume_measure(handle, MEASURED.indexOf(name));

function open(texts) {
    const fresh = [];
    for (const text of texts) {
        const handle = withText(text, solver._spume_open);
        if (handle < 0) {
            const why = message();
            fresh.forEach((h) => solver._spume_close(h));
            throw new Error(why);
        }
        fresh.push(handle);
    }
    handles.forEach((h) => solver._spume_close(h));
    handles = fresh;
    scenes = texts;
    log = [];
    marks = [];
    tool = null;
    debt = 0;
    inked = texts.some((text) => text.includes('ink = '));
    setSwitches();
}

function setSwitches() {
    for (const h of handles) {
        solver._spume_record(h, recording ? 1 : 0);
        for (let part = 0; part < 9; ++part) solver._spume_switch(h, part, off.has(part) ? 0 : 1);
    }
}

function change(texts) {
    texts.forEach((text, i) => {
        if (text !== scenes[i] && !withText(text, (place) => solver._spume_change(handles[i], place))) throw new Error(message());
    });
    scenes = texts;
}

function apply([, kind, ...a]) {
    inked ||= kind === 'ink';
    if (kind === 'change') {
        dt = a[1];
        return change(a[0]);
    }
    if (kind === 'off') {
        off = new Set(a[0]);
        return setSwitches();
    }
    for (const h of handles) {
        if (kind === 'water' || kind === 'air') solver._spume_pour(h, a[0], a[1], a[2], a[3], a[4], kind === 'water' ? 1 : 0);
        if (kind === 'drag') solver._spume_drag(h, a[0], a[1], a[2], a[3], a[4], a[5]);
        if (kind === 'ink') solver._spume_ink(h, a[0], a[1], a[2], a[3]);
        if (kind === 'stir') solver._spume_stir(h, a[0], a[1], a[2], a[3]);
    }
}

function perform(...entry) {
    const whole = [measure(handles[0], 'steps'), ...entry];
    apply(whole);
    log.push(whole);
}

function keep() {
    handles.forEach((h) => solver._spume_keep(h));
    marks.push({ length: log.length, scenes, dt });
    if (marks.length > 200) marks.shift();
}

function undo() {
    const mark = marks.pop();
    if (!mark) return false;
    change(mark.scenes);
    dt = mark.dt;
    log.length = mark.length;
    return handles.map((h) => solver._spume_undo(h)).every((x) => x);
}

/** One substep of the leader; the others follow to the same time. */
function step() {
    if (tool) perform(...tool);
    const begin = performance.now();
    if (!solver._spume_step(handles[0], dt)) throw new Error(message());
    const time = measure(handles[0], 'time');
    for (const h of handles.slice(1))
        for (let left = time - measure(h, 'time'); left > 1e-9; left = time - measure(h, 'time'))
            if (!solver._spume_step(h, Math.min(dt, left))) throw new Error(message());
    spent = performance.now() - begin;
}

function view(h) {
    const nx = solver._spume_cells(h, 0), ny = solver._spume_cells(h, 1);
    const distance = field(h, 'distance'), light = field(h, 'light'), solid = field(h, 'solid');
    const u = field(h, 'u'), v = field(h, 'v');
    const other = SHOWN[overlay] > 3 ? field(h, overlay) : null;
    const packed = new Float32Array(4 * nx * ny);
    for (let i = 0; i < nx * ny; ++i) {
        packed[4 * i] = distance[i];
        packed[4 * i + 1] = light[i];
        packed[4 * i + 2] = solid[i];
        packed[4 * i + 3] = other ? other[i] : Math.hypot(u[i], v[i]);
    }
    const numbers = {};
    for (const name of MEASURED) numbers[name] = measure(h, name);
    numbers.spent = spent;
    return { nx, ny, voxel: solver._spume_voxel(h), packed, u, v, ink: inked ? field(h, 'ink') : null, fragments: floats(solver._spume_fragments(h)), numbers };
}

function frame(extra = {}) {
    const sims = handles.map(view);
    const buffers = sims.flatMap((s) => [s.packed.buffer, s.u.buffer, s.v.buffer, s.fragments.buffer]);
    postMessage({ type: 'frame', sims, undoable: marks.length > 0, ...extra }, buffers);
}

function parts() {
    const numbers = Array.from(floats(solver._spume_parts(handles[0])));
    return numbers.map((part, i) => {
        const get = (after, name) => floats(solver._spume_part_field(handles[0], i, after, SHOWN[name]));
        const pick = {};
        for (const name of ['phi', 'u', 'v', 'divergence', 'pressure', 'solid']) pick[name] = [get(0, name), get(1, name)];
        return { part, ...pick };
    });
}

const actions = {
    open(m) {
        dt = m.dt;
        open(m.scenes);
        frame({ opened: true });
    },
    change(m) {
        keep();
        perform('change', m.scenes, m.dt);
        frame();
    },
    /** A run done before, step by step; frames on the way. */
    async replay(m) {
        dt = m.dt;
        off = new Set();
        open(m.scenes);
        let next = 0, shown = performance.now();
        while (measure(handles[0], 'steps') < m.steps || next < m.log.length) {
            const now = measure(handles[0], 'steps');
            while (next < m.log.length && m.log[next][0] <= now) {
                apply(m.log[next]);
                log.push(m.log[next++]);
            }
            if (measure(handles[0], 'steps') >= m.steps) break;
            step();
            if (performance.now() - shown > 100) {
                frame({ replay: measure(handles[0], 'steps') / m.steps });
                await new Promise((resolve) => setTimeout(resolve, 0));
                shown = performance.now();
            }
        }
        frame({ replayed: true, scenes });
    },
    tick(m) {
        debt = Math.min(debt + m.seconds, 4 * dt);
        const begin = performance.now();
        while (debt > 0 && performance.now() - begin < FRAME_WORK) {
            step();
            debt -= measure(handles[0], 'dt');
        }
        frame({ ticked: true });
    },
    step(m) {
        for (let k = 0; k < (m.count ?? 1); ++k) step();
        frame(recording ? { parts: parts() } : {});
    },
    tool(m) {
        if (m.begin) keep();
        tool = m.tool && m.tool.map((x) => (typeof x === 'number' ? round(x) : x));
        if (tool && m.once) {
            perform(...tool);
            tool = null;
        }
        if (m.once) frame();
    },
    undo() {
        const done = undo();
        frame({ undone: done, scenes });
    },
    show(m) {
        overlay = m.overlay;
        if (handles.length) frame();
    },
    record(m) {
        recording = m.on;
        setSwitches();
    },
    off(m) {
        perform('off', m.parts);
    },
    trace(m) {
        const points = [];
        let x = m.x, y = m.y;
        for (let k = 0; k < m.count; ++k) {
            [x, y] = floats(solver._spume_came_from(handles[0], x, y, dt));
            points.push([x, y]);
        }
        postMessage({ type: 'trace', points });
    },
    state() {
        postMessage({ type: 'state', log, steps: measure(handles[0], 'steps'), hash: solver.UTF8ToString(solver._spume_hash(handles[0])) });
    },
    lab(m) {
        const n = m.values.length;
        const place = solver._malloc(16 * n);
        const room = () => solver.HEAPF64.subarray(place >> 3, (place >> 3) + 2 * n);
        room().set(m.values);
        room().set(m.slopes, n);
        for (let k = 0; k < m.count; ++k) solver._spume_lab(place, place + 8 * n, n, m.courant, m.profile);
        const values = Array.from(room().subarray(0, n)), slopes = Array.from(room().subarray(n));
        solver._free(place);
        const curve = [];
        for (let i = 0; i < n - 1; ++i)
            for (let k = 0; k < 8; ++k) curve.push([i + k / 8, solver._spume_lab_profile(values[i], slopes[i], values[i + 1], slopes[i + 1], k / 8, m.profile)]);
        postMessage({ type: 'lab', id: m.id, values, slopes, curve });
    },
};

onmessage = async ({ data }) => {
    try {
        if (data.type === 'load') {
            if (typeof loadSolver === 'undefined') importScripts('solver.js');
            solver = await loadSolver(data.wasm ? { wasmBinary: data.wasm } : {});
            postMessage({ type: 'loaded' });
        } else await actions[data.type](data);
    } catch (error) {
        postMessage({ type: 'error', during: data.type, text: String(error?.message ?? error) });
    }
};
