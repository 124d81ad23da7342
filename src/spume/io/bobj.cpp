// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/bobj.h"

#include <cmath>

#include "spume/io/bounded_reader.h"

namespace spume {
namespace {

std::uint64_t read_count(BoundedReader& in, const char* what) {
    const auto count = in.read<std::int32_t>();
    if (count < 0) in.fail(fmt::format("{} {} announced", count, what));
    in.require(std::uint64_t(count), 12, what);
    return std::uint64_t(count);
}

std::vector<Vec<float, 3>> read_vectors(BoundedReader& in, const char* what) {
    std::vector<Vec<float, 3>> r(read_count(in, what));
    for (auto& x : r)
        for (int k = 0; k < 3; ++k) {
            x[k] = in.read<float>();
            if (!std::isfinite(x[k]))
                in.fail(fmt::format("among the {} is one that is not a number", what));
        }
    return r;
}

}  // namespace

TriangleMesh decode_bobj(std::string_view bytes, const std::string& file) {
    BoundedReader in(bytes, file);
    TriangleMesh mesh;
    for (const auto& x : read_vectors(in, "vertices")) mesh.vertices.push_back(x.as<double>());
    // With normals a second list of vectors stands before the triangles, as long as the first.
    BoundedReader after = in;
    const auto next = after.read<std::int32_t>();
    if (next >= 0 && std::uint64_t(next) * 12 != after.remaining()) read_vectors(in, "normals");
    mesh.triangles.resize(read_count(in, "triangles"));
    for (auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            t[k] = in.read<std::int32_t>();
            if (t[k] < 0 || std::size_t(t[k]) >= mesh.vertices.size())
                in.fail(
                    fmt::format("a triangle names vertex {} of {}", t[k], mesh.vertices.size()));
        }
    if (!in.at_end()) in.fail("more follows than was announced");
    return mesh;
}

std::vector<Vec<float, 3>> decode_bobj_vectors(std::string_view bytes, const std::string& file) {
    BoundedReader in(bytes, file);
    return read_vectors(in, "velocities");
}

}  // namespace spume
