// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/parse.h"

#include "spume/scene/check.h"
#include "spume/scene/nearest_key.h"

namespace spume {

Scene parse_scene(std::string_view text, std::string file,
                  const std::vector<std::string>& overrides, const MethodReader& read_method,
                  const SceneSelection& selection, SceneOffers* offers) {
    SceneDocument document(text, std::move(file), overrides, selection);
    Scene scene;
    document.fill(scene);
    check_scene(scene, document);
    if (read_method)
        read_method(scene, document);
    else if (!scene.method.empty())
        document.accept(scene.method);
    SceneOffers found = document.offers();
    if (offers != nullptr) *offers = std::move(found);
    document.finish();
    return scene;
}

void complain_unknown_method(const Scene& scene, const std::vector<std::string>& names,
                             SceneDocument& document) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    const std::string near = nearest_key(scene.method, names);
    document.complain("method",
                      fmt::format("there is no method \"{}\"", scene.method.substr(0, 60)),
                      near.empty() ? fmt::format("Methods: {}.", list)
                                   : fmt::format("Did you mean \"{}\"? Methods: {}.", near, list));
    document.accept(scene.method);
}

}  // namespace spume
