// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/free_surface/liquid_viscosity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "spume/grid/sample.h"
#include "spume/solve/lattice_multigrid.h"

namespace spume {
namespace {

constexpr std::int32_t kNothing = -1, kPrescribed = -2, kUnknown = -3;
/// Faces with less liquid keep their velocity.
constexpr double kLeastLiquid = 1e-3;
constexpr std::size_t kTilePiece = 8;
constexpr int kMostIterations = 500;

/// What the strains of some tiles add to the matrix and to its right side.
struct Parts {
    std::vector<FaceStrain> strains;
    std::vector<std::pair<std::int32_t, double>> rhs, mass;
};

/// Builds the matrix strain by strain: each is a difference of a few faces, and its square with a
/// weight is one small block. One a thread.
template <int D>
class Assembly {
  public:
    Assembly(const CellField<float, D>& fraction, const CutCells<D>& open,
             const PlacedSolids<D>& bodies, std::span<const std::uint8_t> no_slip,
             const GridDomain<D>& domain, const Viscosity<D>& v)
        : fraction_(fraction),
          open_(open),
          bodies_(bodies),
          no_slip_(no_slip),
          basin_(domain),
          viscosity_(v),
          tiles_(*fraction.tiles()),
          cursor_(tiles_) {}

    /// kUnknown, kPrescribed or kNothing.
    std::int32_t kind_of_face(int a, int t, int o) {
        const std::size_t at = std::size_t(t) * kTileCells<D> + std::size_t(o);
        const Index<D> face = tiles_.origin(t) + tile_local<D>(o);
        const Index<D> below = face - Index<D>::unit(a);
        if (open_.area.read(a)[at] > 0)
            return 0.5 * (liquid(face) + liquid(below)) > kLeastLiquid ? kUnknown : kNothing;
        return holds(face) || holds(below) ? kPrescribed : kNothing;
    }

    /// All strains and masses of a tile, by the numbers of its faces.
    void add_tile(int t, const FaceField<std::int32_t, D>& number, Parts& out) {
        number_ = &number;
        out_ = &out;
        add_tile(t);
    }

  private:
    double liquid(const Index<D>& cell) {
        const std::size_t at = cursor_(cell);
        return tiles_.is_active(cursor_.tile()) && open_.kind.read()[at] == kFluidCell
                   ? double(fraction_.read()[at])
                   : 0.0;
    }
    /// A cell inside something that holds the liquid; outside the box only if its walls do.
    bool holds(const Index<D>& cell) {
        for (int a = 0; a < D; ++a)
            if (cell[a] < basin_.cells.lo[a] || cell[a] >= basin_.cells.hi[a])
                return viscosity_.no_slip_box;
        const std::size_t at = cursor_(cell);
        if (!tiles_.is_active(cursor_.tile()) || open_.kind.read()[at] == kFluidCell) return false;
        return sticky(
            basin_.transform.to_world(cell.template as<double>() + Point<D>::filled(0.5)));
    }
    bool sticky(const Point<D>& x) const {
        for (std::size_t i = 0; i < bodies_.placed.size(); ++i)
            if (no_slip_[i] && bodies_.placed[i].distance_within(x, tiles_.voxel()) < 0)
                return true;
        return false;
    }

    struct Term {
        int axis;
        Index<D> face;
        double sign;
    };

    bool is_unknown(const Term& term) {
        const std::size_t at = cursor_(term.face);
        return cursor_.tile() != tiles_.zero() && number_->read(term.axis)[at] >= 0;
    }
    double way_to_wall(const Term& from, const Term& to) const {
        const double h = tiles_.voxel();
        if (beside_box(to.axis, to.face)) return h / 2;
        Point<D> u = from.face.template as<double>() + Point<D>::filled(0.5);
        u[from.axis] -= 0.5;
        const double d = bodies_.distance_within(basin_.transform.to_world(u), 2 * h);
        return std::clamp(d, h / 4, h);
    }

    /// weight · (Σ sign u)², each velocity an unknown or prescribed; left out if one is neither.
    void add_square(const Index<D>& cell, std::span<const Term> terms, double weight) {
        std::int32_t n[4];
        double valid = 0;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            // A face across the walls' own side may lie in no tile: held at the solid's velocity.
            const std::size_t at = cursor_(terms[i].face);
            const bool stored = cursor_.tile() != tiles_.zero();
            n[i] = stored ? number_->read(terms[i].axis)[at] : kNothing;
            if (n[i] == kNothing && viscosity_.no_slip_box &&
                beside_box(terms[i].axis, terms[i].face))
                n[i] = kPrescribed;
            else if (n[i] == kNothing)
                return;
            if (n[i] == kPrescribed && stored)
                valid += terms[i].sign * open_.velocity.read(terms[i].axis)[at];
        }
        FaceStrain strain;
        for (int d = 0; d < D; ++d) strain.index[d] = cell[d];
        strain.a = terms.front().axis;
        strain.b = terms.back().axis;
        strain.weight = weight;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            if (n[i] < 0) continue;
            strain.term[i] = n[i];
            if (valid != 0) out_->rhs.emplace_back(n[i], -weight * terms[i].sign * valid);
        }
        out_->strains.push_back(strain);
    }
    bool beside_box(int axis, const Index<D>& face) const {
        for (int a = 0; a < D; ++a)
            if (a != axis && (face[a] < basin_.cells.lo[a] || face[a] >= basin_.cells.hi[a]))
                return true;
        return false;
    }

