// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "spume/io/atomic_file.h"
#include "spume/io/cache_source.h"
#include "spume/io/foreign_source.h"

namespace spume {
namespace {

/// Box of the liquid in a few frames, on the grid of the cache.
Box<double, 3> liquid_box(const BulkSource& source) {
    const BulkInfo& info = source.info();
    Box<double, 3> r{};
    bool any = false;
    for (const int frame : {info.first, (info.first + info.last) / 2, info.last}) {
        if (!source.has(frame)) continue;
        const Frame read = source.read(frame);
        for (const Volume& v : read.volumes) {
            if (v.name != "surface") continue;
            const std::size_t cells = std::size_t(product(v.side));
            for (std::size_t t = 0; t < v.tiles.size(); ++t) {
                const float* values = v.values[0].data() + t * cells;
                if (std::none_of(values, values + cells, [](float x) { return x < 0; })) continue;
                for (int a = 0; a < 3; ++a) {
                    const double lo = v.origin[a] + v.tiles[t][a] * v.voxel,
                                 hi = lo + v.side[a] * v.voxel;
                    r.lo[a] = any ? std::min(r.lo[a], lo) : lo;
                    r.hi[a] = any ? std::max(r.hi[a], hi) : hi;
                }
                any = true;
            }
        }
    }
    if (!any)
        throw error_in_file(info.path, "there is no liquid in its first, middle and last frame",
                            "look at the files with `spume info`");
    return r;
}

std::string numbers(const Vec<double, 3>& v) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v[0], v[1], v[2]);
}

std::string scene_text(const BulkInfo& info, const Box<double, 3>& box, bool foreign,
                       const std::string& name, const std::vector<std::string>& notes) {
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
        text += fmt::format(
            "cache_fps = {:.9g}\n"
            "# surface_grid, velocity_grid, up, velocity_at, unit, velocity_scale, offset,\n"
            "# time_scale: what the files do not say, see docs/bulk.md\n",
            info.fps);
    text +=
        "\n[aeration]  # air is drawn in where aeration passes a_min, most at a_max\n"
        "a_min = 1\na_max = 20\n\n"
        "[emission]\ndistribution = \"two_slope\"\nradius_min = \"0.5 mm\"\nradius_max = \"5 mm\"\n"
        "split_radius = \"1 mm\"\nbubble_rate = 200000  # at most so many a second\n\n"
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
    for (const std::string& note : notes) fmt::print("{}\n", note);
    const BulkInfo& info = source->info();
    std::string name = name_of(path), plain;
    for (const char c : name.substr(0, name.find('.')))
        if (c != '#' && c != '$') plain += c;
    const std::string file = join_path(
        path.find('/') == std::string::npos ? "." : directory_of(path), plain + "_whitewater.toml");
    if (files->facts(file)) {
        fmt::print("{} is there already and is used as it is\n", file);
    } else {
        const Box<double, 3> box = foreign ? liquid_box(*source) : info.box;
        write_file(*files, file, scene_text(info, box, foreign, name, notes));
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
