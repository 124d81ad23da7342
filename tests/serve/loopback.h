// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace spume::test {

/// A client that sends what it is told to, well-formed or not.
class Connection {
  public:
    explicit Connection(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_port = htons(static_cast<std::uint16_t>(port));
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval patience{10, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        open_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0;
    }
    ~Connection() {
        if (socket_ >= 0) ::close(socket_);
    }
    Connection(Connection&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), open_(other.open_) {}
    Connection& operator=(Connection&&) = delete;

    bool send(const std::string& text) {
        open_ = open_ && ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
                             static_cast<ssize_t>(text.size());
        return open_;
    }
    /// Until the server closes.
    std::string rest() {
        std::string all;
        char buffer[4096];
        for (;;) {
            const ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
            if (n <= 0) return all;
            all.append(buffer, static_cast<std::size_t>(n));
        }
    }

  private:
    int socket_;
    bool open_ = false;
};

/// The secret of the cookie that an address is traded for.
inline std::string secret_of(int port, const std::string& address) {
    Connection c(port);
    c.send("GET " + address.substr(address.find("/?")) + " HTTP/1.1\r\nHost: 127.0.0.1:" +
           std::to_string(port) + "\r\nConnection: close\r\n\r\n");
    const std::string answer = c.rest(), name = "Set-Cookie: spume_" + std::to_string(port) + "=";
    const std::size_t at = answer.find(name);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size();
    return answer.substr(begin, answer.find(';', begin) - begin);
}

}  // namespace spume::test
