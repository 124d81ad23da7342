// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/cip.h"

#include <cmath>

#include "spume/physics/motion/cip_lanes.h"
#include "spume/physics/motion/cip_mixed.h"
#include "spume/physics/motion/cip_node.h"

namespace spume {
namespace {

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
        const T* mixed[kMixed<D>];
        for (int k = 0; k < kMixed<D>; ++k) mixed[k] = field.mixed[k].read();
        const bool carried = has_mixed(field);
        for_range(context.arena, wide.rows(), kRowGrain<D>, [&](std::size_t b, std::size_t e) {
            for (std::size_t r = b; r < e; ++r) {
                const Index<D> first = wide.row(r) - Index<D>::filled(1);
                const std::size_t place = shape_.at(first);
                for (std::size_t i = place; i < place + std::size_t(wide.size[D - 1]); ++i)
                    pack<T, D>(f, g, stride, i, out[i]);
                for (std::size_t i = place; carried && i < place + std::size_t(wide.size[D - 1]);
                     ++i)
                    add_excess<T, D>(mixed, i, out[i]);
            }
        });
    }
    const CipNode<T, D>* read() const { return nodes_.data(); }

  private:
    DenseShape<D> shape_;
    Array<CipNode<T, D>> nodes_;
};

/// ∇f ← Jᵀ∇F in the lanes of a stretch of samples from `i` on, J from the feet.
template <class T, int D>
inline void turn_gradient(const T* const (&x)[D], const DenseShape<D>& shape, const Index<D>& i,
                          std::size_t at, int count, const CipNode<typename Pack<T>::Values, D>& n,
                          T* const (&g)[D]) {
    if (i[D - 1] == 0 || i[D - 1] + count == shape.size[D - 1] || count < Pack<T>::kLanes) {
        Index<D> sample = i;
        for (int l = 0; l < count; ++l, ++sample[D - 1]) {
            T j[D][D];
            jacobian<T, D>(x, shape, sample, at + std::size_t(l), j);
            for (int b = 0; b < D; ++b) {
                T sum = 0;
                for (int a = 0; a < D; ++a) sum += j[a][b] * n.v[1 << a][l];
                g[b][at + std::size_t(l)] = sum;
            }
        }
        return;
    }
    for (int b = 0; b < D; ++b) {
        const std::size_t s = shape.stride(b);
        const std::size_t up = i[b] + 1 < shape.size[b] ? s : 0, down = i[b] > 0 ? s : 0;
        const T scale = up != 0 && down != 0 ? T(0.5) : T(1);
        typename Pack<T>::Values sum{};
        for (int a = 0; a < D; ++a)
            sum += (load_pack(x[a] + at + up) - load_pack(x[a] + at - down)) * scale * n.v[1 << a];
        store_pack<T>(sum, g[b] + at, count);
    }
}

template <Profile kProfile, class T, int D>
void advect_by(CipField<T, D>& field, const Feet<T, D>& feet, Context& context) {
    using Values = typename Pack<T>::Values;
    constexpr int kLanes = Pack<T>::kLanes;
    const CipNodes<T, D> nodes(field, context);
    const DenseShape<D>& shape = field.place.shape;
    renew(field);
    T* f = field.f.write();
    T* g[D];
    const T* x[D];
    std::size_t corner_of[1 << D] = {};
    for (int a = 0; a < D; ++a) g[a] = field.g[a].write(), x[a] = feet.x[a].read();
    for (int k = 0; k < (1 << D); ++k)
        for (int a = 0; a < D; ++a) corner_of[k] += (k >> a & 1) ? shape.stride(a) : 0;
    for_rows(context.arena, shape, [&](Index<D> i, std::size_t at, int count) {
        for (; count > 0; count -= kLanes, at += kLanes, i[D - 1] += kLanes) {
            const int now = std::min(count, kLanes);
            Values foot[D];
            for (int a = 0; a < D; ++a) foot[a] = load_pack(x[a] + at, now);
            const PackCells<T, D> cells(foot, field.place);
            CipNode<Values, D> corner[1 << D];
            for (int k = 0; k < (1 << D); ++k)
                load_nodes<T, D>(nodes.read() + corner_of[k], cells.base, corner[k]);
            const CipNode<Values, D> n = cell_at<kProfile, Values, D>(corner, cells.w);
            store_pack<T>(n.v[0], f + at, now);
            turn_gradient<T, D>(x, shape, i, at, now, n, g);
        }
    });
    fill_ghosts(field);
}

