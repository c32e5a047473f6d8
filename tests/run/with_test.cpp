// test: draft calls
// with<f, passes and choices>: a program after passes of the user's own, wherever a program stands.
#include <stg/call/check_gradients.hpp>        // check_gradients
#include <stg/examine.hpp>                     // transform
#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int32_t
#include <string>   // string
#include <vector>   // vector

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", f64, 3>;
constexpr auto y = vertex_feature<"y", f64, 2>;
constexpr auto W = parameter<"W", f64, 3, 2>;
constexpr auto model = [](auto v) { return relu(matmul(mean(v.in_edges().src(x)) + v(x), W)); };
constexpr auto loss = [](auto v) { return mse(model(v), v(y)); };
constexpr auto with_tanh = [](auto v) { return tanh(matmul(mean(v.in_edges().src(x)) + v(x), W)); };
constexpr auto loss_with_tanh = [](auto v) { return mse(with_tanh(v), v(y)); };

constexpr auto tanh_for_relu = [](const ir::program& p) {
  return examine::transform(p, [](const examine::copied& c) {
    return c.code() == ir::opcode::relu ? pass::apply(ir::opcode::tanh, c.operand(0)) : c.same();
  });
};
/// Each tanh and each relu of f is that of 2 f.
constexpr auto doubled_in_tanh = [](const ir::program& p) {
  return examine::transform(p, [](const examine::copied& c) {
    return c.code() == ir::opcode::tanh ? pass::apply(ir::opcode::tanh, c.operand(0) + c.operand(0)) : c.same();
  });
};
constexpr auto loss_with_doubled = [](auto v) {
  return mse(tanh(2.0 * matmul(mean(v.in_edges().src(x)) + v(x), W)), v(y));
};

struct data {
  graph g = graph::from_edges(4, {0, 1, 2, 3, 0}, {1, 2, 3, 1, 2});
  tensor<double> features = tensor<double>::from({4, 3}, {.1, -.4, .8, .3, .2, -.9, .5, -.5, .6, -.2, .7, .4});
  tensor<double> wanted = tensor<double>::from({4, 2}, {.5, -.1, .2, .9, -.3, .4, .1, .6});
  parameters_of<loss> weights = parameters<loss>();
  data() { initialize(weights, 3); }
};
template <class A, class B> void expect_same(const A& a, const B& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t k = 0; k < a.size(); ++k) EXPECT_DOUBLE_EQ(a.data()[k], b.data()[k]) << k;
}

TEST(with, is_the_program_after_its_passes) {
  const data d;
  const auto plain = compile<with_tanh>()(d.g, x = d.features, d.weights);
  expect_same(compile<with<model, tanh_for_relu>>()(d.g, x = d.features, d.weights), plain);
  expect_same(compile<model, tanh_for_relu>()(d.g, x = d.features, d.weights), plain);
  EXPECT_EQ((as_program<with<model, tanh_for_relu>>()), as_program<with_tanh>());
  EXPECT_EQ((as_program<with<model>>()), as_program<model>());
}

TEST(with, trains_the_program_after_its_passes) {
  const data d;
  auto expected = value_and_grad<loss_with_tanh>()(d.g, x = d.features, y = d.wanted, d.weights);
  auto found = value_and_grad<with<loss, tanh_for_relu>>()(d.g, x = d.features, y = d.wanted, d.weights);
  EXPECT_DOUBLE_EQ(found.loss, expected.loss);
  expect_same(found.gradients[W], expected.gradients[W]);
  auto drafted = value_and_grad<with<loss, tanh_for_relu>>(draft())(d.g, x = d.features, y = d.wanted, d.weights);
  expect_same(drafted.gradients[W], expected.gradients[W]);
  auto of_x = value_and_grad<with<loss, tanh_for_relu>, x>()(d.g, x = d.features, y = d.wanted, W = d.weights[W]);
  auto expected_of_x = value_and_grad<loss_with_tanh, x>()(d.g, x = d.features, y = d.wanted, W = d.weights[W]);
  expect_same(of_x.gradients[x], expected_of_x.gradients[x]);
  EXPECT_TRUE((check_gradients<with<loss, tanh_for_relu>>(d.g, x = d.features, y = d.wanted, d.weights)));

  auto recorder = compile_for_training<with<model, tanh_for_relu>>();
  auto tape = recorder.record(d.g, x = d.features, d.weights);
  expect_same(tape.outputs().get<0>(), compile<with_tanh>()(d.g, x = d.features, d.weights));
}

TEST(with, optimises_parameters_of_the_plain_program) {
  data d;
  adam optimizer(d.weights, {.learning_rate = 0.05});
  auto step = value_and_grad<with<loss, tanh_for_relu>>();
  const double first = step(d.g, x = d.features, y = d.wanted, d.weights).loss;
  double last = first;
  for (int k = 0; k < 40; ++k) {
    auto now = step(d.g, x = d.features, y = d.wanted, d.weights);
    last = now.loss;
    optimizer.step(now.gradients);
  }
  EXPECT_LT(last, 0.9 * first);
}

