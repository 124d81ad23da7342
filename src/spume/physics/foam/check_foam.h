// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/scene/document.h"
#include "spume/scene/scene.h"

namespace spume {

/// Foam that no number of steps can hold, or whose bubbles are too unlike for one search.
void check_foam(const Scene& scene, SceneDocument& document);

}  // namespace spume
