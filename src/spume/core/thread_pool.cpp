// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/thread_pool.h"

namespace spume {
namespace {

/// Looks before a helper goes to sleep: some 20 µs, longer than the gap between two loops.
constexpr int kLooks = 4000;

}  // namespace

ThreadPool::ThreadPool(int helpers) {
    for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this] { help(); });
}

ThreadPool::~ThreadPool() {
    ended_ = true;
    {
        const std::lock_guard lock(guard_);
        ++loops_;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
}

void ThreadPool::take_pieces() {
    try {
        for (std::size_t i = next_++; i < count_; i = next_++) (*loop_)(i);
    } catch (...) {
        next_ = count_;
        const std::lock_guard lock(guard_);
        if (!error_) error_ = std::current_exception();
    }
}

void ThreadPool::help() {
    std::uint32_t seen = 0;
    for (;;) {
        for (int look = 0; look < kLooks && loops_ == seen; ++look) {
        }
        if (loops_ == seen) {
            std::unique_lock lock(guard_);
            ++asleep_;
            while (loops_ == seen) wake_.wait(lock);
            --asleep_;
        }
        if (ended_) return;
        seen = loops_;
        ++inside_;
        if (open_) take_pieces();
        --inside_;
    }
}

void ThreadPool::run(std::size_t count, FunctionRef<void(std::size_t)> f) {
    bool idle = false;
    if (helpers_.empty() || count < 2 || !running_.compare_exchange_strong(idle, true)) {
        for (std::size_t i = 0; i < count; ++i) f(i);
        return;
    }
    loop_ = &f;
    count_ = count;
    next_ = 0;
    open_ = true;
    ++loops_;
    if (asleep_ > 0) {
        { const std::lock_guard lock(guard_); }  // a helper on its way to sleep is there after it
        wake_.notify_all();
    }
    take_pieces();
    open_ = false;
    while (inside_ > 0) std::this_thread::yield();
    const std::exception_ptr error = std::exchange(error_, nullptr);
    running_ = false;
    if (error) std::rethrow_exception(error);
}

}  // namespace spume
