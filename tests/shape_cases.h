// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace spume {

struct ShapeEntry {
    std::string header, item, key, value;
};

/// Items of a list from number `first` on, whose shapes together have every key that not all kinds
/// know; `others` are what an item needs beside its shape.
inline std::vector<ShapeEntry> shape_keys(
    const std::string& list, const std::string& shape, int first,
    const std::vector<std::pair<std::string, std::string>>& others) {
    using Keys = std::vector<std::pair<std::string, std::string>>;
    std::vector<ShapeEntry> r;
    const std::string header = "[[" + list + "]]", inner = list + "." + shape;
    std::string item;
    const auto begin = [&](const Keys& keys) {
        item = list + "[" + std::to_string(first++) + "]";
        for (const auto& [key, value] : keys) r.push_back({header, item, shape + "." + key, value});
        for (const auto& [key, value] : others) r.push_back({header, item, key, value});
    };
    const auto add = [&](const std::string& table, const std::string& at, const Keys& keys) {
        for (const auto& [key, value] : keys)
            r.push_back({"[[" + inner + table + "]]", item + "." + shape + at, key, value});
    };
    const Keys points[3] = {{{"radius", "0"}, {"height", "0"}},
                            {{"radius", "\"10 cm\""}, {"height", "0"}},
                            {{"radius", "0.1"}, {"height", "\"20 cm\""}}};
    begin({{"kind", "\"box\""}, {"size", "[0.2, 0.2, 0.2]"}, {"round", "\"2 cm\""}});
    begin({{"kind", "\"cone\""}, {"radius", "0.1"}, {"radius_top", "0.05"}, {"height", "0.2"}});
    begin({{"kind", "\"torus\""}, {"radius", "0.1"}, {"tube", "\"3 cm\""}});
    begin({{"kind", "\"lathe\""}});
    for (int i = 0; i < 3; ++i) add(".profile", ".profile[" + std::to_string(i) + "]", points[i]);
    begin({{"kind", "\"compound\""}});
    add(".part", ".part[0]",
        {{"kind", "\"box\""},
         {"size", "[0.2, 0.2, 0.2]"},
         {"round", "0.02"},
         {"center", "[0, 0, 0]"},
         {"rotation", "[0, 0, 10]"},
         {"shell", "0.01"}});
    add(".part", ".part[1]",
        {{"combine", "\"difference\""},
         {"kind", "\"cone\""},
         {"radius", "0.1"},
         {"radius_top", "0.05"},
         {"height", "0.2"},
         {"shell", "0.01"},
         {"open_top", "true"}});
    add(".part", ".part[2]",
        {{"combine", "\"union\""}, {"kind", "\"torus\""}, {"radius", "0.1"}, {"tube", "0.03"}});
    add(".part", ".part[3]", {{"kind", "\"lathe\""}});
    for (int i = 0; i < 3; ++i)
        add(".part.profile", ".part[3].profile[" + std::to_string(i) + "]", points[i]);
    add(".part", ".part[4]", {{"kind", "\"mesh\""}, {"file", "\"hull.ply\""}, {"scale", "0.5"}});
    return r;
}

}  // namespace spume
