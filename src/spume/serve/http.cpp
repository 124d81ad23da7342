// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/http.h"

#include <algorithm>

#include <fmt/core.h>

namespace spume {
namespace {

bool is_token(std::string_view text) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               kMarks.find(c) != std::string_view::npos;
    });
}

bool is_visible(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string lower(std::string_view text) {
    std::string r(text);
    for (char& c : r)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return r;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool read_query(std::string_view text, std::map<std::string, std::string>& out) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = std::min(part.find('='), part.size());
        std::string name, value;
        if (!decode_percent(part.substr(0, equals), name) || name.empty()) return false;
        if (equals < part.size() && !decode_percent(part.substr(equals + 1), value)) return false;
        if (out.size() >= 16 || !out.emplace(name, value).second) return false;
    }
    return true;
}

const char* reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 303:
            return "See Other";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 503:
            return "Service Unavailable";
        default:
            return "Not Implemented";
    }
}

}  // namespace

bool decode_percent(std::string_view text, std::string& out) {
    out.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            if (i + 2 >= text.size()) return false;
            const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
            if (high < 0 || low < 0) return false;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f') return false;
        out += c;
    }
    return true;
}

const std::string* HttpRequest::only(std::string_view name) const {
    const std::string* found = nullptr;
    for (const auto& [key, value] : headers) {
        if (key != name) continue;
        if (found != nullptr) return nullptr;
        found = &value;
    }
    return found;
}

int HttpRequest::count(std::string_view name) const {
    return static_cast<int>(std::count_if(headers.begin(), headers.end(),
                                          [&](const auto& h) { return h.first == name; }));
}

void HttpParser::refuse(int status) {
    state_ = State::kBad;
    refusal_ = status;
}

std::size_t HttpParser::feed(std::string_view bytes) {
    std::size_t used = 0;
    while (state_ == State::kMore && used < bytes.size()) {
        begun_ = true;
        const char c = bytes[used++];
        if (c == '\n') {
            // A line ends in CR LF; a bare LF is how requests are smuggled past a proxy.
            if (line_.empty() || line_.back() != '\r') {
                refuse(400);
                break;
            }
            line_.pop_back();
            const std::string line = std::move(line_);
            line_.clear();
            take_line(line);
            continue;
        }
        if (!line_.empty() && line_.back() == '\r') {
            refuse(400);
            break;
        }
        line_ += c;
        if (has_line_ && ++head_bytes_ > limits_.head) refuse(431);
        if (!has_line_ && line_.size() > limits_.line) refuse(414);
    }
    return used;
}

void HttpParser::take_line(std::string_view line) {
    if (!has_line_)
        take_request_line(line);
    else if (line.empty())
        finish();
    else
        take_header(line);
}

void HttpParser::take_request_line(std::string_view line) {
    has_line_ = true;
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || last <= first) return refuse(400);
    const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
    std::string_view target = line.substr(first + 1, last - first - 1);
    if (!is_token(method) || method.size() > 16 || !is_visible(target)) return refuse(400);
    if (version != "HTTP/1.1") return refuse(400);
    // Only the origin form: a whole address here would stand beside the Host header.
    if (target.empty() || target[0] != '/') return refuse(method == "OPTIONS" ? 405 : 400);
    request_.method = method;
    const std::size_t mark = target.find('?');
    request_.path = target.substr(0, mark);
    if (mark != std::string_view::npos && !read_query(target.substr(mark + 1), request_.query))
        return refuse(400);
}

void HttpParser::take_header(std::string_view line) {
    const std::size_t colon = line.find(':');
    // A line that begins with a blank would continue the one before: long forbidden.
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return refuse(400);
    const std::string_view value = trimmed(line.substr(colon + 1));
    for (const char c : value)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f') return refuse(400);
    if (static_cast<int>(request_.headers.size()) >= limits_.headers) return refuse(431);
    request_.headers.emplace_back(lower(line.substr(0, colon)), value);
}

void HttpParser::finish() {
    if (request_.count("transfer-encoding") > 0) return refuse(501);
    if (const int lengths = request_.count("content-length"); lengths > 0) {
        const std::string* length = request_.only("content-length");
        if (length == nullptr || *length != "0") return refuse(length == nullptr ? 400 : 413);
    }
    state_ = State::kDone;
}

std::string encode(const HttpResponse& response, bool with_body, bool keep_open) {
    std::string head = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'self'{}; style-src 'self'; "
        "connect-src 'self'; img-src 'self' blob:; worker-src 'self'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'none'\r\n"
        "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n"
        "Cache-Control: no-store\r\nConnection: {}\r\n",
        response.status, reason(response.status), response.type, response.body.size(),
        response.runs_solver ? " 'wasm-unsafe-eval'" : "", keep_open ? "keep-alive" : "close");
    // Together with the opener's policy this is what browsers ask of pages with shared memory.
    if (response.runs_solver) head += "Cross-Origin-Embedder-Policy: require-corp\r\n";
    if (!response.location.empty()) head += "Location: " + response.location + "\r\n";
    if (!response.cookie.empty()) head += "Set-Cookie: " + response.cookie + "\r\n";
    if (response.status == 405) head += "Allow: GET, HEAD\r\n";
    head += "\r\n";
    return with_body ? head + response.body : head;
}

HttpResponse refusal(int status) {
    HttpResponse r;
    r.status = status;
    r.type = "text/plain; charset=utf-8";
    r.body = fmt::format("{}\n", reason(status));
    return r;
}

}  // namespace spume
