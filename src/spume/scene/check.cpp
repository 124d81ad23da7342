// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/check.h"

#include <algorithm>
#include <cmath>

#include "spume/core/box.h"
#include "spume/core/math.h"
#include "spume/scene/bodies.h"
#include "spume/scene/shape_bounds.h"

namespace spume {
namespace {

// A dense simulation takes about so much; only used to refuse the hopeless.
constexpr double kBytesPerCell = 300;
constexpr double kBytesPerBubble = 100;
constexpr double kMostCells = 4e9;
constexpr double kMostBubbles = 2e9;
constexpr double kLatticeLimit = 0x1p30;

std::string cells_text(const Scene& scene) {
    const Vec<double, 3> n = scene.cells();
    return scene.domain.dimensions == 2 ? fmt::format("{} x {}", n[0], n[1])
                                        : fmt::format("{} x {} x {}", n[0], n[1], n[2]);
}

void check_domain(const Scene& scene, SceneDocument& document) {
    const Domain& d = scene.domain;
    const char* axes[] = {"x", "y", "z"};
    for (int i = 0; i < d.dimensions; ++i) {
        if (d.upper[i] > d.lower[i]) continue;
        document.conflict("domain.upper", {"domain"},
                          fmt::format("domain.upper {} = {} is not above domain.lower {} = {}",
                                      axes[i], d.upper[i], axes[i], d.lower[i]),
                          "The upper corner must be above the lower one along every axis.");
        return;
    }
    const char* key = d.voxel > 0 ? "domain.voxel" : "domain.divisions";
    const double voxel = scene.voxel();
    double farthest = 0;
    for (int i = 0; i < d.dimensions; ++i)
        farthest = std::max({farthest, std::fabs(d.lower[i]), std::fabs(d.upper[i])});
    if (farthest / voxel > kLatticeLimit) {
        document.conflict(
            key, {"domain"},
            fmt::format("a voxel of {} m is too small for a domain that reaches to {} m", voxel,
                        farthest),
            fmt::format("The voxel must be at least {:.3g} m here.", farthest / kLatticeLimit));
        return;
    }
    if (d.dense && product(scene.cells()) > kMostCells)
        document.conflict(
            key, {"domain"},
            fmt::format("{} cells are {:.3g}, for about {} of memory", cells_text(scene),
                        product(scene.cells()), bytes_text(product(scene.cells()) * kBytesPerCell)),
            "Use larger voxels, a smaller box, or dense = false.");
}

/// Solids may be sheets; nothing fits into a shape of no volume.
void check_edges(const Scene& scene, const Shape& s, const std::string& path, bool may_be_sheet,
                 SceneDocument& document) {
    if (s.kind != ShapeKind::kBox) return;
    const int zeros =
        static_cast<int>(std::count(&s.size[0], &s.size[0] + scene.domain.dimensions, 0.0));
    if (zeros > (may_be_sheet && s.shell == 0 ? 1 : 0))
        document.conflict(
            path + ".size", {path},
            fmt::format("{}.size has {} edge{} of 0 m", path, zeros, zeros == 1 ? "" : "s"),
            "Give edges above 0; one edge of a solid without shell may be 0.");
}

/// What only the body itself knows of its sizes: profiles that cross, tubes that are too thick.
void check_build(const Scene& scene, const Shape& s, const std::string& path,
                 SceneDocument& document) {
    bool mesh = s.kind == ShapeKind::kBox || s.kind == ShapeKind::kSphere;
    each_shape(s, [&](const Shape& part) { mesh = mesh || part.kind == ShapeKind::kMesh; });
    if (mesh && s.round == 0) return;
    try {
        scene.domain.dimensions == 2 ? void(body_shape<2>(s, {})) : void(body_shape<3>(s, {}));
    } catch (const UserError& error) {
        for (const Complaint& c : error.complaints())
            document.conflict(path + ".kind", tables_of(s, path),
                              fmt::format("{}: {}", path, c.message), c.remedy);
    }
}

}  // namespace

std::vector<std::string> tables_of(const Shape& shape, const std::string& path) {
    std::vector<std::string> tables{path, "domain"};
    const auto add_profile = [&](const Shape& s, const std::string& at) {
        for (std::size_t i = 0; i < s.profile.size(); ++i)
            tables.push_back(fmt::format("{}.profile[{}]", at, i));
    };
    add_profile(shape, path);
    for (std::size_t i = 0; i < shape.parts.size(); ++i) {
        tables.push_back(fmt::format("{}.part[{}]", path, i));
        add_profile(shape.parts[i], tables.back());
    }
    return tables;
}

void check_shape(const Scene& scene, const Shape& s, const std::string& path,
                 SceneDocument& document, bool may_be_sheet) {
    check_edges(scene, s, path, may_be_sheet, document);
    bool mesh = false;
    each_shape(s, [&](const Shape& part) { mesh = mesh || part.kind == ShapeKind::kMesh; });
    if (mesh && scene.domain.dimensions == 2)
        document.conflict(path + ".kind", {path, "domain"},
                          fmt::format("{} is a mesh in a 2D scene", path),
                          "Use a box, sphere or cylinder, or domain.dimensions = 3.");
    check_build(scene, s, path, document);
    double thickness = s.radius;
    if (s.kind == ShapeKind::kBox) {
        thickness = std::min(s.size[0], s.size[1]) / 2;
        if (scene.domain.dimensions == 3) thickness = std::min(thickness, s.size[2] / 2);
    } else if (s.kind == ShapeKind::kCylinder) {
        thickness = std::min(s.radius, s.height / 2);
    } else if (s.kind == ShapeKind::kTorus) {
        thickness = s.tube;
    } else if (s.kind == ShapeKind::kCone) {
        thickness = std::min(std::max(s.radius, s.radius_top), s.height / 2);
    }
    if (s.kind != ShapeKind::kMesh && s.shell > thickness)
        document.conflict(path + ".shell", {path},
                          fmt::format("{}.shell = {} m is thicker than the body", path, s.shell),
                          fmt::format("At most {} m fit; 0 makes it solid.", thickness));
}

namespace {

/// Volume (2D: area) of the mean bubble; sizes spread like r⁻³ have the mean cube 2 a² b² / (a + b)
/// and the mean square 2 a² b² ln(b/a) / (b² − a²).
double mean_bubble(const Emitter& e, int dimensions, double voxel) {
    const auto [a, b, stands_for] = radius_span(e, dimensions, voxel);
    if (stands_for > 0) return stands_for;
    if (dimensions == 3) return 4 * math::kPi / 3 * (2 * a * a * b * b / (a + b));
    const double square = b > a ? 2 * a * a * b * b * math::log(b / a) / (b * b - a * a) : a * a;
    return math::kPi * square;
}

/// How many bubbles the emitter makes at the start, or in the longest second.
double bubbles_made(const Scene& scene, const Emitter& e) {
    const double bubble = mean_bubble(e, scene.domain.dimensions, scene.voxel());
    if (e.mode == EmitMode::kRate) return e.rate / bubble;
    const auto size = shape_bounds(e.shape).size();
    double room = size[0] * size[1];
    if (scene.domain.dimensions == 3) room *= size[2];
    if (e.spacing > 0) {
        const double cell = e.spacing * e.spacing;
        return room / (scene.domain.dimensions == 3 ? cell * e.spacing : cell);
    }
    return e.count > 0 ? e.count : room * e.fraction / bubble;
}

template <class Key>
void check_keys(const std::vector<Key>& keys, const std::string& path, SceneDocument& document) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        if (keys[i].time > keys[i - 1].time) continue;
        const std::string key = fmt::format("{}.keys[{}]", path, i),
                          last = fmt::format("{}.keys[{}]", path, i - 1);
        document.conflict(key + ".time", {key, last},
                          fmt::format("{}.time = {} s is not after the key before it, at {} s", key,
                                      keys[i].time, keys[i - 1].time),
                          "Sort the keys by time.");
        return;
    }
}

