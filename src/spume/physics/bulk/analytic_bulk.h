// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/bulk/analytic_flow.h"
#include "spume/physics/bulk/domain_bulk.h"

namespace spume {

/// A flow with a formula as a bulk; it knows the domain's box, but answers everywhere.
template <int D>
class AnalyticBulk final : public DomainBulk<D> {
  public:
    explicit AnalyticBulk(const Scene& scene);

    std::vector<Index<D>> liquid_tiles(double time, double band, Context& context) const override;
    BulkFields<D> on(const typename Tiles<D>::Ptr& tiles, double time,
                     Context& context) const override;

  private:
    using DomainBulk<D>::transform_;
    std::unique_ptr<AnalyticFlow<D>> flow_;
};

}  // namespace spume
