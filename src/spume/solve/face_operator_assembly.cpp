// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <limits>

#include "spume/core/error.h"
#include "spume/solve/face_operator.h"

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

/// Which kinds of cells a tile has.
enum TileContents : std::uint8_t { kSomeFluid = 1, kSomeDirichlet = 2, kAllFluid = 4 };

template <int D>
std::uint8_t contents_of(const std::uint8_t* kind) {
    const int fluid = count_kind<D>(kind, kFluidCell);
    const int fixed = count_kind<D>(kind, kDirichletCell);
    return static_cast<std::uint8_t>((fluid > 0 ? kSomeFluid : 0) |
                                     (fixed > 0 ? kSomeDirichlet : 0) |
                                     (fluid == kTileCells<D> ? kAllFluid : 0));
}

/// Coefficients of a tile above zero, and whether floats hold them all.
struct TileRange {
    float least = std::numeric_limits<float>::max(), most = 0;
    bool exact = true;

    void join(const TileRange& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        exact &= other.exact;
    }
};

template <int D, class Operator>
class Assembly {
  public:
    Assembly(const PressureSystem<D>& system, Operator& op) : s_(system), op_(op) {}

    /// Whether a tile with unknowns has a diagonal beyond its faces.
    bool has_extra(int t) const {
        if (contents(t) & kSomeDirichlet) return true;
        for (int n = 0; n < 2 * D; ++n)
            if (contents(op_.tiles->around_tile(t)[n]) & kSomeDirichlet) return true;
        if (!s_.diagonal_extra.tiles()) return false;
        const double* e = s_.diagonal_extra.tile(t);
        bool some = false;
        for (int o = 0; o < kTileCells<D>; ++o) some |= e[o] != 0;
        return some;
    }

