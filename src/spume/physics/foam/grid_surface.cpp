// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/grid_surface.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "spume/grid/sample.h"

namespace spume {
namespace {

/// One number, or four of them.
struct One {
    using Number = double;
};
struct Four {
    using Number = Doubles;
};

/// A multilinear function of the place in a voxel: coefficient c belongs to the product of the
/// coordinates whose bits are set in c.
template <int D, class Count = One>
struct Multilinear {
    using Number = typename Count::Number;
    Number c[1 << D] = {};

    /// From values at the corners, numbered in the same way.
    static Multilinear through(const Number (&corner)[1 << D]) {
        Multilinear m;
        for (int k = 0; k < (1 << D); ++k) m.c[k] = corner[k];
        for (int a = 0; a < D; ++a)
            for (int k = 0; k < (1 << D); ++k)
                if (k >> a & 1) m.c[k] -= m.c[k ^ 1 << a];
        return m;
    }
    template <class Place>
    auto at(const Place& w) const {
        const auto low = (c[0] + c[1] * w[0]) + (c[2] + c[3] * w[0]) * w[1];
        if constexpr (D == 2)
            return low;
        else
            return low + ((c[4] + c[5] * w[0]) + (c[6] + c[7] * w[0]) * w[1]) * w[2];
    }
    template <class Place>
    Place gradient(const Place& w) const {
        Place r{};
        if constexpr (D == 2) {
            r[0] = c[1] + c[3] * w[1];
            r[1] = c[2] + c[3] * w[0];
        } else {
            r[0] = (c[1] + c[3] * w[1]) + (c[5] + c[7] * w[1]) * w[2];
            r[1] = (c[2] + c[3] * w[0]) + (c[6] + c[7] * w[0]) * w[2];
            r[2] = (c[4] + c[5] * w[0]) + (c[6] + c[7] * w[0]) * w[1];
        }
        return r;
    }
};

/// The voxels of four places, which become the places in them.
template <int D>
struct FourVoxels {
    Index<D> voxel[kDoubleLanes];
    bool same = true;  ///< all in one

    explicit FourVoxels(FourVec<D>& w) {
        using Ints = int __attribute__((vector_size(16)));
        FourMask apart{};
        for (int a = 0; a < D; ++a) {
            const Doubles cut =
                __builtin_convertvector(__builtin_convertvector(w[a], Ints), Doubles);
            const Doubles low = cut > w[a] ? cut - 1.0 : cut;
            apart |= low != low[0];
            w[a] -= low;
            const Ints cell = __builtin_convertvector(low, Ints);
            for (int k = 0; k < kDoubleLanes; ++k) voxel[k][a] = cell[k];
        }
        same = !any(apart);
    }
};

/// use(function) with the one function of all lanes, or with one of four numbers a coefficient.
/// get(voxel) finds that of a voxel, for as long as no other is asked for.
template <int D, class Get, class Use>
void with_functions(const FourVoxels<D>& at, Get&& get, Use&& use) {
    if (at.same) return use(get(at.voxel[0]));
    Multilinear<D, Four> all;
    for (int k = 0; k < kDoubleLanes; ++k) {
        const Multilinear<D>& one = get(at.voxel[k]);
        for (int c = 0; c < (1 << D); ++c) all.c[c][k] = one.c[c];
    }
    use(all);
}

/// Functions of the voxels that were asked for last, at two times, the ends of a step: particles
/// that follow each other lie in the same few.
template <int D, class Function>
class VoxelCache {
  public:
    /// make(function) where the voxel is not here yet.
    template <class Make>
    const Function& get(const Index<D>& voxel, double time, Make&& make) {
        if (time != times_[now_]) turn_to(time);
        unsigned place = now_;
        for (int a = 0; a < D; ++a) place = place << 2 | (unsigned(voxel[a]) & 3u);
        Slot& slot = slots_[place];
        if (!slot.filled || !(slot.voxel == voxel)) {
            make(slot.function);
            slot.voxel = voxel;
            slot.filled = true;
        }
        return slot.function;
    }

  private:
    struct Slot {
        Index<D> voxel{};
        bool filled = false;
        Function function;
    };
    static constexpr std::size_t kSlots = std::size_t(1) << (2 * D);  // a time

