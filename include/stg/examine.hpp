// Opt-in: programs as values. A lambda's program to ask, walk, copy and cut, and compile with a pass of the user's own.
#pragma once

// As in stg.hpp: a user's globals that a template's own names hide are no mistake.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include <concepts>     // convertible_to
#include <type_traits>  // is_convertible_v

#include <stg/codegen/default_backend.hpp>  // default_backend
#include <stg/compile.hpp>                  // canonical
#include <stg/examine/counts.hpp>           // counts_of
#include <stg/examine/find.hpp>             // find, regular_expression
#include <stg/examine/hash.hpp>             // hash_of, are_equal
#include <stg/examine/index_text.hpp>       // index_form, to_text, to_latex
#include <stg/examine/materialize.hpp>      // stored_by_mpms
#include <stg/examine/needs.hpp>            // needs_of, dependencies_of, values_in_memory
#include <stg/examine/partition.hpp>        // partition
#include <stg/examine/picture.hpp>          // to_dot, to_svg
#include <stg/examine/similar.hpp>          // are_similar
#include <stg/examine/tags.hpp>             // tags_of, spread_tags
#include <stg/examine/transform.hpp>        // transform
#include <stg/examine/users.hpp>            // users
#include <stg/examine/visitor.hpp>          // visitor, visit
#include <stg/examine/walk.hpp>             // walk, each, fold
#include <stg/ir/print.hpp>                 // to_text
#include <stg/analysis/checks.hpp>          // keeps_checks
#include <stg/analysis/verify.hpp>          // verify
#include <stg/call/model.hpp>               // model
#include <stg/call/page.hpp>                // write_page
#include <stg/call/runnable.hpp>            // runnable, runnable_parts
#include <stg/pass/cse.hpp>                 // cse
#include <stg/pass/dce.hpp>                 // dce

namespace stg {

/// The program of a lambda in canonical form, as a value: what passes and plans begin with. At compile time and at run
/// time; stg::trace(lambda) is the same before anything is put in order or merged.
///
///   static_assert(stg::examine::counts_of(stg::as_program<gat>())[stg::ir::opcode::matmul] == 2);
template <const auto& F> constexpr ir::program as_program() {
#include <stg/call/look_into.inc>
  return canonical<ref<F>>::value.thaw();
}
/// Of a program as an argument, and of what was compiled of it: what to write.
template <class F> constexpr ir::program as_program(const F&) {
  constexpr bool fits = sizeof(F) == 0;
  static_assert(fits, "stg: as_program takes the lambda as a template argument: stg::as_program<model>()");
  return {};
}

/// Program Ref after a pass of the user's: Pass(program) gives the one that runs in its place.
template <class Ref, const auto& Pass> struct rewritten { using results = typename Ref::results; };

namespace stage {
template <class Ref, const auto& Pass> struct rewriting {
  static constexpr ir::program make() {
    const ir::program q = pipeline::with_steps(Pass(stg::canonical<Ref>::value.thaw()), pass::cse);
    return pipeline::with_steps(q, pass::dce);
  }
};
}  // namespace stage

template <class Ref, const auto& Pass>
struct canonical<rewritten<Ref, Pass>> : ir::stored<stage::rewriting<Ref, Pass>> {
  static constexpr pass::choices choices = stage::choices_of<canonical<Ref>>();
};

namespace detail {

/// Whether two programs are called alike: the same inputs in the same places, outputs of the same kinds.
constexpr bool have_same_inputs(const ir::program& p, const ir::program& q) { return p.inputs == q.inputs; }
constexpr bool have_same_outputs(const ir::program& p, const ir::program& q) {
  if (p.outputs.size() != q.outputs.size()) return false;
  for (int k = 0; k < p.outputs.size(); ++k) {
    const ir::statement &a = p[p.outputs[k].at], &b = q[q.outputs[k].at];
    if (a.where != b.where || a.type != b.type || a.dims.rank != b.dims.rank) return false;
    for (int axis = 0; axis < a.dims.rank; ++axis)
      if (!(p.polynomial_of(a.dims.axes[axis]) == q.polynomial_of(b.dims.axes[axis]))) return false;
  }
  return true;
}

template <class Ref, class Changed, class Backend> auto checked_rewritten_model(const Backend& on) {
  static_assert(found<Changed>.what == op::rule::none,
                "stg: a pass breaks a rule of programs; stg::pass::verify(pass(program)) says which one, and where");
  if constexpr (found<Changed>.what == op::rule::none) {
    static_assert(have_same_inputs(canonical<Ref>::value.thaw(), canonical<Changed>::value.thaw()),
                  "stg: a pass leaves inputs in their places, with their names; what is not read any more may stay");
    static_assert(have_same_outputs(canonical<Ref>::value.thaw(), canonical<Changed>::value.thaw()),
                  "stg: a pass leaves outputs their number, spaces, shapes and types");
    static_assert(pass::keeps_checks(canonical<Ref>::value.thaw(), canonical<Changed>::value.thaw()),
                  "stg: a pass drops a check of labels or of a mask; take p.checks along, as examine::transform does");
  }
  if constexpr (found<Changed>.what == op::rule::none) return model<Changed, Backend>(on);
  else return unmade_model<Ref>();
}

}  // namespace detail

/// Compiles a lambda's program after a pass of the user's, a constexpr function object at namespace scope from program
/// to program: stg::compile<gat, by_reciprocals>(). What comes out is verified, and called as the lambda's program is:
/// its inputs and outputs stay, and so does what is looked at before it runs.
template <const auto& F, const auto& Pass, class Backend = default_backend>
  requires requires(const ir::program& p) {
    { Pass(p) } -> std::convertible_to<ir::program>;
  }
auto compile() {
#include <stg/call/look_into.inc>
  if constexpr (detail::is_right<ref<F>>)
    return detail::checked_rewritten_model<ref<F>, rewritten<ref<F>, Pass>>(Backend());
  else return detail::unmade_model<ref<F>>();
}

/// Of a pass that gives no program: what to write.
template <const auto& F, const auto& Pass>
  requires requires(const ir::program& p) {
    Pass(p);
    requires !std::is_convertible_v<decltype(Pass(p)), ir::program>;
  }
auto compile() {
  constexpr bool gives_a_program = sizeof(Pass) == 0;
  static_assert(gives_a_program, "stg: a pass returns the program that it made: return examine::transform(p, ...)");
  return mistake();
}

}  // namespace stg

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#pragma GCC diagnostic ignored "-Wpsabi"  // to the end of the file: see base/config.hpp
#endif
