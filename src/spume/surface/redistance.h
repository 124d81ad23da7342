// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/surface/parting.h"

namespace spume {

/// The signed distance to the zero surface of `phi`, negative where `phi` is, cut at ±band. Only
/// `phi` beside its zeros counts, and it need be no distance, but smooth there.
///
/// Cells beside the surface get |φ| / |∇φ| (second order); from there |∇φ| = 1 is solved outwards,
/// upwind, exact for planes and of first order elsewhere. Sweeps are simultaneous and only ever
/// lower a value: equal bits for any number of threads. Where no tile is active nothing is known;
/// no surface is seen there, and none through walls that part. Cells marked in `kept` hold a
/// distance already and keep it; the others start from them.
template <class T, int D>
CellField<T, D> redistanced(const CellField<T, D>& phi, double band, Context& context,
                            const Parting<D>* parting = nullptr,
                            const CellField<std::uint8_t, D>* kept = nullptr);

}  // namespace spume
