// Lists in text, row by row: lines that are neither empty nor comments, with their numbers.
#pragma once

#include "file.hpp"  // open_text, skip_byte_order_mark

#include <stg/base/error.hpp>  // error

#include <algorithm>    // max, min
#include <cstdint>      // int64_t
#include <cstring>      // memchr, memmove
#include <memory>       // unique_ptr
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::detail {

class text_lines {
 public:
  /// `kind` begins the sentences: "edge list". Errors: those of open_text.
  text_lines(const char* kind, const std::string& path) : kind_(kind), path_(path), source_(open_text(kind, path)) {}

  /// Goes to the next line, whatever it holds; false behind the last. Lines end with \n or \r\n; a byte order mark is
  /// no part of the first. Errors: a carriage return within, text in UTF-16, and what cannot be read to its end.
  bool next_line() {
    const char* end = find_end();
    if (end == nullptr) return false;
    ++number_;
    rest_ = std::string_view(begin_, static_cast<std::size_t>(end - begin_));
    begin_ = end == filled_ ? end : end + 1;
    if (number_ == 1) skip_byte_order_mark(kind_, path_, rest_);
    if (rest_.ends_with('\r')) rest_.remove_suffix(1);
    if (has_returns_ && std::memchr(rest_.data(), '\r', rest_.size()) != nullptr)
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
    const char *at = rest_.data(), *const begin = at, *const end = at + rest_.size();
    while (at != end && *at != ' ' && *at != '\t' && *at != ',') ++at;
    const std::string_view word(begin, static_cast<std::size_t>(at - begin));
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

  /// Adds to a list that grows with the lines. A large one gets room for as many as the whole file has at this rate, so
  /// that it is not copied again and again; memory that is never written costs nothing.
  template <class T> void add(std::vector<T>& list, T value) const {
    if (list.size() == list.capacity()) list.reserve(room_for(list.size()));
    list.push_back(value);
  }

 private:
  static constexpr std::size_t at_once = std::size_t{1} << 18;

  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
  }
  /// The end of the line that begins at begin_: its \n, or the end of the text. Null where nothing is left.
  const char* find_end() {
    std::size_t looked_at = 0;
    while (true) {
      const auto left = static_cast<std::size_t>(filled_ - begin_);
      if (left > looked_at)
        if (const void* end = std::memchr(begin_ + looked_at, '\n', left - looked_at))
          return static_cast<const char*>(end);
      looked_at = left;
      if (ended_) return left == 0 ? nullptr : filled_;
      if (left > 0) std::memmove(text_.data(), begin_, left);
      if (text_.empty()) text_.resize(std::min(at_once, static_cast<std::size_t>(source_->size()) + 1));
      else if (text_.size() < 2 * left) text_.resize(2 * left);
      const std::size_t count = source_->read(text_.data() + left, text_.size() - left);
      ended_ = count < text_.size() - left;
      read_ += count;
      has_returns_ = has_returns_ || (count > 0 && std::memchr(text_.data() + left, '\r', count) != nullptr);
      begin_ = text_.data();
      filled_ = begin_ + left + count;
    }
  }
  std::size_t room_for(std::size_t count) const {
    constexpr std::size_t large = 1 << 16;
    const std::size_t doubled = std::max<std::size_t>(16, 2 * count);
    const std::size_t cut = read_ - static_cast<std::size_t>(filled_ - begin_);  // bytes that lines were made of
    if (count < large || cut == 0) return doubled;
    // So many of the file's bytes, which may be packed.
    const double taken = static_cast<double>(source_->taken()) * static_cast<double>(cut) / static_cast<double>(read_);
    const double rate = static_cast<double>(count) / std::max(taken, 1.0);
    const auto all = static_cast<std::size_t>(1.02 * rate * static_cast<double>(source_->size()));
    return std::max(all, count + count / 4);
  }

  std::string kind_, path_;
  std::unique_ptr<byte_source> source_;
  std::vector<char> text_{};
  const char *begin_ = nullptr, *filled_ = nullptr;  // of what was read and no line was made of yet
  std::size_t read_ = 0;                             // bytes of the text so far
  bool ended_ = false, has_returns_ = false;
  std::string_view rest_{};
  std::int64_t number_ = 0;
};

}  // namespace stg::detail
