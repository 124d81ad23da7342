// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A service worker: gives the page's own files the headers with which a browser lets it share memory between threads,
// where the server gives none.

const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Resource-Policy': 'same-origin' };

async function answer(request) {
    const response = await fetch(request);
    if (response.status === 0) return response; // not ours to read
    const all = new Headers(response.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const empty = [204, 205, 304].includes(response.status); // these may not even have an empty body
    return new Response(empty ? null : response.body, { status: response.status, statusText: response.statusText, headers: all });
}

addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(answer(event.request)));
