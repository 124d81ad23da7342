// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/aeration.h"

#include <algorithm>

#include <fmt/core.h>

#include "apps/spume/commands.h"
#include "apps/spume/places.h"
#include "spume/frame/volumes.h"
#include "spume/io/png.h"
#include "spume/io/write_frame.h"
#include "spume/physics/bulk/radius_distribution.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/render/heat_map.h"

namespace spume {
namespace {

constexpr int kSpread = 4;  // frames that are shown when none is asked for

/// What a frame would entrain, in numbers.
struct Amounts {
    double most = 0;                ///< of the aeration
    double near = 0, emitting = 0;  ///< liquid voxels near the surface, and those above a_min
    double air = 0;                 ///< that they would hold, m³ (2D: m²)
};

template <int D>
Amounts amounts_of(const AeratedBulk<D>& bulk, const Scene& scene) {
    Amounts r;
    const Aeration& range = scene.aeration;
    const Box<double, D> bounds = grid_domain_of<D>(scene).bounds();
    const Tiles<D>&tiles = *bulk.aeration.tiles(), &all = *bulk.now.phi.tiles();
    const double h = tiles.voxel(), cell = D == 2 ? h * h : h * h * h;
    for (int t = 0; t < tiles.active(); ++t) {
        const int own = all.find(tiles.key(t));
        for (int o = 0; o < kTileCells<D>; ++o) {
            const double phi = bulk.now.phi.at(own, o), a = bulk.aeration.at(t, o);
            if (!(phi < 0 && phi >= -2 * h)) continue;
            if (!bounds.contains(bulk.aeration.position(t, o))) continue;
            r.most = std::max(r.most, a);
            r.near += 1;
            r.emitting += a > range.a_min;
            r.air += target_fraction(a, range) * cell;
        }
    }
    return r;
}

template <int D>
class AerationReport {
  public:
    AerationReport(const LoadedScene& loaded, const AerationFlags& flags, FileSystem& files)
        : loaded_(loaded),
          flags_(flags),
          files_(files),
          bulk_(bulk_of<D>(loaded.scene, loaded.inputs)) {}

    /// The volume and the picture of one frame.
    void write(int number, Context& context) const {
        const Scene& scene = loaded_.scene;
        const double time = (number - scene.time.start + 1) / scene.time.fps;
        const auto found = aerated<D>(*bulk_, time, aeration_law(scene), context);
        if (!found) {
            fmt::print(
                "frame {}: unknown, the bulk begins less than aeration.tau = {:.4g} s "
                "before it\n",
                number, scene.aeration.tau);
            return;
        }
        Frame frame;
        frame.number = number;
        frame.time = time;
        frame.dimensions = D;
        frame.volumes = {volume_of(found->aeration, "aeration", "", VolumeKind::kFog, context)};
        Output output;
        output.ply = false;
        output.half = scene.output.half;
        make_directories(files_, join_path(flags_.directory, "volumes"));
        make_directories(files_, join_path(flags_.directory, "images"));
        write_frame(files_, flags_.directory, frame, output);
        const Amounts amounts = amounts_of(*found, scene);
        const std::string line = in_words(amounts);
        const Image image = picture(frame, *found, line, context);
        const std::string name = join_path(
            flags_.directory, join_path("images", frame_file_name("aeration", number, "png")));
        write_file(files_, name, encode_png(image.width, image.height, image.rgb));
        fmt::print("frame {}: {}; {}\n", number, line, name);
    }

  private:
    std::string in_words(const Amounts& a) const {
        const double bubble = RadiusDistribution(loaded_.scene.emission).mean_volume<D>();
        return fmt::format(
            "aeration up to {:.3g}, above a_min in {:.2g} % of the voxels near the surface, {:.3g} "
            "{} of air, {:.2g} bubbles",
            a.most, a.near > 0 ? 100 * a.emitting / a.near : 0.0, D == 2 ? a.air : a.air * 1e3,
            D == 2 ? "m^2" : "L", a.air / bubble);
    }
    Image picture(const Frame& frame, const AeratedBulk<D>& found, const std::string& note,
                  Context& context) const {
        const Scene& scene = loaded_.scene;
        HeatMapOptions options;
        options.width = flags_.width, options.height = flags_.height;
        options.domain = {scene.domain.lower, scene.domain.upper};
        if (D == 2) options.domain.lo[2] = options.domain.hi[2] = 0;
        options.range = {scene.aeration.a_min, scene.aeration.a_max};
        options.begin_name = "a_min", options.end_name = "a_max";
        options.note = note;
        const Volume liquid =
            volume_of(found.now.phi, "surface", "m", VolumeKind::kLevelSet, context);
        return render_heat_map(frame, frame.volumes[0], &liquid, options);
    }

    const LoadedScene& loaded_;
    const AerationFlags& flags_;
    FileSystem& files_;
    std::unique_ptr<Bulk<D>> bulk_;
};

std::vector<int> frames_of(const AerationFlags& flags, const Manifest& manifest) {
    const int first = manifest.first_frame, last = manifest.last_frame;
    for (const int frame : flags.frames)
        if (frame < first || frame > last)
            throw UserError(
                fmt::format("frame {} is not one of the scene's, {} to {}", frame, first, last),
                "name others with -f, or more with -e");
    if (!flags.frames.empty()) return flags.frames;
    std::vector<int> r;
    for (int k = 1; k <= kSpread; ++k)
        r.push_back(first + static_cast<int>(std::int64_t(last - first) * k / kSpread));
    r.erase(std::unique(r.begin(), r.end()), r.end());
    return r;
}

}  // namespace

int aeration_command(const AerationFlags& given) {
    const auto files = make_posix_file_system();
    AerationFlags flags = given;
    flags.scene.file = find_scene(*files, flags.scene.file);
    const LoadedScene loaded = load_scene(*files, flags.scene);
    if (!loaded.scene.bulk.present)
        throw error_in_file(flags.scene.file, "there is no [bulk] whose aeration could be shown",
                            "give the scene a bulk; a liquid's own run writes its aeration with "
                            "[output] aeration = true");
    if (loaded.scene.bulk.only_surface())
        throw error_in_file(flags.scene.file,
                            "air is drawn in by the water below the surface, of which meshes say "
                            "nothing",
                            "write the liquid as VDB with its velocity: bulk.kind = \"vdb\"");
    if (flags.directory.empty())
        flags.directory = default_directory(flags.scene.file) + "_aeration";
    for (const std::string& text : loaded.warnings)
        std::fputs(("warning: " + text + "\n").c_str(), stderr);
    Context context(flags.threads);
    const auto write = [&](const auto& report) {
        for (const int frame : frames_of(flags, loaded.manifest)) report.write(frame, context);
    };
    if (loaded.scene.domain.dimensions == 2)
        write(AerationReport<2>(loaded, flags, *files));
    else
        write(AerationReport<3>(loaded, flags, *files));
    return 0;
}

}  // namespace spume
