// Regular expressions of paths, in constant evaluation and at run time.
//
// An expression becomes a nondeterministic automaton (Thompson, "Regular expression search algorithm", CACM 11(6),
// 1968), and all of its states are followed at once: a match takes time in proportion to the letters of both, whatever
// the expression. Such automata have no back-references and no look-around.
#pragma once

#include <cstdint>      // uint64_t
#include <string>       // string, to_string
#include <string_view>  // string_view

#include <stg/base/error.hpp>     // error
#include <stg/base/sequence.hpp>  // sequence

namespace stg::examine {

/// A text is not a regular expression, with the position of the fault.
struct expression_is_wrong : error {
  int at;
  expression_is_wrong(std::string_view expression, int letter, std::string_view why)
      : error("regular expression '" + std::string(expression) + "', letter " + std::to_string(letter) + ": " +
              std::string(why)),
        at(letter) {}
};

namespace detail {

/// Some of the 256 bytes.
struct letter_set {
  std::uint64_t bits[4] = {};
  constexpr void add(unsigned char c) { bits[c / 64] |= std::uint64_t(1) << c % 64; }
  constexpr void add(unsigned char first, unsigned char last) {
    for (int c = first; c <= last; ++c) add(static_cast<unsigned char>(c));
  }
  constexpr void add(const letter_set& o) {
    for (int k = 0; k < 4; ++k) bits[k] |= o.bits[k];
  }
  constexpr bool has(unsigned char c) const { return bits[c / 64] >> c % 64 & 1; }
  constexpr letter_set others() const {
    letter_set all;
    for (int k = 0; k < 4; ++k) all.bits[k] = ~bits[k];
    return all;
  }
};

/// A state of the automaton: takes a letter and goes on to the next state, or goes on to one or two others, by how far
/// they stand behind it.
struct regular_state {
  bool takes_letter = false;
  letter_set letters{};
  int first = 1, second = 1;
};

/// What is wrong with an expression, and before which letter.
struct expression_fault {
  int at = -1;  // -1: nothing is
  std::string_view why{};
  constexpr bool is_there() const { return at >= 0; }
};

/// States of an expression, from its letters. Pieces are put together behind one another: their ways are distances. The
/// first fault ends the letters.
class regular_parser {
 public:
  using states = sequence<regular_state>;
  constexpr explicit regular_parser(std::string_view expression) : all(expression) {}

  constexpr states run() {
    const states made = alternatives();
    if (at < size()) fail("')' closes no group; write \\) for the letter");
    return made;
  }
  expression_fault fault{};

 private:
  static constexpr int most_states = 4096, most_repetitions = 255, most_groups = 64;

  constexpr int size() const { return static_cast<int>(all.size()); }
  constexpr bool is(char c) const { return at < size() && all[static_cast<std::size_t>(at)] == c; }
  constexpr bool takes(char c) { return is(c) && ++at; }
  constexpr char letter() {
    if (at < size()) return all[static_cast<std::size_t>(at++)];
    fail("it ends too early; complete it");
    return '.';
  }
  constexpr void fail(std::string_view why) {
    if (!fault.is_there()) fault = {at, why};
    at = size();
  }

  constexpr void append(states& to, const states& more) {
    if (to.size() + more.size() > most_states) return fail("it is too long; write fewer repetitions");
    for (const regular_state& s : more) to.push_back(s);
  }
  static constexpr regular_state way(int first, int second) { return {false, {}, first, second}; }

  constexpr states alternatives() {
    states made = sequence_of_pieces();
    while (takes('|')) {
      const states other = sequence_of_pieces();
      states both{way(1, made.size() + 2)};
      append(both, made);
      const int over = other.size() + 1;
      both.push_back(way(over, over));
      append(both, other);
      made = both;
    }
    return made;
  }
  constexpr states sequence_of_pieces() {
    states made;
    while (at < size() && !is('|') && !is(')')) append(made, repeated(piece()));
    return made;
  }
  constexpr states piece() {
    if (takes('(')) {
      if (takes('?') && !takes(':')) fail("(?= and its like are not known here; write a group as (…)");
      if (++groups > most_groups) fail("groups lie too deep in one another; write fewer");
      const states inside = alternatives();
      if (!takes(')')) fail("a group is not closed; write ')'");
      --groups;
      return inside;
    }
    if (is('*') || is('+') || is('?') || is('{')) fail("there is nothing to repeat; write the letter as \\* or \\{");
    regular_state s;
    s.takes_letter = true;
    s.letters = letters();
    return states{s};
  }

  constexpr letter_set letters() {
    letter_set set;
    const char c = letter();
    if (c == '.') return set.others();
    if (c == '[') return bracket();
    if (c == '\\') return escaped();
    if (c == '^' || c == '$') fail("the whole of a path is matched; leave out ^ and $");
    set.add(static_cast<unsigned char>(c));
    return set;
  }
  constexpr letter_set escaped() {
    letter_set set;
    const char c = letter();
    const char kind = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (kind == 'd' || kind == 'w') set.add('0', '9');
    if (kind == 'w') set.add('a', 'z'), set.add('A', 'Z'), set.add('_');
    if (kind == 's')
      for (const char blank : {' ', '\t', '\n', '\r', '\f', '\v'}) set.add(static_cast<unsigned char>(blank));
    if (kind == 'd' || kind == 'w' || kind == 's') return c == kind ? set : set.others();
    if ((kind >= 'a' && kind <= 'z') || (c >= '0' && c <= '9')) fail("\\ stands before \\d, \\w, \\s or a sign");
    set.add(static_cast<unsigned char>(c));
    return set;
  }
  constexpr letter_set bracket() {
    letter_set set;
    const bool is_other = takes('^');
    for (bool is_first = true; (is_first || !is(']')) && !fault.is_there(); is_first = false) {
      if (takes('\\')) {
        set.add(escaped());
        continue;
      }
      const unsigned char from = static_cast<unsigned char>(letter());
      const bool is_range = is('-') && at + 1 < size() && all[static_cast<std::size_t>(at + 1)] != ']';
      if (is_range) ++at;
      const unsigned char to = is_range ? static_cast<unsigned char>(letter()) : from;
      if (to < from) fail("a range ends before it begins; write the smaller letter first");
      set.add(from, to);
    }
    ++at;
    return is_other ? set.others() : set;
  }

