// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/grid/field.h"
#include "spume/physics/foam/manifold.h"

namespace spume {

/// A liquid on tiles at one time.
template <int D>
struct SurfaceFields {
    double time = 0;
    CellField<double, D> phi;
    FaceField<double, D> velocity;
};

/// A surface that is known on tiles at both ends of a step: Φ and u are linear in space within a
/// cell and in time, the normal is that of central differences.
template <int D>
class GridSurface final : public MovingSurface<D> {
  public:
    using Reader = typename MovingSurface<D>::Reader;
    GridSurface(SurfaceFields<D> before, SurfaceFields<D> after);
    std::unique_ptr<Reader> reader() const override;

  private:
    class GridReader;
    SurfaceFields<D> before_, after_;
};

}  // namespace spume