/// A solid that the water moves has no place of its own at a time.
void check_attach(const Scene& scene, const std::string& name, const std::string& path,
                  SceneDocument& document) {
    if (name.empty()) return;
    const Solid* solid = solid_named(scene.solids, name);
    std::vector<std::string> tables{path};
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        tables.push_back(fmt::format("solid[{}]", i));
    std::string names;
    for (const Solid& s : scene.solids)
        if (!s.name.empty() && s.motion != Motion::kDynamic)
            names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", s.name);
    if (!solid)
        document.conflict(path + ".attach", tables,
                          fmt::format("{}.attach = \"{}\" names no solid", path, name),
                          names.empty() ? "Give the solid a name." : "Solids are " + names + ".");
    else if (solid->motion == Motion::kDynamic)
        document.conflict(path + ".attach", tables,
                          fmt::format("{}.attach = \"{}\" names a dynamic solid", path, name),
                          "Attach it to a fixed or keyed one.");
}

void check_pulse(const Emitter& e, const std::string& path, SceneDocument& document) {
    for (std::size_t i = 0; i < e.pulse.size(); ++i) {
        const std::string key = fmt::format("{}.pulse[{}]", path, i);
        const double time = e.pulse[i].time;
        if (i > 0 && !(time > e.pulse[i - 1].time)) {
            document.conflict(key + ".time", {key, fmt::format("{}.pulse[{}]", path, i - 1)},
                              fmt::format("{}.time = {} s is not after the key before it, at {} s",
                                          key, time, e.pulse[i - 1].time),
                              "Sort the keys by time.");
            return;
        }
        if (e.period > 0 && time > e.period)
            document.conflict(
                key + ".time", {key, path},
                fmt::format("{}.time = {} s is beyond the period of {} s", key, time, e.period),
                "Let the pulse end within its period.");
    }
}

