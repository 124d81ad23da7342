// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <vector>

#include "spume/frame/frame.h"

namespace spume {

/// One frame as USD text: points (widths are diameters), meshes, and volumes as assets that name
/// .vdb files. Values stand at the time code of the frame's number.
struct UsdVolume {
    std::string name, file;  ///< file as seen from the .usda
};
std::string encode_usda(const Frame& frame, const std::vector<UsdVolume>& volumes);

/// A solid of the scene: its surface in its own frame, and where that is in each frame.
struct UsdSolid {
    std::string name;
    TriangleMesh mesh;
    Vec<double, 3> colour{};
    bool glass = false;
    std::vector<Pose> poses;
    std::vector<std::vector<Vec<double, 3>>> vertices{};  ///< in each frame, if it deforms
};

/// What a sequence holds: names of its points and meshes in any frame, and its files in order.
struct UsdSequence {
    double fps = 24;
    std::vector<int> frames;
    std::vector<std::string> files;  ///< of the frames, as seen from the stage
    std::vector<std::string> points, meshes;
    std::vector<std::pair<std::string, std::vector<std::string>>> volumes;  ///< name, file a frame
    std::vector<UsdSolid> solids;
    std::vector<Pose> camera;           ///< that looks along its −z, in each frame; empty: none
    std::vector<double> field_of_view;  ///< of it, vertical, degrees
};

/// Declares the attributes of the frames, as value clips want it.
std::string encode_usda_clip_manifest(const UsdSequence& sequence);
/// The stage that ties the frames together by value clips.
std::string encode_usda_stage(const UsdSequence& sequence, const std::string& clip_manifest);

/// Solids and camera of the stage, below its root.
std::string usd_solids(const UsdSequence& sequence);
std::string usd_camera(const UsdSequence& sequence);

/// A name as USD accepts it: letters, digits and underscores, not beginning with a digit.
std::string usd_name(const std::string& name);

}  // namespace spume
