// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Every text of the page, by key. A language is one more table; keys it lacks are English.

export const languages = { en: 'English', de: 'Deutsch' };

const tables = {
    en: {
        title: 'Spume playground', subtitle: 'Water and air, by the CIP method',
        play: 'Play', pause: 'Pause', step: 'Step', undo: 'Undo', reset: 'Reset', speed: 'Speed', scene: 'Scene',
        share: 'Link', picture: 'PNG', film: 'Film', film_stop: 'Stop film', save_scene: 'Scene file', csv: 'CSV', more: 'Panel', language: 'Language',
        water: 'Pour water', air: 'Blow air', drag: 'Drag', stir: 'Stir', ink: 'Ink', wall: 'Wall', erase: 'Remove wall', probe: 'Probe', ruler: 'Ruler', brush: 'Brush',
        tab_play: 'Play', tab_look: 'Look', tab_stages: 'Stages', tab_compare: 'Compare', tab_lab: '1D lab', tab_lessons: 'Lessons',
        divisions: 'Cells across', gravity: 'Gravity', tilt: 'Tilt', tilt_device: 'Tilt with the device', tension: 'Surface tension', viscosity: 'Viscosity of water', airViscosity: 'Viscosity of air',
        waterDensity: 'Density of water', airDensity: 'Density of air', fps: 'Steps a second', cfl: 'Cells a step (CFL)', fragments: 'Drops and bubbles as particles', compensation: 'Volume compensation',
        overlay: 'Show', palette: 'Colours', projector: 'Projector mode',
        overlay_none: 'water', overlay_speed: 'speed', overlay_velocity: 'velocity', overlay_pressure: 'pressure', overlay_vorticity: 'vorticity', overlay_divergence: 'divergence', overlay_phi: 'level set φ', overlay_cells: 'cells',
        palette_water: 'water', palette_safe: 'safe for colour-blind eyes', palette_projector: 'strong contrast', palette_flat: 'two colours',
        scene_dam_break: 'Dam break', scene_glug: 'Glug', scene_lava_lamp: 'Lava lamp', scene_rising_bubble: 'Rising bubble', scene_sloshing: 'Sloshing', scene_waterfall: 'Waterfall', scene_rayleigh_taylor: 'Rayleigh–Taylor', scene_drops: 'Drops',
        about_dam_break: 'A column of water collapses. Watch the air that the wave folds in.',
        about_glug: 'Water can only leave where air comes in: they take turns.',
        about_lava_lamp: 'Two viscous liquids of nearly the same density.',
        about_rising_bubble: 'Air in water 6 cm wide. Surface tension holds the bubble together; more viscosity keeps it round.',
        about_sloshing: 'A tilted surface let go. Its period depends on width and depth only.',
        about_waterfall: 'Water over ledges; each fall takes air along.',
        about_rayleigh_taylor: 'Heavy on top of light. The smallest bulge grows into a mushroom.',
        about_drops: 'Three drops fall into a pool.',
        plot_volume: 'water, m²', plot_kinetic: 'kinetic energy, J/m', plot_potential: 'potential energy, J/m', plot_divergence: 'divergence left', plot_cfl: 'CFL', plot_iterations: 'pressure iterations',
        numbers: 'Numbers', time: 'Time', stopwatch: 'Stopwatch', reynolds: 'Reynolds', weber: 'Weber', bond: 'Bond', froude: 'Froude', atwood: 'Atwood',
        theory: 'Theory', theory_slosh: 'First sloshing period', theory_hydro: 'Pressure on the floor, at rest', theory_growth: 'Growth rate of this bulge', theory_bubble: 'Terminal speed (Davies–Taylor, 2D)', measured: 'measured now',
        stages_hint: 'One step, taken apart. Each card is a stage of [SSK05]: the field before and after it, the equation, and the line of source that does it.',
        stages_go: 'Take one step apart', before: 'before', after: 'after', change: 'change', on: 'on',
        part_0: 'Move the surface', part_1: 'Make φ a distance again', part_2: 'Find drops and bubbles', part_3: 'Move the velocity', part_4: 'Viscosity', part_5: 'Gravity and surface tension', part_6: 'Pressure', part_7: 'Drops and bubbles move and come back', part_8: 'Keep the volume',
        switch_hint: 'A stage that is off is undone in every step. Try it: without pressure water falls through itself.',
        compare_hint: 'Two solvers, one input. Solid blue is the left one, dashed orange the right one.', compare_on: 'Side by side', compare_with: 'On the right', compare_same: 'the same', compare_advection: 'Advection', compare_divisions: 'Cells', compare_cfl: 'CFL', left: 'left', right: 'right',
        lab_hint: 'A profile carried round a ring. CIP carries slopes too: drag a point, or the end of its slope.', lab_wave: 'Shape', lab_square: 'square', lab_bump: 'bump', lab_two: 'two points (Fig. 3)', lab_scheme: 'Scheme', lab_courant: 'Cells a step', lab_steps: 'Steps', lab_run: 'Carry', lab_restart: 'Begin again', lab_error: 'L1 error', lab_range: 'range', lab_mass: 'sum',
        lesson_open: 'Set it up', answers: 'Answers for teachers', copied: 'The link is copied.', link_shown: 'The link is in the address bar.',
        bad_link: 'This link is damaged or not of this page; the dam break is shown instead.', replaying: 'Doing again what the link says: {n} %', cannot: 'This browser cannot run the solver: {why}. It needs WebAssembly with SIMD and exceptions: Chrome 95, Firefox 100, Safari 16.4 or newer.',
        too_fine: 'A browser holds at most {n} cells across here; {m} would be too many.', failed: 'The solver could not go on: {why} Undo or reset.', no_webgl: 'No WebGL2 here: drawn plainly.',
        help: 'Keys: space play, . step, z undo, r reset, 1–9 tools, arrows move the brush, enter uses it, [ ] brush size, o what is shown, ? this help.',
        per_step: 'a step', cells: 'cells', threads: 'one thread', probe_hint: 'speed {s} m/s, pressure {p} Pa, φ {d} cells', embed: 'Embed', embedded: 'A line for a frame is copied.',
        reduced: 'Reduced motion is asked for: the page begins paused.',
    },
    de: {
        title: 'Spume-Spielplatz', subtitle: 'Wasser und Luft mit dem CIP-Verfahren',
        play: 'Start', pause: 'Pause', step: 'Schritt', undo: 'Zurück', reset: 'Neu', speed: 'Tempo', scene: 'Szene',
        share: 'Link', film: 'Film', film_stop: 'Film beenden', save_scene: 'Szenendatei', more: 'Tafel', language: 'Sprache',
        water: 'Wasser gießen', air: 'Luft blasen', drag: 'Ziehen', stir: 'Rühren', ink: 'Tinte', wall: 'Wand', erase: 'Wand weg', probe: 'Sonde', ruler: 'Lineal', brush: 'Pinsel',
        tab_play: 'Spielen', tab_look: 'Ansicht', tab_stages: 'Stufen', tab_compare: 'Vergleich', tab_lab: '1D-Labor', tab_lessons: 'Stunden',
        divisions: 'Zellen quer', gravity: 'Schwerkraft', tilt: 'Neigung', tension: 'Oberflächenspannung', viscosity: 'Zähigkeit des Wassers', airViscosity: 'Zähigkeit der Luft', waterDensity: 'Dichte des Wassers', airDensity: 'Dichte der Luft', fps: 'Schritte je Sekunde', cfl: 'Zellen je Schritt (CFL)', fragments: 'Tropfen und Blasen als Teilchen', compensation: 'Volumenausgleich',
        overlay: 'Zeige', palette: 'Farben', projector: 'Beamer', overlay_none: 'Wasser', overlay_speed: 'Tempo', overlay_velocity: 'Geschwindigkeit', overlay_pressure: 'Druck', overlay_vorticity: 'Wirbel', overlay_divergence: 'Divergenz', overlay_phi: 'Abstand φ', overlay_cells: 'Zellen',
        scene_dam_break: 'Dammbruch', scene_glug: 'Gluckern', scene_lava_lamp: 'Lavalampe', scene_rising_bubble: 'Aufsteigende Blase', scene_sloshing: 'Schwappen', scene_waterfall: 'Wasserfall', scene_drops: 'Tropfen',
        plot_volume: 'Wasser, m²', plot_kinetic: 'Bewegungsenergie, J/m', plot_potential: 'Lageenergie, J/m', numbers: 'Zahlen', time: 'Zeit', stopwatch: 'Stoppuhr', theory: 'Theorie', measured: 'gemessen',
        stages_go: 'Einen Schritt zerlegen', before: 'vorher', after: 'nachher', on: 'an', compare_on: 'Nebeneinander', compare_with: 'Rechts', lab_run: 'Tragen', lab_restart: 'Von vorn', lesson_open: 'Aufbauen', answers: 'Antworten für Lehrende',
        help: 'Tasten: Leertaste Start, . Schritt, z zurück, r neu, 1–9 Werkzeuge, Pfeile bewegen den Pinsel, Eingabe benutzt ihn, [ ] Größe, o Ansicht, ? Hilfe.',
    },
};

let chosen = 'en';
export function speak(language) {
    chosen = tables[language] ? language : 'en';
    document.documentElement.lang = chosen;
    for (const element of document.querySelectorAll('[data-word]')) element.textContent = word(element.dataset.word);
    for (const element of document.querySelectorAll('[data-name]')) {
        element.setAttribute('aria-label', word(element.dataset.name));
        element.title = word(element.dataset.name) + (element.dataset.key ? ` (${element.dataset.key})` : '');
    }
}
export function word(key, values = {}) {
    const text = tables[chosen][key] ?? tables.en[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}
export const keysOf = (language) => Object.keys(tables[language]);
