// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/trapped_air.h"

#include <algorithm>
#include <cmath>

#include "spume/grid/components.h"
#include "spume/surface/fraction.h"

namespace spume {
namespace {

/// Air cells in a row, from `begin` to before `end` along the last axis.
struct AirRun {
    int begin = 0, end = 0;
};

template <int D>
class FloodFill {
  public:
    FloodFill(const DenseField<float, D>& phi, const DenseField<std::uint8_t, D>& solid,
              Context& context)
        : phi_(phi), shape_(phi.shape), rows_(shape_.rows()) {
        const float* f = phi.read();
        const std::uint8_t* s = solid.values.empty() ? nullptr : solid.read();
        for_range(context.arena, shape_.rows(), kRowGrain<D>, [&](std::size_t b, std::size_t e) {
            for (std::size_t r = b; r < e; ++r) {
                const std::size_t at = shape_.at(shape_.row(r));
                const auto is_air = [&](int i) {
                    return f[at + std::size_t(i)] > 0 &&
                           (s == nullptr || s[at + std::size_t(i)] == 0);
                };
                for (int i = 0; i < shape_.size[D - 1]; ++i) {
                    if (!is_air(i)) continue;
                    int end = i + 1;
                    while (end < shape_.size[D - 1] && is_air(end)) ++end;
                    rows_[r].push_back({i, end});
                    i = end;
                }
            }
        });
        first_.assign(1, 0);
        for (const auto& row : rows_) first_.push_back(first_.back() + int(row.size()));
        sets_ = DisjointSets(std::size_t(first_.back()));
        join_rows();
    }

    /// f(row, run, root)
    template <class F>
    void for_each_run(F&& f) {
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (std::size_t k = 0; k < rows_[r].size(); ++k)
                f(r, rows_[r][k], sets_.find(first_[r] + int(k)));
    }
    int runs() const { return first_.back(); }

  private:
    /// Each row with the rows before it that touch it.
    void join_rows() {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            if (rows_[r].empty()) continue;
            const Index<D> i = shape_.row(r);
            int steps = 1;
            for (int a = 0; a < D - 1; ++a) steps *= 3;
            for (int k = 0; k < steps; ++k) {
                Index<D> j = i;
                std::size_t other = 0;
                int unlike = 0;
                bool inside = true;
                for (int a = 0, rest = k; a < D - 1; ++a, rest /= 3) {
                    j[a] += rest % 3 - 1;
                    unlike += j[a] != i[a];
                    inside = inside && j[a] >= 0 && j[a] < shape_.size[a];
                    other = other * std::size_t(shape_.size[a]) + std::size_t(std::max(j[a], 0));
                }
                if (inside && other < r) join(r, i, other, j, unlike == 1);
            }
        }
    }

    void join(std::size_t r, Index<D> i, std::size_t other, Index<D> j, bool share_faces) {
        for (std::size_t p = 0; p < rows_[r].size(); ++p)
            for (std::size_t q = 0; q < rows_[other].size(); ++q) {
                const AirRun &a = rows_[r][p], &b = rows_[other][q];
                if (b.begin > a.end) break;
                if (a.begin > b.end) continue;
                const int u = first_[r] + int(p), v = first_[other] + int(q);
                if (sets_.find(u) == sets_.find(v)) continue;
                if (share_faces && a.begin < b.end && b.begin < a.end) {
                    sets_.join(u, v);
                    continue;
                }
                if (meet_diagonally(i, a, j, b)) sets_.join(u, v);
            }
    }

    /// Is air between any two cells of the runs that touch along an edge or at a corner?
    bool meet_diagonally(Index<D> i, const AirRun& a, Index<D> j, const AirRun& b) const {
        for (int x = a.begin; x < a.end; ++x)
            for (int y = std::max(x - 1, b.begin); y < std::min(x + 2, b.end); ++y) {
                i[D - 1] = x;
                j[D - 1] = y;
                if (mean_between(i, j) > 0) return true;
            }
        return false;
    }

    /// φ where two cells touch: the mean of all cells around that place.
    float mean_between(const Index<D>& i, const Index<D>& j) const {
        float sum = 0;
        int count = 0;
        for (int k = 0; k < (1 << D); ++k) {
            Index<D> c = i;
            bool other = true;
            for (int a = 0; a < D; ++a) {
                if (!(k >> a & 1)) continue;
                other = other && i[a] != j[a];
                c[a] = j[a];
            }
            if (!other) continue;
            sum += phi_.at(c);
            ++count;
        }
        return sum / float(count);
    }

    const DenseField<float, D>& phi_;
    const DenseShape<D>& shape_;
    std::vector<std::vector<AirRun>> rows_;
    std::vector<int> first_;
    DisjointSets sets_;
};

/// f(place) for the 3^D cells around one, itself among them, that lie in the box.
template <int D, class F>
void for_cells_around(const DenseShape<D>& shape, const Index<D>& cell, int reach, F&& f) {
    Index<D> i = cell;
    const int side = 2 * reach + 1;
    int count = 1;
    for (int a = 0; a < D; ++a) count *= side;
    for (int k = 0; k < count; ++k) {
        bool inside = true;
        for (int a = 0, rest = k; a < D; ++a, rest /= side) {
            i[a] = cell[a] + rest % side - reach;
            inside = inside && i[a] >= 0 && i[a] < shape.size[a];
        }
        if (inside) f(shape.at(i));
    }
}

/// The pockets for which is_wanted(pocket), numbered anew.
template <int D, class F>
TrappedAir<D> some_pockets(const TrappedAir<D>& air, const DenseShape<D>& shape, F&& is_wanted) {
    TrappedAir<D> r;
    std::vector<int> number(air.pockets.size(), -1);
    for (std::size_t k = 0; k < air.pockets.size(); ++k)
        if (is_wanted(air.pockets[k])) {
            number[k] = int(r.pockets.size());
            r.pockets.push_back(air.pockets[k]);
        }
    for (const auto& [place, k] : air.pocket_of)
        if (number[std::size_t(k)] >= 0) r.pocket_of.emplace(place, number[std::size_t(k)]);
    for (const Index<D>& i : air.cells)
        if (number[std::size_t(air.pocket_of.at(shape.at(i)))] >= 0) r.cells.push_back(i);
    return r;
}

}  // namespace

