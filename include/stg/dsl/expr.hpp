// expr<Space, Shape, Scalar>: the operand of operators. It carries its signature as a type and its value as a number.
#pragma once

#include <limits>       // numeric_limits
#include <string_view>  // string_view
#include <type_traits>  // is_same_v

#include <stg/base/instead.hpp>     // STG_INSTEAD
#include <stg/base/name_table.hpp>  // name_table
#include <stg/dsl/shape.hpp>        // shape
#include <stg/dsl/written.hpp>      // written_index
#include <stg/ir/program.hpp>       // program, statement
#include <stg/ir/scalar.hpp>        // scalar_type
#include <stg/ir/space.hpp>         // space, direction

namespace stg {

/// Spaces as types, for the signature of an expression. An edge value knows the side it is seen from.
namespace space {
struct vertex {};
struct in_edge {};
struct out_edge {};
struct graph {};
/// Of a vertex set, and of a relation, edges seen from their destinations and from their sources (kinds.hpp).
template <class Set> struct vertices_of {};
template <class Relation> struct in_edges_of {};
template <class Relation> struct out_edges_of {};
}  // namespace space

namespace detail {
/// The properties of a space: ends are those of edges, `owner` the vertices that own them.
template <class S> struct space_traits {
  static constexpr bool is_edge = false, is_vertex = false;
  static constexpr ir::direction side = ir::direction::out;
  using kind = void;  // the vertex set or relation
};
template <> struct space_traits<space::vertex> : space_traits<void> { static constexpr bool is_vertex = true; };
template <> struct space_traits<space::in_edge> {
  static constexpr bool is_edge = true, is_vertex = false;
  static constexpr ir::direction side = ir::direction::in;
  using kind = void;
  using owner = space::vertex;
  using source = space::vertex;
  using destination = space::vertex;
  using from_destination = space::in_edge;  // the same edges seen from there
};
template <> struct space_traits<space::out_edge> : space_traits<space::in_edge> {
  static constexpr ir::direction side = ir::direction::out;
};
template <class Set> struct space_traits<space::vertices_of<Set>> : space_traits<space::vertex> { using kind = Set; };
template <class R> struct space_traits<space::in_edges_of<R>> : space_traits<space::in_edge> {
  using kind = R;
  using source = space::vertices_of<typename R::source>;
  using destination = space::vertices_of<typename R::destination>;
  using from_destination = space::in_edges_of<R>;
  using owner = destination;
};
template <class R> struct space_traits<space::out_edges_of<R>> : space_traits<space::out_edge> {
  using kind = R;
  using source = space::vertices_of<typename R::source>;
  using destination = space::vertices_of<typename R::destination>;
  using from_destination = space::in_edges_of<R>;
  using owner = source;
};

template <class S> inline constexpr bool is_edge = space_traits<S>::is_edge;
template <class S> inline constexpr bool is_vertex = space_traits<S>::is_vertex;
template <class S> inline constexpr ir::direction side_of = space_traits<S>::side;
template <class S>
inline constexpr ir::space ir_space = is_edge<S>     ? ir::space::edge
                                      : is_vertex<S> ? ir::space::vertex
                                                     : ir::space::graph;
/// The vertices that own the edges of a space.
template <class S> using owner_of = typename space_traits<S>::owner;
/// Whether values may stand beside each other as far as vertex sets and relations go: both of one, or edge values
/// beside values of their owners.
template <class A, class B> constexpr bool kinds_agree() {
  if constexpr (is_edge<A> && is_vertex<B>) return std::is_same_v<owner_of<A>, B>;
  else if constexpr (is_vertex<A> && is_edge<B>) return kinds_agree<B, A>();
  else if constexpr ((is_vertex<A> && is_vertex<B>) || (is_edge<A> && is_edge<B>))
    return std::is_same_v<typename space_traits<A>::kind, typename space_traits<B>::kind>;
  else return true;
}
}  // namespace detail

/// A lambda's decision about a scope, or a value of this name; without a path, about the whole program.
struct decided_scope {
  text path{};
  ir::decided what{};
  std::int64_t number = 0;
  int line = 0;  // its line in the lambda
  constexpr bool operator==(const decided_scope&) const = default;
};

/// The subject of a mistake that only the traced program shows, and its line in the lambda.
struct mistaken_place {
  ir::mistake what = ir::mistake::none;
  text word{};   // an input, or the user's word in its place
  int line = 0;  // 0: nowhere
};

/// The program that a lambda is being traced into, with the open scope.
struct tracer {
  ir::program program{};
  bool is_loose = false;  // of parameters and numbers alone, in a program of its own (loose.hpp)
  int sites = 0;          // random operations so far
  text scope{};
  sequence<ir::value_id> may_be_empty{};     // masks that need not name a vertex
  sequence<decided_scope> decided_scopes{};  // of the program around all steps

