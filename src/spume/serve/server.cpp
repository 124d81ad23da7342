// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "spume/io/file_system.h"

namespace spume {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPollMilliseconds = 200;
constexpr int kPortsTried = 100;

int listen_on(const sockaddr* address, socklen_t size) {
    const int s = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0) return -1;
    const int on = 1;
    ::setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->sa_family == AF_INET6) ::setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (::bind(s, address, size) == 0 && ::listen(s, 64) == 0) return s;
    const int code = errno;
    ::close(s);
    errno = code;
    return -1;
}

int listen_v4(int port) {
    sockaddr_in a{};
    a.sin_family = AF_INET;
    a.sin_port = htons(static_cast<std::uint16_t>(port));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return listen_on(reinterpret_cast<const sockaddr*>(&a), sizeof a);
}

int listen_v6(int port) {
    sockaddr_in6 a{};
    a.sin6_family = AF_INET6;
    a.sin6_port = htons(static_cast<std::uint16_t>(port));
    a.sin6_addr = in6addr_loopback;
    return listen_on(reinterpret_cast<const sockaddr*>(&a), sizeof a);
}

int port_of(int s) {
    sockaddr_in a{};
    socklen_t size = sizeof a;
    return ::getsockname(s, reinterpret_cast<sockaddr*>(&a), &size) == 0 ? ntohs(a.sin_port) : 0;
}

}  // namespace

struct LoopbackServer::Client {
    int socket = -1;
    HttpParser parser;
    std::string in, out;  ///< received but not parsed; not yet sent
    std::size_t sent = 0;
    bool closing = false;
    Clock::time_point since = Clock::now();  ///< of the last thing that happened

    Client(int s, const HttpLimits& limits) : socket(s), parser(limits) {}
    ~Client() { ::close(socket); }
    bool sending() const { return sent < out.size(); }
};

LoopbackServer::LoopbackServer(int port, ServerLimits limits) : limits_(limits) {
    int s = -1;
    for (int i = 0; i < kPortsTried && s < 0; ++i) {
        s = listen_v4(port == 0 ? 0 : port + i);
        if (s < 0 && errno != EADDRINUSE && errno != EACCES) break;
    }
    if (s < 0) throw FileError("cannot listen on 127.0.0.1", errno);
    port_ = port_of(s);
    listeners_.push_back(s);
    if (const int six = listen_v6(port_); six >= 0) listeners_.push_back(six);
}

LoopbackServer::~LoopbackServer() {
    for (const int s : listeners_) ::close(s);
}

void LoopbackServer::accept_clients() {
    for (const int listener : listeners_)
        for (;;) {
            const int s = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (s < 0) break;
            auto client = std::make_unique<Client>(s, limits_.http);
            if (static_cast<int>(clients_.size()) >= limits_.connections && !drop_slowest()) {
                client->out = encode(refusal(503), true, false);
                client->closing = true;
                send(*client);  // as much as fits; nobody waits for the rest
                continue;
            }
            clients_.push_back(std::move(client));
        }
}

/// Makes room for a newcomer by giving up whoever has been silent longest, so that connections that
/// dawdle cannot keep others out. False when all are being served.
bool LoopbackServer::drop_slowest() {
    auto slowest = clients_.end();
    for (auto c = clients_.begin(); c != clients_.end(); ++c)
        if (!(*c)->sending() && (slowest == clients_.end() || (*c)->since < (*slowest)->since))
            slowest = c;
    if (slowest == clients_.end()) return false;
    clients_.erase(slowest);
    return true;
}

/// False: the connection is over.
bool LoopbackServer::send(Client& client) {
    while (client.sending()) {
        const ssize_t n = ::send(client.socket, client.out.data() + client.sent,
                                 client.out.size() - client.sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        client.sent += static_cast<std::size_t>(n);
        client.since = Clock::now();
    }
    client.out.clear();
    client.sent = 0;
    return !client.closing;
}

void LoopbackServer::respond(Client& client, const HttpHandler& handler) {
    const HttpParser& parser = client.parser;
    if (parser.state() == HttpParser::State::kBad) {
        client.out = encode(refusal(parser.refusal()), true, false);
        client.closing = true;
        return;
    }
    const HttpRequest& request = parser.request();
    const HttpResponse response = queued() < limits_.queued ? handler(request) : refusal(503);
    const std::string* connection = request.only("connection");
    client.closing = connection != nullptr && *connection == "close";
    client.out = encode(response, request.method != "HEAD", !client.closing);
    client.parser = HttpParser(limits_.http);
}

/// What waits in memory for clients that read slowly.
std::size_t LoopbackServer::queued() const {
    std::size_t sum = 0;
    for (const auto& c : clients_)
        if (c) sum += c->out.size() - c->sent;
    return sum;
}

bool LoopbackServer::receive(Client& client, const HttpHandler& handler) {
    char buffer[16 * 1024];
    const ssize_t n = ::recv(client.socket, buffer, sizeof buffer, 0);
    if (n == 0) return false;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (!client.parser.begun()) client.since = Clock::now();
    client.in.append(buffer, static_cast<std::size_t>(n));
    return serve(client, handler);
}

/// Parses what has come and answers whole requests, one at a time.
bool LoopbackServer::serve(Client& client, const HttpHandler& handler) {
    while (!client.in.empty() && !client.sending() && !client.closing) {
        client.in.erase(0, client.parser.feed(client.in));
        if (client.parser.state() == HttpParser::State::kMore) break;
        respond(client, handler);
        if (!send(client)) return false;
    }
    return true;
}

bool LoopbackServer::expired(const Client& client) const {
    const std::chrono::duration<double> idle = Clock::now() - client.since;
    const bool reading = client.parser.begun() && !client.sending();
    return idle.count() > (reading ? limits_.head_seconds : limits_.idle_seconds);
}

void LoopbackServer::run(const HttpHandler& handler, const StopToken& stop) {
    std::vector<pollfd> polled;
    while (!stop.requested()) {
        polled.clear();
        for (const int s : listeners_) polled.push_back({s, POLLIN, 0});
        // A client that is being sent to is not read from: what it pipelines waits in its socket.
        for (const auto& c : clients_)
            polled.push_back({c->socket, short(c->sending() ? POLLOUT : POLLIN), 0});
        if (::poll(polled.data(), polled.size(), kPollMilliseconds) < 0 && errno != EINTR)
            throw FileError("cannot wait for clients", errno);
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            Client& client = *clients_[i];
            const short events = polled[listeners_.size() + i].revents;
            bool open = !expired(client);
            if (open && (events & POLLOUT) != 0) open = send(client) && serve(client, handler);
            if (open && (events & (POLLIN | POLLHUP | POLLERR)) != 0 && !client.sending())
                open = receive(client, handler);
            if (!open) clients_[i].reset();
        }
        std::erase(clients_, nullptr);
        accept_clients();
    }
}

}  // namespace spume
