// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/dense_level_set.h"

#include <algorithm>
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
    const T* f = phi.read();
    return places_where(context.arena, phi.shape,
                        [&](std::size_t i) { return std::abs(f[i]) < T(band); });
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

/// 1/|∇φ| at a cell beside the surface by central differences, [RS00] Eq. 13.
template <class T, int D>
inline T stretch_at(const T* p, const std::size_t (&stride)[D]) {
    T central = 0, largest = 0;
    for (int a = 0; a < D; ++a) {
        const T up = p[stride[a]] - *p, down = *p - *(p - stride[a]);
        central += T(0.25) * (up + down) * (up + down);
        largest = std::max(largest, std::max(up * up, down * down));
    }
    return 1 / std::sqrt(std::max(std::max(central, T(0.25) * largest), T(1e-12)));
}

/// How near a second surface is along an axis: 1 up to three cells, 0 from six on.
template <class T, int D>
T thinness(const T* p, const DenseShape<D>& shape, const Index<D>& i) {
    constexpr int kFar = 6;
    int nearest = kFar;
    for (int a = 0; a < D; ++a) {
        const auto s = std::ptrdiff_t(shape.stride(a));
        int found = 0;
        for (int k = 1; k < nearest; ++k)
            for (const int side : {-k, k}) {
                if (i[a] + side < 0 || i[a] + side >= shape.size[a]) continue;
                const bool crosses =
                    (p[side * s] < 0) != (p[(side < 0 ? side + 1 : side - 1) * s] < 0);
                if (crosses && ++found == 2) nearest = k;
            }
    }
    return std::min(T(1), T(kFar - nearest) / T(3));
}

/// 1/|∇φ| on the surface beside a cell: the mean over the ways to neighbours that cross it, by how
/// much they go along its normal. Both ends of a way see the same slope there, so that the zero
/// between them stays.
template <class T, int D>
T stretch_on_surface(const T* p, const DenseShape<D>& shape, const Index<D>& i) {
    T sum = 0, weights = 0;
    for (int a = 0; a < D; ++a)
        for (const int side : {-1, 1}) {
            if (i[a] + side < 0 || i[a] + side >= shape.size[a]) continue;
            const auto s = std::ptrdiff_t(shape.stride(a)) * side;
            if ((*p < 0) == (p[s] < 0)) continue;
            const T rise = p[s] - *p, part = -*p / rise;
            T square = rise * rise;
            for (int b = 0; b < D; ++b) {
                if (b == a) continue;
                const auto r = std::ptrdiff_t(shape.stride(b));
                const T c = T(0.5) * ((1 - part) * (p[r] - p[-r]) + part * (p[s + r] - p[s - r]));
                square += c * c;
            }
            const T weight = rise * rise / square;
            sum += weight / std::sqrt(square);
            weights += weight;
        }
    return sum / weights;
}

/// What is to become a distance: cells by their number of cells from the surface, since where φ has
/// become steep those beside it hold large values too; and the distances of the first of them.
template <class T, int D>
class Layers {
  public:
    Layers(const DenseField<T, D>& phi, double band, Context& context)
        : shape_(phi.shape), layer_(phi.shape.count(), 0) {
        const T* f = phi.read();
        for (std::size_t r = 0; r < shape_.rows(); ++r) {
            Index<D> i = shape_.row(r);
            std::size_t at = shape_.at(i);
            for (int n = 0; n < shape_.size[D - 1]; ++n, ++at, ++i[D - 1])
                if (beside_surface<T, D>(f + at, shape_, i)) beside_.push_back(at);
        }
        cells_ = beside_;
        for (const std::size_t at : beside_) layer_[at] = 1;
        std::vector<std::size_t> front = beside_, next;
        for (int layer = 2; layer <= int(std::ceil(band)) + 1; ++layer, front.swap(next))
            grow(front, next, layer);
        for (const std::size_t at : band_cells(phi, band, context))
            if (layer_[at] == 0) cells_.push_back(at);
        std::sort(cells_.begin(), cells_.end());
    }
    const std::vector<std::size_t>& cells() const { return cells_; }
    const std::vector<std::size_t>& beside() const { return beside_; }
    bool is_beside(std::size_t at) const { return layer_[at] == 1; }

