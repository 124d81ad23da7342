// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/methods/cip/fragments.h"
#include "spume/methods/cip/level_patch.h"

namespace spume::cip {
namespace {

/// Cells of volume at which a fragment goes back to the grid: [SSK05] says two, but what two cells
/// hold is found as a fragment again.
template <int D>
constexpr double kLargest = D == 2 ? 5 : 8;
/// Cells around a fragment that take its volume.
constexpr int kReach = 3;

template <int D>
Box<int, D> cells_near(const Vec<double, D>& x, int reach, const Index<D>& cells) {
    const Index<D> i = floor_index<D>(x);
    Box<int, D> b{i - Index<D>::filled(reach), i + Index<D>::filled(reach + 1)};
    return b.intersected({Index<D>{}, cells});
}

/// Substeps between two changes of kind: a bubble that comes up again sooner bursts.
constexpr std::uint64_t kKindLasts = 10;

double sided(double phi, FragmentKind kind) { return kind == kDrop ? phi : -phi; }

/// Inverse of [SSK05] Eqs. 14–15: the level set near the fragment moves until the grid holds its
/// volume (in voxels) more; at most a voxel.
template <int D>
void pour(State<D>& s, const DenseCutCells<D>& open, FragmentKind kind, const Vec<double, D>& x,
          double volume, const Index<D>& cells, double smearing) {
    LevelPatch<D> patch(s.phi, open, cells_near(x, kReach, cells));
    const double before = patch.water(smearing), sign = kind == kDrop ? 1 : -1;
    const auto gained = [&](double shift) {
        patch.set([&](const Index<D>& i, double phi) {
            const double away =
                length(i.template as<double>() + Vec<double, D>::filled(0.5) - x) / kReach;
            return phi - sign * shift * std::max(0.0, 1 - away);
        });
        return sign * (patch.water(smearing) - before);
    };
    double low = 0, high = 1;
    if (gained(high) <= volume) return;
    for (int k = 0; k < 30; ++k) {
        const double middle = (low + high) / 2;
        (gained(middle) < volume ? low : high) = middle;
    }
}

/// [SSK05] Eq. 17 as a union, of a ball so large that the grid holds the fragment's volume (in
/// voxels) more, wherever walls, solids or its own phase take a part of it; at most a voxel and a
/// half larger.
template <int D>
void draw_ball(State<D>& s, const DenseCutCells<D>& open, FragmentKind kind, Vec<double, D> x,
               double volume, const Index<D>& cells, double smearing) {
    const double radius = fragment_radius<D>(volume);
    for (int a = 0; a < D; ++a)
        x[a] = std::clamp(x[a], std::min(radius, 0.5 * cells[a]),
                          std::max(cells[a] - radius, 0.5 * cells[a]));
    LevelPatch<D> patch(s.phi, open, cells_near(x, int(radius) + 5, cells));
    const double before = patch.water(smearing), sign = kind == kDrop ? 1 : -1;
    const auto gained = [&](double r) {
        patch.set([&](const Index<D>& i, double phi) {
            const double d = length(i.template as<double>() + Vec<double, D>::filled(0.5) - x) - r;
            return kind == kDrop ? std::min(phi, d) : std::max(phi, -d);
        });
        return sign * (patch.water(smearing) - before);
    };
    double low = radius - 0.5, high = radius + 1.5;
    if (gained(high) <= volume) return;
    for (int k = 0; k < 30; ++k) {
        const double middle = (low + high) / 2;
        (gained(middle) < volume ? low : high) = middle;
    }
}

}  // namespace

template <int D>
void restitute(State<D>& s, const DenseCutCells<D>& open, const World<D>& w, const Params& p,
               Context& context) {
    const std::size_t n = s.fragments.size();
    if (n == 0) return;
    Stage stage(context, "fragments");
    const double cell = w.domain.cell_volume(), h = w.voxel();
    const Physics& physics = w.scene.physics;
    const Index<D> cells = w.cells();
    std::vector<std::uint8_t> gone(n, 0);
    // As the level set is now, with what was poured in.
    const auto depth = [&](std::size_t at) {
        double g[D];
        for (int a = 0; a < D; ++a) g[a] = s.phi.g[a].values[at];
        return -scaled_distance<double, D>(s.phi.f.values[at], g);
    };
    const FaceDensity<D> density = [&](int a, std::size_t face) {
        const double part =
            mean_smeared_step(depth(face - s.phi.f.shape.stride(a)), depth(face), p.smearing);
        return physics.air_density + (physics.water_density - physics.air_density) * part;
    };
    auto kinds = s.fragments.kind.write();
    auto life = s.fragments.life.write();
    auto changed = s.fragments.changed.write();
    for (std::size_t i = 0; i < n; ++i) {
        const auto kind = FragmentKind(kinds[i]);
        const bool lasted = changed[i] == 0 || s.steps + 1 > changed[i] + kKindLasts;
        const double volume = s.fragments.volume[i], radius = fragment_radius<D>(volume) / h;
        const Vec<double, D> x = w.lattice(s.fragments.position[i]);
        double u[D];
        for (int a = 0; a < D; ++a) u[a] = std::clamp(x[a], 0.0, double(cells[a]));
        const double phi = sample_dense<double, D>(s.phi.f.read(), s.phi.place, u);
        if (kind == kFoam) {
            if (s.fragments.age[i] >= life[i]) {
                gone[i] = 1;
                s.air_given += volume;
            } else if (phi < -1.5 && lasted) {
                kinds[i] = kBubble;  // dragged under
                changed[i] = s.steps + 1;
            }
            continue;
        }
        const bool large = volume > kLargest<D> * cell;
        const bool home = sided(phi, kind) < std::min(radius, 0.5);
        if (!large && !home) continue;
        if (!large && kind == kBubble && p.foam_life > 0 && lasted) {
            kinds[i] = kFoam;
            changed[i] = s.steps + 1;
            life[i] = float(s.fragments.age[i] + p.foam_life * 0.5 / std::max(radius, 0.05));
            continue;
        }
        // Its velocity: what it has more than the fluid that was in its place.
        const double own = kind == kDrop ? physics.water_density : physics.air_density;
        Vec<double, D> fluid{};
        for (int a = 0; a < D; ++a)
            fluid[a] = sample_dense<double, D>(s.velocity[a].f.read(), s.velocity[a].place, u);
        if (large)
            draw_ball(s, open, kind, x, volume / cell, cells, p.smearing);
        else
            pour(s, open, kind, x, volume / cell, cells, p.smearing);
        push_faces(s, w, density, s.fragments.position[i],
                   (s.fragments.velocity[i] - fluid) * (own * volume));
        (kind == kBubble ? s.air_given : s.water_given) += volume;
        gone[i] = 1;
    }
    remove_if(s.fragments, context, [&](std::size_t i) { return gone[i] != 0; });
    fill_ghosts(s.phi);
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template void restitute<D>(State<D>&, const DenseCutCells<D>&, const World<D>&, const Params&, \
                               Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
