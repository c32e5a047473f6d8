// The pipeline, in a straight line: from a traced lambda to the plans that kernels are instantiated with.
//
// First its stages as functions of programs, which a test can call at run time; then each of them as a constexpr
// variable of its own. Compilers budget the evaluation of one variable, and a stage that many plans share is evaluated
// once. stg::compile, which users call, stands in codegen/model.hpp, value_and_grad in codegen/training.hpp.
#pragma once

#include <stg/base/sequence.hpp>         // sequence
#include <stg/base/room.hpp>             // room_for
#include <stg/dsl/trace.hpp>             // traced
#include <stg/ir/frozen.hpp>             // stored
#include <stg/pass/aggregate_first.hpp>  // aggregate_first
#include <stg/pass/algebra.hpp>          // algebra
#include <stg/pass/autodiff.hpp>         // autodiff
#include <stg/pass/cse.hpp>              // cse
#include <stg/pass/dce.hpp>              // dce
#include <stg/pass/expand.hpp>           // expand
#include <stg/pass/factor.hpp>           // factor
#include <stg/pass/fold.hpp>             // fold
#include <stg/pass/fuse.hpp>             // fuse
#include <stg/pass/hoist.hpp>            // hoist
#include <stg/pass/inference.hpp>        // inference
#include <stg/pass/multiply_first.hpp>   // multiply_first
#include <stg/pass/order.hpp>            // order, reorder
#include <stg/pass/overwrite.hpp>        // schedule
#include <stg/pass/pack.hpp>             // pack
#include <stg/pass/plan.hpp>             // freeze_plan
#include <stg/pass/save.hpp>             // split
#include <stg/pass/sink.hpp>             // sink
#include <stg/pass/training.hpp>         // training

