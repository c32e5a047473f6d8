// Places of a program that is scheduled, and the words that are said of them.
#pragma once

#include <cstdint>      // int64_t
#include <string_view>  // string_view
#include <utility>      // move

#include <stg/analysis/choices.hpp>  // choices, with_choices
#include <stg/dsl/written.hpp>       // here
#include <stg/examine/find.hpp>      // regular_expression
#include <stg/examine/match.hpp>     // match, matches_of
#include <stg/ir/decisions.hpp>      // of_value, of_scope, is_within
#include <stg/rewrite.hpp>           // rule
#include <stg/schedule/finding.hpp>  // schedule_state

namespace stg {

/// A place of a program, by its path: a scope, a named value or an input; or values that were found in one. A place is
/// looked up when a word is said of it: it stays found after words before it that changed the program.
class scheduled_place {
 public:
  constexpr scheduled_place(detail::schedule_state& all, std::string_view path)
      : of(&all), path_(detail::shortened(path)) {}

  /// A scope or value within this scope: s["conv1"]["norm"] is s["conv1/norm"].
  constexpr scheduled_place operator[](detail::written_path below) const {
    if (is_found()) return fail(schedule_mistake::is_no_scope, below.line);
    if (below.path.size() + path_.length + 1 > text::capacity) return fail(schedule_mistake::is_no_word, below.line);
    text whole = path_;
    if (whole.length > 0) whole.append('/');
    whole.append(below.path);
    return {*of, whole.view()};
  }
  /// The values in this scope whose paths within it the regular expression matches (examine::find): operations,
  /// `relu` or `norm/mul`, and names. It has to find one at least.
  constexpr scheduled_place find(detail::written_path expression) const {
    if (is_found()) return fail(schedule_mistake::is_no_scope, expression.line);
    if (expression.path.empty() || expression.path.size() > text::capacity)
      return fail(schedule_mistake::is_no_word, expression.line);
    scheduled_place found = *this;
    if (const auto fault = examine::fault_of(expression.path); fault.is_there()) {
      if (of->fits())
        of->wrong = {schedule_mistake::is_no_expression, detail::shortened(expression.path),
                     detail::shortened(fault.why), expression.line};
      return *this;
    }
    found.expression_ = expression.path;
    return found;
  }
  /// How many values this is: those that are found, or of this name, or that stand in this scope.
  constexpr int count() const { return count_in(of->p); }

  /// How values are kept for the gradient: of a scope, a value, or of what is found.
  constexpr scheduled_place keep(keeping way, here called = here()) const {
    decide("keep", ir::decided::keep, static_cast<std::int64_t>(way), true, called.line, name_of(way));
    return *this;
  }
  /// The type that rows lie in memory in: bf16, f16, or f32 for what stays as it is.
  constexpr scheduled_place stored_as(scalar_type type, here called = here()) const {
    if (!ir::is_width(static_cast<std::int64_t>(type))) return fail(schedule_mistake::stores_no_type, called.line);
    decide("stored_as", ir::decided::width, static_cast<std::int64_t>(type), true, called.line, name_of(type));
    return *this;
  }
  /// All rows of a value lie in memory; no row does, and every reader computes it.
  constexpr scheduled_place stored(here called = here()) const {
    decide("stored", ir::decided::stored, 0, false, called.line);
    return *this;
  }
  constexpr scheduled_place inlined(here called = here()) const {
    decide("inlined", ir::decided::inlined, 0, false, called.line);
    return *this;
  }
  /// One pass over vertices or edges computes this value and another one; none does.
  constexpr scheduled_place one_sweep(const scheduled_place& with, here called = here()) const {
    decide_pair("one_sweep", ir::decided::together, with, called.line);
    return *this;
  }
  constexpr scheduled_place apart(const scheduled_place& from, here called = here()) const {
    decide_pair("apart", ir::decided::apart, from, called.line);
    return *this;
  }
  /// What ranks of a cut graph exchange of the values of a scope is one message to each rank where that is possible; it
  /// must not be waited for in vain, as verify_overlap sees (dsl/regions.hpp).
  constexpr scheduled_place merge_exchanges(here called = here()) const {
    decide_scope("merge_exchanges", ir::decided::merged_exchanges, ir::unused_region(of->p), called.line);
    return *this;
  }
  constexpr scheduled_place must_overlap(here called = here()) const {
    decide_scope("must_overlap", ir::decided::overlaps, 1, called.line);
    return *this;
  }
  /// A word that values carry along, without effect on results.
  constexpr scheduled_place annotate(detail::written_path word) const { return annotated(word); }
  /// Matches of a rewrite rule become its replacement: one at least.
  template <class P, class R, class W, class C>
  constexpr scheduled_place replace(const rule<P, R, W, C>& by, here called = here()) const {
    if (!looks_up(called.line)) return *this;
    if (is_found() || (!is_whole() && !is_any_scope())) return fail(schedule_mistake::is_no_scope, called.line);
    const scheduled_place here_ = *this;
    int matches = 0;
    detail::each_program_of(of->p, [&](ir::program& p) {
      for (const examine::match& m : examine::matches_of(p, by))
        matches += m.what == examine::verdict::taken && here_.stands_in(p, m.root().at);
    });
    if (matches == 0) return fail(schedule_mistake::replaces_nothing, called.line);
    of->taking.push_back({of->p, of->log.size()});
    of->p = by.where([here_](const examine::match& m) { return here_.stands_in(*m.in, m.root().at); })(of->p);
    note("replace", matches);
    return *this;
  }

