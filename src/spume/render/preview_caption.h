// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include "spume/render/point_paint.h"
#include "spume/render/preview.h"

namespace spume {

/// Time, number of points, what the grid measures and, where colours stand for values, their scale.
void draw_caption(Image& image, const Frame& frame, const PreviewOptions& options,
                  const PointPaint& paint);

}  // namespace spume
