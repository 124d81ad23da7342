// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/cip.h"

#include <cmath>

#include "spume/physics/motion/cip_lanes.h"

namespace spume {
namespace {

/// Half the difference of the neighbours along an axis.
template <class T>
inline T central(const T* p, std::size_t stride) {
    return T(0.5) * (p[stride] - *(p - stride));
}

/// A sample with all derivatives; mixed ones are means of what differences of the first ones give.
template <class T, int D>
inline void pack(const T* f, const T* const (&g)[D], const std::size_t (&s)[D], std::size_t i,
                 CipNode<T, D>& n) {
    n.v[0] = f[i];
    for (int a = 0; a < D; ++a) n.v[1 << a] = g[a][i];
    for (int a = 0; a < D; ++a)
        for (int b = a + 1; b < D; ++b)
            n.v[1 << a | 1 << b] = T(0.5) * (central(g[b] + i, s[a]) + central(g[a] + i, s[b]));
    if constexpr (D == 3) {
        T sum = 0;
        for (int a = 0; a < D; ++a) {
            const std::size_t b = s[(a + 1) % D], c = s[(a + 2) % D];
            const T* p = g[a] + i;
            sum += T(0.25) * ((p[b + c] + *(p - b - c)) - (*(p + b - c) + *(p - b + c)));
        }
        n.v[7] = sum / 3;
    }
}

/// Values with all derivatives at samples −1 … n: what cells at a wall need.
template <class T, int D>
class CipNodes {
  public:
    explicit CipNodes(const CipField<T, D>& field, Context& context) : shape_(field.f.shape) {
        nodes_.resize_discard(shape_.count());
        CipNode<T, D>* out = nodes_.write().data();
        DenseShape<D> wide = shape_;
        for (int a = 0; a < D; ++a) wide.size[a] += 2;
        const T* f = field.f.read();
        const T* g[D];
        std::size_t stride[D];
        for (int a = 0; a < D; ++a) g[a] = field.g[a].read(), stride[a] = shape_.stride(a);
        for_range(context.arena, wide.rows(), kRowGrain<D>, [&](std::size_t b, std::size_t e) {
            for (std::size_t r = b; r < e; ++r) {
                const Index<D> first = wide.row(r) - Index<D>::filled(1);
                const std::size_t place = shape_.at(first);
                for (std::size_t i = place; i < place + std::size_t(wide.size[D - 1]); ++i)
                    pack<T, D>(f, g, stride, i, out[i]);
            }
        });
    }
    const CipNode<T, D>* read() const { return nodes_.data(); }

