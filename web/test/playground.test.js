// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The playground in a real browser, from a file and from `spume view --playground`. SPUME_PLAYGROUND is the built folder,
// SPUME_PROGRAM the program; without it the served page is left out.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const folder = path.resolve(process.env.SPUME_PLAYGROUND);
const file = `file://${folder}/playground.html`;
let browser;
const complaints = [];

before(async () => {
    browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    });
});
after(() => browser?.close());

async function opened(query, options = {}, address = file) {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options });
    const page = await context.newPage();
    page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.goto(address + query);
    await page.waitForFunction(() => document.body.dataset.ready === 'yes' && document.body.dataset.steps !== '', null, { timeout: 60000 });
    return page;
}
const steps = (page) => page.evaluate(() => Number(document.body.dataset.steps));
const numbers = (page) => page.evaluate(() => ({ ...globalThis.spumePage.page.sims[0].numbers }));
const hash = (page) => page.evaluate(async () => (await globalThis.spumePage.stateOf()).hash);
async function step(page, count) {
    for (let k = 0; k < count; ++k) {
        const from = await steps(page);
        await page.keyboard.press('.');
        await page.waitForFunction((n) => Number(document.body.dataset.steps) > n, from, { timeout: 60000 });
    }
}
/** The part of the view's pixels that are blue, in the palette of two colours. */
const blue = (page) =>
    page.evaluate(() => {
        const canvas = document.querySelector('canvas.water'), copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        let sum = 0;
        for (let i = 0; i < data.length; i += 4) sum += (255 - data[i]) / 255;
        return sum / (data.length / 4);
    });
async function setPalette(page, name) {
    await page.click('#tabs-look');
    await page.selectOption('#palette', name);
}

test('draws, and its pixels hold as much water as the solver', async () => {
    for (const query of ['?paused', '?paused&plain']) {
        const page = await opened(query);
        await setPalette(page, 'flat');
        await page.focus('#stage');
        await step(page, 3);
        const { volume } = await numbers(page), seen = (await blue(page)) * 0.75;
        assert.ok(Math.abs(seen / volume - 1) < 0.02, `${query}: ${seen} of pixels, ${volume} of the solver`);
        await page.context().close();
    }
});

test('pours where the hand is, and takes it back', async () => {
    const page = await opened('?paused&scene=drops');
    await setPalette(page, 'flat');
    const start = await numbers(page), box = await (await page.$('figure')).boundingBox();
    await page.mouse.move(box.x + 0.8 * box.width, box.y + 0.3 * box.height);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForFunction((v) => globalThis.spumePage.page.sims[0].numbers.target > v, start.target);
    const poured = await numbers(page), disc = Math.PI * 0.05 ** 2;
    assert.ok(Math.abs((poured.target - start.target) / disc - 1) < 0.05, `${poured.target - start.target} poured, the brush has ${disc}`);
    const seen = (await blue(page)) * 0.75;
    assert.ok(Math.abs(seen / poured.volume - 1) < 0.02, `${seen} of pixels, ${poured.volume} of the solver`);
    await page.click('#undo');
    await page.waitForFunction((v) => globalThis.spumePage.page.sims[0].numbers.target === v, start.target);
    await page.context().close();
});

test('a link brings the same state back, bit for bit; a damaged one a sentence', async () => {
    const page = await opened('?paused');
    await page.focus('#stage');
    await step(page, 2);
    for (const key of ['ArrowRight', 'ArrowUp', 'Enter', 'Enter', '4', 'Enter', 'Enter']) await page.keyboard.press(key);
    await step(page, 3);
    await page.click('#tabs-play');
    await page.locator('#in-tilt').fill('12');
    await page.focus('#stage');
    await step(page, 2);
    const before = await hash(page);
    await page.click('#share');
    await page.waitForFunction(() => location.hash.startsWith('#s='));
    const link = await page.evaluate(() => location.hash);
    assert.ok(link.length < 4000, `${link.length} characters`);
    const other = await opened(`?paused${link}`);
    await other.waitForFunction(() => document.body.dataset.replayed === 'yes', null, { timeout: 60000 });
    assert.equal(await hash(other), before);
    assert.equal(await other.inputValue('#in-tilt'), '12');
    const broken = await opened(`?paused${link.slice(0, 60)}`);
    assert.match(await broken.textContent('#say'), /damaged/);
    for (const p of [page, other, broken]) await p.context().close();
});

