// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/core/box.h"
#include "spume/core/math.h"
#include "spume/scene/bodies.h"
#include "spume/scene/check_parts.h"
#include "spume/scene/shape_bounds.h"

namespace spume {
namespace {

// A dense simulation takes about so much; only used to refuse the hopeless.
constexpr double kBytesPerCell = 300;
constexpr double kMostCells = 4e9;
constexpr double kLatticeLimit = 0x1p30;

std::string cells_text(const Scene& scene) {
    const Vec<double, 3> n = scene.cells();
    return scene.domain.dimensions == 2 ? fmt::format("{} x {}", n[0], n[1])
                                        : fmt::format("{} x {} x {}", n[0], n[1], n[2]);
}

std::string corner_text(const Vec<double, 3>& x, int dimensions) {
    std::string text;
    for (int i = 0; i < dimensions; ++i) text += fmt::format("{}{:.6g}", i > 0 ? ", " : "", x[i]);
    return "[" + text + "]";
}

/// Whoever gives one corner thinks of the other as the origin, or as its mirror image.
void remark_corners(const Domain& d, SceneDocument& document) {
    const bool lower = document.gives("domain.lower"), upper = document.gives("domain.upper");
    if (lower == upper) return;
    const char *given = lower ? "lower" : "upper", *left_out = lower ? "upper" : "lower";
    document.remark(fmt::format(
        "domain.{} is given and domain.{} is not: the domain reaches from {} to {}; give both "
        "corners",
        given, left_out, corner_text(d.lower, d.dimensions), corner_text(d.upper, d.dimensions)));
}

void check_domain(const Scene& scene, SceneDocument& document) {
    const Domain& d = scene.domain;
    const char* axes[] = {"x", "y", "z"};
    remark_corners(d, document);
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

void check_attach(const Scene& scene, const std::string& name, const std::string& path,
                  SceneDocument& document) {
    if (name.empty()) return;
    if (solid_named(scene.solids, name)) return;
    std::vector<std::string> tables{path};
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
        tables.push_back(fmt::format("solid[{}]", i));
    std::string names;
    for (const Solid& s : scene.solids)
        if (!s.name.empty()) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", s.name);
    document.conflict(path + ".attach", tables,
                      fmt::format("{}.attach = \"{}\" names no solid", path, name),
                      names.empty() ? "Give the solid a name." : "Solids are " + names + ".");
}

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
    check_sequences(scene, document);
    check_bulk(scene, document);
    check_emission(scene, document);
    check_camera(scene, document);
}

}  // namespace spume
