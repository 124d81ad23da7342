// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "spume/core/stop.h"

namespace spume {

/// A callable by reference, for loops that must not be templates.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
  public:
    template <class F>
    FunctionRef(F& f)  // NOLINT(google-explicit-constructor): meant to bind at the call
        : object_(const_cast<void*>(static_cast<const void*>(&f))),
          call_([](void* o, A... a) -> R { return (*static_cast<F*>(o))(std::forward<A>(a)...); }) {
    }
    R operator()(A... a) const { return call_(object_, std::forward<A>(a)...); }

  private:
    void* object_;
    R (*call_)(void*, A...);
};

/// A fixed number of threads. The only part of Spume that knows the scheduler.
class Arena {
  public:
    explicit Arena(int threads);  ///< 0: as many as the machine has cores
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    int threads() const { return threads_; }

    /// Calls f(0) … f(count − 1), each once, in any order, on any thread. An exception in one of
    /// them is thrown here after the others have stopped. Inside a StopScope, Stopped is thrown
    /// when a stop is requested.
    void run(std::size_t count, FunctionRef<void(std::size_t)> f);

  private:
    friend class StopScope;
    struct Scheduler;
    std::unique_ptr<Scheduler> scheduler_;
    const StopToken* stop_ = nullptr;
    int threads_;
};

/// While it lives, the arena's loops end when a stop is requested, by throwing Stopped: whatever
/// runs in it can be stopped and must be fit to be thrown away.
class StopScope {
  public:
    StopScope(Arena& arena, const StopToken& stop)
        : arena_(arena), before_(std::exchange(arena.stop_, &stop)) {}
    ~StopScope() { arena_.stop_ = before_; }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

  private:
    Arena& arena_;
    const StopToken* before_;
};

/// f(begin, end) over [0, n) cut into pieces of `grain`. Which piece is which never depends on the
/// number of threads, so f may write piece-local results.
template <class F>
void for_range(Arena& arena, std::size_t n, std::size_t grain, F&& f) {
    const std::size_t pieces = (n + grain - 1) / grain;
    auto piece = [&](std::size_t i) {
        const std::size_t begin = i * grain;
        f(begin, begin + grain < n ? begin + grain : n);
    };
    if (pieces == 1) return piece(0);
    arena.run(pieces, piece);
}

/// join(map(piece 0), map(piece 1), …) over a balanced tree that depends on n and grain alone: the
/// same bits on any number of threads.
template <class T, class Map, class Join>
T reduce(Arena& arena, std::size_t n, std::size_t grain, T identity, Map&& map, Join&& join) {
    const std::size_t pieces = (n + grain - 1) / grain;
    if (pieces == 0) return identity;
    std::vector<T> partial(pieces, identity);
    auto piece = [&](std::size_t i) {
        const std::size_t begin = i * grain;
        partial[i] = map(begin, begin + grain < n ? begin + grain : n);
    };
    if (pieces == 1)
        piece(0);
    else
        arena.run(pieces, piece);
    for (std::size_t step = 1; step < pieces; step *= 2)
        for (std::size_t i = 0; i + step < pieces; i += 2 * step)
            partial[i] = join(partial[i], partial[i + step]);
    return partial[0];
}

}  // namespace spume
