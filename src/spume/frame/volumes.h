// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <utility>

#include "spume/core/context.h"
#include "spume/frame/frame.h"
#include "spume/grid/field.h"

namespace spume {

/// An empty volume over the active tiles; 2D grids become one voxel thick, centred on the plane.
template <int D>
Volume volume_over(const Tiles<D>& tiles, std::string name, std::string unit, VolumeKind kind) {
    const auto lift = [](const auto& v) {
        Vec<std::remove_cvref_t<decltype(v[0])>, 3> r{};
        for (int a = 0; a < D; ++a) r[a] = v[a];
        return r;
    };
    Volume v;
    v.name = std::move(name);
    v.unit = std::move(unit);
    v.kind = kind;
    v.voxel = tiles.voxel();
    v.origin = lift(tiles.transform().origin);
    if (D == 2) v.origin[2] = -v.voxel / 2;
    v.side = D == 2 ? Vec<int, 3>{kTileSide<2>, kTileSide<2>, 1} : Vec<int, 3>{8, 8, 8};
    v.tiles.resize_discard(std::size_t(tiles.active()));
    auto keys = v.tiles.write();
    for (int t = 0; t < tiles.active(); ++t) keys[std::size_t(t)] = lift(tiles.origin(t));
    v.components = kind == VolumeKind::kStaggered ? 3 : 1;
    v.values.resize(std::size_t(v.components));
    for (auto& values : v.values)
        values = Array<float>(std::size_t(tiles.active()) * kTileCells<D>);
    return v;
}

template <class T, int D>
Volume volume_of(const CellField<T, D>& field, std::string name, std::string unit, VolumeKind kind,
                 Context& context) {
    Volume v = volume_over<D>(*field.tiles(), std::move(name), std::move(unit), kind);
    float* out = v.values[0].write().data();
    const T* in = field.read();
    for_range(context.arena, v.values[0].size(), 1 << 15, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) out[i] = static_cast<float>(in[i]);
    });
    return v;
}

template <class T, int D>
Volume volume_of(const FaceField<T, D>& field, std::string name, std::string unit,
                 Context& context) {
    Volume v =
        volume_over<D>(*field.tiles(), std::move(name), std::move(unit), VolumeKind::kStaggered);
    for (int a = 0; a < D; ++a) {
        float* out = v.values[std::size_t(a)].write().data();
        const T* in = field.read(a);
        for_range(context.arena, v.values[std::size_t(a)].size(), 1 << 15,
                  [&](std::size_t b, std::size_t e) {
                      for (std::size_t i = b; i < e; ++i) out[i] = static_cast<float>(in[i]);
                  });
    }
    return v;
}

}  // namespace spume
