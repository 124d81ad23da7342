// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>

#include "spume/io/file_system.h"
#include "spume/physics/domain/solid_set.h"
#include "spume/run/job_scene.h"
#include "spume/scene/parse.h"
#include "spume/surface/level_set.h"

// Walls of the bundled scenes at `--preset low`: cells that share open faces are joined by the
// space between the solids, looked at on a lattice three times as fine.

namespace spume {
namespace {

/// Sets that are joined one pair after the other.
class Sets {
  public:
    explicit Sets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    std::size_t root(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

  private:
    std::vector<std::size_t> parent_;
};

constexpr int kFiner = 3;

/// Which part of the space between the solids a point of the fine lattice is in.
template <int D>
class Space {
  public:
    Space(const PlacedSolids<D>& bodies, const GridDomain<D>& domain)
        : size_(domain.cells.size() * kFiner),
          outside_(std::size_t(product(size_))),
          sets_(outside_.size()) {
        Index<D> first{};
        for (bool more = true; more;) {
            mark_block(bodies, domain, first);
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                first[a] += kBlock;
                more = first[a] < size_[a];
                if (!more) first[a] = 0;
            }
        }
        for (std::size_t n = 0; n < outside_.size(); ++n)
            for (int a = 0; a < D && outside_[n]; ++a) {
                Index<D> below = at(n);
                if (--below[a] >= 0 && outside_[number(below)]) sets_.join(n, number(below));
            }
    }
    /// −1 inside a solid.
    std::int64_t at_centre_of(const Index<D>& cell) {
        const std::size_t n = number(cell * kFiner + Index<D>::filled(kFiner / 2));
        return outside_[n] ? std::int64_t(sets_.root(n)) : -1;
    }

  private:
    static constexpr int kBlock = 8;

    /// A block of points that no surface comes near is asked once, in its middle.
    void mark_block(const PlacedSolids<D>& bodies, const GridDomain<D>& domain,
                    const Index<D>& first) {
        const double h = domain.voxel() / kFiner;
        const auto place = [&](const Index<D>& i, double beyond) {
            return domain.bounds().lo + (i.template as<double>() + Point<D>::filled(beyond)) * h;
        };
        const double reach = 0.5 * kBlock * std::sqrt(double(D)) * h;
        const double middle = bodies.distance_within(place(first, 0.5 * kBlock), 1.01 * reach);
        Index<D> i = first;
        for (bool more = true; more;) {
            outside_[number(i)] = std::abs(middle) > reach
                                      ? middle > 0
                                      : bodies.distance_within(place(i, 0.5), h) > 0;
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                more = ++i[a] < std::min(first[a] + kBlock, size_[a]);
                if (!more) i[a] = first[a];
            }
        }
    }
    Index<D> at(std::size_t n) const {
        Index<D> i{};
        for (int a = D - 1; a >= 0; --a)
            i[a] = int(n % std::size_t(size_[a])), n /= std::size_t(size_[a]);
        return i;
    }
    std::size_t number(const Index<D>& i) const {
        std::size_t n = 0;
        for (int a = 0; a < D; ++a) n = n * std::size_t(size_[a]) + std::size_t(i[a]);
        return n;
    }
    Index<D> size_;
    std::vector<std::uint8_t> outside_;
    Sets sets_;
};

/// Open faces that join cells which the solids part.
template <int D>
int leaks(const LoadedScene& loaded, double time) {
    Context context(1);
    const GridDomain<D> domain = grid_domain_of<D>(loaded.scene);
    const PlacedSolids<D> bodies =
        SolidSet<D>(loaded.scene.solids, loaded.inputs.meshes, true).at(time);
    const auto tiles = Tiles<D>::dense(domain.cells, domain.transform);
    const CutCells<D> open = cut_cells(bodies, domain, tiles, context);
    Sets joined(std::size_t(tiles->active()) * kTileCells<D>);
    const auto in_box = [&](int t, int o) {
        return domain.cells.contains(tiles->origin(t) + tile_local<D>(o));
    };
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o)
            for (int a = 0; a < D; ++a) {
                const Neighbour<D> n = neighbour_of<D>(*tiles, t, o, 2 * a);
                if (tiles->is_active(n.tile) && in_box(t, o) && in_box(n.tile, n.offset) &&
                    open.area.at(a, t, o) > 0)
                    joined.join(std::size_t(t) * kTileCells<D> + std::size_t(o),
                                std::size_t(n.tile) * kTileCells<D> + std::size_t(n.offset));
            }
    Space<D> space(bodies, domain);
    std::vector<std::int64_t> part(std::size_t(tiles->active()) * kTileCells<D>, -1);
    int wrong = 0;
    for (int t = 0; t < tiles->active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) {
            if (!in_box(t, o)) continue;
            const std::int64_t here = space.at_centre_of(tiles->origin(t) + tile_local<D>(o));
            if (here < 0) continue;
            std::int64_t& of_set =
                part[joined.root(std::size_t(t) * kTileCells<D> + std::size_t(o))];
            wrong += of_set >= 0 && of_set != here;
            of_set = of_set < 0 ? here : of_set;
        }
    return wrong;
}

/// Bytes of all meshes of a scene. Whether a point is inside takes time in proportion.
std::uintmax_t mesh_bytes(const LoadedScene& loaded, const std::filesystem::path& folder) {
    std::uintmax_t sum = 0;
    for (const auto& [name, mesh] : loaded.inputs.meshes)
        sum +=
            mesh.sequence ? 28 * mesh.sequence->faces() : std::filesystem::file_size(folder / name);
    return sum;
}

/// Of scenes whose meshes have so many bytes at least, and fewer than so many; how many there were.
int expect_no_leaks(std::uintmax_t least, std::uintmax_t most) {
    int looked = 0;
    const auto files = make_posix_file_system();
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SPUME_SOURCE) + "/scenes")) {
        if (entry.path().extension() != ".toml") continue;
        SceneRequest request;
        request.file = entry.path().string();
        request.selection.preset = "low";
        const std::string text = read_file(*files, request.file, 1 << 20);
        if (parse_scene(text, request.file).bulk.kind == BulkKind::kCache) continue;  // not bundled
        const LoadedScene loaded = load_scene(*files, request);
        const Scene& scene = loaded.scene;
        const std::uintmax_t size = mesh_bytes(loaded, entry.path().parent_path());
        if (scene.solids.empty() || size < least || size >= most) continue;
        ++looked;
        const bool moves = std::ranges::any_of(
            scene.solids, [](const Solid& solid) { return solid.motion == Motion::kKeyed; });
        const double time = moves ? 0.37 * scene.time.frames / scene.time.fps : 0;
        EXPECT_EQ(scene.domain.dimensions == 2 ? leaks<2>(loaded, time) : leaks<3>(loaded, time), 0)
            << entry.path().filename() << " at " << time << " s";
    }
    return looked;
}

constexpr std::uintmax_t kLargeMesh = 150000;

TEST(BundledScenes, LowPresetsDoNotLeak) { EXPECT_GE(expect_no_leaks(0, kLargeMesh), 5); }

TEST(DeepBundledScenes, LowPresetsWithLargeMeshesDoNotLeak) {
    EXPECT_GE(expect_no_leaks(kLargeMesh, std::uintmax_t(1) << 30), 1);
}

}  // namespace
}  // namespace spume
