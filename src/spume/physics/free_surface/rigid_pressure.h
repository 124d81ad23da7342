// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "spume/physics/free_surface/bubble_pressure.h"
#include "spume/physics/free_surface/rigid.h"

namespace spume {

// Free bodies in the pressure system, [BBB07] §5, with the regions of air around them ([GB17] §4.1
// says they could be). A body's velocity V (three numbers in 2D, six in 3D) moves the closed part
// 1 − A of a face at r from its centre with J_f V, J_f = (e_a, r × e_a); its pressures push with
//
//   M (V − V*) = Δt h^(D−1) K z,     K_i = Σ over sides of cell i of ± (1 − A_f) J_f
//
// where z holds the pressure p of every liquid cell and y of every air cell's region. The same K
// carries V into the divergence, so that Kᵀ M⁻¹ K joins the symmetric matrix as one term of low
// rank a degree of freedom. With κ = sqrt(ρ h^D) L⁻¹ K, M = L Lᵀ, and the rows of the regions,
// S y − Wᵀ p + κ_yᵀ v = c, solved for y as in bubble_pressure.h, what is left of v = κ_p p + κ_y y
// is
//
//   G v = (κ_p + κ_y S⁻¹ Wᵀ) p + κ_y S⁻¹ c,     G = 1 + κ_y S⁻¹ κ_yᵀ
//
// and the terms are the rows of C⁻¹ (κ_p + κ_y S⁻¹ Wᵀ) with G = C Cᵀ: all of scale one.

template <int D>
class RigidCoupling {
  public:
    static constexpr int kFreedoms = D == 2 ? 3 : 6;
    using Freedoms = std::array<double, std::size_t(kFreedoms)>;
    /// Is this point's velocity prescribed by something else, such as a source?
    using Prescribed = std::function<bool(const Point<D>&)>;

    /// Finds the faces that the bodies close. `open` gets their velocities, now and after finish().
    RigidCoupling(const RigidSet<D>& set, std::span<RigidState> states,
                  const PlacedSolids<D>& solids, const GridDomain<D>& domain, CutCells<D>& open,
                  const CellField<std::uint8_t, D>& phase, const CellField<std::int32_t, D>& region,
                  std::size_t regions, const Prescribed& prescribed, Context& context);

    /// Adds the terms to a system whose regions are eliminated already.
    void add_to(BubbleSystem<D>& bubbles, std::span<const SurfaceFace> faces,
                std::span<const RegionRow> rows, double density);
    /// From the solution x: the bodies' new velocities, and what they change in the regions' y.
    void finish(const double* x, std::span<double> inside);
    /// Writes the bodies' velocities on the faces they close.
    void write_velocities();

  private:
    struct Face {
        int axis;
        std::size_t face, below, above;  ///< places; cells without pressure: kNone
        int body;
        double closed;
        Freedoms lever;
    };
    struct Row {  ///< sparse, cells ascending
        std::vector<std::size_t> cells;
        std::vector<double> weights;
    };
    static constexpr std::size_t kNone = ~std::size_t(0);

    void find_faces(const PlacedSolids<D>& solids, const GridDomain<D>& domain,
                    const Prescribed& prescribed, Context& context);
    void factor_masses(double density);
    Freedoms eased(std::size_t body, const Freedoms& k) const;  ///< sqrt(ρ h^D) L⁻¹ k
    void gather();
    void couple(BubbleSystem<D>& bubbles, std::span<const SurfaceFace> faces,
                std::span<const RegionRow> rows);

    const RigidSet<D>& set_;
    std::span<RigidState> states_;
    CutCells<D>& open_;
    const CellField<std::uint8_t, D>& phase_;
    const CellField<std::int32_t, D>& region_;
    std::size_t regions_;
    double voxel_ = 1;
    std::vector<Face> faces_;
    std::vector<Tensor> inertia_root_;  ///< lower Cholesky factor of each body's inertia
    double root_density_ = 1;           ///< sqrt(ρ h^D)
    std::vector<Row> terms_;
    std::vector<std::vector<double>> to_region_;  ///< κ_y: by freedom, then region
    std::vector<double> region_sum_;              ///< S; 0: not an unknown
    std::vector<double> factor_;                  ///< C, dense
    std::vector<double> constant_;                ///< C⁻¹ κ_y S⁻¹ c
};

extern template class RigidCoupling<2>;
extern template class RigidCoupling<3>;

}  // namespace spume
