// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

import './viewer.css';
import { fetchCache, fetchFrames, fetchLog, fetchPacket } from './api.js';
import { Beside } from './beside.js';
import { makeCharts } from './charts.js';
import { drawScale } from './colours.js';
import { Panel } from './panel.js';
import { Player } from './player.js';
import { World } from './world.js';

const element = (id) => document.getElementById(id);
const pollMilliseconds = 1000;

const frames = []; // what is committed, in order
let cache = {};
let tab = 'show';
let grown = false; // frames have come since the last look at all of them
let request = null; // of the frame that is being fetched
let beside = null; // the second of two caches

const world = new World(element('view'));
const panel = new Panel(element('show'), () => show(player.index));
const player = new Player(
    Object.fromEntries(['scrub', 'play', 'first', 'last', 'back', 'next', 'loop', 'follow'].map((id) => [id, element(id)])),
    show,
);
const drawCharts = makeCharts(element('charts'), (share) => player.go(Math.round(share * (frames.length - 1)), true));

function tell(text) {
    element('message').textContent = text;
}

/** What is wanted of a frame, into a world; `which` cache it is of. */
async function fetchShown(frame, signal, world, cache, which) {
    const jobs = [];
    for (const name of frame.points ?? [])
        if (panel.wants('points', name))
            jobs.push(
                fetchPacket('points', { cache: which, frame: frame.frame, name, limit: panel.limit() }, signal).then((packet) => {
                    panel.offerShades(packet.arrays);
                    return () => {
                        world.showPoints(name, packet, panel.shade());
                        return `points/${name}`;
                    };
                }),
            );
    for (const name of frame.meshes ?? [])
        if (panel.wants('meshes', name))
            jobs.push(
                fetchPacket('mesh', { cache: which, frame: frame.frame, name }, signal).then((p) => () => {
                    world.showMesh(name, p);
                    return `meshes/${name}`;
                }),
            );
    const volume = frame.volumes?.[0];
    if (panel.tiles() && volume)
        jobs.push(fetchPacket('tiles', { cache: which, frame: frame.frame, name: volume }, signal).then((p) => () => world.showTiles(p)));
    else world.showTiles(null);
    if (!panel.solids()) world.showSolids(null);
    else if (cache.solids_move || !world.solids)
        jobs.push(fetchPacket('solids', { cache: which, frame: frame.frame }, signal).then((p) => () => world.showSolids(p)));
    const slice = panel.slice();
    if (slice && frame.volumes?.includes(slice.name))
        jobs.push(fetchPacket('slice', { cache: which, frame: frame.frame, ...slice }, signal).then((p) => () => world.showSlice(p)));
    else world.showSlice(null);
    return Promise.allSettled(jobs);
}

/** Where bubbles are at the beginning, in the middle and at the end: what the first look should hold. */
async function placesOverTime() {
    const some = [0, frames.length >> 1, frames.length - 1].map((i) => frames[i]);
    const jobs = some.flatMap((f) =>
        (f.points ?? []).map((name) => fetchPacket('points', { frame: f.frame, name, limit: 2000 })),
    );
    const results = await Promise.allSettled(jobs);
    return results.filter((r) => r.status === 'fulfilled').map((r) => r.value.arrays.P.values);
}

/** Shows a frame in a world. Returns what failed. */
async function fill(frame, signal, world, cache, which) {
    const results = await fetchShown(frame, signal, world, cache, which);
    if (signal.aborted) return [];
    for (const name of world.clouds.keys()) world.setVisible('points', name, panel.wants('points', name) && frame.points.includes(name));
    for (const name of world.meshes.keys()) world.setVisible('meshes', name, panel.wants('meshes', name) && frame.meshes.includes(name));
    const came = new Set();
    for (const r of results)
        if (r.status === 'fulfilled') {
            const name = r.value();
            if (name) came.add(name);
        }
    // What could not be read must not be shown as it was in another frame.
    for (const kind of ['points', 'meshes'])
        for (const name of (kind === 'points' ? world.clouds : world.meshes).keys())
            if (!came.has(`${kind}/${name}`)) world.setVisible(kind, name, false);
    return results.filter((r) => r.status === 'rejected').map((r) => r.reason.message);
}

