// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "spume/io/atomic_file.h"
#include "spume/io/cache_source.h"
#include "spume/io/foreign_source.h"

namespace spume {
namespace {

/// A level set by cells, across its tiles.
class Surface {
  public:
    explicit Surface(const Volume& v) : v_(v), cells_(std::size_t(product(v.side))) {
        for (std::size_t t = 0; t < v.tiles.size(); ++t)
            at_[{v.tiles[t][0], v.tiles[t][1], v.tiles[t][2]}] = t;
    }
    double operator()(Vec<int, 3> cell) const {
        Vec<int, 3> low{}, local{};
        for (int a = 0; a < 3; ++a) {
            const int side = v_.side[a];
            local[a] = ((cell[a] % side) + side) % side;
            low[a] = cell[a] - local[a];
        }
        const auto found = at_.find({low[0], low[1], low[2]});
        if (found == at_.end()) return double(v_.background);
        const int at = (local[0] * v_.side[1] + local[1]) * v_.side[2] + local[2];
        return double(v_.values[0][found->second * cells_ + std::size_t(at)]);
    }

  private:
    const Volume& v_;
    std::size_t cells_;
    std::map<std::array<int, 3>, std::size_t> at_;
};

/// Where the liquid ends along each axis, in voxels from the cache's origin, and how much of its
/// surface is flat there: a wall cuts it in one plane, waves do not.
struct Ends {
    static constexpr double kSame = 0.05;  // voxels
    double place[3][2] = {{1e30, -1e30}, {1e30, -1e30}, {1e30, -1e30}};
    int flat[3][2] = {};

    void add(int axis, int side, double x) {
        double& end = place[axis][side];
        if (side ? x > end + kSame : x < end - kSame) end = x, flat[axis][side] = 0;
        if (std::abs(x - end) <= kSame) ++flat[axis][side];
    }
    bool wall(int axis, int side) const { return flat[axis][side] >= 24; }
    bool any() const { return place[0][0] <= place[0][1]; }
};

/// Of the liquid in a few frames.
Ends liquid_ends(const BulkSource& source) {
    const BulkInfo& info = source.info();
    Ends r;
    for (int part = 0; part <= 4; ++part) {
        const int frame = info.first + (info.last - info.first) * part / 4;
        if (!source.has(frame)) continue;
        const Frame read = source.read(frame);
        for (const Volume& v : read.volumes) {
            if (v.name != "surface") continue;
            const Surface phi(v);
            for (const Vec<int, 3>& low : v.tiles)
                for (int i = 0; i < product(v.side); ++i) {
                    const Vec<int, 3> cell{low[0] + i / (v.side[1] * v.side[2]),
                                           low[1] + i / v.side[2] % v.side[1],
                                           low[2] + i % v.side[2]};
                    const double here = phi(cell);
                    if (!(here < 0)) continue;
                    for (int a = 0; a < 3; ++a)
                        for (int side = 0; side < 2; ++side) {
                            Vec<int, 3> next = cell;
                            next[a] += side ? 1 : -1;
                            const double there = phi(next), way = here / (here - there);
                            if (there >= 0) r.add(a, side, cell[a] + 0.5 + (side ? way : -way));
                        }
                }
        }
    }
    if (!r.any())
        throw error_in_file(info.path, "there is no liquid in any of five of its frames",
                            "look at the files with `spume info`");
    return r;
}

/// The box of the liquid on the grid of the cache: up to the walls that cut it off, one voxel more
/// elsewhere.
Box<double, 3> box_of(const Ends& ends, const BulkInfo& info) {
    Box<double, 3> r{};
    for (int a = 0; a < 3; ++a) {
        const auto plane = [&](int side) {
            const double x = ends.place[a][side];
            const double cell = ends.wall(a, side) ? std::round(x)
                                : side             ? std::ceil(x) + 1
                                                   : std::floor(x) - 1;
            const double place = info.origin[a] + cell * info.voxel;
            return std::abs(place) < 1e-9 * info.voxel ? 0.0 : place;
        };
        r.lo[a] = plane(0);
        r.hi[a] = plane(1);
    }
    return r;
}

std::string numbers(const Vec<double, 3>& v) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v[0], v[1], v[2]);
}

