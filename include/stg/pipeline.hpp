// The pipeline as data: the passes of a program, by name and in order, with the reason for the order.
//
// Everybody walks these lists: compile.hpp, which makes constants of the results; tests, which run the passes at run
// time, verify the program after each and count its steps; and the tables of the documents.
#pragma once

#include <cstdint>  // int64_t
#include <utility>  // move

#include <stg/base/sequence.hpp>         // sequence
#include <stg/ir/program.hpp>            // program
#include <stg/analysis/choices.hpp>      // choices
#include <stg/pass/aggregate_first.hpp>  // aggregate_first
#include <stg/pass/algebra.hpp>          // algebra
#include <stg/pass/autodiff.hpp>         // autodiff
#include <stg/pass/chain.hpp>            // chain_units
#include <stg/pass/cse.hpp>              // cse
#include <stg/pass/dce.hpp>              // dce
#include <stg/pass/expand.hpp>           // expand
#include <stg/pass/factor.hpp>           // factor
#include <stg/pass/fold.hpp>             // fold
#include <stg/pass/fuse.hpp>             // fuse
#include <stg/pass/hoist.hpp>            // hoist
#include <stg/pass/hoist_steps.hpp>      // hoist_steps
#include <stg/pass/inference.hpp>        // inference
#include <stg/pass/inline_promised.hpp>  // inline_promised
#include <stg/pass/multiply_first.hpp>   // multiply_first
#include <stg/pass/order.hpp>            // order, reorder
#include <stg/pass/overwrite.hpp>        // overwrite, plan
#include <stg/pass/pack.hpp>             // pack
#include <stg/pass/plan.hpp>             // make_plan
#include <stg/pass/promise.hpp>          // find_refused
#include <stg/pass/save.hpp>             // saved_values
#include <stg/pass/save_steps.hpp>       // save_steps
#include <stg/pass/sink.hpp>             // sink
#include <stg/pass/split_steps.hpp>      // split_steps
#include <stg/pass/split_sums.hpp>       // split_sums
#include <stg/pass/training.hpp>         // training
#include <stg/pass/trim_steps.hpp>       // trim_steps
#include <stg/pass/width.hpp>            // width

