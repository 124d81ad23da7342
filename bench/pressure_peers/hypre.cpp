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

/// Seven values a cell, centre first, in the order of hypre's boxes: first axis fastest.
struct Stencil {
    std::vector<double> values, rhs;
    explicit Stencil(const Rows& rows, int n)
        : values(std::size_t(n) * n * n * 7, 0.0), rhs(std::size_t(n) * n * n, 0.0) {
        for (std::size_t i = 0; i < rhs.size(); ++i) values[7 * i] = 1;
        for (int i = 0; i < rows.size(); ++i) {
            const std::size_t at = place(rows.cell[std::size_t(i)], n);
            values[7 * at] = rows.diagonal[std::size_t(i)];
            rhs[at] = rows.rhs[std::size_t(i)];
            for (std::size_t f = 0; f < 6; ++f)
                values[7 * at + 1 + f] = -rows.coefficient[6 * std::size_t(i) + f];
        }
    }
    static std::size_t place(const Index<3>& c, int n) {
        return (std::size_t(c[2]) * n + std::size_t(c[1])) * n + std::size_t(c[0]);
    }
};

}  // namespace

PeerResult hypre_pfmg(const Rows& rows, int n, double tolerance) {
    open_library();
    Stencil stencil(rows, n);
    std::vector<double> x(stencil.rhs.size(), 0.0);
    HYPRE_Int low[3] = {0, 0, 0}, high[3] = {n - 1, n - 1, n - 1};
    PeerResult result;
    HYPRE_StructGrid grid;
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
    HYPRE_StructGridSetExtents(grid, low, high);
    HYPRE_StructGridAssemble(grid);
    HYPRE_StructStencil shape;
    HYPRE_StructStencilCreate(3, 7, &shape);
    HYPRE_Int offsets[7][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0},
                               {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    for (int i = 0; i < 7; ++i) HYPRE_StructStencilSetElement(shape, i, offsets[i]);
    HYPRE_StructMatrix matrix;
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, shape, &matrix);
    HYPRE_StructMatrixInitialize(matrix);
    HYPRE_Int entries[7] = {0, 1, 2, 3, 4, 5, 6};
    HYPRE_StructMatrixSetBoxValues(matrix, low, high, 7, entries, stencil.values.data());
    HYPRE_StructMatrixAssemble(matrix);
    HYPRE_StructVector b, u;
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
    HYPRE_StructVectorInitialize(b);
    HYPRE_StructVectorSetBoxValues(b, low, high, stencil.rhs.data());
    HYPRE_StructVectorAssemble(b);
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &u);
    HYPRE_StructVectorInitialize(u);
    HYPRE_StructVectorSetBoxValues(u, low, high, x.data());
    HYPRE_StructVectorAssemble(u);

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
    HYPRE_StructVectorGetBoxValues(u, low, high, x.data());
    std::vector<double> found;
    for (const Index<3>& c : rows.cell) found.push_back(x[Stencil::place(c, n)]);
    result.residual = rows.residual(found);
    HYPRE_StructPCGDestroy(cg);
    HYPRE_StructPFMGDestroy(mg);
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
