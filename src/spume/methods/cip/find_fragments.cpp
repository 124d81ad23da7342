// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/random.h"
#include "spume/methods/cip/fragments.h"
#include "spume/methods/cip/level_patch.h"

namespace spume::cip {
namespace {

/// Cells of an isolated region that is a fragment: more are left to the grid.
template <int D>
constexpr int kMostCells = D == 2 ? 2 : 3;
/// Fig. 4 b: values less than this far from zero on the wrong side betray a fragment.
constexpr double kBetrayed = 0.5;
/// Cells around a region whose level set it made.
constexpr int kAround = 2;

template <int D>
struct Region {
    std::vector<Index<D>> cells;
    FragmentKind kind;
};

/// The level set seen from one phase: negative inside it.
template <int D>
double seen(const DenseField<double, D>& phi, FragmentKind kind, const Index<D>& i) {
    return kind == kDrop ? phi.at(i) : -phi.at(i);
}

template <int D>
Box<int, D> around(const Index<D>& i, int reach, const Index<D>& cells) {
    Box<int, D> b{i - Index<D>::filled(reach), i + Index<D>::filled(reach + 1)};
    return b.intersected({Index<D>{}, cells});
}

template <int D>
bool holds(const std::vector<Index<D>>& cells, const Index<D>& i) {
    return std::find(cells.begin(), cells.end(), i) != cells.end();
}

/// The connected region of a cell if it is no larger than a fragment; else nothing.
template <int D>
std::vector<Index<D>> small_region(const DenseField<double, D>& phi, FragmentKind kind,
                                   const Index<D>& seed, const Index<D>& cells) {
    std::vector<Index<D>> found = {seed};
    for (std::size_t n = 0; n < found.size(); ++n)
        for (int face = 0; face < 2 * D; ++face) {
            const Index<D> j = found[n] + Index<D>::unit(face / 2, face % 2 ? 1 : -1);
            if (j[face / 2] < 0 || j[face / 2] >= cells[face / 2]) continue;
            if (!(seen(phi, kind, j) < 0) || holds(found, j)) continue;
            if (int(found.size()) == kMostCells<D>) return {};
            found.push_back(j);
        }
    return found;
}

/// A least value on the wrong side of zero, with nothing of the phase within two cells.
template <int D>
bool is_betrayed(const DenseField<double, D>& phi, FragmentKind kind, const Index<D>& i,
                 const Index<D>& cells) {
    const double here = seen(phi, kind, i);
    if (!(here >= 0 && here < kBetrayed)) return false;
    bool alone = true;
    for_cells(around(i, 2, cells), [&](const Index<D>& j) {
        const double there = seen(phi, kind, j);
        alone = alone && there >= 0 && (there > here || j == i);
    });
    return alone;
}

/// Where the level set of a region ends: the distance to what else of its phase is near.
template <int D>
double distance_to_others(const DenseField<double, D>& phi, const Region<D>& region,
                          const Index<D>& i, const Index<D>& cells) {
    if (seen(phi, region.kind, i) < 0 && !holds(region.cells, i)) return -1e9;  // stays
    double least = 4;
    for_cells(around(i, 4, cells), [&](const Index<D>& j) {
        const double there = seen(phi, region.kind, j);
        if (!(there < 0) || holds(region.cells, j)) return;
        least = std::min(least, length((i - j).template as<double>()) + there);
    });
    return std::max(least, 0.01);
}

/// Takes the region from the level set; returns its volume in voxels.
template <int D>
double take(State<D>& s, const DenseCutCells<D>& open, const Region<D>& region,
            const Index<D>& cells, double smearing) {
    Box<int, D> box = around(region.cells[0], kAround, cells);
    for (const Index<D>& i : region.cells) {
        const Box<int, D> more = around(i, kAround, cells);
        box = {min(box.lo, more.lo), max(box.hi, more.hi)};
    }
    std::vector<double> ends;
    for_cells(box, [&](const Index<D>& i) {
        ends.push_back(distance_to_others(s.phi.f, region, i, cells));
    });
    LevelPatch<D> patch(s.phi, open, box);
    const double before = patch.water(smearing);
    const double sign = region.kind == kDrop ? 1 : -1;
    std::size_t n = 0;
    patch.set([&](const Index<D>&, double phi) { return sign * std::max(sign * phi, ends[n++]); });
    return sign * (before - patch.water(smearing));
}

/// Cells where a region may begin: near zero, least of their neighbours along the axes.
template <int D>
std::vector<std::size_t> candidates(const DenseField<double, D>& phi, Context& context) {
    std::vector<std::size_t> all = band_cells(phi, 1.5, context), r;
    const double* f = phi.read();
    for (const std::size_t at : all) {
        bool least = true, most = true;
        for (int a = 0; a < D; ++a)
            for (const std::size_t j : {at - phi.shape.stride(a), at + phi.shape.stride(a)}) {
                least = least && f[at] <= f[j];
                most = most && f[at] >= f[j];
            }
        if (least || most) r.push_back(at);
    }
    return r;
}

template <int D>
Index<D> index_of(const DenseShape<D>& shape, std::size_t at) {
    Index<D> i{};
    for (int a = 0; a < D; ++a) {
        i[a] = int(at / shape.stride(a)) - DenseShape<D>::kGhosts;
        at %= shape.stride(a);
    }
    return i;
}

/// Places of equal pieces about zero: at random in a ball, one not in another, so that they do not
/// merge again at once; the ball grows until there is room.
template <int D>
std::vector<Vec<double, D>> scattered(int count, double ball, double piece, std::uint64_t seed,
                                      std::uint64_t id) {
    std::vector<Vec<double, D>> places(std::size_t(count), Vec<double, D>{});
    if (count == 1) return places;
    const Random random(seed, id, 0, Purpose::kJitter);
    Vec<double, D> mean{};
    std::uint32_t draw = 0;
    for (std::size_t n = 0; n < places.size(); ++n) {
        for (bool free = false; !free; ball *= 1.02) {
            for (int a = 0; a < D; ++a) places[n][a] = ball * (2 * random.uniform(draw++) - 1);
            free = true;
            for (std::size_t m = 0; m < n; ++m)
                free = free && length(places[n] - places[m]) > 2.1 * piece;
        }
        mean += places[n] / count;
    }
    for (Vec<double, D>& place : places) place -= mean;
    return places;
}

}  // namespace

/// Several fragments where it is fast, [SSK05] §5.4: equal shares of volume about the place of the
/// old one, with its velocity.
template <int D>
void add_fragments(Fragments<D>& set, FragmentKind kind, const Point<D>& x, const Vec<double, D>& v,
                   double volume, const World<D>& w, const Params& p) {
    const int count =
        std::clamp(int(std::floor(length(v) / p.splitting_speed)) + 1, 1, p.most_pieces);
    Fragments<D> fresh;
    resize(fresh, std::size_t(count));
    const auto places = scattered<D>(count, fragment_radius<D>(volume),
                                     fragment_radius<D>(volume / count), w.scene.seed, set.next_id);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        fresh.position.write()[i] = x + places[i];
        fresh.velocity.write()[i] = v;
        fresh.volume.write()[i] = volume / count;
        fresh.kind.write()[i] = kind;
    }
    append(set, fresh);
}