  // Of the step of a scan: the program around the scan, the number of its steps, and for each of its inputs the value
  // there that it stands for (no_value: an input of the same name), and whether this one has a value for each step.
  tracer* outer = nullptr;
  int depth = 0;
  ir::polynomial steps{};
  sequence<ir::value_id> stands_for{};
  sequence<unsigned char> each_step{};

  static constexpr int no_limit = std::numeric_limits<int>::max();
  name_table inputs{};             // of the program
  int most = no_limit;             // statements beyond are left out, so that a large lambda is called to its end
  int line = 0;                    // of the current reading
  mistaken_place first_mistake{};  // of all programs within

  constexpr ir::value_id emit(ir::statement s) {
    if (program.size() >= most) return 0;
    s.scopes = open_set();
    return program.emit(s);
  }
  /// Notes a mistake. The lambda goes on with whatever is at hand, and its program does not run.
  constexpr void note(ir::mistake what) {
    if (program.wrong == ir::mistake::none) program.wrong = what;
  }
  /// The same with its place: the word that it names, and a line, by default that of the reading in progress.
  constexpr void note(ir::mistake what, const text& word) { note(what, word, line); }
  constexpr void note(ir::mistake what, const text& word, int at) {
    note(what);
    tracer* outermost = this;
    while (outermost->outer != nullptr) outermost = outermost->outer;
    if (outermost->first_mistake.line == 0) outermost->first_mistake = mistaken_place{what, word, at};
  }
  /// Adds to the path of scopes, which has room for a name of 62 characters.
  constexpr void enter(text& path, std::string_view name) {
    if (path.length + name.size() + 1 > text::capacity) return note(ir::mistake::long_name);
    if (path.length != 0) path.append('/');
    path.append(name);
  }

  constexpr void enter_scope(std::string_view name) {
    enter(scope, name);
    open = -1;
  }
  /// Back to the scope around, with a path of `length` letters.
  constexpr void leave_scope(int length) {
    scope.shorten(length);
    open = -1;
  }

  /// The place of an input among the program's, told by its name.
  constexpr std::int64_t entry_of(const ir::input& in) {
    const auto name_at = [this](int at) -> const text& { return program.inputs[at].name; };
    const int known = inputs.find(in.name, name_at);
    if (in.begins.has_no_range()) note(ir::mistake::begins_in_no_range, in.name);
    if (known >= 0) {
      ir::start& begins = program.inputs[known].begins;
      if (begins.is_said() && in.begins.is_said() && !(begins == in.begins))
        note(ir::mistake::begins_in_two_ways, in.name);
      if (!begins.is_said()) begins = in.begins;
      return known;
    }
    inputs.add(in.name, name_at);
    program.inputs.push_back(in);
    stands_for.push_back(ir::no_value);
    each_step.push_back(0);
    return program.inputs.size() - 1;
  }
  /// Names a value within the open scope.
  constexpr void name(std::string_view as, ir::value_id at) {
    ir::label l;
    l.name = scope;
    enter(l.name, as);
    l.at = at;
    for (const ir::label& known : program.names)
      if (known == l) return;
    program.names.push_back(l);
  }
  /// Says something of a value, or of an axis of it, once.
  constexpr void tag(const ir::tag& what) {
    for (const ir::tag& known : program.tags)
      if (known == what) return;
    program.tags.push_back(what);
  }
  /// Notes a decision about a scope, which is looked for after the tracing.
  constexpr void decide_of_scope(decided_scope word) {
    if (outer != nullptr) return outer->decide_of_scope(word);
    const bool is_of_region = word.what == ir::decided::merged_exchanges;  // each has a number of its own, from 1 on
    for (const decided_scope& known : decided_scopes) {
      if (known.what != word.what) continue;
      if (!(known.path == word.path)) {
        word.number += is_of_region;
        continue;
      }
      if (!is_of_region && known.number != word.number) note(ir::mistake::kept_in_two_ways, word.path, word.line);
      return;
    }
    decided_scopes.push_back(word);
  }
  /// Has labels checked before the program runs, once.
  constexpr void check(const ir::label_range& range) {
    for (const ir::label_range& known : program.checks)
      if (known == range) return;
    program.checks.push_back(range);
  }