 private:
  constexpr int count_in(ir::program& whole) const {
    const examine::regular_expression by(expression_);
    int n = 0;
    detail::each_program_of(whole, [&](ir::program& p) {
      for (ir::value_id i = 0; i < p.size(); ++i) n += has(p, i, by);
    });
    return n;
  }
  constexpr bool is_found() const { return !expression_.empty(); }
  constexpr bool is_whole() const { return path_.length == 0 && !is_found(); }
  constexpr bool is_scope(const ir::program& p) const {
    bool is = false;
    for (const text& s : p.scopes) is = is || ir::is_within(s.view(), path_.view());
    return is;
  }
  constexpr bool is_any_scope() const {
    bool is = false;
    detail::each_program_of(of->p, [&](ir::program& p) { is = is || is_scope(p); });
    return is;
  }
  /// Whether a value stands in this scope, or is of this name.
  constexpr bool stands_in(const ir::program& p, ir::value_id i) const {
    if (path_.length == 0) return true;
    bool is = p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name == path_;
    for (const ir::label& l : p.names) is = is || (l.at == i && ir::is_within(l.name.view(), path_.view()));
    ir::each_scope(p, p[i], [&](int k) { is = is || ir::is_within(p.scopes[k].view(), path_.view()); });
    return is;
  }
  /// What of a path is behind this scope's; not within: nothing is.
  constexpr bool matches(std::string_view path, std::string_view word, const examine::regular_expression& by) const {
    const std::string_view scope = path_.view();
    if (scope.empty())
      return word.empty() ? by.matches(path) : path.empty() ? by.matches(word) : by.matches(path, word);
    if (!ir::is_within(path, scope)) return false;
    const std::string_view rest = path.size() == scope.size() ? std::string_view() : path.substr(scope.size() + 1);
    if (word.empty()) return !rest.empty() && by.matches(rest);
    return rest.empty() ? by.matches(word) : by.matches(rest, word);
  }
  /// by: the expression, made once for all values.
  constexpr bool has(const ir::program& p, ir::value_id i, const examine::regular_expression& by) const {
    if (!is_found()) return stands_in(p, i);
    bool is = false;
    for (const ir::label& l : p.names) is = is || (l.at == i && matches(l.name.view(), {}, by));
    const std::string_view word = name_of(p[i].code);
    if (p[i].code == ir::opcode::input && path_.length == 0) is = is || by.matches(p.inputs[p[i].entry()].name.view());
    if (p[i].scopes == 0 && path_.length == 0) is = is || by.matches(word);
    ir::each_scope(p, p[i], [&](int k) { is = is || matches(p.scopes[k].view(), word, by); });
    return is;
  }

