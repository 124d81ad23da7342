// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/solve/dense.h"
#include "spume/solve/multigrid.h"

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;
template <int D>
using C = CoarseRows<D>;

/// Half the sum is what the distance of coarse cells asks for; a little more saves every ninth
/// iteration where coefficients are alike, and costs some where they jump. Dirichlet values keep
/// their place while cells grow: between what the distance to the next coarse centre (1/2) and to
/// the old neighbour (2/3) would give, and again a little more.
struct Shares {
    float faces, dirichlet;
};
constexpr Shares kPlainShares{0.6f, 0.7f}, kCarefulShares{0.5f, 0.6f};
constexpr double kPlainContrast = 30;

template <int D>
void clear_dead(MultigridLevel<D>& l) {
    l.is_live.assign(std::size_t(l.tiles->count) + 1, 0);
    for (const int t : l.live) l.is_live[std::size_t(t)] = 1;
    float *inverse = l.inverse.write().data(), *b = l.b.write().data(), *z = l.z.write().data();
    for (int t = 0; t < l.tiles->count; ++t) {
        if (l.is_live[std::size_t(t)]) continue;
        const std::size_t at = std::size_t(t) * kTileCells<D>, size = sizeof(float) * kTileCells<D>;
        std::memset(inverse + at, 0, size);
        std::memset(b + at, 0, size);
        std::memset(z + at, 0, size);
    }
}

/// The fine coefficients of one child on the faces of the coarse tile it covers.
template <int D>
void coarsen_faces(const float* fine, int part, float share, float* coarse) {
    constexpr int kHalf = C<D>::kSide, kSide = R<D>::kSide;
    // Distances in a face block along each axis, for the axis the faces are across.
    const auto stride = [](int across, int along) {
        int s = 1;
        for (int b = D - 1; b > along; --b) s *= b == across ? kSide + 1 : kSide;
        return s;
    };
    for (int a = 0; a < D; ++a) {
        const int first = a == 0 ? 1 : 0, second = a == D - 1 ? D - 2 : D - 1;  // first < second
        const int sa = stride(a, a), s1 = stride(a, second), s2 = D == 2 ? 0 : stride(a, first);
        const float* from = fine + a * R<D>::kFaceBlock;
        float* to = coarse + a * R<D>::kFaceBlock;
        for (int other = 0; other < D; ++other)
            to += (part >> other & 1) * kHalf * stride(a, other);
        for (int layer = 0; layer <= kHalf; ++layer)
            for (int j = 0; j < (D == 2 ? 1 : kHalf); ++j)
                for (int k = 0; k < kHalf; ++k) {
                    const float* f = from + 2 * (layer * sa + j * s2 + k * s1);
                    float sum = f[0] + f[s1];
                    if constexpr (D == 3) sum += f[s2] + f[s1 + s2];
                    to[layer * sa + j * s2 + k * s1] = share * sum;
                }
    }
}

template <int D>
void coarsen_extra(const float* fine, int part, float share, float* coarse) {
    for (int o = 0; o < kTileCells<D>; ++o) {
        const Index<D> c = tile_local<D>(o);
        Index<D> to{};
        for (int a = 0; a < D; ++a) to[a] = c[a] / 2 + (part >> a & 1) * C<D>::kSide;
        coarse[tile_offset<D>(to)] += share * fine[o];
    }
}

template <int D>
void invert_diagonal(const float* faces, const float* extra, float* inverse) {
    for (int r = 0; r < R<D>::kRows; ++r)
        for (int k = 0; k < R<D>::kSide; ++k) {
            float d = extra[r * R<D>::kSide + k];
            for (int a = 0; a < D; ++a) {
                const float* lower = faces + R<D>::face_row(a, r) + k;
                d += lower[0] + lower[R<D>::face_step(a)];
            }
            inverse[r * R<D>::kSide + k] = d > 0 ? 1 / d : 0.0f;
        }
}

/// The coefficient all faces of a coarse tile get, or 0 if they are not the same.
template <int D>
float coarsen_uniform(const MultigridLevel<D>& fine, const int* children, float share) {
    for (int p = 0; p < (1 << D); ++p)
        if (children[p] < 0 ||
            fine.uniform[std::size_t(children[p])] != fine.uniform[std::size_t(children[0])])
            return 0;
    return share * (fine.uniform[std::size_t(children[0])] * float(1 << (D - 1)));
}

