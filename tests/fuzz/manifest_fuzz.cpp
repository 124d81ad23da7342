// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_manifest: any text is a manifest or commit record, or a UserError. Every
// second input is sealed first, so that it reaches the fields behind the hash.

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "spume/core/error.h"
#include "spume/io/commit.h"
#include "spume/io/manifest.h"
#include "spume/io/sealed_json.h"

namespace {

/// What reads back must be written as it was read.
void try_text(std::string_view text) {
    try {
        const spume::Manifest manifest = spume::decode_manifest(text, "manifest.json");
        const std::string written = spume::encode_manifest(manifest);
        if (spume::encode_manifest(spume::decode_manifest(written, "again")) != written)
            std::abort();
    } catch (const spume::UserError&) {
    }
    try {
        for (const spume::FrameFile& file : spume::decode_commit(text, "0001.json", 1).files)
            if (file.path.empty() || file.path[0] == '/') std::abort();
    } catch (const spume::UserError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try_text(text);
    try {
        spume::Json json = spume::parse_json(text, "fuzz.json");
        if (!json.is_object() || json.contains("hash")) return 0;
        try_text(spume::seal(std::move(json)));
    } catch (const spume::UserError&) {
    } catch (const nlohmann::json::exception&) {  // text that is not UTF-8 cannot be written
    }
    return 0;
}