  constexpr states repeated(states of) {
    while (true) {
      if (takes('*')) of = times(of, 0, -1);
      else if (takes('+')) of = times(of, 1, -1);
      else if (takes('?')) of = times(of, 0, 1);
      else if (takes('{')) of = counted(of);
      else return of;
    }
  }
  constexpr int number() {
    if (at == size() || all[static_cast<std::size_t>(at)] < '0' || all[static_cast<std::size_t>(at)] > '9')
      fail("{ asks for a number; write {2}, {2,} or {2,3}");
    int n = 0;
    while (at < size() && all[static_cast<std::size_t>(at)] >= '0' && all[static_cast<std::size_t>(at)] <= '9') {
      n = 10 * n + (all[static_cast<std::size_t>(at++)] - '0');
      if (n > most_repetitions) fail("more than 255 repetitions; write fewer, or *");
    }
    return n;
  }
  constexpr states counted(const states& of) {
    const int least = number();
    const int most = !takes(',') ? least : is('}') ? -1 : number();
    if (!takes('}')) fail("a count is not closed; write '}'");
    if (most >= 0 && most < least) fail("a count ends before it begins; write the smaller number first");
    return times(of, least, most);
  }
  /// most: -1 for any number.
  constexpr states times(const states& of, int least, int most) {
    states made;
    for (int k = 0; k < least; ++k) append(made, of);
    if (most < 0) {
      append(made, states{way(1, of.size() + 2)});
      append(made, of);
      append(made, states{way(-of.size() - 1, -of.size() - 1)});
    }
    for (int k = least; k < most; ++k) {
      append(made, states{way(1, of.size() + 1)});
      append(made, of);
    }
    return made;
  }

  std::string_view all;
  int at = 0, groups = 0;
};

}  // namespace detail

/// What makes a text no regular expression, where it is none.
constexpr detail::expression_fault fault_of(std::string_view expression) {
  detail::regular_parser parser(expression);
  static_cast<void>(parser.run());
  return parser.fault;
}

/// A pattern of letters: `.`, sets `[a-z]` and `[^/]`, `\d` `\w` `\s` and their opposites in capitals, groups `(a|b)`,
/// repetitions `*` `+` `?` `{2,3}`; all else is itself, `\.` too. Throws expression_is_wrong, with the place.
///
///   static_assert(stg::examine::regular_expression("conv[12]/.*").matches("conv2/matmul"));
class regular_expression {
 public:
  constexpr regular_expression(std::string_view expression)  // NOLINT(google-explicit-constructor): a text is one
  {
    detail::regular_parser parser(expression);
    states = parser.run();
    if (parser.fault.is_there()) throw expression_is_wrong(expression, parser.fault.at, parser.fault.why);
  }
  regular_expression(const std::string& expression) : regular_expression(std::string_view(expression)) {}
  constexpr regular_expression(const char* expression) : regular_expression(std::string_view(expression)) {}

  /// Whether it matches all of a text. Time in proportion to the letters of the text times the letters of the
  /// expression.
  constexpr bool matches(std::string_view text) const {
    followed now = begun();
    follow(now, text);
    return now.has[states.size()] != 0;
  }
  /// Matches the path of a name in a folder, `folder/name`.
  constexpr bool matches(std::string_view folder, std::string_view name) const {
    followed now = begun();
    follow(now, folder);
    follow(now, "/");
    follow(now, name);
    return now.has[states.size()] != 0;
  }

 private:
  /// States reached by a text: states that take a letter, and the end.
  struct followed {
    sequence<unsigned char> has;  // of every state, whether it was come to
    sequence<int> list{}, seen{};
    constexpr explicit followed(int count) : has(count, 0) {}
    constexpr void clear() {
      for (const int s : seen) has[s] = 0;
      list.clear();
      seen.clear();
    }
    constexpr void swap(followed& o) {
      has.swap(o.has);
      list.swap(o.list);
      seen.swap(o.seen);
    }
  };
  constexpr followed begun() const {
    followed now(states.size() + 1);
    add(now, 0);
    return now;
  }
  constexpr void follow(followed& now, std::string_view text) const {
    followed next(states.size() + 1);
    for (const char c : text) {
      for (const int s : now.list)
        if (s < states.size() && states[s].letters.has(static_cast<unsigned char>(c))) add(next, s + 1);
      now.clear();
      now.swap(next);
    }
  }
  /// Adds a state and all states reached from it without a letter.
  constexpr void add(followed& to, int from) const {
    int begin = to.seen.size();
    const auto come_to = [&](int s) {
      if (to.has[s]) return;
      to.has[s] = 1;
      to.seen.push_back(s);
    };
    come_to(from);
    for (; begin < to.seen.size(); ++begin) {
      const int s = to.seen[begin];
      if (s == states.size() || states[s].takes_letter) {
        to.list.push_back(s);
        continue;
      }
      come_to(s + states[s].first);
      come_to(s + states[s].second);
    }
  }

  sequence<detail::regular_state> states{};  // the last leads to the end, which has none
};

}  // namespace stg::examine
