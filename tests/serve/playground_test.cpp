// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "serve/loopback.h"
#include "spume/core/error.h"
#include "spume/serve/viewer.h"

namespace spume {
namespace {

TEST(PlaygroundServer, ServesItsFolderWithThePolicyOfASolver) {
    char name[] = "/tmp/spume_play_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    const std::string top = name;
    std::filesystem::create_directories(top + "/page");
    std::ofstream(top + "/secret.txt") << "sentinel-7d1f";
    std::ofstream(top + "/page/index.html") << "the page";
    std::ofstream(top + "/page/notes.txt") << "sentinel-7d1f";
    StopToken stop;
    EXPECT_THROW(run_playground({top + "/page", 0}, stop, [](const std::string&) {}), UserError);
    std::ofstream(top + "/page/solver.wasm") << "code";
    std::promise<std::string> address;
    bool told = false;
    std::thread server([&] {
        run_playground({top + "/page", 0}, stop, [&](const std::string& text) {
            if (!std::exchange(told, true)) address.set_value(text);
        });
    });
    const std::string text = address.get_future().get();
    const std::size_t colon = text.rfind(':'), slash = text.find('/', colon);
    const int port = std::stoi(text.substr(colon + 1, slash - colon - 1));
    const std::string token = test::secret_of(port, text);
    ASSERT_EQ(token.size(), 32u);
    const auto ask = [&](const std::string& target, const std::string& secret) {
        test::Connection c(port);
        c.send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
               "\r\nCookie: spume_" + std::to_string(port) + "=" + secret +
               "\r\nConnection: close\r\n\r\n");
        return c.rest();
    };
    const auto has = [](const std::string& answer, const char* part) {
        return answer.find(part) != std::string::npos;
    };
    EXPECT_TRUE(has(ask("/", token), "the page"));
    const std::string code = ask("/solver.wasm", token);
    EXPECT_TRUE(has(code, "application/wasm"));
    EXPECT_TRUE(has(code, "script-src 'self' 'wasm-unsafe-eval'"));
    EXPECT_TRUE(has(code, "Cross-Origin-Embedder-Policy: require-corp"));
    EXPECT_TRUE(has(ask("/favicon.ico", token), "image/svg+xml"));
    EXPECT_FALSE(has(ask("/", "another"), "the page"));
    for (const char* path : {"/notes.txt", "/../secret.txt", "/%2e%2e/secret.txt"})
        EXPECT_FALSE(has(ask(path, token), "sentinel")) << path;
    stop.request();
    server.join();
    std::filesystem::remove_all(top);
}

}  // namespace
}  // namespace spume
