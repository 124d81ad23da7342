// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_ply: any bytes are a PLY or a UserError, and what is read is sound.

#include <cmath>
#include <cstdlib>

#include "spume/core/error.h"
#include "spume/io/ply.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
        const spume::TriangleMesh mesh = spume::decode_ply_mesh(bytes, "fuzz.ply");
        for (const auto& triangle : mesh.triangles)
            for (int corner = 0; corner < 3; ++corner)
                if (triangle[corner] < 0 ||
                    static_cast<std::size_t>(triangle[corner]) >= mesh.vertices.size())
                    std::abort();
    } catch (const spume::UserError&) {
    }
    try {
        const spume::PointSet points = spume::decode_ply_points(bytes, "fuzz.ply");
        for (const auto& p : points.position)
            for (int axis = 0; axis < 3; ++axis)
                if (!std::isfinite(p[axis])) std::abort();
        for (const auto& column : points.columns)
            std::visit(
                [&](const auto& v) {
                    if (v.size() != points.size()) std::abort();
                },
                column.values);
    } catch (const spume::UserError&) {
    }
    return 0;
}
