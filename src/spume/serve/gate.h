// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <optional>

#include "spume/serve/http.h"

namespace spume {

/// 128 random bits from the system, as 32 hexadecimal digits.
std::string fresh_token();

/// Decides who may talk to the viewer. Every user of the machine and every page in the user's
/// browser can reach a port on loopback, so both count as hostile: a request needs our own host
/// name (against DNS rebinding), no foreign origin, and the token or the cookie it was traded for.
/// A token is good for one browser: then there is another.
class Gate {
  public:
    Gate(int port, std::string token)
        : port_(port), token_(std::move(token)), secret_(fresh_token()) {}

    /// A refusal, the page that trades the token for a cookie, or nothing: come in.
    std::optional<HttpResponse> answer(const HttpRequest& request);
    /// Told the next address when a token has been used.
    std::function<void(const std::string&)> on_used;

    /// What to open in a browser.
    std::string address() const;
    std::string cookie_name() const;

  private:
    bool own_host(const HttpRequest& request) const;
    bool own_origin(const HttpRequest& request) const;
    bool has_cookie(const HttpRequest& request) const;
    HttpResponse trade(const HttpRequest& request);

    int port_;
    std::string token_, secret_;  ///< of the address; of the cookie
};

/// Takes equally long wherever two texts of equal length differ.
bool equal_secret(std::string_view a, std::string_view b);

}  // namespace spume
