// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <charconv>

#include <fmt/core.h>

#include "spume/io/checkpoint_format.h"
#include "spume/io/event_json.h"
#include "spume/io/json_members.h"

namespace spume {
namespace {

/// Every member of the report but `complete` and the events, by name; one list for both directions.
template <class Report, class Visit>
void plain_members(Report& r, Visit&& visit) {
    visit("substeps", r.substeps);
    visit("dt_min", r.dt_min);
    visit("dt_max", r.dt_max);
    visit("pressure_solves", r.pressure_solves);
    visit("pressure_iterations", r.pressure_iterations);
    visit("pressure_residual", r.pressure_residual);
    visit("pressure_unknowns", r.pressure_unknowns);
    visit("newton_iterations", r.newton_iterations);
    visit("newton_residual", r.newton_residual);
    visit("max_speed", r.max_speed);
    visit("max_divergence", r.max_divergence);
    visit("max_region_error", r.max_region_error);
    visit("warnings", r.warnings);
}

/// A number written in full; false if anything else stands there.
bool read_number(std::string_view& text, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool skip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

std::string encode_checkpoint_header(const CheckpointInfo& info) {
    Json json;
    json["run"] = info.run;
    json["frame"] = info.frame;
    json["regular"] = info.regular;
    Json& unfinished = json["unfinished"];
    plain_members(info.unfinished,
                  [&](const char* name, const auto& value) { unfinished[name] = value; });
    unfinished["events"] = Json::array();
    for (const BubbleEvent& event : info.unfinished.events)
        unfinished["events"].push_back(to_json(event));
    return seal(std::move(json));
}

CheckpointInfo decode_checkpoint_header(std::string_view text, const std::string& file) {
    const Json json = unseal(text, file);
    CheckpointInfo info;
    try {
        read_member(json, "run", info.run, file);
        read_member(json, "frame", info.frame, file);
        read_member(json, "regular", info.regular, file);
        const Json& unfinished = json.at("unfinished");
        plain_members(info.unfinished, [&](const char* name, auto& value) {
            read_member(unfinished, name, value, file);
        });
        for (const Json& event : unfinished.at("events"))
            info.unfinished.events.push_back(read_event(event, file));
    } catch (const nlohmann::json::exception& error) {
        throw error_in_file(file, error.what(), "written by another version of Spume");
    }
    return info;
}

std::string checkpoint_name(const CheckpointInfo& info) {
    if (info.regular) return fmt::format("frame.{:04}.checkpoint", info.frame);
    return fmt::format("stop.{:04}.{:03}.checkpoint", info.frame, info.unfinished.substeps);
}

std::optional<CheckpointPlace> place_of_checkpoint(const std::string& name) {
    CheckpointPlace place;
    std::string_view text = name;
    if (skip(text, "frame.")) {
        if (read_number(text, place.frame) && text == ".checkpoint") return place;
    } else if (skip(text, "stop.")) {
        place.regular = false;
        if (read_number(text, place.frame) && skip(text, ".") &&
            read_number(text, place.substeps) && text == ".checkpoint")
            return place;
    }
    return std::nullopt;
}

}  // namespace spume
