// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/rigid_pressure.h"

#include <algorithm>
#include <cmath>

namespace spume {
namespace {

/// a += factor · b of sparse rows with ascending cells.
template <class Row>
void add_multiple(Row& a, double factor, const Row& b) {
    if (factor == 0 || b.cells.empty()) return;
    Row sum;
    sum.cells.reserve(a.cells.size() + b.cells.size());
    sum.weights.reserve(a.cells.size() + b.cells.size());
    std::size_t i = 0, j = 0;
    while (i < a.cells.size() || j < b.cells.size()) {
        const bool from_a = j == b.cells.size() || (i < a.cells.size() && a.cells[i] <= b.cells[j]);
        const std::size_t cell = from_a ? a.cells[i] : b.cells[j];
        double w = from_a ? a.weights[i++] : 0;
        if (j < b.cells.size() && b.cells[j] == cell) w += factor * b.weights[j++];
        sum.cells.push_back(cell);
        sum.weights.push_back(w);
    }
    a = std::move(sum);
}

/// Lower Cholesky factor of a symmetric positive definite tensor.
Tensor cholesky(const Tensor& t) {
    Tensor l{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = t[std::size_t(i)][j];
            for (int k = 0; k < j; ++k) s -= l[std::size_t(i)][k] * l[std::size_t(j)][k];
            l[std::size_t(i)][j] = i == j ? std::sqrt(s) : s / l[std::size_t(j)][j];
        }
    return l;
}

void cholesky(std::vector<double>& g, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double s = g[i * n + j];
            for (std::size_t k = 0; k < j; ++k) s -= g[i * n + k] * g[j * n + k];
            g[i * n + j] = i == j ? std::sqrt(s) : s / g[j * n + j];
        }
}

template <int D>
std::array<double, D == 2 ? 3 : 6> lever_of(int axis, const Vec<double, 3>& arm) {
    const Vec<double, 3> moment = cross(arm, Vec<double, 3>::unit(axis, 1.0));
    std::array<double, D == 2 ? 3 : 6> r{};
    r[std::size_t(axis)] = 1;
    if constexpr (D == 2)
        r[2] = moment[2];
    else
        for (int a = 0; a < 3; ++a) r[std::size_t(3 + a)] = moment[a];
    return r;
}

}  // namespace

template <int D>
RigidCoupling<D>::RigidCoupling(const RigidSet<D>& set, std::span<RigidState> states,
                                const PlacedSolids<D>& solids, const GridDomain<D>& domain,
                                CutCells<D>& open, const CellField<std::uint8_t, D>& phase,
                                const CellField<std::int32_t, D>& region, std::size_t regions,
                                const Prescribed& prescribed, Context& context)
    : set_(set),
      states_(states),
      open_(open),
      phase_(phase),
      region_(region),
      regions_(regions),
      voxel_(domain.voxel()) {
    Stage stage(context, "bodies");
    find_faces(solids, domain, prescribed, context);
    write_velocities();
}

template <int D>
void RigidCoupling<D>::find_faces(const PlacedSolids<D>& solids, const GridDomain<D>& domain,
                                  const Prescribed& prescribed, Context& context) {
    const Tiles<D>& tiles = *phase_.tiles();
    const Transform<D>& transform = tiles.transform();
    std::vector<int> body_of(solids.placed.size(), -1);
    for (std::size_t i = 0; i < set_.bodies().size(); ++i) body_of[set_.bodies()[i].solid] = int(i);
    const auto near_any = [&](int t) {
        const Point<D> first = transform.to_world(tiles.origin(t).template as<double>());
        const Box<double, D> box{first - Point<D>::filled(voxel_),
                                 first + Point<D>::filled((kTileSide<D> + 1) * voxel_)};
        for (const auto& b : set_.bodies())
            if (!box.intersected(solids.placed[b.solid].bounds()).empty()) return true;
        return false;
    };
    const auto with_pressure = [&](int t, int o) {
        if (!tiles.is_active(t) || phase_.at(t, o) == kSolidPhase) return kNone;
        return std::size_t(t) * kTileCells<D> + std::size_t(o);
    };
    const auto visit = [&](int axis, int t, int o, int below_tile, std::vector<Face>& out) {
        const std::size_t place = std::size_t(t) * kTileCells<D> + std::size_t(o);
        const double closed = 1 - double(open_.area.read(axis)[place]);
        if (closed <= 0 || domain.is_wall(axis, tiles.origin(t) + tile_local<D>(o))) return;
        const bool border = tile_local<D>(o)[axis] == 0;
        const int stride = tile_stride<D>(axis);
        Face f{};
        f.above = with_pressure(t, o);
        f.below = with_pressure(border ? below_tile : t,
                                border ? o + (kTileSide<D> - 1) * stride : o - stride);
        if (f.above == kNone && f.below == kNone) return;
        const Point<D> x = open_.velocity.position(axis, t, o);
        const std::size_t solid = std::size_t(&solids.nearest(x) - solids.placed.data());
        f.body = body_of[solid];
        if (f.body < 0 || (prescribed && prescribed(x))) return;
        f.axis = axis;
        f.face = place;
        f.closed = closed;
        f.lever = lever_of<D>(axis, lifted(x) - states_[std::size_t(f.body)].position);
        out.push_back(f);
    };
    for (int axis = 0; axis < D; ++axis) {
        const auto borders = tiles.plus_borders(axis);
        std::vector<std::vector<Face>> lists(std::size_t(tiles.active()) + borders.size());
        for_tiles(context.arena, tiles, [&](int t) {
            if (!near_any(t)) return;
            const int below = tiles.neighbour(t, Index<D>::unit(axis, -1));
            for (int o = 0; o < kTileCells<D>; ++o) visit(axis, t, o, below, lists[std::size_t(t)]);
        });
        for (std::size_t i = 0; i < borders.size(); ++i) {
            if (!near_any(borders[i])) continue;
            const int below = tiles.find(tiles.key(borders[i]) - Index<D>::unit(axis));
            for (int o = 0; o < kTileCells<D>; ++o)
                if (tile_local<D>(o)[axis] == 0)
                    visit(axis, borders[i], o, below, lists[std::size_t(tiles.active()) + i]);
        }
        for (const auto& list : lists) faces_.insert(faces_.end(), list.begin(), list.end());
    }
}

