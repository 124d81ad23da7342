// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "spume/core/vec.h"

namespace spume {

/// What is said once about a numeric parameter. `unit` is the SI unit ("m", "kg/m^3", "Pa*s"),
/// empty for pure numbers; the range is inclusive unless `above_min` asks for more than the
/// minimum. A default outside the range means "not given": it cannot be written, only left out.
struct NumberSpec {
    const char* unit = "";
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above_min = false;  ///< the minimum itself is not allowed
    const char* help = "";
};

/// Walks the parameters of a struct. A struct declares each of its parameters once, in a function
/// `void describe(Params&, ParamVisitor&)`; the scene parser, the validator, `spume help`, the
/// reference in docs/ and Python are visitors. The value found in a default-constructed struct is
/// the default. Calls nest through `section` (a table) and `list` (an array of tables).
class ParamVisitor {
  public:
    virtual ~ParamVisitor() = default;

    virtual void number(const char* name, double& value, const NumberSpec& spec) = 0;
    virtual void integer(const char* name, int& value, int min, int max, const char* help) = 0;
    /// A number that only identifies: a seed.
    virtual void whole(const char* name, std::uint64_t& value, const char* help) = 0;
    virtual void flag(const char* name, bool& value, const char* help) = 0;
    virtual void text(const char* name, std::string& value, const char* help) = 0;
    /// A path, relative to the scene file; the parser makes it absolute.
    virtual void path(const char* name, std::string& value, const char* help) = 0;
    virtual void vector(const char* name, Vec<double, 3>& value, const NumberSpec& spec) = 0;

    /// A value that may be one of a few words.
    template <class E>
    struct Word {
        const char* word;
        E value;
        const char* help;
    };
    template <class E>
    void choice(const char* name, E& value, const std::vector<Word<E>>& words, const char* help) {
        std::vector<std::pair<const char*, const char*>> names;
        int chosen = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            names.emplace_back(words[i].word, words[i].help);
            if (words[i].value == value) chosen = static_cast<int>(i);
        }
        choose(name, chosen, names, help);
        value = words[static_cast<std::size_t>(chosen)].value;
    }

    /// A table of its own: calls body(visitor) for its parameters.
    template <class Body>
    void section(const char* name, const char* help, Body&& body) {
        if (!enter(name, help)) return;
        body(*this);
        leave();
    }
    /// An array of tables. A visitor that fills in values asks for as many items as the scene has;
    /// one that only documents visits a single default item.
    template <class Item, class Body>
    void list(const char* name, std::vector<Item>& items, const char* help, Body&& body) {
        const int count = enter_list(name, static_cast<int>(items.size()), help);
        std::vector<Item> shown = items;
        shown.resize(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
            enter_item(i);
            body(shown[static_cast<std::size_t>(i)], *this);
            leave();
        }
        leave();
        if (keeps_items()) items = std::move(shown);
    }

    // Rules between keys of one table, stated after the keys they speak of. `when` completes the
    // sentence "… when <when>", for example: motion is "keyed".

    /// The key has no default that makes sense here.
    virtual void needed(const char* /*name*/, bool /*condition*/, const char* /*when*/) {}
    /// Other keys make this one meaningless: giving it is an error, printing leaves it out.
    virtual void unused(const char* /*name*/, bool /*condition*/, const char* /*when*/) {}
    /// Before the key it speaks of: scenes may still use its old name, with a warning. Whether this
    /// one does; false for visitors that do not read.
    virtual bool renamed(const char* /*old_name*/, const char* /*name*/) { return false; }
    /// Whether the user wrote this key (or section); false for visitors that do not read.
    virtual bool given(const char* /*name*/) const { return false; }

  protected:
    virtual void choose(const char* name, int& chosen,
                        const std::vector<std::pair<const char*, const char*>>& words,
                        const char* help) = 0;
    virtual bool enter(const char* name, const char* help) = 0;
    virtual int enter_list(const char* name, int count, const char* help) = 0;
    virtual void enter_item(int index) = 0;
    virtual void leave() = 0;
    virtual bool keeps_items() const { return true; }
};

}  // namespace spume
