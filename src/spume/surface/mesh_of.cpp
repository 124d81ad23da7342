// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/mesh_of.h"

#include <algorithm>
#include <limits>

#include "spume/core/error.h"
#include "spume/surface/cube_cases.h"

namespace spume {
namespace {

/// A crossing very near a cell's centre is moved this much of a voxel away from it: the triangles
/// around it keep an area.
constexpr double kLeast = 1e-4;

template <int D>
constexpr int power(int base) {
    return D == 2 ? base * base : base * base * base;
}

/// f(step) for each corner of the unit cube.
template <int D, class F>
void for_corners(F&& f) {
    for (int c = 0; c < (1 << D); ++c) {
        Index<D> step{};
        for (int a = 0; a < D; ++a) step[a] = c >> a & 1;
        f(c, step);
    }
}

/// Values of a tile and of one more layer on its upper sides.
template <class T, int D>
struct UpperBlock {
    static constexpr int kSide = kTileSide<D> + 1;
    T v[power<D>(kSide)];
    int corner[1 << D];  ///< distance in memory from a cell to the corners of its cube

    UpperBlock() : v{} {
        for_corners<D>([&](int c, const Index<D>& step) { corner[c] = at(step); });
    }
    static int at(const Index<D>& local) {
        int o = 0;
        for (int a = 0; a < D; ++a) o = o * kSide + local[a];
        return o;
    }
    /// True when a surface may pass through.
    bool load(const CellField<T, D>& field, const Index<D>& key) {
        const Tiles<D>& tiles = *field.tiles();
        bool inside = false, outside = false;
        for_corners<D>([&](int, const Index<D>& step) {
            const int source = tiles.find(key + step);
            const bool active = tiles.is_active(source);
            Index<D> local{};
            int count = 1;
            for (int a = 0; a < D; ++a) count *= step[a] ? 1 : kTileSide<D>;
            for (int n = 0; n < count; ++n) {
                Index<D> to{};
                for (int a = D - 1, rest = n; a >= 0; --a) {
                    const int along = step[a] ? 1 : kTileSide<D>;
                    local[a] = rest % along;
                    to[a] = local[a] + step[a] * kTileSide<D>;
                    rest /= along;
                }
                const T value = active ? field.at(source, tile_offset<D>(local))
                                       : static_cast<T>(tiles.voxel());
                v[at(to)] = value;
                inside = inside || value < T(0);
                outside = outside || !(value < T(0));
            }
        });
        return inside && outside;
    }
    int inside_corners(int place) const {
        int inside = 0;
        for (int c = 0; c < (1 << D); ++c)
            if (v[place + corner[c]] < T(0)) inside |= 1 << c;
        return inside;
    }
};

/// What one tile adds to the surface. A tile owns the edges that start in its cells.
template <int D>
struct Piece {
    std::vector<std::int32_t> edge;  ///< [cell · D + axis] number among its crossings, −1: none
    std::int32_t crossings = 0, middles = 0;
    std::int64_t elements = 0;
    std::int64_t first_vertex = 0, first_element = 0;

    std::int64_t vertices() const { return std::int64_t(crossings) + middles; }
};

template <class T, int D>
class Marcher {
  public:
    Marcher(const CellField<T, D>& field, Context& context) : field_(field), context_(context) {
        std::vector<Index<D>> keys;
        for (const Index<D>& key : field.tiles()->active_keys())
            for_corners<D>([&](int, const Index<D>& step) { keys.push_back(key - step); });
        cubes_ = Tiles<D>::build(std::move(keys), field.tiles()->transform());
        pieces_.resize(std::size_t(cubes_->active()));
        for_tiles(context.arena, *cubes_, [&](int t) { count(t); });
        for (Piece<D>& piece : pieces_) {
            piece.first_vertex = vertices_;
            piece.first_element = elements_;
            vertices_ += piece.vertices();
            elements_ += piece.elements;
        }
        SPUME_CHECK_OP(vertices_, <=, std::int64_t(std::numeric_limits<std::int32_t>::max()));
    }

    void fill(std::vector<Point<D>>& vertices, std::vector<Vec<std::int32_t, D>>& elements) {
        vertices.resize(std::size_t(vertices_));
        elements.resize(std::size_t(elements_));
        for_tiles(context_.arena, *cubes_, [&](int t) {
            if (pieces_[std::size_t(t)].edge.empty()) return;
            UpperBlock<T, D> block;
            block.load(field_, cubes_->key(t));
            place_crossings(t, block, vertices);
        });
        // Middles need the crossings of neighbours: only now.
        for_tiles(context_.arena, *cubes_, [&](int t) {
            if (pieces_[std::size_t(t)].elements > 0) place_elements(t, vertices, elements);
        });
    }

  private:
    void count(int t) {
        UpperBlock<T, D> block;
        if (!block.load(field_, cubes_->key(t))) return;
        Piece<D>& piece = pieces_[std::size_t(t)];
        piece.edge.assign(std::size_t(kTileCells<D>) * D, -1);
        for (int o = 0; o < kTileCells<D>; ++o) {
            const int place = block.at(tile_local<D>(o));
            const int inside = block.inside_corners(place);
            if (inside == 0 || inside == (1 << (1 << D)) - 1) continue;
            for (int a = 0; a < D; ++a)
                if ((inside & 1) != (inside >> (1 << a) & 1))
                    piece.edge[std::size_t(o * D + a)] = piece.crossings++;
            piece.middles += static_cast<std::int32_t>(cases_[inside].rings.size());
            piece.elements += static_cast<std::int64_t>(cases_[inside].elements.size());
        }
    }

