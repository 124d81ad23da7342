// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/ocean_waves.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/grid/tile.h"

namespace spume {
namespace {

/// A surface whose ∇·D is normal with this deviation folds once in a million places.
constexpr double kSteepest = 0.2;

template <int H>
std::size_t points_of(int n) {
    return H == 1 ? std::size_t(n) : std::size_t(n) * std::size_t(n);
}

/// J⁻¹ b; where a surface is about to fold, as if it were not.
template <int H>
Vec<double, H> solved(const Vec<double, H> (&jacobian)[H], const Vec<double, H>& b) {
    constexpr double kLeast = 0.1;
    Vec<double, H> r{};
    if constexpr (H == 1) {
        r[0] = b[0] / std::max(jacobian[0][0], kLeast);
    } else {
        const auto& j = jacobian;
        const double det = std::max(j[0][0] * j[1][1] - j[0][1] * j[1][0], kLeast);
        r[0] = (j[1][1] * b[0] - j[0][1] * b[1]) / det;
        r[1] = (j[0][0] * b[1] - j[1][0] * b[0]) / det;
    }
    return r;
}

/// Subdivisions of a mode's cell for its energy: the peak may be narrower than one.
int fineness(int largest) { return largest <= 4 ? 16 : largest <= 16 ? 8 : largest <= 64 ? 2 : 1; }

}  // namespace

template <int D>
OceanWaves<D>::OceanWaves(const Scene& scene)
    : spectrum_(scene),
      transform_(2 * ocean_resolution(scene)),
      n_(transform_.points()),
      tile_(scene.bulk.ocean.tile),
      depth_(scene.bulk.depth) {
    const Ocean& o = scene.bulk.ocean;
    const double blows = std::hypot(o.direction[0], D == 3 ? o.direction[2] : 0);
    wind_ = {o.direction[0] / blows, D == 3 ? o.direction[2] / blows : 0};
    const std::size_t count = points_of<H>(n_);
    omega_.resize(count);
    coth_.resize(count, 1);
    expected_.resize(count);
    start_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Index<H> m = mode(i);
        const double k = wavenumber(m);
        if (k == 0) continue;
        omega_[i] = spectrum_.frequency(k);
        if (depth_ > 0) {
            const double e = math::exp(-2 * k * depth_);
            coth_[i] = (1 + e) / (1 - e);
        }
        expected_[i] = energy(m);
        // Box and Muller's pair of normal deviates.
        const auto id = std::uint64_t(std::uint32_t(m[0])) << 32 |
                        std::uint64_t(std::uint32_t(H == 2 ? m[H - 1] : 0));
        const Random random(o.seed, id, 0, Purpose::kWaves);
        const double radius = std::sqrt(-2 * math::log(1 - random.uniform(0))),
                     angle = 2 * math::kPi * random.uniform(1);
        start_[i] =
            Complex(math::cos(angle), math::sin(angle)) * (0.5 * radius * std::sqrt(expected_[i]));
    }
    const double steep = steepness();
    chop_ = o.choppiness < 0 ? std::min(1.0, kSteepest / std::max(steep, 1e-30)) : o.choppiness;
    if (chop_ * steep > 1.25 * kSteepest)
        throw UserError(fmt::format("with choppiness = {} the crests of this sea would fold: its "
                                    "waves have a steepness of {:.2g}",
                                    chop_, steep),
                        fmt::format("set bulk.choppiness to at most {:.2g}, or leave it out; fewer "
                                    "points or less wind also help",
                                    1.25 * kSteepest / steep));
}

template <int D>
auto OceanWaves<D>::mode(std::size_t i) const -> Index<H> {
    Index<H> m{};
    for (int a = H - 1; a >= 0; --a) {
        m[a] = int(i % std::size_t(n_));
        if (m[a] >= n_ / 2) m[a] -= n_;
        i /= std::size_t(n_);
    }
    return m;
}

template <int D>
double OceanWaves<D>::wavenumber(const Index<H>& m) const {
    double sum = 0;
    for (int a = 0; a < H; ++a) sum += double(m[a]) * m[a];
    return 2 * math::kPi / tile_ * std::sqrt(sum);
}

