// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// Lessons: a set-up, questions, and answers for teachers.

export const lessons = [
    {
        title: 'How long does it slosh?',
        scene: 'sloshing',
        text: 'Let the tilted surface go. Use the stopwatch: start it when the water is highest on the left, stop it when it is there again.',
        questions: ['Is the period longer in a deeper or in a shallower tank?', 'Does gravity change it? Does density?', 'Compare with the theory line below the plots.'],
        answers: 'T = 2π / √(g k tanh k d) with k = π / width: shorter in deep water, shorter with more gravity, independent of density. Linear theory; the large first wave is a few per cent slower.',
    },
    {
        title: 'What does a scheme lose?',
        scene: 'dam_break',
        compare: { advection: 'linear' },
        text: 'The same dam break twice: CIP on the left, linear interpolation on the right.',
        questions: ['Which side keeps its small waves?', 'Which kinetic energy falls faster? Why, though nothing is viscous?', 'Switch volume compensation off. Which side loses water?'],
        answers: 'Each linear interpolation averages neighbours: that is diffusion of about h²/Δt · c(1−c)/2, called numerical viscosity. CIP carries slopes too and is of third order.',
    },
    {
        title: 'Why does a bottle glug?',
        scene: 'glug',
        text: 'Water leaves the upper room through a neck. Watch the pressure.',
        overlay: 'pressure',
        questions: ['Why does the stream stop again and again?', 'Make air as light as the solver allows. Does it glug slower?', 'Draw a second hole with the wall eraser. What changes?'],
        answers: 'Both fluids are incompressible: each volume of water that leaves must be replaced by air through the same neck. With a second hole one carries water, the other air.',
    },
    {
        title: 'What does pressure do?',
        scene: 'drops',
        text: 'Open the tab with the stages and take a step apart. Then switch the pressure off.',
        tab: 'stages',
        questions: ['Where is the divergence before the projection, and where after it?', 'What happens to the volume of the water without pressure?'],
        answers: 'Gravity speeds up all faces alike, which is divergence at the floor and at free surfaces; the projection removes it. Without it the level set is squeezed into the floor; the compensation then lifts the whole surface.',
    },
    {
        title: 'Heavy above light',
        scene: 'rayleigh_taylor',
        text: 'Three times as heavy on top. The bulge grows, first exponentially.',
        overlay: 'vorticity',
        questions: ['Where is vorticity made?', 'Equal densities: what happens?', 'Does viscosity delay the mushroom?'],
        answers: 'At the surface, where ∇ρ × ∇p ≠ 0. Growth rate √(A g k) with A = (ρ₁ − ρ₂)/(ρ₁ + ρ₂). Viscosity damps short waves most.',
    },
    {
        title: 'A square wave, a thousand steps',
        tab: 'lab',
        scene: 'dam_break',
        text: 'The 1D lab: carry the square wave 100 steps with each scheme.',
        questions: ['Which schemes overshoot?', 'What is left of it with linear interpolation?', 'Two points: drag the slopes until the cubic is no longer monotone. What does the limiter do?'],
        answers: 'Plain CIP overshoots by about 5 %. The limiter brings both slopes into the region of Fig. 7: a² + ab + b² − 6(a+b) + 9 ≤ 0 in units of the rise.',
    },
];

/** Stages of the step: equation and source. */
export const stageNotes = [
    ['∂φ/∂t + u·∇φ = 0,  φ ← φ(X),  ∇φ ← Jᵀ∇φ(X)   [SSK05] Eqs. 3–6', 'step.cpp · carry(s.phi, …)', 'phi'],
    ['∂φ/∂τ + sgn φ (|∇φ| − 1) = 0   Eqs. 18–19', 'step.cpp · redistance(s.phi.f, …)', 'phi'],
    ['regions of a cell or two become balls   §5.1, Eq. 14', 'find_fragments.cpp · find_fragments(s, …)', 'phi'],
    ['∂u/∂t + u·∇u = 0,  u ← u(X)   Eq. 2', 'advect.cpp · advect_velocity(s, …)', 'speed'],
    ['ρ ∂u/∂t = ∇·(2 μ D(u))   §4.3', 'viscosity.cpp · add_viscosity(s, …)', 'speed'],
    ['u ← u + Δt (g + σ κ ∇H / ρ)   Eqs. 7–9', 'forces.cpp · add_forces(s, …)', 'divergence'],
    ['∇·(∇p/ρ) = ∇·u/Δt,  u ← u − Δt ∇p/ρ   Eqs. 10–13', 'project.cpp · project(s, …)', 'divergence'],
    ['m dv/dt = drag + buoyancy;  φ ← φ ∪ ball   Eqs. 16–17', 'move_fragments.cpp · restitute.cpp', 'phi'],
    ['φ ← φ − ΔV / S   Eqs. 20–22', 'phases.cpp · compensate(phi, …)', 'phi'],
];
