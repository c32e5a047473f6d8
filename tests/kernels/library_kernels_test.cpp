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
using training = stg::detail::training_with<cpu::backend, fixed_symbols<>, loss>::memory;
constexpr kernel_count plainly = count<executable<inferred<ref<network>>>>(), forward = count<training::F>(),
                       backward = count<training::G>(), other = count<executable<inferred<ref<another>>>>();
static_assert(plainly.all > 0 && plainly.of_library == plainly.all);
static_assert(forward.all > 0 && forward.of_library == forward.all);
static_assert(backward.all > 0 && backward.of_library == backward.all);
static_assert(other.all == 2 && other.of_library == 1, "its sines are its own, its sum is everybody's");

struct all_results {
  tensor<float> logits;
  float loss = 0;
  tensor<float> of_own, of_bias;
};
template <class Predict, class Step> all_results run(Predict predict, Step step, std::int64_t hidden) {
  const auto graph = karate_club().graph;
  tensor<float> X({graph.vertices(), 5});
  tensor<std::int32_t> Y({graph.vertices()});
  tensor<bool> S({graph.vertices()});
  uniform(X, -1, 1, 3);
  for (std::int64_t v = 0; v < graph.vertices(); ++v) {
    Y(v) = static_cast<std::int32_t>(v % 3);
    S(v) = v % 2 == 0;
  }
  auto params = parameters<loss>(sized<"inputs">(5), sized<"hidden">(hidden), sized<"communities">(3));
  initialize(params, 7);
  step.seed(11);
  all_results all;
  all.logits = predict(graph, features = X, params);
  auto now = step(graph, features = X, community = Y, seen = S, params);
  all.loss = now.loss;
  all.of_own = now.gradients[own].clone();
  all.of_bias = now.gradients[bias].clone();
  return all;
}
void expect_near(const tensor<float>& a, const tensor<float>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 2e-6) << i;
}

TEST(library_kernels, compute_what_drafts_do) {
  for (const std::int64_t hidden : {1, 7, 16, 33}) {
    SCOPED_TRACE(hidden);
    const all_results held = run(compile<network>(), value_and_grad<loss>(), hidden);
    const all_results drafted = run(compile<network>(draft()), value_and_grad<loss>(draft()), hidden);
    expect_near(held.logits, drafted.logits);
    EXPECT_NEAR(held.loss, drafted.loss, 2e-6);
    expect_near(held.of_own, drafted.of_own);
    expect_near(held.of_bias, drafted.of_bias);
  }
}

}  // namespace
}  // namespace stg
