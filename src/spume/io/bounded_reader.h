// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "spume/core/error.h"

namespace spume {

/// Reads bytes somebody else wrote. Nothing is believed: every read is checked against what is
/// left, and counts are checked by `require` before anything is allocated for them.
class BoundedReader {
  public:
    BoundedReader(std::string_view bytes, std::string file)
        : bytes_(bytes), file_(std::move(file)) {}

    std::size_t position() const { return at_; }
    std::size_t remaining() const { return bytes_.size() - at_; }
    bool at_end() const { return at_ == bytes_.size(); }
    const std::string& file() const { return file_; }

    /// Fails unless `count` items of at least `each` bytes can follow.
    void require(std::uint64_t count, std::uint64_t each, const char* what) const {
        if (each == 0 ? count > 0 : count > remaining() / each)
            fail(
                fmt::format("{} {} announced, but only {} bytes follow", count, what, remaining()));
    }
    template <class T>
    T read() {
        static_assert(std::is_trivially_copyable_v<T>);
        if (remaining() < sizeof(T)) fail("ends in the middle of a value");
        T value;
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::string_view take(std::size_t n) {
        if (remaining() < n) fail(fmt::format("{} more bytes expected", n - remaining()));
        at_ += n;
        return bytes_.substr(at_ - n, n);
    }
    /// Up to the end of the line, without it. A line longer than `limit` is an error.
    std::string_view line(std::size_t limit = 4096) {
        const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
        if (end - at_ > limit) fail(fmt::format("a line of more than {} bytes", limit));
        std::string_view text = bytes_.substr(at_, end - at_);
        at_ = std::min(end + 1, bytes_.size());
        ++line_;
        if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
        return text;
    }
    int line_number() const { return line_; }  ///< of the line read last

    [[noreturn]] void fail(const std::string& message) const {
        throw error_in_file(file_, fmt::format("{} (at byte {})", message, at_),
                            "the file is damaged or is not what its name says");
    }
    [[noreturn]] void fail_in_line(const std::string& message, int column = 1) const {
        throw error_in_file(file_, message, "correct the file or export it again", line_, column);
    }

  private:
    std::string_view bytes_;
    std::string file_;
    std::size_t at_ = 0;
    int line_ = 0;
};

/// The next word of a line, cut off its front; empty at the end.
inline std::string_view next_word(std::string_view& line) {
    constexpr const char* kBlank = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlank));
    line.remove_prefix(word.size());
    return word;
}

}  // namespace spume
