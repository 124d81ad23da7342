// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/bulk_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/grid/sample.h"
#include "spume/physics/bulk/bulk_advice.h"
#include "spume/physics/bulk/bulk_frame.h"

namespace spume {
namespace {

constexpr double kApart = 0.5;  // residual of velocities that are not the surface's

/// A surface that moves is level if its mean normal is this near to an axis, and leaves another
/// alone if it has no more than that share of it.
constexpr double kFaces = 0.4, kAside = 0.2;

struct Sums {
    double residual = 0, speed = 0, fastest = 0, across = 0;
    Vec<double, 3> facing{};
    long cells = 0;

    friend Sums operator+(const Sums& x, const Sums& y) {
        return {x.residual + y.residual, x.speed + y.speed,   std::max(x.fastest, y.fastest),
                x.across + y.across,     x.facing + y.facing, x.cells + y.cells};
    }
};

/// A liquid whose moving surface looks sideways was read with the wrong axis up; empty if not.
std::string wrong_axis(const BulkLiquid& says, const KinematicResidual& found) {
    if (!says.present || says.kind != BulkKind::kVdb || found.cells == 0) return {};
    // Turning z up made (x, y, z) of the file (x, z, −y): what should have stayed is along −z.
    const bool z = says.foreign.up == UpAxis::kZ;
    const double side = z ? -found.facing[2] : found.facing[2];
    if (!(side > kFaces) || !(found.facing[1] < kAside)) return {};
    return fmt::format(
        "  its surface moves as if level, but looks along {}, not up: set bulk.up = \"{}\"",
        z ? "-z" : "z", z ? "y" : "z");
}

/// Unit normal of the level set at x, or nothing where it has none.
template <int D>
Vec<double, D> gradient(const CellField<double, D>& phi, TileCursor<D>& cursor, const Point<D>& x) {
    const double h = phi.tiles()->voxel();
    Vec<double, D> g{};
    for (int a = 0; a < D; ++a) {
        const auto e = Vec<double, D>::unit(a, h);
        g[a] = sample<double, D>(phi, cursor, x + e) - sample<double, D>(phi, cursor, x - e);
    }
    const double norm = length(g);
    return norm > 0 ? g / norm : Vec<double, D>{};
}

template <int D>
std::vector<std::string> report(const Scene& scene, const Inputs& inputs, Context& context) {
    const auto bulk = bulk_of<D>(scene, inputs);
    const double h = bulk->transform().voxel;
    alignment<D>({scene.voxel(), in_plane<D>(scene.domain.lower)}, bulk->transform());
    Interval time{0, 1 / scene.time.fps};
    std::string frames = "closed form";
    if (inputs.bulk) {
        const BulkInfo& info = inputs.bulk->info();
        const int start = scene.bulk.start >= 0 ? scene.bulk.start : scene.time.start;
        // Two frames that are there, as near as possible to the middle of the scene.
        const double middle = start - 1 + 0.5 * scene.time.frames / scene.time.fps * info.fps;
        const int count = (info.last - info.first) / info.every;
        const int wanted = std::clamp(int((middle - info.first) / info.every), 0, count);
        const auto there = [&](int n) {
            return n >= 0 && n < count && inputs.bulk->has(info.first + n * info.every) &&
                   inputs.bulk->has(info.first + (n + 1) * info.every);
        };
        int n = -1;
        for (int off = 0; off <= count && n < 0; ++off)
            n = there(wanted - off) ? wanted - off : there(wanted + off) ? wanted + off : -1;
        frames = fmt::format("{}, frames {} to {} at {} a second", info.path, info.first, info.last,
                             info.fps);
        if (n < 0) return {"bulk: " + frames + "; no two frames in a row are there yet"};
        const int first = info.first + n * info.every;
        time.begin = (first - start + 1) / info.fps;
        time.end = (first + info.every - start + 1) / info.fps;
    }
    const Box<double, D> box = bulk->box(time.begin);
    std::string corners[2];
    for (int a = 0; a < D; ++a) {
        corners[0] += fmt::format("{}{:.4g}", a ? ", " : "", box.lo[a]);
        corners[1] += fmt::format("{}{:.4g}", a ? ", " : "", box.hi[a]);
    }
    std::vector<std::string> lines{
        "bulk: " + frames,
        fmt::format("  box [{}] to [{}] m, voxel {:.4g} m", corners[0], corners[1], h)};
    const KinematicResidual found = kinematic_residual<D>(*bulk, time, context);
    if (found.cells == 0)
        lines.push_back(fmt::format("  no surface at {:.4g} s", time.begin));
    else
        lines.push_back(fmt::format(
            "  at {:.4g} s its surface moves at up to {:.3g} m/s, {:.3g} voxels a frame; kinematic "
            "residual {:.2g}{}",
            time.begin, found.fastest, found.fastest * time.length() / h, found.share,
            found.share > kApart ? ": velocity and surface do not belong together" : ""));
    if (const std::string axis = wrong_axis(scene.bulk, found); !axis.empty())
        lines.push_back(axis);
    if (inputs.bulk && (found.cells == 0 || found.share > kApart)) {
        const BulkAdvice advice = bulk_advice(scene, inputs, time, found, context);
        if (!advice.what.empty())
            lines.push_back(fmt::format("  it would be {:.2g} with {}", advice.share, advice.what));
        else if (found.cells > 0)
            lines.push_back("  none of the usual mistakes of scale, axis or time explains that");
    }
    return lines;
}

}  // namespace

template <int D>
KinematicResidual kinematic_residual(const Bulk<D>& bulk, Interval time, Context& context) {
    const double h = bulk.transform().voxel, T = time.length();
    const auto at = [&](double t) { return bulk.liquid_tiles(t, kBulkBand * h, context); };
    std::vector<Index<D>> keys = at(time.begin);
    const std::vector<Index<D>> later = at(time.end);
    keys.insert(keys.end(), later.begin(), later.end());
    const auto tiles = Tiles<D>::build(std::move(keys), bulk.transform());
    const BulkFields<D> before = bulk.on(tiles, time.begin, context),
                        after = bulk.on(tiles, time.end, context);
    const Box<double, D> box = bulk.box(time.begin);
    const Sums sums = reduce_tiles<D>(
        context.arena, *tiles, Sums{},
        [&](int t) {
            Sums r;
            TileCursor<D> cursor(*tiles);
            for (int o = 0; o < kTileCells<D>; ++o) {
                const double phi = before.phi.at(t, o);
                if (!(std::abs(phi) < 0.75 * h)) continue;
                const Point<D> x = before.phi.position(t, o);
                const Vec<double, D> u = sample<double, D>(before.velocity, cursor, x);
                const Vec<double, D> then = sample<double, D>(after.velocity, cursor, x + u * T);
                const Vec<double, D> mean = (u + then) * 0.5;
                const Point<D> y = x + mean * T;
                cursor(floor_index<D>(cell_coordinate<D>(tiles->transform(), y)));
                // What leaves the box, or what is stored, says nothing.
                if (!box.grown(-h).contains(x) || !box.grown(-h).contains(y) ||
                    !tiles->is_active(cursor.tile()))
                    continue;
                const double change = (sample<double, D>(after.phi, cursor, y) - phi) / T;
                r.residual += change * change;
                r.speed += dot(mean, mean);
                const Vec<double, D> normal = gradient(before.phi, cursor, x);
                const double across = std::abs(dot(mean, normal));
                r.across += across;
                for (int a = 0; a < D; ++a) r.facing[a] += across * normal[a];
                r.fastest = std::max(r.fastest, length(mean));
                ++r.cells;
            }
            return r;
        },
        [](const Sums& x, const Sums& y) { return x + y; });
    KinematicResidual r;
    r.cells = sums.cells;
    r.fastest = sums.fastest;
    if (sums.across > 0) r.facing = sums.facing / sums.across;
    if (sums.cells > 0) r.speed = std::sqrt(sums.speed / double(sums.cells));
    // Less than a thousandth of a voxel a frame is rest.
    if (r.speed * T > 1e-3 * h) r.share = std::sqrt(sums.residual / sums.speed);
    return r;
}

std::vector<std::string> bulk_report(const Scene& scene, const Inputs& inputs, Context& context) {
    return scene.domain.dimensions == 2 ? report<2>(scene, inputs, context)
                                        : report<3>(scene, inputs, context);
}

template KinematicResidual kinematic_residual<2>(const Bulk<2>&, Interval, Context&);
template KinematicResidual kinematic_residual<3>(const Bulk<3>&, Interval, Context&);

}  // namespace spume
