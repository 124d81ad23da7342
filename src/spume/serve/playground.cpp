// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <filesystem>
#include <map>

#include "spume/core/error.h"
#include "spume/serve/beneath.h"
#include "spume/serve/gate.h"
#include "spume/serve/server.h"
#include "spume/serve/viewer.h"

namespace spume {
namespace {

constexpr std::uint64_t kMostFileBytes = 16 << 20;

const char* type_of(const std::string& ending) {
    if (ending == ".html") return "text/html; charset=utf-8";
    if (ending == ".js") return "text/javascript; charset=utf-8";
    if (ending == ".css") return "text/css; charset=utf-8";
    if (ending == ".wasm") return "application/wasm";
    return nullptr;
}

/// Files of the folder itself, by their paths, read once.
std::map<std::string, HttpResponse> files_of(const std::string& folder) {
    const BeneathDirectory files(folder);
    std::map<std::string, HttpResponse> pages;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const char* type = type_of(entry.path().extension().string());
        if (type == nullptr) continue;
        if (auto content = files.read(name, kMostFileBytes))
            pages["/" + name] = {200, type, std::move(*content), {}, {}, true};
    }
    for (const char* name : {"/index.html", "/solver.wasm"})
        if (pages.count(name) == 0)
            throw error_in_file(folder,
                                std::string("the playground's ") + (name + 1) + " is missing",
                                "build it with `./dev playground`");
    pages["/"] = pages.at("/index.html");
    // Browsers ask for it unbidden.
    pages["/favicon.ico"] = {
        200,
        "image/svg+xml",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><circle "
        "cx=\"16\" cy=\"16\" r=\"12\" fill=\"#2b8fc4\"/></svg>",
        {},
        {},
        false};
    return pages;
}

}  // namespace

void run_playground(const PlaygroundOptions& options, const StopToken& stop,
                    const std::function<void(const std::string&)>& ready) {
    const std::map<std::string, HttpResponse> pages = files_of(options.assets);
    LoopbackServer server(options.port, {});
    Gate gate(server.port(), fresh_token());
    gate.on_used = ready;
    ready(gate.address());
    server.run(
        [&](const HttpRequest& request) {
            if (auto refused = gate.answer(request)) return *refused;
            const auto found = pages.find(request.path);
            return found == pages.end() ? refusal(404) : found->second;
        },
        stop);
}

}  // namespace spume
