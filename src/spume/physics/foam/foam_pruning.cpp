// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_pruning.h"

#include <algorithm>
#include <vector>

#include "spume/core/random.h"
#include "spume/physics/foam/foam_transitions.h"
#include "spume/physics/foam/sph_kernel.h"

namespace spume {
namespace {

template <int D>
double crowding(const Foam<D>& all, const FoamCells<D>& cells,
                const typename FoamCells<D>::Class& own, const Index<D>& cell, std::size_t p,
                const WetFoam& law) {
    const double h = law.support * double(all.radius[p]);
    double sum = 0;
    for_near<D>(cells, own, cell, [&](std::size_t first, std::size_t last) {
        for (std::size_t q = first; q < last; ++q) {
            const auto d = all.position[q] - all.position[p];
            if (!(dot(d, d) < h * h)) continue;
            const double part = double(all.radius[q]) / h;
            sum += law.pruning == FoamPruning::kNumber ? 1.0 : D == 2 ? part : part * part;
        }
    });
    const double packed = law.pruning == FoamPruning::kNumber ? sph::packed_count<D>(law.support)
                                                              : sph::kPackedCover<D>;
    return sum / packed;
}

}  // namespace

template <int D>
double prune(Foam<D>& newcomers, const Foam<D>& foam, const WetFoam& law, std::uint64_t seed,
             Context& context) {
    if (newcomers.size() == 0 || law.pruning == FoamPruning::kOff) return 0;
    Stage stage(context, "foam");
    std::vector<std::uint64_t> fresh(newcomers.id.begin(), newcomers.id.end());
    std::sort(fresh.begin(), fresh.end());
    Foam<D> all = foam;
    adopt(all, newcomers);
    // A small particle beside a large one is within reach of the mean of both, which 2β makes at
    // least its own h.
    const FoamCells<D> cells = sorted_foam(all, 2 * law.support, context);
    std::vector<std::uint64_t> gone;
    for (const auto& own : cells.classes)
        for (int t = 0; t < own.tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const std::size_t place = std::size_t(t) * kTileCells<D> + std::size_t(o);
                for (std::size_t p = own.first + own.cells.first(place);
                     p < own.first + own.cells.last(place); ++p) {
                    if (!std::binary_search(fresh.begin(), fresh.end(), all.id[p])) continue;
                    const Index<D> cell = own.tiles->origin(t) + tile_local<D>(o);
                    const double full = crowding(all, cells, own, cell, p, law);
                    const Random random(seed, all.id[p], 0, Purpose::kPruning);
                    if (1 < random.uniform(0) * full) gone.push_back(all.id[p]);
                }
            }
    std::sort(gone.begin(), gone.end());
    const auto goes = [&](std::size_t i) {
        return std::binary_search(gone.begin(), gone.end(), newcomers.id[i]);
    };
    double volume = 0;
    for (std::size_t i = 0; i < newcomers.size(); ++i)
        if (goes(i)) volume += bubble_volume<D>(double(newcomers.radius[i]));
    const auto ids = newcomers.id;
    remove_if(newcomers, context,
              [&](std::size_t i) { return std::binary_search(gone.begin(), gone.end(), ids[i]); });
    return volume;
}

template double prune<2>(Foam<2>&, const Foam<2>&, const WetFoam&, std::uint64_t, Context&);
template double prune<3>(Foam<3>&, const Foam<3>&, const WetFoam&, std::uint64_t, Context&);

}  // namespace spume
