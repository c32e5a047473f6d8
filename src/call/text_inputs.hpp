// The inputs of a text's program: read by statements, or by none, and what they begin with.
#pragma once

#include "text_tables.hpp"  // table_reader

#include <stg/base/error.hpp>  // error
#include <stg/ir/lines.hpp>    // read_inputs

#include <map>       // map
#include <optional>  // optional
#include <string>    // to_string
#include <vector>    // vector

namespace stg::ir::detail {

class input_reader : public table_reader {
 public:
  using table_reader::table_reader;

 protected:
  /// `x trainable sparse entry=2`, or `#2` of an input without a name.
  int input_entry(text_line& line) {
    const text_line begin = line;
    input in;
    int entry = 0;
    if (line.takes('#')) {
      entry = line.count();
    } else {
      in.name = line.name();
      entry = known_inputs.expected(in.name);
    }
    input_flags(line, in);
    if (line.word_is_before('=') && line.takes("entry")) {
      line.expect('=');
      entry = line.count();
    }
    known_inputs.add(in.name, entry);
    declare(begin, entry, in);
    return entry;
  }
  static void input_flags(text_line& line, input& in) {
    in.trainable = line.takes("trainable");
    in.sparse = line.takes("sparse");
  }
  void declare(const text_line& at, int entry, const input& in) {
    const auto [place, is_new] = inputs.emplace(entry, in);
    if (!is_new && !(place->second == in))
      at.refuse("input #" + std::to_string(entry) + " was read with another name, or as another kind of input, before");
  }

  void unread(text_line& line) {
    const text_line begin = line;
    line.expect('#');
    const int entry = line.count();
    input in;
    const std::string_view word = line.next_word();
    if (!line.is_at_end() && word != "trainable" && word != "sparse") in.name = line.name();
    input_flags(line, in);
    declare(begin, entry, in);
  }
  void begins(text_line& line) {
    const text_line begin = line;
    int entry = 0;
    if (line.takes('#')) {
      entry = line.count();
    } else {
      const value_id reader = line.value(p.size());
      if (p[reader].code != opcode::input) begin.refuse("a value that is no input begins with nothing");
      entry = p[reader].entry();
    }
    start s;
    const int rules = static_cast<int>(start::rule::kaiming_uniform) + 1;
    const std::optional<start::rule> how = word_named<start::rule>(line.next_word(), rules);
    if (!how) line.refuse_word("what a parameter begins with, as glorot_uniform,");
    line.skip(name_of(*how).size());
    s.how = *how;
    if (!line.is_at_end()) s.first = line.real();
    if (!line.is_at_end()) s.second = line.real();
    starts.push_back({begin, entry, s});
  }
  /// The table of inputs has an entry for each number, from 0 on.
  void finish_inputs() {
    for (const auto& [entry, in] : inputs) {
      if (entry != p.inputs.size())
        throw error("the text of a program has no input #" + std::to_string(p.inputs.size()) +
                    ", and one with a larger number; an input that nothing reads has a line, as `unread #0 x`");
      p.inputs.push_back(in);
    }
    for (const said_start& one : starts) {
      if (one.entry >= p.inputs.size()) one.at.refuse("input #" + std::to_string(one.entry) + " is not there");
      p.inputs[one.entry].begins = one.begins;
    }
  }

 private:
  struct said_start {
    text_line at;
    int entry;
    start begins;
  };

  read_inputs known_inputs{};
  std::map<int, input> inputs{};  // by entry
  std::vector<said_start> starts{};
};

}  // namespace stg::ir::detail
