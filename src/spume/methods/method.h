// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <any>
#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/core/describe.h"
#include "spume/core/error.h"
#include "spume/core/report.h"
#include "spume/core/step_limit.h"
#include "spume/core/visit_state.h"
#include "spume/frame/frame.h"
#include "spume/frame/inputs.h"
#include "spume/scene/document.h"
#include "spume/scene/scene.h"

namespace spume {

// What a method is. Its folder has a namespace with Params, State<D>, World<D> and the functions of
// the two concepts below, and a struct `Method` that names them; kMethodEntry<Method> is its row in
// the table of run/methods.cpp. docs/how_to_add.md builds a small one.

/// What of a scene a method can simulate; the rest is an error of the scene, never ignored.
struct Abilities {
    bool two_dimensional = true, three_dimensional = true;
    bool free_surface = false;    ///< [[liquid]]: liquid with air around it
    bool emitters = false;        ///< [[emitter]]: bubbles
    bool dynamic_solids = false;  ///< [[solid]] with motion = "dynamic"
    bool whitewater = false;      ///< [whitewater]: bubbles in the liquid it simulates
    bool needs_bulk = false;      ///< works in a liquid that was simulated before
};

template <class M, int D>
using StateOf = typename M::template State<D>;
template <class M, int D>
using WorldOf = typename M::template World<D>;

/// The functions over State and World in D dimensions. State::time is the simulated time in s,
/// World::scene the scene it was made from.
template <class M, int D>
concept MethodIn = requires(StateOf<M, D>& state, const StateOf<M, D>& reached,
                            WorldOf<M, D>& world, const WorldOf<M, D>& fixed,
                            const typename M::Params& params, const Scene& scene,
                            const Inputs& inputs, Interval time, Context& context,
                            StateVisitor& visitor) {
    requires std::copyable<StateOf<M, D>>;
    requires std::same_as<decltype(state.time), double>;
    requires std::same_as<decltype(world.scene), Scene>;
    // What the scene fixes, made ready once; then the state at the start.
    { world_of<D>(scene, params, inputs) } -> std::same_as<WorldOf<M, D>>;
    { init<D>(fixed, params, context) } -> std::same_as<StateOf<M, D>>;
    { max_dt(reached, params, fixed, context) } -> std::same_as<StepLimit>;
    { step(state, params, world, time, context) } -> std::same_as<StepReport>;
    { view(reached, params, fixed, context) } -> std::same_as<Frame>;
    { summary(reached, params, fixed, context) } -> std::same_as<StateSummary>;
    // Names every member that the next substep reads.
    describe(state, fixed, visitor);
};

/// What a method says of itself, and its functions in the dimensions it has.
template <class M>
concept IsMethod = requires(typename M::Params& params, const typename M::Params& chosen,
                            ParamVisitor& visitor, const Scene& scene, const Inputs& inputs,
                            SceneDocument& document, double count, Context& context) {
    requires std::copyable<typename M::Params>;
    requires std::default_initializable<typename M::Params>;
    // By which scenes name it, and a line for lists and help.
    { M::name } -> std::convertible_to<const char*>;
    { M::summary } -> std::convertible_to<const char*>;
    { M::abilities } -> std::convertible_to<Abilities>;
    describe(params, visitor);
    // Complains about what abilities cannot say: values that do not go with these parameters.
    check(scene, chosen, document);
    // Bytes at the peak of a substep, for numbers of voxels and bubbles.
    { expected_bytes(scene, chosen, count, count) } -> std::same_as<double>;
    // What can be told before the start about a scene that is right but will not do well.
    { foreseen(scene, chosen, inputs, context) } -> std::same_as<std::vector<std::string>>;
    requires(!M::abilities.two_dimensional || MethodIn<M, 2>);
    requires(!M::abilities.three_dimensional || MethodIn<M, 3>);
};

/// A method at work, its types hidden: parameters, what the scene fixes, and the state.
class MethodRun {
  public:
    using Saved = std::shared_ptr<const void>;

    virtual ~MethodRun() = default;
    virtual const Scene& scene() const = 0;
    virtual double time() const = 0;  ///< s
    virtual StepLimit longest_substep(Context& context) const = 0;
    virtual StepReport take_step(Interval time, Context& context) = 0;
    virtual Frame frame(Context& context) const = 0;
    virtual StateSummary totals(Context& context) const = 0;
    /// Both; a method that has `observe` shares what it computes for them.
    virtual std::pair<StateSummary, Frame> observed(Context& context) const = 0;
    virtual void visit_state(StateVisitor& visitor) = 0;
    /// The state as it is now. Its arrays are shared until written: while kept, it costs nothing
    /// but what changes.
    virtual Saved saved() const = 0;
    virtual void restore(const Saved& state) = 0;
};

template <class M, int D>
class MethodRunIn final : public MethodRun {
  public:
    MethodRunIn(const Scene& scene, const typename M::Params& params, const Inputs& inputs,
                Context& context)
        : params_(params),
          world_(world_of<D>(scene, params, inputs)),
          state_(init<D>(std::as_const(world_), params, context)) {}

