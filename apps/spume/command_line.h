// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "apps/spume/words.h"

namespace spume {

/// Words for the values of an enumeration: help and errors name them, not the numbers behind.
template <class T>
CLI::Validator one_of(const std::map<std::string, T>& words) {
    std::string all;
    for (const auto& [word, value] : words) all += (all.empty() ? "" : "|") + word;
    return CLI::Validator(
        [words, all](std::string& word) {
            const auto found = words.find(word);
            if (found != words.end()) {
                word = std::to_string(static_cast<long long>(found->second));
                return std::string();
            }
            std::vector<std::string> known;
            known.reserve(words.size());
            for (const auto& [name, value] : words) known.push_back(name);
            return fmt::format("'{}' is none of {}{}", word, all, meant(word, known));
        },
        all);
}

/// The commands for people, in order.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// "--start", and with `both` "-s", of each option.
std::vector<std::string> flags_of(const CLI::App& command, bool both = false);

/// What is wrong with a command line that cannot be read, with the nearest command or flag.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error,
                               const std::vector<std::string>& arguments);

/// All commands with their flags: `bash`, `zsh` or `fish` code that completes them, or a page for
/// `man` (`man`).
std::string generated_text(const CLI::App& app, const std::string& what);

/// CLI11's own range lets "nan" pass.
CLI::Validator between(double low, double high);

struct RenderFlags;
/// The flags of `spume render` that say what a picture looks like.
void add_render_look(CLI::App& render, RenderFlags& flags);

}  // namespace spume
