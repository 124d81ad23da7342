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

const std::pair<std::string, std::string> kHost = {"host", "127.0.0.1:8017"},
                                          kCookie = {"cookie", "with a cookie"};

HttpRequest opening(const std::string& token) {
    HttpRequest r = request({kHost});
    r.path = "/";
    r.query["token"] = token;
    return r;
}

/// Of a gate that one browser has come through; kCookie stands for what that has got.
int status(HttpRequest r) {
    Gate gate(8017, kToken);
    const std::string cookie = gate.answer(opening(kToken))->cookie;
    for (auto& [name, value] : r.headers)
        if (value == kCookie.second) value = "a=b; " + cookie.substr(0, cookie.find(';'));
    const auto answer = gate.answer(r);
    return answer ? answer->status : 200;
}

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
    EXPECT_EQ(status(request({kHost, {"cookie", "spume_8017=" + kToken}})), 401);
    Gate gate(8017, kToken);
    EXPECT_EQ(gate.answer(opening(kToken.substr(2)))->status, 401);
    // The token is not a key to anything else, and asking for the head does not use it up.
    HttpRequest other = opening(kToken);
    other.path = "/api/cache";
    EXPECT_EQ(gate.answer(other)->status, 401);
    other = opening(kToken);
    other.method = "HEAD";
    EXPECT_EQ(gate.answer(other)->status, 405);
    const auto answer = gate.answer(opening(kToken));
    EXPECT_EQ(answer->status, 200);
    EXPECT_NE(answer->body.find("url=/\""), std::string::npos);  // sent on by a page of ours
    for (const char* part : {"spume_8017=", "HttpOnly", "SameSite=Strict"})
        EXPECT_NE(answer->cookie.find(part), std::string::npos);
    EXPECT_EQ(answer->cookie.find(kToken), std::string::npos);
}

TEST(Gate, ATokenIsGoodForOneBrowser) {
    Gate gate(8017, kToken);
    std::string next;
    gate.on_used = [&](const std::string& address) { next = address; };
    const std::string cookie = gate.answer(opening(kToken))->cookie;
    ASSERT_FALSE(cookie.empty());
    EXPECT_EQ(gate.answer(opening(kToken))->status, 401);
    HttpRequest again = opening(kToken);  // the same browser, from its history
    again.headers.push_back({"cookie", cookie.substr(0, cookie.find(';'))});
    EXPECT_EQ(gate.answer(again)->status, 200);
    ASSERT_NE(next.find("token="), std::string::npos);
    EXPECT_EQ(next.find(kToken), std::string::npos);
    EXPECT_EQ(gate.answer(opening(next.substr(next.find("token=") + 6)))->status, 200);
}

/// The file that starts a browser is another site to it; a page with a script of its own is not let
/// in by the token either.
TEST(Gate, TheTokenMayComeFromAFile) {
    Gate gate(8017, kToken);
    HttpRequest r = opening(kToken);
    r.headers.push_back({"origin", "null"});
    EXPECT_EQ(gate.answer(r)->status, 403);
    r = opening(kToken);
    r.headers.push_back({"sec-fetch-site", "cross-site"});
    EXPECT_EQ(gate.answer(r)->status, 200);
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
