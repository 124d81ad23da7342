// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/frame/mesh_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace spume {
namespace {

using Vec3 = Vec<double, 3>;
using Key = Vec<std::int64_t, 3>;
using Entry = std::pair<Key, std::size_t>;  // a cell, and what is in it

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

bool less(const Key& a, const Key& b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] != b[1] ? a[1] < b[1] : a[2] < b[2];
}
void sort(std::vector<Entry>& entries) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return less(a.first, b.first) || (a.first == b.first && a.second < b.second);
    });
}
std::vector<Entry>::const_iterator find(const std::vector<Entry>& entries, const Key& key) {
    return std::lower_bound(
        entries.begin(), entries.end(), key,
        [](const Entry& e, const Key& wanted) { return less(e.first, wanted); });
}

template <class T>
const Array<T>* column(const PointSet& points, const char* name) {
    const NamedColumn* found = points.find(name);
    return found ? std::get_if<Array<T>>(&found->values) : nullptr;
}

/// A velocity on the faces of a sparse grid.
class FaceSampler {
  public:
    explicit FaceSampler(const Volume& volume) : volume_(volume) {
        for (std::size_t t = 0; t < volume.tiles.size(); ++t)
            tiles_.emplace_back(tile_of(volume.tiles[t].as<std::int64_t>()), t);
        sort(tiles_);
        last_ = tiles_.end();
    }

    /// Linear between faces; those that are not stored have no say.
    Vec<float, 3> at(const Vec3& x) {
        const Vec3 u = (x - volume_.origin) / volume_.voxel;
        Vec<float, 3> r{};
        for (int a = 0; a < 3; ++a) {
            double sum = 0, weights = 0;
            Key base{};
            Vec3 part{};
            for (int k = 0; k < 3; ++k) {
                const double at = k == a ? u[k] : u[k] - 0.5;
                base[k] = std::int64_t(std::floor(at));
                part[k] = at - double(base[k]);
                if (volume_.side[k] == 1) base[k] = 0, part[k] = 0;  // 2D: one layer
            }
            for (int corner = 0; corner < 8; ++corner) {
                double weight = 1;
                Key cell = base;
                for (int k = 0; k < 3; ++k) {
                    weight *= corner >> k & 1 ? part[k] : 1 - part[k];
                    cell[k] += corner >> k & 1;
                }
                const std::size_t place = weight > 0 ? place_of(cell) : kNone;
                if (place == kNone) continue;
                sum += weight * double(volume_.values[std::size_t(a)][place]);
                weights += weight;
            }
            if (weights > 0) r[a] = float(sum / weights);
        }
        return r;
    }

  private:
    Key tile_of(const Key& cell) const {
        Key r{};
        for (int k = 0; k < 3; ++k) {
            const std::int64_t side = volume_.side[k];
            r[k] = (cell[k] >= 0 ? cell[k] : cell[k] - side + 1) / side;
        }
        return r;
    }
    std::size_t place_of(const Key& cell) {
        const Key tile = tile_of(cell);
        if (last_ == tiles_.end() || !(last_->first == tile)) last_ = find(tiles_, tile);
        if (last_ == tiles_.end() || !(last_->first == tile)) return kNone;
        std::size_t place = last_->second;
        for (int k = 0; k < 3; ++k)
            place = place * std::size_t(volume_.side[k]) +
                    std::size_t(cell[k] - tile[k] * volume_.side[k]);
        return place;
    }

    const Volume& volume_;
    std::vector<Entry> tiles_;
    std::vector<Entry>::const_iterator last_;  ///< the tile that was looked up last
};

/// Which of many balls has its surface nearest to a point.
class NearestBall {
  public:
    NearestBall(const PointSet& points, const Array<float>& radius, double reach)
        : points_(points), radius_(radius), reach_(reach) {
        double largest = 0;
        for (const float r : radius) largest = std::max(largest, double(r));
        width_ = reach + largest;
        for (std::size_t q = 0; q < points.size(); ++q)
            balls_.emplace_back(cell_of(points.position[q]), q);
        sort(balls_);
    }

    /// kNone farther away than the reach.
    std::size_t to(const Vec3& x) const {
        double least = reach_;
        std::size_t found = kNone;
        const Key middle = cell_of(x);
        for (int n = 0; n < 27; ++n) {
            const Key cell{middle[0] + n / 9 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n % 3 - 1};
            for (auto at = find(balls_, cell); at != balls_.end() && at->first == cell; ++at) {
                const std::size_t q = at->second;
                const double away = std::abs(length(x - points_.position[q]) - double(radius_[q]));
                if (away < least) least = away, found = q;
            }
        }
        return found;
    }

  private:
    Key cell_of(const Vec3& x) const {
        Key r{};
        for (int a = 0; a < 3; ++a) r[a] = std::int64_t(std::floor(x[a] / width_));
        return r;
    }

    const PointSet& points_;
    const Array<float>& radius_;
    double reach_, width_ = 1;
    std::vector<Entry> balls_;
};

/// `reach`: twice the voxel, beyond which a surface of bubbles is not drawn away from them.
std::vector<NamedColumn> columns_of_bubbles(const TriangleMesh& mesh, const PointSet& points,
                                            double reach) {
    const auto* radius = column<float>(points, "pscale");
    const auto* from_v = column<Vec<float, 3>>(points, "v");
    const auto* from_age = column<float>(points, "age");
    const auto* from_source = column<std::int32_t>(points, "source");
    if (!radius || !from_v) return {};
    const std::size_t n = mesh.vertices.size();
    const bool marks = from_age != nullptr && from_source != nullptr;
    Array<Vec<float, 3>> v(n);
    Array<float> age(marks ? n : 0, 0.0f);
    Array<std::int32_t> source(marks ? n : 0, 0);
    auto to_v = v.write();
    auto to_age = age.write();
    auto to_source = source.write();
    const NearestBall nearest(points, *radius, reach);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t q = nearest.to(mesh.vertices[i]);
        if (q == kNone) continue;
        to_v[i] = (*from_v)[q];
        if (marks) to_age[i] = (*from_age)[q], to_source[i] = (*from_source)[q];
    }
    std::vector<NamedColumn> columns{{"v", "m/s", v}};
    if (marks) columns.push_back({"age", "s", age}), columns.push_back({"source", "", source});
    return columns;
}

}  // namespace

std::vector<NamedColumn> mesh_columns(const Frame& frame, const NamedMesh& mesh) {
    const Volume* velocity = nullptr;
    double voxel = 0;
    for (const Volume& volume : frame.volumes) {
        voxel = std::max(voxel, volume.voxel);
        if (volume.name == "vel" && volume.components == 3) velocity = &volume;
    }
    for (const PointSet& points : frame.points)
        if (points.name == mesh.name && points.size() > 0 && voxel > 0)
            return columns_of_bubbles(mesh.mesh, points, 2 * voxel);
    if (!velocity || mesh.mesh.vertices.empty()) return {};
    Array<Vec<float, 3>> v(mesh.mesh.vertices.size());
    auto to = v.write();
    FaceSampler sampler(*velocity);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = sampler.at(mesh.mesh.vertices[i]);
    return {{"v", "m/s", v}};
}

}  // namespace spume
