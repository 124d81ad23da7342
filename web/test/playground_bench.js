// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The playground's page in Chromium, measured: first picture, a step, memory, the page's longest pause. SPUME_PLAYGROUND is
// the built folder. With --scene NAME CELLS: that scene of the page as a file, and no more.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

if (process.argv[2] === '--scene') {
    const text = await readFile(new URL('../../apps/playground/page/scenes.js', import.meta.url), 'utf8');
    const { sceneOf, textOf } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    process.stdout.write(textOf({ ...sceneOf(process.argv[3]), divisions: Number(process.argv[4]) }));
    process.exit(0);
}

const { chromium } = await import('playwright-core');
const file = `file://${path.resolve(process.env.SPUME_PLAYGROUND)}/playground.html`;
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

async function opened(query) {
    const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
    await page.goto(file + query);
    await page.waitForFunction(() => document.body.dataset.first !== undefined, null, { timeout: 120000 });
    return page;
}

for (let round = 0; round < 3; ++round) {
    const page = await opened('?paused');
    console.log(`first picture after ${await page.evaluate(() => document.body.dataset.first)} ms`);
    await page.close();
}
for (const [name, cells, steps] of [['dam_break', 256, 60], ['pool', 256, 30], ['dam_break', 512, 30]]) {
    const page = await opened('?paused&plain');
    const told = await page.evaluate(
        async ([name, cells, steps]) => {
            const { page, send, sceneOf, reopen, stateOf } = globalThis.spumePage, spent = [];
            reopen({ ...sceneOf(name), divisions: cells });
            let pause = 0, last = performance.now();
            const watch = setInterval(() => {
                pause = Math.max(pause, performance.now() - last - 4);
                last = performance.now();
            }, 4);
            for (let k = 0; k < steps; ++k) {
                send('step');
                await stateOf();
                spent.push(page.sims[0].numbers.spent);
            }
            clearInterval(watch);
            spent.sort((a, b) => a - b);
            const { bytes, threads } = await stateOf(), { nx, ny, numbers } = page.sims[0];
            return { cells: `${nx}×${ny}`, threads, median: spent[steps >> 1], best: spent[0], residual: numbers.residual, memory: bytes / 2 ** 20, pause };
        },
        [name, cells, steps],
    );
    console.log(`${name} ${told.cells}, ${told.threads} thread: ms ${told.median.toFixed(1)} best ${told.best.toFixed(1)} residual ${told.residual.toExponential(1)}, ${told.memory.toFixed(0)} MB, longest pause of the page ${told.pause.toFixed(0)} ms`);
    await page.close();
}
await browser.close();
