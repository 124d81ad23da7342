// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The program without threads, and what it asks of a browser. (em++ writes the same for the one with threads, at twenty
// times the length.)

/** Its functions, by the names that em++ gives them too, and its memory. */
async function loadSolver(bytes) {
    let memory;
    const env = {
        spume_number_of: (place) => {
            const all = new Uint8Array(memory.buffer, place);
            return Number(new TextDecoder().decode(all.subarray(0, all.indexOf(0))));
        },
        emscripten_memcpy_big: (to, from, count) => new Uint8Array(memory.buffer).copyWithin(to, from, from + count),
        clock_gettime(_, place) {
            const now = performance.now();
            new Int32Array(memory.buffer, place, 2).set([now / 1000, (now % 1000) * 1e6]);
            return 0;
        },
        /** A fifth more than there was, so that it seldom grows; else what is needed. */
        emscripten_resize_heap(wanted) {
            const pages = (size) => Math.ceil((size - memory.buffer.byteLength) / 65536);
            for (const size of [Math.max(wanted >>> 0, 1.2 * memory.buffer.byteLength), wanted >>> 0])
                try {
                    memory.grow(pages(size));
                    return 1;
                } catch {}
            return 0;
        },
        abort: () => {
            throw new WebAssembly.RuntimeError('it stopped');
        },
    };
    const { instance } = await WebAssembly.instantiate(bytes, { env });
    const all = instance.exports;
    ({ memory } = all);
    all.__wasm_call_ctors();
    return { memory, ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`_${name}`, value])) };
}
