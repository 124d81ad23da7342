// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/between_frames.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "spume/core/error.h"
#include "spume/grid/halo.h"
#include "spume/physics/motion/sample_rows.h"

namespace spume {
namespace {

constexpr int kMostShares = 2;

template <int D>
using Points = RowPoints<D, kTileSide<D>>;

/// Points of a row of cells or, across `axis`, faces that begins at a cell of a tile, whose first
/// cell is given.
template <int D>
Points<D> row_points(const Index<D>& tile, int offset, int axis) {
    const Index<D> first = tile + tile_local<D>(offset);
    Points<D> r;
    for (int a = 0; a < D; ++a)
        for (int n = 0; n < kTileSide<D>; ++n)
            r.x[a][n] = first[a] + (a == D - 1 ? n : 0) + (a == axis ? 0 : 0.5);
    return r;
}

/// One frame around one tile of the bulk's lattice: from copies with halo where it stores the tile,
/// through its tile table elsewhere. Points are counted from the tile's origin.
template <int D>
class FrameAround {
  public:
    static constexpr int kN = kTileSide<D>;

    FrameAround(const BulkFrame<D>& frame, const Clamp<D>& flow, const Clamp<D>& surface,
                const Index<D>& key)
        : frame_(frame),
          surface_(surface),
          flow_(flow),
          origin_(key * kTileSide<D>),
          far_(frame.velocity, flow, origin_),
          cursor_(*frame.below.tiles()),
          voxel_(frame.below.tiles()->voxel()),
          band_(kBulkBand * voxel_) {
        const Tiles<D>& tiles = *frame.below.tiles();
        const int t = tiles.find(key);
        if (!tiles.is_active(t)) {
            empty_ = true;
            for (int code = 0; code < kTileNeighbours<D>; ++code) {
                Index<D> step{};
                for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) step[a] = rest % 3 - 1;
                empty_ = empty_ && !tiles.is_active(tiles.find(key + step));
            }
            return;
        }
        near_.emplace(frame.velocity, flow, t);
        load_halo(frame.below.read(), tiles, t, below_);
        whole_ = frame.whole[std::size_t(t)] != 0;
        if (!whole_) load_halo(frame.known.read(), tiles, t, known_);
        even_ = std::all_of(below_.v, below_.v + Block::kSize,
                            [this](double v) { return v == below_.v[0]; });
    }

    /// Nothing of the frame is nearer than a tile's side.
    bool empty() const { return empty_; }

    /// Is the velocity of some of the tile's cells known?
    bool moves() const { return near_.has_value(); }
    void velocity(const Points<D>& points, double (&out)[D][kN]) { near_->sample(points, out); }
    void component(int axis, const Points<D>& points, RowSamples<kN>& out) {
        if (near_) return near_->template sample<kN, false>(axis, points, out);
        for (int n = 0; n < kN; ++n) far_.template one<kN, false>(axis, points, n, out);
    }
    /// Velocities at a row of faces of the tile.
    void velocity_at_faces(int axis, int offset, const Points<D>& points, double (&out)[D][kN]) {
        if (offset >= 0)
            near_->at_faces(axis, tile_local<D>(offset), out);
        else
            velocity(points, out);
    }
    /// 1 where the velocity is known.
    void known(const Points<D>& points, double (&out)[kN]) {
        if (whole_ && within(points, -kTileSide<D>, 2 * kTileSide<D>)) {
            std::fill_n(out, kN, 1.0);
            return;
        }
        for (int n = 0; n < kN; ++n) {
            Point<D> u{};
            for (int a = 0; a < D; ++a) u[a] = points.x[a][n] + origin_[a];
            const Index<D> cell = flow_.cell(u), local = cell - origin_;
            bool inside = near_.has_value() && !whole_;
            for (int a = 0; a < D; ++a)
                inside = inside && local[a] >= -kHalo && local[a] < kTileSide<D> + kHalo;
            out[n] = inside ? known_.v[known_.at(local)] : frame_.known.read()[cursor_(cell)];
        }
    }
    /// Φ less the band, of a row of points.
    void below(const Points<D>& points, double (&out)[kN]) {
        if (even_ && within(points, 1 - kHalo, kTileSide<D> + kHalo - 1)) {
            std::fill_n(out, kN, below_.v[0]);
            return;
        }
        for (int n = 0; n < kN; ++n) out[n] = below(points, n);
    }

