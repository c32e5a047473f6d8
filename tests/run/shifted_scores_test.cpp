// test: draft calls, proof kernels 0
// Adding a constant to every score changes nothing, and shares add up to 1: in every form in which a softmax is written
// and differentiated, for constants of any size.
#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // EXPECT_NEAR

#include <algorithm>         // max
#include <cmath>             // abs, exp
#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <string_view>       // string_view
#include <type_traits>       // is_same_v
#include <utility>           // move
#include <vector>            // vector

namespace stg {
namespace {

constexpr auto by = vertex_feature<"by">;                  // the constant
constexpr auto apart = trainable(edge_feature<"apart">);   // what scores differ by
constexpr auto value = vertex_feature<"value">;            // what shares weigh
constexpr auto by_head = vertex_feature<"by_head", 2, 1>;  // the same for two heads, and rows of equal numbers
constexpr auto heads = trainable(edge_feature<"heads", 2, 1>);
constexpr auto rows = vertex_feature<"rows", 2, 8>;

// ---- over edges ----

constexpr auto plain = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(e.src(by) + e(apart)) * e.src(value));
};
constexpr auto leaky = [](auto v) {  // gat_conv's
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(by) * 0.5 + v(by) * 0.5 + e(apart), 1.0)) * e.src(value));
};
constexpr auto dot_product = [](auto v) {  // transformer_conv's
  auto e = v.in_edges();
  auto fourth = v(by) * 0.25 + zeros<4>(v);
  return sum(softmax(sum(e.src(fourth) * e.dst(zeros<4>(v) + 1.0), axis<0>) + e(apart)) * e.src(value));
};
constexpr auto of_a_sum = [](auto v) {  // gatv2_conv's
  auto e = v.in_edges();
  auto fourth = v(by) * 0.25 + zeros<4>(v);
  auto score = sum(leaky_relu(e.src(fourth) + e.dst(zeros<4>(v)), 1.0) * (zeros<4>(v) + 1.0), axis<0>);
  return sum(softmax(score + e(apart)) * e.src(value));
};
constexpr auto read_twice = [](auto v) {
  auto e = v.in_edges();
  auto share = softmax(e.src(by) + e(apart));
  return sum(share * e.src(value)) + 0.0 * max(share);
};
constexpr auto per_feature = [](auto v) {
  auto e = v.in_edges();
  auto share = softmax(e.src(v(by) + zeros<19>(v)) + e(apart));
  return mean(sum(share * e.src(v(value) + zeros<19>(v))), axis<0>);
};
constexpr auto of_outgoing = [](auto v) {
  auto o = v.out_edges();
  return sum(softmax(o.dst(by) + o(apart)) * o.dst(value));
};
constexpr auto called = [](auto v) {
  auto layer = [](auto v, auto constant, auto weighed) {
    auto e = v.in_edges();
    return sum(softmax(e.src(constant) + e(apart)) * e.src(weighed));
  };
  return call(layer, v, v(by), v(value));
};
constexpr auto in_a_scan = [](auto v) {
  auto body = [](auto v, auto h) {
    auto e = v.in_edges();
    return next(sum(softmax(e.src(by) + e(apart)) * e.src(value)) + 0.0 * h);
  };
  return scan<3>(v, body, zeros<>(v));
};
constexpr auto of_heads = [](auto v) {
  auto e = v.in_edges();
  return mean(mean(sum(softmax(e.src(by_head) + e(heads)) * e.src(rows)), axis<1>), axis<0>);
};

template <const auto& Form> constexpr auto squared = [](auto v) { return sum(square(Form(v)), all_vertices); };

/// Vertex 0 has five in-edges and as many out-edges, 6 a single in-edge, 7 more than are taken at a time.
graph fans() {
  std::vector<std::int64_t> src{1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 5}, dst{0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6};
  for (std::int64_t k = 0; k < 2500; ++k) {
    src.push_back(1 + k % 5);
    dst.push_back(7);
  }
  return graph::from_edges(8, src, dst);
}

