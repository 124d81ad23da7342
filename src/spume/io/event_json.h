// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/core/report.h"
#include "spume/io/sealed_json.h"

namespace spume {

/// As it stands in stats.jsonl, events.jsonl and checkpoints. Of `other` only what has a name in
/// the event is kept: into which it merged, from which it split.
Json to_json(const BubbleEvent& event);

/// What to_json made. Throws UserError for what is none, the library's exception for what it
/// refuses by itself.
BubbleEvent read_event(const Json& json, const std::string& file);

}  // namespace spume