  private:
    static constexpr int kHalo = 3;
    using Block = HaloBlock<double, D, kHalo>;

    static bool within(const Points<D>& points, double lo, double hi) {
        bool r = true;
        for (int a = 0; a < D; ++a)
            for (int n = 0; n < kN; ++n) r &= (points.x[a][n] >= lo) & (points.x[a][n] < hi);
        return r;
    }

    double below(const Points<D>& points, int n) {
        Point<D> u{};
        bool inside = near_.has_value();
        for (int a = 0; a < D; ++a) {
            u[a] = surface_.side(points.x[a][n] + origin_[a], a) - 0.5 - origin_[a];
            inside = inside && u[a] >= 1 - kHalo && u[a] < kTileSide<D> + kHalo - 2;
        }
        const Block* block = inside ? &below_ : nullptr;
        double r = linear(u, block);
        // A linear interpolant of distances makes drops smaller: near the surface cubic ones count.
        const double share = std::min(3 - std::abs(r + band_) / voxel_, 1.0);
        if (share > 0) r += share * (cubic(u, block) - r);
        return r;
    }

    /// Samples at integers, from the tile's origin: from the block, else through the tile table.
    double linear(const Point<D>& u, const Block* block) {
        if (!block)
            return sample_linear<double, D>(frame_.below.read(), cursor_,
                                            u + origin_.template as<double>());
        double c[1 << D], w[D];
        const int at = block_place(u, w);
        for (int k = 0; k < (1 << D); ++k) {
            int o = at;
            for (int a = 0; a < D; ++a) o += (k >> a & 1) * Block::stride(a);
            c[k] = block->v[o];
        }
        return interpolate_corners<double, D>(c, w);
    }
    /// Catmull–Rom.
    double cubic(const Point<D>& u, const Block* block) {
        double t[D], w[D][4];
        const int at = block_place(u, t);
        for (int a = 0; a < D; ++a) {
            const double t2 = t[a] * t[a], t3 = t2 * t[a];
            w[a][0] = -0.5 * t[a] + t2 - 0.5 * t3;
            w[a][1] = 1 - 2.5 * t2 + 1.5 * t3;
            w[a][2] = 0.5 * t[a] + 2 * t2 - 1.5 * t3;
            w[a][3] = -0.5 * t2 + 0.5 * t3;
        }
        const Index<D> base = origin_ + floor_index<D>(u) - Index<D>::filled(1);
        double sum = 0;
        for (int row = 0; row < (1 << (2 * (D - 1))); ++row) {
            double weight = 1;
            int o = at - 1;
            Index<D> i = base;
            for (int a = 0; a < D - 1; ++a) {
                const int n = row >> (2 * a) & 3;
                weight *= w[a][n];
                o += (n - 1) * Block::stride(a);
                i[a] += n;
            }
            double along = 0;
            for (int n = 0; n < 4; ++n, ++i[D - 1])
                along += w[D - 1][n] * (block ? block->v[o + n] : frame_.below.read()[cursor_(i)]);
            sum += weight * along;
        }
        return sum;
    }
    static int block_place(const Point<D>& u, double (&w)[D]) {
        int at = 0;
        for (int a = 0; a < D; ++a) {
            const double lower = std::floor(u[a]);
            w[a] = u[a] - lower;
            at += (int(lower) + kHalo) * Block::stride(a);
        }
        return at;
    }

