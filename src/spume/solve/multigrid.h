// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/solve/face_operator.h"
#include "spume/solve/level_rows.h"
#include "spume/solve/smoother.h"

namespace spume {

/// One level: coefficients and vectors in float, flat by tile, then a tile of zeros.
template <int D>
struct MultigridLevel {
    const LevelTiles<D>* tiles = nullptr;
    std::vector<int> live;
    std::vector<std::uint8_t> is_live;  ///< per tile, and 0 for the tile of zeros
    std::vector<float> uniform;         ///< per tile: coefficient of all its faces, or 0
    std::vector<int> twin;              ///< per tile: the first with the same uniform coefficient
    Array<float> faces, inverse;
    Array<float> extra;        ///< diagonal beyond the faces; not kept on the finest level
    Array<float> b, z;         ///< z = M b
    Array<float> kept_b, sum;  ///< of a second visit; not on the finest level
    LevelRows<D> rows;         ///< bubbles that are one unknown each
    Array<float> down_in;      ///< in-boxes: 2·D faces of coarse cells per tile
    Array<float> up_in;        ///< 2·D faces of cells per tile

    SmootherView<D> view() const {
        return {faces.data(), uniform.data(), inverse.data(), twin.data(), b.data()};
    }
    void find_twins();
    std::size_t bytes() const;
};

/// A symmetric positive definite approximation of the inverse of a FaceOperator: one multigrid
/// cycle in float. Cell-centred coarsening by two; coarse coefficients are about half the sum of
/// the fine ones they replace, which makes smooth errors come out right under piecewise constant
/// transfer.
template <int D>
class Multigrid {
  public:
    /// Work space for these tiles. The levels must stay where they are.
    void prepare(const std::vector<LevelTiles<D>>& levels);
    /// Takes over the coefficients of the operator, until released so that it can change them.
    void assign(const FaceOperator<D>& op, Context& context);
    void release() { levels_[0].faces = {}; }
    /// z = M b on the finest level; returns b · z. Each tile of z is complete once finished.
    double apply(Context& context);
    /// Adds what the neighbours left for the tile, once after each apply, and returns its z.
    const float* finish(int tile) { return add_inbox(levels_[0], tile); }

    float* b() { return levels_[0].b.write().data(); }
    const float* inverse() const { return levels_[0].inverse.data(); }
    std::size_t bytes() const;

  private:
    void choose_visits();
    int wanted_visits() const;
    void coarsen(std::size_t to, Context& context);
    void invert_coarsest();
    double cycle(std::size_t level, Context& context);
    void down(std::size_t level, Context& context);
    double up(std::size_t level, Context& context);
    static const float* add_inbox(MultigridLevel<D>& level, int tile);
    void again(std::size_t level, Context& context);
    void begin_rows(std::size_t level, Context& context);
    void end_rows(std::size_t level, Context& context);
    void solve_coarsest();

    std::vector<MultigridLevel<D>> levels_;
    std::vector<int> visits_;  // of each level for one of the next finer
    float face_share_ = 0,
          dirichlet_share_ = 0;        // of sums of coefficients, on the next coarser level
    std::vector<int> last_cells_;      // unknowns of the coarsest level
    std::vector<float> last_inverse_;  // its pseudo-inverse, dense
};

extern template class Multigrid<2>;
extern template class Multigrid<3>;

}  // namespace spume
