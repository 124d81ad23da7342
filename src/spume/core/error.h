// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "spume/core/frame_report.h"

namespace spume {

/// A place in a text the user wrote. Line and column count from 1; 0 means unknown.
struct Place {
    std::string file;
    int line = 0, column = 0;
};

struct Complaint {
    Place place;
    std::string message;  ///< what is wrong, with the value found
    std::string remedy;   ///< what to do about it
};

/// The user's input is at fault: exit status 2.
class UserError : public std::runtime_error {
  public:
    explicit UserError(std::vector<Complaint> complaints);
    UserError(std::string message, std::string remedy);
    const std::vector<Complaint>& complaints() const { return complaints_; }

  private:
    std::vector<Complaint> complaints_;
};

/// About a file as a whole, or a place in it.
UserError error_in_file(std::string file, std::string message, std::string remedy, int line = 0,
                        int column = 0);

/// The machine is at fault (disk full, no permission, no memory): exit status 4.
class MachineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The simulation cannot go on: exit status 3.
class SimulationError : public std::runtime_error {
  public:
    explicit SimulationError(const std::string& what, std::vector<BadValue> bad = {})
        : std::runtime_error(what), bad_(std::move(bad)) {}
    const std::vector<BadValue>& bad() const { return bad_; }  ///< what the NaN guard saw
    /// Of the frame's substeps before it, which the state keeps.
    FrameReport unfinished;

  private:
    std::vector<BadValue> bad_;
};

/// `file:line:column: error: message`, then the remedy on a line of its own.
std::string to_text(const Complaint& complaint);

/// An invariant of ours is broken: exit status 1.
class Defect : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

namespace detail {
[[noreturn]] void fail_check(const char* file, int line, const char* text, std::string values);
template <class A, class B>
[[noreturn]] void fail_compare(const char* file, int line, const char* text, const A& a,
                               const B& b) {
    fail_check(file, line, text, fmt::format("{} against {}", a, b));
}
}  // namespace detail

}  // namespace spume

/// Stays on in release builds: keep it out of inner loops.
#define SPUME_CHECK(condition) \
    ((condition) ? void(0) : ::spume::detail::fail_check(__FILE__, __LINE__, #condition, {}))
#define SPUME_CHECK_OP(a, op, b) \
    (((a)op(b)) ? void(0)        \
                : ::spume::detail::fail_compare(__FILE__, __LINE__, #a " " #op " " #b, (a), (b)))
