// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/viewer.h"

#include "spume/core/error.h"
#include "spume/serve/cache_pages.h"
#include "spume/serve/gate.h"
#include "spume/serve/server.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostAssetBytes = 16 << 20;

/// Files of the page: few, known, read once.
class Assets {
  public:
    explicit Assets(const std::string& directory) {
        const BeneathDirectory files(directory);
        const std::pair<const char*, const char*> known[] = {
            {"index.html", "text/html; charset=utf-8"},
            {"viewer.js", "text/javascript; charset=utf-8"},
            {"viewer.css", "text/css; charset=utf-8"},
            {"icon.svg", "image/svg+xml"}};
        for (const auto& [name, type] : known) {
            auto content = files.read(name, kMostAssetBytes);
            if (!content)
                throw error_in_file(directory, std::string("the page's ") + name + " is missing",
                                    "build the page with `./dev web`");
            pages_["/" + std::string(name)] = {200, type, std::move(*content), {}, {}, false};
        }
        pages_["/"] = pages_.at("/index.html");
        pages_["/favicon.ico"] = pages_.at("/icon.svg");  // browsers ask for it unbidden
    }
    const HttpResponse* find(const std::string& path) const {
        const auto found = pages_.find(path);
        return found == pages_.end() ? nullptr : &found->second;
    }

  private:
    std::map<std::string, HttpResponse> pages_;
};

}  // namespace

void run_viewer(const ViewerOptions& options, const StopToken& stop,
                const std::function<void(const std::string&)>& ready) {
    const Assets assets(options.assets);
    CachePages cache(options.directory);
    std::optional<CachePages> beside;
    if (!options.beside.empty()) beside.emplace(options.beside);
    LoopbackServer server(options.port, {});
    Gate gate(server.port(), fresh_token());
    gate.on_used = ready;
    ready(gate.address());
    server.run(
        [&](const HttpRequest& request) {
            if (auto refused = gate.answer(request)) return *refused;
            if (const HttpResponse* page = assets.find(request.path)) return *page;
            const auto which = request.query.find("cache");
            if (which == request.query.end() || which->second == "0") return cache.answer(request);
            if (beside && which->second == "1") return beside->answer(request);
            // The page asks whether there is a second one.
            return request.path == "/api/cache"
                       ? HttpResponse{200, "application/json", "null", {}, {}}
                       : refusal(404);
        },
        stop);
}

}  // namespace spume
