// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_sweep.h"

#include <algorithm>

#include "spume/io/atomic_file.h"
#include "spume/io/commit.h"
#include "spume/io/json_members.h"

namespace spume {
namespace {

/// Every key that some variant sets, in the order of first appearance.
std::vector<std::string> swept_keys(const std::vector<SweepRow>& rows) {
    std::vector<std::string> keys;
    for (const SweepRow& row : rows)
        for (const auto& [key, value] : row.variant.values)
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    return keys;
}

std::string value_of(const SweepRow& row, const std::string& key) {
    for (const auto& [name, value] : row.variant.values)
        if (name == key) return value;
    return {};
}

/// The measured part of a row; the same members for every row, null where nothing was written yet.
Json measured(const SweepRow& row) {
    Json out;
    out["frames"] = row.stats.size();
    for (const char* name :
         {"time", "bubbles", "voxels", "substeps", "pressure_iterations", "max_speed",
          "air_emitted", "air_bubbles", "air_left", "air_drift", "liquid_drift", "warnings"})
        out[name] = nullptr;
    if (row.stats.empty()) return out;
    std::int64_t substeps = 0, iterations = 0;
    std::size_t warnings = 0;
    double speed = 0;
    Json last;
    for (const std::string& line : row.stats) {
        last = parse_json(line, "stats.jsonl");
        substeps += read_member<std::int64_t>(last, "substeps", "stats.jsonl");
        iterations += read_member<std::int64_t>(last.at("pressure"), "iterations", "stats.jsonl");
        warnings += last.at("warnings").size();
        speed = std::max(speed, last.at("max_speed").get<double>());
    }
    for (const char* name : {"time", "bubbles", "voxels", "liquid_drift"})
        out[name] = last.at(name);
    for (const char* name : {"emitted", "bubbles", "left", "drift"})
        out[std::string("air_") + name] = last.at("air").at(name);
    out["substeps"] = substeps;
    out["pressure_iterations"] = iterations;
    out["max_speed"] = speed;
    out["warnings"] = warnings;
    return out;
}

std::string in_cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

}  // namespace

SweepRow sweep_row(FileSystem& files, const std::string& directory, const SweepVariant& variant,
                   std::string status) {
    SweepRow row{variant, std::move(status), {}};
    if (!files.facts(directory)) return row;
    for (const int frame : committed_frames(files, directory))
        row.stats.push_back(read_commit(files, directory, frame).stats);
    return row;
}

std::string sweep_csv(const std::vector<SweepRow>& rows) {
    const std::vector<std::string> keys = swept_keys(rows);
    std::string out = "variant";
    for (const std::string& key : keys) out += "," + in_cell(key);
    out += ",status";
    const Json names = measured({});
    for (const auto& [name, value] : names.items()) out += "," + name;
    out += "\n";
    for (const SweepRow& row : rows) {
        out += in_cell(row.variant.name);
        for (const std::string& key : keys) out += "," + in_cell(value_of(row, key));
        out += "," + in_cell(row.status);
        const Json values = measured(row);
        for (const auto& [name, value] : values.items())
            out += "," + (value.is_null() ? std::string() : value.dump());
        out += "\n";
    }
    return out;
}

std::string sweep_json(const std::vector<SweepRow>& rows) {
    Json all = Json::array();
    for (const SweepRow& row : rows) {
        Json one;
        one["variant"] = row.variant.name;
        one["label"] = row.variant.label;
        one["set"] = Json::object();
        for (const auto& [key, value] : row.variant.values) one["set"][key] = value;
        one["status"] = row.status;
        const Json values = measured(row);
        for (const auto& [name, value] : values.items()) one[name] = value;
        all.push_back(std::move(one));
    }
    return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_sweep_summary(FileSystem& files, const std::string& directory,
                         const std::vector<SweepRow>& rows) {
    write_file(files, join_path(directory, "summary.csv"), sweep_csv(rows));
    write_file(files, join_path(directory, "summary.json"), sweep_json(rows));
}

}  // namespace spume
