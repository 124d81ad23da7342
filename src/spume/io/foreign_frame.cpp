// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/foreign_frame.h"

#include <cmath>

#include "spume/io/bounded_reader.h"

namespace spume {
namespace {

constexpr std::size_t kBlock = 512;
constexpr char kMagic[] = "spume foreign frame 3\n";

template <class T>
void put(std::string& to, const T& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void put_text(std::string& to, const std::string& text) {
    put(to, std::uint32_t(text.size()));
    to += text;
}
template <class T>
void put_all(std::string& to, const Array<T>& values) {
    to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}
std::string take_text(BoundedReader& from) {
    const auto size = from.read<std::uint32_t>();
    from.require(size, 1, "characters");
    return std::string(from.take(size));
}
template <class T>
Array<T> take_all(BoundedReader& from, std::size_t count) {
    const std::string_view bytes = from.take(count * sizeof(T));
    Array<T> r;
    r.resize_discard(count);
    if (count > 0) std::memcpy(static_cast<void*>(r.write().data()), bytes.data(), bytes.size());
    return r;
}

}  // namespace

std::string encode_foreign(const ForeignFrame& f) {
    std::string to = kMagic;
    to.reserve(256 + f.tiles.size() * (12 + kBlock * 16) + f.points.size() * 12 +
               f.vertices.size() * 12 + f.triangles.size() * 12);
    put(to, std::uint8_t(f.mantaflow));
    put(to, std::uint8_t(f.z_up));
    put(to, std::uint8_t(f.on_faces));
    put(to, std::uint8_t(f.fill));
    put(to, f.voxel);
    for (int a = 0; a < 3; ++a) put(to, f.origin[a]);
    put(to, f.still);
    put_text(to, f.surface);
    put_text(to, f.velocity);
    put(to, std::uint64_t(f.tiles.size()));
    put_all(to, f.tiles);
    put_all(to, f.phi);
    for (const auto& u : f.u) put_all(to, u);
    put(to, std::uint64_t(f.points.size()));
    put_all(to, f.points);
    put(to, std::uint64_t(f.vertices.size()));
    put_all(to, f.vertices);
    put(to, std::uint64_t(f.triangles.size()));
    put_all(to, f.triangles);
    return to;
}

ForeignFrame decode_foreign(std::string_view bytes, const std::string& file) {
    BoundedReader from(bytes, file);
    ForeignFrame f;
    if (bytes.substr(0, sizeof kMagic - 1) != kMagic) from.fail("its reader said nothing");
    from.take(sizeof kMagic - 1);
    f.mantaflow = from.read<std::uint8_t>() != 0;
    f.z_up = from.read<std::uint8_t>() != 0;
    f.on_faces = from.read<std::uint8_t>() != 0;
    f.fill = from.read<std::uint8_t>() != 0;
    f.voxel = from.read<double>();
    for (int a = 0; a < 3; ++a) f.origin[a] = from.read<double>();
    f.still = from.read<double>();
    f.surface = take_text(from);
    f.velocity = take_text(from);
    const auto count = from.read<std::uint64_t>();
    const bool surface = !f.surface.empty();
    from.require(count, 12 + kBlock * (surface ? 16 : 12), "blocks");
    f.tiles = take_all<Vec<int, 3>>(from, std::size_t(count));
    if (surface) f.phi = take_all<float>(from, std::size_t(count) * kBlock);
    for (auto& u : f.u) u = take_all<float>(from, std::size_t(count) * kBlock);
    const auto listed = [&](auto& values, const char* what) {
        using T = std::remove_cvref_t<decltype(values[0])>;
        const auto n = from.read<std::uint64_t>();
        from.require(n, sizeof(T), what);
        values = take_all<T>(from, std::size_t(n));
    };
    listed(f.points, "points");
    listed(f.vertices, "vertices");
    listed(f.triangles, "triangles");
    for (const auto& t : f.triangles.read())
        for (int k = 0; k < 3; ++k)
            if (t[k] < 0 || std::size_t(t[k]) >= f.vertices.size())
                from.fail("a triangle names a vertex that is not there");
    if (!from.at_end()) from.fail("more follows than was announced");
    return f;
}

}  // namespace spume
