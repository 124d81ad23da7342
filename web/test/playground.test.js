// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Playing, in a real browser, from a file and from `spume view --playground`. SPUME_PROGRAM is the program; without it
// the served page is left out.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { blue, complaints, file, folder, hash, launch, numbers, opened, setPalette, step, steps } from './playground_page.js';

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

test('what is saved is what it says: picture, film, table, scene file', async () => {
    const page = await opened('?paused&scene=pool', { viewport: { width: 500, height: 420 } });
    await page.focus('#stage');
    await step(page, 3);
    const saved = async (button, more = async () => {}) => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.click(button).then(more)]);
        return { name: download.suggestedFilename(), bytes: await readFile(await download.path()), path: await download.path() };
    };
    const png = await saved('#png'), { width, height } = await page.$eval('canvas.water', (c) => ({ width: c.width, height: c.height }));
    assert.equal(png.name, 'spume_pool.png');
    assert.deepEqual([png.bytes.toString('latin1', 1, 4), png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], ['PNG', width, height]);
    const csv = await saved('#csv'), rows = csv.bytes.toString().trim().split('\n').map((line) => line.split(','));
    const time = rows.slice(1).map((r) => Number(r[rows[0].indexOf('time')])), volume = rows.slice(1).map((r) => Number(r[rows[0].indexOf('volume')]));
    assert.equal(time.length, 4);
    assert.ok(time.every((t, i) => i === 0 || t > time[i - 1]) && volume.every((v) => v > 0.1), csv.bytes.toString());
    const toml = await saved('#toml');
    if (process.env.SPUME_PROGRAM) assert.equal(spawnSync(process.env.SPUME_PROGRAM, ['check', toml.path]).status, 0);
    assert.match(toml.bytes.toString(), /method = "cip"[^]*motion = "dynamic"/);
    await page.click('#film');
    await page.evaluate(() => globalThis.spumePage.send('step', { count: 2 }));
    await page.waitForTimeout(1500);
    const film = await saved('#film'); // stops it
    assert.equal(film.name, 'spume_pool.webm');
    assert.equal(film.bytes.readUInt32BE(0), 0x1a45dfa3); // EBML
    assert.ok(film.bytes.length > 2000, `${film.bytes.length} bytes`);
    await page.context().close();
});

test('another resolution is undone exactly, as all else', async () => {
    const page = await opened('?paused&scene=drops');
    await page.focus('#stage');
    await step(page, 2);
    const before = await hash(page);
    await page.locator('#in-divisions').fill('64');
    await page.waitForFunction(() => globalThis.spumePage.page.sims[0].nx === 64);
    await page.focus('#stage');
    await step(page, 1);
    await page.click('#undo');
    await page.waitForFunction(() => globalThis.spumePage.page.sims[0].nx === 96);
    assert.equal(await hash(page), before);
    assert.equal(await page.inputValue('#in-divisions'), '96');
    assert.equal(await page.isDisabled('#undo'), true);
    await page.context().close();
});

test('gravity follows a device that is tilted, until it is told not to', async () => {
    const page = await opened('?paused', { hasTouch: true, isMobile: true, viewport: { width: 400, height: 740 } });
    const tilt = (gamma) => page.evaluate((g) => dispatchEvent(new DeviceOrientationEvent('deviceorientation', { alpha: 0, beta: 0, gamma: g })), gamma);
    await page.click('#tilt-device');
    await page.waitForSelector('#tilt-device[aria-pressed="true"]');
    await tilt(20);
    const [x, y] = await page.evaluate(() => globalThis.spumePage.page.scene.gravity);
    assert.ok(Math.abs(Math.atan2(x, -y) - (20 * Math.PI) / 180) < 1e-6 && Math.abs(Math.hypot(x, y) - 9.81) < 1e-4, `${x}, ${y}`);
    await page.waitForFunction(() => document.getElementById('in-tilt').value === '20');
    await page.click('#tilt-device');
    await page.waitForSelector('#tilt-device[aria-pressed="false"]');
    await page.waitForTimeout(150);
    await tilt(-30);
    assert.equal(await page.inputValue('#in-tilt'), '20');
    await page.click('#undo'); // the whole tilting is one thing
    await page.waitForFunction(() => document.getElementById('in-tilt').value === '0');
    await page.context().close();
});

test('a frozen page rests, loses nothing and goes on', async () => {
    const page = await opened('?scene=sloshing', { viewport: { width: 420, height: 420 } });
    await page.waitForFunction(() => Number(document.body.dataset.steps) > 2, null, { timeout: 60000 });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    const { time, steps: before } = await numbers(page);
    await page.waitForFunction((n) => Number(document.body.dataset.steps) >= n + 3, before, { timeout: 60000 });
    const now = await numbers(page);
    assert.ok(now.time - time < 0.02 * (now.steps - before) + 1e-6, `${now.time - time} s in ${now.steps - before} steps`); // no leap over the pause
    await page.context().close();
});

test('where processors have no vectors a sentence says what is needed', async () => {
    const bare = await launch(['--js-flags=--no-enable-sse4-1 --no-enable-ssse3 --no-enable-avx']);
    try {
        const page = await (await bare.newContext()).newPage();
        await page.goto(`${file}?paused`);
        await page.waitForFunction(() => document.getElementById('say').textContent !== '');
        assert.match(await page.textContent('#say'), /cannot run the solver.*SIMD/);
    } finally {
        await bare.close();
    }
});

test('nothing complained', () => assert.deepEqual(complaints, []));
