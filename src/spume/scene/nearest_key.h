// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spume {

/// How many single-letter slips turn one word into the other: insert, leave out, replace, swap two
/// neighbours. Letter case does not count.
int edit_distance(std::string_view a, std::string_view b);

/// Which of `known` was probably meant; empty if none is near. Words in `taken` are already used
/// correctly elsewhere, so they are the less likely.
std::string nearest_key(std::string_view word, const std::vector<std::string>& known,
                        const std::vector<std::string>& taken = {});

}  // namespace spume
