// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Water and air as pixels: WebGL2, or a plain canvas where there is none.

export const overlays = ['none', 'speed', 'velocity', 'pressure', 'vorticity', 'divergence', 'phi', 'cells'];
export const palettes = ['water', 'safe', 'projector', 'flat'];

const colours = {
    water: { sky: ['#f7f4ec', '#dfe9ee'], shallow: '#7fd0e8', deep: '#0a3358', rim: '#ffffff', solid: '#4b4640' },
    safe: { sky: ['#fbf7ea', '#efe8d2'], shallow: '#6fa8dc', deep: '#15295c', rim: '#ffffff', solid: '#3c3c3c' },
    projector: { sky: ['#ffffff', '#ffffff'], shallow: '#2f8fe0', deep: '#0b4f9e', rim: '#00264d', solid: '#000000' },
    flat: { sky: ['#ffffff', '#ffffff'], shallow: '#0000ff', deep: '#0000ff', rim: '#0000ff', solid: '#000000' },
};
const rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

const vertexText = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1), 0, 1); }`;

const fragmentText = `#version 300 es
precision highp float;
uniform sampler2D field, ink;
uniform vec2 cells, pixels;
uniform vec3 skyLow, skyHigh, shallow, deep, rim, solidColour;
uniform int overlay, flatLook, safe, inked;
uniform float scale;
out vec4 colour;

