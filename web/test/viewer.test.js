// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The page in a real browser. SPUME_PROGRAM is the program, SPUME_CACHE a finished cache of the scene SPUME_SCENE, which has solids, SPUME_OTHER_CACHES
// caches of other methods, with colons in between.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, readdir, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const program = process.env.SPUME_PROGRAM;
const source = process.env.SPUME_CACHE;
let work, browser, page, viewer;
const outside = [];
const complaints = [];

function startViewer(directory, port = '0') {
    const child = spawn(program, ['view', ...[directory].flat(), '--no-browser', '--port', port], { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve, reject) => {
        child.stdout.on('data', (text) => {
            const address = /http:\S+/.exec(String(text))?.[0];
            if (address) resolve({ child, address, origin: new URL(address).origin });
        });
        child.on('exit', (code) => reject(new Error(`spume view ended with ${code}`)));
    });
}

const shown = () => page.evaluate(() => Number(document.body.dataset.shown));
const waitFor = (frame) => page.waitForFunction((f) => document.body.dataset.shown === String(f), frame, { timeout: 60000 });
/** Places in the window of the view's pixels that are not the ground. */
const painted = () =>
    page.evaluate(() => {
        const canvas = document.querySelector('#view canvas');
        const copy = document.createElement('canvas');
        copy.width = canvas.width;
        copy.height = canvas.height;
        const context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        const box = canvas.getBoundingClientRect();
        const places = [];
        for (let i = 0; i < data.length; i += 4)
            if (data[i] + data[i + 1] + data[i + 2] > 150)
                places.push([
                    box.left + (((i / 4) % copy.width) * box.width) / copy.width,
                    box.top + (Math.floor(i / 4 / copy.width) * box.height) / copy.height,
                ]);
        return places;
    });
const stop = (other) => {
    other.child.removeAllListeners('exit');
    other.child.kill('SIGTERM');
};

before(async () => {
    work = await mkdtemp(path.join(tmpdir(), 'spume-view-'));
    await cp(source, path.join(work, 'cache'), { recursive: true });
    viewer = await startViewer(path.join(work, 'cache'));
    browser = await chromium.launchPersistentContext(path.join(work, 'profile'), {
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
        viewport: { width: 1100, height: 700 },
    });
    page = await browser.newPage();
    page.on('request', (r) => new URL(r.url()).origin !== viewer.origin && !r.url().startsWith('blob:') && outside.push(r.url()));
    page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.goto(viewer.address);
    await page.waitForURL(`${viewer.origin}/`); // the page that took the token sends it on
});

after(async () => {
    await browser?.close();
    if (viewer) stop(viewer);
    await rm(work, { recursive: true, force: true });
});

test('the token leaves the address, frames appear', async () => {
    assert.equal(page.url(), viewer.origin + '/');
    await page.waitForFunction(() => document.body.dataset.shown, null, { timeout: 60000 });
    assert.ok((await painted()).length > 20, 'bubbles are drawn');
});

test('keys step, jump and play', async () => {
    const frames = await page.evaluate(async () => (await (await fetch('/api/cache')).json()).frames);
    await page.keyboard.press('End');
    await waitFor(frames.at(-1));
    await page.keyboard.press('ArrowLeft');
    await waitFor(frames.at(-2));
    await page.keyboard.press('Home');
    await waitFor(frames[0]);
    await page.keyboard.press('Space');
    await page.waitForFunction((f) => Number(document.body.dataset.shown) > f, frames[0], { timeout: 60000 });
    await page.keyboard.press('Space');
});

test('scrubbing, colours, tiles and a slice', async () => {
    await page.locator('#scrub').fill('1');
    await page.waitForFunction(() => document.querySelector('#scrub').value === '1');
    await page.getByLabel('colour by').selectOption('speed');
    await page.waitForFunction(() => !document.querySelector('#legend').hidden);
    await page.getByLabel('tiles').check();
    const slices = await page.getByLabel('slice of').locator('option').allTextContents();
    if (slices.length > 1) await page.getByLabel('slice of').selectOption(slices[1]);
    await page.waitForTimeout(500);
    assert.equal(await page.locator('#message').textContent(), '');
    if (process.env.SPUME_SHOTS) await page.screenshot({ path: path.join(process.env.SPUME_SHOTS, 'viewer.png') });
    await page.getByLabel('slice of').selectOption('none');
    await page.getByLabel('tiles').uncheck();
});