    void add_tile(int t) {
        const Index<D> origin = tiles_.origin(t);
        const double h = tiles_.voxel();
        const double strain = viscosity_.dt * viscosity_.viscosity / (h * h);
        Index<D> last = Index<D>::filled(kTileSide<D>);
        for (int a = 0; a < D; ++a)
            last[a] += !tiles_.is_active(tiles_.neighbour(t, Index<D>::unit(a)));
        Index<D> local{};
        for (bool more = true; more;) {
            const Index<D> cell = origin + local;
            add_masses(cell, local);
            bool inside = true;
            for (int a = 0; a < D; ++a) inside = inside && local[a] < kTileSide<D>;
            if (inside && liquid(cell) > 0)
                for (int a = 0; a < D; ++a) {
                    const Term terms[2] = {{a, cell + Index<D>::unit(a), 1}, {a, cell, -1}};
                    add_square(cell, terms, 2 * strain * liquid(cell));
                }
            for (int a = 0; a < D; ++a)
                for (int b = a + 1; b < D; ++b) add_edge(cell, a, b, strain);
            more = false;
            for (int a = D - 1; a >= 0 && !more; --a) {
                more = ++local[a] < last[a];
                if (!more) local[a] = 0;
            }
        }
    }

    /// The shear about the edge at the lower corner of the cell, across axes a and b.
    void add_edge(const Index<D>& cell, int a, int b, double strain) {
        const Index<D> ea = Index<D>::unit(a), eb = Index<D>::unit(b);
        const Index<D> around[4] = {cell, cell - ea, cell - eb, cell - ea - eb};
        double part = 0;
        bool any = false;
        for (const Index<D>& c : around) {
            const double l = liquid(c);
            any = any || l > 0;
            part += l > 0 ? l : holds(c) ? 1.0 : 0.0;
        }
        if (!any) return;
        const Term terms[4] = {{a, cell, 1}, {a, cell - eb, -1}, {b, cell, 1}, {b, cell - ea, -1}};
        // Where one side is held the liquid's velocity falls to it not over a whole voxel but over
        // the way to the wall: larger strain in a smaller volume.
        double steeper = 1;
        for (int pair = 0; pair < 4; pair += 2)
            for (int k = 0; k < 2; ++k) {
                const Term &here = terms[pair + k], &there = terms[pair + 1 - k];
                if (is_unknown(here) && !is_unknown(there))
                    steeper = std::max(steeper, tiles_.voxel() / way_to_wall(here, there));
            }
        add_square(cell, terms, steeper * strain * part / 4);
    }

    /// ρ V of the lower faces of a cell, each face once.
    void add_masses(const Index<D>& cell, const Index<D>& local) {
        for (int a = 0; a < D; ++a) {
            bool own = true;
            for (int d = 0; d < D; ++d) own = own && (local[d] < kTileSide<D> || d == a);
            const std::size_t at = cursor_(cell);
            if (!own || cursor_.tile() == tiles_.zero()) continue;
            const std::int32_t n = number_->read(a)[at];
            if (n < 0) continue;
            const double full = 0.5 * (liquid(cell) + liquid(cell - Index<D>::unit(a)));
            const auto& inverse_density_ratio = viscosity_.inverse_density_ratio;
            const double light =
                inverse_density_ratio.tiles() ? inverse_density_ratio.read(a)[at] : 1.0;
            const double mass = viscosity_.density / light * full;
            out_->mass.emplace_back(n, mass);
        }
    }

    const CellField<float, D>& fraction_;
    const CutCells<D>& open_;
    const PlacedSolids<D>& bodies_;
    std::span<const std::uint8_t> no_slip_;
    const GridDomain<D>& basin_;
    const Viscosity<D>& viscosity_;
    const Tiles<D>& tiles_;
    TileCursor<D> cursor_;
    const FaceField<std::int32_t, D>* number_ = nullptr;
    Parts* out_ = nullptr;
};

/// f(axis, tile, offset) for each face, those on plus borders too, in the order of their numbers.
template <int D, class F>
void for_faces(const Tiles<D>& tiles, int axis, F&& f) {
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<D>; ++o) f(t, o);
    for (const int t : tiles.plus_borders(axis))
        for (int o = 0; o < kTileCells<D>; ++o)
            if (tile_local<D>(o)[axis] == 0) f(t, o);
}

}  // namespace

template <int D>
struct ViscousSystem<D>::Matrix {
    std::vector<double> prescribed;
    std::unique_ptr<LatticeMultigrid> solver;  ///< of M + K

    const std::vector<double>& mass() const { return solver->lattice().mass; }
};

