// The CPU as a backend of calls.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/cpu/unit.hpp>     // run, workspace
#include <stg/codegen/host_memory.hpp>  // host_memory
#include <stg/compile.hpp>              // executable
#include <stg/runtime/parallel.hpp>     // threads

namespace stg::cpu {

/// Runs a program's units with the threads that are set.
struct backend : codegen::host_memory {
  template <class Program> using executable = stg::executable<Program>;

  /// Threads are counted here: they may be set before the call is over.
  static void prepare(launch& l) { l.resources.threads = threads(); }
  template <class P> static std::int64_t workspace(const launch& l) { return cpu::workspace<P>(l); }
  template <class P> static void run(const launch& l) { cpu::run<P>(l); }
  template <class P, bool Runs> static const codegen::step_program* steps() {
    return detail::all_step_tables<P, Runs>.at;
  }
};

}  // namespace stg::cpu
