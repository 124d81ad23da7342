// SPDX-License-Identifier: Apache-2.0
// Copyright The Spume authors

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "spume/scene/toml.h"

namespace spume {

/// Thrown inside the reader where the text stops making sense; becomes a Complaint.
struct TomlFailure {
    Place place;
    std::string message, remedy;
    std::string key = {};       ///< if the message is about a key: it, from the innermost table on
    bool at_statement = false;  ///< reading can go on right here
};

/// Walks a text and knows where it is. Reads keys and values; headers and assignments are the
/// business of parse_toml.
class TomlCursor {
  public:
    TomlCursor(std::string_view text, std::string file, const TomlLimits& limits)
        : text_(text), file_(std::move(file)), limits_(limits) {}

    bool at_end() const { return position_ >= text_.size(); }
    char peek(std::size_t ahead = 0) const {
        return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
    }
    bool looking_at(std::string_view what) const {
        return text_.substr(position_, what.size()) == what;
    }
    Place place() const { return {file_, line_, column_}; }
    void advance(std::size_t bytes = 1);

    void skip_blanks();        ///< spaces and tabs
    void skip_to_line_end();   ///< a comment, if any; fails on anything else
    void skip_rest_of_line();  ///< whatever there is, and the line break
    bool take_line_break();    ///< LF or CR LF

    std::string take_key();  ///< one piece of a key, bare or quoted
    std::unique_ptr<TomlNode> take_value(int depth);

    /// Whether a key with an equals sign, or a header, begins here: where reading may go on after a
    /// mistake without complaining about the rest of a broken array line by line.
    bool begins_statement() const;

    [[noreturn]] void fail(std::string message, std::string remedy) const;
    std::string word_here() const;  ///< what stands here, shortened, for messages

  private:
    std::unique_ptr<TomlNode> new_node(TomlKind kind);
    std::string take_string();
    std::string take_single_line(char quote);
    std::string take_multi_line(char quote);
    void take_escape(std::string& out);
    std::unique_ptr<TomlNode> take_array(int depth);
    std::unique_ptr<TomlNode> take_inline_table(int depth);
    std::unique_ptr<TomlNode> take_scalar();
    void skip_in_array();

    std::string_view text_;
    std::string file_;
    TomlLimits limits_;
    std::size_t position_ = 0;
    int line_ = 1, column_ = 1;
    int values_ = 0;
};

/// Puts a value under a dotted key into a table, making tables on the way.
void put_in_table(TomlNode& table, const std::vector<std::pair<std::string, Place>>& keys,
                  std::unique_ptr<TomlNode> value, TomlNode::Origin origin);

}  // namespace spume