test('solids of the scene are drawn and can be hidden', async () => {
    await page.keyboard.press('End');
    const brightness = async () => {
        await page.waitForTimeout(500);
        return page.evaluate(() => {
            const canvas = document.querySelector('#view canvas');
            const copy = document.createElement('canvas');
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const context = copy.getContext('2d');
            context.drawImage(canvas, 0, 0);
            return context.getImageData(0, 0, copy.width, copy.height).data.reduce((a, b) => a + b, 0);
        });
    };
    const shownBrightness = await brightness();
    if (process.env.SPUME_SHOTS) await page.screenshot({ path: path.join(process.env.SPUME_SHOTS, 'viewer_solids.png') });
    await page.getByLabel('solids').uncheck();
    const hiddenBrightness = await brightness();
    assert.ok(shownBrightness > 1.01 * hiddenBrightness, `${shownBrightness} against ${hiddenBrightness}`);
    await page.getByLabel('solids').check();
    assert.equal(await brightness(), shownBrightness);
});

test('bubbles cover the pixels that perspective gives them', async () => {
    await page.getByLabel('colour by').selectOption('plain');
    for (const other of ['solids', 'bubbles (mesh)']) await page.getByLabel(other).uncheck();
    await page.waitForTimeout(1000);
    const found = await page.evaluate(async () => {
        const canvas = document.querySelector('#view canvas');
        const [w, h] = [canvas.width, canvas.height];
        const copy = Object.assign(document.createElement('canvas'), { width: w, height: h });
        const context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, w, h);
        const answer = await (await fetch(`/api/points?frame=${document.body.dataset.shown}&name=bubbles`)).arrayBuffer();
        const length = new DataView(answer).getUint32(4, true);
        const header = JSON.parse(new TextDecoder().decode(new Uint8Array(answer, 8, length)));
        const arrays = {};
        let at = 8 + length;
        for (const a of header.arrays) {
            arrays[a.name] = new Float32Array(answer, at, a.bytes / 4);
            at += a.bytes;
        }
        const m = document.querySelector('#view').dataset.toScreen.split(' ').map(Number);
        const expected = new Uint8Array(w * h);
        const focal = h / 2 / Math.tan((45 * Math.PI) / 360);
        for (let i = 0; i < header.count; ++i) {
            const p = [0, 1, 2].map((k) => arrays.P[3 * i + k]);
            const [x, y, , depth] = [0, 1, 2, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
            const [u, v] = [((x / depth + 1) * w) / 2, ((1 - y / depth) * h) / 2];
            const reach = Math.max((focal * arrays.pscale[i]) / depth, 0.75);
            for (let b = Math.max(0, Math.floor(v - reach)); b <= Math.min(h - 1, v + reach); ++b)
                for (let a = Math.max(0, Math.floor(u - reach)); a <= Math.min(w - 1, u + reach); ++a)
                    if ((a + 0.5 - u) ** 2 + (b + 0.5 - v) ** 2 <= reach * reach) expected[b * w + a] = 1;
        }
        const count = { both: 0, drawn: 0, expected: 0 };
        for (let i = 0; i < w * h; ++i) {
            const drawn = data[4 * i] + data[4 * i + 1] + data[4 * i + 2] > 100; // the ground has 56
            count.both += drawn && expected[i];
            count.drawn += drawn;
            count.expected += expected[i];
        }
        return count;
    });
    assert.ok(found.expected > 1000, JSON.stringify(found));
    assert.ok(found.both > 0.97 * found.expected && found.both > 0.97 * found.drawn, JSON.stringify(found));
    for (const other of ['solids', 'bubbles (mesh)']) await page.getByLabel(other).check();
});

test('a bubble under the pointer tells its id and radius', async () => {
    await page.keyboard.press('End');
    await page.waitForTimeout(1000);
    const places = await painted();
    let found = '';
    for (let k = 0; k < places.length && !found; k += Math.ceil(places.length / 50)) {
        await page.mouse.move(...places[k]);
        found = await page.evaluate(() => {
            const hover = document.querySelector('#hover');
            return hover.hidden ? '' : hover.textContent;
        });
    }
    assert.match(found, /id \d+\nradius .* mm/);
});

