// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spume {

/// What one client may send. Everything beyond is refused before it is stored.
struct HttpLimits {
    std::size_t line = 8 * 1024;   ///< bytes of the request line
    std::size_t head = 16 * 1024;  ///< bytes of all header lines
    int headers = 64;
};

/// A request without a body: the viewer only reads.
struct HttpRequest {
    std::string method, path;                                  ///< path as sent, without the query
    std::map<std::string, std::string> query;                  ///< decoded
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

    /// The value of a header that must not be sent twice: null when absent or repeated.
    const std::string* only(std::string_view name) const;
    int count(std::string_view name) const;
};

/// Takes a request in pieces as they come from the network.
class HttpParser {
  public:
    explicit HttpParser(HttpLimits limits = {}) : limits_(limits) {}

    enum class State { kMore, kDone, kBad };
    /// Takes what it can use and returns how many bytes that were. After kDone the rest belongs to
    /// the next request.
    std::size_t feed(std::string_view bytes);
    State state() const { return state_; }
    int refusal() const { return refusal_; }  ///< HTTP status, when bad
    const HttpRequest& request() const { return request_; }
    bool begun() const { return begun_; }

  private:
    void take_line(std::string_view line);
    void take_request_line(std::string_view line);
    void take_header(std::string_view line);
    void finish();
    void refuse(int status);

    HttpLimits limits_;
    State state_ = State::kMore;
    int refusal_ = 0;
    bool begun_ = false, has_line_ = false;
    std::string line_;
    std::size_t head_bytes_ = 0;
    HttpRequest request_;
};

struct HttpResponse {
    int status = 200;
    std::string type = "application/json";
    std::string body;
    std::string location, cookie;  ///< headers of their own, when not empty
    bool runs_solver = false;      ///< may compile WebAssembly, and have threads
};

/// The answer as bytes, with the security headers that every answer carries.
std::string encode(const HttpResponse& response, bool with_body, bool keep_open);

/// A refusal in words; says nothing about the machine.
HttpResponse refusal(int status);

/// %41 → A; false for a broken escape or a byte that has no business in a name.
bool decode_percent(std::string_view text, std::string& out);

}  // namespace spume
