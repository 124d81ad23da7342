// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/particles/split_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spume/core/bits.h"
#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/particles/bubble_size.h"
#include "spume/particles/neighbours.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 1024;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Not to be inlined: g++ 12 at -O3 vectorises two of these side by side and then takes the double
/// for what the float holds, and momentum is lost.
[[gnu::noinline]] float rounded(double x) { return static_cast<float>(x); }

/// What rounding to float has taken so far, to be given to the next bubble.
struct Owed {
    double volume = 0, mass = 0;
};

/// Air, mass and momentum of one or two bubbles.
template <int D>
struct Lump {
    double volume = 0, mass = 0;
    Vec<double, D> momentum{};

    void add(const Bubbles<D>& b, std::size_t i) {
        const double v = bubble_volume<D>(b.radius[i]), m = v * double(b.density[i]);
        volume += v;
        mass += m;
        momentum += b.velocity[i] * m;
    }
};

template <int D>
struct Columns {
    std::span<Point<D>> position;
    std::span<Vec<double, D>> velocity;
    std::span<float> radius, density;

    explicit Columns(Bubbles<D>& b)
        : position(b.position.write()),
          velocity(b.velocity.write()),
          radius(b.radius.write()),
          density(b.density.write()) {}

    /// Gives bubble i this volume and mass as nearly as floats can; what is left is owed. Returns
    /// the mass that it has now.
    double set(std::size_t i, double volume, double mass, Owed& owed) {
        radius[i] = rounded(bubble_radius<D>(volume + owed.volume));
        const double stored = bubble_volume<D>(radius[i]);
        density[i] = rounded((mass + owed.mass) / stored);
        const double now = stored * double(density[i]);
        owed.volume += volume - stored;
        owed.mass += mass - now;
        return now;
    }
};

/// Share of air in the ball of reach around each bubble, the bubble itself left out; what is no
/// bubble has a share between crowded and lonely.
template <int D>
std::vector<double> crowding(const Bubbles<D>& bubbles, const NeighbourLists& lists,
                             const SplitMergeRule& rule, Context& context) {
    const auto is_air = [&](std::size_t q) { return double(bubbles.density[q]) <= rule.heaviest; };
    std::vector<double> share(bubbles.size());
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            double sum = 0;
            for (const std::uint32_t j : lists.of(i))
                if (is_air(j)) sum += bubble_volume<D>(bubbles.radius[j]);
            share[i] =
                is_air(i) ? sum / bubble_volume<D>(rule.reach) : 0.5 * (rule.crowded + rule.lonely);
        }
    });
    return share;
}

/// The nearest neighbour that each bubble may merge with; of equally near ones the older.
template <int D>
std::vector<std::uint32_t> partners(const Bubbles<D>& bubbles, const NeighbourLists& lists,
                                    const std::vector<double>& share, const SplitMergeRule& rule,
                                    Context& context) {
    std::vector<std::uint32_t> partner(bubbles.size(), kNone);
    const double most = bubble_volume<D>(rule.merged_radius) * std::sqrt(2.0);
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        for (std::size_t i = b; i < e; ++i) {
            if (share[i] < rule.crowded) continue;
            const double own = bubble_volume<D>(bubbles.radius[i]);
            double nearest = std::numeric_limits<double>::infinity();
            for (const std::uint32_t j : lists.of(i)) {
                if (share[j] < rule.crowded || own + bubble_volume<D>(bubbles.radius[j]) > most)
                    continue;
                const Vec<double, D> d = bubbles.position[j] - bubbles.position[i];
                const double squared = dot(d, d);
                const bool older = partner[i] != kNone && squared == nearest &&
                                   bubbles.id[j] < bubbles.id[partner[i]];
                if (squared < nearest || older) {
                    nearest = squared;
                    partner[i] = j;
                }
            }
        }
    });
    return partner;
}

