// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <embree3/rtcore.h>

#include "spume/core/error.h"
#include "spume/core/run_alone.h"
#include "spume/render/directions.h"
#include "spume/render/ellipsoid.h"

namespace spume {

namespace {

using Vec3 = Vec<double, 3>;

constexpr std::uint64_t kWhole = 0xffffffffu;  // a surface is one object, whichever triangle

std::uint64_t object_of(unsigned geometry, std::uint64_t part) {
    return std::uint64_t{geometry} << 32 | part;
}

template <int D>
Vec<double, D> between(const std::vector<Vec<float, D>>& begin,
                       const std::vector<Vec<float, D>>& end, std::size_t i, double time) {
    const Vec<double, D> a = begin[i].template as<double>();
    if (end.empty()) return a;
    return a + (end[i].template as<double>() - a) * time;
}

/// Axes of a copy: where x, y and z of its parts point, times the scale.
std::array<Vec3, 3> axes_of(const Copies::Place& place) {
    const Vec3 n = place.axis.as<double>();
    Vec3 a, b;
    frame_of(n, a, b);
    const double s = place.scale;
    return {a * s, n * s, b * -s};
}

[[noreturn]] void refuse(RTCDevice device) {
    throw MachineError(rtcGetDeviceError(device) == RTC_ERROR_OUT_OF_MEMORY
                           ? "out of memory for the picture's geometry"
                           : "Embree cannot build the picture's geometry");
}

}  // namespace

struct RayScene::Index {
    World world;
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    double grain = 0;
    std::vector<unsigned> first_copy;  ///< number of the first geometry of each of world.copies
    std::size_t first_ellipsoid = 0;   ///< number of the first geometry of world.ellipsoids

    explicit Index(World w) : world(std::move(w)) {}
    ~Index() {
        if (scene) rtcReleaseScene(scene);
        if (device) rtcReleaseDevice(device);
    }
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;

    template <int D>
    void vertices(RTCGeometry g, RTCFormat format, const std::vector<Vec<float, D>>& begin,
                  const std::vector<Vec<float, D>>& end, std::size_t count) {
        rtcSetGeometryTimeStepCount(g, end.empty() ? 1 : 2);
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, format, begin.data(), 0,
                                   sizeof(Vec<float, D>), count);
        if (!end.empty())
            rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 1, format, end.data(), 0,
                                       sizeof(Vec<float, D>), count);
    }
    template <class Set>
    double film(const Set& set, std::size_t part) const {
        return set.film.empty() ? world.materials[std::size_t(set.material)].thickness
                                : static_cast<double>(set.film[part]);
    }
    /// The ellipsoids that a geometry's number stands for; null where it stands for others.
    const Ellipsoids* ellipsoids(std::size_t geometry) const {
        return geometry >= first_ellipsoid ? &world.ellipsoids[geometry - first_ellipsoid]
                                           : nullptr;
    }
    unsigned attach(RTCScene to, RTCGeometry g) {
        rtcCommitGeometry(g);
        const unsigned number = rtcAttachGeometry(to, g);
        rtcReleaseGeometry(g);
        return number;
    }
    RTCGeometry triangles(Surface& surface);
    void add_veil(const Veil& veil);
    void add_copies(Copies& copies);
    void build();
    std::size_t kind_of_copy(unsigned geometry) const {
        return static_cast<std::size_t>(
            std::upper_bound(first_copy.begin(), first_copy.end(), geometry) - first_copy.begin() -
            1);
    }
    Hit veil_hit(const Ray& ray, const Veil& veil, unsigned part, double distance) const;
    Hit copy_hit(const RTCHit& found, double time) const;
    Hit ball_hit(const Ray& ray, const Balls& balls, unsigned geometry, unsigned part,
                 double near) const;
    Hit surface_hit(const Surface& surface, const RTCHit& found, double time) const;
};

RTCGeometry RayScene::Index::triangles(Surface& surface) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    const std::size_t count = surface.begin.size();
    // Embree reads sixteen bytes where the last vertex has twelve.
    surface.begin.push_back({0, 0, 0});
    if (!surface.end.empty()) surface.end.push_back({0, 0, 0});
    vertices(g, RTC_FORMAT_FLOAT3, surface.begin, surface.end, count);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               surface.triangles.data(), 0, sizeof(Vec<std::uint32_t, 3>),
                               surface.triangles.size());
    return g;
}

