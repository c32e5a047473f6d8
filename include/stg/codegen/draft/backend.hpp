// Drafts: programs that run without compiled kernels.
#pragma once

#include <concepts>  // derived_from
#include <cstdint>   // int64_t
#include <span>      // span

#include <stg/codegen/column_kernels.hpp>  // columns_of_drafts
#include <stg/codegen/draft/made.hpp>      // made_program, made_step
#include <stg/codegen/draft/plan.hpp>      // run, workspace
#include <stg/codegen/host_memory.hpp>     // host_memory
#include <stg/compile.hpp>                 // canonical
#include <stg/runtime/parallel.hpp>        // threads

namespace stg {

/// The place for a program while it is being written: on the CPU, by the library's kernels, statement by statement for
/// some rows or edges at a time. The lambda is traced and checked at compile time, as always; everything else is done
/// at the first call. So a model of any depth compiles in little more than the time of the header, and it runs a few
/// times slower. Results differ from a compiled program's by rounding, and are the same for any number of threads.
///
///   auto layer = stg::compile<gat>(stg::draft());
struct draft : codegen::host_memory {
  static void prepare(codegen::launch& l) { l.resources.threads = threads(); }
  /// P: a program with `made()`.
  template <class P> static std::int64_t workspace(const codegen::launch& l) { return drafts::workspace(P::made(), l); }
  template <class> static const codegen::column_kernels* columns() { return &codegen::columns_of_drafts; }
  template <class P> static void run(const codegen::launch& l) { drafts::run(P::made(), l); }
  template <class P, bool> static const codegen::step_program* steps() { return P::made().step_programs.data(); }
};

namespace drafts {

template <class Ref> struct inference {
  static const made_program& made() {
    static const made_program it(inferred(canonical<Ref>::value.thaw()));
    return it;
  }
};

template <class Ref, class Provided, class Required> struct training {
  static const made_step& made() {
    static const made_step it(canonical<Ref>::value.thaw(), Provided::list(), Required::list(canonical<Ref>::value));
    return it;
  }
  struct forward {
    static const made_program& made() { return training::made().forward; }
  };
  struct gradient {
    static const made_program& made() { return training::made().gradient; }
  };
};

}  // namespace drafts

namespace detail {

template <class Backend, class Ref> struct inference_plan;
template <class Backend, class Ref, class Provided, class Required> struct training_plan;

template <std::derived_from<draft> B, class Ref> struct inference_plan<B, Ref> { using P = drafts::inference<Ref>; };
template <std::derived_from<draft> B, class Ref, class Provided, class Required>
struct training_plan<B, Ref, Provided, Required> {
  using step = drafts::training<Ref, Provided, Required>;
  using F = typename step::forward;
  using G = typename step::gradient;
  static std::span<const pass::connection> connections() {
    const sequence<pass::connection>& all = step::made().connections;
    return {all.begin(), static_cast<std::size_t>(all.size())};
  }
};

}  // namespace detail

}  // namespace stg
