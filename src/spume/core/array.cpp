// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/core/array.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace spume {
namespace {
constexpr std::size_t kHugePage = std::size_t(2) << 20;
constexpr std::size_t kCacheLine = 64;
std::size_t alignment_for(std::size_t bytes) { return bytes >= kHugePage ? kHugePage : kCacheLine; }
}  // namespace

void* allocate_bytes(std::size_t bytes) {
    const std::size_t alignment = alignment_for(bytes);
    void* memory = ::operator new(bytes, std::align_val_t(alignment));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
}

void free_bytes(void* memory, std::size_t bytes) noexcept {
    ::operator delete(memory, std::align_val_t(alignment_for(bytes)));
}

}  // namespace spume
