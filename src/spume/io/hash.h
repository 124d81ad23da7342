// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace spume {

/// 128 bits that stand for the content of a file. Made to notice damage, not to resist a forger.
struct Hash128 {
    std::uint64_t high = 0, low = 0;
    friend bool operator==(const Hash128&, const Hash128&) = default;
    std::string hex() const;  ///< 32 lower-case digits
    static std::optional<Hash128> from_hex(std::string_view text);
};

/// Hashes a stream of bytes; the result does not depend on how the stream was cut.
///
/// Eight 64-bit lanes take one word each of a 64-byte stripe; every word also goes into the
/// neighbouring lane, so that a change of one word changes 128 bits of the state. Each lane's
/// update is a bijection of the lane: what once differs cannot become equal by equal input.
class Hasher {
  public:
    Hasher();
    void add(std::span<const std::byte> bytes);
    void add(std::string_view text) { add(std::as_bytes(std::span(text.data(), text.size()))); }
    Hash128 result() const;  ///< of everything added so far; more may follow

  private:
    static constexpr std::size_t kStripe = 64;
    void add_stripe(const std::byte* stripe);

    std::uint64_t lanes_[8];
    std::byte rest_[kStripe];
    std::size_t rest_size_ = 0;
    std::uint64_t total_ = 0;
};

Hash128 hash_of(std::string_view text);
Hash128 hash_of(std::span<const std::byte> bytes);

}  // namespace spume
