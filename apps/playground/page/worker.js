// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The solver at work, away from the page. All simulations get the same input; the first one leads. What hands do is
// logged by the step at which they did it, so that a link can do it again, bit for bit.

const SHOWN = { distance: 0, solid: 1, u: 2, v: 3, pressure: 4, vorticity: 5, divergence: 6, light: 7, phi: 8, ink: 9 };
const MEASURED = ['time', 'steps', 'volume', 'target', 'speed', 'divergence', 'iterations', 'residual', 'cfl', 'drops', 'bubbles', 'foam', 'dt'];
const FRAME_WORK = 40; // ms of steps between two frames

let solver = null;
let scenes = []; // texts, one a simulation
let handles = [];
let opened = 0;
let log = [];
let marks = [];
let tools = new Map(); // by finger
let probe = null;
let overlay = 'none';
let dt = 1 / 60;
let debt = 0;
let recording = false;
let off = new Set();
let spent = 0;
let inked = false;
let memory = null; // of the program: it may grow in any call

const round = (x) => Math.round(x * 1e4) / 1e4;

function withText(text, use) {
    const bytes = new TextEncoder().encode(`${text}\0`), place = solver._malloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, place);
    try {
        return use(place);
    } finally {
        solver._free(place);
    }
}
const textAt = (place) => {
    const all = new Uint8Array(memory.buffer, place);
    return new TextDecoder().decode(all.slice(0, all.indexOf(0)));
};
const hash = () => textAt(solver._spume_hash(handles[0]));
const message = () => textAt(solver._spume_text());
const doubles = (place, count) => new Float64Array(memory.buffer, place, count);
const floats = (place) => new Float32Array(memory.buffer, place, solver._spume_count()).slice();
const field = (handle, name) => floats(solver._spume_field(handle, SHOWN[name]));
const measure = (handle, name) => solver._spume_measure(handle, MEASURED.indexOf(name));

function open(texts, without = []) {
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
    ++opened;
    scenes = texts;
    off = new Set(without);
    log = off.size ? [[0, 'off', [...off]]] : [];
    marks = [];
    tools.clear();
    probe = null;
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
    const kept = Math.min(...handles.map((h) => solver._spume_keep(h)));
    marks.push({ length: log.length, scenes, dt, off });
    marks = marks.slice(-kept);
}

function undo() {
    const mark = marks.pop();
    if (!mark) return false;
    ({ scenes, dt, off } = mark);
    log.length = mark.length;
    setSwitches();
    return handles.map((h) => solver._spume_undo(h)).every((x) => x);
}

/** One substep of the leader; the others follow to the same time. */
function step() {
    for (const tool of tools.values()) perform(...tool);
    const begin = performance.now();
    if (!solver._spume_step(handles[0], dt)) throw new Error(message());
    const time = measure(handles[0], 'time');
    for (const h of handles.slice(1))
        for (let left = time - measure(h, 'time'); left > 1e-9; left = time - measure(h, 'time'))
            if (!solver._spume_step(h, Math.min(dt, left))) throw new Error(message());
    spent = performance.now() - begin;
}

/** Height of the water over each column, m; the pressure at the floor and under the roof, Pa, means; the middle of the air that has water
 * above it, m. */
function measured(distance, pressure, nx, ny, voxel) {
    const columns = new Float32Array(nx);
    let floor = 0, roof = 0, air = 0, moment = 0;
    for (let i = 0; i < nx; ++i) {
        // From the middle of the outermost cells on by the slope between the two.
        floor += (1.5 * pressure[i] - 0.5 * pressure[nx + i]) / nx;
        roof += (1.5 * pressure[(ny - 1) * nx + i] - 0.5 * pressure[(ny - 2) * nx + i]) / nx;
        for (let j = ny - 1, covered = false; j >= 0; --j) {
            const water = Math.min(1, Math.max(0, 0.5 - distance[j * nx + i]));
            columns[i] += water * voxel;
            covered ||= water > 0.5;
            if (covered) {
                air += 1 - water;
                moment += (1 - water) * (j + 0.5) * voxel;
            }
        }
    }
    return { columns, floor, roof, bubble: air > 8 ? moment / air : NaN };
}

function view(h) {
    const nx = solver._spume_cells(h, 0), ny = solver._spume_cells(h, 1);
    const distance = field(h, 'distance'), light = field(h, 'light'), solid = field(h, 'solid');
    const u = field(h, 'u'), v = field(h, 'v'), pressure = field(h, 'pressure'), voxel = solver._spume_voxel(h);
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
    [numbers.kinetic, numbers.potential] = floats(solver._spume_energy(h));
    numbers.spent = spent;
    numbers.threads = solver._spume_threads(h);
    const bodies = [];
    const places = floats(solver._spume_bodies(h));
    for (let i = 0; i < places.length; i += 3) bodies.push(Array.from(places.subarray(i, i + 3)));
    let probed = null;
    if (probe) {
        const [i, j] = probe.map((x, a) => Math.max(0, Math.min([nx, ny][a] - 1, Math.floor(x / voxel)))), at = j * nx + i;
        probed = { u: u[at], v: v[at], pressure: pressure[at], distance: distance[at] };
    }
    return { nx, ny, voxel, packed, u, v, bodies, probed, ...measured(distance, pressure, nx, ny, voxel), ink: inked ? field(h, 'ink') : null, fragments: floats(solver._spume_fragments(h)), numbers };
}