/// What cuts the liquid off, where its files do not say.
std::string walls_text(const Ends& ends) {
    const bool sides = ends.wall(0, 0) && ends.wall(0, 1) && ends.wall(2, 0) && ends.wall(2, 1);
    std::string r;
    for (const auto& [name, wall] :
         {std::pair{"sides", sides}, std::pair{"bottom", ends.wall(1, 0)},
          std::pair{"top", ends.wall(1, 1)}})
        if (wall)
            r += fmt::format(
                "{} = \"wall\"  # the liquid ends flat there; \"open\" if that is its surface\n",
                name);
    return r;
}

std::string scene_text(const BulkInfo& info, const Box<double, 3>& box, bool foreign,
                       const std::string& walls, const std::string& name,
                       const std::vector<std::string>& notes) {
    const bool plane = info.dimensions == 2;
    std::string text = fmt::format(
        "# Whitewater over {}, written by `spume whitewater`. Change what you like and run it "
        "again\n"
        "# with `spume run`; `spume check` says whether velocity and surface belong together,\n"
        "# `spume aeration` shows where air is drawn in.\n",
        name);
    for (const std::string& note : notes) text += "# " + note + "\n";
    const int frames = std::max(info.last - info.first + 1, 1);
    text += fmt::format(
        "\nversion = 1\ntitle = \"Whitewater over {}\"\nmethod = \"guided\"\n\n"
        "[time]\nfps = {:.9g}\nframes = {}\nstart = {}\n\n"
        "[domain]  # where bubbles live; on the grid of the liquid\n{}lower = {}\nupper = {}\n"
        "voxel = {:.9g}  # that of the liquid, or twice as much\n\n"
        "[bulk]\nkind = \"{}\"\npath = \"{}\"\n",
        name, info.fps, frames, info.first, plane ? "dimensions = 2\n" : "", numbers(box.lo),
        numbers(box.hi), info.voxel, foreign ? "vdb" : "cache", name);
    if (foreign)
        text +=
            fmt::format(
                "cache_fps = {:.9g}\n"
                "# surface_grid, velocity_grid, up, velocity_at, unit, velocity_scale, offset,\n"
                "# time_scale: what the files do not say, see docs/bulk.md\n",
                info.fps) +
            walls;
    text +=
        "\n[aeration]  # air is drawn in where aeration passes a_min, most at a_max\n"
        "a_min = 1\na_max = 20\n\n"
        "[emission]\ndistribution = \"two_slope\"\nradius_min = \"0.5 mm\"\nradius_max = \"5 mm\"\n"
        "split_radius = \"1 mm\"\nbubble_rate = 200000  # at most so many a second\n\n"
        "[foam]  # bubbles that surface become foam; on = false: they are gone\non = true\n\n"
        "[output]\npreview = \"last\"\n";
    return text;
}

}  // namespace

int whitewater_command(const WhitewaterFlags& flags) {
    const std::shared_ptr<FileSystem> files = make_posix_file_system();
    std::string path = flags.path;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const bool foreign = !files->facts(join_path(path, "manifest.json"));
    std::string identity;
    std::vector<std::string> notes;
    Scene scene;
    scene.time.fps = flags.fps;
    scene.bulk.path = path;
    const auto source = foreign ? open_foreign_source(files, scene, identity, notes)
                                : open_cache_source(files, path, identity);
    const BulkInfo& info = source->info();
    std::string name = name_of(path), plain;
    for (const char c : name.substr(0, name.find('.')))
        if (c != '#' && c != '$') plain += c;
    const std::string file = join_path(
        path.find('/') == std::string::npos ? "." : directory_of(path), plain + "_whitewater.toml");
    if (files->facts(file)) {
        fmt::print("{} is there already and is used as it is\n", file);
    } else {
        // Ours and Mantaflow's say what they were simulated in.
        const bool boxed = !foreign || !find_sequence(*files, path).configuration.empty();
        const Ends ends = boxed ? Ends{} : liquid_ends(*source);
        write_file(*files, file,
                   scene_text(info, boxed ? info.box : box_of(ends, info), foreign,
                              boxed ? "" : walls_text(ends), name, notes));
        fmt::print("wrote {}\n", file);
    }
    AerationFlags aeration;
    aeration.scene.file = file;
    aeration.threads = flags.threads;
    const int status = aeration_command(aeration);
    if (status != 0 || flags.no_run) return status;
    RunFlags run;
    run.scene.file = file;
    run.threads = flags.threads;
    run.overwrite = flags.overwrite;
    return run_command(run);
}

}  // namespace spume
