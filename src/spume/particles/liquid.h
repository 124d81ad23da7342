// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

/// Particles that carry a liquid's place and momentum. Memory as drawn in set.h.
template <int D>
struct Liquid {
    Array<Point<D>> position;        // m
    Array<Vec<double, D>> velocity;  // m/s
    Array<Vec<float, D * D>> gradient;  // 1/s; entry D·a + d is ∂u_a/∂x_d; only in affine transfer
    Array<float> excess;  // of density: ρ/ρ₀ − 1, ρ₀ the scene's water density
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }
    double relative_density(std::size_t i) const { return 1 + double(excess[i]); }

    static constexpr auto attributes() {
        return std::tuple(Attribute{"position", &Liquid::position},
                          Attribute{"velocity", &Liquid::velocity},
                          Attribute{"gradient", &Liquid::gradient, true},
                          Attribute{"excess", &Liquid::excess}, Attribute{"id", &Liquid::id});
    }
};

static_assert(names_all_attributes<Liquid<2>>() && names_all_attributes<Liquid<3>>());

}  // namespace spume
