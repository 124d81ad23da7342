// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/particle_level_set/surface_step.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/clamp.h"
#include "spume/surface/level_sample.h"

// Drops smaller than a cell, [G04] §3.3.4 after Foster & Fedkiw. A marker of liquid that the level
// set has lost stands for its part of a cell at most, h^D / markers a cell, and for no more than
// what the level set did lose. It falls freely; where it meets the liquid its volume returns to the
// level set, around the place.

namespace spume::particle_level_set {
namespace {

/// The cells within two of a place, and what they hold.
template <int D>
class Patch {
  public:
    Patch(const DenseField<float, D>& phi, const SolidLattice<D>& solids, FourFloats place)
        : open_(solids.open.values.empty() ? nullptr : solids.open.read()) {
        for_cells(phi.shape, place, kReach, [&](const Index<D>& i) { cells_[count_++] = i; });
        for_cells(phi.shape, place, kReach + 1,
                  [&](const Index<D>& i) { near_[near_count_++] = phi.shape.at(i); });
    }
    /// Σ δ(φ), voxels.
    double area(const DenseField<float, D>& phi) const {
        double sum = 0;
        for (int k = 0; k < count_; ++k) {
            const std::size_t at = phi.shape.at(cells_[k]);
            sum += double(std::max(0.0f, 1 - std::abs(phi.values[at])) * open(at));
        }
        return sum;
    }
    /// Liquid in them and in the cells around them, whose slopes they are part of; voxels.
    double filled(const DenseField<float, D>& phi) const {
        double sum = 0;
        for (int k = 0; k < near_count_; ++k)
            sum += filled_part<D>(phi, near_[k]) * double(open(near_[k]));
        return sum;
    }
    void lower(DenseField<float, D>& phi, float by, DenseField<float, D>& way) const {
        float* f = phi.write();
        float* moved = way.write();
        for (int k = 0; k < count_; ++k) {
            const std::size_t at = phi.shape.at(cells_[k]);
            f[at] -= by;
            moved[at] += by;
            mirror_sample<float, D>(f, phi.shape, cells_[k]);
        }
    }

  private:
    static constexpr int kReach = 2;
    static constexpr int kCells = D == 2 ? 25 : 125, kNear = D == 2 ? 49 : 343;

    float open(std::size_t at) const { return open_ ? open_[at] : 1.0f; }

    template <class F>
    static void for_cells(const DenseShape<D>& shape, FourFloats place, int reach, F&& f) {
        const int side = 2 * reach + 1;
        int all = 1;
        for (int a = 0; a < D; ++a) all *= side;
        for (int k = 0; k < all; ++k) {
            Index<D> i{};
            bool inside = true;
            for (int a = 0, rest = k; a < D; ++a, rest /= side) {
                i[a] = int(place[a]) + rest % side - reach;
                inside = inside && i[a] >= 0 && i[a] < shape.size[a];
            }
            if (inside) f(i);
        }
    }

    const float* open_;
    Index<D> cells_[kCells];
    std::size_t near_[kNear];
    int count_ = 0, near_count_ = 0;
};

/// The surface around a place moves outwards until the liquid has grown by `volume` voxels; `way`
/// remembers how far. Returns by how much it has grown: by nothing where there is no surface.
template <int D>
double give_back(DenseField<float, D>& phi, const SolidLattice<D>& solids, FourFloats place,
                 double volume, DenseField<float, D>& way) {
    constexpr int kPasses = 4;
    const Patch<D> patch(phi, solids, place);
    if (!(patch.area(phi) > 0.5)) return 0;
    if (way.values.empty()) way = DenseField<float, D>(phi.shape);
    const double before = patch.filled(phi);
    double given = 0;
    for (int pass = 0; pass < kPasses && std::abs(volume - given) > 1e-4 * volume; ++pass) {
        const double area = std::max(patch.area(phi), 0.5);
        patch.lower(phi, float(std::clamp((volume - given) / area, -0.5, 0.5)), way);
        given = patch.filled(phi) - before;
    }
    return given;
}

/// Markers go with the surface where it was moved: those of air would push it back.
template <int D>
void follow(Markers<D>& markers, const DenseField<float, D>& phi, const DenseField<float, D>& way,
            const World<D>& w, Context& context) {
    const Clamp<D> clamp = Clamp<D>::closed({Index<D>{}, phi.shape.size});
    Point<D>* x = markers.position.write().data();
    for_range(context.arena, markers.size(), 8192, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            const Point<D> u = w.lattice.to_lattice(x[q]);
            const float by = way.values[phi.shape.at(clamp.cell(u))];
            if (by == 0) continue;
            const Vec<float, D> g = level_slope<D>(phi.read(), phi.shape, u);
            const float size = std::max(length(g), 0.5f);
            x[q] += (g * (by / size)).template as<double>() * w.lattice.voxel;
        }
    });
}

/// Drops below this part of the largest are none.
constexpr double kLeastDrop = 1e-3;

/// Where a drop on its way met the surface; one that the surface overtook is brought to it.
template <int D>
Point<D> meeting_place(const DenseField<float, D>& phi, const World<D>& w, const Point<D>& before,
                       const Point<D>& now) {
    const LevelSampler<D> level(phi.read(), phi.shape);
    const LatticeLanes<D> lanes(w.lattice);
    const float begin = level(lanes(before)), end = level(lanes(now));
    if (begin > 0) return before + (now - before) * double(begin / (begin - end));
    Point<D> u = w.lattice.to_lattice(now);
    const Vec<float, D> g = level_slope<D>(phi.read(), phi.shape, u);
    u -= (g * (end / std::max(dot(g, g), 0.25f))).template as<double>();
    return w.lattice.to_world(u);
}

