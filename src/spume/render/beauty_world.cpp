// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/error.h"
#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/render/beauty.h"
#include "spume/render/beauty_light.h"
#include "spume/render/body_mesh.h"
#include "spume/render/floating_foam.h"
#include "spume/render/liquid_mesh.h"
#include "spume/render/optics.h"
#include "spume/render/point_columns.h"
#include "spume/render/sea.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

constexpr float kNarrowest = 1e-9f;     // m; radii below are not there
constexpr std::int32_t kConnected = 1;  // point attribute type

bool has_mesh(const Frame& frame) {
    return std::any_of(frame.meshes.begin(), frame.meshes.end(), [](const NamedMesh& m) {
        return m.name == "bubbles" && !m.mesh.triangles.empty();
    });
}

/// Of bubbles where there is no water.
Material blue() {
    Material m;
    m.finish = Finish::kMatte;
    m.colour = {0.06f, 0.26f, 0.72f};
    return m;
}

/// Builds a world piece by piece.
class Builder {
  public:
    Builder(const Frame& frame, const BeautyOptions& options, const PreviewCamera& camera,
            const Vec3& center)
        : frame_(frame),
          options_(options),
          center_(center),
          deep_(!options.bare && all_water(frame)),
          meshed_(has_mesh(frame)) {
        const Vec3 sight = camera.target - camera.position;
        const double level = std::sqrt(sight[0] * sight[0] + sight[2] * sight[2]);
        toward_ = level > 1e-9 * length(sight) ? Vec3{-sight[0] / level, 0, -sight[2] / level}
                                               : Vec3{0, 0, 1};
        eye_ = camera.position - center;
        floating_.capillary = options.capillary;
        floating_.veil_pixels = options.foam_detail;
        floating_.eye = eye_;
        floating_.parallel = camera.view_height > 0;
        const double half = camera.field_of_view * math::kPi / 360;
        floating_.pixels = floating_.parallel
                               ? options.height / camera.view_height
                               : options.height / (2 * math::sin(half) / math::cos(half));
        floating_.thickness = options.draining.begin;
        floating_.raft = raft_reflectance(options.raft, options.raft_bubbles);
        distance_ = camera.view_height > 0 ? 2 * camera.view_height : length(sight);
        world_.size = std::max(distance_, length(options.domain.size()));
    }

    World build() {
        world_.films = options_.films;
        world_.foam = options_.foam;
        world_.first_hit_stays = options_.first_hit_stays;
        light();
        for (const NamedMesh& mesh : frame_.meshes) add_mesh(mesh);
        for (const auto& body : options_.solids) add_body(body);
        if (in_tank()) add_tank();
        if (on_sea()) add_sea(world_, sea(), liquid_material());
        for (const PointSet& set : frame_.points) add_points(set);
        add_floor();
        add_smoke();
        return std::move(world_);
    }

  private:
    int add(const Material& m) {
        world_.materials.push_back(m);
        return static_cast<int>(world_.materials.size()) - 1;
    }
    int add(const Medium& m) {
        world_.media.push_back(m);
        return static_cast<int>(world_.media.size()) - 1;
    }
    Vec<float, 3> local(const Vec3& x) const { return (x - center_).as<float>(); }

    void light();
    void add_points(const PointSet& set);
    /// None where nothing can float.
    std::optional<FloatingFoam> floating_for(const Material& material, int number);
    void add_mesh(const NamedMesh& mesh);
    void add_body(const BeautyOptions::Body& body);
    /// Water that goes on to the horizon.
    bool on_sea() const {
        return options_.sea && !options_.bare && !deep_ && frame_.dimensions == 3;
    }
    Sea sea() const {
        const Box<double, 3> box = options_.sea_box.value_or(options_.domain);
        const double width = std::min(box.size()[0], box.size()[2]);
        // The edges of the liquid's own surface are rounded by a voxel.
        return {box, center_, sea_level_, 300 * world_.size,
                std::min(0.2 * width, std::max(0.01 * width, 2 * options_.voxel))};
    }
    int liquid_material();
    bool in_tank() const { return options_.tank && !deep_ && frame_.dimensions == 3; }
    double glass_thickness() const;
    void add_tank();
    Material glass();
    void add_floor();
    void add_smoke();
    Material point_material(const std::string& name);
    float film_thickness(float age, float radius, std::size_t i) const;
    Medium water() const;

