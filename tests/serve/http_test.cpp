// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/http.h"

#include <gtest/gtest.h>

namespace spume {
namespace {

using State = HttpParser::State;

HttpParser parsed(const std::string& text, std::size_t piece = 1 << 20) {
    HttpParser parser;
    for (std::size_t at = 0; at < text.size(); at += piece) parser.feed(text.substr(at, piece));
    return parser;
}

TEST(Http, ReadsARequestInAnyPieces) {
    const std::string text =
        "GET /api/points?frame=12&name=a%20b HTTP/1.1\r\nHost: localhost:1\r\nX-Y:  z \r\n\r\n";
    for (const std::size_t piece : {std::size_t(1), std::size_t(2), std::size_t(7), text.size()}) {
        const HttpParser p = parsed(text, piece);
        ASSERT_EQ(p.state(), State::kDone) << piece;
        EXPECT_EQ(p.request().method, "GET");
        EXPECT_EQ(p.request().path, "/api/points");
        EXPECT_EQ(p.request().query.at("frame"), "12");
        EXPECT_EQ(p.request().query.at("name"), "a b");
        EXPECT_EQ(*p.request().only("host"), "localhost:1");
        EXPECT_EQ(*p.request().only("x-y"), "z");
    }
}

TEST(Http, LeavesTheNextRequestAlone) {
    const std::string one = "GET / HTTP/1.1\r\n\r\n";
    HttpParser parser;
    EXPECT_EQ(parser.feed(one + one), one.size());
    EXPECT_EQ(parser.state(), State::kDone);
}

TEST(Http, RefusesWhatIsNotARequest) {
    const std::pair<const char*, int> cases[] = {
        {"GET / HTTP/1.0\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\n\n", 400},
        {"GET / HTTP/1.1\rX: y\r\n\r\n", 400},
        {"GET http://localhost/ HTTP/1.1\r\n\r\n", 400},
        {"OPTIONS * HTTP/1.1\r\n\r\n", 405},
        {"G\tT / HTTP/1.1\r\n\r\n", 400},
        {"GET /?a=1&a=2 HTTP/1.1\r\n\r\n", 400},
        {"GET /?a=%0a HTTP/1.1\r\n\r\n", 400},
        {"GET /?a=%zz HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nNo colon\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA: b\r\n continued\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA : b\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
        {"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcde", 413},
        {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 413},
        {"POST / HTTP/1.1\r\nContent-Length: 0x0\r\n\r\n", 413},
        {"POST / HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 400},
    };
    for (const auto& [text, status] : cases) {
        const HttpParser p = parsed(text);
        EXPECT_EQ(p.state(), State::kBad) << text;
        EXPECT_EQ(p.refusal(), status) << text;
    }
}

TEST(Http, BoundsLinesAndHeaders) {
    EXPECT_EQ(parsed("GET /" + std::string(9000, 'a')).refusal(), 414);
    EXPECT_EQ(parsed("GET / HTTP/1.1\r\nA: " + std::string(17000, 'a')).refusal(), 431);
    std::string many = "GET / HTTP/1.1\r\n";
    for (int i = 0; i < 65; ++i) many += "A: b\r\n";
    EXPECT_EQ(parsed(many).refusal(), 431);
}

TEST(Http, EveryAnswerCarriesTheSecurityHeaders) {
    for (const int status : {200, 303, 400, 401, 403, 404, 405, 500, 503}) {
        const std::string text = encode(refusal(status), true, false);
        for (const char* part :
             {"Content-Security-Policy: default-src 'none';", "frame-ancestors 'none'",
              "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
              "Cross-Origin-Opener-Policy: same-origin",
              "Cross-Origin-Resource-Policy: same-origin", "Cache-Control: no-store"})
            EXPECT_NE(text.find(part), std::string::npos) << status << " " << part;
        EXPECT_EQ(text.find("Access-Control"), std::string::npos);
    }
}

}  // namespace
}  // namespace spume