/// Scores are the constant and 0, step, … 4 step, which floats hold exactly.
struct scores {
  float constant, step;
};
struct found {
  tensor<float> y, slopes;
};
template <const auto& Form> found run(const graph& g, scores s, bool weighs_ones) {
  const std::int64_t n = g.vertices();
  tensor<float> differences({g.edges()}), values({n});
  for (std::int64_t e = 0; e < g.edges(); ++e) differences(e) = s.step * static_cast<float>(e % 5);
  for (std::int64_t v = 0; v < n; ++v) values(v) = weighs_ones ? 1.0f : static_cast<float>(v);
  const auto both = [&](const auto& trained, const auto&... bound) {
    auto y = compile<Form>()(g, bound...);
    auto now = value_and_grad<squared<Form>>()(g, bound...);
    return found{std::move(y), g.to_input_order(now.gradients[trained])};
  };
  if constexpr (std::is_same_v<decltype(Form), decltype((of_heads))>) {
    tensor<float> of_head({g.edges(), 2, 1}), in_rows({n, 2, 8});
    for (std::int64_t e = 0; e < g.edges(); ++e) of_head.row(e).fill(differences(e));
    for (std::int64_t v = 0; v < n; ++v) in_rows.row(v).fill(values(v));
    return both(heads, by_head = tensor<float>::full({n, 2, 1}, s.constant), heads = g.edge_values(of_head),
                rows = in_rows);
  } else {
    return both(apart, by = tensor<float>::full({n}, s.constant), apart = g.edge_values(differences), value = values);
  }
}

void expect_equal(const tensor<float>& found, const tensor<float>& expected, double within, scores s) {
  double size = 0;
  for (const float x : expected) size = std::max(size, std::abs(static_cast<double>(x)));
  ASSERT_EQ(found.size(), expected.size());
  for (std::int64_t k = 0; k < found.size(); ++k)
    ASSERT_NEAR(found.data()[k], expected.data()[k], within * size) << k << ", constant " << s.constant;
}

/// owners: vertices that own edges.
template <const auto& Form> void check(std::initializer_list<int> owners = {0, 6, 7}) {
  const graph g = fans();
  for (const float step : {0.0f, 1.0f}) {
    const found expected = run<Form>(g, {0, step}, false);
    double weighed = 0, all = 0;  // of vertex 0
    for (int k = 0; k < 5; ++k) {
      weighed += std::exp(static_cast<double>(step) * k) * (k + 1);
      all += std::exp(static_cast<double>(step) * k);
    }
    const double mix = weighed / all;
    EXPECT_NEAR(expected.y(0), mix, 1e-6 * mix);
    std::vector<float> constants{1e3f, -1e4f, 1e5f, -1e6f, 6e6f};
    if (step == 0) constants.insert(constants.end(), {1e8f, -1e9f, 1e20f, -1e30f, 1e30f});
    for (const float constant : constants) {
      const scores s{constant, step};
      const found shifted = run<Form>(g, s, false);
      expect_equal(shifted.y, expected.y, 2e-6, s);
      expect_equal(shifted.slopes, expected.slopes, 2e-6, s);
      const tensor<float> shares = run<Form>(g, s, true).y;
      for (const int v : owners)  // a sum of thousands is rounded, too
        EXPECT_NEAR(shares(v), 1, v == 7 ? 2e-5 : 1e-6) << "vertex " << v << ", constant " << constant;
    }
  }
}

TEST(shifted_scores, plain) { check<plain>(); }
TEST(shifted_scores, of_a_leaky_relu) { check<leaky>(); }
TEST(shifted_scores, of_a_dot_product) { check<dot_product>(); }
TEST(shifted_scores, of_a_sum) { check<of_a_sum>(); }
TEST(shifted_scores, whose_shares_are_read_twice) { check<read_twice>(); }
TEST(shifted_scores, per_feature) { check<per_feature>(); }
TEST(shifted_scores, of_outgoing_edges) { check<of_outgoing>({0}); }
TEST(shifted_scores, in_a_layer_that_is_called) { check<called>(); }
TEST(shifted_scores, in_a_scan) { check<in_a_scan>(); }
TEST(shifted_scores, of_heads) { check<of_heads>(); }

