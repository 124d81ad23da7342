// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

// With -DSPUME_OIDN=ON Intel's Open Image Denoise stands in for the filter of denoise.cpp.

#ifdef SPUME_WITH_OIDN

#include <memory>
#include <type_traits>

#include <OpenImageDenoise/oidn.h>
#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/render/denoise.h"

namespace spume {
namespace {

using Device = std::unique_ptr<std::remove_pointer_t<OIDNDevice>, decltype(&oidnReleaseDevice)>;
using Filter = std::unique_ptr<std::remove_pointer_t<OIDNFilter>, decltype(&oidnReleaseFilter)>;

/// The library only reads what is not its output, but takes no pointer to const.
void give(const Filter& filter, const char* name, const FloatImage& image) {
    static_assert(sizeof(Colour) == 3 * sizeof(float));
    oidnSetSharedFilterImage(filter.get(), name, const_cast<Colour*>(image.pixels.data()),
                             OIDN_FORMAT_FLOAT3, std::size_t(image.width),
                             std::size_t(image.height), 0, 0, 0);
}

void check(const Device& device) {
    const char* why = nullptr;
    if (oidnGetDeviceError(device.get(), &why) != OIDN_ERROR_NONE)
        throw MachineError(fmt::format("Open Image Denoise: {}; leave out --denoise",
                                       why ? why : "no reason given"));
}

}  // namespace

FloatImage denoised(const FloatImage& light, const PictureFeatures& features, Context& context) {
    Stage stage(context, "denoise");
    FloatImage result(light.width, light.height);
    // In this memory: not that of a graphics card.
    const Device device(oidnNewDevice(OIDN_DEVICE_TYPE_CPU), &oidnReleaseDevice);
    oidnCommitDevice(device.get());
    check(device);
    const Filter filter(oidnNewFilter(device.get(), "RT"), &oidnReleaseFilter);
    give(filter, "color", light);
    give(filter, "albedo", features.albedo);
    give(filter, "normal", features.normal);
    give(filter, "output", result);
#if OIDN_VERSION_MAJOR >= 2
    oidnSetFilterBool(filter.get(), "hdr", true);
#else
    oidnSetFilter1b(filter.get(), "hdr", true);
#endif
    oidnCommitFilter(filter.get());
    oidnExecuteFilter(filter.get());
    check(device);
    return result;
}

}  // namespace spume

#endif
