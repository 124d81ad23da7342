// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/solve/strain_lattice.h"

#include <array>

namespace spume {
namespace {

constexpr std::size_t kPiece = 4096;

/// Numbers for keys, in the order in which they are first asked for: an open hash table.
class KeyTable {
  public:
    explicit KeyTable(std::size_t most) {
        std::size_t size = 64;
        while (size < 2 * most) size *= 2;
        slots_.assign(size, {kNoKey, 0});
    }
    std::int32_t add(std::uint64_t key) {
        Slot& slot = slots_[place_of(key)];
        if (slot.key != key) slot = {key, count_++};
        return slot.number;
    }
    /// −1 if it was never added.
    std::int32_t find(std::uint64_t key) const {
        const Slot& slot = slots_[place_of(key)];
        return slot.key == key ? slot.number : -1;
    }
    std::int32_t count() const { return count_; }

  private:
    static constexpr std::uint64_t kNoKey = ~std::uint64_t(0);
    struct Slot {
        std::uint64_t key;
        std::int32_t number;
    };
    std::size_t place_of(std::uint64_t key) const {
        std::size_t at = std::size_t(key * 0x9e3779b97f4a7c15u >> 24) & (slots_.size() - 1);
        while (slots_[at].key != key && slots_[at].key != kNoKey)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    std::vector<Slot> slots_;
    std::int32_t count_ = 0;
};

std::uint64_t key_of(int kind, const Vec<int, 3>& index) {
    std::uint64_t k = std::uint64_t(kind);
    for (int d = 0; d < 3; ++d) k = k << 20 | (std::uint64_t(index[d] + (1 << 19)) & 0xfffff);
    return k;
}
std::uint64_t key_of(const FacePlace& p) { return key_of(p.axis, p.index); }

Vec<int, 3> unit(int axis) {
    Vec<int, 3> e{};
    e[axis] = 1;
    return e;
}

/// The faces of a strain, with the signs + − + −.
std::array<FacePlace, 4> faces_of(const FaceStrain& s) {
    if (s.a == s.b) return {{{s.a, s.index + unit(s.a)}, {s.a, s.index}, {}, {}}};
    return {
        {{s.a, s.index}, {s.a, s.index - unit(s.b)}, {s.b, s.index}, {s.b, s.index - unit(s.a)}}};
}

/// f(coarse index, weight) along the axes `between` for which a coarse place stands on every second
/// fine one: whole at even indices, halves at odd ones; along the others the place that holds it.
template <class F>
void for_holders(const Vec<int, 3>& index, unsigned between, F&& f) {
    Vec<int, 3> first{};
    unsigned odd = 0;
    double weight = 1;
    for (int d = 0; d < 3; ++d) {
        first[d] = index[d] >> 1;
        if (!(between >> d & 1) || !(index[d] & 1)) continue;
        odd |= 1u << d;
        weight /= 2;
    }
    for (unsigned corner = 0; corner < 8; ++corner) {
        if (corner & ~odd) continue;
        Vec<int, 3> at = first;
        for (int d = 0; d < 3; ++d) at[d] += int(corner >> d & 1);
        f(at, weight);
    }
}

/// f(coarse place, weight): linear interpolation. Along its axis a face with an even index stands
/// on a coarse one, along the others coarse faces stand between two fine ones.
template <class F>
void for_parents(const FacePlace& fine, int dimensions, F&& f) {
    int first[3] = {}, second[3] = {};
    double weight[3] = {1, 1, 1};
    for (int d = 0; d < dimensions; ++d) {
        const int i = fine.index[d], odd = i & 1;
        first[d] = i >> 1;
        second[d] = d == fine.axis || odd ? first[d] + 1 : first[d] - 1;
        weight[d] = d != fine.axis ? 0.75 : odd ? 0.5 : 1.0;
    }
    for (int corner = 0; corner < (1 << dimensions); ++corner) {
        FacePlace p{fine.axis, {}};
        double w = 1;
        for (int d = 0; d < dimensions; ++d) {
            const bool other = corner >> d & 1;
            p.index[d] = other ? second[d] : first[d];
            w *= other ? 1 - weight[d] : weight[d];
        }
        if (w > 0) f(p, w);
    }
}

/// Where coarse faces are missing the weights are scaled up, and a constant is interpolated to a
/// constant; but not beside what holds the liquid, where its velocity falls to zero.
SparseMatrix<float> interpolation(const StrainLattice& fine, const KeyTable& coarse,
                                  Context& context) {
    const std::size_t n = fine.places.size();
    std::vector<std::uint8_t> beside_held(n, 0);
    for (const FaceStrain& s : fine.strains)
        for (int k = 0; k < s.terms() && s.held(); ++k)
            if (s.term[k] >= 0) beside_held[std::size_t(s.term[k])] = 1;
    std::vector<std::vector<SparseEntry>> parts((n + kPiece - 1) / kPiece);
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        std::vector<SparseEntry>& out = parts[b / kPiece];
        for (std::size_t i = b; i < e; ++i) {
            const std::size_t mine = out.size();
            double whole = 0;
            for_parents(fine.places[i], fine.dimensions, [&](const FacePlace& p, double w) {
                const std::int32_t number = coarse.find(key_of(p));
                if (number < 0) return;
                out.push_back({std::int32_t(i), number, w});
                whole += w;
            });
            if (beside_held[i]) continue;
            for (std::size_t k = mine; k < out.size(); ++k) out[k].value /= whole;
        }
    });
    return in_float(sparse_matrix(int(n), coarse.count(), parts, context));
}

/// Strains over twice the length in 2^D times the volume: each is the sum of those around it over
/// four. Where a coarse face is missing it is held if some of them are; else there is no stress.
std::vector<FaceStrain> coarse_strains(const std::vector<FaceStrain>& fine, const KeyTable& faces) {
    KeyTable keys(3 * fine.size());
    std::vector<FaceStrain> strains;
    std::vector<std::uint8_t> held;
    for (const FaceStrain& s : fine)
        for_holders(s.index, s.a == s.b ? 0u : 1u << s.a | 1u << s.b,
                    [&](const Vec<int, 3>& at, double share) {
                        const std::int32_t n = keys.add(key_of(4 * s.a + s.b, at));
                        if (std::size_t(n) == strains.size()) {
                            strains.push_back({.index = at, .a = s.a, .b = s.b});
                            held.push_back(0);
                        }
                        strains[std::size_t(n)].weight += share * s.weight / 4;
                        if (s.held()) held[std::size_t(n)] = 1;
                    });
    std::vector<FaceStrain> kept;
    for (std::size_t i = 0; i < strains.size(); ++i) {
        FaceStrain s = strains[i];
        const std::array<FacePlace, 4> at = faces_of(s);
        bool some = false;
        for (int k = 0; k < s.terms(); ++k) {
            s.term[k] = faces.find(key_of(at[std::size_t(k)]));
            some = some || s.term[k] >= 0;
        }
        if (some && (held[i] || !s.held())) kept.push_back(s);
    }
    return kept;
}

}  // namespace

