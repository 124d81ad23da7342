// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/liquid_transfer.h"

#include "spume/surface/extrapolate.h"

namespace spume {
namespace {

template <int D>
using Axes = std::make_index_sequence<std::size_t(D)>;

/// Lighter faces carry too little to divide by.
constexpr double kLeastWeight = 1e-6;

/// Weight and momentum of one particle on the faces across kAxis around it; `slope` is h ∂u/∂x_d.
template <int kAxis, int D>
inline void deposit_affine(double* block, const detail::Stencil<double, D>& stencil, double mass,
                           double value, const double (&slope)[D]) {
    using Block = detail::FaceBlock<D>;
    double w[D], corner = value;
    for (int d = 0; d < D; ++d) {
        w[d] = stencil.template upper<kAxis>(d);
        corner -= slope[d] * w[d];
    }
    // Weight and momentum of two faces that follow each other fill one register; the momentum is
    // linear in the velocity of the first.
    using Lanes = detail::Pair<double, 2, D>;
    const double z1 = w[D - 1], z0 = 1 - z1;
    const Lanes fixed{z0, 0, z1, z1 * slope[D - 1]}, by_velocity{0, z0, 0, z1};
    double* first = block + stencil.template place<kAxis>() * 2;
    for (int k = 0; k < (1 << (D - 1)); ++k) {
        double weight = mass, u = corner;
        int at = 0;
        for (int d = 0; d < D - 1; ++d) {
            const bool upper = (k >> d & 1) != 0;
            weight *= upper ? w[d] : 1 - w[d];
            u += upper ? slope[d] : 0.0;
            at += upper ? Block::stride(d) : 0;
        }
        Lanes row;
        std::memcpy(&row, first + 2 * at, sizeof row);
        row += (fixed + by_velocity * u) * weight;
        std::memcpy(first + 2 * at, &row, sizeof row);
    }
}

template <int D>
void scatter_affine(const Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                    std::array<FaceField<double, D>, 2>& out, Context& context) {
    using Block = detail::TransferBlock<double, D, 2>;
    Stage stage(context, "scatter");
    const Tiles<D>& tiles = *ranges.tiles;
    const double h = tiles.voxel();
    const bool all_zero = liquid.gradient.empty();
    std::array<std::array<double*, 2>, D> values;
    for (std::size_t c = 0; c < 2; ++c) {
        out[c] = zero_faces<double, D>(ranges.tiles, context);
        for (int a = 0; a < D; ++a) values[std::size_t(a)][c] = out[c].write(a);
    }
    for (const std::vector<int>& same : detail::parity_classes(ranges))
        for_range(context.arena, same.size(), 4, [&](std::size_t b, std::size_t e) {
            Block block;
            double* data = block.data();
            for (std::size_t n = b; n < e; ++n) {
                std::memset(data, 0, D * Block::kAxisValues * sizeof(double));
                detail::for_stencils<double>(
                    liquid.position.read(), ranges, same[n], clamp,
                    [&](std::size_t i, const detail::Stencil<double, D>& stencil) {
                        const Vec<double, D> v = liquid.velocity[i];
                        const double mass = liquid.relative_density(i);
                        const auto gradient = all_zero ? Vec<float, D * D>{} : liquid.gradient[i];
                        detail::for_axes(
                            [&](auto axis) {
                                double slope[D];
                                for (int d = 0; d < D; ++d)
                                    slope[d] = h * double(gradient[axis * D + d]);
                                deposit_affine<axis, D>(data + axis * Block::kAxisValues, stencil,
                                                        mass, v[axis], slope);
                            },
                            Axes<D>{});
                    });
                for (int a = 0; a < D; ++a)
                    detail::add_block<double, D, 2>(data + std::size_t(a) * Block::kAxisValues,
                                                    tiles, same[n], a, values[std::size_t(a)]);
            }
        });
}

/// Value and derivatives, per voxel, of the multilinear interpolant.
template <int kAxis, int D>
inline double collect_affine(const double* block, const detail::Stencil<double, D>& stencil,
                             double (&slope)[D]) {
    using Block = detail::FaceBlock<D>;
    const double* v = block + stencil.template place<kAxis>();
    constexpr int s0 = Block::stride(0), s1 = Block::stride(D - 1);
    const double w0 = stencil.template upper<kAxis>(0), w1 = stencil.template upper<kAxis>(D - 1);
    if constexpr (D == 2) {
        const double low = v[s1] - v[0], high = v[s0 + s1] - v[s0];
        const double a = v[0] + w1 * low, b = v[s0] + w1 * high;
        slope[0] = b - a;
        slope[1] = low + w0 * (high - low);
        return a + w0 * (b - a);
    } else {
        constexpr int sm = Block::stride(1);
        const double wm = stencil.template upper<kAxis>(1);
        double row[4], along[4];
        constexpr int kRows[4] = {0, sm, s0, s0 + sm};
        for (int k = 0; k < 4; ++k) {
            along[k] = v[kRows[k] + s1] - v[kRows[k]];
            row[k] = v[kRows[k]] + w1 * along[k];
        }
        const double low = row[1] - row[0], high = row[3] - row[2];
        const double a = row[0] + wm * low, b = row[2] + wm * high;
        const double z0 = along[0] + wm * (along[1] - along[0]),
                     z1 = along[2] + wm * (along[3] - along[2]);
        slope[0] = b - a;
        slope[1] = low + w0 * (high - low);
        slope[2] = z0 + w0 * (z1 - z0);
        return a + w0 * (b - a);
    }
}

template <int D>
void gather_affine(Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                   const FaceField<double, D>& field, Context& context) {
    using Block = detail::TransferBlock<double, D, 1>;
    Stage stage(context, "gather");
    const Tiles<D>& tiles = *ranges.tiles;
    const double per_voxel = 1 / tiles.voxel();
    if (liquid.velocity.size() != liquid.size()) liquid.velocity.resize_discard(liquid.size());
    if (liquid.gradient.size() != liquid.size())  // room for those that reseeding will add
        liquid.gradient.resize_discard(liquid.size(), liquid.size() + liquid.size() / 64);
    Vec<double, D>* velocity = liquid.velocity.write().data();
    Vec<float, D* D>* gradient = liquid.gradient.write().data();
    for_range(context.arena, std::size_t(tiles.active()), 4, [&](std::size_t b, std::size_t e) {
        Block block;
        double* data = block.data();
        std::memset(data, 0, D * Block::kAxisValues * sizeof(double));
        for (std::size_t t = b; t < e; ++t) {
            const int tile = static_cast<int>(t);
            if (ranges.first(tile) == ranges.last(tile)) continue;
            for (int a = 0; a < D; ++a)
                detail::load_block<double, D, 1>(data + std::size_t(a) * Block::kAxisValues, tiles,
                                                 tile, a, {field.read(a)});
            detail::for_stencils<double>(
                liquid.position.read(), ranges, tile, clamp,
                [&](std::size_t i, const detail::Stencil<double, D>& stencil) {
                    detail::for_axes(
                        [&](auto axis) {
                            double slope[D];
                            velocity[i][axis] = collect_affine<axis, D>(
                                data + axis * Block::kAxisValues, stencil, slope);
                            for (int d = 0; d < D; ++d)
                                gradient[i][axis * D + d] =
                                    static_cast<float>(slope[d] * per_voxel);
                        },
                        Axes<D>{});
                });
        }
    });
}

}  // namespace

template <int D>
void particles_to_faces(const Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                        Transfer transfer, FaceField<double, D>& velocity,
                        FaceField<std::uint8_t, D>& valid, Context& context) {
    velocity = {};  // its memory serves the sums
    std::array<FaceField<double, D>, 2> sums;
    if (transfer == Transfer::kApic)
        scatter_affine(liquid, ranges, clamp, sums, context);
    else
        scatter_to_faces<double, D, 2>(
            liquid.position.read(), ranges, clamp,
            [&](std::size_t i, int axis) {
                const double mass = liquid.relative_density(i);
                return std::array<double, 2>{mass, mass * liquid.velocity[i][axis]};
            },
            sums, context);
    velocity = std::move(sums[1]);
    if (valid.tiles() != ranges.tiles) valid = FaceField<std::uint8_t, D>(ranges.tiles);
    for (int a = 0; a < D; ++a) {
        const double* weight = sums[0].read(a);
        double* u = velocity.write(a);
        std::uint8_t* mark = valid.write(a);
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                const bool heavy = weight[i] > kLeastWeight;
                u[i] = heavy ? u[i] / weight[i] : 0.0;
                mark[i] = heavy;
            }
        });
    }
}

