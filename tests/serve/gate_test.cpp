// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/gate.h"

#include <set>

#include <gtest/gtest.h>

namespace spume {
namespace {

const std::string kToken = "0123456789abcdef0123456789abcdef";

HttpRequest request(std::vector<std::pair<std::string, std::string>> headers) {
    HttpRequest r;
    r.method = "GET";
    r.path = "/api/cache";
    r.headers = std::move(headers);
    return r;
}

int status(const HttpRequest& r) {
    const auto answer = Gate(8017, kToken).answer(r);
    return answer ? answer->status : 200;
}

const std::pair<std::string, std::string> kHost = {"host", "127.0.0.1:8017"},
                                          kCookie = {"cookie", "a=b; spume_8017=" + kToken};

TEST(Gate, LetsTheOwnPageIn) {
    for (const char* host : {"127.0.0.1:8017", "localhost:8017", "[::1]:8017"}) {
        EXPECT_EQ(status(request({{"host", host}, kCookie})), 200) << host;
        EXPECT_EQ(status(request({{"host", host},
                                  {"origin", std::string("http://") + host},
                                  {"sec-fetch-site", "same-origin"},
                                  kCookie})),
                  200);
    }
}

TEST(Gate, RefusesEveryOtherHost) {
    for (const char* host : {"",
                             "127.0.0.1",
                             "localhost",
                             "127.0.0.1:8018",
                             "127.0.0.1:80170",
                             "127.0.0.1:08017",
                             "localhost.:8017",
                             "LOCALHOST:8017",
                             "localhost:8017.",
                             "localhost.evil.com:8017",
                             "127.0.0.1.evil.com:8017",
                             "evil.com",
                             "evil.com:8017",
                             "0.0.0.0:8017",
                             "127.1:8017",
                             "127.0.0.2:8017",
                             "2130706433:8017",
                             "0x7f.1:8017",
                             "[::]:8017",
                             "[::1]",
                             "::1:8017",
                             "[::ffff:127.0.0.1]:8017",
                             "user@127.0.0.1:8017",
                             "127.0.0.1:8017/",
                             "127.0.0.1:8017 ",
                             "http://127.0.0.1:8017",
                             "127.0.0.1:8017,evil.com",
                             "localhost:8017\t",
                             "*"})
        EXPECT_EQ(status(request({{"host", host}, kCookie})), 403) << host;
    EXPECT_EQ(status(request({kCookie})), 403);
    EXPECT_EQ(status(request({kHost, kHost, kCookie})), 403);
}

TEST(Gate, RefusesForeignOrigins) {
    for (const char* origin :
         {"", "null", "file://", "http://evil.com", "https://127.0.0.1:8017", "http://127.0.0.1",
          "http://127.0.0.1:8018", "http://localhost:8017", "http://127.0.0.1:8017.evil.com",
          "http://localhost.evil.com", "http://127.0.0.1:8017/", "HTTP://127.0.0.1:8017"})
        EXPECT_EQ(status(request({kHost, {"origin", origin}, kCookie})), 403) << origin;
    for (const char* site : {"cross-site", "same-site", "", "none, same-origin"})
        EXPECT_EQ(status(request({kHost, {"sec-fetch-site", site}, kCookie})), 403) << site;
}

TEST(Gate, WantsTheTokenOrItsCookie) {
    EXPECT_EQ(status(request({kHost})), 401);
    for (std::string wrong :
         {std::string(), kToken.substr(1), kToken + "0", std::string("0"), std::string(32, '0')})
        EXPECT_EQ(status(request({kHost, {"cookie", "spume_8017=" + wrong}})), 401) << wrong;
    EXPECT_EQ(status(request({kHost, {"cookie", "spume_8018=" + kToken}})), 401);
    HttpRequest first = request({kHost});
    first.path = "/";
    first.query["token"] = kToken.substr(2);
    EXPECT_EQ(status(first), 401);
    first.query["token"] = kToken;
    const auto answer = Gate(8017, kToken).answer(first);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 303);
    EXPECT_EQ(answer->location, "/");
    for (const char* part : {"spume_8017=", "HttpOnly", "SameSite=Strict"})
        EXPECT_NE(answer->cookie.find(part), std::string::npos);
    // The token is not a key to anything else.
    first.path = "/api/cache";
    EXPECT_EQ(status(first), 401);
}

TEST(Gate, OnlyReads) {
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get"}) {
        HttpRequest r = request({kHost, kCookie});
        r.method = method;
        EXPECT_EQ(status(r), 405) << method;
    }
}

TEST(Gate, TokensAreLongAndFresh) {
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i) seen.insert(fresh_token());
    EXPECT_EQ(seen.size(), 100u);
    EXPECT_EQ(seen.begin()->size(), 32u);
}

}  // namespace
}  // namespace spume
