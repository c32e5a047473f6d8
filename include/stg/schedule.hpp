// Opt-in: schedules, which say apart from a lambda how its program runs: what is kept or made again, stored in how many
// bytes, swept together or apart, replaced; and what verifies them.
#pragma once

#include <algorithm>    // max
#include <cmath>        // abs, isnan
#include <cstdint>      // int64_t
#include <limits>       // numeric_limits
#include <string>       // string, to_string
#include <string_view>  // string_view
#include <type_traits>  // is_arithmetic_v, is_empty_v, remove_cvref_t
#include <utility>      // move, pair
#include <vector>       // vector

#include <stg/analysis/choices.hpp>  // choices, with_choices
#include <stg/base/error.hpp>        // error
#include <stg/base/name.hpp>         // in_words
#include <stg/call/explain.hpp>      // training_with
#include <stg/call/inference.hpp>    // compile
#include <stg/call/training.hpp>     // value_and_grad
#include <stg/call/with.hpp>         // with
#include <stg/dsl/trace.hpp>         // in_line
#include <stg/examine/find.hpp>      // regular_expression
#include <stg/examine/match.hpp>     // match, matches_of
#include <stg/ir/decisions.hpp>      // of_value, of_scope, is_within
#include <stg/rewrite.hpp>           // rule

namespace stg {

/// Why a schedule does not fit a program.
enum class schedule_mistake : int {
  none,
  no_such_path,  // neither a scope nor a value is called so
  finds_nothing,
  is_no_value,     // a word about values is said of a scope
  is_no_scope,     // a word about scopes is said of what was found
  is_many_values,  // a word about two values is said of several
  replaces_nothing,
  stores_no_type
};

/// A word of a schedule, as it was applied.
struct applied_primitive {
  text word{};     // keep, stored, …
  text path{};     // of the scope or the value, empty: of the whole
  int places = 0;  // decisions that were made, or matches that were replaced
  constexpr bool operator==(const applied_primitive&) const = default;
};

namespace detail {

/// What is wrong with a schedule, for a sentence in the user's line.
struct schedule_finding {
  schedule_mistake what = schedule_mistake::none;
  text path{};
  text beside{};  // paths that are there
  int line = 0;
};

struct schedule_state {
  ir::program p;
  schedule_finding wrong{};
  sequence<applied_primitive> log{};

  constexpr bool fits() const { return wrong.what == schedule_mistake::none; }
};

/// A path with the line that it was written in.
struct written_path {
  std::string_view path;
  int line;
  constexpr written_path(const char* letters, int called = __builtin_LINE()) : path(letters), line(called) {}
  constexpr written_path(std::string_view letters, int called = __builtin_LINE()) : path(letters), line(called) {}
};

/// Calls f(program) for a program, its steps and its callees, which may change them.
template <class F> constexpr void each_program_of(ir::program& p, const F& f) {
  f(p);
  for (ir::program& c : p.callees) each_program_of(c, f);
}

/// A text that ends with dots where it would be too long.
constexpr text shortened(std::string_view letters) {
  if (letters.size() <= text::capacity) return text(letters);
  text t(letters.substr(0, text::capacity - 3));
  t.append("...");
  return t;
}

/// Paths of scopes and named values that stand beside a wrong one: in the innermost scope that is there.
constexpr text paths_beside(const ir::program& p, std::string_view wrong) {
  const auto is_scope = [&](std::string_view path) {
    bool is = false;
    for (const text& s : p.scopes) is = is || ir::is_within(s.view(), path);
    return is;
  };
  std::string_view within = wrong;
  while (!within.empty()) {
    const std::size_t slash = within.rfind('/');
    within = slash == std::string_view::npos ? std::string_view() : within.substr(0, slash);
    if (!within.empty() && is_scope(within)) break;
  }
  sequence<text> all;
  const auto add = [&](std::string_view path) {
    if (!ir::is_within(path, within) || path.size() <= within.size()) return;
    const std::size_t from = within.empty() ? 0 : within.size() + 1;
    const std::size_t slash = path.find('/', from);
    const text one(slash == std::string_view::npos ? path : path.substr(0, slash));
    bool is_there = false;
    for (const text& t : all) is_there = is_there || t == one;
    if (!is_there) all.push_back(one);
  };
  for (const text& s : p.scopes) add(s.view());
  for (const ir::label& l : p.names) add(l.name.view());
  text found;
  for (const text& one : all) {
    if (found.length + one.length + 2 > text::capacity - 4) {
      found.append(", ...");
      break;
    }
    if (found.length > 0) found.append(", ");
    found.append(one.view());
  }
  return found;
}

}  // namespace detail

/// A place of a program, by its path: a scope, a named value or an input; or values that were found in one. A place is
/// looked up when a word is said of it: it stays found after words before it that changed the program.
class scheduled_place {
 public:
  constexpr scheduled_place(detail::schedule_state& all, std::string_view path, int line)
      : of(&all), path_(detail::shortened(path)), line_(line) {}

