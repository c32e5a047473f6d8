// Lists in text, row by row: lines that are neither empty nor comments, with their numbers.
#pragma once

#include "file.hpp"  // open_file, skip_byte_order_mark

#include <stg/base/error.hpp>  // error

#include <algorithm>    // min
#include <cstdint>      // int64_t
#include <fstream>      // ifstream, getline
#include <string>       // string, to_string
#include <string_view>  // string_view

namespace stg::detail {

class text_lines {
 public:
  /// `kind` begins the sentences: "edge list". Errors: those of open_file.
  text_lines(const char* kind, const std::string& path) : kind_(kind), path_(path), stream_(open_file(kind, path)) {}

  /// Goes to the next line, whatever it holds; false behind the last. Lines end with \n or \r\n; a byte order mark is
  /// no part of the first. Errors: a carriage return within, text in UTF-16, and what cannot be read to its end.
  bool next_line() {
    if (!std::getline(stream_, text_)) {
      if (stream_.bad()) throw error(kind_ + " " + path_ + " cannot be read to its end; check the disk");
      return false;
    }
    ++number_;
    rest_ = text_;
    if (number_ == 1) skip_byte_order_mark(kind_, path_, rest_);
    if (rest_.ends_with('\r')) rest_.remove_suffix(1);
    if (rest_.find('\r') != std::string_view::npos)
      fail("has a carriage return within; expected lines that end with \\n or \\r\\n");
    skip_blanks();
    return true;
  }
  /// Whether the line is empty, or a comment, which # and % begin.
  bool is_no_row() const { return rest_.empty() || rest_[0] == '#' || rest_[0] == '%'; }
  /// Goes to the next line that is a row; false behind the last.
  bool next_row() {
    while (next_line())
      if (!is_no_row()) return true;
    return false;
  }

  /// What of the line was not cut off, from its first word on.
  std::string_view rest() const { return rest_; }
  /// Cuts the next word off, with the blanks around it and a comma behind it; empty at the line's end, and between two
  /// commas.
  std::string_view next_word() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t,"));
    rest_.remove_prefix(word.size());
    skip_blanks();
    if (rest_.starts_with(',')) {
      rest_.remove_prefix(1);
      skip_blanks();
    }
    return word;
  }

  std::int64_t number() const { return number_; }
  [[noreturn]] void fail(const std::string& what) const { fail_at(number_, what); }
  [[noreturn]] void fail_at(std::int64_t line, const std::string& what) const {
    throw error(kind_ + " " + path_ + " line " + std::to_string(line) + " " + what);
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string kind_, path_;
  std::ifstream stream_;
  std::string text_{};
  std::string_view rest_{};
  std::int64_t number_ = 0;
};

}  // namespace stg::detail