    void place_crossings(int t, const UpperBlock<T, D>& block, std::vector<Point<D>>& vertices) {
        const Piece<D>& piece = pieces_[std::size_t(t)];
        for (int o = 0; o < kTileCells<D>; ++o)
            for (int a = 0; a < D; ++a) {
                const std::int32_t number = piece.edge[std::size_t(o * D + a)];
                if (number < 0) continue;
                const int place = block.at(tile_local<D>(o));
                const double here = static_cast<double>(block.v[place]);
                const double there = static_cast<double>(block.v[place + block.corner[1 << a]]);
                Point<D> u = (cubes_->origin(t) + tile_local<D>(o)).template as<double>() +
                             Point<D>::filled(0.5);
                u[a] += std::clamp(here / (here - there), kLeast, 1 - kLeast);
                vertices[std::size_t(piece.first_vertex + number)] =
                    cubes_->transform().to_world(u);
            }
    }

    void place_elements(int t, std::vector<Point<D>>& vertices,
                        std::vector<Vec<std::int32_t, D>>& elements) {
        UpperBlock<T, D> block;
        block.load(field_, cubes_->key(t));
        const Piece<D>& piece = pieces_[std::size_t(t)];
        std::int64_t middle = piece.first_vertex + piece.crossings, element = piece.first_element;
        for (int o = 0; o < kTileCells<D>; ++o) {
            const Index<D> local = tile_local<D>(o);
            const CubeCase& made = cases_[block.inside_corners(block.at(local))];
            if (made.elements.empty()) continue;
            for (const auto& corners : made.elements) {
                Vec<std::int32_t, D> to{};
                for (int i = 0; i < D; ++i) {
                    const int n = corners[std::size_t(i)];
                    to[i] = n < Edges::kCount
                                ? vertex(t, local, n)
                                : static_cast<std::int32_t>(middle + n - Edges::kCount);
                }
                elements[std::size_t(element++)] = to;
            }
            for (const std::vector<int>& ring : made.rings) {
                Point<D> sum{};
                for (int n : ring) sum += vertices[std::size_t(vertex(t, local, n))];
                vertices[std::size_t(middle++)] = sum / static_cast<double>(ring.size());
            }
        }
    }

    /// The crossing of edge n of the cube at `local`, which a neighbour of tile t may own.
    std::int32_t vertex(int t, const Index<D>& local, int n) const {
        const Edges& edges = cases_.edges();
        Index<D> cell = local, step{};
        for (int a = 0; a < D; ++a) {
            cell[a] += edges.corner[n] >> a & 1;
            step[a] = cell[a] / kTileSide<D>;
            cell[a] -= step[a] * kTileSide<D>;
        }
        const Piece<D>& owner = pieces_[std::size_t(cubes_->neighbour(t, step))];
        return static_cast<std::int32_t>(
            owner.first_vertex + owner.edge[std::size_t(tile_offset<D>(cell) * D + edges.axis[n])]);
    }

    using Edges = detail::CubeEdges<D>;
    using CubeCase = detail::CubeCase<D>;
    const CellField<T, D>& field_;
    Context& context_;
    detail::CubeCases<D> cases_;
    typename Tiles<D>::Ptr cubes_;  ///< tiles with a cube that touches an active cell
    std::vector<Piece<D>> pieces_;
    std::int64_t vertices_ = 0, elements_ = 0;
};

}  // namespace

template <class T>
TriangleMesh mesh_of(const CellField<T, 3>& level_set, Context& context) {
    Stage stage(context, "mesh");
    TriangleMesh mesh;
    Marcher<T, 3>(level_set, context).fill(mesh.vertices, mesh.triangles);
    return mesh;
}

template <class T>
Outline outline_of(const CellField<T, 2>& level_set, Context& context) {
    Stage stage(context, "mesh");
    Outline outline;
    Marcher<T, 2>(level_set, context).fill(outline.vertices, outline.segments);
    return outline;
}

double enclosed_volume(const TriangleMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles)
        sum += dot(mesh.vertices[std::size_t(t[0])],
                   cross(mesh.vertices[std::size_t(t[1])], mesh.vertices[std::size_t(t[2])]));
    return sum / 6;
}

double area_of(const TriangleMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        const Point<3> a = mesh.vertices[std::size_t(t[0])];
        sum += length(cross(mesh.vertices[std::size_t(t[1])] - a,
                            mesh.vertices[std::size_t(t[2])] - a)) /
               2;
    }
    return sum;
}

template TriangleMesh mesh_of<float>(const CellField<float, 3>&, Context&);
template TriangleMesh mesh_of<double>(const CellField<double, 3>&, Context&);
template Outline outline_of<float>(const CellField<float, 2>&, Context&);
template Outline outline_of<double>(const CellField<double, 2>&, Context&);

}  // namespace spume