template <int D>
std::size_t merge(Bubbles<D>& bubbles, const std::vector<std::uint32_t>& partner, Owed& owed,
                  Context& context) {
    const Bubbles<D> before = bubbles;
    Columns<D> now(bubbles);
    std::vector<std::uint8_t> gone(bubbles.size(), 0);
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint32_t j = partner[i];
        if (j == kNone || j < i || partner[j] != i) continue;
        const bool first = before.radius[i] != before.radius[j]
                               ? before.radius[i] > before.radius[j]
                               : before.id[i] < before.id[j];
        const std::size_t kept = first ? i : j, lost = first ? j : i;
        Lump<D> lump;
        lump.add(before, kept);
        const double share = lump.volume;
        lump.add(before, lost);
        const double mass = now.set(kept, lump.volume, lump.mass, owed);
        now.position[kept] +=
            (before.position[lost] - before.position[kept]) * ((lump.volume - share) / lump.volume);
        now.velocity[kept] = lump.momentum / mass;
        gone[lost] = 1;
        ++pairs;
    }
    if (pairs > 0) remove_if(bubbles, context, [&](std::size_t i) { return gone[i] != 0; });
    return pairs;
}

/// A direction that depends on the bubble and its size alone.
template <int D>
Vec<double, D> direction(std::uint64_t seed, std::uint64_t id, float radius) {
    const Random random(seed, id, bits_as<std::uint32_t>(radius), Purpose::kJitter);
    for (std::uint32_t n = 0;; n += D) {
        const Vec<double, D> v = random.uniform_vec<D>(n) * 2.0 - Vec<double, D>::filled(1);
        const double squared = dot(v, v);
        if (squared <= 1 && squared > 1e-4) return v / std::sqrt(squared);
    }
}

template <int D>
std::size_t split(Bubbles<D>& bubbles, const std::vector<std::uint8_t>& halve, std::uint64_t seed,
                  Owed& owed) {
    const Bubbles<D> before = bubbles;
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < before.size(); ++i)
        if (halve[i]) which.push_back(i);
    if (which.empty()) return 0;
    Bubbles<D> fresh;
    resize(fresh, which.size());
    for (std::size_t n = 0; n < which.size(); ++n) fresh.age.write()[n] = before.age[which[n]];
    if (!before.source.empty()) {
        fresh.source.resize(which.size());
        auto source = fresh.source.write();
        for (std::size_t n = 0; n < which.size(); ++n) source[n] = before.source[which[n]];
    }
    Columns<D> own(bubbles), other(fresh);
    for (std::size_t n = 0; n < which.size(); ++n) {
        const std::size_t i = which[n];
        Lump<D> lump;
        lump.add(before, i);
        const double first = own.set(i, lump.volume / 2, lump.mass / 2, owed);
        const double second = other.set(n, lump.volume / 2, lump.mass / 2, owed);
        // As far apart as to touch; moved so that their centre of mass stays.
        const Vec<double, D> apart =
            direction<D>(seed, before.id[i], before.radius[i]) * (2 * double(own.radius[i]));
        own.position[i] = before.position[i] + apart * (second / (first + second));
        other.position[n] = before.position[i] - apart * (first / (first + second));
        own.velocity[i] = other.velocity[n] = lump.momentum / (first + second);
    }
    append(bubbles, fresh);
    return which.size();
}

}  // namespace

template <int D>
SplitMergeReport split_and_merge(Bubbles<D>& bubbles, const SplitMergeRule& rule,
                                 Context& context) {
    Stage stage(context, "split and merge");
    SplitMergeReport report;
    if (bubbles.size() == 0) return report;
    const auto lists = find_neighbours<D>(bubbles.position.read(), rule.reach, context);
    const auto share = crowding(bubbles, lists, rule, context);
    Owed owed;
    // Halves first: they keep their places, and the merging below takes only crowded ones.
    const double twice = 2 / std::sqrt(2.0) * bubble_volume<D>(rule.split_radius);
    std::vector<std::uint8_t> halve(bubbles.size(), 0);
    for (std::size_t i = 0; i < bubbles.size(); ++i)
        halve[i] = share[i] <= rule.lonely && bubble_volume<D>(bubbles.radius[i]) > twice;
    auto partner = partners(bubbles, lists, share, rule, context);
    report.split = split(bubbles, halve, rule.seed, owed);
    partner.resize(bubbles.size(), kNone);
    report.merged = merge(bubbles, partner, owed, context);
    return report;
}

template SplitMergeReport split_and_merge<2>(Bubbles<2>&, const SplitMergeRule&, Context&);
template SplitMergeReport split_and_merge<3>(Bubbles<3>&, const SplitMergeRule&, Context&);

}  // namespace spume
