// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/mixture/tension.h"

#include <algorithm>
#include <cmath>

#include "spume/particles/transfer.h"

namespace spume::mixture {
namespace {

/// Sums over the faces of a pocket, or over those in one tile.
template <int D>
struct PocketSum {
    std::int32_t pocket = 0;
    Vec<double, D> force{}, faces{};
    bool held = false;  ///< touches something closed

    void add(const PocketSum& other) {
        force += other.force, faces += other.faces;
        held = held || other.held;
    }
};

/// Sweeps that leave the curvature of a ball of two voxels; more of them flatten it.
constexpr int kSmallSweeps = 2;
/// Bodies of air of a smaller radius, in voxels, are small.
constexpr double kSmallRadius = 5;

/// Cells of small pockets and those beside them.
template <int D>
struct SmallPockets {
    CellField<std::uint8_t, D> cells;
    bool any = false;
};

template <int D>
SmallPockets<D> small_pockets(const Pockets<D>& pockets, const CellField<double, D>& fraction,
                              Context& context) {
    const Tiles<D>& tiles = *fraction.tiles();
    const std::vector<double> radius = radii_of(pockets, fraction, context);
    SmallPockets<D> r{CellField<std::uint8_t, D>(fraction.tiles())};
    const std::int32_t* label = pockets.label.read();
    const auto small = [&](std::size_t cell) {
        return label[cell] > 0 && radius[std::size_t(label[cell])] < kSmallRadius;
    };
    std::uint8_t* out = r.cells.write();
    for_tiles(context.arena, tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D>; ++o) {
            const std::size_t cell = std::size_t(t) * kTileCells<D> + std::size_t(o);
            bool found = small(cell);
            for (int a = 0; a < D && !found && label[cell] == 0; ++a)
                found = small(neighbour_of<D>(tiles, t, o, 2 * a + 1).place()) ||
                        small(neighbour_of<D>(tiles, t, o, 2 * a).place());
            out[cell] = found;
        }
    });
    for (std::size_t k = 1; k < radius.size(); ++k) r.any = r.any || radius[k] < kSmallRadius;
    return r;
}

/// to = from in the marked cells.
template <int D>
void take_where(const CellField<std::uint8_t, D>& marks, const CellField<double, D>& from,
                CellField<double, D>& to, Context& context) {
    double* out = to.write();
    const std::uint8_t* mark = marks.read();
    const double* in = from.read();
    for_values(context.arena, *to.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) out[i] = mark[i] ? in[i] : out[i];
    });
}

}  // namespace

template <int D>
FaceField<double, D> tension_on_faces(const CellField<double, D>& fraction,
                                      const CellField<double, D>& curvature, double coefficient,
                                      const CutCells<D>& open, Context& context) {
    Stage stage(context, "tension");
    const auto& tiles = fraction.tiles();
    FaceField<double, D> r(tiles);
    const double *phi = fraction.read(), *kappa = curvature.read();
    const std::uint8_t* kind = open.kind.read();
    const double scale = coefficient / (2 * tiles->voxel());
    for (int a = 0; a < D; ++a) {
        double* out = r.write(a);
        for_face_pairs(context.arena, *tiles, a, [&](std::size_t at, std::size_t below) {
            if (kind[at] == kFluidCell && kind[below] == kFluidCell)
                out[at] = scale * (kappa[at] + kappa[below]) * (phi[at] - phi[below]);
        });
    }
    return r;
}

template <int D>
std::vector<Vec<double, D>> compensate_drift(FaceField<double, D>& force, const Pockets<D>& pockets,
                                             const CutCells<D>& open, Context& context) {
    Stage stage(context, "pockets");
    const Tiles<D>& tiles = *force.tiles();
    std::vector<std::vector<PocketSum<D>>> parts(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        auto& own = parts[std::size_t(t)];
        for_pocket_faces(pockets, t, [&](int axis, std::size_t face, std::int32_t pocket) {
            auto sum = std::find_if(own.rbegin(), own.rend(),
                                    [&](const PocketSum<D>& s) { return s.pocket == pocket; });
            PocketSum<D>& to = sum != own.rend() ? *sum : own.emplace_back();
            to.pocket = pocket;
            to.force[axis] += force.read(axis)[face];
            to.faces[axis] += 1;
            to.held = to.held || open.area.read(axis)[face] < 1;
        });
    });
    std::vector<PocketSum<D>> sums(std::size_t(pockets.count) + 1);
    for (const auto& own : parts)
        for (const PocketSum<D>& part : own) sums[std::size_t(part.pocket)].add(part);

    std::vector<Vec<double, D>> chi(sums.size());
    for (std::size_t n = 1; n < sums.size(); ++n)
        for (int a = 0; a < D && !sums[n].held; ++a)
            chi[n][a] = sums[n].force[a] / sums[n].faces[a];
    double* out[D];
    for (int a = 0; a < D; ++a) out[a] = force.write(a);
    for_tiles(context.arena, tiles, [&](int t) {
        for_pocket_faces(pockets, t, [&](int axis, std::size_t face, std::int32_t pocket) {
            out[axis][face] -= chi[std::size_t(pocket)][axis];
        });
    });
    return chi;
}

