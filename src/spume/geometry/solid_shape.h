// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "spume/core/box.h"
#include "spume/geometry/lathe_profile.h"
#include "spume/geometry/mesh_sequence.h"
#include "spume/geometry/pose.h"

namespace spume {

enum class BodyKind { kBox, kSphere, kCylinder, kCone, kCapsule, kTorus, kLathe, kMesh, kCompound };

/// How a part of a compound is joined to the parts before it.
enum class Combine { kUnion, kDifference, kIntersection };
struct BodyPart;

/// A body in its own frame: centred on the origin, but for lathes, meshes and compounds. In 2D a
/// body is what one sees of it from its side: a sphere is a disc, a cylinder a rectangle, a torus
/// two discs; there are no meshes.
struct BodyParameters {
    BodyKind kind = BodyKind::kBox;
    Vec<double, 3> size{1, 1, 1};  ///< box: full edge lengths
    double radius = 0.5;           ///< sphere, cylinder, capsule; cone: at its foot; torus: of the
                                   ///< circle in the middle of the tube
    double height = 1;             ///< cylinder, cone, capsule (with its caps): along y
    double shell = 0;              ///< > 0: only a wall of this thickness, inside the surface
    bool open_top = false;         ///< with shell: box, cylinder and cone lose their +y lid
    std::shared_ptr<const MeshDistance> mesh{};
    double scale = 1;  ///< mesh: its coordinates are multiplied by this
    /// Mesh that deforms, `mesh` at the moment: its first frame is that of the time `begin`.
    std::shared_ptr<const MeshSequence> sequence{};
    std::shared_ptr<const MeshMoment> moment{};
    double begin = 0, frame_rate = 24;                     ///< s, 1/s
    bool repeats = false;                                  ///< after its last frame comes its first
    double radius_top = 0;                                 ///< cone
    double tube = 0;                                       ///< torus: radius of the tube
    double round = 0;                                      ///< box: radius of its edges
    std::vector<Vec<double, 2>> outline{};                 ///< lathe: (radius, height)
    std::shared_ptr<const std::vector<BodyPart>> parts{};  ///< compound
};

/// Of a compound.
struct BodyPart {
    BodyParameters body;
    Pose pose;
    Combine combine = Combine::kUnion;
};

/// Where a straight way enters a body.
template <int D>
struct Crossing {
    double part;            ///< of the way, 0 … 1
    Vec<double, D> normal;  ///< of the surface there, towards the side the way comes from
};

/// A body that can be asked for its distance. Cheap to copy; a mesh is shared.
template <int D>
class BodyShape {
  public:
    /// UserError for sizes that are not positive and finite (one edge of a box may be zero: a
    /// sheet), an open top without a shell or on a body that has no lid, a shell of a lathe or
    /// compound, a compound of which nothing is left, a mesh in 2D.
    explicit BodyShape(const BodyParameters& parameters);

    /// Signed distance to the surface, negative inside; exact, but for compounds and the shell of a
    /// mesh, where sign and zero are exact and the size never too large.
    double distance(const Point<D>& x) const;
    /// The distance where it is less than `band` in size; farther away any value of the same sign
    /// whose size is between the band and the distance. For meshes much cheaper than distance().
    double distance_within(const Point<D>& x, double band) const;
    /// Unit vector along which the distance grows, by central differences.
    Vec<double, D> normal(const Point<D>& x) const;

    /// Where the way from one point to another first enters the body, however thin it is; nothing
    /// for a way that begins inside. A sheet of no thickness is entered from either side; of a mesh
    /// with a shell only the outer surface counts.
    std::optional<Crossing<D>> first_crossing(const Point<D>& from, const Point<D>& to) const;
    /// Of its thinnest wall, m: for a mesh, the least way through it across a face; zero where it
    /// is a sheet.
    double thickness() const { return thickness_; }

    /// Does it change with time?
    bool deforms() const { return parameters_.sequence != nullptr; }
    /// As it is at a time.
    BodyShape at(double time) const;
    /// Velocity in its own frame of the surface nearest to a point; zero unless it deforms.
    Vec<double, D> velocity(const Point<D>& x) const;
    double max_speed() const;  ///< of these
    /// Where a point that lay beside `before`, the same body at another moment, would be had the
    /// nearest part of the surface carried it along.
    Point<D> carried(const BodyShape& before, const Point<D>& x) const;

    const Box<double, D>& bounds() const { return bounds_; }
    double volume() const { return volume_; }  ///< m³, in 2D m²
    /// Of cones and lathes; else none.
    const LatheProfile* profile() const { return profile_.get(); }
    struct Part;
    /// Of a compound; else none. Defined in solid_compound.h.
    const std::vector<Part>& parts() const { return *parts_; }

    /// ∫ (1, x, x xᵀ) over the body by cells that the surface cuts into ever smaller ones, for
    /// bodies without a closed form.
    struct Sums {
        double volume = 0;
        Vec<double, D> first{};
        Vec<double, D> second[D] = {};
    };
    Sums sampled_sums() const;
    const BodyParameters& parameters() const { return parameters_; }

    /// One attempt to find a point inside from D uniform numbers: the point they pick in the
    /// bounds, if it is inside. Accepted points are uniform.
    std::optional<Point<D>> pick(const Vec<double, D>& uniforms) const;

    /// pick(uniforms(0)), pick(uniforms(1)), … until one is inside; nothing after `attempts`.
    template <class Uniforms>
    std::optional<Point<D>> random_point(Uniforms&& uniforms, int attempts = 4096) const {
        for (int i = 0; i < attempts; ++i)
            if (const auto x = pick(uniforms(i))) return x;
        return std::nullopt;
    }

  private:
    void check() const;
    void check_sizes() const;
    double outer_distance(const Point<D>& x) const;
    double cavity_distance(const Point<D>& x) const;
    double open_exterior_distance(const Point<D>& x) const;
    bool has_cavity() const;
    double exact_volume() const;
    double thinnest() const;
    double thinnest_of_compound() const;
    Box<double, D> own_bounds() const;
    void take_parts();
    double compound_distance(const Point<D>& x, double band) const;
    std::optional<Crossing<D>> march(const Point<D>& from, const Point<D>& to) const;

    BodyParameters parameters_;
    std::shared_ptr<const LatheProfile> profile_;
    std::shared_ptr<const std::vector<Part>> parts_;
    bool hollow_ = false;
    Box<double, D> bounds_{};
    double volume_ = 0;
    double thickness_ = 0;
};

extern template class BodyShape<2>;
extern template class BodyShape<3>;

}  // namespace spume