test('charts, scene and log', async () => {
    await page.getByRole('button', { name: 'Charts' }).click();
    assert.match(await page.locator('.chart').first().textContent(), /bubbles: \d/);
    await page.getByRole('button', { name: 'Scene' }).click();
    assert.match(await page.locator('#scene-text').textContent(), /method = "/);
    await page.getByRole('button', { name: 'Log' }).click();
    await page.waitForFunction(() => document.querySelector('#log-text').textContent.length > 0);
    await page.getByRole('button', { name: 'Show' }).click();
});

test('a window of the size of a telephone', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await page.waitForTimeout(300);
    const view = await page.locator('#view').boundingBox();
    assert.ok(view.width > 300 && view.height > 200, JSON.stringify(view));
    assert.ok(await page.locator('#play').isVisible());
    if (process.env.SPUME_SHOTS) await page.screenshot({ path: path.join(process.env.SPUME_SHOTS, 'viewer_phone.png') });
    await page.setViewportSize({ width: 1100, height: 700 });
});

test('a run that goes on is followed', async () => {
    const { frames } = await page.evaluate(async () => (await fetch('/api/cache')).json());
    const live = path.join(work, 'live');
    await cp(source, live, { recursive: true });
    const records = path.join(live, 'frames');
    const name = (f) => path.join(records, `${String(f).padStart(4, '0')}.json`);
    const last = frames.at(-1);
    const kept = await readFile(name(last));
    await rm(name(last));
    const second = await startViewer(live);
    await page.goto(second.address);
    await page.waitForFunction(() => document.body.dataset.shown, null, { timeout: 60000 });
    await page.keyboard.press('End');
    await waitFor(frames.at(-2));
    // As a run does it: whole or not there.
    await writeFile(path.join(live, 'record.new'), kept);
    await rename(path.join(live, 'record.new'), name(last));
    await waitFor(last);
    await page.goto(viewer.address);
    stop(second);
});

test('two caches side by side, at equal times, by the same eye', async () => {
    const second = await startViewer([path.join(work, 'cache'), source]);
    await page.goto(second.address);
    await page.waitForFunction(() => document.body?.dataset.shown, null, { timeout: 60000 });
    await page.keyboard.press('End');
    const last = await page.waitForFunction(() => /frame (\d+)/.exec(document.querySelector('#label-beside').textContent)?.[1] === document.body.dataset.shown);
    assert.ok(await last.jsonValue());
    const eyes = () => page.evaluate(() => ['#view', '#view-beside'].map((v) => document.querySelector(v).dataset.toScreen.split(' ').map(Number)));
    const [before] = await eyes();
    await page.mouse.move(150, 300);
    await page.mouse.down();
    await page.mouse.move(220, 330, { steps: 4 });
    await page.mouse.up();
    const [a, b] = await eyes();
    assert.ok(Math.max(...a.map((x, i) => Math.abs(x - before[i]))) > 0.01, 'turned');
    assert.ok(Math.max(...a.map((x, i) => Math.abs(x - b[i]))) < 0.02, 'both'); // they may differ by a pixel in width
    await page.goto(viewer.address);
    stop(second);
});

test('a damaged file is named, the rest is shown', async () => {
    const broken = path.join(work, 'broken');
    await cp(source, broken, { recursive: true });
    const record = JSON.parse(await readFile(path.join(broken, 'frames', '0001.json'), 'utf8'));
    for (const file of record.files.filter((f) => f.path.startsWith('points/'))) {
        const bytes = await readFile(path.join(broken, file.path));
        bytes[bytes.length >> 1] ^= 1;
        await writeFile(path.join(broken, file.path), bytes);
    }
    const second = await startViewer(broken);
    await page.goto(second.address);
    await page.waitForFunction(() => document.querySelector('#message').textContent.includes('404'), null, { timeout: 60000 });
    await page.keyboard.press('ArrowRight');
    await waitFor(2);
    await page.goto(viewer.address);
    stop(second);
    complaints.length = 0; // the browser logs the 404
});

test('caches of the other methods open', async () => {
    for (const directory of (process.env.SPUME_OTHER_CACHES ?? '').split(':').filter(Boolean)) {
        const second = await startViewer(directory);
        await page.goto(second.address);
        await page.waitForFunction(() => document.body.dataset.shown, null, { timeout: 60000 });
        await page.keyboard.press('End');
        await page.waitForTimeout(500);
        assert.ok((await painted()).length > 20, directory);
        assert.equal(await page.locator('#message').textContent(), '');
        if (process.env.SPUME_SHOTS) await page.screenshot({ path: path.join(process.env.SPUME_SHOTS, `${path.basename(directory)}.png`) });
        await page.goto(viewer.address);
        stop(second);
    }
});

