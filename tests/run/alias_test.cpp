// test: draft calls
// Results that are a call's own tensors: outputs that are inputs, gradients that are cotangents, one value given twice.
#include "expect_error.hpp"  // expect_error

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int32_t
#include <vector>   // vector

namespace alias_test {

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", 2>);
inline constexpr auto eps = stg::trainable(stg::scalar<"eps">);

inline constexpr auto itself = [](auto v) { return v(x); };
inline constexpr auto twice = [](auto v) {
  auto y = v(x) + 1.0;
  return outputs(y, y, stg::reshape<2, 1>(y), v(x));
};
inline constexpr auto h = stg::vertex_feature<"h", 2>;
inline constexpr auto w = stg::edge_feature<"w", 2>;
inline constexpr auto near = [](auto v) { return sum(v.in_edges().src(h)); };
inline constexpr auto near_of_halves = [](auto v) { return sum(v.in_edges().src(v(h) / 2.0)); };
inline constexpr auto scaled = [](auto v) {
  auto e = v.in_edges();
  return outputs(e(w) * e.src(h), sum(e(w)));
};
inline constexpr auto scaled_twice = [](auto v) { return v(x) * sum(v.in_edges().src(h)); };
inline constexpr auto only_eps = [](auto v) { return v(eps); };

const stg::graph graph = stg::graph::from_edges(3, std::span<const std::int64_t>(), std::span<const std::int64_t>());
const stg::graph ring = [] {
  const std::int64_t src[] = {0, 1, 2}, dst[] = {1, 2, 0};
  return stg::graph::from_edges(3, src, dst);
}();
const auto X = stg::tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6});

TEST(alias, an_output_that_is_an_input_is_a_copy) {
  auto y = stg::compile<itself>()(graph, x = X);
  EXPECT_NE(y.data(), X.data());
  EXPECT_EQ(y(2, 1), 6);
}

TEST(alias, inputs_that_are_one_tensor_are_found) {
  auto layer = stg::compile<scaled_twice>();
  const auto U = stg::tensor<float>::from({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(layer.same_inputs(ring, x = X, h = U).empty());
  const auto same = layer.same_inputs(ring, x = X, h = X);
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0], (stg::same_input{"h", "x"}));
  EXPECT_TRUE(stg::compile<itself>().same_inputs(ring, x = X).empty());
}

TEST(alias, inputs_of_a_call_on_blocks_that_are_one_tensor_are_found) {
  auto layer = stg::compile<scaled_twice>();
  const stg::neighbour_sampler sampler(ring, {.fan_outs = {2}});
  const stg::batch b = sampler.sample(std::vector<std::int32_t>{0}, 1);
  const auto near = stg::gather(X, b.vertices), others = stg::gather(X, b.vertices);
  EXPECT_TRUE(layer.same_inputs(b.blocks(), x = near, h = others).empty());
  const auto same = layer.same_inputs(b.blocks(), x = near, h = near);
  ASSERT_EQ(same.size(), 1u);
  EXPECT_EQ(same[0], (stg::same_input{"h", "x"}));
}

TEST(alias, one_value_may_be_given_several_times) {
  const auto [a, b, c, d] = stg::compile<twice>()(graph, x = X);
  EXPECT_EQ(a(2, 1), 7);
  EXPECT_EQ(b(2, 1), 7);
  EXPECT_EQ(c(2, 1, 0), 7);
  EXPECT_EQ(d(2, 1), 6);
  EXPECT_NE(a.data(), b.data());
}

TEST(alias, a_gradient_that_is_the_cotangent_outlives_it) {
  auto layer = stg::compile_for_training<itself>();
  auto tape = layer.record(graph, x = X);
  auto gradients = tape.backward(stg::tensor<float>::full({3, 2}, 5));  // a temporary
  EXPECT_EQ(gradients[x](0, 0), 5);
  EXPECT_EQ(gradients[x](2, 1), 5);
}

