// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/analytic_bulk.h"

namespace spume {

template <int D>
AnalyticBulk<D>::AnalyticBulk(const Scene& scene)
    : DomainBulk<D>(scene), flow_(analytic_flow<D>(scene)) {}

template <int D>
std::vector<Index<D>> AnalyticBulk<D>::liquid_tiles(double time, double band,
                                                    Context& context) const {
    Stage stage(context, "bulk");
    return this->tiles_where(
        [&](const Index<D>&, const Point<D>& x) { return flow_->phi(x, time) < band; }, context);
}

template <int D>
BulkFields<D> AnalyticBulk<D>::on(const typename Tiles<D>::Ptr& tiles, double time,
                                  Context& context) const {
    Stage stage(context, "bulk");
    const int ratio = alignment<D>(tiles->transform(), transform_).ratio;
    BulkFields<D> r{time, CellField<double, D>::unwritten(tiles),
                    FaceField<double, D>::unwritten(tiles)};
    double* phi = r.phi.write();
    double* velocity[D];
    for (int a = 0; a < D; ++a) velocity[a] = r.velocity.write(a);
    // The middles of the bulk's faces on one of ours: in one place, or half its voxel off.
    const double off = ratio == 2 ? 0.5 * transform_.voxel : 0;
    const int parts = ratio == 2 ? 1 << (D - 1) : 1;
    for_range(context.arena, std::size_t(tiles->zero()), 4, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b * kTileCells<D>; i < e * kTileCells<D>; ++i) {
            const int t = int(i / kTileCells<D>), o = int(i % kTileCells<D>);
            phi[i] = flow_->phi(r.phi.position(t, o), time);
            for (int a = 0; a < D; ++a) {
                double sum = 0;
                for (int part = 0; part < parts; ++part) {
                    Point<D> x = r.velocity.position(a, t, o);
                    for (int c = 1; c < D; ++c) x[(a + c) % D] += part >> (c - 1) & 1 ? off : -off;
                    sum += flow_->velocity(x, time)[a];
                }
                velocity[a][i] = sum / parts;
            }
        }
    });
    return r;
}

template class AnalyticBulk<2>;
template class AnalyticBulk<3>;

}  // namespace spume
