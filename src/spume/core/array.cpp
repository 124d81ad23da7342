// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/array.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace spume {
namespace {

constexpr std::size_t kHugePage = std::size_t(2) << 20;
constexpr std::size_t kPage = std::size_t(64) << 10;  // the largest that systems use
constexpr std::size_t kCacheLine = 64;
/// From here on blocks come from the system and go back to it: freed ones of many sizes would leave
/// holes in the heap that nothing fits into.
constexpr std::size_t kLarge = std::size_t(128) << 10;

// A sanitizer must see each block die, and guard its ends, to find who uses what is not its own.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kGuarded = true;
#elif defined(__has_feature)
constexpr bool kGuarded = __has_feature(address_sanitizer) != 0;
#else
constexpr bool kGuarded = false;
#endif

/// Of blocks that do not come from the system.
std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t(bytes < kHugePage ? kCacheLine : kHugePage);
}

/// Can a part of a block from the system go back to it?
#ifdef __linux__
constexpr bool kDivisible = true;
#else
constexpr bool kDivisible = false;
#endif

/// What is really taken from the system, so that a block freed by one array fits the next one.
std::size_t rounded(std::size_t bytes) {
    std::size_t step = kPage;
    while (!kDivisible && step * 16 < bytes) step *= 2;
    return (bytes + step - 1) / step * step;
}

#ifdef __linux__
/// Begins at a huge page, so that as much of it as possible can be on such.
void* map_large(std::size_t bytes) {
    const std::size_t extra = bytes < kHugePage ? 0 : kHugePage;
    void* all =
        mmap(nullptr, bytes + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    if (extra == 0) return all;
    char* const first = static_cast<char*>(all);
    const std::size_t head =
        (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
    if (head > 0) munmap(first, head);
    if (head < extra) munmap(first + head + bytes, extra - head);
    madvise(first + head, bytes, MADV_HUGEPAGE);
    return first + head;
}
void unmap_large(void* memory, std::size_t bytes) noexcept { munmap(memory, bytes); }
#else
void* map_large(std::size_t bytes) { return ::operator new(bytes, std::align_val_t(kCacheLine)); }
void unmap_large(void* memory, std::size_t) noexcept {
    ::operator delete(memory, std::align_val_t(kCacheLine));
}
#endif

/// Freed large blocks, kept for the next arrays: each step frees and makes the same ones again, and
/// a fresh page costs several times what writing to an old one does. Neighbours become one block,
/// the smallest that has room is cut. Never holds so much that blocks in use and spare ones
/// together exceed the most that was ever in use by more than a sixteenth; a quarter where blocks
/// cannot be cut.
class Spare {
  public:
    void* take(std::size_t bytes) {
        const std::lock_guard lock(mutex_);
        std::size_t best = blocks_.size();
        for (std::size_t i = blocks_.size(); i-- > 0;)
            if (blocks_[i].fits(bytes) &&
                (best == blocks_.size() || blocks_[i].bytes < blocks_[best].bytes))
                best = i;
        if (best == blocks_.size()) return nullptr;
        const Block block = blocks_[best];
        const std::size_t begin = block.place_for(bytes), end = begin + bytes;
        erase(best);
        if (begin > 0) blocks_.push_back({block.memory, begin});
        if (end < block.bytes) blocks_.push_back({block.memory + end, block.bytes - end});
        held_ -= bytes;
        use(bytes);
        return block.memory + begin;
    }
    void give(void* memory, std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        in_use_ -= bytes;
        const Block block = joined({static_cast<char*>(memory), bytes});
        if (blocks_.size() == blocks_.capacity()) {
            held_ -= block.bytes - bytes;
            return unmap_large(block.memory, block.bytes);
        }
        blocks_.push_back(block);
        held_ += bytes;
        shed();
    }
    /// A block that came from the system instead.
    void count(std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        use(bytes);
        shed();
    }
    /// Hands everything back, when the system has no more.
    void drop() noexcept {
        const std::lock_guard lock(mutex_);
        for (const Block& b : blocks_) unmap_large(b.memory, b.bytes);
        blocks_.clear();
        held_ = 0;
    }
    Spare() { blocks_.reserve(256); }
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;

  private:
    struct Block {
        char* memory;
        std::size_t bytes;

        /// Large arrays begin at a huge page; small ones leave it to them.
        std::size_t place_for(std::size_t wanted) const {
            if (!kDivisible) return 0;
            if (wanted < kHugePage) return bytes > wanted ? bytes - wanted : 0;
            return (kHugePage - reinterpret_cast<std::uintptr_t>(memory) % kHugePage) % kHugePage;
        }
        bool fits(std::size_t wanted) const {
            return kDivisible ? place_for(wanted) + wanted <= bytes : bytes == wanted;
        }
    };

    void use(std::size_t bytes) {
        in_use_ += bytes;
        if (in_use_ > peak_) peak_ = in_use_;
    }

    /// The block together with spare ones that begin or end where it does.
    Block joined(Block block) noexcept {
        for (std::size_t i = blocks_.size(); kDivisible && i-- > 0;) {
            const Block other = blocks_[i];
            const bool below = other.memory + other.bytes == block.memory;
            if (!below && block.memory + block.bytes != other.memory) continue;
            block = {below ? other.memory : block.memory, block.bytes + other.bytes};
            erase(i);
        }
        return block;
    }

    void shed() noexcept {
        const std::size_t most = peak_ + peak_ / (kDivisible ? 16 : 4);
        while (!blocks_.empty() && held_ + in_use_ > most) {
            Block& oldest = blocks_.front();
            const std::size_t bytes =
                kDivisible ? std::min(rounded(held_ + in_use_ - most), oldest.bytes) : oldest.bytes;
            held_ -= bytes;
            oldest.bytes -= bytes;
            unmap_large(oldest.memory + oldest.bytes, bytes);
            if (oldest.bytes == 0) erase(0);
        }
    }

    void erase(std::size_t i) noexcept {
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    }

    std::mutex mutex_;
    std::vector<Block> blocks_;  // oldest first
    std::size_t held_ = 0, in_use_ = 0, peak_ = 0;
};

/// Part of the allocator, like the free lists behind operator new. Never destroyed: arrays may
/// outlive it at exit.
Spare& spare() {
    static Spare& spare = *new Spare;
    return spare;
}

}  // namespace

void* allocate_bytes(std::size_t bytes) {
    if (kGuarded || bytes < kLarge) return ::operator new(bytes, alignment(bytes));
    const std::size_t whole = rounded(bytes);
    void* memory = spare().take(whole);
    if (memory) return memory;
    try {
        memory = map_large(whole);
    } catch (const std::bad_alloc&) {
        spare().drop();
        memory = map_large(whole);
    }
    spare().count(whole);
    return memory;
}

void free_bytes(void* memory, std::size_t bytes) noexcept {
    if (kGuarded || bytes < kLarge)
        ::operator delete(memory, alignment(bytes));
    else
        spare().give(memory, rounded(bytes));
}

}  // namespace spume
