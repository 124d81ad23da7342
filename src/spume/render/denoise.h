// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/core/context.h"
#include "spume/render/float_image.h"

namespace spume {

/// What is known of a picture besides its light, each the mean over a pixel's paths.
struct PictureFeatures {
    FloatImage normal;            ///< of the first surface, towards the camera
    FloatImage albedo;            ///< of the first matte surface, through whatever is before it
    std::vector<float> depth;     ///< m to the first surface
    std::vector<float> variance;  ///< of the mean of a pixel's luminance
};

/// Means of pixels that look alike: patches of light compared by their variance ([RKZ12]), and
/// weighted by normals, depth and albedo. The same bits for any number of threads. Programs built
/// with SPUME_OIDN ask Open Image Denoise instead, which promises no bits.
FloatImage denoised(const FloatImage& light, const PictureFeatures& features, Context& context);

}  // namespace spume