/// ∫ S(k) dk over the mode's cell and 2π/L ≤ k ≤ πN/L, with S(k) = S(ω) D(ω, θ) dω/dk / k; in a
/// plane scene ∫ S(ω) (share of the side) dω/dk dk.
template <int D>
double OceanWaves<D>::energy(const Index<H>& m) const {
    int largest = 0;
    for (int a = 0; a < H; ++a) {
        largest = std::max(largest, std::abs(m[a]));
        if (4 * std::abs(m[a]) >= n_) return 0;
    }
    const int parts = fineness(largest);
    const double unit = 2 * math::kPi / tile_, cell = unit / parts;
    const double upwind =
        H == 1 && largest > 0 ? spectrum_.upwind_share(spectrum_.frequency(wavenumber(m))) : 0;
    double sum = 0;
    for (int p = 0; p < (H == 1 ? parts : parts * parts); ++p) {
        Vec<double, 2> k{};
        for (int a = 0, rest = p; a < H; ++a, rest /= parts)
            k[a] = unit * (m[a] - 0.5) + cell * (rest % parts + 0.5);
        const double size = length(k);
        if (size < unit || size > 0.25 * unit * n_) continue;
        const double omega = spectrum_.frequency(size);
        double s = spectrum_.density(omega);
        if (s < 1e-30) continue;
        s *= spectrum_.group_speed(size);
        if constexpr (H == 1) {
            s *= (k[0] * wind_[0] > 0 ? 1 - upwind : upwind) * cell;
        } else {
            const double theta = math::atan2(wind_[0] * k[1] - wind_[1] * k[0], dot(wind_, k));
            s *= spectrum_.spreading(omega, theta) / size * cell * cell;
        }
        sum += s;
    }
    return sum;
}

template <int D>
double OceanWaves<D>::variance() const {
    double sum = 0;
    for (const double e : expected_) sum += e;
    return sum;
}

template <int D>
double OceanWaves<D>::steepness() const {
    double sum = 0;
    for (std::size_t i = 0; i < expected_.size(); ++i) {
        const double k = wavenumber(mode(i)) * coth_[i];
        sum += k * k * expected_[i];
    }
    return std::sqrt(sum);
}

/// h(k, t) = h₀(k) e^{−iωt} + h₀*(−k) e^{iωt}.
template <int D>
typename OceanWaves<D>::Surface OceanWaves<D>::linear(double time) const {
    const std::size_t count = start_.size();
    Surface r{std::vector<Complex>(count), std::vector<Complex>(count)};
    const auto opposite = [&](std::size_t i) {
        std::size_t j = 0;
        const Index<H> m = mode(i);
        for (int a = 0; a < H; ++a) j = j * std::size_t(n_) + std::size_t((n_ - m[a]) % n_);
        return j;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Complex back = std::conj(start_[opposite(i)]);
        if (start_[i] == Complex() && back == Complex()) continue;
        const double phase = omega_[i] * time;
        const Complex turn(math::cos(phase), -math::sin(phase));
        const Complex onward = start_[i] * turn, returning = back * std::conj(turn);
        r.height[i] = onward + returning;
        r.rate[i] = (returning - onward) * Complex(0, omega_[i]);
    }
    return r;
}

template <int D>
auto OceanWaves<D>::field(std::vector<Complex> amplitudes) const -> PeriodicField<H> {
    for (std::size_t i = 0; i < amplitudes.size(); ++i) {
        const Index<H> m = mode(i);
        for (int a = 0; a < H; ++a) amplitudes[i] *= spline_gain(m[a], n_);
    }
    transform_.sum(amplitudes, H);
    PeriodicField<H> r{n_, tile_, std::vector<double>(amplitudes.size())};
    for (std::size_t i = 0; i < amplitudes.size(); ++i) r.coefficients[i] = amplitudes[i].real();
    return r;
}

/// η and its rate over x instead of X. With x = X + c D fixed, ∂η/∂t|x = η_t − c D_t · ∇ₓη.
template <int D>
typename OceanWaves<D>::Surface OceanWaves<D>::choppy(const Surface& flat, Context& context) const {
    const std::size_t count = flat.height.size();
    const auto displacement = [&](const std::vector<Complex>& of, int axis) {
        std::vector<Complex> d(count);
        for (std::size_t i = 0; i < count; ++i) {
            const Index<H> m = mode(i);
            const double k = wavenumber(m);
            if (k > 0)
                d[i] = of[i] * Complex(0, chop_ * coth_[i] * m[axis] * 2 * math::kPi / (tile_ * k));
        }
        return field(std::move(d));
    };
    PeriodicField<H> fields[2 + 2 * H];
    for_range(context.arena, 2 + 2 * H, 1, [&](std::size_t f, std::size_t) {
        fields[f] = f == 0   ? field(flat.height)
                    : f == 1 ? field(flat.rate)
                             : displacement(f < 2 + H ? flat.height : flat.rate, int(f - 2) % H);
    });
    const PeriodicField<H>*shift = fields + 2, *shift_rate = fields + 2 + H;

    Surface r{std::vector<Complex>(count), std::vector<Complex>(count)};
    const double spacing = tile_ / n_;
    for_range(context.arena, count, 1024, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            Vec<double, H> x{};
            for (int a = H - 1, rest = int(i); a >= 0; --a, rest /= n_)
                x[a] = spacing * (rest % n_);
            // Newton's method for X; the Jacobian I + c ∇D stays away from zero where nothing
            // folds.
            Vec<double, H> at = x, slope[H], gradient{};
            for (int step = 0; step < 12; ++step) {
                Vec<double, H> miss = at - x;
                for (int a = 0; a < H; ++a) {
                    miss[a] += shift[a].with_gradient(at, slope[a]);
                    slope[a][a] += 1;
                }
                const Vec<double, H> change = solved<H>(slope, miss);
                at = at - change;
                if (dot(change, change) < 1e-20 * spacing * spacing) break;
            }
            const double height = fields[0].with_gradient(at, gradient);
            double rate = fields[1](at);
            Vec<double, H> drift{};
            for (int a = 0; a < H; ++a) drift[a] = shift_rate[a](at);
            rate -= dot(gradient, solved<H>(slope, drift));  // ∇ₓη = (I + c ∇D)⁻ᵀ ∇η
            r.height[i] = height;
            r.rate[i] = rate;
        }
    });
    transform_.analyse(r.height, H);
    transform_.analyse(r.rate, H);
    // The mean of the level stays: water is neither made nor lost. Waves without a partner go.
    for (std::size_t i = 0; i < count; ++i) {
        const Index<H> m = mode(i);
        bool drop = wavenumber(m) == 0;
        for (int a = 0; a < H; ++a) drop = drop || m[a] == -n_ / 2;
        if (drop) r.height[i] = r.rate[i] = 0;
    }
    return r;
}