 private:
  /// The set of the open scope alone; looked for once after each change of scope.
  constexpr int open_set() {
    if (scope.length == 0) return 0;
    if (open < 0) {
      const auto name_at = [this](int at) -> const text& { return program.scopes[at]; };
      open = scope_names.find(scope, name_at);
      if (open < 0) {
        open = program.scopes.size();
        program.scopes.push_back(scope);
        program.scope_sets.push_back(ir::scope_set{open, 0});
        scope_names.add(scope, name_at);
        sets.push_back(program.scope_sets.size());
      }
    }
    return sets[open];
  }
  name_table scope_names{};
  sequence<int> sets{};  // of each scope, the set of it alone
  int open = -1;         // the open scope, if it was looked for
};

/// The result of a mistake, in place of a value. Every function takes it in silence: one mistake is one message.
struct mistake {
#define STG_METHOD(name, sentence) \
  constexpr mistake name(...) const { return {}; }
#include <stg/dsl/methods.inc>
#undef STG_METHOD
  template <class Index> constexpr mistake operator[](Index) const { return {}; }
  template <class... A> constexpr mistake operator()(const A&...) const { return {}; }
  constexpr explicit operator bool() const { return false; }
};
template <class X> inline constexpr bool is_mistake = std::is_same_v<X, mistake>;

/// The methods of PyTorch's tensors, `h.relu()`, each an error with the function to call. They take any arguments.
struct without_methods {
#define STG_METHOD(name, sentence) STG_INSTEAD(sentence, constexpr mistake name(...) const)
#include <stg/dsl/methods.inc>
#undef STG_METHOD
};
/// The same of symbols, which lambdas name before they are instantiated: `W.t()`.
template <class Symbols> struct symbol_without_methods {
#define STG_METHOD(name, sentence) STG_INSTEAD_IN(sizeof(Symbols) == 0, sentence, constexpr mistake name(...) const)
#include <stg/dsl/methods.inc>
#undef STG_METHOD
};

/// A value of the program being traced. Copying one copies two words; operands never nest in its type.
template <class Space, class Shape, scalar_type T> struct STG_NODISCARD(STG_IS_NOT_USED) expr : without_methods {
  tracer* trace;
  ir::value_id id;

  constexpr expr(tracer* by, ir::value_id at) : trace(by), id(at) {}

  /// `if (a > b)` and `a > b ? x : y` end here: while a program is traced no number is known yet.
  constexpr explicit operator bool() const {
    static_assert(Shape::rank < 0,
                  "stg: if and ? cannot look at a value, programs have no branches; write select(a > b, x, y)");
    return false;
  }
  /// `std::tanh(x)`, `double(x)` and wherever else a number is wanted end here.
  constexpr operator long double() const {
    static_assert(Shape::rank < 0,
                  "stg: a value is no number while a program is traced; write tanh(x) for std::tanh(x)");
    if (trace != nullptr) trace->note(ir::mistake::is_said);
    return 0;
  }

  /// The entry of the first axis that a label names: x[v(label)].
  template <class Index>
    requires(!std::is_integral_v<Index>)
  constexpr auto operator[](Index index) const { return pick(*this, index); }
  /// The entry that an integer names: x[0], x[-1].
  template <class Entry = expr> constexpr auto operator[](written_index i) const { return pick_entry(Entry(*this), i); }

  /// `h = relu(h)` keeps h's space, shape and type; another value has a name of its own.
  template <class X> constexpr expr& operator=(const X&) {
    constexpr bool is_said = is_mistake<X>;
    static_assert(is_said, "stg: a variable keeps its shape, type and place; give the value a name: auto y = ...");
    return *this;
  }
};

/// A result of a scan with a value for each step; Over: shape<E>, E steps. It is read step by step in the body of
/// another scan, v(y) or e.src(y), taken together by stacked(y), sum(y, all_steps) and mean(y, all_steps), or returned.
template <class Space, class Shape, scalar_type T, class Over> struct STG_NODISCARD(STG_IS_NOT_USED) steps_expr {
  tracer* trace;
  ir::value_id id;
};

namespace detail {
template <class X> inline constexpr bool is_expr = false;
template <class S, class Sh, scalar_type T> inline constexpr bool is_expr<expr<S, Sh, T>> = true;

template <class X> inline constexpr bool is_steps = false;
template <class S, class Sh, scalar_type T, class O> inline constexpr bool is_steps<steps_expr<S, Sh, T, O>> = true;

/// The result of a layer with several values as its members: `auto [y, mean, variance] = batch_norm(…)`.
template <class X> inline constexpr bool has_several = false;

/// The signature of an expression as members.
template <class X> struct signature;
template <class S, class Sh, scalar_type T> struct signature<expr<S, Sh, T>> {
  using where = S;
  using dims = Sh;
  static constexpr scalar_type type = T;
};
}  // namespace detail

template <class X>
concept Expression = detail::is_expr<X>;

/// A value, or a scan's result for each of its steps.
template <class X>
concept TracedValue = detail::is_expr<X> || detail::is_steps<X>;

}  // namespace stg