    /// The other time it has, or a new one in its place.
    void turn_to(double time) {
        now_ = 1 - now_;
        if (time == times_[now_]) return;
        times_[now_] = time;
        for (std::size_t n = 0; n < kSlots; ++n) slots_[now_ * kSlots + n].filled = false;
    }

    double times_[2] = {-1e300, -1e300};
    unsigned now_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(2 * kSlots);
};

/// Samples of two fields, in the shares `share` and 1 − share: the corners of a voxel, and `kMore`
/// more to each side.
template <int D, int kMore>
struct Around {
    static constexpr int kSide = 2 + 2 * kMore,
                         kCount = D == 2 ? kSide * kSide : kSide * kSide * kSide;
    double value[kCount] = {};

    static constexpr int stride(int axis) { return axis == D - 1 ? 1 : kSide * stride(axis + 1); }
    static constexpr int corner(int c) {
        int place = 0;
        for (int a = 0; a < D; ++a) place += (kMore + (c >> a & 1)) * stride(a);
        return place;
    }
    void add(const double* field, const Tiles<D>& tiles, const Index<D>& voxel, double share) {
        const Index<D> first = voxel - Index<D>::filled(kMore);
        TileCursor<D> cursor(tiles);
        // By the tiles that the block meets: each is looked up once.
        Index<D> split{};
        for (int a = 0; a < D; ++a)
            split[a] = std::min(kSide, kTileSide<D> - (first[a] & (kTileSide<D> - 1)));
        for (int part = 0; part < (1 << D); ++part) {
            Index<D> lo{}, hi = split;
            for (int a = 0; a < D; ++a)
                if (part >> a & 1) lo[a] = split[a], hi[a] = kSide;
            if (Box<int, D>{lo, hi}.empty()) continue;
            const double* from = field + cursor(first + lo);
            Index<D> at = lo;
            while (true) {
                int out = 0, in = 0;
                for (int a = 0; a < D; ++a) {
                    out += at[a] * stride(a);
                    in += (at[a] - lo[a]) * tile_stride<D>(a);
                }
                for (int k = 0; k < hi[D - 1] - lo[D - 1]; ++k)
                    value[out + k] += share * from[in + k];
                int a = D - 2;
                for (; a >= 0; --a) {
                    if (++at[a] < hi[a]) break;
                    at[a] = lo[a];
                }
                if (a < 0) break;
            }
        }
    }
    Multilinear<D> function() const {
        double at[1 << D];
        for (int c = 0; c < (1 << D); ++c) at[c] = value[corner(c)];
        return Multilinear<D>::through(at);
    }
    /// Of the central differences along an axis, in voxels and doubled.
    Multilinear<D> difference(int axis) const {
        static_assert(kMore > 0);
        double at[1 << D];
        for (int c = 0; c < (1 << D); ++c)
            at[c] = value[corner(c) + stride(axis)] - value[corner(c) - stride(axis)];
        return Multilinear<D>::through(at);
    }
};

/// Φ and its central differences.
template <int D>
struct SurfaceVoxel {
    Multilinear<D> phi, difference[D];
};

}  // namespace

template <int D>
class GridSurface<D>::GridReader final : public Reader {
  public:
    explicit GridReader(const GridSurface& s)
        : s_(s),
          origin_(s.after_.phi.tiles()->transform().origin),
          inverse_(1 / s.after_.phi.tiles()->voxel()) {}

