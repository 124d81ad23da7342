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
    std::shared_ptr<const std::vector<Vec<std::int32_t, 3>>> triangles;
    double place = 0;                      ///< in the sequence
    std::vector<Vec<double, 3>> position;  ///< of the vertices
    std::vector<Vec<double, 3>> velocity;  ///< of them, a frame of the sequence
    double fastest = 0;                    ///< of these

    Vec<double, 3> position_at(const MeshPoint& point) const;
    Vec<double, 3> velocity_at(const MeshPoint& point) const;
};

/// Frames of a mesh. Where its faces stay while its vertices move, every vertex goes between frames
/// along the cubic of Catmull and Rom [CR74]: through its places in the frames with central
/// differences as velocities (one-sided at both ends), so that the velocity is continuous. Before
/// the first frame and after the last it is held, at rest. Where every frame has faces of its own,
/// as level sets have, those of one go straight to the surface of the next (mesh_following.h).
class MeshSequence {
  public:
    using Vertices = std::vector<Vec<float, 3>>;

    /// UserError for no frames, frames of different numbers of vertices, faces that name others,
    /// and frames in which no face has an area.
    MeshSequence(std::vector<Vec<std::int32_t, 3>> triangles, std::vector<Vertices> frames,
                 MeshUse use = MeshUse::kDistances);
    /// Of frames that have faces of their own.
    explicit MeshSequence(const std::vector<TriangleMesh>& frames,
                          MeshUse use = MeshUse::kDistances);

    std::size_t frames() const { return frames_.size(); }
    std::size_t faces() const;  ///< in all frames that hold any of their own
    /// At a place in the sequence, 0 the first frame; one that repeats goes on from the last frame
    /// to the first. The last few asked for are kept; any number of threads may ask.
    std::shared_ptr<const MeshMoment> at(double place, bool repeats = false) const;

  private:
    using Faces = std::vector<Vec<std::int32_t, 3>>;
    struct Span;
    MeshMoment moment(double place, bool repeats) const;
    void along_cubics(MeshMoment& moment, const Span& span, bool repeats) const;
    void to_next(MeshMoment& moment, const Span& span) const;

    std::vector<std::shared_ptr<const Faces>> faces_;  ///< one for all frames, or one for each
    std::vector<Vertices> frames_;
    mutable std::vector<Vertices> ends_;  ///< of frames with own faces: where they are in the next
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
