// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/guard.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "spume/grid/sample.h"

namespace spume {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// First place of a value that is not finite. 0 · x is NaN for NaN and ±∞ alike and the sum
/// vectorises, so that looking costs one pass over memory.
std::size_t first_bad(std::span<const double> values, Context& context) {
    return reduce(
        context.arena, values.size(), std::size_t(1) << 15, kNone,
        [&](std::size_t b, std::size_t e) {
            double lane[8] = {};
            std::size_t i = b;
            for (; i + 8 <= e; i += 8)
                for (std::size_t k = 0; k < 8; ++k) lane[k] += values[i + k] * 0.0;
            double sum = 0;
            for (double x : lane) sum += x;
            for (; i < e; ++i) sum += values[i] * 0.0;
            if (sum == 0) return kNone;
            for (i = b; i < e; ++i)
                if (!std::isfinite(values[i])) return i;
            return kNone;
        },
        [](std::size_t a, std::size_t b) { return a < b ? a : b; });
}

template <int D>
Vec<double, 3> in_space(const Vec<double, D>& x) {
    Vec<double, 3> r{};
    for (int a = 0; a < D; ++a) r[a] = x[a];
    return r;
}

void fail(StepReport& report, BadValue bad) {
    report.failed = true;
    report.why =
        fmt::format("stage \"{}\": {} is {} in cell ({}, {}, {}) at ({:.6g}, {:.6g}, {:.6g}) m",
                    bad.stage, bad.field, bad.value, bad.cell[0], bad.cell[1], bad.cell[2],
                    bad.position[0], bad.position[1], bad.position[2]);
    report.bad.push_back(std::move(bad));
}

template <int D>
bool check_values(std::span<double> values, const Tiles<D>& tiles, int axis, std::string_view name,
                  std::string_view stage, StepReport& report, Context& context) {
    if (context.spoil) context.spoil(stage, name, values);
    const std::size_t at = first_bad(values, context);
    if (at == kNone) return true;
    const int tile = static_cast<int>(at / kTileCells<D>), offset = int(at % kTileCells<D>);
    BadValue bad{std::string(stage), std::string(name), {}, {}, values[at], {}};
    if (tile < tiles.zero()) {
        const Index<D> cell = tiles.origin(tile) + tile_local<D>(offset);
        Point<D> u = cell.template as<double>() + Point<D>::filled(0.5);
        if (axis >= 0) u[axis] -= 0.5;
        bad.position = in_space<D>(tiles.transform().to_world(u));
        TileCursor<D> cursor(tiles);
        for (int a = 0; a < D; ++a) {
            bad.cell[a] = cell[a];
            for (int s : {-1, 1})
                bad.neighbours.push_back(values[cursor(cell + Index<D>::unit(a, s))]);
        }
    }
    fail(report, std::move(bad));
    return false;
}

template <int D>
bool check_bubbles(Array<Vec<double, D>>& values, const Bubbles<D>& bubbles,
                   const Transform<D>& transform, std::string_view name, std::string_view stage,
                   StepReport& report, Context& context) {
    if (values.empty()) return true;
    if (context.spoil) context.spoil(stage, name, {&values.write()[0][0], values.size() * D});
    const std::size_t at = first_bad({&values.data()[0][0], values.size() * D}, context);
    if (at == kNone) return true;
    const std::size_t q = at / D;
    BadValue bad{std::string(stage),
                 fmt::format("{} of bubble {}", name, bubbles.id[q]),
                 {},
                 {},
                 values[q][int(at % D)],
                 {}};
    const Point<D> x = bubbles.position[q];
    bad.position = in_space<D>(x);
    bool placed = true;
    for (int a = 0; a < D; ++a) placed = placed && std::abs(transform.to_lattice(x)[a]) < 1e9;
    if (placed)
        for (int a = 0; a < D; ++a) bad.cell[a] = floor_index<D>(transform.to_lattice(x))[a];
    fail(report, std::move(bad));
    return false;
}

}  // namespace

template <int D>
bool all_finite(FaceField<double, D>& field, std::string_view name, std::string_view stage,
                StepReport& report, Context& context) {
    for (int a = 0; a < D; ++a) {
        const std::string axis = fmt::format("{}.{}", name, "xyz"[a]);
        if (!check_values<D>(field.component(a).write(), *field.tiles(), a, axis, stage, report,
                             context))
            return false;
    }
    return true;
}

template <int D>
bool all_finite(CellField<double, D>& field, std::string_view name, std::string_view stage,
                StepReport& report, Context& context) {
    return check_values<D>(field.values().write(), *field.tiles(), -1, name, stage, report,
                           context);
}

template <int D>
bool all_finite(Bubbles<D>& bubbles, const Transform<D>& transform, std::string_view stage,
                StepReport& report, Context& context) {
    return check_bubbles<D>(bubbles.position, bubbles, transform, "position", stage, report,
                            context) &&
           check_bubbles<D>(bubbles.velocity, bubbles, transform, "velocity", stage, report,
                            context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template bool all_finite<D>(FaceField<double, D>&, std::string_view, std::string_view,       \
                                StepReport&, Context&);                                          \
    template bool all_finite<D>(CellField<double, D>&, std::string_view, std::string_view,       \
                                StepReport&, Context&);                                          \
    template bool all_finite<D>(Bubbles<D>&, const Transform<D>&, std::string_view, StepReport&, \
                                Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
