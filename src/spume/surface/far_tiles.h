// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "spume/core/error.h"
#include "spume/grid/tile.h"

namespace spume {

/// Are the tiles of a box of keys, none of them stored, all air? Nothing: some are and some are
/// not, or it is not known; never of a single tile.
template <int D>
using BoxIsAir = std::function<std::optional<bool>(const Box<int, D>& keys)>;

/// A box of tile keys cut into the stored tiles and boxes of tiles that are not stored. It is
/// halved until a part is a stored tile, or holds none and is air or solid all over: the number of
/// parts goes with the stored tiles and the logarithm of the extent, never with the extent.
template <int D>
class FarTiles {
  public:
    struct Part {
        Box<int, D> keys;
        int tile = kSolid;  ///< the stored tile; kAir, kSolid: none is; kCut: it has two halves
        int axis = 0, lower = -1, upper = -1;
    };
    static constexpr int kAir = -1, kSolid = -2, kCut = -3;

    FarTiles() = default;
    FarTiles(const Tiles<D>& tiles, const Box<int, D>& keys, const BoxIsAir<D>& is_air) {
        std::vector<Index<D>> stored;
        for (const Index<D>& key : tiles.active_keys())
            if (keys.contains(key)) stored.push_back(key);
        const auto cut = [&](auto&& self, const Box<int, D>& box, Index<D>* first,
                             Index<D>* last) -> int {
            const int n = static_cast<int>(parts_.size());
            parts_.push_back({box});
            int axis = 0;
            for (int a = 1; a < D; ++a)
                if (box.size()[a] > box.size()[axis]) axis = a;
            if (first != last && box.size()[axis] == 1) {
                parts_.back().tile = tiles.find(*first);
                return n;
            }
            if (const auto air = first == last ? is_air(box) : std::nullopt) {
                parts_.back().tile = *air ? kAir : kSolid;
                return n;
            }
            SPUME_CHECK(box.size()[axis] > 1);
            Box<int, D> lower = box, upper = box;
            const int middle = box.lo[axis] + box.size()[axis] / 2;
            lower.hi[axis] = upper.lo[axis] = middle;
            Index<D>* const at =
                std::partition(first, last, [&](const Index<D>& k) { return k[axis] < middle; });
            const int below = self(self, lower, first, at), above = self(self, upper, at, last);
            parts_[std::size_t(n)] = {box, kCut, axis, below, above};
            return n;
        };
        if (!keys.empty()) cut(cut, keys, stored.data(), stored.data() + stored.size());
    }

    const std::vector<Part>& parts() const { return parts_; }

    /// The part that holds a tile and has no halves, −1 beyond the box.
    int find(const Index<D>& key) const {
        if (parts_.empty() || !parts_[0].keys.contains(key)) return -1;
        int n = 0;
        for (const Part* p = &parts_[0]; p->tile == kCut; p = &parts_[std::size_t(n)])
            n = key[p->axis] < parts_[std::size_t(p->lower)].keys.hi[p->axis] ? p->lower : p->upper;
        return n;
    }

    /// f(part) for those without halves that meet a box of keys.
    template <class F>
    void visit(const Box<int, D>& keys, F&& f) const {
        if (!parts_.empty()) visit(0, keys, f);
    }

    /// f(part, part) once for each two boxes of air that share a face.
    template <class F>
    void visit_pairs(F&& f) const {
        for (const Part& p : parts_)
            if (p.tile == kCut) visit_pairs(p.lower, p.upper, p.axis, f);
    }

  private:
    template <class F>
    void visit(int n, const Box<int, D>& keys, F&& f) const {
        const Part& p = parts_[std::size_t(n)];
        if (p.keys.intersected(keys).empty()) return;
        if (p.tile != kCut) return f(n);
        visit(p.lower, keys, f);
        visit(p.upper, keys, f);
    }

    /// Parts of i and j that meet where i ends and j begins along the axis.
    template <class F>
    void visit_pairs(int i, int j, int axis, F&& f) const {
        const Part &p = parts_[std::size_t(i)], &q = parts_[std::size_t(j)];
        const auto may = [](int tile) { return tile == kAir || tile == kCut; };
        if (!may(p.tile) || !may(q.tile) || p.keys.hi[axis] != q.keys.lo[axis]) return;
        for (int a = 0; a < D; ++a)
            if (a != axis && (p.keys.hi[a] <= q.keys.lo[a] || q.keys.hi[a] <= p.keys.lo[a])) return;
        if (p.tile == kCut) {
            visit_pairs(p.lower, j, axis, f);
            visit_pairs(p.upper, j, axis, f);
        } else if (q.tile == kCut) {
            visit_pairs(i, q.lower, axis, f);
            visit_pairs(i, q.upper, axis, f);
        } else {
            f(i, j);
        }
    }

    std::vector<Part> parts_;
};

}  // namespace spume
