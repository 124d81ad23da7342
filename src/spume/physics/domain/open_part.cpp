// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/domain/open_part.h"

namespace spume {

double positive_part(double a, double b) {
    if (a > 0 && b > 0) return 1;
    if (a <= 0 && b <= 0) return 0;
    return std::max(a, b) / (std::max(a, b) - std::min(a, b));
}

double positive_part(const double (&corner)[4]) {
    constexpr double kX[4] = {0, 1, 1, 0}, kY[4] = {0, 0, 1, 1};
    double x[8], y[8];
    int n = 0;
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        if (corner[i] > 0) x[n] = kX[i], y[n++] = kY[i];
        if ((corner[i] > 0) != (corner[j] > 0)) {
            const double t = corner[i] / (corner[i] - corner[j]);
            x[n] = kX[i] + t * (kX[j] - kX[i]);
            y[n++] = kY[i] + t * (kY[j] - kY[i]);
        }
    }
    double twice = 0;
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n;
        twice += x[i] * y[j] - x[j] * y[i];
    }
    return std::clamp(twice / 2, 0.0, 1.0);
}

}  // namespace spume
