// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <bit>
#include <cmath>

#include "spume/particles/bubble_size.h"
#include "spume/particles/neighbours.h"
#include "spume/physics/motion/contact.h"
#include "spume/physics/motion/move_bubbles.h"

namespace spume {
namespace {

constexpr std::size_t kPiece = 1024;
constexpr int kColours = 64;

/// Everything that finding contacts reads, and the pieces it makes.
template <int D>
class Finder {
  public:
    Finder(const Bubbles<D>& bubbles, const ContactLaw& law, double dt)
        : bubbles_(bubbles), law_(law), dt_(dt) {}

    bool grain(std::size_t q) const { return bubbles_.density[q] > law_.grain_density; }

    /// b: they may close the gap within the step, or bounce if they would meet.
    double bound(double gap, double approach) const {
        const double arrive = -std::max(gap, 0.0) / dt_;
        const bool meet = approach < arrive;
        return meet ? std::max(arrive, -law_.restitution * approach) : arrive;
    }

    void pair(std::size_t i, std::size_t j, const std::vector<double>& inverse_mass,
              std::vector<Contact<D>>& out) const {
        const Vec<double, D> apart = bubbles_.position[i] - bubbles_.position[j];
        const Vec<double, D> u = bubbles_.velocity[i] - bubbles_.velocity[j];
        const double distance = length(apart);
        const double gap = distance - double(bubbles_.radius[i]) - double(bubbles_.radius[j]);
        if (gap > length(u) * dt_ + slack(i)) return;
        Contact<D> c;
        c.i = static_cast<std::uint32_t>(i);
        c.j = static_cast<std::uint32_t>(j);
        c.normal = distance > 0 ? apart / distance : Vec<double, D>::unit(D - 1);
        c.bound = bound(gap, dot(u, c.normal));
        c.weight = inverse_mass[i] + inverse_mass[j];
        c.friction = grain(i) && grain(j) ? law_.friction : 0;
        out.push_back(c);
    }

    void solid(std::size_t i, double gap, const Vec<double, D>& normal,
               const Vec<double, D>& velocity, const std::vector<double>& inverse_mass,
               std::vector<Contact<D>>& out) const {
        const Vec<double, D> u = bubbles_.velocity[i] - velocity;
        if (gap > length(u) * dt_ + slack(i)) return;
        Contact<D> c;
        c.i = static_cast<std::uint32_t>(i);
        c.j = Contact<D>::kSolid;
        c.normal = normal;
        c.other = velocity;
        c.bound = bound(gap, dot(u, normal));
        c.weight = inverse_mass[i];
        c.friction = grain(i) ? law_.solid_friction : 0;
        out.push_back(c);
    }

    /// Particles pushed by their neighbours may go farther than their own velocity says.
    double slack(std::size_t i) const { return 0.1 * double(bubbles_.radius[i]); }

  private:
    const Bubbles<D>& bubbles_;
    const ContactLaw& law_;
    double dt_;
};

template <int D>
void with_solids(const Finder<D>& finder, const Bubbles<D>& bubbles, std::size_t q,
                 const PlacedSolids<D>& bodies, const GridDomain<D>& domain, double reach,
                 const std::vector<double>& inverse_mass, std::vector<Contact<D>>& out) {
    const Point<D> x = bubbles.position[q];
    const double r = double(bubbles.radius[q]);
    for (const PlacedBody<D>& body : bodies.placed) {
        if (!body.bounds().grown(r + reach).contains(x)) continue;
        if (body.distance_within(x, r + reach) >= r + reach) continue;
        finder.solid(q, body.distance(x) - r, body.normal(x), body.velocity(x), inverse_mass, out);
    }
    const Box<double, D> box = domain.bounds();
    for (int a = 0; a < D; ++a) {
        if (domain.wall[a][0])
            finder.solid(q, x[a] - box.lo[a] - r, Vec<double, D>::unit(a), {}, inverse_mass, out);
        if (domain.wall[a][1])
            finder.solid(q, box.hi[a] - x[a] - r, Vec<double, D>::unit(a, -1.0), {}, inverse_mass,
                         out);
    }
}

/// Each contact gets the first colour that neither of its particles has yet. One after the other,
/// so that it depends on their order alone; what finds none goes last, to be done in turn.
template <int D>
void sort_by_colour(ContactSet<D>& set, std::size_t particles) {
    std::vector<std::uint64_t> used(particles, 0);
    std::vector<std::uint8_t> colour(set.contacts.size());
    std::vector<std::size_t> count(kColours + 2, 0);
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {
        const Contact<D>& c = set.contacts[k];
        std::uint64_t taken = used[c.i];
        if (c.j != Contact<D>::kSolid) taken |= used[c.j];
        const int first = std::countr_one(taken);
        colour[k] = static_cast<std::uint8_t>(first);
        ++count[std::size_t(first) + 1];
        if (first == kColours) continue;
        used[c.i] |= std::uint64_t(1) << first;
        if (c.j != Contact<D>::kSolid) used[c.j] |= std::uint64_t(1) << first;
    }
    for (std::size_t k = 1; k < count.size(); ++k) count[k] += count[k - 1];
    set.colours = count;
    std::vector<Contact<D>> sorted(set.contacts.size());
    for (std::size_t k = 0; k < set.contacts.size(); ++k)
        sorted[count[colour[k]]++] = set.contacts[k];
    set.contacts = std::move(sorted);
}

}  // namespace

template <int D>
ContactSet<D> find_contacts(const Bubbles<D>& bubbles, const PlacedSolids<D>& bodies,
                            const GridDomain<D>& domain, const ContactLaw& law, double dt,
                            Context& context) {
    Stage stage(context, "contact");
    const std::size_t n = bubbles.size();
    ContactSet<D> set;
    set.inverse_mass.resize(n);
    double largest = 0;
    for (std::size_t q = 0; q < n; ++q) {
        const double r = double(bubbles.radius[q]);
        largest = std::max(largest, r);
        set.inverse_mass[q] = 1 / (bubble_volume<D>(r) * double(bubbles.density[q]));
    }
    if (n == 0) {
        set.colours.assign(kColours + 2, 0);
        return set;
    }
    // Faster ones than this may pass; the pairs they meet are found once they are there.
    const double reach = std::min(2 * max_speed(bubbles, context) * dt, largest) + 0.1 * largest;
    const NeighbourLists near =
        find_neighbours<D>(bubbles.position.read(), 2 * largest + reach, context);
    const Finder<D> finder(bubbles, law, dt);
    std::vector<std::vector<Contact<D>>> pieces((n + kPiece - 1) / kPiece);
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        auto& out = pieces[b / kPiece];
        for (std::size_t i = b; i < e; ++i) {
            for (const std::uint32_t j : near.of(i))
                if (i < j) finder.pair(i, j, set.inverse_mass, out);
            with_solids(finder, bubbles, i, bodies, domain, reach, set.inverse_mass, out);
        }
    });
    for (const auto& piece : pieces)
        set.contacts.insert(set.contacts.end(), piece.begin(), piece.end());
    sort_by_colour(set, n);
    return set;
}

template ContactSet<2> find_contacts<2>(const Bubbles<2>&, const PlacedSolids<2>&,
                                        const GridDomain<2>&, const ContactLaw&, double, Context&);
template ContactSet<3> find_contacts<3>(const Bubbles<3>&, const PlacedSolids<3>&,
                                        const GridDomain<3>&, const ContactLaw&, double, Context&);

}  // namespace spume
