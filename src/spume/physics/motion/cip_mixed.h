// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/motion/cip.h"

namespace spume {

// Mixed derivatives that go along with the flow, in place of differences of the first ones. A field
// carries what they are more than those differences, so that they follow every other change with
// the first ones.

/// Lets a field carry its mixed derivatives; what they are more than differences is nothing yet.
template <class T, int D>
void make_room_for_mixed(CipField<T, D>& field);
template <class T, int D>
bool has_mixed(const CipField<T, D>& field) {
    return field.mixed[0].values.size() > 0;
}

/// f_bc ← Σ J_ab J_dc F_ad(X) + Σ F_a(X) ∂²X_a/∂x_b∂x_c, by the profile of the field as it was
/// `before`; values and first derivatives have gone along already.
template <class T, int D>
void carry_mixed(CipField<T, D>& field, const CipField<T, D>& before, const Feet<T, D>& feet,
                 Context& context);

template <class T, int D>
void fill_mixed_ghosts(CipField<T, D>& field);

}  // namespace spume
