// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/radius_distribution.h"

#include <algorithm>
#include <cmath>

#include "spume/core/math.h"
#include "spume/physics/motion/emit.h"

namespace spume {
namespace {

constexpr double kBelow = -3.0 / 2, kAbove = -10.0 / 3;

/// ∫ (r/s)^e dr from a to b, e ≠ −1.
double integral(double e, double a, double b, double s) {
    if (!(b > a)) return 0;
    return s / (e + 1) * (math::pow(b / s, e + 1) - math::pow(a / s, e + 1));
}
/// The b at which that integral is `value`.
double integral_end(double e, double a, double value, double s) {
    return s * math::pow(math::pow(a / s, e + 1) + (e + 1) * value / s, 1 / (e + 1));
}

}  // namespace

RadiusDistribution::RadiusDistribution(SizeLaw law, double radius_min, double radius_max,
                                       double split_radius)
    : law_(law),
      min_(radius_min),
      max_(radius_max),
      split_(std::clamp(split_radius, radius_min, radius_max)) {
    if (law_ != SizeLaw::kTwoSlope) return;
    below_ = integral(kBelow, min_, split_, split_);
    all_ = below_ + integral(kAbove, split_, max_, split_);
}

double RadiusDistribution::radius(double uniform) const {
    if (!(max_ > min_)) return min_;
    if (law_ == SizeLaw::kInverseCubic) return inverse_cubic_radius(uniform, min_, max_);
    const double value = uniform * all_;
    const double r = value < below_ ? integral_end(kBelow, min_, value, split_)
                                    : integral_end(kAbove, split_, value - below_, split_);
    return std::clamp(r, min_, max_);
}

double RadiusDistribution::share(double r) const {
    if (r >= max_) return 1;
    if (r <= min_) return 0;
    if (law_ == SizeLaw::kInverseCubic)
        return max_ * max_ / (r * r) * (r * r - min_ * min_) / (max_ * max_ - min_ * min_);
    const double below = integral(kBelow, min_, std::min(r, split_), split_);
    return (below + integral(kAbove, split_, r, split_)) / all_;
}

double RadiusDistribution::moment(int power) const {
    if (!(max_ > min_)) return math::pow(min_, power);
    if (law_ == SizeLaw::kInverseCubic) {
        const double a = min_, b = max_, weight = 2 * a * a * b * b / (b * b - a * a);
        if (power == 2) return weight * math::log(b / a);
        return weight * (math::pow(b, power - 2) - math::pow(a, power - 2)) / (power - 2);
    }
    const double sum = integral(kBelow + power, min_, split_, split_) +
                       integral(kAbove + power, split_, max_, split_);
    return math::pow(split_, power) * sum / all_;
}

template <int D>
double RadiusDistribution::mean_volume() const {
    return D == 2 ? math::kPi * moment(2) : 4 * math::kPi / 3 * moment(3);
}
template double RadiusDistribution::mean_volume<2>() const;
template double RadiusDistribution::mean_volume<3>() const;

}  // namespace spume
