// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>
#include <vector>

#include "spume/physics/domain/solids.h"
#include "spume/solve/pressure.h"
#include "spume/surface/level_set.h"
#include "spume/surface/regions.h"

namespace spume {

// The pressure of a liquid with a free surface, and one unknown for the pressure of each trapped
// region of air, [GB17] Eqs. 4–8. On a face with open area A between liquid cells i and j, and on
// one between liquid cell i and air, where the surface lies at the fraction θ of the way
// [GFCK02]:
//
//   u = u* − (Δt / ρ h) (p_j − p_i)        u = u* − (Δt / ρ θ h) (p_s − p_i),   p_s = y_r + σκ
//
// y_r is zero in free air. Of a constrained region r it is unknown, and the region's row says that
// nothing leaves it through its liquid faces and its solid ones together, but for a wanted growth:
//
//   Σ_f w_f (y_r + σκ_f − p_i)  =  q_r − S_r + Σ_f A u*/h,     w_f = A Δt / (ρ θ h²)
//
// That is the second row of [GB17] Eq. 8 with the solid's flux S_r of Eq. 6; rows are in units of
// a cell's divergence. The row is solved for y_r, which leaves a symmetric positive definite matrix
// in the liquid's pressures with one low-rank term a region: nothing dense is ever stored. The
// unknowns are p Δt / (ρ₀ h²), which makes the coefficient of a face its open area, times ρ₀/ρ
// where liquids of several densities meet: floats hold it.

/// One face between a liquid cell and air.
struct SurfaceFace {
    std::uint32_t cell = 0;    ///< place of the liquid cell
    std::uint32_t face = 0;    ///< place of the face in its component
    std::int32_t region = -1;  ///< of the air beyond; −1: outside the box
    std::int32_t side = 0;     ///< axis · 2 + 1 when the air is above, + 0 when below
    double theta = 1;          ///< where the surface lies on the way to the air
    double jump = 0;           ///< σκ there, Pa

    int axis() const { return side / 2; }
    double sign() const { return side % 2 ? 1 : -1; }
};

/// What the pressure of a region obeys.
struct RegionRow {
    bool constrained = false;  ///< its pressure is an unknown; otherwise zero
    double growth = 0;         ///< wanted change of volume, m³/s (2D: m²/s)
    double stiffness = 0;      ///< −dp/dV of an equation of state, Pa/m³; 0: volume is fixed
    double pressure = 0;       ///< with stiffness: at the begin of the substep
};

/// The liquid on the grid and what bounds it: solids, and the air beyond its surface.
template <int D>
struct FreeSurface {
    const CellField<std::uint8_t, D>& phase;
    const CutCells<D>& open;
    std::span<const SurfaceFace> faces;
};

/// The air regions of a solve, in the order of their numbers.
struct RegionRows {
    std::span<const RegionRow> rows;
    std::span<const double> solid_flux{};  ///< S_r by moving solids; empty: none

    bool is_unknown(int region) const {
        return region >= 0 && rows[std::size_t(region)].constrained;
    }
};

template <int D>
struct LiquidForces {
    double dt = 0, density = 1000;                 ///< density: ρ₀
    FaceField<double, D> inverse_density_ratio{};  ///< ρ₀/ρ; without tiles: one density
    CellField<float, D> growth{};                  ///< wanted divergence, 1/s; without tiles: none

    /// ρ₀/ρ on a face.
    double inverse_density_ratio_at(int axis, std::size_t face) const {
        return inverse_density_ratio.tiles() ? inverse_density_ratio.read(axis)[face] : 1.0;
    }
};

/// Solid where nothing is open, liquid where the level set is negative, air elsewhere.
template <int D>
CellField<std::uint8_t, D> phases_of(const LevelSet<D>& phi, const CutCells<D>& open,
                                     Context& context);

/// All surface faces, along the tiles. `curvature` in 1/m at cell centres, or without tiles.
template <int D>
std::vector<SurfaceFace> surface_faces(const LevelSet<D>& phi,
                                       const CellField<std::uint8_t, D>& phase,
                                       const FaceField<float, D>& area,
                                       const CellField<std::int32_t, D>& region,
                                       const CellField<double, D>& curvature, double tension,
                                       Context& context);

/// Which rows to solve for: every region but those that reach the outside, and of each compartment
/// that no free region shares one more is left out, that with the largest liquid surface, since the
/// others imply it ([GB17] §4.2). `dropped` names those.
template <int D>
std::vector<RegionRow> constrained_rows(const AirRegions<D>& regions,
                                        std::span<const SurfaceFace> faces,
                                        const FaceField<float, D>& area, std::vector<int>& dropped);

/// Rate at which moving solids widen each region, in cells a second: S_r, of [GB17] Eq. 6.
template <int D>
std::vector<double> solid_fluxes(const AirRegions<D>& regions, const CutCells<D>& open,
                                 Context& context);

template <int D>
class RigidCoupling;

/// The system with the regions' rows eliminated, in unknowns x = p · scale. `weight` is A ρ₀/(ρ θ)
/// of each surface face; a region's own x is (Σ weight x + offset) / sum over its faces.
template <int D>
struct BubbleSystem {
    struct Row {
        double sum = 0, offset = 0;
    };
    PressureSystem<D> system;
    double scale = 1;  ///< Δt / (ρ₀ h²)
    std::vector<double> weight;
    std::vector<Row> rows;
};
/// With `same_matrix` the right-hand side only, for a solver that has the rest.
template <int D>
BubbleSystem<D> bubble_system(const FaceField<double, D>& velocity, const FreeSurface<D>& surface,
                              const RegionRows& regions, const LiquidForces<D>& forces,
                              Context& context, RigidCoupling<D>* rigid = nullptr,
                              bool same_matrix = false);

struct BubbleSolve {
    SolveReport solve;
    double divergence = 0;         ///< largest |∇·u − wanted| Δt of a liquid cell
    std::vector<double> pressure;  ///< of each region, Pa
    std::vector<double> flux;      ///< volume into each region through its liquid faces, m³/s
};

/// Makes the velocity divergence free and volume preserving. `pressure`: first guess in, solution
/// out. `valid` becomes 1 on the faces that got a value. Bodies in `rigid` get their new velocities
/// in the same solve, and the surface's `open` with them.
template <int D>
BubbleSolve project(FaceField<double, D>& velocity, CellField<double, D>& pressure,
                    FaceField<std::uint8_t, D>& valid, const FreeSurface<D>& surface,
                    const RegionRows& regions, const LiquidForces<D>& forces,
                    PressureSolver<D>& solver, const SolverOptions& options, Context& context,
                    RigidCoupling<D>* rigid = nullptr);

}  // namespace spume
