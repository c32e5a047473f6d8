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
#include <stg/examine/scopes.hpp>           // scope_tree
#include <stg/examine/similar.hpp>          // are_similar
#include <stg/examine/tags.hpp>             // tags_of, spread_tags
#include <stg/examine/transform.hpp>        // transform
#include <stg/examine/users.hpp>            // users
#include <stg/examine/visitor.hpp>          // visitor, visit
#include <stg/examine/walk.hpp>             // walk, each, fold
#include <stg/ir/text.hpp>                  // to_text, from_text
#include <stg/analysis/verify.hpp>          // verify
#include <stg/call/model.hpp>               // model
#include <stg/call/page.hpp>                // write_page
#include <stg/call/runnable.hpp>            // runnable, runnable_parts
#include <stg/call/with.hpp>                // with

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

/// Compiles a lambda's program after a pass of the user's: stg::compile<gat, by_reciprocals>(), which is
/// stg::compile<stg::with<gat, by_reciprocals>>().
template <const auto& F, const auto& Pass, class Backend = default_backend>
  requires requires(const ir::program& p) {
    { Pass(p) } -> std::convertible_to<ir::program>;
  }
auto compile() { return compile<with<F, Pass>, Backend>(); }

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
