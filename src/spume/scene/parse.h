// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spume/scene/document.h"
#include "spume/scene/scene.h"

namespace spume {

/// Reads the section of the scene's method: `document.fill(name, params)`, and names the method
/// where the scene does not. Complains at "method" if there is no method of that name. Called
/// before the document is finished, so that its mistakes are reported with all others.
using MethodReader = std::function<void(Scene& scene, SceneDocument& document)>;

/// A scene from its text, or UserError with every mistake in it. Without a method reader the
/// method's section is let through unread. `overrides` are "section.key=value". What else the scene
/// offers goes to `offers`, if given.
Scene parse_scene(std::string_view text, std::string file,
                  const std::vector<std::string>& overrides = {},
                  const MethodReader& read_method = {}, const SceneSelection& selection = {},
                  SceneOffers* offers = nullptr);

/// Complains at "method", with the nearest of the names there are.
void complain_unknown_method(const Scene& scene, const std::vector<std::string>& names,
                             SceneDocument& document);

}  // namespace spume