  /// A scope or value within this scope: s["conv1"]["norm"] is s["conv1/norm"].
  constexpr scheduled_place operator[](detail::written_path below) const {
    text whole = path_;
    if (whole.length > 0) whole.append('/');
    whole.append(below.path);
    return {*of, whole.view(), below.line};
  }
  /// The values in this scope whose paths within it the regular expression matches (examine::find): operations,
  /// `relu` or `norm/mul`, and names. It has to find one at least.
  constexpr scheduled_place find(detail::written_path expression) const {
    scheduled_place found = *this;
    found.expression_ = expression.path;
    found.line_ = expression.line;
    return found;
  }
  /// How many values this is: those that are found, or of this name, or that stand in this scope.
  constexpr int count() const {
    int n = 0;
    detail::each_program_of(of->p, [&](ir::program& p) {
      for (ir::value_id i = 0; i < p.size(); ++i) n += has(p, i);
    });
    return n;
  }

  /// How values are kept for the gradient: of a scope, a value, or of what is found.
  constexpr scheduled_place keep(keeping way, here called = here()) const {
    decide("keep", ir::decided::keep, static_cast<std::int64_t>(way), true, called.line);
    return *this;
  }
  /// The type that rows lie in memory in: bf16, f16, or f32 for what stays as it is.
  constexpr scheduled_place stored_as(scalar_type type, here called = here()) const {
    if (!ir::is_width(static_cast<std::int64_t>(type))) return fail(schedule_mistake::stores_no_type, called.line);
    decide("stored_as", ir::decided::width, static_cast<std::int64_t>(type), true, called.line);
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
  /// A word that values carry along, without effect on results.
  constexpr scheduled_place annotate(detail::written_path word) const {
    const int n = each_value(word.line, [&](ir::program& p, ir::value_id i) {
      p.tags.push_back({text(word.path), i});
    });
    note("annotate", n);
    return *this;
  }
  /// Matches of a rewrite rule become its replacement: one at least.
  template <class P, class R, class W, class C>
  constexpr scheduled_place replace(const rule<P, R, W, C>& by, here called = here()) const {
    if (!looks_up(called.line)) return *this;
    const scheduled_place here_ = *this;
    int matches = 0;
    detail::each_program_of(of->p, [&](ir::program& p) {
      for (const examine::match& m : examine::matches_of(p, by))
        matches += m.what == examine::verdict::taken && here_.stands_in(p, m.root().at);
    });
    if (matches == 0) return fail(schedule_mistake::replaces_nothing, called.line);
    of->p = by.where([here_](const examine::match& m) { return here_.stands_in(*m.in, m.root().at); })(of->p);
    note("replace", matches);
    return *this;
  }

 private:
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
  constexpr bool has(const ir::program& p, ir::value_id i) const {
    if (!is_found()) return stands_in(p, i);
    const examine::regular_expression by(expression_);
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
    scheduled_place all = *this;
    all.expression_ = {};
    fail(is_found() && (path_.length == 0 || all.count() > 0) ? schedule_mistake::finds_nothing
                                                              : schedule_mistake::no_such_path,
         line);
    return false;
  }
  constexpr scheduled_place fail(schedule_mistake what, int line) const {
    if (!of->fits()) return *this;
    of->wrong = {what, is_found() ? detail::shortened(expression_) : path_, {}, line};
    if (what == schedule_mistake::no_such_path) of->wrong.path = path_;
    of->wrong.beside = detail::paths_beside(of->p, path_.view());
    return *this;
  }
  constexpr void note(std::string_view word, int places) const {
    if (!of->fits()) return;
    text path = path_;
    if (is_found()) path = detail::shortened(expression_);
    of->log.push_back({text(word), path, places});
  }

  /// The last word of a kind about a place counts.
  static constexpr void decide_in(ir::program& p, const ir::decision& word) {
    sequence<ir::decision> rest;
    for (const ir::decision& d : p.decisions)
      if (d.what != word.what || d.whom != word.whom || d.at != word.at || d.other != word.other) rest.push_back(d);
    p.decisions.swap(rest);
    p.decide(word);
  }
  /// Calls f for each value that is meant; the number of them.
  template <class F> constexpr int each_value(int line, const F& f) const {
    if (!looks_up(line)) return 0;
    if (!is_found() && (is_whole() || is_any_scope())) {
      fail(schedule_mistake::is_no_value, line);
      return 0;
    }
    int n = 0;
    detail::each_program_of(of->p, [&](ir::program& p) {
      for (ir::value_id i = 0; i < p.size(); ++i)
        if (has(p, i)) f(p, i), ++n;
    });
    return n;
  }
  constexpr void decide(std::string_view word, ir::decided what, std::int64_t number, bool of_scopes, int line) const {
    if (!looks_up(line)) return;
    int n = 0;
    if (of_scopes && !is_found() && (is_whole() || is_any_scope())) {
      detail::each_program_of(of->p, [&](ir::program& p) {
        if (is_whole()) decide_in(p, ir::of_whole(what, number));
        else if (is_scope(p)) decide_in(p, ir::of_scope(what, p.scope_number(path_), number));
        else return;
        ++n;
      });
    } else {
      n = each_value(line, [&](ir::program& p, ir::value_id i) { decide_in(p, ir::of_value(what, i, number)); });
    }
    note(word, n);
  }
  constexpr void decide_pair(std::string_view word, ir::decided what, const scheduled_place& other, int line) const {
    ir::value_id a = ir::no_value, b = ir::no_value;
    ir::program *of_a = nullptr, *of_b = nullptr;
    const int first = each_value(line, [&](ir::program& p, ir::value_id i) { of_a = &p, a = i; });
    const int second = other.each_value(line, [&](ir::program& p, ir::value_id i) { of_b = &p, b = i; });
    if (!of->fits()) return;
    if (first != 1) return void(fail(schedule_mistake::is_many_values, line));
    if (second != 1 || of_a != of_b) return void(other.fail(schedule_mistake::is_many_values, line));
    decide_in(*of_a, ir::of_pair(what, a, b));
    note(word, 2);
  }

  detail::schedule_state* of;
  text path_{};
  std::string_view expression_{};
  int line_;
};

/// What a schedule's lambda is given: the program with its scopes and values.
class scheduled_program {
 public:
  constexpr explicit scheduled_program(detail::schedule_state& all) : of(&all) {}

