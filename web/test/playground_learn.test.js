// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Learning, in a real browser, from a file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { complaints, numbers, opened, step } from './playground_page.js';

test('a step taken apart shows the stages, and the projection removes divergence', async () => {
    const page = await opened('?paused');
    await page.focus('#stage');
    await page.click('#tabs-stages');
    await page.click('#stages-go');
    await page.waitForSelector('[data-part="6"]', { timeout: 60000 });
    const parts = await page.$$eval('[data-part]', (all) => all.map((e) => Number(e.dataset.part)));
    assert.deepEqual([...parts].sort((a, b) => a - b), parts);
    for (const part of [0, 3, 5, 6]) assert.ok(parts.includes(part), `stage ${part} in ${parts}`);
    await page.context().close();
});

test('switches of the stages are undone, kept by reset and by links, and a link that leads elsewhere says so', async () => {
    const page = await opened('?paused');
    await page.focus('#stage');
    await step(page, 1);
    for (const key of ['Enter', 'Enter']) await page.keyboard.press(key); // something to undo
    await page.click('#tabs-stages');
    await page.uncheck('#stage-6');
    await page.click('#undo');
    await page.waitForFunction(() => document.getElementById('stage-6').checked);
    await page.uncheck('#stage-5');
    await page.click('#reset');
    await page.waitForFunction(() => Number(document.body.dataset.steps) === 0);
    assert.equal(await page.isChecked('#stage-5'), false);
    await page.focus('#stage');
    await step(page, 2);
    assert.ok((await numbers(page)).speed < 1e-9); // without forces nothing moves
    const { log } = await page.evaluate(() => globalThis.spumePage.stateOf());
    assert.deepEqual(log, [[0, 'off', [5]]]);
    const link = (hash) => page.evaluate(async (hash) => {
        const { page, textOf, packed, stateOf } = globalThis.spumePage, state = await stateOf();
        return `#s=${await packed({ version: 1, scene: page.scene, first: [textOf(page.scene)], dt: 1 / 60, log: state.log, steps: state.steps, hash: hash ?? state.hash })}`;
    }, hash);
    for (const [hash, said] of [[null, /^$/], ['0'.repeat(16), /not quite/]]) {
        const other = await opened(`?paused${await link(hash)}`);
        await other.waitForFunction(() => document.body.dataset.replayed === 'yes', null, { timeout: 60000 });
        assert.match(await other.textContent('#say'), said);
        assert.equal(await other.isChecked('#stage-5'), false);
        await other.context().close();
    }
    await page.context().close();
});

test('two schemes side by side, from one input', async () => {
    const page = await opened('?paused');
    await page.click('#tabs-compare');
    await page.check('#compare-on');
    await page.waitForFunction(() => globalThis.spumePage.page.sims.length === 2);
    await page.focus('#stage');
    await step(page, 12);
    const energies = await page.evaluate(() => globalThis.spumePage.page.sims.map((s) => s.numbers));
    assert.ok(Math.abs(energies[0].time - energies[1].time) < 1e-6);
    assert.notEqual(energies[0].kinetic, energies[1].kinetic);
    const difference = await page.$eval('[data-name="energy_difference"]', (c) => (c.hidden ? NaN : Number(c.dataset.last)));
    const [left, right] = energies.map((s) => s.kinetic + s.potential);
    assert.ok(Math.abs(difference - (right - left)) < 1e-9 * left, `${difference} is drawn, ${right - left} it is`);
    assert.equal(await page.locator('figure').count(), 2);
    await page.context().close();
});

test('the 1D lab: linear flattens, CIP keeps, the limiter does not overshoot', async () => {
    const page = await opened('?paused');
    await page.click('#tabs-lab');
    const result = {};
    for (const [name, value] of [['linear', '0'], ['cip', '1'], ['monotone', '2']]) {
        await page.selectOption('#lab-scheme', value);
        await page.selectOption('#lab-steps', '100');
        await page.click('#lab-run');
        await page.waitForFunction(() => document.getElementById('lab-canvas').dataset.error > 0);
        await page.waitForTimeout(100);
        result[name] = await page.$eval('#lab-canvas', (c) => ({ error: Number(c.dataset.error), most: Number(c.dataset.most) }));
    }
    assert.ok(result.linear.error > 3 * result.cip.error, JSON.stringify(result));
    assert.ok(result.cip.most > 1.01 && result.monotone.most <= 1 + 1e-6, JSON.stringify(result));
    await page.context().close();
});

test('every scene opens and steps; every lesson sets up', async () => {
    const page = await opened('?paused');
    const names = await page.$$eval('#scene option', (all) => all.map((o) => o.value));
    assert.ok(names.length >= 7);
    for (const name of names) {
        await page.selectOption('#scene', name);
        await page.waitForFunction((n) => globalThis.spumePage.page.scene.name === n && Number(document.body.dataset.steps) === 0, name);
        await page.focus('#stage');
        await step(page, 1);
        const { volume, target, speed } = await numbers(page);
        assert.ok(Math.abs(volume / target - 1) < 1e-3 && speed > 0 && speed < 20, `${name}: ${volume} of ${target}, ${speed} m/s`);
    }
    await page.click('#tabs-lessons');
    assert.ok((await page.locator('[data-lesson]').count()) >= 5);
    await page.click('[data-lesson="schemes"]');
    await page.waitForFunction(() => globalThis.spumePage.page.sims.length === 2, null, { timeout: 60000 });
    assert.equal(await page.textContent('#say'), '');
    await page.context().close();
});

