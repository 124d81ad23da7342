// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_scene (CMake: SPUME_FUZZ): any bytes are a scene or a UserError, and a
// scene prints back to itself.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "spume/core/error.h"
#include "spume/scene/parse.h"
#include "spume/scene/print.h"

namespace {

/// Stands for a method: every kind of parameter, in a section that fuzzers can reach.
struct Params {
    double number = 1;
    int count = 2;
    std::string file;
    bool flag = false;
    std::vector<double> list;
};

void describe(Params& p, spume::ParamVisitor& v) {
    v.number("number", p.number, {"Pa", 0, 10, false, ""});
    v.integer("count", p.count, 0, 5, "");
    v.path("file", p.file, "");
    v.flag("flag", p.flag, "");
    v.list("list", p.list, "", [](double& x, spume::ParamVisitor& w) { w.number("x", x, {}); });
}

struct Parsed {
    spume::Scene scene;
    Params params;
};

Parsed parse(std::string_view text, const std::vector<std::string>& overrides) {
    Parsed parsed;
    parsed.scene = spume::parse_scene(text, "fuzz/scene.toml", overrides,
                                      [&](const spume::Scene&, spume::SceneDocument& document) {
                                          document.fill("mixture", parsed.params);
                                      });
    return parsed;
}

std::string print(const Parsed& parsed) {
    return print_scene(parsed.scene) + "\n" + spume::print_section("mixture", parsed.params);
}

void require(bool condition) {
    if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<std::string> overrides;
    while (text.substr(0, 1) == "!") {  // leading lines stand for --set
        const std::size_t end = std::min(text.find('\n'), text.size());
        overrides.emplace_back(text.substr(1, end - 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    try {
        const std::string printed = print(parse(text, overrides));
        require(print(parse(printed, {})) == printed);
    } catch (const spume::UserError& error) {
        require(!error.complaints().empty() && error.complaints().size() <= 20);
        for (const spume::Complaint& c : error.complaints())
            require(!c.message.empty() && !c.remedy.empty() && !c.place.file.empty());
    }
    return 0;
}
