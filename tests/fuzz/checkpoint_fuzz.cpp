// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// libFuzzer target fuzz_checkpoint: any file is a checkpoint of this state or a UserError. Hashes
// would stop every mutation at the door, so most inputs get a right one.

#include <cstdlib>

#include "faults/memory_file_system.h"
#include "spume/core/error.h"
#include "spume/io/byte_writer.h"
#include "spume/io/checkpoint_format.h"

namespace {

struct State {
    double time = 0;
    spume::Vec<int, 3> corner{};
    spume::Array<spume::Vec<double, 3>> position;
    std::vector<std::uint8_t> flags;
    void describe(spume::StateVisitor& visit) {
        visit("time", time);
        visit("corner", corner);
        visit("position", position);
        visit("flags", flags);
    }
};

/// The input as the members of a state, with everything around them as it should be.
std::string with_frame(std::string_view body) {
    std::string file(spume::kCheckpointMagic, 8);
    spume::put(file, spume::kCheckpointFormat);
    const std::string header = spume::encode_checkpoint_header({3, {}, true, "run"});
    spume::put(file, static_cast<std::uint32_t>(header.size()));
    file += header;
    file += body;
    const spume::Hash128 hash = spume::hash_of(file);
    spume::put(file, hash.high);
    spume::put(file, hash.low);
    return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.empty()) return 0;
    const bool framed = bytes[0] != 'r';
    bytes.remove_prefix(1);
    spume::test::MemoryFileSystem files;
    const std::string path = "/frame.0003.checkpoint";
    spume::write_file(files, path, framed ? with_frame(bytes) : std::string(bytes));
    try {
        const spume::StoredCheckpoint stored{path, spume::check_checkpoint(files, path)};
        if (framed && stored.info.frame != 3) std::abort();
        State state;
        spume::load_checkpoint(files, stored,
                               [&](spume::StateVisitor& visitor) { state.describe(visitor); });
        if (state.position.size() * 24 + state.flags.size() > bytes.size()) std::abort();
    } catch (const spume::UserError&) {
    }
    return 0;
}
