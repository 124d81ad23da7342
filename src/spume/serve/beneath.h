// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace spume {

/// Reads files below one directory and nowhere else: the kernel itself refuses paths that lead out
/// of it, by "..", by an absolute name or by a link.
class BeneathDirectory {
  public:
    explicit BeneathDirectory(const std::string& path);  ///< throws UserError
    ~BeneathDirectory();
    BeneathDirectory(const BeneathDirectory&) = delete;
    BeneathDirectory& operator=(const BeneathDirectory&) = delete;

    /// The content of a regular file of at most `limit` bytes; nothing if there is none.
    std::optional<std::string> read(const std::string& path, std::uint64_t limit) const;
    /// The last `limit` bytes of a file that grows.
    std::optional<std::string> read_end(const std::string& path, std::uint64_t limit) const;

  private:
    int open_file(const std::string& path) const;
    int directory_;
};

}  // namespace spume
