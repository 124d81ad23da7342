// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/two_fluid/account.h"

namespace spume {
namespace {

template <class Value>
double sum_of(std::size_t size, Value&& value, Context& context) {
    return reduce(
        context.arena, size, 1 << 13, 0.0,
        [&](std::size_t b, std::size_t e) {
            double s = 0;
            for (std::size_t i = b; i < e; ++i) s += value(i);
            return s;
        },
        [](double a, double b) { return a + b; });
}

}  // namespace

template <int D>
double air_volume(const MixtureFaces<D>& mixture, double cell_volume, Context& context) {
    double sum = 0;
    for (int a = 0; a < D; ++a) {
        const double* phi = mixture.bubble.read(a);
        sum += sum_of(
                   mixture.bubble.component(a).size(), [&](std::size_t i) { return phi[i]; },
                   context) *
               cell_volume / D;
    }
    return sum;
}

template <int D>
Vec<double, D> water_momentum(const FaceField<double, D>& water, const MixtureFaces<D>& mixture,
                              double cell_volume, Context& context) {
    Vec<double, D> r{};
    for (int a = 0; a < D; ++a) {
        const double *u = water.read(a), *phi = mixture.water.read(a);
        r[a] =
            sum_of(
                water.component(a).size(), [&](std::size_t i) { return u[i] * phi[i]; }, context) *
            cell_volume;
    }
    return r;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template double air_volume<D>(const MixtureFaces<D>&, double, Context&);                       \
    template Vec<double, D> water_momentum<D>(const FaceField<double, D>&, const MixtureFaces<D>&, \
                                              double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
