// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/particles/liquid.h"
#include "spume/particles/transfer.h"

namespace spume {

/// How velocity goes between particles and faces.
enum class Transfer { kFlip, kApic };

/// u_τ = Σ_q w_qτ m_q (v_q + C_q (x_τ − x_q)) / Σ_q w_qτ m_q, with C = 0 for kFlip [BR86]; affine
/// otherwise [JSSTS15] Eq. 9; m_q is the relative density. `valid` becomes 1 on faces that a
/// particle reaches; others get zero.
template <int D>
void particles_to_faces(const Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                        Transfer transfer, FaceField<double, D>& velocity,
                        FaceField<std::uint8_t, D>& valid, Context& context);

/// The same, and what faces_to_particles writes without reading is handed over to the faces: with
/// kApic the particles have neither velocity nor gradient until then, 60 of their 96 bytes in 3D.
template <int D>
void move_velocity_to_faces(Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                            Transfer transfer, FaceField<double, D>& velocity,
                            FaceField<std::uint8_t, D>& valid, Context& context);

/// ρ₀ over the density of the liquid on faces, Σ_q w_qτ / Σ_q w_qτ m_q; continued by two faces
/// beyond the particles' reach, 1 farther away.
template <int D>
FaceField<double, D> inverse_density_ratio_of(const Liquid<D>& liquid, const TileRanges<D>& ranges,
                                              const Clamp<D>& clamp, Context& context);

/// kFlip: v ← ϕ (v + (u − u_before)(x)) + (1 − ϕ) u(x), ϕ the share of FLIP. kApic: v ← u(x), and C
/// the gradient of the interpolated u, [JSSTS15] Eq. 14 for multilinear weights.
template <int D>
void faces_to_particles(Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                        const FaceField<double, D>& before, const FaceField<double, D>& after,
                        Transfer transfer, double flip, Context& context);

}  // namespace spume
