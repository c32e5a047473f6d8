// saved, recomputed and keep: what they leave in a program, what is saved and made again for it, and mistakes by name.
#include "../pass/symbols.hpp"

#include <stg/differentiate.hpp>    // differentiate
#include <stg/dsl/keep.hpp>         // saved, recomputed, keep
#include <stg/dsl/regions.hpp>      // merge_exchanges, must_overlap
#include <stg/dsl/scope.hpp>        // scope, named
#include <stg/op/call.hpp>          // call
#include <stg/op/tag.hpp>           // stored, inlined, tag
#include <stg/analysis/verify.hpp>  // verify
#include <stg/pipeline.hpp>         // canonical, differentiated

namespace stg {

constexpr auto in = vertex_feature<"in", 4>;  // not trained: products in a gradient are made again
constexpr auto shaped = [](auto, auto h) { return exp(tanh(h)); };
/// A loss of W through a product, in which `body` says what is kept.
constexpr auto loss_of(auto body) {
  return [body](auto v) { return mean(sum(body(v, matmul(v(in), W)), axis<0>), all_vertices); };
}
/// How often the gradient of a training step has an operation.
constexpr int again(auto lambda, ir::opcode code) {
  const ir::program p = pipeline::canonical(trace(lambda));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  if (pass::verify(d.forward) != pass::finding() || pass::verify(d.gradient) != pass::finding()) return -1;
  return count_of(d.gradient, code);
}
/// How many values of vertices and edges a training step saves.
constexpr int saved_values_of(auto lambda) {
  const ir::program p = pipeline::canonical(trace(lambda));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  int n = 0;
  for (const pass::connection& from : d.connections)
    n += from.kind == pass::connection_kind::saved &&
         d.forward[d.forward.outputs[from.index].at].where != ir::space::graph;
  return n;
}

// The plan's own choice saves what is costly, and the product; words about values change it.
constexpr auto plainly = loss_of([](auto v, auto h) { return shaped(v, sum(v.in_edges().src(tanh(h)))); });
constexpr auto by_words =
    loss_of([](auto v, auto h) { return exp(saved(tanh(sum(v.in_edges().src(recomputed(tanh(h))))))); });
static_assert(again(plainly, ir::opcode::matmul) == 0);
static_assert(again(plainly, ir::opcode::tanh) == 0 && again(by_words, ir::opcode::tanh) == 1);

// An edge value that is saved is not computed again.
constexpr auto of_edges = [](auto v, auto h) {
  auto e = v.in_edges();
  return sum(exp(e.src(h) * e.dst(h)) * e.src(h));
};
constexpr auto saved_on_edges = loss_of([](auto v, auto h) {
  auto e = v.in_edges();
  return sum(saved(exp(e.src(h) * e.dst(h))) * e.src(h));
});
static_assert(again(loss_of(of_edges), ir::opcode::exp) == 1 && again(saved_on_edges, ir::opcode::exp) == 0);

// All in one way, wherever that is said.
constexpr auto throughout(keeping way) {
  return [way](auto v) {
    keep(v, way);
    return mean(sum(of_edges(v, tanh(matmul(v(in), W))), axis<0>), all_vertices);
  };
}
static_assert(again(throughout(keeping::everything), ir::opcode::exp) == 0);
static_assert(again(throughout(keeping::all_but_edges), ir::opcode::exp) == 1 &&
              again(throughout(keeping::all_but_edges), ir::opcode::tanh) == 0);
static_assert(again(throughout(keeping::inputs), ir::opcode::matmul) == 1 &&
              saved_values_of(throughout(keeping::inputs)) == 0);
static_assert(again(throughout(keeping::results), ir::opcode::matmul) == 1 &&
              saved_values_of(throughout(keeping::results)) == 0);
static_assert(again(throughout(keeping::chosen), ir::opcode::matmul) == 0);

// A scope, by its name; of scopes in one another the inner one decides, and a word before both.
constexpr auto in_scopes(keeping outer, keeping inner) {
  return loss_of([outer, inner](auto v, auto h) {
    keep<"a">(v, outer);
    keep<"a/b">(v, inner);
    return scope<"a">(
        v, [](auto u, auto a) { return scope<"b">(u, shaped, sin(a)); }, h);
  });
}
static_assert(saved_values_of(in_scopes(keeping::inputs, keeping::inputs)) == 0);
static_assert(saved_values_of(in_scopes(keeping::inputs, keeping::everything)) == 2);  // tanh and exp
static_assert(again(in_scopes(keeping::everything, keeping::inputs), ir::opcode::exp) == 1);
constexpr auto by_name = loss_of([](auto v, auto h) {
  keep<"wave">(v, keeping::inputs);
  return exp(named<"wave">(sin(h)));
});
static_assert(again(by_name, ir::opcode::matmul) == 1);

// stg::differentiate asks for what the program says, and its argument for the rest.
constexpr int read_by_gradient(auto lambda, keeping way) {
  const ir::program p = pipeline::canonical(trace(lambda));
  int n = 0;
  for (const gradient_input& of : differentiate(p, {0}, pass::trainable_inputs(p), way).inputs)
    n += of.output >= 0 && !of.is_cotangent;
  return n;
}
constexpr auto one_word = loss_of([](auto, auto h) { return exp(saved(sin(h))); });
static_assert(read_by_gradient(one_word, keeping::inputs) == 1 && read_by_gradient(one_word, keeping::results) == 1);

// What a called layer says holds in it.
constexpr auto light = [](auto, auto h) { return exp(recomputed(tanh(h))); };
constexpr auto called = loss_of([](auto v, auto h) { return call(light, v, call(light, v, h)); });
constexpr bool is_said_in_callees() {
  const ir::program p = pipeline::canonical(trace(called));
  return p.callees.size() == 1 && p.callees[0].decisions.size() == 1 &&
         ir::way_of(p.callees[0].decisions[0]) == keeping::results;
}
static_assert(is_said_in_callees());
// Of called layers that are made again from inputs nothing is kept but what goes into them and comes out.
constexpr auto costly = [](auto v, auto h) { return tanh(sum(v.in_edges().src(tanh(h)))); };
constexpr int outputs_of_called(keeping way) {
  const auto twice = loss_of([way](auto v, auto h) {
    keep(v, way);
    return call(costly, v, call(costly, v, h));
  });
  const ir::program p = pipeline::canonical(trace(twice));
  const pass::differentiated d = pipeline::differentiated(p, {0}, pass::trainable_inputs(p));
  return d.forward.callees[0].outputs.size();
}
static_assert(outputs_of_called(keeping::inputs) == 1 && outputs_of_called(keeping::everything) > 1);

// Words are no part of what a program computes.
static_assert(pipeline::canonical(trace(plainly)) == pipeline::canonical(trace(by_words)));

constexpr ir::mistake wrong(auto lambda) { return detail::recorded(lambda).wrong; }
static_assert(wrong([](auto v) { return saved(recomputed(tanh(v(x)))); }) == ir::mistake::kept_in_two_ways);
static_assert(wrong([](auto v) { return saved(saved(tanh(v(x)))); }) == ir::mistake::none);
static_assert(wrong([](auto v) { return keep<"a">(v, keeping::inputs), v(x); }) == ir::mistake::keeps_nothing);
static_assert(wrong([](auto v) { return keep(v, keeping::inputs), v(x); }) == ir::mistake::none);
static_assert(wrong([](auto v) {
                keep(v, keeping::inputs);
                keep(v, keeping::results);
                return v(x);
              }) == ir::mistake::kept_in_two_ways);

// Regions: each word's is one of its own, wherever in the lambda it is said, also of a scope in a scan's step.
constexpr auto regions = [](auto v) {
  const auto layer = [](auto v, auto h) {
    merge_exchanges<"inner">(v);
    return scope<"inner">(
        v, [](auto, auto h) { return tanh(h); }, h);
  };
  must_overlap<"c2">(v);
  auto h = scope<"c2">(v, layer, scope<"c1">(v, layer, v(x)));
  return scan<2>(
      v, [=](auto v, auto s) { return scope<"c3">(v, layer, s); }, h);
};
constexpr bool says_regions() {
  const ir::program p = trace(regions);
  sequence<std::int64_t> numbers;
  int overlaps = 0;
  for (const ir::decision& d : p.decisions) {
    if (d.what == ir::decided::merged_exchanges) numbers.push_back(d.number);
    overlaps += d == ir::of_scope(ir::decided::overlaps, d.at, 1) && p.scopes[d.at].view() == "c2";
  }
  const sequence<ir::decision>& of_step = p.callees[0].decisions;
  return numbers == sequence<std::int64_t>({1, 2}) && overlaps == 1 && of_step.size() == 1 && of_step[0].number == 3 &&
         pass::verify(p) == pass::finding();
}
static_assert(says_regions());
static_assert(wrong([](auto v) { return merge_exchanges<"a">(v), tanh(v(x)); }) == ir::mistake::exchanges_nothing);
static_assert(wrong([](auto v) { return must_overlap<"a">(v), named<"a">(tanh(v(x))); }) ==
              ir::mistake::exchanges_nothing);
static_assert(wrong([](auto v) { return merge_exchanges(v), tanh(v(x)); }) == ir::mistake::none);

// Equal layers that are called in scopes of their own are one program, until something is said of one of them: then it
// is said of that one, as where they are written out.
constexpr auto heavy = [](auto v, auto h) { return tanh(sum(v.in_edges().src(exp(tanh(h))))); };
constexpr auto in_two_scopes = [](auto say) {
  return loss_of([say](auto v, auto h) {
    say(v);
    const auto layer = [](auto v, auto h) { return call(heavy, v, h); };
    return scope<"c2">(v, layer, scope<"c1">(v, layer, h));
  });
};
/// How each of the two is kept; where there is one program for both, it stands for both.
template <class Way> constexpr bool are_kept(auto say, Way first, Way second) {
  const ir::program p = pipeline::canonical(trace(in_two_scopes(say)));
  const bool are_one = first == second;
  if (pass::verify(p) != pass::finding() || p.callees.size() != (are_one ? 1 : 2)) return false;
  for (const ir::program& c : p.callees) {
    const ir::scope_ways by_scope(c);
    for (const ir::statement& s : c.statements)
      if (by_scope.of(s) != (&c == p.callees.begin() ? first : second)) return false;
  }
  return true;
}
static_assert(are_kept([](auto) {}, keeping::chosen, keeping::chosen));
static_assert(are_kept([](auto v) { keep<"c1">(v, keeping::everything); }, keeping::everything, keeping::chosen));
static_assert(are_kept([](auto v) { keep<"c2">(v, keeping::inputs); }, keeping::chosen, keeping::inputs));
static_assert(are_kept([](auto v) { keep(v, keeping::results); }, keeping::results, keeping::results));
/// Layers that compute the same, of whose values other things are said.
constexpr int programs_of(auto one, auto other) {
  return pipeline::canonical(trace(loss_of([=](auto v, auto h) { return call(other, v, call(one, v, h)); })))
      .callees.size();
}
constexpr auto silent = [](auto, auto h) { return exp(tanh(h)); };
constexpr auto saves = [](auto, auto h) { return exp(saved(tanh(h))); };
constexpr auto makes_again = [](auto, auto h) { return exp(recomputed(tanh(h))); };
constexpr auto stores = [](auto, auto h) { return exp(stored(tanh(h))); };
constexpr auto inlines = [](auto, auto h) { return exp(inlined(tanh(h))); };
constexpr auto names = [](auto, auto h) { return exp(named<"wave">(tanh(h))); };
constexpr auto tags = [](auto, auto h) { return exp(tag<"wave">(tanh(h))); };
static_assert(programs_of(saves, saves) == 1 && programs_of(saves, silent) == 2 && programs_of(silent, saves) == 2);
static_assert(programs_of(saves, makes_again) == 2 && programs_of(makes_again, silent) == 2);
static_assert(programs_of(stores, stores) == 1 && programs_of(stores, silent) == 2 &&
              programs_of(stores, inlines) == 2);
static_assert(programs_of(names, silent) == 1 && programs_of(silent, tags) == 1);
// By the name of a value in one of them, too; and of equal scans.
constexpr auto waves = loss_of([](auto v, auto h) {
  keep<"c2/wave">(v, keeping::everything);
  const auto layer = [](auto v, auto h) { return call(names, v, h); };
  return scope<"c2">(v, layer, scope<"c1">(v, layer, h));
});
static_assert(pipeline::canonical(trace(waves)).callees.size() == 2);
constexpr auto scans = loss_of([](auto v, auto h) {
  keep<"c2">(v, keeping::everything);
  const auto layer = [](auto v, auto h) {
    return scan<3>(
        v, [](auto, auto h) { return exp(tanh(h)); }, h);
  };
  return scope<"c2">(v, layer, scope<"c1">(v, layer, h));
});
static_assert(pipeline::canonical(trace(scans)).callees.size() == 2);
}  // namespace stg
