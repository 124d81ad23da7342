// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/stats.h"

#include <nlohmann/json.hpp>

#include "spume/io/atomic_file.h"
#include "spume/io/event_json.h"
#include "spume/io/sealed_json.h"

namespace spume {

std::string stats_line(int frame, double time, const FrameReport& report,
                       const StateSummary& summary) {
    const AirAudit& air = summary.air;
    Json json;
    json["frame"] = frame;
    json["time"] = time;
    json["substeps"] = report.substeps;
    json["dt_min"] = report.dt_min;
    json["dt_max"] = report.dt_max;
    json["tiles"] = summary.tiles;
    json["voxels"] = summary.voxels;
    json["bubbles"] = summary.bubbles;
    json["foam"] = summary.foam;
    json["droplets"] = summary.droplets;
    json["markers"] = summary.markers;
    json["liquid_volume"] = summary.liquid_volume;
    json["liquid_drift"] = summary.liquid_drift;
    json["air"] = {{"emitted", air.emitted}, {"bubbles", air.bubbles}, {"foam", air.foam},
                   {"trapped", air.trapped}, {"burst", air.burst},     {"pruned", air.pruned},
                   {"left", air.left},       {"lost", air.lost},       {"drift", air.drift()},
                   {"seeded", air.seeded},   {"grid", air.grid},       {"owed", air.owed}};
    json["smoke_lost"] = summary.smoke_lost;
    json["momentum"] = {summary.momentum[0], summary.momentum[1], summary.momentum[2]};
    json["max_speed"] = report.max_speed;
    json["max_divergence"] = report.max_divergence;
    json["max_region_error"] = report.max_region_error;
    json["pressure"] = {{"solves", report.pressure_solves},
                        {"iterations", report.pressure_iterations},
                        {"residual", report.pressure_residual},
                        {"unknowns", report.pressure_unknowns}};
    json["newton"] = {{"iterations", report.newton_iterations},
                      {"residual", report.newton_residual}};
    json["warnings"] = report.warnings;
    if (!summary.regions.empty()) {
        Json regions = Json::array();
        for (const AirRegionSummary& r : summary.regions)
            regions.push_back(
                {{"id", r.id}, {"volume", r.volume}, {"rest", r.rest}, {"pressure", r.pressure}});
        json["regions"] = regions;
    }
    if (!report.events.empty()) {
        Json events = Json::array();
        for (const BubbleEvent& event : report.events) events.push_back(to_json(event));
        json["events"] = events;
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string timing_line(int frame, const StageTimes& stages, const FrameTiming& timing) {
    Json json;
    json["frame"] = frame;
    json["seconds"]["total"] = timing.total;
    for (const StageTimes::Entry& entry : stages.entries())
        json["seconds"][entry.name] = entry.seconds;
    json["seconds"]["write"] = timing.write;
    json["memory_mb"] = timing.memory_mb;
    json["threads"] = timing.threads;
    return json.dump();
}

namespace {

std::string event_line(const Json& frame, const Json& event) {
    Json line;
    line["frame"] = frame;
    line.update(event);
    return line.dump() + "\n";
}

void restore(FileSystem& files, const std::string& path, const std::string& text) {
    const auto facts = files.facts(path);
    if (facts && facts->bytes == text.size() && read_file(files, path, text.size()) == text) return;
    if (!facts && text.empty()) return;
    write_file(files, path, text);
}

}  // namespace

std::string event_lines(int frame, const std::vector<BubbleEvent>& events) {
    std::string text;
    for (const BubbleEvent& event : events) text += event_line(frame, to_json(event));
    return text;
}

std::string event_lines(const std::string& stats_line) {
    const Json stats = parse_json(stats_line, "stats.jsonl");
    if (!stats.contains("events")) return {};
    std::string text;
    for (const Json& event : stats.at("events")) text += event_line(stats.at("frame"), event);
    return text;
}

void restore_stats(FileSystem& files, const std::string& directory,
                   const std::vector<std::string>& lines) {
    std::string text, events;
    for (const std::string& line : lines) {
        text += line + "\n";
        events += event_lines(line);
    }
    restore(files, join_path(directory, "stats.jsonl"), text);
    const std::string path = join_path(directory, "events.jsonl");
    if (!events.empty()) return restore(files, path, events);
    if (!files.facts(path)) return;
    files.remove(path);
    files.sync_directory(directory);
}

}  // namespace spume
