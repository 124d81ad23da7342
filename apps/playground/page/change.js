// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// The scene under running water.

import { refreshPlay } from './panel.js';
import { finestOf } from './scenes.js';
import { dt, page, say, send, texts } from './state.js';
import { word } from './words.js';

/** The same water under another scene: solids, physics, grid. Quietly: nothing to undo. */
export function changeScene(values, quiet = false) {
    const next = { ...page.scene, ...values };
    if (next.divisions > finestOf(next)) return say(word('too_fine', { n: finestOf(next), m: next.divisions }));
    if (!quiet) page.past.push(page.scene);
    page.scene = next;
    say('');
    refreshPlay(page);
    send('change', { scenes: texts(), dt: dt(), quiet });
}
