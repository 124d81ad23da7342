// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>

#include "../pressure_peers.h"

namespace spume::bench {
namespace {

struct Library {
    Library() {
        MPI_Init(nullptr, nullptr);
        HYPRE_Init();
    }
    ~Library() {
        HYPRE_Finalize();
        MPI_Finalize();
    }
};
void open_library() { static const Library library; }

/// Where the rows stand in the lattice.
struct Places {
    std::vector<int> row;
    int n;
    Places(const Rows& rows, int size) : row(std::size_t(size) * size * size, -1), n(size) {
        for (int i = 0; i < rows.size(); ++i) row[at(rows.cell[std::size_t(i)])] = i;
    }
    std::size_t at(const Index<3>& c) const {
        return (std::size_t(c[2]) * n + std::size_t(c[1])) * n + std::size_t(c[0]);
    }
};

/// f(cell) in the order of hypre's boxes: first axis fastest.
template <class F>
void for_cells(const CellBox& box, F&& f) {
    for (int z = box.low[2]; z <= box.high[2]; ++z)
        for (int y = box.low[1]; y <= box.high[1]; ++y)
            for (int x = box.low[0]; x <= box.high[0]; ++x) f(Index<3>{x, y, z});
}

/// Seven values a cell, centre first.
void set_box(const Rows& rows, const Places& places, const CellBox& box, HYPRE_StructMatrix matrix,
             HYPRE_StructVector b, HYPRE_StructVector u) {
    std::vector<double> values, rhs;
    for_cells(box, [&](const Index<3>& cell) {
        const int i = places.row[places.at(cell)];
        values.push_back(i < 0 ? 1.0 : rows.diagonal[std::size_t(i)]);
        rhs.push_back(i < 0 ? 0.0 : rows.rhs[std::size_t(i)]);
        for (std::size_t f = 0; f < 6; ++f)
            values.push_back(i < 0 ? 0.0 : -rows.coefficient[6 * std::size_t(i) + f]);
    });
    HYPRE_Int low[3] = {box.low[0], box.low[1], box.low[2]};
    HYPRE_Int high[3] = {box.high[0], box.high[1], box.high[2]};
    HYPRE_Int entries[7] = {0, 1, 2, 3, 4, 5, 6};
    HYPRE_StructMatrixSetBoxValues(matrix, low, high, 7, entries, values.data());
    HYPRE_StructVectorSetBoxValues(b, low, high, rhs.data());
    std::fill(rhs.begin(), rhs.end(), 0.0);
    HYPRE_StructVectorSetBoxValues(u, low, high, rhs.data());
}

/// CG with one PFMG cycle, set-up included.
void run_pfmg(HYPRE_StructMatrix matrix, HYPRE_StructVector b, HYPRE_StructVector u,
              double tolerance, PeerResult& result) {
    const double begin = cpu_seconds();
    HYPRE_StructSolver cg, mg;
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_StructPCGSetMaxIter(cg, 500);
    HYPRE_StructPCGSetTol(cg, tolerance);
    HYPRE_StructPCGSetTwoNorm(cg, 1);
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &mg);
    HYPRE_StructPFMGSetMaxIter(mg, 1);
    HYPRE_StructPFMGSetTol(mg, 0);
    HYPRE_StructPFMGSetZeroGuess(mg);
    HYPRE_StructPFMGSetRelaxType(mg, 2);  // symmetric red/black Gauss–Seidel
    HYPRE_StructPFMGSetNumPreRelax(mg, 1);
    HYPRE_StructPFMGSetNumPostRelax(mg, 1);
    HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, mg);
    HYPRE_StructPCGSetup(cg, matrix, b, u);
    HYPRE_StructPCGSolve(cg, matrix, b, u);
    result.seconds = cpu_seconds() - begin;
    HYPRE_Int iterations = 0;
    HYPRE_StructPCGGetNumIterations(cg, &iterations);
    result.iterations = static_cast<int>(iterations);
    HYPRE_StructPCGDestroy(cg);
    HYPRE_StructPFMGDestroy(mg);
}

}  // namespace

std::vector<CellBox> boxes_of(const Tiles<3>& tiles) {
    std::vector<std::uint8_t> used(std::size_t(tiles.active()), 0);
    const auto is_free = [&](const Index<3>& key) {
        const int t = tiles.find(key);
        return tiles.is_active(t) && !used[std::size_t(t)];
    };
    std::vector<CellBox> boxes;
    for (const Index<3>& first : tiles.active_keys()) {
        if (!is_free(first)) continue;
        Index<3> last = first;
        const auto all_free = [&](const Index<3>& from) {
            bool free = true;
            for_cells({from, last}, [&](const Index<3>& key) { free = free && is_free(key); });
            return free;
        };
        for (int a = 2; a >= 0; --a)
            for (;;) {
                Index<3> from = first;
                from[a] = ++last[a];
                if (all_free(from)) continue;
                --last[a];
                break;
            }
        for_cells({first, last},
                  [&](const Index<3>& key) { used[std::size_t(tiles.find(key))] = 1; });
        boxes.push_back({first * 8, last * 8 + Index<3>::filled(7)});
    }
    return boxes;
}