TEST(with, runs_passes_in_their_order) {
  const data d;
  const auto of = [&](auto step) { return step(d.g, x = d.features, y = d.wanted, d.weights).loss; };
  EXPECT_DOUBLE_EQ(of(value_and_grad<with<loss, tanh_for_relu, doubled_in_tanh>>()),
                   of(value_and_grad<loss_with_doubled>()));
  EXPECT_DOUBLE_EQ(of(value_and_grad<with<loss, doubled_in_tanh, tanh_for_relu>>()),
                   of(value_and_grad<loss_with_tanh>()));
  EXPECT_DOUBLE_EQ(of(value_and_grad<with<with<loss, tanh_for_relu>, doubled_in_tanh>>()),
                   of(value_and_grad<loss_with_doubled>()));
}

TEST(with, runs_on_blocks) {
  const data d;
  const neighbour_sampler sampler(d.g, {.fan_outs = {5}});
  const batch b = sampler.sample(std::vector<std::int32_t>{1, 2}, 1);
  const auto features = gather(d.features, b.vertices);
  const auto wanted = gather(d.wanted, b.vertices);
  const auto of = [&](auto step) { return step(b.blocks(), x = features, y = wanted, d.weights).loss; };
  EXPECT_DOUBLE_EQ(of(value_and_grad<with<loss, tanh_for_relu>>()), of(value_and_grad<loss_with_tanh>()));
}

// ---- choices ----

constexpr auto costly = [](auto v) {
  auto h = v(x);
  return mse(exp(tanh(exp(matmul(h, W)))) * tanh(exp(matmul(h, W))), v(y));
};
constexpr pass::choices thrifty{.recomputed_cost = 1000};
template <class Ref> constexpr int saved_by = differentiated<Ref, provided<0>, required<>>::forward::value.room.outputs;
static_assert(saved_by<ref<with<costly, thrifty>>> < saved_by<ref<costly>>);
static_assert(saved_by<ref<with<costly, tanh_for_relu, thrifty>>> < saved_by<ref<costly>>);

TEST(with, decides_by_choices_in_training) {
  const data d;
  auto some = value_and_grad<costly>()(d.g, x = d.features, y = d.wanted, d.weights);
  auto others = value_and_grad<with<costly, thrifty>>()(d.g, x = d.features, y = d.wanted, d.weights);
  EXPECT_DOUBLE_EQ(some.loss, others.loss);
  expect_same(some.gradients[W], others.gradients[W]);
  EXPECT_NE((explain<with<costly, thrifty>>()), (explain<costly>()));
}
// Numbers that executors ask the plan for: rows of a block in a chain, edges at hand in a loop, steps that run as one.
constexpr auto S = parameter<"S", f64, 3, 3>;
constexpr auto in_steps = [](auto v) {
  auto h = scan<3>(
      v, [](auto v, auto h) { return tanh(matmul(relu(matmul(h, S)), S)) + v(x); }, v(x));
  auto e = v.in_edges();
  return mse(matmul(sum(exp(tanh(e.src(h) * e.dst(h))) * e.src(h)), W), v(y));
};
constexpr pass::choices narrow{.chunk_bytes = 1,
                               .narrow_chunk_bytes = 1,
                               .block_bytes = 1,
                               .rows_together = 1,
                               .least_ordered_edges = 0,
                               .most_rounds = 0,
                               .merged_exchanges = 1};
static_assert(executable<inferred<ref<with<in_steps, narrow>>>>::program.room.decisions == 7);
static_assert(codegen::data_of<executable<inferred<ref<with<in_steps, narrow>>>>>.by == narrow);
static_assert(codegen::data_of<step_of<executable<inferred<ref<with<in_steps, narrow>>>>, 0>>.by == narrow);
static_assert(codegen::data_of<executable<inferred<ref<in_steps>>>>.by == pass::choices());

TEST(with, runs_by_other_numbers) {
  const data d;
  auto weights = parameters<in_steps>();
  initialize(weights, 1);
  auto some = value_and_grad<in_steps>()(d.g, x = d.features, y = d.wanted, weights);
  auto others = value_and_grad<with<in_steps, narrow>>()(d.g, x = d.features, y = d.wanted, weights);
  EXPECT_NEAR(some.loss, others.loss, 1e-12 * some.loss);
  for (std::int64_t k = 0; k < some.gradients[S].size(); ++k)
    EXPECT_NEAR(some.gradients[S].data()[k], others.gradients[S].data()[k], 1e-9);
}

}  // namespace
}  // namespace stg
