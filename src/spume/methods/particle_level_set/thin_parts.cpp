// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/particle_level_set/thin_parts.h"

#include <cmath>

#include <fmt/format.h>

#include "spume/core/units.h"
#include "spume/physics/domain/liquid_at_start.h"

namespace spume::particle_level_set {
namespace {

/// Two surfaces between places with the same sign, both across the way: one that only grazes a
/// curved shape is no film.
template <class F>
bool two_surfaces(double begin, double end, F&& distance) {
    constexpr int kParts = 16;
    constexpr double kAcross = 0.5;  // of the slope
    if ((begin < 0) != (end < 0) || std::abs(begin) + std::abs(end) > 1) return false;
    double before = begin;
    int across = 0;
    for (int k = 1; k <= kParts; ++k) {
        const double now = k == kParts ? end : distance(double(k) / kParts);
        if ((now < 0) != (before < 0)) across += std::abs(now - before) * kParts > kAcross;
        before = now;
    }
    return across >= 2;
}

template <int D>
struct Found {
    std::size_t count = 0;
    Point<D> first{};
};

}  // namespace

template <int D>
std::string thin_parts(const World<D>& w, Context& context) {
    const LiquidAtStart<D> at(w.liquids, w.domain, 6);
    const double h = w.lattice.voxel;
    const Index<D> cells = w.cells();
    const DenseShape<D> shape = DensePlace<D>::centres(cells).shape;
    const auto search = [&](std::size_t begin, std::size_t end) {
        Found<D> found;
        for (std::size_t r = begin; r < end; ++r) {
            Index<D> i = shape.row(r);
            for (int n = 0; n < cells[D - 1]; ++n, ++i[D - 1]) {
                const Point<D> x =
                    w.lattice.to_world(i.template as<double>() + Point<D>::filled(0.5));
                const double here = at(x) / h;
                for (int a = 0; std::abs(here) < 1 && a < D; ++a) {
                    if (i[a] + 1 >= cells[a]) continue;
                    const auto along = [&](double part) {
                        return at(x + Vec<double, D>::unit(a, part * h)) / h;
                    };
                    if (two_surfaces(here, along(1), along) && found.count++ == 0) found.first = x;
                }
            }
        }
        return found;
    };
    const Found<D> all =
        reduce(context.arena, shape.rows(), 64, Found<D>{}, search,
               [](const Found<D>& a, const Found<D>& b) {
                   return Found<D>{a.count + b.count, a.count > 0 ? a.first : b.first};
               });
    if (all.count == 0) return {};
    std::string place;
    for (int a = 0; a < D; ++a) place += (a > 0 ? ", " : "") + fmt::format("{:.3g}", all.first[a]);
    return fmt::format(
        "liquid or air is thinner than a voxel of the level set, {} m, in {} places, one beside "
        "[{}]: it is not seen and counts as what is around it; use smaller voxels or a larger "
        "particle_level_set.subgrid",
        number_text(h), all.count, place);
}

#define SPUME_INSTANTIATE(D) template std::string thin_parts<D>(const World<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::particle_level_set