namespace stg::pipeline {

/// A program's surroundings, for passes that need them.
struct request {
  int outputs = 0, inputs = 0;           // of the program as it was called; its gradient's come behind them
  sequence<int> provided{};              // outputs that bring a cotangent
  sequence<int> required{};              // entries of the inputs that get a gradient, in this order
  const unsigned char* saved = nullptr;  // of each statement of a program with its gradient: whether it is saved
  pass::choices choices{};               // numbers for passes to decide by
};

/// A pass. Compilers budget the evaluation of one constant, so each pass gives its cost, and as many as fit are
/// evaluated together.
struct step {
  const char* name = "";
  ir::program (*run)(const ir::program&, const request&) = nullptr;
  int cost = 0;           // steps of constant evaluation, as clang counts them, for every statement it gets
  int growth = 1;         // statements that it may give back for each of them, roughly
  int callers = 1;        // so many times more where the program has steps
  bool of_edges = false;  // leaves a program without edges as it is, and so what calls stand in
};

/// A pass over a program and, one by one, the steps of its scans, whose extents are the first ones of its own.
template <class Pass> constexpr ir::program with_steps(const ir::program& p, const Pass& pass) {
  ir::program q = pass(p);
  for (int k = 0; k < q.callees.size(); ++k) {
    q.callees[k].extents = q.extents;
    q.callees[k] = with_steps(q.callees[k], pass);
    q.extents = q.callees[k].extents;
  }
  return q;
}

/// A pass that needs no request.
template <ir::program (*Pass)(const ir::program&)> constexpr ir::program alone(const ir::program& p, const request&) {
  return with_steps(p, Pass);
}
/// A pass that decides by numbers.
template <ir::program (*Pass)(const ir::program&, const pass::choices&)>
constexpr ir::program chosen(const ir::program& p, const request& asked) {
  return with_steps(p, [&asked](const ir::program& x) { return Pass(x, asked.choices); });
}
/// A pass that sees to steps itself.
template <ir::program (*Pass)(const ir::program&)> constexpr ir::program whole(const ir::program& p, const request&) {
  return Pass(p);
}

namespace detail {
constexpr ir::program aggregate_first(const ir::program& p, const request&) {
  return with_steps(p, [](const ir::program& x) { return pass::aggregate_first(x); });
}
constexpr ir::program training(const ir::program& p, const request&) {
  return with_steps(p, [](const ir::program& x) { return pass::training(x); });
}
constexpr ir::program autodiff(const ir::program& p, const request& asked) {
  return pass::autodiff(p, asked.provided, pass::inputs_at(p, asked.required)).program;
}
constexpr ir::program factor_early(const ir::program& p, const request& asked) {
  return pass::factor_early(p, asked.outputs, asked.inputs, asked.choices);
}
constexpr ir::program save_steps(const ir::program& p, const request& asked) {
  return pass::save_steps(p, asked.choices);
}
constexpr ir::program hoist_steps(const ir::program& p, const request& asked) {
  return pass::hoist_steps(p, asked.choices);
}
constexpr ir::program split_steps(const ir::program& p, const request& asked) {
  return pass::split_steps(p, asked.choices);
}
constexpr ir::program forward_part(const ir::program& joint, const request& asked) {
  return pass::forward_part(joint, asked.outputs, asked.saved, asked.choices);
}
constexpr ir::program gradient_part(const ir::program& joint, const request& asked) {
  return pass::gradient_part(joint, asked.outputs, asked.provided, asked.inputs, asked.saved, asked.choices);
}
/// Of a program as it is called, its first outputs are the caller's; of its steps all are.
constexpr ir::program width(const ir::program& p, const request& asked, bool is_of_gradient) {
  const bool is_forward = !is_of_gradient && asked.outputs < p.outputs.size();
  ir::program q = pass::width(p, is_forward ? asked.outputs : p.outputs.size(), is_of_gradient, asked.choices);
  for (ir::program& step : q.callees) {
    step.extents = q.extents;
    step =
        with_steps(step, [&](const ir::program& x) { return pass::width(x, x.outputs.size(), false, asked.choices); });
    q.extents = step.extents;
  }
  return q;
}
constexpr ir::program width(const ir::program& p, const request& asked) { return width(p, asked, false); }
constexpr ir::program width_of_gradient(const ir::program& p, const request& asked) { return width(p, asked, true); }
}  // namespace detail

/// The traced program becomes canonical. order first, so that every compiler sees the same program; then cse, since
/// every later pass finds values by emitting them again; the order of products, gathers and sums while there is no
/// gradient yet to follow it. Work that is the same at every step leaves it in the end, when it is known.
struct canonical_passes {
  static constexpr step list[] = {
      {"order", whole<pass::order>, 300},
      {"cse", alone<pass::cse>, 150},
      {"fold", alone<pass::fold>, 170},
      {"multiply_first", alone<pass::multiply_first>, 150},
      {"aggregate_first", detail::aggregate_first, 300},
      {"hoist_steps", detail::hoist_steps, 40},
      {"split_steps", detail::split_steps, 40},
  };
};

/// A plain call, of a canonical program. Masks become 1 before fold removes the products; operations that only autodiff
/// knows are expanded. A gradient that is a value of the program is cut like one of training: behind save_steps no scan
/// knows of another, as trim_steps requires. sink comes last: it undoes a rule of algebra.
struct inference_passes {
  static constexpr step list[] = {
      {"inference", alone<pass::inference>, 60},
      {"expand", alone<pass::expand>, 60, 2},
      {"fold", alone<pass::fold>, 170},
      {"algebra", alone<pass::algebra>, 180},
      {"factor_early", detail::factor_early, 370, 1, 1, true},
      {"save_steps", detail::save_steps, 50, 1, 2},
      {"trim_steps", alone<pass::trim_steps>, 50},
      {"reorder", whole<pass::reorder>, 250},
      {"factor", chosen<pass::factor>, 400, 1, 1, true},
      {"dce", alone<pass::dce>, 190},
      {"sink", chosen<pass::sink>, 140, 1, 1, true},
      {"dce", alone<pass::dce>, 190},
      {"inline_promised", chosen<pass::inline_promised>, 0},
      {"width", detail::width, 0},
  };
};

/// A canonical program and its gradient in one: the first outputs and inputs are the forward program's.
struct joint_passes {
  static constexpr step list[] = {
      {"autodiff", detail::autodiff, 900, 3},
      {"training", detail::training, 60},
      {"expand", alone<pass::expand>, 60},
      {"reorder", whole<pass::reorder>, 250},
      {"fold", alone<pass::fold>, 170},
      {"algebra", alone<pass::algebra>, 180},
      {"factor_early", detail::factor_early, 370, 1, 1, true},
      {"save_steps", detail::save_steps, 50, 1, 2},
      {"split_sums", whole<pass::split_sums>, 40},
      {"trim_steps", alone<pass::trim_steps>, 50},
      {"reorder", whole<pass::reorder>, 250},
  };
};

/// The forward program of the two, once its saved values are known.
struct forward_passes {
  static constexpr step list[] = {
      {"forward_part", detail::forward_part, 200},
      {"factor", chosen<pass::factor>, 400, 1, 1, true},
      {"dce", alone<pass::dce>, 190},
      {"sink", chosen<pass::sink>, 140, 1, 1, true},
      {"dce", alone<pass::dce>, 190},
      {"inline_promised", chosen<pass::inline_promised>, 0},
      {"width", detail::width, 0},
  };
};
/// The gradient program of the two.
struct gradient_passes {
  static constexpr step list[] = {
      {"gradient_part", detail::gradient_part, 300},
      {"factor", chosen<pass::factor>, 400, 1, 1, true},
      {"dce", alone<pass::dce>, 190},
      {"sink", chosen<pass::sink>, 140, 1, 1, true},
      {"dce", alone<pass::dce>, 190},
      {"late_gathers", chosen<pass::late_gathers>, 500, 1, 1, true},
      {"pack", chosen<pass::pack>, 600, 1, 1, true},
      {"pack_rest", chosen<pass::pack_rest>, 200, 1, 1, true},
      {"inline_promised", chosen<pass::inline_promised>, 0},
      {"width", detail::width_of_gradient, 0},
  };
};

/// A pass over a plan.
struct plan_step {
  const char* name = "";
  pass::plan (*run)(const ir::program&, pass::plan) = nullptr;
};
/// After fuse and plan: how units run on a CPU, and of how many relations a sweep may be there.
struct plan_passes {
  static constexpr pass::relations_of_sweep relations = pass::relations_of_sweep::several;
  static constexpr plan_step list[] = {{"chain", pass::chain_units}, {"overwrite", pass::overwrite}};
};
template <class Passes> constexpr pass::relations_of_sweep relations_of(const pass::choices& by) {
  return Passes::relations == pass::relations_of_sweep::one ? pass::relations_of_sweep::one : by.relations;
}
/// Costs per statement: of fuse, and of plan with the passes after it.
inline constexpr int fuse_cost = 900, plan_cost = 500;

template <class Passes> inline constexpr int count_of = sizeof(Passes::list) / sizeof(step);

/// Whoever looks at the program behind each pass, by the name of the pass.
template <class W>
concept Watcher = requires(const W& watch, const char* pass, const ir::program& p) {
  watch(pass, p);
};
struct unwatched {
  constexpr void operator()(const char*, const ir::program&) const {}
};

/// Passes `first` up to `last` of a list, one after the other.
template <class Passes, Watcher Watch = unwatched>
constexpr ir::program run(ir::program p, const request& asked, int first = 0, int last = count_of<Passes>,
                          const Watch& watch = Watch()) {
  for (int k = first; k < last; ++k) {
    p = Passes::list[k].run(p, asked);
    watch(Passes::list[k].name, p);
  }
  return p;
}
/// All of a list.
template <class Passes, Watcher Watch>
constexpr ir::program run(const ir::program& p, const request& asked, const Watch& watch) {
  return run<Passes>(p, asked, 0, count_of<Passes>, watch);
}

/// Steps that one constant may take: clang's limit is 2^20 of its steps, g++'s 2^25 operations, some twenty to a step.
inline constexpr std::int64_t budget = 600'000;

/// How many times as long a program may become by a pass.
constexpr int growth_of(const step& s, bool has_steps) { return has_steps ? s.growth * s.callers : s.growth; }

/// The end of the passes that are evaluated together with pass `first`, for a program of so many statements, so many of
/// them in programs with edges.
template <class Passes> constexpr int end_of_group(int first, int statements, int with_edges, bool has_steps) {
  std::int64_t taken = 0, n = statements, m = with_edges;
  for (int k = first; k < count_of<Passes>; ++k) {
    taken += (Passes::list[k].of_edges ? m : n) * Passes::list[k].cost;
    if (k > first && taken > budget) return k;
    n *= growth_of(Passes::list[k], has_steps);
    m *= growth_of(Passes::list[k], has_steps);
  }
  return count_of<Passes>;
}

/// How many times as long a program may become by passes `first` up to `last`.
template <class Passes> constexpr int growth_of(int first, int last, bool has_steps) {
  int n = 1;
  for (int k = first; k < last; ++k) n *= growth_of(Passes::list[k], has_steps);
  return n;
}

// ---- all of a list at once, as tests call it at run time ----

constexpr request asked_of(const ir::program& p, const pass::choices& by) {
  request r;
  r.outputs = p.outputs.size();
  r.inputs = p.inputs.size();
  r.choices = by;
  return r;
}
/// By the program's own choices, as everywhere below where none are given.
constexpr request asked_of(const ir::program& p) { return asked_of(p, pass::choices_of(p)); }
template <Watcher Watch = unwatched>
constexpr ir::program canonical(const ir::program& traced, const pass::choices& by, const Watch& watch = Watch()) {
  return run<canonical_passes>(traced, asked_of(traced, by), watch);
}
template <Watcher Watch = unwatched> constexpr ir::program canonical(const ir::program& traced) {
  return canonical(traced, pass::choices_of(traced));
}
template <Watcher Watch = unwatched>
constexpr ir::program inferred(const ir::program& p, const pass::choices& by, const Watch& watch = Watch()) {
  return run<inference_passes>(p, asked_of(p, by), watch);
}
template <Watcher Watch = unwatched> constexpr ir::program inferred(const ir::program& p) {
  return inferred(p, pass::choices_of(p));
}

/// A training step of a canonical program: outputs `provided` bring cotangents, the values `required` get gradients.
constexpr request asked_of(const ir::program& p, const sequence<int>& provided, const sequence<ir::value_id>& required,
                           const pass::choices& by) {
  request r = asked_of(p, by);
  r.provided = provided;
  for (ir::value_id i : required) r.required.push_back(p[i].entry());
  return r;
}
constexpr request asked_of(const ir::program& p, const sequence<int>& provided,
                           const sequence<ir::value_id>& required) {
  return asked_of(p, provided, required, pass::choices_of(p));
}
template <Watcher Watch = unwatched>
constexpr pass::differentiated differentiated(const ir::program& p, request asked, const Watch& watch = Watch()) {
  const ir::program joint = run<joint_passes>(p, asked, watch);
  const ir::flags saved = pass::saved_values(joint, asked.outputs, asked.inputs, false, asked.choices);
  asked.saved = saved.first;
  pass::differentiated d;
  d.results = asked.outputs;
  d.connections = pass::connections_of(joint, asked.outputs, asked.provided, asked.inputs, saved.first);
  d.forward = run<forward_passes>(joint, asked, watch);
  d.gradient = run<gradient_passes>(joint, asked, watch);
  return d;
}

template <Watcher Watch = unwatched>
constexpr pass::differentiated differentiated(const ir::program& p, const sequence<int>& provided,
                                              const sequence<ir::value_id>& required, const pass::choices& by,
                                              const Watch& watch = Watch()) {
  return differentiated(p, asked_of(p, provided, required, by), watch);
}
template <Watcher Watch = unwatched>
constexpr pass::differentiated differentiated(const ir::program& p, const sequence<int>& provided,
                                              const sequence<ir::value_id>& required) {
  return differentiated(p, asked_of(p, provided, required));
}

/// A canonical program in calls that fix the inputs of these entries, cut into a prologue and the rest, which is
/// canonical again. Masks go first in inference: values they touched are fixed then. So do operations that a step and a
/// plain call compute differently, as the prologue is run plainly for both. dce, since aggregate_first counts uses.
constexpr pass::hoisted hoisted(const ir::program& canonical, bool training, const sequence<int>& entries,
                                const pass::choices& by) {
  ir::program p = pass::dce(canonical);
  if (training) p = pass::dce(pass::training(p));
  else p = pass::dce(pass::fold(pass::inference(p)));
  return pass::hoist(pass::dce(pass::aggregate_first(p, entries)), entries, by);
}
constexpr pass::hoisted hoisted(const ir::program& canonical, bool training, const sequence<int>& entries) {
  return hoisted(canonical, training, entries, pass::choices_of(canonical));
}

/// How a program runs, once it is inferred or a half of a training step.
template <class Passes = plan_passes>
constexpr pass::plan planned(const ir::program& p, const pass::fusion& f, const pass::choices& by) {
  pass::plan made = pass::make_plan(p, f, by);
  for (const plan_step& s : Passes::list) made = s.run(p, std::move(made));
  return made;
}
template <class Passes = plan_passes> constexpr pass::plan planned(const ir::program& p, const pass::fusion& f) {
  return planned<Passes>(p, f, pass::choices_of(p));
}
template <class Passes = plan_passes> constexpr pass::plan planned(const ir::program& p, const pass::choices& by) {
  return planned<Passes>(p, pass::fuse(p, relations_of<Passes>(by)), by);
}
template <class Passes = plan_passes> constexpr pass::plan planned(const ir::program& p) {
  return planned<Passes>(p, pass::choices_of(p));
}

/// The first broken promise of a program, or of a step that it calls.
template <class Passes = plan_passes>
constexpr pass::promise_finding refused_promise(const ir::program& p, const pass::choices& by) {
  if (ir::promises(p).any())
    if (const pass::promise_finding found = pass::find_refused(p, planned<Passes>(p, by)); found.at != ir::no_value)
      return found;
  for (const ir::program& step : p.callees)
    if (const pass::promise_finding found = refused_promise<Passes>(step, by); found.at != ir::no_value) return found;
  return {};
}
template <class Passes = plan_passes> constexpr pass::promise_finding refused_promise(const ir::program& p) {
  return refused_promise<Passes>(p, pass::choices_of(p));
}

}  // namespace stg::pipeline
