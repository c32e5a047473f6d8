// One program of a text, line by line: tables, statements, and what stands behind them.
#pragma once

#include "text_statement.hpp"  // statement_reader

#include <stg/ir/lines.hpp>  // mistake_words

#include <optional>  // optional
#include <string>    // string
#include <utility>   // move
#include <vector>    // vector

namespace stg::ir::detail {

class program_reader : public statement_reader {
 public:
  program_reader(const kind_names& known, bool is_step, int& extents_left)
      : statement_reader(known, extents_left), is_step(is_step) {}

  program read(const std::vector<text_line>& lines) {
    for (text_line line : lines) read_tables(line);
    for (text_line line : lines)
      if (line.next() == '%') lines_of.push_back(statement_line(line));
    for (text_line line : lines)
      if (line.next() != '%') line_behind(line);
    finish_inputs();
    finish_order(p.names, names_line, "names");
    finish_order(p.tags, tags_line, "tags");
    return std::move(p);
  }
  /// The lines of the statements.
  const std::vector<text_line>& statement_lines() const { return lines_of; }

 private:
  void line_behind(text_line& line) {
    text_line before = line;
    if (line.takes("extents") || line.takes("scopes")) return;
    if (line.takes("set") || line.takes("relation")) {
      if (is_step) before.refuse("vertex sets and relations are said of the whole program, before its steps");
      return;
    }
    if (line.takes("check")) check(line);
    else if (line.takes("output")) output_of(line);
    else if (line.takes("forward_outputs")) p.forward_outputs = line.count();
    else if (line.takes("traced")) p.scopes_apart = true;
    else if (line.takes("wrong")) wrong(line);
    else if (line.takes("unread")) unread(line);
    else if (line.takes("begins")) begins(line);
    else if (line.takes("names")) values(line, names_line);
    else if (line.takes("tags")) values(line, tags_line);
    else if (const std::optional<decided> what = word_of_table(line)) decide(before, line, *what);
    else before.refuse_word("a statement, as %0 = ..., or a line as output %0");
    line.end();
  }

  void check(text_line& line) {
    label_range c;
    c.labels = line.value(p.size());
    const bool is_mask = line.takes("names");
    if (is_mask) line.expect("a"), line.expect("vertex");
    if (!is_mask || line.next_word() == "in") {
      line.expect("in");
      line.expect('[');
      if (line.integer(0, 0) != 0) return;
      line.expect(',');
      c.classes = length(line);
      line.expect(')');
    }
    if (line.takes("where")) c.mask = line.value(p.size());
    p.checks.push_back(c);
  }
  void wrong(text_line& line) {
    for (int k = 1; k < static_cast<int>(std::size(mistake_words)); ++k)
      if (line.takes(mistake_words[k])) {
        p.wrong = static_cast<mistake>(k);
        return;
      }
    line.refuse_word("the word of a mistake, as dropout_twice,");
  }
  static std::optional<decided> word_of_table(text_line& line) {
    for (std::size_t k = 0; k < std::size(decided_words); ++k)
      if (line.takes(decided_words[k])) return static_cast<decided>(k);
    return std::nullopt;
  }
  void decide(const text_line& begin, text_line& line, decided what) {
    decision d = of_whole(what);
    const bool is_of_any = what == decided::keep || what == decided::width;
    const bool may_be_of_scope = is_of_any || what == decided::merged_exchanges || what == decided::overlaps;
    if (may_be_of_scope && line.next() != '%' && line.takes("scope")) d = of_scope(what, scope(line));
    else if (is_of_pairs(what) || promises::is_promise(d) || (is_of_any && line.next() == '%'))
      d = of_value(what, line.value(p.size()));
    if (is_of_pairs(what)) d = {what, decided_of::pair, d.at, line.value(p.size()), 0};
    if (what == decided::keep) d.number = static_cast<std::int64_t>(way(line));
    if (what == decided::width) d.number = static_cast<std::int64_t>(width(line));
    if (what == decided::overlaps) d.number = 1;
    if (is_choice(what)) d.number = line.integer(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
    if (!d.is_of_values()) refuse_twice(begin, d);
    p.decisions.push_back(d);
  }
  void refuse_twice(const text_line& begin, const decision& d) {
    for (const decision& known : of_no_value)
      if (known.what == d.what && known.whom == d.whom && known.at == d.at)
        begin.refuse("this is decided in an earlier line");
    of_no_value.push_back(d);
  }
  void output_of(text_line& line) {
    output o;
    o.at = line.value(p.size());
    if (!line.is_at_end()) o.name = line.name();
    p.outputs.push_back(o);
  }

  // ---- names and tags in another order than that of their values ----

  struct ordering {
    std::vector<value_id> values{};
    std::optional<text_line> at{};
  };
  void values(text_line& line, ordering& to) {
    to.at = line;
    do to.values.push_back(line.value(p.size()));
    while (line.takes(','));
  }
  /// Gives a table, which is in the order of its values, the order that a line says.
  template <class T> void finish_order(sequence<T>& all, const ordering& said, const std::string& which) {
    if (!said.at) return;
    std::vector<int> next(static_cast<std::size_t>(p.size()) + 1);  // of a value, its first one that has no place yet
    for (const T& one : all) ++next[static_cast<std::size_t>(one.at) + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    const std::vector<int> first = next;
    sequence<T> ordered;
    for (const value_id at : said.values) {
      const auto place = static_cast<std::size_t>(at);
      if (next[place] == first[place + 1])
        said.at->refuse("the order of " + which + " lists value %" + std::to_string(at) + " too often");
      ordered.push_back(all[next[place]++]);
    }
    if (ordered.size() != all.size()) said.at->refuse("the order of " + which + " leaves some out");
    all.swap(ordered);
  }

  bool is_step;
  ordering names_line{}, tags_line{};
  std::vector<text_line> lines_of{};
  std::vector<decision> of_no_value{};  // about scopes and the whole, each once
};

}  // namespace stg::ir::detail
