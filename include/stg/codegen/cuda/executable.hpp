// Programs as they are planned for a GPU: without chains, whose blocks of rows are for a CPU's caches, and with one
// loop over the edges where softmax and what it weighs can be taken in one.
#pragma once

#include <stg/compile.hpp>              // planned
#include <stg/pass/online_softmax.hpp>  // online_softmax

namespace stg::gpu {

namespace stage {
template <class Program> struct planned {
  static constexpr pass::plan make() {
    const ir::program p = Program::value.thaw();
    return pass::online_softmax(pass::make_plan(p, pass::fuse(p)));
  }
};
}  // namespace stage

/// A program with the plan that it runs by on a GPU.
template <class Program> struct executable {
  static constexpr auto program = Program::value;
  static constexpr auto plan = stored_plan<stage::planned<Program>, Program::value.size>::value;
};

}  // namespace stg::gpu
