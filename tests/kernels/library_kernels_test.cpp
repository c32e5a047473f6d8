// A network of a user's own names has all of its kernels from the library, compiles none, and computes what a draft
// does.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

constexpr auto features = vertex_feature<"features", extent<"inputs">>;
constexpr auto community = vertex_feature<"community", i32>;
constexpr auto seen = vertex_feature<"seen", boolean>;
constexpr auto neighbours = parameter<"neighbours", extent<"inputs">, extent<"hidden">>;
constexpr auto own = parameter<"own", extent<"inputs">, extent<"hidden">>;
constexpr auto bias = parameter<"bias", extent<"hidden">>;
constexpr auto neighbours2 = parameter<"neighbours2", extent<"hidden">, extent<"communities">>;
constexpr auto own2 = parameter<"own2", extent<"hidden">, extent<"communities">>;
constexpr auto bias2 = parameter<"bias2", extent<"communities">>;

constexpr auto network = [](auto v) {
  auto h = dropout(relu(nn::sage_conv(v, v(features), neighbours, own) + bias), 0.5);
  return nn::sage_conv(v, h, neighbours2, own2) + bias2;
};
constexpr auto loss = [](auto v) { return cross_entropy(network(v), v(community), v(seen)); };
constexpr auto another = [](auto v) { return sum(sin(v.in_edges().src(v(features)))); };

// By hand, means first, of the width that the library has, with a linear layer on top.
constexpr auto to32 = parameter<"to32", extent<"inputs">, 32>;
constexpr auto own32 = parameter<"own32", extent<"inputs">, 32>;
constexpr auto bias32 = parameter<"bias32", 32>;
constexpr auto square = parameter<"square", 32, 32>;
constexpr auto own_square = parameter<"own_square", 32, 32>;
constexpr auto square_bias = parameter<"square_bias", 32>;
constexpr auto head = parameter<"head", 32, extent<"communities">>;
constexpr auto wide = [](auto v) {
  auto near = [v](auto h) { return mean(v.in_edges().src(h)); };
  auto h = dropout(relu(matmul(near(v(features)), to32) + matmul(v(features), own32) + bias32), 0.5);
  return matmul(relu(matmul(near(h), square) + matmul(h, own_square) + square_bias), head);
};
constexpr auto wide_loss = [](auto v) { return cross_entropy(wide(v), v(community), v(seen)); };

/// How many units of a plan have kernels, and how many of those the library holds.
struct kernel_count {
  int all = 0, of_library = 0;
};
template <class P> constexpr kernel_count count() {
  kernel_count n;
  const auto look = [&]<int Unit>() {
    n.all += cpu::has_kernel(P::plan.units[Unit]);
    n.of_library += cpu::detail::library_key_of<P, Unit>() != 0;
  };
  [&]<int... Unit>(std::integer_sequence<int, Unit...>) { (look.template operator()<Unit>(), ...); }
  (std::make_integer_sequence<int, P::plan.unit_count>());
  return n;
}
template <class P> constexpr bool has_all = count<P>().all > 0 && count<P>().of_library == count<P>().all;
template <const auto& Network, const auto& Loss> constexpr bool are_all_of_library() {
  using training = typename stg::detail::training_with<cpu::backend, fixed_symbols<>, Loss>::memory;
  return has_all<executable<inferred<ref<Network>>>> && has_all<typename training::F> && has_all<typename training::G>;
}
static_assert(are_all_of_library<network, loss>() && are_all_of_library<wide, wide_loss>());
constexpr kernel_count other = count<executable<inferred<ref<another>>>>();
static_assert(other.all == 2 && other.of_library == 1, "its sines are its own, its sum is everybody's");

struct all_results {
  tensor<float> logits;
  float loss = 0;
  tensor<float> of_own, of_bias;
};
struct inputs {
  graph on = karate_club().graph;
  tensor<float> X{{on.vertices(), 5}};
  tensor<std::int32_t> Y{{on.vertices()}};
  tensor<bool> S{{on.vertices()}};
  inputs() {
    uniform(X, -1, 1, 3);
    for (std::int64_t v = 0; v < on.vertices(); ++v) {
      Y(v) = static_cast<std::int32_t>(v % 3);
      S(v) = v % 2 == 0;
    }
  }
};
template <const auto& Own, const auto& Bias, class Predict, class Step, class Parameters>
all_results run(Predict predict, Step step, Parameters& params) {
  const inputs in;
  initialize(params, 7);
  step.seed(11);
  all_results all;
  all.logits = predict(in.on, features = in.X, params);
  auto now = step(in.on, features = in.X, community = in.Y, seen = in.S, params);
  all.loss = now.loss;
  all.of_own = now.gradients[Own].clone();
  all.of_bias = now.gradients[Bias].clone();
  return all;
}
void expect_near(const tensor<float>& a, const tensor<float>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 2e-6) << i;
}

void expect_near(const all_results& held, const all_results& drafted) {
  expect_near(held.logits, drafted.logits);
  EXPECT_NEAR(held.loss, drafted.loss, 2e-6);
  expect_near(held.of_own, drafted.of_own);
  expect_near(held.of_bias, drafted.of_bias);
}

TEST(library_kernels, compute_what_drafts_do) {
  for (const std::int64_t hidden : {1, 7, 16, 33}) {
    SCOPED_TRACE(hidden);
    auto params = parameters<loss>(sized<"inputs">(5), sized<"hidden">(hidden), sized<"communities">(3));
    expect_near(run<own, bias>(compile<network>(), value_and_grad<loss>(), params),
                run<own, bias>(compile<network>(draft()), value_and_grad<loss>(draft()), params));
  }
}
TEST(library_kernels, of_known_width_compute_what_drafts_do) {
  auto params = parameters<wide_loss>(sized<"inputs">(5), sized<"communities">(3));
  expect_near(run<own32, bias32>(compile<wide>(), value_and_grad<wide_loss>(), params),
              run<own32, bias32>(compile<wide>(draft()), value_and_grad<wide_loss>(draft()), params));
}

}  // namespace
}  // namespace stg
