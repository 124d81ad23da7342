// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/frame/frame.h"

namespace spume {

const NamedColumn* PointSet::find(const std::string& column) const {
    for (const NamedColumn& c : columns)
        if (c.name == column) return &c;
    return nullptr;
}

}  // namespace spume
