// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/io/vdb_foreign_grids.h"

namespace spume {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Vec3SGrid;

namespace {

constexpr int kAround = 8;  // second differences to each side that a median is taken of

float part(const openvdb::Vec3f& v, int axis) { return v[axis]; }
float part(float v, int) { return v; }

/// The means c of n + 1 faces f along a line leave only unknown what alternates,
///
///   f_i = p_i + (−1)^i a,   p_0 = 0,   p_{i+1} = 2 c_i − p_i
///
/// A smooth line has 4a = (−1)^i (p_{i−1} − 2p_i + p_{i+1}) but for its own second differences. The
/// median of that around a place does not see a wall or a front, and forgets what values that are
/// no means would add up to.
void faces_along(const std::vector<double>& c, std::vector<double>& f) {
    const int n = static_cast<int>(c.size());
    const auto sign = [](int i) { return i & 1 ? -1.0 : 1.0; };
    f.assign(c.size() + 1, 0);
    for (int i = 0; i < n; ++i) f[std::size_t(i + 1)] = 2 * c[std::size_t(i)] - f[std::size_t(i)];
    if (n == 1) {
        f = {c[0], c[0]};
        return;
    }
    std::vector<double> alternating(c.size() - 1), sorted;
    for (int i = 1; i < n; ++i) {
        const auto at = std::size_t(i);
        alternating[at - 1] = 0.25 * sign(i) * (f[at - 1] - 2 * f[at] + f[at + 1]);
    }
    for (int i = 0; i <= n; ++i) {
        const int middle = std::clamp(i - 1, 0, n - 2);
        const int lo = std::max(middle - kAround, 0), hi = std::min(middle + kAround, n - 2);
        sorted.assign(alternating.begin() + lo, alternating.begin() + hi + 1);
        const auto half = sorted.begin() + (hi - lo) / 2;
        std::nth_element(sorted.begin(), half, sorted.end());
        double a = *half;
        if ((hi - lo) % 2 == 1) a = (a + *std::min_element(half + 1, sorted.end())) / 2;
        f[std::size_t(i)] += sign(i) * a;
    }
}

template <class Grid>
FloatGrid::Ptr faces_of(const Grid& means, int axis) {
    auto faces = FloatGrid::create(0);
    auto in = means.getConstAccessor();
    auto out = faces->getAccessor();
    // Tiles are left out: they may be as large as a file likes.
    const auto known = [&](const Coord& at) { return in.isVoxel(at) && in.isValueOn(at); };
    std::vector<double> c, f;
    for (auto at = means.cbeginValueOn(); at; ++at) {
        if (!at.isVoxelValue()) continue;
        Coord ijk = at.getCoord();
        ijk[axis] -= 1;
        if (known(ijk)) continue;
        // A line begins.
        c.clear();
        for (ijk[axis] += 1; known(ijk); ++ijk[axis])
            c.push_back(double(part(in.getValue(ijk), axis)));
        faces_along(c, f);
        ijk[axis] -= static_cast<int>(c.size());
        for (const double v : f) {
            out.setValue(ijk, static_cast<float>(v));
            ++ijk[axis];
        }
    }
    return faces;
}

}  // namespace

FloatGrid::Ptr faces_of_means(const FloatGrid& means, int axis) { return faces_of(means, axis); }
FloatGrid::Ptr faces_of_means(const Vec3SGrid& means, int axis) { return faces_of(means, axis); }

}  // namespace spume
