// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstring>
#include <map>
#include <string>

#include "spume/core/visit_state.h"

namespace spume {

/// Every byte of a state by name, and back.
class Kept final : public StateVisitor {
  public:
    std::map<std::string, std::string> parts;
    bool restores = false;
    bool loading() const override { return restores; }

  protected:
    void fixed(std::string_view name, ElementType, std::span<std::byte> bytes) override {
        std::string& own = parts[std::string(name)];
        if (restores)
            std::memcpy(bytes.data(), own.data(), own.size());
        else
            own.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void array(std::string_view name, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize resized) override {
        std::string& own = parts[std::string(name)];
        const std::size_t width = std::size_t(type.bytes) * std::size_t(type.width);
        if (!restores) {
            own.assign(reinterpret_cast<const char*>(data), count * width);
            return;
        }
        std::byte* to = resized(own.size() / width);
        std::memcpy(to, own.data(), own.size());
    }
};

}  // namespace spume