/// Extra diagonals and bubbles, these eliminated: D + diag(w) − w wᵀ/σ. A diagonal that is nothing
/// but weights must cancel to the last bit where bubbles float in closed walls, and its sum in
/// float does not: less than its rounding counts as nothing.
template <int D>
void add_extra_and_rows(const MultigridLevel<D>& l, const std::vector<int>& number,
                        DenseMatrix& matrix) {
    constexpr double kRounding = 1e-5;
    std::vector<double> weights(kTileCells<D>, 0.0);
    std::vector<std::vector<std::pair<std::size_t, double>>> cells(l.rows.count());
    for (const auto& e : l.rows.entries()) {
        if (number[std::size_t(e.offset)] < 0) continue;
        weights[std::size_t(e.offset)] += e.weight;
        cells[std::size_t(e.row)].emplace_back(std::size_t(number[std::size_t(e.offset)]),
                                               e.weight);
    }
    for (std::size_t o = 0; o < weights.size() && l.tiles->count > 0; ++o) {
        if (number[o] < 0) continue;
        const auto i = static_cast<std::size_t>(number[o]);
        const double extra = double(l.extra[o]), own = extra - weights[o];
        matrix(i, i) += weights[o] + (own > kRounding * extra ? own : 0.0);
    }
    for (std::size_t row = 0; row < cells.size(); ++row)
        for (const auto& [i, wi] : cells[row])
            for (const auto& [j, wj] : cells[row]) matrix(i, j) -= wi * wj / l.rows.sigma(row);
}

}  // namespace

/// Liquids have one density, so that remembering one coefficient is enough.
template <int D>
void MultigridLevel<D>::find_twins() {
    twin.resize(uniform.size());
    int first = -1;
    for (int t = 0; t < int(twin.size()); ++t) {
        const float c = uniform[std::size_t(t)];
        if (c > 0 && first < 0) first = t;
        twin[std::size_t(t)] = c > 0 && c == uniform[std::size_t(first)] ? first : t;
    }
}

template <int D>
void Multigrid<D>::assign(const FaceOperator<D>& op, Context& context) {
    MultigridLevel<D>& l = levels_[0];
    l.live = op.live;
    l.faces = op.narrow;  // shared, not copied
    l.uniform = op.uniform;
    l.find_twins();
    const Shares shares = op.contrast < kPlainContrast ? kPlainShares : kCarefulShares;
    face_share_ = shares.faces, dirichlet_share_ = shares.dirichlet;
    l.rows = LevelRows<D>::of(op);
    float* inverse = l.inverse.write().data();
    clear_dead(l);
    for_each_tile(context.arena, l.live, [&](int t) {
        float* out = inverse + std::size_t(t) * kTileCells<D>;
        if (op.uniform[std::size_t(t)] > 0) {
            std::fill_n(out, kTileCells<D>,
                        float(1 / (2 * D * double(op.uniform[std::size_t(t)]))));
            return;
        }
        double d[kTileCells<D>];
        op.diagonal(t, d);
        for (int o = 0; o < kTileCells<D>; ++o) out[o] = d[o] > 0 ? float(1 / d[o]) : 0.0f;
    });
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        MultigridLevel<D>& coarse = levels_[i];
        coarse.live.clear();
        for (int t = 0; t < coarse.tiles->count; ++t) {
            bool live = false;
            for (int p = 0; p < (1 << D); ++p) {
                const int child = coarse.tiles->children[(std::size_t(t) << D) + std::size_t(p)];
                live = live || (child >= 0 && levels_[i - 1].is_live[std::size_t(child)]);
            }
            if (live) coarse.live.push_back(t);
        }
        clear_dead(coarse);
        const MultigridLevel<D>& fine = levels_[i - 1];
        coarse.rows = fine.rows.empty() ? LevelRows<D>()
                                        : fine.rows.coarser(*fine.tiles, coarse.tiles->count,
                                                            double(dirichlet_share_));
        if (i > 1) {
            coarsen(i, context);
            continue;
        }
        // The finest level keeps its extra diagonal in the operator, where it is sparse.
        float* extra = coarse.extra.write().data();
        for_each_tile(context.arena, coarse.live, [&](int t) {
            float* e = extra + std::size_t(t) * kTileCells<D>;
            std::memset(e, 0, sizeof(float) * kTileCells<D>);
            for (int p = 0; p < (1 << D); ++p) {
                const int child = coarse.tiles->children[(std::size_t(t) << D) + std::size_t(p)];
                if (child < 0 || !l.is_live[std::size_t(child)] || !op.extra_of(child)) continue;
                float narrow[kTileCells<D>];
                for (int o = 0; o < kTileCells<D>; ++o) narrow[o] = float(op.extra_of(child)[o]);
                coarsen_extra<D>(narrow, p, dirichlet_share_, e);
            }
        });
        coarsen(i, context);
    }
    invert_coarsest();
    choose_visits();
}

/// Visits of levels past the first for each visit of the next finer one. Better coarse solutions
/// save iterations where coefficients jump: at 1000:1 four visits need 22 iterations, two need 34;
/// where they vary little they need the same. In 3D a level has an eighth of the cells of the next
/// finer one, so four visits cost but half as much; in 2D they would cost as much, and two do.
template <int D>
int Multigrid<D>::wanted_visits() const {
    if (D == 2 || levels_.size() < 3) return 2;
    const MultigridLevel<D>& l = levels_[2];
    float least = 0, most = 0;
    for (const int t : l.live)
        for (int i = 0; i < R<D>::kFaces; ++i) {
            const float c = l.faces[std::size_t(t) * R<D>::kFaces + std::size_t(i)];
            if (c <= 0) continue;
            least = least == 0 || c < least ? c : least;
            most = c > most ? c : most;
        }
    return most > 30 * least ? 4 : 2;
}

