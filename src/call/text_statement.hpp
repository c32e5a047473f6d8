// A statement of a text, word by word: operation, fields, operands, where it lives, type, shape, and what is said of
// it.
#pragma once

#include "text_inputs.hpp"  // input_reader

#include <stg/ir/decisions.hpp>            // of_value, kept
#include <stg/ir/fields.hpp>               // all_fields, members_of
#include <stg/ir/operation_name.hpp>       // operation_number
#include <stg/runtime/own_operations.hpp>  // why_no_operation

#include <cstdint>      // int64_t
#include <iterator>     // size
#include <limits>       // numeric_limits
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view

namespace stg::ir::detail {

class statement_reader : public input_reader {
 public:
  using input_reader::input_reader;

 protected:
  /// Reads the next statement; gives the place of its operation, for what is wrong with the whole.
  text_line statement_line(text_line& line) {
    line.expect('%');
    text_line before = line;
    if (line.count() != p.size()) before.refuse("value %" + std::to_string(p.size()) + " is the next one");
    line.expect('=');
    const text_line begin = line;
    ir::statement s;
    s.code = operation(line);
    fields(line, s);
    operands(line, s);
    s.where = place(line);
    s.type = type(line);
    if (line.next() != '(') {
      s.over = length(line);
      line.expect("x");
    }
    s.dims = dims(line);
    while (!line.is_at_end()) word_about(line, s);
    p.statements.push_back(s);
    return begin;
  }

  opcode operation(text_line& line) {
    const std::string_view name = line.next_word();
    const std::optional<opcode> code = word_named<opcode>(name, opcode_count);
    if (name.empty()) line.refuse_word("an operation");
    if (!code) line.refuse("the operation " + std::string(name) + " is not one of this library");
    line.skip(name.size());
    return *code;
  }

  /// What the text says of an operation's rows of all_fields.
  struct said_fields {
    std::int64_t values[std::size(all_fields)]{};
    bool is_said[std::size(all_fields)]{};
  };

  void fields(text_line& line, ir::statement& s) {
    const text_line begin = line;
    const members& m = members_of(s.code);
    said_fields said;
    if (s.code == opcode::input) said.is_said[m.first] = true, said.values[m.first] = input_entry(line);
    bool has_steps = false;
    while (!ends_fields(line)) {
      if (is_scan(s.code) && !has_steps && line.word_is_before('=') && line.takes("steps")) {
        line.expect('=');
        s.over = length(line);
        has_steps = true;
        continue;
      }
      text_line before = line;
      const int row = row_of(line, s.code, said);
      if (said.is_said[row]) before.refuse(std::string(all_fields[row].name) + " is said twice");
      said.is_said[row] = true;
      if (all_fields[row].what == field_kind::number) s.set_real(line.real());
      else said.values[row] = field_value(line, all_fields[row]);
    }
    for (int row = m.first; row < m.last; ++row)
      if (said.is_said[row] && all_fields[row].what != field_kind::number) all_fields[row].set(s, said.values[row]);
    for (int row = m.first; row < m.last; ++row) {
      const field& f = all_fields[row];
      if (!said.is_said[row] && !f.optional && f.what != field_kind::flag)
        line.refuse(std::string(name_of(s.code)) + " says its " + std::string(f.name));
      if (f.what != field_kind::number && (f.what == field_kind::flag || said.is_said[row]) &&
          (f.get(s) != said.values[row] || !f.is_of(s)))
        begin.refuse("the fields of " + std::string(name_of(s.code)) + " exclude each other");
    }
    if (is_call(s)) {
      if (has_steps) begin.refuse("a scan that is called once has no steps");
      s.over = extent(1);
    } else if (is_scan(s.code) && !has_steps) {
      line.refuse(std::string(name_of(s.code)) + " says its steps");
    }
  }
  /// Operands, or the word that says where the value lives.
  static bool ends_fields(text_line& line) {
    const char next = line.next();
    return next == '\0' || next == '(' || word_named<space>(line.next_word(), 3).has_value();
  }
  /// The row of the field that comes next; it is one of the operation's.
  static int row_of(text_line& line, opcode code, const said_fields& said) {
    const members& m = members_of(code);
    const bool is_named = line.word_is_before('=');
    const std::string_view word = line.next_word();
    for (int row = m.first; row < m.last; ++row) {
      const field& f = all_fields[row];
      if (f.name != word || f.bare || is_named == (f.what == field_kind::flag)) continue;
      line.skip(word.size() + is_named);
      return row;
    }
    for (int row = m.first; row < m.last && !is_named; ++row)
      if (all_fields[row].bare && !said.is_said[row]) return row;
    if (word.empty()) line.refuse_word("a field, operands, or where the value lives");
    line.refuse(std::string(name_of(code)) + " has no field " + std::string(word));
  }

  std::int64_t field_value(text_line& line, const field& f) {
    constexpr std::int64_t least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    switch (f.what) {
      case field_kind::flag:
        return 1;
      case field_kind::side:
        if (line.takes("in")) return static_cast<std::int64_t>(direction::in);
        if (line.takes("out")) return static_cast<std::int64_t>(direction::out);
        line.refuse_word("in or out");
      case field_kind::extent:
        return length(line).code;
      case field_kind::kind:
        return kinds.number_of(line);
      case field_kind::operation:
        return own_operation(line);
      case field_kind::message:
        return name_of_operation(line, "the name of a message");
      case field_kind::rank:
        return rank(line);
      case field_kind::axes: {
        std::int64_t axes = 0;
        do axes |= std::int64_t(1) << line.integer(0, shape::max_rank - 1);
        while (line.takes(','));
        return axes;
      }
      default:
        if (f.in == member::axis) return line.integer(least, most - f.least);
        return line.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    }
  }