    SurfacePoint<D> at(const Point<D>& x, double time) override {
        Point<D> w = lattice(x);
        const auto& f = around(w, time);
        return {f.phi.at(w), f.phi.gradient(w) * inverse_};
    }
    Vec<double, D> normal(const Point<D>& x, double time) override {
        Point<D> w = lattice(x);
        const auto& f = around(w, time);
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) r[a] = f.difference[a].at(w);
        const double size = length(r);
        return size > 0 ? r / size : Vec<double, D>{};
    }
    Vec<double, D> velocity(const Point<D>& x, double time) override {
        const Point<D> u = lattice(x);
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) {
            Point<D> w = u;
            w[a] += 0.5;
            const Index<D> voxel = split(w);
            r[a] = flow_in(a, voxel, time).at(w);
        }
        return r;
    }

    FourSurfacePoints<D> at_four(const FourVec<D>& x, double time) override {
        FourVec<D> w = lattice(x);
        FourSurfacePoints<D> r;
        with_functions<D>(
            FourVoxels<D>(w),
            [&](const Index<D>& v) -> const Multilinear<D>& { return in_voxel(v, time).phi; },
            [&](const auto& f) {
                r.phi = f.at(w);
                r.gradient = f.gradient(w) * four(inverse_);
            });
        return r;
    }
    FourVec<D> normal_four(const FourVec<D>& x, double time) override {
        FourVec<D> w = lattice(x);
        const FourVoxels<D> at(w);
        FourVec<D> r;
        for (int a = 0; a < D; ++a)
            with_functions<D>(
                at,
                [&](const Index<D>& v) -> const Multilinear<D>& {
                    return in_voxel(v, time).difference[a];
                },
                [&](const auto& f) { r[a] = f.at(w); });
        const Doubles size = length(r);
        for (int a = 0; a < D; ++a) r[a] = size > 0.0 ? r[a] / size : four(0);
        return r;
    }
    FourVec<D> velocity_four(const FourVec<D>& x, double time) override {
        const FourVec<D> u = lattice(x);
        FourVec<D> r;
        for (int a = 0; a < D; ++a) {
            FourVec<D> w = u;
            w[a] += 0.5;
            with_functions<D>(
                FourVoxels<D>(w),
                [&](const Index<D>& v) -> const Multilinear<D>& { return flow_in(a, v, time); },
                [&](const auto& f) { r[a] = f.at(w); });
        }
        return r;
    }

  private:
    /// In voxels, samples of cells at integers.
    Point<D> lattice(const Point<D>& x) const {
        return (x - origin_) * inverse_ - Point<D>::filled(0.5);
    }
    /// The voxel of a place, which becomes the place in it.
    static Index<D> split(Point<D>& w) {
        const Index<D> voxel = floor_index<D>(w);
        w -= voxel.template as<double>();
        return voxel;
    }
    FourVec<D> lattice(FourVec<D> x) const {
        for (int a = 0; a < D; ++a) x[a] = (x[a] - origin_[a]) * inverse_ - 0.5;
        return x;
    }
    const SurfaceVoxel<D>& around(Point<D>& w, double time) { return in_voxel(split(w), time); }
    const SurfaceVoxel<D>& in_voxel(const Index<D>& voxel, double time) {
        return surface_.get(voxel, time, [&](SurfaceVoxel<D>& fresh) {
            const auto near = samples<1>(s_.before_.phi.read(), s_.after_.phi.read(), voxel, time);
            fresh.phi = near.function();
            for (int a = 0; a < D; ++a) fresh.difference[a] = near.difference(a);
        });
    }
    /// Of the velocity along an axis.
    const Multilinear<D>& flow_in(int a, const Index<D>& voxel, double time) {
        return velocity_[a].get(voxel, time, [&](Multilinear<D>& fresh) {
            fresh = samples<0>(s_.before_.velocity.read(a), s_.after_.velocity.read(a), voxel, time)
                        .function();
        });
    }
    template <int kMore>
    Around<D, kMore> samples(const double* before, const double* after, const Index<D>& voxel,
                             double time) const {
        const double length = s_.after_.time - s_.before_.time;
        double share = length > 0 ? std::clamp((time - s_.before_.time) / length, 0.0, 1.0) : 1;
        if (before == after) share = 1;
        Around<D, kMore> r;
        if (share > 0) r.add(after, *s_.after_.phi.tiles(), voxel, share);
        if (share < 1) r.add(before, *s_.before_.phi.tiles(), voxel, 1 - share);
        return r;
    }

    const GridSurface& s_;
    Point<D> origin_;
    double inverse_;
    VoxelCache<D, SurfaceVoxel<D>> surface_;
    VoxelCache<D, Multilinear<D>> velocity_[D];
};

template <int D>
GridSurface<D>::GridSurface(SurfaceFields<D> before, SurfaceFields<D> after)
    : before_(std::move(before)), after_(std::move(after)) {}

template <int D>
std::unique_ptr<typename GridSurface<D>::Reader> GridSurface<D>::reader() const {
    return std::make_unique<GridReader>(*this);
}

template class GridSurface<2>;
template class GridSurface<3>;

}  // namespace spume
