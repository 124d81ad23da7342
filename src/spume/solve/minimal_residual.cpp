// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/minimal_residual.h"

#include <cmath>

namespace spume {
namespace {

constexpr std::size_t kPiece = 4096;

void multiply(std::vector<double>& x, double factor, Context& context) {
    for_range(context.arena, x.size(), kPiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) x[i] *= factor;
    });
}

}  // namespace

double dot(const std::vector<double>& a, const std::vector<double>& b, Context& context) {
    return reduce(
        context.arena, a.size(), kPiece, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += a[i] * b[i];
            return sum;
        },
        [](double x, double y) { return x + y; });
}

void add_scaled(std::vector<double>& y, double factor, const std::vector<double>& x,
                Context& context) {
    for_range(context.arena, y.size(), kPiece, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) y[i] += factor * x[i];
    });
}

bool MinimalResidual::add(std::vector<double> direction, std::vector<double> image,
                          Context& context) {
    const double whole = std::sqrt(dot(image, image, context));
    for (std::size_t j = 0; j < images_.size(); ++j) {
        const double along = dot(image, images_[j], context);
        add_scaled(image, -along, images_[j], context);
        add_scaled(direction, -along, directions_[j], context);
    }
    // What rounding leaves of an image within the span of the others points anywhere.
    const double left = std::sqrt(dot(image, image, context));
    if (!(left > 1e-10 * whole)) return false;
    multiply(image, 1 / left, context);
    multiply(direction, 1 / left, context);
    const double step = dot(residual_, image, context);
    add_scaled(solution_, step, direction, context);
    add_scaled(residual_, -step, image, context);
    directions_.push_back(std::move(direction));
    images_.push_back(std::move(image));
    return true;
}

}  // namespace spume
