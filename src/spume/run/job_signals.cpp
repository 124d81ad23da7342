// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_signals.h"

#include <atomic>

#include <signal.h>
#include <unistd.h>

#include "spume/core/error.h"

namespace spume {
namespace {

// A signal handler can reach nothing else.
std::atomic<StopToken*> watched{nullptr};
std::atomic<int> first_signal{0};
static_assert(std::atomic<StopToken*>::is_always_lock_free);

void on_signal(int signal) {
    int none = 0;
    if (!first_signal.compare_exchange_strong(none, signal) && signal == SIGINT)
        _exit(128 + SIGINT);
    if (StopToken* stop = watched.load()) stop->request();
}

void install(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

SignalWatch::SignalWatch(StopToken& stop) {
    SPUME_CHECK(watched.load() == nullptr);
    first_signal = 0;
    watched = &stop;
    install(on_signal);
}

SignalWatch::~SignalWatch() {
    install(SIG_DFL);
    watched = nullptr;
}

int SignalWatch::received() { return first_signal.load(); }

void ignore_write_signals() {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace spume
