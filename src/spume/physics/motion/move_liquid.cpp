// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/move_liquid.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "spume/grid/halo.h"
#include "spume/physics/motion/ralston.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 4096;
/// Particles keep this distance from walls, in voxels, so that none sits on a face.
constexpr double kClearance = 1e-3;

/// Velocities near one tile from a copy with halo, far ones through the tile table.
template <int D>
class NearVelocity {
  public:
    static constexpr int kHalo = D == 2 ? 6 : 3;
    using Block = HaloBlock<double, D, kHalo>;

    NearVelocity(const Carrier<D>& carrier, const Clamp<D>& clamp)
        : carrier_(carrier), clamp_(clamp), far_(carrier, clamp) {}

    void enter(int tile) {
        const Tiles<D>& tiles = *carrier_.flow.tiles();
        origin_ = tiles.origin(tile).template as<double>();
        walls_ = false;
        for (int a = 0; a < D; ++a) {
            load_halo(carrier_.flow.read(a), tiles, tile, block_[a]);
            if (carrier_.displaces()) add_displacement(a, tile);
            lo_[a] = clamp_.lo[a] - origin_[a];
            hi_[a] = clamp_.hi[a] - origin_[a];
            walls_ = walls_ || lo_[a] > -kHalo || hi_[a] < kTileSide<D> + kHalo;
        }
    }
    const Point<D>& origin() const { return origin_; }

    /// At a point of the lattice, counted from the tile's origin.
    Vec<double, D> operator()(const Point<D>& x) {
        // Place of the lower sample and weight of the upper, on faces across (0) and along (1).
        int place[2][D];
        double weight[2][D];
        for (int d = 0; d < D; ++d) {
            double across = x[d], along = x[d];
            if (walls_) {
                across = std::min(std::max(across, lo_[d]), hi_[d]);
                along = std::min(std::max(along, lo_[d] + 0.5), hi_[d] - 0.5);
            }
            across += kHalo, along += kHalo - 0.5;
            if (!(along >= 0 && along < Block::kSide - 1 && across >= 0 &&
                  across < Block::kSide - 1))
                return far_(x + origin_);
            place[0][d] = static_cast<int>(across), place[1][d] = static_cast<int>(along);
            weight[0][d] = across - place[0][d], weight[1][d] = along - place[1][d];
        }
        Vec<double, D> r{};
        for (int a = 0; a < D; ++a) r[a] = component(a, place, weight);
        return r;
    }

  private:
    void add_displacement(int axis, int tile) {
        HaloBlock<float, D, kHalo> way;
        load_halo(carrier_.displacement.read(axis), *carrier_.displacement.tiles(), tile, way);
        const double rate = 1 / carrier_.dt;
        for (int i = 0; i < Block::kSize; ++i) block_[axis].v[i] += rate * double(way.v[i]);
    }

    /// Two samples that follow each other along the last axis fill one register.
    typedef double Two __attribute__((vector_size(16)));
    static Two load(const double* v) {
        Two r;
        std::memcpy(&r, v, sizeof r);
        return r;
    }

    double component(int axis, const int (&place)[2][D], const double (&weight)[2][D]) const {
        int at = 0;
        double w[D];
        for (int d = 0; d < D; ++d) {
            const int k = d == axis ? 0 : 1;
            at = at * Block::kSide + place[k][d];
            w[d] = weight[k][d];
        }
        const double* v = block_[axis].v + at;
        constexpr int s0 = Block::stride(0);
        Two low = load(v), high = load(v + s0);
        if constexpr (D == 3) {
            constexpr int s1 = Block::stride(1);
            low += w[1] * (load(v + s1) - low);
            high += w[1] * (load(v + s0 + s1) - high);
        }
        low += w[0] * (high - low);
        return low[0] + w[D - 1] * (low[1] - low[0]);
    }

    const Carrier<D>& carrier_;
    Clamp<D> clamp_;
    VelocitySampler<D> far_;
    Block block_[D];
    Point<D> origin_{}, lo_{}, hi_{};
    bool walls_ = false;  ///< walls within reach of the block
};

constexpr int kAbreast = 4;
template <int N, int D>
void move(Point<D>* position, const Transform<D>& transform, NearVelocity<D>& u, double step,
          double dt) {
    Point<D> x[N];
    Vec<double, D> way[N];
    for (int n = 0; n < N; ++n) x[n] = transform.to_lattice(position[n]) - u.origin();
    trace_ralston(x, u, step, dt, way);
    for (int n = 0; n < N; ++n) position[n] += way[n];
}

}  // namespace

template <int D>
VelocitySampler<D>::VelocitySampler(const FaceField<double, D>& flow, const Clamp<D>& clamp)
    : clamp_(clamp), cursor_(*flow.tiles()) {
    for (int a = 0; a < D; ++a) values_[a] = flow.read(a);
}

template <int D>
VelocitySampler<D>::VelocitySampler(const Carrier<D>& carrier, const Clamp<D>& clamp)
    : VelocitySampler(carrier.flow, clamp) {
    if (!carrier.displaces()) return;
    for (int a = 0; a < D; ++a) displacement_[a] = carrier.displacement.read(a);
    rate_ = 1 / carrier.dt;
}

template <int D>
Vec<double, D> VelocitySampler<D>::operator()(const Point<D>& x) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a) {
        Point<D> u{};
        for (int d = 0; d < D; ++d)
            u[d] = d == a ? clamp_.normal(x[d], d) : clamp_.side(x[d], d) - 0.5;
        r[a] = sample_linear<double, D>(values_[a], cursor_, u);
        if (displacement_[a])
            r[a] += rate_ * double(sample_linear<float, D>(displacement_[a], cursor_, u));
    }
    return r;
}