  /// Whether the path is there, and something is found.
  constexpr bool looks_up(int line) const {
    if (!of->fits()) return false;
    if (is_whole()) return true;
    if (count() > 0) return true;
    for (int k = of->taking.size() - 1; k >= 0; --k)
      if (count_in(of->taking[k].p) > 0) {
        const applied_primitive& by = of->log[of->taking[k].word];
        of->wrong = {schedule_mistake::was_taken, whole_path(), by.in_words(), line};
        return false;
      }
    scheduled_place all = *this;
    all.expression_ = {};
    fail(is_found() && (path_.length == 0 || all.count() > 0) ? schedule_mistake::finds_nothing
                                                              : schedule_mistake::no_such_path,
         line);
    return false;
  }
  constexpr scheduled_place fail(schedule_mistake what, int line) const {
    if (!of->fits()) return *this;
    const bool is_there = what != schedule_mistake::no_such_path;
    of->wrong = {what, is_there ? whole_path() : path_, detail::paths_beside(of->p, path_.view()).listed(), line};
    return *this;
  }
  constexpr written_place written() const { return {path_, text(expression_)}; }
  /// The path, with what was looked for in it.
  constexpr text whole_path() const { return written().joined(); }
  constexpr void note(std::string_view word, int places, std::string_view argument = {}) const {
    if (of->fits()) of->log.push_back({text(word), written(), places, text(argument), {}, {}});
  }

  /// The word that is taken back by this one; itself where there is none.
  static constexpr ir::decided opposite(ir::decided what) {
    using enum ir::decided;
    return what == stored     ? inlined
           : what == inlined  ? stored
           : what == together ? apart
           : what == apart    ? together
                              : what;
  }
  /// The last word about a place counts, of a kind and of opposites.
  static constexpr void decide_in(ir::program& p, const ir::decision& word) {
    sequence<ir::decision> rest;
    for (const ir::decision& d : p.decisions) {
      const bool is_of_kind = d.what == word.what || d.what == opposite(word.what);
      if (!is_of_kind || d.whom != word.whom || d.at != word.at || d.other != word.other) rest.push_back(d);
    }
    p.decisions.swap(rest);
    p.decide(word);
  }
  /// Whether a word about how a value is computed can be said of it.
  static constexpr bool is_computed(const ir::statement& s) {
    return s.code != ir::opcode::input && s.code != ir::opcode::constant && s.code != ir::opcode::bind &&
           s.code != ir::opcode::arguments;
  }
  /// Whether a value, or an input, has exactly this name.
  constexpr bool is_called(const ir::program& p, ir::value_id i) const {
    bool is = p[i].code == ir::opcode::input && p.inputs[p[i].entry()].name == path_;
    for (const ir::label& l : p.names) is = is || (l.at == i && l.name == path_);
    return is;
  }
  /// Calls f for each value that is meant: that is found, or of this name; the number of them. inputs: they count.
  template <class F> constexpr int each_value(int line, bool inputs, const F& f) const {
    if (!looks_up(line)) return 0;
    const examine::regular_expression by(expression_);
    int n = 0, others = 0;
    detail::each_program_of(of->p, [&](ir::program& p) {
      for (ir::value_id i = 0, size = p.size(); i < size; ++i) {
        if (!(is_found() ? has(p, i, by) : is_called(p, i))) continue;
        if (inputs || is_computed(p[i])) f(p, i), ++n;
        else ++others;
      }
    });
    if (n > 0) return n;
    fail(others > 0 ? schedule_mistake::is_input : schedule_mistake::is_no_value, line);
    return 0;
  }
  // Here, behind what it calls: clang has not made a template that stands below when it computes with this.
  constexpr scheduled_place annotated(detail::written_path word) const {
    if (word.path.empty() || word.path.size() > text::capacity) return fail(schedule_mistake::is_no_word, word.line);
    const int n = each_value(word.line, true, [&](ir::program& p, ir::value_id i) {
      p.tags.push_back({text(word.path), i});
    });
    note("annotate", n, word.path);
    return *this;
  }
  /// A word about a scope is one about a value of its name, too, as in a lambda.
  constexpr void decide(std::string_view word, ir::decided what, std::int64_t number, bool of_scopes, int line,
                        std::string_view argument = {}) const {
    if (!looks_up(line)) return;
    int n = 0;
    if (of_scopes && !is_found())
      detail::each_program_of(of->p, [&](ir::program& p) {
        if (is_whole()) decide_in(p, ir::of_whole(what, number));
        else if (is_scope(p)) decide_in(p, ir::of_scope(what, p.scope_number(path_), number));
        else return;
        ++n;
      });
    if (n == 0 || !is_whole()) n += values_decided(what, number, n > 0, line);
    note(word, n, argument);
  }
  constexpr void decide_scope(std::string_view word, ir::decided what, std::int64_t number, int line) const {
    if (!looks_up(line)) return;
    int n = 0;
    if (!is_found() && !is_whole())
      detail::each_program_of(of->p, [&](ir::program& p) {
        if (is_scope(p)) decide_in(p, ir::of_scope(what, p.scope_number(path_), number)), ++n;
      });
    if (n == 0) return void(fail(schedule_mistake::is_no_scope, line));
    note(word, n);
  }
  constexpr int values_decided(ir::decided what, std::int64_t number, bool may_be_none, int line) const {
    bool is_any = !may_be_none;
    if (may_be_none)
      detail::each_program_of(of->p, [&](ir::program& p) {
        for (ir::value_id i = 0; i < p.size(); ++i) is_any = is_any || (is_called(p, i) && is_computed(p[i]));
      });
    if (!is_any) return 0;
    return each_value(line, false,
                      [&](ir::program& p, ir::value_id i) { decide_in(p, ir::of_value(what, i, number)); });
  }
  constexpr void decide_pair(std::string_view word, ir::decided what, const scheduled_place& other, int line) const {
    ir::value_id a = ir::no_value, b = ir::no_value;
    ir::program *of_a = nullptr, *of_b = nullptr;
    const int first = each_value(line, false, [&](ir::program& p, ir::value_id i) { of_a = &p, a = i; });
    const int second = other.each_value(line, false, [&](ir::program& p, ir::value_id i) { of_b = &p, b = i; });
    if (!of->fits()) return;
    if (first != 1) return void(fail(schedule_mistake::is_many_values, line));
    if (second != 1) return void(other.fail(schedule_mistake::is_many_values, line));
    if (of_a != of_b) return void(fail(schedule_mistake::is_in_steps, line));
    if (a == b) return void(fail(schedule_mistake::is_many_values, line));
    decide_in(*of_a, ir::of_pair(what, a, b));
    note(word, 2);
    of->log.back().other = other.written();
  }

