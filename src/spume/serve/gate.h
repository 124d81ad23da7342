// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/serve/http.h"

namespace spume {

/// Decides who may talk to the viewer. Every user of the machine and every page in the user's
/// browser can reach a port on loopback, so both count as hostile: a request needs our own host
/// name (against DNS rebinding), no foreign origin, and the token or the cookie it was traded for.
class Gate {
  public:
    Gate(int port, std::string token) : port_(port), token_(std::move(token)) {}

    /// A refusal, the redirect that trades the token for a cookie, or nothing: come in.
    std::optional<HttpResponse> answer(const HttpRequest& request) const;

    /// What to open in a browser.
    std::string address() const;
    std::string cookie_name() const;

  private:
    bool own_host(const HttpRequest& request) const;
    bool own_origin(const HttpRequest& request) const;
    bool has_cookie(const HttpRequest& request) const;

    int port_;
    std::string token_;
};

/// 128 random bits from the system, as 32 hexadecimal digits.
std::string fresh_token();

/// Takes equally long wherever two texts of equal length differ.
bool equal_secret(std::string_view a, std::string_view b);

}  // namespace spume