template <class T, int D>
void advect_cip(CipField<T, D>& field, const Feet<T, D>& feet, Context& context) {
    if (!has_mixed(field)) return advect_by<Profile::kCip, T, D>(field, feet, context);
    const CipField<T, D> before = field;
    advect_by<Profile::kCip, T, D>(field, feet, context);
    carry_mixed(field, before, feet, context);
}

}  // namespace

template <class T, int D>
void renew(CipField<T, D>& field) {
    renew(field.f);
    for (auto& derivative : field.g) renew(derivative);
}

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
    if (field.sloped)
        continue_ghosts<T, D>(c, field.place.shape);
    else
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
    int off[D][D] = {};  // by the component of the velocity, along each axis
    for (int a = 0; a < D; ++a)
        for (int b = 0; b < D; ++b)
            off[a][b] = int(std::lround(2 * (place.offset[b] - faces[a].offset[b])));
    using Values = typename Pack<T>::Values;
    constexpr int kLanes = Pack<T>::kLanes;
    const auto inside = [&](const Values& x, int a) {
        return lesser(greater(x, Values{}), Values{} + T(place.cells[a]));
    };
    for_rows(context.arena, place.shape, [&](Index<D> i, std::size_t at, int count) {
        for (; count > 0; count -= kLanes, at += kLanes, i[D - 1] += kLanes) {
            Values x[D], middle[D];
            for (int a = 0; a < D; ++a) {
                x[a] = Values{} + (T(i[a]) + T(place.offset[a]));
                if (a == D - 1)
                    for (int l = 0; l < kLanes; ++l) x[a][l] += T(l);
                middle[a] = inside(
                    x[a] - T(steps / 2) * sample_between<T, D>(u[a] + at, place.shape, off[a]), a);
            }
            // Once more with the middle of that way: the implicit midpoint rule, which keeps areas.
            Values foot[D];
            for (int pass = 0; pass < 2; ++pass) {
                for (int a = 0; a < D; ++a) {
                    const PackCells<T, D> cells(middle, faces[a]);
                    const Values v = sample_pack<T, D>(u[a], faces[a].shape, cells);
                    foot[a] = inside(x[a] - T(steps) * v, a);
                }
                for (int a = 0; a < D; ++a) middle[a] = T(0.5) * (x[a] + foot[a]);
            }
            for (int a = 0; a < D; ++a) store_pack<T>(foot[a], out[a] + at, count);
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
            return advect_cip<T, D>(field, feet, context);
        case Profile::kMonotone:
            return advect_by<Profile::kMonotone, T, D>(field, feet, context);
        case Profile::kClamped:
            return advect_by<Profile::kClamped, T, D>(field, feet, context);
        case Profile::kRational:
            return advect_by<Profile::kRational, T, D>(field, feet, context);
    }
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

#define SPUME_INSTANTIATE(T, D)                                                            \
    template void renew<T, D>(CipField<T, D>&);                                            \
    template void fill_ghosts<T, D>(CipField<T, D>&);                                      \
    template void difference<T, D>(CipField<T, D>&, Context&);                             \
    template void follow_change<T, D>(CipField<T, D>&, const DenseField<T, D>&, Context&); \
    template Feet<T, D> trace_back<T, D>(DenseFaces<T, D>, const DensePlace<D>&, double,   \
                                         Context&);                                        \
    template void advect<T, D>(CipField<T, D>&, const Feet<T, D>&, Profile, Context&);     \
    template void advect_cubic<T, D>(CipField<T, D>&, const Feet<T, D>&, Context&);        \
    template void advect_maccormack<T, D>(CipField<T, D>&, DenseFaces<T, D>, double, Context&);
SPUME_INSTANTIATE(double, 2)
SPUME_INSTANTIATE(double, 3)
SPUME_INSTANTIATE(float, 2)
SPUME_INSTANTIATE(float, 3)
#undef SPUME_INSTANTIATE

}  // namespace spume
