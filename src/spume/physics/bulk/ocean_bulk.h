// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <mutex>

#include "spume/physics/bulk/domain_bulk.h"
#include "spume/physics/bulk/ocean_waves.h"

namespace spume {

/// A sea under the wind as a bulk. Fluxes of a cell balance to round-off. More than a voxel above
/// the surface the velocity is that of a voxel above it.
template <int D>
class OceanBulk final : public DomainBulk<D> {
  public:
    explicit OceanBulk(const Scene& scene);

    std::vector<Index<D>> liquid_tiles(double time, double band, Context& context) const override;
    BulkFields<D> on(const typename Tiles<D>::Ptr& tiles, double time,
                     Context& context) const override;
    const OceanWaves<D>& waves() const { return waves_; }

  private:
    using DomainBulk<D>::transform_;
    using DomainBulk<D>::cells_;
    using DomainBulk<D>::box_;
    using StatePtr = std::shared_ptr<const OceanState<D>>;
    StatePtr state(double time, Context& context) const;

    OceanWaves<D> waves_;
    double level_;

    mutable std::mutex mutex_;
    mutable std::vector<StatePtr> kept_;  ///< the latest asked for last; decides nothing
};

}  // namespace spume
