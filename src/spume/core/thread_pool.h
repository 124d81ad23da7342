// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "spume/core/parallel.h"

namespace spume {

/// Threads that wait for loops: what Arena has where there is no TBB, as in browsers.
class ThreadPool {
  public:
    explicit ThreadPool(int helpers);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls f(0) … f(count − 1), each once, the caller among those who do. The first exception is
    /// thrown here after the others have stopped. A loop within a loop runs on its own thread.
    void run(std::size_t count, FunctionRef<void(std::size_t)> f);

  private:
    void help();
    void take_pieces();

    // A loop is open while helpers may join it. A helper counts itself as inside before it looks
    // whether a loop is open; the caller closes the loop before it looks whether helpers are
    // inside. So one of the two sees the other, and a helper that took nothing is not waited for.
    FunctionRef<void(std::size_t)>* loop_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> open_{false}, running_{false}, ended_{false};
    std::atomic<int> inside_{0}, asleep_{0};
    std::atomic<std::uint32_t> loops_{0};  ///< how many there have been
    std::mutex guard_;
    std::condition_variable wake_;
    std::exception_ptr error_;
    std::vector<std::thread> helpers_;
};

}  // namespace spume
