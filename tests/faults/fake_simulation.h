// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <functional>

#include "spume/core/context.h"
#include "spume/core/error.h"
#include "spume/run/simulation.h"

namespace spume::test {

/// A few points that jump about; quick, and every bit of a frame depends on all substeps before it.
class FakeSimulation : public Simulation {
  public:
    /// Called after each substep with how many there were since the construction.
    std::function<void(int)> after_substep;
    int fails_in_frame = -1;
    int views = 0, summaries = 0;

    FakeSimulation(Context& context, int points) : context_(context), position_(points) {}

    FrameReport advance_frame(int frame) override {
        FrameReport report;
        const int substeps = 2 + frame % 3;
        while (done_in_frame_ < substeps) {
            if (context_.stop.requested()) {
                report.complete = false;
                return report;
            }
            if (frame == fails_in_frame && done_in_frame_ == 1) {
                SimulationError error(
                    "blew up", {{"pressure", "pressure", {1, 2, 3}, {}, std::nan(""), {4.5}}});
                error.unfinished = report;
                throw error;
            }
            report.add(substep(frame), 1.0 / (24 * substeps));
            if (after_substep) after_substep(++substeps_);
        }
        done_in_frame_ = 0;
        return report;
    }
    Frame view() override {
        ++views;
        Frame frame;
        frame.dimensions = 2;
        frame.free_surface = true;
        PointSet points;
        points.name = "bubbles";
        points.position = position_;
        Array<std::uint64_t> id(position_.size());
        Array<float> pscale(position_.size(), 0.01f);
        for (std::size_t i = 0; i < id.size(); ++i) id.write()[i] = i;
        points.columns = {{"id", "", id}, {"pscale", "m", pscale}};
        frame.points.push_back(points);
        Volume volume;
        volume.name = "density";
        volume.voxel = 0.1;
        volume.tiles = Array<Vec<int, 3>>(1);
        Array<float> values(512);
        for (std::size_t i = 0; i < 512; ++i)
            values.write()[i] = static_cast<float>(position_[i % position_.size()][0]);
        volume.values = {values};
        frame.volumes.push_back(volume);
        return frame;
    }
    StateSummary summary() override {
        ++summaries;
        StateSummary s;
        s.bubbles = static_cast<std::int64_t>(position_.size());
        for (const auto& p : position_) s.momentum = s.momentum + p;
        return s;
    }
    double time() const override { return time_; }
    void describe(StateVisitor& visit) override {
        visit("time", time_);
        visit("done_in_frame", done_in_frame_);
        visit("position", position_);
    }

  private:
    StepReport substep(int frame) {
        auto out = position_.write();
        for (std::size_t i = 0; i < out.size(); ++i)
            for (int axis = 0; axis < 3; ++axis) {
                // A chaotic map: a lost substep shows in every later bit.
                double& x = out[i][axis];
                x = x == 0 ? 0.1 + 0.2 * static_cast<double>(i % 5) + 0.01 * axis
                           : 3.9 * x * (1 - x);
            }
        time_ += 1e-3;
        ++done_in_frame_;
        StepReport report;
        report.pressure_solves = 1;
        report.pressure_iterations = frame + done_in_frame_;
        report.max_speed = out[0][0];
        if (done_in_frame_ == 2) report.warnings.push_back("a warning");
        // Frame 1 without any: events.jsonl appears in the middle of a run.
        for (int i = 1; i < frame; ++i)
            report.events.push_back({BubbleEvent::kBirth, time_,
                                     std::uint64_t(10 * frame + done_in_frame_), 0, 1e-3 * i});
        return report;
    }
    Context& context_;
    Array<Vec<double, 3>> position_;
    double time_ = 0;
    int done_in_frame_ = 0, substeps_ = 0;
};

}  // namespace spume::test
