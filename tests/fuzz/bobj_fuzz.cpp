// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_bobj: any bytes are a mesh of another program, zipped or not, or a
// UserError, and what is read is sound.

#include <cmath>
#include <cstdlib>

#include "spume/core/error.h"
#include "spume/io/bobj.h"
#include "spume/io/gzip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    try {
        if (spume::is_gzip(bytes)) bytes = spume::unzipped(bytes, 1 << 20, "fuzz.bobj.gz", "");
        const spume::TriangleMesh mesh = spume::decode_bobj(bytes, "fuzz.bobj");
        for (const auto& triangle : mesh.triangles)
            for (int corner = 0; corner < 3; ++corner)
                if (triangle[corner] < 0 ||
                    static_cast<std::size_t>(triangle[corner]) >= mesh.vertices.size())
                    std::abort();
        for (const auto& x : mesh.vertices)
            for (int axis = 0; axis < 3; ++axis)
                if (!std::isfinite(x[axis])) std::abort();
        spume::decode_bobj_vectors(bytes, "fuzz.bobj");
    } catch (const spume::UserError&) {
    }
    return 0;
}
