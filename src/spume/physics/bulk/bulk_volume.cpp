// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/frame/fields.h"
#include "spume/physics/bulk/cache_bulk.h"

namespace spume {

template <int D>
CellField<double, D> Bulk<D>::volume(const std::string& name, const typename Tiles<D>::Ptr&, double,
                                     Context&) const {
    throw UserError(fmt::format("the bulk has no volume '{}'", name),
                    "leave emission.mask out, or use a bulk of kind = \"cache\"");
}

template <int D>
CellField<double, D> CacheBulk<D>::volume(const std::string& name,
                                          const typename Tiles<D>::Ptr& tiles, double time,
                                          Context& context) const {
    CellField<double, D> r(tiles);
    double* out = r.write();
    for (const FrameShare<D>& share : shares_at(time, context).frames) {
        const Volume volume = source_->read_volume(share.frame->number, name);
        if (std::abs(volume.voxel - tiles->voxel()) > 1e-6 * tiles->voxel())
            throw error_in_file(source_->info().path,
                                fmt::format("the volume \"{}\" has voxels of {:.4g} m, the liquid "
                                            "of {:.4g} m",
                                            name, volume.voxel, tiles->voxel()),
                                "set emission.mask to a volume on the liquid's own grid");
        Index<D> shift{};
        for (int a = 0; a < D; ++a)
            shift[a] = int(
                std::lround((volume.origin[a] - tiles->transform().origin[a]) / tiles->voxel()));
        CellField<double, D> one(tiles);
        copy_values<D>(volume, 0, shift, *tiles, one.write(), context);
        const double* in = one.read();
        for_values(context.arena, *tiles, [&](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) out[i] += share.weight * in[i];
        });
    }
    return r;
}

template <int D>
std::vector<double> CacheBulk<D>::times_around(double time) const {
    const BulkInfo& info = source_->info();
    const int count = (info.last - info.first) / info.every;
    const double place = (time * info.fps + start_ - 1 - info.first) / info.every;
    const double nearest = std::round(place);
    const bool exact = std::abs(place - nearest) < 1e-6;
    const auto at = [&](double n) {
        return time_of(info.first + int(std::clamp(n, 0.0, double(count))) * info.every);
    };
    if (exact || place < 0 || place > count) return {at(nearest)};
    return {at(std::floor(place)), at(std::floor(place) + 1)};
}

template std::vector<double> CacheBulk<2>::times_around(double) const;
template std::vector<double> CacheBulk<3>::times_around(double) const;
template CellField<double, 2> CacheBulk<2>::volume(const std::string&, const Tiles<2>::Ptr&, double,
                                                   Context&) const;
template CellField<double, 3> CacheBulk<3>::volume(const std::string&, const Tiles<3>::Ptr&, double,
                                                   Context&) const;
template CellField<double, 2> Bulk<2>::volume(const std::string&, const Tiles<2>::Ptr&, double,
                                              Context&) const;
template CellField<double, 3> Bulk<3>::volume(const std::string&, const Tiles<3>::Ptr&, double,
                                              Context&) const;

}  // namespace spume
