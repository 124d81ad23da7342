// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "python/on_the_side.h"

#include <chrono>
#include <thread>

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace spume::python {
namespace {

constexpr std::chrono::milliseconds kLookForSignals{50};

}  // namespace

void OnTheSide::answer(const std::function<void()>* callback) {
    const py::gil_scoped_acquire interpreter;
    if (raised_) return;  // only waiting for the work to end
    try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (callback != nullptr) (*callback)();
    } catch (...) {
        raised_ = std::current_exception();
        stop_.request();
    }
}

void OnTheSide::run(const std::function<void()>& work) {
    std::exception_ptr failure;
    std::thread side([&] {
        try {
            work();
        } catch (...) {
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_all();
    });
    {
        const py::gil_scoped_release others;
        std::unique_lock lock(mutex_);
        while (!done_) {
            changed_.wait_for(lock, kLookForSignals, [&] { return done_ || asked_ != nullptr; });
            if (done_) break;
            const std::function<void()>* callback = asked_;
            lock.unlock();
            answer(callback);
            lock.lock();
            if (callback == nullptr) continue;
            asked_ = nullptr;
            changed_.notify_all();
        }
        lock.unlock();
        side.join();
    }
    if (raised_) std::rethrow_exception(raised_);
    if (failure) std::rethrow_exception(failure);
}

void OnTheSide::ask(const std::function<void()>& callback) {
    std::unique_lock lock(mutex_);
    asked_ = &callback;
    changed_.notify_all();
    changed_.wait(lock, [&] { return asked_ == nullptr; });
}

}  // namespace spume::python