template <int D>
FaceField<double, D> surface_tension(const MixtureFaces<D>& mixture, const TensionLaw& law,
                                     const CutCells<D>& open, const GridDomain<D>& domain,
                                     Context& context) {
    if (law.coefficient <= 0) return {};
    const auto isolated =
        law.filter ? isolated_cells(mixture.bubble, context) : CellField<std::int32_t, D>{};
    const auto fraction = cell_fraction(mixture.bubble, isolated, context);
    const auto bend_of = [&](int sweeps) {
        const auto soft = without_noise(fraction, sweeps, open, domain, context);
        auto bend = curvature(soft, sweeps > 0, open, domain, context);
        return sweeps > 0 ? steep_mean(bend, fraction, open, domain, context) : bend;
    };
    auto bend = bend_of(law.smoothing);
    const Pockets<D> pockets = pockets_of(fraction, context);
    if (law.smoothing > kSmallSweeps) {
        const SmallPockets<D> small = small_pockets(pockets, fraction, context);
        if (small.any) take_where(small.cells, bend_of(kSmallSweeps), bend, context);
    }
    auto force = tension_on_faces(fraction, bend, law.coefficient, open, context);
    if (law.compensate) compensate_drift(force, pockets, open, context);
    return force;
}

template <int D>
MixtureForce<D> shared_force(FaceField<double, D> force, const TensionLaw& law,
                             const Bubbles<D>& bubbles, const MixtureFaces<D>& mixture,
                             const TileRanges<D>& ranges, const GridDomain<D>& domain,
                             Context& context) {
    if (!force.tiles()) return {};
    Stage stage(context, "tension");
    MixtureForce<D> r{force, force, force};
    if (law.clamped)
        for (int a = 0; a < D; ++a) {
            const double *bar = mixture.unclamped.read(a), *phi = mixture.bubble.read(a);
            double* f = r.bubbles.write(a);
            for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
                for (std::size_t i = b; i < e; ++i) f[i] *= bar[i] > 0 ? phi[i] / bar[i] : 1;
            });
        }
    if (law.on_faces) return r;

    // Eq. 22 instead of Eq. 51: the force comes back to the faces by way of the particles.
    Array<Vec<double, D>> pull;
    pull.resize_discard(bubbles.size());
    auto at = pull.write();
    gather_from_faces<double, D>(
        bubbles.position.read(), ranges, domain.clamp(), r.bubbles,
        [&](std::size_t q, const Vec<double, D>& f) { at[q] = f; }, context);
    std::array<FaceField<double, D>, 1> sums;
    const double per_face = 1 / domain.cell_volume();
    scatter_to_faces<double, D, 1>(
        bubbles.position.read(), ranges, domain.clamp(),
        [&](std::size_t q, int axis) {
            return std::array<double, 1>{mixture.volume[q] * per_face * at[q][axis]};
        },
        sums, context);
    r.carried = std::move(sums[0]);
    for (int a = 0; a < D; ++a) {
        const double* bar = mixture.unclamped.read(a);
        double* f = r.carried.write(a);
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) f[i] = bar[i] > 0 ? f[i] / bar[i] : 0;
        });
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template FaceField<double, D> tension_on_faces<D>(const CellField<double, D>&,              \
                                                      const CellField<double, D>&, double,      \
                                                      const CutCells<D>&, Context&);            \
    template std::vector<Vec<double, D>> compensate_drift<D>(                                   \
        FaceField<double, D>&, const Pockets<D>&, const CutCells<D>&, Context&);                \
    template FaceField<double, D> surface_tension<D>(const MixtureFaces<D>&, const TensionLaw&, \
                                                     const CutCells<D>&, const GridDomain<D>&,  \
                                                     Context&);                                 \
    template MixtureForce<D> shared_force<D>(                                                   \
        FaceField<double, D>, const TensionLaw&, const Bubbles<D>&, const MixtureFaces<D>&,     \
        const TileRanges<D>&, const GridDomain<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::mixture
