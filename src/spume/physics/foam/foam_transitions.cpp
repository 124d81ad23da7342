// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/foam/foam_transitions.h"

#include <cmath>
#include <vector>

#include "spume/core/math.h"
#include "spume/core/random.h"
#include "spume/particles/bubble_size.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 2048;
constexpr double kOnSurface = 1e-2;  // of the radius: how well a particle is put there

enum class Fate : std::uint8_t { kStays, kMoves, kLeaves };

template <int D>
double volume_of(std::span<const float> radius, const std::vector<Fate>& fate, Fate which,
                 Context& context) {
    return reduce(
        context.arena, radius.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double sum = 0;
            for (std::size_t i = b; i < e; ++i)
                if (fate[i] == which) sum += bubble_volume<D>(double(radius[i]));
            return sum;
        },
        [](double a, double b) { return a + b; });
}

template <int D>
Foam<D> as_foam(const Bubbles<D>& b, const std::vector<Fate>& fate, const TransitionLaw& law) {
    std::vector<std::size_t> who;
    for (std::size_t q = 0; q < b.size(); ++q)
        if (fate[q] == Fate::kMoves) who.push_back(q);
    Foam<D> f;
    if (who.empty()) return f;
    f.source.resize(b.source.empty() ? 0 : 1);
    resize(f, who.size());
    for (std::size_t i = 0; i < who.size(); ++i) {
        const std::size_t q = who[i];
        f.position.write()[i] = b.position[q];
        f.velocity.write()[i] = b.velocity[q];
        f.radius.write()[i] = b.radius[q];
        f.density.write()[i] = b.density[q];
        f.age.write()[i] = b.age[q];
        f.afloat.write()[i] = b.afloat.empty() ? 0 : b.afloat[q];
        f.lifespan.write()[i] =
            static_cast<float>(foam_lifespan(law, b.id[q], double(b.radius[q])));
        if (!b.source.empty()) f.source.write()[i] = b.source[q];
        f.id.write()[i] = b.id[q];
    }
    return f;
}

template <int D>
Bubbles<D> as_bubbles(const Foam<D>& f, const std::vector<Fate>& fate) {
    std::vector<std::size_t> who;
    for (std::size_t q = 0; q < f.size(); ++q)
        if (fate[q] == Fate::kMoves) who.push_back(q);
    Bubbles<D> b;
    if (who.empty()) return b;
    b.afloat.resize(1);
    b.source.resize(f.source.empty() ? 0 : 1);
    resize(b, who.size());
    for (std::size_t i = 0; i < who.size(); ++i) {
        const std::size_t q = who[i];
        b.position.write()[i] = f.position[q];
        b.velocity.write()[i] = f.velocity[q];
        b.radius.write()[i] = f.radius[q];
        b.density.write()[i] = f.density[q];
        b.age.write()[i] = f.age[q];
        b.afloat.write()[i] = f.afloat[q];
        if (!f.source.empty()) b.source.write()[i] = f.source[q];
        b.id.write()[i] = f.id[q];
    }
    return b;
}

/// Puts newcomers on the surface with the velocity they have there. Those that cannot be put there
/// are marked: they go on as they would have without.
template <int D>
void settle(Foam<D>& foam, const MovingSurface<D>& surface, double time, const TransitionLaw& law,
            Context& context) {
    auto x = foam.position.write();
    auto v = foam.velocity.write();
    for_range(context.arena, foam.size(), kGrain, [&](std::size_t b, std::size_t e) {
        const auto reader = surface.reader();
        for (std::size_t i = b; i < e; ++i) {
            project_on_surface<D>(x[i], *reader, time, law.reach,
                                  kOnSurface * double(foam.radius[i]));
            v[i] = surfaced_velocity(v[i], reader->velocity(x[i], time), reader->normal(x[i], time),
                                     law.kept_speed);
        }
    });
}

}  // namespace

template <int D>
Vec<double, D> surfaced_velocity(const Vec<double, D>& v, const Vec<double, D>& u,
                                 const Vec<double, D>& n, double kept) {
    const Vec<double, D> w = v - u, along = w - n * dot(w, n);
    const double whole = length(w), part = length(along);
    return part > 1e-6 * whole ? u + along * (kept * whole / part) : u;
}

double foam_lifespan(const TransitionLaw& law, std::uint64_t id, double radius) {
    if (law.life == FoamLife::kForever) return 1e30;
    const Random random(law.seed, id, 0, Purpose::kLifetime);
    const double factor = law.life_power == 0 ? 1 : math::pow(radius / 1e-3, law.life_power);
    if (law.life == FoamLife::kExponential)
        return -law.life_mean * math::log(1 - random.uniform(0)) * factor;
    const double deviation = std::sqrt(law.life_variance);
    constexpr std::uint32_t kMost = 200;
    for (std::uint32_t k = 0; k < kMost; k += 2) {  // Box and Muller; only positive ages
        const double away = std::sqrt(-2 * math::log(1 - random.uniform(k)));
        const double life =
            law.life_mean + deviation * away * math::cos(2 * math::kPi * random.uniform(k + 1));
        if (life > 0) return life * factor;
    }
    return law.life_mean * factor;
}