void check_emitter(const Scene& scene, const Emitter& e, const std::string& path,
                   SceneDocument& document) {
    const std::vector<std::string> own{path};
    std::vector<std::string> all = tables_of(e.shape, path + ".shape");
    all.push_back(path);
    check_shape(scene, e.shape, path + ".shape", document);
    if (e.mode == EmitMode::kRate && !(e.stop > e.start))
        document.conflict(
            path + ".stop", own,
            fmt::format("{}.stop = {} s is not after start = {} s", path, e.stop, e.start),
            "Let it stop later than it starts.");
    if (e.mode == EmitMode::kSeed && e.start < 0)
        document.conflict(
            path + ".start", own,
            fmt::format("{}.start = {} s is before the first frame, so no bubbles are seeded", path,
                        e.start),
            "Seed at 0 or later.");
    if (e.mode == EmitMode::kRate && e.period > 0 && e.burst > e.period)
        document.conflict(path + ".burst", own,
                          fmt::format("{}.burst = {} s is longer than its period of {} s", path,
                                      e.burst, e.period),
                          "A burst must end before the next begins.");
    check_pulse(e, path, document);
    check_keys(e.keys, path, document);
    check_attach(scene, e.attach, path, document);
    if (e.law == RadiusLaw::kInverseCubic && e.radius_min > e.radius_max)
        document.conflict(path + ".radius_min", own,
                          fmt::format("{}.radius_min = {} m is above radius_max = {} m", path,
                                      e.radius_min, e.radius_max),
                          "Exchange the two.");
    const auto extent = shape_bounds(e.shape).size();
    const bool several = std::max({extent[0], extent[1], extent[2]}) > 2 * e.spacing;
    if (e.mode == EmitMode::kSeed && e.spacing > 0 && several) {
        const double cell = scene.domain.dimensions == 3 ? e.spacing * e.spacing * e.spacing
                                                         : e.spacing * e.spacing;
        const double share = mean_bubble(e, scene.domain.dimensions, scene.voxel()) / cell;
        // Half a voxel is what bubbles that share a cell are spread at; rounding is no crowd.
        if (share > 1 + 1e-9)
            document.conflict(path + ".spacing", own,
                              fmt::format("{}.spacing = {} m is too close: bubbles would fill "
                                          "{:.3g} times the room there is",
                                          path, e.spacing, share),
                              "Space them wider or make them smaller.");
    }
    const bool moves = !e.keys.empty() || !e.attach.empty();
    if (e.shape.kind == ShapeKind::kMesh) return;
    const Box<double, 3> box = shape_bounds(e.shape);
    for (int i = 0; i < scene.domain.dimensions; ++i) {
        if (moves || (box.hi[i] > scene.domain.lower[i] && box.lo[i] < scene.domain.upper[i]))
            continue;
        document.conflict(path + ".shape", all,
                          fmt::format("{} is outside the domain: it spans {:.4g} … {:.4g} m along "
                                      "{}, the domain {:.4g} … {:.4g} m",
                                      path, box.lo[i], box.hi[i], "xyz"[i], scene.domain.lower[i],
                                      scene.domain.upper[i]),
                          "Move its centre, or enlarge the domain.");
        return;
    }
    const double bubbles = bubbles_made(scene, e);
    if (bubbles > kMostBubbles)
        document.conflict(path, all,
                          fmt::format("{} makes about {:.3g} bubbles{}, for {} of memory", path,
                                      bubbles, e.mode == EmitMode::kRate ? " a second" : "",
                                      bytes_text(bubbles * kBytesPerBubble)),
                          "Emit less air, or larger bubbles.");
}

