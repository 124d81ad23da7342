// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/face_operator.h"

#include "spume/solve/lanes.h"

namespace spume {
namespace {

template <int D>
using R = TileRows<D>;

inline __attribute__((always_inline)) void widen(const double* c, Doubles& out) { out = lanes(c); }
inline __attribute__((always_inline)) void widen(const float* c, Doubles& out) {
    out = __builtin_convertvector(half_lanes(c), Doubles);
}

/// q = A p on one tile; returns its p · q.
template <int D, class Face>
double apply_tile(const Face* faces, const double* extra, const TileBlock<double, D>& p,
                  double* q) {
    Doubles dot{};
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        const int first[3] = {at.low, D == 2 ? at.last : at.middle, at.last};
        for (int k = 0; k < R<D>::kSide; k += kDoubleLanes) {
            const double* x = p.v + at.block + k;
            const Doubles here = lanes(x);
            Doubles y{};
#pragma GCC unroll 3
            for (int a = 0; a < D; ++a) {
                const int s = R<D>::block_stride(a);
                const Face* c = faces + first[a] + k;
                Doubles lower, upper;
                widen(c, lower);
                widen(c + R<D>::face_step(a), upper);
                y += lower * (here - lanes(x - s)) + upper * (here - lanes(x + s));
            }
            if (extra) y += lanes(extra + at.offset + k) * here;
            lanes(q + at.offset + k) = y;
            dot += y * here;
        }
    });
    return (dot[0] + dot[1]) + (dot[2] + dot[3]);
}

/// The same where all coefficients are equal. Differences come first here too: where values are
/// large and nearly equal, as under a tall column, their sum would lose what counts.
template <int D>
double apply_uniform(double c, const TileBlock<double, D>& p, double* q) {
    Doubles dot{};
    for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
        for (int k = 0; k < R<D>::kSide; k += kDoubleLanes) {
            const double* x = p.v + at.block + k;
            const Doubles here = lanes(x);
            Doubles y{};
#pragma GCC unroll 3
            for (int a = 0; a < D; ++a) {
                const int s = R<D>::block_stride(a);
                y += (here - lanes(x - s)) + (here - lanes(x + s));
            }
            y *= c;
            lanes(q + at.offset + k) = y;
            dot += y * here;
        }
    });
    return (dot[0] + dot[1]) + (dot[2] + dot[3]);
}

}  // namespace

template <int D>
template <class T>
double FaceOperator<D>::apply(const T* p, double* q, Context& context) const {
    const auto work = [&](int t, int after) {
        TileBlock<double, D> block;
        const NextTile<T, D> next(p, after, tiles->around_tile(after));
        load_block<D>(
            block, t, tiles->around_tile(t),
            [&](int tile, int o, double* out) {
                if (tile == t) next.fetch(o);
                const T* in = p + std::size_t(tile) * kTileCells<D> + o;
                for (int k = 0; k < R<D>::kSide; ++k) out[k] = double(in[k]);
            },
            [&](int tile, int o) { return double(p[std::size_t(tile) * kTileCells<D> + o]); });
        double* out = q + std::size_t(t) * kTileCells<D>;
        const float c = uniform[static_cast<std::size_t>(t)];
        if (c > 0) return apply_uniform<D>(double(c), block, out);
        return faces.empty() ? apply_tile<D>(narrow_of(t), extra_of(t), block, out)
                             : apply_tile<D>(faces_of(t), extra_of(t), block, out);
    };
    double dot = reduce(
        context.arena, live.size(), kTilePiece, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
                sum += work(live[i], live[i + 1 < live.size() ? i + 1 : i]);
            return sum;
        },
        [](double one, double other) { return one + other; });
    for (const LowRankTerm& term : terms) {
        double s = 0;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            s += term.weights[i] * double(p[term.cells[i]]);
        dot += term.scale * s * s;
        for (std::size_t i = 0; i < term.cells.size(); ++i)
            q[term.cells[i]] += term.scale * s * term.weights[i];
    }
    return dot;
}

template <int D>
void FaceOperator<D>::diagonal(int tile, double* out) const {
    const double* e = extra_of(tile);
    const auto sum = [&](const auto* c) {
        for_rows<D>([&](const RowAt& at) __attribute__((always_inline)) {
            const int first[3] = {at.low, D == 2 ? at.last : at.middle, at.last};
            for (int k = 0; k < R<D>::kSide; k += kDoubleLanes) {
                Doubles d{};
                if (e) d = lanes(e + at.offset + k);
#pragma GCC unroll 3
                for (int a = 0; a < D; ++a) {
                    Doubles lower, upper;
                    widen(c + first[a] + k, lower);
                    widen(c + first[a] + R<D>::face_step(a) + k, upper);
                    d += lower + upper;
                }
                lanes(out + at.offset + k) = d;
            }
        });
    };
    faces.empty() ? sum(narrow_of(tile)) : sum(faces_of(tile));
}

template struct FaceOperator<2>;
template struct FaceOperator<3>;
template double FaceOperator<2>::apply(const float*, double*, Context&) const;
template double FaceOperator<3>::apply(const float*, double*, Context&) const;
template double FaceOperator<2>::apply(const double*, double*, Context&) const;
template double FaceOperator<3>::apply(const double*, double*, Context&) const;

}  // namespace spume
