// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/contact.h"

#include <algorithm>
#include <cmath>

#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

constexpr std::size_t kGrain = 512;
constexpr int kSeparations = 16;
constexpr double kCloseEnough = 1e-3;  // of the sum of two radii

/// Calls f(contact) for all, colour by colour; the greatest of what it returns.
template <class Contacts, class F>
double sweep(Contacts& contacts, const std::vector<std::size_t>& colours, Context& context, F&& f) {
    double most = 0;
    for (std::size_t c = 0; c + 1 < colours.size(); ++c) {
        const std::size_t first = colours[c], count = colours[c + 1] - first;
        if (count == 0) continue;
        const bool in_turn = c + 2 == colours.size();  // these may share particles
        most = std::max(most, reduce(
                                  context.arena, count, in_turn ? count : kGrain, 0.0,
                                  [&](std::size_t b, std::size_t e) {
                                      double m = 0;
                                      for (std::size_t k = b; k < e; ++k)
                                          m = std::max(m, f(contacts[first + k]));
                                      return m;
                                  },
                                  [](double a, double b) { return std::max(a, b); }));
    }
    return most;
}

/// The law of one contact, solved exactly: masses are isotropic, so normal and tangent do not mix.
/// Returns how much the relative velocity changed.
template <int D>
double settle(Contact<D>& c, std::span<Vec<double, D>> velocity,
              const std::vector<double>& inverse_mass) {
    const bool solid = c.j == Contact<D>::kSolid;
    const Vec<double, D> u = velocity[c.i] - (solid ? c.other : velocity[c.j]);
    const double along = dot(u, c.normal);
    const double push = std::max(0.0, c.push + (c.bound - along) / c.weight);
    Vec<double, D> drag{};
    if (c.friction > 0) {
        drag = c.drag - (u - c.normal * along) / c.weight;
        const double size = length(drag), most = c.friction * push;
        if (size > most) drag *= most / size;
    }
    const Vec<double, D> impulse = c.normal * (push - c.push) + (drag - c.drag);
    c.push = push;
    c.drag = drag;
    velocity[c.i] += impulse * inverse_mass[c.i];
    if (!solid) velocity[c.j] -= impulse * inverse_mass[c.j];
    return length(impulse) * c.weight;
}

/// Distance to the nearest body that overlaps a ball, and the way out.
template <int D>
double deepest(const Point<D>& x, double r, const PlacedSolids<D>& bodies,
               const GridDomain<D>& domain, Vec<double, D>& way) {
    double overlap = 0;
    for (const PlacedBody<D>& body : bodies.placed) {
        if (!body.bounds().grown(r).contains(x) || body.distance_within(x, r) >= r) continue;
        const double depth = r - body.distance(x);
        if (depth <= overlap) continue;
        overlap = depth;
        way = body.normal(x);
    }
    const Box<double, D> box = domain.bounds();
    for (int a = 0; a < D; ++a)
        for (int side = 0; side < 2; ++side) {
            const double depth = r - (side == 0 ? x[a] - box.lo[a] : box.hi[a] - x[a]);
            if (!domain.wall[a][side] || depth <= overlap) continue;
            overlap = depth;
            way = Vec<double, D>::unit(a, side == 0 ? 1.0 : -1.0);
        }
    return overlap;
}

}  // namespace

template <int D>
int collide(Bubbles<D>& bubbles, ContactSet<D>& set, const ContactLaw& law, Context& context) {
    Stage stage(context, "contact");
    auto velocity = bubbles.velocity.write();
    for (int n = 1; n <= law.sweeps; ++n) {
        const double change = sweep(set.contacts, set.colours, context, [&](Contact<D>& c) {
            return settle(c, velocity, set.inverse_mass);
        });
        if (change <= law.tolerance) return n;
    }
    return law.sweeps;
}

template <int D>
double separate(Bubbles<D>& bubbles, const ContactSet<D>& set, const PlacedSolids<D>& bodies,
                const GridDomain<D>& domain, Context& context) {
    Stage stage(context, "contact");
    auto position = bubbles.position.write();
    const auto* radius = bubbles.radius.data();
    double worst = 0;
    for (int n = 0; n < kSeparations; ++n) {
        worst = sweep(set.contacts, set.colours, context, [&](const Contact<D>& c) {
            Point<D>& x = position[c.i];
            if (c.j == Contact<D>::kSolid) {
                Vec<double, D> way{};
                const double depth = deepest(x, double(radius[c.i]), bodies, domain, way);
                if (depth > 0) x += way * depth;
                return depth / double(radius[c.i]);
            }
            Point<D>& y = position[c.j];
            const Vec<double, D> apart = x - y;
            const double distance = length(apart), sum = double(radius[c.i]) + double(radius[c.j]);
            if (distance >= sum) return 0.0;
            const Vec<double, D> way = distance > 0 ? apart / distance : c.normal;
            const double part = set.inverse_mass[c.i] / c.weight;
            x += way * ((sum - distance) * part);
            y -= way * ((sum - distance) * (1 - part));
            return (sum - distance) / sum;
        });
        if (worst <= kCloseEnough) break;
    }
    return worst;
}

template <int D>
void advance_touching(Bubbles<D>& bubbles, const PlacedSolids<D>& bodies,
                      const GridDomain<D>& domain, const ContactLaw& law, double dt,
                      Context& context) {
    auto contacts = find_contacts(bubbles, bodies, domain, law, dt, context);
    collide(bubbles, contacts, law, context);
    advance(bubbles, dt, context);
    // Those that were pushed farther than their own velocity said have met others by now.
    const auto met = find_contacts(bubbles, bodies, domain, law, dt, context);
    separate(bubbles, met, bodies, domain, context);
}

#define SPUME_INSTANTIATE(D)                                                                     \
    template int collide<D>(Bubbles<D>&, ContactSet<D>&, const ContactLaw&, Context&);           \
    template double separate<D>(Bubbles<D>&, const ContactSet<D>&, const PlacedSolids<D>&,       \
                                const GridDomain<D>&, Context&);                                 \
    template void advance_touching<D>(Bubbles<D>&, const PlacedSolids<D>&, const GridDomain<D>&, \
                                      const ContactLaw&, double, Context&);
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
