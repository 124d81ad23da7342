// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "spume/core/error.h"
#include "spume/core/random.h"
#include "spume/particles/bubbles.h"
#include "spume/particles/liquid.h"

namespace spume {
namespace {

/// Bubbles whose every attribute can be told from their id, so that a mixed-up row shows.
template <int D>
Bubbles<D> numbered(std::size_t n, double from) {
    Bubbles<D> r;
    resize(r, n);
    for (std::size_t i = 0; i < n; ++i) {
        const double x = from + static_cast<double>(i);
        r.position.write()[i] = Point<D>::filled(x);
        r.velocity.write()[i] = Point<D>::filled(-x);
        r.radius.write()[i] = static_cast<float>(x + 1);
        r.density.write()[i] = static_cast<float>(x + 2);
        r.age.write()[i] = static_cast<float>(x + 3);
    }
    return r;
}
template <int D>
void expect_rows(const Bubbles<D>& set) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        const double x = static_cast<double>(set.id[i]);
        ASSERT_EQ(set.position[i], Point<D>::filled(x));
        ASSERT_EQ(set.velocity[i], Point<D>::filled(-x));
        ASSERT_EQ(set.radius[i], static_cast<float>(x + 1));
        ASSERT_EQ(set.density[i], static_cast<float>(x + 2));
        ASSERT_EQ(set.age[i], static_cast<float>(x + 3));
    }
}

TEST(ParticleSet, AppendedOnesAreNamedInOrder) {
    Bubbles<3> set;
    append(set, numbered<3>(5, 0));
    const std::vector<Bubbles<3>> parts{numbered<3>(3, 5), Bubbles<3>{}, numbered<3>(4, 8)};
    append(set, std::span<const Bubbles<3>>(parts));
    ASSERT_EQ(set.size(), 12u);
    EXPECT_EQ(set.next_id, 12u);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(set.id[i], i);
    expect_rows(set);
}

TEST(ParticleSet, AppendRefusesAttributesOfDifferentLength) {
    Bubbles<2> set, fresh = numbered<2>(4, 0);
    fresh.age.resize(3);
    EXPECT_THROW(append(set, fresh), Defect);
}

/// In stretches of 16: orders that stay near, that mix everything, and that drop some.
TEST(ParticleSet, PermutationInPlaceIsTheOneIntoASecondArray) {
    for (const int threads : {1, 4}) {
        Context context(threads);
        for (const std::size_t n : {1, 15, 16, 17, 333})
            for (int kind = 0; kind < 3; ++kind) {
                std::vector<std::uint32_t> order(n);
                std::iota(order.begin(), order.end(), 0u);
                const Random random(7, n, std::uint32_t(kind), Purpose::kJitter);
                for (std::size_t i = 0; kind > 0 && i < n; ++i) {
                    const double part = random.uniform(std::uint32_t(i));
                    const std::size_t reach = kind == 1 ? std::min<std::size_t>(20, n - i) : n - i;
                    std::swap(order[i], order[i + std::size_t(part * double(reach))]);
                }
                if (kind == 0) std::erase_if(order, [](std::uint32_t i) { return i % 3 == 1; });
                std::vector<Vec<double, 3>> values(n), expected;
                for (std::size_t i = 0; i < n; ++i) values[i] = {double(i), -double(i), 0.5};
                for (const std::uint32_t i : order) expected.push_back(values[i]);
                permute_in_place<Vec<double, 3>>(values, order, context, 4);
                values.resize(order.size());
                EXPECT_EQ(values, expected) << n << " " << kind;
            }
    }
}

