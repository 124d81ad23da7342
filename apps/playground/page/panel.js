// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Controls of the panel and the tools.

import { overlays, palettes } from './picture.js';
import { speak, word } from './words.js';

export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) name.startsWith('data-') || name === 'role' || name.startsWith('aria-') ? element.setAttribute(name, value) : (element[name] = value);
    element.append(...children);
    return element;
}

const icons = {
    water: '<path d="M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z" fill="currentColor" fill-opacity=".25"/>',
    air: '<circle cx="10" cy="14" r="6"/><circle cx="18" cy="6" r="3"/>',
    drag: '<path d="M4 12h15M14 7l5 5-5 5"/>',
    stir: '<path d="M19 12a7 7 0 1 1-3-6M16 2v4.5h4.5"/>',
    ink: '<path d="M5 20c3-1 4-4 4-7 0-5 4-9 10-10-1 6-4 11-9 11"/><path d="M4 21l6-9"/>',
    wall: '<path d="M4 19 19 4" stroke-width="4"/>',
    erase: '<path d="M4 19 19 4" stroke-width="3" stroke-dasharray="3 5"/><path d="M14 14l6 6M20 14l-6 6"/>',
    probe: '<circle cx="12" cy="12" r="3"/><path d="M12 2v5M12 17v5M2 12h5M17 12h5"/>',
    body: '<circle cx="12" cy="9" r="5.5"/><path d="M7 6.5h10M6.6 9h10.8M7 11.5h10M3 19c3-3 6-3 9 0s6 3 9 0"/>',
    ruler: '<path d="M3 17 17 3l4 4L7 21zM8 12l2 2M11 9l2 2M14 6l2 2"/>',
};

export function toolbar(nav, tools, page, { setTool, setBrush }) {
    const buttons = tools.map((tool, i) => {
        const button = make('button', { type: 'button', 'data-tool': tool, 'data-key': (i + 1) % 10, 'aria-pressed': String(tool === page.tool), title: `${word(tool)} (${(i + 1) % 10})` });
        button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true">${icons[tool]}</svg>`;
        button.append(make('span', { textContent: word(tool) }));
        button.onclick = () => setTool(tool);
        return button;
    });
    const size = make('input', { type: 'range', id: 'brush', min: 0.01, max: 0.2, step: 0.005, value: page.brush / page.scene.upper[0] });
    size.oninput = () => setBrush(size.valueAsNumber * page.scene.upper[0]);
    nav.replaceChildren(...buttons, make('label', {}, word('brush'), size));
}

const tabs = ['play', 'look', 'stages', 'compare', 'lab', 'lessons'];
export function openTab(name) {
    for (const tab of tabs) {
        document.getElementById(`tab-${tab}`).classList.toggle('open', tab === name);
        document.getElementById(`tabs-${tab}`).setAttribute('aria-pressed', String(tab === name));
    }
}
export function buildTabs(page) {
    const row = document.getElementById('tabs');
    row.replaceChildren(
        ...tabs.map((tab) => {
            const button = make('button', { type: 'button', id: `tabs-${tab}`, textContent: word(`tab_${tab}`) });
            button.onclick = () => openTab((page.tab = tab));
            return button;
        }),
    );
    openTab(page.tab ?? 'play');
}

/** Sliders by the scene's keys: [key, least, most, step, unit, by powers of ten?]. */
const sliders = [
    ['divisions', 32, 384, 16, '', false],
    ['gravity', 0, 20, 0.1, 'm/s²', false],
    ['tilt', -90, 90, 1, '°', false],
    ['tension', 1e-3, 10, 0.05, 'N/m', true],
    ['viscosity', 1e-6, 10, 0.05, 'Pa·s', true],
    ['airViscosity', 1e-6, 10, 0.05, 'Pa·s', true],
    ['waterDensity', 1, 3000, 0.02, 'kg/m³', true],
    ['airDensity', 1, 3000, 0.02, 'kg/m³', true],
    ['fps', 15, 480, 0.02, '1/s', true],
    ['cfl', 0.5, 10, 0.5, '', false],
    ['bodyDensity', 10, 5000, 0.02, 'kg/m³', true],
];

const strength = (scene) => Math.hypot(...scene.gravity);
const angle = (scene) => (strength(scene) ? (Math.atan2(scene.gravity[0], -scene.gravity[1]) * 180) / Math.PI : 0);
export function gravityAt(size, degrees) {
    const a = (degrees * Math.PI) / 180, round = (x) => Math.round(x * 1e6) / 1e6;
    return [round(size * Math.sin(a)), round(-size * Math.cos(a))];
}
const valueOf = (scene, key) => (key === 'gravity' ? strength(scene) : key === 'tilt' ? angle(scene) : scene[key]);