template <int D>
void move_velocity_to_faces(Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                            Transfer transfer, FaceField<double, D>& velocity,
                            FaceField<std::uint8_t, D>& valid, Context& context) {
    particles_to_faces(liquid, ranges, clamp, transfer, velocity, valid, context);
    if (transfer != Transfer::kApic) return;
    liquid.velocity = {};
    liquid.gradient = {};
}

template <int D>
FaceField<double, D> inverse_density_ratio_of(const Liquid<D>& liquid, const TileRanges<D>& ranges,
                                              const Clamp<D>& clamp, Context& context) {
    std::array<FaceField<double, D>, 2> sums;
    scatter_to_faces<double, D, 2>(
        liquid.position.read(), ranges, clamp,
        [&](std::size_t i, int) {
            return std::array<double, 2>{liquid.relative_density(i), 1.0};
        },
        sums, context);
    FaceField<std::uint8_t, D> valid(ranges.tiles);
    FaceField<double, D> r = std::move(sums[1]);
    for (int a = 0; a < D; ++a) {
        const double* mass = sums[0].read(a);
        double* volume = r.write(a);
        std::uint8_t* mark = valid.write(a);
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) {
                mark[i] = volume[i] > kLeastWeight;
                volume[i] = mark[i] ? volume[i] / mass[i] : 0.0;
            }
        });
    }
    extrapolate(r, valid, 2, context);
    for (int a = 0; a < D; ++a) {
        double* value = r.write(a);
        for_values(context.arena, *ranges.tiles, [=](std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i) value[i] = value[i] > 0 ? value[i] : 1.0;
        });
    }
    return r;
}

