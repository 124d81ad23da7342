// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/physics/bulk/bulk.h"

namespace spume {

/// A bulk with a formula: known at all times, on a lattice laid over the scene's domain.
template <int D>
class DomainBulk : public Bulk<D> {
  public:
    explicit DomainBulk(const Scene& scene);

    Interval times() const override;
    const Transform<D>& transform() const override { return transform_; }
    Box<double, D> box(double) const override { return box_; }

  protected:
    /// Keys of the tiles with a cell in the domain for which `wanted(cell, centre)` holds.
    template <class Wanted>
    std::vector<Index<D>> tiles_where(Wanted&& wanted, Context& context) const;

    Transform<D> transform_;
    Box<int, D> cells_{};
    Box<double, D> box_{};
};

template <int D>
template <class Wanted>
std::vector<Index<D>> DomainBulk<D>::tiles_where(Wanted&& wanted, Context& context) const {
    const auto tiles = Tiles<D>::dense(cells_, transform_);
    std::vector<std::uint8_t> found(std::size_t(tiles->active()));
    for_tiles(context.arena, *tiles, [&](int t) {
        for (int o = 0; o < kTileCells<D> && !found[std::size_t(t)]; ++o) {
            const Index<D> cell = tiles->origin(t) + tile_local<D>(o);
            if (!cells_.contains(cell)) continue;
            found[std::size_t(t)] = wanted(
                cell, transform_.to_world(cell.template as<double>() + Point<D>::filled(0.5)));
        }
    });
    std::vector<Index<D>> keys;
    for (int t = 0; t < tiles->active(); ++t)
        if (found[std::size_t(t)]) keys.push_back(tiles->key(t));
    return keys;
}

extern template class DomainBulk<2>;
extern template class DomainBulk<3>;

}  // namespace spume
