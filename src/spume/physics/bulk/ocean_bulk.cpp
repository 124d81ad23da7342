// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/ocean_bulk.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

constexpr std::size_t kMostKept = 3;

template <int D>
Vec<double, D - 1> horizontal(const Point<D>& x) {
    Vec<double, D - 1> r{};
    r[0] = x[0];
    if constexpr (D == 3) r[1] = x[2];
    return r;
}
/// The axis of space along which a horizontal one lies.
constexpr int axis_of(int horizontal) { return horizontal == 0 ? 0 : 2; }

/// Height and slope of the sea at a place.
template <int D>
struct Crest {
    double height, normal;  ///< m above level; √(1 + |∇η|²)
};
template <int D>
Crest<D> crest(const OceanState<D>& sea, const Vec<double, D - 1>& x) {
    Vec<double, D - 1> slope{};
    const double height = sea.layers[sea.surface].lift.with_gradient(x, slope);
    return {height, std::sqrt(1 + dot(slope, slope))};
}

/// A component of the transport along a vertical line, as a function of height: cubic between
/// layers, with slopes from their neighbours.
class TransportLine {
  public:
    void clear() { heights_.clear(), values_.clear(); }
    /// From above down. Layers that would cross keep apart.
    void add(double height, double value, double thickness) {
        if (!heights_.empty()) height = std::min(height, heights_.back() - 1e-3 * thickness);
        heights_.push_back(height);
        values_.push_back(value);
    }
    double operator()(double y) const {
        const std::size_t last = heights_.size() - 1;
        if (y >= heights_[0]) return values_[0];
        if (y <= heights_[last]) return values_[last];
        std::size_t i = 0;
        while (heights_[i + 1] > y) ++i;
        const double width = heights_[i] - heights_[i + 1], t = (y - heights_[i + 1]) / width;
        const double below = slope(i + 1) * width, above = slope(i) * width;
        const double rise = values_[i] - values_[i + 1];
        return values_[i + 1] +
               t * (below + t * (3 * rise - 2 * below - above + t * (below + above - 2 * rise)));
    }

  private:
    /// dM/dy at a layer, of the parabola through it and its neighbours.
    double slope(std::size_t i) const {
        const auto secant = [&](std::size_t j) {
            return (values_[j] - values_[j + 1]) / (heights_[j] - heights_[j + 1]);
        };
        if (i == 0) return secant(0);
        if (i + 1 == heights_.size()) return secant(i - 1);
        const double up = heights_[i - 1] - heights_[i], down = heights_[i] - heights_[i + 1];
        return (down * secant(i - 1) + up * secant(i)) / (up + down);
    }
    std::vector<double> heights_, values_;
};

/// Velocities of one tile: the discrete curl of M on the edges around its faces.
template <int D>
class TileFlow {
    static constexpr int H = D - 1, kSide = kTileSide<D>;

  public:
    /// `lower` is the tile's lower corner, less the level; `parts` of an edge of length h are
    /// sampled, one or two.
    TileFlow(const OceanState<D>& sea, const Point<D>& lower, double h, int parts)
        : sea_(sea), lower_(lower), h_(h), parts_(parts) {
        find_layers();
        for (int a = 0; a < H; ++a) {
            Index<D> steps = Index<D>::filled(kSide);
            steps[1] = 1;
            ++steps[axis_of(a)];
            lines_[a].resize(std::size_t(product(steps) * (H == 1 ? 1 : parts_)));
            Index<D> i{};
            for (i[0] = 0; i[0] < steps[0]; ++i[0])
                for (int k = 0; k < (D == 3 ? steps[D - 1] : 1); ++k) {
                    if constexpr (D == 3) i[D - 1] = k;
                    for (int p = 0; p < (H == 1 ? 1 : parts_); ++p) fill(a, i, p);
                }
        }
    }

    double velocity(int axis, const Index<D>& local) const {
        Point<D> centre = lower_ + (local.template as<double>() + Point<D>::filled(0.5)) * h_;
        centre[axis] -= 0.5 * h_;
        const double highest = sea_.layers[sea_.surface].lift(horizontal<D>(centre)) + h_;
        const double y = std::min(centre[1], highest);
        if (axis != 1) {
            const int a = axis == 0 ? 0 : H - 1;
            return (transport(a, local, y + 0.5 * h_) - transport(a, local, y - 0.5 * h_)) / h_;
        }
        double sum = 0;
        for (int a = 0; a < H; ++a)
            sum -=
                (transport(a, local + Index<D>::unit(axis_of(a)), y) - transport(a, local, y)) / h_;
        return sum;
    }

