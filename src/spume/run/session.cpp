// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/session.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/methods/mixture/mixture.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

constexpr int kMostHalvings = 6;

/// What a scene may say but the mixture method cannot do is an error, never ignored.
void check_abilities(const Scene& scene, const mixture::Params& params, SceneDocument& document) {
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
        const std::string path = fmt::format("solid[{}]", i);
        if (scene.solids[i].motion == Motion::kDynamic)
            document.complain(path + ".motion", "the method mixture has no dynamic solids",
                              "use \"fixed\" or \"keyed\"");
        if (scene.solids[i].no_slip && !params.mixture_viscosity)
            document.complain(path + ".no_slip", "without viscosity water slips along solids",
                              "leave no_slip out, or set mixture.mixture_viscosity = true");
    }
}

/// A method in D dimensions as a Simulation: chooses substeps, undoes and repeats failed ones.
template <int D>
class MixtureSession final : public Simulation {
  public:
    MixtureSession(const Scene& scene, const mixture::Params& params, const Inputs& inputs,
                   Context& context)
        : params_(params),
          context_(context),
          world_(mixture::world_of<D>(scene, params, inputs)),
          state_(mixture::init<D>(world_, params, context)) {}

    FrameReport advance_frame(int frame) override {
        const TimeSpan& span = world_.scene.time;
        const double end = (frame - span.start + 1) / span.fps;
        if (frame != frame_) {
            frame_ = frame;
            substeps_ = 0;
        }
        FrameReport report;
        while (state_.time < end) {
            if (context_.stop.requested()) {
                report.complete = false;
                return report;
            }
            const double before = state_.time;
            const StepReport step = next_substep(end);
            if (step.stopped) {
                report.complete = false;
                return report;
            }
            report.add(step, state_.time - before);
            context_.progress(1 - (end - state_.time) * span.fps);
        }
        return report;
    }

    Frame view() override {
        Frame f = mixture::view(state_, params_, world_, context_);
        f.number = frame_;
        return f;
    }
    StateSummary summary() override { return mixture::summary(state_, params_, world_, context_); }
    double time() const override { return state_.time; }

    void describe(StateVisitor& visitor) override {
        visitor("frame", frame_);
        visitor("substeps", substeps_);
        mixture::describe(state_, world_, visitor);
    }

  private:
    /// One accepted substep. The state before it is kept (its arrays are shared until written).
    StepReport next_substep(double end) {
        const mixture::State<D> before = state_;
        std::string why;
        std::vector<BadValue> bad;
        for (int halvings = 0; halvings <= kMostHalvings; ++halvings) {
            const Interval time = next_interval(end, halvings);
            StepReport report = mixture::step(state_, params_, world_, time, context_);
            if (!report.failed && !report.stopped && !affordable()) {
                report.failed = true;
                report.why = fmt::format("speeds reached {:.3g} m/s", report.max_speed);
            }
            if (!report.failed && !report.stopped) {
                count_substep();
                for (int i = 0; i < halvings; ++i) count_substep();
                if (halvings > 0)
                    report.warnings.push_back(
                        fmt::format("substep repeated {} times: {}", halvings, why));
                return report;
            }
            why = report.why;
            bad = std::move(report.bad);
            state_ = before;
            if (report.stopped) return report;
        }
        throw SimulationError(
            fmt::format("frame {}, substep {}, time {:.6g} s: {}; {} smaller substeps did not help",
                        frame_, substeps_ + 1, state_.time, why, kMostHalvings),
            std::move(bad));
    }

    Interval next_interval(double end, int halvings) {
        const double left = end - state_.time;
        const double longest =
            mixture::max_dt(state_, params_, world_, context_) * std::exp2(-halvings);
        const double count = std::ceil(left / longest * (1 - 1e-12));
        return {state_.time, count <= 1 ? end : state_.time + left / count};
    }

    /// Could a whole frame still be done at these speeds within the limit of substeps?
    bool affordable() {
        const TimeSpan& span = world_.scene.time;
        return mixture::max_dt(state_, params_, world_, context_) * span.fps * span.max_substeps >=
               1;
    }

    void count_substep() {
        if (++substeps_ > world_.scene.time.max_substeps)
            throw SimulationError(
                fmt::format("frame {}: more than {} substeps needed at time {:.6g} s; raise "
                            "time.max_substeps or "
                            "mixture.cfl, or look for what moves so fast",
                            frame_, world_.scene.time.max_substeps, state_.time));
    }

    mixture::Params params_;
    Context& context_;
    mixture::World<D> world_;
    mixture::State<D> state_;
    std::int32_t frame_ = -1, substeps_ = 0;
};

}  // namespace

std::span<const MethodEntry> methods() {
    static constexpr MethodEntry kTable[] = {
        {"mixture",
         "bubbles as particles with mass in water on a sparse grid, two-way coupled [WSB25]",
         [] { return MethodParams(mixture::Params{}); }},
    };
    return kTable;
}

void describe(MethodParams& params, ParamVisitor& visitor) {
    std::visit([&](auto& p) { describe(p, visitor); }, params);
}

MethodParams read_method(const Scene& scene, SceneDocument& document) {
    std::vector<std::string> names;
    for (const MethodEntry& entry : methods()) {
        names.emplace_back(entry.name);
        if (scene.method != entry.name) continue;
        MethodParams params = entry.defaults();
        std::visit([&](auto& p) { document.fill(entry.name, p, entry.summary); }, params);
        check_abilities(scene, std::get<mixture::Params>(params), document);
        return params;
    }
    complain_unknown_method(scene, names, document);
    return methods()[0].defaults();
}

std::unique_ptr<Simulation> start_session(const Scene& scene, const MethodParams& params,
                                          const Inputs& inputs, Context& context) {
    const auto& p = std::get<mixture::Params>(params);
    if (scene.domain.dimensions == 2)
        return std::make_unique<MixtureSession<2>>(scene, p, inputs, context);
    return std::make_unique<MixtureSession<3>>(scene, p, inputs, context);
}

double expected_bytes(const Scene& scene, const MethodParams&, double voxels, double bubbles) {
    return mixture::expected_bytes(scene.domain.dimensions, voxels, bubbles);
}

}  // namespace spume
