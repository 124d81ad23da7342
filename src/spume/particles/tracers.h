// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/vec.h"
#include "spume/particles/set.h"

namespace spume {

/// Points that a flow carries without noticing them. Memory as drawn in set.h.
template <int D>
struct Tracers {
    Array<Point<D>> position;  // m
    Array<float> amount;       // of what they carry
    Array<std::uint64_t> id;
    std::uint64_t next_id = 0;

    std::size_t size() const { return position.size(); }

    static constexpr auto attributes() {
        return std::tuple(Attribute{"position", &Tracers::position},
                          Attribute{"amount", &Tracers::amount}, Attribute{"id", &Tracers::id});
    }
};

static_assert(names_all_attributes<Tracers<2>>() && names_all_attributes<Tracers<3>>());

}  // namespace spume