vec4 value(ivec2 i) { return texelFetch(field, clamp(i, ivec2(0), ivec2(cells) - 1), 0); }
vec4 weights(float t) {
    return vec4(t * (-0.5 + t * (1.0 - 0.5 * t)), 1.0 + t * t * (-2.5 + 1.5 * t), t * (0.5 + t * (2.0 - 1.5 * t)), t * t * (-0.5 + 0.5 * t));
}
vec4 smoothly(vec2 x) {
    vec2 lower = floor(x - 0.5), t = x - 0.5 - lower;
    vec4 wx = weights(t.x), wy = weights(t.y), sum = vec4(0);
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i) sum += wx[i] * wy[j] * value(ivec2(lower) + ivec2(i - 1, j - 1));
    return sum;
}
vec3 ramp(float t) { // dark to bright, told apart without colours
    t = clamp(t, 0.0, 1.0);
    return safe == 1 ? mix(mix(vec3(0.0, 0.13, 0.30), vec3(0.49, 0.49, 0.47), t * 2.0), vec3(1.0, 0.92, 0.27), max(0.0, t * 2.0 - 1.0))
                     : mix(mix(vec3(0.27, 0.0, 0.33), vec3(0.13, 0.57, 0.55), t * 2.0), vec3(0.99, 0.91, 0.14), max(0.0, t * 2.0 - 1.0));
}
vec3 twoSided(float t) {
    t = clamp(t, -1.0, 1.0);
    return t < 0.0 ? mix(vec3(0.97), vec3(0.13, 0.40, 0.67), -t) : mix(vec3(0.97), safe == 1 ? vec3(0.90, 0.38, 0.0) : vec3(0.70, 0.09, 0.17), t);
}
void main() {
    vec2 part = gl_FragCoord.xy / pixels, x = part * cells;
    vec4 here = smoothly(x);
    float pixel = cells.x / pixels.x;
    float water = clamp(0.5 - here.x / pixel, 0.0, 1.0);
    vec3 air = mix(skyLow, skyHigh, part.y);
    vec3 c = air;
    if (flatLook == 1) c = mix(air, shallow, water);
    else {
        float light = clamp(here.y, 0.0, 1.0);
        vec3 body = mix(deep, shallow, pow(light, 1.15));
        vec2 n = vec2(smoothly(x + vec2(0.6, 0)).x - smoothly(x - vec2(0.6, 0)).x, smoothly(x + vec2(0, 0.6)).x - smoothly(x - vec2(0, 0.6)).x);
        n /= max(length(n), 0.2);
        float narrow = clamp(1.0 / (6.0 * pixel), 1.0, 3.0); // large cells: no wider than a few pixels
        float skin = exp(-pow(here.x * narrow + 0.7, 2.0) * 1.1); // near the surface: further in the level set is no distance
        body = mix(body, rim, skin * (0.18 + 0.5 * clamp(n.y * 0.8 + n.x * -0.35, 0.0, 1.0)));
        float glow = exp(-max(here.x, 0.0) * 1.4) * (1.0 - water);
        c = mix(air - vec3(0.05, 0.03, 0.0) * glow, body, water);
    }
    if (inked == 1 && flatLook == 0) {
        vec2 lower = floor(x - 0.5), t = x - 0.5 - lower;
        ivec2 most = ivec2(cells) - 1, i = ivec2(lower);
        #define INK(a, b) texelFetch(ink, clamp(i + ivec2(a, b), ivec2(0), most), 0).x
        float dye = clamp(mix(mix(INK(0, 0), INK(1, 0), t.x), mix(INK(0, 1), INK(1, 1), t.x), t.y), 0.0, 1.0);
        vec3 through = safe == 1 ? vec3(1.0, 0.62, 0.08) : vec3(0.80, 0.10, 0.42);
        c = mix(c, mix(through, through * c, 0.35), water * (1.0 - exp(-2.6 * dye)));
    }
    if (overlay == 1) c = mix(c, ramp(here.w * scale), 0.82);
    if (overlay == 3) c = mix(c, ramp(here.w * scale), 0.82);
    if (overlay == 4 || overlay == 5) c = mix(c, twoSided(here.w * scale), 0.85);
    if (overlay == 6) {
        float line = abs(fract(here.w + 0.5) - 0.5) / max(fwidth(here.w), 1e-4);
        c = mix(mix(c, twoSided(here.w / 6.0), 0.7), vec3(0.1), 0.55 * (1.0 - clamp(line, 0.0, 1.0)));
    }
    if (overlay == 7) {
        float centre = value(ivec2(x)).x;
        vec3 kind = abs(centre) < 1.5 ? vec3(0.95, 0.70, 0.20) : centre < 0.0 ? vec3(0.16, 0.45, 0.78) : vec3(0.93, 0.95, 0.96);
        vec2 edge = abs(fract(x) - 0.5);
        float grid = step(0.5 - 0.6 * pixel, max(edge.x, edge.y)) * step(pixel, 0.3);
        c = mix(kind, vec3(0.25), 0.35 * grid);
    }
    if (overlay > 0 && overlay != 7) c = mix(c, vec3(0.05), 0.7 * (1.0 - smoothstep(0.6, 1.6, abs(here.x) / pixel)));
    float solid = clamp(0.5 - here.z / pixel, 0.0, 1.0);
    float sheen = 0.06 * (0.5 + 0.5 * sin((x.x + x.y) * 1.4));
    c = mix(c, solidColour + (flatLook == 1 ? 0.0 : sheen), solid);
    colour = vec4(c, 1);
}`;

function glPicture(canvas) {
    const gl = canvas.getContext('webgl2', { antialias: false, alpha: false, preserveDrawingBuffer: true });
    if (!gl) return null;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertexText], [gl.FRAGMENT_SHADER, fragmentText]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    const at = (name) => gl.getUniformLocation(program, name);
    const textures = [0, 1].map((unit) => {
        const texture = gl.createTexture();
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, texture);
        for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.NEAREST], [gl.TEXTURE_MAG_FILTER, gl.NEAREST], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, key, value);
        return texture;
    });
    gl.uniform1i(at('ink'), 1);
    return (sim, look) => {
        const c = colours[look.palette];
        gl.viewport(0, 0, canvas.width, canvas.height);
        gl.activeTexture(gl.TEXTURE0);
        gl.bindTexture(gl.TEXTURE_2D, textures[0]);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, sim.nx, sim.ny, 0, gl.RGBA, gl.FLOAT, sim.packed);
        if (sim.ink) {
            gl.activeTexture(gl.TEXTURE1);
            gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, sim.nx, sim.ny, 0, gl.RED, gl.FLOAT, sim.ink);
        }
        gl.uniform1i(at('inked'), sim.ink ? 1 : 0);
        gl.uniform2f(at('cells'), sim.nx, sim.ny);
        gl.uniform2f(at('pixels'), canvas.width, canvas.height);
        for (const [name, hex] of [['skyLow', c.sky[1]], ['skyHigh', c.sky[0]], ['shallow', c.shallow], ['deep', c.deep], ['rim', c.rim], ['solidColour', c.solid]]) gl.uniform3fv(at(name), rgb(hex));
        gl.uniform1i(at('overlay'), overlays.indexOf(look.overlay === 'velocity' ? 'none' : look.overlay));
        gl.uniform1i(at('flatLook'), look.palette === 'flat' ? 1 : 0);
        gl.uniform1i(at('safe'), look.palette === 'safe' ? 1 : 0);
        gl.uniform1f(at('scale'), 1 / look.range);
        gl.drawArrays(gl.TRIANGLES, 0, 3);
    };
}

const cool = [0.13, 0.4, 0.67], warm = [0.85, 0.33, 0.1], bright = [0.9, 0.4, 0.4], surface = [0.95, 0.7, 0.2];
/** How much of an overlay there is, and its colour. */
function plainOverlay({ overlay, range }, value, distance) {
    if (overlay === 'none' || overlay === 'velocity') return [0, bright];
    if (overlay === 'cells') return Math.abs(distance) < 1.5 ? [1, surface] : [0, bright];
    const part = Math.min(1, Math.abs(value) / (overlay === 'phi' ? 6 : range));
    return [part, ['vorticity', 'divergence', 'phi'].includes(overlay) ? (value < 0 ? cool : warm) : bright];
}

function plainPicture(canvas) {
    const context = canvas.getContext('2d');
    return (sim, look) => {
        const c = colours[look.palette], air = rgb(c.sky[0]), near = rgb(c.shallow), far = rgb(c.deep), stone = rgb(c.solid);
        const image = new ImageData(sim.nx, sim.ny);
        for (let j = 0; j < sim.ny; ++j)
            for (let i = 0; i < sim.nx; ++i) {
                const at = 4 * (j * sim.nx + i), to = 4 * ((sim.ny - 1 - j) * sim.nx + i);
                const water = Math.min(1, Math.max(0, 0.5 - sim.packed[at])), solid = Math.min(1, Math.max(0, 0.5 - sim.packed[at + 2]));
                const light = Math.min(1, Math.max(0, sim.packed[at + 1]));
                const [shown, over] = plainOverlay(look, sim.packed[at + 3], sim.packed[at]);
                for (let k = 0; k < 3; ++k) {
                    let x = air[k] + water * (far[k] + light * (near[k] - far[k]) - air[k]);
                    x += 0.7 * shown * (over[k] - x);
                    image.data[to + k] = 255 * (x + solid * (stone[k] - x));
                }
                image.data[to + 3] = 255;
            }
        const small = document.createElement('canvas');
        small.width = sim.nx;
        small.height = sim.ny;
        small.getContext('2d').putImageData(image, 0, 0);
        context.imageSmoothingEnabled = look.palette !== 'flat';
        context.drawImage(small, 0, 0, canvas.width, canvas.height);
    };
}

/** draw(sim, look): look has palette, overlay and the range of its values. */
export function pictureOn(canvas, plain) {
    const draw = (!plain && glPicture(canvas)) || plainPicture(canvas);
    draw.kind = plain ? 'canvas' : 'webgl2';
    return draw;
}

/** The largest value an overlay shows now: the 98th hundredth, so that one cell does not decide. */
export function rangeOf(sim, overlay) {
    const values = [];
    for (let i = 3; i < sim.packed.length; i += 4 * 7) values.push(Math.abs(sim.packed[i]));
    values.sort((a, b) => a - b);
    return Math.max(values[Math.floor(0.98 * values.length)] ?? 1, overlay === 'pressure' ? 10 : 1e-3);
}

/** A body that the water moves: one that turns shows it. */
function drawBody(context, body, [x, y, angle], to, size) {
    const [px, py] = to(x, y);
    context.save();
    context.translate(px, py);
    context.rotate(-angle);
    context.beginPath();
    if (body.kind === 'box') context.rect((-body.size[0] / 2) * size, (-body.size[1] / 2) * size, body.size[0] * size, body.size[1] * size);
    else context.arc(0, 0, body.radius * size, 0, 7);
    context.fillStyle = `hsl(30 65% ${Math.max(28, 72 - 22 * Math.log10(1 + body.density / 150))}%)`;
    context.fill();
    context.clip();
    const reach = size * (body.radius ?? Math.max(...body.size));
    context.strokeStyle = 'rgba(60,30,10,.35)';
    context.lineWidth = Math.max(1, reach * 0.07);
    context.beginPath();
    for (const part of [-0.55, 0, 0.55]) {
        context.moveTo(-reach, part * reach);
        context.lineTo(reach, part * reach);
    }
    context.stroke();
    context.restore();
}

/** What lies above the water: bodies, drops, bubbles, arrows. `to` turns metres into pixels. */
export function drawThings(context, sim, look, to, size, bodies) {
    const c = colours[look.palette];
    sim.bodies.forEach((place, i) => bodies[i] && drawBody(context, bodies[i], place, to, size));
    const f = sim.fragments;
    for (let i = 0; i < f.length; i += 6) {
        const [x, y] = to(f[i], f[i + 1]), r = Math.max(0.8, f[i + 2] * size);
        const speed = Math.hypot(f[i + 4], f[i + 5]), longer = f[i + 3] === 2 ? 1 : 1 + Math.min(1, 0.2 * speed);
        context.beginPath();
        context.ellipse(x, y, r * longer, r / longer, Math.atan2(-f[i + 5], f[i + 4]), 0, 7);
        if (f[i + 3] === 0) {
            context.fillStyle = c.shallow;
            context.fill();
        } else {
            context.fillStyle = f[i + 3] === 2 ? 'rgba(255,255,255,.75)' : c.sky[1];
            context.fill();
            context.strokeStyle = 'rgba(255,255,255,.7)';
            context.stroke();
        }
    }
    if (look.overlay !== 'velocity') return;
    const every = Math.max(1, Math.round(sim.nx / 32));
    const longest = Math.max(look.range, 1e-6);
    context.strokeStyle = look.palette === 'projector' ? '#000' : 'rgba(20,20,30,.75)';
    context.lineWidth = Math.max(1, size * sim.voxel * 0.12);
    context.beginPath();
    for (let j = every >> 1; j < sim.ny; j += every)
        for (let i = every >> 1; i < sim.nx; i += every) {
            const at = j * sim.nx + i, scale = (0.95 * every * sim.voxel) / longest;
            const x = (i + 0.5) * sim.voxel, y = (j + 0.5) * sim.voxel, u = sim.u[at] * scale, v = sim.v[at] * scale;
            if (Math.hypot(u, v) < 0.05 * every * sim.voxel) continue;
            const [ax, ay] = to(x - u / 2, y - v / 2), [bx, by] = to(x + u / 2, y + v / 2);
            const dx = (bx - ax) * 0.3, dy = (by - ay) * 0.3;
            context.moveTo(ax, ay);
            context.lineTo(bx, by);
            context.moveTo(bx - dx - dy * 0.6, by - dy + dx * 0.6);
            context.lineTo(bx, by);
            context.lineTo(bx - dx + dy * 0.6, by - dy - dx * 0.6);
        }
    context.stroke();
}
