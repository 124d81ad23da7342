// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <gtest/gtest.h>

#include "cip_run.h"
#include "spume/surface/dense_level_set.h"

namespace spume {
namespace {

constexpr double kBandWidth = 6;

/// A sheet across an axis of which φ is `steepness` times the distance.
template <int D>
DenseField<double, D> sheet(int axis, double middle, double width, double steepness) {
    const auto place = DensePlace<D>::centres(Index<D>::filled(24));
    DenseField<double, D> phi(place.shape);
    double* f = phi.write();
    Context context(1);
    for_rows(context.arena, phi.shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1])
            f[at] = steepness * (std::abs(i[axis] + 0.5 - middle) - width / 2);
    });
    const bool even[D] = {};
    mirror_ghosts<double, D>(f, place, even);
    return phi;
}

/// However steep φ was, in one go it becomes the distance, and it stays so: a sheet of a voxel and
/// a half gets neither thicker nor thinner. The zero between two centres, one of which lies beyond
/// the fold, is known to a tenth of a voxel only.
template <int D>
void sheets_keep_their_width() {
    Context context(1);
    const double middle = 10.4, width = 1.6;
    for (const double steepness : {0.3, 1.0, 20.0})
        for (int axis = 0; axis < D; ++axis) {
            DenseField<double, D> phi = sheet<D>(axis, middle, width, steepness);
            for (int time = 0; time < 8; ++time) {
                redistance(phi, kBandWidth, 12, context);
                if (time > 0 && time < 7) continue;
                for (int k = 6; k < 15; ++k) {
                    Index<D> i = Index<D>::filled(12);
                    i[axis] = k;
                    EXPECT_NEAR(phi.at(i), std::abs(k + 0.5 - middle) - width / 2, 0.1)
                        << "steepness " << steepness << ", cell " << k << ", time " << time;
                }
            }
        }
}

TEST(CipRedistance, SheetsKeepTheirWidth) {
    sheets_keep_their_width<2>();
    sheets_keep_their_width<3>();
}

}  // namespace
}  // namespace spume