template <int D>
TrappedAir<D> small_pockets(const TrappedAir<D>& air, const DenseShape<D>& shape, double voxels) {
    return some_pockets<D>(air, shape, [=](const auto& p) { return p.volume < voxels; });
}

template <int D>
TrappedAir<D> large_pockets(const TrappedAir<D>& air, const DenseShape<D>& shape, double voxels) {
    return some_pockets<D>(air, shape, [=](const auto& p) { return !(p.volume < voxels); });
}

template <int D>
double filled_part(const DenseField<float, D>& phi, std::size_t place) {
    const float* p = phi.read() + place;
    if (std::abs(*p) > 1.5f) return *p < 0 ? 1 : 0;
    Vec<double, D> g{};
    for (int a = 0; a < D; ++a) {
        const auto s = std::ptrdiff_t(phi.shape.stride(a));
        g[a] = 0.5 * double(p[s] - p[-s]);
    }
    const double size = length(g);
    if (!(size > 1e-3)) return *p < 0 ? 1 : 0;
    return plane_fraction(g / size, double(*p) / std::clamp(size, 0.5, 2.0));
}

template <int D>
TrappedAir<D> find_trapped_air(const DenseField<float, D>& phi,
                               const DenseField<std::uint8_t, D>& solid,
                               const DenseField<float, D>& room, const bool (&open)[D][2],
                               Context& context) {
    Stage stage(context, "trapped_air");
    const float* part = room.values.empty() ? nullptr : room.read();
    FloodFill<D> fill(phi, solid, context);
    const DenseShape<D>& shape = phi.shape;
    std::vector<std::size_t> cells(std::size_t(fill.runs()), 0);
    std::vector<std::uint8_t> outside(std::size_t(fill.runs()), 0);
    fill.for_each_run([&](std::size_t r, const AirRun& run, int root) {
        const Index<D> i = shape.row(r);
        cells[std::size_t(root)] += std::size_t(run.end - run.begin);
        bool out =
            (open[D - 1][0] && run.begin == 0) || (open[D - 1][1] && run.end == shape.size[D - 1]);
        for (int a = 0; a < D - 1; ++a)
            out = out || (open[a][0] && i[a] == 0) || (open[a][1] && i[a] == shape.size[a] - 1);
        if (out) outside[std::size_t(root)] = 1;
    });
    if (!cells.empty() && std::find(outside.begin(), outside.end(), 1) == outside.end())
        outside[std::size_t(std::max_element(cells.begin(), cells.end()) - cells.begin())] = 1;
    TrappedAir<D> air;
    std::vector<int> number(cells.size(), -1);
    fill.for_each_run([&](std::size_t r, const AirRun& run, int root) {
        if (outside[std::size_t(root)]) return;
        int& n = number[std::size_t(root)];
        if (n < 0) {
            n = int(air.pockets.size());
            air.pockets.emplace_back();
        }
        auto& pocket = air.pockets[std::size_t(n)];
        Index<D> i = shape.row(r);
        for (i[D - 1] = run.begin; i[D - 1] < run.end; ++i[D - 1]) {
            air.cells.push_back(i);
            ++pocket.cells;
            pocket.centre += i.template as<double>() + Vec<double, D>::filled(0.5);
            for_cells_around<D>(shape, i, 1, [&](std::size_t at) {
                if (!air.pocket_of.emplace(at, n).second) return;
                pocket.volume += (1 - filled_part<D>(phi, at)) * double(part ? part[at] : 1.0f);
            });
        }
    });
    for (auto& pocket : air.pockets) pocket.centre = pocket.centre / double(pocket.cells);
    return air;
}

template <int D>
void fill_trapped_air(DenseField<float, D>& phi, const TrappedAir<D>& air, double width) {
    const float far = float(width) + 2;
    float* f = phi.write();
    for (const Index<D>& i : air.cells) f[phi.shape.at(i)] = -far;
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template double filled_part<D>(const DenseField<float, D>&, std::size_t);                    \
    template TrappedAir<D> find_trapped_air<D>(                                                  \
        const DenseField<float, D>&, const DenseField<std::uint8_t, D>&,                         \
        const DenseField<float, D>&, const bool(&)[D][2], Context&);                             \
    template TrappedAir<D> small_pockets<D>(const TrappedAir<D>&, const DenseShape<D>&, double); \
    template TrappedAir<D> large_pockets<D>(const TrappedAir<D>&, const DenseShape<D>&, double); \
    template void fill_trapped_air<D>(DenseField<float, D>&, const TrappedAir<D>&, double);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