  /// The scope or value of a path: s["conv1"], s["conv1/score"].
  constexpr scheduled_place operator[](detail::written_path path) const { return {*of, path.path, path.line}; }
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
    of->log.push_back({text("choose"), {}, 1});
  }
  /// A pass of the user's own: a program for a program, with its inputs and outputs.
  template <class Pass> constexpr void apply(const Pass& pass) const {
    if (!of->fits()) return;
    of->p = pass(of->p);
    of->log.push_back({text("apply"), {}, 1});
  }
  constexpr const ir::program& program() const { return of->p; }

 private:
  constexpr scheduled_place whole() const { return {*of, {}, 0}; }
  detail::schedule_state* of;
};

namespace detail {

template <STG_WORD Path> struct scheduled_path {};
template <STG_WORD Paths> struct there_are {};
template <text Letters>
using letters_as_name = std::remove_const_t<decltype(spell_view<letters_of<Letters>, name>::value)>;
/// The sentences about a schedule, with the path, its line in the user's file, and what is beside it.
template <schedule_mistake Why, class Path, class Beside> struct schedule_does_not_fit {
  static_assert(Why != schedule_mistake::no_such_path,
                "stg: a schedule names a scope or a value that is not there; there_are<...> lists those that are");
  static_assert(Why != schedule_mistake::finds_nothing,
                "stg: find(\"...\") of a schedule finds no value; examine::find shows what an expression finds");
  static_assert(Why != schedule_mistake::is_no_value,
                "stg: stored, inlined, one_sweep, apart and annotate are said of values; find them in the scope");
  static_assert(Why != schedule_mistake::is_many_values,
                "stg: one_sweep and apart of a schedule are about two values; give one of each by its name");
  static_assert(Why != schedule_mistake::replaces_nothing,
                "stg: replace(rule) of a schedule replaces nothing there; examine::matches_of shows why");
  static_assert(Why != schedule_mistake::stores_no_type, STG_STORES_NO_TYPE);
};
template <bool Fits, schedule_mistake Why, text Path, text Beside, int Line> struct schedule_refusal {
  using type = int;
};
template <schedule_mistake Why, text Path, text Beside, int Line>
struct schedule_refusal<false, Why, Path, Beside, Line> {
  using type = schedule_does_not_fit<Why, in_line<Line, in_words<scheduled_path, letters_as_name<Path>>>,
                                     in_words<there_are, letters_as_name<Beside>>>;
};

}  // namespace detail

/// A schedule: a pass for `with` and `compile`. Made by stg::scheduled.
template <class Words> struct scheduling {
  [[no_unique_address]] Words words{};

  /// The program with the words applied, or as it was, if one of them does not fit.
  constexpr ir::program operator()(const ir::program& p) const {
    detail::schedule_state all{p};
    words(scheduled_program(all));
    return all.fits() ? all.p : p;
  }
  /// What each word did, in their order; up to the first that does not fit.
  constexpr sequence<applied_primitive> primitives(const ir::program& p) const {
    detail::schedule_state all{p};
    words(scheduled_program(all));
    return all.log;
  }
  /// The first word that does not fit a program.
  constexpr detail::schedule_finding finding(const ir::program& p) const {
    detail::schedule_state all{p};
    words(scheduled_program(all));
    return all.wrong;
  }
  /// For `with`: says what does not fit.
  template <class Program, const auto& Self> static constexpr bool fits() {
    constexpr detail::schedule_finding found = Self.finding(Program::value.thaw());
    constexpr bool is_right = found.what == schedule_mistake::none;
    [[maybe_unused]]
    typename detail::schedule_refusal<is_right, found.what, found.path, found.beside, found.line>::type said{};
    return is_right;
  }
};

/// How a program runs, said apart from its lambda: `words` is a lambda without captures of the scheduled program. It is
/// a pass, which stands behind a lambda in `with` and `compile`, and the result is verified as after every pass.
///
///   inline constexpr auto thrifty = stg::scheduled([](auto s) {
///     s["conv1"].keep(stg::keeping::inputs);
///     s["conv2"].find("relu").inlined();
///   });
///   auto step = stg::value_and_grad<stg::with<loss, thrifty>>();
template <class Words> constexpr scheduling<Words> scheduled(Words words) {
  static_assert(std::is_empty_v<Words>,
                "stg: scheduled takes a lambda without captures; what differs is said by a schedule of its own");
  return {words};
}

/// What a schedule changes in numbers.
struct schedule_check {
  bool same_bits = true;
  double worst = 0;  // of all numbers, as a share of the largest one of their value: |scheduled - plain| / max |plain|
  std::string where{};  // the value that has it: loss, output, or a parameter with "gradient of" before it
  double plain = 0, scheduled = 0;
};

namespace detail {

/// Numbers of the values of a call, by name.
using numbers_by_name = std::vector<std::pair<std::string, std::vector<double>>>;

template <class V> void add_numbers(numbers_by_name& to, std::string name, const V& value) {
  std::vector<double> all;
  if constexpr (std::is_arithmetic_v<V>) {
    all.push_back(static_cast<double>(value));
  } else {
    const auto& t = tensor_of(value);
    const auto here = t.to(stg::host);
    for (std::int64_t k = 0; k < here.size(); ++k) all.push_back(static_cast<double>(here.data()[k]));
  }
  to.emplace_back(std::move(name), std::move(all));
}
template <const auto& F, class... Arg> numbers_by_name numbers_of_call(const Arg&... args) {
  numbers_by_name all;
  using training = training_with<default_backend, fixed_symbols<>, F>;
  if constexpr (training::exists && training::is_loss) {
    const auto now = value_and_grad<F>()(args...);
    add_numbers(all, "loss", now.loss);
    for_each(now.gradients, [&](std::string_view name, const auto& value) {
      add_numbers(all, "gradient of " + std::string(name), value);
    });
  } else {
    const auto y = compile<F>()(args...);
    if constexpr (is_named_set<std::remove_cvref_t<decltype(y)>>)
      for_each(
          y, [&](std::string_view name, const auto& value) { add_numbers(all, "output " + std::string(name), value); });
    else add_numbers(all, "output", y);
  }
  return all;
}
inline schedule_check compared(const numbers_by_name& plain, const numbers_by_name& scheduled) {
  schedule_check found;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    double largest = 0;
    for (const double x : plain[k].second) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < plain[k].second.size(); ++i) {
      const double a = plain[k].second[i], b = scheduled[k].second[i];
      if (a == b || (std::isnan(a) && std::isnan(b))) continue;
      found.same_bits = false;
      const double off = std::abs(a - b) / (largest > 0 ? largest : 1);
      if (off <= found.worst) continue;  // NaN is worse than all
      found.worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
      found.where = plain[k].first;
      found.plain = a;
      found.scheduled = b;
    }
  }
  return found;
}

}  // namespace detail

