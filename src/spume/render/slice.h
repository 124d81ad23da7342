// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <optional>

#include "spume/core/box.h"
#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/render/image.h"

namespace spume {

struct SliceOptions {
    int width = 1280, height = 720;
    Box<double, 3> domain{{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    int axis = 2;                   ///< square to the plane
    std::optional<double> at;       ///< place on that axis, m; none: the middle of the domain
    std::optional<Interval> range;  ///< of the colours; none: that of the values shown
};

/// One plane of a volume, every voxel as it is, with a colour bar: values of scalars, speeds of
/// velocities. Where there is no voxel the picture is grey.
Image render_slice(const Frame& frame, const Volume& volume, const SliceOptions& options,
                   Context& context);

/// The value of the voxel that holds x; speed for vectors; none where there is no voxel. Building
/// it takes a moment, asking does not.
class VolumeSampler {
  public:
    explicit VolumeSampler(const Volume& volume);
    std::optional<float> at(const Vec<double, 3>& x) const;

  private:
    std::optional<float> voxel(const Vec<int, 3>& cell, int component) const;

    const Volume& volume_;
    struct Key {
        Vec<int, 3> tile;
        std::size_t number;
    };
    std::vector<Key> keys_;  ///< sorted
};

}  // namespace spume
