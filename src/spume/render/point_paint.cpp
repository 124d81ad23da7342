// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/point_paint.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/render/colour_map.h"

namespace spume {

namespace {

constexpr std::size_t kGrain = 1 << 16;

const char* column_of(PreviewColours mode) {
    switch (mode) {
        case PreviewColours::kSpeed:
            return "v";
        case PreviewColours::kType:
            return "type";
        case PreviewColours::kAge:
            return "age";
        default:
            return "pscale";
    }
}

const char* label_of(PreviewColours mode) {
    switch (mode) {
        case PreviewColours::kSpeed:
            return "speed m/s";
        case PreviewColours::kType:
            return "type";
        case PreviewColours::kAge:
            return "age s";
        case PreviewColours::kRadius:
            return "radius m";
        default:
            return "";
    }
}

struct AsNumber {
    std::size_t i;
    float operator()(const Array<float>& a) const { return a[i]; }
    float operator()(const Array<Vec<float, 3>>& a) const { return length(a[i]); }
    float operator()(const Array<std::int32_t>& a) const { return static_cast<float>(a[i]); }
    float operator()(const Array<std::uint64_t>& a) const { return static_cast<float>(a[i]); }
};

}  // namespace

PointPaint::PointPaint(const Frame& frame, const PreviewOptions& options, Arena& arena)
    : mode_(options.colours),
      densities_(options.liquid_densities),
      has_scale_(mode_ != PreviewColours::kWater && mode_ != PreviewColours::kType),
      label_(label_of(mode_)) {
    std::size_t count = 0;
    for (const PointSet& set : frame.points) {
        set_begin_.push_back(count);
        set_is_foam_.push_back(set.name == "foam");
        set_is_grains_.push_back(set.name == "grains");
        const NamedColumn* density = set.name == "liquid" ? set.find("density") : nullptr;
        set_density_.push_back(density ? std::get_if<Array<float>>(&density->values) : nullptr);
        count += set.size();
    }
    if (mode_ == PreviewColours::kWater) return;
    value_.assign(count, 0);
    for (std::size_t s = 0; s < frame.points.size(); ++s)
        collect(frame.points[s], set_begin_[s], static_cast<int>(s), arena);
    if (has_scale_) find_range(options, arena);
}

void PointPaint::collect(const PointSet& set, std::size_t first, int set_number, Arena& arena) {
    const NamedColumn* column = set.find(column_of(mode_));
    for_range(arena, set.size(), kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            float& value = value_[first + i];
            if (column)
                value = std::visit(AsNumber{i}, column->values);
            else
                value = mode_ == PreviewColours::kType ? static_cast<float>(set_number) : 0;
        }
    });
}

void PointPaint::find_range(const PreviewOptions& options, Arena& arena) {
    if (options.colour_range) {
        range_ = *options.colour_range;
        return;
    }
    struct Ends {
        float lo = std::numeric_limits<float>::infinity(), hi = -lo;
    };
    const Ends ends = reduce(
        arena, value_.size(), kGrain, Ends{},
        [&](std::size_t begin, std::size_t end) {
            Ends e;
            for (std::size_t i = begin; i < end; ++i)
                if (std::isfinite(value_[i]))
                    e.lo = std::min(e.lo, value_[i]), e.hi = std::max(e.hi, value_[i]);
            return e;
        },
        [](Ends a, Ends b) {
            return Ends{std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
        });
    if (ends.lo <= ends.hi) range_ = {ends.lo, ends.hi};
    if (mode_ == PreviewColours::kSpeed) range_.begin = 0;
    if (!(range_.length() > 0)) range_.end = range_.begin + std::max(1e-6, std::abs(range_.begin));
}

SpriteKind PointPaint::kind(std::uint32_t point) const {
    if (mode_ != PreviewColours::kWater) return SpriteKind::kMatte;
    const std::size_t set = set_of(point);
    return set_is_foam_[set] || set_is_grains_[set] || set_density_[set] ? SpriteKind::kMatte
                                                                         : SpriteKind::kBubble;
}

std::size_t PointPaint::set_of(std::uint32_t point) const {
    const auto next = std::upper_bound(set_begin_.begin(), set_begin_.end(), point);
    return static_cast<std::size_t>(next - set_begin_.begin() - 1);
}

Colour PointPaint::tint(std::uint32_t point) const {
    if (mode_ == PreviewColours::kWater) {
        const std::size_t set = set_of(point);
        if (const Array<float>* density = set_density_[set]) {
            const Colour water{0.10f, 0.42f, 0.72f}, oil{0.85f, 0.55f, 0.12f};
            return water + (oil - water) *
                               lightness_of_liquid((*density)[point - set_begin_[set]], densities_);
        }
        return set_is_grains_[set] ? Colour{0.52f, 0.36f, 0.19f} : Colour{0.75f, 0.86f, 0.90f};
    }
    if (mode_ == PreviewColours::kType) return kind_colour(static_cast<int>(value_[point]));
    return ramp_colour((value_[point] - range_.begin) / range_.length());
}

std::optional<Interval> colour_range(const Frame& frame, PreviewColours colours, Arena& arena) {
    PreviewOptions options;
    options.colours = colours;
    const PointPaint paint(frame, options, arena);
    bool any = false;
    for (const PointSet& set : frame.points) any = any || set.size() > 0;
    if (!paint.has_scale() || !any) return std::nullopt;
    return paint.range();
}

}  // namespace spume
