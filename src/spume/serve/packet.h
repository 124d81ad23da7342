// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>

#include "spume/frame/frame.h"

namespace spume {

// What the page receives: "SPUM", the length of a JSON header, the header padded to a multiple of
// four bytes, then the arrays it names one after the other, little-endian, 4 bytes a number.

/// Position, and every column the set has. More than `limit` points are thinned by id, so that the
/// ones shown in a frame are shown in the next one too.
std::string packet_of(const PointSet& points, std::size_t limit);
std::string packet_of(const TriangleMesh& mesh);
/// Lower corners and size of a volume's tiles.
std::string packet_of_tiles(const Volume& volume);

struct SliceRequest {
    int axis = 2;        ///< the plane is across it
    double at = 0.5;     ///< 0 to 1 between the ends of what is stored
    int component = -1;  ///< of a velocity; negative: its magnitude
};
/// A plane of a volume, the background where nothing is stored.
std::string packet_of_slice(const Volume& volume, const SliceRequest& request);

}  // namespace spume
