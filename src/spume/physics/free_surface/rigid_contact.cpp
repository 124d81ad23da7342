// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include <algorithm>
#include <cmath>

#include "spume/physics/free_surface/rigid.h"

namespace spume {

template <int D>
int RigidSet<D>::free_body_of(std::size_t solid) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        if (bodies_[i].solid == solid) return int(i);
    return -1;
}

template <int D>
auto RigidSet<D>::contacts(std::span<const RigidState> states, const PlacedSolids<D>& solids,
                           const GridDomain<D>& domain, double reach) const
    -> std::vector<Contact> {
    std::vector<Contact> found;
    const Box<double, D> box = domain.bounds();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Pose pose = bodies_[i].pose(states[i]);
        for (const ContactPoint& p : bodies_[i].points) {
            const Vec<double, 3> x = pose.to_world(p.position);
            const auto add = [&](double gap, const Vec<double, 3>& normal) -> Contact* {
                if (gap >= reach) return nullptr;
                found.push_back({});
                Contact& c = found.back();
                c.body = i;
                c.gap = gap;
                c.normal = normal;
                c.arm = x - normal * p.radius - states[i].position;
                return &c;
            };
            for (int a = 0; a < D; ++a) {
                if (domain.wall[a][0])
                    add(x[a] - box.lo[a] - p.radius, Vec<double, 3>::unit(a, 1.0));
                if (domain.wall[a][1])
                    add(box.hi[a] - x[a] - p.radius, Vec<double, 3>::unit(a, -1.0));
            }
            const Point<D> flat = flattened<D>(x);
            for (std::size_t k = 0; k < solids.placed.size(); ++k) {
                const PlacedBody<D>& other = solids.placed[k];
                if (k == bodies_[i].solid || !other.bounds().grown(p.radius + reach).contains(flat))
                    continue;
                const double d = other.distance(flat) - p.radius;
                if (d >= reach) continue;
                Contact* c = add(d, lifted(other.normal(flat)));
                c->other = free_body_of(k);
                const Vec<double, 3> touch = states[i].position + c->arm;
                if (c->other >= 0)
                    c->other_arm = touch - states[std::size_t(c->other)].position;
                else
                    c->wall_velocity = lifted(other.velocity(flattened<D>(touch)));
            }
        }
    }
    return found;
}

template <int D>
void RigidSet<D>::separate(std::span<RigidState> states, PlacedSolids<D>& solids,
                           const GridDomain<D>& domain) const {
    // Each round takes the deepest contact of every body; corners need one round a wall.
    for (int round = 0; round < 2 * D && !bodies_.empty(); ++round) {
        const auto found = contacts(states, solids, domain, 0.0);
        if (found.empty()) return;
        std::vector<const Contact*> deepest(bodies_.size(), nullptr);
        for (const Contact& c : found)
            if (!deepest[c.body] || c.gap < deepest[c.body]->gap) deepest[c.body] = &c;
        for (const Contact* c : deepest) {
            if (!c) continue;
            double share = 1;
            if (c->other >= 0) {
                const double own = bodies_[c->body].mass, its = bodies_[std::size_t(c->other)].mass;
                share = its / (own + its);
                states[std::size_t(c->other)].position += c->normal * (c->gap * (1 - share));
            }
            states[c->body].position -= c->normal * (c->gap * share);
        }
        place(solids, states);
    }
}

template <int D>
bool RigidSet<D>::stop_at_contacts(std::span<RigidState> states, const PlacedSolids<D>& solids,
                                   const GridDomain<D>& domain, double dt) const {
    if (bodies_.empty()) return false;
    const double reach = 2 * solids.max_speed() * dt + 1e-9 * domain.voxel();
    auto found = contacts(states, solids, domain, reach);
    std::vector<Tensor> easy;  // inverse inertia
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        easy.push_back(inverse(bodies_[i].inertia_at(states[i])));
    const auto push = [&](std::size_t i, const Vec<double, 3>& arm, const Vec<double, 3>& impulse) {
        states[i].velocity += impulse / bodies_[i].mass;
        const Vec<double, 3> turn = times(easy[i], cross(arm, impulse));
        for (int a = 0; a < 3; ++a)
            if (D == 3 || a == 2) states[i].spin[a] += turn[a];
    };
    const auto speed = [&](std::size_t i, const Vec<double, 3>& arm) {
        return states[i].velocity + cross(states[i].spin, arm);
    };
    const auto ease = [&](std::size_t i, const Vec<double, 3>& arm, const Vec<double, 3>& n) {
        Vec<double, 3> moment = cross(arm, n);
        if (D == 2) moment[0] = moment[1] = 0;
        return 1 / bodies_[i].mass + dot(moment, times(easy[i], moment));
    };
    bool changed = false;
    constexpr int kRounds = 30;
    for (int round = 0; round < kRounds; ++round)
        for (Contact& c : found) {
            Vec<double, 3> relative = speed(c.body, c.arm) - c.wall_velocity;
            double give = ease(c.body, c.arm, c.normal);
            if (c.other >= 0) {
                relative -= speed(std::size_t(c.other), c.other_arm);
                give += ease(std::size_t(c.other), c.other_arm, c.normal);
            }
            const double allowed = -std::max(c.gap, 0.0) / dt;
            const double wanted = c.impulse + (allowed - dot(relative, c.normal)) / give;
            const double change = std::max(wanted, 0.0) - c.impulse;
            if (change == 0) continue;
            changed = true;
            c.impulse += change;
            push(c.body, c.arm, c.normal * change);
            if (c.other >= 0) push(std::size_t(c.other), c.other_arm, c.normal * -change);
        }
    return changed;
}

#define SPUME_INSTANTIATE(D)                                                                       \
    template auto RigidSet<D>::contacts(std::span<const RigidState>, const PlacedSolids<D>&,       \
                                        const GridDomain<D>&, double) const->std::vector<Contact>; \
    template int RigidSet<D>::free_body_of(std::size_t) const;                                     \
    template void RigidSet<D>::separate(std::span<RigidState>, PlacedSolids<D>&,                   \
                                        const GridDomain<D>&) const;                               \
    template bool RigidSet<D>::stop_at_contacts(std::span<RigidState>, const PlacedSolids<D>&,     \
                                                const GridDomain<D>&, double) const;
SPUME_INSTANTIATE(2)
SPUME_INSTANTIATE(3)
#undef SPUME_INSTANTIATE

}  // namespace spume