/// sinh k(Y + h) / sinh kh; above the surface linear.
template <int D>
double OceanWaves<D>::fading(double k, double y) const {
    const double deep = depth_ > 0 ? math::exp(-2 * k * depth_) : 0;
    if (y > 0) return 1 + k * y * (1 + deep) / (1 - deep);
    if (k * y < -30) return 0;
    if (!(depth_ > 0)) return math::exp(k * y);
    if (y <= -depth_) return 0;
    return math::exp(k * y) * (1 - math::exp(-2 * k * (y + depth_))) / (1 - deep);
}

template <int D>
typename OceanState<D>::Layer OceanWaves<D>::layer(const Surface& surface, double y) const {
    // Short waves are gone at depth: fewer points do, twice as many as the longest left ask for.
    constexpr double kGone = 14;
    int n = n_;
    while (y < 0 && n % 4 == 0 && n / 2 >= 16 && 0.25 * math::kPi * n / tile_ > kGone / -y) n /= 2;
    const std::size_t count = points_of<H>(n);
    std::vector<Complex> lift(count), flux(count);
    for (std::size_t i = 0; i < surface.height.size(); ++i) {
        const Index<H> m = mode(i);
        bool held = true;
        std::size_t to = 0;
        for (int a = 0; a < H; ++a) {
            held = held && 2 * std::abs(m[a]) < n;
            to = to * std::size_t(n) + std::size_t((m[a] + n) % n);
        }
        const double k = wavenumber(m);
        if (!held || k == 0) continue;
        double gain = 1;
        for (int a = 0; a < H; ++a) gain *= spline_gain(m[a], n);
        const double fade = fading(k, y), lifted = y > 0 ? 1 : fade;
        // M̂ = i k η̂_t / k², so that −∇·M = η_t on the surface.
        const double unit = 2 * math::kPi / (tile_ * k * k);
        lift[to] = surface.height[i] * (gain * lifted);
        const Complex whirl = surface.rate[i] * Complex(0, gain * fade * unit);
        flux[to] = H == 1 ? whirl * double(m[0]) + Complex(0, 1) * lift[to]
                          : whirl * Complex(m[0], m[H - 1]);
    }
    typename OceanState<D>::Layer r{y, {n, tile_, std::vector<double>(count)}, {}, 0, 0};
    for (auto& field : r.transport) field = {n, tile_, std::vector<double>(count)};
    const WaveTransform coarse(n);
    coarse.sum(flux, H);
    if constexpr (H == 2) coarse.sum(lift, H);
    for (std::size_t i = 0; i < count; ++i) {
        r.transport[0].coefficients[i] = flux[i].real();
        if constexpr (H == 2) r.transport[H - 1].coefficients[i] = flux[i].imag();
        r.lift.coefficients[i] = H == 2 ? lift[i].real() : flux[i].imag();
        r.lowest = std::min(r.lowest, r.lift.coefficients[i]);
        r.highest = std::max(r.highest, r.lift.coefficients[i]);
    }
    return r;
}

template <int D>
OceanState<D> OceanWaves<D>::state(double time, double voxel, double bottom,
                                   Context& context) const {
    constexpr double kSixth = 1.0 / 6;  // of its depth: how far waves that reach there are smooth
    std::vector<double> ys{2 * voxel, voxel, 0};
    const double end = depth_ > 0 ? -depth_ : -bottom;
    while (ys.back() > end)
        ys.push_back(std::max(ys.back() - std::max(voxel, -ys.back() * kSixth), end));
    Surface surface = linear(time);
    if (chop_ > 0) surface = choppy(surface, context);
    OceanState<D> r;
    r.time = time;
    r.surface = 2;
    r.layers.resize(ys.size());
    for_range(context.arena, ys.size(), 1,
              [&](std::size_t i, std::size_t) { r.layers[i] = layer(surface, ys[i]); });
    return r;
}

template class OceanWaves<2>;
template class OceanWaves<3>;

}  // namespace spume