/// Calls F and F as it is scheduled with the same inputs, seeds and parameters, and compares outputs; of a loss with
/// parameters the loss and all gradients. Throws where a number is off by more than `tolerance` times the largest one
/// of its value, with the value and both numbers; 0: bits stay.
///
///   stg::verify_schedule<loss, thrifty>(1e-6, graph, x = X, label = Y, params);
template <const auto& F, const auto& Schedule, class... Arg>
schedule_check verify_schedule(double tolerance, const Arg&... args) {
  const schedule_check found =
      detail::compared(detail::numbers_of_call<F>(args...), detail::numbers_of_call<with<F, Schedule>>(args...));
  if (found.worst > tolerance)
    throw error("verify_schedule: " + found.where + " is " + std::to_string(found.scheduled) + " as scheduled and " +
                std::to_string(found.plain) + " plainly, off by " + std::to_string(found.worst) +
                " of its largest number; tolerated are " + std::to_string(tolerance));
  return found;
}

/// The words of a schedule as they were applied to the program of F, a line for each.
///
///   std::cout << stg::explain_schedule<loss, thrifty>();   // keep conv1: 1 place
template <const auto& F, const auto& Schedule> std::string explain_schedule() {
  std::string all;
  for (const applied_primitive& one : Schedule.primitives(canonical<ref<F>>::value.thaw())) {
    all += std::string(one.word.view());
    if (one.path.length > 0) all += ' ' + std::string(one.path.view());
    all += ": " + std::to_string(one.places) + (one.places == 1 ? " place\n" : " places\n");
  }
  return all;
}

}  // namespace stg
