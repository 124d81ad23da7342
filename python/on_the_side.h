// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "spume/core/context.h"

namespace spume::python {

/// Long work on a thread of its own, so that the thread that asked for it can look after Python
/// meanwhile: it leaves the interpreter to other threads, notices Ctrl-C within a twentieth of a
/// second even within a substep, and runs the user's callbacks.
class OnTheSide {
  public:
    explicit OnTheSide(StopToken& stop) : stop_(stop) {}

    /// With the interpreter held. What the callbacks or Ctrl-C raise sets the stop token, and is
    /// thrown here after the work has ended; else what the work throws.
    void run(const std::function<void()>& work);

    /// Called by the work: runs a callback on the thread that waits in run, under the interpreter,
    /// and goes on after it.
    void ask(const std::function<void()>& callback);

  private:
    void answer(const std::function<void()>* callback);

    StopToken& stop_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    const std::function<void()>* asked_ = nullptr;
    std::exception_ptr raised_;
};

}  // namespace spume::python