template <int D>
void find_fragments(State<D>& s, const DenseCutCells<D>& open, const World<D>& w, const Params& p,
                    Context& context) {
    Stage stage(context, "fragments");
    const Index<D> cells = w.cells();
    bool changed = false;
    for (const std::size_t at : candidates(s.phi.f, context)) {
        if (open_part(open, at) == 0) continue;
        const Index<D> seed = index_of(s.phi.f.shape, at);
        for (const FragmentKind kind : {kDrop, kBubble}) {
            Region<D> region{{}, kind};
            if (seen(s.phi.f, kind, seed) < 0)
                region.cells = small_region(s.phi.f, kind, seed, cells);
            else if (is_betrayed(s.phi.f, kind, seed, cells))
                region.cells = {seed};
            if (region.cells.empty()) continue;
            Vec<double, D> v{}, centre{};
            double weights = 0;
            for (const Index<D>& i : region.cells) {
                const double weight = smeared_step(-seen(s.phi.f, kind, i), p.smearing);
                const std::size_t place = s.phi.f.shape.at(i);
                for (int a = 0; a < D; ++a) {
                    const double* u = s.velocity[a].f.read() + place;
                    v[a] += weight * 0.5 * (u[0] + u[s.phi.f.shape.stride(a)]);
                }
                centre += (i.template as<double>() + Vec<double, D>::filled(0.5)) * weight;
                weights += weight;
            }
            const double volume = take(s, open, region, cells, p.smearing) * w.domain.cell_volume();
            changed = true;
            if (!(volume > 0) || !(weights > 0)) continue;
            add_fragments(s.fragments, kind, w.position(centre / weights), v / weights, volume, w,
                          p);
            (kind == kBubble ? s.air_found : s.water_found) += volume;
        }
    }
    if (changed) fill_ghosts(s.phi);
}