    const Frame& frame_;
    const BeautyOptions& options_;
    Vec3 center_, toward_;
    bool deep_;    ///< no surface in sight: the camera is under water
    bool meshed_;  ///< connected bubbles have a mesh
    double sea_level_ = 0;
    double distance_ = 1;
    Vec3 eye_{};
    FloatingOptions floating_;
    World world_;
    int air_ = 0, liquid_ = 0;
};

Medium Builder::water() const {
    Medium m;
    m.index = kWaterIndex;
    if (deep_) {
        // Clear over the distance to what is looked at and up to the surface, hazy well behind.
        const double reach = options_.visibility > 0 ? options_.visibility : 2.2 * world_.size;
        m.absorption = Colour{1.7f, 1.0f, 0.85f} * static_cast<float>(1 / reach);
        m.open_water = true;
    } else {
        // Pure water with a little haze, so that a large body of it looks blue-green.
        const double factor = options_.visibility > 0 ? 3 / options_.visibility : 1;
        m.absorption = Colour{0.90f, 0.22f, 0.13f} * static_cast<float>(factor);
        m.glow = {0.03f, 0.17f, 0.22f};
    }
    return m;
}

void Builder::light() {
    world_.environment = beauty_light(options_, toward_, center_, deep_, world_.size);
    if (deep_) {
        world_.media[0] = water();
        air_ = add(Medium{});
        return;
    }
    for (AreaLight lamp : options_.lamps) {
        lamp.corner -= center_;
        world_.lights.push_back(lamp);
    }
    liquid_ = add(water());
}

Material Builder::point_material(const std::string& name) {
    Material m;
    if (name == "grains") {
        m.finish = Finish::kGrain;
        m.colour = {0.86f, 0.62f, 0.30f};
        return m;
    }
    if (options_.bare) return blue();
    const bool drops = name == "spray" || name == "droplets" || name == "drops";
    m.priority = drops ? Priority::kLiquid : Priority::kBubble;
    m.medium = drops ? liquid_ : air_;
    m.film = !drops && !deep_;
    return m;
}

/// A number in [0, 1) of its own for each point.
double share_of(std::size_t i) { return Random(17, i, 1, Purpose::kJitter).uniform(0); }

float Builder::film_thickness(float age, float radius, std::size_t i) const {
    // No two films are alike: half to one and a half times the mean.
    const Random random(options_.seed, i, 0, Purpose::kJitter);
    const double h = options_.draining.thickness(std::isfinite(age) ? double(age) : 0) *
                     (0.5 + random.uniform(0));
    return static_cast<float>(std::min(h, 0.1 * double(radius)));
}

std::optional<FloatingFoam> Builder::floating_for(const Material& material, int number) {
    if (!material.film || !has_liquid(frame_) || !options_.domes) return std::nullopt;
    return FloatingFoam(world_, number, liquid_material(), floating_);
}