test('a million bubbles', { skip: !process.env.SPUME_MILLION }, async () => {
    const second = await startViewer(process.env.SPUME_MILLION);
    const begin = Date.now();
    await page.goto(second.address);
    await page.waitForFunction(() => document.body.dataset.shown, null, { timeout: 120000 });
    console.log(`a million bubbles shown after ${(Date.now() - begin) / 1000} s`);
    assert.ok((await painted()).length > 50000);
    const counted = (limit) =>
        page.evaluate(async (most) => {
            const answer = await (await fetch(`/api/points?frame=1&name=bubbles&limit=${most}`)).arrayBuffer();
            const header = new TextDecoder().decode(new Uint8Array(answer, 8, new DataView(answer).getUint32(4, true)));
            return JSON.parse(header).count;
        }, limit);
    assert.equal(await counted(1000000), 1000000);
    const some = await counted(10000); // by the bits of ids: near what was asked for, never above by more than chance
    assert.ok(some > 9500 && some < 10400, String(some));
    if (process.env.SPUME_SHOTS) await page.screenshot({ path: path.join(process.env.SPUME_SHOTS, 'million.png') });
    await page.goto(viewer.address);
    stop(second);
});

test('words of a scene are text, never markup', async () => {
    const evil = [
        '<img src=x onerror=window.hit=1>', '<script>window.hit=1</script>', '"><svg onload=window.hit=1>', "javascript:window.hit=1",
        '</pre><iframe srcdoc="<script>parent.hit=1</script>">', '{{constructor.constructor("window.hit=1")()}}', '&lt;script&gt;window.hit=1&lt;/script&gt;',
    ];
    const text = (i) => JSON.stringify(evil[i % evil.length]);
    const scene = path.join(work, 'evil.toml');
    await writeFile(
        scene,
        `version = 1\ntitle = ${text(1)}\n[time]\nframes = 1\n[domain]\ndimensions = 2\ndivisions = 16\n[output]\npreview = "none"\n` +
            evil.map((_, i) => `[[emitter]]\nname = ${text(i)}\nrate = 0.01\nradius = 0.01\nshape = { kind = "sphere", center = [0, 0.3, 0], radius = 0.1 }\n`).join('') +
            evil.map((_, i) => `[[solid]]\nname = ${text(i)}\nshape = { kind = "box", center = [0, 0.8, 0], size = [0.1, 0.1, 0.1] }\n`).join(''),
    );
    const directory = path.join(work, 'evil');
    const run = spawn(program, ['run', scene, '-o', directory, '--progress', 'none'], { stdio: 'inherit' });
    assert.equal(await new Promise((resolve) => run.on('exit', resolve)), 0);
    const second = await startViewer(directory);
    await page.goto(second.address);
    await page.waitForFunction(() => document.body.dataset.shown, null, { timeout: 60000 });
    for (const name of ['Charts', 'Scene', 'Log', 'Show']) await page.getByRole('button', { name }).click();
    const shownText = await page.locator('#scene-text').evaluate((e) => e.textContent);
    assert.ok(shownText.includes('window.hit=1'), 'the words are shown');
    assert.equal(await page.evaluate(() => window.hit), undefined);
    assert.equal(await page.locator('img, iframe, svg, main script, aside script').count(), 0);
    await page.goto(viewer.address);
    stop(second);
});

test('names are text, never markup', async () => {
    const hostile = path.join(work, '<img src=x onerror=document.title=1>');
    await mkdir(hostile);
    const second = await startViewer(hostile);
    await page.goto(second.address);
    await page.waitForFunction(() => document.querySelector('#title').textContent.includes('onerror'));
    assert.equal(await page.locator('h1 img').count(), 0);
    await page.goto(viewer.address);
    stop(second);
});

