// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/flat_liquid.h"

#include <algorithm>
#include <cmath>

#include "spume/render/preview.h"

namespace spume {
namespace {

const Volume* volume_named(const Frame& frame, const char* name, VolumeKind kind) {
    if (!frame.free_surface || frame.dimensions != 2) return nullptr;
    for (const Volume& v : frame.volumes)
        if (v.name == name && v.kind == kind) return &v;
    return nullptr;
}

std::uint64_t tile_key(int i, int j) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) << 32 |
           static_cast<std::uint32_t>(j);
}

int floor_to(int i, int side) { return (i >= 0 ? i / side : -((side - 1 - i) / side)) * side; }

}  // namespace

FlatVolume::FlatVolume(const Volume* volume) : volume_(volume) {
    if (!volume_) return;
    const auto cells = static_cast<std::size_t>(product(volume_->side));
    double lowest = 1e300, highest = -1e300;
    for (std::size_t t = 0; t < volume_->tiles.size(); ++t) {
        const Vec<int, 3> corner = volume_->tiles[t];
        // Tiles of a file have depth; the picture lies in the plane of cells 0.
        if (corner[2] > 0 || corner[2] + volume_->side[2] <= 0) continue;
        tiles_.emplace(tile_key(corner[0], corner[1]), t * cells - std::size_t(corner[2]));
        lowest = std::min(lowest, volume_->origin[1] + corner[1] * volume_->voxel);
        highest =
            std::max(highest, volume_->origin[1] + (corner[1] + volume_->side[1]) * volume_->voxel);
    }
    bottom_ = lowest, top_ = highest;
}

float FlatVolume::value(int i, int j) const {
    const int a = floor_to(i, volume_->side[0]), b = floor_to(j, volume_->side[1]);
    const auto tile = tiles_.find(tile_key(a, b));
    if (tile == tiles_.end()) return volume_->background;
    const int row = (i - a) * volume_->side[1] + (j - b);
    return volume_->values[0][tile->second + std::size_t(row * volume_->side[2])];
}

template <class Use>
void FlatVolume::around(double x, double y, Use&& use) const {
    const double u = (x - volume_->origin[0]) / volume_->voxel - 0.5;
    const double v = (y - volume_->origin[1]) / volume_->voxel - 0.5;
    const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
    const double s = u - i, t = v - j;
    use((1 - s) * (1 - t), double(value(i, j)));
    use((1 - s) * t, double(value(i, j + 1)));
    use(s * (1 - t), double(value(i + 1, j)));
    use(s * t, double(value(i + 1, j + 1)));
}

double FlatVolume::at(double x, double y) const {
    double r = 0;
    around(x, y, [&](double weight, double value) { r += weight * value; });
    return r;
}

double FlatVolume::at_positive(double x, double y) const {
    double r = 0, weights = 0;
    around(x, y, [&](double weight, double value) {
        if (value > 0) r += weight * value, weights += weight;
    });
    return weights > 0 ? r / weights : 0;
}

FlatLiquid::FlatLiquid(const Frame& frame, double pixel, const Interval& densities)
    : surface_(volume_named(frame, "surface", VolumeKind::kLevelSet)),
      ink_(volume_named(frame, "ink", VolumeKind::kScalar)),
      density_(volume_named(frame, "liquid_density", VolumeKind::kFog)),
      densities_(densities),
      line_(surface_.empty() ? 0 : std::min(0.25 * surface_.voxel(), 1.5 * pixel)) {}

Colour FlatLiquid::at(double x, double y) const {
    const double d = surface_.at(x, y);
    const double up =
        std::clamp((y - surface_.bottom()) / (surface_.top() - surface_.bottom()), 0.0, 1.0);
    const Colour air{0.62f, 0.66f, 0.68f}, deep{0.010f, 0.075f, 0.160f},
        shallow{0.030f, 0.220f, 0.340f}, dye{0.80f, 0.10f, 0.28f}, oil{0.55f, 0.34f, 0.06f};
    if (d > line_) return air * static_cast<float>(0.75 + 0.25 * up);
    if (d > -line_) return {0.75f, 0.92f, 1.0f};
    Colour water = deep + (shallow - deep) * static_cast<float>(up);
    if (!density_.empty())
        if (const double density = density_.at_positive(x, y); density > 0)
            water += (oil - water) * lightness_of_liquid(static_cast<float>(density), densities_);
    if (ink_.empty()) return water;
    return water + (dye - water) * static_cast<float>(std::clamp(ink_.at(x, y), 0.0, 1.0));
}

Colour dry_wall(double x, double y, int width, int height) {
    const double u = x / width - 0.5, v = 1 - y / height;
    const double light = 0.30 + 0.28 * v - 0.25 * (u * u + (v - 0.6) * (v - 0.6));
    return Colour{0.92f, 0.97f, 1.0f} * static_cast<float>(std::max(light, 0.05));
}

}  // namespace spume
