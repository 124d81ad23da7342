// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/physics/domain/solids.h"
#include "spume/surface/level_set.h"

namespace spume {

template <int D>
struct Viscosity {
    double dt = 0, density = 1000, viscosity = 0;  ///< dynamic, Pa·s
    bool no_slip_box = false;                      ///< the walls of the box hold the liquid
    FaceField<double, D>
        inverse_density_ratio{};  ///< `density` over that on faces; without tiles: 1
};

/// Implicit viscosity with a free surface: the velocity that minimises
///
///   ½ ∫ ρ |u − u*|²  +  Δt μ ∫ D(u) : D(u),   D = ½ (∇u + ∇uᵀ)
///
/// over the liquid [BB08] Eq. 6. Its natural boundary is a surface without traction; no-slip solids
/// enter as prescribed velocities. `fraction` is the liquid's part of each cell, `no_slip` says it
/// of each body. With M the faces' masses and K the squares of strains,
///
///   (M + K) u = M u* + b,   b from prescribed velocities
///
/// is made ready once, for several right sides. Vectors hold one value for each face with liquid.
template <int D>
class ViscousSystem {
  public:
    ViscousSystem(const CellField<float, D>& fraction, const CutCells<D>& open,
                  const PlacedSolids<D>& bodies, std::span<const std::uint8_t> no_slip,
                  const GridDomain<D>& domain, const Viscosity<D>& viscosity, Context& context);
    ~ViscousSystem();
    ViscousSystem(const ViscousSystem&) = delete;
    ViscousSystem& operator=(const ViscousSystem&) = delete;

    int unknowns() const;
    std::vector<double> gather(const FaceField<double, D>& field) const;
    /// Values elsewhere stay.
    void scatter(const std::vector<double>& vector, FaceField<double, D>& field) const;

    /// u* in, u out. `at_rest`: as if all prescribed velocities were zero.
    SolveReport solve(std::vector<double>& u, double tolerance, bool at_rest,
                      Context& context) const;
    /// M⁻¹ K u: how much stress slows u down in a substep in which it does not change.
    std::vector<double> stress(const std::vector<double>& u, Context& context) const;
    /// (uᵀ M u)^½: faces that hold next to no liquid count for next to nothing.
    double norm(const std::vector<double>& u, Context& context) const;

  private:
    struct Matrix;
    FaceField<std::int32_t, D> number_;
    std::unique_ptr<Matrix> matrix_;
};

extern template class ViscousSystem<2>;
extern template class ViscousSystem<3>;

}  // namespace spume
