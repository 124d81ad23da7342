// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "spume/core/array.h"
#include "spume/core/context.h"
#include "spume/core/error.h"
#include "spume/core/visit_state.h"
#include "spume/particles/permute.h"

namespace spume {

// A particle set is a struct of arrays of one length, one array an attribute:
//
//   index       0     1     2     3          the place in memory: changes when the set is sorted
//   position  [ x0  | x1  | x2  | x3  ]
//   radius    [ r0  | r1  | r2  | r3  ]
//   …
//   id        [ 12  |  4  | 31  |  7  ]      who it is: given once, never reused
//   next_id     32                           what the next one born will be called
//
// It names its arrays in a static function attributes(); the verbs below and sort_by_tile walk that
// list, so that bubbles, liquid markers and foam share them.

template <class Set, class T>
struct Attribute {
    const char* name;
    Array<T> Set::*array;
    bool optional = false;  ///< the array may be empty, which stands for zeros

    bool absent(const Set& set) const { return optional && (set.*array).empty(); }
};
template <class Set, class T>
Attribute(const char*, Array<T> Set::*, bool = false) -> Attribute<Set, T>;

/// f(attribute) for each array of the set.
template <class Set, class F>
void for_each_attribute(F&& f) {
    std::apply([&](const auto&... attribute) { (f(attribute), ...); }, Set::attributes());
}
/// f(name, array) for each array of the set.
template <class Set, class F>
void for_each_attribute(Set& set, F&& f) {
    for_each_attribute<std::remove_const_t<Set>>(
        [&](const auto& attribute) { f(attribute.name, set.*attribute.array); });
}

/// True when attributes() names every array: nothing is lost on a sort or a resume.
template <class Set>
constexpr bool names_all_attributes() {
    return sizeof(Set) == std::tuple_size_v<decltype(Set::attributes())> * sizeof(Array<char>) +
                              sizeof(std::uint64_t);
}

/// For a State's describe: every array and the id counter, as "<prefix>.<name>".
template <class Set>
void describe_set(Set& set, const std::string& prefix, StateVisitor& visitor) {
    for_each_attribute(set,
                       [&](const char* name, auto& array) { visitor(prefix + "." + name, array); });
    visitor(prefix + ".next_id", set.next_id);
}

/// Every array at this size; kept values stay, new ones are zero. Absent ones stay absent.
template <class Set>
void resize(Set& set, std::size_t size) {
    for_each_attribute<Set>([&](const auto& attribute) {
        if (!attribute.absent(set)) (set.*attribute.array).resize(size);
    });
}

/// Particle i becomes what particle order[i] was. Shorter orders drop particles. Where an attribute
/// is large and no other set shares it, it is moved in place (particles/permute.h).
template <class Set>
void permute(Set& set, std::span<const std::uint32_t> order, Context& context) {
    for_each_attribute<Set>([&](const auto& attribute) {
        if (attribute.absent(set)) return;
        auto& array = set.*attribute.array;
        using T = std::remove_cvref_t<decltype(array[0])>;
        if (sizeof(T) > kCopiedWhole && !array.shared() && order.size() <= array.size()) {
            permute_in_place<T>(array.write(), order, context);
            return array.resize(order.size());
        }
        Array<T> next;
        next.resize_discard(order.size());
        auto* out = next.write().data();
        const auto* in = array.data();
        for_range(context.arena, order.size(), std::size_t(1) << 14,
                  [&](std::size_t b, std::size_t e) {
                      for (std::size_t i = b; i < e; ++i) out[i] = in[order[i]];
                  });
        array = std::move(next);
    });
}

/// Adds the particles of `fresh` at the end and names them: next_id, next_id + 1, … in their order.
/// Ids in `fresh` are ignored, so a parallel emitter may fill its own set in a fixed order.
template <class Set>
void append(Set& set, const Set& fresh) {
    const std::size_t old = set.size(), more = fresh.size();
    if (more == 0) return;
    for_each_attribute<Set>([&](const auto& attribute) {
        if (attribute.absent(set) && attribute.absent(fresh)) return;
        auto& array = set.*attribute.array;
        array.resize(old + more);
        if constexpr (std::is_same_v<decltype(attribute.array), decltype(&Set::id)>)
            if (attribute.array == &Set::id) return;
        if (attribute.absent(fresh)) return;
        const auto& added = fresh.*attribute.array;
        SPUME_CHECK_OP(added.size(), ==, more);
        std::copy_n(added.data(), more, array.write().data() + old);
    });
    auto id = set.id.write();
    for (std::size_t i = old; i < old + more; ++i) id[i] = set.next_id++;
}
/// The parts one after the other: the same ids whichever thread filled which part.
template <class Set>
void append(Set& set, std::span<const Set> parts) {
    for (const Set& part : parts) append(set, part);
}

/// Removes particle i where gone(i); the others keep their order. Returns how many went.
template <class Set, class Predicate>
std::size_t remove_if(Set& set, Context& context, Predicate&& gone) {
    constexpr std::size_t kPiece = std::size_t(1) << 13;
    const std::size_t n = set.size(), pieces = (n + kPiece - 1) / kPiece;
    Array<std::uint32_t> kept;
    kept.resize_discard(n);
    auto* k = kept.write().data();
    std::vector<std::size_t> count(pieces + 1, 0);
    for_range(context.arena, n, kPiece, [&](std::size_t b, std::size_t e) {
        std::size_t m = b;
        for (std::size_t i = b; i < e; ++i)
            if (!gone(i)) k[m++] = static_cast<std::uint32_t>(i);
        count[b / kPiece] = m - b;
    });
    std::size_t left = 0;
    for (std::size_t p = 0; p < pieces; ++p) {
        if (left != p * kPiece) std::copy_n(k + p * kPiece, count[p], k + left);
        left += count[p];
    }
    if (left < n) permute(set, std::span<const std::uint32_t>(k, left), context);
    return n - left;
}

}  // namespace spume
