// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spume/scene/content.h"

namespace spume {

class ParamVisitor;

/// One run of a parameter study.
struct SweepVariant {
    std::string name;                                         ///< also that of its directory
    std::string label;                                        ///< under its picture
    std::vector<std::pair<std::string, std::string>> values;  ///< what it sets: key, value
};

/// A scene's parameter study and how its contact sheet looks.
struct Sweep {
    int columns = 0;  ///< of the sheet; 0: as many as make it about square
    int tile_width = 320, tile_height = 320;
    std::string colours = "water";
    std::vector<int> frames;  ///< to show; empty: the last. Several: a row each, a column a variant
    std::vector<SweepVariant> variants;
};

/// Declares the keys of [sweep]; `values`, `show` and what a variant sets are free of form.
void describe(Sweep& sweep, ParamVisitor& visitor);

/// A variant and what it lays over the scene.
struct PlannedVariant {
    SweepVariant variant;
    std::unique_ptr<TomlNode> over;
};

/// The variants of the scene's [sweep]: each item of `variant` with each combination of `values`,
/// the last key varying fastest. Mistakes become complaints.
std::vector<PlannedVariant> plan_sweep(SceneContent& content);

/// The frames to show, of [sweep] show.
std::vector<int> sweep_frames(SceneContent& content);

}  // namespace spume
