// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "playground.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/core/error.h"
#include "spume/methods/cip/fragments.h"
#include "spume/methods/cip/method.h"
#include "spume/scene/parse.h"

namespace spume::playground {
namespace {

constexpr int kMostHalvings = 5;
constexpr int kMostCells = 512 * 384 + 512;  // as scenes.js says; a row more by rounding
constexpr std::size_t kKeptBytes = std::size_t(20) << 20;

std::size_t bytes_of(const State& s) { return 11 * s.phi.f.values.size() * sizeof(double); }

}  // namespace

Setting read_setting(std::string_view text) {
    Setting r;
    const MethodReader reader = [&](Scene& scene, SceneDocument& document) {
        if (scene.method != "cip") return complain_unknown_method(scene, {"cip"}, document);
        document.fill("cip", r.params);
        if (scene.domain.dimensions != 2)
            document.complain("domain.dimensions", "the playground is flat", "use 2");
        const cip::Scheme scheme = r.params.advection;
        if (scheme == cip::Scheme::kMarkers || scheme == cip::Scheme::kWeno)
            document.complain("cip.advection", "the playground has neither markers nor WENO",
                              "use another");
        if (r.params.bodies == cip::Bodies::kMarked)
            document.complain("cip.bodies", "the playground couples bodies", "leave it out");
        if (r.params.redistance == cip::Redistance::kSweep)
            document.complain("cip.redistance", "the playground has the paper's equation only",
                              "leave it out");
        cip::check(scene, r.params, document);
    };
    r.scene = parse_scene(text, "scene", {}, reader);
    // Of a damaged or foreign link too: it ends in a sentence, not in a browser without memory.
    const Vec<double, 3> size = r.scene.domain.upper - r.scene.domain.lower;
    const double h = r.scene.voxel(), cells = std::ceil(size[0] / h) * std::ceil(size[1] / h);
    if (!(cells <= kMostCells))
        throw UserError(fmt::format("{:.0f} cells are more than a browser holds", cells),
                        fmt::format("take {} at most", kMostCells));
    return r;
}

Playground::Playground(const Setting& setting, int threads)
    : setting_(setting),
      context_(threads),
      world_(cip::world_of<2>(setting.scene, setting.params, Inputs{})),
      state_(cip::init(world_, setting.params, context_)) {
    watch();
}

void Playground::watch() {
    world_.onlooker = [this](Part part, State& state) { stages_.at(part, state); };
    world_.box_solver->onlooker = [this](int, double relative, const std::vector<float>& residual) {
        if (stages_.recording) stages_.cycles.push_back({relative, residual});
    };
}

bool Playground::step(double dt) {
    const State before = state_;
    const double longest = cip::max_dt(state_, setting_.params, world_, context_).seconds;
    double length = dt / std::max(1.0, std::ceil(dt / longest * (1 - 1e-12)));
    for (int halvings = 0; halvings <= kMostHalvings; ++halvings, length /= 2) {
        last_ = cip::step(state_, setting_.params, world_, {state_.time, state_.time + length},
                          context_);
        last_dt_ = length;
        if (!last_.failed) return true;
        state_ = before;
    }
    why_ = last_.why;
    return false;
}

void Playground::change(const Setting& setting) {
    const Domain &a = setting_.scene.domain, &b = setting.scene.domain;
    const bool same_grid = a.lower == b.lower && a.upper == b.upper &&
                           setting_.scene.voxel() == setting.scene.voxel() &&
                           setting_.params.no_slip_walls == setting.params.no_slip_walls;
    if (same_grid) {
        cip::replace_solids(state_, world_, setting.params, setting.scene.solids, Inputs{},
                            context_);
        world_.scene = setting.scene;
        world_.forces = ForceSet<2>(setting.scene.forces, {});
    } else {
        World next = cip::world_of<2>(setting.scene, setting.params, Inputs{});
        state_ = cip::resampled(state_, world_, next, setting.params, context_);
        world_ = std::move(next);
        watch();
    }
    setting_ = setting;
}

void Playground::pour(const cip::Brush<2>& brush, bool water) {
    cip::pour(state_, world_, setting_.params, brush, water, context_);
}
void Playground::drag(const cip::Brush<2>& brush, double strength) {
    cip::drag(state_, world_, brush, strength, context_);
}
void Playground::stir(const cip::Brush<2>& brush, double spin) {
    cip::stir(state_, world_, brush, spin, context_);
}

void Playground::ink(const cip::Brush<2>& brush, double amount) {
    cip::add_ink(state_, world_, brush, amount, context_);
}

int Playground::keep() {
    kept_.push_back({setting_, state_});
    std::size_t bytes = 0;
    for (const Kept& kept : kept_) bytes += bytes_of(kept.state);
    for (; kept_.size() > 1 && bytes > kKeptBytes; kept_.pop_front())
        bytes -= bytes_of(kept_.front().state);
    return int(kept_.size());
}

bool Playground::undo() {
    if (kept_.empty()) return false;
    const Kept kept = std::move(kept_.back());
    kept_.pop_back();
    change(kept.setting);
    state_ = kept.state;
    return true;
}

double Playground::measure(Measured what) {
    const auto count = [&](cip::FragmentKind kind) {
        return double(std::count(state_.fragments.kind.begin(), state_.fragments.kind.end(),
                                 std::int32_t(kind)));
    };
    switch (what) {
        case Measured::kTime:
            return state_.time;
        case Measured::kSteps:
            return double(state_.steps);
        case Measured::kVolume:
            return state_.volume + cip::fragment_volume(state_.fragments, cip::kDrop) -
                   cip::fragment_volume(state_.fragments, cip::kBubble) -
                   cip::fragment_volume(state_.fragments, cip::kFoam);
        case Measured::kTarget:
            return state_.target_volume;
        case Measured::kSpeed:
            return last_.max_speed;
        case Measured::kDivergence:
            return last_.max_divergence;
        case Measured::kIterations:
            return last_.pressure_iterations;
        case Measured::kResidual:
            return last_.pressure_residual;
        case Measured::kCfl:
            return last_.max_speed * last_dt_ / world_.voxel();
        case Measured::kDrops:
            return count(cip::kDrop);
        case Measured::kBubbles:
            return count(cip::kBubble);
        case Measured::kFoam:
            return count(cip::kFoam);
        case Measured::kLastDt:
            return last_dt_;
        case Measured::kCount:
            break;
    }
    return 0;
}

namespace {

/// FNV-1a over all that a checkpoint would hold.
class Hasher final : public StateVisitor {
  public:
    bool loading() const override { return false; }
    std::uint64_t hash = 0xcbf29ce484222325u;

  protected:
    void fixed(std::string_view, ElementType, std::span<std::byte> bytes) override {
        add(bytes.data(), bytes.size());
    }
    void array(std::string_view, ElementType type, const std::byte* data, std::size_t count,
               FunctionOfSize) override {
        add(data, count * std::size_t(type.bytes) * std::size_t(type.width));
    }

  private:
    void add(const std::byte* data, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            hash = (hash ^ std::uint64_t(data[i])) * 0x100000001b3u;
    }
};

}  // namespace

std::uint64_t Playground::hash() {
    Hasher hasher;
    describe(state_, world_, hasher);
    return hasher.hash;
}

}  // namespace spume::playground
