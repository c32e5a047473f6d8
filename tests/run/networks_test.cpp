// test: kernels widest
// Two whole networks, compiled once for all that is said of them. After the first call, inference into tensors that
// exist and training steps allocate nothing: no arena, no tensor, and not one malloc. A step's bytes depend on vertices
// alone; its results are bitwise equal for any number of threads; evaluation does not disturb it; and it runs on graphs
// without vertices or edges.
#include "support/count_allocations.hpp"  // allocations
#include "support/hubs.hpp"               // hubs, thread_counts
#include "support/networks.hpp"           // gcn, gat

#include <gtest/gtest.h>  // TEST

#include <cmath>   // isfinite
#include <vector>  // vector

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
    step.run(3, optimizer, g, networks::x = data.features, networks::label = data.labels, networks::known = data.known,
             weights);
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

// ---- memory of a step ----

struct bytes_of_step {
  std::int64_t planned = 0;
  std::uint64_t arenas = 0, tensors = 0;
};

/// A training step on a graph, with what it planned and what it allocated, once its inputs are there.
template <const auto& Loss> bytes_of_step measure(std::int64_t vertices, std::int64_t edges) {
  const graph g = test::power_law(vertices, edges, 5);
  const test::vertex_data data(vertices, 1);
  auto weights = parameters<Loss>();
  initialize(weights, 1);
  bytes_of_step b;
  b.arenas = arena::total_allocated();
  b.tensors = tensor_bytes_allocated();
  auto step = value_and_grad<Loss>();
  for (int call = 0; call < 2; ++call)
    step(g, networks::x = data.features, networks::label = data.labels, networks::known = data.known, weights);
  b.planned = step.bytes();
  EXPECT_EQ(peak_bytes<Loss>({vertices, edges}).training, b.planned) << "what explain says";
  b.arenas = arena::total_allocated() - b.arenas;
  b.tensors = tensor_bytes_allocated() - b.tensors;
  return b;
}

template <const auto& Loss> void check_ten_times_the_edges() {
  const int before = threads();
  for (const int n : {1, 2, 5}) {
    set_threads(n);
    const bytes_of_step some = measure<Loss>(2000, 12000), many = measure<Loss>(2000, 120000);
    EXPECT_EQ(many.planned, some.planned) << n << " threads";
    EXPECT_EQ(many.arenas, some.arenas) << n << " threads";
    EXPECT_EQ(many.tensors, 0u) << n << " threads";
    EXPECT_GE(some.arenas, static_cast<std::uint64_t>(some.planned)) << "what is allocated is what was planned";
    EXPECT_GT(some.planned, 2000 * 16 * 4) << "at least the hidden layer is kept";
    const bytes_of_step larger = measure<Loss>(4000, 12000);
    EXPECT_GT(larger.planned, some.planned * 3 / 2) << "vertices do count";
  }
  set_threads(before);
}

TEST(memory, graph_convolutions_need_as_much_for_ten_times_the_edges) {
  check_ten_times_the_edges<networks::gcn_loss>();
}
TEST(memory, graph_attention_needs_as_much_for_ten_times_the_edges) { check_ten_times_the_edges<networks::gat_loss>(); }

// ---- bits of a step ----

/// Two steps of training, with all that they return, on 1, 2, 3, 4 and 7 threads and twice on each.
template <const auto& Loss> void check_training() {
  const test::keep_threads keep;
  const test::vertex_data data(test::hubs().vertices(), 11);
  auto weights = parameters<Loss>();
  initialize(weights, 5);
  const auto train = [&](auto use) {
    auto step = value_and_grad<Loss>();
    step.seed(42);
    for (int call = 0; call < 2; ++call)
      use(call, step(test::hubs(), networks::x = data.features, networks::label = data.labels,
                     networks::known = data.known, weights));
  };

  set_threads(1);
  using result = decltype(value_and_grad<Loss>()(test::hubs(), networks::x = data.features,
                                                 networks::label = data.labels, networks::known = data.known, weights));
  std::vector<result> expected;
  train([&](int, const result& r) {
    ASSERT_TRUE(std::isfinite(r.loss));
    expected.push_back({r.loss, test::copy_of(r.outputs), test::copy_of(r.gradients)});
  });
  EXPECT_NE(expected[0].loss, expected[1].loss) << "dropout draws anew in every call";

  for (const int n : test::thread_counts) {
    set_threads(n);
    for (int run = 0; run < 2; ++run)
      train([&](int call, const result& r) {
        EXPECT_EQ(test::differences(r.outputs, expected[static_cast<std::size_t>(call)].outputs), "")
            << n << " threads";
        EXPECT_EQ(test::differences(r.gradients, expected[static_cast<std::size_t>(call)].gradients), "")
            << n << " threads";
      });
  }
}

TEST(threads, graph_convolutions_train_to_the_same_bits) { check_training<networks::gcn_loss>(); }
TEST(threads, graph_attention_trains_to_the_same_bits) { check_training<networks::gat_loss>(); }

// ---- steps beside other calls, and without edges ----

TEST(training, evaluation_between_two_steps_changes_nothing) {
  const graph g = test::power_law(200, 1500, 9).add_self_loops();
  const test::vertex_data data(g.vertices(), 4);
  using networks::gcn, networks::gcn_loss, networks::known, networks::label, networks::x;
  const auto train = [&](auto between) {
    auto weights = parameters<gcn_loss>();
    initialize(weights, 1);
    auto step = value_and_grad<gcn_loss>();
    step.seed(6);
    adam optimizer(weights, {.learning_rate = 0.01});
    for (int epoch = 0; epoch < 5; ++epoch) {
      const auto now = step(g, x = data.features, label = data.labels, known = data.known, weights);
      optimizer.step(now.gradients);
      between(weights);
    }
    return weights;
  };
  const auto undisturbed = train([](auto&) {});
  auto predict = compile<gcn>();
  int evaluations = 0;
  const auto disturbed = train([&](auto& weights) {
    const auto logits = predict(g, x = data.features, weights);
    evaluations += logits.size() > 0;
  });
  EXPECT_EQ(evaluations, 5);
  EXPECT_EQ(test::differences(disturbed, undisturbed), "");
}

void check_without_edges(const graph& g) {
  const test::vertex_data data(g.vertices(), 1);
  auto weights = parameters<networks::gcn_loss>();
  initialize(weights, 1);
  auto step = value_and_grad<networks::gcn_loss>();
  const auto now =
      step(g, networks::x = data.features, networks::label = data.labels, networks::known = data.known, weights);
  EXPECT_TRUE(std::isfinite(now.loss));
  for_each(now.gradients, [](std::string_view name, const auto& t) {
    for (const float d : t) EXPECT_EQ(d, 0) << name;
  });
  EXPECT_EQ(compile<networks::gat>()(g, networks::x = data.features, parameters<networks::gat>()).shape(),
            dimensions({g.vertices(), 5}));
}

TEST(training, on_a_graph_without_vertices) { check_without_edges(graph()); }
TEST(training, on_a_graph_without_edges) { check_without_edges(test::from_pairs(6, {})); }

}  // namespace
}  // namespace stg
