// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

import { fetchCache, fetchFrames } from './api.js';
import { World } from './world.js';

/** The second of two caches: frames at equal times, seen by the same eye. */
export class Beside {
    /** Nothing if there is no second cache. */
    static async find(main, first) {
        const cache = await fetchCache(1).catch(() => null);
        return cache && new Beside(main, first, cache);
    }

    constructor(main, first, cache) {
        main.classList.add('two');
        const view = document.createElement('div');
        view.id = 'view-beside';
        view.setAttribute('aria-label', '3D view of the second cache');
        main.append(view);
        this.label = document.createElement('div');
        this.label.id = 'label-beside';
        main.append(this.label);
        this.cache = cache;
        this.frames = [];
        this.world = new World(view);
        this.world.controls.enableDamping = first.controls.enableDamping = false;
        this.#join(first, this.world);
        this.#join(this.world, first);
    }

    /** What one eye does, the other does too. */
    #join(from, to) {
        from.controls.addEventListener('change', () => {
            if (to.following) return;
            from.following = true;
            to.look(from);
            from.following = false;
        });
        from.controls.addEventListener('start', () => (to.touched = true));
    }

    async poll() {
        this.cache = await fetchCache(1);
        const more = await fetchFrames(this.frames.at(-1)?.frame ?? -1, 1);
        this.frames.push(...more);
        return more.length > 0;
    }

    /** The frame nearest in time, or nothing. */
    at(time) {
        let best = null;
        for (const frame of this.frames)
            if (frame.time !== undefined && (!best || Math.abs(frame.time - time) < Math.abs(best.time - time))) best = frame;
        this.label.textContent = best ? `${this.cache.name} · frame ${best.frame} · ${best.time.toFixed(3)} s` : `${this.cache.name} · no frames`;
        return best;
    }
}