test('the keyboard alone suffices', async () => {
    const page = await opened('?paused&scene=sloshing');
    await page.focus('#stage');
    const start = await numbers(page);
    await page.keyboard.press('Enter'); // pours
    await page.keyboard.press('Enter');
    await page.waitForFunction((v) => globalThis.spumePage.page.sims[0].numbers.target > v, start.target);
    await page.keyboard.press('z');
    await page.waitForFunction((v) => globalThis.spumePage.page.sims[0].numbers.target === v, start.target);
    await page.keyboard.press('6'); // a wall
    await page.keyboard.press('Enter');
    for (let k = 0; k < 6; ++k) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => globalThis.spumePage.page.scene.walls.length === 1);
    await page.keyboard.press('o');
    assert.equal(await page.evaluate(() => globalThis.spumePage.page.look.overlay), 'speed');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => Number(document.body.dataset.steps) > 2, null, { timeout: 60000 });
    await page.keyboard.press(' ');
    await page.waitForTimeout(500);
    const still = await steps(page);
    await page.waitForTimeout(500);
    assert.equal(await steps(page), still);
    await page.keyboard.press('?');
    assert.match(await page.textContent('#say'), /Keys/);
    // Every control can be reached and named.
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input')].filter((e) => !(e.textContent.trim() || e.labels?.[0]?.textContent.trim() || e.ariaLabel)).map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    await page.context().close();
});

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
    await page.click('[data-lesson="1"]');
    await page.waitForFunction(() => globalThis.spumePage.page.sims.length === 2, null, { timeout: 60000 });
    assert.equal(await page.textContent('#say'), '');
    await page.context().close();
});

test('a grid too fine for a browser is refused with the number that is not', async () => {
    const page = await opened('?paused&scene=lava_lamp');
    await page.evaluate(() => {
        const input = document.getElementById('in-divisions');
        input.max = '5000';
        input.value = '4000';
        input.dispatchEvent(new Event('change'));
    });
    assert.match(await page.textContent('#say'), /at most \d+ cells across/);
    await page.context().close();
});

test('reduced motion begins paused; 360 pixels are wide enough; touch pours', async () => {
    const page = await opened('', { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce', hasTouch: true });
    await page.waitForTimeout(500);
    assert.equal(await steps(page), 0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels wide`);
    const start = await numbers(page), box = await (await page.$('figure')).boundingBox();
    assert.ok(box.width > 280);
    await page.touchscreen.tap(box.x + 0.7 * box.width, box.y + 0.3 * box.height);
    await page.waitForFunction((v) => globalThis.spumePage.page.sims[0].numbers.target > v, start.target);
    await page.context().close();
});

test('other words: every key of another language is one of ours', async () => {
    const text = await readFile(new URL('../../apps/playground/page/words.js', import.meta.url), 'utf8');
    const { keysOf } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    const english = new Set(keysOf('en'));
    assert.deepEqual(keysOf('de').filter((k) => !english.has(k)), []);
    const page = await opened('?paused&lang=de');
    assert.equal(await page.textContent('#step'), 'Schritt');
    await page.context().close();
});

test('served by the program, with a policy of its own and shared memory', { skip: !process.env.SPUME_PROGRAM }, async () => {
    const child = spawn(process.env.SPUME_PROGRAM, ['view', '--playground', '--no-browser', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const address = await new Promise((resolve, reject) => {
        child.stdout.on('data', (text) => /http:\S+/.test(String(text)) && resolve(/http:\S+/.exec(String(text))[0]));
        child.on('exit', (code) => reject(new Error(`spume view ended with ${code}`)));
    });
    child.removeAllListeners('exit');
    try {
        const page = await opened('', {}, address);
        assert.equal(await page.evaluate(() => crossOriginIsolated), true);
        await page.waitForFunction(() => Number(document.body.dataset.steps) > 1, null, { timeout: 60000 });
        await page.context().close();
    } finally {
        child.kill('SIGTERM');
    }
});

test('nothing complained', () => assert.deepEqual(complaints, []));
