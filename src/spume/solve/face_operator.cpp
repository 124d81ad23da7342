// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/face_operator.h"

#include "spume/core/error.h"
#include "spume/solve/lanes.h"

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;

/// 1 where a cell of the block is of the kind, else 0.
template <int D>
void load_kind(TileBlock<double, D>& block, const std::uint8_t* kind, CellKind wanted, int tile,
               const int* around) {
    load_block<D>(
        block, tile, around,
        [&](int t, int o, double* out) {
            const std::uint8_t* in = kind + std::size_t(t) * kTileCells<D> + o;
            for (int k = 0; k < kTileSide<D>; ++k) out[k] = in[k] == wanted ? 1.0 : 0.0;
        },
        [&](int t, int o) {
            return kind[std::size_t(t) * kTileCells<D> + o] == wanted ? 1.0 : 0.0;
        });
}

template <int D>
int count_kind(const std::uint8_t* kind, CellKind wanted) {
    int n = 0;
    for (int o = 0; o < kTileCells<D>; ++o) n += kind[o] == wanted;
    return n;
}

/// The caller's coefficient on every face of a tile, own and plus border.
template <int D>
void gather_faces(const FaceField<double, D>& coefficient, int tile, double* out) {
    const Tiles<D>& tiles = *coefficient.tiles();
    for (int a = 0; a < D; ++a) {
        const double* own = coefficient.tile(a, tile);
        const double* next = coefficient.tile(a, tiles.neighbour(tile, Index<D>::unit(a)));
        for (int r = 0; r < R<D>::kRows; ++r) {
            double* to = out + R<D>::face_row(a, r);
            for (int k = 0; k < R<D>::kSide; ++k) to[k] = own[r * R<D>::kSide + k];
            if (a == D - 1) to[R<D>::kSide] = next[r * R<D>::kSide];
        }
        if (a == D - 1) continue;
        for (int m = 0; m < R<D>::kFaceRows; ++m) {
            const double* in = next + R<D>::layer_row(a, 0, m) * R<D>::kSide;
            double* to = out + R<D>::face_row(a, R<D>::layer_row(a, R<D>::kSide - 1, m)) +
                         R<D>::face_step(a);
            for (int k = 0; k < R<D>::kSide; ++k) to[k] = in[k];
        }
    }
}

/// f(face, low, high, n): n faces from place `face` of a face block, between the cells from `low`
/// and from `high` of a block; every face of the tile once.
template <int D, class F>
void for_face_rows(int axis, F&& f) {
    const int s = R<D>::block_stride(axis);
    for (int r = 0; r < R<D>::kRows; ++r) {
        const int at = R<D>::block_row(r), face = R<D>::face_row(axis, r);
        f(face, at - s, at, axis == D - 1 ? R<D>::kSide + 1 : R<D>::kSide);
    }
    if (axis == D - 1) return;
    for (int m = 0; m < R<D>::kFaceRows; ++m) {
        const int r = R<D>::layer_row(axis, R<D>::kSide - 1, m);
        const int at = R<D>::block_row(r);
        f(R<D>::face_row(axis, r) + R<D>::face_step(axis), at, at + s, R<D>::kSide);
    }
}

/// f(offset, place in a block of the neighbour, coefficient) for every face between an unknown of
/// the tile and a Dirichlet cell.
template <int D, class F>
void for_dirichlet(const double* faces, const TileBlock<double, D>& fluid,
                   const TileBlock<double, D>& fixed, F&& f) {
    for (int r = 0; r < R<D>::kRows; ++r)
        for (int a = 0; a < D; ++a) {
            const int at = R<D>::block_row(r), s = R<D>::block_stride(a);
            const double* lower = faces + R<D>::face_row(a, r);
            const double* upper = lower + R<D>::face_step(a);
            for (int k = 0; k < R<D>::kSide; ++k) {
                const int o = r * R<D>::kSide + k, b = at + k;
                if (fluid.v[b] == 0) continue;
                if (fixed.v[b - s] != 0) f(o, b - s, lower[k]);
                if (fixed.v[b + s] != 0) f(o, b + s, upper[k]);
            }
        }
}

inline __attribute__((always_inline)) void widen(const double* c, Doubles& out) { out = lanes(c); }
inline __attribute__((always_inline)) void widen(const float* c, Doubles& out) {
    out = __builtin_convertvector(half_lanes(c), Doubles);
}

