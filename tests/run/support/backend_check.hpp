// One body for every backend: a sample's outputs and gradients against the oracle, and against central differences.
#pragma once

#include "any_graph.hpp"  // any_graph
#include "backend.hpp"    // compiled, compiled_for_training
#include "bind.hpp"       // bind_all, numbers_of
#include "families.hpp"   // families
#include "inputs.hpp"     // random_inputs
#include "near.hpp"       // is_near
#include "samples.hpp"    // for_each_sample

#include <stg/codegen/interpreter.hpp>  // interpret
#include <stg/ir/print.hpp>             // to_text
#include <stg/pass/inference.hpp>       // inference
#include <stg/pipeline.hpp>             // with_steps

#include <gtest/gtest.h>  // EXPECT_NEAR

#include <iostream>  // cout

namespace stg::test {

/// |a - b| <= tolerance × (1 + |b|), element by element.
inline void expect_same(const oracle::array& a, const oracle::array& b, double tolerance, const std::string& what) {
  oracle::array magnitude;
  for (const double x : b) magnitude.push_back(1 + std::abs(x));
  ASSERT_TRUE(is_near(a, b, magnitude, tolerance)) << what;
}

template <const auto& Program, class Inputs>
void check_training(const ir::program& p, const graph& g, const oracle::environment& env, Inputs& inputs,
                    const std::string& where);

/// Outputs in inference, outputs of a recorded call and its gradients, on one graph.
template <const auto& Program>
void check_sample_once(const std::string& name, const graph& g, const std::string& family) {
  using Ref = ref<Program>;
  const ir::program p = canonical<Ref>::value.thaw();
  const std::string where = name + " on '" + family + "'\n" + to_text(p);
  oracle::environment env = random_inputs(p, g, 5);
  env.call = 0;
  all_inputs<Ref> inputs = bind_all<Ref>(p, g, env);

  {
    stg::detail::outputs_t<Ref> results;
    auto given = compiled<Program>()(any_graph{g}, inputs);
    if constexpr (stg::detail::outputs_t<Ref>::count == 1) results.template get<0>() = std::move(given);
    else results = std::move(given);
    std::vector<oracle::array> magnitudes;
    const std::vector<oracle::array> expected = oracle::interpret(
        pipeline::with_steps(p, [](const ir::program& q) { return pass::inference(q); }), g, env, &magnitudes);
    std::size_t k = 0;
    for_each(results, [&](std::string_view, auto& t) {
      ASSERT_TRUE(is_near(numbers_of(t), expected[k], magnitudes[k], 1e-12))
          << "inference, output " << k << " of " << where;
      ++k;
    });
  }

  if constexpr (stg::detail::trainable_count<Ref>() > 0) check_training<Program>(p, g, env, inputs, where);
}
template <const auto& Program> void check_sample(const std::string& name, const graph& g, const std::string& family) {
  for_each_cut(5, [&] { check_sample_once<Program>(name, g, family); });
}

/// Whether every trainable input has a gradient from the real outputs taken together.
template <class Ref> constexpr bool all_have_gradients() {
  return stg::detail::find_gradient_mistake<Ref, stg::detail::all_real_outputs<Ref>>(
             stg::detail::trainable_entries<Ref>())
             .what == stg::detail::gradient_finding::none;
}

template <const auto& Program, class Inputs>
void check_training(const ir::program& p, const graph& g, const oracle::environment& env, Inputs& inputs,
                    const std::string& where) {
  using Ref = ref<Program>;
  static_assert(all_have_gradients<Ref>(), "a sample has a trainable input without a gradient");
  using outputs = stg::detail::outputs_t<Ref>;
  constexpr auto positions = typename stg::detail::provided_positions<stg::detail::all_real_outputs<Ref>>::sequence();

  auto layer = compiled_for_training<Program>();
  layer.seed(env.seed);
  auto tape = layer.record(any_graph{g}, inputs);
  const std::vector<oracle::array> expected = oracle::interpret(p, g, env);
  outputs results = tape.outputs();
  std::size_t k = 0;
  for_each(results, [&](std::string_view, auto& t) {
    expect_same(numbers_of(t), expected[k], 1e-12, "recorded output " + std::to_string(k) + " of " + where);
    ++k;
  });

  // cotangents of the real outputs, the same for the tape and for the oracle's gradient program
  std::mt19937 random(17);
  outputs cotangents;
  std::vector<int> provided_list;
  oracle::environment bound = env;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (([&] {
       auto& like = tensor_of(results.template get<K>());
       using T = typename std::remove_cvref_t<decltype(like)>::value_type;
       tensor<T> d(like.shape());
       const oracle::array numbers = random_array(random, d.size());
       for (std::int64_t i = 0; i < d.size(); ++i) d.data()[i] = static_cast<T>(numbers[static_cast<std::size_t>(i)]);
       using V = std::remove_cvref_t<decltype(cotangents.template get<K>())>;
       if constexpr (requires { V::in_id_order(std::move(d)); })
         cotangents.template get<K>() = V::in_id_order(std::move(d));
       else cotangents.template get<K>() = std::move(d);
       bound.inputs["d(output " + std::to_string(K) + ")"] = numbers;
       provided_list.push_back(K);
     }()),
     ...);
  }
  (positions);
  const pass::joint_program joint = pass::autodiff(p, provided_list, pass::trainable_inputs(p));
  const std::vector<oracle::array> all = oracle::interpret(joint.program, g, bound);

