// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "spume/run/session.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

/// Every byte of a state, by name.
class StateBytes final : public StateVisitor {
  public:
    std::string text;
    bool loading() const override { return false; }

  protected:
    void fixed(std::string_view name, ElementType, std::span<std::byte> bytes) override {
        text.append(name);
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void array(std::string_view name, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize) override {
        text.append(name);
        text.append(reinterpret_cast<const char*>(data),
                    count * std::size_t(type.bytes) * std::size_t(type.width));
    }
};

std::string state_after(const char* scene_file, const std::vector<std::string>& overrides,
                        int frames, int threads) {
    const std::string path = std::string(SPUME_SOURCE) + "/scenes/" + scene_file;
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    MethodParams params;
    const Scene scene = parse_scene(text.str(), path, overrides, [&](Scene& s, SceneDocument& d) {
        params = read_method(s, d);
    });
    Context context(threads);
    const auto run = start_session(scene, params, {}, context);
    for (int f = scene.time.start; f < scene.time.start + frames; ++f) run->advance_frame(f);
    StateBytes bytes;
    run->describe(bytes);
    return bytes.text;
}

class ThreadCount : public testing::TestWithParam<const char*> {};

TEST_P(ThreadCount, ChangesNoBit) {
    const std::vector<std::string> coarse = {"domain.voxel=0.04"};
    const bool flat = std::string(GetParam()).find("2d") != std::string::npos;
    std::set<std::string> states;
    for (int threads : {1, 2, 3, 4, 8})
        states.insert(state_after(GetParam(), flat ? std::vector<std::string>{} : coarse,
                                  flat ? 6 : 2, threads));
    EXPECT_EQ(states.size(), 1u);
    EXPECT_GT(states.begin()->size(), 10000u) << "an empty state proves nothing";
}

TEST(ThreadCountOfABody, ChangesNoBit) {
    const std::vector<std::string> coarse = {"domain.voxel=0.004", "emitter.ball.spacing=0.002",
                                             "time.fps=120"};
    std::set<std::string> states;
    for (int threads : {1, 2, 3, 8})
        states.insert(state_after("wsb25_fig7_bubble_sizes.toml", coarse, 2, threads));
    EXPECT_EQ(states.size(), 1u);
    EXPECT_GT(states.begin()->size(), 10000u) << "an empty state proves nothing";
    const std::vector<std::string> loose = {coarse[0], coarse[1], coarse[2],
                                            "physics.surface_tension=0"};
    EXPECT_FALSE(states.count(state_after("wsb25_fig7_bubble_sizes.toml", loose, 2, 1)))
        << "surface tension is part of it";
}

INSTANTIATE_TEST_SUITE_P(Scenes, ThreadCount,
                         testing::Values("bubble_column_2d.toml", "wsb25_fig13a_bubble_column.toml",
                                         "wfs22_fig5_coupling.toml", "wfs22_fig6_dense.toml",
                                         "wfs22_fig8.toml"));

}  // namespace
}  // namespace spume