template <int D>
Surfaced<D> take_surfaced(Bubbles<D>& bubbles, const MovingSurface<D>& surface, double time,
                          const TransitionLaw& law, Context& context) {
    Stage stage(context, "foam");
    std::vector<Fate> fate(bubbles.size());
    for_range(context.arena, bubbles.size(), kGrain, [&](std::size_t b, std::size_t e) {
        const auto reader = surface.reader();
        for (std::size_t q = b; q < e; ++q) {
            const double distance = reader->at(bubbles.position[q], time).distance();
            // A bubble was in the liquid: above the surface it has crossed it in this step.
            const bool meets = distance >= -double(bubbles.radius[q]);
            const bool air = double(bubbles.density[q]) <= law.densest;
            if (!meets || (!air && distance <= 0)) continue;
            Point<D> x = bubbles.position[q];
            const bool found = air && project_on_surface<D>(x, *reader, time, law.reach,
                                                            kOnSurface * double(bubbles.radius[q]));
            fate[q] = found ? Fate::kMoves : distance > 0 ? Fate::kLeaves : Fate::kStays;
        }
    });
    Surfaced<D> r;
    r.foam = as_foam(bubbles, fate, law);
    settle(r.foam, surface, time, law, context);
    const auto counted = [&](std::size_t q) {
        return fate[q] == Fate::kLeaves && double(bubbles.density[q]) <= law.densest;
    };
    r.left = reduce(
        context.arena, bubbles.size(), kGrain, 0.0,
        [&](std::size_t b, std::size_t e) {
            double sum = 0;
            for (std::size_t q = b; q < e; ++q)
                if (counted(q)) sum += bubble_volume<D>(double(bubbles.radius[q]));
            return sum;
        },
        [](double a, double b) { return a + b; });
    remove_if(bubbles, context, [&](std::size_t q) { return fate[q] != Fate::kStays; });
    return r;
}

template <int D>
double take_submerged(Foam<D>& foam, Bubbles<D>& bubbles, const MovingSurface<D>& surface,
                      double time, const TransitionLaw& law, Context& context) {
    Stage stage(context, "foam");
    std::vector<Fate> fate(foam.size());
    auto x = foam.position.write();
    for_range(context.arena, foam.size(), kGrain, [&](std::size_t b, std::size_t e) {
        const auto reader = surface.reader();
        for (std::size_t i = b; i < e; ++i) {
            const double distance = reader->at(x[i], time).distance();
            const double radius = double(foam.radius[i]);
            if (std::abs(distance) <= std::min(1e-4, radius / 5)) continue;
            if (project_on_surface<D>(x[i], *reader, time, law.reach, kOnSurface * radius))
                continue;
            if (std::abs(distance) <= radius) continue;
            fate[i] = distance < 0 ? Fate::kMoves : Fate::kLeaves;
        }
    });
    adopt(bubbles, as_bubbles(foam, fate));
    const double left = volume_of<D>(foam.radius.read(), fate, Fate::kLeaves, context);
    remove_if(foam, context, [&](std::size_t i) { return fate[i] != Fate::kStays; });
    return left;
}

template <int D>
double take_burst(Foam<D>& foam, Context& context) {
    std::vector<Fate> fate(foam.size());
    for (std::size_t i = 0; i < foam.size(); ++i)
        if (foam.afloat[i] >= foam.lifespan[i]) fate[i] = Fate::kLeaves;
    const double burst = volume_of<D>(foam.radius.read(), fate, Fate::kLeaves, context);
    remove_if(foam, context, [&](std::size_t i) { return fate[i] == Fate::kLeaves; });
    return burst;
}

template <int D>
double total_volume(const Foam<D>& foam, Context& context) {
    const std::vector<Fate> all(foam.size(), Fate::kStays);
    return volume_of<D>(foam.radius.read(), all, Fate::kStays, context);
}

#define SPUME_INSTANTIATE(D)                                                                   \
    template Vec<double, D> surfaced_velocity<D>(const Vec<double, D>&, const Vec<double, D>&, \
                                                 const Vec<double, D>&, double);               \
    template Surfaced<D> take_surfaced<D>(Bubbles<D>&, const MovingSurface<D>&, double,        \
                                          const TransitionLaw&, Context&);                     \
    template double take_submerged<D>(Foam<D>&, Bubbles<D>&, const MovingSurface<D>&, double,  \
                                      const TransitionLaw&, Context&);                         \
    template double take_burst<D>(Foam<D>&, Context&);                                         \
    template double total_volume<D>(const Foam<D>&, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