template <int D>
void advance(Liquid<D>& liquid, const TileRanges<D>& ranges,
             const std::type_identity_t<Carrier<D>>& carrier, const Clamp<D>& clamp, double dt,
             Context& context) {
    Stage stage(context, "advect");
    const Tiles<D>& tiles = *ranges.tiles;
    const Transform<D>& transform = tiles.transform();
    const double step = dt / transform.voxel;
    Point<D>* position = liquid.position.write().data();
    for_range(context.arena, std::size_t(tiles.active()), 4, [&](std::size_t b, std::size_t e) {
        NearVelocity<D> u(carrier, clamp);
        for (std::size_t t = b; t < e; ++t) {
            const int tile = static_cast<int>(t);
            if (ranges.first(tile) == ranges.last(tile)) continue;
            u.enter(tile);
            std::size_t i = ranges.first(tile);
            for (; i + kAbreast <= ranges.last(tile); i += kAbreast)
                move<kAbreast, D>(position + i, transform, u, step, dt);
            for (; i < ranges.last(tile); ++i) move<1, D>(position + i, transform, u, step, dt);
        }
    });
}

template <int D>
void push_out(Liquid<D>& liquid, const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
              Context& context, const Departure<D>* before) {
    Stage stage(context, "push out");
    const WayStops<D> stops(before, bodies, domain.voxel());
    const Box<double, D> box = domain.bounds();
    const double clear = kClearance * domain.voxel();
    Point<D>* position = liquid.position.write().data();
    Vec<double, D>* velocity = liquid.velocity.write().data();
    for_range(context.arena, liquid.size(), kGrain, [&](std::size_t b, std::size_t e) {
        NearSolids<D> near;
        Index<D> last{};
        bool first = true;
        for (std::size_t i = b; i < e; ++i) {
            Point<D>& x = position[i];
            Vec<double, D>& v = velocity[i];
            if (!stops.empty()) stops.stop(stops.from(i), x, v, clear);
            if (!bodies.empty()) {
                const Index<D> tile = tile_of<D>(floor_index<D>(domain.transform.to_lattice(x)));
                if (first || !(tile == last)) {
                    near.find_around_tile(bodies, domain.transform, tile, clear);
                    last = tile, first = false;
                }
                for (const PlacedBody<D>* body : near) {
                    if (!body->bounds().grown(clear).contains(x)) continue;
                    // Three corrections: the distance is exact, but the normal turns at edges.
                    for (int n = 0; n < 3; ++n) {
                        if (body->distance_within(x, clear) >= clear * (1 - 1e-9)) break;
                        const Vec<double, D> normal = body->normal(x);
                        x += normal * (clear - body->distance(x));
                        const double into = dot(v - body->velocity(x), normal);
                        if (into < 0) v -= normal * into;
                    }
                }
            }
            for (int a = 0; a < D; ++a) {
                if (domain.wall[a][0] && x[a] < box.lo[a] + clear)
                    x[a] = box.lo[a] + clear, v[a] = std::max(v[a], 0.0);
                if (domain.wall[a][1] && x[a] > box.hi[a] - clear)
                    x[a] = box.hi[a] - clear, v[a] = std::min(v[a], 0.0);
            }
            if (!stops.empty()) stops.hold(stops.from(i), x);
        }
    });
}

template <int D>
bool has_escaped(const Point<D>& x, const GridDomain<D>& domain) {
    const Box<double, D> box = domain.bounds();
    for (int a = 0; a < D; ++a)
        if ((!domain.wall[a][0] && x[a] < box.lo[a]) || (!domain.wall[a][1] && x[a] >= box.hi[a]))
            return true;
    return false;
}

template <int D>
std::size_t remove_escaped(Liquid<D>& liquid, const GridDomain<D>& domain, Context& context) {
    if (domain.closed()) return 0;
    Stage stage(context, "push out");
    return remove_if(liquid, context,
                     [&](std::size_t i) { return has_escaped(liquid.position[i], domain); });
}

template <int D>
double max_speed(const Liquid<D>& liquid, Context& context) {
    return std::sqrt(reduce(
        context.arena, liquid.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double m = 0;
            for (std::size_t i = b; i < e; ++i)
                m = std::max(m, dot(liquid.velocity[i], liquid.velocity[i]));
            return m;
        },
        [](double a, double b) { return std::max(a, b); }));
}

template <int D>
Vec<double, D> total_velocity(const Liquid<D>& liquid, Context& context) {
    return reduce(
        context.arena, liquid.size(), kGrain, Vec<double, D>{},
        [&](std::size_t b, std::size_t e) {
            Vec<double, D> s{};
            for (std::size_t i = b; i < e; ++i)
                s += liquid.velocity[i] * liquid.relative_density(i);
            return s;
        },
        [](const Vec<double, D>& a, const Vec<double, D>& b) { return a + b; });
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template class VelocitySampler<D>;                                                             \
    template void advance<D>(Liquid<D>&, const TileRanges<D>&, const Carrier<D>&, const Clamp<D>&, \
                             double, Context&);                                                    \
    template void push_out<D>(Liquid<D>&, const PlacedSolids<D>&, const GridDomain<D>&, Context&,  \
                              const Departure<D>*);                                                \
    template bool has_escaped<D>(const Point<D>&, const GridDomain<D>&);                           \
    template std::size_t remove_escaped<D>(Liquid<D>&, const GridDomain<D>&, Context&);            \
    template double max_speed<D>(const Liquid<D>&, Context&);                                      \
    template Vec<double, D> total_velocity<D>(const Liquid<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
