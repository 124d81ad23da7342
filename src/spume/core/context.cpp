// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/context.h"

namespace spume {

void StageTimes::add(std::string_view name, double seconds) {
    for (Entry& e : entries_)
        if (e.name == name) {
            e.seconds += seconds;
            ++e.calls;
            return;
        }
    entries_.push_back({std::string(name), seconds, 1});
}

std::string_view Context::stage_name() const { return stage ? stage->name() : std::string_view{}; }

Stage::Stage(Context& context, std::string_view name)
    : context_(context), name_(name), parent_(context.stage), begin_(Clock::now()) {
    context_.stage = this;
}

Stage::~Stage() {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    context_.times.add(name_, seconds - in_children_);
    if (parent_) parent_->in_children_ += seconds;
    context_.stage = parent_;
}

}  // namespace spume