  private:
    DenseShape<D> shape_;
    Array<CipNode<T, D>> nodes_;
};

/// ∂X/∂x at a sample, one-sided at the ends of the field.
template <class T, int D>
inline void jacobian(const T* const (&x)[D], const DenseShape<D>& shape, const Index<D>& i,
                     std::size_t at, T (&j)[D][D]) {
    for (int b = 0; b < D; ++b) {
        const std::size_t s = shape.stride(b);
        const std::size_t up = i[b] + 1 < shape.size[b] ? s : 0, down = i[b] > 0 ? s : 0;
        const T scale = up != 0 && down != 0 ? T(0.5) : T(1);
        for (int a = 0; a < D; ++a) j[a][b] = (x[a][at + up] - x[a][at - down]) * scale;
    }
}

template <Profile kProfile, class T, int D>
CipValue<T, D> one_by(const CipField<T, D>& field, const Feet<T, D>& feet, const Index<D>& sample) {
    const DenseShape<D>& shape = field.place.shape;
    const std::size_t at = shape.at(sample);
    const T* f = field.f.read();
    const T *g[D], *x[D];
    std::size_t stride[D];
    Index<D> base{};
    T w[D], j[D][D];
    for (int a = 0; a < D; ++a) {
        g[a] = field.g[a].read(), x[a] = feet.x[a].read(), stride[a] = shape.stride(a);
        const T u = x[a][at] - T(field.place.offset[a]), lower = std::floor(u);
        base[a] = int(lower);
        w[a] = u - lower;
    }
    CipNode<T, D> corner[1 << D];
    for (int k = 0; k < (1 << D); ++k) {
        std::size_t o = shape.at(base);
        for (int a = 0; a < D; ++a) o += (k >> a & 1) ? stride[a] : 0;
        pack<T, D>(f, g, stride, o, corner[k]);
    }
    const auto n = cell_at<kProfile, T, D>(corner, w);
    jacobian<T, D>(x, shape, sample, at, j);
    CipValue<T, D> r{n.v[0], {}};
    for (int b = 0; b < D; ++b)
        for (int a = 0; a < D; ++a) r.g[b] += j[a][b] * n.v[1 << a];
    return r;
}

/// ∇f ← Jᵀ∇F in the lanes of a stretch of samples from `i` on, J from the feet.
template <class T, int D>
inline void turn_gradient(const T* const (&x)[D], const DenseShape<D>& shape, const Index<D>& i,
                          std::size_t at, int count, const LaneNode<T, D>& n, T* const (&g)[D]) {
    if (i[D - 1] == 0 || i[D - 1] + count == shape.size[D - 1] || count < kCipLanes) {
        Index<D> sample = i;
        for (int l = 0; l < count; ++l, ++sample[D - 1]) {
            T j[D][D];
            jacobian<T, D>(x, shape, sample, at + std::size_t(l), j);
            for (int b = 0; b < D; ++b) {
                T sum = 0;
                for (int a = 0; a < D; ++a) sum += j[a][b] * n.v[1 << a].v[l];
                g[b][at + std::size_t(l)] = sum;
            }
        }
        return;
    }
    for (int b = 0; b < D; ++b) {
        const std::size_t s = shape.stride(b);
        const std::size_t up = i[b] + 1 < shape.size[b] ? s : 0, down = i[b] > 0 ? s : 0;
        const T scale = up != 0 && down != 0 ? T(0.5) : T(1);
        LaneValues<T> sum{};
        for (int a = 0; a < D; ++a) {
            const T *above = x[a] + at + up, *below = x[a] + at - down;
            for (int l = 0; l < kCipLanes; ++l)
                sum.v[l] += (above[l] - below[l]) * scale * n.v[1 << a].v[l];
        }
        for (int l = 0; l < kCipLanes; ++l) g[b][at + std::size_t(l)] = sum.v[l];
    }
}

/// Feet of a stretch of samples; lanes beyond its end repeat its last one.
template <class T, int D>
inline void load_feet(const T* const (&x)[D], std::size_t at, int count, LaneValues<T> (&foot)[D]) {
    for (int a = 0; a < D; ++a) {
        if (count == kCipLanes)
            for (int l = 0; l < kCipLanes; ++l) foot[a].v[l] = x[a][at + std::size_t(l)];
        else
            for (int l = 0; l < kCipLanes; ++l)
                foot[a].v[l] = x[a][at + std::size_t(std::min(l, count - 1))];
    }
}

template <Profile kProfile, class T, int D>
void advect_by(CipField<T, D>& field, const Feet<T, D>& feet, Context& context) {
    const CipNodes<T, D> nodes(field, context);
    const DenseShape<D>& shape = field.place.shape;
    T* f = field.f.write();
    T* g[D];
    const T* x[D];
    std::size_t corner_of[1 << D] = {};
    for (int a = 0; a < D; ++a) g[a] = field.g[a].write(), x[a] = feet.x[a].read();
    for (int k = 0; k < (1 << D); ++k)
        for (int a = 0; a < D; ++a) corner_of[k] += (k >> a & 1) ? shape.stride(a) : 0;
    for_rows(context.arena, shape, [&](Index<D> i, std::size_t at, int count) {
        for (; count > 0; count -= kCipLanes, at += kCipLanes, i[D - 1] += kCipLanes) {
            const int now = std::min(count, kCipLanes);
            LaneValues<T> foot[D];
            load_feet<T, D>(x, at, now, foot);
            const LaneCells<T, D> cells(foot, field.place);
            LaneNode<T, D> corner[1 << D];
            for (int k = 0; k < (1 << D); ++k)
                for (int l = 0; l < kCipLanes; ++l) {
                    const CipNode<T, D>& n =
                        nodes.read()[std::size_t(cells.base[l]) + corner_of[k]];
                    for (int m = 0; m < (1 << D); ++m) corner[k].v[m].v[l] = n.v[m];
                }
            cell_lanes<kProfile, T, D>(corner, cells.w);
            for (int l = 0; l < now; ++l) f[at + std::size_t(l)] = corner[0].v[0].v[l];
            turn_gradient<T, D>(x, shape, i, at, now, corner[0], g);
        }
    });
    fill_ghosts(field);
}

}  // namespace

template <class T, int D>
void fill_ghosts(CipField<T, D>& field) {
    mirror_ghosts<T, D>(field.f.write(), field.place, field.odd);
    for (int a = 0; a < D; ++a) {
        bool odd[D];
        for (int b = 0; b < D; ++b) odd[b] = field.odd[b] != (a == b);
        mirror_ghosts<T, D>(field.g[a].write(), field.place, odd);
    }
}

template <class T, int D>
void difference(CipField<T, D>& field, Context& context) {
    for (auto& derivative : field.g) derivative.values.fill(T(0));
    const DenseField<T, D> zero(field.f.shape);
    follow_change(field, zero, context);
}

template <class T, int D>
void follow_change(CipField<T, D>& field, const DenseField<T, D>& before, Context& context) {
    DenseField<T, D> change = field.f;
    T* c = change.write();
    const T* old = before.read();
    for_range(context.arena, change.values.size(), 1 << 14, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) c[i] -= old[i];
    });
    mirror_ghosts<T, D>(c, field.place, field.odd);
    for (int a = 0; a < D; ++a) {
        T* g = field.g[a].write();
        const std::size_t s = field.f.shape.stride(a);
        for_rows(context.arena, field.f.shape, [&](const Index<D>&, std::size_t at, int count) {
            for (std::size_t i = at; i < at + std::size_t(count); ++i)
                g[i] += T(0.5) * (c[i + s] - c[i - s]);
        });
    }
    fill_ghosts(field);
}