void RayScene::Index::add_veil(const Veil& veil) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ORIENTED_DISC_POINT);
    vertices(g, RTC_FORMAT_FLOAT4, veil.discs, {}, veil.discs.size());
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_NORMAL, 0, RTC_FORMAT_FLOAT3, veil.normals.data(),
                               0, sizeof(Vec<float, 3>), veil.discs.size());
    attach(scene, g);
}

void RayScene::Index::add_copies(Copies& copies) {
    RTCScene one = rtcNewScene(device);
    rtcSetSceneFlags(one, RTC_SCENE_FLAG_ROBUST);
    for (Surface& part : copies.parts) attach(one, triangles(part));
    rtcCommitScene(one);
    for (std::size_t i = 0; i < copies.places.size(); ++i) {
        RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
        rtcSetGeometryInstancedScene(g, one);
        const unsigned steps = copies.end.empty() ? 1 : 2;
        rtcSetGeometryTimeStepCount(g, steps);
        const auto axes = axes_of(copies.places[i]);
        for (unsigned step = 0; step < steps; ++step) {
            const Vec<float, 3> x = step == 0 ? copies.places[i].position : copies.end[i];
            float matrix[12];
            for (int c = 0; c < 3; ++c)
                for (int k = 0; k < 3; ++k)
                    matrix[3 * c + k] = static_cast<float>(axes[std::size_t(c)][k]);
            for (int k = 0; k < 3; ++k) matrix[9 + k] = x[k];
            rtcSetGeometryTransform(g, step, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, matrix);
        }
        attach(scene, g);
    }
    rtcReleaseScene(one);
}

void RayScene::Index::build() {
    device = rtcNewDevice("set_affinity=0");
    if (!device) throw MachineError("Embree does not start on this machine");
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    auto all = [&] {
        // The order decides which geometry number is which.
        for (const Balls& balls : world.balls) {
            RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
            vertices(g, RTC_FORMAT_FLOAT4, balls.begin, balls.end, balls.begin.size());
            attach(scene, g);
        }
        for (Surface& surface : world.surfaces) attach(scene, triangles(surface));
        for (const Veil& veil : world.veils) add_veil(veil);
        auto next =
            static_cast<unsigned>(world.balls.size() + world.surfaces.size() + world.veils.size());
        for (Copies& copies : world.copies) {
            first_copy.push_back(next);
            next += static_cast<unsigned>(copies.places.size());
            add_copies(copies);
        }
        first_ellipsoid = next;
        for (const Ellipsoids& e : world.ellipsoids) attach(scene, ellipsoid_geometry(device, e));
        rtcCommitScene(scene);
    };
    run_alone(all);
    if (rtcGetDeviceError(device) != RTC_ERROR_NONE) refuse(device);
}

Hit RayScene::Index::ball_hit(const Ray& ray, const Balls& balls, unsigned geometry, unsigned part,
                              double near) const {
    // Once more in double precision: bubbles are small against the scene.
    const Vec<double, 4> ball = between(balls.begin, balls.end, part, ray.time);
    const Vec3 center{ball[0], ball[1], ball[2]};
    const double middle = dot(center - ray.origin, ray.direction);
    const Vec3 aside = center - (ray.origin + ray.direction * middle);
    const double half = std::sqrt(std::max(0.0, ball[3] * ball[3] - dot(aside, aside)));
    Hit hit;
    const bool front = std::abs(near - (middle - half)) <= std::abs(near - (middle + half));
    hit.distance = front ? middle - half : middle + half;
    hit.seen = near;
    const Vec3 arm = ray.origin + ray.direction * hit.distance - center;
    hit.normal = arm / length(arm);
    hit.position = center + hit.normal * ball[3];
    hit.shading = hit.normal;
    hit.object = object_of(geometry, part);
    hit.material = balls.material;
    hit.film = film(balls, part);
    hit.found = true;
    return hit;
}