let due = false;
/** A frame when all that waits is done: hands move faster than pictures are made. */
function soon() {
    if (due) return;
    due = true;
    setTimeout(() => {
        due = false;
        frame();
    }, 0);
}

function frame(extra = {}) {
    const sims = handles.map(view);
    const buffers = sims.flatMap((s) => [s.packed.buffer, s.u.buffer, s.v.buffer, s.fragments.buffer]);
    postMessage({ type: 'frame', sims, undoable: marks.length > 0, ...extra }, buffers);
}

/** What each cycle of the pressure solver left: how much, and where. */
function cycles() {
    const nx = solver._spume_cells(handles[0], 0), ny = solver._spume_cells(handles[0], 1);
    return Array.from(floats(solver._spume_cycles(handles[0])), (relative, k) => {
        const turned = floats(solver._spume_cycle_field(handles[0], k)), values = new Float32Array(nx * ny);
        for (let i = 0; i < nx; ++i) for (let j = 0; j < ny; ++j) values[j * nx + i] = turned[i * ny + j];
        return { relative, values };
    });
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
        open(m.scenes, m.off);
        frame({ opened: true });
    },
    change(m) {
        if (!m.quiet) keep();
        perform('change', m.scenes, m.dt);
        frame();
    },
    /** A run done before, step by step; frames on the way. */
    async replay(m) {
        dt = m.dt;
        open(m.scenes);
        const mine = opened;
        let next = 0, shown = performance.now();
        while (measure(handles[0], 'steps') < m.steps || next < m.log.length) {
            const now = measure(handles[0], 'steps');
            while (next < m.log.length && m.log[next][0] <= now) {
                apply(m.log[next]);
                log.push([now, ...m.log[next++].slice(1)]);
            }
            if (measure(handles[0], 'steps') >= m.steps) break;
            step();
            if (performance.now() - shown > 100) {
                frame({ replay: measure(handles[0], 'steps') / m.steps });
                await new Promise((resolve) => setTimeout(resolve, 0));
                if (opened !== mine) return; // something else was opened meanwhile
                shown = performance.now();
            }
        }
        frame({ replayed: true, scenes, same: !m.hash || m.hash === hash() });
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
        frame(recording ? { parts: parts(), cycles: cycles() } : {});
    },
    tool(m) {
        if (m.begin) keep();
        const tool = m.tool?.map((x) => (typeof x === 'number' ? round(x) : x));
        if (!tool) tools.delete(m.finger);
        else if (m.once) perform(...tool);
        else tools.set(m.finger, tool);
        if (m.once) soon();
    },
    undo() {
        const done = undo();
        frame({ undone: done, scenes, off: [...off] });
    },
    probe(m) {
        probe = m.place;
        frame();
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
        postMessage({ type: 'state', log, steps: measure(handles[0], 'steps'), hash: hash(), bytes: memory.buffer.byteLength, threads: solver._spume_threads(handles[0]) });
    },
    lab(m) {
        const n = m.values.length;
        const place = solver._malloc(16 * n);
        const room = () => doubles(place, 2 * n);
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

/** With threads where memory may be shared; else the program without. */
async function load(data) {
    if (data.threads > 1) {
        importScripts('solver_threads.js');
        const pages = { initial: 512, maximum: 16384, shared: true }; // 32 MB, 1 GB
        memory = new WebAssembly.Memory(pages);
        solver = await loadSolver({ wasmMemory: memory, INITIAL_MEMORY: 512 << 16, mainScriptUrlOrBlob: 'solver_threads.js', helpers: data.threads - 1 });
        solver._spume_set_threads(data.threads);
        return;
    }
    if (typeof loadSolver === 'undefined') importScripts('solver.js');
    solver = await loadSolver(data.wasm ?? (await (await fetch('solver.wasm')).arrayBuffer()));
    ({ memory } = solver);
}

onmessage = async ({ data }) => {
    try {
        if (data.type === 'load') {
            await load(data);
            postMessage({ type: 'loaded', threads: data.threads });
        } else await actions[data.type](data);
    } catch (error) {
        const lost = error instanceof WebAssembly.RuntimeError || error instanceof RangeError; // the program is beyond repair
        postMessage({ type: 'error', during: data.type, lost, text: String(error?.message ?? error) });
    }
};
