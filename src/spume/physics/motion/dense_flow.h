// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cmath>

#include "spume/core/context.h"
#include "spume/grid/dense.h"
#include "spume/grid/field.h"
#include "spume/physics/domain/grid_domain.h"
#include "spume/surface/level_band.h"

namespace spume {

/// A velocity on the faces of a box of cells, in floats, for those who sample it often. It goes on
/// evenly beyond the sides of the box.
template <int D>
struct DenseFlow {
    Transform<D> lattice;  ///< cell 0 begins at its origin
    Index<D> cells{};
    DenseField<float, D> u[D];  ///< m/s

    /// Multilinear, at a coordinate of its lattice.
    Vec<float, D> at(const Point<D>& x) const {
        std::size_t face[D], centre[D];
        float on_face[D], at_centre[D];
        std::size_t stride[D];
        for (int a = 0; a < D; ++a) {
            stride[a] = u[0].shape.stride(a);
            const double c = std::min(std::max(x[a], 0.0), double(cells[a]));
            const int i = int(c), j = int(c + 0.5) - 1;
            on_face[a] = float(c - i);
            at_centre[a] = float(c - 0.5 - j);
            face[a] = std::size_t(i + DenseShape<D>::kGhosts) * stride[a];
            centre[a] = std::size_t(j + DenseShape<D>::kGhosts) * stride[a];
        }
        Vec<float, D> r{};
        for (int a = 0; a < D; ++a) {
            std::size_t place = 0;
            float w[D];
            for (int b = 0; b < D; ++b) {
                place += a == b ? face[b] : centre[b];
                w[b] = a == b ? on_face[b] : at_centre[b];
            }
            const float* f = u[a].read() + place;
            float v[1 << D];
            for (int k = 0; k < (1 << D); ++k) {
                std::size_t o = 0;
                for (int b = 0; b < D; ++b) o += (k >> b & 1) ? stride[b] : 0;
                v[k] = f[o];
            }
            for (int b = 0; b < D; ++b)
                for (int k = 0; k < (1 << (D - b - 1)); ++k)
                    v[k] = v[2 * k] + w[b] * (v[2 * k + 1] - v[2 * k]);
            r[a] = v[0];
        }
        return r;
    }
};

/// Zero where no tile is stored.
template <int D>
DenseFlow<D> dense_flow(const FaceField<double, D>& velocity, const GridDomain<D>& domain,
                        Context& context);

/// A flow that is velocity(x) on faces, for tests and studies.
template <int D, class F>
DenseFlow<D> dense_flow_of(const Transform<D>& lattice, const Index<D>& cells, F&& velocity) {
    DenseFlow<D> r;
    r.lattice = lattice;
    r.cells = cells;
    for (int a = 0; a < D; ++a) {
        const auto place = DensePlace<D>::faces(cells, a);
        r.u[a] = DenseField<float, D>(place.shape);
        float* out = r.u[a].write();
        for (std::size_t row = 0; row < place.shape.rows(); ++row) {
            Index<D> i = place.shape.row(row);
            for (int n = 0; n < place.shape.size[D - 1]; ++n, ++i[D - 1])
                out[place.shape.at(i)] =
                    float(velocity(lattice.to_world(i.template as<double>() + place.offset))[a]);
        }
        const bool even[D] = {};
        mirror_ghosts<float, D>(out, place, even);
    }
    return r;
}

/// The flow at the cells of a band of a level set, in its voxels a second. `lattice` is that of the
/// level set, whose voxels divide those of the flow.
template <int D>
BandVelocity<float, D> flow_in_band(const DenseFlow<D>& flow, const Band<D>& band,
                                    const Transform<D>& lattice, Context& context);

}  // namespace spume
