// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstring>
#include <map>
#include <string>

#include "spume/core/visit_state.h"

namespace spume {

/// Every byte of a state, by the name of its member: kept, compared, given back.
class KeptState final : public StateVisitor {
  public:
    std::map<std::string, std::string> members;
    bool restores = false;
    bool loading() const override { return restores; }

  protected:
    void fixed(std::string_view name, ElementType, std::span<std::byte> bytes) override {
        std::string& own = members[std::string(name)];
        if (restores)
            std::memcpy(bytes.data(), own.data(), bytes.size());
        else
            own.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void array(std::string_view name, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize resize) override {
        std::string& own = members[std::string(name)];
        const std::size_t size = std::size_t(type.bytes) * std::size_t(type.width);
        if (!restores) {
            own.assign(reinterpret_cast<const char*>(data), count * size);
            return;
        }
        std::byte* out = resize(own.size() / size);
        if (!own.empty()) std::memcpy(out, own.data(), own.size());
    }
};

/// Names of the members that differ, or that only one of the two has.
inline std::string differences(const KeptState& a, const KeptState& b) {
    std::string names;
    for (const auto& [name, bytes] : a.members)
        if (!b.members.contains(name) || b.members.at(name) != bytes) names += name + " ";
    for (const auto& [name, bytes] : b.members)
        if (!a.members.contains(name)) names += name + " ";
    return names;
}

}  // namespace spume
