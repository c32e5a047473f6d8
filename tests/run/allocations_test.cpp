// After the first call, inference into tensors that exist and training steps allocate nothing: no arena, no tensor, and
// not one malloc.
#include "support/count_allocations.hpp"  // allocations
#include "support/networks.hpp"           // gcn, gat

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

namespace networks = test::networks;

/// What has been allocated so far.
struct allocated {
  std::uint64_t arenas = arena::total_allocated(), tensors = tensor_bytes_allocated(), mallocs = test::allocations();
};

/// Calls action a few times on one thread and on two, and expects that only the first call of each allocates.
template <class Action> void expect_allocations_only_once(Action action) {
  const int before = threads();
  for (const int n : {1, 2}) {
    set_threads(n);
    action();
    const allocated warm;
    for (int call = 0; call < 3; ++call) action();
    const allocated now;
    EXPECT_EQ(now.arenas, warm.arenas) << n << " threads";
    EXPECT_EQ(now.tensors, warm.tensors) << n << " threads";
    EXPECT_EQ(now.mallocs, warm.mallocs) << n << " threads";
  }
  set_threads(before);
}

const graph& vertices_and_edges() {
  static const graph g = test::power_law(3000, 40000, 8).add_self_loops();
  return g;
}

TEST(allocations, are_counted) {
  const allocated before;
  const tensor<float> t({100});
  arena a;
  a.reserve(64);
  auto p = std::make_unique<std::string>(100, 'x');
  const allocated after;
  EXPECT_EQ(after.tensors - before.tensors, 400u);
  EXPECT_EQ(after.arenas - before.arenas, 64u);
  if (test::counts_allocations) {
    EXPECT_EQ(after.mallocs - before.mallocs, 4u);
  }
}

template <const auto& Loss> void check_step() {
  const graph& g = vertices_and_edges();
  const test::vertex_data data(g.vertices(), 2);
  auto weights = parameters<Loss>();
  initialize(weights, 3);
  adam optimizer(weights, {.learning_rate = 0.01});
  sgd other(weights, {.learning_rate = 0.01});
  auto step = value_and_grad<Loss>();
  expect_allocations_only_once([&] {
    const auto now =
        step(g, networks::x = data.features, networks::label = data.labels, networks::known = data.known, weights);
    optimizer.step(now.gradients);
    other.step(now.gradients);
  });
}

TEST(allocations, a_training_step_of_graph_convolutions_makes_none) { check_step<networks::gcn_loss>(); }
TEST(allocations, a_training_step_of_graph_attention_makes_none) { check_step<networks::gat_loss>(); }

// The network without dropout on its features, so that there is something to keep.
constexpr auto fixed_loss = [](auto v) {
  return cross_entropy(nn::gcn_conv(v, relu(nn::gcn_conv(v, v(networks::x), networks::W1)), networks::W2),
                       v(networks::label), v(networks::known));
};

TEST(allocations, a_training_step_of_fixed_features_makes_none) {
  const graph& g = vertices_and_edges();
  const test::vertex_data data(g.vertices(), 2);
  auto weights = parameters<fixed_loss>();
  initialize(weights, 3);
  adam optimizer(weights, {.learning_rate = 0.01});
  auto step = value_and_grad<fixed_loss>();
  const auto predict = compile<fixed_loss>();
  tensor<float> loss({});
  expect_allocations_only_once([&] {
    using networks::known, networks::label, networks::x;
    const auto now = step(g, x = fixed(data.features), label = data.labels, known = fixed(data.known), weights);
    optimizer.step(now.gradients);
    predict.into(loss, g, x = fixed(data.features), label = data.labels, known = data.known, weights);
  });
  EXPECT_EQ(step.prologue_runs(), 1u);
  EXPECT_EQ(predict.prologue_runs(), 1u);
}

TEST(allocations, inference_into_a_tensor_makes_none) {
  const graph& g = vertices_and_edges();
  const test::vertex_data data(g.vertices(), 2);
  auto weights = parameters<networks::gat>();
  initialize(weights, 3);
  const auto predict = compile<networks::gat>();
  tensor<float> logits = predict(g, networks::x = data.features, weights);
  const tensor<float> expected = logits.clone();
  expect_allocations_only_once([&] {
    logits.fill(0);
    predict.into(logits, g, networks::x = data.features, weights);
  });
  EXPECT_TRUE(test::same_bits(logits, expected));
}

// Run-time extents, several outputs and an edge output.
constexpr auto z = vertex_feature<"z", extent<"F">>;
constexpr auto zz = vertex_feature<"zz", extent<"F">, extent<"G">>;
constexpr auto w = edge_feature<"w">;
constexpr auto several = [](auto v) {
  auto e = v.in_edges();
  return outputs(sum(e.src(z) * e(w)), softmax(e(w)), max(reshape<extent<"F"> * extent<"G">>(v(zz)), all_vertices));
};

TEST(allocations, several_outputs_with_run_time_extents_make_none) {
  const graph& g = vertices_and_edges();
  tensor<float> Z({g.vertices(), 7}), ZZ({g.vertices(), 7, 3}), weights({g.edges()});
  for (tensor<float>* t : {&Z, &ZZ, &weights}) uniform(*t, -1, 1, 1);
  const auto W = g.edge_values(weights);
  const auto layer = compile<several>();
  auto results = layer(g, z = Z, zz = ZZ, w = W);
  const auto expected = test::copy_of(results);
  expect_allocations_only_once([&] { layer.into(results, g, z = Z, zz = ZZ, w = W); });
  EXPECT_EQ(test::differences(results, expected), "");
}

}  // namespace
}  // namespace stg