    /// Coefficients and diagonal of a tile, and their range.
    TileRange fill(int t, float* narrow, double* wide) const {
        const int slot = op_.extra_slot[static_cast<std::size_t>(t)];
        const bool plain = surrounded(t);
        if (plain && slot < 0) {
            const double c = same_everywhere(t);
            if (c > 0 && double(float(c)) == c) {
                std::fill_n(narrow, R<D>::kFaces, float(c));
                if (wide) std::fill_n(wide, R<D>::kFaces, c);
                op_.uniform[static_cast<std::size_t>(t)] = float(c);
                return {float(c), float(c), true};
            }
        }
        double faces[R<D>::kFaces];
        gather_faces<D>(s_.coefficient, t, faces);
        if (plain) {
            close_borders(t, faces);
            if (slot >= 0)
                std::memcpy(op_.extra.data() + std::size_t(slot) * kTileCells<D>,
                            s_.diagonal_extra.tile(t), sizeof(double) * kTileCells<D>);
        } else {
            fill_mixed(t, slot, faces);
        }
        TileRange range;
        for (int i = 0; i < R<D>::kFaces; ++i) {
            narrow[i] = float(faces[i]);
            range.exact &= double(narrow[i]) == faces[i];
        }
        for (int i = 0; i < R<D>::kFaces; ++i) {
            range.most = range.most < narrow[i] ? narrow[i] : range.most;
            const float c = narrow[i] > 0 ? narrow[i] : range.least;
            range.least = c < range.least ? c : range.least;
        }
        if (wide) std::memcpy(wide, faces, sizeof faces);
        return range;
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
    std::uint8_t contents(int t) const { return op_.contents[static_cast<std::size_t>(t)]; }

    /// All cells of the tile and of its active neighbours are unknowns.
    bool surrounded(int t) const {
        if (!(contents(t) & kAllFluid)) return false;
        for (int n = 0; n < 2 * D; ++n) {
            const int next = op_.tiles->around_tile(t)[n];
            if (next < op_.tiles->count && !(contents(next) & kAllFluid)) return false;
        }
        return true;
    }

    /// The coefficient of all faces of a tile whose neighbours are all active, or 0.
    double same_everywhere(int t) const {
        const double c = s_.coefficient.tile(0, t)[0];
        bool same = true;
        for (int a = 0; a < D; ++a) {
            if (op_.tiles->around_tile(t)[2 * a] >= op_.tiles->count) return 0;
            const int above = op_.tiles->around_tile(t)[2 * a + 1];
            if (above >= op_.tiles->count) return 0;
            const double* own = s_.coefficient.tile(a, t);
            for (int o = 0; o < kTileCells<D>; ++o) same &= own[o] == c;
            if (!same) return 0;
            const double* next = s_.coefficient.tile(a, above);
            for (int r = 0; r < R<D>::kRows; ++r)
                for (int k = 0; k < R<D>::kSide; ++k)
                    if (tile_local<D>(r * R<D>::kSide + k)[a] == 0)
                        same &= next[r * R<D>::kSide + k] == c;
        }
        return same ? c : 0;
    }

    /// Faces towards tiles that are not active.
    void close_borders(int t, double* faces) const {
        for (int n = 0; n < 2 * D; ++n) {
            if (op_.tiles->around_tile(t)[n] < op_.tiles->count) continue;
            const int a = n / 2, above = n % 2 ? R<D>::face_step(a) : 0;
            const int layer = n % 2 ? R<D>::kSide - 1 : 0;
            if (a == D - 1)
                for (int r = 0; r < R<D>::kRows; ++r)
                    faces[R<D>::face_row(a, r) + layer + above] = 0;
            else
                for (int m = 0; m < R<D>::kFaceRows; ++m)
                    std::memset(faces + R<D>::face_row(a, R<D>::layer_row(a, layer, m)) + above, 0,
                                sizeof(double) * R<D>::kSide);
        }
    }

    /// Where some cell in or beside the tile is no unknown: each face asks both of its cells.
    void fill_mixed(int t, int slot, double* faces) const {
        TileBlock<double, D> fluid;
        const Around around(*this, t);
        load_kind<D>(fluid, s_.kind.read(), kFluidCell, t, around.tile);
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
    }

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
    contents.assign(count + 1, 0);
    uniform.assign(count + 1, 0.0f);
    for_range(context.arena, count, kTilePiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t)
            contents[t] = contents_of<D>(system.kind.tile(static_cast<int>(t)));
    });
    live.clear();
    for (std::size_t t = 0; t < count; ++t)
        if (contents[t] & kSomeFluid) live.push_back(static_cast<int>(t));
    std::vector<std::uint8_t> has_extra(count, 0);
    for_each_tile(context.arena, live,
                  [&](int t) { has_extra[static_cast<std::size_t>(t)] = assembly.has_extra(t); });
    extra_slot.assign(count, -1);
    int slots = 0;
    for (std::size_t t = 0; t < count; ++t)
        if (has_extra[t]) extra_slot[t] = slots++;
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
    const TileRange all = reduce(
        context.arena, live.size(), kTilePiece, TileRange{},
        [&](std::size_t begin, std::size_t end) {
            TileRange range;
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t at = std::size_t(live[i]) * R<D>::kFaces;
                range.join(assembly.fill(live[i], n + at, w ? w + at : nullptr));
            }
            return range;
        },
        [](TileRange a, const TileRange& b) { return a.join(b), a; });
    contrast = all.most > 0 ? double(all.most) / double(all.least) : 1.0;
    if (all.exact) faces = Array<double>();
    return all.exact;
}

template <int D>
void FaceOperator<D>::assign_rhs(const PressureSystem<D>& system, double* rhs,
                                 Context& context) const {
    const Assembly<D, const FaceOperator> assembly(system, *this);
    for_each_tile(context.arena, live,
                  [&](int t) { assembly.fill_rhs(t, rhs + std::size_t(t) * kTileCells<D>); });
}

template void FaceOperator<2>::assign(const PressureSystem<2>&, const LevelTiles<2>&, double*,
                                      Context&);
template void FaceOperator<3>::assign(const PressureSystem<3>&, const LevelTiles<3>&, double*,
                                      Context&);
template bool FaceOperator<2>::assign_faces(const PressureSystem<2>&, Context&);
template bool FaceOperator<3>::assign_faces(const PressureSystem<3>&, Context&);
template void FaceOperator<2>::assign_rhs(const PressureSystem<2>&, double*, Context&) const;
template void FaceOperator<3>::assign_rhs(const PressureSystem<3>&, double*, Context&) const;

}  // namespace spume
