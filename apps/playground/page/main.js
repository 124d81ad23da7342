// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The page: scenes, transport, hands, pictures. The solver is in a worker; what it computed arrives as frames.

import { changeScene } from './change.js';
import { drag, listen, press, release, toolKeys } from './hands.js';
import { buildCompare, buildLab, buildLessons, buildStages, openLesson, showCycles, showLab, showParts } from './learn.js';
import { lessons } from './lessons.js';
import { showNumbers } from './numbers.js';
import { packed } from './link.js';
import { theory } from './measures.js';
import { buildLook, buildPlay, buildTabs, refreshPlay, toolbar } from './panel.js';
import { overlays } from './picture.js';
import { differences, plot, plotted } from './plots.js';
import { cellsOf, presets, sceneOf, textOf } from './scenes.js';
import { download, fromLink, picture, shareLink, toggleFilm } from './share.js';
import { startSolver } from './solver_link.js';
import { $, dt, page, query, say, send, solver, stateOf, texts } from './state.js';
import { draw, layout, makeViews } from './views.js';
import { keysOf, languages, speak, word } from './words.js';

const still = matchMedia('(prefers-reduced-motion: reduce)').matches;

function openScene(scene, other = null) {
    if (scene.name !== page.scene.name) page.off.clear();
    page.scene = scene;
    page.other = other;
    page.speed = scene.speed ?? 1;
    $('speed').value = String(page.speed);
    page.history.clear();
    page.probe = page.trace = page.ruler = null;
    page.held = false;
    page.past = [];
    page.watch = { running: false, from: 0, seconds: 0 };
    $('scene').value = scene.name;
    $('about').textContent = word(`about_${scene.name}`);
    makeViews(listen);
    refreshPlay(page);
    page.showCompared();
    page.showSwitches();
    send('open', { scenes: texts(), dt: dt(), off: [...page.off] });
}

function setTool(tool) {
    page.tool = tool;
    for (const button of $('tools').querySelectorAll('button')) button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    draw();
}

function onKey(event) {
    const field = event.target.closest('input, select, textarea, summary'), key = event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || (field && key !== 'Escape')) return;
    const onButton = event.target.closest('button');
    const pace = (event.shiftKey ? 4 : 1) * 0.015 * page.scene.upper[0];
    const moves = { ArrowLeft: [-pace, 0], ArrowRight: [pace, 0], ArrowUp: [0, pace], ArrowDown: [0, -pace] };
    if (moves[key]) {
        const v = moves[key].map((x) => x * 30);
        page.cursor = page.cursor.map((x, a) => Math.min(page.scene.upper[a], Math.max(0, x + moves[key][a])));
        drag(...v);
    } else if (key === ' ' && !onButton) setPlaying(!page.playing);
    else if (key === 'Enter' && !onButton) page.held ? release() : press();
    else if (key === '.') stepOnce();
    else if (key === 'z') send('undo');
    else if (key === 'r') reopen(sceneOf(page.scene.name), page.other);
    else if (key === 'o') setOverlay(overlays[(overlays.indexOf(page.look.overlay) + 1) % overlays.length]);
    else if (key === '[' || key === ']') setBrush(page.brush * (key === ']' ? 1.2 : 1 / 1.2));
    else if (key === '?') say(word('help'));
    else if (/^\d$/.test(key)) setTool(toolKeys[(Number(key) + 9) % 10]);
    else return;
    event.preventDefault();
}

function setBrush(radius) {
    page.brush = Math.min(0.2 * page.scene.upper[0], Math.max(0.01 * page.scene.upper[0], radius));
    $('brush').value = String(page.brush / page.scene.upper[0]);
    draw();
}
function setOverlay(overlay) {
    page.look.overlay = overlay;
    $('overlay').value = overlay;
    send('show', { overlay });
}

// Time.

let last = 0;
function setPlaying(on) {
    page.playing = on;
    $('play').textContent = word(on ? 'pause' : 'play');
    $('play').setAttribute('aria-pressed', String(on));
    if (on && !page.waiting) requestAnimationFrame(tick);
}
function tick(now) {
    if (!page.playing || page.waiting || !solver.send) return;
    const seconds = Math.min(0.1, Math.max(0, (now - last) / 1000)) * page.speed;
    last = now;
    page.waiting = true;
    send('tick', { seconds });
}
function stepOnce() {
    setPlaying(false);
    send('step');
}

let shownNumbers = 0;
function onFrame(frame) {
    document.body.dataset.first ??= performance.now().toFixed(0);
    page.sims = frame.sims;
    page.history.add(frame.sims);
    $('undo').disabled = !frame.undoable;
    if (frame.replay !== undefined) say(word('replaying', { n: Math.round(100 * frame.replay) }));
    if (frame.replayed) {
        say(frame.same ? '' : word('not_the_same'));
        document.body.dataset.replayed = 'yes';
        refreshPlay(page);
    }
    if (frame.parts) showParts(page, frame.parts);
    if (frame.cycles) showCycles(page, frame.cycles);
    if (frame.undone) {
        page.scene = page.past.pop() ?? page.scene;
        page.off = new Set(frame.off);
        page.showSwitches();
        refreshPlay(page);
    }
    draw();
    if (performance.now() - shownNumbers > 120 || !page.playing) {
        shownNumbers = performance.now();
        for (const canvas of $('plots').children) {
            canvas.hidden = canvas.dataset.name in differences && frame.sims.length < 2;
            if (!canvas.hidden) plot(canvas, page.history, canvas.dataset.name, word(`plot_${canvas.dataset.name}`));
        }
        showNumbers($('numbers'), page);
    }
    if (frame.ticked) {
        page.waiting = false;
        if (page.playing) requestAnimationFrame(tick);
    }
}

