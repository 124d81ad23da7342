// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/surface/regions.h"

#include <cmath>
#include <deque>
#include <map>

#include <gtest/gtest.h>

#include "spume/core/random.h"
#include "spume/grid/sample.h"

namespace spume {
namespace {

/// Random phases and closed faces on some of the tiles of a box; tiles left out are air.
template <int D>
struct RandomBox {
    Context context{2};
    typename Tiles<D>::Ptr tiles;
    OpenBox<D> box;
    CellField<std::uint8_t, D> phase;
    FaceField<float, D> area;

    /// `lump` cells a side have the same phase: large lumps make tiles of one phase.
    RandomBox(std::uint64_t seed, int lump, double open_faces, bool outside) {
        box.cells = {{}, Index<D>::filled(3 * kTileSide<D> - 3)};
        box.open[0][1] = outside;
        std::vector<Index<D>> keys;
        for (int n = 0; n < (D == 2 ? 9 : 27); ++n) {
            Index<D> key{};
            for (int a = D - 1, rest = n; a >= 0; --a, rest /= 3) key[a] = rest % 3;
            if (Random(seed, std::uint64_t(n), 0, Purpose::kTest).uniform(0) < 0.8)
                keys.push_back(key);
        }
        tiles = Tiles<D>::build(keys, {1.0, {}});
        phase = CellField<std::uint8_t, D>(tiles);
        area = FaceField<float, D>(tiles);
        std::uint8_t* p = phase.write();
        for (int t = 0; t < tiles->active(); ++t)
            for (int o = 0; o < kTileCells<D>; ++o) {
                const Index<D> cell = tiles->origin(t) + tile_local<D>(o);
                if (!box.cells.contains(cell)) continue;
                Index<D> coarse = cell;
                for (int a = 0; a < D; ++a) coarse[a] /= lump;
                const double u = random(seed, coarse, 1);
                p[std::size_t(t) * kTileCells<D> + std::size_t(o)] = u < 0.15  ? kSolidPhase
                                                                     : u < 0.5 ? kLiquidPhase
                                                                               : kAirPhase;
            }
        for (int a = 0; a < D; ++a) {
            float* f = area.write(a);
            for_faces(context.arena, *tiles, a, [&](int t, int o) {
                const Index<D> face = tiles->origin(t) + tile_local<D>(o);
                const bool last = face[a] == box.cells.hi[a];
                const bool wall =
                    face[a] <= 0 || face[a] > box.cells.hi[a] || (last && !box.open[a][1]);
                const bool shut = wall || random(seed, face, std::uint32_t(2 + a)) > open_faces;
                f[std::size_t(t) * kTileCells<D> + std::size_t(o)] = shut ? 0.0f : 0.7f;
            });
        }
    }
    static double random(std::uint64_t seed, const Index<D>& at, std::uint32_t purpose) {
        std::uint64_t n = 0;
        for (int a = 0; a < D; ++a) n = n * 1000 + std::uint64_t(at[a]);
        return Random(seed, n, purpose, Purpose::kTest).uniform(0);
    }

