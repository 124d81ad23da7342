// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/sample_rows.h"

#include <cmath>

#include <gtest/gtest.h>

#include "spume/core/random.h"

namespace spume {
namespace {

/// Face values in a block of 3^D tiles, and rows of points around the middle one.
template <int D>
class Rows {
  public:
    static constexpr int kCount = kTileSide<D>;

    Rows() : field_(Tiles<D>::dense({Index<D>{}, Index<D>::filled(3 * kTileSide<D>)}, {})) {
        for (int a = 0; a < D; ++a) {
            double* out = field_.write(a);
            for (std::size_t i = 0; i + kTileCells<D> < field_.tiles()->values(); ++i)
                out[i] = dice() - 0.5;
        }
        clamp_.lo = Vec<double, D>{};
        clamp_.hi = Vec<double, D>::filled(3 * kTileSide<D>);
    }

    /// Every point moved by `drift` and by up to `spread` of its own.
    void expect_interpolated(const Vec<double, D>& drift, double spread) {
        const int middle = field_.tiles()->find(Index<D>::filled(1));
        NearSampler<D> near(field_, clamp_, middle);
        for (int axis = 0; axis < D; ++axis)
            for (int o = 0; o < kTileCells<D>; o += kTileSide<D>) {
                RowPoints<D, kCount> points;
                for (int n = 0; n < kCount; ++n)
                    for (int a = 0; a < D; ++a)
                        points.x[a][n] = tile_local<D>(o + n)[a] + (a == axis ? 0 : 0.5) +
                                         drift[a] + spread * (dice() - 0.5);
                RowSamples<kCount> s;
                near.template sample<kCount, true>(axis, points, s);
                for (int n = 0; n < kCount; ++n) expect_one(axis, points, n, s);
            }
    }

  private:
    double dice() { return Random(4, next_++, 0, Purpose::kTest).uniform(0); }

    void expect_one(int axis, const RowPoints<D, kCount>& points, int n,
                    const RowSamples<kCount>& s) {
        double sum = 0, lo = 1, hi = -1;
        for (int k = 0; k < (1 << D); ++k) {
            Index<D> corner{};
            double weight = 1;
            for (int a = 0; a < D; ++a) {
                const double u = points.x[a][n] + kTileSide<D> - (a == axis ? 0 : 0.5);
                corner[a] = int(std::floor(u)) + (k >> a & 1);
                weight *= 1 - std::abs(u - corner[a]);
            }
            const int t = field_.tiles()->find(tile_of<D>(corner));
            const double v = field_.at(axis, t, tile_offset<D>(local_of<D>(corner)));
            sum += weight * v;
            lo = std::min(lo, v), hi = std::max(hi, v);
        }
        ASSERT_NEAR(s.value[n], sum, 1e-14);
        ASSERT_EQ(s.lo[n], lo);
        ASSERT_EQ(s.hi[n], hi);
    }

    FaceField<double, D> field_;
    Clamp<D> clamp_;
    std::uint64_t next_ = 0;
};

/// Together they move, as in a smooth flow: four at once. Apart: one by one, some beyond the halo.
template <int D>
void expect_rows() {
    Rows<D> rows;
    rows.expect_interpolated(Vec<double, D>::filled(0.3), 0.1);
    rows.expect_interpolated(Vec<double, D>::filled(-1.4), 0.1);
    rows.expect_interpolated(Vec<double, D>::filled(0.01), 0.1);
    rows.expect_interpolated(Vec<double, D>{}, 3);
    rows.expect_interpolated(Vec<double, D>::filled(0.7), 7);
}
TEST(SampleRows, AgreeWithTheWrittenSum2D) { expect_rows<2>(); }
TEST(SampleRows, AgreeWithTheWrittenSum3D) { expect_rows<3>(); }

}  // namespace
}  // namespace spume
