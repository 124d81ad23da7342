// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spume/core/describe.h"
#include "spume/core/parallel.h"

namespace spume {

/// One declared parameter, in words.
struct ParamRow {
    enum class Kind {
        kNumber,
        kInteger,
        kWhole,
        kFlag,
        kText,
        kPath,
        kVector,
        kChoice,
        kSection,
        kList
    };
    Kind kind = Kind::kNumber;
    std::string table;  ///< "domain", "emitter[].shape"; empty at the top
    std::string name;
    std::string unit;
    std::string initial;  ///< the default; empty if there is none
    std::string range;    ///< "at least 0 m"; empty for all
    std::string help;
    std::string needed;  ///< "kind is \"box\"": when it must be given
    std::vector<std::pair<std::string, std::string>> words;  ///< of a choice, with their meanings
    NumberSpec number;                                       ///< kNumber, kVector
    int least = 0, most = 0;                                 ///< kInteger
};

/// Every parameter that a describe function declares, in order; list items once.
std::vector<ParamRow> list_params(FunctionRef<void(ParamVisitor&)> describe_all);

/// Rows of a struct that stands in a section of its own.
template <class Params>
std::vector<ParamRow> section_params(const char* name, const char* help) {
    Params params{};
    auto body = [&](ParamVisitor& v) {
        v.section(name, help, [&](ParamVisitor& inner) { describe(params, inner); });
    };
    return list_params(body);
}
/// `method` is the default of the key of that name.
std::vector<ParamRow> scene_params(const std::string& method = "");
std::vector<ParamRow> sweep_params();

/// One Markdown table a section.
std::string reference_markdown(const std::vector<ParamRow>& rows);
/// For `spume help METHOD`: aligned, at most 100 columns.
std::string reference_text(const std::vector<ParamRow>& rows);

/// docs/scene_reference.md: how scenes are written, the scene's tables, then those of the methods.
std::string scene_reference(const std::vector<std::vector<ParamRow>>& methods);

}  // namespace spume
