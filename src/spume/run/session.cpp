// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/session.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/scene/lint.h"

namespace spume {
namespace {

constexpr int kMostHalvings = 6;

/// time.max_substeps; by default 64, and in frames longer than 1/24 s 64 for each 1/24 s.
int most_substeps(const TimeSpan& span) {
    return span.max_substeps > 0 ? span.max_substeps
                                 : static_cast<int>(64 * std::max(1.0, 24 / span.fps));
}

/// A method as a Simulation: chooses substeps, undoes and repeats failed ones.
class Session final : public Simulation {
  public:
    Session(std::unique_ptr<MethodRun> method, Context& context)
        : method_(std::move(method)), context_(context) {}

    FrameReport advance_frame(int frame) override {
        const TimeSpan& span = method_->scene().time;
        const double end = (frame - span.start + 1) / span.fps;
        if (frame != frame_) {
            frame_ = frame;
            substeps_ = 0;
        }
        FrameReport report;
        while (method_->time() < end) {
            if (context_.stop.requested()) {
                report.complete = false;
                return report;
            }
            const double before = method_->time();
            StepReport step;
            try {
                step = next_substep(end);
            } catch (SimulationError& error) {
                error.unfinished = report;
                throw;
            }
            if (step.stopped) {
                report.complete = false;
                return report;
            }
            report.add(step, method_->time() - before);
            context_.progress(1 - (end - method_->time()) * span.fps);
        }
        return report;
    }

    Frame view() override {
        Frame f = method_->frame(context_);
        f.number = frame_;
        return f;
    }
    StateSummary summary() override { return method_->totals(context_); }
    Observation observe(bool with_frame) override {
        if (!with_frame) return {summary(), std::nullopt};
        auto [summary, frame] = method_->observed(context_);
        frame.number = frame_;
        return {std::move(summary), std::move(frame)};
    }
    double time() const override { return method_->time(); }

    void describe(StateVisitor& visitor) override {
        visitor("frame", frame_);
        visitor("substeps", substeps_);
        method_->visit_state(visitor);
    }

  private:
    /// One accepted substep. The state before it is kept (its arrays are shared until written).
    StepReport next_substep(double end) {
        const MethodRun::Saved before = method_->saved();
        std::string why;
        std::vector<BadValue> bad;
        const StepLimit limit = method_->longest_substep(context_);
        if (!limit.by_speed && !affordable(limit))
            throw SimulationError(fmt::format("frame {}, time {:.6g} s: {}", frame_,
                                              method_->time(), too_short(limit)));
        for (int halvings = 0; halvings <= kMostHalvings; ++halvings) {
            limit_substeps(1 + halvings, limit);
            const Interval time = next_interval(end, limit.seconds * std::exp2(-halvings));
            StepReport report = step_unless_stopped(time);
            if (!report.failed && !report.stopped) {
                const StepLimit next = method_->longest_substep(context_);
                report.failed = !affordable(next);
                if (report.failed) report.why = too_short(next);
            }
            if (!report.failed && !report.stopped) {
                substeps_ += 1 + halvings;
                if (halvings > 0)
                    report.warnings.push_back(
                        fmt::format("substep repeated {} times: {}", halvings, why));
                return report;
            }
            why = report.why;
            bad = std::move(report.bad);
            method_->restore(before);
            if (report.stopped) return report;
        }
        throw SimulationError(
            fmt::format("frame {}, substep {}, time {:.6g} s: {}; {} smaller substeps did not help",
                        frame_, substeps_ + 1, method_->time(), why, kMostHalvings),
            std::move(bad));
    }

    StepReport step_unless_stopped(Interval time) {
        try {
            const StopScope scope(context_.arena, context_.stop);
            return method_->take_step(time, context_);
        } catch (const Stopped&) {
            StepReport report;
            report.stopped = true;
            return report;
        }
    }

    Interval next_interval(double end, double longest) const {
        const double begin = method_->time(), left = end - begin;
        const double count = std::ceil(left / longest * (1 - 1e-12));
        return {begin, count <= 1 ? end : begin + left / count};
    }

    /// Could a whole frame be done under this limit within time.max_substeps?
    bool affordable(const StepLimit& limit) const {
        const TimeSpan& span = method_->scene().time;
        return limit.seconds * span.fps * most_substeps(span) >= 1 - 1e-12;
    }

    std::string too_short(const StepLimit& limit) const {
        const TimeSpan& span = method_->scene().time;
        return fmt::format(
            "{} allows substeps of {:.3g} s only, {:.0f} a frame, more than time.max_substeps = "
            "{}{}; raise time.max_substeps, or {}",
            limit.cause, limit.seconds, std::ceil(1 / (limit.seconds * span.fps)),
            most_substeps(span), span.max_substeps > 0 ? "" : " (by default)", limit.remedy);
    }

    /// Before they are done, so that the state is that of the last substep reported.
    void limit_substeps(int further, const StepLimit& limit) const {
        const TimeSpan& span = method_->scene().time;
        if (substeps_ + further > most_substeps(span))
            throw SimulationError(fmt::format(
                "frame {}, time {:.6g} s: more than time.max_substeps = {}{} substeps needed; the "
                "last was limited to {:.3g} s by {}; raise time.max_substeps, or {}",
                frame_, method_->time(), most_substeps(span),
                span.max_substeps > 0 ? "" : " (by default)", limit.seconds, limit.cause,
                limit.remedy));
    }

    std::unique_ptr<MethodRun> method_;
    Context& context_;
    std::int32_t frame_ = -1, substeps_ = 0;
};

}  // namespace

std::unique_ptr<Simulation> start_session(const Scene& scene, const MethodParams& params,
                                          const Inputs& inputs, Context& context) {
    SPUME_CHECK(params.method.start != nullptr);
    const StopScope scope(context.arena, context.stop);
    return std::make_unique<Session>(params.method.start(scene, params.values, inputs, context),
                                     context);
}

double expected_bytes(const Scene& scene, const MethodParams& params, double voxels,
                      double bubbles) {
    return params.method.expected_bytes(scene, params.values, voxels, bubbles);
}

std::vector<std::string> foreseen(const Scene& scene, const MethodParams& params,
                                  const Inputs& inputs, Context& context) {
    std::vector<std::string> lines = scene_lint(scene, inputs.meshes);
    const Abilities& can = params.method.abilities;
    if (can.free_surface && scene.liquids.empty())
        lines.push_back("there is no liquid: nothing will happen");
    if (!can.free_surface && can.emitters && !can.needs_bulk && scene.emitters.empty())
        lines.push_back("there is no emitter: nothing will happen");
    const auto more = params.method.foreseen(scene, params.values, inputs, context);
    lines.insert(lines.end(), more.begin(), more.end());
    return lines;
}

}  // namespace spume
