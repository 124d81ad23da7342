// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The worker with the solver in it: from files beside the page, or from the page itself where it is a single file.

async function unzipped(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** Threads for the solver: where memory may be shared, as many as there are cores, four at most. */
export const threadsHere = () => (globalThis.crossOriginIsolated && !globalThis.spumeInline ? Math.min(4, navigator.hardwareConcurrency || 1) : 1);

export async function startSolver(onMessage, threads = threadsHere()) {
    const inline = globalThis.spumeInline;
    const worker = inline ? new Worker(URL.createObjectURL(new Blob([inline.solver, '\n', inline.worker], { type: 'text/javascript' }))) : new Worker('worker.js');
    const loaded = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => (data.type === 'loaded' ? resolve() : reject(new Error(data.text)));
        worker.onerror = (event) => reject(new Error(event.message));
    });
    worker.postMessage({ type: 'load', threads, wasm: inline ? await unzipped(inline.wasm) : null });
    try {
        await loaded;
    } catch (error) {
        worker.terminate();
        if (threads > 1) return startSolver(onMessage, 1);
        throw error;
    }
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = (event) => onMessage({ type: 'error', lost: true, text: event.message });
    const send = (type, values = {}) => worker.postMessage({ type, ...values });
    return Object.assign(send, { threads, end: () => worker.terminate() });
}
