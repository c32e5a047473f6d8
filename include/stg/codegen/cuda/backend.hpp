// CUDA as a backend of calls: programs are planned without chains, since the blocks of a chain are a CPU's caches.
#pragma once

#include <stg/codegen/cuda/unit.hpp>  // run, workspace
#include <stg/compile.hpp>            // planned

namespace stg::gpu {

namespace stage {
template <class Program> struct planned {
  static constexpr pass::plan make() {
    const ir::program p = Program::value.thaw();
    return pass::make_plan(p, pass::fuse(p));
  }
};
}  // namespace stage

/// A program with the plan that it runs by on a GPU.
template <class Program> struct executable {
  static constexpr auto program = Program::value;
  static constexpr auto plan = stored_plan<stage::planned<Program>, Program::value.size>::value;
};

/// Runs a program's units on a machine (unit.hpp), which is asked for at each call.
template <class Machine> struct backend {
  template <class Program> using executable = gpu::executable<Program>;

  static void prepare(launch&) {}
  template <class P> static std::int64_t workspace(const launch& l) { return gpu::workspace<P>(l); }
  template <class P> static void run(const launch& l) { gpu::run<P>(l, Machine::at_hand()); }
};

}  // namespace stg::gpu
