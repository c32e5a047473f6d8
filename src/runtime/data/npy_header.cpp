// Parsing and writing the header of .npy files.
#include "npy_header.hpp"  // header
#include "word.hpp"        // in_quotes

#include <stg/base/error.hpp>  // error

#include <array>   // array
#include <limits>  // numeric_limits
#include <vector>  // vector

namespace stg::npy {

namespace {

using detail::in_quotes;

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t preamble = preamble_bytes;  // magic, version, header length

struct type_entry {
  npy::type type;
  std::string_view name;
  int bytes;
};
constexpr std::array types = {
    type_entry{type::f2, "<f2", 2}, type_entry{type::f4, "<f4", 4}, type_entry{type::f8, "<f8", 8},
    type_entry{type::i1, "|i1", 1}, type_entry{type::i2, "<i2", 2}, type_entry{type::i4, "<i4", 4},
    type_entry{type::i8, "<i8", 8}, type_entry{type::u1, "|u1", 1}, type_entry{type::u2, "<u2", 2},
    type_entry{type::u4, "<u4", 4}, type_entry{type::u8, "<u8", 8}, type_entry{type::b1, "|b1", 1}};
constexpr const char* expected_types = "expected one of <f2 <f4 <f8 |i1 <i2 <i4 <i8 |u1 <u2 <u4 <u8 |b1";

[[noreturn]] void fail(const std::string& path, std::size_t offset, const std::string& what) {
  throw error("npy " + path + " offset " + std::to_string(offset) + " " + what);
}

/// Reads the dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, its keys in any order.
class dictionary {
 public:
  dictionary(std::string_view text, std::size_t at, const std::string& path) : text_(text), at_(at), path_(path) {}

  header parse() {
    bool has_type = false, has_order = false, has_shape = false;
    header h;
    expect('{');
    while (!accept('}')) {
      skip_blanks();
      const std::size_t key_at = at_;
      const std::string_view key = quoted();
      expect(':');
      skip_blanks();
      bool* seen = key == "descr"           ? &has_type
                   : key == "fortran_order" ? &has_order
                   : key == "shape"         ? &has_shape
                                            : nullptr;
      if (seen == nullptr)
        fail(path_, key_at, "has the key " + in_quotes(key) + "; expected descr, fortran_order or shape");
      if (*seen) fail(path_, key_at, "has the key " + in_quotes(key) + " twice; expected it once");
      *seen = true;
      if (key == "descr") h.type = parse_type();
      if (key == "fortran_order") h.is_fortran = parse_order();
      if (key == "shape") h.shape = parse_shape();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!has_type) fail(path_, at_, "ends a header without descr; expected descr, fortran_order and shape");
    if (!has_order) fail(path_, at_, "ends a header without fortran_order; expected descr, fortran_order and shape");
    if (!has_shape) fail(path_, at_, "ends a header without shape; expected descr, fortran_order and shape");
    skip_blanks();
    if (at_ != text_.size()) fail(path_, at_, "has text after the header's }; expected blanks");
    h.data_offset = static_cast<std::int64_t>(text_.size());
    return h;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (accept(c)) return;
    std::string what = "has ";
    what += at_ < text_.size() ? in_quotes(text_.substr(at_, 1)) : std::string("the header's end");
    fail(path_, at_, what + " in the header; expected \"" + c + '"');
  }
  std::string_view quoted() {
    skip_blanks();
    const char quote = at_ < text_.size() && text_[at_] == '"' ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) fail(path_, at_, "begins a quoted word that does not end; expected a quote");
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }
  npy::type parse_type() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '"')
      fail(path_, begin, std::string("has a structured descr; ") + expected_types);
    const std::string_view name = quoted();
    for (const type_entry& t : types)
      if (t.name == name || (t.bytes == 1 && t.name.substr(1) == name.substr(name.empty() ? 0 : 1))) return t.type;
    if (name == "|O")
      fail(path_, begin, "has descr \"|O\", Python's objects; save numbers in their place, array.astype(float)");
    fail(path_, begin, "has descr " + in_quotes(name) + "; " + expected_types);
  }
  bool parse_order() {
    const std::string_view rest = text_.substr(at_);
    const bool is_fortran = rest.starts_with("True");
    if (!is_fortran && !rest.starts_with("False"))
      fail(path_, at_, "has fortran_order " + in_quotes(rest.substr(0, 5)) + "; expected False or True");
    at_ += is_fortran ? 4 : 5;
    return is_fortran;
  }
  dimensions parse_shape() {
    const std::size_t begin = at_;
    std::vector<std::int64_t> extents;
    expect('(');
    while (!accept(')')) {
      extents.push_back(parse_extent());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    if (extents.size() > static_cast<std::size_t>(max_rank))
      fail(path_, begin, "has a shape of " + std::to_string(extents.size()) + " axes; expected at most 5");
    try {
      return dimensions(std::span<const std::int64_t>(extents));
    } catch (const error& e) {
      fail(path_, begin, std::string("has a bad shape: ") + (e.what() + std::string_view("stg: ").size()));
    }
  }
  std::int64_t parse_extent() {
    skip_blanks();
    const std::size_t begin = at_;
    const bool negative = accept('-');
    std::int64_t value = 0;
    std::size_t digits = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_, ++digits) {
      const std::int64_t digit = text_[at_] - '0';
      if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10)
        fail(path_, begin, "has an extent beyond 64 bits in the shape; expected a smaller one");
      value = value * 10 + digit;
    }
    if (digits == 0) fail(path_, begin, "has no number where the shape needs one; expected an extent");
    if (negative) fail(path_, begin, "has the negative extent -" + std::to_string(value) + "; expected 0 or more");
    return value;
  }

  std::string_view text_;
  std::size_t at_;
  const std::string& path_;
};

}  // namespace

