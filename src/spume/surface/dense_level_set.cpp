// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/dense_level_set.h"

#include <cmath>

#include "spume/core/math.h"
#include "spume/surface/distance_ghosts.h"

namespace spume {

double smeared_step(double x, double epsilon) {
    if (x <= -epsilon) return 0;
    if (x >= epsilon) return 1;
    const double part = x / epsilon;
    return 0.5 + 0.5 * part + math::sin(math::kPi * part) / (2 * math::kPi);
}

double integral_of_smeared_step(double x, double epsilon) {
    if (x <= -epsilon) return 0;
    if (x >= epsilon) return x;
    const double wave = 1 + math::cos(math::kPi * x / epsilon);
    return 0.25 * (x + epsilon) * (x + epsilon) / epsilon -
           0.5 * epsilon * wave / (math::kPi * math::kPi);
}

double mean_smeared_step(double a, double b, double epsilon) {
    if (std::abs(b - a) >= 0.05)
        return (integral_of_smeared_step(b, epsilon) - integral_of_smeared_step(a, epsilon)) /
               (b - a);
    const double middle = smeared_step(0.5 * (a + b), epsilon);  // Simpson
    return (smeared_step(a, epsilon) + 4 * middle + smeared_step(b, epsilon)) / 6;
}

double smeared_delta(double x, double epsilon) {
    if (std::abs(x) >= epsilon) return 0;
    return (1 + math::cos(math::kPi * x / epsilon)) / (2 * epsilon);
}

template <class T, int D>
std::vector<std::size_t> band_cells(const DenseField<T, D>& phi, double band, Context& context) {
    const std::size_t pieces = (phi.shape.rows() + kRowGrain<D> - 1) / kRowGrain<D>;
    std::vector<std::vector<std::size_t>> found(pieces);
    const T* f = phi.read();
    for_range(context.arena, phi.shape.rows(), kRowGrain<D>, [&](std::size_t b, std::size_t e) {
        auto& list = found[b / kRowGrain<D>];
        for (std::size_t r = b; r < e; ++r) {
            const std::size_t at = phi.shape.at(phi.shape.row(r));
            for (std::size_t i = at; i < at + std::size_t(phi.shape.size[D - 1]); ++i)
                if (std::abs(f[i]) < T(band)) list.push_back(i);
        }
    });
    std::vector<std::size_t> all;
    for (const auto& list : found) all.insert(all.end(), list.begin(), list.end());
    return all;
}

namespace {

template <class T>
inline T minmod(T a, T b) {
    return a * b <= 0 ? T(0) : std::abs(a) < std::abs(b) ? a : b;
}

/// One-sided differences of second order, ENO: below and above.
template <class T>
inline void upwind(const T* p, std::size_t s, T& below, T& above) {
    const T here = *p, m = *(p - s), u = p[s];
    const T second = u - 2 * here + m;
    const T lower = here - 2 * m + *(p - 2 * s), upper = p[2 * s] - 2 * u + here;
    below = here - m + T(0.5) * minmod(second, lower);
    above = u - here - T(0.5) * minmod(second, upper);
}

/// Distance of a cell beside the surface to the zero of φ, [RS00] Eq. 13; slopes across folds are
/// kept from vanishing by the one-sided ones.
template <class T, int D>
inline T distance_beside(const T* p, const std::size_t (&stride)[D]) {
    T central = 0, largest = 0;
    for (int a = 0; a < D; ++a) {
        const T up = p[stride[a]] - *p, down = *p - *(p - stride[a]);
        central += T(0.25) * (up + down) * (up + down);
        largest = std::max(largest, std::max(up * up, down * down));
    }
    return *p / std::sqrt(std::max(std::max(central, T(0.25) * largest), T(1e-12)));
}

}  // namespace

template <class T, int D>
void redistance(DenseField<T, D>& phi, double band, int iterations, Context& context) {
    Stage stage(context, "redistance");
    const std::vector<std::size_t> cells = band_cells(phi, band, context);
    if (cells.empty()) return;
    std::size_t stride[D];
    for (int a = 0; a < D; ++a) stride[a] = phi.shape.stride(a);
    continue_ghosts<T, D>(phi.write(), phi.shape);
    std::vector<Index<D>> at_walls;
    for (const std::size_t at : cells) {
        const Index<D> i = phi.shape.index(at);
        bool beside = false;
        for (int a = 0; a < D; ++a) beside = beside || i[a] == 0 || i[a] == phi.shape.size[a] - 1;
        if (beside) at_walls.push_back(i);
    }
    const DenseField<T, D> start = phi;
    // Which cells are held at a distance, and which sign goes on.
    std::vector<T> held(cells.size()), sign(cells.size()), next(cells.size());
    std::vector<std::uint8_t> is_held(cells.size());
    for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            const T* p = start.read() + cells[n];
            T square = 0;
            for (int a = 0; a < D; ++a) {
                const T c = T(0.5) * (p[stride[a]] - *(p - stride[a]));
                square += c * c;
            }
            sign[n] = *p / std::sqrt(*p * *p + square + T(1e-12));  // [SSK05] Eq. 19
            is_held[n] = beside_surface<T, D>(p, start.shape, start.shape.index(cells[n]));
            held[n] = is_held[n] ? distance_beside<T, D>(p, stride) : T(0);
        }
    });
    for (int k = 0; k < iterations; ++k) {
        T* values = phi.write();
        for_range(context.arena, at_walls.size(), 1024, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n)
                continue_distance<T, D>(values, phi.shape, at_walls[n]);
        });
        for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) {
                const T* p = values + cells[n];
                if (is_held[n]) {
                    next[n] = *p + T(0.5) * (held[n] - *p);
                    continue;
                }
                T square = 0;
                const T s = sign[n] > 0 ? T(1) : T(-1);
                for (int a = 0; a < D; ++a) {  // Godunov
                    T below, above;
                    upwind(p, stride[a], below, above);
                    const T in = std::max(s * below, T(0)), out = std::min(s * above, T(0));
                    square += std::max(in * in, out * out);
                }
                next[n] = *p - T(0.5) * sign[n] * (std::sqrt(square) - 1);
                if (next[n] * *p < 0) next[n] = *p / 2;
            }
        });
        for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) values[cells[n]] = next[n];
        });
    }
    const bool even[D] = {};
    mirror_ghosts<T, D>(phi.write(), DensePlace<D>::centres(phi.shape.size), even);
}

