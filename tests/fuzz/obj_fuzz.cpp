// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_obj: any bytes are an OBJ or a UserError, and what is read is sound.

#include <cstdlib>

#include "spume/core/error.h"
#include "spume/io/obj.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const spume::TriangleMesh mesh =
            spume::decode_obj({reinterpret_cast<const char*>(data), size}, "fuzz.obj");
        for (const auto& triangle : mesh.triangles)
            for (int corner = 0; corner < 3; ++corner)
                if (triangle[corner] < 0 ||
                    static_cast<std::size_t>(triangle[corner]) >= mesh.vertices.size())
                    std::abort();
    } catch (const spume::UserError&) {
    }
    return 0;
}
