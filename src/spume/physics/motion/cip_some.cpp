// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>

#include "spume/physics/motion/cip_lanes.h"
#include "spume/physics/motion/cip_node.h"

namespace spume {

template <class T, int D>
CipSamples<T, D>::CipSamples(const Feet<T, D>& feet, const DensePlace<D>& place,
                             std::vector<std::size_t> samples)
    : feet_(feet), place_(place), samples_(std::move(samples)) {
    const DenseShape<D>& shape = place.shape;
    for (int k = 0; k < (1 << D); ++k)
        for (int a = 0; a < D; ++a) corner_[k] += (k >> a & 1) ? shape.stride(a) : 0;
    slot_.assign(shape.count(), -1);
    cell_.reserve(samples_.size());
    for (const std::size_t at : samples_) {
        Index<D> base{};
        for (int a = 0; a < D; ++a)
            base[a] = int(std::floor(feet.x[a].values[at] - T(place.offset[a])));
        cell_.push_back(shape.at(base));
        for (const std::size_t corner : corner_) {
            std::int32_t& slot = slot_[cell_.back() + corner];
            if (slot >= 0) continue;
            slot = std::int32_t(nodes_.size());
            nodes_.push_back(cell_.back() + corner);
        }
    }
}

template <class T, int D>
template <Profile kProfile>
void CipSamples<T, D>::advect_by(const CipField<T, D>& field, std::vector<CipValue<T, D>>& out,
                                 Context& context) const {
    using Values = typename Pack<T>::Values;
    constexpr int kLanes = Pack<T>::kLanes;
    constexpr std::size_t kGrain = 1024;
    const DenseShape<D>& shape = place_.shape;
    const T* f = field.f.read();
    const T *g[D], *x[D];
    std::size_t stride[D];
    for (int a = 0; a < D; ++a)
        g[a] = field.g[a].read(), x[a] = feet_.x[a].read(), stride[a] = shape.stride(a);
    std::vector<CipNode<T, D>> nodes(nodes_.size());
    for_range(context.arena, nodes.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) pack<T, D>(f, g, stride, nodes_[n], nodes[n]);
    });
    out.resize(samples_.size());
    for_range(context.arena, samples_.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t first = b; first < e; first += kLanes) {
            std::size_t sample[kLanes], cell[kLanes];
            T foot[D][kLanes];
            for (int l = 0; l < kLanes; ++l) {
                const std::size_t n = std::min(first + std::size_t(l), e - 1);
                sample[l] = samples_[n], cell[l] = cell_[n];
                for (int a = 0; a < D; ++a) foot[a][l] = x[a][sample[l]];
            }
            Values feet[D];
            for (int a = 0; a < D; ++a) feet[a] = load_pack(foot[a]);
            const PackCells<T, D> cells(feet, place_);
            CipNode<Values, D> corner[1 << D];
            for (int k = 0; k < (1 << D); ++k) {
                std::int32_t at[kLanes];
                for (int l = 0; l < kLanes; ++l) at[l] = slot_[cell[l] + corner_[k]];
                load_nodes<T, D>(nodes.data(), at, corner[k]);
            }
            const CipNode<Values, D> n = cell_at<kProfile, Values, D>(corner, cells.w);
            for (int l = 0; l < kLanes && first + std::size_t(l) < e; ++l) {
                T j[D][D];
                jacobian<T, D>(x, shape, shape.index(sample[l]), sample[l], j);
                CipValue<T, D> value{n.v[0][l], {}};
                for (int c = 0; c < D; ++c)
                    for (int a = 0; a < D; ++a) value.g[c] += j[a][c] * n.v[1 << a][l];
                out[first + std::size_t(l)] = value;
            }
        }
    });
}

template <class T, int D>
std::vector<CipValue<T, D>> CipSamples<T, D>::advected(const CipField<T, D>& field, Profile profile,
                                                       Context& context) const {
    std::vector<CipValue<T, D>> out;
    switch (profile) {
        case Profile::kLinear:
            advect_by<Profile::kLinear>(field, out, context);
            break;
        case Profile::kCip:
            advect_by<Profile::kCip>(field, out, context);
            break;
        case Profile::kMonotone:
            advect_by<Profile::kMonotone>(field, out, context);
            break;
        case Profile::kClamped:
            advect_by<Profile::kClamped>(field, out, context);
            break;
        case Profile::kRational:
            advect_by<Profile::kRational>(field, out, context);
            break;
    }
    return out;
}

template class CipSamples<double, 2>;
template class CipSamples<double, 3>;

}  // namespace spume
