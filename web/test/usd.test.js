// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What `spume export --to usd` writes, read by somebody else's USD parser. SPUME_CACHE is a cache, SPUME_USD its export.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

const cache = process.env.SPUME_CACHE;
const usd = process.env.SPUME_USD;
const record = (frame) => JSON.parse(readFileSync(path.join(cache, 'frames', `${String(frame).padStart(4, '0')}.json`)));
const frames = readdirSync(path.join(cache, 'frames')).map((name) => parseInt(name, 10)).sort((a, b) => a - b);
let parser;

before(async () => {
    // The module takes a process of this type for a browser's, which is what it was built for.
    process.type = 'renderer';
    globalThis.window = globalThis;
    const { default: start } = await import('tinyusdz/tinyusdz.js');
    const wasmBinary = readFileSync(new URL('../node_modules/tinyusdz/tinyusdz.wasm', import.meta.url));
    parser = await start({ wasmBinary, print: () => {}, printErr: () => {} });
});

/** The layer as the parser understood it, in its own words. */
function understood(text) {
    const loader = new parser.TinyUSDZLoaderNative();
    const good = loader.loadAsLayerFromBinary(Buffer.from(text), 'layer.usda');
    const words = good ? loader.layerToString() : null;
    loader.delete();
    return words;
}
const read = (name) => understood(readFileSync(path.join(usd, name)));

/** The text between the brackets of the last array of an attribute of a prim. */
function samples(words, prim, attribute) {
    const from = words.indexOf(prim);
    assert.ok(from >= 0, `there is ${prim}`);
    const at = words.indexOf(`${attribute}.timeSamples`, from);
    assert.ok(at >= 0, `${prim} has ${attribute}`);
    const [, time, values] = /\{\s*(\d+): \[([^\]]*)\]/.exec(words.slice(at));
    return { time: Number(time), values: values.match(/-?\d[\d.e+-]*/g)?.map(Number) ?? [] };
}

/** Points of a binary PLY as columns. */
function plyPoints(file) {
    const bytes = readFileSync(file);
    const end = bytes.indexOf('end_header\n') + 11;
    const head = bytes.toString('latin1', 0, end).split('\n');
    const count = Number(head.find((l) => l.startsWith('element vertex')).split(' ')[2]);
    const names = head.filter((l) => l.startsWith('property')).map((l) => l.split(' '));
    const columns = {};
    names.forEach(([, type, name], k) => {
        const take = type === 'float' ? 'readFloatLE' : type === 'int' ? 'readInt32LE' : 'readUInt32LE';
        columns[name] = Array.from({ length: count }, (_, i) => bytes[take](end + 4 * (i * names.length + k)));
    });
    return { count, ...columns };
}

const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)), `${a} against ${b}`);

test('every frame says what the cache holds', () => {
    for (const frame of frames) {
        const words = read(`frame.${String(frame).padStart(4, '0')}.usda`);
        assert.ok(words, `frame ${frame} is USD`);
        const { files } = record(frame);
        const points = plyPoints(path.join(cache, files.find((f) => /points\/bubbles.*ply/.test(f.path)).path));
        assert.ok(points.count > 10);
        const places = samples(words, 'def Points "bubbles"', 'points');
        assert.equal(places.time, frame);
        assert.equal(places.values.length, 3 * points.count);
        const widths = samples(words, 'def Points "bubbles"', 'widths').values;
        const velocities = samples(words, 'def Points "bubbles"', 'velocities').values;
        for (let i = 0; i < points.count; ++i) {
            ['x', 'y', 'z'].forEach((a, k) => near(places.values[3 * i + k], points[a][i]));
            ['vx', 'vy', 'vz'].forEach((a, k) => near(velocities[3 * i + k], points[a][i]));
            near(widths[i], 2 * points.pscale[i]);
        }
        assert.equal(samples(words, 'def Points "bubbles"', 'ids').values.length, points.count);
        const corners = samples(words, 'def Mesh "bubbles_mesh"', 'faceVertexIndices').values;
        const faces = samples(words, 'def Mesh "bubbles_mesh"', 'faceVertexCounts').values;
        const vertices = samples(words, 'def Mesh "bubbles_mesh"', 'points').values;
        assert.ok(faces.length > 100 && faces.every((n) => n === 3));
        assert.equal(corners.length, 3 * faces.length);
        assert.ok(corners.every((c) => c >= 0 && c < vertices.length / 3));
        for (const name of ['density', 'surface', 'vel']) assert.match(words, new RegExp(`def OpenVDBAsset "${name}"`));
    }
});

test('the stage ties the frames together by value clips', () => {
    const words = read('spume.usda');
    assert.match(words, /upAxis = "Y"/);
    assert.match(words, /metersPerUnit = 1/);
    assert.match(words, /timeCodesPerSecond = 24/);
    assert.match(words, new RegExp(`startTimeCode = ${frames[0]}\\b`));
    assert.match(words, new RegExp(`endTimeCode = ${frames.at(-1)}\\b`));
    for (const prim of ['bubbles', 'bubbles_mesh']) assert.match(words, new RegExp(`string primPath = "/spume/${prim}"`));
    const assets = [.../@\.\/(frame\.\d+\.usda)@/g[Symbol.matchAll](words)].map((m) => m[1]);
    assert.equal(assets.length, 2 * frames.length);
    for (const name of assets) assert.ok(read(name), name);
    assert.match(words, /manifestAssetPath = @\.\/clips\.usda@/);
    assert.ok(read('clips.usda'));
    const volumes = [...words.matchAll(/@\.\/(volumes\/[^@]+)@/g)].map((m) => m[1]);
    assert.equal(volumes.length, 3 * frames.length);
    for (const name of volumes) assert.ok(readFileSync(path.join(usd, name)).length > 100, name);
});

test('the parser does refuse what is not USD', () => {
    const text = readFileSync(path.join(usd, 'frame.0001.usda'), 'utf8');
    assert.ok(understood(text));
    assert.equal(understood(text.replace('(', '[')), null);
    assert.equal(understood(text.slice(0, text.length / 2)), null);
});
