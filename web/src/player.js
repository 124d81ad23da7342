// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

/** The timeline: which frame is shown, playing, scrubbing, following a run. Knows nothing of 3D. */
export class Player {
    constructor(elements, onShow) {
        this.e = elements;
        this.onShow = onShow;
        this.count = 0;
        this.index = -1;
        this.fps = 24;
        this.timer = 0;
        this.e.scrub.addEventListener('input', () => this.go(Number(this.e.scrub.value), true));
        this.e.play.addEventListener('click', () => this.toggle());
        this.e.first.addEventListener('click', () => this.go(0, true));
        this.e.last.addEventListener('click', () => this.go(this.count - 1, true));
        this.e.back.addEventListener('click', () => this.go(this.index - 1, true));
        this.e.next.addEventListener('click', () => this.go(this.index + 1, true));
        window.addEventListener('keydown', (event) => this.#key(event));
    }

    /** More frames have come. */
    extend(count) {
        const atEnd = this.index >= 0 && this.index === this.count - 1;
        this.count = count;
        this.e.scrub.max = String(Math.max(count - 1, 0));
        if (this.index < 0 && count > 0) this.go(0);
        if (atEnd && this.e.follow.checked && !this.timer && count > 0) this.go(count - 1);
    }

    async go(index, byHand) {
        if (this.count === 0) return;
        if (byHand && this.timer) this.toggle();
        this.index = Math.min(Math.max(index, 0), this.count - 1);
        this.e.scrub.value = String(this.index);
        await this.onShow(this.index);
    }

    toggle() {
        if (this.timer) {
            clearTimeout(this.timer);
            this.timer = 0;
        } else {
            this.timer = setTimeout(() => this.#tick(), 0);
        }
        this.e.play.textContent = this.timer ? 'pause' : 'play';
    }

    /** Shows frames as fast as they come, at most fps of them a second. */
    async #tick() {
        const begin = performance.now();
        const end = this.index >= this.count - 1;
        if (end && !this.e.loop.checked && !this.e.follow.checked) return this.toggle();
        if (!end || this.e.loop.checked) await this.go(end ? 0 : this.index + 1);
        if (!this.timer) return;
        const rest = Math.max(0, 1000 / this.fps - (performance.now() - begin));
        this.timer = setTimeout(() => this.#tick(), rest);
    }

    #key(event) {
        if (['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName) && event.target.type !== 'range') return;
        const steps = { ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: this.count - 1 };
        if (event.key === ' ') this.toggle();
        else if (event.key in steps) this.go(steps[event.key], true);
        else return;
        event.preventDefault();
    }
}
