// test: calls, proof
// Scans on a GPU, from stg::cuda() to gradients on the host: on one graph and on one that changes, from either store,
// with checkpoints, without steps, captured, and with each CUDA call failing. Kernels by the emulator, all else by a
// fake of CUDA.
#include "../run/expect_error.hpp"      // expect_error
#include "../run/support/families.hpp"  // power_law
#include "drawn.hpp"                    // drawn_floats, expect_near
#include "gpu_under_test.hpp"           // on_gpu

#include <stg/runtime/cuda/stream.hpp>     // captured_step
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs, isnan
#include <cstring>  // memcmp
#include <random>   // mt19937
#include <vector>   // vector

namespace stg {
namespace {

using test::on_gpu;

struct scans_on_a_gpu : test::gpu_under_test {
  test::without_checks unchecked;
};

constexpr std::int64_t V = 30;
constexpr auto x = over<"T">(vertex_feature<"x", 3>);
constexpr auto y = over<"T">(vertex_feature<"y">);
constexpr auto w = over<"T">(edge_feature<"w">);
constexpr auto f = over<"T">(trainable(edge_feature<"f", 2>));
constexpr auto h = vertex_feature<"h", 4>;
constexpr auto W = parameter<"W", 3, 4>;
constexpr auto U = over<"L">(parameter<"U", 4, 4>);
constexpr auto k = parameter<"k", 2>;

/// A state of each vertex through a softmax over the step's edges and layers within the step, dropout, twice by a call,
/// and a loss at each step; the last state too.
constexpr auto losses = [](auto v) {
  auto [last, errors] = scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        auto score = e(w) + sum(e(f) * k, axis<0>) + sum(e.src(state) * v(state), axis<0>);
        auto heard = sum(softmax(score) * e.src(state)) / (v.in_degree() + 1.0);
        auto deep = scan<"L">(
            v, [](auto v, auto s) { return tanh(matmul(sum(v.out_edges().dst(s)), U) + s); }, heard);
        auto drops = [](auto, auto z) { return dropout(z, 0.3); };
        auto dropped = 0.25 * call(drops, v, v(x)) + 0.5 * call(drops, v, dropout(v(x), 0.3));
        auto n = tanh(matmul(dropped, W) + 0.5 * state + deep);
        return next(n).gives(mean(square(sum(n, axis<0>) - v(y)), all_vertices));
      },
      v(h));
  return outputs(mean(stacked(errors), axis<0>), h = last);
};

template <const auto& F> using step_on_gpu = training_step<ref<F>, stg::detail::trainable_entries<ref<F>>, on_gpu>;

