// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <atomic>
#include <exception>

namespace spume {

/// Set by a signal handler or another thread; long loops look at it between their iterations.
class StopToken {
  public:
    void request() { stop_.store(true, std::memory_order_relaxed); }
    void clear() { stop_.store(false, std::memory_order_relaxed); }
    bool requested() const { return stop_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> stop_{false};
};

/// Work ended early because a stop was requested: nobody's fault, and its results are to be thrown
/// away.
class Stopped : public std::exception {
  public:
    const char* what() const noexcept override { return "stopped on request"; }
};

}  // namespace spume
