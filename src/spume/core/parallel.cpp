// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/parallel.h"

#include <exception>
#include <thread>

#include "spume/core/run_alone.h"

#ifdef SPUME_WITH_TBB
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#else
#include "spume/core/thread_pool.h"
#endif
#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#endif

namespace spume {
namespace {

void run_pieces(std::size_t begin, std::size_t end, const StopToken* stop,
                FunctionRef<void(std::size_t)> f) {
    for (std::size_t i = begin; i != end; ++i) {
        if (stop != nullptr && stop->requested()) throw Stopped();
        f(i);
    }
}

}  // namespace

#ifdef SPUME_WITH_TBB

struct Arena::Scheduler {
    // TBB caps the workers of all arenas at the number of cores unless told otherwise; a run with
    // more threads than cores must still really use them, so that tests of thread counts can fail.
    explicit Scheduler(int threads)
        : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
          arena(threads) {}
    tbb::global_control limit;
    tbb::task_arena arena;
};

Arena::Arena(int threads)
    : threads_(threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency())) {
    if (threads_ < 1) threads_ = 1;
    if (threads_ > 1) scheduler_ = std::make_unique<Scheduler>(threads_);
}

void Arena::run(std::size_t count, FunctionRef<void(std::size_t)> f) {
    if (!scheduler_ || count < 2) return run_pieces(0, count, stop_, f);
    scheduler_->arena.execute([&] {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1), [&](const auto& range) {
            run_pieces(range.begin(), range.end(), stop_, f);
        });
    });
}

void run_alone(FunctionRef<void()> f) {
    tbb::task_arena one(1);
    one.execute([&] { f(); });
}

#else

/// Programs for browsers have threads only where they are linked with them.
bool can_have_threads() {
#ifdef __EMSCRIPTEN__
    return emscripten_has_threading_support() != 0;
#else
    return true;
#endif
}

void run_alone(FunctionRef<void()> f) { f(); }

struct Arena::Scheduler {
    explicit Scheduler(int threads) : pool(threads - 1) {}
    ThreadPool pool;
};

Arena::Arena(int threads) : threads_(can_have_threads() ? threads : 1) {
    if (threads_ < 1) threads_ = static_cast<int>(std::thread::hardware_concurrency());
    if (threads_ > 1) scheduler_ = std::make_unique<Scheduler>(threads_);
}

void Arena::run(std::size_t count, FunctionRef<void(std::size_t)> f) {
    if (!scheduler_ || count < 2) return run_pieces(0, count, stop_, f);
    const auto piece = [&](std::size_t i) { run_pieces(i, i + 1, stop_, f); };
    scheduler_->pool.run(count, piece);
}

#endif

Arena::~Arena() = default;

}  // namespace spume
