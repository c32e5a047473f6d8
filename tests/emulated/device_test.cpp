// test: calls
// Whole calls on a GPU, from stg::cuda() to results on the host: kernels by the emulator, all else by a fake of CUDA.
#include "../run/expect_error.hpp"      // expect_error
#include "../run/support/families.hpp"  // power_law
#include "gpu_under_test.hpp"           // on_gpu

#include <stg/runtime/cuda/stream.hpp>         // captured_step
#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs
#include <string>  // string

namespace stg {
namespace {

using test::on_gpu;

struct cuda_programs : test::gpu_under_test {};

constexpr auto h = vertex_feature<"h", 12>;
constexpr auto s = sparse_feature<"s", 9>;
constexpr auto goal = vertex_feature<"goal", 8>;
constexpr auto scale = graph_feature<"scale">;
constexpr auto W = parameter<"W", 12, 8>;
constexpr auto U = parameter<"U", 9, 8>;
constexpr auto from = parameter<"from", 2, 4>;
constexpr auto to = parameter<"to", 2, 4>;
constexpr auto network = [](auto v) {
  auto near = reshape<8>(nn::gat_conv(v, dropout(v(h), 0.5), W, from, to));
  return relu(near + matmul(dropout(v(s), 0.3), U)) * v(scale);
};
constexpr auto loss = [](auto v) { return mse(network(v), v(goal)); };
constexpr auto both = [](auto v) { return outputs(network(v), sum(v.in_edges().src(v(h)) * v.in_edges().dst(v(h)))); };

struct data {
  graph g = test::power_law(50, 300, 4);
  tensor<float> rows{{50, 12}}, wanted{{50, 8}}, dense{{50, 9}};
  decltype(parameters<loss>()) weights = parameters<loss>();

