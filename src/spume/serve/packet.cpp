// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/serve/packet.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>

#include "spume/io/sealed_json.h"

namespace spume {
namespace {

/// Largest side of a slice; a plane through an absurd domain is cut there.
constexpr int kMostSliceSide = 4096;

class Packet {
  public:
    Json header = Json::object();

    /// Adds an array of 4-byte numbers: "f32", "i32" or "u32".
    void add(const std::string& name, const char* type, int components, const void* data,
             std::size_t bytes) {
        header["arrays"].push_back(
            {{"name", name}, {"type", type}, {"components", components}, {"bytes", bytes}});
        body_.append(static_cast<const char*>(data), bytes);
    }
    template <class T>
    void add(const std::string& name, const char* type, int components,
             const std::vector<T>& values) {
        static_assert(sizeof(T) == 4);
        add(name, type, components, values.data(), values.size() * 4);
    }
    std::string bytes() const {
        std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
        text.resize((text.size() + 3) / 4 * 4, ' ');
        const auto length = static_cast<std::uint32_t>(text.size());
        std::string out = "SPUM";
        out.append(reinterpret_cast<const char*>(&length), 4);
        return out + text + body_;
    }

  private:
    std::string body_;
};

/// Mixes the bits of an id, so that every k-th id is not every k-th place of a lattice.
std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    return x;
}

std::vector<std::size_t> chosen(const PointSet& points, std::size_t limit) {
    std::vector<std::size_t> r;
    const std::size_t n = points.size();
    const NamedColumn* named = points.find("id");
    const auto* id = named ? std::get_if<Array<std::uint64_t>>(&named->values) : nullptr;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const auto bound =
        n <= limit ? most
                   : static_cast<std::uint64_t>(std::ldexp(double(limit) / double(n), 64) * 0.999);
    for (std::size_t i = 0; i < n; ++i)
        if (bound == most || mixed(id ? (*id)[i] : i) < bound) r.push_back(i);
    return r;
}

template <class T, class U, class Get>
std::vector<T> picked(const Array<U>& values, const std::vector<std::size_t>& which, int components,
                      Get&& get) {
    std::vector<T> r;
    r.reserve(which.size() * static_cast<std::size_t>(components));
    for (const std::size_t i : which)
        for (int c = 0; c < components; ++c) r.push_back(get(values[i], c));
    return r;
}

void add_column(Packet& packet, const NamedColumn& column, const std::vector<std::size_t>& which) {
    if (const auto* f = std::get_if<Array<float>>(&column.values))
        packet.add(column.name, "f32", 1,
                   picked<float>(*f, which, 1, [](float x, int) { return x; }));
    else if (const auto* v = std::get_if<Array<Vec<float, 3>>>(&column.values))
        packet.add(column.name, "f32", 3,
                   picked<float>(*v, which, 3, [](const auto& x, int c) { return x[c]; }));
    else if (const auto* i = std::get_if<Array<std::int32_t>>(&column.values))
        packet.add(column.name, "i32", 1,
                   picked<std::int32_t>(*i, which, 1, [](std::int32_t x, int) { return x; }));
    else if (const auto* u = std::get_if<Array<std::uint64_t>>(&column.values))
        packet.add(column.name, "u32", 2, picked<std::uint32_t>(*u, which, 2, [](auto x, int c) {
                       return static_cast<std::uint32_t>(x >> (32 * c));
                   }));
}

/// Lower and upper corner of what a volume stores, in cells.
void bounds_of(const Volume& volume, Vec<int, 3>& lo, Vec<int, 3>& hi) {
    lo = hi = volume.tiles.empty() ? Vec<int, 3>{} : volume.tiles[0];
    for (const auto& tile : volume.tiles)
        for (int a = 0; a < 3; ++a) {
            lo[a] = std::min(lo[a], tile[a]);
            hi[a] = std::max(hi[a], tile[a] + volume.side[a]);
        }
}

float value_at(const Volume& volume, std::size_t tile, int offset, int component) {
    const std::size_t cells =
        static_cast<std::size_t>(volume.side[0]) * volume.side[1] * volume.side[2];
    const std::size_t at = tile * cells + static_cast<std::size_t>(offset);
    if (volume.components == 1) return volume.values[0][at];
    if (component >= 0) return volume.values[static_cast<std::size_t>(component)][at];
    double sum = 0;
    for (int c = 0; c < volume.components; ++c) {
        const double x = volume.values[static_cast<std::size_t>(c)][at];
        sum += x * x;
    }
    return static_cast<float>(std::sqrt(sum));
}

}  // namespace

