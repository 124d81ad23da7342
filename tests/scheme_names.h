// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/two_fluid/two_fluid.h"

namespace spume {

inline const char* name_of(Scheme scheme) {
    switch (scheme) {
        case Scheme::kImplicitDrag:
            return "implicit_drag";
        case Scheme::kStabilized:
            return "stabilized";
        case Scheme::kStabilizedPrinted:
            return "stabilized_printed";
        case Scheme::kInertiaAware:
            return "inertia_aware";
        case Scheme::kGuidedAware:
            return "guided_aware";
        case Scheme::kGuidedUnaware:
            return "guided_unaware";
    }
    return "";
}

}  // namespace spume