  auto gradients = [&]<int... K>(std::integer_sequence<int, K...>) {
    return tape.backward(cotangents.template get<K>()...);
  }
  (positions);
  k = expected.size();
  for_each(gradients, [&](std::string_view input, auto& t) {
    expect_same(numbers_of(t), all[k], 1e-10, "gradient of '" + std::string(input) + "' of " + where);
    ++k;
  });

  // central differences through the compiled forward program; a few elements of every input
  const auto objective = [&] {
    auto again = compiled_for_training<Program>();
    again.seed(env.seed);
    auto once = again.record(any_graph{g}, inputs);
    outputs at = once.outputs();
    double sum = 0;
    [&]<int... K>(std::integer_sequence<int, K...>) {
      (([&] {
         auto& y = tensor_of(at.template get<K>());
         auto& d = tensor_of(cotangents.template get<K>());
         for (std::int64_t i = 0; i < y.size(); ++i) sum += y.data()[i] * d.data()[i];
       }()),
       ...);
    }
    (positions);
    return sum;
  };
  boost::hana::for_each(gradients.items(), [&](auto& item) {
    using Name = typename std::remove_cvref_t<decltype(item)>::name;
    auto& x = tensor_of(inputs.template get<Inputs::template position<Name>()>());
    auto& gradient = tensor_of(item.value);
    for (std::int64_t i = 0; i < x.size(); i += 1 + x.size() / 5) {
      const double before = static_cast<double>(x.data()[i]), step = 1e-6;
      x.data()[i] = before + step;
      const double above = objective();
      x.data()[i] = before - step;
      const double below = objective();
      x.data()[i] = before;
      const double difference = (above - below) / (2 * step);
      ASSERT_NEAR(gradient.data()[i], difference, 1e-5 + 1e-3 * std::abs(difference))
          << "gradient of '" << item.text() << "' element " << i << " of " << where;
    }
  });
}

#if defined(STG_PROOF)
inline constexpr bool every_sample = true;
inline constexpr int shares_of_samples = 6;
#else
inline constexpr bool every_sample = false;
inline constexpr int shares_of_samples = 12;  // and as drafts all of them
#endif

/// This file's share of the samples on every graph family.
template <int Share, int Shares = shares_of_samples> void check_samples() {
  int checked = 0;
  samples::for_each_sample([&]<const auto & Program, int Line, bool Always>(samples::sample<Program, Line, Always> s) {
    if constexpr (Line % Shares == Share && (Always || every_sample)) {
      for (const family& f : families()) check_sample<Program>(std::string(s.name), f.graph, f.name);
      ++checked;
    }
  });
  EXPECT_GT(checked, 0);
  std::cout << checked * static_cast<int>(families().size()) << " samples on graphs\n";
}

}  // namespace stg::test
