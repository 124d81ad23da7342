// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/parallel.h"

namespace spume {

/// Calls f so that a library which uses the same scheduler by itself gets this one thread only, and
/// does the same whatever the machine.
void run_alone(FunctionRef<void()> f);

}  // namespace spume