template <int D>
void faces_to_particles(Liquid<D>& liquid, const TileRanges<D>& ranges, const Clamp<D>& clamp,
                        const FaceField<double, D>& before, const FaceField<double, D>& after,
                        Transfer transfer, double flip, Context& context) {
    if (transfer == Transfer::kApic) return gather_affine(liquid, ranges, clamp, after, context);
    Vec<double, D>* velocity = liquid.velocity.write().data();
    gather_from_faces<double, D, 2>(
        liquid.position.read(), ranges, clamp, {&before, &after},
        [&](std::size_t i, const std::array<Vec<double, D>, 2>& u) {
            velocity[i] = u[1] + (velocity[i] - u[0]) * flip;
        },
        context);
}

#define SPUME_INSTANTIATE(D)                                                                      \
    template void particles_to_faces<D>(const Liquid<D>&, const TileRanges<D>&, const Clamp<D>&,  \
                                        Transfer, FaceField<double, D>&,                          \
                                        FaceField<std::uint8_t, D>&, Context&);                   \
    template void move_velocity_to_faces<D>(Liquid<D>&, const TileRanges<D>&, const Clamp<D>&,    \
                                            Transfer, FaceField<double, D>&,                      \
                                            FaceField<std::uint8_t, D>&, Context&);               \
    template FaceField<double, D> inverse_density_ratio_of<D>(                                    \
        const Liquid<D>&, const TileRanges<D>&, const Clamp<D>&, Context&);                       \
    template void faces_to_particles<D>(Liquid<D>&, const TileRanges<D>&, const Clamp<D>&,        \
                                        const FaceField<double, D>&, const FaceField<double, D>&, \
                                        Transfer, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
