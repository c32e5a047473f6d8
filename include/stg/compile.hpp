// From a traced lambda to the plans of its kernels: the results of the pipeline (pipeline.hpp), as constants.
//
// Compilers budget the evaluation of one constant, so a list of passes is evaluated in groups, as many passes at once
// as the program's size allows; work shared by many plans is evaluated once. Users call stg::compile (call/model.hpp)
// and value_and_grad (call/training.hpp).
#pragma once

#include <cstdint>      // int64_t
#include <string_view>  // string_view
#include <type_traits>  // remove_const_t

#include <stg/base/name.hpp>           // STG_WORD, in_words
#include <stg/base/room.hpp>           // room_for
#include <stg/base/sequence.hpp>       // sequence
#include <stg/dsl/trace.hpp>           // traced
#include <stg/ir/frozen.hpp>           // stored
#include <stg/analysis/choices.hpp>    // choices
#include <stg/pass/frozen_fusion.hpp>  // frozen_fusion
#include <stg/pass/hoist.hpp>          // hoisted
#include <stg/pass/plan.hpp>           // freeze_plan
#include <stg/pass/save.hpp>           // split
#include <stg/pipeline.hpp>            // run

namespace stg {

namespace stage {
/// Room for the results of passes: a program may grow by the factor `growth` and get `added` further inputs or outputs.
template <class Frozen> constexpr ir::program_sizes room_like(const Frozen& from, int growth, int added) {
  const int narrow = ir::decides_width(from) ? from.size : 0;  // values with narrow copies (pass/width.hpp)
  ir::program_sizes n;
  n.statements = growth * from.size + 2 * narrow + 32;
  n.inputs = from.room.inputs + added;
  n.extents = from.room.extents + 8;
  n.outputs = from.room.outputs + added;
  n.scopes = from.room.scopes;
  n.scope_sets = 2 * from.room.scope_sets + 8;  // statements of several scopes merge
  n.names = from.room.names;
  n.checks = from.room.checks;
  n.kinds = from.room.kinds;
  n.tags = from.room.tags;
  n.decisions = from.room.decisions + 2 * narrow;
  return n;
}

/// Room for all of its callees, if their number grows by the factor `growth`; none for a program without callees.
template <class Frozen> constexpr ir::program_sizes called_room_like(const Frozen& from, int growth) {
  ir::program_sizes n = Frozen::called_type::room;
  if (n.callees == 0) return n;
  const int programs = n.callees * (growth > 1 ? 3 : 1) + (growth > 1 ? 4 : 0);
  n.statements = 2 * growth * n.statements + 32 * programs;
  n.inputs = 3 * growth * n.inputs + 8 * programs;
  n.outputs = 3 * growth * n.outputs + n.inputs;
  n.extents = programs * (from.room.extents + 8);
  n.scopes = growth * n.scopes;
  n.scope_sets = 2 * growth * n.scope_sets + programs;
  n.names = growth * n.names;
  n.tags = growth * n.tags;
  n.decisions = growth * n.decisions;
  n.callees = programs;
  return n;
}

/// Whether a program has steps of scans or calls.
template <class Source> inline constexpr bool has_steps = Source::value.room.callees > 0;
/// Its statements, all but its own where it has no edges itself.
template <class Frozen> constexpr int size_with_edges(const Frozen& p) {
  for (int i = 0; i < Frozen::size; ++i)
    if (p.statements[i].where == ir::space::edge) return Frozen::total_size;
  return Frozen::total_size - Frozen::size;
}

/// Applies passes First up to Last of a list to the program of Source, in one constant evaluation.
template <class Source, class Passes, class Asked, int First, int Last> struct group {
  static constexpr ir::program make() {
    return pipeline::run<Passes>(Source::value.thaw(), Asked::asked(), First, Last);
  }
  static constexpr ir::program_sizes room = room_like(
      Source::value, pipeline::growth_of<Passes>(First, Last, has_steps<Source>), First == 0 ? Asked::added : 0);
  static constexpr ir::program_sizes called_room =
      called_room_like(Source::value, pipeline::growth_of<Passes>(First, Last, false));
};

/// All passes of a list from First on: as many at once as the budget holds, each group a constant of its own.
template <class Source, class Passes, class Asked, int First = 0,
          int Last = pipeline::end_of_group<Passes>(First, Source::value.total_size, size_with_edges(Source::value),
                                                    has_steps<Source>),
          bool Ends = Last == pipeline::count_of<Passes>>
struct passed : passed<ir::stored<group<Source, Passes, Asked, First, Last>>, Passes, Asked, Last> {};
template <class Source, class Passes, class Asked, int First, int Last>
struct passed<Source, Passes, Asked, First, Last, true> : ir::stored<group<Source, Passes, Asked, First, Last>> {};

/// The request for a program that is called plainly, or that trains.
template <class Ref> struct plainly {
  static constexpr int added = 0;  // inputs and outputs
  static constexpr pipeline::request asked() {
    pipeline::request r;
    r.outputs = Ref::value.room.outputs;
    r.inputs = Ref::value.room.inputs;
    r.choices = pass::choices_of(Ref::value);
    return r;
  }
};
template <class Ref, class Provided, class Required> struct in_training {
  static constexpr int added = Ref::value.room.inputs + Ref::value.room.outputs;
  static constexpr pipeline::request asked() {
    pipeline::request r = plainly<Ref>::asked();
    r.provided = Provided::list();
    r.required = Required::list(Ref::value);
    return r;
  }
};
}  // namespace stage

/// The traced program in canonical form.
template <class Ref> struct canonical : stage::passed<Ref, pipeline::canonical_passes, stage::plainly<Ref>> {};

/// The program as it is called plainly.
template <class Ref>
struct inferred : stage::passed<canonical<Ref>, pipeline::inference_passes, stage::plainly<canonical<Ref>>> {};

/// Program Ref in calls with fixed inputs, given by their entries: work that depends on nothing else is done once, by
/// the prologue, and comes to this program as a further input. `Training`: masks are random, so no value they touch is
/// fixed.
template <class Ref, bool Training, int... Entry> struct with_fixed { using results = typename Ref::results; };

/// The program that runs once, and again for another graph or other tensors.
template <class Form> struct prologue_of {};

namespace stage {
/// Both programs of calls with fixed inputs, cut once. One without room here is cut again.
template <class Ref, bool Training, int... Entry> struct hoisted {
  static constexpr ir::program_sizes room = room_like(stg::canonical<Ref>::value, 1, stg::canonical<Ref>::value.size);
  static constexpr ir::program_sizes called_room = called_room_like(stg::canonical<Ref>::value, 1);
  struct roomy {
    ir::roomy<hoisted> prologue, rest;
    constexpr explicit roomy(const pass::hoisted& h) : prologue(h.prologue), rest(h.rest) {}
  };
  static constexpr pass::hoisted make() {
    return pipeline::hoisted(stg::canonical<Ref>::value.thaw(), Training, sequence<int>{Entry...});
  }
  static constexpr roomy made = roomy(make());
  /// Number of kept values; where there are none, fixed inputs are inputs like any other.
  static constexpr int kept = made.prologue.sizes.outputs;
};
template <class Hoisted> struct prologue {
  static constexpr ir::program_sizes room = Hoisted::room, called_room = Hoisted::called_room;
  static constexpr ir::program make() {
    ir::program p = Hoisted::made.prologue.thaw();
    if (!Hoisted::made.prologue.fits()) p = Hoisted::make().prologue;
    return p;
  }
};
template <class Hoisted> struct rest {
  static constexpr ir::program_sizes room = Hoisted::room, called_room = Hoisted::called_room;
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

/// Outputs that bring a cotangent, and inputs that get a gradient: entries of the program's inputs; empty for all
/// trainable ones.
template <int... Output> struct provided {
  static sequence<int> constexpr list() { return sequence<int>{Output...}; }
};
template <int... Input> struct required {
  template <class Program> static constexpr sequence<int> list(const Program& p) {
    sequence<int> entries{Input...};
    if constexpr (sizeof...(Input) == 0)
      for (const ir::statement& s : p.statements)
        if (s.code == ir::opcode::input && p.inputs[s.entry()].trainable) entries.push_back(s.entry());
    return entries;
  }
};

/// The program and its gradient in one.
template <class Ref, class Provided, class Required>
struct joint
    : stage::passed<canonical<Ref>, pipeline::joint_passes, stage::in_training<canonical<Ref>, Provided, Required>> {};

namespace stage {
/// The saved values of a program with its gradient, and the sources of the gradient's inputs.
template <class Joint, class Ref, class Provided> struct saved {
  struct list {
    unsigned char at[room_for(Joint::value.size)]{};
    int count = 0;
  };
  static constexpr list values = [] {
    const ir::flags found = pass::saved_values(Joint::value.thaw(), Ref::value.room.outputs, Ref::value.room.inputs,
                                               false, pass::choices_of(Ref::value));
    list l;
    for (int i = 0; i < found.size(); ++i) l.count += l.at[i] = found.first[i];
    return l;
  }();  // stg: raise -fconstexpr-steps=

  struct connection_list {
    pass::connection at[room_for(values.count + Joint::value.room.inputs)]{};
    int count = 0;
  };
  static constexpr connection_list connections = [] {
    const sequence<pass::connection> found = pass::connections_of(Joint::value.thaw(), Ref::value.room.outputs,
                                                                  Provided::list(), Ref::value.room.inputs, values.at);
    connection_list l;
    l.count = found.size();
    for (int i = 0; i < l.count; ++i) l.at[i] = found.first[i];
    return l;
  }();
};

/// The request for the two programs that a program with its gradient is cut into.
template <class Saved, class Ref, class Provided> struct cut {
  static constexpr int added = Saved::values.count;
  static constexpr pipeline::request asked() {
    pipeline::request r = plainly<Ref>::asked();
    r.provided = Provided::list();
    r.saved = Saved::values.at;
    return r;
  }
};
}  // namespace stage

/// The two programs of a training step. Their connections give the source of each input of the gradient.
template <class Ref, class Provided, class Required> struct differentiated {
  using whole = joint<Ref, Provided, Required>;
  using saved = stage::saved<whole, canonical<Ref>, Provided>;
  using asked = stage::cut<saved, canonical<Ref>, Provided>;
  struct forward : stage::passed<whole, pipeline::forward_passes, asked> {};
  struct gradient : stage::passed<whole, pipeline::gradient_passes, asked> {};
  static constexpr int results = canonical<Ref>::value.room.outputs;
  static constexpr int connection_count = saved::connections.count;
  static constexpr auto connections = saved::connections;
};

/// Holds a plan constant: the result of Stage for a program of N statements. Made once, like stored programs.
template <class Stage, int N> struct stored_plan {
  static constexpr pass::roomy_plan<N> made = pass::roomy_plan<N>(Stage::make());  // stg: raise -fconstexpr-steps=
  static constexpr pass::plan_sizes sizes = made.sizes;
  using frozen = pass::frozen_plan<sizes.statements, sizes.units, sizes.steps, sizes.loops, sizes.loop_statements,
                                   sizes.loop_results, sizes.modes>;
  static constexpr frozen value =
      made.fits() ? pass::freeze_plan<frozen>(made.held, sizes) : pass::freeze_plan<frozen>(Stage::make(), sizes);
};

namespace stage {
/// The input of fuse.
template <class Program> struct placed {
  using frozen = pass::frozen_placed<Program::value.size>;
  static constexpr frozen made = frozen(pass::find_placed(Program::value.thaw()));  // stg: raise -fconstexpr-steps=
};
/// The result of fuse.
template <class Program, pass::relations_of_sweep Relations> struct fused {
  static constexpr pass::fusion make() {
    const ir::program p = Program::value.thaw();
    if constexpr (std::int64_t(Program::value.size) * pipeline::fuse_cost > pipeline::budget)
      if constexpr (placed<Program>::made.fits) return pass::fuse(p, placed<Program>::made.thaw(), Relations);
    return pass::fuse(p, Relations);
  }
  using frozen = pass::frozen_fusion<Program::value.size>;
  static constexpr frozen made = frozen(make());  // stg: raise -fconstexpr-steps=
};
/// How a program runs. A cheap program is fused and planned at once, a costly one in two constants.
template <class Program, class Passes> struct planned {
  static constexpr pass::choices by = pass::choices_of(Program::value);
  static constexpr pass::relations_of_sweep relations = pipeline::relations_of<Passes>(by);
  static constexpr std::int64_t cost = std::int64_t(Program::value.size) * (pipeline::fuse_cost + pipeline::plan_cost);
  static constexpr pass::plan make() {
    const ir::program p = Program::value.thaw();
    if constexpr (cost > pipeline::budget)
      if constexpr (fused<Program, relations>::made.fits)
        return pipeline::planned<Passes>(p, fused<Program, relations>::made.thaw(), by);
    return pipeline::planned<Passes>(p, by);
  }
};
}  // namespace stage

/// The plan of a program, made by these passes over plans.
template <class Program, class Passes = pipeline::plan_passes>
struct planned : stored_plan<stage::planned<Program, Passes>, Program::value.size> {};

/// Whether something is decided about a program, or about a program it calls, and so perhaps promised.
template <class Ref>
inline constexpr bool has_decisions =
    (canonical<Ref>::value.room.decisions + canonical<Ref>::value.called.room.decisions > 0);

/// The promise that the plan of a program breaks, and why.
template <class Program, class Passes = pipeline::plan_passes> constexpr pass::promise_finding find_refused_promise() {
  if constexpr (Program::value.room.decisions + Program::value.called.room.decisions == 0) return {};
  else return pipeline::refused_promise<Passes>(Program::value.thaw());
}

/// The word about a value's width that cannot be kept, and why.
template <class Ref> constexpr pass::promise_finding find_refused_width() {
  if constexpr (!has_decisions<Ref>) return {};
  else return pass::find_refused_width(canonical<Ref>::value.thaw());
}

namespace detail {
template <STG_WORD Value> struct value_called {};
template <text Word> struct letters_of {
  static constexpr std::string_view view() { return Word.view(); }
};
template <text Word>
using called_so = in_words<value_called, std::remove_const_t<decltype(spell_view<letters_of<Word>, name>::value)>>;
/// The sentences about a pair, with its values beside them.
template <pass::refused_promise Why, class First, class Second> struct pair_is_refused {
  static_assert(Why != pass::refused_promise::paired_edges,
                "stg: together and apart are refused for edge values and sources, made where read; pair their sums");
  static_assert(Why != pass::refused_promise::together_alone,
                "stg: together(a, b) is refused for a product or a scan, a pass of its own; pair what follows");
  static_assert(Why != pass::refused_promise::together_kinds,
                "stg: together(a, b) is refused for values of other rows, or sums of other edges; leave it out");
  static_assert(Why != pass::refused_promise::together_order,
                "stg: together(a, b) is refused where one is needed before the other is ready; leave it out");
  static_assert(Why != pass::refused_promise::apart_at_once,
                "stg: apart(a, b) is refused for results of one scan, and for equal values; leave it out");
};
template <pass::refused_promise Why, text First, text Second, bool Refuses> struct pair_refusal { using type = void*; };
template <pass::refused_promise Why, text First, text Second> struct pair_refusal<Why, First, Second, true> {
  using type = pair_is_refused<Why, called_so<First>, called_so<Second>>;
};
}  // namespace detail

/// The condition on promises, in the function that the user calls. `why`: a constant.
#define STG_CHECK_PROMISES(why)                                                                                      \
  static_assert(why.what != pass::refused_promise::both,                                                             \
                "stg: one value is both stored(x) and inlined(x); leave out one of them");                           \
  static_assert(why.what != pass::refused_promise::stored_per_edge,                                                  \
                "stg: stored(x) is refused for an edge value, which loops over edges make; return it instead");      \
  static_assert(why.what != pass::refused_promise::stored_source,                                                    \
                "stg: stored(x) is refused for a constant, degree, index or mask, made where read; leave it out");   \
  static_assert(why.what != pass::refused_promise::inlined_output,                                                   \
                "stg: inlined(x) is refused for an input or output, in the caller's memory; leave it out");          \
  static_assert(why.what != pass::refused_promise::inlined_graph,                                                    \
                "stg: inlined(x) is refused for a value of the graph, which is computed once; leave it out");        \
  static_assert(why.what != pass::refused_promise::inlined_work,                                                     \
                "stg: inlined(x) is refused for a product, sum or scan that others read; inline what follows");      \
  static_assert(why.what != pass::refused_promise::inlined_rows,                                                     \
                "stg: inlined(x) is refused where a product, reduction or scan reads rows of x; leave it out");      \
  static_assert(why.what != pass::refused_promise::width_type,                                                       \
                "stg: stored_as(x) is refused for numbers that are not f32; cast<f32>(x) first, or leave it out");   \
  static_assert(why.what != pass::refused_promise::width_caller,                                                     \
                "stg: stored_as(x) is refused for an input or output, in the caller's memory; leave it out");        \
  static_assert(why.what != pass::refused_promise::width_source,                                                     \
                "stg: stored_as(x) is refused for a constant, degree, index or mask, made where read");              \
  static_assert(why.what != pass::refused_promise::width_graph,                                                      \
                "stg: stored_as(x) is refused for a value of the graph, which has one row; leave it out");           \
  static_assert(why.what != pass::refused_promise::width_whole,                                                      \
                "stg: stored_as(x) is refused where a scan, message or sparse product has rows of x; leave it out"); \
  static_assert(why.what != pass::refused_promise::width_compared,                                                   \
                "stg: stored_as(x) is refused for a maximum and what it is compared with; store its operands so");   \
  static_assert(why.what != pass::refused_promise::width_inlined,                                                    \
                "stg: one value is both stored_as(x) and inlined(x); leave out one of them");                        \
  [[maybe_unused]]                                                                                                   \
  typename detail::pair_refusal<why.what, why.first, why.second, (why.first.length > 0)>::type about_pair {}

/// A program with its plan: backends are instantiated with it. Both are values, not references, and the stages above
/// are bases: a kernel reads static constants of a class, but not the target of a reference among them.
template <class Program> struct executable {
  static constexpr auto program = Program::value;
  static constexpr auto plan = planned<Program>::value;
};

namespace stage {
/// Step K of the steps that a finished program's scans repeat, by the choices of this program.
template <class P, int K> struct step {
  static constexpr ir::program_sizes all = decltype(P::program)::called_type::room;
  static constexpr ir::program_sizes room = [] {
    ir::program_sizes n = all;
    n.decisions += P::program.room.decisions;
    n.callees = 0;
    n.kinds = P::program.room.kinds;
    return n;
  }();
  static constexpr ir::program_sizes called_room = all;
  static constexpr ir::program make() {
    return pass::with_choices(P::program.thaw().callees[K], pass::choices_of(P::program));
  }
};
/// The same as a constant.
template <class P, int K> struct stored_step : ir::stored<step<P, K>> {};
}  // namespace stage

/// The same as a program with its plan. P: an executable.
template <class P, int K> using step_of = executable<stage::stored_step<P, K>>;

}  // namespace stg