  data() {
    initialize(weights, 3);
    for (std::int64_t i = 0; i < rows.size(); ++i) rows.data()[i] = static_cast<float>(i % 11) / 7 - 0.6f;
    for (std::int64_t i = 0; i < wanted.size(); ++i) wanted.data()[i] = static_cast<float>(i % 5) / 3;
    for (std::int64_t i = 0; i < dense.size(); i += 4) dense.data()[i] = static_cast<float>(i % 3) - 1.5f;
  }
};

template <class A, class B> void expect_near(const A& a, const B& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-5 * (1 + std::abs(b.data()[i])));
}

TEST_F(cuda_programs, give_what_the_cpu_gives) {
  const data d;
  const auto x = sparse(d.dense);
  const auto g = d.g.to(cuda());
  const auto rows = d.rows.to(cuda());
  const auto there = d.weights.to(cuda());
  const model<ref<network>, on_gpu> layer;
  const auto out = layer(g, h = rows, s = x.to(cuda()), scale = 2.0, there);
  EXPECT_EQ(out.place(), location(cuda()));
  expect_near(out.to(host), compile<network>(draft())(d.g, h = d.rows, s = x, scale = 2.0, d.weights));

  auto again = out.clone();
  layer.into(again, g, h = rows, s = x.to(cuda()), scale = 3.0, there);
  expect_near(again.to(host), compile<network>(draft())(d.g, h = d.rows, s = x, scale = 3.0, d.weights));
}

TEST_F(cuda_programs, train_as_on_the_cpu) {
  const data d;
  const auto x = sparse(d.dense);
  using entries = detail::trainable_entries<ref<loss>>;
  training_step<ref<loss>, entries, on_gpu> step;
  auto here = value_and_grad<loss>(draft());
  step.seed(5);
  here.seed(5);
  const auto g = d.g.to(cuda());
  const auto rows = d.rows.to(cuda()), wanted = d.wanted.to(cuda());
  const auto sparse_rows = x.to(cuda());
  const auto there = d.weights.to(cuda());
  for (int k = 0; k < 3; ++k) {
    auto on_device = step(g, h = rows, s = sparse_rows, goal = wanted, scale = 1.5, there);
    auto on_host = here(d.g, h = d.rows, s = x, goal = d.wanted, scale = 1.5, d.weights);
    EXPECT_NEAR(on_device.loss, on_host.loss, 1e-5 * on_host.loss);
    expect_near(on_device.gradients[W].to(host), on_host.gradients[W]);
    expect_near(on_device.gradients[U].to(host), on_host.gradients[U]);
    expect_near(on_device.gradients[from].to(host), on_host.gradients[from]);
  }
}

TEST_F(cuda_programs, train_on_one_batch_after_the_other) {
  const data d;
  const auto x = sparse(d.dense);
  training_step<ref<loss>, detail::trainable_entries<ref<loss>>, on_gpu> step;
  auto here = value_and_grad<loss>(draft());
  const auto there = d.weights.to(cuda());
  const neighbour_sampler sampler(d.g, {.fan_outs = {4, 3}});
  batch b;
  for (std::int32_t k = 0; k < 4; ++k) {  // larger and smaller ones, whose masks are drawn by ids of the large graph
    sampler.sample_into(b, std::vector<std::int32_t>{k, 40 - k, 20 + k}, static_cast<std::uint64_t>(k));
    const auto rows = gather(d.rows, b.vertices), wanted = gather(d.wanted, b.vertices);
    const auto sparse_rows = gather(x, b.vertices);
    auto on_device = step(b.graph.to(cuda()), h = rows.to(cuda()), s = sparse_rows.to(cuda()), goal = wanted.to(cuda()),
                          scale = 1.5, there);
    auto on_host = here(b.graph, h = rows, s = sparse_rows, goal = wanted, scale = 1.5, d.weights);
    EXPECT_NEAR(on_device.loss, on_host.loss, 1e-5 * on_host.loss);
    expect_near(on_device.gradients[W].to(host), on_host.gradients[W]);
    expect_near(on_device.gradients[U].to(host), on_host.gradients[U]);
  }
}

constexpr auto a = graph_feature<"a", f64>;
constexpr auto deep = trainable(vertex_feature<"deep", f64, 3>);
constexpr auto b = graph_feature<"b", f64>;
constexpr auto of_doubles = [](auto v) {
  return sum(sum(sum(v.in_edges().src(v(deep))) * v(a), axis<0>) * v(b), all_vertices);
};
TEST_F(cuda_programs, take_numbers_and_doubles) {
  const graph g = test::power_law(50, 300, 4);
  tensor<double> x({50, 3});
  for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i % 7) - 3;
  training_step<ref<of_doubles>, detail::trainable_entries<ref<of_doubles>>, on_gpu> step;
  auto here = value_and_grad<of_doubles>(draft());
  const auto there = g.to(cuda());
  const auto far = x.to(cuda());
  auto on_device = step(there, deep = far, a = 0.5, b = 3.0);
  auto on_host = here(g, deep = x, a = 0.5, b = 3.0);
  EXPECT_NEAR(on_device.loss, on_host.loss, 1e-12 * std::abs(on_host.loss));
  expect_near(on_device.gradients[deep].to(host), on_host.gradients[deep]);
}

TEST_F(cuda_programs, record_tapes) {
  const data d;
  const auto x = sparse(d.dense);
  using outputs = detail::all_real_outputs<ref<both>>;
  using entries = detail::trainable_entries<ref<both>>;
  trainer<ref<both>, outputs, entries, on_gpu> there;
  auto here = compile_for_training<both>(draft());
  const auto rows = d.rows.to(cuda());
  const auto sparse_rows = x.to(cuda());
  const auto weights = d.weights.to(cuda());
  auto far = there.record(d.g.to(cuda()), h = rows, s = sparse_rows, scale = 1.0, weights);
  auto near = here.record(d.g, h = d.rows, s = x, scale = 1.0, d.weights);
  tensor<float> first({50, 8}), second({50, 12});
  first.fill(0.5f);
  second.fill(-1);
  auto expected = near.backward(first, second);
  auto given = far.backward(first.to(cuda()), second.to(cuda()));
  expect_near(far.output<1>().to(host), near.output<1>());
  expect_near(given[W].to(host), expected[W]);
  expect_near(given[to].to(host), expected[to]);
}