    const BulkFrame<D>& frame_;
    const Clamp<D>&surface_, &flow_;
    Index<D> origin_;
    FarSampler<D> far_;
    TileCursor<D> cursor_;
    double voxel_, band_;
    bool whole_ = false, even_ = false, empty_ = false;
    std::optional<NearSampler<D>> near_;
    Block below_;
    HaloBlock<std::uint8_t, D, kHalo> known_;
};

/// All frames around one tile.
template <int D>
class Around {
  public:
    static constexpr int kN = kTileSide<D>;

    /// Beyond the box all is as in the last tiles inside: points are counted from there.
    Around(std::span<const FrameShare<D>> shares, const BulkSetting<D>& setting,
           const Clamp<D>& flow, const Clamp<D>& surface, const Index<D>& key)
        : shares_(shares), voxel_(setting.transform.voxel) {
        const Box<int, D> cells = setting.cells();
        const Index<D> nearest =
            min(max(key, tile_of<D>(cells.lo)), tile_of<D>(cells.hi - Index<D>::filled(1)));
        shift_ = (key - nearest) * kTileSide<D>;
        own_ = key == nearest;
        for (std::size_t f = 0; f < shares.size(); ++f)
            frames_[f].emplace(*shares[f].frame, flow, surface, nearest);
    }

    /// There is no liquid in the tile, nor near it. Beyond the box that is not asked.
    bool empty() const {
        bool r = own_;
        for (std::size_t f = 0; f < shares_.size(); ++f) r = r && frames_[f]->empty();
        return r;
    }

    /// Where the liquid of a row of points was, or will be, at the time of each frame. The row is
    /// one of the tile's cells (axis −1) or of its faces.
    void trace(const Points<D>& points, int offset, int axis, Points<D> (&to)[kMostShares]) {
        double mean[D][kN] = {}, weight[kN] = {}, u[D][kN], known[kN];
        for (std::size_t f = 0; f < shares_.size(); ++f) {
            if (!frames_[f]->moves()) continue;
            if (axis < 0)
                frames_[f]->velocity(points, u);
            else
                frames_[f]->velocity_at_faces(axis, own_ ? offset : -1, points, u);
            frames_[f]->known(points, known);
            for (int n = 0; n < kN; ++n) known[n] *= shares_[f].weight;
            for (int a = 0; a < D; ++a)
                for (int n = 0; n < kN; ++n) mean[a][n] += known[n] * u[a][n];
            for (int n = 0; n < kN; ++n) weight[n] += known[n];
        }
        for (std::size_t f = 0; f < shares_.size(); ++f) {
            const double steps = shares_[f].later / voxel_;
            for (int a = 0; a < D; ++a)
                for (int n = 0; n < kN; ++n)
                    to[f].x[a][n] =
                        points.x[a][n] - (weight[n] > 0 ? steps * (mean[a][n] / weight[n]) : 0.0);
        }
    }
    void phi(int offset, double band, double* out) {
        Points<D> at[kMostShares];
        trace(row_points<D>(shift_, offset, -1), offset, -1, at);
        double sum[kN] = {}, below[kN];
        for (std::size_t f = 0; f < shares_.size(); ++f) {
            frames_[f]->below(at[f], below);
            for (int n = 0; n < kN; ++n) sum[n] += shares_[f].weight * below[n];
        }
        for (int n = 0; n < kN; ++n) out[n] = sum[n] + band;
    }
    void velocity(int axis, int offset, double* out) {
        Points<D> at[kMostShares];
        trace(row_points<D>(shift_, offset, axis), offset, axis, at);
        double sum[kN] = {}, weight[kN] = {}, known[kN];
        for (std::size_t f = 0; f < shares_.size(); ++f) {
            frames_[f]->known(at[f], known);
            if (std::none_of(known, known + kN, [](double k) { return k > 0; })) continue;
            RowSamples<kN> s;
            frames_[f]->component(axis, at[f], s);
            for (int n = 0; n < kN; ++n) sum[n] += shares_[f].weight * known[n] * s.value[n];
            for (int n = 0; n < kN; ++n) weight[n] += shares_[f].weight * known[n];
        }
        for (int n = 0; n < kN; ++n) out[n] = weight[n] > 0 ? sum[n] / weight[n] : 0;
    }

