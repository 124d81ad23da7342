// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/core/vec.h"

namespace spume {

/// A sum of solid angles of triangles seen from the origin, Ω = 2 arg(d + i n) each, [OS83] Eq. 8.
/// Arguments add up where complex numbers multiply: one atan2 for all, and whole turns are counted.
class SolidAngles {
  public:
    void add(const Vec<double, 3>& a, const Vec<double, 3>& b, const Vec<double, 3>& c) {
        const double la = length(a), lb = length(b), lc = length(c);
        const double n = dot(a, cross(b, c));
        const double d = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        if (n == 0 && d <= 0) return;  // on the triangle itself: either side is right
        const double re = re_ * d - im_ * n, im = re_ * n + im_ * d;
        if (im_ >= 0 && n >= 0 && im < 0) ++turns_;
        if (im_ < 0 && n < 0 && im >= 0) --turns_;
        const double scale = 1 / std::max(std::abs(re), std::abs(im));
        re_ = re * scale;
        im_ = im * scale;
    }
    double total() const { return 2 * math::atan2(im_, re_) + 4 * math::kPi * turns_; }

  private:
    double re_ = 1, im_ = 0;
    int turns_ = 0;
};

}  // namespace spume