/// q = A p on one tile; returns its p · q.
template <int D, class Face>
double apply_tile(const Face* faces, const double* extra, const TileBlock<double, D>& p,
                  double* q) {
    Doubles dot{};
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        const int first[3] = {at.low, D == 2 ? at.last : at.middle, at.last};
        for (int k = 0; k < R<D>::kSide; k += kDoubleLanes) {
            const double* x = p.v + at.block + k;
            const Doubles here = lanes(x);
            Doubles y{};
#pragma GCC unroll 3
            for (int a = 0; a < D; ++a) {
                const int s = R<D>::block_stride(a);
                const Face* c = faces + first[a] + k;
                Doubles lower, upper;
                widen(c, lower);
                widen(c + R<D>::face_step(a), upper);
                y += lower * (here - lanes(x - s)) + upper * (here - lanes(x + s));
            }
            if (extra) y += lanes(extra + at.offset + k) * here;
            lanes(q + at.offset + k) = y;
            dot += y * here;
        }
    });
    return (dot[0] + dot[1]) + (dot[2] + dot[3]);
}

template <int D, class Operator>
class Assembly {
  public:
    Assembly(const PressureSystem<D>& system, Operator& op) : s_(system), op_(op) {}

    /// Whether the tile has an unknown, and a diagonal beyond its faces.
    void classify(int t, bool& live, bool& extra) const {
        const std::uint8_t* kind = s_.kind.tile(t);
        live = count_kind<D>(kind, kFluidCell) > 0;
        extra = false;
        if (!live) return;
        extra = count_kind<D>(kind, kDirichletCell) > 0;
        const int* around = op_.tiles->around_tile(t);
        for (int n = 0; n < 2 * D && !extra; ++n)
            extra = around[n] < op_.tiles->count &&
                    count_kind<D>(s_.kind.tile(around[n]), kDirichletCell) > 0;
        if (!extra && s_.diagonal_extra.tiles()) {
            const double* e = s_.diagonal_extra.tile(t);
            for (int o = 0; o < kTileCells<D>; ++o) extra = extra || e[o] != 0;
        }
    }

    /// Coefficients and diagonal of a tile. Returns whether floats hold all of them.
    bool fill(int t, float* narrow, double* wide) const {
        TileBlock<double, D> fluid;
        const Around around(*this, t);
        load_kind<D>(fluid, s_.kind.read(), kFluidCell, t, around.tile);
        double faces[R<D>::kFaces];
        gather_faces<D>(s_.coefficient, t, faces);
        const int slot = op_.extra_slot[static_cast<std::size_t>(t)];
        if (slot >= 0) {
            double* extra = op_.extra.data() + std::size_t(slot) * kTileCells<D>;
            for (int o = 0; o < kTileCells<D>; ++o)
                extra[o] = s_.diagonal_extra.tiles() && s_.kind.at(t, o) == kFluidCell
                               ? s_.diagonal_extra.at(t, o)
                               : 0.0;
            TileBlock<double, D> fixed;
            load_kind<D>(fixed, s_.kind.read(), kDirichletCell, t, around.tile);
            for_dirichlet(faces, fluid, fixed, [&](int o, int, double c) { extra[o] += c; });
        }
        for (int a = 0; a < D; ++a)
            for_face_rows<D>(a, [&](int face, int low, int high, int n) {
                for (int k = 0; k < n; ++k) faces[face + k] *= fluid.v[low + k] * fluid.v[high + k];
            });
        bool exact = true;
        for (int i = 0; i < R<D>::kFaces; ++i) {
            narrow[i] = float(faces[i]);
            exact &= double(narrow[i]) == faces[i];
        }
        if (wide) std::memcpy(wide, faces, sizeof faces);
        return exact;
    }

    void fill_rhs(int t, double* rhs) const {
        const std::uint8_t* kind = s_.kind.tile(t);
        const double* b = s_.rhs.tile(t);
        for (int o = 0; o < kTileCells<D>; ++o) rhs[o] = kind[o] == kFluidCell ? b[o] : 0.0;
        if (op_.extra_slot[static_cast<std::size_t>(t)] < 0 || !s_.known.tiles()) return;
        const Around around(*this, t);
        TileBlock<double, D> fluid, fixed, value;
        load_kind<D>(fluid, s_.kind.read(), kFluidCell, t, around.tile);
        load_kind<D>(fixed, s_.kind.read(), kDirichletCell, t, around.tile);
        load_block<D>(value, s_.known.read(), t, around.tile);
        double faces[R<D>::kFaces];
        gather_faces<D>(s_.coefficient, t, faces);
        for_dirichlet(faces, fluid, fixed,
                      [&](int o, int at, double c) { rhs[o] += c * value.v[at]; });
    }

  private:
    /// Cells of inactive neighbours are never unknowns, whatever a border tile holds.
    struct Around {
        Around(const Assembly& a, int t) {
            const int* level = a.op_.tiles->around_tile(t);
            for (int n = 0; n < 2 * D; ++n)
                tile[n] = level[n] < a.op_.tiles->count ? level[n] : a.s_.tiles->zero();
        }
        int tile[2 * D];
    };

    const PressureSystem<D>& s_;
    Operator& op_;
};

}  // namespace

