// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Lines over frames, of the numbers in a cache's statistics.
const charts = [
    ['bubbles', [['bubbles', (s) => s.bubbles]]],
    ['air (m³)', [['emitted', (s) => s.air?.emitted], ['in bubbles', (s) => s.air?.bubbles], ['left', (s) => s.air?.left]]],
    ['drift of the air', [['drift', (s) => s.air?.drift]]],
    ['pressure iterations', [['iterations', (s) => s.pressure?.iterations]]],
    ['substeps', [['substeps', (s) => s.substeps]]],
    ['voxels', [['voxels', (s) => s.voxels]]],
    ['fastest (m/s)', [['speed', (s) => s.max_speed]]],
    ['momentum, upwards (kg m/s)', [['y', (s) => s.momentum?.[1]]]],
];
const inks = ['#63c7f2', '#f2b263', '#8fe08a'];

export function makeCharts(section, onFrame) {
    const canvases = charts.map(([title]) => {
        const box = document.createElement('div');
        box.className = 'chart';
        const label = document.createElement('div');
        label.textContent = title;
        const canvas = document.createElement('canvas');
        box.append(label, canvas);
        section.append(box);
        canvas.addEventListener('click', (event) => onFrame(event.offsetX / canvas.clientWidth));
        return { label, canvas };
    });
    return (frames, current) => {
        charts.forEach(([title, lines], i) => drawChart(canvases[i], title, lines, frames, current));
    };
}

function drawChart({ label, canvas }, title, lines, frames, current) {
    const width = (canvas.width = canvas.clientWidth * 2);
    const height = (canvas.height = canvas.clientHeight * 2);
    if (width === 0) return;
    const context = canvas.getContext('2d');
    const rows = lines.map(([, get]) => frames.map((f) => (f.stats ? get(f.stats) : undefined)));
    const numbers = rows.flat().filter(Number.isFinite);
    const lo = Math.min(0, ...numbers);
    const hi = Math.max(...numbers, lo + 1e-300);
    const x = (i) => (frames.length > 1 ? (i / (frames.length - 1)) * (width - 4) : 0) + 2;
    const y = (value) => height - 4 - ((value - lo) / (hi - lo)) * (height - 8);
    context.clearRect(0, 0, width, height);
    context.fillStyle = '#ffffff30';
    context.fillRect(x(current) - 1, 0, 2, height);
    rows.forEach((row, k) => {
        context.strokeStyle = inks[k];
        context.lineWidth = 2;
        context.beginPath();
        row.forEach((value, i) => Number.isFinite(value) && context.lineTo(x(i), y(value)));
        context.stroke();
    });
    const now = lines.map(([name], k) => {
        const value = rows[k][current];
        return `${lines.length > 1 ? name + ' ' : ''}${Number.isFinite(value) ? Number(value.toPrecision(4)) : '–'}`;
    });
    label.textContent = `${title}: ${now.join(', ')}`;
}