/// A cached liquid is looked at when it is read.
void check_bulk(const Scene& scene, SceneDocument& document) {
    const BulkLiquid& b = scene.bulk;
    if (!b.present || b.cached()) return;
    const double ratio = b.voxel > 0 ? scene.voxel() / b.voxel : 1;
    if (std::fabs(ratio - 1) > 1e-9 && std::fabs(ratio - 2) > 1e-9)
        document.conflict(
            "bulk.voxel", {"bulk", "domain"},
            fmt::format("bulk.voxel = {} m, but the domain's is {:.9g} m", b.voxel, scene.voxel()),
            "A voxel of the domain is one or two of the bulk's wide.");
    if (b.kind == BulkKind::kOcean) return check_ocean(scene, document);
    if (b.kind != BulkKind::kAnalytic) return;
    const bool standing = b.flow == BulkFlow::kStandingWave;
    if (!standing && b.flow != BulkFlow::kGerstnerWave) return;
    if (length(scene.physics.gravity) == 0)
        document.conflict("bulk.flow", {"bulk", "physics"}, "there are no waves without gravity",
                          "Give physics.gravity, or another flow.");
    // Beyond 1 / k Gerstner's surface crosses itself; the linear wave is far from water by then.
    const double highest = b.wavelength / (2 * math::kPi);
    if (b.amplitude >= highest)
        document.conflict("bulk.amplitude", {"bulk"},
                          fmt::format("bulk.amplitude = {} m is too high for a wavelength of {} m",
                                      b.amplitude, b.wavelength),
                          fmt::format("It must be below {:.3g} m.", highest));
    if (standing && b.depth > 0 && b.amplitude >= b.depth)
        document.conflict("bulk.amplitude", {"bulk"},
                          fmt::format("bulk.amplitude = {} m reaches the bottom, {} m deep",
                                      b.amplitude, b.depth),
                          "Lower the wave, or deepen the water.");
}

}  // namespace

std::string bytes_text(double bytes) {
    const char* names[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int i = 0;
    for (; bytes >= 1000 && i < 5; ++i) bytes /= 1000;
    return fmt::format("{:.3g} {}", bytes, names[i]);
}

std::string memory_problem(const Scene& scene, double bytes_per_cell, double bytes) {
    const double need = product(scene.cells()) * bytes_per_cell;
    if (need <= bytes) return {};
    return fmt::format("{} cells of {:.4g} m need about {} of memory, more than the {} allowed",
                       cells_text(scene), scene.voxel(), bytes_text(need), bytes_text(bytes));
}

void check_scene(const Scene& scene, SceneDocument& document) {
    check_domain(scene, document);
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
        const std::string path = fmt::format("solid[{}]", i);
        check_shape(scene, scene.solids[i].shape, path + ".shape", document,
                    scene.solids[i].motion != Motion::kDynamic);
        check_keys(scene.solids[i].keys, path, document);
    }
    for (std::size_t i = 0; i < scene.liquids.size(); ++i) {
        const LiquidBody& l = scene.liquids[i];
        const std::string path = fmt::format("liquid[{}]", i);
        check_shape(scene, l.shape, path + ".shape", document);
        check_keys(l.keys, path, document);
        check_attach(scene, l.attach, path, document);
        if (!(l.stop > l.start))
            document.conflict(
                path + ".stop", {path},
                fmt::format("{}.stop = {} s is not after start = {} s", path, l.stop, l.start),
                "Let it stop later than it starts.");
    }
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        check_emitter(scene, scene.emitters[i], fmt::format("emitter[{}]", i), document);
    for (std::size_t i = 0; i < scene.forces.size(); ++i) {
        const Force& f = scene.forces[i];
        const std::string path = fmt::format("force[{}]", i);
        if (!f.everywhere) check_shape(scene, f.region, path + ".region", document);
        if (!(f.stop > f.start))
            document.conflict(
                path + ".stop", {path},
                fmt::format("{}.stop = {} s is not after start = {} s", path, f.stop, f.start),
                "Let it stop later than it starts.");
    }
    check_bulk(scene, document);
    check_emission(scene, document);
    check_keys(scene.camera.keys, "camera", document);
    for (std::size_t i = 0; i < scene.camera.keys.size(); ++i)
        if (scene.camera.keys[i].position == scene.camera.keys[i].target)
            document.conflict(
                fmt::format("camera.keys[{}].target", i), {fmt::format("camera.keys[{}]", i)},
                fmt::format("camera.keys[{}].target is where the camera itself is", i),
                "Look at another point.");
    if (!scene.camera.automatic && scene.camera.keys.empty() &&
        scene.camera.position == scene.camera.target)
        document.conflict("camera.target", {"camera"},
                          "camera.target is where the camera itself is", "Look at another point.");
}

}  // namespace spume
