// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <vector>

namespace spume::detail {

/// What marching cubes makes of one cube whose 2^D corners are cells. Corner c has the coordinates
/// (c & 1, c >> 1 & 1, c >> 2 & 1). Edges run from a lower corner along an axis.
template <int D>
struct CubeEdges {
    static constexpr int kCount = D == 2 ? 4 : 12;
    int axis[kCount], corner[kCount];
    int number[D][1 << D];  ///< by axis and lower corner

    CubeEdges();
};

/// Elements of the surface inside a cube: segments (2D) or triangles. A vertex below kCount is the
/// crossing of that edge; vertex kCount + n is the middle of ring n.
template <int D>
struct CubeCase {
    std::vector<std::array<int, D>> elements;
    std::vector<std::vector<int>> rings;  ///< crossings whose mean is one more vertex
};

/// All 2^(2^D) cases; bit c of a case says that corner c is inside.
///
/// On each face of the cube the surface leaves a segment around every inside corner that has no
/// inside neighbour on the face: two opposite inside corners stay apart. That depends on the face
/// alone, so that the cube on its other side draws the same segment, in the other direction. The
/// segments close to rings around the cube. A ring becomes a fan whose diagonals lie in no face of
/// the cube, or, where there is none, a fan about its middle: so each edge of the mesh belongs to
/// exactly two triangles.
template <int D>
class CubeCases {
  public:
    CubeCases();
    const CubeCase<D>& operator[](int inside) const {
        return cases_[static_cast<std::size_t>(inside)];
    }
    const CubeEdges<D>& edges() const { return edges_; }

  private:
    CubeEdges<D> edges_;
    std::array<CubeCase<D>, D == 2 ? 16 : 256> cases_;
};

}  // namespace spume::detail