template <int D>
void RigidCoupling<D>::write_velocities() {
    double* u[D];
    for (int a = 0; a < D; ++a) u[a] = open_.velocity.write(a);
    for (const Face& f : faces_) {
        const RigidState& s = states_[std::size_t(f.body)];
        double v = s.velocity[f.axis];
        if constexpr (D == 2)
            v += f.lever[2] * s.spin[2];
        else
            for (int a = 0; a < 3; ++a) v += f.lever[std::size_t(3 + a)] * s.spin[a];
        u[f.axis][f.face] = v;
    }
}

template <int D>
void RigidCoupling<D>::factor_masses(double density) {
    root_density_ = std::sqrt(density);
    for (int a = 0; a < D; ++a) root_density_ *= std::sqrt(voxel_);
    inertia_root_.clear();
    for (std::size_t i = 0; i < set_.bodies().size(); ++i)
        inertia_root_.push_back(cholesky(set_.bodies()[i].inertia_at(states_[i])));
}

template <int D>
auto RigidCoupling<D>::eased(std::size_t body, const Freedoms& k) const -> Freedoms {
    Freedoms r{};
    const double linear = root_density_ / std::sqrt(set_.bodies()[body].mass);
    for (int a = 0; a < D; ++a) r[std::size_t(a)] = linear * k[std::size_t(a)];
    const Tensor& l = inertia_root_[body];
    if constexpr (D == 2) {
        r[2] = root_density_ * k[2] / l[2][2];
    } else {
        for (int i = 0; i < 3; ++i) {
            double s = root_density_ * k[std::size_t(3 + i)];
            for (int j = 0; j < i; ++j) s -= l[std::size_t(i)][j] * r[std::size_t(3 + j)];
            r[std::size_t(3 + i)] = s / l[std::size_t(i)][i];
        }
    }
    return r;
}

template <int D>
void RigidCoupling<D>::gather() {
    struct Entry {
        std::size_t cell;
        Freedoms k;
    };
    const std::size_t bodies = set_.bodies().size();
    std::vector<std::vector<Entry>> entries(bodies);
    std::vector<std::vector<Freedoms>> to_region(bodies, std::vector<Freedoms>(regions_));
    for (const Face& f : faces_)
        for (int side = 0; side < 2; ++side) {
            const std::size_t cell = side ? f.below : f.above;
            if (cell == kNone) continue;
            Freedoms k = f.lever;
            for (double& v : k) v *= side ? f.closed : -f.closed;
            if (phase_.read()[cell] == kLiquidPhase) {
                entries[std::size_t(f.body)].push_back({cell, k});
            } else if (const std::int32_t r = region_.read()[cell]; r >= 0) {
                Freedoms& sum = to_region[std::size_t(f.body)][std::size_t(r)];
                for (std::size_t n = 0; n < k.size(); ++n) sum[n] += k[n];
            }
        }
    terms_.assign(bodies * kFreedoms, {});
    to_region_.assign(bodies * kFreedoms, std::vector<double>(regions_, 0.0));
    for (std::size_t b = 0; b < bodies; ++b) {
        auto& list = entries[b];
        std::stable_sort(list.begin(), list.end(),
                         [](const Entry& x, const Entry& y) { return x.cell < y.cell; });
        for (std::size_t i = 0; i < list.size();) {
            Freedoms sum{};
            const std::size_t cell = list[i].cell;
            for (; i < list.size() && list[i].cell == cell; ++i)
                for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += list[i].k[n];
            const Freedoms light = eased(b, sum);
            for (std::size_t n = 0; n < light.size(); ++n) {
                terms_[b * kFreedoms + n].cells.push_back(cell);
                terms_[b * kFreedoms + n].weights.push_back(light[n]);
            }
        }
        for (std::size_t r = 0; r < regions_; ++r) {
            const Freedoms light = eased(b, to_region[b][r]);
            for (std::size_t n = 0; n < light.size(); ++n)
                to_region_[b * kFreedoms + n][r] = light[n];
        }
    }
}