TEST(alias, the_gradient_of_a_scalar_for_itself_is_one) {
  auto step = stg::value_and_grad<only_eps>();
  const auto [loss, outputs, gradients] = step(graph, eps = 3);
  EXPECT_EQ(loss, 3);
  EXPECT_EQ(gradients[eps].item(), 1);
}

TEST(alias, cotangents_of_one_value_given_twice_add_up) {
  auto layer = stg::compile_for_training<twice>();
  auto tape = layer.record(graph, x = X);
  auto gradients = tape.backward(stg::tensor<float>::full({3, 2}, 1), stg::tensor<float>::full({3, 2}, 10),
                                 stg::tensor<float>::full({3, 2, 1}, 100), stg::tensor<float>::full({3, 2}, 1000));
  EXPECT_EQ(gradients[x](1, 1), 1111);
}

stg::tensor<float> rows_at(stg::tensor<float>& room, std::int64_t first) {  // (3, 2)
  return stg::tensor<float>::view_of(room.data() + first, {3, 2});
}

TEST(alias, an_output_in_the_memory_of_an_input_is_refused) {
  const auto layer = stg::compile<near>();
  stg::tensor<float> room({18});
  auto H = rows_at(room, 6);
  for (int i = 0; i < 6; ++i) H.data()[i] = X.data()[i];
  const auto expect_refused = [&](auto& out) {
    stg::test::expect_error([&] { layer.into(out, ring, h = H); },
                            {"stg: output 0 lies in the memory of input 'h'; give another tensor"});
  };
  expect_refused(H);
  for (const std::int64_t first : {1, 6, 11}) {
    auto out = rows_at(room, first);
    expect_refused(out);
  }
  EXPECT_EQ(H(2, 1), 6);
  for (const std::int64_t first : {0, 12}) {  // beside it
    auto out = rows_at(room, first);
    layer.into(out, ring, h = H);
    EXPECT_EQ(out(0, 1), 6);
    EXPECT_EQ(out(1, 0), 1);
    EXPECT_EQ(H(2, 1), 6);
  }
}

TEST(alias, an_output_in_the_memory_of_a_fixed_input_is_refused) {
  const auto layer = stg::compile<near_of_halves>();
  auto H = X.clone();
  auto out = layer(ring, h = stg::fixed(H));
  EXPECT_EQ(out(1, 0), 0.5f);
  stg::test::expect_error([&] { layer.into(H, ring, h = stg::fixed(H)); },
                          {"output 0 lies in the memory of input 'h'; give another tensor"});
  layer.into(out, ring, h = stg::fixed(H));
  EXPECT_EQ(H(2, 1), 6);
}

TEST(alias, edge_values_and_outputs_that_share_memory_are_refused) {
  const auto layer = stg::compile<scaled>();
  auto W = ring.edge_values(stg::tensor<float>::full({3, 2}, 2));
  auto out = layer(ring, h = X, w = W);
  layer.into(out, ring, h = X, w = W);
  EXPECT_EQ(out.get<0>().values()(2, 1), 2 * X(1, 1));  // of edge 1 -> 2, the third in the order of ids

  auto room = stg::tensor<float>({7});
  out.get<0>() = stg::edge_values<float>::in_id_order(rows_at(room, 0));
  out.get<1>() = rows_at(room, 1);
  stg::test::expect_error([&] { layer.into(out, ring, h = X, w = W); },
                          {"stg: output 1 lies in the memory of output 0; give another tensor"});
  out.get<1>() = W.values().view().reshape({3, 2}).clone();
  out.get<0>() =
      stg::edge_values<float>::in_id_order(stg::tensor<float>::view_of(const_cast<float*>(W.values().data()), {3, 2}));
  stg::test::expect_error([&] { layer.into(out, ring, h = X, w = W); }, {"output 0 lies in the memory of input 'w'"});
}

TEST(alias, no_rows_share_no_memory) {
  const auto none = stg::graph::from_edges(0, std::span<const std::int64_t>(), std::span<const std::int64_t>());
  stg::tensor<float> H({0, 2});
  stg::compile<near>().into(H, none, h = H);
  EXPECT_EQ(H.extent(0), 0);
}

}  // namespace alias_test
