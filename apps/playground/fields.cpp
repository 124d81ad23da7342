// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "playground.h"
#include "spume/methods/cip/fragments.h"
#include "spume/surface/dense_level_set.h"

namespace spume::playground {
namespace {

/// Light from above, made duller by water and softer on its way.
std::vector<float> light(const std::vector<float>& distance, int nx, int ny, double voxel) {
    std::vector<float> r(distance.size());
    std::vector<float> row(std::size_t(nx), 1.0f), next(row);
    const float dull = float(std::exp(-1.1 * voxel / (0.45 * ny * voxel)));
    for (int j = ny - 1; j >= 0; --j) {
        for (int i = 0; i < nx; ++i) {
            const float left = row[std::size_t(std::max(i - 1, 0))];
            const float right = row[std::size_t(std::min(i + 1, nx - 1))];
            const float soft = 0.5f * row[std::size_t(i)] + 0.25f * (left + right);
            const float water = std::clamp(
                0.5f - distance[std::size_t(j) * std::size_t(nx) + std::size_t(i)], 0.0f, 1.0f);
            next[std::size_t(i)] = soft * (1 + (dull - 1) * water);
        }
        std::swap(row, next);
        std::copy(row.begin(), row.end(), r.begin() + std::ptrdiff_t(j) * nx);
    }
    return r;
}

}  // namespace

std::vector<float> Playground::field(Shown shown, const State& s) const {
    const Index<2> cells = world_.cells();
    const int nx = cells[0], ny = cells[1];
    std::vector<float> r(std::size_t(nx) * std::size_t(ny));
    const auto& shape = s.phi.f.shape;
    const std::size_t dx = shape.stride(0), dy = shape.stride(1);
    const double h = world_.voxel();
    if (shown == Shown::kLight) return light(field(Shown::kDistance, s), nx, ny, h);
    const PlacedSolids<2> solids =
        shown == Shown::kSolid ? world_.solids_at(s.time, s.rigid) : PlacedSolids<2>();
    const double *u = s.velocity[0].f.read(), *v = s.velocity[1].f.read();
    const auto value = [&](const Index<2>& i, std::size_t at) -> double {
        switch (shown) {
            case Shown::kDistance: {
                const double g[2] = {s.phi.g[0].values[at], s.phi.g[1].values[at]};
                const double phi = s.phi.f.values[at];
                const double d = scaled_distance<double, 2>(phi, g);
                // Where φ is steep far from the surface, its gradient says nothing of the way
                // there.
                const double size =
                    std::abs(phi) > 1.5 ? std::max(std::abs(phi), std::abs(d)) : std::abs(d);
                return std::copysign(std::min(size, 64.0), d);
            }
            case Shown::kInk:
                return has_ink(s) ? s.ink.f.values[at] : 0;
            case Shown::kPhi:
                return s.phi.f.values[at];
            case Shown::kSolid:
                if (solids.empty()) return 8;
                return solids.distance_within(
                           world_.position(i.as<double>() + Vec<double, 2>::filled(0.5)), 8 * h) /
                       h;
            case Shown::kVelocityX:
                return 0.5 * (u[at] + u[at + dx]);
            case Shown::kVelocityY:
                return 0.5 * (v[at] + v[at + dy]);
            case Shown::kPressure:
                return s.pressure.values[at];
            case Shown::kVorticity:
                return 0.25 / h *
                       (v[at + dx] + v[at + dx + dy] - v[at - dx] - v[at - dx + dy] - u[at + dy] -
                        u[at + dy + dx] + u[at - dy] + u[at - dy + dx]);
            case Shown::kDivergence:
                return (u[at + dx] - u[at] + v[at + dy] - v[at]) / h;
            default:
                return 0;
        }
    };
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            r[std::size_t(j) * std::size_t(nx) + std::size_t(i)] =
                float(value({i, j}, shape.at({i, j})));
    return r;
}

std::vector<float> Playground::fragments() const {
    const auto& f = state_.fragments;
    std::vector<float> r;
    for (std::size_t i = 0; i < f.size(); ++i) {
        const double values[] = {
            f.position[i][0],  f.position[i][1], cip::fragment_radius<2>(f.volume[i]),
            double(f.kind[i]), f.velocity[i][0], f.velocity[i][1]};
        for (const double x : values) r.push_back(float(x));
    }
    return r;
}

std::vector<float> Playground::bodies() const {
    std::vector<float> r;
    for (const RigidState& s : state_.rigid) {
        const Vec<double, 3> x = s.turn.rotation().apply({1, 0, 0});
        for (const double value : {s.position[0], s.position[1], std::atan2(x[1], x[0])})
            r.push_back(float(value));
    }
    return r;
}

Point<2> Playground::came_from(const Point<2>& x, double dt) const {
    const auto velocity = [&](const Point<2>& at) {
        const Vec<double, 2> lattice = world_.lattice(at);
        Vec<double, 2> u{};
        for (int a = 0; a < 2; ++a) {
            const auto& place = state_.velocity[a].place;
            double inside[2];
            for (int b = 0; b < 2; ++b)
                inside[b] = std::clamp(lattice[b], 0.0, double(place.cells[b]));
            u[a] = sample_dense<double, 2>(state_.velocity[a].f.read(), place, inside);
        }
        return u;
    };
    return x - velocity(x - velocity(x) * (dt / 2)) * dt;  // the midpoint rule of trace_back
}

}  // namespace spume::playground
