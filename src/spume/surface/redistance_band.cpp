// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/surface/distance_ghosts.h"
#include "spume/surface/level_band.h"

namespace spume {
namespace {

template <class T>
inline T minmod(T a, T b) {
    const T least = std::abs(a) < std::abs(b) ? a : b;
    return a * b <= 0 ? T(0) : least;
}

/// Distance to the zero of φ across a fold: by the slopes that lead down to the surface, Godunov's
/// choice, which leaves ridges and tips as they are. Central ones, [RS00] Eq. 13, would raise
/// ridges from call to call, the steepest of both would let tips grow.
template <class T, int D>
inline T distance_at_fold(const T* p, const std::ptrdiff_t (&stride)[D]) {
    T square = 0;
    const T sign = *p < 0 ? T(-1) : T(1);
    for (int a = 0; a < D; ++a) {
        const T below = std::max(sign * (*p - p[-stride[a]]), T(0));
        const T above = std::max(sign * (*p - p[stride[a]]), T(0));
        square += std::max(below * below, above * above);
    }
    // First-order slopes err by half the curvature, which would shrink what bulges.
    const T slope = std::sqrt(square);
    return slope > T(0.7) && slope < T(1.4) ? *p : *p / std::max(slope, T(0.5));
}

/// A value that is the distance to within this part is kept, but for exact levels: the errors
/// of the cells around it, which are of second order, then do not move the surface a little in each
/// call.
constexpr double kGoodSlope = 0.01;

/// Slope of fifth order, biased towards the surface, where what is known comes from: a central one
/// would let the smallest waves grow from call to call.
template <class T>
inline T slope_to_surface(const T* p, std::ptrdiff_t s) {
    const T sign = *p < 0 ? T(-1) : T(1);
    const std::ptrdiff_t d = sign * p[-s] < sign * p[s] ? s : -s;
    const T slope =
        (30 * p[d] - 3 * p[2 * d] + 20 * *p - 60 * p[-d] + 15 * p[-2 * d] - 2 * p[-3 * d]) *
        T(1.0 / 60);
    return d == s ? slope : -slope;
}

/// Distance to the zero of φ along the normal: s of φ − |∇φ| s + ½ φ_nn s² = 0, to second order.
template <class T, int D>
inline T distance_beside(const T* p, const std::ptrdiff_t (&stride)[D], T good) {
    T g[D], square = 0, bend = 0, fold = 0;
    for (int a = 0; a < D; ++a) {
        const std::ptrdiff_t s = stride[a];
        g[a] = slope_to_surface(p, s);
        square += g[a] * g[a];
        const T second = p[s] + p[-s] - 2 * *p;
        const T farther =
            std::max(std::abs(p[2 * s] - 2 * p[s] + *p), std::abs(p[-2 * s] - 2 * p[-s] + *p));
        bend += g[a] * g[a] * second;
        fold = std::max(fold, std::max(std::abs(second), farther));
    }
    if (!(fold * fold < T(0.25) * square)) return distance_at_fold<T, D>(p, stride);
    for (int a = 0; a < D; ++a)
        for (int c = a + 1; c < D; ++c) {  // twice the mixed derivative
            const std::ptrdiff_t s = stride[a], r = stride[c];
            bend += T(0.5) * g[a] * g[c] * ((p[s + r] + p[-s - r]) - (p[s - r] + p[-s + r]));
        }
    // `bend` is |∇φ|² φ_nn.
    const T correction = T(0.5) * bend * *p / (square * square);
    const T factor = (1 + std::min(std::max(correction, T(-0.25)), T(0.25))) / std::sqrt(square);
    return std::abs(factor - 1) < good ? *p : *p * factor;
}

/// x of Σ_a max(x − m_a, 0)² = 1: |∇φ| = 1 upwind, from the nearest neighbour along each axis.
template <class T, int D>
inline T upwind_distance(T (&m)[D]) {
    std::sort(m, m + D);
    T x = m[0] + 1;
    for (int n = 2; n <= D && x > m[n - 1]; ++n) {
        T sum = 0, squares = 0;
        for (int k = 0; k < n; ++k) sum += m[k], squares += m[k] * m[k];
        const T mean = sum / T(n);
        x = mean + std::sqrt(std::max(T(0), (1 - squares) / T(n) + mean * mean));
    }
    return x;
}

template <class T, int D>
class Redistancer {
    using Run = typename Band<D>::Run;

  public:
    Redistancer(DenseField<T, D>& phi, const Redistancing& how, Context& context)
        : phi_(phi), width_(how.width), far_(T(how.width) + 2), context_(context) {
        for (int a = 0; a < D; ++a) stride_[a] = std::ptrdiff_t(phi.shape.stride(a));
        continue_ghosts<T, D>(phi_.write(), phi_.shape);
        find_band();
    }

    /// Mirror images in the walls again.
    void end() {
        const bool even[D] = {};
        mirror_ghosts<T, D>(phi_.write(), DensePlace<D>::centres(phi_.shape.size), even);
    }

