// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/bulk/analytic_flow.h"
#include "spume/physics/bulk/bulk.h"

namespace spume {

/// A flow with a formula as a bulk; it knows the domain's box, but answers everywhere.
template <int D>
class AnalyticBulk final : public Bulk<D> {
  public:
    explicit AnalyticBulk(const Scene& scene);

    Interval times() const override;
    const Transform<D>& transform() const override { return transform_; }
    Box<double, D> box(double) const override { return box_; }
    std::vector<Index<D>> liquid_tiles(double time, double band, Context& context) const override;
    BulkFields<D> on(const typename Tiles<D>::Ptr& tiles, double time,
                     Context& context) const override;

  private:
    std::unique_ptr<AnalyticFlow<D>> flow_;
    Transform<D> transform_;
    Box<int, D> cells_{};
    Box<double, D> box_{};
};

}  // namespace spume
