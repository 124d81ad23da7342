// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/job_closing.h"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "spume/io/sealed_json.h"
#include "spume/run/job_progress.h"

namespace spume {
namespace {

/// Round-off is none.
double percent(double drift) { return std::abs(drift) < 1e-9 ? 0 : 100 * drift; }

std::string plural(long n, const char* one) {
    return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

/// What became of the air that came; empty if none did.
std::string fate_of_air(const AirAudit& air) {
    if (!(air.emitted > 0)) return {};
    std::string text;
    const auto part = [&](double volume, const char* where) {
        if (volume > 1e-9 * air.emitted)
            text += fmt::format(", {:.3g} % {}", 100 * volume / air.emitted, where);
    };
    part(air.bubbles, "in bubbles");
    part(air.foam, "in foam");
    part(air.trapped, "trapped");
    part(air.burst, "burst");
    part(air.pruned, "without room in foam");
    part(air.left, "left the liquid or the box");
    part(air.lost, "lost");
    return text.empty() ? text : "air:" + text.substr(1) + "\n";
}

/// For a shell: as it is, or in quotes.
std::string shell_word(const std::string& path) {
    const bool plain = path.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-./+:@%,=") == std::string::npos;
    if (plain && !path.empty()) return path;
    std::string quoted = "'";
    for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

std::string closing_text(const JobOutcome& o) {
    std::string text =
        fmt::format("done: frames {} to {} in {}, {} simulated in {}\n", o.first_frame,
                    o.last_frame, o.directory, plural(o.simulated, "frame"), clock_text(o.seconds));
    text += fmt::format("drift: {:.3g} % of the liquid, {:.3g} % of the air\n",
                        percent(o.liquid_drift), percent(o.air.drift()));
    text += fate_of_air(o.air);
    const auto& kinds = o.warnings.kinds();
    text += kinds.empty() ? "no warnings\n"
                          : plural(o.warnings.total(), "warning") +
                                fmt::format(" of {}; all of them in {}/log.txt:\n",
                                            plural(long(kinds.size()), "kind"), o.directory);
    for (const WarningTally::Kind& kind : kinds)
        text += fmt::format("  {} x {}\n", kind.count, kind.first);
    if (!o.picture.empty()) text += fmt::format("picture: {}\n", o.picture);
    const std::string where = shell_word(o.directory);
    text +=
        fmt::format("next: spume view {} | spume render {} | spume info {}\n", where, where, where);
    return text;
}

std::string closing_json(const JobOutcome& o) {
    Json json;
    json["event"] = "done";
    json["directory"] = o.directory;
    json["first_frame"] = o.first_frame;
    json["last_frame"] = o.last_frame;
    json["simulated"] = o.simulated;
    json["seconds"] = o.seconds;
    json["liquid_drift"] = o.liquid_drift;
    json["air_drift"] = o.air.drift();
    json["air_emitted"] = o.air.emitted;
    json["air_left"] = o.air.left;
    json["warnings"] = Json::array();
    for (const WarningTally::Kind& kind : o.warnings.kinds())
        json["warnings"].push_back({{"first", kind.first}, {"count", kind.count}});
    if (!o.picture.empty()) json["picture"] = o.picture;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace spume
