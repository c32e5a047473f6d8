// test: draft programs_at_run_time
// Programs behind one type: what a compiled program gives, to the bit; signatures in words; errors of calls.
#include <stg/door/program.hpp>  // make_loss, make_program, make_training
#include <stg/stg.hpp>           // the language

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int32_t
#include <cstring>  // memcmp
#include <variant>  // get
#include <vector>   // vector

#include "expect_error.hpp"  // expect_error

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", extent<"F">>;
constexpr auto w = edge_feature<"w">;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", extent<"F">, 3>;
constexpr auto y = vertex_feature<"y", 3>;
constexpr auto degree = vertex_feature<"degree">;
constexpr auto scores = edge_feature<"scores">;
constexpr auto weighted = [](auto v) {
  auto e = v.in_edges();
  auto h = matmul(dropout(v(x), 0.5), W);
  return outputs(y = sum(e(w) * e.src(h)), degree = v.in_degree(), scores = e(w) * e.src(sum(h, axis<0>)));
};
constexpr auto weighted_loss = [](auto v) {
  auto e = v.in_edges();
  return cross_entropy(sum(e(w) * e.src(matmul(v(x), W))), v(label));
};

struct data {
  graph g = graph::from_edges(4, {0, 1, 2, 3, 0}, {1, 2, 3, 0, 2});
  tensor<float> features = tensor<float>::from({4, 2}, {.1f, -.4f, .8f, .3f, .2f, -.9f, .5f, -.5f});
  edge_values<float> weights = g.edge_values(tensor<float>::from({5}, {1, .5f, -1, 2, .25f}));
  tensor<std::int32_t> labels = tensor<std::int32_t>::from({4}, {0, 1, 2, 1});
  parameters_of<weighted_loss> params = parameters<weighted_loss>(sized<"F">(2));
  std::vector<program_input> inputs() const { return {{"W", params[W]}, {"x", features}, {"w", weights}}; }
  data() { initialize(params, 3); }
};
template <class T> bool same_bits(const any_tensor& found, const const_tensor<T>& b) {
  const auto& a = std::get<tensor<T>>(found);
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

TEST(door, says_what_a_program_takes_and_gives) {
  EXPECT_EQ(door::make_program<weighted>()->described().spelled(),
            "Inputs:\n"
            "  w: f32 (edges)\n"
            "  x: f32 (vertices, F)\n"
            "  W: f32 (F, 3), trained\n"
            "Gives:\n"
            "  y: f32 (vertices, 3)\n"
            "  degree: f32 (vertices)\n"
            "  scores: f32 (edges)\n");
  EXPECT_TRUE(door::make_program<weighted>()->described().draws);
  EXPECT_FALSE(door::make_program<weighted_loss>()->described().draws);
}

TEST(door, calls_a_program) {
  const data d;
  const auto expected = compile<weighted>()(d.g, x = d.features, w = d.weights, d.params);
  const auto program = door::make_program<weighted>();
  auto found = (*program)({.plain = &d.g}, d.inputs());
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(same_bits<float>(found[0], expected.get<0>()));
  EXPECT_TRUE(same_bits<float>(found[2], expected.get<2>().values()));
  std::get<tensor<float>>(found[0]).fill(0);
  program->into(found, {.plain = &d.g}, d.inputs());
  EXPECT_TRUE(same_bits<float>(found[0], expected.get<0>()));
}

TEST(door, records_a_call) {
  const data d;
  auto expected = compile_for_training<weighted, x, W>().record(d.g, x = d.features, w = d.weights, d.params);
  const auto found = door::make_training<weighted, x, W>()->record({.plain = &d.g}, d.inputs());
  const any_tensor of_y = tensor<float>::full({4, 3}, 1), of_scores = tensor<float>::full({5}, 1);
  EXPECT_TRUE(same_bits<float>(found->outputs()[0], expected.output<0>()));
  const any_tensor* const cotangents[] = {nullptr, nullptr, &of_scores};
  const auto gradients = found->backward(cotangents);
  auto all = expected.backward(none, none, d.g.edge_values(std::get<tensor<float>>(of_scores)));
  ASSERT_EQ(gradients.size(), 2u);
  EXPECT_EQ(gradients[0].first, "x");
  EXPECT_TRUE(same_bits<float>(gradients[0].second, all[x]));
  EXPECT_TRUE(same_bits<float>(gradients[1].second, all[W]));
}

TEST(door, steps_a_loss) {
  const data d;
  auto step = value_and_grad<weighted_loss>();
  const auto expected = step(d.g, x = d.features, w = d.weights, label = d.labels, d.params);
  auto inputs = d.inputs();
  inputs.emplace_back("label", d.labels);
  const auto loss = door::make_loss<weighted_loss>();
  const auto found = (*loss)({.plain = &d.g}, inputs);
  EXPECT_EQ(found.value, static_cast<double>(expected.loss));
  ASSERT_EQ(found.gradients.size(), 1u);
  EXPECT_TRUE(same_bits<float>(found.gradients[0].second, expected.gradients[W]));
}

TEST(door, says_what_is_wrong) {
  const data d;
  const auto program = door::make_program<weighted>();
  const graphs several;
  test::expect_error([&] { (void)(*program)({.kinds = &several}, d.inputs()); }, {"the program reads a plain graph"});
  test::expect_error([&] { (void)(*program)({.plain = &d.g}, {}); }, {"input 'w' is not given"});
  std::vector<any_tensor> results(1);
  test::expect_error([&] { program->into(results, {.plain = &d.g}, d.inputs()); },
                     {"the program gives 3 results, not 1"});
  const auto recorded = door::make_training<weighted>()->record({.plain = &d.g}, d.inputs());
  test::expect_error([&] { (void)recorded->backward({}); }, {"a cotangent for each real output, 3, not 0"});
}

}  // namespace
}  // namespace stg
