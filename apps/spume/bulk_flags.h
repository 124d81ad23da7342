// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/spume/commands.h"

namespace spume {

/// Flags of commands about liquids of other programs, and of the children that read their files.
struct BulkFlags {
    WhitewaterFlags whitewater;
    std::string path;
    std::vector<std::string> words;
};
void add_whitewater(CLI::App& app, BulkFlags& flags, std::function<int()>& call);
void add_children(CLI::App& app, BulkFlags& flags, std::function<int()>& call);

}  // namespace spume
