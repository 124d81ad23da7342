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