std::string_view name_of(type t) { return types[static_cast<std::size_t>(t)].name; }
int bytes_of(type t) { return types[static_cast<std::size_t>(t)].bytes; }

std::size_t bytes_of_header(std::string_view bytes) {
  if (bytes.size() < preamble || bytes.substr(0, magic.size()) != magic) return preamble;
  return preamble + static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
}

header parse_header(std::string_view bytes, const std::string& path) {
  if (bytes.substr(0, magic.size()) != magic)
    fail(path, 0, "has the magic string " + in_quotes(bytes.substr(0, magic.size())) + "; expected \\x93NUMPY");
  if (bytes.size() < preamble)
    fail(path, bytes.size(), "ends inside the preamble; expected " + std::to_string(preamble) + " bytes");
  const int major = static_cast<unsigned char>(bytes[6]), minor = static_cast<unsigned char>(bytes[7]);
  if (major != 1 || minor != 0)
    fail(path, 6, "has version " + std::to_string(major) + "." + std::to_string(minor) + "; expected 1.0");
  const std::size_t length = bytes_of_header(bytes) - preamble;
  if (length > bytes.size() - preamble)
    fail(path, 8,
         "has a header of " + std::to_string(length) + " bytes; the file has " +
             std::to_string(bytes.size() - preamble) + " after it");
  return dictionary(bytes.substr(0, preamble + length), preamble, path).parse();
}

std::string format_header(type t, const dimensions& shape) {
  std::string text(magic);
  text += std::string("\x01\x00\x00\x00", 4);
  text += "{'descr': '" + std::string(name_of(t)) + "', 'fortran_order': False, 'shape': " + to_string(shape) + ", }";
  while (text.size() % 64 != 63) text += ' ';
  text += '\n';
  const std::size_t length = text.size() - preamble;
  text[8] = static_cast<char>(length & 0xff);
  text[9] = static_cast<char>(length >> 8);
  return text;
}

}  // namespace stg::npy
