// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#include "spume/scene/toml.h"

#include "spume/scene/toml_value.h"

namespace spume {
namespace {

using Keys = std::vector<std::pair<std::string, Place>>;

std::string joined(const Keys& keys) {
    std::string text;
    for (const auto& [key, place] : keys) text += (text.empty() ? "" : ".") + key;
    return text;
}

[[noreturn]] void fail_duplicate(const std::string& key, const Place& place,
                                 const TomlNode& first) {
    const int line = first.key_place.line;
    const std::string remedy =
        line > 0 ? fmt::format("The first is in line {}; remove one.", line) : "Remove one.";
    throw TomlFailure{place, "is given twice", remedy, key};
}

std::unique_ptr<TomlNode> new_table(const std::string& key, const Place& place,
                                    TomlNode::Origin origin) {
    auto table = std::make_unique<TomlNode>();
    table->key = key;
    table->key_place = table->place = place;
    table->origin = origin;
    return table;
}

/// Byte length of the UTF-8 character at `i`; 0 if it is not one.
std::size_t character_length(std::string_view text, std::size_t i) {
    const auto at = [&](std::size_t k) {
        return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u;
    };
    const unsigned c = at(i);
    const std::size_t n = c < 0x80         ? 1
                          : (c >> 5) == 6  ? 2
                          : (c >> 4) == 14 ? 3
                          : (c >> 3) == 30 ? 4
                                           : 0;
    std::uint32_t value = n < 2 ? c : c & (0xffu >> (n + 1));
    for (std::size_t k = 1; k < n; ++k) {
        if ((at(i + k) & 0xc0u) != 0x80) return 0;
        value = value << 6 | (at(i + k) & 0x3fu);
    }
    constexpr std::uint32_t kLeast[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (n == 0 || value < kLeast[n] || (value >= 0xd800 && value < 0xe000) || value > 0x10ffff)
        return 0;
    return n;
}

/// What must hold before anything is read: size, encoding, no control characters, line lengths.
void check_bytes(std::string_view text, const std::string& file, const TomlLimits& limits) {
    if (text.size() > limits.bytes)
        throw TomlFailure{
            {file, 1, 1},
            fmt::format("the file has {} bytes, more than {}", text.size(), limits.bytes),
            "Is it a scene? Meshes and caches are named in scenes, not held."};
    int line = 1, column = 1;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t n = character_length(text, i);
        const auto c = static_cast<unsigned char>(text[i]);
        const bool control = (c < 0x20 && c != '\t' && c != '\n' &&
                              !(c == '\r' && i + 1 < text.size() && text[i + 1] == '\n')) ||
                             c == 0x7f;
        if (n == 0)
            throw TomlFailure{
                {file, line, column}, "this is not UTF-8 text", "Save the file as UTF-8."};
        if (control)
            throw TomlFailure{{file, line, column},
                              fmt::format("a control character (code {}) in the text", c),
                              "Remove it."};
        if (i - line_start > static_cast<std::size_t>(limits.line_bytes))
            throw TomlFailure{{file, line, column},
                              fmt::format("a line of more than {} bytes", limits.line_bytes),
                              "Break it; arrays may span lines."};
        i += n;
        ++column;
        if (c == '\n') {
            ++line;
            column = 1;
            line_start = i;
        }
    }
}

class TomlReader {
  public:
    TomlReader(std::string_view text, const std::string& file, const TomlLimits& limits)
        : cursor_(text, file, limits), limits_(limits), root_(std::make_unique<TomlNode>()) {
        root_->place = {file, 1, 1};
        root_->origin = TomlNode::Origin::kHeader;
        table_ = root_.get();
    }

    TomlResult read() {
        if (cursor_.looking_at("\xef\xbb\xbf")) cursor_.advance(3);
        while (!cursor_.at_end() && complaints_.size() < 100) {
            try {
                read_line();
            } catch (const TomlFailure& failure) {
                const std::string about = failure.key.empty() ? "" : failure.key + " ";
                complaints_.push_back({failure.place, about + failure.message, failure.remedy});
                if (!failure.at_statement) cursor_.skip_rest_of_line();
                while (!cursor_.at_end() && !cursor_.begins_statement())
                    cursor_.skip_rest_of_line();
            }
        }
        return {std::move(root_), std::move(complaints_)};
    }

