// Text that is written to a file in large pieces, packed by gzip where the file's name ends with .gz.
#pragma once

#include <stg/base/error.hpp>  // error

#include <cerrno>        // errno
#include <charconv>      // to_chars
#include <fstream>       // ofstream
#include <memory>        // unique_ptr
#include <string>        // string
#include <string_view>   // string_view
#include <system_error>  // generic_category
#include <utility>       // exchange

#include "bytes.hpp"  // packer_for

namespace stg::detail {

/// Errors name the file: a file that cannot be opened, a full disk. The file is not whole then. Also for a name that
/// ends with .gz where the library stg::io is not linked.
class text_writer {
 public:
  /// `kind` begins the sentences: "matrix".
  text_writer(std::string_view kind, const std::string& path) : name_(std::string(kind) + " " + path) {
    if (path.empty()) throw error(std::string(kind) + " has an empty path; give that of a file");
    packer_ = packer_for(path, name_);
    errno = 0;
    stream_.open(path, std::ios::binary | std::ios::trunc);
    if (!stream_) fail("written", "make its folder writable");
  }

  void add(std::string_view text) {
    text_ += text;
    if (text_.size() >= at_once) write(false);
  }
  /// The shortest digits that are read as the same number.
  template <class T> void add_number(T number) {
    char digits[32];
    add({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits)});
  }
  /// To be called at the end: what is left is written, and the file closed.
  void finish() {
    write(true);
    stream_.close();
    if (!stream_) fail("written to its end", "what is there is no whole file");
  }

 private:
  static constexpr std::size_t at_once = std::size_t{1} << 18;

  void write(bool is_end) {
    if (packer_) packer_->pack(std::exchange(text_, {}), is_end, text_);
    stream_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }
  [[noreturn]] void fail(const std::string& what, const std::string& instead) const {
    const std::string why = errno == 0 ? "" : ": " + std::error_code(errno, std::generic_category()).message();
    throw error(name_ + " cannot be " + what + why + "; " + instead);
  }

  std::string name_;
  std::unique_ptr<packer> packer_{};
  std::ofstream stream_{};
  std::string text_{};
};

}  // namespace stg::detail
