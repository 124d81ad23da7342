// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace spume {

/// 64-byte aligned memory, on huge pages where the system has them.
void* allocate_bytes(std::size_t bytes);
void free_bytes(void* memory, std::size_t bytes) noexcept;

/// An array of plain values, shared on copy and copied on the first write (Array::write) while
/// shared. Keeping the state before a substep therefore costs nothing until the substep writes.
template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Array() = default;
    explicit Array(std::size_t size) { resize_discard(size), fill(T{}); }
    Array(std::size_t size, const T& value) { resize_discard(size), fill(value); }
    explicit Array(std::span<const T> values) {
        resize_discard(values.size());
        if (!values.empty())
            std::memcpy(static_cast<void*>(block_->data()), values.data(), values.size_bytes());
    }

    std::size_t size() const { return block_ ? block_->size : 0; }
    bool empty() const { return size() == 0; }
    const T* data() const { return block_ ? block_->data() : nullptr; }
    const T& operator[](std::size_t i) const { return block_->data()[i]; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }
    std::span<const T> read() const { return {data(), size()}; }

    /// The values for writing. Take it once, outside the loop.
    std::span<T> write() {
        if (!block_) return {};
        if (shared()) {
            auto copy = std::make_shared<Block>(block_->size, block_->room);
            std::memcpy(static_cast<void*>(copy->data()), block_->data(), block_->size * sizeof(T));
            block_ = std::move(copy);
        }
        return {block_->data(), block_->size};
    }
    void fill(const T& value) {
        for (T& x : write()) x = value;
    }
    /// Do other arrays hold the same values, so that writing makes a copy?
    bool shared() const { return block_.use_count() > 1; }
    /// New size, contents undefined. Up to `room` values it can grow without a second array.
    void resize_discard(std::size_t size, std::size_t room = 0) {
        block_ = size ? std::make_shared<Block>(size, room) : nullptr;
    }
    /// New size; kept values stay, new ones are T{}.
    void resize(std::size_t size) {
        if (block_ && !shared() && block_->holds(size)) {
            for (std::size_t i = block_->size; i < size; ++i) block_->data()[i] = T{};
            block_->size = size;
            return;
        }
        Array next;
        next.resize_discard(size);
        auto out = next.write();
        const std::size_t kept = size < this->size() ? size : this->size();
        if (kept) std::memcpy(static_cast<void*>(out.data()), data(), kept * sizeof(T));
        for (std::size_t i = kept; i < size; ++i) out[i] = T{};
        *this = std::move(next);
    }

  private:
    struct Block {
        std::size_t size, room;
        void* memory;
        Block(std::size_t n, std::size_t most)
            : size(n), room(most > n ? most : n), memory(allocate_bytes(room * sizeof(T))) {}
        ~Block() { free_bytes(memory, room * sizeof(T)); }
        Block(const Block&) = delete;
        Block& operator=(const Block&) = delete;
        /// An array that lost most of its values gives the memory back.
        bool holds(std::size_t n) const { return n > room / 2 && n <= room; }
        T* data() { return static_cast<T*>(memory); }
        const T* data() const { return static_cast<const T*>(memory); }
    };
    std::shared_ptr<Block> block_;
};

}  // namespace spume
