// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/io/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/core.h>

namespace spume {
namespace {

static_assert(std::endian::native == std::endian::little,
              "stored hashes are of little-endian words");

// Odd, with bits spread evenly: fractional parts of square roots of primes.
constexpr std::uint64_t kSpread = 0x6a09e667f3bcc909u, kTurn = 0xbb67ae8584caa73bu;
constexpr std::uint64_t kStart[8] = {0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u, 0x510e527fade682d1u,
                                     0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u,
                                     0xcbbb9d5dc1059ed8u, 0x629a292a367cd507u};

std::uint64_t word_at(const std::byte* bytes) {
    std::uint64_t w;
    std::memcpy(&w, bytes, sizeof w);
    return w;
}

std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 32)) * kSpread;
    x = (x ^ (x >> 29)) * kTurn;
    return x ^ (x >> 32);
}

}  // namespace

Hasher::Hasher() { std::copy(std::begin(kStart), std::end(kStart), lanes_); }

void Hasher::add_stripe(const std::byte* stripe) {
    std::uint64_t w[8];
    for (int i = 0; i < 8; ++i) w[i] = word_at(stripe + 8 * i);
    for (int i = 0; i < 8; ++i)
        lanes_[i] = std::rotl(lanes_[i] ^ (w[i] * kSpread), 31) * kTurn + w[i ^ 1];
}

void Hasher::add(std::span<const std::byte> bytes) {
    total_ += bytes.size();
    if (rest_size_ > 0) {
        const std::size_t taken = std::min(kStripe - rest_size_, bytes.size());
        std::copy_n(bytes.data(), taken, rest_ + rest_size_);
        rest_size_ += taken;
        bytes = bytes.subspan(taken);
        if (rest_size_ < kStripe) return;
        add_stripe(rest_);
        rest_size_ = 0;
    }
    while (bytes.size() >= kStripe) {
        add_stripe(bytes.data());
        bytes = bytes.subspan(kStripe);
    }
    std::copy(bytes.begin(), bytes.end(), rest_);
    rest_size_ = bytes.size();
}

Hash128 Hasher::result() const {
    Hasher end = *this;
    if (end.rest_size_ > 0) {
        std::fill(end.rest_ + end.rest_size_, end.rest_ + kStripe, std::byte{0});
        end.add_stripe(end.rest_);
    }
    // The length tells apart streams that differ only in trailing zeros.
    Hash128 h{mixed(total_ + kSpread), mixed(total_ ^ kTurn)};
    for (int i = 0; i < 8; ++i) {
        h.high = mixed(h.high ^ end.lanes_[i]) + h.low;
        h.low = mixed(h.low + end.lanes_[i]) ^ std::rotl(h.high, 17);
    }
    return {mixed(h.high), mixed(h.low)};
}

std::string Hash128::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

std::optional<Hash128> Hash128::from_hex(std::string_view text) {
    if (text.size() != 32) return std::nullopt;
    Hash128 h;
    for (std::size_t i = 0; i < 32; ++i) {
        const char c = text[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return std::nullopt;
        std::uint64_t& half = i < 16 ? h.high : h.low;
        half = half << 4 | static_cast<std::uint64_t>(digit);
    }
    return h;
}

Hash128 hash_of(std::string_view text) {
    Hasher hasher;
    hasher.add(text);
    return hasher.result();
}

Hash128 hash_of(std::span<const std::byte> bytes) {
    Hasher hasher;
    hasher.add(bytes);
    return hasher.result();
}

}  // namespace spume
