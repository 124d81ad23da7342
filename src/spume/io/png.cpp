// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/png.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <fmt/core.h>
#include <zlib.h>

#include "spume/core/error.h"

namespace spume {

namespace {

constexpr std::array<std::uint8_t, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::size_t kChannels = 3, kFilters = 5, kLargest = std::size_t{1} << 30;

void put_32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

std::uint32_t get_32(std::span<const std::uint8_t> bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
           std::uint32_t{bytes[at + 2]} << 8 | std::uint32_t{bytes[at + 3]};
}

std::uint32_t checksum(const void* data, std::size_t size) {
    return static_cast<std::uint32_t>(
        crc32_z(crc32_z(0, nullptr, 0), static_cast<const Bytef*>(data), size));
}

void put_chunk(std::string& out, const char* type, const std::string& data) {
    put_32(out, static_cast<std::uint32_t>(data.size()));
    const std::string body = type + data;
    out += body;
    put_32(out, checksum(body.data(), body.size()));
}

std::uint8_t paeth(int left, int up, int corner) {
    const int guess = left + up - corner;
    const int a = std::abs(guess - left), b = std::abs(guess - up), c = std::abs(guess - corner);
    return static_cast<std::uint8_t>(a <= b && a <= c ? left : b <= c ? up : corner);
}

std::uint8_t predict(std::size_t filter, int left, int up, int corner) {
    switch (filter) {
        case 1:
            return static_cast<std::uint8_t>(left);
        case 2:
            return static_cast<std::uint8_t>(up);
        case 3:
            return static_cast<std::uint8_t>((left + up) / 2);
        case 4:
            return paeth(left, up, corner);
        default:
            return 0;
    }
}

/// Each row with the filter whose residues are smallest in sum: the usual guess at what packs best.
std::string filtered(std::size_t row_bytes, std::span<const std::uint8_t> rgb) {
    std::string out;
    out.reserve(rgb.size() + rgb.size() / row_bytes);
    std::array<std::string, kFilters> tries;
    for (auto& t : tries) t.resize(row_bytes);
    const std::vector<std::uint8_t> zeros(row_bytes, 0);
    const std::uint8_t* above = zeros.data();
    for (std::size_t begin = 0; begin < rgb.size(); begin += row_bytes) {
        const std::uint8_t* row = rgb.data() + begin;
        std::size_t best = 0;
        long best_cost = std::numeric_limits<long>::max();
        for (std::size_t f = 0; f < kFilters; ++f) {
            long cost = 0;
            for (std::size_t i = 0; i < row_bytes; ++i) {
                const int left = i < kChannels ? 0 : row[i - kChannels];
                const int corner = i < kChannels ? 0 : above[i - kChannels];
                const auto residue =
                    static_cast<std::uint8_t>(row[i] - predict(f, left, above[i], corner));
                tries[f][i] = static_cast<char>(residue);
                cost += std::abs(static_cast<std::int8_t>(residue));
            }
            if (cost < best_cost) best = f, best_cost = cost;
        }
        out.push_back(static_cast<char>(best));
        out += tries[best];
        above = row;
    }
    return out;
}

[[noreturn]] void refuse(const std::string& why) {
    throw UserError("not a PNG image this program can read: " + why,
                    "use an 8-bit RGB image without interlacing");
}

void unfilter(std::vector<std::uint8_t>& packed, std::size_t row_bytes, DecodedPng& image) {
    const std::vector<std::uint8_t> zeros(row_bytes, 0);
    const std::uint8_t* above = zeros.data();
    image.rgb.resize(row_bytes * static_cast<std::size_t>(image.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
        const std::uint8_t* in = packed.data() + y * (row_bytes + 1);
        std::uint8_t* row = image.rgb.data() + y * row_bytes;
        const std::size_t filter = *in++;
        if (filter >= kFilters) refuse(fmt::format("row {} has the unknown filter {}", y, filter));
        for (std::size_t i = 0; i < row_bytes; ++i) {
            const int left = i < kChannels ? 0 : row[i - kChannels];
            const int corner = i < kChannels ? 0 : above[i - kChannels];
            row[i] = static_cast<std::uint8_t>(in[i] + predict(filter, left, above[i], corner));
        }
        above = row;
    }
}

}  // namespace

std::string encode_png(int width, int height, std::span<const std::uint8_t> rgb) {
    SPUME_CHECK_OP(width, >, 0);
    SPUME_CHECK_OP(height, >, 0);
    const std::size_t row_bytes = kChannels * static_cast<std::size_t>(width);
    SPUME_CHECK_OP(rgb.size(), ==, row_bytes * static_cast<std::size_t>(height));
    std::string out(reinterpret_cast<const char*>(kSignature.data()), kSignature.size());

    std::string header;
    put_32(header, static_cast<std::uint32_t>(width));
    put_32(header, static_cast<std::uint32_t>(height));
    header +=
        std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, filtered, no interlace
    put_chunk(out, "IHDR", header);
    put_chunk(out, "sRGB", std::string(1, '\0'));

    const std::string raw = filtered(row_bytes, rgb);
    uLongf size = compressBound(raw.size());
    std::string packed(size, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(raw.data()), raw.size(), 6);
    if (status != Z_OK) throw MachineError("no memory to compress an image");
    packed.resize(size);
    put_chunk(out, "IDAT", packed);
    put_chunk(out, "IEND", "");
    return out;
}

DecodedPng decode_png(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 8 || !std::equal(kSignature.begin(), kSignature.end(), bytes.begin()))
        refuse("the signature is missing");
    DecodedPng image;
    std::vector<std::uint8_t> packed;
    bool ended = false;
    for (std::size_t at = 8; !ended;) {
        if (bytes.size() - at < 12) refuse("it is cut short");
        const std::size_t size = get_32(bytes, at);
        if (size > bytes.size() - at - 12) refuse("it is cut short");
        if (checksum(bytes.data() + at + 4, size + 4) != get_32(bytes, at + 8 + size))
            refuse("a checksum does not match");
        const std::string type(reinterpret_cast<const char*>(bytes.data()) + at + 4, 4);
        const auto data = bytes.subspan(at + 8, size);
        if (type == "IHDR") {
            if (size != 13 || data[8] != 8 || data[9] != 2 || data[12] != 0)
                refuse("it is not 8-bit RGB without interlacing");
            const std::uint32_t w = get_32(data, 0), h = get_32(data, 4);
            if (w == 0 || h == 0 || std::uint64_t{w} * kChannels + 1 > kLargest / h)
                refuse(fmt::format("its size is {} x {}", w, h));
            image.width = static_cast<int>(w), image.height = static_cast<int>(h);
        } else if (type == "IDAT") {
            packed.insert(packed.end(), data.begin(), data.end());
        } else if (type == "IEND") {
            ended = true;
        }
        at += size + 12;
    }
    if (image.width == 0) refuse("it has no header");
    const std::size_t row_bytes = kChannels * static_cast<std::size_t>(image.width);
    std::vector<std::uint8_t> raw((row_bytes + 1) * static_cast<std::size_t>(image.height));
    uLongf size = raw.size();
    if (uncompress(raw.data(), &size, packed.data(), packed.size()) != Z_OK || size != raw.size())
        refuse("its pixels do not unpack");
    unfilter(raw, row_bytes, image);
    return image;
}

}  // namespace spume
