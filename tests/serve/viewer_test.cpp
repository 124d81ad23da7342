// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/viewer.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "serve/loopback.h"
#include "spume/io/commit.h"
#include "spume/io/lock.h"
#include "spume/io/manifest.h"
#include "spume/io/ply.h"

namespace spume {
namespace {

using test::Connection;

constexpr const char* kSecret = "sentinel-7d1f";
const char* const kScene = R"(version = 1
[domain]
lower = [-1, 0, -1]
upper = [1, 2, 1]
[[solid]]
shape = { kind = "box", center = [0, 1, 0], size = [0.2, 0.4, 0.6] }
motion = "keyed"
keys = [{ time = 0, position = [0, 0, 0] }, { time = 1, position = [0.5, 0, 0] }]
[[solid]]
shape = { kind = "mesh", file = "nowhere.ply" }
[camera]
position = [0, 1, 4]
target = [0, 1, 0]
field_of_view = 30
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

/// A real viewer over a small cache, with a secret file beside the cache and links to it inside.
class Viewer : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/spume_view_XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        top_ = name;
        std::ofstream(top_ + "/secret.txt") << kSecret;
        std::ofstream(top_ + "/secret.0001.ply") << kSecret;
        std::filesystem::create_directories(top_ + "/web");
        for (const char* page : {"index.html", "viewer.js", "viewer.css", "icon.svg"})
            std::ofstream(top_ + "/web/" + page) << "page " << page;
        std::ofstream(top_ + "/web/more.js") << kSecret;  // not one of the page's files
        make_cache();
        std::promise<std::string> address;
        viewer_ = std::thread([&] {
            run_viewer({top_ + "/cache", top_ + "/web", 0, beside_ ? top_ + "/cache" : ""}, stop_,
                       [&](const std::string& text) {
                           if (!std::exchange(told_, true)) address.set_value(text);
                       });
        });
        const std::string text = address.get_future().get();
        const std::size_t colon = text.rfind(':'), slash = text.find('/', colon);
        port_ = std::stoi(text.substr(colon + 1, slash - colon - 1));
        token_ = test::secret_of(port_, text);
        ASSERT_EQ(token_.size(), 32u);
    }
    void TearDown() override {
        stop_.request();
        viewer_.join();
        std::filesystem::remove_all(top_);
    }

    void make_cache() {
        const auto files = make_posix_file_system();
        const std::string cache = top_ + "/cache";
        for (const char* folder : {"frames", "points", "mesh", "volumes"})
            make_directories(*files, cache + "/" + folder);
        Manifest manifest;
        manifest.scene = kScene;
        manifest.method = "mixture";
        write_manifest(*files, cache, manifest);
        PointSet points;
        points.position = Array<Vec<double, 3>>(2);
        CommitRecord record;
        record.frame = 1;
        record.time = 0.5;
        const std::string path = "points/bubbles.0001.ply";
        record.files.push_back({path, write_file(*files, cache + "/" + path, encode_ply(points))});
        // Links out of the cache whose records tell the right size and hash.
        for (const std::string link : {"points/link.0001.ply", "mesh/link.0001.ply"}) {
            std::filesystem::create_symlink(top_ + "/secret.txt", cache + "/" + link);
            record.files.push_back({link, {std::string(kSecret).size(), hash_of(kSecret)}});
        }
        std::filesystem::create_directory_symlink(top_, cache + "/volumes/out");
        write_commit(*files, cache, record);
    }

    std::string ask(const std::string& target, const std::string& more = "") const {
        Connection c(port_);
        c.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
               "\r\nCookie: spume_" + std::to_string(port_) + "=" + token_ +
               "\r\nConnection: close\r\n" + more + "\r\n");
        return c.rest();
    }
    static int status(const std::string& answer) {
        return answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
    }

    std::string top_, token_;
    bool beside_ = false;  ///< a second cache
    bool told_ = false;    ///< the first address
    int port_ = 0;
    StopToken stop_;
    std::thread viewer_;
};

TEST_F(Viewer, ServesThePageAndTheCache) {
    EXPECT_NE(ask("/").find("page index.html"), std::string::npos);
    EXPECT_NE(ask("/viewer.js").find("page viewer.js"), std::string::npos);
    EXPECT_EQ(status(ask("/api/cache")), 200);
    EXPECT_EQ(status(ask("/api/frames?after=0")), 200);
    EXPECT_NE(ask("/api/points?frame=1&name=bubbles").find("SPUM"), std::string::npos);
}

class TwoCaches : public Viewer {
  protected:
    TwoCaches() { beside_ = true; }
};

TEST_F(Viewer, HasNoSecondCache) {
    const std::string answer = ask("/api/cache?cache=1");
    EXPECT_EQ(status(answer), 200);
    EXPECT_TRUE(answer.ends_with("null"));
    for (const char* target :
         {"/api/frames?cache=1", "/api/cache?cache=2&x=", "/api/points?cache=1"})
        EXPECT_TRUE(status(ask(target)) == 404 || ask(target).ends_with("null")) << target;
}

TEST_F(TwoCaches, TheSecondAnswersWithTheSameCare) {
    EXPECT_NE(ask("/api/cache?cache=1").find("\"method\":\"mixture\""), std::string::npos);
    EXPECT_NE(ask("/api/points?cache=1&frame=1&name=bubbles").find("SPUM"), std::string::npos);
    EXPECT_EQ(ask("/api/mesh?cache=1&frame=1&name=link").find(kSecret), std::string::npos);
    EXPECT_EQ(status(ask("/api/points?cache=7&frame=1&name=bubbles")), 404);
}

