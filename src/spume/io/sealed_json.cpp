// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/sealed_json.h"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "spume/core/error.h"
#include "spume/io/hash.h"

namespace spume {
namespace {

constexpr std::size_t kMostBytes = std::size_t(64) << 20;
constexpr int kMostDepth = 32;
constexpr const char* kRemedy = "the file is damaged: restore it from a copy";

/// Brackets outside of strings.
int depth_of(std::string_view text) {
    int depth = 0, deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                in_string = false;
        } else if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

std::string text_of(const Json& object) { return object.dump(1) + "\n"; }

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
    if (text.size() > kMostBytes)
        throw error_in_file(file, fmt::format("{} bytes of JSON", text.size()), kRemedy);
    if (depth_of(text) > kMostDepth) throw error_in_file(file, "too deeply nested", kRemedy);
    try {
        return Json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        // Its own text speaks of the parser's insides.
        const std::size_t at = std::min(text.size(), std::max<std::size_t>(error.byte, 1) - 1);
        const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n');
        throw error_in_file(
            file,
            at >= text.size() ? "the JSON in it ends too early" : "what stands here is no JSON",
            kRemedy, int(line));
    } catch (const nlohmann::json::exception&) {
        throw error_in_file(file, "no JSON of numbers and texts that can be stored", kRemedy);
    }
}

std::string seal(Json object) {
    SPUME_CHECK(object.is_object() && !object.contains("hash"));
    object["hash"] = hash_of(text_of(object)).hex();
    return text_of(object);
}

Json unseal(std::string_view text, const std::string& file) {
    Json object = parse_json(text, file);
    if (!object.is_object() || !object.contains("hash"))
        throw error_in_file(file, "no hash in it", kRemedy);
    try {
        object.erase("hash");
        if (seal(object) == text) return object;
    } catch (const nlohmann::json::exception&) {
        // Text that is not UTF-8 can be parsed but not written: damage like any other.
    }
    throw error_in_file(file, "its content does not fit its hash", kRemedy);
}

}  // namespace spume