SparseMatrix<double> StrainLattice::matrix(Context& context) const {
    constexpr double kSign[4] = {1, -1, 1, -1};
    // The strains of each face and which of their terms it is.
    const int n = int(places.size());
    std::vector<std::int64_t> begin(std::size_t(n) + 1, 0);
    const auto each_term = [&](auto&& f) {
        for (std::size_t s = 0; s < strains.size(); ++s)
            for (int i = 0; i < strains[s].terms(); ++i)
                if (strains[s].term[i] >= 0) f(s, i, std::size_t(strains[s].term[i]));
    };
    each_term([&](std::size_t, int, std::size_t face) { ++begin[face + 1]; });
    for (std::size_t i = 0; i < std::size_t(n); ++i) begin[i + 1] += begin[i];
    std::vector<std::uint64_t> terms(static_cast<std::size_t>(begin.back()));
    std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
    each_term([&](std::size_t s, int i, std::size_t face) {
        terms[std::size_t(next[face]++)] = s << 2 | std::size_t(i);
    });
    return matrix_by_rows(n, n, context, [&](int row, RowSums& sums) {
        sums.add(row, mass[std::size_t(row)]);
        for (std::int64_t k = begin[std::size_t(row)]; k < begin[std::size_t(row) + 1]; ++k) {
            const FaceStrain& s = strains[terms[std::size_t(k)] >> 2];
            const double force = s.weight * kSign[terms[std::size_t(k)] & 3];
            for (int j = 0; j < s.terms(); ++j)
                if (s.term[j] >= 0) sums.add(s.term[j], force * kSign[j]);
        }
    });
}

CoarseStrains coarsened(const StrainLattice& fine, Context& context) {
    CoarseStrains r;
    StrainLattice& coarse = r.lattice;
    coarse.dimensions = fine.dimensions;
    KeyTable faces(2 * fine.places.size());
    for (std::size_t i = 0; i < fine.places.size(); ++i) {
        const FacePlace& p = fine.places[i];
        for_holders(p.index, 1u << p.axis, [&](const Vec<int, 3>& at, double share) {
            const std::int32_t n = faces.add(key_of({p.axis, at}));
            if (std::size_t(n) == coarse.places.size()) {
                coarse.places.push_back({p.axis, at});
                coarse.mass.push_back(0);
            }
            coarse.mass[std::size_t(n)] += share * fine.mass[i];
        });
    }
    coarse.strains = coarse_strains(fine.strains, faces);
    r.interpolation = interpolation(fine, faces, context);
    return r;
}

}  // namespace spume
