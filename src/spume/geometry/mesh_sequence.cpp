// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/mesh_sequence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/geometry/mesh_following.h"

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;

/// A substep asks for its beginning, its end, and the frame's picture.
constexpr std::size_t kKept = 4;

void check_frame(const MeshSequence::Vertices& vertices, std::size_t frame, std::size_t count,
                 const std::vector<Vec<std::int32_t, 3>>& triangles) {
    const char* remedy = "export the animation again without changing its faces";
    if (vertices.size() != count)
        throw UserError(fmt::format("frame {} of the mesh has {} vertices, the first has {}", frame,
                                    vertices.size(), count),
                        remedy);
    const bool any = std::any_of(triangles.begin(), triangles.end(), [&](const auto& t) {
        const Vec3 a = vertices[std::size_t(t[0])].template as<double>();
        const Vec3 b = vertices[std::size_t(t[1])].template as<double>();
        const Vec3 c = vertices[std::size_t(t[2])].template as<double>();
        return length(cross(b - a, c - a)) > 0;
    });
    if (!any)
        throw UserError(fmt::format("in frame {} no face of the mesh has an area", frame), remedy);
}

}  // namespace

Vec3 MeshMoment::position_at(const MeshPoint& p) const {
    Vec3 r{};
    for (int k = 0; k < 3; ++k) r += position[std::size_t(p.vertex[k])] * p.weight[k];
    return r;
}

Vec3 MeshMoment::velocity_at(const MeshPoint& p) const {
    Vec3 r{};
    for (int k = 0; k < 3; ++k) r += velocity[std::size_t(p.vertex[k])] * p.weight[k];
    return r;
}

MeshSequence::MeshSequence(Faces triangles, std::vector<Vertices> frames, MeshUse use)
    : frames_(std::move(frames)), use_(use) {
    if (frames_.empty()) throw UserError("the mesh has no frames", "give at least one");
    const auto count = static_cast<std::int64_t>(frames_[0].size());
    for (const auto& t : triangles)
        for (int k = 0; k < 3; ++k)
            if (t[k] < 0 || t[k] >= count)
                throw UserError(fmt::format("a face of the mesh names vertex {}, but there are {}",
                                            t[k], count),
                                "repair the mesh in the program that wrote it");
    for (std::size_t f = 0; f < frames_.size(); ++f)
        check_frame(frames_[f], f, frames_[0].size(), triangles);
    faces_.push_back(std::make_shared<const Faces>(std::move(triangles)));
}

MeshSequence::MeshSequence(const std::vector<TriangleMesh>& frames, MeshUse use) : use_(use) {
    if (frames.empty()) throw UserError("the mesh has no frames", "give at least one");
    for (const TriangleMesh& frame : frames) {
        Vertices one;
        for (const Vec3& x : frame.vertices) one.push_back(x.as<float>());
        check_frame(one, frames_.size(), one.size(), frame.triangles);
        frames_.push_back(std::move(one));
        faces_.push_back(std::make_shared<const Faces>(frame.triangles));
    }
    ends_.resize(frames_.size());
}

std::size_t MeshSequence::faces() const {
    std::size_t r = 0;
    for (const auto& one : faces_) r += one->size() * (ends_.empty() ? frames_.size() : 1);
    return r;
}

/// Where a place lies between two frames.
struct MeshSequence::Span {
    std::int64_t frame = 0;
    double part = 0;
    bool held = false;
};

void MeshSequence::along_cubics(MeshMoment& r, const Span& span, bool repeats) const {
    const auto count = static_cast<std::int64_t>(frames_.size()), f = span.frame;
    const double s = span.part, s2 = s * s, s3 = s2 * s;
    const auto frame = [&](std::int64_t n) -> const Vertices& {
        n = repeats ? (n + count) % count : std::clamp<std::int64_t>(n, 0, count - 1);
        return frames_[std::size_t(n)];
    };
    const auto width = [&](std::int64_t n) {
        return repeats || (n > 0 && n + 1 < count) ? 2.0 : 1.0;
    };
    const Vertices &first = frame(f - 1), &begin = frame(f), &end = frame(f + 1),
                   &after = frame(f + 2);
    const double begin_width = width(f), end_width = width(f + 1);
    for (std::size_t v = 0; v < frames_[0].size(); ++v) {
        const Vec3 x0 = begin[v].as<double>(), x1 = end[v].as<double>();
        const Vec3 m0 = (x1 - first[v].as<double>()) / begin_width;
        const Vec3 m1 = (after[v].as<double>() - x0) / end_width;
        r.position.push_back(x0 * (2 * s3 - 3 * s2 + 1) + m0 * (s3 - 2 * s2 + s) +
                             x1 * (3 * s2 - 2 * s3) + m1 * (s3 - s2));
        r.velocity.push_back(span.held ? Vec3{}
                                       : (x0 - x1) * (6 * s2 - 6 * s) + m0 * (3 * s2 - 4 * s + 1) +
                                             m1 * (3 * s2 - 2 * s));
    }
    r.triangles = faces_[0];
}

void MeshSequence::to_next(MeshMoment& r, const Span& span) const {
    const auto f = std::size_t(span.frame);
    const auto mesh_of = [&](std::size_t n) {
        TriangleMesh mesh{{}, *faces_[n]};
        for (const auto& x : frames_[n]) mesh.vertices.push_back(x.as<double>());
        return mesh;
    };
    if (!span.held && ends_[f].empty())
        for (const Vec3& x : followed(mesh_of(f), mesh_of((f + 1) % frames_.size())))
            ends_[f].push_back(x.as<float>());
    for (std::size_t v = 0; v < frames_[f].size(); ++v) {
        const Vec3 x = frames_[f][v].as<double>();
        r.velocity.push_back(span.held ? Vec3{} : ends_[f][v].as<double>() - x);
        r.position.push_back(x + r.velocity.back() * span.part);
    }
    r.triangles = faces_[f];
}

MeshMoment MeshSequence::moment(double place, bool repeats) const {
    const auto count = static_cast<std::int64_t>(frames_.size());
    const double last = double(repeats ? count : count - 1), at = std::clamp(place, 0.0, last);
    Span span;
    span.held = place < 0 || (!repeats && (place > last || last == 0));
    // Faces of their own end with their frame; vertices arrive in the next one.
    const bool own = !ends_.empty(), at_end = own && !repeats && at == last;
    span.frame =
        at_end ? count - 1
               : std::min(std::int64_t(at), std::max<std::int64_t>(std::int64_t(last) - 1, 0));
    span.held = span.held || at_end;
    span.part = at - double(span.frame);
    MeshMoment r;
    r.place = place;
    if (own)
        to_next(r, span);
    else
        along_cubics(r, span, repeats);
    for (const Vec3& v : r.velocity) r.fastest = std::max(r.fastest, length(v));
    r.mesh = std::make_shared<const MeshDistance>(TriangleMesh{r.position, *r.triangles}, use_);
    return r;
}

std::shared_ptr<const MeshMoment> MeshSequence::at(double place, bool repeats) const {
    // One that is held is the same at any time.
    const double count = double(frames_.size());
    double key = place;
    if (place < 0)
        key = -1;
    else if (repeats)
        key = place - count * std::floor(place / count);
    else if (place > count - 1)
        key = count;
    const std::lock_guard lock(mutex_);
    for (const Kept& k : kept_)
        if (k.place == key && k.repeats == repeats) return k.moment;
    if (kept_.size() == kKept) kept_.pop_front();
    kept_.push_back({key, repeats, std::make_shared<const MeshMoment>(moment(key, repeats))});
    return kept_.back().moment;
}

}  // namespace spume