template <int D>
void RigidCoupling<D>::couple(BubbleSystem<D>& bubbles, std::span<const SurfaceFace> faces,
                              std::span<const RegionRow> rows) {
    const std::size_t n = terms_.size();
    region_sum_.assign(regions_, 0.0);
    std::vector<Row> around(regions_);  // S⁻¹ Wᵀ of the regions that touch a body
    for (std::size_t r = 0; r < regions_; ++r) {
        bool touched = false;
        for (const auto& k : to_region_) touched = touched || k[r] != 0;
        if (touched && rows[r].constrained && bubbles.rows[r].sum > 0)
            region_sum_[r] = bubbles.rows[r].sum;
    }
    std::vector<std::pair<std::size_t, double>> list;
    for (std::size_t r = 0; r < regions_; ++r) {
        if (region_sum_[r] == 0) continue;
        list.clear();
        for (std::size_t i = 0; i < faces.size(); ++i)
            if (faces[i].region == std::int32_t(r))
                list.emplace_back(faces[i].cell, bubbles.weight[i] / region_sum_[r]);
        std::stable_sort(list.begin(), list.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [cell, w] : list) {
            if (!around[r].cells.empty() && around[r].cells.back() == cell) {
                around[r].weights.back() += w;
            } else {
                around[r].cells.push_back(cell);
                around[r].weights.push_back(w);
            }
        }
    }
    factor_.assign(n * n, 0.0);
    constant_.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        factor_[i * n + i] = 1;
        for (std::size_t r = 0; r < regions_; ++r) {
            if (region_sum_[r] == 0 || to_region_[i][r] == 0) continue;
            add_multiple(terms_[i], to_region_[i][r], around[r]);
            constant_[i] += to_region_[i][r] * bubbles.rows[r].offset / region_sum_[r];
            for (std::size_t j = 0; j < n; ++j)
                factor_[i * n + j] += to_region_[i][r] * to_region_[j][r] / region_sum_[r];
        }
    }
    cholesky(factor_, n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            add_multiple(terms_[i], -factor_[i * n + j], terms_[j]);
            constant_[i] -= factor_[i * n + j] * constant_[j];
        }
        for (double& w : terms_[i].weights) w /= factor_[i * n + i];
        constant_[i] /= factor_[i * n + i];
    }
}

template <int D>
void RigidCoupling<D>::add_to(BubbleSystem<D>& bubbles, std::span<const SurfaceFace> faces,
                              std::span<const RegionRow> rows, double density) {
    factor_masses(density);
    gather();
    couple(bubbles, faces, rows);
    double* rhs = bubbles.system.rhs.write();
    for (std::size_t i = 0; i < terms_.size(); ++i) {
        const Row& term = terms_[i];
        if (term.cells.empty()) continue;
        for (std::size_t k = 0; k < term.cells.size(); ++k)
            rhs[term.cells[k]] -= constant_[i] * term.weights[k];
        bubbles.system.low_rank.push_back({1, term.cells, term.weights});
    }
}

template <int D>
void RigidCoupling<D>::finish(const double* x, std::span<double> inside) {
    const std::size_t n = terms_.size();
    std::vector<double> v = constant_;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < terms_[i].cells.size(); ++k)
            v[i] += terms_[i].weights[k] * x[terms_[i].cells[k]];
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) v[i] -= factor_[j * n + i] * v[j];
        v[i] /= factor_[i * n + i];
    }
    for (std::size_t r = 0; r < regions_; ++r) {
        if (region_sum_[r] == 0) continue;
        for (std::size_t i = 0; i < n; ++i) inside[r] -= to_region_[i][r] * v[i] / region_sum_[r];
    }
    for (std::size_t b = 0; b < set_.bodies().size(); ++b) {
        const double* w = v.data() + b * kFreedoms;
        RigidState& s = states_[b];
        const double linear = root_density_ * voxel_ / std::sqrt(set_.bodies()[b].mass);
        for (int a = 0; a < D; ++a) s.velocity[a] += linear * w[a];
        const Tensor& l = inertia_root_[b];
        if constexpr (D == 2) {
            s.spin[2] += root_density_ * voxel_ * w[2] / l[2][2];
        } else {
            Vec<double, 3> turn{};
            for (int i = 2; i >= 0; --i) {
                double sum = root_density_ * voxel_ * w[3 + i];
                for (int j = i + 1; j < 3; ++j) sum -= l[std::size_t(j)][i] * turn[j];
                turn[i] = sum / l[std::size_t(i)][i];
            }
            s.spin += turn;
        }
    }
    write_velocities();
}

template class RigidCoupling<2>;
template class RigidCoupling<3>;

}  // namespace spume
