// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

struct Renamed {
    double now = 1;
    bool old_name = false;
};
void describe(Renamed& r, ParamVisitor& v) {
    r.old_name = v.renamed("before", "now");
    v.number("now", r.now, {.min = 0, .max = 10});
}

TEST(SceneParse, OldNamesOfKeysAreReadWithAWarning) {
    const auto read = [](const std::string& text, Renamed& r, SceneOffers& offers,
                         const std::vector<std::string>& overrides = {}) {
        const MethodReader reader = [&](const Scene&, SceneDocument& document) {
            document.fill("mixture", r);
        };
        parse_scene("version = 1\n[mixture]\n" + text, "s.toml", overrides, reader, {}, &offers);
    };
    Renamed r;
    SceneOffers offers;
    read("before = 3\n", r, offers);
    EXPECT_EQ(r.now, 3);
    EXPECT_TRUE(r.old_name);
    ASSERT_EQ(offers.warnings.size(), 1u);
    EXPECT_EQ(offers.warnings[0],
              "s.toml:3:1: mixture.before is now called mixture.now; the old name still works");
    read("now = 4\n", r, offers);
    EXPECT_EQ(r.now, 4);
    EXPECT_FALSE(r.old_name);
    EXPECT_TRUE(offers.warnings.empty());
    read("", r, offers, {"mixture.before=5"});
    EXPECT_EQ(r.now, 5);
    EXPECT_EQ(offers.warnings.size(), 1u);
    EXPECT_THROW(read("before = 3\nnow = 4\n", r, offers), UserError);
    EXPECT_THROW(read("before = 11\n", r, offers), UserError);
}

}  // namespace
}  // namespace spume
