// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/diagnosis.h"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "spume/io/atomic_file.h"
#include "spume/io/sealed_json.h"
#include "spume/io/write_frame.h"

namespace spume {
namespace {

/// JSON has no word for what is not finite.
Json number(double x) { return std::isfinite(x) ? Json(x) : Json(fmt::format("{}", x)); }

}  // namespace

std::string write_diagnosis(FileSystem& files, const std::string& directory, int frame,
                            const SimulationError& error) {
    Json json;
    json["frame"] = frame;
    json["message"] = error.what();
    json["bad"] = Json::array();
    for (const BadValue& bad : error.bad()) {
        Json one;
        one["stage"] = bad.stage;
        one["field"] = bad.field;
        one["cell"] = {bad.cell[0], bad.cell[1], bad.cell[2]};
        one["position"] = {bad.position[0], bad.position[1], bad.position[2]};
        one["value"] = number(bad.value);
        one["neighbours"] = Json::array();
        for (const double x : bad.neighbours) one["neighbours"].push_back(number(x));
        json["bad"].push_back(one);
    }
    std::string path = join_path("diagnostics", frame_file_name("failure", frame, "json"));
    make_directories(files, join_path(directory, "diagnostics"));
    write_file(files, join_path(directory, path), json.dump(2) + "\n");
    return path;
}

}  // namespace spume
