// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "spume/run/session.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

/// A state's bytes by name: written, compared, read back.
class Memory final : public StateVisitor {
  public:
    std::map<std::string, std::string> values;
    bool reading = false;
    bool loading() const override { return reading; }

  protected:
    void fixed(std::string_view name, ElementType, std::span<std::byte> bytes) override {
        std::string& text = values[std::string(name)];
        if (reading)
            std::memcpy(bytes.data(), text.data(), bytes.size());
        else
            text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void array(std::string_view name, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize resize) override {
        std::string& text = values[std::string(name)];
        const std::size_t size = std::size_t(type.bytes) * std::size_t(type.width);
        if (reading) {
            std::byte* out = resize(text.size() / size);
            if (!text.empty()) std::memcpy(out, text.data(), text.size());
        } else {
            text.assign(reinterpret_cast<const char*>(data), count * size);
        }
    }
};

struct Loaded {
    Scene scene;
    MethodParams params;
};

Loaded load(const char* name, const std::vector<std::string>& overrides) {
    const std::string path = std::string(SPUME_SOURCE) + "/scenes/" + name;
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    Loaded r;
    r.scene = parse_scene(text.str(), path, overrides,
                          [&](Scene& s, SceneDocument& d) { r.params = read_method(s, d); });
    return r;
}

std::map<std::string, std::string> after(const Loaded& l, int frames, int threads) {
    Context context(threads);
    const auto run = start_session(l.scene, l.params, {}, context);
    for (int f = l.scene.time.start; f < l.scene.time.start + frames; ++f) run->advance_frame(f);
    Memory memory;
    run->describe(memory);
    return memory.values;
}

std::string differences(const std::map<std::string, std::string>& a,
                        const std::map<std::string, std::string>& b) {
    std::string names;
    for (const auto& [name, bytes] : a)
        if (!b.contains(name) || b.at(name) != bytes) names += name + " ";
    return names;
}

const std::pair<const char*, std::vector<std::string>> kScenes[] = {
    {"g04_fig8_splash_2d.toml", {"domain.divisions=40"}},
    {"g04_fig23_pocket.toml", {"domain.dimensions=2", "particle_level_set.live_bubbles=true"}},
    {"g04_fig27_side.toml", {"domain.divisions=20"}}};

TEST(ParticleLevelSetRepeat, ThreadsChangeNoBit) {
    for (const auto& [name, overrides] : kScenes) {
        const Loaded l = load(name, overrides);
        const auto one = after(l, 8, 1);
        for (int threads : {2, 3})
            EXPECT_EQ(differences(one, after(l, 8, threads)), "") << name << " " << threads;
    }
}

TEST(ParticleLevelSetRepeat, ResumeChangesNoBit) {
    for (const auto& [name, overrides] : kScenes) {
        const Loaded l = load(name, overrides);
        Context context(1);
        const auto straight = start_session(l.scene, l.params, {}, context);
        Memory middle, end, resumed;
        for (int f = 1; f <= 6; ++f) straight->advance_frame(f);
        straight->describe(middle);
        for (int f = 7; f <= 9; ++f) straight->advance_frame(f);
        straight->describe(end);
        const auto again = start_session(l.scene, l.params, {}, context);
        middle.reading = true;
        again->describe(middle);
        for (int f = 7; f <= 9; ++f) again->advance_frame(f);
        again->describe(resumed);
        EXPECT_EQ(differences(end.values, resumed.values), "") << name;
    }
}

}  // namespace
}  // namespace spume
