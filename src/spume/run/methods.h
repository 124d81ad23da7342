// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <span>

#include "spume/methods/method.h"

namespace spume {

/// Methods by name; the first simulates scenes that name none. The rows live as long as the
/// program.
using MethodTable = std::span<const MethodEntry>;

/// The methods there are.
MethodTable methods();

/// Reads the section of the scene's method, and checks that the method can do what the scene asks
/// for. A scene that names no method gets the first of the table. Complains into the document if
/// there is no such method.
MethodParams read_method(Scene& scene, SceneDocument& document, MethodTable table = methods());

}  // namespace spume
