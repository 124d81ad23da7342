// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The worker with the solver in it: from files beside the page, or from the page itself where it is a single file.

async function unzipped(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

export async function startSolver(onMessage) {
    const inline = globalThis.spumeInline;
    const worker = inline ? new Worker(URL.createObjectURL(new Blob([inline.solver, '\n', inline.worker], { type: 'text/javascript' }))) : new Worker('worker.js');
    const loaded = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.type === 'loaded' ? resolve() : reject(new Error(data.text)));
        worker.onerror = (event) => reject(new Error(event.message));
    });
    worker.postMessage({ type: 'load', wasm: inline ? await unzipped(inline.wasm) : null });
    await loaded;
    worker.onmessage = ({ data }) => onMessage(data);
    return (type, values = {}) => worker.postMessage({ type, ...values });
}