  detail::schedule_state* of;
  text path_{};
  std::string_view expression_{};
};

/// What a schedule's lambda is given: the program with its scopes and values.
class scheduled_program {
 public:
  constexpr explicit scheduled_program(detail::schedule_state& all) : of(&all) {}

  /// The scope or value of a path: s["conv1"], s["conv1/score"].
  constexpr scheduled_place operator[](detail::written_path path) const { return {*of, path.path}; }
  /// The values of the program whose paths a regular expression matches.
  constexpr scheduled_place find(detail::written_path expression) const { return whole().find(expression); }
  /// Of all values.
  constexpr void keep(keeping way, here called = here()) const { whole().keep(way, called); }
  constexpr void stored_as(scalar_type type, here called = here()) const { whole().stored_as(type, called); }
  template <class P, class R, class W, class C>
  constexpr void replace(const rule<P, R, W, C>& by, here called = here()) const {
    whole().replace(by, called);
  }
  /// The numbers that the library's passes and executors decide by.
  constexpr void choose(const pass::choices& by) const {
    if (!of->fits()) return;
    of->p = pass::with_choices(std::move(of->p), by);
    of->log.push_back({text("choose"), {}, 1, {}, {}, by});
  }
  /// A pass of the user's own: a program for a program, with its inputs and outputs.
  template <class Pass> constexpr void apply(const Pass& pass) const {
    if (!of->fits()) return;
    of->taking.push_back({of->p, of->log.size()});
    of->p = pass(of->p);
    of->log.push_back({text("apply"), {}, 1, {}, {}, {}});
  }
  constexpr const ir::program& program() const { return of->p; }
  /// Whether all words so far fit.
  constexpr bool fits() const { return of->fits(); }
  /// Says what is wrong with a schedule that is a text: the first mistake counts.
  constexpr void refuse(schedule_mistake what, std::string_view where, int line) const {
    if (of->fits()) of->wrong = {what, detail::shortened(where), {}, line};
  }

 private:
  constexpr scheduled_place whole() const { return {*of, {}}; }
  detail::schedule_state* of;
};

}  // namespace stg
