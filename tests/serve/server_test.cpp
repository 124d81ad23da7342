// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/server.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "serve/loopback.h"

namespace spume {
namespace {

using test::Connection;

const std::string kRequest = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// A server that says "hello" to every whole request, on a thread of its own.
class Greeter {
  public:
    explicit Greeter(ServerLimits limits) : server_(0, limits) {
        thread_ = std::thread([this] {
            server_.run(
                [](const HttpRequest&) {
                    return HttpResponse{200, "text/plain", "hello", {}, {}};
                },
                stop_);
        });
    }
    ~Greeter() {
        stop_.request();
        thread_.join();
    }
    int port() const { return server_.port(); }

  private:
    LoopbackServer server_;
    StopToken stop_;
    std::thread thread_;
};

double resident_megabytes() {
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return static_cast<double>(resident) * 4096 / 1e6;
}

TEST(Server, FiveHundredSlowClientsKeepNobodyOut) {
    const Greeter greeter({});
    const double before = resident_megabytes();
    std::vector<Connection> slow;
    for (int i = 0; i < 500; ++i) {
        slow.emplace_back(greeter.port());
        slow.back().send("GET / HTTP/1.1\r\nX-Slow: ");
        if (i % 50 != 49) continue;
        for (auto& c : slow) c.send("a");
        Connection honest(greeter.port());
        ASSERT_TRUE(honest.send(kRequest));
        EXPECT_NE(honest.rest().find("hello"), std::string::npos) << i;
    }
    EXPECT_LT(resident_megabytes() - before, 64);
}

TEST(Server, WhatWaitsForSlowReadersIsBounded) {
    ServerLimits limits;
    limits.queued = 1 << 20;
    LoopbackServer server(0, limits);
    StopToken stop;
    std::thread thread([&] {
        server.run(
            [](const HttpRequest&) {
                return HttpResponse{
                    200, "text/plain", std::string(std::size_t(32) << 20, 'x'), {}, {}};
            },
            stop);
    });
    const auto status = [&] {
        Connection c(server.port());
        c.send(kRequest);
        return c.rest().substr(0, 12);
    };
    {
        Connection slow(server.port());  // asks and does not read: most of the answer stays queued
        slow.send(kRequest);
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        EXPECT_EQ(status(), "HTTP/1.1 503");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_EQ(status(), "HTTP/1.1 200");  // its memory is free again
    stop.request();
    thread.join();
}

TEST(Server, ARequestThatDoesNotEndIsGivenUp) {
    ServerLimits limits;
    limits.head_seconds = 0.3;
    const Greeter greeter(limits);
    Connection slow(greeter.port());
    const auto begin = std::chrono::steady_clock::now();
    slow.send("GET / HTTP/1.1\r\n");
    std::thread drip([&] {  // bytes that keep coming do not help
        for (int i = 0; i < 40 && slow.send("X"); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
    });
    EXPECT_EQ(slow.rest(), "");
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    drip.join();
    EXPECT_GT(passed.count(), 0.25);
    EXPECT_LT(passed.count(), 1.5);
}

/// Addresses that some process listens on at a port, as the kernel writes them.
std::set<std::string> listeners(int port) {
    std::set<std::string> found;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        std::ifstream in(table);
        std::string line, number, local, remote, state;
        std::getline(in, line);
        while (std::getline(in, line)) {
            std::istringstream(line) >> number >> local >> remote >> state;
            const std::size_t colon = local.find(':');
            if (state == "0A" && std::stoi(local.substr(colon + 1), nullptr, 16) == port)
                found.insert(local.substr(0, colon));
        }
    }
    return found;
}

TEST(Server, ListensOnLoopbackOnly) {
    const LoopbackServer server(0, {});
    const std::set<std::string> loopback = {"0100007F", "00000000000000000000000001000000"};
    const std::set<std::string> found = listeners(server.port());
    EXPECT_TRUE(found.count("0100007F"));
    for (const std::string& address : found) EXPECT_TRUE(loopback.count(address)) << address;
}

TEST(Server, TwentyStartedAtOnceGetPortsOfTheirOwn) {
    const int wanted = LoopbackServer(0, {}).port();  // free a moment ago
    std::vector<std::unique_ptr<LoopbackServer>> servers(20);
    std::vector<std::thread> threads;
    for (auto& server : servers)
        threads.emplace_back(
            [&] { server = std::make_unique<LoopbackServer>(wanted, ServerLimits{}); });
    for (auto& thread : threads) thread.join();
    std::set<int> ports;
    for (const auto& server : servers) ports.insert(server->port());
    EXPECT_EQ(ports.size(), servers.size());
}

}  // namespace
}  // namespace spume
