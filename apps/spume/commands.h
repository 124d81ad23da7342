// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spume/io/commit.h"
#include "spume/render/beauty.h"
#include "spume/render/preview.h"
#include "spume/run/job_setup.h"

namespace spume {

// One function a command: main.cpp knows the flags, these know what to do. Each returns the exit
// status or throws.

/// With an empty directory: out/NAME.
struct RunFlags : JobRequest {
    SceneRequest scene;
    int threads = 0;
    bool dry_run = false;
    ProgressMode progress = ProgressMode::kAuto;
};
int run_command(const RunFlags& flags);
/// Every variant of a scene's sweep into a directory of its own, a table and a contact sheet.
int sweep_command(const RunFlags& flags);

/// The common part of both: a scene that has been read, into flags.directory.
int simulate(FileSystem& files, const LoadedScene& loaded, const RunFlags& flags, Context& context);
std::string default_directory(const std::string& scene_file);

/// `timed`: with a short trial that says how long the whole will take.
int check_command(const SceneRequest& request, bool timed = false);

struct AerationFlags {
    SceneRequest scene;
    std::string directory;    ///< empty: out/NAME_aeration
    std::vector<int> frames;  ///< none: a few of the scene's
    int width = 1280, height = 720;
    int threads = 0;
};
/// Where the scene's bulk would entrain air: a volume and a picture of each frame.
int aeration_command(const AerationFlags& flags);

struct WhitewaterFlags {
    std::string path;  ///< a cache of ours, a Mantaflow folder or VDB files
    double fps = 24;   ///< of files that do not say
    int threads = 0;
    bool no_run = false, overwrite = false;
};
/// Recognises a cached liquid, writes a scene beside it, shows where it would entrain air and runs.
int whitewater_command(const WhitewaterFlags& flags);

enum class RenderMode { kBeauty, kPreview, kSlice, kTiles };
enum class RenderFormat { kPng, kExr };

/// FoamRule with the switch of the thesis's oddity ([G04] §6.2.2).
enum class FoamLook { kExact, kThesis, kThesisNewHit, kAmbient };

struct RenderFlags {
    std::string directory;
    int first_frame = -1, last_frame = -1;  ///< negative: the last one there is
    RenderMode mode = RenderMode::kBeauty;
    bool mode_asked = false;  ///< otherwise it is what suits the scene
    int width = 1280, height = 720;
    int samples = 0;                     ///< a pixel; 0: what suits the mode
    std::string file;                    ///< of a single frame; empty: DIR/images/MODE.####.png
    std::optional<RenderFormat> format;  ///< none: by the ending of `file`, else PNG
    std::string movie;
    std::vector<int> sheet;  ///< frames on one contact sheet; none: pictures of their own
    int columns = 0;         ///< of that sheet; 0: one row, or what suits the number of variants
    std::uint64_t seed = 1;
    int threads = 0;
    ProgressMode progress = ProgressMode::kAuto;

    std::vector<double> camera, target;  ///< three numbers each, or none
    double field_of_view = 0;            ///< degrees; 0: the scene's
    FloorLook floor = FloorLook::kAutomatic;
    bool no_tank = false;
    bool no_surface = false;  ///< without the liquid: bubbles as blue balls
    bool follow = false;      ///< the camera keeps its distance and goes along with the air
    double visibility = 0, exposure = 1, smoke = 0;
    double shutter = 0.5;  ///< part of a frame's time that motion blur covers
    FilmLaw films = FilmLaw::kInterference;
    FoamLook foam = FoamLook::kExact;
    double film_thickness = 900, film_time = 8;  ///< nm at birth, s
    std::optional<std::size_t> photons;
    double foam_detail = 0.7;             ///< pixels of a radius below which foam is a veil
    double raft = 4, raft_bubbles = 0.5;  ///< mm
    bool spheres = false;                 ///< bubbles at the surface are balls
    std::string environment;              ///< EXR file
    double environment_turn = 0;          ///< degrees
    double environment_strength = 0;      ///< 0: by its mean
    std::vector<double> sun;              ///< azimuth, elevation in degrees, strength; or none
    std::vector<double> lamps;            ///< x, y, z, width, light of each
    bool denoise = false;
    bool resume = false;  ///< pictures that are there already are left

    PreviewColours colours = PreviewColours::kWater;
    std::vector<double> range;  ///< of the colour scale: two numbers, or none
    std::string grid;           ///< slice: empty: the first there is
    int axis = 2;               ///< slice: the axis it is square to
    std::optional<double> at;   ///< slice: where on that axis, m; none: the middle
};
int render_command(const RenderFlags& flags);

/// What a preview of a committed frame shows: points, and the liquid where the scene has one. Each
/// file is checked against its hash before it is opened.
Frame read_for_preview(FileSystem& files, const std::string& directory, CommitRecord record,
                       const Scene& scene);

struct ViewFlags {
    std::string directory;
    bool playground = false;  ///< the page with the solver in it, without a cache
    int port = 8017;
    bool no_browser = false;
};
/// The cache in a browser, served on loopback until stopped.
int view_command(const ViewFlags& flags);

struct ExportFlags {
    std::string directory, format, output;  ///< output empty: DIR/export
    int first_frame = -1, last_frame = -1;  ///< negative: as far as there are frames
};
/// The frames of a cache in another format.
int export_command(const ExportFlags& flags);

int info_command(const std::string& path);
int verify_command(const std::string& directory);
int list_command(const std::string& what);
int help_command(const std::string& method);

/// A path as given, or a bundled scene by its name.
std::string find_scene(FileSystem& files, const std::string& name);

}  // namespace spume