TEST(ParticleSet, ASharedSetKeepsItsOrder) {
    Context context;
    Bubbles<3> set;
    append(set, numbered<3>(100, 0));
    const Bubbles<3> before = set;
    EXPECT_EQ(remove_if(set, context, [](std::size_t i) { return i % 7 == 2; }), 14u);
    const Bubbles<3> between = set;
    std::vector<std::uint32_t> order(set.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::uint32_t(order.size() - 1 - i);
    permute(set, order, context);
    permute(set, order, context);  // shared no more: in place
    ASSERT_EQ(before.size(), 100u);
    expect_rows(before);
    expect_rows(set);
    ASSERT_EQ(set.size(), 86u);
    for (std::size_t i = 0; i < set.size(); ++i) EXPECT_EQ(set.id[i], between.id[i]);
    expect_rows(between);
}

/// Gradients of a liquid: nobody keeps them until someone brings some; then others have zeros.
TEST(ParticleSet, OptionalAttributesMayBeAbsent) {
    Context context;
    Liquid<2> set, plain, affine;
    resize(plain, 3);
    append(set, plain);
    EXPECT_EQ(remove_if(set, context, [](std::size_t i) { return i == 1; }), 1u);
    EXPECT_EQ(set.size(), 2u);
    EXPECT_TRUE(set.gradient.empty());
    resize(affine, 2);
    affine.gradient = Array<Vec<float, 4>>(2, Vec<float, 4>::filled(5));
    append(set, affine);
    append(set, plain);
    ASSERT_EQ(set.gradient.size(), 7u);
    EXPECT_EQ(remove_if(set, context, [](std::size_t i) { return i == 0; }), 1u);
    for (std::size_t i = 0; i < set.size(); ++i)
        EXPECT_EQ(set.gradient[i], (Vec<float, 4>::filled(i == 1 || i == 2 ? 5 : 0)));
    EXPECT_EQ(set.id[1], 3u);
}

TEST(ParticleSet, RemovalKeepsOrderAndRowsOnAnyThreadCount) {
    const std::size_t n = 100003;
    const auto gone = [](std::uint64_t id) {
        return Random(3, id, 0, Purpose::kTest).uniform(0) < 0.3;
    };
    std::vector<std::uint64_t> left;
    for (std::size_t i = 0; i < n; ++i)
        if (!gone(i)) left.push_back(i);
    for (int threads : {1, 2, 3, 4, 8}) {
        Context context(threads);
        Bubbles<2> set;
        append(set, numbered<2>(n, 0));
        const std::size_t went =
            remove_if(set, context, [&](std::size_t i) { return gone(set.id[i]); });
        ASSERT_EQ(went, n - left.size());
        ASSERT_TRUE(std::equal(left.begin(), left.end(), set.id.begin(), set.id.end()));
        expect_rows(set);
        EXPECT_EQ(set.next_id, n);
    }
}

TEST(ParticleSet, IdsAreNeverReused) {
    Context context;
    Bubbles<2> set;
    std::set<std::uint64_t> seen;
    for (int round = 0; round < 10; ++round) {
        append(set, numbered<2>(20, 0));
        for (std::size_t i = set.size() - 20; i < set.size(); ++i)
            EXPECT_TRUE(seen.insert(set.id[i]).second);
        remove_if(set, context, [&](std::size_t i) { return i % 3 == 0 || i >= 15; });
    }
    EXPECT_EQ(seen.size(), 200u);
}

TEST(ParticleSet, RemovingNothingOrAll) {
    Context context;
    Bubbles<3> set;
    append(set, numbered<3>(7, 0));
    const auto* before = set.position.data();
    EXPECT_EQ(remove_if(set, context, [](std::size_t) { return false; }), 0u);
    EXPECT_EQ(set.position.data(), before);
    EXPECT_EQ(remove_if(set, context, [](std::size_t) { return true; }), 7u);
    EXPECT_EQ(set.size(), 0u);
}

/// Keeps what a describe walks over, and puts it back.
class Recorder : public StateVisitor {
  public:
    bool load = false;
    std::map<std::string, std::pair<ElementType, std::vector<std::byte>>> kept;
    bool loading() const override { return load; }

  protected:
    void fixed(std::string_view name, ElementType type, std::span<std::byte> bytes) override {
        auto& [t, data] = kept[std::string(name)];
        if (load)
            std::copy(data.begin(), data.end(), bytes.begin());
        else
            t = type, data.assign(bytes.begin(), bytes.end());
    }
    void array(std::string_view name, ElementType type, const std::byte* bytes, std::size_t count,
               FunctionOfSize resize) override {
        auto& [t, data] = kept[std::string(name)];
        const std::size_t element = static_cast<std::size_t>(type.bytes * type.width);
        if (load)
            std::copy(data.begin(), data.end(), resize(data.size() / element));
        else
            t = type, data.assign(bytes, bytes + count * element);
    }
};

TEST(ParticleSet, DescribeCarriesEverything) {
    Bubbles<3> set, copy;
    append(set, numbered<3>(9, 0));
    Recorder recorder;
    describe_set(set, "bubbles", recorder);
    EXPECT_EQ(recorder.kept.size(), 9u);
    EXPECT_EQ(recorder.kept.at("bubbles.position").first, (ElementType{'f', 8, 3}));
    recorder.load = true;
    describe_set(copy, "bubbles", recorder);
    ASSERT_EQ(copy.size(), 9u);
    EXPECT_EQ(copy.next_id, 9u);
    EXPECT_EQ(copy.source.size(), 0u) << "only where asked for";
    EXPECT_EQ(copy.afloat.size(), 0u) << "only where bubbles were foam";
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(copy.id[i], set.id[i]);
    expect_rows(copy);
}

}  // namespace
}  // namespace spume
