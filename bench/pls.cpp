// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// What the particle level set costs on one core: WENO in cell-stages a second, markers with their
// corrections in markers a second, and both again at twice the resolution.

#include <cstdio>
#include <ctime>

#include "../tests/methods/particle_level_set/transport.h"

using namespace spume;

namespace {

/// Seconds of the core in f, the least of five.
template <class F>
double seconds(F&& f) {
    double best = 1e9;
    for (int k = 0; k < 5; ++k) {
        const std::clock_t begin = std::clock();
        f();
        best = std::min(best, double(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return best;
}

void measure(int cells) {
    Context context(1);
    const auto c = transport::deformation(cells, 3);
    const Transform<3> lattice{1.0 / cells, {}};
    const SurfaceMotion how;
    ParticleLevelSet<3> s;
    s.phi = transport::level_of(c, lattice, context);
    seed_markers(s.markers, s.phi, lattice, how.markers, 1, 0, context);
    const auto flow = dense_flow_of<3>(lattice, Index<3>::filled(cells), c.velocity);
    const double dt = 0.5 / crossed_voxels(flow, lattice.voxel, context);
    const Band<3> band = band_of(s.phi, 6, context);
    const auto velocity = flow_in_band<3>(flow, band, lattice, context);
    auto phi = s.phi;
    const double weno = seconds([&] { advect_weno(phi, band, velocity, dt, context); });
    phi = s.phi;
    const double distance = seconds([&] { redistance_band(phi, how.distance, context); });
    std::printf("%d^3, band %zu cells, %zu markers of %zu bytes\n", cells, band.cells,
                s.markers.size(), sizeof(Point<3>) + 2 * sizeof(float) + sizeof(std::uint64_t));
    std::printf("  WENO5: %.1f M cell-stages/s, %.1f M whole steps/s\n",
                3e-6 * double(band.cells) / weno, 1e-6 * double(band.cells) / weno);
    std::printf("  redistancing, 6 iterations: %.1f M cells/s\n",
                1e-6 * double(band.cells) / distance);
    for (const auto motion : {MarkerMotion::kThirdOrder, MarkerMotion::kEuler}) {
        auto markers = s.markers;
        phi = s.phi;
        const double move =
            seconds([&] { move_markers(markers, flow, 1e-3 * dt, motion, context); });
        const double correct = seconds([&] {
            correct_with_markers(phi, markers, lattice, how.markers, context);
            correct_with_markers(phi, markers, lattice, how.markers, context);
            adjust_markers(markers, phi, lattice, how.markers, context);
        });
        std::printf("  markers %s: moved %.1f M/s, with both corrections and radii %.1f M/s\n",
                    motion == MarkerMotion::kEuler ? "Euler" : "third order",
                    1e-6 * double(markers.size()) / move,
                    1e-6 * double(markers.size()) / (move + correct));
    }
}

}  // namespace

int main() {
    measure(64);
    measure(128);
    return 0;
}
