// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/cip_mixed.h"

#include "spume/physics/motion/cip_node.h"

namespace spume {
namespace {

/// The cubics of Hermite on [0, 1] by powers of x: of which end, of its value or its slope.
constexpr int kHermite[2][2][4] = {{{1, 0, -3, 2}, {0, 1, -2, 1}}, {{0, 0, 3, -2}, {0, 0, -1, 1}}};

/// The profile of a cell as a sum over corners and their derivatives of products of these cubics,
/// which is what [SSK05] Fig. 2 gives axis by axis; with it any derivative.
template <class T, int D>
class CellProfile {
  public:
    CellProfile(const CipNode<T, D> (&corner)[1 << D], const T (&x)[D]) : corner_(corner) {
        for (int a = 0; a < D; ++a)
            for (int end = 0; end < 2; ++end)
                for (int slope = 0; slope < 2; ++slope) {
                    T c[4];
                    for (int k = 0; k < 4; ++k) c[k] = T(kHermite[end][slope][k]);
                    T(&b)[3] = basis_[a][end][slope];
                    b[0] = c[0] + x[a] * (c[1] + x[a] * (c[2] + x[a] * c[3]));
                    b[1] = c[1] + x[a] * (2 * c[2] + x[a] * (3 * c[3]));
                    b[2] = 2 * c[2] + x[a] * (6 * c[3]);
                }
    }
    /// Differentiated as often along each axis.
    T derivative(const Index<D>& orders) const {
        T sum = 0;
        for (int c = 0; c < (1 << D); ++c)
            for (int m = 0; m < (1 << D); ++m) {
                T term = corner_[c].v[m];
                for (int a = 0; a < D; ++a) term *= basis_[a][c >> a & 1][m >> a & 1][orders[a]];
                sum += term;
            }
        return sum;
    }

  private:
    const CipNode<T, D> (&corner_)[1 << D];
    T basis_[D][2][2][3];  ///< by axis, end, value or slope, order
};

/// ∂²X/∂x_b∂x_c at a sample, one-sided at the ends of the field.
template <class T, int D>
T mixed_difference(const T* x, const DenseShape<D>& shape, const Index<D>& i, int b, int c) {
    std::ptrdiff_t up[2], down[2];
    T scale = 1;
    for (int k = 0; k < 2; ++k) {
        const int a = k == 0 ? b : c;
        const auto s = std::ptrdiff_t(shape.stride(a));
        up[k] = i[a] + 1 < shape.size[a] ? s : 0;
        down[k] = i[a] > 0 ? -s : 0;
        if (up[k] != 0 && down[k] != 0) scale *= T(0.5);
    }
    return scale *
           (x[up[0] + up[1]] - x[up[0] + down[1]] - x[down[0] + up[1]] + x[down[0] + down[1]]);
}

/// What the flow makes of f_bc at one sample.
template <class T, int D>
void carried_at(const CellProfile<T, D>& profile, const T* const (&x)[D],
                const DenseShape<D>& shape, const Index<D>& i, T (&out)[kMixed<D>]) {
    const std::size_t at = shape.at(i);
    T j[D][D], first[D], second[D][D];
    jacobian<T, D>(x, shape, i, at, j);
    for (int a = 0; a < D; ++a) {
        first[a] = profile.derivative(Index<D>::unit(a));
        for (int b = a; b < D; ++b)
            second[a][b] = second[b][a] = profile.derivative(Index<D>::unit(a) + Index<D>::unit(b));
    }
    int k = 0;
    for (int b = 0; b < D; ++b)
        for (int c = b + 1; c < D; ++c, ++k) {
            out[k] = 0;
            for (int a = 0; a < D; ++a) {
                out[k] += first[a] * mixed_difference<T, D>(x[a] + at, shape, i, b, c);
                for (int d = 0; d < D; ++d) out[k] += j[a][b] * j[d][c] * second[a][d];
            }
        }
}

}  // namespace

template <class T, int D>
void make_room_for_mixed(CipField<T, D>& field) {
    for (auto& excess : field.mixed) excess = DenseField<T, D>(field.f.shape);
}

template <class T, int D>
void carry_mixed(CipField<T, D>& field, const CipField<T, D>& before, const Feet<T, D>& feet,
                 Context& context) {
    const DenseShape<D>& shape = field.place.shape;
    const T *f = before.f.read(), *g[D], *fresh[D], *x[D], *old[kMixed<D>];
    T* out[kMixed<D>];
    std::size_t stride[D];
    for (int a = 0; a < D; ++a) {
        g[a] = before.g[a].read(), fresh[a] = field.g[a].read(), x[a] = feet.x[a].read();
        stride[a] = shape.stride(a);
    }
    for (int k = 0; k < kMixed<D>; ++k) old[k] = before.mixed[k].read();
    for (int k = 0; k < kMixed<D>; ++k) out[k] = field.mixed[k].write();
    for_rows(context.arena, shape, [&](Index<D> i, std::size_t at, int count) {
        for (int n = 0; n < count; ++n, ++at, ++i[D - 1]) {
            Index<D> base{};
            T w[D];
            for (int a = 0; a < D; ++a) {
                const T u = x[a][at] - T(field.place.offset[a]);
                base[a] = int(std::floor(u));
                w[a] = u - T(base[a]);
            }
            CipNode<T, D> corner[1 << D];
            for (int c = 0; c < (1 << D); ++c) {
                std::size_t place = shape.at(base);
                for (int a = 0; a < D; ++a) place += (c >> a & 1) ? stride[a] : 0;
                pack<T, D>(f, g, stride, place, corner[c]);
                add_excess<T, D>(old, place, corner[c]);
            }
            T carried[kMixed<D>];
            carried_at<T, D>(CellProfile<T, D>(corner, w), x, shape, i, carried);
            CipNode<T, D> differenced;
            pack<T, D>(field.f.read(), fresh, stride, at, differenced);
            int k = 0;
            for (int b = 0; b < D; ++b)
                for (int c = b + 1; c < D; ++c, ++k)
                    out[k][at] = carried[k] - differenced.v[1 << b | 1 << c];
        }
    });
    fill_mixed_ghosts(field);
}

template <class T, int D>
void fill_mixed_ghosts(CipField<T, D>& field) {
    int k = 0;
    for (int b = 0; b < D; ++b)
        for (int c = b + 1; c < D; ++c, ++k) {
            bool odd[D];
            for (int a = 0; a < D; ++a) odd[a] = field.odd[a] != (a == b || a == c);
            mirror_ghosts<T, D>(field.mixed[k].write(), field.place, odd);
        }
}

#define SPUME_INSTANTIATE(T, D)                                                                \
    template void make_room_for_mixed<T, D>(CipField<T, D>&);                                  \
    template void carry_mixed<T, D>(CipField<T, D>&, const CipField<T, D>&, const Feet<T, D>&, \
                                    Context&);                                                 \
    template void fill_mixed_ghosts<T, D>(CipField<T, D>&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