  private:
    std::span<const FrameShare<D>> shares_;
    double voxel_;
    Index<D> shift_{};
    bool own_ = true;
    std::optional<FrameAround<D>> frames_[kMostShares];
};

/// At the time of a frame its own values count: those of a tile that it stores and that lies wholly
/// in the box, as sampling them where they are would give. False: the tile is another one.
template <int D>
bool copy_frame(std::span<const FrameShare<D>> shares, const Box<int, D>& cells,
                const Index<D>& key, double band, double* phi, double* const (&u)[D]) {
    if (shares.size() != 1 || shares[0].later != 0) return false;
    const Index<D> lo = key * kTileSide<D>;
    if (!cells.contains(lo) || !cells.contains(lo + Index<D>::filled(kTileSide<D> - 1)))
        return false;
    const BulkFrame<D>& frame = *shares[0].frame;
    const int t = frame.below.tiles()->find(key);
    if (!frame.below.tiles()->is_active(t)) return false;
    const double* below = frame.below.tile(t);
    for (int o = 0; o < kTileCells<D>; ++o) phi[o] = below[o] + band;
    const std::uint8_t* known = frame.known.tile(t);
    for (int a = 0; a < D; ++a) {
        if (!u[a]) continue;
        const double* from = frame.velocity.read(a) + std::size_t(t) * kTileCells<D>;
        for (int o = 0; o < kTileCells<D>; ++o) u[a][o] = known[o] ? from[o] : 0;
    }
    return true;
}

}  // namespace

template <int D>
BulkFields<D> between_frames(std::span<const FrameShare<D>> shares, const BulkSetting<D>& setting,
                             const typename Tiles<D>::Ptr& tiles, bool velocity, Context& context) {
    Stage stage(context, "bulk");
    SPUME_CHECK(!shares.empty() && shares.size() <= kMostShares);
    const double band = kBulkBand * setting.transform.voxel;
    const Clamp<D> flow = setting.velocity_clamp(), surface = setting.surface_clamp();
    BulkFields<D> r{0, CellField<double, D>::unwritten(tiles), {}};
    double *phi = r.phi.write(), *u[D] = {};
    if (velocity) r.velocity = FaceField<double, D>::unwritten(tiles);
    for (int a = 0; a < D && velocity; ++a) u[a] = r.velocity.write(a);
    const Box<int, D> cells = setting.cells();
    for_range(context.arena, std::size_t(tiles->zero()), 4, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t) {
            double* own[D];
            for (int a = 0; a < D; ++a) own[a] = u[a] ? u[a] + t * kTileCells<D> : nullptr;
            if (copy_frame<D>(shares, cells, tiles->key(int(t)), band, phi + t * kTileCells<D>,
                              own))
                continue;
            Around<D> around(shares, setting, flow, surface, tiles->key(int(t)));
            if (around.empty()) {
                std::fill_n(phi + t * kTileCells<D>, kTileCells<D>, band);
                for (int a = 0; a < D && velocity; ++a)
                    std::fill_n(u[a] + t * kTileCells<D>, kTileCells<D>, 0.0);
                continue;
            }
            for (int o = 0; o < kTileCells<D>; o += kTileSide<D>) {
                const std::size_t at = t * kTileCells<D> + std::size_t(o);
                around.phi(o, band, phi + at);
                for (int a = 0; a < D && velocity; ++a) around.velocity(a, o, u[a] + at);
            }
        }
    });
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template BulkFields<D> between_frames<D>(std::span<const FrameShare<D>>,                       \
                                             const BulkSetting<D>&, const typename Tiles<D>::Ptr&, \
                                             bool, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
