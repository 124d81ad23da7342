// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/menisci.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/core/math.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

constexpr double kTaper = 3.5;  // capillary lengths from which on the force fades, to 0 at 4

double polynomial(double x, std::initializer_list<double> c) {
    double sum = 0;
    for (auto k = std::rbegin(c); k != std::rend(c); ++k) sum = sum * x + *k;
    return sum;
}

}  // namespace

// Polynomials of Abramowitz & Stegun, 9.8.3, 9.8.7 and 9.8.8.
double bessel_k1(double x) {
    if (x <= 2) {
        const double t = x * x / (3.75 * 3.75), s = x * x / 4;
        const double i1 = x * polynomial(t, {0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733,
                                             0.00301532, 0.00032411});
        return math::log(x / 2) * i1 + polynomial(s, {1, 0.15443144, -0.67278579, -0.18156897,
                                                      -0.01919402, -0.00110404, -0.00004686}) /
                                           x;
    }
    return math::exp(-x) / std::sqrt(x) *
           polynomial(2 / x, {1.25331414, 0.23498619, -0.03655620, 0.01504268, -0.00780353,
                              0.00325614, -0.00068245});
}

double MeniscusLaw::length() const { return std::sqrt(tension / (density * gravity)); }

template <int D>
double MeniscusLaw::force(double distance, double radius_i, double radius_j) const {
    const double l = length(), s = std::max(distance, radius_i + radius_j) / l;
    if (s >= 4) return 0;
    const double weights = density * gravity * bubble_volume<D>(radius_i) * density * gravity *
                           bubble_volume<D>(radius_j);
    const double full = D == 2 ? weights * math::exp(-s) / (2 * tension)
                               : weights * bessel_k1(s) / (2 * math::kPi * tension * l);
    const double end = std::max(0.0, (s - kTaper) / (4 - kTaper));
    return factor * full * (1 - end * end * (3 - 2 * end));
}

template <int D>
void add_menisci(Array<Vec<double, D>>& acceleration, const Foam<D>& foam,
                 const FoamPairs<D>& pairs, const MeniscusLaw& law, Context& context) {
    Stage stage(context, "foam");
    auto* out = acceleration.write().data();
    const double carried = (D == 2 ? 1.0 : 0.5) * law.density, reach = law.reach();
    pairs.for_tiles(
        [&](const auto& tile) {
            std::vector<Vec<double, D>> sum(tile.size());
            tile.for_each([&](std::size_t i, const std::uint32_t* others, std::size_t mutual,
                              std::size_t count) {
                const auto radius = double(foam.radius[i]);
                for (std::size_t n = 0; n < count; ++n) {
                    const std::size_t j = others[n];
                    const Vec<double, D> way = foam.position[j] - foam.position[i];
                    const double distance = length(way);
                    if (!(distance < reach) || distance == 0) continue;
                    const Vec<double, D> pull =
                        way * (law.template force<D>(distance, radius, double(foam.radius[j])) /
                               distance);
                    sum[i - tile.first()] += pull;
                    if (n < mutual) sum[j - tile.first()] -= pull;
                }
            });
            for (std::size_t i = tile.first(); i < tile.last(); ++i)
                out[i] +=
                    sum[i - tile.first()] / (carried * bubble_volume<D>(double(foam.radius[i])));
        },
        context);
}

#define SPUME_INSTANTIATE(D)                                                                  \
    template double MeniscusLaw::force<D>(double, double, double) const;                      \
    template void add_menisci<D>(Array<Vec<double, D>>&, const Foam<D>&, const FoamPairs<D>&, \
                                 const MeniscusLaw&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
