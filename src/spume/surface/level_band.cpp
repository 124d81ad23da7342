// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/level_band.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

/// Gaps shorter than this are worked on too: whole vectors cost no more.
constexpr int kGap = 8;

/// The stretches of a row, from marks of its cells.
template <int D>
void add_runs(const std::uint8_t* mark, int count, const Index<D>& first, std::size_t place,
              std::vector<typename Band<D>::Run>& runs) {
    for (int i = 0; i < count;) {
        if (!mark[i]) {
            ++i;
            continue;
        }
        int end = i + 1, gap = 0;
        for (int k = i + 1; k < count && gap < kGap && k - i < Band<D>::kLongest; ++k)
            if (mark[k])
                end = k + 1, gap = 0;
            else
                ++gap;
        Index<D> at = first;
        at[D - 1] += i;
        runs.push_back({place + std::size_t(i), 0, end - i, at});
        i = end;
    }
}

/// Marks the cells of a row that belong to the band; false where none does. Signs differ where the
/// product is negative: a zero is near anyway.
template <class T, int D>
bool near_row(const T* __restrict p, const DenseShape<D>& shape, T width, T* __restrict least,
              T* __restrict product, std::uint8_t* __restrict mark) {
    const int n = shape.size[D - 1];
    for (int i = 0; i < n; ++i) {
        least[i] = std::abs(p[i]);
        product[i] = 0;
    }
    for (int a = 0; a < D; ++a) {
        const auto s = std::ptrdiff_t(shape.stride(a));
        for (int i = 0; i < n; ++i) {
            const T below = p[i - s], above = p[i + s];
            least[i] = std::min(least[i], std::min(std::abs(below), std::abs(above)));
            product[i] = std::min(product[i], std::min(p[i] * below, p[i] * above));
        }
    }
    std::uint8_t any = 0;
    for (int i = 0; i < n; ++i) {
        mark[i] = std::uint8_t(int(least[i] < width) | int(product[i] < 0));
        any |= mark[i];
    }
    return any != 0;
}

/// [JP00] Eqs. 2.13–2.17 on five differences in upwind order, with one division.
template <class T>
inline T weno5(T v1, T v2, T v3, T v4, T v5) {
    const auto square = [](T x) { return x * x; };
    const T k = T(13.0 / 12), q = T(0.25), tiny = T(1e-6);
    const T s1 = k * square(v1 - 2 * v2 + v3) + q * square(v1 - 4 * v2 + 3 * v3) + tiny;
    const T s2 = k * square(v2 - 2 * v3 + v4) + q * square(v2 - v4) + tiny;
    const T s3 = k * square(v3 - 2 * v4 + v5) + q * square(3 * v3 - 4 * v4 + v5) + tiny;
    const T b1 = s1 * s1, b2 = s2 * s2, b3 = s3 * s3;
    const T a1 = b2 * b3, a2 = 6 * (b1 * b3), a3 = 3 * (b1 * b2);
    const T f1 = 2 * v1 - 7 * v2 + 11 * v3, f2 = 5 * v3 - v2 + 2 * v4, f3 = 2 * v3 + 5 * v4 - v5;
    return (a1 * f1 + a2 * f2 + a3 * f3) / (6 * (a1 + a2 + a3));
}

/// out −= u ∂φ/∂x_a along a stretch.
template <class T>
void subtract_transport(const T* __restrict p, std::ptrdiff_t s, const T* __restrict u,
                        T* __restrict out, int count) {
    for (int i = 0; i < count; ++i) {
        const T* c = p + i;
        const T m3 = c[-3 * s], m2 = c[-2 * s], m1 = c[-s], o = c[0];
        const T p1 = c[s], p2 = c[2 * s], p3 = c[3 * s];
        const T e0 = m2 - m3, e1 = m1 - m2, e2 = o - m1, e3 = p1 - o, e4 = p2 - p1, e5 = p3 - p2;
        const bool up = u[i] > 0;
        const T d = weno5<T>(up ? e0 : e5, up ? e1 : e4, up ? e2 : e3, up ? e3 : e2, up ? e4 : e1);
        out[i] -= u[i] * d;
    }
}

/// −u·∇φ of every cell of the band.
template <class T, int D>
void find_rates(const DenseField<T, D>& phi, const Band<D>& band, const BandVelocity<T, D>& v,
                T* rate, Context& context) {
    const T* f = phi.read();
    for_runs(context.arena, band, [&](const typename Band<D>::Run& run) {
        T* out = rate + run.offset;
        std::fill_n(out, run.count, T(0));
        for (int a = 0; a < D; ++a)
            subtract_transport<T>(f + run.place, std::ptrdiff_t(phi.shape.stride(a)),
                                  v.u[a].data() + run.offset, out, run.count);
    });
}

}  // namespace

template <class T, int D>
Band<D> band_of(const DenseField<T, D>& phi, double width, Context& context) {
    constexpr std::size_t kGrain = kRowGrain<D>;
    const DenseShape<D>& shape = phi.shape;
    std::vector<std::vector<typename Band<D>::Run>> found((shape.rows() + kGrain - 1) / kGrain);
    const T* f = phi.read();
    const T w = T(width);
    const int n = shape.size[D - 1];
    for_range(context.arena, shape.rows(), kGrain, [&](std::size_t b, std::size_t e) {
        std::vector<std::uint8_t> mark(std::size_t(n), 0);
        std::vector<T> least(std::size_t(n), T(0)), product(std::size_t(n), T(0));
        for (std::size_t r = b; r < e; ++r) {
            const Index<D> first = shape.row(r);
            const std::size_t place = shape.at(first);
            if (!near_row<T, D>(f + place, shape, w, least.data(), product.data(), mark.data()))
                continue;
            add_runs<D>(mark.data(), n, first, place, found[b / kGrain]);
        }
    });
    Band<D> band;
    for (auto& part : found) band.runs.insert(band.runs.end(), part.begin(), part.end());
    for (auto& run : band.runs) {
        run.offset = band.cells;
        band.cells += std::size_t(run.count);
    }
    return band;
}

template <class T, int D>
void advect_weno(DenseField<T, D>& phi, const Band<D>& band, const BandVelocity<T, D>& velocity,
                 double dt, Context& context) {
    Stage stage(context, "advect_surface");
    std::vector<T> start(band.cells), rate(band.cells);
    const T* f = phi.read();
    for_runs(context.arena, band, [&](const typename Band<D>::Run& run) {
        std::copy_n(f + run.place, run.count, start.data() + run.offset);
    });
    // φ ← a φ(start) + b (φ + dt L(φ)), [SO88].
    const T part[3][2] = {{0, 1}, {T(0.75), T(0.25)}, {T(1.0 / 3), T(2.0 / 3)}};
    for (const auto& w : part) {
        find_rates(phi, band, velocity, rate.data(), context);
        T* out = phi.write();
        const T first = w[0], second = w[1], step = T(dt);
        for_runs(context.arena, band, [&](const typename Band<D>::Run& run) {
            const T *s = start.data() + run.offset, *l = rate.data() + run.offset;
            T* o = out + run.place;
            for (int i = 0; i < run.count; ++i) o[i] = first * s[i] + second * (o[i] + step * l[i]);
        });
        mirror_band<T, D>(out, phi.shape, band);
    }
}

#define SPUME_INSTANTIATE(T, D)                                                                   \
    template Band<D> band_of<T, D>(const DenseField<T, D>&, double, Context&);                    \
    template void advect_weno<T, D>(DenseField<T, D>&, const Band<D>&, const BandVelocity<T, D>&, \
                                    double, Context&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