template <int D>
void rescue_unreferred(State<D>& s, const CipField<double, D>& before, const Feet<double, D>& feet,
                       double lost, const DenseCutCells<D>& open, const World<D>& w,
                       const Params& p, double dt, Context& context) {
    // Less than a thousandth of a cell is rounding of the measure.
    if (std::abs(lost) < 1e-3) return;
    Stage stage(context, "fragments");
    const DenseShape<D>& shape = before.f.shape;
    std::vector<std::uint8_t> referred(shape.count(), 0);
    for (std::size_t r = 0; r < shape.rows(); ++r) {
        const std::size_t first = shape.at(shape.row(r));
        for (std::size_t at = first; at < first + std::size_t(shape.size[D - 1]); ++at) {
            Index<D> base{};
            for (int a = 0; a < D; ++a) base[a] = int(std::floor(feet.x[a].values[at] - 0.5));
            const std::size_t corner = shape.at(base);
            for (int k = 0; k < (1 << D); ++k) {
                std::size_t o = corner;
                for (int a = 0; a < D; ++a) o += (k >> a & 1) ? shape.stride(a) : 0;
                referred[o] = 1;
            }
        }
    }
    const FragmentKind kind = lost > 0 ? kDrop : kBubble;
    struct Found {
        Point<D> x;
        Vec<double, D> v;
        double volume;
    };
    std::vector<Found> found;
    double sum = 0;
    for (const std::size_t at : band_cells(before.f, 3, context)) {
        if (referred[at]) continue;
        const Index<D> i = index_of(shape, at);
        const double part =
            open_part(open, at) * smeared_step(-seen(before.f, kind, i), p.smearing);
        if (part < 0.5) continue;
        Vec<double, D> v{};
        for (int a = 0; a < D; ++a) {
            const double* u = s.velocity[a].f.read() + at;
            v[a] = 0.5 * (u[0] + u[shape.stride(a)]);
        }
        const Point<D> x =
            w.position(i.template as<double>() + Vec<double, D>::filled(0.5)) + v * dt;
        double u[D];
        const Vec<double, D> lattice = w.lattice(x);
        for (int a = 0; a < D; ++a) u[a] = std::clamp(lattice[a], 0.0, double(w.cells()[a]));
        const double there = sample_dense<double, D>(s.phi.f.read(), s.phi.place, u);
        if ((kind == kDrop ? there : -there) < 0.5) continue;
        found.push_back({x, v, part});
        sum += part;
    }
    const double scale = sum > std::abs(lost) ? std::abs(lost) / sum : 1;
    for (const Found& f : found) {
        const double volume = f.volume * scale * w.domain.cell_volume();
        add_fragments(s.fragments, kind, f.x, f.v, volume, w, p);
        (kind == kBubble ? s.air_found : s.water_found) += volume;
    }
}

#define SPUME_INSTANTIATE(D)                                                                    \
    template void find_fragments<D>(State<D>&, const DenseCutCells<D>&, const World<D>&,        \
                                    const Params&, Context&);                                   \
    template void rescue_unreferred<D>(State<D>&, const CipField<double, D>&,                   \
                                       const Feet<double, D>&, double, const DenseCutCells<D>&, \
                                       const World<D>&, const Params&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::cip
