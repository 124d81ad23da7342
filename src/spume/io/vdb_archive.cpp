// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/vdb_archive.h"

#include <sstream>

#include <openvdb/io/Archive.h>
#include <openvdb/io/Stream.h>

#include "spume/core/error.h"
#include "spume/io/hash.h"

namespace spume {
namespace {

// The header of a file: magic number, three version numbers, one flag, then the identity as text.
constexpr std::size_t kIdentityAt = 21, kIdentityBytes = 36;

class MemoryArchive : public openvdb::io::Archive {
  public:
    std::string bytes(const openvdb::GridCPtrVec& grids) {
        std::ostringstream stream(std::ios::binary);
        stream.exceptions(std::ios::badbit | std::ios::failbit);
        setCompression(openvdb::io::COMPRESS_BLOSC | openvdb::io::COMPRESS_ACTIVE_MASK);
        const bool seekable = true;  // grid offsets, without which nobody can read one grid alone
        Archive::write(stream, grids, seekable);
        return std::move(stream).str();
    }
};

/// 8-4-4-4-12 hexadecimal digits, as the format wants.
std::string identity_of(const Hash128& hash) {
    std::string text = hash.hex();
    for (std::size_t at : {8u, 13u, 18u, 23u}) text.insert(at, 1, '-');
    return text;
}

}  // namespace

std::string archive_of(const openvdb::GridBase::ConstPtr& grid) {
    return archive_of(openvdb::GridCPtrVec{grid});
}

std::string archive_of(const openvdb::GridCPtrVec& grids) {
    openvdb::initialize();
    std::string bytes = MemoryArchive().bytes(grids);
    SPUME_CHECK_OP(bytes.size(), >, kIdentityAt + kIdentityBytes);
    bytes.replace(kIdentityAt, kIdentityBytes, kIdentityBytes, '0');
    bytes.replace(kIdentityAt, kIdentityBytes, identity_of(hash_of(bytes)));
    return bytes;
}

openvdb::GridPtrVec grids_of(std::string_view bytes, const std::string& file) {
    openvdb::initialize();
    try {
        std::istringstream stream(std::string(bytes), std::ios::binary);
        return *openvdb::io::Stream(stream, /*delayLoad=*/false).getGrids();
    } catch (const openvdb::Exception& error) {
        throw error_in_file(file, error.what(), "the file is damaged or not a VDB");
    }
}

}  // namespace spume
