// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/event_json.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spume/io/json_members.h"

namespace spume {
namespace {

constexpr const char* kWords[] = {"birth", "merge", "split", "burst", "loss", "hand_over"};

/// Whole numbers of up to 17 digits stand without a point.
Json number(double value) {
    if (std::abs(value) < 1e17 && value == std::floor(value)) return std::int64_t(value);
    return value;
}

/// The name of `other`; none where the event names no second region.
const char* name_of_other(BubbleEvent::Kind kind) {
    return kind == BubbleEvent::kMerge ? "into" : kind == BubbleEvent::kSplit ? "from" : nullptr;
}

}  // namespace

Json to_json(const BubbleEvent& event) {
    Json json;
    json["event"] = kWords[event.kind];
    json["time"] = number(event.time);
    json["id"] = event.id;
    json["volume"] = number(event.volume);
    if (const char* name = name_of_other(event.kind)) json[name] = event.other;
    return json;
}

BubbleEvent read_event(const Json& json, const std::string& file) {
    BubbleEvent event;
    const auto word = std::find(std::begin(kWords), std::end(kWords),
                                read_member<std::string>(json, "event", file));
    if (word == std::end(kWords))
        throw error_in_file(file, "holds an event of no known kind",
                            "written by another version of Spume");
    event.kind = BubbleEvent::Kind(word - std::begin(kWords));
    read_member(json, "time", event.time, file);
    read_member(json, "id", event.id, file);
    read_member(json, "volume", event.volume, file);
    if (const char* name = name_of_other(event.kind)) read_member(json, name, event.other, file);
    return event;
}

}  // namespace spume