template <class T, int D>
Feet<T, D> trace_back(DenseFaces<T, D> velocity, const DensePlace<D>& place, double steps,
                      Context& context) {
    Stage stage(context, "trace");
    Feet<T, D> feet;
    for (auto& x : feet.x) x.shape = place.shape, x.values.resize_discard(place.shape.count());
    DensePlace<D> faces[D];
    const T* u[D];
    T* out[D];
    for (int a = 0; a < D; ++a) {
        faces[a] = DensePlace<D>::faces(place.cells, a);
        u[a] = velocity[a]->read();
        out[a] = feet.x[a].write();
    }
    const auto back = [&](const LaneValues<T>(&from)[D], const LaneValues<T>(&at)[D], T by,
                          LaneValues<T>(&to)[D]) {
        for (int a = 0; a < D; ++a) {
            LaneValues<T> v;
            sample_lanes<T, D>(u[a], faces[a].shape, LaneCells<T, D>(at, faces[a]), v);
            const T most = T(place.cells[a]);
            for (int l = 0; l < kCipLanes; ++l) {
                const T x = from[a].v[l] - by * v.v[l];
                to[a].v[l] = std::min(std::max(x, T(0)), most);
            }
        }
    };
    for_rows(context.arena, place.shape, [&](Index<D> i, std::size_t at, int count) {
        for (; count > 0; count -= kCipLanes, at += kCipLanes, i[D - 1] += kCipLanes) {
            const int now = std::min(count, kCipLanes);
            LaneValues<T> x[D], middle[D], foot[D];
            for (int a = 0; a < D; ++a)
                for (int l = 0; l < kCipLanes; ++l)
                    x[a].v[l] =
                        T(i[a] + (a == D - 1 ? std::min(l, now - 1) : 0)) + T(place.offset[a]);
            back(x, x, T(steps / 2), middle);
            back(x, middle, T(steps), foot);
            for (int a = 0; a < D; ++a)
                for (int l = 0; l < now; ++l) out[a][at + std::size_t(l)] = foot[a].v[l];
        }
    });
    return feet;
}

