// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/gate.h"

#include <cerrno>

#include <fmt/core.h>
#include <sys/random.h>

#include "spume/io/file_system.h"

namespace spume {

std::string fresh_token() {
    unsigned char bytes[16];
    std::size_t have = 0;
    while (have < sizeof bytes) {
        const ssize_t n = ::getrandom(bytes + have, sizeof bytes - have, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) throw FileError("cannot draw a random token", errno);
        have += static_cast<std::size_t>(n);
    }
    std::string text;
    for (const unsigned char b : bytes) text += fmt::format("{:02x}", b);
    return text;
}

bool equal_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

std::string Gate::cookie_name() const { return fmt::format("spume_{}", port_); }

std::string Gate::address() const {
    return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_);
}

bool Gate::own_host(const HttpRequest& request) const {
    const std::string* host = request.only("host");
    if (host == nullptr) return false;
    for (const char* name : {"127.0.0.1", "localhost", "[::1]"})
        if (*host == fmt::format("{}:{}", name, port_)) return true;
    return false;
}

bool Gate::own_origin(const HttpRequest& request) const {
    if (const int origins = request.count("origin"); origins > 0) {
        const std::string *origin = request.only("origin"), *host = request.only("host");
        if (origin == nullptr || host == nullptr || *origin != "http://" + *host) return false;
    }
    if (request.count("sec-fetch-site") > 0) {
        const std::string* site = request.only("sec-fetch-site");
        // "none" is an address typed or opened from the terminal.
        if (site == nullptr || (*site != "same-origin" && *site != "none")) return false;
    }
    return true;
}

bool Gate::has_cookie(const HttpRequest& request) const {
    const std::string* line = request.only("cookie");
    if (line == nullptr) return false;
    const std::string wanted = cookie_name() + "=";
    std::string_view rest = *line;
    while (!rest.empty()) {
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view one = rest.substr(0, end);
        if (one.starts_with(wanted) && equal_secret(one.substr(wanted.size()), secret_))
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

/// A page instead of a redirect: the browser was sent here by a file or another program, and keeps
/// a strict cookie back until it is sent on by a page of ours.
HttpResponse Gate::trade(const HttpRequest& request) {
    HttpResponse r;
    r.type = "text/html; charset=utf-8";
    r.body =
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=/\"><title>Spume</title>";
    if (has_cookie(request)) return r;
    if (!equal_secret(request.query.at("token"), token_)) return refusal(401);
    r.cookie = fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name(), secret_);
    token_ = fresh_token();
    if (on_used) on_used(address());
    return r;
}

std::optional<HttpResponse> Gate::answer(const HttpRequest& request) {
    const bool trades = request.path == "/" && request.query.contains("token");
    // Who has the token may come from anywhere: from the file that starts the browser, for one.
    if (!own_host(request)) return refusal(403);
    if (!own_origin(request) && !(trades && request.count("origin") == 0)) return refusal(403);
    if (request.method != "GET" && request.method != "HEAD") return refusal(405);
    if (trades) return request.method == "GET" ? trade(request) : refusal(405);
    if (!has_cookie(request)) return refusal(401);
    return std::nullopt;
}

}  // namespace spume
