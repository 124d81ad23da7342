// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/grid/field.h"

namespace spume {

/// What a cell is to the pressure system.
enum CellKind : std::uint8_t {
    kNoCell = 0,         ///< solid or outside: no unknown, no flux through its faces
    kFluidCell = 1,      ///< unknown
    kDirichletCell = 2,  ///< value known, in PressureSystem::known
};

/// scale · w wᵀ added to the matrix, w sparse. A rigid body is up to six of them with positive
/// scale; a bubble that is one unknown y with coefficients w_i to the cells around it is, with y
/// eliminated, the weights on diagonal_extra and one term of scale −1 / (sum of w). The sum must
/// stay positive semidefinite.
struct LowRankTerm {
    double scale = 0;
    std::vector<std::size_t> cells;  ///< places in a cell field's flat storage
    std::vector<double> weights;
};

/// A x = b on the fluid cells of the active tiles:
///
///   sum over faces of c_f (x_i − x_j)  +  e_i x_i  +  sum over terms of s w_i (w · x)  =  b_i
///
/// x_j is an unknown, or `known` in a Dirichlet cell; faces towards kNoCell and towards tiles that
/// are not active are closed. A Dirichlet value g beyond those, or at a fraction θ of the way to a
/// neighbour, goes into e and b: see add_dirichlet. The operator uses the coefficients bit for bit,
/// so a projection that takes the same c_f (x_i − x_j) is divergence free down to the residual.
/// Coefficients that are floats, stored as doubles, make the solve faster and smaller.
template <int D>
struct PressureSystem {
    PressureSystem() = default;
    explicit PressureSystem(typename Tiles<D>::Ptr over)
        : tiles(over), kind(over), coefficient(over), rhs(over) {}

    typename Tiles<D>::Ptr tiles;
    CellField<std::uint8_t, D> kind;   ///< CellKind
    FaceField<double, D> coefficient;  ///< c_f ≥ 0: open area · dt / (density · …); 0 closes
    CellField<double, D> rhs;          ///< b, read in fluid cells only
    CellField<double, D> known;        ///< read in Dirichlet cells; no tiles: all zero
    CellField<double, D> diagonal_extra;  ///< e ≥ 0; no tiles: all zero
    std::vector<LowRankTerm> low_rank;

    /// The fluid cell sees the value g through a coefficient c, besides its faces.
    void add_dirichlet(int tile, int offset, double c, double g);
};

/// Stands for the matrix of one solve; null for that of none.
using MatrixTag = std::shared_ptr<const void>;

struct SolverOptions {
    /// ‖b − A x‖₂ / ‖b‖₂ at which to stop; 1e-5 is what liquid solvers of this field use.
    double tolerance = 1e-5;
    int max_iterations = 200;
    /// Kinds, coefficients, diagonal and terms are those of the solver's last system, and only
    /// kinds and right-hand side are read: saves setting up, and changes no bit. The rest may be
    /// missing.
    bool same_matrix = false;
};

template <int D>
struct LevelTiles;

/// The topology of the multigrid hierarchy over a tile set: which tiles its levels have. Kept while
/// the tiles stay the same; small beside the values that a solver holds.
template <int D>
class MultigridTopology {
  public:
    using Levels = std::shared_ptr<const std::vector<LevelTiles<D>>>;
    /// Finest first.
    Levels over(const typename Tiles<D>::Ptr& tiles);

  private:
    typename Tiles<D>::Ptr tiles_;
    Levels levels_;
};

/// Conjugate gradients in double with a multigrid preconditioner in float. Keeps the multigrid
/// hierarchy and its work space while the tiles stay the same; coefficients are read anew each
/// solve. A solve is a pure function of the system, x and the options: nothing kept changes it.
/// One that is made for a few solves takes the topology from where it is kept, and needs it there.
template <int D>
class PressureSolver {
  public:
    PressureSolver();
    explicit PressureSolver(MultigridTopology<D>& topology);
    ~PressureSolver();
    PressureSolver(PressureSolver&&) noexcept;
    PressureSolver& operator=(PressureSolver&&) noexcept;

    /// x: first guess in, solution out; zero in cells without unknown. On connected parts without
    /// any Dirichlet value the mean of b is removed (SolveReport::removed) and x has mean zero,
    /// weighted by the diagonal.
    /// Never throws for numerical reasons: the report says how it ended.
    SolveReport solve(const PressureSystem<D>& system, CellField<double, D>& x,
                      const SolverOptions& options, Context& context);

    /// The matrix it holds; another one, or null, once it has been set up anew or given up.
    MatrixTag matrix() const;

    /// Bytes held for the last system.
    std::size_t bytes() const;

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template struct PressureSystem<2>;
extern template struct PressureSystem<3>;
extern template class MultigridTopology<2>;
extern template class MultigridTopology<3>;
extern template class PressureSolver<2>;
extern template class PressureSolver<3>;

}  // namespace spume