template <class T, int D>
void advect(CipField<T, D>& field, const Feet<T, D>& feet, Profile profile, Context& context) {
    Stage stage(context, "advect");
    switch (profile) {
        case Profile::kLinear:
            return advect_by<Profile::kLinear, T, D>(field, feet, context);
        case Profile::kCip:
            return advect_by<Profile::kCip, T, D>(field, feet, context);
        case Profile::kMonotone:
            return advect_by<Profile::kMonotone, T, D>(field, feet, context);
        case Profile::kClamped:
            return advect_by<Profile::kClamped, T, D>(field, feet, context);
        case Profile::kRational:
            return advect_by<Profile::kRational, T, D>(field, feet, context);
    }
}

template <class T, int D>
CipValue<T, D> advected_at(const CipField<T, D>& field, const Feet<T, D>& feet, Profile profile,
                           const Index<D>& sample) {
    switch (profile) {
        case Profile::kLinear:
            return one_by<Profile::kLinear, T, D>(field, feet, sample);
        case Profile::kCip:
            return one_by<Profile::kCip, T, D>(field, feet, sample);
        case Profile::kMonotone:
            return one_by<Profile::kMonotone, T, D>(field, feet, sample);
        case Profile::kClamped:
            return one_by<Profile::kClamped, T, D>(field, feet, sample);
        case Profile::kRational:
            return one_by<Profile::kRational, T, D>(field, feet, sample);
    }
    return {};
}

template <class T, int D>
void advect_cubic(CipField<T, D>& field, const Feet<T, D>& feet, Context& context) {
    difference(field, context);
    advect(field, feet, Profile::kMonotone, context);
    difference(field, context);
}

template <class T, int D>
void advect_maccormack(CipField<T, D>& field, DenseFaces<T, D> velocity, double steps,
                       Context& context) {
    Stage stage(context, "advect");
    const Feet<T, D> back = trace_back<T, D>(velocity, field.place, steps, context);
    const Feet<T, D> forth = trace_back<T, D>(velocity, field.place, -steps, context);
    const DenseField<T, D> start = field.f;
    CipField<T, D> there = field;
    advect_by<Profile::kLinear, T, D>(there, back, context);
    CipField<T, D> returned = there;
    advect_by<Profile::kLinear, T, D>(returned, forth, context);
    T* f = field.f.write();
    const DenseShape<D>& shape = field.place.shape;
    for_rows(context.arena, shape, [&](const Index<D>&, std::size_t at, int count) {
        for (int k = 0; k < count; ++k, ++at) {
            Index<D> corner{};
            for (int a = 0; a < D; ++a)
                corner[a] = int(std::floor(back.x[a].values[at] - T(field.place.offset[a])));
            const std::size_t base = shape.at(corner);
            T lo = start.values[base], hi = lo;
            for (int c = 1; c < (1 << D); ++c) {
                std::size_t o = base;
                for (int a = 0; a < D; ++a) o += (c >> a & 1) ? shape.stride(a) : 0;
                lo = std::min(lo, start.values[o]);
                hi = std::max(hi, start.values[o]);
            }
            const T corrected = there.f.values[at] + (start.values[at] - returned.f.values[at]) / 2;
            f[at] = corrected < lo || corrected > hi ? there.f.values[at] : corrected;
        }
    });
    difference(field, context);
}

#define SPUME_INSTANTIATE(T, D)                                                                  \
    template void fill_ghosts<T, D>(CipField<T, D>&);                                            \
    template void difference<T, D>(CipField<T, D>&, Context&);                                   \
    template void follow_change<T, D>(CipField<T, D>&, const DenseField<T, D>&, Context&);       \
    template Feet<T, D> trace_back<T, D>(DenseFaces<T, D>, const DensePlace<D>&, double,         \
                                         Context&);                                              \
    template void advect<T, D>(CipField<T, D>&, const Feet<T, D>&, Profile, Context&);           \
    template CipValue<T, D> advected_at<T, D>(const CipField<T, D>&, const Feet<T, D>&, Profile, \
                                              const Index<D>&);                                  \
    template void advect_cubic<T, D>(CipField<T, D>&, const Feet<T, D>&, Context&);              \
    template void advect_maccormack<T, D>(CipField<T, D>&, DenseFaces<T, D>, double, Context&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
