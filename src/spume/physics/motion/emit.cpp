// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/physics/motion/emit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spume/core/random.h"
#include "spume/particles/bubble_size.h"
#include "spume/physics/motion/emitter_room.h"

namespace spume {
namespace {

constexpr int kAttempts = 4096;
constexpr int kProbes = 512;  // points that tell how full a place is
constexpr std::size_t kMostAtOnce = std::size_t(1) << 31;
constexpr double kAnyRoom = std::numeric_limits<double>::infinity();

template <int D>
bool open_water(const Point<D>& x, const GridDomain<D>& domain, const PlacedSolids<D>& bodies) {
    return domain.bounds().contains(x) && (bodies.empty() || bodies.distance(x) > 0);
}

/// Integral from 0 to s of the strength: linear between keys, held before and after.
double pulse_until(const std::vector<PulseKey>& keys, double s) {
    double sum = keys.front().strength * std::min(s, keys.front().time);
    for (std::size_t i = 1; i < keys.size() && s > keys[i - 1].time; ++i) {
        const PulseKey &a = keys[i - 1], &b = keys[i];
        const double t = std::min(s, b.time) - a.time;
        const double slope = (b.strength - a.strength) / (b.time - a.time);
        sum += t * (a.strength + slope * t / 2);
    }
    return sum + keys.back().strength * std::max(0.0, s - keys.back().time);
}

template <int D>
Bubbles<D> with_room(std::size_t n) {
    Bubbles<D> r;
    resize(r, n);
    return r;
}

}  // namespace

double inverse_cubic_radius(double uniform, double radius_min, double radius_max) {
    const double a = radius_min * radius_min, b = radius_max * radius_max;
    return radius_min * radius_max / std::sqrt(b - uniform * (b - a));
}

double time_on(const Emitter& e, Interval time) {
    const double begin = std::max(time.begin, e.start), end = std::min(time.end, e.stop);
    if (begin >= end) return 0;
    if (e.period <= 0 && e.pulse.empty()) return end - begin;
    // Integral of the burst window, or of the pulse, from the start to t.
    const auto within = [&](double s) {
        return e.pulse.empty() ? std::min(s, e.burst) : pulse_until(e.pulse, s);
    };
    const auto until = [&](double t) {
        if (e.period <= 0) return within(t - e.start);
        const double cycles = std::floor((t - e.start) / e.period);
        return cycles * within(e.period) + within(t - e.start - cycles * e.period);
    };
    return until(end) - until(begin);
}

template <int D>
EmitterSet<D>::EmitterSet(const std::vector<Emitter>& emitters, double air_density,
                          std::uint64_t seed, const MeshLibrary& meshes, double grain_density,
                          double max_fraction, bool mark_sources, const std::vector<Solid>& solids)
    : air_density_(air_density),
      grain_density_(grain_density),
      max_fraction_(max_fraction),
      seed_(seed),
      mark_sources_(mark_sources) {
    for (const Emitter& e : emitters) {
        MovingBody<D> moving = moving_body<D>(e, solids, meshes);
        PlacedBody<D> body = moving.at(0);
        emitters_.push_back({e, std::move(moving), std::move(body)});
    }
}

template <int D>
Vec<double, D> EmitterSet<D>::Source::velocity_at(const Point<D>& x,
                                                  const PlacedBody<D>& where) const {
    const Vec<double, D> v = in_plane<D>(says.velocity);
    if (!moving.moves()) return v;
    const Pose rest = rest_pose<D>(says.shape.center, says.shape.rotation);
    const Vec<double, 3> own = rest.rotation.apply_inverse(lifted(v));
    return flattened<D>(where.pose().rotation.apply(own)) + where.velocity(x);
}

template <int D>
std::optional<PlacedBody<D>> EmitterSet<D>::Source::body_for(const Random& random,
                                                             const PlacedSolids<D>& bodies) const {
    if (!moving.moves() || says.mode == EmitMode::kSeed) return std::nullopt;
    const double when = time.begin + time.length() * random.uniform(0);
    return moving.at(when, bodies.placed, time.end - when, &body.shape());
}

template <int D>
double EmitterSet<D>::radius(const Source& source, std::uint64_t id, double voxel) const {
    if (source.says.law != RadiusLaw::kInverseCubic) return radius_span(source.says, D, voxel).max;
    return inverse_cubic_radius(Random(seed_, id, 0, Purpose::kRadius).uniform(0),
                                source.says.radius_min, source.says.radius_max);
}

template <int D>
double EmitterSet<D>::most(const Source& source) const {
    const RadiusLaw law = source.says.law;
    const bool body = law == RadiusLaw::kCellShare || law == RadiusLaw::kMarker;
    return body ? max_fraction_ : std::min(max_fraction_, kRandomPacking);
}

/// Sizes for as long as debt and room last; the last one may go beyond the room.
template <int D>
std::vector<float> EmitterSet<D>::radii(const Source& source, double& debt, double room,
                                        std::size_t count, std::uint64_t first_id,
                                        double voxel) const {
    const double stands_for = radius_span(source.says, D, voxel).stands_for;
    std::vector<float> r;
    while (r.size() < count && room > 0) {
        const float next = static_cast<float>(radius(source, first_id + r.size(), voxel));
        const double volume = stands_for > 0 ? stands_for : bubble_volume<D>(next);
        if (volume > debt) break;
        debt -= volume;
        room -= volume;
        r.push_back(next);
    }
    return r;
}

template <int D>
Bubbles<D> EmitterSet<D>::lattice(const Source& source, const GridDomain<D>& domain,
                                  const PlacedSolids<D>& bodies) const {
    // Points sit at the middles of a lattice that starts at the domain's corner, so that they lie
    // alike in all cells.
    const double spacing = source.says.spacing;
    const Box<double, D> bounds = source.body.bounds().intersected(domain.bounds());
    const Point<D> origin = domain.transform.origin;
    Index<D> lo{}, hi{};
    for (int a = 0; a < D; ++a) {
        lo[a] = static_cast<int>(std::floor((bounds.lo[a] - origin[a]) / spacing));
        hi[a] = static_cast<int>(std::ceil((bounds.hi[a] - origin[a]) / spacing));
    }
    std::vector<Point<D>> points;
    Index<D> i = lo;
    for (bool more = !bounds.empty(); more;) {
        const Point<D> x = origin + (i.template as<double>() + Point<D>::filled(0.5)) * spacing;
        if (source.body.distance(x) < 0 && open_water<D>(x, domain, bodies)) points.push_back(x);
        more = false;
        for (int a = D - 1; a >= 0 && !more; --a) {
            more = ++i[a] < hi[a];
            if (!more) i[a] = lo[a];
        }
    }
    Bubbles<D> r = with_room<D>(points.size());
    std::copy(points.begin(), points.end(), r.position.write().begin());
    auto velocity = r.velocity.write();
    for (std::size_t q = 0; q < points.size(); ++q)
        velocity[q] = source.velocity_at(points[q], source.body);
    return r;
}

template <int D>
double EmitterSet<D>::room(const Source& source, std::size_t index, const Bubbles<D>& bubbles,
                           const GridDomain<D>& domain, const PlacedSolids<D>& bodies) const {
    std::vector<Point<D>> open;
    const Random random(seed_, index, 0, Purpose::kJitter);
    int inside = 0;
    for (std::uint32_t n = 0; n < kAttempts && inside < kProbes; ++n) {
        const auto in_body = source.body.shape().pick(random.uniform_vec<D>(n * D));
        if (!in_body) continue;
        ++inside;
        const Point<D> x = source.body.to_world(*in_body);
        if (open_water<D>(x, domain, bodies)) open.push_back(x);
    }
    if (open.empty()) return std::numeric_limits<double>::min();  // a slit or none: one may try
    const double volume = source.body.shape().volume() * double(open.size()) / inside;
    FractionAround<D> air(source.body.bounds(), domain.voxel());
    const RadiusSpan span = radius_span(source.says, D, domain.voxel());
    // Markers have more volume than the air they stand for.
    const double share = span.stands_for > 0 ? span.stands_for / bubble_volume<D>(span.max) : 1;
    for (std::size_t q = 0; q < bubbles.size(); ++q)
        if (air.reach().contains(bubbles.position[q]))
            air.add(bubbles.position[q], share * bubble_volume<D>(bubbles.radius[q]));
    return room_for_air(air, open, volume, domain.voxel(), most(source));
}

template <int D>
Bubbles<D> EmitterSet<D>::placed_at_random(const Source& source, const std::vector<float>& sizes,
                                           std::uint64_t first_id, const GridDomain<D>& domain,
                                           const PlacedSolids<D>& bodies,
                                           std::vector<std::uint8_t>& homeless,
                                           Context& context) const {
    Bubbles<D> fresh = with_room<D>(sizes.size());
    homeless.assign(sizes.size(), 0);
    std::copy(sizes.begin(), sizes.end(), fresh.radius.write().begin());
    auto position = fresh.position.write();
    auto velocity = fresh.velocity.write();
    for_range(context.arena, sizes.size(), 256, [&](std::size_t b, std::size_t end) {
        for (std::size_t i = b; i < end; ++i) {
            const Random random(seed_, first_id + i, 0, Purpose::kPosition);
            const auto moved =
                source.body_for(Random(seed_, first_id + i, 0, Purpose::kJitter), bodies);
            const PlacedBody<D>& body = moved ? *moved : source.body;
            bool found = false;
            for (int n = 0; n < kAttempts && !found; ++n) {
                const auto in_body =
                    body.shape().pick(random.uniform_vec<D>(static_cast<std::uint32_t>(n * D)));
                if (!in_body) continue;
                position[i] = body.to_world(*in_body);
                found = open_water<D>(position[i], domain, bodies);
            }
            velocity[i] = source.velocity_at(position[i], body);
            homeless[i] = std::uint8_t(!found);
        }
    });
    return fresh;
}

/// All at once, at `start`.
template <int D>
Bubbles<D> EmitterSet<D>::seeds(const Source& source, std::uint64_t first_id,
                                const GridDomain<D>& domain, const PlacedSolids<D>& bodies,
                                Result& result, Context& context) const {
    const Emitter& e = source.says;
    if (e.spacing > 0) {
        Bubbles<D> fresh = lattice(source, domain, bodies);
        auto radius_out = fresh.radius.write();
        for (std::size_t i = 0; i < fresh.size(); ++i)
            radius_out[i] = static_cast<float>(radius(source, first_id + i, domain.voxel()));
        return fresh;
    }
    double debt = e.count > 0 ? 1e300 : e.fraction * source.body.shape().volume();
    const std::size_t count = e.count > 0 ? std::size_t(e.count) : kMostAtOnce;
    std::vector<std::uint8_t> homeless;
    Bubbles<D> fresh =
        placed_at_random(source, radii(source, debt, kAnyRoom, count, first_id, domain.voxel()),
                         first_id, domain, bodies, homeless, context);
    const auto lost = static_cast<std::size_t>(std::count(homeless.begin(), homeless.end(), 1));
    if (lost > 0) {
        result.warnings.push_back(fmt::format("emitter \"{}\": no open water for {} of {} bubbles",
                                              e.name, lost, fresh.size()));
        remove_if(fresh, context, [&](std::size_t i) { return homeless[i] != 0; });
    }
    return fresh;
}

/// As much of the debt as the place takes now.
template <int D>
Bubbles<D> EmitterSet<D>::flow(const Source& source, std::size_t index, const Bubbles<D>& bubbles,
                               double& debt, const GridDomain<D>& domain,
                               const PlacedSolids<D>& bodies, Result& result,
                               Context& context) const {
    const std::uint64_t first_id = bubbles.next_id;
    const RadiusSpan span = radius_span(source.says, D, domain.voxel());
    const auto cost = [&](double radius) {
        return span.stands_for > 0 ? span.stands_for : bubble_volume<D>(radius);
    };
    if (cost(radius(source, first_id, domain.voxel())) > debt) return {};
    const double room_now = room(source, index, bubbles, domain, bodies);
    const std::vector<float> sizes =
        radii(source, debt, room_now, kMostAtOnce, first_id, domain.voxel());
    std::vector<std::uint8_t> homeless;
    Bubbles<D> fresh = placed_at_random(source, sizes, first_id, domain, bodies, homeless, context);
    // Bubbles that are more than a voxel can hold are too much for any place.
    const double too_much = cost(span.max) - most(source) * domain.cell_volume();
    if (source.says.law == RadiusLaw::kFixed && too_much > 0 && !sizes.empty())
        result.held_back += too_much;
    const bool held = debt >= cost(radius(source, first_id + sizes.size(), domain.voxel()));
    const auto lost = static_cast<std::size_t>(std::count(homeless.begin(), homeless.end(), 1));
    if (held && lost == 0) {
        result.held_back += debt;
        result.warnings.push_back(
            fmt::format("emitter \"{}\" is over-full: its place holds no more air than a fraction "
                        "of {:.2g}; it owes {:.3g} m^{}",
                        source.says.name, most(source), debt, D));
    }
    if (lost > 0) {
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (homeless[i] != 0) debt += cost(sizes[i]);
        result.warnings.push_back(
            fmt::format("emitter \"{}\": no open water for {} of {} bubbles; it owes {:.3g} m^{}",
                        source.says.name, lost, fresh.size(), debt, D));
        remove_if(fresh, context, [&](std::size_t i) { return homeless[i] != 0; });
    }
    return fresh;
}

template <int D>
typename EmitterSet<D>::Result EmitterSet<D>::emit(Bubbles<D>& bubbles, Array<double>& owed,
                                                   Interval time, const GridDomain<D>& domain,
                                                   const PlacedSolids<D>& bodies,
                                                   Context& context) const {
    Stage stage(context, "emit");
    Result result;
    if (owed.size() != emitters_.size()) owed.resize(emitters_.size());
    for (std::size_t k = 0; k < emitters_.size(); ++k) {
        Source source = emitters_[k];
        const Emitter& e = source.says;
        source.time = time;
        const double when = e.mode == EmitMode::kSeed ? e.start : time.end;
        if (source.moving.moves())
            source.body = source.moving.at(when, bodies.placed, time.end - when);
        Bubbles<D> fresh;
        if (e.mode == EmitMode::kRate) {
            double& debt = owed.write()[k];
            debt += e.rate * time_on(e, time);
            fresh = flow(source, k, bubbles, debt, domain, bodies, result, context);
        } else if (time.begin <= e.start && e.start < time.end) {
            fresh = seeds(source, bubbles.next_id, domain, bodies, result, context);
        }
        const double stands_for = radius_span(e, D, domain.voxel()).stands_for;
        auto density = fresh.density.write();
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            density[i] = static_cast<float>(e.density > 0 ? e.density : air_density_);
            const double volume = bubble_volume<D>(fresh.radius[i]);
            if (e.density > grain_density_) continue;
            result.volume += volume;
            result.seeded += stands_for > 0 ? stands_for : volume;
        }
        if (mark_sources_)
            fresh.source = Array<std::int32_t>(fresh.size(), static_cast<std::int32_t>(k + 1));
        append(bubbles, fresh);
    }
    return result;
}

template class EmitterSet<2>;
template class EmitterSet<3>;

}  // namespace spume
