// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spume/core/parallel.h"

namespace spume {

/// Seconds spent by stage name, in the order in which the stages first ran.
class StageTimes {
  public:
    struct Entry {
        std::string name;
        double seconds = 0;
        long calls = 0;
    };
    void add(std::string_view name, double seconds);
    const std::vector<Entry>& entries() const { return entries_; }
    void clear() { entries_.clear(); }

  private:
    std::vector<Entry> entries_;
};

class Stage;

/// What a verb that loops needs from the world: threads, clock, stop request, a place for notes.
struct Context {
    explicit Context(int threads = 1) : arena(threads) {}

    Arena arena;
    StageTimes times;
    StopToken stop;
    std::function<void(std::string_view)> note = [](std::string_view) {};
    /// Called after each substep with the share of its frame that is done, 0 to 1.
    std::function<void(double)> progress = [](double) {};

    /// For tests of the NaN guard: called with the stage, the field's name and its values before
    /// each check; may spoil one of them.
    std::function<void(std::string_view, std::string_view, std::span<double>)> spoil;

    /// The innermost open stage; its name also reaches the messages of the NaN guard.
    Stage* stage = nullptr;
    std::string_view stage_name() const;
};

/// Opens a stage for its lifetime. Nested stages are charged to themselves, not to their parent.
class Stage {
  public:
    Stage(Context& context, std::string_view name);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    std::string_view name() const { return name_; }

  private:
    using Clock = std::chrono::steady_clock;
    Context& context_;
    std::string_view name_;
    Stage* parent_;
    Clock::time_point begin_;
    double in_children_ = 0;
};

}  // namespace spume