/// Free fall; walls and solids stop what meets them.
template <int D>
void fall(Drops<D>& drops, const World<D>& w, const PlacedSolids<D>& solids, double dt,
          Context& context) {
    const Vec<double, D> g = w.gravity();
    const Box<double, D> box = w.domain.bounds();
    const double in = 1e-6 * w.domain.voxel();
    auto x = drops.position.write();
    auto v = drops.velocity.write();
    auto age = drops.age.write();
    for_range(context.arena, x.size(), 1024, [&](std::size_t b, std::size_t e) {
        for (std::size_t q = b; q < e; ++q) {
            x[q] += v[q] * dt + g * (dt * dt / 2);
            v[q] += g * dt;
            age[q] += float(dt);
            if (!solids.empty() && solids.distance(x[q]) < 0) {
                const PlacedBody<D>& body = solids.nearest(x[q]);
                const Vec<double, D> n = body.normal(x[q]);
                x[q] -= n * (solids.distance(x[q]) - in);
                v[q] -= n * std::min(0.0, dot(v[q] - body.velocity(x[q]), n));
            }
            for (int a = 0; a < D; ++a)
                for (int side = 0; side < 2; ++side) {
                    const double wall = side ? box.hi[a] - in : box.lo[a] + in;
                    const bool beyond = side ? x[q][a] > wall : x[q][a] < wall;
                    if (!w.domain.wall[a][side] || !beyond) continue;
                    x[q][a] = wall;
                    v[q][a] = side ? std::min(v[q][a], 0.0) : std::max(v[q][a], 0.0);
                }
        }
    });
}

}  // namespace

template <int D>
double most_of_a_drop(const World<D>& w) {
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= w.lattice.voxel;
    return cell / w.motion.markers.per_cell;
}

template <int D>
double volume_of(const Drops<D>& drops, Context& context) {
    return reduce(
        context.arena, drops.size(), 4096, 0.0,
        [&](std::size_t b, std::size_t e) {
            double sum = 0;
            for (std::size_t q = b; q < e; ++q) sum += bubble_volume<D>(double(drops.radius[q]));
            return sum;
        },
        [](double a, double b) { return a + b; });
}

template <int D>
void move_drops(State<D>& s, const World<D>& w, const PlacedSolids<D>& solids,
                const SolidLattice<D>& covered, double dt, Context& context) {
    Drops<D>& drops = s.drops;
    if (drops.size() == 0) return;
    Stage stage(context, "drops");
    const Array<Point<D>> before = drops.position;
    fall(drops, w, solids, dt, context);
    const Box<double, D> box = w.domain.bounds();
    const LatticeLanes<D> lanes(w.lattice);
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= w.lattice.voxel;
    const double least = kLeastDrop * most_of_a_drop(w);
    std::vector<std::uint8_t> gone(drops.size(), 0);
    DenseField<float, D> way;
    // In the order of memory: what one gives back the next one meets.
    for (std::size_t q = 0; q < drops.size(); ++q) {
        const Point<D> x = drops.position[q];
        const double volume = bubble_volume<D>(double(drops.radius[q]));
        if (!box.contains(x)) {
            s.target_volume -= volume;
            gone[q] = 1;
            continue;
        }
        const LevelSampler<D> level(s.surface.phi.read(), s.surface.phi.shape);
        const float end = level(lanes(x));
        if (!(end < 0)) continue;
        const double left =
            volume - cell * give_back(s.surface.phi, covered,
                                      lanes(meeting_place(s.surface.phi, w, before[q], x)),
                                      volume / cell, way);
        gone[q] = left < least;
        if (!gone[q]) drops.radius.write()[q] = float(bubble_radius<D>(left));
    }
    if (!way.values.empty()) follow(s.surface.markers, s.surface.phi, way, w, context);
    remove_if(drops, context, [&](std::size_t q) { return gone[q] != 0; });
}

template <int D>
void add_drops(State<D>& s, const World<D>& w, std::size_t first, double lost, double time) {
    std::vector<std::size_t> liquid;
    for (std::size_t q = first; q < s.escaped.size(); ++q)
        if (s.escaped.type[q] < 0) liquid.push_back(q);
    if (liquid.empty()) return;
    const double most = most_of_a_drop(w), each = std::min(most, lost / double(liquid.size()));
    if (!(each > kLeastDrop * most)) return;
    Drops<D> fresh;
    resize(fresh, liquid.size());
    auto x = fresh.position.write();
    auto v = fresh.velocity.write();
    auto r = fresh.radius.write();
    const float radius = float(bubble_radius<D>(each));
    for (std::size_t n = 0; n < liquid.size(); ++n) {
        v[n] = s.escaped.velocity[liquid[n]];
        x[n] = s.escaped.position[liquid[n]] + v[n] * (time - double(s.escaped.time[liquid[n]]));
        r[n] = radius;
    }
    append(s.drops, fresh);
}

#define SPUME_INSTANTIATE(D)                                                        \
    template double most_of_a_drop<D>(const World<D>&);                             \
    template double volume_of<D>(const Drops<D>&, Context&);                        \
    template void move_drops<D>(State<D>&, const World<D>&, const PlacedSolids<D>&, \
                                const SolidLattice<D>&, double, Context&);          \
    template void add_drops<D>(State<D>&, const World<D>&, std::size_t, double, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
