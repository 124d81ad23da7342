// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The playground in a real browser, from a file and from `spume view --playground`. SPUME_PLAYGROUND is the built folder,
// SPUME_PROGRAM the program; without it the served page is left out.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
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
    await page.click('[data-lesson="schemes"]');
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

test('other words: every key of one language is one of the other', async () => {
    const page = await opened('?paused&lang=de');
    const [german, english] = await page.evaluate(() => ['de', 'en'].map((l) => globalThis.spumePage.keysOf(l).sort()));
    assert.deepEqual(german, english);
    assert.equal(await page.textContent('#step'), 'Schritt');
    await page.context().close();
});

test('a body falls, floats, is drawn and is taken away again', async () => {
    const page = await opened('?paused&scene=drops');
    await page.focus('#stage');
    await page.keyboard.press('0');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => globalThis.spumePage.page.sims[0].bodies.length === 1);
    const place = () => page.evaluate(() => [...globalThis.spumePage.page.sims[0].bodies[0]]);
    const start = await place();
    await step(page, 4);
    const { time } = await numbers(page), now = await place();
    assert.ok(Math.abs(start[1] - now[1] - (9.81 / 2) * time ** 2) < 0.01, `${start[1] - now[1]} m in ${time} s`);
    const brown = await page.evaluate(() => {
        const canvas = document.querySelectorAll('figure canvas')[1], [x, y] = globalThis.spumePage.page.sims[0].bodies[0];
        const size = canvas.width / globalThis.spumePage.page.scene.upper[0];
        return [...canvas.getContext('2d').getImageData(Math.round(x * size), Math.round(canvas.height - y * size) + 6, 1, 1).data];
    });
    assert.ok(brown[0] > brown[2] + 30 && brown[3] === 255, String(brown));
    await page.keyboard.press('7');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => globalThis.spumePage.page.sims[0].bodies.length === 0);
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
    const page = await opened('?paused&scene=sloshing');
    await page.focus('#stage');
    await page.selectOption('#speed', '2');
    await page.focus('#stage');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => globalThis.spumePage.page.sims[0].numbers.time > 2.2, null, { timeout: 200000 });
    await page.keyboard.press(' ');
    const [, period, measured] = (await page.evaluate(() => globalThis.spumePage.theory()))[0];
    assert.ok(Math.abs(measured / period - 1) < 0.05, `period ${measured}, by theory ${period}`);
    await page.evaluate(() => {
        const scene = globalThis.spumePage.sceneOf('drops');
        globalThis.spumePage.reopen({ ...scene, liquids: scene.liquids.slice(0, 1) });
    });
    await page.waitForFunction(() => document.body.dataset.steps === '0');
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

test('a foreign link ends in a sentence, and the page goes on', async () => {
    const page = await opened('?paused');
    const links = await page.evaluate(async () => {
        const { sceneOf, textOf, packed } = globalThis.spumePage, scene = sceneOf('drops'), huge = textOf(scene).replace(/divisions = .*/, 'divisions = 60000');
        const good = { version: 1, scene, first: [textOf(scene)], dt: 1 / 60, log: [], steps: 1 };
        return Promise.all([{ ...good, first: [huge] }, { ...good, first: [{}] }, { ...good, scene: { ...scene, liquids: 7 } }, { ...good, log: [[0, 'burn', 1]] }, { ...good, log: [[0, 'change', [huge], 1 / 60]] }, { ...good, scene: { ...scene, divisions: 1e9 } }, good].map(packed));
    });
    const right = links.pop();
    for (const link of links) {
        await page.evaluate((l) => (document.getElementById('say').textContent = ''), link);
        await page.evaluate((l) => (location.hash = `#s=${l}`), link);
        await page.waitForFunction(() => /damaged/.test(document.getElementById('say').textContent), null, { timeout: 60000 });
        await page.focus('#stage');
        await step(page, 1);
    }
    await page.evaluate((l) => (location.hash = `#s=${l}`), right);
    await page.waitForFunction(() => document.body.dataset.replayed === 'yes');
    await page.context().close();
});

