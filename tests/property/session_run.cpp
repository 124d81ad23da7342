// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "property/session_run.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "spume/scene/parse.h"

namespace spume {

BundledScene bundled_scene(const char* file, const std::vector<std::string>& overrides) {
    const std::string path = std::string(SPUME_SOURCE) + "/scenes/" + file;
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    BundledScene r;
    r.scene = parse_scene(text.str(), path, overrides,
                          [&](Scene& s, SceneDocument& d) { r.params = read_method(s, d); });
    return r;
}

namespace {

/// Goes on for frames first … last − 1 of the run, counted from 0.
void advance(Simulation& run, const Scene& scene, int first, int last) {
    for (int f = first; f < last; ++f) run.advance_frame(scene.time.start + f);
}

KeptState kept(Simulation& run) {
    KeptState state;
    run.describe(state);
    return state;
}

}  // namespace

KeptState state_after(const BundledScene& bundled, int frames, int threads) {
    Context context(threads);
    const auto run = start_session(bundled.scene, bundled.params, {}, context);
    advance(*run, bundled.scene, 0, frames);
    return kept(*run);
}

KeptState expect_same_on_threads(const BundledScene& bundled, int frames,
                                 std::initializer_list<int> threads) {
    KeptState one = state_after(bundled, frames, 1);
    for (const int n : threads)
        EXPECT_EQ(differences(one, state_after(bundled, frames, n)), "")
            << bundled.scene.title << ", " << n << " threads";
    return one;
}

void expect_same_after_resume(const BundledScene& bundled, int middle, int last) {
    Context context(1);
    const auto straight = start_session(bundled.scene, bundled.params, {}, context);
    advance(*straight, bundled.scene, 0, middle);
    KeptState state = kept(*straight);
    advance(*straight, bundled.scene, middle, last);
    const auto resumed = start_session(bundled.scene, bundled.params, {}, context);
    state.restores = true;
    resumed->describe(state);
    advance(*resumed, bundled.scene, middle, last);
    EXPECT_EQ(differences(kept(*straight), kept(*resumed)), "") << bundled.scene.title;
}

}  // namespace spume
