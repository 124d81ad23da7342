// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/bulk_frame.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/frame/fields.h"
#include "spume/grid/stencil.h"
#include "spume/physics/bulk/rebuilt_surface.h"
#include "spume/surface/extrapolate.h"
#include "spume/surface/redistance.h"

namespace spume {
namespace {

/// Liquid that goes farther in a frame is extrapolated no farther, in voxels: nobody can follow it.
constexpr double kFarthest = 64;

const Volume& find_volume(const Frame& frame, const char* name, int components,
                          const std::string& file) {
    for (const Volume& volume : frame.volumes) {
        if (volume.name != name) continue;
        if (volume.components != components)
            throw error_in_file(
                file,
                fmt::format("volume \"{}\" of frame {} holds {} values a voxel, not {}", name,
                            frame.number, volume.components, components),
                "name the cache of a liquid simulated by Spume");
        return volume;
    }
    throw error_in_file(file, fmt::format("frame {} has no volume \"{}\"", frame.number, name),
                        "simulate the liquid again with [output] vdb = true and velocity = true");
}

/// Where cell 0 of the volume lies in the bulk's lattice.
template <int D>
Index<D> shift_of(const Volume& volume, const Transform<D>& lattice, int frame,
                  const std::string& file) {
    constexpr double kClose = 1e-3;  // of a voxel
    if (std::abs(volume.voxel / lattice.voxel - 1) > 1e-6)
        throw error_in_file(
            file,
            fmt::format("frame {} has voxels of {:.6g} m in \"{}\", frames before it {:.6g} m",
                        frame, volume.voxel, volume.name, lattice.voxel),
            "simulate the liquid with one voxel size from beginning to end");
    Index<D> shift{};
    for (int a = 0; a < D; ++a) {
        const double at = (volume.origin[a] - lattice.origin[a]) / lattice.voxel;
        if (!(std::abs(at) < 1e9) || std::abs(at - std::round(at)) > kClose)
            throw error_in_file(
                file,
                fmt::format("\"{}\" of frame {} lies {:.3g} of a voxel off the grid of the frames "
                            "before it",
                            volume.name, frame, at - std::round(at)),
                "move the liquid's box by whole voxels");
        shift[a] = static_cast<int>(std::lround(at));
    }
    return shift;
}

/// Per tile of the volume: its greatest value, or least.
template <class Join>
std::vector<float> over_tiles(const Array<float>& values, std::size_t tiles, float first,
                              Context& context, Join&& join) {
    std::vector<float> r(tiles, first);
    const std::size_t cells = tiles ? values.size() / tiles : 0;
    for_range(context.arena, tiles, 16, [&](std::size_t b, std::size_t e) {
        for (std::size_t t = b; t < e; ++t)
            for (std::size_t i = t * cells; i < (t + 1) * cells; ++i) r[t] = join(r[t], values[i]);
    });
    return r;
}

/// The tiles of the bulk's lattice that are stored: those with liquid, and around them as far as
/// it goes in a frame, two voxels more, and the band.
template <int D>
typename Tiles<D>::Ptr stored_tiles(const Volume& surface, const Volume& velocity,
                                    const Index<D>& shift, const Index<D>& velocity_shift,
                                    const BulkSetting<D>& setting, Context& context) {
    const auto least = over_tiles(surface.values[0], surface.tiles.size(), surface.background,
                                  context, [](float x, float y) { return std::min(x, y); });
    std::vector<float> fastest(velocity.tiles.size());
    for (const Array<float>& component : velocity.values) {
        const auto most = over_tiles(component, velocity.tiles.size(), 0.F, context,
                                     [](float x, float y) { return std::max(x, std::abs(y)); });
        for (std::size_t t = 0; t < most.size(); ++t) fastest[t] = std::hypot(fastest[t], most[t]);
    }
    const auto key_range = [](const Box<int, D>& cells, const Index<D>& by) {
        return Box<int, D>{tile_of<D>(cells.lo + by),
                           tile_of<D>(cells.hi + by - Index<D>::filled(1))};
    };
    std::vector<Index<D>> wet;
    for (std::size_t t = 0; t < least.size(); ++t) {
        const Box<int, D> cells = cells_of_tile<D>(surface, t);
        if (least[t] >= 0 || cells.empty()) continue;
        const Box<int, D> keys = key_range(cells, shift);
        wet.push_back(keys.lo);
        if (!(keys.lo == keys.hi)) wet.push_back(keys.hi);
    }
    const auto liquid = Tiles<D>::build(wet, setting.transform);
    std::vector<double> travel(std::size_t(liquid->stored()));
    for (std::size_t t = 0; t < fastest.size(); ++t) {
        const Box<int, D> cells = cells_of_tile<D>(velocity, t);
        if (cells.empty()) continue;
        const Box<int, D> keys = key_range(cells, velocity_shift);
        for (const Index<D>& key : {keys.lo, keys.hi}) {
            double& way = travel[std::size_t(liquid->find(key))];
            way =
                std::max(way, double(fastest[t]) * setting.frame_seconds / setting.transform.voxel);
        }
    }
    const Box<int, D> cells = setting.cells();
    const Index<D> lowest = tile_of<D>(cells.lo) - Index<D>::filled(1),
                   highest = tile_of<D>(cells.hi) + Index<D>::filled(1);
    std::vector<Index<D>> keys;
    for (int t = 0; t < liquid->active(); ++t) {
        const double reach = std::min(travel[std::size_t(t)] + 2, kFarthest);
        const int r = std::max(1, int(std::ceil(reach / kTileSide<D>)));
        const Index<D> key = liquid->key(t);
        const Index<D> lo = max(key - Index<D>::filled(r), lowest),
                       hi = min(key + Index<D>::filled(r), highest);
        Index<D> k = lo;
        for (bool more = true; more;) {
            keys.push_back(k);
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                more = ++k[a] <= hi[a];
                if (!more) k[a] = lo[a];
            }
        }
    }
    return Tiles<D>::build(std::move(keys), setting.transform);
}

/// Φ of the file as a distance up to the band, less the band.
template <int D>
CellField<double, D> prepared_surface(const CellField<double, D>& phi, double file_band,
                                      const BulkSetting<D>& setting, const PlacedSolids<D>& solids,
                                      Context& context) {
    const double h = setting.transform.voxel, band = kBulkBand * h;
    CellField<std::uint8_t, D> own;
    const auto through = continued_surface<D>(phi, file_band, setting, solids, own, context);
    // Where the file holds a distance it stays: only cells that were cut off or continued change.
    const double *from = phi.read(), trusted = file_band - 0.5 * h;
    std::uint8_t* keeps = own.write();
    for_values(context.arena, *phi.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) keeps[i] = keeps[i] && std::abs(from[i]) < trusted;
    });
    CellField<double, D> r = redistanced<double, D>(through, band, context, nullptr, &own);
    double* out = r.write();
    for_values(context.arena, *phi.tiles(), [=](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) out[i] -= band;
    });
    return r;
}

