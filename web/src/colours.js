// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// A colour scale from dark blue over green to yellow, of growing lightness.
const stops = [
    [0.0, 0.27, 0.0, 0.33],
    [0.25, 0.23, 0.32, 0.55],
    [0.5, 0.13, 0.57, 0.55],
    [0.75, 0.37, 0.79, 0.38],
    [1.0, 0.99, 0.91, 0.14],
];

/** Writes red, green, blue of t in 0 … 1 to out[at …]. */
export function colourOf(t, out, at) {
    const x = Math.min(Math.max(t, 0), 1);
    let i = 0;
    while (i < stops.length - 2 && x > stops[i + 1][0]) ++i;
    const [from, ...a] = stops[i];
    const [to, ...b] = stops[i + 1];
    const w = (x - from) / (to - from);
    for (let c = 0; c < 3; ++c) out[at + c] = a[c] + (b[c] - a[c]) * w;
}

export function drawScale(canvas) {
    canvas.width = 200;
    canvas.height = 1;
    const context = canvas.getContext('2d');
    const image = context.createImageData(200, 1);
    const rgb = [0, 0, 0];
    for (let i = 0; i < 200; ++i) {
        colourOf(i / 199, rgb, 0);
        for (let c = 0; c < 3; ++c) image.data[4 * i + c] = 255 * rgb[c];
        image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
}

/** Least and greatest of some numbers, the outermost 1 % left out. */
export function rangeOf(values) {
    if (values.length === 0) return [0, 1];
    const step = Math.max(1, Math.floor(values.length / 20000));
    const some = [];
    for (let i = 0; i < values.length; i += step) if (Number.isFinite(values[i])) some.push(values[i]);
    some.sort((a, b) => a - b);
    const lo = some[Math.floor(0.01 * (some.length - 1))] ?? 0;
    const hi = some[Math.ceil(0.99 * (some.length - 1))] ?? 1;
    return hi > lo ? [lo, hi] : [lo, lo + (Math.abs(lo) || 1)];
}
