// Spells the parts of a program in texts: names, numbers, extents and operations, each so that it reads back
// (text.hpp). Run time only: passes never include it.
#pragma once

#include <charconv>     // to_chars
#include <string>       // string
#include <string_view>  // string_view

#include <stg/base/utf8.hpp>          // bytes_of_letter
#include <stg/ir/fields.hpp>          // each_field
#include <stg/ir/operation_name.hpp>  // operation_name
#include <stg/ir/program.hpp>         // program

namespace stg::ir::detail {

constexpr std::string_view name_of(start::rule how) {
  constexpr std::string_view names[] = {"by_shape",       "constant",      "uniform",        "normal",
                                        "glorot_uniform", "glorot_normal", "kaiming_uniform"};
  return names[static_cast<int>(how)];
}

constexpr bool begins_a_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_of_a_word(char c) { return begins_a_word(c) || (c >= '0' && c <= '9') || c == '.' || c == '/'; }
/// The length in bytes of a text's first word: letters, digits, and of signs `_`, `.` and `/`.
constexpr std::size_t bytes_of_word(std::string_view s) {
  std::size_t n = 0;
  while (n < s.size()) {
    const bool is_plain = n == 0 ? begins_a_word(s[n]) : is_of_a_word(s[n]);
    const std::size_t letter = is_plain                                   ? 1
                               : static_cast<unsigned char>(s[n]) >= 0x80 ? utf8::bytes_of_letter(s.substr(n))
                                                                          : 0;
    if (letter == 0) break;
    n += letter;
  }
  return n;
}
/// Whether a name could be taken for a word of the text.
inline bool is_reserved(std::string_view name) {
  for (const std::string_view word : {"vertex", "edge", "graph", "f32", "f64", "i32", "bool", "bf16", "f16", "real",
                                      "in", "out", "trainable", "sparse", "nothing", "where", "keep"})
    if (name == word) return true;
  for (const field& f : all_fields)
    if (name == f.name) return true;
  return false;
}

/// A text between quotes. Control characters, and bytes that are no UTF-8 letter, are numbers: `\x0a`.
inline std::string between(char quote, std::string_view s) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string r(1, quote);
  while (!s.empty()) {
    const std::size_t letter = utf8::bytes_of_letter(s);
    const auto byte = static_cast<unsigned char>(s[0]);
    if (letter == 0 || byte < 0x20 || byte == 0x7F) {
      r += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    } else {
      if (s[0] == quote || s[0] == '\\') r += '\\';
      r += s.substr(0, letter);
    }
    s.remove_prefix(letter == 0 ? 1 : letter);
  }
  return r + quote;
}
/// A name as it is if it is a word, else between single quotes.
inline std::string spelled(const text& name) {
  const std::string_view s = name.view();
  return !s.empty() && bytes_of_word(s) == s.size() && !is_reserved(s) ? std::string(s) : between('\'', s);
}

/// The shortest text that reads back as the same number; NaN with its bits: `nan:7ff8000000000001`.
inline std::string spelled(double x) {
  char letters[32];
  if (x == x) return std::string(letters, std::to_chars(letters, letters + sizeof letters, x).ptr);
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x), usual = 0x7FF8000000000000;
  if (bits == usual) return "nan";
  return "nan:" + std::string(letters, std::to_chars(letters, letters + sizeof letters, bits, 16).ptr);
}
inline std::string spelled(value_id at) { return at == no_value ? "nothing" : "%" + std::to_string(at); }

/// 2*F+3
inline std::string spelled(const polynomial& p) {
  std::string s;
  for (int i = 0; i < p.count; ++i) {
    const term& t = p.terms[i];
    if (i > 0 && t.coefficient > 0) s += '+';
    if (t.degree == 0) {
      s += std::to_string(t.coefficient);
      continue;
    }
    if (t.coefficient == -1) s += '-';
    else if (t.coefficient != 1) s += std::to_string(t.coefficient) + '*';
    for (int f = 0; f < t.degree; ++f) s += (f > 0 ? "*" : "") + spelled(t.factors[f]);
  }
  return p.count == 0 ? "0" : s;
}
/// An extent; of two equal entries, the later one with its place: `F@1`.
inline std::string spelled(const program& p, extent e) {
  if (e.is_static()) return std::to_string(e.code);
  const int place = static_cast<int>(-1 - e.code);
  for (int before = 0; before < place; ++before)
    if (p.extents[before] == p.extents[place]) return spelled(p.extents[place]) + '@' + std::to_string(place);
  return spelled(p.extents[place]);
}
inline std::string spelled(const program& p, const shape& dims) {
  std::string s = "(";
  for (int i = 0; i < dims.rank; ++i) s += (i > 0 ? ", " : "") + spelled(p, dims.axes[i]);
  return s + ')';
}

/// The name of a vertex set or relation after a blank; nothing for the only one of a plain program.
inline std::string kind_text(const program& p, std::int64_t number) {
  return number == 0 ? "" : ' ' + spelled(p.kinds[number - 1].name);
}
/// The domain of a value: `vertex`, `vertex paper`.
inline std::string where_text(const program& p, const domain& where) {
  return std::string(name_of(where.kind)) + kind_text(p, where.set);
}

/// `x trainable`; an input without a name is told by its entry, `#2`.
inline std::string input_text(const program& p, int entry) {
  const input& in = p.inputs[entry];
  return (in.name.length == 0 ? '#' + std::to_string(entry) : spelled(in.name)) + (in.trainable ? " trainable" : "") +
         (in.sparse ? " sparse" : "");
}

/// `2`, or `+1` and `-1` of a distance.
inline std::string spelled(const other_rank& rank) {
  return (rank.is_relative && rank.number >= 0 ? "+" : "") + std::to_string(rank.number);
}

/// The text of a field's value.
inline std::string field_text(const program& p, const statement& s, const field& f) {
  const std::int64_t n = f.get(s);
  switch (f.what) {
    case field_kind::number:
      return spelled(s.real());
    case field_kind::side:
      return std::string(name_of(static_cast<direction>(n)));
    case field_kind::extent:
      return spelled(p, extent(n));
    case field_kind::kind:
      return spelled(p.kinds[n - 1].name);
    case field_kind::entry:
      return input_text(p, static_cast<int>(n));
    case field_kind::operation:
    case field_kind::message:
      return std::string(operation_name(n).view());
    case field_kind::rank:
      return spelled(s.rank());
    case field_kind::axes: {
      std::string axes;
      for (int i = 0; i < shape::max_rank; ++i)
        if (n >> i & 1) axes += (axes.empty() ? "" : ",") + std::to_string(i);
      return axes;
    }
    default:
      return std::to_string(n);
  }
}

/// The operation with its fields: `sum_edges in`, `input x`, `slice axis=0 from=4`.
inline std::string operation_text(const program& p, const statement& s) {
  std::string r(name_of(s.code));
  each_field(s, [&](const field& f) {
    const bool is_zero = f.what == field_kind::number ? s.bits() == 0 : f.get(s) == 0;
    if (is_zero && (f.optional || f.what == field_kind::flag)) return;
    r += ' ';
    if (f.what == field_kind::flag) r += f.name;
    else r += (f.bare || f.what == field_kind::entry ? "" : std::string(f.name) + '=') + field_text(p, s, f);
  });
  if (is_scan(s.code) && !is_call(s)) r += " steps=" + spelled(p, s.over);
  return r;
}

}  // namespace stg::ir::detail