Hit RayScene::Index::surface_hit(const Surface& surface, const RTCHit& found, double time) const {
    const Vec<std::uint32_t, 3> corner = surface.triangles[found.primID];
    Vec3 x[3];
    for (int i = 0; i < 3; ++i) x[i] = between(surface.begin, surface.end, corner[i], time);
    const double u = found.u, v = found.v;
    Hit hit;
    hit.position = x[0] * (1 - u - v) + x[1] * u + x[2] * v;
    const Vec3 area = cross(x[1] - x[0], x[2] - x[0]);
    hit.normal = area / length(area);
    hit.shading = hit.normal;
    if (!surface.normals.empty()) {
        const auto& n = surface.normals;
        const Vec3 smooth = n[corner[0]].as<double>() * (1 - u - v) +
                            n[corner[1]].as<double>() * u + n[corner[2]].as<double>() * v;
        if (dot(smooth, hit.normal) > 0) hit.shading = smooth / length(smooth);
    }
    hit.object =
        object_of(found.geomID, surface.part.empty() ? kWhole : surface.part[found.primID]);
    hit.material = surface.material;
    hit.film = world.materials[std::size_t(surface.material)].thickness;
    hit.found = true;
    return hit;
}

Hit RayScene::Index::veil_hit(const Ray& ray, const Veil& veil, unsigned part,
                              double distance) const {
    Hit hit;
    hit.distance = hit.seen = distance;
    hit.position = ray.origin + ray.direction * distance;
    hit.normal = hit.shading = veil.normals[part].as<double>();
    hit.material = veil.material;
    const VeilReflectance& table = veil.reflectance[veil.look[part]];
    const double at =
        std::min(1.0, std::abs(dot(ray.direction, hit.normal))) * double(table.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), table.size() - 2);
    const double s = at - static_cast<double>(i);
    hit.veil = static_cast<double>(table[i]) * (1 - s) + static_cast<double>(table[i + 1]) * s;
    hit.found = true;
    return hit;
}

Hit RayScene::Index::copy_hit(const RTCHit& found, double time) const {
    const unsigned number = found.instID[0];
    const std::size_t kind = kind_of_copy(number);
    const Copies& copies = world.copies[kind];
    const std::size_t which = number - first_copy[kind];
    const Copies::Place& place = copies.places[which];
    RTCHit local = found;
    local.geomID = number;
    Hit hit = surface_hit(copies.parts[found.geomID], local, 0);
    const auto axes = axes_of(place);
    const auto turned = [&](const Vec3& v) {
        return axes[0] * v[0] + axes[1] * v[1] + axes[2] * v[2];
    };
    Vec3 middle = place.position.as<double>();
    if (!copies.end.empty()) middle += (copies.end[which].as<double>() - middle) * time;
    hit.position = middle + turned(hit.position);
    hit.normal = turned(hit.normal) / double(place.scale);
    hit.shading = turned(hit.shading) / double(place.scale);
    hit.object = object_of(number, found.geomID);
    if (!copies.film.empty()) hit.film = static_cast<double>(copies.film[which]);
    return hit;
}

RayScene::RayScene(World world) : index_(std::make_unique<Index>(std::move(world))) {
    // Embree works in single precision on coordinates about as large as the world.
    index_->grain = 2e-7 * index_->world.size;
    index_->build();
}

RayScene::~RayScene() = default;

const World& RayScene::world() const { return index_->world; }
double RayScene::grain() const { return index_->grain; }