  private:
    /// Layers that may lie within a voxel and a half of the tile, and two more on either side.
    void find_layers() {
        const double top = lower_[1] + (kSide + 1.5) * h_, bottom = lower_[1] - 1.5 * h_;
        const auto& layers = sea_.layers;
        first_ = 0;
        last_ = layers.size();
        while (first_ + 4 < last_ &&
               layers[first_ + 1].depth_coordinate + layers[first_ + 1].lowest > top)
            ++first_;
        while (last_ > first_ + 4 &&
               layers[last_ - 2].depth_coordinate + layers[last_ - 2].highest < bottom)
            --last_;
        // Above the surface velocities are those near it.
        if (bottom > layers[sea_.surface].lowest) last_ = std::max(last_, sea_.surface + 4);
        last_ = std::min(last_ + 2, layers.size());
        first_ = first_ > 2 ? first_ - 2 : 0;
    }
    TransportLine& line(int a, const Index<D>& i, int part) {
        return const_cast<TransportLine&>(std::as_const(*this).line(a, i, part));
    }
    const TransportLine& line(int a, const Index<D>& i, int part) const {
        if constexpr (D == 2) return lines_[a][std::size_t(i[0])];
        const int across = a == 1 ? kSide + 1 : kSide;
        return lines_[a][std::size_t((i[0] * across + i[D - 1]) * parts_ + part)];
    }
    /// The line of component a at an edge; edges lie along the other horizontal axis.
    void fill(int a, const Index<D>& i, int part) {
        Point<D> x = lower_ + i.template as<double>() * h_;
        if constexpr (D == 3) x[axis_of(1 - a)] += (part + 0.5) / parts_ * h_;
        const auto at = horizontal<D>(x);
        TransportLine& to = line(a, i, part);
        for (std::size_t j = first_; j < last_; ++j) {
            const auto& layer = sea_.layers[j];
            const double thickness =
                j == 0 ? 0 : sea_.layers[j - 1].depth_coordinate - layer.depth_coordinate;
            to.add(layer.depth_coordinate + layer.lift(at), layer.transport[a](at), thickness);
        }
    }
    double transport(int a, const Index<D>& i, double y) const {
        if constexpr (D == 2) return line(a, i, 0)(y);
        double sum = 0;
        for (int p = 0; p < parts_; ++p) sum += line(a, i, p)(y);
        return sum / parts_;
    }

    const OceanState<D>& sea_;
    Point<D> lower_;
    double h_;
    int parts_;
    std::size_t first_ = 0, last_ = 0;
    std::vector<TransportLine> lines_[H];
};

}  // namespace

template <int D>
OceanBulk<D>::OceanBulk(const Scene& scene)
    : DomainBulk<D>(scene), waves_(scene), level_(scene.bulk.level) {}

template <int D>
typename OceanBulk<D>::StatePtr OceanBulk<D>::state(double time, Context& context) const {
    {
        const std::lock_guard lock(mutex_);
        for (auto i = kept_.begin(); i != kept_.end(); ++i)
            if ((*i)->time == time) {
                std::rotate(i, i + 1, kept_.end());
                return kept_.back();
            }
    }
    const double h = transform_.voxel;
    // Tiles may reach two beyond the domain; the sea may stand as much lower as its waves are high.
    const double bottom = std::max(level_ - box_.lo[1], 0.0) + 2 * kTileSide<D> * h +
                          5 * std::sqrt(waves_.variance());
    auto found = std::make_shared<const OceanState<D>>(waves_.state(time, h, bottom, context));
    const std::lock_guard lock(mutex_);
    kept_.push_back(found);
    if (kept_.size() > kMostKept) kept_.erase(kept_.begin());
    return found;
}

template <int D>
std::vector<Index<D>> OceanBulk<D>::liquid_tiles(double time, double band, Context& context) const {
    Stage stage(context, "bulk");
    const StatePtr sea = state(time, context);
    const int floor = cells_.lo[1];
    return this->tiles_where(
        [&](const Index<D>& cell, const Point<D>& x) {
            // The lowest cell of a line decides for it.
            if ((cell[1] & (kTileSide<D> - 1)) != 0 && cell[1] > floor) return false;
            const auto top = crest<D>(*sea, horizontal<D>(x));
            return (x[1] - level_ - top.height) / top.normal < band;
        },
        context);
}

template <int D>
BulkFields<D> OceanBulk<D>::on(const typename Tiles<D>::Ptr& tiles, double time,
                               Context& context) const {
    Stage stage(context, "bulk");
    const int ratio = alignment<D>(tiles->transform(), transform_).ratio;
    const StatePtr sea = state(time, context);
    BulkFields<D> r{time, CellField<double, D>::unwritten(tiles),
                    FaceField<double, D>::unwritten(tiles)};
    double* phi = r.phi.write();
    double* velocity[D];
    for (int a = 0; a < D; ++a) velocity[a] = r.velocity.write(a);
    for_range(context.arena, std::size_t(tiles->zero()), 1, [&](std::size_t t, std::size_t) {
        Point<D> lower = tiles->transform().to_world(tiles->origin(int(t)).template as<double>());
        lower[1] -= level_;
        const TileFlow<D> flow(*sea, lower, tiles->voxel(), ratio);
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t i = t * kTileCells<D> + std::size_t(o);
            const Point<D> x = r.phi.position(int(t), o);
            const auto top = crest<D>(*sea, horizontal<D>(x));
            phi[i] = (x[1] - level_ - top.height) / top.normal;
            for (int a = 0; a < D; ++a) velocity[a][i] = flow.velocity(a, tile_local<D>(o));
        }
    });
    return r;
}

template class OceanBulk<2>;
template class OceanBulk<3>;

}  // namespace spume
