// Drafts: programs that run without being compiled to kernels.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/draft/plan.hpp>   // run, workspace
#include <stg/codegen/host_memory.hpp>  // host_memory
#include <stg/compile.hpp>              // planned
#include <stg/runtime/parallel.hpp>     // threads

namespace stg {

namespace drafts {

/// As for a CPU, without chains: between two statements of a draft a block of rows lies in a cache anyway.
struct plan_passes {
  static constexpr pipeline::plan_step list[] = {{"overwrite", pass::overwrite}};
};
template <class Program> struct executable {
  static constexpr auto program = Program::value;
  static constexpr auto plan = planned<Program, plan_passes>::value;
};

}  // namespace drafts

/// Where a program runs while it is being written: on the CPU, by kernels that the library holds, statement by
/// statement for some rows or edges at a time. Nothing is compiled but what the call binds, so that a model of any
/// depth compiles in little more than the time of the header; it runs a few times slower. Results differ from a
/// compiled program's by rounding, and are the same for any number of threads.
///
///   auto layer = stg::compile<gat>(stg::draft());
struct draft : codegen::host_memory {
  template <class Program> using executable = drafts::executable<Program>;

  static void prepare(codegen::launch& l) { l.threads = threads(); }
  template <class P> static std::int64_t workspace(const codegen::launch& l) {
    std::int64_t widths[P::program.size + 1], offsets[P::program.size + 1];
    return drafts::workspace({codegen::data_of<P>, widths, offsets}, l);
  }
  template <class P> static void run(const codegen::launch& l) {
    std::int64_t widths[P::program.size + 1], offsets[P::program.size + 1];
    drafts::run({codegen::data_of<P>, widths, offsets}, l);
  }
};

}  // namespace stg
