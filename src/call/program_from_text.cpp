// A program out of its text: lines are handed to the programs that they belong to, each program is read line by line,
// and what comes out is verified.
#include <stg/ir/text.hpp>

#include "text_line.hpp"  // text_line

#include <stg/analysis/verify.hpp>  // verify
#include <stg/base/error.hpp>       // error
#include <stg/ir/fields.hpp>        // all_fields, members_of
#include <stg/ir/print.hpp>         // read_inputs

#include <cstdint>      // int64_t
#include <iterator>     // size
#include <limits>       // numeric_limits
#include <map>          // map
#include <optional>     // optional
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg::ir {

namespace {

using detail::text_line;

// No text makes more than so many of what takes much memory for a few letters.
constexpr int most_programs = 1 << 16, most_depth = 64, most_kinds = 1 << 12, most_copied_kinds = 1 << 20,
              most_extents = 1 << 16;

/// The lines of one program: of the whole, or of a step.
struct section {
  int caller = -1;  // the section of the program that calls this one
  int calls = 0;
  int depth = 0;
  std::vector<text_line> lines{};
};

/// A word of an enumeration by its name: the first of `words` that is called so.
template <class Word> std::optional<Word> word_named(std::string_view name, int words) {
  using detail::name_of;
  for (int k = 0; k < words; ++k)
    if (name_of(static_cast<Word>(k)) == name) return static_cast<Word>(k);
  return std::nullopt;
}

/// The vertex sets and relations of a text, by name: all of its programs know the same.
struct kind_names {
  sequence<kind> all{};
  std::map<std::string, int, std::less<>> numbers{};

  int number_of(text_line& line) const {
    text_line before = line;
    const text name = line.name();
    const auto found = numbers.find(name.view());
    if (found == numbers.end())
      before.refuse("no vertex set or relation is called " + detail::spelled(name) +
                    "; its line, as `set paper`, stands behind the outputs");
    return found->second;
  }
};

/// Reads the lines of one program.
class program_reader {
 public:
  program_reader(const kind_names& known, bool is_step, int& extents_left)
      : kinds(known), is_step(is_step), extents_left(extents_left) {
    p.kinds = known.all;
  }

  program read(const std::vector<text_line>& lines) {
    for (text_line line : lines) read_tables(line);
    for (text_line line : lines)
      if (line.next() == '%') statement_line(line);
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
  // ---- tables that lines behind the statements say ----

  void read_tables(text_line& line) {
    if (line.takes("extents")) {
      do {
        if (--extents_left < 0) line.refuse("a text has at most " + std::to_string(most_extents) + " extents");
        text_line before = line;
        const polynomial e = sum(line);
        if (e.is_integer()) before.refuse("an extent of this list has a name in it");
        p.extents.push_back(e);
      } while (line.takes(','));
      line.end();
    } else if (line.takes("scopes")) {
      do {
        if (p.scopes.size() == most_scopes)
          line.refuse("a program has at most " + std::to_string(most_scopes) + " scopes");
        p.scopes.push_back(line.name());
      } while (line.takes(','));
      line.end();
    }
  }

  // ---- statements ----

  void statement_line(text_line& line) {
    line.expect('%');
    text_line before = line;
    if (line.count() != p.size()) before.refuse("value %" + std::to_string(p.size()) + " is the next one");
    line.expect('=');
    lines_of.push_back(line);
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
      if (all_fields[row].what == field_kind::number) s.number = line.real();
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

  // ---- extents ----

  extent length(text_line& line) {
    text_line before = line;
    const polynomial e = sum(line);
    if (e.is_integer()) {
      if (e.integer() < 0) before.refuse("an extent is not negative");
      return extent(e.integer());
    }
    if (line.takes_at_once('@')) {
      const std::int64_t entry = line.count();
      if (entry >= p.extents.size() || !(p.extents[entry] == e))
        before.refuse("the line of extents has another one in this place, or none");
      return extent(-1 - entry);
    }
    const int known = p.extents.size();
    const extent made = p.intern(e);
    if (p.extents.size() > known && --extents_left < 0)
      before.refuse("a text has at most " + std::to_string(most_extents) + " extents");
    return made;
  }
  /// 2*F+3
  polynomial sum(text_line& line) {
    const text_line begin = line;
    polynomial e;
    bool is_negative = line.takes('-');
    while (true) {
      term t = product(line);
      if (is_negative) t.coefficient = -t.coefficient;
      e.add(t);
      if (!e.fits()) begin.refuse("an extent has at most " + std::to_string(polynomial::max_terms) + " terms");
      is_negative = line.takes_at_once('-');
      if (!is_negative && !line.takes_at_once('+')) return e;
    }
  }
  term product(text_line& line) {
    const text_line begin = line;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    term t;
    t.coefficient = 1;
    const char next = line.next();
    if (next >= '0' && next <= '9') {
      t.coefficient = line.integer(0, most);
      if (!line.takes_at_once('*')) return t;
    }
    do {
      if (t.degree == term::max_factors)
        begin.refuse("a product of extents has at most " + std::to_string(term::max_factors) + " names");
      const text factor = line.name();
      int at = t.degree++;
      for (; at > 0 && factor.view() < t.factors[at - 1].view(); --at) t.factors[at] = t.factors[at - 1];
      t.factors[at] = factor;
    } while (line.takes_at_once('*'));
    return t;
  }

  // ---- scopes, names and tags of a statement ----

  void word_about(text_line& line, ir::statement& s) {
    const char next = line.next();
    if (next == '"') return name_of_value(line);
    if (next == '#') return tag_of_value(line);
    if (line.word_is_before(':') && line.takes("keep")) {
      line.expect(':');
      s.scopes |= keeping_bit(way(line));
      return;
    }
    s.scopes |= std::uint64_t(1) << scope(line);
  }
  static keeping way(text_line& line) {
    const std::optional<keeping> named = word_named<keeping>(line.next_word(), static_cast<int>(keeping::inputs) + 1);
    if (!named || *named == keeping::chosen) line.refuse_word("everything, all_but_edges, results or inputs");
    line.skip(detail::name_of(*named).size());
    return *named;
  }
  int scope(text_line& line) {
    const text_line begin = line;
    const text name = line.name();
    if (line.takes_at_once('@')) {
      const int at = line.count();
      if (at >= p.scopes.size() || !(p.scopes[at] == name))
        begin.refuse("the line of scopes has another one in this place, or none");
      return at;
    }
    for (int at = 0; at < p.scopes.size(); ++at)
      if (p.scopes[at] == name) return at;
    if (p.scopes.size() == most_scopes)
      begin.refuse("a program has at most " + std::to_string(most_scopes) + " scopes");
    p.scopes.push_back(name);
    return p.scopes.size() - 1;
  }
  void name_of_value(text_line& line) {
    label l;
    l.name = line.quoted('"');
    l.at = p.size();
    if (line.takes_at_once(':')) l.keep = way(line);
    p.names.push_back(l);
  }
  void tag_of_value(text_line& line) {
    tag t;
    line.expect('#');
    const bool is_promise = line.takes_at_once('%');
    const text_line begin = line;
    const text name = line.name();
    if (is_promise) t.name.append('%');
    if (t.name.length + name.length > text::capacity)
      begin.refuse("a name has at most " + std::to_string(text::capacity) + " bytes");
    t.name.append(name.view());
    t.at = p.size();
    if (line.takes_at_once('[')) {
      if (line.takes("rows")) t.axis = tag::rows;
      else if (line.takes("steps")) t.axis = tag::steps;
      else t.axis = static_cast<int>(line.integer(0, shape::max_rank - 1));
      line.expect(']');
    }
    p.tags.push_back(t);
  }

  // ---- lines behind the statements ----

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
    else if (line.takes("splits")) p.splits = true;
    else if (line.takes("traced")) p.scopes_apart = true;
    else if (line.takes("unread")) unread(line);
    else if (line.takes("begins")) begins(line);
    else if (line.takes("names")) values(line, names_line);
    else if (line.takes("tags")) values(line, tags_line);
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
  void output_of(text_line& line) {
    output o;
    o.at = line.value(p.size());
    if (!line.is_at_end()) o.name = line.name();
    p.outputs.push_back(o);
  }

  // ---- inputs ----

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
    line.skip(detail::name_of(*how).size());
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

  struct said_start {
    text_line at;
    int entry;
    start begins;
  };

  const kind_names& kinds;
  bool is_step;
  int& extents_left;
  program p{};
  detail::read_inputs known_inputs{};
  std::map<int, input> inputs{};  // by entry
  std::vector<said_start> starts{};
  ordering names_line{}, tags_line{};
  std::vector<text_line> lines_of{};
};

/// Hands out lines to the programs that they belong to.
class text_reader {
 public:
  explicit text_reader(std::string_view text) : sections(1) {
    if (text.size() > std::size_t(std::numeric_limits<int>::max()))
      throw error("a program's text is at most 2 GiB long");
    int number = 0, here = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view of = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (of.ends_with('\r')) of.remove_suffix(1);
      text_line line(of, ++number);
      if (line.is_at_end()) continue;
      if (number == 1 && line.takes("stg")) read_version(line);
      else if (line.next_word() == "step") here = step(line);
      else sections[static_cast<std::size_t>(here)].lines.push_back(line);
    }
  }

  program read() {
    kind_names kinds = kinds_of(sections[0].lines);
    if (static_cast<std::int64_t>(kinds.all.size()) * static_cast<std::int64_t>(sections.size()) > most_copied_kinds)
      throw error("the text of a program has too many vertex sets, relations and steps");
    int extents_left = most_extents;
    std::vector<program> programs;
    for (section& one : sections) {
      program_reader reader(kinds, one.caller >= 0, extents_left);
      programs.push_back(reader.read(one.lines));
      one.lines = reader.statement_lines();
    }
    for (std::size_t k = sections.size(); k-- > 1;) {  // from the last: what a program calls is whole before it moves
      program& made = programs[k];
      reverse(made.callees);
      programs[static_cast<std::size_t>(sections[k].caller)].callees.push_back(std::move(made));
    }
    reverse(programs[0].callees);
    refuse_what_breaks_a_rule(programs[0]);
    return std::move(programs[0]);
  }

 private:
  static void reverse(sequence<program>& all) {
    for (int k = 0; 2 * k + 1 < all.size(); ++k) {
      program first = std::move(all[k]);
      all[k] = std::move(all[all.size() - 1 - k]);
      all[all.size() - 1 - k] = std::move(first);
    }
  }

  static void read_version(text_line& line) {
    line.expect("program");
    text_line before = line;
    const int version = line.count();
    if (version != text_version)
      before.refuse("this library reads texts of version " + std::to_string(text_version) +
                    ", and this is one of version " + std::to_string(version));
    line.end();
  }

  /// `step 0.1:` begins what step 0 calls as its second.
  int step(text_line& line) {
    line.expect("step");
    text_line before = line;
    int caller = 0;
    while (true) {
      const int number = line.count();
      section& of = sections[static_cast<std::size_t>(caller)];
      if (line.takes_at_once('.')) {
        if (number + 1 != of.calls) before.refuse("the steps that a step calls stand behind it");
        caller = last_call[static_cast<std::size_t>(caller)];
        continue;
      }
      if (number != of.calls) before.refuse("step " + std::to_string(of.calls) + " is the next one here");
      line.expect(':');
      line.end();
      if (of.depth == most_depth)
        before.refuse("steps call each other more than " + std::to_string(most_depth) + " deep");
      if (sections.size() == most_programs)
        before.refuse("a program calls at most " + std::to_string(most_programs) + " others");
      ++of.calls;
      const int here = static_cast<int>(sections.size());
      last_call[static_cast<std::size_t>(caller)] = here;
      last_call.push_back(0);
      section made;
      made.caller = caller;
      made.depth = of.depth + 1;
      sections.push_back(std::move(made));
      return here;
    }
  }

  /// Names first: a relation may stand before the sets that it joins.
  static kind_names kinds_of(const std::vector<text_line>& lines) {
    kind_names kinds;
    std::vector<text_line> relations;
    for (text_line line : lines) {
      const text_line before = line;
      const bool is_set = line.takes("set");
      if (!is_set && !line.takes("relation")) continue;
      if (kinds.all.size() == most_kinds)
        before.refuse("a program has at most " + std::to_string(most_kinds) + " vertex sets and relations");
      kind k;
      k.name = line.name();
      kinds.all.push_back(k);
      kinds.numbers.emplace(k.name.view(), kinds.all.size());
      if (is_set) line.end();
      else relations.push_back(before);
    }
    for (text_line& line : relations) {
      line.expect("relation");
      kind& k = kinds.all[kinds.number_of(line) - 1];
      k.source = kinds.number_of(line);
      line.expect('-');
      if (!line.takes_at_once('>')) line.refuse_word("->");
      k.destination = kinds.number_of(line);
      line.end();
    }
    return kinds;
  }

  void refuse_what_breaks_a_rule(const program& p) const {
    if (pass::verify(p).what == op::rule::none) return;
    refuse_the_first(p, 0);
  }
  /// Of a program that breaks a rule: in what it calls first, since a caller is as wrong as that.
  [[noreturn]] void refuse_the_first(const program& p, std::size_t at) const {
    std::size_t called = at;
    for (const program& c : p.callees) {
      do ++called;
      while (sections[called].caller != static_cast<int>(at));
      if (pass::verify(c).what != op::rule::none) refuse_the_first(c, called);
    }
    const pass::finding found = pass::verify(p);
    const std::string rule = sentence_of(found.what);
    if (found.at >= 0 && found.at < p.size()) sections[at].lines[static_cast<std::size_t>(found.at)].refuse(rule);
    throw error("the text of a program breaks a rule: " + rule);
  }
  static std::string sentence_of(op::rule what);

  std::vector<section> sections;
  std::vector<int> last_call = {0};  // of each section, the last one that it calls
};

/// What is wrong where a rule is broken.
std::string text_reader::sentence_of(op::rule what) {
  switch (what) {
    case op::rule::none:
      break;
    case op::rule::operand_is_defined_before_use:
      return "an operand is read before it is made";
    case op::rule::operand_count_is_right:
      return "the operation takes other operands, or another number of them";
    case op::rule::spaces_agree:
      return "the value lives elsewhere than its operands, or where the operation has none";
    case op::rule::shapes_broadcast:
      return "the shapes of the operands do not go together";
    case op::rule::scalar_types_agree:
      return "the types of the value and of its operands do not go together";
    case op::rule::shape_follows_from_operands:
      return "the value has another shape than its operands give it";
    case op::rule::one_name_has_one_shape:
      return "two inputs of one name are declared differently";
    case op::rule::one_label_names_one_value:
      return "two values have one name";
    case op::rule::sparse_input_is_multiplied:
      return "a sparse input is read by products alone, as their first operand";
    case op::rule::output_is_a_value:
      return "an output, a name, a tag or a check is of no value that can be one";
    case op::rule::part_lies_within_axis:
      return "a part of an axis lies outside of it";
    case op::rule::steps_stay_in_scans:
      return "values for each step go into scans and out of them, and nowhere else";
    case op::rule::gradient_repeats_its_scan:
      return "the gradient of a scan repeats another step than the scan's";
    case op::rule::number_is_of_its_type:
      return "a number is none of its type";
    case op::rule::one_name_has_one_kind:
      return "two vertex sets or relations have one name, or a step knows others than its caller";
    case op::rule::tag_is_on_an_axis:
      return "a tag is on an axis that the value does not have";
    case op::rule::plain_values_stand_alone:
      return "a value of vertices or edges says no vertex set or relation, and the program has some";
    case op::rule::member_is_in_range:
      return "a field is outside of its range";
  }
  return "nothing is wrong";
}

}  // namespace

program from_text(std::string_view from) { return text_reader(from).read(); }

}  // namespace stg::ir
