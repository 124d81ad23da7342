// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/physics/bulk/bulk.h"

namespace spume {

template <int D>
CellField<double, D> Bulk<D>::volume(const std::string& name, const typename Tiles<D>::Ptr&, double,
                                     Context&) const {
    throw UserError(fmt::format("the bulk has no volume '{}'", name),
                    "leave emission.mask out, or use a bulk of kind = \"cache\"");
}

template CellField<double, 2> Bulk<2>::volume(const std::string&, const Tiles<2>::Ptr&, double,
                                              Context&) const;
template CellField<double, 3> Bulk<3>::volume(const std::string&, const Tiles<3>::Ptr&, double,
                                              Context&) const;

}  // namespace spume
