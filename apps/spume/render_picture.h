// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/spume/commands.h"
#include "spume/io/read_frame.h"

namespace spume {

/// A cache as pictures need it.
struct OpenCache {
    Manifest manifest;
    Scene scene;
    Inputs inputs;
};
OpenCache open_cache(FileSystem& files, const std::string& directory);

/// The flags with a mode that suits the scene, if none was asked for: a plane has no picture that
/// rays of light could make.
RenderFlags flags_for(RenderFlags flags, const Scene& scene);

/// Refuses what -o cannot be before any time is spent.
void check_picture_name(const RenderFlags& flags);

/// What all pictures of one command share.
struct RenderJob {
    const RenderFlags& flags;
    const Scene& scene;
    const Inputs& inputs;
    FileSystem& files;
    Context& context;
    std::function<void(double)> progress;          ///< share of the picture
    std::function<void(const std::string&)> warn;  ///< once for each text
    std::optional<PreviewCamera> camera;           ///< the same for all frames
    std::optional<Interval> range{};               ///< of colours, the same for all frames
    std::optional<SkyImage> sky{};
};

struct RenderedPicture {
    std::optional<FloatImage> light;  ///< beauty: before it is developed for a screen
    Image screen;
    bool stopped = false;
    double noise = 0;
    long rays = 0;
};

/// A camera that suits all frames of a range: beauty frames what its first, middle and last hold.
std::optional<PreviewCamera> shared_camera(const RenderJob& job, const std::vector<int>& frames);

/// The picture --environment names, with the sun that is in it; none where none is asked for.
std::optional<SkyImage> sky_image(FileSystem& files, const RenderFlags& flags);
/// The lamps of --lamp, facing the middle of the scene.
std::vector<AreaLight> asked_lamps(const RenderFlags& flags, const Scene& scene);

/// Preview by colours: the smallest and largest value of these frames, unless --range says.
std::optional<Interval> frames_range(const RenderJob& job, const std::vector<int>& frames);

/// The scene with open water around its domain, as far as its bulk has a formula: pictures of a sea
/// show its waves further out than they are simulated.
Scene with_sea_around(const Scene& scene);

/// Reads one frame and makes its picture. Files that cannot be read are named in `problems`.
RenderedPicture render_picture(const RenderJob& job, int number, std::vector<Complaint>& problems);

const char* mode_name(RenderMode mode);

/// --resume: the picture in DIR/images, if it was made of the same frame with the same flags.
std::optional<Image> finished_picture(const RenderJob& job, int number);
/// Writes down what the picture in DIR/images was made of.
void note_finished(const RenderJob& job, int number);

/// The frames flags.sheet names side by side in one picture; of a study those of every variant.
int sheet_command(const RenderFlags& flags);

}  // namespace spume
