// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/closed_mesh.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/sample.h"

namespace spume {
namespace {

enum Sheet : int { kLevelSheet = 0, kSolidSheet = 1, kFirstSide = 2 };
template <int D>
constexpr int kSheets = kFirstSide + 2 * D;

/// In voxels: farthest way of a vertex, and how near it has to come.
constexpr double kFarthest = 1.5, kNear = 0.01;
constexpr int kSteps = 8;
/// Sheets that meet at less than about 8° have no edge to speak of: sin² of the angle.
constexpr double kFlat = 0.02;

template <int D>
class SheetValues {
  public:
    explicit SheetValues(const ClosingSheets<D>& sheets)
        : sheets_(sheets),
          h_(sheets.level_set.tiles()->voxel()),
          cursor_(*sheets.level_set.tiles()) {}

    /// Signed distance to a sheet, negative on the side of the liquid.
    double value(int sheet, const Point<D>& x) {
        if (sheet == kLevelSheet) return level(x);
        if (sheet == kSolidSheet) return sheets_.solids ? -sheets_.solids(x, 3 * h_) : -3 * h_;
        const int a = (sheet - kFirstSide) / 2;
        return sheet % 2 == 0 ? sheets_.box.lo[a] - x[a] : x[a] - sheets_.box.hi[a];
    }
    Vec<double, D> slope(int sheet, const Point<D>& x) {
        if (sheet >= kFirstSide)
            return Vec<double, D>::unit((sheet - kFirstSide) / 2, sheet % 2 == 0 ? -1 : 1);
        const double step = sheet == kLevelSheet ? 0.5 * h_ : 0.05 * h_;
        Vec<double, D> g{};
        for (int a = 0; a < D; ++a)
            g[a] = (value(sheet, x + Point<D>::unit(a, step)) -
                    value(sheet, x - Point<D>::unit(a, step))) /
                   (2 * step);
        return g;
    }

    int bounding(const Point<D>& x) {
        int best = 0;
        double most = value(0, x);
        for (int s = 1; s < kSheets<D>; ++s)
            if (const double v = value(s, x); v > most) most = v, best = s;
        return best;
    }

    /// Newton's method onto all the sheets at once: each moves the point within those before it.
    /// False, and x as it was, where they do not meet near it.
    bool project(std::span<const int> onto, Point<D>& x) {
        Point<D> y = x;
        for (int step = 0; step < kSteps; ++step) {
            Vec<double, D> free[D];
            double worst = 0;
            for (std::size_t i = 0; i < onto.size(); ++i) {
                const Vec<double, D> g = slope(onto[i], y);
                free[i] = g;
                for (std::size_t j = 0; j < i; ++j)
                    free[i] = free[i] - free[j] * (dot(g, free[j]) / dot(free[j], free[j]));
                const double left = dot(free[i], free[i]), f = value(onto[i], y);
                if (!(left > kFlat * dot(g, g)) || !(left > 1e-6)) return false;
                worst = std::max(worst, std::abs(f));
                y = y - free[i] * (f / left);
            }
            if (!(length(y - x) < kFarthest * h_)) return false;
            if (worst < 1e-6 * h_) break;
        }
        for (const int s : onto)
            if (!(std::abs(value(s, y)) < kNear * h_)) return false;
        x = y;
        return true;
    }

  private:
    /// Beyond the last centres before a side it goes on along its slope: what lies there is not
    /// stored.
    double level(const Point<D>& x) {
        Point<D> last = x;
        for (int a = 0; a < D; ++a)
            last[a] = std::clamp(x[a], sheets_.box.lo[a] + 0.5 * h_, sheets_.box.hi[a] - 0.5 * h_);
        const double here = sample<double, D>(sheets_.level_set, cursor_, last);
        double r = here;
        for (int a = 0; a < D; ++a) {
            if (x[a] == last[a]) continue;
            const Point<D> before = last - Point<D>::unit(a, x[a] > last[a] ? h_ : -h_);
            const double slope =
                (here - sample<double, D>(sheets_.level_set, cursor_, before)) / h_;
            r += std::clamp(slope, -1.0, 1.0) * std::abs(x[a] - last[a]);
        }
        return r;
    }

    const ClosingSheets<D>& sheets_;
    double h_;
    TileCursor<D> cursor_;
};

template <class F>
void for_vertices(Context& context, std::size_t count, F&& f) {
    for_range(context.arena, count, 1024, std::forward<F>(f));
}

/// Sheets whose edge with its own a vertex is to take, a bit each: of two neighbours on unlike
/// sheets the one nearer to the other's sheet.
template <int D>
std::vector<std::uint8_t> edges_near(const std::vector<Point<D>>& vertices,
                                     const std::vector<std::uint8_t>& own,
                                     std::span<const Vec<std::int32_t, D>> elements,
                                     const ClosingSheets<D>& sheets) {
    SheetValues<D> values(sheets);
    std::vector<std::uint8_t> r(vertices.size(), 0);
    const auto join = [&](std::size_t i, std::size_t j) {
        if (own[i] == own[j]) return;
        const bool first = std::abs(values.value(own[j], vertices[i])) <
                           std::abs(values.value(own[i], vertices[j]));
        const std::size_t near = first ? i : j, far = first ? j : i;
        r[near] = static_cast<std::uint8_t>(r[near] | 1u << own[far]);
    };
    for (const auto& element : elements)
        for (int k = 0; k < (D == 2 ? 1 : 3); ++k) {
            const auto i = std::size_t(element[k]), j = std::size_t(element[(k + 1) % D]);
            join(std::min(i, j), std::max(i, j));  // the same answer for both elements of an edge
        }
    return r;
}

}  // namespace

template <int D>
void fit_to_sheets(std::vector<Point<D>>& vertices, std::span<const Vec<std::int32_t, D>> elements,
                   const ClosingSheets<D>& sheets, Context& context) {
    std::vector<std::uint8_t> own(vertices.size());
    for_vertices(context, vertices.size(), [&](std::size_t begin, std::size_t end) {
        SheetValues<D> values(sheets);
        for (std::size_t i = begin; i < end; ++i) {
            const int sheet = values.bounding(vertices[i]);
            own[i] = static_cast<std::uint8_t>(sheet);
            values.project({&sheet, 1}, vertices[i]);
        }
    });
    const std::vector<std::uint8_t> edges = edges_near<D>(vertices, own, elements, sheets);
    for_vertices(context, vertices.size(), [&](std::size_t begin, std::size_t end) {
        SheetValues<D> values(sheets);
        for (std::size_t i = begin; i < end; ++i) {
            int onto[D] = {int(own[i])};
            std::size_t count = 1;
            for (int s = 0; s < kSheets<D> && count < D; ++s)
                if (edges[i] >> s & 1) onto[count++] = s;
            // Where three do not meet near, two may.
            for (; count > 1; --count)
                if (values.project({onto, count}, vertices[i])) break;
        }
    });
}

TriangleMesh closed_mesh(const LevelSet<3>& closed, const ClosingSheets<3>& sheets,
                         Context& context) {
    TriangleMesh mesh = mesh_of(closed, context);
    fit_to_sheets<3>(mesh.vertices, mesh.triangles, sheets, context);
    return mesh;
}

template void fit_to_sheets<2>(std::vector<Point<2>>&, std::span<const Vec<std::int32_t, 2>>,
                               const ClosingSheets<2>&, Context&);
template void fit_to_sheets<3>(std::vector<Point<3>>&, std::span<const Vec<std::int32_t, 3>>,
                               const ClosingSheets<3>&, Context&);

}  // namespace spume
