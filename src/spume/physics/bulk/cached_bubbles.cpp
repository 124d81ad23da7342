// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/bulk/cached_bubbles.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "spume/core/error.h"
#include "spume/physics/domain/grid_domain.h"

namespace spume {
namespace {

template <class T>
const Array<T>& column_of(const PointSet& points, const char* name, const PointFramesInfo& info) {
    const NamedColumn* c = points.find(name);
    if (!c || !std::holds_alternative<Array<T>>(c->values))
        throw error_in_file(info.path,
                            fmt::format("its points \"{}\" have no column {}", points.name, name),
                            "name a run of this program that simulates bubbles");
    return std::get<Array<T>>(c->values);
}

/// By ascending id.
template <int D>
Bubbles<D> as_bubbles(const PointSet& points, const PointFramesInfo& info) {
    const auto& v = column_of<Vec<float, 3>>(points, "v", info);
    const auto& id = column_of<std::uint64_t>(points, "id", info);
    const auto& radius = column_of<float>(points, "pscale", info);
    const auto& density = column_of<float>(points, "density", info);
    const auto& age = column_of<float>(points, "age", info);
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return id[a] < id[b]; });
    Bubbles<D> r;
    resize(r, points.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t q = order[i];
        r.position.write()[i] = in_plane<D>(points.position[q]);
        r.velocity.write()[i] = in_plane<D>(v[q].template as<double>());
        r.radius.write()[i] = radius[q];
        r.density.write()[i] = density[q];
        r.age.write()[i] = age[q];
        r.id.write()[i] = id[q];
    }
    return r;
}

/// Cubic from x0 with velocity v0 to x1 with v1 within T, at the part s of it.
template <int D>
void on_cubic(const Point<D>& x0, const Vec<double, D>& v0, const Point<D>& x1,
              const Vec<double, D>& v1, double span, double s, Point<D>& x, Vec<double, D>& v) {
    const Vec<double, D> way = x1 - x0, a = v0 * span - way, b = way - v1 * span;
    x = x0 + way * s + (a * (1 - s) + b * s) * (s * (1 - s));
    v = (way + (a * (1 - s) + b * s) * (1 - 2 * s) + (b - a) * (s * (1 - s))) / span;
}

/// One bubble of a frame, as it is `later` than there.
template <int D>
struct Moved {
    const Bubbles<D>* from;
    std::size_t q;
    Point<D> x;
    Vec<double, D> v;
    double later;
};

template <int D>
Bubbles<D> as_bubbles(const std::vector<Moved<D>>& all) {
    Bubbles<D> r;
    resize(r, all.size());
    auto x = r.position.write();
    auto v = r.velocity.write();
    auto radius = r.radius.write();
    auto density = r.density.write();
    auto age = r.age.write();
    auto id = r.id.write();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Moved<D>& one = all[i];
        x[i] = one.x;
        v[i] = one.v;
        radius[i] = one.from->radius[one.q];
        density[i] = one.from->density[one.q];
        age[i] = one.from->age[one.q] + static_cast<float>(one.later);
        id[i] = one.from->id[one.q];
    }
    return r;
}

}  // namespace

template <int D>
CachedBubbles<D>::CachedBubbles(std::shared_ptr<const PointFrames> frames, const Scene& scene)
    : frames_(std::move(frames)), start_(scene.time.start) {
    SPUME_CHECK(frames_ != nullptr);
}

template <int D>
typename CachedBubbles<D>::Part CachedBubbles<D>::frame(int number) {
    for (Kept& k : kept_)
        if (k.number == number) return k.bubbles;
    const PointFramesInfo& info = frames_->info();
    auto read = number < info.first ? Bubbles<D>() : as_bubbles<D>(frames_->read(number), info);
    std::swap(kept_[0], kept_[1]);
    kept_[1] = {number, std::make_shared<const Bubbles<D>>(std::move(read))};
    return kept_[1].bubbles;
}

template <int D>
Bubbles<D> CachedBubbles<D>::at(double time, std::span<const std::uint64_t> without) {
    const PointFramesInfo& info = frames_->info();
    constexpr double kSame = 1e-9;
    const double place = time * info.fps + start_ - 1;
    // A frame ends the time since the one before: what is gone by then may have come up in between.
    const double whole = std::ceil((place - info.first) / info.every - kSame) - 1;
    const int number = info.first + static_cast<int>(whole) * info.every;
    const double span = info.every / info.fps, s = (place - number) / info.every;
    const Part before = frame(number), after = frame(number + info.every);
    const auto taken = [&](std::uint64_t id) {
        return std::binary_search(without.begin(), without.end(), id);
    };
    std::vector<Moved<D>> all;
    std::size_t i = 0, j = 0;
    while (i < before->size() || j < after->size()) {
        const std::uint64_t old = i < before->size() ? before->id[i] : ~std::uint64_t(0);
        const std::uint64_t next = j < after->size() ? after->id[j] : ~std::uint64_t(0);
        if (taken(std::min(old, next))) {
            i += old <= next ? 1 : 0;
            j += next <= old ? 1 : 0;
        } else if (old == next) {
            Point<D> x;
            Vec<double, D> v;
            on_cubic<D>(before->position[i], before->velocity[i], after->position[j],
                        after->velocity[j], span, s, x, v);
            all.push_back({before.get(), i, x, v, s * span});
            ++i, ++j;
        } else if (old < next) {
            const double later = s * span;
            all.push_back({before.get(), i, before->position[i] + before->velocity[i] * later,
                           before->velocity[i], later});
            ++i;
        } else {
            const double earlier = (1 - s) * span;
            const auto age = double(after->age[j]);
            if (age >= earlier && age <= span * (1 + 1e-4))
                all.push_back({after.get(), j, after->position[j] - after->velocity[j] * earlier,
                               after->velocity[j], -earlier});
            ++j;
        }
    }
    return as_bubbles(all);
}

template class CachedBubbles<2>;
template class CachedBubbles<3>;

}  // namespace spume
