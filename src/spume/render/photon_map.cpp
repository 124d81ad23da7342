// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/render/photon_map.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "spume/core/math.h"

namespace spume {

PhotonMap::PhotonMap(std::vector<Photon> photons, double radius,
                     std::optional<Box<double, 3>> covers)
    : radius_(radius), covers_(covers) {
    const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(photons.size(), 16));
    starts_.assign(buckets + 1, 0);
    std::vector<std::uint32_t> of(photons.size());
    for (std::size_t i = 0; i < photons.size(); ++i) {
        of[i] = static_cast<std::uint32_t>(bucket(cell(photons[i].position.as<double>())));
        ++starts_[of[i] + 1];
    }
    for (std::size_t b = 0; b < buckets; ++b) starts_[b + 1] += starts_[b];
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    photons_.resize(photons.size());
    for (std::size_t i = 0; i < photons.size(); ++i) photons_[next[of[i]]++] = photons[i];
}

Vec<std::int32_t, 3> PhotonMap::cell(const Vec<double, 3>& x) const {
    Vec<std::int32_t, 3> c{};
    // Light that lands very far away shares the outermost cells.
    for (int k = 0; k < 3; ++k)
        c[k] = static_cast<std::int32_t>(std::clamp(std::floor(x[k] / radius_), -1e9, 1e9));
    return c;
}

std::size_t PhotonMap::bucket(const Vec<std::int32_t, 3>& c) const {
    auto h = static_cast<std::uint32_t>(c[0]) * 0x9e3779b1u ^
             static_cast<std::uint32_t>(c[1]) * 0x85ebca77u ^
             static_cast<std::uint32_t>(c[2]) * 0xc2b2ae3du;
    h ^= h >> 15, h *= 0x2c1b3c6du, h ^= h >> 13;
    return h & (starts_.size() - 2);
}

Colour PhotonMap::irradiance(const Vec<double, 3>& x, const Vec<double, 3>& normal) const {
    if (photons_.empty()) return {};
    constexpr float kAlike = 0.5f;  // cosine between normals
    const Vec<std::int32_t, 3> middle = cell(x);
    const auto n = normal.as<float>();
    Vec<double, 3> sum{};
    for (int i = 0; i < 27; ++i) {
        const Vec<std::int32_t, 3> at =
            middle + Vec<std::int32_t, 3>{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        const std::size_t b = bucket(at);
        for (std::uint32_t p = starts_[b]; p < starts_[b + 1]; ++p) {
            const Photon& photon = photons_[p];
            const Vec<double, 3> y = photon.position.as<double>(), away = y - x;
            const double off = dot(away, normal);
            const double squared = (dot(away, away) - off * off) / (radius_ * radius_);
            // Two cells may share a bucket.
            if (squared >= 1 || std::abs(off) > radius_ / 2 || !(cell(y) == at)) continue;
            if (dot(photon.normal, n) < kAlike) continue;
            sum += photon.power.as<double>() * (1 - squared);
        }
    }
    return (sum * (2 / (math::kPi * radius_ * radius_))).as<float>();
}

}  // namespace spume