    bool stored(const Index<D>& cell) const {
        return tiles->is_active(tiles->find(tile_of<D>(cell)));
    }
    int phase_at(const Index<D>& cell) const {
        if (!stored(cell)) return kAirPhase;
        TileCursor<D> cursor(*tiles);
        return phase.read()[cursor(cell)];
    }
    /// Is the lower face across a of this cell open? Between tiles that are not stored all is.
    bool open_below(const Index<D>& cell, int a) const {
        const Index<D> below = cell - Index<D>::unit(a);
        if (!stored(cell) && (!box.cells.contains(below) || !stored(below)))
            return box.cells.contains(below);
        TileCursor<D> cursor(*tiles);
        return area.read(a)[cursor(cell)] != 0;
    }
};

/// Flood fill over lattice indices: the region of every air cell of the box.
template <int D>
std::map<std::vector<int>, int> flooded(const RandomBox<D>& box, bool across_phases) {
    const auto name = [](const Index<D>& i) {
        std::vector<int> r;
        for (int a = 0; a < D; ++a) r.push_back(i[a]);
        return r;
    };
    std::map<std::vector<int>, int> label;
    int count = 0;
    const int side = box.box.cells.hi[0];
    for (int n = 0; n < (D == 2 ? side * side : side * side * side); ++n) {
        Index<D> first{};
        for (int a = D - 1, rest = n; a >= 0; --a, rest /= side) first[a] = rest % side;
        if (label.count(name(first)) || box.phase_at(first) == kSolidPhase) continue;
        std::deque<Index<D>> front{first};
        label[name(first)] = count;
        while (!front.empty()) {
            const Index<D> here = front.front();
            front.pop_front();
            for (int a = 0; a < D; ++a)
                for (const int s : {-1, 1}) {
                    const Index<D> next = here + Index<D>::unit(a, s);
                    if (!box.box.cells.contains(next) || label.count(name(next))) continue;
                    const int there = box.phase_at(next);
                    if (there == kSolidPhase || !box.open_below(s < 0 ? here : next, a)) continue;
                    if (!across_phases && there != box.phase_at(here)) continue;
                    label[name(next)] = count;
                    front.push_back(next);
                }
        }
        ++count;
    }
    return label;
}

template <int D>
void expect_flood_fill(std::uint64_t seed, int lump, double open_faces, bool outside) {
    RandomBox<D> box(seed, lump, open_faces, outside);
    const auto found = find_air_regions<D>(
        box.phase, box.area, box.box, [](const Box<int, D>&) { return true; }, box.context);
    const auto same = flooded<D>(box, false), any = flooded<D>(box, true);
    std::map<int, int> ours, theirs, compartment, other;
    std::map<int, bool> reaches;
    TileCursor<D> cursor(*box.tiles);
    for (const auto& [name, k] : same) {
        Index<D> cell{};
        for (int a = 0; a < D; ++a) cell[a] = name[std::size_t(a)];
        if (!box.stored(cell)) continue;
        const int label = found.label.read()[cursor(cell)];
        if (box.phase_at(cell) != kAirPhase) {
            ASSERT_EQ(label, -1);
            continue;
        }
        ASSERT_GE(label, 0);
        // One to one in both directions.
        ASSERT_EQ(ours.emplace(label, k).first->second, k);
        ASSERT_EQ(theirs.emplace(k, label).first->second, label);
        const int c = found.regions[std::size_t(label)].compartment, d = any.at(name);
        ASSERT_EQ(compartment.emplace(c, d).first->second, d);
        ASSERT_EQ(other.emplace(d, c).first->second, c);
        if (cell[0] == box.box.cells.hi[0] - 1 && outside &&
            box.area.read(0)[cursor(cell + Index<D>::unit(0))] != 0)
            reaches[label] = true;
    }
    ASSERT_GT(ours.size(), 1u);
    for (const auto& [label, yes] : reaches)
        EXPECT_TRUE(yes && found.regions[std::size_t(label)].outside);
    for (const auto& region : found.regions) EXPECT_TRUE(outside || !region.outside);
}

TEST(AirRegions, AsAFloodFillOverTheLattice) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
        for (const int lump : {1, 2, 5}) {
            expect_flood_fill<2>(seed, lump, 0.8, seed % 2 == 0);
            expect_flood_fill<3>(seed, lump, 0.8, seed % 2 == 0);
            expect_flood_fill<3>(seed, lump, 1.0, seed % 2 == 1);
        }
}

/// Two drops in an open box of 2²² cells a side: what is stored decides the cost.
template <int D>
void expect_few_questions() {
    Context context(1);
    const int side = 1 << 22, last = (side >> kTileShift<D>)-1;
    const auto tiles =
        Tiles<D>::build({Index<D>::filled(3), Index<D>::filled(last - 5)}, {1.0, {}});
    CellField<std::uint8_t, D> phase(tiles, kAirPhase);
    phase.write()[0] = kLiquidPhase;
    FaceField<float, D> area(tiles);
    for (int a = 0; a < D; ++a) area.component(a).fill(1.0f);
    OpenBox<D> box;
    box.cells = {{}, Index<D>::filled(side)};
    int asked = 0;
    const BoxIsAir<D> air = [&](const Box<int, D>&) {
        ++asked;
        return true;
    };
    const auto found = find_air_regions<D>(phase, area, box, air, context);
    ASSERT_EQ(found.regions.size(), 1u);
    const double all = std::pow(double(side), D) - 2 * kTileCells<D>;
    EXPECT_DOUBLE_EQ(found.regions[0].far_cells, all);
    EXPECT_LT(asked, 200);
}
TEST(AirRegions, InAHugeBoxCostWhatIsStored) {
    expect_few_questions<2>();
    expect_few_questions<3>();
}

}  // namespace
}  // namespace spume
