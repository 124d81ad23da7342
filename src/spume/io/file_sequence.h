// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <map>
#include <string>

#include "spume/io/file_system.h"

namespace spume {

/// Files of one name but for their number.
struct FileSequence {
    std::string prefix, suffix;
    int digits = 4;  ///< numbers have so many, with zeros before them
    int first = 0, last = 0;
    std::string configuration;  ///< folder of Mantaflow's config files; empty: none

    std::string file(int number) const;
};

/// Sequences of files with that suffix in a folder, by the names before their numbers.
std::map<std::string, FileSequence> sequences_in(FileSystem& files, const std::string& folder,
                                                 const std::string& suffix);

/// The files that a name with #### or $F4 for the number means. UserError where there are none.
FileSequence sequence_of_name(FileSystem& files, const std::string& path);

/// The VDB files or meshes that a path means: a folder of them, a Mantaflow cache, one file of a
/// sequence, or a name with #### or $F4. UserError where there are none or several sequences.
FileSequence find_sequence(FileSystem& files, const std::string& path);

}  // namespace spume