// ---- derivatives ----

/// Its slopes are shares: they add up to 1 over the edges of a vertex.
constexpr auto log_sums = [](auto v) {
  auto e = v.in_edges();
  return sum(select(v.in_degree() > 0.0, log_sum_exp(e.src(by) + e(apart)), 0.0), all_vertices);
};

TEST(shifted_scores, of_a_log_sum_exp_have_shares_for_slopes) {
  const graph g = graph::from_edges(6, {1, 2, 3, 4, 5}, {0, 0, 0, 0, 0});
  const auto slopes = [&](float constant, float step) {
    tensor<float> differences({5});
    for (int e = 0; e < 5; ++e) differences(e) = step * static_cast<float>(e);
    auto now =
        value_and_grad<log_sums>()(g, by = tensor<float>::full({6}, constant), apart = g.edge_values(differences));
    return g.to_input_order(now.gradients[apart]);
  };
  for (const float step : {0.0f, 1.0f})
    for (const float constant : {1e5f, -6e6f, 1e30f}) {
      if (constant == 1e30f && step > 0) continue;
      expect_equal(slopes(constant, step), slopes(0, step), 1e-6, {constant, step});
      float all = 0;
      for (const float x : slopes(constant, step)) all += x;
      EXPECT_NEAR(all, 1, 1e-6) << constant;
    }
}

/// The size of a gradient by scores, whose own gradient is a second derivative.
constexpr auto slope = [](auto v) {
  auto e = v.in_edges();
  auto score = e.src(by) + e(apart);
  auto loss = sum(square(sum(softmax(score) * e.src(value))), all_vertices);
  return sum(square(gradient(loss, score)), all_edges);
};

TEST(shifted_scores, have_equal_second_derivatives) {
  const graph g = fans();
  const auto run = [&](float constant, float step) {
    tensor<float> differences({g.edges()}), values({8});
    for (std::int64_t e = 0; e < g.edges(); ++e) differences(e) = step * static_cast<float>(e % 5);
    for (int v = 0; v < 8; ++v) values(v) = static_cast<float>(v);
    auto now = value_and_grad<slope>()(g, by = tensor<float>::full({8}, constant), apart = g.edge_values(differences),
                                       value = values);
    return found{tensor<float>::full({1}, now.loss), g.to_input_order(now.gradients[apart])};
  };
  for (const float constant : {1e4f, -6e6f}) {
    const found expected = run(0, 1), shifted = run(constant, 1);
    expect_equal(shifted.y, expected.y, 1e-5, {constant, 1});
    expect_equal(shifted.slopes, expected.slopes, 1e-5, {constant, 1});
  }
  expect_equal(run(1e30f, 0).slopes, run(0, 0).slopes, 1e-5, {1e30f, 0});
}

// ---- masks ----

constexpr auto allowed = edge_feature<"allowed", boolean>;
constexpr auto trained = trainable(vertex_feature<"trained">);
constexpr auto masked = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(select(e(allowed), e(apart), -1e9)) * e.src(trained));
};

TEST(shifted_scores, of_a_vertex_whose_edges_are_all_masked_share_equally) {
  const graph g = graph::from_edges(5, {1, 2, 3, 4}, {0, 0, 0, 0});
  const auto bound = [&](auto&& run) {  // a temporary, of which the result owns its memory
    return std::forward<decltype(run)>(run)(g, apart = g.edge_values(tensor<float>::from({4}, {.1f, .2f, .3f, .4f})),
                                            allowed = g.edge_values(tensor<bool>::full({4}, false)),
                                            trained = tensor<float>::from({5}, {0, 1, 2, 3, 4}));
  };
  EXPECT_NEAR(bound(compile<masked>())(0), 2.5, 3e-6);
  auto now = bound(value_and_grad<squared<masked>, trained>());
  for (int v = 1; v < 5; ++v) EXPECT_NEAR(now.gradients[trained](v), 2 * 2.5 / 4, 2e-6);  // mix² by a neighbour's value
}

