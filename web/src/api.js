// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Everything the page asks of the program.

async function get(path, parameters, signal) {
    const query = new URLSearchParams(parameters ?? {}).toString();
    const answer = await fetch(query ? `${path}?${query}` : path, { signal });
    if (!answer.ok) throw new Error(`${path.slice(5)}: ${answer.status} ${answer.statusText}`);
    return answer;
}

// Of two caches that are shown side by side, the second has the number 1.
export const fetchCache = async (cache = 0) => (await get('/api/cache', { cache })).json();
export const fetchFrames = async (after, cache = 0) => (await (await get('/api/frames', { after, cache })).json()).frames;
export const fetchLog = async () => (await get('/api/log')).text();

/** "points", "mesh", "tiles", "slice" or "solids" of a frame, as its header and arrays by name. */
export async function fetchPacket(kind, parameters, signal) {
    return decodePacket(await (await get(`/api/${kind}`, parameters, signal)).arrayBuffer());
}

const arrayTypes = { f32: Float32Array, i32: Int32Array, u32: Uint32Array };

export function decodePacket(buffer) {
    const view = new DataView(buffer);
    if (buffer.byteLength < 8 || view.getUint32(0, false) !== 0x5350554d) throw new Error('not a packet');
    const length = view.getUint32(4, true);
    if (length % 4 !== 0 || 8 + length > buffer.byteLength) throw new Error('packet cut short');
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
    const arrays = {};
    let at = 8 + length;
    for (const { name, type, components, bytes } of header.arrays ?? []) {
        if (!(type in arrayTypes) || at + bytes > buffer.byteLength) throw new Error('packet cut short');
        arrays[name] = { values: new arrayTypes[type](buffer, at, bytes / 4), components };
        at += bytes;
    }
    return { header, arrays };
}