/// Nothing passes a closed side of the box, whatever velocities in cells make of the faces there.
template <int D>
void shut_sides(FaceField<double, D>& velocity, const BulkSetting<D>& setting, Context& context) {
    const auto tiles = velocity.tiles();
    const Box<int, D> cells = setting.cells();
    for (int a = 0; a < D; ++a) {
        if (!setting.continued[a][0] && !setting.continued[a][1]) continue;
        double* u = velocity.write(a);
        for_tiles(context.arena, *tiles, [&](int t) {
            const int first = tiles->origin(t)[a];
            for (int o = 0; o < kTileCells<D>; ++o) {
                const int at = first + tile_local<D>(o)[a];
                if ((setting.continued[a][0] && at == cells.lo[a]) ||
                    (setting.continued[a][1] && at == cells.hi[a]))
                    u[std::size_t(t) * kTileCells<D> + std::size_t(o)] = 0;
            }
        });
    }
}

/// Continues the velocity of the liquid's faces, and tells in which cells it is known. Tiles at
/// rest are in no file, and of the faces on the upper side of the box files hold none: where that
/// is open they are continued like those beyond the surface.
template <int D>
CellField<std::uint8_t, D> extend_velocity(FaceField<double, D>& velocity,
                                           const CellField<double, D>& phi,
                                           const BulkSetting<D>& setting, Context& context) {
    const auto tiles = velocity.tiles();
    FaceField<std::uint8_t, D> valid(tiles);
    const double* level = phi.read();
    const Box<int, D> cells = setting.cells();
    double fastest = 0;
    for (int a = 0; a < D; ++a) {
        std::uint8_t* mark = valid.write(a);
        for_face_pairs(context.arena, *tiles, a, [&](std::size_t face, std::size_t below) {
            const int tile = int(face / kTileCells<D>),
                      at = tile_local<D>(int(face % kTileCells<D>))[a];
            const bool end = !setting.continued[a][1] && tiles->origin(tile)[a] + at == cells.hi[a];
            mark[face] = !end && (level[face] < 0 || level[below] < 0);
        });
        double* u = velocity.write(a);
        for_values(context.arena, *tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) u[i] = mark[i] ? u[i] : 0.0;
        });
        fastest = std::max(fastest, reduce_tiles<D>(
                                        context.arena, *tiles, 0.0,
                                        [&](int t) {
                                            double most = 0;
                                            for (int o = 0; o < kTileCells<D>; ++o)
                                                most =
                                                    std::max(most, std::abs(velocity.at(a, t, o)));
                                            return most;
                                        },
                                        [](double x, double y) { return std::max(x, y); }));
    }
    const double travel = std::min(fastest * setting.frame_seconds / tiles->voxel(), kFarthest);
    extrapolate<D>(velocity, valid, int(std::ceil(std::sqrt(double(D)) * travel)) + 2, context);
    CellField<std::uint8_t, D> known(tiles);
    std::uint8_t* out = known.write();
    for_tiles(context.arena, *tiles, [&](int t) {
        std::uint8_t upper[kTileCells<D>];
        std::uint8_t* own = out + std::size_t(t) * kTileCells<D>;
        std::fill_n(own, kTileCells<D>, std::uint8_t(1));
        for (int a = 0; a < D; ++a) {
            load_upper_faces<std::uint8_t, D>(valid.read(a), *tiles, t, a, upper);
            for (int o = 0; o < kTileCells<D>; ++o) own[o] = own[o] & valid.at(a, t, o) & upper[o];
        }
        // Beyond the box nobody asks.
        for (int o = 0; o < kTileCells<D>; ++o)
            if (!cells.contains(tiles->origin(t) + tile_local<D>(o))) own[o] = 1;
    });
    return known;
}