void Builder::add_points(const PointSet& set) {
    const PointColumns columns(set);
    // Where bubbles have run together the mesh of their common surface stands for them.
    const auto* type = meshed_ && set.name == "bubbles" ? columns.type : nullptr;
    const bool blurred = columns.velocity != nullptr && options_.blur > 0;
    const Material material = point_material(set.name);
    Balls balls;
    balls.material = add(material);
    Ellipsoids drawn_out;
    drawn_out.material = balls.material;
    auto floating = floating_for(material, balls.material);
    balls.begin.reserve(set.size());
    if (blurred) balls.end.reserve(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (type && (*type)[i] == kConnected) continue;
        const float r =
            columns.radius ? (*columns.radius)[i] : static_cast<float>(options_.default_radius);
        const Vec3& x = set.position[i];
        const Vec3 way =
            blurred ? (*columns.velocity)[i].as<double>() * (options_.blur / 2) : Vec3{};
        // One damaged point must not take the whole picture along.
        if (!(r > kNarrowest) || !std::isfinite(r) || !std::isfinite(x[0] + x[1] + x[2]) ||
            !std::isfinite(way[0] + way[1] + way[2]))
            continue;
        const float film =
            material.film ? film_thickness(columns.age ? (*columns.age)[i] : 0, r, i) : 0;
        if (floating) {
            FloatingPoint p{x - center_, double(r),          {0, 1, 0}, way, film,
                            share_of(i), set.name == "foam", false,     0};
            const Vec3 n = columns.normal ? (*columns.normal)[i].as<double>() : Vec3{};
            if (length(n) > 0.5 && p.foam)
                p.axis = n / length(n), p.raft = true, p.bound = 2 * options_.voxel;
            if (floating->take(p, balls)) continue;
        }
        const Vec<float, 3> a = local(x - way), b = local(x + way);
        if (const auto half = columns.half_axes(i, r); half.drawn_out()) {
            drawn_out.begin.push_back(a);
            if (blurred) drawn_out.end.push_back(b);
            drawn_out.axis.push_back(half.axis);
            drawn_out.along.push_back(half.along), drawn_out.across.push_back(half.across);
            if (material.film) drawn_out.film.push_back(film);
            continue;
        }
        balls.begin.push_back({a[0], a[1], a[2], r});
        if (material.film) balls.film.push_back(film);
        if (blurred || floating) balls.end.push_back({b[0], b[1], b[2], r});
    }
    if (!blurred) balls.end.clear();
    if (floating) floating->finish(world_);
    if (!balls.begin.empty()) world_.balls.push_back(std::move(balls));
    if (!drawn_out.begin.empty()) world_.ellipsoids.push_back(std::move(drawn_out));
}

void Builder::add_mesh(const NamedMesh& named) {
    const bool liquid = is_liquid(named.name);
    if (named.mesh.triangles.empty() || (liquid && options_.bare)) return;
    Surface s;
    std::vector<Vec3> vertices(named.mesh.vertices.begin(), named.mesh.vertices.end());
    if (liquid && on_sea()) {
        sea_level_ = sea_level(vertices, sea().domain);
        fade_to_level(vertices, sea());
    }
    const auto normals = vertex_normals(vertices, named.mesh.triangles);
    for (const Vec3& x : vertices) s.begin.push_back(local(x));
    for (const Vec3& n : normals) s.normals.push_back(n.as<float>());
    for (const auto& t : named.mesh.triangles) s.triangles.push_back(t.as<std::uint32_t>());
    Material m;
    if (options_.bare) {
        m = blue();
    } else {  // trapped air
        m.priority = Priority::kBubble;
        m.medium = air_;
        m.film = !deep_;
    }
    s.material = liquid ? liquid_material() : add(m);
    world_.surfaces.push_back(std::move(s));
}

int Builder::liquid_material() {
    Material m;
    m.priority = Priority::kLiquid;
    m.medium = liquid_;
    return add(m);
}

void Builder::add_body(const BeautyOptions::Body& body) {
    const BodyParameters& p = body.begin.shape().parameters();
    const BodyMesh mesh = body_mesh(p);
    const Pose &begin = body.begin.pose(), &end = body.end;
    Surface s;
    bool moves = false, deforms = body.begin.shape().deforms();
    // What reaches through the walls of a tank has no business outside.
    Box<double, 3> inside{Vec3::filled(-1e300), Vec3::filled(1e300)};
    if (in_tank()) inside = options_.domain;
    if (!options_.lid) inside.hi[1] = 1e300;
    const auto kept = [&](const Vec3& x) { return min(max(x, inside.lo), inside.hi); };
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3 x = begin.to_world(mesh.vertices[i]);
        s.begin.push_back(local(kept(x)));
        const Vec3 moved = x + body.begin.velocity(x) * options_.blur;
        s.end.push_back(local(kept(deforms ? moved : end.to_world(mesh.vertices[i]))));
        s.normals.push_back(begin.rotation.apply(mesh.normals[i]).as<float>());
        moves = moves || !(s.begin.back() == s.end.back());
    }
    if (!moves) s.end.clear();
    s.triangles = mesh.triangles;
    // A vessel is of glass, or nobody could look into it.
    const bool clear =
        body.look == SolidLook::kAutomatic ? p.shell > 0 : body.look == SolidLook::kGlass;
    Material matte;
    matte.finish = Finish::kMatte;
    matte.colour = body.colour.as<float>();
    matte.wet = 0.04 * options_.domain.size()[1];
    s.material = add(clear ? glass() : matte);
    world_.surfaces.push_back(std::move(s));
}

