// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spume/core/box.h"
#include "spume/geometry/mesh.h"

namespace spume {

/// What a mesh is built for: rays alone need less preparation.
enum class MeshUse { kDistances, kRays };

/// A point of a mesh's surface: so much of each vertex of its face, where that is, and the face's
/// unit normal.
struct MeshPoint {
    Vec<std::int32_t, 3> vertex{};
    Vec<double, 3> weight{};
    Vec<double, 3> place{};
    Vec<double, 3> normal{};
};

/// Signed distance to a triangle mesh, negative inside. The size is exact (bounding volume
/// hierarchy); the sign comes from the generalised winding number [BDSJ18], so holes, cracks,
/// self-intersections and faces turned inside out give the plausible answer instead of a leak.
/// Built once in the body's own frame; immutable, any number of threads may ask.
class MeshDistance {
  public:
    /// UserError for no faces, indices out of range and vertices that are not finite. Degenerate
    /// faces are left out; they, open edges and inward faces are named in warnings().
    explicit MeshDistance(const TriangleMesh& mesh, MeshUse use = MeshUse::kDistances);

    double distance(const Vec<double, 3>& x) const;
    /// The distance where it is less than `band` in size; farther away a value of the same sign
    /// whose size is between the band and the distance. Much cheaper for most points.
    double distance_within(const Vec<double, 3>& x, double band) const;
    double unsigned_distance(const Vec<double, 3>& x) const;
    /// The point of the surface nearest to x; of several any.
    MeshPoint nearest_point(const Vec<double, 3>& x) const;
    /// 1 inside a closed mesh with outward faces, 0 outside, in between near holes.
    double winding_number(const Vec<double, 3>& x) const;
    /// The nearest crossing of the ray x + t·direction with 0 < t < limit; negative if none.
    /// `normal` gets the unit normal of the face hit. Faces reach beyond their edges by `slack` of
    /// their size, so that no ray passes between two that share one.
    double ray(const Vec<double, 3>& x, const Vec<double, 3>& direction, double limit,
               Vec<double, 3>& normal, double slack = 0) const;
    /// The least way through the mesh straight inwards from the middle of a face; zero for a mesh
    /// that is not closed, and if it was built for rays. Of large meshes every n-th face counts.
    double thickness() const { return thickness_; }

    const Box<double, 3>& bounds() const { return bounds_; }
    bool closed() const { return open_edges_ == 0; }
    double enclosed_volume() const { return volume_; }  ///< meaningful when closed()
    const std::vector<std::string>& warnings() const { return warnings_; }
    /// f(a, b, c) for the corners of each face kept.
    template <class F>
    void each_triangle(F&& f) const {
        for (const Triangle& t : triangles_) f(t.a, t.b, t.c);
    }

  private:
    struct Triangle {
        Vec<double, 3> a, b, c;
        Vec<std::int32_t, 3> vertex;
    };
    struct Node {
        Box<double, 3> box{};
        Vec<double, 3> center{};       ///< area-weighted
        Vec<double, 3> area_normal{};  ///< sum of area times normal
        double radius = 0;             ///< about `center`, of all the node's triangles
        std::int32_t first = 0;        ///< leaf: first triangle; inner: left child, right is next
        std::int32_t count = 0;        ///< 0: inner node
    };
    void take(const TriangleMesh& mesh);
    void count_open_edges(const TriangleMesh& mesh);
    void split(std::int32_t node, std::int32_t begin, std::int32_t end);
    void summarise(Node& node, std::int32_t begin, std::int32_t end) const;
    void sample_landmarks();
    double thinnest() const;
    double nearest(const Vec<double, 3>& x, double no_farther_than,
                   const Triangle** found = nullptr) const;
    bool inside(const Vec<double, 3>& x) const;
    /// By how much the winding number of a closed mesh grows on the straight way from one point to
    /// another; nothing where the way passes too near an edge to tell.
    std::optional<int> entered(const Vec<double, 3>& from, const Vec<double, 3>& to) const;

    /// Known distances on a coarse lattice: the distance elsewhere differs from that of the nearest
    /// landmark by no more than the way to it, which bounds every search and settles most signs.
    /// The others follow, in a closed mesh, from its winding number and the faces on the way.
    struct Landmarks {
        Vec<double, 3> origin{};
        double spacing = 1;
        Vec<int, 3> count{};
        std::vector<double> distance;
        std::vector<std::int32_t> winding;  ///< of a closed mesh
    };
    struct Hint {
        double distance, way;
        Vec<double, 3> mark{};
        std::size_t at = 0;
    };
    Hint hint(const Vec<double, 3>& x) const;
    bool inside(const Vec<double, 3>& x, const Hint& h) const;

    std::vector<Triangle> triangles_;
    std::vector<Node> nodes_;
    Landmarks landmarks_;
    Box<double, 3> bounds_{};
    double volume_ = 0, thickness_ = 0;
    std::size_t open_edges_ = 0;
    std::vector<std::string> warnings_;
};

}  // namespace spume
