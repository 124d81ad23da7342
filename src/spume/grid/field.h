// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>

#include "spume/core/array.h"
#include "spume/grid/tile.h"

namespace spume {

// Where a value lives is part of its type. A field is plain storage over a tile set; free functions
// act on it. Copying shares the values until one side writes (core/array.h): take write() once,
// outside the loop.

/// Flat storage over the stored tiles: every value `value`, the zero tile zero.
template <class T, int D>
Array<T> tile_values(const Tiles<D>& tiles, T value) {
    Array<T> values;
    values.resize_discard(tiles.values());
    auto w = values.write();
    std::fill(w.begin(), w.end() - kTileCells<D>, value);
    std::fill(w.end() - kTileCells<D>, w.end(), T{});
    return values;
}

/// The same with all values undefined but those of the zero tile.
template <class T, int D>
Array<T> unwritten_values(const Tiles<D>& tiles) {
    Array<T> values;
    values.resize_discard(tiles.values());
    auto w = values.write();
    for (std::size_t i = w.size() - kTileCells<D>; i < w.size(); ++i) w[i] = T{};
    return values;
}

/// One value at each cell centre.
template <class T, int D>
class CellField {
  public:
    CellField() = default;
    explicit CellField(typename Tiles<D>::Ptr tiles, T value = T{})
        : tiles_(std::move(tiles)), values_(tile_values<T, D>(*tiles_, value)) {}
    /// Values undefined but for the zero tile: for fields that are written whole before they are
    /// read.
    static CellField unwritten(const typename Tiles<D>::Ptr& tiles) {
        CellField r;
        r.tiles_ = tiles;
        r.values_ = unwritten_values<T, D>(*tiles);
        return r;
    }
    const typename Tiles<D>::Ptr& tiles() const { return tiles_; }
    const Array<T>& values() const { return values_; }
    Array<T>& values() { return values_; }
    const T* read() const { return values_.data(); }
    T* write() { return values_.write().data(); }
    const T* tile(int t) const { return values_.data() + std::size_t(t) * kTileCells<D>; }
    T at(int t, int offset) const { return tile(t)[offset]; }
    /// Position of a sample.
    Point<D> position(int t, int offset) const {
        return tiles_->transform().to_world(
            (tiles_->origin(t) + tile_local<D>(offset)).template as<double>() +
            Point<D>::filled(0.5));
    }

  private:
    typename Tiles<D>::Ptr tiles_;
    Array<T> values_;
};

/// One value at the centre of each lower face of a cell; component `axis` lives on faces across it.
template <class T, int D>
class FaceField {
  public:
    FaceField() = default;
    /// Components share their values until they are written.
    explicit FaceField(typename Tiles<D>::Ptr tiles, T value = T{}) : tiles_(std::move(tiles)) {
        values_[0] = tile_values<T, D>(*tiles_, value);
        for (int a = 1; a < D; ++a) values_[a] = values_[0];
    }
    /// Values undefined but for the zero tile: for fields that are written whole before they are
    /// read.
    static FaceField unwritten(const typename Tiles<D>::Ptr& tiles) {
        FaceField r;
        r.tiles_ = tiles;
        for (Array<T>& values : r.values_) values = unwritten_values<T, D>(*tiles);
        return r;
    }
    const typename Tiles<D>::Ptr& tiles() const { return tiles_; }
    const Array<T>& component(int axis) const { return values_[axis]; }
    Array<T>& component(int axis) { return values_[axis]; }
    const T* read(int axis) const { return values_[axis].data(); }
    T* write(int axis) { return values_[axis].write().data(); }
    const T* tile(int axis, int t) const {
        return values_[axis].data() + std::size_t(t) * kTileCells<D>;
    }
    T at(int axis, int t, int offset) const { return tile(axis, t)[offset]; }
    Point<D> position(int axis, int t, int offset) const {
        Point<D> u = (tiles_->origin(t) + tile_local<D>(offset)).template as<double>();
        for (int a = 0; a < D; ++a)
            if (a != axis) u[a] += 0.5;
        return tiles_->transform().to_world(u);
    }

  private:
    typename Tiles<D>::Ptr tiles_;
    Array<T> values_[D];
};

}  // namespace spume
