// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/error.h"

#include <cstring>

namespace spume {
namespace {

std::string summary(const std::vector<Complaint>& complaints) {
    std::string text;
    for (const Complaint& c : complaints) {
        if (!text.empty()) text += '\n';
        text += to_text(c);
    }
    return text;
}

}  // namespace

UserError::UserError(std::vector<Complaint> complaints)
    : std::runtime_error(summary(complaints)), complaints_(std::move(complaints)) {}

UserError::UserError(std::string message, std::string remedy)
    : UserError(std::vector<Complaint>{{{}, std::move(message), std::move(remedy)}}) {}

UserError error_in_file(std::string file, std::string message, std::string remedy, int line,
                        int column) {
    std::vector<Complaint> complaints(1);
    complaints[0].place.file = std::move(file);
    complaints[0].place.line = line;
    complaints[0].place.column = column;
    complaints[0].message = std::move(message);
    complaints[0].remedy = std::move(remedy);
    return UserError(std::move(complaints));
}

std::string to_text(const Complaint& c) {
    std::string text;
    if (!c.place.file.empty()) {
        text = c.place.file;
        if (c.place.line > 0) text += fmt::format(":{}:{}", c.place.line, c.place.column);
        text += ": ";
    }
    text += "error: " + c.message;
    if (!c.remedy.empty()) text += "\n  " + c.remedy;
    return text;
}

namespace detail {

void fail_check(const char* file, int line, const char* text, std::string values) {
    const char* name = std::strstr(file, "spume/");
    std::string message =
        fmt::format("{}:{}: broken invariant: {}", name ? name : file, line, text);
    if (!values.empty()) message += fmt::format(" ({})", values);
    throw Defect(message);
}

}  // namespace detail
}  // namespace spume
