// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <string>

#include "spume/core/context.h"

namespace spume {

struct ViewerOptions {
    std::string directory;  ///< a cache
    std::string assets;     ///< the built page: index.html and what it names
    int port = 8017;
    std::string beside{};  ///< another cache, shown side by side; empty: none
};

/// Serves the page and the cache on loopback until the token is set. `ready` is told the address to
/// open, which is good for one browser, and the next one each time that one has been used.
void run_viewer(const ViewerOptions& options, const StopToken& stop,
                const std::function<void(const std::string&)>& ready);

/// Serves the playground the same way: a folder with the page and the solver, no cache.
struct PlaygroundOptions {
    std::string assets;
    int port = 8017;
};
void run_playground(const PlaygroundOptions& options, const StopToken& stop,
                    const std::function<void(const std::string&)>& ready);

}  // namespace spume