template <int D>
ViscousSystem<D>::ViscousSystem(const CellField<float, D>& fraction, const CutCells<D>& open,
                                const PlacedSolids<D>& bodies,
                                std::span<const std::uint8_t> no_slip, const GridDomain<D>& domain,
                                const Viscosity<D>& viscosity, Context& context)
    : number_(fraction.tiles(), kNothing), matrix_(std::make_unique<Matrix>()) {
    Stage stage(context, "viscosity");
    const Tiles<D>& tiles = *fraction.tiles();
    const auto assembly = [&] {
        return Assembly<D>(fraction, open, bodies, no_slip, domain, viscosity);
    };
    StrainLattice lattice;
    lattice.dimensions = D;
    std::vector<FacePlace>& places = lattice.places;
    for (int a = 0; a < D; ++a) {
        std::int32_t* n = number_.write(a);
        for_tiles(context.arena, tiles, [&](int t) {
            Assembly<D> faces = assembly();
            for (int o = 0; o < kTileCells<D>; ++o)
                n[std::size_t(t) * kTileCells<D> + std::size_t(o)] = faces.kind_of_face(a, t, o);
        });
        Assembly<D> faces = assembly();
        for_faces<D>(tiles, a, [&](int t, int o) {
            std::int32_t& here = n[std::size_t(t) * kTileCells<D> + std::size_t(o)];
            if (!tiles.is_active(t)) here = faces.kind_of_face(a, t, o);
            if (here != kUnknown) return;
            here = std::int32_t(places.size());
            FacePlace place{a, {}};
            for (int d = 0; d < D; ++d) place.index[d] = (tiles.origin(t) + tile_local<D>(o))[d];
            places.push_back(place);
        });
    }
    std::vector<Parts> parts((std::size_t(tiles.active()) + kTilePiece - 1) / kTilePiece);
    for_range(context.arena, std::size_t(tiles.active()), kTilePiece,
              [&](std::size_t begin, std::size_t end) {
                  Assembly<D> strains = assembly();
                  for (std::size_t t = begin; t < end; ++t)
                      strains.add_tile(int(t), number_, parts[begin / kTilePiece]);
              });
    lattice.mass.assign(places.size(), 0);
    matrix_->prescribed.assign(places.size(), 0);
    for (const Parts& part : parts) {
        lattice.strains.insert(lattice.strains.end(), part.strains.begin(), part.strains.end());
        for (const auto& [n, mass] : part.mass) lattice.mass[std::size_t(n)] = mass;
        for (const auto& [n, force] : part.rhs) matrix_->prescribed[std::size_t(n)] += force;
    }
    matrix_->solver = std::make_unique<LatticeMultigrid>(std::move(lattice), context);
}
template <int D>
ViscousSystem<D>::~ViscousSystem() = default;

template <int D>
int ViscousSystem<D>::unknowns() const {
    return int(matrix_->mass().size());
}

template <int D>
std::vector<double> ViscousSystem<D>::gather(const FaceField<double, D>& field) const {
    std::vector<double> r(std::size_t(unknowns()), 0.0);
    for (int a = 0; a < D; ++a) {
        const double* from = field.read(a);
        const std::int32_t* n = number_.read(a);
        for (std::size_t i = 0; i < number_.component(a).size(); ++i)
            if (n[i] >= 0) r[std::size_t(n[i])] = from[i];
    }
    return r;
}

template <int D>
void ViscousSystem<D>::scatter(const std::vector<double>& vector,
                               FaceField<double, D>& field) const {
    for (int a = 0; a < D; ++a) {
        double* to = field.write(a);
        const std::int32_t* n = number_.read(a);
        for (std::size_t i = 0; i < number_.component(a).size(); ++i)
            if (n[i] >= 0) to[i] = vector[std::size_t(n[i])];
    }
}

template <int D>
SolveReport ViscousSystem<D>::solve(std::vector<double>& u, double tolerance, bool at_rest,
                                    Context& context) const {
    Stage stage(context, "viscosity");
    std::vector<double> rhs(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
        rhs[i] = matrix_->mass()[i] * u[i] + (at_rest ? 0 : matrix_->prescribed[i]);
    return matrix_->solver->solve(rhs, u, tolerance, kMostIterations, context);
}

template <int D>
std::vector<double> ViscousSystem<D>::stress(const std::vector<double>& u, Context& context) const {
    Stage stage(context, "viscosity");
    std::vector<double> r(u.size());
    matrix_->solver->matrix().for_products(u.data(), context, [&](std::size_t i, double force) {
        r[i] = force / matrix_->mass()[i] - u[i];
    });
    return r;
}

template <int D>
double ViscousSystem<D>::norm(const std::vector<double>& u, Context& context) const {
    const double* mass = matrix_->mass().data();
    return std::sqrt(reduce(
        context.arena, u.size(), 4096, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += mass[i] * u[i] * u[i];
            return sum;
        },
        [](double a, double b) { return a + b; }));
}

template class ViscousSystem<2>;
template class ViscousSystem<3>;

}  // namespace spume
