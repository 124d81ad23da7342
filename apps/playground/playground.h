// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spume/methods/cip/edit.h"
#include "stages.h"

namespace spume::playground {

using State = cip::State<2>;
using World = cip::World<2>;

/// A scene of the method in 2D and its parameters, from a text as in scene files. Throws UserError
/// with every mistake in it.
struct Setting {
    Scene scene;
    cip::Params params;
};
Setting read_setting(std::string_view text);

/// Fields that pages draw: one value a cell, x fastest, from the lowest row up.
enum class Shown {
    kDistance,    ///< to the surface in voxels, negative in water
    kSolid,       ///< distance to solids in voxels, negative in them
    kVelocityX,   ///< m/s
    kVelocityY,   ///< m/s
    kPressure,    ///< Pa
    kVorticity,   ///< 1/s
    kDivergence,  ///< 1/s
    kLight,       ///< what water leaves of light from above, 0 … 1
    kPhi,         ///< the level set as it is carried
    kInk,         ///< 0 … 1
    kCount
};

/// Numbers of a state and its last substep.
enum class Measured {
    kTime,
    kSteps,
    kVolume,  ///< drops counted, bubbles not; m²
    kTarget,
    kSpeed,
    kDivergence,
    kIterations,
    kResidual,
    kCfl,
    kDrops,
    kBubbles,
    kFoam,
    kLastDt,
    kCount
};

/// Of water, air, drops, bubbles and bodies.
struct Energy {
    double kinetic = 0;    ///< J/m
    double potential = 0;  ///< J/m, over that of air alone and of a floor at the box's lower end
};
Energy energy_of(const State& state, const cip::Params& params, const World& world,
                 Context& context);

/// One simulation that can be changed while it runs.
class Playground {
  public:
    /// threads: where programs have any.
    explicit Playground(const Setting& setting, int threads = 1);
    Playground(const Playground&) = delete;
    Playground& operator=(const Playground&) = delete;

    /// Lets time pass by `dt` at most: one substep. False where none was possible; `why` says it.
    bool step(double dt);
    /// Another setting for the same water: solids, physics, parameters; another grid.
    void change(const Setting& setting);

    void pour(const cip::Brush<2>& brush, bool water);
    void drag(const cip::Brush<2>& brush, double strength);
    void ink(const cip::Brush<2>& brush, double amount);
    void stir(const cip::Brush<2>& brush, double spin);

    /// Keeps state and setting for `undo`; the oldest go when there are too many for 20 MB. How
    /// many are left.
    int keep();
    bool undo();

    std::vector<float> field(Shown shown, const State& state) const;
    /// x, y, radius, kind, velocity of each drop and bubble.
    std::vector<float> fragments() const;
    /// x, y of the centre of mass and the angle of each body that the fluid moves.
    std::vector<float> bodies() const;
    double measure(Measured what);
    Energy energy() const { return energy_of(state_, setting_.params, world_, context_); }
    /// Where matter came from that is now at a point, over the last dt: x, y.
    Point<2> came_from(const Point<2>& x, double dt) const;
    std::uint64_t hash();

    const World& world() const { return world_; }
    const State& state() const { return state_; }
    StageRecord& stages() { return stages_; }
    int threads() const { return context_.arena.threads(); }
    StageTimes& times() { return context_.times; }
    const std::string& why() const { return why_; }

  private:
    void watch();

    Setting setting_;
    mutable Context context_;
    World world_;
    State state_;
    StageRecord stages_;
    StepReport last_;
    double last_dt_ = 0;
    std::string why_;
    struct Kept {
        Setting setting;
        State state;
    };
    std::deque<Kept> kept_;
};

}  // namespace spume::playground
