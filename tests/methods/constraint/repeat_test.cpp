// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "run.h"
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

/// Names of the members that differ.
std::string differences(const std::map<std::string, std::string>& a,
                        const std::map<std::string, std::string>& b) {
    std::string names;
    for (const auto& [name, bytes] : a)
        if (!b.contains(name) || b.at(name) != bytes) names += name + " ";
    return names;
}

/// Coarse, with bubbles from its first frames on.
const std::vector<std::string> kAerated = {"domain.divisions=48",  "whitewater.drag=1",
                                           "emission.jitter=2",    "aeration.tau=0.02",
                                           "aeration.a_min=0.001", "aeration.a_max=0.01"};

TEST(ConstraintRepeat, ThreadsChangeNoBitOfWhitewater) {
    const Loaded l = load("dam_break_2d.toml", kAerated);
    const auto one = after(l, 6, 1);
    EXPECT_GT(one.at("small.position").size(), 100u * sizeof(Point<2>));
    EXPECT_EQ(differences(one, after(l, 6, 3)), "");
}

TEST(ConstraintRepeat, ThreadsChangeNoBit) {
    for (const char* name :
         {"dam_break_2d.toml", "gb17_fig5_moving_boundary.toml", "floating_bodies.toml",
          "smoke_bubble.toml", "gb17_fig2_rising_viscous.toml"}) {
        const bool flat = std::string(name).find("2d") != std::string::npos;
        const Loaded l = load(name, {flat ? "domain.divisions=64" : "domain.divisions=24"});
        const auto one = after(l, 4, 1);
        EXPECT_GT(one.at("liquid.position").size(), 5000u);
        for (int threads : {2, 3, 8})
            EXPECT_EQ(differences(one, after(l, 4, threads)), "") << name << " " << threads;
    }
}

void expect_same_after_resume(const Loaded& l) {
    Context context(1);
    const auto straight = start_session(l.scene, l.params, {}, context);
    Memory middle, end, resumed;
    for (int f = 1; f <= 3; ++f) straight->advance_frame(f);
    straight->describe(middle);
    for (int f = 4; f <= 6; ++f) straight->advance_frame(f);
    straight->describe(end);
    const auto again = start_session(l.scene, l.params, {}, context);
    middle.reading = true;
    again->describe(middle);
    for (int f = 4; f <= 6; ++f) again->advance_frame(f);
    again->describe(resumed);
    EXPECT_EQ(differences(end.values, resumed.values), "");
}

TEST(ConstraintRepeat, ResumeChangesNoBit) {
    expect_same_after_resume(load("dam_break_2d.toml", {"domain.divisions=64"}));
    expect_same_after_resume(
        load("dam_break_2d.toml", {"domain.divisions=64", "constraint.transfer=flip"}));
    expect_same_after_resume(
        load("dam_break_2d.toml", {"domain.divisions=48", "output.aeration=true"}));
    expect_same_after_resume(load("floating_bodies.toml", {"domain.divisions=24"}));
    expect_same_after_resume(
        load("smoke_bubble.toml", {"domain.divisions=24", "whitewater.drag=1"}));
    expect_same_after_resume(load("dam_break_2d.toml", kAerated));
}

TEST(ConstraintRepeat, OnlyAffineTransferKeepsGradients) {
    const std::string divisions = "domain.divisions=32";
    const auto flip =
        after(load("dam_break_2d.toml", {divisions, "constraint.transfer=flip"}), 1, 1);
    const auto apic =
        after(load("dam_break_2d.toml", {divisions, "constraint.transfer=apic"}), 1, 1);
    EXPECT_TRUE(flip.at("liquid.gradient").empty());
    EXPECT_EQ(apic.at("liquid.gradient").size(), apic.at("liquid.position").size());
}

TEST(ConstraintRepeat, MirrorImageStaysOne) {
    Scene s = tank(2, 1.0 / 32, {1, 1, 1});
    s.physics.surface_tension = 0;
    s.liquids = {liquid_box({0.3, 0, -1}, {0.7, 0.5, 1})};
    constraint::Params p;
    p.fewest_particles = 0;
    p.pressure_tolerance = 1e-12;
    ConstraintRun<2> run(s, p);
    Liquid<2>& liquid = run.state.liquid;
    std::vector<Point<2>> left;
    for (const Point<2>& x : liquid.position)
        if (x[0] < 0.5) left.push_back(x);
    resize(liquid, 2 * left.size());
    auto x = liquid.position.write();
    auto v = liquid.velocity.write();
    auto id = liquid.id.write();
    for (std::size_t i = 0; i < left.size(); ++i) {
        x[2 * i] = left[i];
        x[2 * i + 1] = {1 - left[i][0], left[i][1]};
        for (std::size_t k = 2 * i; k < 2 * i + 2; ++k) v[k] = {}, id[k] = k;
    }
    run.state.phi = {};  // of the particles before: no mirror image
    ASSERT_TRUE(run.one_step(0.005));
    std::vector<Vec<double, 2>> by_id(liquid.size());
    for (std::size_t i = 0; i < liquid.size(); ++i) by_id[liquid.id[i]] = liquid.velocity[i];
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < by_id.size(); i += 2) {
        worst = std::max({worst, std::abs(by_id[i][0] + by_id[i + 1][0]),
                          std::abs(by_id[i][1] - by_id[i + 1][1])});
        most = std::max(most, length(by_id[i]));
    }
    EXPECT_GT(most, 0.01);
    EXPECT_LT(worst, 1e-9 * most);
}

}  // namespace
}  // namespace spume