  private:
    void read_line() {
        cursor_.skip_blanks();
        if (cursor_.take_line_break()) return;
        if (cursor_.at_end()) return;
        if (cursor_.peek() == '[')
            read_header();
        else if (cursor_.peek() != '#')
            read_assignment();
        cursor_.skip_to_line_end();
        cursor_.take_line_break();
    }

    Keys take_keys() {
        Keys keys;
        for (;;) {
            cursor_.skip_blanks();
            const Place here = cursor_.place();
            keys.emplace_back(cursor_.take_key(), here);
            cursor_.skip_blanks();
            if (cursor_.peek() != '.') return keys;
            if (static_cast<int>(keys.size()) >= limits_.depth)
                cursor_.fail("too many dots in a key", "Scenes need three levels.");
            cursor_.advance();
        }
    }

    void read_assignment() {
        const Keys keys = take_keys();
        auto broken = std::make_unique<TomlNode>();
        broken->kind = TomlKind::kBroken;
        broken->place = cursor_.place();
        bool placed = false;
        try {
            if (cursor_.peek() != '=')
                cursor_.fail(fmt::format("an equals sign is missing after `{}`", joined(keys)),
                             "Write key = value, or [section] in brackets.");
            cursor_.advance();
            cursor_.skip_blanks();
            auto value = cursor_.take_value(static_cast<int>(keys.size()));
            placed = true;
            put_in_table(*table_, keys, std::move(value), TomlNode::Origin::kDotted);
        } catch (TomlFailure& failure) {
            if (!failure.key.empty()) {
                if (!placed) failure.key = joined(keys) + "." + failure.key;
                if (!section_.empty()) failure.key = section_ + "." + failure.key;
            }
            // Known to be there, so that it is not also called missing.
            if (keys.size() == 1 && table_->find(keys[0].first) == nullptr)
                put_in_table(*table_, keys, std::move(broken), TomlNode::Origin::kDotted);
            throw;
        }
    }

    void read_header() {
        // Until the header is understood, keys go where nobody looks.
        lost_ = std::make_unique<TomlNode>();
        table_ = lost_.get();
        const Place here = cursor_.place();
        const bool list = cursor_.looking_at("[[");
        cursor_.advance(list ? 2 : 1);
        const Keys keys = take_keys();
        if (!cursor_.looking_at(list ? "]]" : "]"))
            cursor_.fail(fmt::format("the header `{}` is not closed", joined(keys)),
                         list ? "Write [[name]]." : "Write [name].");
        cursor_.advance(list ? 2 : 1);
        TomlNode* parent = root_.get();
        std::string path;
        auto name_step = [&](std::size_t i) {
            path += (i > 0 ? "." : "") + keys[i].first;
            const TomlNode* node = parent->find(keys[i].first);
            if (node != nullptr && node->of_tables)
                path += fmt::format("[{}]", node->items.size() - 1);
        };
        for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
            TomlNode* next = step_into(*parent, keys[i]);
            name_step(i);
            parent = next;
        }
        table_ = list ? open_item(*parent, keys, here) : open_table(*parent, keys, here);
        name_step(keys.size() - 1);
        section_ = path;
    }

    TomlNode* step_into(TomlNode& parent, const std::pair<std::string, Place>& key) {
        TomlNode* next = parent.find(key.first);
        if (next == nullptr)
            return parent.add(new_table(key.first, key.second, TomlNode::Origin::kImplicit));
        if (next->kind == TomlKind::kArray && next->of_tables) return next->items.back().get();
        if (next->kind != TomlKind::kTable || next->origin == TomlNode::Origin::kInline)
            fail_duplicate(key.first, key.second, *next);
        return next;
    }

    TomlNode* open_table(TomlNode& parent, const Keys& keys, const Place& here) {
        const auto& [name, place] = keys.back();
        TomlNode* table = parent.find(name);
        if (table == nullptr)
            table = parent.add(new_table(name, place, TomlNode::Origin::kImplicit));
        if (table->kind != TomlKind::kTable || table->origin != TomlNode::Origin::kImplicit)
            fail_duplicate(joined(keys), place, *table);
        table->origin = TomlNode::Origin::kHeader;
        table->key_place = place;
        table->place = here;
        return table;
    }