Hit RayScene::nearest(const Ray& ray, double from) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit r{};
    const Vec<float, 3> o = ray.origin.as<float>(), d = ray.direction.as<float>();
    r.ray.org_x = o[0], r.ray.org_y = o[1], r.ray.org_z = o[2];
    r.ray.dir_x = d[0], r.ray.dir_y = d[1], r.ray.dir_z = d[2];
    r.ray.tnear = static_cast<float>(from);
    r.ray.tfar = std::numeric_limits<float>::infinity();
    r.ray.time = static_cast<float>(ray.time);
    r.ray.mask = ~0u;
    r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(index_->scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    const World& w = index_->world;
    const bool copy = r.hit.instID[0] != RTC_INVALID_GEOMETRY_ID;
    if (!copy && r.hit.geomID < w.balls.size())
        return index_->ball_hit(ray, w.balls[r.hit.geomID], r.hit.geomID, r.hit.primID, r.ray.tfar);
    if (const Ellipsoids* e = copy ? nullptr : index_->ellipsoids(r.hit.geomID)) {
        Hit hit = ellipsoid_hit(ray, *e, r.hit.primID, r.ray.tfar);
        hit.object = object_of(r.hit.geomID, r.hit.primID);
        hit.film = index_->film(*e, r.hit.primID);
        return hit;
    }
    const std::size_t number = r.hit.geomID - w.balls.size();
    if (!copy && number >= w.surfaces.size())
        return index_->veil_hit(ray, w.veils[number - w.surfaces.size()], r.hit.primID, r.ray.tfar);
    Hit hit = copy ? index_->copy_hit(r.hit, ray.time)
                   : index_->surface_hit(w.surfaces[number], r.hit, ray.time);
    hit.distance = hit.seen = r.ray.tfar;
    return hit;
}

bool RayScene::outside_ball(std::uint64_t object, const Vec3& x, double time) const {
    const World& w = index_->world;
    const std::size_t geometry = object >> 32;
    if (const Ellipsoids* e = index_->ellipsoids(geometry)) {
        const Ellipsoid one(*e, object & kWhole, time);
        return one.level(x) > 1.001 + 4 * grain() / one.across;
    }
    if (geometry >= w.balls.size()) return false;
    const Vec<double, 4> ball =
        between(w.balls[geometry].begin, w.balls[geometry].end, object & kWhole, time);
    const Vec3 arm = x - Vec3{ball[0], ball[1], ball[2]};
    return length(arm) > 1.001 * ball[3] + 4 * grain();
}

std::optional<Vec<double, 4>> RayScene::ball(std::uint64_t object, double time) const {
    const World& w = index_->world;
    const std::size_t geometry = object >> 32;
    if (geometry >= w.balls.size()) return std::nullopt;
    return between(w.balls[geometry].begin, w.balls[geometry].end, object & kWhole, time);
}

double RayScene::film_of(std::uint64_t object) const {
    const World& w = index_->world;
    const std::size_t geometry = object >> 32;
    if (geometry < w.balls.size()) return index_->film(w.balls[geometry], object & kWhole);
    if (const Ellipsoids* e = index_->ellipsoids(geometry))
        return index_->film(*e, object & kWhole);
    if (!index_->first_copy.empty() && geometry >= index_->first_copy.front()) {
        const auto number = static_cast<unsigned>(geometry);
        const std::size_t kind = index_->kind_of_copy(number);
        const Copies& copies = w.copies[kind];
        if (!copies.film.empty())
            return static_cast<double>(copies.film[number - index_->first_copy[kind]]);
        return w.materials[std::size_t(copies.parts.front().material)].thickness;
    }
    const Surface& s = w.surfaces[geometry - w.balls.size()];
    return w.materials[std::size_t(s.material)].thickness;
}

Nest RayScene::around(const Vec3& x, double time) const {
    // A surface that is left before it was entered holds the point.
    constexpr int kMostHits = 100000;
    const World& w = index_->world;
    Nest nest, entered;
    const Ray ray{x, {0.0157, 0.9997, 0.0187}, time};
    const Ray unit{x, ray.direction / length(ray.direction), time};
    double from = 0;
    for (int i = 0; i < kMostHits; ++i) {
        const Hit hit = nearest(unit, from);
        if (!hit.found) break;
        from = std::max(hit.distance, hit.seen) + grain();
        const Material& material = w.materials[static_cast<std::size_t>(hit.material)];
        if (material.finish != Finish::kClear) continue;
        if (dot(hit.normal, unit.direction) < 0)
            entered.add({hit.object, material.priority, material.medium});
        else if (entered.contains(hit.object))
            entered.remove(hit.object);
        else if (!nest.contains(hit.object))
            nest.add({hit.object, material.priority, material.medium});
    }
    return nest;
}

}  // namespace spume