using test::drawn_floats, test::expect_near;
bool same_bits(const tensor<float>& a, const tensor<float>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

struct data {
  tensor<float> in, wanted, start = drawn_floats({V, 4}, 3);
  decltype(parameters<losses>(sized<"L">(2))) weights = parameters<losses>(sized<"L">(2));
  explicit data(std::int64_t T) : in(drawn_floats({T, V, 3}, 1)), wanted(drawn_floats({T, V}, 2)) {
    initialize(weights, 4);
  }
};

/// Edges that come and go; step 1 has none, step 2 a row of more edges than a GPU gives one group.
std::vector<snapshot_edges> days() {
  std::mt19937 random(5);
  std::vector<snapshot_edges> all(4);
  for (std::size_t t = 0; t < all.size(); ++t) {
    const int edges = t == 1 ? 0 : 60 + 10 * static_cast<int>(t);
    for (int e = 0; e < edges + (t == 2 ? 2500 : 0); ++e) {
      all[t].src.push_back(static_cast<std::int64_t>(random() % V));
      all[t].dst.push_back(e < edges ? static_cast<std::int64_t>(random() % V) : 7);
      all[t].weights.push_back(0.25 * (random() % 9) - 1);
    }
  }
  return all;
}

TEST_F(scans_on_a_gpu, train_on_one_graph_as_on_the_cpu) {
  const graph g = test::power_law(V, 120, 4), there = g.to(cuda());
  for (const std::int64_t T : {0, 1, 5}) {
    SCOPED_TRACE(T);
    const data d(T);
    const auto weights = g.edge_steps(drawn_floats({T, g.edges()}, 6)),
               features = g.edge_steps(drawn_floats({T, g.edges(), 2}, 7));
    const auto far = d.weights.to(cuda());
    auto here = value_and_grad<losses>(draft());
    step_on_gpu<losses> step;
    for (int call = 0; call < 2; ++call) {
      auto near = here(g, x = d.in, y = d.wanted, w = weights, f = features, h = d.start, d.weights);
      auto on_device = step(there, x = d.in.to(cuda()), y = d.wanted.to(cuda()), w = weights.to(cuda()),
                            f = features.to(cuda()), h = d.start.to(cuda()), far);
      EXPECT_EQ(std::isnan(on_device.loss), T == 0);  // a mean of nothing
      if (T > 0) {
        EXPECT_NEAR(on_device.loss, near.loss, 1e-5 * near.loss);
      }
      expect_near(on_device.outputs[h].to(host), near.outputs[h]);
      expect_near(on_device.gradients[W].to(host), near.gradients[W]);
      expect_near(on_device.gradients[U].to(host), near.gradients[U]);
      expect_near(on_device.gradients[f].to(host).values(), near.gradients[f].values());
    }
  }
}

TEST_F(scans_on_a_gpu, keep_their_bits_with_checkpoints) {
  const graph g = test::power_law(V, 120, 4).to(cuda());
  const data d(7);
  const auto in = d.in.to(cuda()), wanted = d.wanted.to(cuda()), start = d.start.to(cuda());
  const auto weights = g.to(host).edge_steps(drawn_floats({7, g.edges()}, 6)).to(cuda());
  const auto features = g.to(host).edge_steps(drawn_floats({7, g.edges(), 2}, 7)).to(cuda());
  const auto far = d.weights.to(cuda());
  tensor<float> of_all;
  for (const std::int64_t every : {0, 1, 3, 7}) {
    step_on_gpu<losses> step;
    if (every > 0) step.checkpoint({.every = every});
    auto now = step(g, x = in, y = wanted, w = weights, f = features, h = start, far);
    const tensor<float> gradient = now.gradients[W].to(host);
    if (every == 0) of_all = gradient.clone();
    EXPECT_TRUE(same_bits(gradient, of_all)) << every;
  }
}

TEST_F(scans_on_a_gpu, train_on_a_graph_that_changes_as_on_the_cpu) {
  const data d(4);
  for (const snapshot_store store : {snapshot_store::resident, snapshot_store::changes}) {
    auto near_days = graph_sequence::from_steps(V, days(), {.store = store});
    auto far_days = near_days.to(cuda());
    EXPECT_EQ(far_days.place(), location(cuda()));
    EXPECT_TRUE(far_days.is_resident());
    const auto features = near_days.edge_steps(drawn_floats({near_days.edges(), 2}, 7));
    const auto far = d.weights.to(cuda());
    auto here = value_and_grad<losses>(draft());
    step_on_gpu<losses> step;
    for (int call = 0; call < 2; ++call) {
      auto near =
          here(near_days, x = d.in, y = d.wanted, w = near_days.weights(), f = features, h = d.start, d.weights);
      auto on_device = step(far_days, x = d.in.to(cuda()), y = d.wanted.to(cuda()), w = far_days.weights(),
                            f = features.to(cuda()), h = d.start.to(cuda()), far);
      EXPECT_NEAR(on_device.loss, near.loss, 1e-5 * near.loss);
      expect_near(on_device.outputs[h].to(host), near.outputs[h]);
      expect_near(on_device.gradients[W].to(host), near.gradients[W]);
      expect_near(on_device.gradients[U].to(host), near.gradients[U]);
      expect_near(on_device.gradients[f].to(host).values(), near.gradients[f].values());
    }
    EXPECT_EQ(far_days.to(host).edge_identity(), near_days.edge_identity());
  }
}

TEST_F(scans_on_a_gpu, keep_their_bits_with_checkpoints_on_a_graph_that_changes) {
  const data d(4);
  auto near_days = graph_sequence::from_steps(V, days(), {.store = snapshot_store::changes});
  auto far_days = near_days.to(cuda());
  const auto in = d.in.to(cuda()), wanted = d.wanted.to(cuda()), start = d.start.to(cuda());
  const auto features = near_days.edge_steps(drawn_floats({near_days.edges(), 2}, 7)).to(cuda());
  const auto far = d.weights.to(cuda());
  tensor<float> of_all, of_edges;
  for (const std::int64_t every : {0, 1, 2, 3, 4}) {
    step_on_gpu<losses> step;
    if (every > 0) step.checkpoint({.every = every});
    for (int call = 0; call < 2; ++call) {
      step.seed(11);
      auto now = step(far_days, x = in, y = wanted, w = far_days.weights(), f = features, h = start, far);
      const tensor<float> gradient = now.gradients[W].to(host), of_feature = now.gradients[f].to(host).values().clone();
      if (every == 0) of_all = gradient.clone(), of_edges = of_feature.clone();
      EXPECT_TRUE(same_bits(gradient, of_all)) << every;
      EXPECT_TRUE(same_bits(of_feature, of_edges)) << every;
    }
  }
}

TEST_F(scans_on_a_gpu, say_where_a_sequence_lies) {
  const data d(4);
  auto near_days = graph_sequence::from_steps(V, days());
  auto far_days = near_days.to(cuda());
  const auto features = near_days.edge_steps(drawn_floats({near_days.edges(), 2}, 7));
  const auto far = d.weights.to(cuda());
  step_on_gpu<losses> step;
  test::expect_error(
      [&] { step(near_days, x = d.in, y = d.wanted, w = near_days.weights(), f = features, h = d.start, d.weights); },
      {"graph sequence lies on the host", "sequence.to(stg::cuda())"});
  test::expect_error(
      [&] {
        step(far_days, x = d.in.to(cuda()), y = d.wanted.to(cuda()), w = near_days.weights(), f = features.to(cuda()),
             h = d.start.to(cuda()), far);
      },
      {"'w'", "another graph sequence"});
  auto here = value_and_grad<losses>(draft());
  test::expect_error(
      [&] { here(far_days, x = d.in, y = d.wanted, w = far_days.weights(), f = features, h = d.start, d.weights); },
      {"graph sequence lies on CUDA device 0", "sequence.to(stg::host)"});
}

/// A step of a recurrence that is captured: launches of all its steps, and copies between them.
TEST_F(scans_on_a_gpu, run_in_captured_steps) {
  const data d(3);
  const graph g = test::power_law(V, 120, 4).to(cuda());
  const auto in = d.in.to(cuda()), wanted = d.wanted.to(cuda()), start = d.start.to(cuda());
  const auto weights = g.to(host).edge_steps(drawn_floats({3, g.edges()}, 6)).to(cuda());
  const auto features = g.to(host).edge_steps(drawn_floats({3, g.edges(), 2}, 7)).to(cuda());
  const auto far = d.weights.to(cuda());
  const auto one = tensor<float>::full(dimensions(), 1).to(cuda());
  const auto none_of_state = tensor<float>({V, 4}).to(cuda());
  trainer<ref<losses>, stg::detail::all_real_outputs<ref<losses>>, stg::detail::trainable_entries<ref<losses>>, on_gpu>
      recorder;
  const float* gradient = nullptr;
  const auto epoch = [&] {
    auto tape = recorder.record(g, x = in, y = wanted, w = weights, f = features, h = start, far);
    gradient = tape.backward(one, none_of_state)[W].data();
  };
  const auto now = [&] { return tensor<float>::view_of(const_cast<float*>(gradient), {3, 4}, cuda()).to(host); };
  epoch();  // reserves what an epoch takes
  const tensor<float> launched = now();
  epoch();
  EXPECT_FALSE(same_bits(now(), launched));  // other random numbers
  recorder.seed(0);
  gpu::stream on(gpu::device::open(0));
  gpu::captured_step captured(on, {"epoch"}, epoch);
  captured.launch();
  EXPECT_TRUE(same_bits(now(), launched));
  captured.launch();
  EXPECT_FALSE(same_bits(now(), launched));  // other random numbers
}

#ifndef STG_ON_DEVICE
TEST_F(scans_on_a_gpu, survive_every_failing_call) {
  const data d(4);
  auto near_days = graph_sequence::from_steps(V, days());
  const auto features = near_days.edge_steps(drawn_floats({near_days.edges(), 2}, 7));
  const int calls = test::fail_each_call("a training step on a graph that changes", [&](test::fake_cuda& other) {
    test::emulated_launcher::on = &other;
    step_on_gpu<losses> step;
    auto far_days = near_days.to(cuda());
    auto now = step(far_days, x = d.in.to(cuda()), y = d.wanted.to(cuda()), w = far_days.weights(),
                    f = features.to(cuda()), h = d.start.to(cuda()), d.weights.to(cuda()));
    ASSERT_EQ(now.gradients[W].to(host).extent(0), 3);
  });
  EXPECT_GT(calls, 150);
}
#endif

}  // namespace
}  // namespace stg