    TomlNode* open_item(TomlNode& parent, const Keys& keys, const Place& here) {
        const auto& [name, place] = keys.back();
        TomlNode* array = parent.find(name);
        if (array == nullptr) {
            array = parent.add(new_table(name, place, TomlNode::Origin::kHeader));
            array->kind = TomlKind::kArray;
            array->of_tables = true;
            array->place = here;
        } else if (array->kind != TomlKind::kArray || !array->of_tables) {
            fail_duplicate(joined(keys), place, *array);
        }
        auto item = new_table("", place, TomlNode::Origin::kHeader);
        item->place = here;
        array->items.push_back(std::move(item));
        return array->items.back().get();
    }

    TomlCursor cursor_;
    TomlLimits limits_;
    std::unique_ptr<TomlNode> root_, lost_;
    TomlNode* table_ = nullptr;
    std::string section_;
    std::vector<Complaint> complaints_;
};

}  // namespace

TomlNode* TomlNode::find(std::string_view name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : found->second;
}

TomlNode* TomlNode::add(std::unique_ptr<TomlNode> item) {
    TomlNode* raw = item.get();
    index_[item->key] = raw;
    items.push_back(std::move(item));
    return raw;
}

std::unique_ptr<TomlNode> TomlNode::take(std::string_view name) {
    const auto found = index_.find(name);
    if (found == index_.end()) return nullptr;
    std::unique_ptr<TomlNode> taken;
    for (auto& item : items)
        if (item.get() == found->second) taken = std::move(item);
    std::erase(items, nullptr);
    index_.erase(found);
    return taken;
}

void put_in_table(TomlNode& table, const Keys& keys, std::unique_ptr<TomlNode> value,
                  TomlNode::Origin origin) {
    TomlNode* parent = &table;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        const auto& [name, place] = keys[i];
        TomlNode* next = parent->find(name);
        if (next == nullptr)
            next = parent->add(new_table(name, place, origin));
        else if (next->kind != TomlKind::kTable || next->origin != TomlNode::Origin::kDotted)
            fail_duplicate(name, place, *next);
        parent = next;
    }
    const auto& [name, place] = keys.back();
    if (const TomlNode* first = parent->find(name)) fail_duplicate(joined(keys), place, *first);
    value->key = name;
    value->key_place = place;
    parent->add(std::move(value));
}

TomlResult parse_toml(std::string_view text, const std::string& file, const TomlLimits& limits) {
    try {
        check_bytes(text, file, limits);
    } catch (const TomlFailure& failure) {
        auto root = std::make_unique<TomlNode>();
        root->place = {file, 1, 1};
        return {std::move(root), {{failure.place, failure.message, failure.remedy}}};
    }
    return TomlReader(text, file, limits).read();
}

std::unique_ptr<TomlNode> parse_toml_value(std::string_view text, const Place& place) {
    const auto mark = [&](auto& self, TomlNode& node) -> void {
        node.place = node.key_place = place;
        for (const auto& item : node.items) self(self, *item);
    };
    std::unique_ptr<TomlNode> node;
    try {
        check_bytes(text, place.file, {});
        TomlCursor cursor(text, place.file, {});
        cursor.skip_blanks();
        node = cursor.take_value(0);
        cursor.skip_blanks();
        if (!cursor.at_end()) node = nullptr;
    } catch (const TomlFailure&) {
        node = nullptr;
    }
    if (node == nullptr) {
        node = std::make_unique<TomlNode>();
        node->kind = TomlKind::kText;
        node->text = std::string(text);
    }
    mark(mark, *node);
    return node;
}

std::vector<std::string> split_key_path(std::string_view path) {
    std::vector<std::string> pieces(1);
    for (char c : path) {
        if (c == '.' || c == '[')
            pieces.emplace_back();
        else if (c != ']')
            pieces.back() += c;
    }
    for (const std::string& piece : pieces)
        if (piece.empty()) return {};
    return pieces;
}

const char* to_text(TomlKind kind) {
    switch (kind) {
        case TomlKind::kText:
            return "text";
        case TomlKind::kInteger:
            return "a whole number";
        case TomlKind::kFloat:
            return "a number";
        case TomlKind::kFlag:
            return "true or false";
        case TomlKind::kDate:
            return "a date";
        case TomlKind::kArray:
            return "an array";
        case TomlKind::kTable:
            return "a table";
        case TomlKind::kBroken:
            return "unreadable";
    }
    return "";
}

}  // namespace spume
