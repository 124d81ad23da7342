// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The playground's page in a browser, for its tests. SPUME_PLAYGROUND is the built folder.

import path from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

export const folder = path.resolve(process.env.SPUME_PLAYGROUND);
export const file = `file://${folder}/playground.html`;
let browser;
/** What any page wrote as an error. */
export const complaints = [];

export const launch = (flags = []) =>
    chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...flags],
    });
before(async () => (browser = await launch()));
after(() => browser?.close());

export async function opened(query, options = {}, address = file) {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, ...options });
    const page = await context.newPage();
    page.on('console', (m) => m.type() === 'error' && complaints.push(m.text()));
    page.on('pageerror', (e) => complaints.push(String(e)));
    await page.goto(address + query);
    await page.waitForFunction(() => document.body.dataset.ready === 'yes' && document.body.dataset.steps !== '', null, { timeout: 60000 });
    return page;
}
export const steps = (page) => page.evaluate(() => Number(document.body.dataset.steps));
export const numbers = (page) => page.evaluate(() => ({ ...globalThis.spumePage.page.sims[0].numbers }));
export const hash = (page) => page.evaluate(async () => (await globalThis.spumePage.stateOf()).hash);
export async function step(page, count) {
    for (let k = 0; k < count; ++k) {
        const from = await steps(page);
        await page.keyboard.press('.');
        await page.waitForFunction((n) => Number(document.body.dataset.steps) > n, from, { timeout: 60000 });
    }
}
/** The part of the view's pixels that are blue, in the palette of two colours. */
export const blue = (page) =>
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
export async function setPalette(page, name) {
    await page.click('#tabs-look');
    await page.selectOption('#palette', name);
}