namespace stg {

namespace pipeline {

/// order first, so that every compiler sees the same program; then cse, since every later pass finds values by emitting
/// them again; the order of products, gathers and sums while there is no gradient yet that would have to follow.
constexpr ir::program canonical(const ir::program& traced) {
  return pass::aggregate_first(pass::multiply_first(pass::fold(pass::cse(pass::order(traced)))));
}

/// The program and its gradient in one.
constexpr ir::program joined(const ir::program& p, const sequence<int>& provided,
                             const sequence<ir::value_id>& required) {
  return pass::autodiff(p, provided, required).program;
}
constexpr ir::program folded(const ir::program& joint) {
  return pass::fold(pass::reorder(pass::expand(pass::training(joint))));
}
/// Forward and gradient at once: the first outputs and inputs of the joint program are the forward program's.
constexpr ir::program moved(const ir::program& joint, int forward_outputs, int first_cotangent) {
  return pass::reorder(pass::factor_ahead(pass::algebra(joint), forward_outputs, first_cotangent));
}
/// One of the two programs of a training step, after they were cut apart. sink comes last: it undoes a rule of algebra.
constexpr ir::program half(const ir::program& cut) { return pass::dce(pass::sink(pass::dce(pass::factor(cut)))); }
constexpr ir::program gradient_half(const ir::program& cut) { return pass::pack(half(cut)); }

/// What is called plainly, of a canonical program. Masks become 1 before fold removes the products; what only autodiff
/// knows is expanded.
constexpr ir::program inferred(const ir::program& p) {
  const ir::program known = pass::fold(pass::expand(pass::inference(p)));
  return half(moved(known, p.outputs.size(), p.inputs.size()));
}

/// A training step of a canonical program: all of the above, one after the other.
constexpr pass::differentiated differentiated(const ir::program& p, const sequence<int>& provided,
                                              const sequence<ir::value_id>& required) {
  const int outputs = p.outputs.size(), inputs = p.inputs.size();
  pass::differentiated d =
      pass::split(moved(folded(joined(p, provided, required)), outputs, inputs), outputs, provided, inputs);
  d.forward = half(d.forward);
  d.gradient = gradient_half(d.gradient);
  return d;
}

/// A canonical program in calls that fix the inputs of these entries, cut in a prologue and the rest, which is
/// canonical again. Masks go first in inference: what they touched is fixed then. So does what a step and a plain
/// call compute differently, as the prologue is run plainly for both. dce, since aggregate_first counts uses.
constexpr pass::hoisted hoisted(const ir::program& canonical, bool training, const sequence<int>& entries) {
  ir::program p = pass::dce(canonical);
  if (training) p = pass::dce(pass::training(p));
  else p = pass::dce(pass::fold(pass::inference(p)));
  return pass::hoist(pass::dce(pass::aggregate_first(p, entries)), entries);
}

/// How a program runs, once it is inferred or a half.
constexpr pass::plan planned(const ir::program& p) { return pass::schedule(p, pass::fuse(p)); }

}  // namespace pipeline

namespace stage {
template <class Ref> struct canonical {
  static constexpr ir::program make() { return pipeline::canonical(Ref::value.thaw()); }
};
template <class Ref> struct inferred {
  static constexpr ir::program make() { return pipeline::inferred(Ref::value.thaw()); }
};
template <class Ref, class Provided, class Required> struct joined {
  static constexpr ir::program make() {
    const ir::program p = Ref::value.thaw();
    return pipeline::joined(p, Provided::list(), Required::list(p));
  }
};
template <class Joined> struct folded {
  static constexpr ir::program make() { return pipeline::folded(Joined::value.thaw()); }
};
template <class Joined, class Ref> struct moved {
  static constexpr ir::program make() {
    return pipeline::moved(Joined::value.thaw(), Ref::value.output_count, Ref::value.input_count);
  }
};
/// The program of a training step and its gradient's, cut once for both. One without room here is cut again.
template <class Joined, class Ref, class Provided> struct halves {
  struct roomy {
    ir::roomy_program forward, gradient;
    pass::connection connections[room_for(ir::roomy_program::room.inputs)]{};

    constexpr explicit roomy(const pass::differentiated& d) : forward(d.forward), gradient(d.gradient) {
      for (int i = 0; i < gradient.sizes.inputs && gradient.fits(); ++i) connections[i] = d.connections[i];
    }
  };
  static constexpr pass::differentiated make() {
    return pass::split(Joined::value.thaw(), Ref::value.output_count, Provided::list(), Ref::value.input_count);
  }
  static constexpr roomy made = roomy(make());  // stg: raise -fconstexpr-steps=
};
template <class Halves> struct forward {
  static constexpr ir::program make() {
    ir::program p = Halves::made.forward.thaw();
    if (!Halves::made.forward.fits()) p = Halves::make().forward;
    return pipeline::half(p);
  }
};
template <class Halves> struct gradient {
  static constexpr ir::program make() {
    ir::program p = Halves::made.gradient.thaw();
    if (!Halves::made.gradient.fits()) p = Halves::make().gradient;
    return pipeline::gradient_half(p);
  }
};
}  // namespace stage

/// What was traced, in canonical form.
template <class Ref> struct canonical : ir::stored<stage::canonical<Ref>> {};

/// What is called plainly.
template <class Ref> struct inferred : ir::stored<stage::inferred<canonical<Ref>>> {};

/// Program Ref in calls whose inputs of these entries are fixed: what depends on nothing else is computed once, by the
/// prologue, and is a further input of this one. `Training`: masks are random, so that nothing they touch is fixed.
template <class Ref, bool Training, int... Entry> struct with_fixed { using results = typename Ref::results; };

/// What runs once, and again for another graph or other tensors.
template <class Form> struct prologue_of {};

namespace stage {
/// Both programs of calls with fixed inputs, cut once. One without room here is cut again.
template <class Ref, bool Training, int... Entry> struct hoisted {
  struct roomy {
    ir::roomy_program prologue, rest;
    constexpr explicit roomy(const pass::hoisted& h) : prologue(h.prologue), rest(h.rest) {}
  };
  static constexpr pass::hoisted make() {
    return pipeline::hoisted(stg::canonical<Ref>::value.thaw(), Training, sequence<int>{Entry...});
  }
  static constexpr roomy made = roomy(make());
  /// Values that are kept; where there are none, fixed inputs are inputs like any other.
  static constexpr int kept = made.prologue.sizes.outputs;
};
template <class Hoisted> struct prologue {
  static constexpr ir::program make() {
    ir::program p = Hoisted::made.prologue.thaw();
    if (!Hoisted::made.prologue.fits()) p = Hoisted::make().prologue;
    return p;
  }
};
template <class Hoisted> struct rest {
  static constexpr ir::program make() {
    ir::program p = Hoisted::made.rest.thaw();
    if (!Hoisted::made.rest.fits()) p = Hoisted::make().rest;
    return p;
  }
};
}  // namespace stage

template <class Ref, bool Training, int... Entry>
struct canonical<with_fixed<Ref, Training, Entry...>>
    : ir::stored<stage::rest<stage::hoisted<Ref, Training, Entry...>>> {};
template <class Ref, bool Training, int... Entry>
struct canonical<prologue_of<with_fixed<Ref, Training, Entry...>>>
    : ir::stored<stage::prologue<stage::hoisted<Ref, Training, Entry...>>> {};

/// Which outputs bring a cotangent, and which inputs get a gradient: entries of the program's inputs; empty for all
/// that are trainable.
template <int... Output> struct provided {
  static sequence<int> constexpr list() { return sequence<int>{Output...}; }
};
template <int... Input> struct required {
  static constexpr sequence<ir::value_id> list(const ir::program& p) {
    if constexpr (sizeof...(Input) == 0) return pass::trainable_inputs(p);
    sequence<ir::value_id> values;
    const int entries[] = {Input..., -1};
    for (int e : entries)
      for (ir::value_id i = 0; i < p.size(); ++i)
        if (p[i].code == ir::opcode::input && p[i].attribute == e) values.push_back(i);
    return values;
  }
};

/// The program and its gradient in one.
template <class Ref, class Provided, class Required>
struct joined
    : ir::stored<stage::moved<ir::stored<stage::folded<ir::stored<stage::joined<canonical<Ref>, Provided, Required>>>>,
                              canonical<Ref>>> {};

/// The two programs of a training step. Their connections say where each input of the gradient comes from.
template <class Ref, class Provided, class Required> struct differentiated {
  using halves = stage::halves<joined<Ref, Provided, Required>, canonical<Ref>, Provided>;
  struct forward : ir::stored<stage::forward<halves>> {};
  struct gradient : ir::stored<stage::gradient<halves>> {};
  static constexpr int results = canonical<Ref>::value.output_count;
  static constexpr int connection_count = gradient::value.input_count;
  struct connection_list {
    pass::connection at[room_for(connection_count)]{};
  };
  static constexpr connection_list connections = [] {
    connection_list list;
    if (halves::made.gradient.fits()) {
      for (int i = 0; i < connection_count; ++i) list.at[i] = halves::made.connections[i];
    } else {
      const pass::differentiated d = halves::make();
      for (int i = 0; i < d.connections.size(); ++i) list.at[i] = d.connections[i];
    }
    return list;
  }();
};

/// Holds a plan constant: that which Stage makes of a program of N statements. Made once, like stored programs.
template <class Stage, int N> struct stored_plan {
  static constexpr pass::roomy_plan<N> made = pass::roomy_plan<N>(Stage::make());  // stg: raise -fconstexpr-steps=
  static constexpr pass::plan_sizes sizes = made.sizes;
  using frozen = pass::frozen_plan<sizes.statements, sizes.units, sizes.steps, sizes.loops, sizes.loop_statements,
                                   sizes.loop_results>;
  static constexpr frozen value =
      made.fits() ? pass::freeze_plan<frozen>(made.held, sizes) : pass::freeze_plan<frozen>(Stage::make(), sizes);
};

namespace stage {
template <class Program> struct planned {
  static constexpr pass::plan make() { return pipeline::planned(Program::value.thaw()); }
};
}  // namespace stage

/// The plan of a program.
template <class Program> struct planned : stored_plan<stage::planned<Program>, Program::value.size> {};

/// A program with its plan: what a backend is instantiated with. They are values, not references, and the stages above
/// are bases, since a kernel reads static constants of a class but not what a reference among them refers to.
template <class Program> struct executable {
  static constexpr auto program = Program::value;
  static constexpr auto plan = planned<Program>::value;
};

}  // namespace stg
