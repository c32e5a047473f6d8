// Programs as they are planned for a GPU: without chains, whose blocks of rows are for a CPU's caches, with one loop
// over the edges where softmax and what it weighs can be taken in one, and with sweeps along one relation each, since a
// kernel is given the rows of one.
#pragma once

#include <stg/compile.hpp>              // planned, stage::step
#include <stg/pass/online_softmax.hpp>  // online_softmax

namespace stg::gpu {

namespace detail {
constexpr pass::plan online_softmax(const ir::program& p, pass::plan made) { return pass::online_softmax(p, made); }
}  // namespace detail

/// After fuse and plan: how units run on a GPU.
struct plan_passes {
  static constexpr pass::relations_of_sweep relations = pass::relations_of_sweep::one;
  static constexpr pipeline::plan_step list[] = {{"online_softmax", detail::online_softmax}};
};

/// A program with the plan that it runs by on a GPU.
template <class Program> struct executable {
  static constexpr bool are_together =
      find_refused_promise<Program, plan_passes>().what < pass::refused_promise::together_kinds;
  static_assert(are_together, "stg: together(a, b) is refused on a GPU for sums over several relations; leave it out");
  static constexpr auto program = Program::value;
  static constexpr auto plan = planned<Program, plan_passes>::value;
};

/// Step K of those that a program's scans repeat, likewise. P: an executable.
template <class P, int K> using step_of = executable<stage::stored_step<P, K>>;

}  // namespace stg::gpu
