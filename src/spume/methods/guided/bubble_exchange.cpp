// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/methods/guided/bubble_exchange.h"

#include <vector>

#include "spume/grid/sample.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/transfer.h"

namespace spume::guided {

template <int D>
double remove_surfaced(Bubbles<D>& bubbles, const CellField<double, D>& phi, double densest,
                       Context& context) {
    Stage stage(context, "move");
    std::vector<std::uint8_t> gone(bubbles.size());
    const double volume = reduce(
        context.arena, bubbles.size(), std::size_t(4096), 0.0,
        [&](std::size_t b, std::size_t e) {
            TileCursor<D> cursor(*phi.tiles());
            double sum = 0;
            for (std::size_t q = b; q < e; ++q) {
                gone[q] = sample(phi, cursor, bubbles.position[q]) > 0;
                if (gone[q] && double(bubbles.density[q]) <= densest)
                    sum += bubble_volume<D>(bubbles.radius[q]);
            }
            return sum;
        },
        [](double a, double b) { return a + b; });
    remove_if(bubbles, context, [&](std::size_t q) { return gone[q] != 0; });
    return volume;
}

template <int D>
void join_liquid(Bubbles<D>& bubbles, const IdRange& ids, const FaceField<double, D>& water,
                 const TileRanges<D>& ranges, const GridDomain<D>& domain, Context& context) {
    if (ids.begin == ids.end) return;
    auto velocity = bubbles.velocity.write();
    gather_from_faces<double, D>(
        bubbles.position.read(), ranges, domain.clamp(), water,
        [&](std::size_t q, const Vec<double, D>& u) {
            if (bubbles.id[q] >= ids.begin && bubbles.id[q] < ids.end) velocity[q] += u;
        },
        context);
}

#define SPUME_INSTANTIATE(D)                                                               \
    template double remove_surfaced<D>(Bubbles<D>&, const CellField<double, D>&, double,   \
                                       Context&);                                          \
    template void join_liquid<D>(Bubbles<D>&, const IdRange&, const FaceField<double, D>&, \
                                 const TileRanges<D>&, const GridDomain<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume::guided
