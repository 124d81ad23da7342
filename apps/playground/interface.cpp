// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What pages call: plain C, numbers and texts. A simulation is a small number from `spume_open`.
// Fields and texts that are returned live until the next call.

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "lab.h"
#include "playground.h"
#include "spume/core/error.h"

#define SPUME_CALL extern "C" __attribute__((used, visibility("default")))

namespace {

using namespace spume;
using namespace spume::playground;

/// All that outlives a call. Browsers load a program once for each worker: this is its state.
struct Desk {
    std::vector<std::unique_ptr<Playground>> simulations;
    std::vector<float> numbers;
    std::string text;
    int threads = 1;  ///< of simulations opened from now on
};
Desk& desk() {
    static Desk instance;
    return instance;
}

Playground* find(int handle) {
    auto& all = desk().simulations;
    return handle >= 0 && std::size_t(handle) < all.size() ? all[std::size_t(handle)].get()
                                                           : nullptr;
}

/// Runs f; an error becomes a text and `otherwise`.
template <class T, class F>
T guarded(T otherwise, F&& f) {
    desk().text.clear();
    try {
        return f();
    } catch (const std::exception& error) {
        desk().text = error.what();
        return otherwise;
    }
}

const float* given(std::vector<float> values) {
    desk().numbers = std::move(values);
    return desk().numbers.data();
}

}  // namespace

SPUME_CALL const char* spume_text() { return desk().text.c_str(); }
SPUME_CALL int spume_count() { return int(desk().numbers.size()); }

/// Simulations opened from now on have so many threads, where the program has any at all.
SPUME_CALL void spume_set_threads(int threads) { desk().threads = std::max(1, threads); }
SPUME_CALL int spume_threads(int handle) { return find(handle)->threads(); }

SPUME_CALL int spume_open(const char* scene) {
    return guarded(-1, [&] {
        auto fresh = std::make_unique<Playground>(read_setting(scene), desk().threads);
        auto& all = desk().simulations;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!all[i]) {
                all[i] = std::move(fresh);
                return int(i);
            }
        all.push_back(std::move(fresh));
        return int(all.size()) - 1;
    });
}
SPUME_CALL void spume_close(int handle) {
    if (find(handle)) desk().simulations[std::size_t(handle)].reset();
}
SPUME_CALL int spume_change(int handle, const char* scene) {
    return guarded(0, [&] {
        find(handle)->change(read_setting(scene));
        return 1;
    });
}

SPUME_CALL int spume_step(int handle, double dt) {
    return guarded(0, [&] {
        Playground& p = *find(handle);
        if (p.step(dt)) return 1;
        desk().text = p.why();
        return 0;
    });
}
/// How many states there are to go back to.
SPUME_CALL int spume_keep(int handle) { return find(handle)->keep(); }
SPUME_CALL int spume_undo(int handle) { return find(handle)->undo() ? 1 : 0; }

SPUME_CALL void spume_pour(int handle, double x, double y, double radius, double u, double v,
                           int water) {
    find(handle)->pour({{x, y}, radius, {u, v}}, water != 0);
}
SPUME_CALL void spume_drag(int handle, double x, double y, double radius, double u, double v,
                           double strength) {
    find(handle)->drag({{x, y}, radius, {u, v}}, strength);
}
SPUME_CALL void spume_stir(int handle, double x, double y, double radius, double spin) {
    find(handle)->stir({{x, y}, radius, {}}, spin);
}

SPUME_CALL void spume_ink(int handle, double x, double y, double radius, double amount) {
    find(handle)->ink({{x, y}, radius, {}}, amount);
}

SPUME_CALL int spume_cells(int handle, int axis) { return find(handle)->world().cells()[axis]; }
SPUME_CALL double spume_voxel(int handle) { return find(handle)->world().voxel(); }
SPUME_CALL double spume_measure(int handle, int what) {
    return find(handle)->measure(Measured(what));
}
/// Kinetic, potential.
SPUME_CALL const float* spume_energy(int handle) {
    const Energy energy = find(handle)->energy();
    return given({float(energy.kinetic), float(energy.potential)});
}
SPUME_CALL const float* spume_field(int handle, int shown) {
    Playground& p = *find(handle);
    return given(p.field(Shown(shown), p.state()));
}
SPUME_CALL const float* spume_fragments(int handle) { return given(find(handle)->fragments()); }
SPUME_CALL const float* spume_bodies(int handle) { return given(find(handle)->bodies()); }
SPUME_CALL const float* spume_came_from(int handle, double x, double y, double dt) {
    const Point<2> foot = find(handle)->came_from({x, y}, dt);
    return given({float(foot[0]), float(foot[1])});
}
SPUME_CALL const char* spume_hash(int handle) {
    desk().text = fmt::format("{:016x}", find(handle)->hash());
    return desk().text.c_str();
}

SPUME_CALL void spume_record(int handle, int on) { find(handle)->stages().recording = on != 0; }
SPUME_CALL void spume_switch(int handle, int part, int on) {
    if (part >= 0 && part < kPartCount) find(handle)->stages().off[part] = on == 0;
}
/// Parts of the last substep, in their order.
SPUME_CALL const float* spume_parts(int handle) {
    std::vector<float> parts;
    for (const auto& seen : find(handle)->stages().seen()) parts.push_back(float(int(seen.part)));
    return given(std::move(parts));
}
SPUME_CALL const float* spume_part_field(int handle, int index, int after, int shown) {
    Playground& p = *find(handle);
    const auto& seen = p.stages().seen();
    if (index < 0 || std::size_t(index) >= seen.size()) return given({});
    const auto& part = seen[std::size_t(index)];
    return given(p.field(Shown(shown), after ? part.after : part.before));
}

/// Residuals of the pressure solver's cycles in the last substep, relative to its right-hand side.
SPUME_CALL const float* spume_cycles(int handle) {
    std::vector<float> r;
    for (const auto& cycle : find(handle)->stages().cycles) r.push_back(float(cycle.relative));
    return given(std::move(r));
}
/// What one of them left in each cell, x slowest.
SPUME_CALL const float* spume_cycle_field(int handle, int index) {
    const auto& all = find(handle)->stages().cycles;
    if (index < 0 || std::size_t(index) >= all.size()) return given({});
    return given(all[std::size_t(index)].residual);
}

/// The 1D laboratory: values then slopes, n of each, are moved by `courant` cells, round and round.
SPUME_CALL void spume_lab(double* values, double* slopes, int n, double courant, int profile) {
    lab_step({values, std::size_t(n)}, {slopes, std::size_t(n)}, courant, Profile(profile));
}
SPUME_CALL double spume_lab_profile(double f0, double g0, double f1, double g1, double x,
                                    int profile) {
    return lab_profile(f0, g0, f1, g1, x, Profile(profile));
}
