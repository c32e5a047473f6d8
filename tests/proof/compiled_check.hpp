// A random program, or a random scan, that was written out as C++ and compiled: on a backend against the naive
// interpreter.
#pragma once

#include "../run/support/backend.hpp"  // compiled, compiled_for_training
#include "../run/support/bind.hpp"     // bind_all, numbers_of
#include "../run/support/near.hpp"     // is_near
#include "choices.hpp"                 // choices
#include "random_programs.hpp"         // small_program, all_families
#include "random_scans.hpp"            // draw_small_scan

#include <stg/analysis/reads_edges.hpp>  // readings_of_step_graphs
#include <stg/codegen/interpreter.hpp>   // interpret
#include <stg/ir/print.hpp>              // to_text
#include <stg/runtime/call_graph.hpp>    // call_graph

#include <gtest/gtest.h>  // ASSERT_TRUE

#include <string>  // string
#include <vector>  // vector

namespace stg::test {

// ---- what lambdas are written with where the language has no word ----

/// A parameter that may be left untrained.
template <fixed_string Name, auto... Extents>
inline constexpr auto graph_feature =
    stg::detail::declare<space::graph, false, stg::detail::symbol_arguments<Extents...>>(
        stg::detail::spell<Name, name>::value);
template <auto... E> using dims = typename stg::detail::dims_of<true, E...>::type;

template <class Extent> constexpr std::int64_t code_of(tracer* t, Extent e) {
  return t->program.intern(stg::detail::polynomial_from(e)).code;
}
template <class S, class Sh, scalar_type T>
constexpr auto written(tracer* t, ir::opcode code, std::int64_t attribute, int axis, double number,
                       ir::value_id a = ir::no_value, ir::value_id b = ir::no_value, ir::value_id c = ir::no_value) {
  ir::statement s = stg::detail::statement_of<S, Sh, T>(*t, code, a, b, c);
  s.attribute_ = attribute;
  s.axis_ = axis;
  s.number_ = number;
  return stg::detail::emit_with<S, Sh, T>(t, s);
}

// ---- the comparison ----

inline constexpr double compiled_tolerance = 1e-10;  // of the magnitude of each number

template <class Results>
void expect_results(Results& results, const std::vector<oracle::array>& expected,
                    const std::vector<oracle::array>& magnitudes, std::size_t first, const std::string& what) {
  std::size_t k = first;
  for_each(results, [&](std::string_view, auto& t) {
    ASSERT_TRUE(is_near(numbers_of(t), expected[k], magnitudes[k], compiled_tolerance))
        << what << ", output or gradient " << k;
    ++k;
  });
}

/// on: what calls are given, a graph or a sequence of them; g: the interpreter's.
template <const auto& Program, class On>
void check_compiled_training(const ir::program& p, const On& on, const graph& g, const oracle::environment& env,
                             all_inputs<ref<Program>>& inputs, choices& c, const std::string& where) {
  using Ref = ref<Program>;
  using outputs = stg::detail::outputs_t<Ref>;
  constexpr auto positions = typename stg::detail::provided_positions<stg::detail::all_real_outputs<Ref>>::sequence();
  auto layer = compiled_for_training<Program>();
  layer.seed(env.seed);
  auto tape = layer.record(on, inputs);
  outputs results = tape.outputs(), cotangents;
  oracle::environment bound = env;
  std::vector<int> provided;
  auto backward = [&]<int... K>(std::integer_sequence<int, K...>) {
    (([&] {
       auto& like = tensor_of(results.template get<K>());
       using T = typename std::remove_cvref_t<decltype(like)>::value_type;
       tensor<T> d(like.shape());
       oracle::array numbers;
       for (T& x : d) numbers.push_back(x = static_cast<T>(c.number()));
       using V = std::remove_cvref_t<decltype(cotangents.template get<K>())>;
       if constexpr (requires { V::in_id_order(std::move(d)); })
         cotangents.template get<K>() = V::in_id_order(std::move(d));
       else cotangents.template get<K>() = std::move(d);
       bound.inputs["d(output " + std::to_string(K) + ")"] = numbers;
       provided.push_back(K);
     }()),
     ...);
    return tape.backward(cotangents.template get<K>()...);
  };
  auto gradients = backward(positions);
  const pass::joint_program joint = pass::autodiff(p, provided, pass::trainable_inputs(p));
  std::vector<oracle::array> magnitudes;
  const std::vector<oracle::array> expected = oracle::interpret(joint.program, g, bound, &magnitudes);
  expect_results(results, expected, magnitudes, 0, "recorded, " + where);
  expect_results(gradients, expected, magnitudes, p.outputs.size(), "gradients of " + where);
}

template <const auto& Program, class On>
void check_compiled_inference(const ir::program& p, const On& on, const graph& g, const oracle::environment& env,
                              all_inputs<ref<Program>>& inputs, const std::string& where) {
  stg::detail::outputs_t<ref<Program>> results;
  auto given = compiled<Program>()(on, inputs);
  if constexpr (stg::detail::outputs_t<ref<Program>>::count == 1) results.template get<0>() = std::move(given);
  else results = std::move(given);
  std::vector<oracle::array> magnitudes;
  const ir::program inferred = pipeline::with_steps(p, [](const ir::program& x) { return pass::inference(x); });
  const std::vector<oracle::array> expected = oracle::interpret(inferred, g, env, &magnitudes);
  expect_results(results, expected, magnitudes, 0, "called plainly, " + where);
}

/// The lambda is the program that the seed stands for, and what is compiled of it gives the program's numbers: called
/// plainly, or in a training step with gradients.
template <const auto& Program, bool Training> void check_compiled(std::uint64_t seed) {
  const random_program written = small_program(seed);
  const family& on = all_families()[written.family];
  const ir::program p = canonical<ref<Program>>::value.thaw();
  const std::string where = "program " + std::to_string(seed) + " on '" + on.name + "'\n" + to_text(p);
  ASSERT_TRUE(p == pipeline::canonical(written.program)) << where << "instead of\n" << to_text(written.program);
  all_inputs<ref<Program>> inputs = bind_all<ref<Program>>(p, on.graph, written.env);
  for_each_cut(3, [&] {
    choices c(seed);
    if constexpr (Training) check_compiled_training<Program>(p, on.graph, on.graph, written.env, inputs, c, where);
    else check_compiled_inference<Program>(p, on.graph, on.graph, written.env, inputs, where);
  });
}

/// The same of a scan; on a graph for each step where the seed draws those.
template <const auto& Program, bool Training> void check_compiled_scan(std::uint64_t seed) {
  small_scan written = draw_small_scan(seed);
  const family& of = all_families()[written.family];
  const ir::program p = canonical<ref<Program>>::value.thaw();
  const std::string where =
      "scan " + std::to_string(seed) + (written.changing ? ", changing," : "") + " on '" + of.name + "'\n" + to_text(p);
  ASSERT_TRUE(p == pipeline::canonical(written.scan.program)) << where << "instead of\n"
                                                              << to_text(pipeline::canonical(written.scan.program));
  const auto check = [&](const auto& on, const graph& g, const graph_sequence* days) {
    all_inputs<ref<Program>> inputs = bind_all<ref<Program>>(p, g, written.scan.env, days);
    for_each_cut(3, [&] {
      choices c(seed);
      if constexpr (Training) check_compiled_training<Program>(p, on, g, written.scan.env, inputs, c, where);
      else check_compiled_inference<Program>(p, on, g, written.scan.env, inputs, where);
    });
  };
  if (!written.changing) return check(of.graph, of.graph, nullptr);
  constexpr bool may_change =
      pass::readings_of_step_graphs(canonical<ref<Program>>::value.thaw()).wrong == pass::graph_mistake::none;
  if constexpr (may_change) {
    written.scan.env.step_graphs = &written.changing->graphs;
    const graph_sequence& days = written.changing->sequence;
    check(days, call_graph(days).outside(), &days);
  }
}

}  // namespace stg::test
