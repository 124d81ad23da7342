// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/solid_set.h"

#include "spume/core/error.h"

namespace spume {

template <int D>
SolidSet<D>::SolidSet(const std::vector<Solid>& solids, const MeshLibrary& meshes,
                      bool dynamic_too) {
    for (const Solid& solid : solids) {
        if (solid.motion == Motion::kDynamic && !dynamic_too)
            throw UserError(
                "solid \"" + solid.name + "\": motion \"dynamic\" is not part of this method",
                "use \"fixed\" or \"keyed\"");
        bodies_.push_back(moving_body<D>(solid, meshes));
    }
}

template <int D>
PlacedSolids<D> SolidSet<D>::at(double time) const {
    PlacedSolids<D> r;
    for (const auto& body : bodies_) r.placed.push_back(body.at(time));
    return r;
}

template class SolidSet<2>;
template class SolidSet<3>;

}  // namespace spume