// ---- along axes ----

constexpr auto logits = trainable(vertex_feature<"logits", 3>);
constexpr auto pairs = trainable(vertex_feature<"pairs", 2, 3>);
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto along_axes = [](auto v) {
  auto e = v.in_edges();
  return outputs(softmax(v(logits), axis<0>), log_softmax(v(logits)), softmax(v(pairs), axis<0>),
                 softmax(v(pairs), axis<1>), log_softmax(v(pairs), axis<0>), sum(softmax(e.src(logits), axis<0>)),
                 softmax(mean(v(logits), all_vertices), axis<0>));
};
constexpr auto loss_of_axes = [](auto v) {
  auto share = softmax(v(pairs), axis<0>) * softmax(v(pairs), axis<-1>);
  return sum(square(share)[0][0], all_vertices) + sum(log_softmax(v(logits))[0], all_vertices) +
         0.0 * sum(sum(log_sum_exp(v(pairs), axis<0>), axis<0>), all_vertices);
};
constexpr auto entropy = [](auto v) { return cross_entropy(v(logits), v(label)); };

TEST(shifted_scores, along_axes_are_those_without) {
  const graph g = graph::from_edges(2, {0, 1}, {1, 0});
  const auto shifted = [](tensor<float> x, float constant, float step) {
    for (float& each : x) each = constant + step * each;
    return x;
  };
  const auto bound = [&](auto&& run, float constant, float step) {
    return std::forward<decltype(run)>(run)(
        g, logits = shifted(tensor<float>::from({2, 3}, {0, 1, 2, 3, -1, 0}), constant, step),
        pairs = shifted(tensor<float>::from({2, 2, 3}, {0, 1, 2, 1, -1, 3, 2, 2, 2, 4, 1, 0}), constant, step));
  };
  const auto entropies = [&](float constant) {
    return value_and_grad<entropy>()(g, logits = shifted(tensor<float>::from({2, 3}, {0, 1, 2, 0, 1, 2}), constant, 1),
                                     label = tensor<std::int32_t>::full({2}, 2));
  };
  for (const float constant : {1e4f, -1e5f, 6e6f, 1e30f}) {
    const float step = constant == 1e30f ? 0.0f : 1.0f;
    const scores s{constant, step};
    std::vector<tensor<float>> expected;
    for_each(bound(compile<along_axes>(), 0, step),
             [&](std::string_view, const tensor<float>& y) { expected.push_back(y.clone()); });
    std::size_t k = 0;
    for_each(bound(compile<along_axes>(), constant, step), [&](std::string_view, const tensor<float>& y) {
      if (k == 6) EXPECT_NEAR(y(0) + y(1) + y(2), 1, 1e-6);  // of a mean, which is rounded
      else expect_equal(y, expected[k], 1e-6, s);
      ++k;
    });
    EXPECT_EQ(k, 7u);
    auto base = bound(value_and_grad<loss_of_axes>(), 0, step),
         now = bound(value_and_grad<loss_of_axes>(), constant, step);
    expect_equal(now.gradients[logits], base.gradients[logits], 2e-6, s);
    expect_equal(now.gradients[pairs], base.gradients[pairs], 2e-6, s);
    if (step == 0) continue;
    auto loss = entropies(constant);
    EXPECT_NEAR(loss.loss, 0.40760596, 1e-6) << constant;
    expect_equal(loss.gradients[logits], entropies(0).gradients[logits], 1e-6, s);
  }
}

}  // namespace
}  // namespace stg
