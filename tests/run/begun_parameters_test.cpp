// test: draft calls
// Sets of parameters that were never initialised: training says so, unless somebody wrote them.
#include "expect_error.hpp"      // expect_error
#include "support/families.hpp"  // mixed
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/checkpoint.hpp>  // load_parameters, save_parameters
#include <stg/stg.hpp>              // value_and_grad

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

inline constexpr auto x = vertex_feature<"x", 3>;
inline constexpr auto W = parameter<"W", 3, 2>;
inline constexpr auto b = parameter<"b", 2>;
inline constexpr auto gain = initialized(parameter<"gain", 2>, init::ones);
inline constexpr auto none = initialized(parameter<"none", 3, 2>, init::zeros);
inline constexpr auto deep = over<"L">(parameter<"deep", 2>);
inline constexpr auto steps_of_bias = [](auto v) {
  auto h = scan<"L">(
      v, [](auto v, auto h) { return h + v(deep); }, zeros<2>(v));
  return sum(sum(h + v(b), axis<0>), all_vertices) + sum(sum(v(x), axis<0>), all_vertices);
};
inline constexpr auto loss = [](auto v) {
  return sum(sum(sum(v.in_edges().src(matmul(v(x), W))) + b, axis<0>), over_batch);
};
inline constexpr auto of_biases = [](auto v) { return sum(sum(matmul(v(x), none) + b, axis<0>), over_batch); };
inline constexpr auto of_gain = [](auto v) { return sum(sum(v(gain) * matmul(v(x), none), axis<0>), over_batch); };

const std::string_view sentence =
    "stg: parameter 'W' was never initialised; write initialize(params, seed), or initialize(params, stg::init::zeros)";

struct data {
  graph g = test::mixed();
  tensor<float> X = tensor<float>::full({5, 3}, 1);
};

template <class Params> void expect_refused(const Params& params) {
  const data d;
  auto step = value_and_grad<loss>();
  auto recorder = compile_for_training<loss>();
  test::expect_error([&] { step(d.g, x = d.X, params); }, {sentence});
  test::expect_error([&] { step(blocks(d.g), x = d.X, params); }, {sentence});
  test::expect_error([&] { recorder.record(d.g, x = d.X, params); }, {sentence});
  test::expect_error([&] { value_and_grad<loss>()(d.g, x = d.X, params.clone()); }, {sentence});
  EXPECT_EQ(compile<loss>()(d.g, x = d.X, params).item(), 0) << "a plain call takes any numbers";
}
template <class Params> void expect_taken(const Params& params) {
  const data d;
  auto step = value_and_grad<loss>();
  EXPECT_NO_THROW(step(d.g, x = d.X, params));
  EXPECT_NO_THROW(compile_for_training<loss>().record(d.g, x = d.X, params));
}

TEST(begun_parameters, that_nobody_wrote_are_refused) {
  auto params = parameters<loss>();
  expect_refused(params);
  expect_refused(params.clone());
  expect_refused(params.of(parameters<loss>()));
  const data d;
  adam optimizer(params, {.learning_rate = 0.1});
  auto step = value_and_grad<loss>();
  test::expect_error([&] { step.run(3, optimizer, d.g, x = d.X, params); }, {sentence});
  expect_refused(params);
  EXPECT_EQ(std::as_const(params)[W](0, 0), 0) << "looking at them is not writing";
  expect_refused(params);
  initialize(params, 1);
  expect_taken(params);
  EXPECT_NO_THROW(step.run(3, optimizer, d.g, x = d.X, params));
}

TEST(begun_parameters, that_are_meant_to_be_zeros_are_taken) {
  auto params = parameters<loss>();
  initialize(params, init::zeros);
  expect_taken(params);
  expect_taken(parameters<loss>().zeros());
  EXPECT_EQ(params[W](2, 1), 0);
  initialize(params, init::constant(2));
  EXPECT_EQ(params[W](2, 1), 2);
  EXPECT_EQ(params[b](1), 2);
}

TEST(begun_parameters, that_were_written_in_another_way_are_taken) {
  auto one = parameters<loss>();
  one[W](0, 1) = 1;
  expect_taken(one);
  auto two = parameters<loss>();
  for_each(two, [](std::string_view, auto& t) { t.fill(0); });
  expect_taken(two);
  auto three = parameters<loss>();
  auto& [first, second] = three;
  first.fill(0), second.fill(0);
  expect_taken(three);
  test::temporary_folder folder;
  save_parameters(one, folder.path());
  auto four = parameters<loss>();
  load_parameters(four, folder.path());
  expect_taken(four);
  auto five = parameters<loss>();
  five = one.clone();
  expect_taken(five);
}

/// What is to begin with zeros does.
TEST(begun_parameters, of_biases_and_declared_zeros_are_taken) {
  const data d;
  const auto params = parameters<of_biases>();
  EXPECT_NO_THROW(value_and_grad<of_biases>()(d.g, x = d.X, params));
  const auto gained = parameters<of_gain>();
  test::expect_error([&] { value_and_grad<of_gain>()(d.g, x = d.X, gained); },
                     {"parameter 'gain' was never initialised"});
  const auto steps = parameters<steps_of_bias>(sized<"L">(3));
  EXPECT_NO_THROW(value_and_grad<steps_of_bias>()(d.g, x = d.X, steps));
}

TEST(begun_parameters, may_be_of_no_step) {
  const data d;
  auto params = parameters<steps_of_bias>(sized<"L">(0));
  EXPECT_EQ(params[deep].shape(), dimensions({0, 2}));
  initialize(params, 1);
  params[b].fill(1);
  auto now = value_and_grad<steps_of_bias>()(d.g, x = d.X, params);
  EXPECT_EQ(now.loss, 5 * 3 + 5 * 2);
  EXPECT_EQ(now.gradients[b](0), 5);
  EXPECT_EQ(now.gradients[deep].size(), 0);
  test::expect_error([] { parameters<steps_of_bias>(sized<"L">(-1)); },
                     {"extent 'L' is -1; a number of steps is 0 or more"});
}

}  // namespace
}  // namespace stg
