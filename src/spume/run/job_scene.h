// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spume/io/file_system.h"
#include "spume/io/manifest.h"
#include "spume/run/session.h"

namespace spume {

/// What a user asks for on top of a scene file.
struct SceneRequest {
    std::string file;
    std::vector<std::string> overrides;  ///< section.key=value
    SceneSelection selection;
    std::optional<std::uint64_t> seed;
    std::optional<int> first_frame, last_frame;
};

/// A scene with everything it names, ready to be simulated.
struct LoadedScene {
    Scene scene;
    MethodParams params;
    Inputs inputs;
    Manifest manifest;
    SceneOffers offers;
    std::vector<std::string> warnings;  ///< about old names of keys, and meshes
};

/// Throws UserError with all mistakes of the scene, then with those of its meshes.
LoadedScene load_scene(FileSystem& files, const SceneRequest& request,
                       MethodTable table = methods());
/// The same for a text that lies in no file; `request.file` only says where it would lie.
LoadedScene load_scene_text(FileSystem& files, const std::string& text, const SceneRequest& request,
                            MethodTable table = methods());

/// Reads the scene with each of its presets (or the one asked for) and each variant of its sweep;
/// throws UserError for the first that is wrong. Returns what was looked at, one line each.
std::vector<std::string> check_selections(FileSystem& files, const SceneRequest& request);

/// The title that a scene gives itself; empty where it has none or cannot be read.
std::string title_of(FileSystem& files, const std::string& file);

/// The presets a scene offers, "default" included.
std::vector<std::string> presets_of(FileSystem& files, const std::string& file);

/// The meshes a scene names, and the hashes of their files by name.
Inputs load_inputs(FileSystem& files, const Scene& scene, Manifest& manifest,
                   std::vector<std::string>& warnings);

/// What a run will need. The grid is sparse: `voxels` is all of the domain, the most there can be.
struct Estimate {
    double voxels = 0, bubbles = 0;
    double markers = 0;     ///< particles of the liquid
    double memory = 0;      ///< bytes at the peak
    double frame = 0;       ///< bytes on disk
    double checkpoint = 0;  ///< bytes on disk
    /// Two checkpoints on the way and the one of the end.
    double cache(int frames) const { return frame * frames + 3 * checkpoint; }
};
Estimate estimate(const LoadedScene& loaded);

/// The same for what will probably be simulated: the liquid that is there at the start, and columns
/// of water above the emitters. No bound.
Estimate likely_estimate(const LoadedScene& loaded);

/// Why it cannot be held in `bytes` of memory; empty if it can.
std::string too_large(const LoadedScene& loaded, const Estimate& needs, double bytes);

/// Memory of this machine in bytes.
double machine_memory();

/// The dimensionless numbers of the largest bubbles of each emitter, and voxels a frame.
std::string characteristic_numbers(const Scene& scene);

}  // namespace spume
