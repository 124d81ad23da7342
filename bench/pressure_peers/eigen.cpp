// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <ctime>

#include <Eigen/Sparse>

#include "../pressure_peers.h"

namespace spume::bench {

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

Rows rows_of(const PressureSystem<3>& s) {
    Rows rows;
    const Tiles<3>& tiles = *s.tiles;
    std::vector<int> number(tiles.values(), -1);
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o)
            if (s.kind.at(t, o) == kFluidCell) {
                number[std::size_t(t) * kTileCells<3> + std::size_t(o)] =
                    static_cast<int>(rows.cell.size());
                rows.cell.push_back(tiles.origin(t) + tile_local<3>(o));
            }
    for (int t = 0; t < tiles.active(); ++t)
        for (int o = 0; o < kTileCells<3>; ++o) {
            if (s.kind.at(t, o) != kFluidCell) continue;
            double diagonal = s.diagonal_extra.tiles() ? s.diagonal_extra.at(t, o) : 0;
            for (int face = 0; face < 6; ++face) {
                const int a = face / 2, up = face % 2;
                Index<3> local = tile_local<3>(o);
                local[a] += up ? 1 : -1;
                Index<3> step{};
                if (local[a] < 0) step[a] = -1, local[a] = 7;
                if (local[a] > 7) step[a] = 1, local[a] = 0;
                const int tn = tiles.neighbour(t, step), on = tile_offset<3>(local);
                int next = -1;
                double c = 0;
                if (tiles.is_active(tn) && s.kind.at(tn, on) != kNoCell) {
                    c = up ? s.coefficient.at(a, tn, on) : s.coefficient.at(a, t, o);
                    diagonal += c;
                    next = number[std::size_t(tn) * kTileCells<3> + std::size_t(on)];
                }
                rows.neighbour.push_back(next);
                rows.coefficient.push_back(next < 0 ? 0 : c);
            }
            rows.diagonal.push_back(diagonal);
            rows.rhs.push_back(s.rhs.at(t, o));
        }
    return rows;
}

double Rows::residual(const std::vector<double>& x) const {
    double left = 0, whole = 0;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        double r = rhs[i] - diagonal[i] * x[i];
        for (std::size_t f = 6 * i; f < 6 * i + 6; ++f)
            if (neighbour[f] >= 0) r += coefficient[f] * x[std::size_t(neighbour[f])];
        left += r * r;
        whole += rhs[i] * rhs[i];
    }
    return std::sqrt(left / whole);
}

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

Matrix matrix_of(const Rows& rows) {
    Matrix m(rows.size(), rows.size());
    m.reserve(Eigen::VectorXi::Constant(rows.size(), 7));
    for (int i = 0; i < rows.size(); ++i) {
        m.insert(i, i) = rows.diagonal[std::size_t(i)];
        for (std::size_t f = 6 * std::size_t(i); f < 6 * std::size_t(i) + 6; ++f)
            if (rows.neighbour[f] >= 0) m.insert(i, rows.neighbour[f]) = -rows.coefficient[f];
    }
    m.makeCompressed();
    return m;
}

template <class Solver>
PeerResult run(const Rows& rows, double tolerance) {
    const Matrix m = matrix_of(rows);
    const Eigen::Map<const Eigen::VectorXd> b(rows.rhs.data(), rows.size());
    const double begin = cpu_seconds();
    Solver solver;
    solver.setTolerance(tolerance);
    solver.setMaxIterations(20000);
    solver.compute(m);
    const Eigen::VectorXd x = solver.solve(b);
    PeerResult r;
    r.seconds = cpu_seconds() - begin;
    r.iterations = static_cast<int>(solver.iterations());
    r.residual = rows.residual({x.data(), x.data() + x.size()});
    return r;
}

}  // namespace

PeerResult eigen_jacobi(const Rows& rows, double tolerance) {
    return run<Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper>>(rows, tolerance);
}
PeerResult eigen_cholesky(const Rows& rows, double tolerance) {
    // The natural order of the cells: a minimum-degree order costs three times the seconds here.
    using Factor = Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>;
    return run<Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Factor>>(rows,
                                                                                      tolerance);
}

}  // namespace spume::bench
