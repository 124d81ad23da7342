// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A state as a link: scene, what hands did at which step, and how many steps there were. The solver gives the same bits
// again.

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export async function packed(value) {
    const bytes = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream('deflate-raw'));
    let text = '';
    for (const b of bytes) text += String.fromCharCode(b);
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What `packed` made; throws where the text is anything else. */
export async function unpacked(text) {
    if (!/^[\w-]+$/.test(text) || text.length > 4e6) throw new Error('not a link of this page');
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const value = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw'))));
    if (value?.version !== 1 || typeof value.scene !== 'object' || !Array.isArray(value.log) || !(value.steps >= 0)) throw new Error('not a link of this page');
    return value;
}