std::string packet_of(const PointSet& points, std::size_t limit) {
    const std::vector<std::size_t> which = chosen(points, limit);
    Packet packet;
    packet.header = {{"kind", "points"}, {"total", points.size()}, {"count", which.size()}};
    packet.add("P", "f32", 3, picked<float>(points.position, which, 3, [](const auto& x, int c) {
                   return static_cast<float>(x[c]);
               }));
    for (const NamedColumn& column : points.columns) add_column(packet, column, which);
    return packet.bytes();
}

std::string packet_of(const TriangleMesh& mesh) {
    Packet packet;
    packet.header = {{"kind", "mesh"}};
    std::vector<float> vertices;
    std::vector<std::int32_t> triangles;
    for (const auto& v : mesh.vertices)
        for (int c = 0; c < 3; ++c) vertices.push_back(static_cast<float>(v[c]));
    for (const auto& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) triangles.push_back(t[c]);
    packet.add("P", "f32", 3, vertices);
    packet.add("triangles", "i32", 3, triangles);
    return packet.bytes();
}

std::string packet_of_tiles(const Volume& volume) {
    Packet packet;
    packet.header = {{"kind", "tiles"},
                     {"voxel", volume.voxel},
                     {"origin", {volume.origin[0], volume.origin[1], volume.origin[2]}},
                     {"side", {volume.side[0], volume.side[1], volume.side[2]}}};
    std::vector<std::int32_t> corners;
    for (const auto& tile : volume.tiles)
        for (int a = 0; a < 3; ++a) corners.push_back(tile[a]);
    packet.add("tiles", "i32", 3, corners);
    return packet.bytes();
}

std::string packet_of_slice(const Volume& volume, const SliceRequest& request) {
    const int n = request.axis, u = n == 0 ? 1 : 0, v = n == 2 ? 1 : 2;
    Vec<int, 3> lo, hi;
    bounds_of(volume, lo, hi);
    const int width = std::min(hi[u] - lo[u], kMostSliceSide);
    const int height = std::min(hi[v] - lo[v], kMostSliceSide);
    const int layer = std::clamp(lo[n] + static_cast<int>(request.at * (hi[n] - lo[n])), lo[n],
                                 std::max(lo[n], hi[n] - 1));
    std::vector<float> plane(static_cast<std::size_t>(width) * height, volume.background);
    for (std::size_t t = 0; t < volume.tiles.size(); ++t) {
        const Vec<int, 3> corner = volume.tiles[t];
        if (layer < corner[n] || layer >= corner[n] + volume.side[n]) continue;
        for (int j = 0; j < volume.side[v]; ++j)
            for (int i = 0; i < volume.side[u]; ++i) {
                const int x = corner[u] + i - lo[u], y = corner[v] + j - lo[v];
                if (x >= width || y >= height) continue;
                Vec<int, 3> local{};
                local[n] = layer - corner[n], local[u] = i, local[v] = j;
                const int offset =
                    (local[0] * volume.side[1] + local[1]) * volume.side[2] + local[2];
                plane[static_cast<std::size_t>(y) * width + x] =
                    value_at(volume, t, offset, std::min(request.component, volume.components - 1));
            }
    }
    const auto [least, most] = std::minmax_element(plane.begin(), plane.end());
    Packet packet;
    packet.header = {{"kind", "slice"},
                     {"unit", volume.unit},
                     {"axis", n},
                     {"layer", layer},
                     {"voxel", volume.voxel},
                     {"origin", {volume.origin[0], volume.origin[1], volume.origin[2]}},
                     {"lower", {lo[0], lo[1], lo[2]}},
                     {"upper", {hi[0], hi[1], hi[2]}},
                     {"width", width},
                     {"height", height},
                     {"least", plane.empty() ? 0 : *least},
                     {"most", plane.empty() ? 0 : *most}};
    packet.add("values", "f32", 1, plane);
    return packet.bytes();
}

}  // namespace spume
