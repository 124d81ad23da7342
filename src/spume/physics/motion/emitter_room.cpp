// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/emitter_room.h"

#include <algorithm>
#include <cmath>

namespace spume {

template <int D>
FractionAround<D>::FractionAround(const Box<double, D>& place, double voxel) : spacing_(voxel) {
    constexpr double kMostNodes = 1 << 24;
    const auto count = [&] {
        double n = 1;
        for (int a = 0; a < D; ++a) n *= std::max(place.size()[a], 0.0) / spacing_ + 4;
        return n;
    };
    while (count() > kMostNodes) spacing_ *= 2;
    reach_ = place.grown(spacing_);
    std::size_t n = 1;
    for (int a = 0; a < D; ++a) {
        nodes_[a] = int(std::ceil(reach_.size()[a] / spacing_)) + 1;
        n *= std::size_t(std::max(nodes_[a], 0));
    }
    values_.assign(n, 0.0);
}

template <int D>
template <class Visit>
void FractionAround<D>::for_nodes(const Point<D>& x, Visit&& visit) const {
    Index<D> base{};
    Vec<double, D> part{};
    for (int a = 0; a < D; ++a) {
        const double s = (x[a] - reach_.lo[a]) / spacing_;
        if (!(s >= 0 && s < nodes_[a])) return;
        base[a] = int(s);
        part[a] = s - base[a];
    }
    for (int corner = 0; corner < (1 << D); ++corner) {
        std::size_t index = 0;
        double weight = 1;
        bool stored = true;
        for (int a = 0; a < D; ++a) {
            const int upper = corner >> a & 1, i = base[a] + upper;
            stored &= i < nodes_[a];
            index = index * std::size_t(nodes_[a]) + std::size_t(i);
            weight *= upper ? part[a] : 1 - part[a];
        }
        if (stored) visit(index, weight);
    }
}

template <int D>
void FractionAround<D>::add(const Point<D>& x, double volume) {
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= spacing_;
    for_nodes(x, [&](std::size_t i, double weight) { values_[i] += weight * volume / cell; });
}

template <int D>
double FractionAround<D>::at(const Point<D>& x) const {
    double sum = 0;
    for_nodes(x, [&](std::size_t i, double weight) { sum += weight * values_[i]; });
    return sum;
}

template <int D>
double room_for_air(const FractionAround<D>& air, const std::vector<Point<D>>& open, double volume,
                    double voxel, double most) {
    if (open.empty()) return 0;
    double here = 0;
    for (const Point<D>& x : open) here += air.at(x) / double(open.size());
    double cell = 1;
    for (int a = 0; a < D; ++a) cell *= voxel;
    // Air on every other point, seen from the rest: no point sees itself.
    constexpr double kLarge = 64;
    if (volume < kLarge * cell && open.size() > 1) {
        Box<double, D> bounds{open[0], open[0]};
        for (const Point<D>& x : open) bounds = bounds.including(x);
        FractionAround<D> own(bounds, voxel);
        const std::size_t givers = open.size() / 2, seers = open.size() - givers;
        for (std::size_t i = 1; i < open.size(); i += 2) own.add(open[i], 1 / double(givers));
        double seen = 0;
        for (std::size_t i = 0; i < open.size(); i += 2) seen += own.at(open[i]) / double(seers);
        if (seen > 0) volume = 1 / seen;
    }
    return (most - here) * volume;
}

template class FractionAround<2>;
template class FractionAround<3>;
template double room_for_air<2>(const FractionAround<2>&, const std::vector<Point<2>>&, double,
                                double, double);
template double room_for_air<3>(const FractionAround<3>&, const std::vector<Point<3>>&, double,
                                double, double);

}  // namespace spume
