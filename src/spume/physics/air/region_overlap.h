// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>

#include "spume/core/context.h"
#include "spume/grid/field.h"
#include "spume/particles/clamp.h"
#include "spume/physics/motion/carrier.h"

namespace spume {

/// A region of air found now and one found before; −1: the cell held none, or was not stored.
struct Overlap {
    std::int32_t now, before;
};
inline bool operator<(const Overlap& a, const Overlap& b) {
    return a.now != b.now ? a.now < b.now : a.before < b.before;
}

/// Cells of each region by the region before from which the carrier has moved them: that at the
/// place x − Δt u(x) − d(x), or where that is no air, at the cell itself. Labels are −1 where there
/// is no air.
template <int D>
std::map<Overlap, double> overlaps(const CellField<std::int32_t, D>& before,
                                   const CellField<std::int32_t, D>& now, const Carrier<D>& carrier,
                                   const Clamp<D>& clamp, double dt, Context& context);

}  // namespace spume