test('a hostile page on another port reads nothing', async () => {
    const html = `<script>
        const url = ${JSON.stringify(viewer.origin)};
        window.got = [];
        for (const p of ['/', '/api/cache', '/api/log', '/viewer.js'])
            for (const mode of ['cors', 'no-cors'])
                fetch(url + p, { credentials: 'include', mode }).then(async (r) => { const t = await r.text(); if (t) window.got.push(p); }).catch(() => {});
        const image = new Image(); image.onload = () => window.got.push('image'); image.src = url + '/icon.svg';
        const script = document.createElement('script'); script.onload = () => window.got.push('script'); script.src = url + '/viewer.js';
        document.head.append(script);
        const style = document.createElement('link'); style.rel = 'stylesheet'; style.onload = () => window.got.push('style'); style.href = url + '/viewer.css';
        document.head.append(style);
        const socket = new WebSocket(url.replace('http', 'ws') + '/api/cache'); socket.onopen = socket.onmessage = () => window.got.push('socket');
        const other = window.open ? document.createElement('object') : null; if (other) { other.onload = () => window.got.push('object'); other.data = url + '/api/cache'; document.documentElement.append(other); }
        const frame = document.createElement('iframe'); frame.src = url + '/'; document.documentElement.append(frame);
    </script>`;
    const server = http.createServer((_, answer) => answer.end(html)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.on('listening', resolve));
    const evil = await browser.newPage();
    await evil.goto(`http://127.0.0.1:${server.address().port}/`);
    await evil.waitForTimeout(1500);
    assert.deepEqual(await evil.evaluate(() => window.got), []);
    // A form that goes there comes with the user's cookie only if the browser allows it, and is refused anyway.
    const [answer] = await Promise.all([
        evil.waitForResponse((r) => r.url().startsWith(viewer.origin) && r.request().method() === 'POST'),
        evil.evaluate((url) => {
            const form = Object.assign(document.createElement('form'), { method: 'POST', action: url + '/api/cache' });
            document.documentElement.append(form);
            form.submit();
        }, viewer.origin),
    ]);
    assert.ok(answer.status() >= 400, String(answer.status()));
    await evil.close();
    server.close();
});

test('twenty viewers started at once have ports and cookies of their own', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => startViewer(path.join(work, 'cache'), '18917')));
    assert.equal(new Set(many.map((v) => v.origin)).size, 20);
    const cookies = await Promise.all(
        many.map(async (v) => (await fetch(v.address, { redirect: 'manual' })).headers.get('set-cookie')),
    );
    assert.equal(new Set(cookies.map((c) => c.split('=')[0])).size, 20);
    for (const c of cookies) assert.match(c, /HttpOnly/i);
    const foreign = await fetch(many[0].origin + '/api/cache', { headers: { cookie: cookies[1].split(';')[0] } });
    assert.equal(foreign.status, 401);
    many.forEach(stop);
});

test('a viewer that is flooded and killed does a run no harm and sees whole frames only', { skip: !process.env.SPUME_SCENE }, async () => {
    const directory = path.join(work, 'flooded');
    await mkdir(directory);
    const second = await startViewer(directory);
    const cookie = (await fetch(second.address, { redirect: 'manual' })).headers.get('set-cookie').split(';')[0];
    const ask = (target) => fetch(second.origin + target, { headers: { cookie } });
    const run = spawn(program, ['run', process.env.SPUME_SCENE, '-o', directory, '--progress', 'none'], { stdio: 'inherit' });
    let going = true;
    const ended = new Promise((resolve) => run.on('exit', (code) => resolve(((going = false), code))));
    let polls = 0;
    while (going) {
        const { frames } = await (await ask('/api/frames')).json();
        for (const frame of frames.slice(-2)) {
            assert.ok(!frame.damaged, `frame ${frame.frame}`);
            const answers = await Promise.all(['points', 'mesh', 'tiles'].map((k) => ask(`/api/${k}?frame=${frame.frame}&name=${k === 'tiles' ? 'vel' : 'bubbles'}`)));
            for (const a of answers) assert.equal(a.status, 200);
            await Promise.all(answers.map((a) => a.arrayBuffer()));
        }
        ++polls;
        if (frames.length >= 4) break;
    }
    second.child.removeAllListeners('exit');
    second.child.kill('SIGKILL');
    assert.equal(await ended, 0);
    assert.ok(polls > 3);
    const names = (await readdir(source, { recursive: true, withFileTypes: true }))
        .filter((f) => f.isFile() && !['log.txt', 'timing.jsonl'].includes(f.name))
        .map((f) => path.relative(source, path.join(f.parentPath ?? f.path, f.name)));
    assert.ok(names.length > 20);
    for (const name of names)
        assert.ok((await readFile(path.join(source, name))).equals(await readFile(path.join(directory, name))), name);
});

test('nothing went outside and nobody complained', () => {
    assert.deepEqual(outside.filter((u) => !/^http:\/\/127\.0\.0\.1:/.test(u)), []);
    assert.deepEqual(complaints, []);
});