template <class T, int D>
DenseField<T, D> surface_curvature(const DenseField<T, D>& phi, double band, Context& context) {
    Stage stage(context, "curvature");
    DenseField<T, D> at_centres(phi.shape), result(phi.shape);
    const DensePlace<D> place = DensePlace<D>::centres(phi.shape.size);
    const bool even[D] = {};
    std::size_t stride[D];
    for (int a = 0; a < D; ++a) stride[a] = phi.shape.stride(a);
    // Interpolation of the band's outermost cells asks for one more layer.
    const std::vector<std::size_t> cells = band_cells(phi, band + 2, context);
    std::vector<Vec<T, D>> normal(cells.size());
    T* k = at_centres.write();
    const T* f = phi.read();
    for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            const T* p = f + cells[n];
            T g[D], square = 0, laplace = 0, bend = 0;
            for (int a = 0; a < D; ++a) {
                g[a] = T(0.5) * (p[stride[a]] - *(p - stride[a]));
                square += g[a] * g[a];
            }
            if (!(square > T(1e-4))) continue;
            for (int a = 0; a < D; ++a) {
                const T second = p[stride[a]] + *(p - stride[a]) - 2 * *p;
                laplace += second;
                bend += g[a] * g[a] * second;
                for (int c = a + 1; c < D; ++c) {
                    const std::size_t s = stride[a], r = stride[c];
                    bend += T(0.5) * g[a] * g[c] *
                            ((p[s + r] + *(p - s - r)) - (*(p + s - r) + *(p - s + r)));
                }
            }
            const T value = (square * laplace - bend) / (square * std::sqrt(square));
            k[cells[n]] = std::min(std::max(value, T(1 - D)), T(D - 1));
            for (int a = 0; a < D; ++a) normal[n][a] = g[a] / square;  // φ·normal: way to the zero
        }
    });
    mirror_ghosts<T, D>(k, place, even);
    T* out = result.write();
    for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n) {
            if (!(std::abs(f[cells[n]]) < T(band))) continue;
            // Foot of the normal, at most two cells away: multilinear there.
            T w[D];
            std::ptrdiff_t base = 0;
            for (int a = 0; a < D; ++a) {
                const T way = std::min(std::max(-f[cells[n]] * normal[n][a], T(-1.5)), T(1.5));
                const T lower = std::floor(way);
                w[a] = way - lower;
                base += std::ptrdiff_t(lower) * std::ptrdiff_t(stride[a]);
            }
            // A foot beyond the ghosts: its own value.
            T sum = 0;
            const std::ptrdiff_t at = std::ptrdiff_t(cells[n]) + base;
            std::size_t reach = 0;
            for (int a = 0; a < D; ++a) reach += stride[a];
            if (at < 0 || std::size_t(at) + reach >= at_centres.values.size()) {
                out[cells[n]] = k[cells[n]];
                continue;
            }
            for (int c = 0; c < (1 << D); ++c) {
                T weight = 1;
                std::size_t o = std::size_t(at);
                for (int a = 0; a < D; ++a) {
                    weight *= (c >> a & 1) ? w[a] : 1 - w[a];
                    o += (c >> a & 1) ? stride[a] : 0;
                }
                sum += weight * k[o];
            }
            out[cells[n]] = sum;
        }
    });
    mirror_ghosts<T, D>(out, place, even);
    return result;
}

#define SPUME_INSTANTIATE(T, D)                                                                    \
    template std::vector<std::size_t> band_cells<T, D>(const DenseField<T, D>&, double, Context&); \
    template void redistance<T, D>(DenseField<T, D>&, double, int, Context&);                      \
    template DenseField<T, D> surface_curvature<T, D>(const DenseField<T, D>&, double, Context&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