Material Builder::glass() {
    Material m;
    m.priority = Priority::kSolid;
    m.medium = add(Medium{.index = kGlassIndex, .absorption = {2.0f, 0.8f, 1.2f}, .glow = {}});
    return m;
}

double Builder::glass_thickness() const { return 0.012 * length(options_.domain.size()); }

void Builder::add_tank() {
    const double wall = glass_thickness(), overlap = options_.tank_overlap;
    BodyParameters p;
    p.size = options_.domain.size() + Vec3::filled(2 * (wall - overlap));
    p.shell = wall;
    p.open_top = !options_.lid;
    const BodyMesh mesh = body_mesh(p);
    Surface s;
    const Vec3 middle = (options_.domain.lo + options_.domain.hi) * 0.5;
    for (const Vec3& x : mesh.vertices) s.begin.push_back(local(middle + x));
    for (const Vec3& n : mesh.normals) s.normals.push_back(n.as<float>());
    s.triangles = mesh.triangles;
    s.material = add(glass());
    world_.surfaces.push_back(std::move(s));
}

void Builder::add_floor() {
    FloorLook look = options_.floor;
    if (look == FloorLook::kAutomatic)
        look = frame_.dimensions == 2 ? FloorLook::kNone
               : deep_ || on_sea()    ? FloorLook::kSand
                                      : FloorLook::kChecker;
    if (look == FloorLook::kNone) return;
    Material m;
    const double side = std::max(options_.domain.size()[0], options_.domain.size()[2]);
    m.finish = look == FloorLook::kSand ? Finish::kSand : Finish::kChecker;
    m.colour = look == FloorLook::kSand ? Colour{0.62f, 0.53f, 0.38f} : Colour{0.33f, 0.32f, 0.30f};
    // Darker than foam and spray, which would not be seen before white.
    m.other = {0.19f, 0.195f, 0.205f};
    m.scale = side / (look == FloorLook::kSand ? 6 : 4);
    m.fade = 3 * distance_;
    // Just below, so that it never lies in the same plane as a wall or the water; where water goes
    // on below the domain the bottom of the sea is not right there.
    const bool goes_on = (deep_ || on_sea()) && !options_.walled_bottom;
    const double below = goes_on ? 0.35 : 2e-3;
    const double height = options_.domain.lo[1] - center_[1] - below * options_.domain.size()[1] -
                          (in_tank() ? glass_thickness() : 0);
    world_.floor = Floor{height, add(m)};
}

void Builder::add_smoke() {
    if (frame_.dimensions != 3) return;
    for (const Volume& v : frame_.volumes) {
        if (v.name != "smoke" || v.components != 1) continue;
        // By default thick: through the water around it thin smoke would hardly show.
        const Vec3 basin = options_.domain.size();
        const double weakening =
            options_.smoke > 0 ? options_.smoke : 45 / std::min({basin[0], basin[1], basin[2]});
        world_.fog.emplace(v, weakening, Colour{0.97f, 0.97f, 0.97f}, center_);
        world_.media[static_cast<std::size_t>(air_)].smoky = true;
        return;
    }
}

}  // namespace

bool beauty_under_water(const Frame& frame, const BeautyOptions& options) {
    return !options.bare && all_water(frame);
}

World beauty_world(const Frame& frame, const BeautyOptions& options, const PreviewCamera& camera,
                   const Vec3& center) {
    return Builder(frame, options, camera, center).build();
}

}  // namespace spume
