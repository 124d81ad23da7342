// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <array>
#include <cstdint>

namespace spume {

/// Where closed surfaces overlap the higher one counts ([G04] §6.2.5).
enum class Priority : std::uint8_t { kLiquid = 1, kBubble = 2, kSolid = 3 };

/// The closed surfaces a point lies in. What it is filled with is the medium of the highest; among
/// equals that of the one entered first.
class Nest {
  public:
    struct Entry {
        std::uint64_t object = 0;
        Priority priority = Priority::kLiquid;
        int medium = 0;
    };

    bool contains(std::uint64_t object) const {
        for (int i = 0; i < size_; ++i)
            if (entries_[static_cast<std::size_t>(i)].object == object) return true;
        return false;
    }
    /// Beyond the capacity nothing is added: its exit will then be taken for a stray one.
    void add(const Entry& entry) {
        if (size_ < kCapacity) entries_[static_cast<std::size_t>(size_++)] = entry;
    }
    void remove(std::uint64_t object) {
        int kept = 0;
        for (int i = 0; i < size_; ++i)
            if (entries_[static_cast<std::size_t>(i)].object != object)
                entries_[static_cast<std::size_t>(kept++)] = entries_[static_cast<std::size_t>(i)];
        size_ = kept;
    }
    const Entry* top() const {
        const Entry* best = nullptr;
        for (int i = 0; i < size_; ++i) {
            const Entry& e = entries_[static_cast<std::size_t>(i)];
            if (!best || e.priority > best->priority) best = &e;
        }
        return best;
    }
    int size() const { return size_; }
    const Entry& operator[](int i) const { return entries_[static_cast<std::size_t>(i)]; }

  private:
    static constexpr int kCapacity = 16;
    std::array<Entry, kCapacity> entries_{};
    int size_ = 0;
};

}  // namespace spume
