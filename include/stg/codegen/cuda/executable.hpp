// Programs as they are planned for a GPU: without chains, whose blocks of rows are for a CPU's caches, with one loop
// over the edges where softmax and what it weighs can be taken in one, and with sweeps along one relation each, since a
// kernel is given the rows of one. A product's library reads floats, so narrow rows are widened in memory before it.
#pragma once

#include <stg/compile.hpp>              // planned, stage::step
#include <stg/pass/online_softmax.hpp>  // online_softmax
#include <stg/pass/width.hpp>           // read_wide_rows

namespace stg::gpu {

namespace detail {
constexpr pass::plan online_softmax(const ir::program& p, pass::plan made) { return pass::online_softmax(p, made); }
}  // namespace detail

/// After fuse and plan: how units run on a GPU.
struct plan_passes {
  static constexpr pass::relations_of_sweep relations = pass::relations_of_sweep::one;
  static constexpr pipeline::plan_step list[] = {{"online_softmax", detail::online_softmax}};
};

namespace detail {
/// A program whose products and sums over vertices read rows as wide as they are computed.
template <class Program> struct wide_rows {
  static constexpr ir::program_sizes room = stage::room_like(Program::value, 1, 0);
  static constexpr ir::program_sizes called_room = stage::called_room_like(Program::value, 1);
  static constexpr ir::program make() { return pass::read_wide_rows(Program::value.thaw()); }
};
template <class Program, bool Narrow = ir::decides_width(Program::value)> struct readable : Program {};
template <class Program> struct readable<Program, true> : ir::stored<wide_rows<Program>> {};
}  // namespace detail

/// A program with the plan that it runs by on a GPU.
template <class Program> struct executable {
  static constexpr bool are_together =
      find_refused_promise<Program, plan_passes>().what < pass::refused_promise::together_kinds;
  static_assert(are_together, "stg: together(a, b) is refused on a GPU for sums over several relations; leave it out");
  static constexpr auto program = detail::readable<Program>::value;
  static constexpr auto plan = planned<detail::readable<Program>, plan_passes>::value;
};

/// Step K of those that a program's scans repeat, likewise. P: an executable.
template <class P, int K> using step_of = executable<stage::stored_step<P, K>>;

}  // namespace stg::gpu