constexpr auto hops = [](auto v) { return matmul(nn::gcn_conv(v, v(h) * v(scale), [](auto x) { return x; }), W); };
constexpr auto of_hops = [](auto v) { return mse(hops(v), v(goal)); };
TEST_F(cuda_programs, train_in_captured_steps) {
  const data d;
  using outputs = detail::all_real_outputs<ref<of_hops>>;
  using entries = detail::trainable_entries<ref<of_hops>>;
  trainer<ref<of_hops>, outputs, entries, on_gpu> recorder;
  auto here = parameters<of_hops>();
  initialize(here, 3);
  const float first = here[W].data()[0];
  auto there = here.to(cuda());
  const auto g = d.g.to(cuda());
  const auto rows = d.rows.to(cuda()), wanted = d.wanted.to(cuda());
  const auto one = tensor<float>::full(dimensions(), 1).to(cuda()), number = tensor<float>::full({1}, 0.7f).to(cuda());
  adam near(here, {.learning_rate = 0.05}), far(there, {.learning_rate = 0.05});
  const auto epoch = [&] {
    auto tape = recorder.record(g, h = rows, goal = wanted, scale = number, there);
    far.step(tape.backward(one));
  };
  epoch();  // reserves what an epoch takes
  gpu::stream on(gpu::device::open(0));
  gpu::captured_step captured(on, {"epoch"}, epoch);
  for (int launch = 0; launch < 3; ++launch) captured.launch();
  auto step = value_and_grad<of_hops>(draft());
  for (int k = 0; k < 4; ++k) near.step(step(d.g, h = d.rows, goal = d.wanted, scale = 0.7, here).gradients);
  expect_near(there[W].to(host), here[W]);
  EXPECT_GT(std::abs(here[W].data()[0] - first), 0.01f) << "nothing was trained";
}

TEST_F(cuda_programs, keep_what_fixed_inputs_decide) {
  const data d;
  training_step<ref<of_hops>, detail::trainable_entries<ref<of_hops>>, on_gpu> step;
  auto here = value_and_grad<of_hops>(draft());
  auto weights = parameters<of_hops>();
  initialize(weights, 7);
  const auto g = d.g.to(cuda());
  auto rows = d.rows.to(cuda());
  const auto wanted = d.wanted.to(cuda());
  const auto there = weights.to(cuda());
  const auto expect_same = [&](const tensor<float>& known, double factor, std::uint64_t runs) {
    auto on_device = step(g, h = fixed(rows), scale = fixed(factor), goal = wanted, there);
    auto on_host = here(d.g, h = known, scale = factor, goal = d.wanted, weights);
    EXPECT_NEAR(on_device.loss, on_host.loss, 1e-5 * on_host.loss);
    expect_near(on_device.gradients[W].to(host), on_host.gradients[W]);
    EXPECT_EQ(step.prologue_runs(), runs);
  };
  expect_same(d.rows, 1.5, 1);
  expect_same(d.rows, 1.5, 1);
  expect_same(d.rows, 2.5, 2);  // another number, though it lies where the first did
  step.forget_fixed();
  expect_same(d.rows, 2.5, 3);
}

constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto of_classes = [](auto v) { return cross_entropy(matmul(v(h), W), v(label), v(known)); };
TEST_F(cuda_programs, look_at_the_labels_of_a_step) {
  const data d;
  auto labels = tensor<std::int32_t>({50});
  auto matters = tensor<bool>::full({50}, true);
  auto weights = parameters<of_classes>();
  initialize(weights, 7);
  const auto g = d.g.to(cuda());
  const auto rows = d.rows.to(cuda());
  const auto there = weights.to(cuda());
  training_step<ref<of_classes>, detail::trainable_entries<ref<of_classes>>, on_gpu> step;
  auto here = value_and_grad<of_classes>(draft());
  const auto expect_same = [&](std::string_view said) {
    const auto far = labels.to(cuda());
    const auto counts = matters.to(cuda());
    const auto on_device = [&] { return step(g, h = rows, label = far, known = counts, there).loss; };
    const auto on_host = [&] { return here(d.g, h = d.rows, label = labels, known = matters, weights).loss; };
    if (said.empty()) {
      EXPECT_NEAR(on_device(), on_host(), 1e-5);
    } else {
      test::expect_error(on_device, {said});
      test::expect_error(on_host, {said});
    }
  };
  labels.data()[3] = 7;
  expect_same("");
  labels.data()[40] = 8;
  expect_same("input 'label' is 8 at vertex 40; labels lie in [0, 8)");
  labels.data()[21] = -1;
  expect_same("input 'label' is -1 at vertex 21");
  matters.data()[21] = matters.data()[40] = false;
  expect_same("");
  matters.fill(false);
  expect_same("mask 'known' names no vertex");
  matters.data()[49] = true;
  expect_same("");
}

