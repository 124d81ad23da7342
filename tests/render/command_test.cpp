// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstdlib>

#include "cli/program.h"
#include "spume/io/exr.h"
#include "spume/io/png.h"

// `spume render` as a user meets it: modes, formats, films, and caches that are not as they should.

namespace spume {
namespace {

namespace fs = std::filesystem;

class RenderCommand : public test::ProgramTest {
  protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("s.toml",
              "version = 1\nmethod = \"mixture\"\n[time]\nframes = 3\n"
              "[domain]\nlower = [-0.1, 0, -0.1]\nupper = [0.1, 0.2, 0.1]\nvoxel = 0.0125\n"
              "[[emitter]]\nmode = \"seed\"\ncount = 20\nradius = 0.004\n"
              "shape = { kind = \"sphere\", center = [0, 0.1, 0], radius = 0.05 }\n"
              "[output]\npreview = \"none\"\n");
        const Outcome run = spume({"run", "s.toml", "-o", "c", "-j", "1", "--progress", "none"});
        ASSERT_EQ(run.status, 0) << run.err;
    }
    Outcome render(test::Words more) {
        test::Words words{"render", "c", "--size", "64x48", "--samples", "2"};
        words.insert(words.end(), more.begin(), more.end());
        return spume(words);
    }
    DecodedPng png(const std::string& name) {
        const std::string bytes = test::content_of(directory + "/" + name);
        return decode_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    void damage(const std::string& name) {
        std::string bytes = test::content_of(directory + "/c/" + name);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        write("c/" + name, bytes);
    }
};

/// In 2D the liquid is on disk as a level set alone, in tiles of the file's own depth.
TEST_F(RenderCommand, LiquidOfAFlatCacheFillsItsShareOfThePicture) {
    write("flat.toml",
          "version = 1\nmethod = \"constraint\"\n[time]\nframes = 1\n[domain]\ndimensions = 2\n"
          "lower = [0, 0]\nupper = [0.4, 0.2]\nvoxel = 0.0125\nsides = \"wall\"\n"
          "bottom = \"wall\"\n[[liquid]]\n"
          "shape = { kind = \"box\", center = [0.2, 0.05], size = [0.4, 0.1] }\n"
          "[output]\npreview = \"none\"\n");
    const Outcome run = spume({"run", "flat.toml", "-o", "f", "-j", "1", "--progress", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const Outcome made =
        spume({"render", "f", "--mode", "preview", "--size", "128x64", "-o", "flat.png"});
    ASSERT_EQ(made.status, 0) << made.err;
    const DecodedPng picture = png("flat.png");
    int wet = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
        wet += picture.rgb[i + 2] > picture.rgb[i] + 50 ? 1 : 0;
    // Half of the domain, which takes up most of the picture.
    const double share = 3.0 * wet / static_cast<double>(picture.rgb.size());
    EXPECT_GT(share, 0.3);
    EXPECT_LT(share, 0.55);
}

TEST_F(RenderCommand, EveryModeMakesAPicture) {
    for (const char* mode : {"beauty", "preview", "slice", "tiles"}) {
        const Outcome o = render({"--mode", mode});
        EXPECT_EQ(o.status, 0) << mode << o.err;
        const DecodedPng image = png("c/images/" + std::string(mode) + ".0003.png");
        EXPECT_EQ(image.width, 64);
        EXPECT_EQ(image.height, 48);
        EXPECT_NE(std::count(image.rgb.begin(), image.rgb.end(), image.rgb[0]),
                  std::ptrdiff_t(image.rgb.size()))
            << mode << " is one plain colour";
    }
    // Pictures belong to nobody's record: the cache is still as it was written.
    EXPECT_EQ(spume({"verify", "c"}).status, 0);
}

TEST_F(RenderCommand, ExrHoldsTheLightOfThePng) {
    ASSERT_EQ(render({"-o", "a.exr"}).status, 0);
    ASSERT_EQ(render({"-o", "b.exr", "--exposure", "2"}).status, 0);
    const DecodedExr a = decode_exr(test::content_of(directory + "/a.exr"));
    const DecodedExr b = decode_exr(test::content_of(directory + "/b.exr"));
    ASSERT_EQ(a.rgb.size(), 64u * 48u);
    double sum = 0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) {
        sum += a.rgb[i][1];
        EXPECT_NEAR(b.rgb[i][1], 2 * a.rgb[i][1], 2e-3 * b.rgb[i][1]);
    }
    EXPECT_GT(sum, 0);
    EXPECT_EQ(render({"--mode", "slice", "-o", "c.exr"}).status, 2);
}

TEST_F(RenderCommand, SeedAloneDecidesTheNoise) {
    ASSERT_EQ(render({"-o", "a.png", "-j", "1"}).status, 0);
    ASSERT_EQ(render({"-o", "b.png", "-j", "4"}).status, 0);
    ASSERT_EQ(render({"-o", "d.png", "--seed", "9"}).status, 0);
    EXPECT_EQ(test::content_of(directory + "/a.png"), test::content_of(directory + "/b.png"));
    EXPECT_NE(test::content_of(directory + "/a.png"), test::content_of(directory + "/d.png"));
}

TEST_F(RenderCommand, RangeWithGapsShowsTheRest) {
    fs::remove(directory + "/c/frames/0002.json");
    const Outcome o = render({"--mode", "preview", "-s", "1", "-e", "5"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("3 of the 5 frames"), std::string::npos) << o.err;
    EXPECT_TRUE(fs::exists(directory + "/c/images/preview.0001.png"));
    EXPECT_FALSE(fs::exists(directory + "/c/images/preview.0002.png"));
    EXPECT_TRUE(fs::exists(directory + "/c/images/preview.0003.png"));
}

TEST_F(RenderCommand, DamagedFilesAreNamedAndLeftOut) {
    damage("points/bubbles.0002.ply");
    const Outcome o = render({"-s", "1", "-e", "3"});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("bubbles.0002.ply"), std::string::npos) << o.err;
    EXPECT_EQ(o.err.find("bubbles.0001"), std::string::npos) << o.err;
    for (const char* name : {"0001", "0002", "0003"})  // the second without its bubbles
        EXPECT_TRUE(fs::exists(directory + "/c/images/beauty." + name + ".png")) << name;
    fs::remove(directory + "/c/points/bubbles.0003.ply");
    const Outcome missing = render({"-f", "3"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.err.find("is missing"), std::string::npos) << missing.err;
    damage("frames/0001.json");
    EXPECT_EQ(render({"-f", "1"}).status, 2);
}

TEST_F(RenderCommand, EmptyAndUnfinishedCaches) {
    for (const char* n : {"1", "2", "3"}) fs::remove(directory + "/c/frames/000" + n + ".json");
    const Outcome o = render({});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("holds no frames"), std::string::npos) << o.err;
    fs::remove(directory + "/c/manifest.json");
    EXPECT_NE(render({}).err.find("not a cache"), std::string::npos);
}

TEST_F(RenderCommand, WrongWordsAreExplained) {
    struct Case {
        test::Words words;
        std::string message;
    };
    const Case cases[] = {{{"--mode", "slice", "--grid", "salt"}, "no volume 'salt'"},
                          {{"--size", "99999x1"}, "WIDTHxHEIGHT"},
                          {{"--size", "1e9x3"}, "WIDTHxHEIGHT"},
                          {{"--samples", "0"}, "--samples"},
                          {{"--color", "taste"}, "--color"},
                          {{"--mode", "preview", "--range", "2,1"}, "smaller end first"},
                          {{"--camera", "0,0,1"}, "--target"},
                          {{"-s", "3", "-e", "1"}, "in order"},
                          {{"--movie", "film"}, "no ending"},
                          {{"--camera", "1,1,1", "--target", "1,1,1"}, "same point"}};
    for (const Case& c : cases) {
        const Outcome o = render(c.words);
        EXPECT_EQ(o.status, 2) << c.words[1];
        EXPECT_NE((o.err + o.out).find(c.message), std::string::npos) << o.err << o.out;
    }
}

TEST_F(RenderCommand, AFilmOrAClearWordWhyNot) {
    const Outcome without = [&] {
        const std::string path = std::getenv("PATH");
        setenv("PATH", directory.c_str(), 1);
        const Outcome o = render({"--movie", "film.mp4", "--mode", "preview"});
        setenv("PATH", path.c_str(), 1);
        return o;
    }();
    EXPECT_EQ(without.status, 2);
    EXPECT_NE(without.err.find("apt-get install ffmpeg"), std::string::npos) << without.err;
    EXPECT_FALSE(fs::exists(directory + "/film.mp4"));
    if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg here";
    const Outcome o = render({"--movie", "film.mp4", "--mode", "preview"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(test::content_of(directory + "/film.mp4").substr(4, 4), "ftyp");
    EXPECT_FALSE(fs::exists(directory + "/film.part.mp4"));
}

}  // namespace
}  // namespace spume