PeerResult hypre_pfmg(const Rows& rows, const std::vector<CellBox>& boxes, int n,
                      double tolerance) {
    open_library();
    const Places places(rows, n);
    HYPRE_StructGrid grid;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    for (const CellBox& box : boxes) {
        HYPRE_Int low[3] = {box.low[0], box.low[1], box.low[2]};
        HYPRE_Int high[3] = {box.high[0], box.high[1], box.high[2]};
        HYPRE_StructGridSetExtents(grid, low, high);
    }
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencil shape;
    HYPRE_StructStencilCreate(3, 7, &shape);
    HYPRE_Int offsets[7][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0},
                               {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    for (int i = 0; i < 7; ++i) HYPRE_StructStencilSetElement(shape, i, offsets[i]);
    HYPRE_StructMatrix matrix;
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, shape, &matrix);
    HYPRE_StructMatrixInitialize(matrix);
    HYPRE_StructVector b, u;
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
    HYPRE_StructVectorInitialize(b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &u);
    HYPRE_StructVectorInitialize(u);
    for (const CellBox& box : boxes) set_box(rows, places, box, matrix, b, u);
    HYPRE_StructMatrixAssemble(matrix);
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorAssemble(u);
    PeerResult result;
    run_pfmg(matrix, b, u, tolerance, result);
    std::vector<double> x(rows.diagonal.size(), 0.0), part;
    for (const CellBox& box : boxes) {
        HYPRE_Int low[3] = {box.low[0], box.low[1], box.low[2]};
        HYPRE_Int high[3] = {box.high[0], box.high[1], box.high[2]};
        const Index<3> size = box.high - box.low + Index<3>::filled(1);
        part.resize(std::size_t(size[0]) * std::size_t(size[1]) * std::size_t(size[2]));
        HYPRE_StructVectorGetBoxValues(u, low, high, part.data());
        std::size_t next = 0;
        for_cells(box, [&](const Index<3>& cell) {
            const int i = places.row[places.at(cell)];
            if (i >= 0) x[std::size_t(i)] = part[next];
            ++next;
        });
    }
    result.residual = rows.residual(x);
    HYPRE_StructVectorDestroy(b);
    HYPRE_StructVectorDestroy(u);
    HYPRE_StructMatrixDestroy(matrix);
    HYPRE_StructStencilDestroy(shape);
    HYPRE_StructGridDestroy(grid);
    return result;
}

PeerResult hypre_boomeramg(const Rows& rows, double tolerance) {
    open_library();
    const HYPRE_BigInt last = rows.size() - 1;
    HYPRE_IJMatrix ij;
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, 0, last, 0, last, &ij);
    HYPRE_IJMatrixSetObjectType(ij, HYPRE_PARCSR);
    const std::vector<HYPRE_Int> sizes(std::size_t(rows.size()), 7);
    HYPRE_IJMatrixSetRowSizes(ij, sizes.data());
    HYPRE_IJMatrixInitialize(ij);
    for (HYPRE_BigInt i = 0; i <= last; ++i) {
        HYPRE_BigInt columns[7] = {i};
        double values[7] = {rows.diagonal[std::size_t(i)]};
        HYPRE_Int count = 1;
        for (std::size_t f = 6 * std::size_t(i); f < 6 * std::size_t(i) + 6; ++f)
            if (rows.neighbour[f] >= 0) {
                columns[count] = rows.neighbour[f];
                values[count++] = -rows.coefficient[f];
            }
        HYPRE_IJMatrixSetValues(ij, 1, &count, &i, columns, values);
    }
    HYPRE_IJMatrixAssemble(ij);
    HYPRE_ParCSRMatrix matrix = nullptr;
    HYPRE_IJMatrixGetObject(ij, reinterpret_cast<void**>(&matrix));
    std::vector<HYPRE_BigInt> indices(std::size_t(rows.size()));
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<HYPRE_BigInt>(i);
    std::vector<double> x(indices.size(), 0.0);
    HYPRE_IJVector ib, iu;
    HYPRE_ParVector b = nullptr, u = nullptr;
    const auto vector = [&](HYPRE_IJVector& v, HYPRE_ParVector& object, const double* values) {
        HYPRE_IJVectorCreate(MPI_COMM_WORLD, 0, last, &v);
        HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
        HYPRE_IJVectorInitialize(v);
        HYPRE_IJVectorSetValues(v, rows.size(), indices.data(), values);
        HYPRE_IJVectorAssemble(v);
        HYPRE_IJVectorGetObject(v, reinterpret_cast<void**>(&object));
    };
    vector(ib, b, rows.rhs.data());
    vector(iu, u, x.data());

    const double begin = cpu_seconds();
    HYPRE_Solver cg, amg;
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_PCGSetMaxIter(cg, 500);
    HYPRE_PCGSetTol(cg, tolerance);
    HYPRE_PCGSetTwoNorm(cg, 1);
    HYPRE_BoomerAMGCreate(&amg);
    // The settings hypre's manual recommends for 3D diffusion on many cores, also its fastest here.
    HYPRE_BoomerAMGSetCoarsenType(amg, 8);
    HYPRE_BoomerAMGSetInterpType(amg, 6);
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetAggNumLevels(amg, 1);
    HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
    HYPRE_BoomerAMGSetRelaxType(amg, 6);
    HYPRE_BoomerAMGSetNumSweeps(amg, 1);
    HYPRE_BoomerAMGSetTol(amg, 0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_BoomerAMGSetPrintLevel(amg, 0);
    HYPRE_PCGSetPrecond(cg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
    HYPRE_ParCSRPCGSetup(cg, matrix, b, u);
    HYPRE_ParCSRPCGSolve(cg, matrix, b, u);
    PeerResult result;
    result.seconds = cpu_seconds() - begin;
    HYPRE_Int iterations = 0;
    HYPRE_PCGGetNumIterations(cg, &iterations);
    result.iterations = static_cast<int>(iterations);
    HYPRE_IJVectorGetValues(iu, rows.size(), indices.data(), x.data());
    result.residual = rows.residual(x);
    HYPRE_ParCSRPCGDestroy(cg);
    HYPRE_BoomerAMGDestroy(amg);
    HYPRE_IJVectorDestroy(ib);
    HYPRE_IJVectorDestroy(iu);
    HYPRE_IJMatrixDestroy(ij);
    return result;
}

}  // namespace spume::bench
