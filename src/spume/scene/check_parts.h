// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/scene/check.h"

namespace spume {

// What check_scene() is made of.

void check_emitter(const Scene& scene, const Emitter& emitter, const std::string& path,
                   SceneDocument& document);
void check_bulk(const Scene& scene, SceneDocument& document);
void check_camera(const Scene& scene, SceneDocument& document);
/// What carries it along is a solid that has a place at any time.
void check_attach(const Scene& scene, const std::string& name, const std::string& path,
                  SceneDocument& document);

template <class Key>
void check_keys(const std::vector<Key>& keys, const std::string& path, SceneDocument& document) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].time > keys[i - 1].time) continue;
        const std::string key = fmt::format("{}.keys[{}]", path, i),
                          last = fmt::format("{}.keys[{}]", path, i - 1);
        document.conflict(key + ".time", {key, last},
                          fmt::format("{}.time = {} s is not after the key before it, at {} s", key,
                                      keys[i].time, keys[i - 1].time),
                          "Sort the keys by time.");
        return;
    }
}

}  // namespace spume
