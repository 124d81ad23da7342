// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"

namespace spume {

/// While it lives, SIGINT and SIGTERM set the stop token instead of ending the process; a second
/// SIGINT ends it at once. One at a time: signals belong to the process.
class SignalWatch {
  public:
    explicit SignalWatch(StopToken& stop);
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    static int received();  ///< the first signal, 0 if none
};

/// A file or pipe that takes no more must be an error of the write, not the end of the process.
void ignore_write_signals();

}  // namespace spume