    /// φ/|∇φ| of the cells beside the surface, in their order. |∇φ| is the mean of neighbours
    /// beside it, edges and corners too: a distance that is φ times something smooth has its zero
    /// where φ has, also in a fold thinner than a cell.
    std::vector<T> distances_beside(const T* f, Context& context) const {
        std::vector<T> stretch(shape_.count(), T(0)), r(beside_.size());
        for_range(context.arena, beside_.size(), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n)
                stretch[beside_[n]] =
                    stretch_on_surface<T, D>(f + beside_[n], shape_, shape_.index(beside_[n]));
        });
        std::size_t stride[D];
        for (int a = 0; a < D; ++a) stride[a] = shape_.stride(a);
        std::vector<std::ptrdiff_t> around = {0};
        for (int a = 0; a < D; ++a)
            for (std::size_t n = around.size(); n-- > 0;)
                for (const int side : {-1, 1})
                    around.push_back(around[n] + side * std::ptrdiff_t(shape_.stride(a)));
        for_range(context.arena, beside_.size(), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) {
                T sum = 0;
                int count = 0;
                for (const std::ptrdiff_t way : around)
                    if (const std::size_t at = beside_[n] + std::size_t(way); is_beside(at))
                        sum += stretch[at], ++count;
                const T* p = f + beside_[n];
                const T own = stretch_at<T, D>(p, stride);
                const T thin = thinness<T, D>(p, shape_, shape_.index(beside_[n]));
                r[n] = *p * (own + thin * (sum / T(count) - own));
            }
        });
        return r;
    }

  private:
    void grow(const std::vector<std::size_t>& front, std::vector<std::size_t>& next, int layer) {
        next.clear();
        for (const std::size_t at : front) {
            const Index<D> i = shape_.index(at);
            for (int a = 0; a < D; ++a)
                for (const int side : {-1, 1}) {
                    if (i[a] + side < 0 || i[a] + side >= shape_.size[a]) continue;
                    const std::size_t j = side > 0 ? at + shape_.stride(a) : at - shape_.stride(a);
                    if (layer_[j] != 0) continue;
                    layer_[j] = std::uint8_t(layer);
                    next.push_back(j);
                    cells_.push_back(j);
                }
        }
    }

    DenseShape<D> shape_;
    std::vector<std::uint8_t> layer_;  ///< 1: beside the surface; 0: beyond the band
    std::vector<std::size_t> cells_, beside_;
};

/// sgn(φ) of [SSK05] Eq. 19.
template <class T, int D>
T smooth_sign(const T* p, const std::size_t (&stride)[D]) {
    T square = 0;
    for (int a = 0; a < D; ++a) {
        const T c = T(0.5) * (p[stride[a]] - *(p - stride[a]));
        square += c * c;
    }
    return *p / std::sqrt(*p * *p + square + T(1e-12));
}

/// One step of half a voxel at a cell, [SSK05] Eq. 18 by Godunov's scheme.
template <class T, int D>
T nearer_to_distance(const T* p, const std::size_t (&stride)[D], T sign, T band) {
    T square = 0;
    const T s = sign > 0 ? T(1) : T(-1);
    for (int a = 0; a < D; ++a) {
        T below, above;
        upwind(p, stride[a], below, above);
        const T in = std::max(s * below, T(0)), out = std::min(s * above, T(0));
        square += std::max(in * in, out * out);
    }
    const T next = *p - T(0.5) * sign * (std::sqrt(square) - 1);
    return std::clamp(next * *p < 0 ? *p / 2 : next, -band, band);
}

}  // namespace

template <class T, int D>
void redistance(DenseField<T, D>& phi, double band, int iterations, Context& context) {
    Stage stage(context, "redistance");
    continue_ghosts<T, D>(phi.write(), phi.shape);
    const Layers<T, D> layers(phi, band, context);
    const std::vector<std::size_t>& cells = layers.cells();
    std::size_t stride[D];
    for (int a = 0; a < D; ++a) stride[a] = phi.shape.stride(a);
    std::vector<Index<D>> at_walls;
    for (const std::size_t at : cells) {
        const Index<D> i = phi.shape.index(at);
        bool beside = false;
        for (int a = 0; a < D; ++a) beside = beside || i[a] == 0 || i[a] == phi.shape.size[a] - 1;
        if (beside) at_walls.push_back(i);
    }
    std::vector<T> sign(cells.size()), next(cells.size());
    for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
        for (std::size_t n = b; n < e; ++n)
            sign[n] = smooth_sign<T, D>(phi.read() + cells[n], stride);
    });
    const std::vector<T> held = layers.distances_beside(phi.read(), context);
    T* values = phi.write();
    for (const std::size_t at : cells) values[at] = std::clamp(values[at], T(-band), T(band));
    for (std::size_t n = 0; n < held.size(); ++n) values[layers.beside()[n]] = held[n];
    for (int k = 0; k < iterations; ++k) {
        for_range(context.arena, at_walls.size(), 1024, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n)
                continue_distance<T, D>(values, phi.shape, at_walls[n]);
        });
        for_range(context.arena, cells.size(), 2048, [&](std::size_t b, std::size_t e) {
            for (std::size_t n = b; n < e; ++n) {
                const T* p = values + cells[n];
                next[n] = layers.is_beside(cells[n])
                              ? *p
                              : nearer_to_distance<T, D>(p, stride, sign[n], T(band));
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
