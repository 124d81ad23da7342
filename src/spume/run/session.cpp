// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/run/session.h"

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/methods/constraint/constraint.h"
#include "spume/methods/constraint/squeeze.h"
#include "spume/methods/mixture/mixture.h"
#include "spume/scene/parse.h"

namespace spume {
namespace {

constexpr int kMostHalvings = 6;

/// What a scene may say but its method cannot do is an error, never ignored.
void check_abilities(const Scene& scene, const mixture::Params& params, SceneDocument& document) {
    for (std::size_t i = 0; i < scene.liquids.size(); ++i)
        document.complain(fmt::format("liquid[{}]", i),
                          "the method mixture has no free surface: water is everywhere",
                          "leave [[liquid]] out, or use method = \"constraint\"");
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

void check_abilities(const Scene& scene, const constraint::Params&, SceneDocument& document) {
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        document.complain(fmt::format("emitter[{}]", i),
                          "the method constraint has no bubble emitters",
                          "cut air out of the liquid with [[liquid]] mode = \"hollow\"");
}

/// The names of a method that do not depend on its arguments.
template <int D>
struct MixtureMethod {
    using Params = mixture::Params;
    using World = mixture::World<D>;
    using State = mixture::State<D>;
    static World world_of(const Scene& scene, const Params& params, const Inputs& inputs) {
        return mixture::world_of<D>(scene, params, inputs);
    }
    static State init(const World& world, const Params& params, Context& context) {
        return mixture::init<D>(world, params, context);
    }
};
template <int D>
struct ConstraintMethod {
    using Params = constraint::Params;
    using World = constraint::World<D>;
    using State = constraint::State<D>;
    static World world_of(const Scene& scene, const Params& params, const Inputs& inputs) {
        return constraint::world_of<D>(scene, params, inputs);
    }
    static State init(const World& world, const Params& params, Context& context) {
        return constraint::init<D>(world, params, context);
    }
};

// Members of Session hide these names of the methods.
template <class State, class Params, class World>
Frame frame_of(const State& s, const Params& p, const World& w, Context& context) {
    return view(s, p, w, context);
}
template <class State, class Params, class World>
StateSummary summary_of(const State& s, const Params& p, const World& w, Context& context) {
    return summary(s, p, w, context);
}
/// Of a method that computes both at once.
template <class State, class Params, class World>
auto both_of(const State& s, const Params& p, const World& w, Context& context)
    -> decltype(observe(s, p, w, context)) {
    return observe(s, p, w, context);
}
template <class State, class World>
void describe_state(State& s, const World& w, StateVisitor& visitor) {
    describe(s, w, visitor);
}

/// A method in D dimensions as a Simulation: chooses substeps, undoes and repeats failed ones.
template <class Method>
class Session final : public Simulation {
  public:
    Session(const Scene& scene, const typename Method::Params& params, const Inputs& inputs,
            Context& context)
        : params_(params),
          context_(context),
          world_(Method::world_of(scene, params, inputs)),
          state_(Method::init(world_, params, context)) {}

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
            report.add(step, state_.time - before);
            context_.progress(1 - (end - state_.time) * span.fps);
        }
        return report;
    }

    Frame view() override {
        Frame f = frame_of(state_, params_, world_, context_);
        f.number = frame_;
        return f;
    }
    StateSummary summary() override { return summary_of(state_, params_, world_, context_); }
    Observation observe(bool with_frame) override {
        if constexpr (requires { both_of(state_, params_, world_, context_); }) {
            if (with_frame) {
                auto [summary, frame] = both_of(state_, params_, world_, context_);
                frame.number = frame_;
                return {std::move(summary), std::move(frame)};
            }
        }
        return Simulation::observe(with_frame);
    }
    double time() const override { return state_.time; }

    void describe(StateVisitor& visitor) override {
        visitor("frame", frame_);
        visitor("substeps", substeps_);
        describe_state(state_, world_, visitor);
    }

  private:
    /// One accepted substep. The state before it is kept (its arrays are shared until written).
    StepReport next_substep(double end) {
        const typename Method::State before = state_;
        std::string why;
        std::vector<BadValue> bad;
        for (int halvings = 0; halvings <= kMostHalvings; ++halvings) {
            limit_substeps(1 + halvings);
            const Interval time = next_interval(end, halvings);
            StepReport report = step(state_, params_, world_, time, context_);
            if (!report.failed && !report.stopped && !affordable()) {
                report.failed = true;
                report.why = fmt::format("speeds reached {:.3g} m/s", report.max_speed);
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
        const double longest = max_dt(state_, params_, world_, context_) * std::exp2(-halvings);
        const double count = std::ceil(left / longest * (1 - 1e-12));
        return {state_.time, count <= 1 ? end : state_.time + left / count};
    }

    /// Could a whole frame still be done at these speeds within the limit of substeps?
    bool affordable() {
        const TimeSpan& span = world_.scene.time;
        return max_dt(state_, params_, world_, context_) * span.fps * span.max_substeps >= 1;
    }

    /// Before they are done, so that the state is that of the last substep reported.
    void limit_substeps(int further) {
        if (substeps_ + further > world_.scene.time.max_substeps)
            throw SimulationError(
                fmt::format("frame {}: more than {} substeps needed at time {:.6g} s; raise "
                            "time.max_substeps or "
                            "the method's cfl, or look for what moves so fast",
                            frame_, world_.scene.time.max_substeps, state_.time));
    }

    typename Method::Params params_;
    Context& context_;
    typename Method::World world_;
    typename Method::State state_;
    std::int32_t frame_ = -1, substeps_ = 0;
};

}  // namespace

std::span<const MethodEntry> methods() {
    static constexpr MethodEntry kTable[] = {
        {"mixture",
         "bubbles as particles with mass in water on a sparse grid, two-way coupled [WSB25]",
         [] { return MethodParams(mixture::Params{}); }},
        {"constraint",
         "liquid with a free surface whose trapped air keeps its volume, without simulating the "
         "air "
         "[GB17]",
         [] { return MethodParams(constraint::Params{}); }},
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
        std::visit([&](const auto& p) { check_abilities(scene, p, document); }, params);
        return params;
    }
    complain_unknown_method(scene, names, document);
    return methods()[0].defaults();
}

std::unique_ptr<Simulation> start_session(const Scene& scene, const MethodParams& params,
                                          const Inputs& inputs, Context& context) {
    const bool flat = scene.domain.dimensions == 2;
    const auto start =
        [&]<template <int> class Method>(const auto& p) -> std::unique_ptr<Simulation> {
        if (flat) return std::make_unique<Session<Method<2>>>(scene, p, inputs, context);
        return std::make_unique<Session<Method<3>>>(scene, p, inputs, context);
    };
    if (const auto* p = std::get_if<constraint::Params>(&params))
        return start.template operator()<ConstraintMethod>(*p);
    return start.template operator()<MixtureMethod>(std::get<mixture::Params>(params));
}

double expected_bytes(const Scene& scene, const MethodParams& params, double voxels,
                      double bubbles) {
    if (std::holds_alternative<constraint::Params>(params))
        return constraint::expected_bytes(scene.domain.dimensions, voxels);
    return mixture::expected_bytes(scene.domain.dimensions, voxels, bubbles);
}

std::vector<std::string> foreseen(const Scene& scene, const MethodParams& params,
                                  const Inputs& inputs, Context& context) {
    if (const auto* p = std::get_if<constraint::Params>(&params))
        return constraint::squeezed_compartments(scene, *p, inputs, context);
    return {};
}

}  // namespace spume
