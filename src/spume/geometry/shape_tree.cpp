// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/geometry/shape_tree.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

constexpr double kFarAway = std::numeric_limits<double>::infinity();
/// A leaf asks up to so many shapes, unless nodes would hold more than so many for each shape.
constexpr std::uint32_t kFewShapes = 4;
constexpr std::size_t kChoices = 1024;

/// The child of a box that holds x: bit a of `child` says which half of axis a.
template <int D>
Box<double, D> half_of(const Box<double, D>& box, unsigned child) {
    Box<double, D> r = box;
    for (int a = 0; a < D; ++a) {
        const double middle = 0.5 * (box.lo[a] + box.hi[a]);
        (child >> a & 1 ? r.lo[a] : r.hi[a]) = middle;
    }
    return r;
}

}  // namespace

template <int D>
ShapeTree<D>::ShapeTree(std::vector<Part> parts) : parts_(std::move(parts)) {
    for (std::uint32_t i = 0; i < parts_.size(); ++i) chosen_.push_back(i);
    all_ = {0, std::uint32_t(parts_.size())};
    if (parts_.size() <= kFewShapes) return;
    root_ = parts_[0].body.bounds();
    for (const Part& part : parts_)
        root_ = {min(root_.lo, part.body.bounds().lo), max(root_.hi, part.body.bounds().hi)};
    grow();
}

/// The distance to what is before the first of the shapes chosen. A node begins with a cut only
/// where that alone decides, whatever it is cut from.
template <int D>
double ShapeTree<D>::before(const Choice& choice) const {
    const bool alone =
        choice.begin >= all_.end && choice.begin < choice.end && parts_[chosen_[choice.begin]].cut;
    return alone ? -kFarAway : kFarAway;
}

/// The shapes that may decide the distance somewhere in a box. Distances change by no more than the
/// way, so the one at the centre bounds those in the box.
template <int D>
typename ShapeTree<D>::Choice ShapeTree<D>::choose(const Choice& from, const Box<double, D>& box) {
    const Point<D> centre = (box.lo + box.hi) * 0.5;
    const double reach = 0.5 * length(box.hi - box.lo) * (1 + 1e-9);
    double least = before(from), most = least;
    const auto begin = std::uint32_t(chosen_.size());
    for (std::uint32_t i = from.begin; i < from.end; ++i) {
        const std::uint32_t shape = chosen_[i];
        const Part& part = parts_[shape];
        const double d = (part.cut ? -1 : 1) * part.body.distance(centre);
        const double low = d - reach, high = d + reach;
        const bool never = part.cut ? high <= least : low >= most;
        if (never) continue;
        const bool always = part.cut ? low >= most : high <= least;
        if (always) chosen_.resize(begin);
        least = part.cut ? std::max(least, low) : std::min(least, low);
        most = part.cut ? std::max(most, high) : std::min(most, high);
        chosen_.push_back(shape);
    }
    return {begin, std::uint32_t(chosen_.size())};
}

/// Level by level, so that shapes that overlap everywhere end with coarse leaves all over.
template <int D>
void ShapeTree<D>::grow() {
    const std::size_t limit = kChoices * (parts_.size() + 16);
    std::vector<Box<double, D>> boxes{root_};
    nodes_.push_back({0, all_});
    for (std::size_t n = 0; n < nodes_.size() && chosen_.size() < limit; ++n) {
        const Choice choice = nodes_[n].choice;
        if (choice.end - choice.begin <= kFewShapes) continue;
        nodes_[n].children = std::uint32_t(nodes_.size());
        for (unsigned c = 0; c < (1u << D); ++c) {
            boxes.push_back(half_of(boxes[n], c));
            nodes_.push_back({0, choose(choice, boxes.back())});
        }
    }
}

template <int D>
typename ShapeTree<D>::Choice ShapeTree<D>::leaf(const Point<D>& x) const {
    Box<double, D> box = root_;
    const Node* node = &nodes_[0];
    while (node->children != 0) {
        unsigned child = 0;
        for (int a = 0; a < D; ++a)
            if (x[a] >= 0.5 * (box.lo[a] + box.hi[a])) child |= 1u << a;
        box = half_of(box, child);
        node = &nodes_[node->children + child];
    }
    return node->choice;
}

template <int D>
double ShapeTree<D>::distance(const Point<D>& x, const Choice& choice) const {
    double d = before(choice);
    for (std::uint32_t i = choice.begin; i < choice.end; ++i) {
        const Part& part = parts_[chosen_[i]];
        d = part.cut ? std::max(d, -part.body.distance(x)) : std::min(d, part.body.distance(x));
    }
    return d;
}

template class ShapeTree<2>;
template class ShapeTree<3>;

}  // namespace spume
