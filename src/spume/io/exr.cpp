// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/exr.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputFile.h>
#include <ImfOutputFile.h>
#include <half.h>

#include "spume/core/error.h"

namespace spume {

namespace {

constexpr float kLargestHalf = 65504;
constexpr std::size_t kMostPixels = std::size_t(1) << 28;
constexpr const char* kChannels[3] = {"R", "G", "B"};

class MemoryOut : public Imf::OStream {
  public:
    MemoryOut() : OStream("memory") {}
    void write(const char c[], int n) override {
        const auto count = static_cast<std::size_t>(n);
        if (at_ + count > bytes.size()) bytes.resize(at_ + count);
        std::memcpy(bytes.data() + at_, c, count);
        at_ += count;
    }
    std::uint64_t tellp() override { return at_; }
    void seekp(std::uint64_t position) override { at_ = position; }

    std::string bytes;

  private:
    std::size_t at_ = 0;
};

class MemoryIn : public Imf::IStream {
  public:
    explicit MemoryIn(const std::string& bytes) : IStream("memory"), bytes_(bytes) {}
    bool read(char c[], int n) override {
        const auto count = static_cast<std::size_t>(n);
        if (count > bytes_.size() - std::min(at_, bytes_.size()))
            throw UserError("the EXR image is cut short", "make it again");
        std::memcpy(c, bytes_.data() + at_, count);
        at_ += count;
        return at_ < bytes_.size();
    }
    std::uint64_t tellg() override { return at_; }
    void seekg(std::uint64_t position) override { at_ = position; }

  private:
    const std::string& bytes_;
    std::size_t at_ = 0;
};

/// Three halves a pixel, as OpenEXR wants to see them.
Imf::FrameBuffer buffer_of(std::vector<half>& values, int width) {
    Imf::FrameBuffer buffer;
    constexpr std::size_t kPixel = 3 * sizeof(half);
    for (std::size_t k = 0; k < 3; ++k)
        buffer.insert(kChannels[k],
                      Imf::Slice(Imf::HALF, reinterpret_cast<char*>(values.data() + k), kPixel,
                                 kPixel * static_cast<std::size_t>(width)));
    return buffer;
}

}  // namespace

std::string encode_exr(int width, int height, std::span<const Vec<float, 3>> rgb) {
    SPUME_CHECK_OP(rgb.size(), ==,
                   static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::vector<half> values(3 * rgb.size());
    for (std::size_t i = 0; i < rgb.size(); ++i)
        for (int k = 0; k < 3; ++k)
            values[3 * i + static_cast<std::size_t>(k)] =
                half(std::clamp(rgb[i][k], -kLargestHalf, kLargestHalf));
    Imf::Header header(width, height);
    header.compression() = Imf::ZIP_COMPRESSION;
    for (const char* name : kChannels) header.channels().insert(name, Imf::Channel(Imf::HALF));
    MemoryOut out;
    try {
        Imf::OutputFile file(out, header, 0);
        file.setFrameBuffer(buffer_of(values, width));
        file.writePixels(height);
    } catch (const std::bad_alloc&) {
        throw MachineError("no memory to compress an image");
    }
    return out.bytes;
}

DecodedExr decode_exr(const std::string& bytes) {
    MemoryIn in(bytes);
    try {
        Imf::InputFile file(in, 0);
        const auto window = file.header().dataWindow();
        const auto width = std::int64_t(window.max.x) - window.min.x + 1,
                   height = std::int64_t(window.max.y) - window.min.y + 1;
        if (window.min.x != 0 || window.min.y != 0 || width < 1 || height < 1 ||
            static_cast<std::size_t>(width) > kMostPixels / static_cast<std::size_t>(height))
            throw UserError("the EXR image's size is absurd", "make it again");
        DecodedExr image;
        image.width = static_cast<int>(width), image.height = static_cast<int>(height);
        image.rgb.resize(static_cast<std::size_t>(width * height));
        // As floats: the sun may be brighter than half of them can say.
        Imf::FrameBuffer buffer;
        for (int k = 0; k < 3; ++k)
            buffer.insert(std::string(1, "RGB"[k]).c_str(),
                          Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(&image.rgb[0][k]),
                                     sizeof image.rgb[0],
                                     sizeof image.rgb[0] * static_cast<std::size_t>(width)));
        file.setFrameBuffer(buffer);
        file.readPixels(0, image.height - 1);
        return image;
    } catch (const UserError&) {
        throw;
    } catch (const std::exception& error) {
        throw UserError(std::string("not an EXR image this program can read: ") + error.what(),
                        "make it again");
    }
}

}  // namespace spume