const receive = {
    frame: onFrame,
    trace: (m) => {
        page.trace = [page.probe, ...m.points];
        draw();
    },
    lab: (m) => showLab(m),
    state: (m) => page.onState?.(m),
    error: async (m) => {
        page.waiting = false;
        setPlaying(false);
        if (m.lost) await restart();
        if (m.during === 'replay') {
            reopen(sceneOf('dam_break'));
            return say(word('bad_link'));
        }
        say(word(m.lost ? 'restarted' : 'failed', { why: m.text }));
    },
};
/** Another solver in place of one that ran out of memory or broke: the scene begins anew. */
async function restart() {
    solver.send.end();
    solver.send = await startSolver((m) => receive[m.type](m));
    reopen(page.scene, page.other);
}
function fillHeader() {
    $('scene').replaceChildren(...Object.keys(presets).map((name) => new Option(word(`scene_${name}`), name)));
    $('scene').value = page.scene.name;
    $('language').replaceChildren(...Object.entries(languages).map(([key, name]) => new Option(name, key)));
    $('scene').onchange = () => reopen(sceneOf($('scene').value));
    $('play').onclick = () => setPlaying(!page.playing);
    $('step').onclick = stepOnce;
    $('undo').onclick = () => send('undo');
    $('reset').onclick = () => reopen(sceneOf(page.scene.name), page.other);
    $('speed').onchange = () => (page.speed = Number($('speed').value));
    $('share').onclick = shareLink;
    $('png').onclick = () => picture().toBlob((blob) => download(`spume_${page.scene.name}.png`, blob));
    $('film').onclick = toggleFilm;
    $('toml').onclick = () => download(`${page.scene.name}.toml`, new Blob([textOf(page.scene)], { type: 'text/plain' }));
    $('csv').onclick = () => download(`spume_${page.scene.name}.csv`, new Blob([page.history.table()], { type: 'text/csv' }));
    $('embed').onclick = async () => {
        const address = new URL(location.href);
        address.searchParams.set('embed', '1');
        const line = `<iframe src="${address}" width="640" height="560" title="Spume"></iframe>`;
        await navigator.clipboard.writeText(line).then(() => say(word('embedded')), () => say(line));
    };
    $('language').onchange = () => {
        speak($('language').value);
        rebuild();
    };
}

function reopen(scene, other = null) {
    openScene(scene, other);
    page.firstTexts = texts();
    page.firstDt = dt();
}

function rebuild() {
    const actions = { changeScene, reopen, setOverlay, setBrush, setTool, setPlaying, send, draw, layout, say, sceneOf };
    fillHeader();
    toolbar($('tools'), toolKeys, page, actions);
    buildTabs(page);
    buildPlay($('tab-play'), page, actions);
    buildLook($('tab-look'), page, actions);
    buildStages($('tab-stages'), page, actions);
    buildCompare($('tab-compare'), page, actions);
    buildLab($('tab-lab'), page, actions);
    buildLessons($('tab-lessons'), page, actions);
    const names = [...plotted, ...Object.keys(differences)];
    $('plots').replaceChildren(...names.map((name) => Object.assign(document.createElement('canvas'), { ariaLabel: word(`plot_${name}`), hidden: name in differences })));
    [...$('plots').children].forEach((canvas, i) => (canvas.dataset.name = names[i]));
    $('about').textContent = word(`about_${page.scene.name}`);
    $('play').textContent = word(page.playing ? 'pause' : 'play');
    refreshPlay(page);
    setTool(page.tool);
}

async function start() {
    if (query.has('embed')) document.body.classList.add('embedded');
    speak(query.get('lang') ?? navigator.language.slice(0, 2));
    rebuild();
    $('language').value = document.documentElement.lang;
    try {
        solver.send = await startSolver((m) => receive[m.type](m));
    } catch (error) {
        return say(word('cannot', { why: error.message }));
    }
    addEventListener('keydown', onKey);
    addEventListener('resize', layout);
    addEventListener('hashchange', () => {
        setPlaying(false);
        fromLink();
    });
    new ResizeObserver(layout).observe($('views'));
    if (!(await fromLink())) {
        const wanted = query.get('scene');
        const lesson = query.get('lesson');
        if (lessons[lesson]) openLesson(page, lesson, { reopen, sceneOf, setOverlay, setPlaying: () => {} });
        else reopen(sceneOf(presets[wanted] ? wanted : 'dam_break'));
        if (still || query.has('paused')) say($('say').textContent || (still ? word('reduced') : ''));
        else setPlaying(true);
    }
    document.body.dataset.ready = 'yes';
    // Where the server does not say so, a worker of ours does, from the next visit on: memory may be shared then.
    const plainServer = !crossOriginIsolated && isSecureContext && location.protocol.startsWith('http') && self === top;
    if (plainServer && navigator.serviceWorker) navigator.serviceWorker.register('isolate.js').catch(() => {});
}
// For tests in a browser.
globalThis.spumePage = { page, stateOf, cellsOf, textOf, sceneOf, reopen, send, packed, keysOf, theory: () => theory(page) };
start();