    /// Cells beside the surface get their distance and keep it; `anew`: others know their sign
    /// only.
    void hold_surface(bool anew, bool exact) {
        const T good = anew && exact ? T(0) : T(kGoodSlope);
        const T* f = phi_.read();
        for_runs(context_.arena, band_, [&](const Run& run) {
            for (int i = 0; i < run.count; ++i) {
                const T* p = f + run.place + i;
                const std::size_t n = run.offset + std::size_t(i);
                next_[n] = held_[n] ? distance_beside<T, D>(p, stride_, good) : *p;
            }
        });
        if (anew) {
            T* out = phi_.write();
            for_rows(context_.arena, phi_.shape, [&](const Index<D>&, std::size_t at, int count) {
                for (std::size_t i = at; i < at + std::size_t(count); ++i)
                    out[i] = out[i] < 0 ? -far_ : far_;
            });
            continue_ghosts<T, D>(out, phi_.shape);
            for_runs(context_.arena, band_, [&](const Run& run) {
                for (int i = 0; i < run.count; ++i) {
                    T& next = next_[run.offset + std::size_t(i)];
                    if (!held_[run.offset + std::size_t(i)]) next = next < 0 ? -far_ : far_;
                }
            });
        }
        write();
    }

    /// The band of the values as they are now.
    void find_band() {
        band_ = band_of(phi_, width_, context_);
        next_.resize(band_.cells);
        held_.resize(band_.cells);
        const T* f = phi_.read();
        for_runs(context_.arena, band_, [&](const Run& run) {
            Index<D> cell = run.first;
            for (int i = 0; i < run.count; ++i, ++cell[D - 1])
                held_[run.offset + std::size_t(i)] =
                    beside_surface<T, D>(f + run.place + i, phi_.shape, cell);
        });
    }

    /// First order, from the surface outwards; never makes a distance longer.
    void sweep() {
        const T* f = phi_.read();
        for_runs(context_.arena, band_, [&](const Run& run) {
            for (int i = 0; i < run.count; ++i) {
                const T* p = f + run.place + i;
                const std::size_t n = run.offset + std::size_t(i);
                const T sign = *p < 0 ? T(-1) : T(1);
                T m[D];
                for (int a = 0; a < D; ++a)
                    m[a] = std::min(sign * p[stride_[a]], sign * p[-stride_[a]]);
                next_[n] = held_[n] ? *p : sign * std::min(sign * *p, upwind_distance<T, D>(m));
            }
        });
        write();
    }

    /// Second order: half a voxel of φ_τ = sgn φ (1 − |∇φ|).
    void relax() {
        const T* f = phi_.read();
        for_runs(context_.arena, band_, [&](const Run& run) {
            T square[Band<D>::kLongest];
            const T* p = f + run.place;
            std::fill_n(square, run.count, T(0));
            for (int a = 0; a < D; ++a) add_slopes(p, stride_[a], run.count, square);
            const std::uint8_t* held = held_.data() + run.offset;
            T* next = next_.data() + run.offset;
            for (int i = 0; i < run.count; ++i) {
                const T half = T(0.5) * (1 - std::sqrt(square[i]));
                const T to = p[i] < 0 ? p[i] - half : p[i] + half;
                const T kept = to * p[i] < 0 ? T(0.5) * p[i] : to;
                next[i] = held[i] ? p[i] : std::min(std::max(kept, -far_), far_);
            }
        });
        write();
    }

  private:
    /// Godunov's choice of the one-sided slopes along an axis, squared; ENO of second order.
    static void add_slopes(const T* __restrict p, std::ptrdiff_t s, int count,
                           T* __restrict square) {
        for (int i = 0; i < count; ++i) {
            const T* c = p + i;
            const T o = c[0], m = c[-s], u = c[s];
            const T second = u - 2 * o + m;
            const T lower = o - 2 * m + c[-2 * s], upper = c[2 * s] - 2 * u + o;
            const T below = o - m + T(0.5) * minmod(second, lower);
            const T above = u - o - T(0.5) * minmod(second, upper);
            const T sign = o < 0 ? T(-1) : T(1);
            const T in = std::max(sign * below, T(0)), out = std::min(sign * above, T(0));
            square[i] += std::max(in * in, out * out);
        }
    }

    void write() {
        T* out = phi_.write();
        for_runs(context_.arena, band_, [&](const Run& run) {
            std::copy_n(next_.data() + run.offset, run.count, out + run.place);
        });
        const DenseShape<D>& shape = phi_.shape;
        for_runs(context_.arena, band_, [&](const Run& run) {
            bool beside =
                run.first[D - 1] == 0 || run.first[D - 1] + run.count == shape.size[D - 1];
            for (int a = 0; a < D - 1; ++a)
                beside = beside || run.first[a] == 0 || run.first[a] == shape.size[a] - 1;
            Index<D> i = run.first;
            for (int n = 0; beside && n < run.count; ++n, ++i[D - 1])
                continue_distance<T, D>(out, shape, i);
        });
    }

    DenseField<T, D>& phi_;
    double width_;
    T far_;
    Band<D> band_;
    std::vector<T> next_;
    std::vector<std::uint8_t> held_;  ///< beside the surface
    std::ptrdiff_t stride_[D] = {};
    Context& context_;
};

}  // namespace

template <class T, int D>
void redistance_band(DenseField<T, D>& phi, const Redistancing& how, Context& context) {
    Stage stage(context, "redistance");
    Redistancer<T, D> at_work(phi, how, context);
    at_work.hold_surface(how.anew, how.exact);
    for (int k = 0; how.anew && k < int(how.width) + 2 * D; ++k) {
        at_work.find_band();
        at_work.sweep();
    }
    if (how.anew) at_work.find_band();
    for (int k = 0; k < how.iterations; ++k) at_work.relax();
    at_work.end();
}

#define SPUME_INSTANTIATE(T, D) \
    template void redistance_band<T, D>(DenseField<T, D>&, const Redistancing&, Context&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