test('the stopwatch runs on simulated time, and keeps the focus', async () => {
    const page = await opened('?paused&scene=drops');
    await page.focus('#stopwatch');
    await page.keyboard.press('Enter');
    for (let k = 0; k < 2; ++k) await page.evaluate(() => globalThis.spumePage.send('step', { count: 2 }));
    await page.waitForFunction(() => Number(document.body.dataset.steps) === 4);
    await page.keyboard.press('Enter');
    const { time } = await numbers(page);
    assert.equal(await page.textContent('#stopwatch'), `▶ ${time.toFixed(3)} s`);
    await page.context().close();
});

test('other words: every key of one language is one of the other', async () => {
    const page = await opened('?paused&lang=de');
    const [german, english] = await page.evaluate(() => ['de', 'en'].map((l) => globalThis.spumePage.keysOf(l).sort()));
    assert.deepEqual(german, english);
    assert.equal(await page.textContent('#step'), 'Schritt');
    await page.context().close();
});

test('each cycle of the pressure solver is drawn, and leaves less', async () => {
    const page = await opened('?paused');
    await page.click('#tabs-stages');
    await page.click('#stages-go');
    await page.waitForSelector('#cycle-card', { timeout: 60000 });
    const heights = await page.$$eval('#cycle-card circle', (all) => all.map((c) => Number(c.getAttribute('cy'))));
    assert.ok(heights.length >= 3, `${heights.length} cycles`);
    for (let k = 1; k < heights.length; ++k) assert.ok(heights[k] > heights[k - 1], String(heights));
    // The line that is quoted is in the source.
    const quoted = await page.$$eval('[data-part] code', (all) => all.map((c) => [c.title, c.textContent]));
    for (const [file, text] of quoted) {
        const [, line, code] = /^\S+:(\d+)  (.*)$/.exec(text), source = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
        assert.equal(source.split('\n')[Number(line) - 1].trim(), code);
    }
    await page.context().close();
});

test('theory beside measurement: sloshing, and water at rest', async () => {
    const page = await opened('?paused&scene=sloshing', { viewport: { width: 420, height: 420 } }); // small: drawn in software
    for (let k = 1; k <= 34; ++k) {
        await page.evaluate(() => globalThis.spumePage.send('step', { count: 4 }));
        await page.waitForFunction((n) => Number(document.body.dataset.steps) >= n, 4 * k, { timeout: 60000 });
    }
    const [, period, measured] = (await page.evaluate(() => globalThis.spumePage.theory()))[0];
    assert.ok(Math.abs(measured / period - 1) < 0.05, `period ${measured}, by theory ${period}`);
    await page.evaluate(() => {
        const scene = globalThis.spumePage.sceneOf('drops');
        globalThis.spumePage.reopen({ ...scene, liquids: scene.liquids.slice(0, 1) });
    });
    await page.waitForFunction(() => document.body.dataset.steps === '0');
    await page.focus('#stage');
    await step(page, 3);
    const [, weight, pressure] = (await page.evaluate(() => globalThis.spumePage.theory()))[0];
    assert.ok(Math.abs(pressure / weight - 1) < 0.01, `${pressure} Pa, by theory ${weight}`);
    assert.match(await page.textContent('#numbers'), /theory.*measured/);
    await page.context().close();
});

test('a lesson is a link, and a frame', async () => {
    const page = await opened('?paused&lesson=schemes');
    await page.waitForFunction(() => globalThis.spumePage.page.sims.length === 2);
    assert.match(await page.textContent('#about'), /What does a scheme lose/);
    assert.deepEqual(await page.evaluate(() => ['on', 'left', 'right'].map((k) => document.getElementById(`compare-${k}`)).map((e) => (e.type === 'checkbox' ? e.checked : e.value))), [true, 'cip', 'linear']);
    const links = await page.$$eval('#tab-lessons a', (all) => all.map((a) => a.href));
    assert.ok(links.length >= 8 && links.every((l) => /lesson=\w+/.test(l)), String(links));
    await page.context().close();
    const frame = await opened('?paused&embed=1&lesson=heavy&lang=de', { viewport: { width: 640, height: 480 } });
    assert.equal(await frame.isVisible('#panel'), false);
    assert.equal(await frame.isVisible('#about'), true);
    assert.match(await frame.textContent('#about'), /Schwer über leicht/);
    await frame.context().close();
});

test('the 1D lab by keyboard', async () => {
    const page = await opened('?paused');
    await page.click('#tabs-lab');
    await page.selectOption('#lab-shape', 'two');
    await page.focus('#lab-canvas');
    const before = await page.$eval('#lab-canvas', (c) => c.dataset.most);
    for (const key of ['ArrowRight', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    await page.waitForFunction((b) => Math.abs(document.getElementById('lab-canvas').dataset.most - b - 0.1) < 1e-6, Number(before));
    await page.context().close();
});

test('nothing complained', () => assert.deepEqual(complaints, []));