#ifndef STG_ON_DEVICE
TEST_F(cuda_programs, say_what_lies_elsewhere) {
  const data d;
  const auto x = sparse(d.dense);
  const model<ref<network>, on_gpu> layer(on_gpu(cuda(1)));
  const auto g = d.g.to(cuda(1));
  const auto there = d.weights.to(cuda(1));
  test::expect_error([&] { layer(d.g, h = d.rows, s = x, scale = 1.0, d.weights); },
                     {"graph lies on the host", "CUDA device 1", "graph.to(stg::cuda(1))"});
  test::expect_error([&] { layer(g, h = d.rows.to(cuda(0)), s = x.to(cuda(1)), scale = 1.0, there); },
                     {"'h' lies on CUDA device 0", "h.to(stg::cuda(1))"});
  test::expect_error([&] { layer(g, h = d.rows.to(cuda(1)), s = x, scale = 1.0, there); }, {"'s' lies on the host"});
}
#endif

TEST_F(cuda_programs, name_an_input_that_lies_askew) {
  const data d;
  const auto x = sparse(d.dense).to(cuda());
  const model<ref<network>, on_gpu> layer;
  const auto g = d.g.to(cuda());
  const auto there = d.weights.to(cuda());
  auto longer = tensor<float>::for_overwrite({50 * 12 + 1}, cuda());
  const auto askew = tensor<float>::view_of(longer.data() + 1, {50, 12}, cuda());
  test::expect_error([&] { layer(g, h = askew, s = x, scale = 1.0, there); },
                     {"input 'h'", "no multiple of 16", "h.clone()"});
  auto elsewhere = tensor<float>::for_overwrite({50 * 8 + 1}, cuda());
  auto result = tensor<float>::view_of(elsewhere.data() + 1, {50, 8}, cuda());
  const auto rows = d.rows.to(cuda());
  test::expect_error([&] { layer.into(result, g, h = rows, s = x, scale = 1.0, there); },
                     {"results", "no multiple of 16", "results.clone()"});
}

TEST_F(cuda_programs, name_results_that_lie_in_an_input) {
  const data d;
  const auto x = sparse(d.dense).to(cuda());
  const model<ref<network>, on_gpu> layer;
  const auto g = d.g.to(cuda());
  const auto there = d.weights.to(cuda());
  auto rows = d.rows.to(cuda());
  auto result = tensor<float>::view_of(rows.data() + 200, {50, 8}, cuda());
  test::expect_error([&] { layer.into(result, g, h = rows, s = x, scale = 1.0, there); },
                     {"output 0 lies in the memory of input 'h'; give another tensor"});
}

#ifndef STG_ON_DEVICE
TEST_F(cuda_programs, survive_calls_that_fail) {
  const data d;
  const auto x = sparse(d.dense);
  const test::without_checks hundreds_of_steps;
  const int calls = test::fail_each_call("a training step", [&](test::fake_cuda& other) {
    test::emulated_launcher::on = &other;
    training_step<ref<loss>, detail::trainable_entries<ref<loss>>, on_gpu> step;
    const auto there = d.weights.to(cuda());
    auto now =
        step(d.g.to(cuda()), h = d.rows.to(cuda()), s = x.to(cuda()), goal = d.wanted.to(cuda()), scale = 1.0, there);
    ASSERT_EQ(now.gradients[W].to(host).extent(0), 12);
  });
  EXPECT_GT(calls, 50);
}
#endif

}  // namespace
}  // namespace stg
