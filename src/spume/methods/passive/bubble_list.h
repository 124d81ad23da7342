// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <string_view>
#include <vector>

#include "spume/frame/inputs.h"
#include "spume/physics/foam/popping.h"
#include "spume/scene/scene.h"

namespace spume::passive {

/// Bubbles by hand have ids of their own, by their place in the scene and then in its list: what
/// comes or goes by hand changes no other bubble's id.
inline constexpr std::uint64_t kFirstHandId = 1000000000;

/// A bubble by hand.
struct HandBubble {
    Vec<double, 3> position{0, 0, 0};
    double radius = 2e-3;
    double time = 0;
};

/// Bubbles that are taken away while they are due, or that pop when they are.
struct ListedIds {
    std::vector<IdRange> ids;
    double start = 0, stop = 1e9;
};

/// What an animator says of single bubbles in a file of its own, a line each:
///
///   bubble X Y Z RADIUS [TIME]
///   remove IDS [FROM [UNTIL]]
///   pop IDS TIME                 then and not before
///
/// IDS are numbers and ranges without spaces, "3,7-12". What follows # is a remark.
struct BubbleList {
    std::vector<HandBubble> bubbles;
    std::vector<ListedIds> removals, pops;
};

/// UserError with every line that cannot be read, or a bubble outside the domain.
BubbleList read_bubble_list(const InputText& list, const Scene& scene);

/// "3 7-12 40", spaces or commas between. False where it is nothing of the kind.
bool parse_ids(std::string_view text, std::vector<IdRange>& ranges);

}  // namespace spume::passive