export function buildPlay(place, page, { changeScene }) {
    place.replaceChildren();
    for (const [key, least, most, step, unit, powers] of sliders) {
        const output = make('output', { id: `out-${key}` });
        const input = make('input', { type: 'range', ariaLabel: word(key), id: `in-${key}`, min: powers ? Math.log10(least) : least, max: powers ? Math.log10(most) : most, step });
        const read = () => (powers ? Number((10 ** input.valueAsNumber).toPrecision(2)) : input.valueAsNumber);
        input.oninput = () => (output.textContent = `${read()} ${unit}`);
        input.onchange = () => {
            const { scene } = page;
            if (key === 'gravity') changeScene({ gravity: gravityAt(read(), angle(scene)) });
            else if (key === 'tilt') changeScene({ gravity: gravityAt(strength(scene), read()) });
            else if (key === 'bodyDensity') page.scene = { ...scene, bodyDensity: read() };
            else changeScene({ [key]: key === 'fps' ? Math.round(read()) : read() });
        };
        place.append(make('label', { className: 'row' }, make('span', { textContent: word(key) }), output, input));
    }
    for (const key of ['fragments', 'compensation']) {
        const input = make('input', { type: 'checkbox', id: `in-${key}` });
        input.onchange = () => changeScene({ [key]: input.checked });
        place.append(make('label', { className: 'check' }, input, word(key)));
    }
    const kind = select('body-kind', ['sphere', 'box'], 'body_', page.scene.bodyKind, (name) => (page.scene = { ...page.scene, bodyKind: name }));
    place.append(make('label', { className: 'check' }, word('body_kind'), kind));
    if ('DeviceOrientationEvent' in globalThis && matchMedia('(pointer: coarse)').matches) {
        const button = make('button', { type: 'button', id: 'tilt-device', 'aria-pressed': String(Boolean(page.tilting)), textContent: word('tilt_device') });
        button.onclick = async () => button.setAttribute('aria-pressed', String(await tiltByDevice(page, changeScene)));
        place.append(button);
    }
}

/** Gravity follows the device until it is asked again: one thing to undo. Is it on now? */
async function tiltByDevice(page, changeScene) {
    if (page.tilting) {
        removeEventListener('deviceorientation', page.tilting);
        page.tilting = null;
        return false;
    }
    if (DeviceOrientationEvent.requestPermission && (await DeviceOrientationEvent.requestPermission()) !== 'granted') return false;
    let before = 0, last = -Infinity;
    page.tilting = ({ gamma, timeStamp }) => {
        if (gamma === null || Math.abs(gamma - before) < 2 || timeStamp - last < 100) return;
        [before, last] = [gamma, timeStamp];
        changeScene({ gravity: gravityAt(strength(page.scene) || 9.81, Math.max(-90, Math.min(90, Math.round(gamma)))) }, true);
    };
    changeScene({});
    addEventListener('deviceorientation', page.tilting);
    return true;
}

export function refreshPlay(page) {
    for (const [key, , , , unit, powers] of sliders) {
        const value = valueOf(page.scene, key);
        document.getElementById(`in-${key}`).value = String(powers ? Math.log10(Math.max(value, 1e-12)) : value);
        document.getElementById(`out-${key}`).textContent = `${Number(value.toPrecision(4))} ${unit}`;
    }
    for (const key of ['fragments', 'compensation']) document.getElementById(`in-${key}`).checked = page.scene[key];
}

export function select(id, names, prefix, chosen, onChange) {
    const element = make('select', { id }, ...names.map((name) => new Option(word(prefix + name), name)));
    element.value = chosen;
    element.onchange = () => onChange(element.value);
    return element;
}

export function buildLook(place, page, { setOverlay, draw, layout }) {
    const projector = make('input', { type: 'checkbox', checked: document.documentElement.classList.contains('projector') });
    const palette = select('palette', palettes, 'palette_', page.look.palette, (name) => {
        page.look.palette = name;
        draw();
    });
    projector.onchange = () => {
        document.documentElement.classList.toggle('projector', projector.checked);
        page.look.palette = palette.value = projector.checked ? 'projector' : 'water';
        layout();
    };
    place.replaceChildren(
        make('label', { className: 'check' }, word('overlay'), select('overlay', overlays, 'overlay_', page.look.overlay, setOverlay)),
        make('label', { className: 'check' }, word('palette'), palette),
        make('label', { className: 'check' }, projector, word('projector')),
        make('p', { className: 'hint', textContent: word('help') }),
    );
    speak(document.documentElement.lang || 'en');
}
