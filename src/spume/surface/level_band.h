// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <vector>

#include "spume/core/context.h"
#include "spume/grid/dense_sample.h"

namespace spume {

// A level set over a whole box of which only a band around its surface is worked on. Lengths are in
// voxels, values negative in the liquid; ghosts are mirror images in the walls. Values beyond the
// band are at least as large as it is wide, their sign is right.

/// The band as stretches of rows; values that only it has lie stretch after stretch.
template <int D>
struct Band {
    struct Run {
        std::size_t place = 0;   ///< of the first cell in the dense field
        std::size_t offset = 0;  ///< of the first cell in values of the band
        int count = 0;
        Index<D> first{};
    };
    static constexpr int kLongest = 64;
    std::vector<Run> runs;
    std::size_t cells = 0;
};

/// Cells of which they themselves or one of the 2·D around them have |φ| < width, and those beside
/// the surface.
template <class T, int D>
Band<D> band_of(const DenseField<T, D>& phi, double width, Context& context);

/// f(run) for each stretch.
template <int D, class F>
void for_runs(Arena& arena, const Band<D>& band, F&& f) {
    for_range(arena, band.runs.size(), 64, [&](std::size_t b, std::size_t e) {
        for (std::size_t r = b; r < e; ++r) f(band.runs[r]);
    });
}

/// Renews the ghosts that are images of the band's cells.
template <class T, int D>
void mirror_band(T* values, const DenseShape<D>& shape, const Band<D>& band) {
    constexpr int kGhosts = DenseShape<D>::kGhosts;
    const int n = shape.size[D - 1];
    for (const typename Band<D>::Run& run : band.runs) {
        bool beside = false;
        for (int a = 0; a < D - 1; ++a)
            beside = beside || run.first[a] < kGhosts || run.first[a] >= shape.size[a] - kGhosts;
        Index<D> i = run.first;
        const int end = i[D - 1] + run.count;
        if (!beside && i[D - 1] >= kGhosts && end <= n - kGhosts) continue;
        for (; i[D - 1] < end; ++i[D - 1])
            if (beside || i[D - 1] < kGhosts || i[D - 1] >= n - kGhosts)
                mirror_sample<T, D>(values, shape, i);
    }
}

/// Velocities at the centres of the band's cells, in voxels a second.
template <class T, int D>
struct BandVelocity {
    std::vector<T> u[D];
};

/// φ_t + u·∇φ = 0 over a time dt within the band: fifth order upwind differences of Hamilton–Jacobi
/// WENO [JP00], and the third-order Runge–Kutta scheme of [SO88]. Stable for Σ_a |u_a| dt < 1.
template <class T, int D>
void advect_weno(DenseField<T, D>& phi, const Band<D>& band, const BandVelocity<T, D>& velocity,
                 double dt, Context& context);

/// How a level set becomes a distance again.
struct Redistancing {
    double width = 6;    ///< of the band, voxels
    int iterations = 6;  ///< of half a voxel: how far what is learnt at the surface goes
    bool anew = false;   ///< nothing but the cells beside the surface is trusted
    bool exact = true;   ///< anew: these get their distance too where it is right to 1 % already
};

/// |∇φ| = 1 within the band, the surface kept where it is. Cells beside it get the distance along
/// the normal to the second order of φ; the others follow
/// φ_τ + sgn φ (|∇φ| − 1) = 0 by Godunov's second-order ENO scheme, [RS00]. `anew` solves |∇φ| = 1
/// outwards first. Beyond the band values are cut at the width and two voxels more.
template <class T, int D>
void redistance_band(DenseField<T, D>& phi, const Redistancing& how, Context& context);

}  // namespace spume