/// As many as wanted, while all visits of a level together cost no more than one of the finest and
/// a few tiles. Levels that scattered tiles do not thin out would cost twice the last each.
template <int D>
void Multigrid<D>::choose_visits() {
    constexpr double kFewTiles = 16;
    const int deep = wanted_visits();
    const double work = double(levels_[0].live.size()) + kFewTiles;
    visits_.assign(levels_.size(), 1);
    double times = 1;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
        const double once = times * double(levels_[i].live.size());
        const int most = i > 1 ? deep : 2;
        if (once > 0) visits_[i] = std::clamp(static_cast<int>(work / once), 1, most);
        times *= visits_[i];
    }
}

template <int D>
void Multigrid<D>::coarsen(std::size_t to, Context& context) {
    MultigridLevel<D>& fine = levels_[to - 1];
    MultigridLevel<D>& coarse = levels_[to];
    coarse.uniform.assign(std::size_t(coarse.tiles->count) + 1, 0.0f);
    float *faces = coarse.faces.write().data(), *extra = coarse.extra.write().data();
    float *inverse = coarse.inverse.write().data(), *b = coarse.b.write().data();
    for_each_tile(context.arena, coarse.live, [&](int t) {
        const std::size_t at = std::size_t(t) * kTileCells<D>;
        const int* children = coarse.tiles->children.data() + (std::size_t(t) << D);
        float* c = faces + std::size_t(t) * R<D>::kFaces;
        std::memset(b + at, 0, sizeof(float) * kTileCells<D>);
        if (to > 1) std::memset(extra + at, 0, sizeof(float) * kTileCells<D>);
        const float same = coarsen_uniform(fine, children, face_share_);
        if (same > 0) {
            coarse.uniform[std::size_t(t)] = same;
            std::fill_n(c, R<D>::kFaces, same);
            std::fill_n(inverse + at, kTileCells<D>, 1 / (2 * D * same));
            return;
        }
        std::memset(c, 0, sizeof(float) * R<D>::kFaces);
        for (int p = 0; p < (1 << D); ++p) {
            const int child = children[p];
            if (child < 0 || !fine.is_live[std::size_t(child)]) continue;
            coarsen_faces<D>(fine.faces.data() + std::size_t(child) * R<D>::kFaces, p, face_share_,
                             c);
            if (to > 1)
                coarsen_extra<D>(fine.extra.data() + std::size_t(child) * kTileCells<D>, p,
                                 dirichlet_share_, extra + at);
        }
        invert_diagonal<D>(c, extra + at, inverse + at);
    });
    coarse.find_twins();
}

template <int D>
void Multigrid<D>::invert_coarsest() {
    const MultigridLevel<D>& l = levels_.back();
    last_cells_.clear();
    std::vector<int> number(kTileCells<D>, -1);
    for (int o = 0; o < kTileCells<D> && l.tiles->count > 0; ++o)
        if (l.inverse[std::size_t(o)] > 0) {
            number[std::size_t(o)] = static_cast<int>(last_cells_.size());
            last_cells_.push_back(o);
        }
    const std::size_t n = last_cells_.size();
    DenseMatrix matrix(n);
    for (std::size_t i = 0; i < n; ++i) {
        const int o = last_cells_[i];
        for (int a = 0; a < D; ++a) {
            if (tile_local<D>(o)[a] == 0) continue;
            const int below = number[std::size_t(o - tile_stride<D>(a))];
            const double c =
                double(l.faces[std::size_t(R<D>::face_row(a, o / R<D>::kSide) + o % R<D>::kSide)]);
            if (below < 0 || c == 0) continue;
            const auto j = static_cast<std::size_t>(below);
            matrix(i, i) += c, matrix(j, j) += c;
            matrix(i, j) -= c, matrix(j, i) -= c;
        }
    }
    add_extra_and_rows(l, number, matrix);
    last_inverse_.assign(n * n, 0.0f);
    for (const double v : matrix.values)
        if (!std::isfinite(v)) return;
    // Constants on parts without Dirichlet values are its null space: invert around them.
    const DenseMatrix inverse = pseudo_inverse(matrix);
    for (std::size_t i = 0; i < n * n; ++i) last_inverse_[i] = float(inverse.values[i]);
}

template void MultigridLevel<2>::find_twins();
template void MultigridLevel<3>::find_twins();
template void Multigrid<2>::assign(const FaceOperator<2>&, Context&);
template void Multigrid<3>::assign(const FaceOperator<3>&, Context&);
template int Multigrid<2>::wanted_visits() const;
template int Multigrid<3>::wanted_visits() const;
template void Multigrid<2>::choose_visits();
template void Multigrid<3>::choose_visits();
template void Multigrid<2>::coarsen(std::size_t, Context&);
template void Multigrid<3>::coarsen(std::size_t, Context&);
template void Multigrid<2>::invert_coarsest();
template void Multigrid<3>::invert_coarsest();

}  // namespace spume
