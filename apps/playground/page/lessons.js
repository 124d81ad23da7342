// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Lessons and the stages of a step. What they say stands with the other words.

/** Set-ups by name: the scene, and what is open. */
export const lessons = {
    slosh: { scene: 'sloshing' },
    schemes: { scene: 'dam_break', compare: { advection: 'linear' } },
    glug: { scene: 'glug', overlay: 'pressure' },
    pressure: { scene: 'drops', tab: 'stages' },
    heavy: { scene: 'rayleigh_taylor', overlay: 'vorticity' },
    square: { scene: 'dam_break', tab: 'lab' },
    float: { scene: 'pool' },
    resolution: { scene: 'drops', compare: { divisions: 48 } },
};

/** Stages of the step: equation, file of the method, text of the line that does it, field. */
export const stageNotes = [
    ['∂φ/∂t + u·∇φ = 0,  φ ← φ(X),  ∇φ ← Jᵀ∇φ(X)   [SSK05] Eqs. 3–6', 'step.cpp', 'carry_surface(s, w, p, dt, context)', 'phi'],
    ['∂φ/∂τ + sgn φ (|∇φ| − 1) = 0   Eqs. 18–19', 'step.cpp', 'redistance(s.phi.f,', 'phi'],
    ['regions of a cell or two become balls   §5.1, Eq. 14', 'step.cpp', 'find_fragments(s, solids.dense, w, p, context)', 'phi'],
    ['∂u/∂t + u·∇u = 0,  u ← u(X)   Eq. 2', 'step.cpp', 'advect_velocity(s, phi_before', 'speed'],
    ['ρ ∂u/∂t = ∇·(2 μ D(u))   §4.3', 'step.cpp', 'add_viscosity(s, phases', 'speed'],
    ['u ← u + Δt (g + σ κ ∇H / ρ)   Eqs. 7–9', 'step.cpp', 'add_forces(s, phases', 'divergence'],
    ['∇·(∇p/ρ) = ∇·u/Δt,  u ← u − Δt ∇p/ρ   Eqs. 10–13', 'step.cpp', 'project_with_bodies(s, phases', 'divergence'],
    ['m dv/dt = drag + buoyancy;  φ ← φ ∪ ball   Eqs. 16–17', 'step.cpp', 'move_fragments(s, phases', 'phi'],
    ['φ ← φ − ΔV / S   Eqs. 20–22', 'step.cpp', 'keep_volume(s, p, w, solids', 'phi'],
];
