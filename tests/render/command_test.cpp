// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstdlib>

#include "cli/program.h"
#include "spume/io/commit.h"
#include "spume/io/exr.h"
#include "spume/io/png.h"
#include "spume/io/write_frame.h"

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
        spume({"render", "f", "--size", "128x64", "-o", "flat.png"});  // a preview, unasked
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

TEST_F(RenderCommand, InkOfAFlatCacheIsSeen) {
    write(
        "ink.toml",
        "version = 1\nmethod = \"cip\"\n[time]\nframes = 1\n[domain]\ndimensions = 2\n"
        "lower = [0, 0, 0]\nupper = [0.4, 0.2, 1]\ndivisions = 32\nsides = \"wall\"\n"
        "bottom = \"wall\"\ntop = \"wall\"\n[[liquid]]\n"
        "shape = { kind = \"box\", center = [0.2, 0.05, 0], size = [0.4, 0.1, 2] }\n"
        "[[cip.ink]]\nshape = { kind = \"box\", center = [0.1, 0.04, 0], size = [0.2, 0.08, 2] }\n"
        "[output]\npreview = \"none\"\n");
    const Outcome run = spume({"run", "ink.toml", "-o", "i", "-j", "1", "--progress", "none"});
    ASSERT_EQ(run.status, 0) << run.err;
    const Outcome made = spume({"render", "i", "--size", "128x64", "-o", "ink.png"});
    ASSERT_EQ(made.status, 0) << made.err;
    const DecodedPng picture = png("ink.png");
    int red = 0;
    for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
        red += picture.rgb[i] > picture.rgb[i + 1] + 50 ? 1 : 0;
    // A fifth of the domain, which takes up most of the picture.
    const double share = 3.0 * red / static_cast<double>(picture.rgb.size());
    EXPECT_GT(share, 0.1);
    EXPECT_LT(share, 0.22);
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

/// The picture that the run drew belongs to the frame; one drawn over it takes its place there.
TEST_F(RenderCommand, APictureInPlaceOfTheRunsOwnIsNoDamage) {
    ASSERT_EQ(spume({"run", "s.toml", "-o", "p", "-j", "1", "--progress", "none", "--set",
                     "output.preview=last"})
                  .status,
              0);
    const std::string drawn = test::content_of(directory + "/p/images/preview.0003.png");
    ASSERT_FALSE(drawn.empty());
    ASSERT_EQ(spume({"verify", "p"}).status, 0);
    ASSERT_EQ(spume({"render", "p", "--mode", "preview", "--size", "64x48"}).status, 0);
    EXPECT_NE(test::content_of(directory + "/p/images/preview.0003.png"), drawn);
    EXPECT_EQ(spume({"verify", "p"}).status, 0);
    fs::remove(directory + "/p/images/preview.0003.png");
    EXPECT_EQ(spume({"verify", "p"}).status, 2);
}

// Finished pictures are left, those of other flags or damaged ones are drawn anew.
TEST_F(RenderCommand, ResumeSkipsWhatIsFinished) {
    const test::Words all{"-s", "1", "-e", "3", "--resume"};
    const Outcome first = render(all);
    ASSERT_EQ(first.status, 0) << first.err;
    EXPECT_EQ(std::count(first.out.begin(), first.out.end(), '\n'), 3);
    EXPECT_EQ(render(all).out, "");
    const std::string kept = test::content_of(directory + "/c/images/beauty.0002.png");
    damage("images/beauty.0002.png");
    const Outcome again = render(all);
    EXPECT_EQ(std::count(again.out.begin(), again.out.end(), '\n'), 1) << again.out;
    EXPECT_EQ(test::content_of(directory + "/c/images/beauty.0002.png"), kept);
    const Outcome other = render({"-s", "1", "-e", "3", "--resume", "--seed", "5"});
    EXPECT_EQ(std::count(other.out.begin(), other.out.end(), '\n'), 3);
    EXPECT_EQ(render({"-o", "a.png", "--resume"}).status, 2);
    EXPECT_EQ(spume({"verify", "c"}).status, 0);
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
    damage("volumes/vel.0002.vdb");
    const Outcome slice = render({"-f", "2", "--mode", "slice", "--grid", "vel"});
    EXPECT_EQ(slice.status, 2);
    EXPECT_NE(slice.err.find("vel.0002.vdb"), std::string::npos) << slice.err;
}

TEST_F(RenderCommand, EmptyAndUnfinishedCaches) {
    for (const char* n : {"1", "2", "3"}) fs::remove(directory + "/c/frames/000" + n + ".json");
    const Outcome o = render({});
    EXPECT_EQ(o.status, 2);
    EXPECT_NE(o.err.find("holds no frames"), std::string::npos) << o.err;
    fs::remove(directory + "/c/manifest.json");
    EXPECT_NE(render({}).err.find("not a cache"), std::string::npos);
}

// Files of a frame come before its record: what has none is not there yet.
TEST_F(RenderCommand, ACacheStillBeingWrittenShowsWhatIsComplete) {
    write("c/points/bubbles.0004.ply", "ply\nformat bin");
    write("c/frames/0004.json.part", "{\"frame\": 4, ");
    const Outcome last = render({"--mode", "preview"});
    EXPECT_EQ(last.status, 0) << last.err;
    EXPECT_NE(last.out.find("preview.0003.png"), std::string::npos) << last.out;
    const Outcome range = render({"--mode", "preview", "-s", "2", "-e", "4"});
    EXPECT_EQ(range.status, 2);
    EXPECT_NE(range.err.find("1 of the 3 frames"), std::string::npos) << range.err;
    EXPECT_TRUE(fs::exists(directory + "/c/images/preview.0002.png"));
}

// A frame from elsewhere: a column nobody knows, none of those a colour is made of.
TEST_F(RenderCommand, UnknownAndMissingColumns) {
    const auto files = make_posix_file_system();
    Frame frame;
    frame.number = 3;
    Array<Vec<double, 3>> x(2);
    x.write()[0] = {-0.03, 0.1, 0}, x.write()[1] = {0.03, 0.1, 0};
    frame.points = {PointSet{"bubbles", x, {{"colour_of_my_hat", "", Array<float>(2, 7.0f)}}}};
    CommitRecord record;
    record.frame = 3;
    Output output;
    output.ply = false;  // it would fill in the columns that are usual
    record.files = write_frame(*files, directory + "/c", frame, output);
    write_commit(*files, directory + "/c", record);
    const Outcome beauty = render({"-f", "3"});
    EXPECT_EQ(beauty.status, 0) << beauty.err;
    const Outcome o = render({"-f", "3", "--mode", "preview", "--color", "speed"});
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_NE((o.err + o.out).find("'bubbles' have no column 'v'"), std::string::npos) << o.err;
}

TEST_F(RenderCommand, SheetOfFramesAndOfAStudy) {
    const Outcome frames = render({"--mode", "preview", "--sheet", "1,3", "-o", "frames.png"});
    ASSERT_EQ(frames.status, 0) << frames.err;
    EXPECT_GT(png("frames.png").width, 2 * 64);
    EXPECT_LT(png("frames.png").width, 3 * 64);
    // One that is not there is told, the others are shown.
    const Outcome gap = render({"--mode", "preview", "--sheet", "1,7", "-o", "gap.png"});
    EXPECT_EQ(gap.status, 2);
    EXPECT_NE(gap.err.find("there is no frame 7"), std::string::npos) << gap.err;
    EXPECT_TRUE(fs::exists(directory + "/gap.png"));
    EXPECT_EQ(render({"--mode", "preview", "--sheet", "8,9", "-o", "none.png"}).status, 2);
    EXPECT_FALSE(fs::exists(directory + "/none.png"));

    fs::create_directory(directory + "/study");
    fs::rename(directory + "/c", directory + "/study/b");
    write("study/summary.json",
          R"([{"variant": "b", "label": "there"}, {"variant": "a", "label": "gone"}])");
    const test::Words sheet{"render",    "study", "--size",   "64x48", "--sheet",  "3",
                            "--samples", "2",     "--follow", "-o",    "study.png"};
    const Outcome study = spume(sheet);
    EXPECT_EQ(study.status, 2);
    EXPECT_NE(study.err.find("study/a is not a cache"), std::string::npos) << study.err;
    EXPECT_TRUE(fs::exists(directory + "/study.png"));
    const Outcome alone = spume({"render", "study"});
    EXPECT_EQ(alone.status, 2);
    EXPECT_NE(alone.err.find("--sheet"), std::string::npos) << alone.err;
    write("study/summary.json", "[{]");
    EXPECT_NE(spume(sheet).err.find("not the table of a study"), std::string::npos);
}

// The volume on disk reaches the picture.
TEST_F(RenderCommand, SmokeIsSeen) {
    write("smoke.toml",
          "version = 1\nmethod = \"constraint\"\n[time]\nframes = 1\nfps = 100\n"
          "[domain]\nlower = [-0.1, 0, -0.1]\nupper = [0.1, 0.2, 0.1]\nvoxel = 0.0125\n"
          "sides = \"wall\"\nbottom = \"wall\"\n[constraint]\nsmoke = true\n[[liquid]]\n"
          "shape = { kind = \"box\", center = [0, 0.08, 0], size = [0.2, 0.16, 0.2] }\n"
          "[[liquid]]\nmode = \"hollow\"\n"
          "shape = { kind = \"sphere\", center = [0, 0.08, 0], radius = 0.05 }\n"
          "[output]\npreview = \"none\"\n");
    const Outcome run = spume({"run", "smoke.toml", "-o", "c", "--overwrite", "-j", "1"});
    ASSERT_EQ(run.status, 0) << run.err;
    ASSERT_EQ(render({"-o", "thick.exr", "--smoke", "1000"}).status, 0);
    ASSERT_EQ(render({"-o", "thin.exr", "--smoke", "1e-6"}).status, 0);
    const DecodedExr thick = decode_exr(test::content_of(directory + "/thick.exr"));
    const DecodedExr thin = decode_exr(test::content_of(directory + "/thin.exr"));
    int changed = 0;
    for (std::size_t i = 0; i < thick.rgb.size(); ++i)
        changed += thick.rgb[i] == thin.rgb[i] ? 0 : 1;
    EXPECT_GT(changed, 100);
    EXPECT_LT(changed, 64 * 48) << "pixels that do not see the bubble are as they were";
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
                          {{"--exposure", "nan"}, "--exposure"},
                          {{"--mode", "preview", "--range", "nan,1"}, "--range"},
                          {{"--mode", "slice", "--at", "nan"}, "--at"},
                          {{"--camera", "nan,0,1", "--target", "0,0,0"}, "--camera"},
                          {{"-f", "99999999999999999999"}, "--frame"},
                          {{"-f", "12"}, "frames 1 to 3 only"},
                          {{"-f", "-3"}, "--frame"},
                          {{"--seed", "-1"}, "--seed"},
                          {{"-o", "picture.jpg"}, "neither in .png nor in .exr"},
                          {{"-o", "no/such/a.png"}, "no folder no/such/"},
                          {{"--sheet", "1", "--movie", "a.mp4"}, "a film"},
                          {{"--sheet", "1", "-o", "a.exr"}, "PNG"},
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
