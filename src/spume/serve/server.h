// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spume/core/context.h"
#include "spume/serve/http.h"

namespace spume {

struct ServerLimits {
    int connections = 32;
    double head_seconds = 10;  ///< from the first byte of a request to its end
    double idle_seconds = 30;  ///< between requests, and for a client that does not read
    std::size_t queued = std::size_t(2) << 30;  ///< bytes for all clients together, not yet sent
    HttpLimits http;
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

/// A small HTTP/1.1 server on loopback, one thread: reading finished files for one person.
class LoopbackServer {
  public:
    /// Listens on 127.0.0.1 and, where the machine has it, ::1. Port 0 or a taken one: the next
    /// that is free. Throws MachineError.
    LoopbackServer(int port, ServerLimits limits);
    ~LoopbackServer();
    LoopbackServer(const LoopbackServer&) = delete;
    LoopbackServer& operator=(const LoopbackServer&) = delete;

    int port() const { return port_; }

    /// Answers until the token is set.
    void run(const HttpHandler& handler, const StopToken& stop);

  private:
    struct Client;
    void accept_clients();
    bool drop_slowest();
    bool serve(Client& client, const HttpHandler& handler);
    bool receive(Client& client, const HttpHandler& handler);
    bool send(Client& client);
    void respond(Client& client, const HttpHandler& handler);
    bool expired(const Client& client) const;
    std::size_t queued() const;

    int port_ = 0;
    ServerLimits limits_;
    std::vector<int> listeners_;
    std::vector<std::unique_ptr<Client>> clients_;
};

}  // namespace spume
