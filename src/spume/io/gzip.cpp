// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/gzip.h"

#include <algorithm>

#include <fmt/core.h>
#include <zlib.h>

#include "spume/core/error.h"

namespace spume {

bool is_gzip(const std::string& bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string unzipped(const std::string& bytes, std::size_t most, const std::string& path,
                     const std::string& remedy) {
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = uInt(std::min<std::size_t>(bytes.size(), 1U << 31));
    // No announced size is believed: the text grows with what comes out.
    std::string out;
    int state = Z_OK;
    while (state == Z_OK && out.size() <= most) {
        const std::size_t had = out.size();
        out.resize(std::min(most + 1, 2 * had + (std::size_t(1) << 16)));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
        stream.avail_out = uInt(out.size() - had);
        state = inflate(&stream, Z_NO_FLUSH);
        out.resize(out.size() - stream.avail_out);
        if (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) state = Z_DATA_ERROR;
    }
    inflateEnd(&stream);
    if (out.size() > most)
        throw error_in_file(path, fmt::format("holds more than {} bytes", most), remedy);
    if (state != Z_STREAM_END) throw error_in_file(path, "is no whole gzip file", remedy);
    return out;
}

}  // namespace spume