    const Scene& scene() const override { return world_.scene; }
    double time() const override { return state_.time; }
    StepLimit longest_substep(Context& context) const override {
        return max_dt(state_, params_, world_, context);
    }
    StepReport take_step(Interval time, Context& context) override {
        return step(state_, params_, world_, time, context);
    }
    Frame frame(Context& context) const override { return view(state_, params_, world_, context); }
    StateSummary totals(Context& context) const override {
        return summary(state_, params_, world_, context);
    }
    std::pair<StateSummary, Frame> observed(Context& context) const override {
        if constexpr (requires { observe(state_, params_, world_, context); })
            return observe(state_, params_, world_, context);
        else
            return {totals(context), frame(context)};
    }
    void visit_state(StateVisitor& visitor) override { describe(state_, world_, visitor); }
    Saved saved() const override { return std::make_shared<const State>(state_); }
    void restore(const Saved& state) override { state_ = *static_cast<const State*>(state.get()); }

  private:
    using State = StateOf<M, D>;
    typename M::Params params_;
    WorldOf<M, D> world_;
    State state_;
};

struct MethodParams;

/// A row of the table of methods: what IsMethod asks for, with the types hidden. The parameters
/// that its functions get hold the method's own Params.
struct MethodEntry {
    const char* name = "";
    const char* summary = "";
    Abilities abilities;
    std::any (*default_params)() = nullptr;
    void (*describe)(std::any& params, ParamVisitor& visitor) = nullptr;
    void (*check)(const Scene& scene, const std::any& params, SceneDocument& document) = nullptr;
    double (*expected_bytes)(const Scene& scene, const std::any& params, double voxels,
                             double bubbles) = nullptr;
    std::vector<std::string> (*foreseen)(const Scene& scene, const std::any& params,
                                         const Inputs& inputs, Context& context) = nullptr;
    std::unique_ptr<MethodRun> (*start)(const Scene& scene, const std::any& params,
                                        const Inputs& inputs, Context& context) = nullptr;

    MethodParams defaults() const;
};

/// The parameters of whichever method a scene names; by default of none.
struct MethodParams {
    MethodEntry method;
    std::any values;

    /// As what they are; asking for another method's is a defect.
    template <class Params>
    const Params& as() const {
        const Params* params = std::any_cast<Params>(&values);
        SPUME_CHECK(params != nullptr);
        return *params;
    }
};

inline MethodParams MethodEntry::defaults() const { return {*this, default_params()}; }

/// Walks the parameters of a method, for reading, help, documentation and printing.
inline void describe(MethodParams& params, ParamVisitor& visitor) {
    SPUME_CHECK(params.method.describe != nullptr);
    params.method.describe(params.values, visitor);
}

namespace detail {

/// A method's functions as those of its row.
template <class M>
struct Erased {
    using Params = typename M::Params;
    static const Params& chosen(const std::any& params) { return *std::any_cast<Params>(&params); }

    static std::any default_params() { return Params{}; }
    static void describe_params(std::any& params, ParamVisitor& visitor) {
        describe(*std::any_cast<Params>(&params), visitor);
    }
    static void check_scene(const Scene& scene, const std::any& params, SceneDocument& document) {
        check(scene, chosen(params), document);
    }
    static double bytes(const Scene& scene, const std::any& params, double voxels, double bubbles) {
        return expected_bytes(scene, chosen(params), voxels, bubbles);
    }
    static std::vector<std::string> problems(const Scene& scene, const std::any& params,
                                             const Inputs& inputs, Context& context) {
        return foreseen(scene, chosen(params), inputs, context);
    }
    static std::unique_ptr<MethodRun> start(const Scene& scene, const std::any& params,
                                            const Inputs& inputs, Context& context) {
        const bool flat = scene.domain.dimensions == 2;
        SPUME_CHECK(flat ? M::abilities.two_dimensional : M::abilities.three_dimensional);
        if constexpr (M::abilities.two_dimensional)
            if (flat)
                return std::make_unique<MethodRunIn<M, 2>>(scene, chosen(params), inputs, context);
        if constexpr (M::abilities.three_dimensional)
            return std::make_unique<MethodRunIn<M, 3>>(scene, chosen(params), inputs, context);
        return nullptr;
    }
};

}  // namespace detail

template <IsMethod M>
inline constexpr MethodEntry kMethodEntry{M::name,
                                          M::summary,
                                          M::abilities,
                                          detail::Erased<M>::default_params,
                                          detail::Erased<M>::describe_params,
                                          detail::Erased<M>::check_scene,
                                          detail::Erased<M>::bytes,
                                          detail::Erased<M>::problems,
                                          detail::Erased<M>::start};

}  // namespace spume
