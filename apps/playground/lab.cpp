// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "lab.h"

#include <cmath>
#include <vector>

namespace spume::playground {
namespace {

ProfilePoint<double> point_of(double f0, double g0, double f1, double g1, double x,
                              Profile profile) {
    switch (profile) {
        case Profile::kLinear:
            return profile_at<Profile::kLinear>(f0, g0, f1, g1, x);
        case Profile::kCip:
            return profile_at<Profile::kCip>(f0, g0, f1, g1, x);
        case Profile::kMonotone:
            return profile_at<Profile::kMonotone>(f0, g0, f1, g1, x);
        case Profile::kClamped:
            return profile_at<Profile::kClamped>(f0, g0, f1, g1, x);
        case Profile::kRational:
            return profile_at<Profile::kRational>(f0, g0, f1, g1, x);
    }
    return {};
}

}  // namespace

void lab_step(std::span<double> values, std::span<double> slopes, double courant, Profile profile) {
    const std::vector<double> f(values.begin(), values.end()), g(slopes.begin(), slopes.end());
    const auto n = std::ptrdiff_t(f.size());
    const auto wrapped = [n](std::ptrdiff_t i) { return std::size_t((i % n + n) % n); };
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        const double foot = double(i) - courant, lower = std::floor(foot);
        const std::size_t a = wrapped(std::ptrdiff_t(lower)),
                          b = wrapped(std::ptrdiff_t(lower) + 1);
        const auto p = point_of(f[a], g[a], f[b], g[b], foot - lower, profile);
        values[std::size_t(i)] = p.value;
        slopes[std::size_t(i)] = p.slope;
    }
}

double lab_profile(double f0, double g0, double f1, double g1, double x, Profile profile) {
    return point_of(f0, g0, f1, g1, x, profile).value;
}

}  // namespace spume::playground
