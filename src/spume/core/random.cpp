// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/random.h"

namespace spume {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> k) {
    // Multipliers and Weyl increments of [SMDS11] Table 2.
    constexpr std::uint64_t kM0 = 0xD2511F53u, kM1 = 0xCD9E8D57u;
    constexpr std::uint32_t kW0 = 0x9E3779B9u, kW1 = 0xBB67AE85u;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = kM0 * c[0], b = kM1 * c[2];
        c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
        k[0] += kW0;
        k[1] += kW1;
    }
    return c;
}

double Random::uniform(std::uint32_t draw) const {
    // The counter holds who, when and which; purpose and seed make the key. The upper seed word
    // and the purpose are folded by an odd multiplier so that neither can cancel the other.
    const auto lo = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto hi = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const auto r = philox({lo(id_), hi(id_), step_, draw},
                          {lo(seed_), (hi(seed_) ^ (purpose_ * 0x9E3779B1u))});
    const std::uint64_t bits = (std::uint64_t(r[0]) << 32) | r[1];
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace spume