async function show(index) {
    const frame = frames[index];
    if (!frame) return;
    request?.abort();
    const mine = (request = new AbortController());
    element('number').textContent = `${frame.frame} · ${frame.time?.toFixed(3) ?? '–'} s`;
    if (frame.damaged) {
        world.hideAll(); // what was shown before is of another frame
        beside?.world.hideAll();
        return tell(`frame ${frame.frame}: its record is damaged`);
    }
    panel.offer(frame);
    const other = beside?.at(frame.time);
    if (other && !other.damaged) panel.offer(other);
    const failed = await fill(frame, mine.signal, world, cache, 0);
    if (other && !other.damaged) failed.push(...(await fill(other, mine.signal, beside.world, beside.cache, 1)));
    else beside?.world.hideAll();
    if (mine.signal.aborted) return;
    tell(failed.length ? `frame ${frame.frame}: ${failed.join('; ')}` : '');
    if (!world.framed || (grown && !world.touched)) {
        grown = false;
        world.frameAll(true, await placesOverTime());
    }
    world.draw();
    beside?.world.look(world);
    showLegend();
    if (tab === 'charts') drawCharts(frames, index);
    document.body.dataset.shown = String(frame.frame); // for tests
}

function showLegend() {
    const legend = element('legend');
    const range = [...world.clouds.values()].map((c) => c.range).find(Boolean);
    legend.hidden = !range;
    if (!range) return;
    const scale = document.createElement('canvas');
    drawScale(scale);
    legend.replaceChildren(scale, `${panel.shade()}  ${range[0].toPrecision(3)} … ${range[1].toPrecision(3)}`);
}

function warningText() {
    const count = frames.reduce((sum, frame) => sum + (frame.stats?.warnings?.length ?? 0), 0);
    return count === 0 ? '' : `, ${count} warning${count === 1 ? '' : 's'}: see Log`;
}

async function poll() {
    try {
        cache = await fetchCache();
        const more = await fetchFrames(frames.at(-1)?.frame ?? -1);
        frames.push(...more);
        grown = grown || (more.length > 0 && world.framed);
        if (beside && (await beside.poll()) && player.index >= 0) show(player.index);
        world.own = cache.camera ?? null;
        element('title').textContent = `${cache.name}${cache.method ? ' · ' + cache.method : ''}`;
        document.title = `${cache.name}${beside ? ' | ' + beside.cache.name : ''} · Spume`;
        element('state').textContent = cache.problem
            ? cache.problem
            : !cache.ready
              ? 'waiting for the run to begin'
              : `${frames.length} of ${cache.last - cache.first + 1} frames${cache.complete ? '' : cache.running ? ', running' : ', stopped'}${warningText()}`;
        element('scene-text').textContent = cache.scene ?? '';
        player.fps = cache.fps ?? 24;
        if (cache.solids) panel.offerSolids();
        if (more.length) player.extend(frames.length);
        if (frames.length === 0 && cache.complete) tell('this cache has no frames');
        if (tab === 'log') element('log-text').textContent = await fetchLog();
        if (more.length && tab === 'charts') drawCharts(frames, player.index);
    } catch (error) {
        element('state').textContent = `the viewer has ended (${error.message})`;
    }
    setTimeout(poll, pollMilliseconds);
}

for (const button of document.querySelectorAll('nav button'))
    button.addEventListener('click', async () => {
        tab = button.dataset.tab;
        for (const b of document.querySelectorAll('nav button')) {
            b.classList.toggle('chosen', b === button);
            element(b.dataset.tab).hidden = b !== button;
        }
        if (tab === 'charts') drawCharts(frames, player.index);
        if (tab === 'log') element('log-text').textContent = await fetchLog();
    });

element('view').addEventListener('pointermove', (event) => {
    const text = event.buttons === 0 ? world.pickAt(event.clientX, event.clientY) : null;
    const hover = element('hover');
    hover.hidden = text === null;
    if (text === null) return;
    hover.textContent = text;
    const box = element('view').getBoundingClientRect();
    hover.style.left = `${event.clientX - box.left + 14}px`;
    hover.style.top = `${event.clientY - box.top + 14}px`;
});
element('view').addEventListener('dblclick', () => {
    world.frameAll(true);
    world.draw();
});

Beside.find(document.querySelector('main'), world).then((found) => {
    beside = found;
    poll();
});
