// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/describe.h"
#include "spume/scene/scene.h"

namespace spume {

// What the parts of a scene's description share.

// Limits that no sensible scene meets, so that arithmetic further on cannot overflow.
inline constexpr double kFar = 1e6;      // m
inline constexpr double kForever = 1e9;  // s

inline NumberSpec place(const char* help) { return {"m", -kFar, kFar, false, help}; }
inline NumberSpec extent(const char* help) { return {"m", 0, kFar, true, help}; }
inline NumberSpec moment(const char* help) { return {"s", -kForever, kForever, false, help}; }
inline NumberSpec turn(const char* help) { return {"deg", -1e6, 1e6, false, help}; }

void describe(KeyFrame& key, ParamVisitor& visitor);
void describe(Emitter& emitter, int dimensions, ParamVisitor& visitor);
void describe(Camera& camera, ParamVisitor& visitor);
void describe(Output& output, ParamVisitor& visitor);

}  // namespace spume