test('two fingers pour at once', async () => {
    const page = await opened('?paused&scene=drops', { hasTouch: true });
    const start = await numbers(page), box = await (await page.$('figure')).boundingBox();
    const session = await page.context().newCDPSession(page);
    const touch = (type, parts) => session.send('Input.dispatchTouchEvent', { type, touchPoints: parts.map((part, id) => ({ x: box.x + part * box.width, y: box.y + 0.15 * box.height, id })) });
    await touch('touchStart', [0.15, 0.85]);
    const disc = Math.PI * 0.05 ** 2;
    await page.waitForFunction((v) => globalThis.spumePage.page.sims[0].numbers.target > v, start.target + 1.5 * disc, { timeout: 60000 });
    const poured = (await numbers(page)).target - start.target;
    assert.ok(Math.abs(poured / disc - 2) < 0.1, `${poured} poured by two brushes of ${disc}`);
    await touch('touchEnd', []);
    await page.context().close();
});

test('a picture soon, in little memory; without WebGL the page draws on', async (t) => {
    const page = await opened('?paused&scene=dam_break');
    t.diagnostic(`first picture after ${await page.evaluate(() => document.body.dataset.first)} ms`);
    await page.evaluate(() => globalThis.spumePage.reopen({ ...globalThis.spumePage.sceneOf('dam_break'), divisions: 256 }));
    await page.waitForFunction(() => globalThis.spumePage.page.sims[0].nx === 256);
    await page.focus('#stage');
    await step(page, 2);
    for (let k = 0; k < 8; ++k) for (const key of ['Enter', 'Enter']) await page.keyboard.press(key); // eight to undo
    await step(page, 2);
    const { bytes } = await page.evaluate(() => globalThis.spumePage.stateOf());
    t.diagnostic(`${(bytes / 2 ** 20).toFixed(0)} MB at 256×192`);
    assert.ok(bytes <= 64 * 2 ** 20, `${bytes / 2 ** 20} MB`);
    await setPalette(page, 'flat');
    await page.evaluate(() => document.querySelector('canvas.water').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
    await page.waitForFunction(() => globalThis.spumePage.page.plain);
    assert.match(await page.textContent('#say'), /No WebGL2/);
    const { volume } = await numbers(page), seen = (await blue(page)) * 0.75;
    assert.ok(Math.abs(seen / volume - 1) < 0.02, `${seen} of pixels, ${volume} of the solver`);
    await page.setViewportSize({ width: 700, height: 500 });
    await page.waitForFunction(() => document.querySelector('figure').getBoundingClientRect().right <= 700);
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

test('served plainly, a worker of the page shares memory from the second visit on; threads change no bit', async () => {
    const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
    const server = createServer(async (request, response) => {
        const name = path.basename(new URL(request.url, 'http://x').pathname) || 'index.html';
        const body = await readFile(path.join(folder, name)).catch(() => null);
        response.writeHead(body ? 200 : name === 'favicon.ico' ? 204 : 404, { 'Content-Type': types[path.extname(name)] ?? 'text/plain' });
        response.end(body);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
        const page = await opened('?paused', {}, `http://127.0.0.1:${server.address().port}/`);
        const run = async () => {
            await page.focus('#stage');
            await step(page, 4);
            return page.evaluate(() => globalThis.spumePage.stateOf());
        };
        const alone = await run();
        assert.equal(alone.threads, 1);
        await page.evaluate(() => navigator.serviceWorker.ready);
        await page.reload();
        await page.waitForFunction(() => document.body.dataset.ready === 'yes' && document.body.dataset.steps !== '', null, { timeout: 60000 });
        assert.equal(await page.evaluate(() => crossOriginIsolated), true);
        const together = await run();
        assert.equal(together.threads, await page.evaluate(() => Math.min(4, navigator.hardwareConcurrency)));
        assert.equal(together.hash, alone.hash);
        await page.context().close();
    } finally {
        server.closeAllConnections();
        server.close();
    }
});

test('nothing complained', () => assert.deepEqual(complaints, []));
