// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string_view>

#include "spume/core/context.h"
#include "spume/core/report.h"
#include "spume/grid/field.h"
#include "spume/particles/bubbles.h"

namespace spume {

/// Looks for numbers that are not finite after a stage and writes the first into the report, with
/// cell, position and neighbours. Returns true when all is well. `stage` names what just ran.
template <int D>
bool all_finite(FaceField<double, D>& field, std::string_view name, std::string_view stage,
                StepReport& report, Context& context);
template <int D>
bool all_finite(CellField<double, D>& field, std::string_view name, std::string_view stage,
                StepReport& report, Context& context);
template <int D>
bool all_finite(Bubbles<D>& bubbles, const Transform<D>& transform, std::string_view stage,
                StepReport& report, Context& context);

}  // namespace spume