template <int D>
void FaceOperator<D>::assign(const PressureSystem<D>& system, const LevelTiles<D>& level,
                             double* rhs, Context& context) {
    tiles = &level;
    const std::size_t count = static_cast<std::size_t>(level.count);
    const std::size_t size = (count + 1) * R<D>::kFaces;
    if (narrow.size() != size) narrow = Array<float>(size);
    if (faces.size() != size) faces = Array<double>();
    const Assembly<D, FaceOperator> assembly(system, *this);
    std::vector<std::uint8_t> is_live(count), has_extra(count);
    for_range(context.arena, count, kTilePiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t) {
            bool l = false, x = false;
            assembly.classify(static_cast<int>(t), l, x);
            is_live[t] = std::uint8_t(l), has_extra[t] = std::uint8_t(x);
        }
    });
    live.clear();
    extra_slot.assign(count, -1);
    int slots = 0;
    for (std::size_t t = 0; t < count; ++t) {
        if (is_live[t]) live.push_back(static_cast<int>(t));
        if (has_extra[t]) extra_slot[t] = slots++;
    }
    extra.assign(static_cast<std::size_t>(slots) * kTileCells<D>, 0.0);
    assign_rhs(system, rhs, context);
    if (!assign_faces(system, context) && faces.empty()) {
        faces.resize_discard(size);
        assign_faces(system, context);
    }
    unknowns = static_cast<std::int64_t>(sum_tiles(context.arena, live, [&](int t) {
        return double(count_kind<D>(system.kind.tile(t), kFluidCell));
    }));
    terms.clear();
    for (const LowRankTerm& term : system.low_rank) {
        SPUME_CHECK_OP(term.cells.size(), ==, term.weights.size());
        LowRankTerm kept;
        kept.scale = term.scale;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            if (term.cells[i] < count * kTileCells<D> &&
                system.kind.values()[term.cells[i]] == kFluidCell) {
                kept.cells.push_back(term.cells[i]);
                kept.weights.push_back(term.weights[i]);
            }
        if (!kept.cells.empty()) terms.push_back(std::move(kept));
    }
}

template <int D>
bool FaceOperator<D>::assign_faces(const PressureSystem<D>& system, Context& context) {
    const Assembly<D, FaceOperator> assembly(system, *this);
    float* n = narrow.write().data();
    double* w = faces.empty() ? nullptr : faces.write().data();
    const double inexact = sum_tiles(context.arena, live, [&](int t) {
        const std::size_t at = std::size_t(t) * R<D>::kFaces;
        return assembly.fill(t, n + at, w ? w + at : nullptr) ? 0.0 : 1.0;
    });
    if (inexact == 0) faces = Array<double>();
    return inexact == 0;
}

template <int D>
void FaceOperator<D>::assign_rhs(const PressureSystem<D>& system, double* rhs,
                                 Context& context) const {
    const Assembly<D, const FaceOperator> assembly(system, *this);
    for_each_tile(context.arena, live,
                  [&](int t) { assembly.fill_rhs(t, rhs + std::size_t(t) * kTileCells<D>); });
}

template <int D>
double FaceOperator<D>::apply(const double* p, double* q, Context& context) const {
    double dot = sum_tiles(context.arena, live, [&](int t) {
        TileBlock<double, D> block;
        load_block<D>(block, p, t, tiles->around_tile(t));
        double* out = q + std::size_t(t) * kTileCells<D>;
        return faces.empty() ? apply_tile<D>(narrow_of(t), extra_of(t), block, out)
                             : apply_tile<D>(faces_of(t), extra_of(t), block, out);
    });
    for (const LowRankTerm& term : terms) {
        double s = 0;
        for (std::size_t i = 0; i < term.cells.size(); ++i) s += term.weights[i] * p[term.cells[i]];
        dot += term.scale * s * s;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            q[term.cells[i]] += term.scale * s * term.weights[i];
    }
    return dot;
}

template <int D>
void FaceOperator<D>::diagonal(int tile, double* out) const {
    const double* e = extra_of(tile);
    const auto sum = [&](const auto* c) {
        for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
            const int first[3] = {at.low, D == 2 ? at.last : at.middle, at.last};
            for (int k = 0; k < R<D>::kSide; k += kDoubleLanes) {
                Doubles d{};
                if (e) d = lanes(e + at.offset + k);
#pragma GCC unroll 3
                for (int a = 0; a < D; ++a) {
                    Doubles lower, upper;
                    widen(c + first[a] + k, lower);
                    widen(c + first[a] + R<D>::face_step(a) + k, upper);
                    d += lower + upper;
                }
                lanes(out + at.offset + k) = d;
            }
        });
    };
    faces.empty() ? sum(narrow_of(tile)) : sum(faces_of(tile));
}

template struct FaceOperator<2>;
template struct FaceOperator<3>;

}  // namespace spume