/// Ways to write "../secret.txt" that some server has fallen for.
std::vector<std::string> hostile_paths(const std::string& top) {
    std::vector<std::string> steps = {"..",    "%2e%2e",       ".%2e",
                                      "%2e.",  "%252e%252e",   "..%00",
                                      "..;",   "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae",
                                      "..%20", "....",         "...",
                                      ".. ",   "%u002e%u002e"};
    std::vector<std::string> separators = {"/", "%2f", "%252f", "\\", "%5c", "//", "/./", "%c0%af"};
    std::vector<std::string> paths;
    for (const std::string& step : steps)
        for (const std::string& separator : separators)
            for (const char* file : {"secret.txt", "secret.0001.ply", "secret"})
                paths.push_back(step + separator + file);
    for (const std::string& file :
         {top + "/secret.txt", "/" + top + "/secret.txt", "file://" + top + "/secret.txt",
          std::string("out/secret"), std::string("out"), std::string("link"), std::string("."),
          std::string(), std::string("bubbles/../../secret"), std::string("bubbles.0001.ply"),
          std::string("../web/more.js"), std::string("more.js"), std::string("/proc/self/environ"),
          std::string("bubbles%00"), std::string("BUBBLES"), std::string(".git/config")})
        paths.push_back(file);
    return paths;
}

TEST_F(Viewer, NothingOutsideTheCacheIsEverServed) {
    const std::vector<std::string> paths = hostile_paths(top_);
    ASSERT_GE(paths.size(), 300u);
    for (const std::string& path : paths) {
        const std::string encoded = replaced(path, " ", "%20");
        for (const std::string& target :
             {"/" + encoded, "/api/" + encoded, "/api/points?frame=1&name=" + encoded,
              "/api/mesh?frame=1&name=" + encoded, "/api/tiles?frame=1&name=" + encoded,
              "/api/solids?frame=" + encoded, "/?" + encoded + "=raw"}) {
            const std::string answer = ask(target);
            EXPECT_EQ(answer.find(kSecret), std::string::npos) << target;
            EXPECT_EQ(answer.find(top_), std::string::npos) << target;
            EXPECT_EQ(answer.find(token_), std::string::npos) << target;
            EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'"), std::string::npos)
                << target;
            const bool page = status(answer) == 200 && !target.starts_with("/api/");
            if (page) {
                EXPECT_NE(answer.find("page index.html"), std::string::npos) << target;
            } else {
                EXPECT_GE(status(answer), 400) << target;
                EXPECT_LT(status(answer), 500) << target;
            }
        }
    }
    EXPECT_EQ(status(ask("/api/cache")), 200);
}

TEST_F(Viewer, TellsARunThatGoesOnFromOneThatStopped) {
    EXPECT_NE(ask("/api/cache").find("\"running\":false"), std::string::npos);
    const auto files = make_posix_file_system();
    {
        const auto lock = lock_directory(*files, top_ + "/cache", [](const std::string&) {});
        EXPECT_NE(ask("/api/cache").find("\"running\":true"), std::string::npos);
    }
    EXPECT_NE(ask("/api/cache").find("\"running\":false"), std::string::npos);
    // A lock that a killed run left behind is none.
    std::ofstream(top_ + "/cache/.lock") << "host here, process 1, started long ago\n";
    EXPECT_NE(ask("/api/cache").find("\"running\":false"), std::string::npos);
}

TEST_F(Viewer, TellsTheCameraOfTheScene) {
    const char* camera =
        R"("camera":{"position":[0.0,1.0,4.0],"target":[0.0,1.0,0.0],"field_of_view":30.0})";
    EXPECT_NE(ask("/api/cache").find(camera), std::string::npos);
}

TEST_F(Viewer, SolidsStandWhereTheSceneMovesThem) {
    EXPECT_NE(ask("/api/cache").find("\"solids\":1"), std::string::npos);  // the mesh is missing
    EXPECT_EQ(status(ask("/api/solids?frame=2")), 404);
    EXPECT_EQ(status(ask("/api/solids")), 400);
    const std::string answer = ask("/api/solids?frame=1");
    ASSERT_EQ(status(answer), 200);
    const std::size_t body = answer.find("SPUM");
    ASSERT_NE(body, std::string::npos);
    std::uint32_t length = 0;
    std::memcpy(&length, answer.data() + body + 4, 4);
    const char* numbers = answer.data() + body + 8 + length;
    // A box has six faces of four vertices; half way between its keys it has gone half the way.
    Vec<float, 3> lo = Vec<float, 3>::filled(1e9f), hi = Vec<float, 3>::filled(-1e9f);
    for (int i = 0; i < 24; ++i) {
        Vec<float, 3> x;
        std::memcpy(&x, numbers + 12 * i, 12);
        lo = min(lo, x), hi = max(hi, x);
    }
    const double expected[2][3] = {{0.15, 0.8, -0.3}, {0.35, 1.2, 0.3}};
    for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(lo[a], expected[0][a], 1e-6);
        EXPECT_NEAR(hi[a], expected[1][a], 1e-6);
    }
}

}  // namespace
}  // namespace spume
