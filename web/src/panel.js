// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

import { shades } from './points.js';

// All names come from files somebody else may have written: they are set as text, never as HTML.

function row(label, control) {
    const line = document.createElement('label');
    line.className = 'row';
    line.append(label, control);
    return line;
}

function choice(options, onChange) {
    const select = document.createElement('select');
    fill(select, options);
    select.addEventListener('change', onChange);
    return select;
}

function fill(select, options) {
    const before = select.value;
    select.replaceChildren(...options.map((text) => new Option(text, text)));
    if (options.includes(before)) select.value = before;
}

function group(title) {
    const set = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = title;
    set.append(legend);
    return set;
}

/** What is shown and how: built from what frames turn out to hold. */
export class Panel {
    constructor(section, onChange) {
        this.onChange = onChange;
        this.boxes = new Map();
        this.things = group('things');
        const looks = group('bubbles');
        this.shadeSelect = choice(['plain'], onChange);
        this.limitSelect = choice(['1000000', '100000', '10000', '20000000'], onChange);
        looks.append(row('colour by', this.shadeSelect), row('at most', this.limitSelect));
        const planes = group('volumes');
        this.tilesBox = this.#box();
        this.sliceSelect = choice(['none'], onChange);
        this.axisSelect = choice(['z', 'y', 'x'], onChange);
        this.at = document.createElement('input');
        Object.assign(this.at, { type: 'range', min: '0', max: '1', step: '0.01', value: '0.5' });
        this.at.addEventListener('input', onChange);
        planes.append(
            row('tiles', this.tilesBox),
            row('slice of', this.sliceSelect),
            row('across', this.axisSelect),
            row('at', this.at),
        );
        const keys = document.createElement('p');
        keys.textContent = 'Space plays, arrows step, Home and End jump. Drag turns, wheel zooms, a double click frames all.';
        section.append(this.things, looks, planes, keys);
    }

    #box() {
        const box = document.createElement('input');
        box.type = 'checkbox';
        box.addEventListener('change', this.onChange);
        return box;
    }

    /** The scene has solids. */
    offerSolids() {
        if (this.solidsBox) return;
        this.solidsBox = this.#box();
        this.solidsBox.checked = true;
        this.things.append(row('solids', this.solidsBox));
    }

    offer(frame) {
        for (const kind of ['points', 'meshes'])
            for (const name of frame[kind] ?? []) {
                const key = `${kind}/${name}`;
                if (this.boxes.has(key)) continue;
                const box = this.#box();
                box.checked = true;
                this.boxes.set(key, box);
                this.things.append(row(`${name} (${kind === 'points' ? 'points' : 'mesh'})`, box));
            }
        fill(this.sliceSelect, ['none', ...(frame.volumes ?? [])]);
        // A frame of volumes alone, such as a liquid in 2D, would else show nothing.
        const bare = !frame.points?.length && !frame.meshes?.length;
        if (bare && !this.sliced && frame.volumes?.length) this.sliceSelect.value = frame.volumes[0];
        this.sliced = true;
    }

    offerShades(arrays) {
        fill(this.shadeSelect, shades(arrays));
    }

    wants(kind, name) {
        return this.boxes.get(`${kind}/${name}`)?.checked ?? true;
    }
    shade() {
        return this.shadeSelect.value;
    }
    limit() {
        return this.limitSelect.value;
    }
    solids() {
        return this.solidsBox?.checked ?? false;
    }
    tiles() {
        return this.tilesBox.checked;
    }
    slice() {
        const name = this.sliceSelect.value;
        return name === 'none' ? null : { name, axis: 'xyz'.indexOf(this.axisSelect.value), at: this.at.value };
    }
}