  static std::int64_t own_operation(text_line& line) {
    text_line before = line;
    const std::int64_t number = name_of_operation(line, "the name of an operation");
    if (const std::string wrong = why_no_operation(number); !wrong.empty()) before.refuse(wrong);
    return number;
  }
  static std::int64_t name_of_operation(text_line& line, const char* what) {
    const std::string_view name = line.next_word();
    const std::int64_t number = operation_number(name);
    if (number == 0) line.refuse_word(what);
    line.skip(name.size());
    return number;
  }
  /// `2`, or `+1` and `-1` of a distance; as a statement holds it.
  static std::int64_t rank(text_line& line) {
    constexpr std::int64_t most = std::numeric_limits<int>::max() / 2;
    if (line.next() == '-') return 2 * line.integer(-most, -1) + 1;
    const bool is_relative = line.takes('+');
    return 2 * line.integer(0, most) + is_relative;
  }

  void operands(text_line& line, ir::statement& s) {
    if (!line.takes('(')) return;
    int k = 0;
    do {
      if (k == ir::statement::max_operands)
        line.refuse("a statement has at most " + std::to_string(ir::statement::max_operands) + " operands");
      s.operands[k++] = line.value(p.size());
    } while (line.takes(','));
    line.expect(')');
  }

  domain place(text_line& line) {
    const std::optional<space> kind = word_named<space>(line.next_word(), 3);
    if (!kind) line.refuse_word("vertex, edge or graph");
    line.skip(name_of(*kind).size());
    const bool has_name = line.next() == '\'' || !word_named<scalar_type>(line.next_word(), scalar_types).has_value();
    if (*kind == space::graph || p.kinds.empty() || !has_name) return *kind;
    return domain(*kind, kinds.number_of(line));
  }
  static scalar_type type(text_line& line) {
    const std::optional<scalar_type> named = word_named<scalar_type>(line.next_word(), scalar_types);
    if (!named) line.refuse_word("the type of a number, as f32,");
    line.skip(stg::name_of(*named).size());
    return *named;
  }
  static constexpr int scalar_types = static_cast<int>(scalar_type::real) + 1;

  shape dims(text_line& line) {
    shape s;
    line.expect('(');
    if (line.takes(')')) return s;
    do {
      if (s.rank == shape::max_rank) line.refuse("a shape has at most " + std::to_string(shape::max_rank) + " axes");
      s.push(length(line));
    } while (line.takes(','));
    line.expect(')');
    return s;
  }

  // ---- scopes, names and tags of a statement ----

  void word_about(text_line& line, ir::statement& s) {
    const char next = line.next();
    if (next == '"') return name_of_value(line);
    if (next == '#') return tag_of_value(line);
    if (line.word_is_before(':') && line.takes("keep")) {
      line.expect(':');
      return keep_value(way(line), false);
    }
    s.scopes = p.set_with(s.scopes, scope(line));
  }
  /// A text may say of a value beside its statement how it is kept: `keep:inputs`, or `"saved":everything`, which goes
  /// before the first; and `#%stored`.
  void keep_value(keeping way, bool by_word) {
    for (int k = p.decisions.size() - 1; k >= 0 && p.decisions[k].at == p.size(); --k) {
      decision& known = p.decisions[k];
      if (known.what != decided::keep) continue;
      if (by_word) known = kept(p.size(), way);
      return;
    }
    p.decisions.push_back(kept(p.size(), way));
  }
  static keeping way(text_line& line) {
    const std::optional<keeping> named = word_named<keeping>(line.next_word(), static_cast<int>(keeping::inputs) + 1);
    if (!named) line.refuse_word("everything, all_but_edges, results, inputs or chosen");
    line.skip(name_of(*named).size());
    return *named;
  }
  static scalar_type width(text_line& line) {
    const std::optional<scalar_type> named = word_named<scalar_type>(line.next_word(), scalar_types);
    if (!named || !is_width(static_cast<std::int64_t>(*named))) line.refuse_word("f32, bf16 or f16");
    line.skip(name_of(*named).size());
    return *named;
  }
  void name_of_value(text_line& line) {
    label l;
    l.name = line.quoted('"');
    l.at = p.size();
    if (!line.takes_at_once(':')) return p.names.push_back(l);
    keep_value(way(line), true);
  }
  void tag_of_value(text_line& line) {
    tag t;
    line.expect('#');
    if (line.takes_at_once('%')) {
      const bool is_stored = line.takes("stored");
      if (!is_stored) line.expect("inlined");
      return p.decisions.push_back(of_value(is_stored ? decided::stored : decided::inlined, p.size()));
    }
    t.name = line.name();
    t.at = p.size();
    if (line.takes_at_once('[')) {
      if (line.takes("rows")) t.axis = tag::rows;
      else if (line.takes("steps")) t.axis = tag::steps;
      else t.axis = static_cast<int>(line.integer(0, shape::max_rank - 1));
      line.expect(']');
    }
    p.tags.push_back(t);
  }
};

}  // namespace stg::ir::detail
