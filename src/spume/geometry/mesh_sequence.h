// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "spume/geometry/mesh_distance.h"

namespace spume {

/// A mesh that deforms, at one moment.
struct MeshMoment {
    std::shared_ptr<const MeshDistance> mesh;
    std::vector<Vec<double, 3>> position;  ///< of the vertices
    std::vector<Vec<double, 3>> velocity;  ///< of them, a frame of the sequence
    double fastest = 0;                    ///< of these

    Vec<double, 3> position_at(const MeshPoint& point) const;
    Vec<double, 3> velocity_at(const MeshPoint& point) const;
};

/// Frames of a mesh whose faces stay while its vertices move. Between frames every vertex goes
/// along the cubic of Catmull and Rom [CR74]: through its places in the frames with central
/// differences as velocities (one-sided at both ends), so that the velocity is continuous. Before
/// the first frame and after the last it is held, at rest.
class MeshSequence {
  public:
    using Vertices = std::vector<Vec<float, 3>>;

    /// UserError for no frames, frames of different numbers of vertices, faces that name others,
    /// and frames in which no face has an area.
    MeshSequence(std::vector<Vec<std::int32_t, 3>> triangles, std::vector<Vertices> frames,
                 MeshUse use = MeshUse::kDistances);

    std::size_t frames() const { return frames_.size(); }
    const std::vector<Vec<std::int32_t, 3>>& triangles() const { return triangles_; }
    /// At a place in the sequence, 0 the first frame; one that repeats goes on from the last frame
    /// to the first. The last few asked for are kept; any number of threads may ask.
    std::shared_ptr<const MeshMoment> at(double place, bool repeats = false) const;

  private:
    MeshMoment moment(double place, bool repeats) const;

    std::vector<Vec<std::int32_t, 3>> triangles_;
    std::vector<Vertices> frames_;
    MeshUse use_;
    struct Kept {
        double place;
        bool repeats;
        std::shared_ptr<const MeshMoment> moment;
    };
    mutable std::deque<Kept> kept_;
    mutable std::mutex mutex_;
};

}  // namespace spume