/// Tiles with all cells known, and those around them that are in the box.
template <int D>
std::vector<std::uint8_t> whole_tiles(const CellField<std::uint8_t, D>& known,
                                      const Box<int, D>& cells, Context& context) {
    const Tiles<D>& tiles = *known.tiles();
    const Index<D> lo = tile_of<D>(cells.lo), hi = tile_of<D>(cells.hi - Index<D>::filled(1));
    const auto inside = [&](const Index<D>& key) { return min(max(key, lo), hi) == key; };
    std::vector<std::uint8_t> own(std::size_t(tiles.stored())), r(std::size_t(tiles.active()));
    for_tiles(context.arena, tiles, [&](int t) {
        const std::uint8_t* k = known.tile(t);
        own[std::size_t(t)] = std::all_of(k, k + kTileCells<D>, [](std::uint8_t v) { return v; });
    });
    for_tiles(context.arena, tiles, [&](int t) {
        bool all = true;
        for (int code = 0; code < kTileNeighbours<D>; ++code) {
            Index<D> step{};
            for (int a = D - 1, rest = code; a >= 0; --a, rest /= 3) step[a] = rest % 3 - 1;
            all = all &&
                  (own[std::size_t(tiles.neighbours(t)[code])] || !inside(tiles.key(t) + step));
        }
        r[std::size_t(t)] = all;
    });
    return r;
}

}  // namespace

template <int D>
Box<int, D> BulkSetting<D>::cells() const {
    Box<int, D> r{};
    for (int a = 0; a < D; ++a) {
        r.lo[a] = int(std::lround((box.lo[a] - transform.origin[a]) / transform.voxel));
        r.hi[a] = int(std::lround((box.hi[a] - transform.origin[a]) / transform.voxel));
    }
    return r;
}

template <int D>
Clamp<D> BulkSetting<D>::surface_clamp() const {
    const Box<int, D> all = cells();
    Clamp<D> r;
    for (int a = 0; a < D; ++a) {
        if (continued[a][0]) r.lo[a] = all.lo[a];
        if (continued[a][1]) r.hi[a] = all.hi[a];
    }
    return r;
}

template <int D>
Clamp<D> BulkSetting<D>::velocity_clamp() const {
    return Clamp<D>::closed(cells());
}

template <int D>
BulkFrame<D> bulk_frame(const Frame& given, double time, const BulkSetting<D>& setting,
                        const PlacedSolids<D>& solids, const std::string& file, Context& context) {
    Stage stage(context, "bulk");
    Frame frame = given;
    if constexpr (D == 3) frame = with_surface(given, setting.transform, context);
    if (frame.dimensions != D)
        throw error_in_file(file, fmt::format("frame {} is {}D", frame.number, frame.dimensions),
                            fmt::format("set domain.dimensions = {}", frame.dimensions));
    const Volume& surface = find_volume(frame, "surface", 1, file);
    const Volume& flow = find_volume(frame, "vel", 3, file);
    const Index<D> shift = shift_of<D>(surface, setting.transform, frame.number, file),
                   flow_shift = shift_of<D>(flow, setting.transform, frame.number, file);
    const double h = setting.transform.voxel,
                 file_band = surface.background > 0 ? double(surface.background) : 3 * h;

    const auto tiles = stored_tiles<D>(surface, flow, shift, flow_shift, setting, context);
    CellField<double, D> phi(tiles, file_band);
    copy_values<D>(surface, 0, shift, *tiles, phi.write(), context);
    FaceField<double, D> velocity(tiles);
    for (int a = 0; a < D; ++a)
        copy_values<D>(flow, a, flow_shift, *tiles, velocity.write(a), context);
    BulkFrame<D> r;
    r.number = frame.number;
    r.time = time;
    shut_sides<D>(velocity, setting, context);
    r.known = extend_velocity<D>(velocity, phi, setting, context);
    r.whole = whole_tiles<D>(r.known, setting.cells(), context);
    r.velocity = std::move(velocity);
    r.below = prepared_surface<D>(phi, file_band, setting, solids, context);
    return r;
}

#define SPUME_INSTANTIATE(D)                                                         \
    template struct BulkSetting<D>;                                                  \
    template BulkFrame<D> bulk_frame<D>(const Frame&, double, const BulkSetting<D>&, \
                                        const PlacedSolids<D>&, const std::string&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
