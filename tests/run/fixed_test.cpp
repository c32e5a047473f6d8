// test: draft calls, proof kernels 0, counted
// Fixed inputs: the same results, computed once, and anew when the graph or a tensor is another.
#include "support/networks.hpp"  // power_law, vertex_data, copy_of, differences

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max
#include <cmath>      // abs
#include <thread>     // thread
#include <utility>    // move
#include <vector>     // vector

namespace stg {
namespace {

using test::copy_of;
using test::differences;
using test::same_bits;
namespace networks = test::networks;

// A network with something of every kind to keep: sums of features with and without weights per edge, a maximum, what
// softmax is divided by; and with values that stay with the call.
template <scalar_type T> struct network {
  static constexpr auto x = vertex_feature<"x", T, extent<"F">>;
  static constexpr auto w = edge_feature<"w", T>;
  static constexpr auto target = vertex_feature<"target", T, 3>;
  static constexpr auto eps = scalar<"eps", T>;
  static constexpr auto W1 = parameter<"W1", T, extent<"F">, 6>;
  static constexpr auto b1 = parameter<"b1", T, 6>;
  static constexpr auto W2 = parameter<"W2", T, extent<"F">, 6>;
  static constexpr auto W3 = parameter<"W3", T, 6, 3>;
  static constexpr auto loss = [](auto v) {
    auto e = v.in_edges();
    auto own = matmul((v(eps) + 1.0) * v(x) + sum(e.src(x)), W2);
    auto hidden = relu(nn::gcn_conv(v, v(x), W1) + b1 + own);
    auto y = matmul(sum(softmax(e(w)) * e.src(hidden)), W3);
    return outputs(mse(y, v(target)), y, max(e.src(x)));
  };

  using element = element_t<T>;
  graph g;
  tensor<element> features, targets;
  edge_values<element> weights;
  element number = element(0.5);
  decltype(parameters<loss>(sized<"F">(5))) params = parameters<loss>(sized<"F">(5));

  explicit network(unsigned seed, std::int64_t vertices = 300)
      : g(test::power_law(vertices, 12 * vertices, seed).add_self_loops()),
        features({g.vertices(), 5}),
        targets({g.vertices(), 3}) {
    tensor<element> per_edge({g.edges()});
    uniform(per_edge, -1, 1, seed + 1);
    uniform(features, -1, 1, seed + 2);
    uniform(targets, -1, 1, seed + 3);
    weights = g.edge_values(per_edge);
    initialize(params, seed + 4);
  }
  auto plain(auto& step) { return step(g, x = features, w = weights, target = targets, eps = number, params); }
  auto with_fixed(auto& step) { return with_fixed(step, features); }
  auto with_fixed(auto& step, tensor<element>& in_place) {
    return step(g, x = fixed(in_place), w = fixed(weights), target = targets, eps = fixed(number), params);
  }
};

template <class T> void expect_near(const tensor<T>& a, const tensor<T>& b, double tolerance) {
  ASSERT_EQ(a.shape(), b.shape());
  double largest = 1;
  for (std::int64_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(double(b.data()[i])));
  for (std::int64_t i = 0; i < b.size(); ++i)
    ASSERT_LE(std::abs(double(a.data()[i]) - double(b.data()[i])), tolerance * largest) << "element " << i;
}
template <class... Named>
void expect_near(const named_values<Named...>& a, const named_values<Named...>& b, double tolerance) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (expect_near(a.template get<K>(), b.template get<K>(), tolerance), ...);
  }
  (std::make_integer_sequence<int, sizeof...(Named)>());
}

template <scalar_type T> void check_results(double tolerance) {
  network<T> n(11);
  auto step = value_and_grad<network<T>::loss>();
  const auto plain = n.plain(step);
  const auto outputs = copy_of(plain.outputs);
  const auto gradients = copy_of(plain.gradients);
  for (int call = 0; call < 3; ++call) {
    const auto now = n.with_fixed(step);
    EXPECT_NEAR(now.loss, plain.loss, tolerance);
    expect_near(now.outputs, outputs, tolerance);
    expect_near(now.gradients, gradients, tolerance);
  }
  EXPECT_EQ(step.prologue_runs(), 1u);
}
TEST(fixed, a_step_gives_the_same_in_f32) { check_results<f32>(1e-5); }
#if defined(STG_PROOF)
TEST(fixed, a_step_gives_the_same_in_f64) { check_results<f64>(1e-12); }
#endif

using net = network<f32>;

TEST(fixed, is_computed_once_and_anew_for_what_is_another) {
  net one(1), two(2);
  auto step = value_and_grad<net::loss>();
  std::uint64_t runs = 0;
  const auto expect_same_as_alone = [&](net& n, tensor<float>& features, bool computes) {
    const auto now = n.with_fixed(step, features);
    const auto outputs = copy_of(now.outputs);
    const auto gradients = copy_of(now.gradients);
    runs += computes;
    EXPECT_EQ(step.prologue_runs(), runs);
    auto alone = value_and_grad<net::loss>();
    const auto then = n.with_fixed(alone, features);
    EXPECT_EQ(now.loss, then.loss);
    EXPECT_EQ(differences(outputs, then.outputs), "");
    EXPECT_EQ(differences(gradients, then.gradients), "");
  };
  expect_same_as_alone(one, one.features, true);
  expect_same_as_alone(one, one.features, false);
  expect_same_as_alone(two, two.features, true);  // another graph, and other tensors of the same shapes
  expect_same_as_alone(one, one.features, true);
  expect_same_as_alone(one, two.features, true);  // another tensor
  auto view = two.features.view();
  expect_same_as_alone(one, view, false);  // the same memory
  const graph g = one.g;
  one.g = test::power_law(300, 3600, 1).add_self_loops();  // equal edges, another graph
  expect_same_as_alone(one, two.features, true);
  one.number = 0.75f;
  expect_same_as_alone(one, two.features, true);  // another number
  expect_same_as_alone(one, two.features, false);
}

TEST(fixed, is_a_promise_that_can_be_taken_back) {
  net n(3);
  auto step = value_and_grad<net::loss>();
  const float before = n.with_fixed(step).loss;
  for (float& x : n.features) x *= 2;
  step.forget_fixed();
  const float after = n.with_fixed(step).loss;
  EXPECT_EQ(step.prologue_runs(), 2u);
  EXPECT_GT(std::abs(after - before), 1e-3f);
  EXPECT_NEAR(after, n.plain(step).loss, 1e-5f);
}

TEST(fixed, is_nothing_that_others_are_held_to) {
  net n(4);
  auto step = value_and_grad<net::loss>();
  float last = n.plain(step).loss;
  for (int call = 0; call < 3; ++call) {
    for (float& x : n.features) x *= 1.5f;
    const float now = n.plain(step).loss;
    EXPECT_GT(std::abs(now - last), 1e-3f) << "an input that is not fixed may change between steps";
    last = now;
  }
  EXPECT_EQ(step.prologue_runs(), 0u);
}

TEST(fixed, what_one_form_keeps_another_does_not_use) {
  net n(5);
  auto step = value_and_grad<net::loss>();
  const float all = n.with_fixed(step).loss;
  const auto features_alone = [&] {
    return step(n.g, net::x = fixed(n.features), net::w = n.weights, net::target = n.targets, net::eps = n.number,
                n.params)
        .loss;
  };
  const float alone = features_alone();
  EXPECT_NEAR(alone, all, 1e-5f);
  EXPECT_EQ(n.with_fixed(step).loss, all);
  EXPECT_EQ(step.prologue_runs(), 2u) << "once for each form";
  for (float& w : n.weights.values()) w *= 3;
  EXPECT_GT(std::abs(features_alone() - alone), 1e-5f) << "weights are not fixed in this form";
  EXPECT_EQ(step.prologue_runs(), 2u);
}

TEST(fixed, under_dropout_is_drawn_anew_and_kept_in_inference) {
  const graph g = test::power_law(500, 4000, 6).add_self_loops();
  const test::vertex_data data(g.vertices(), 6);
  auto params = parameters<networks::gcn_loss>();
  initialize(params, 3);
  using networks::known, networks::label, networks::x;
  auto plain = value_and_grad<networks::gcn_loss>(), step = value_and_grad<networks::gcn_loss>();
  float last = 0;
  for (int call = 0; call < 2; ++call) {
    const auto expected = plain(g, x = data.features, label = data.labels, known = data.known, params);
    const auto now = step(g, x = fixed(data.features), label = data.labels, known = data.known, params);
    EXPECT_NEAR(now.loss, expected.loss, 1e-5f) << "the same draws";
    expect_near(now.gradients, expected.gradients, 1e-5);
    EXPECT_NE(now.loss, last);
    last = now.loss;
  }
  const auto layer = compile<networks::gcn>();
  const auto expected = layer(g, x = data.features, params);
  expect_near(layer(g, x = fixed(data.features), params), expected, 1e-5);
  EXPECT_EQ(layer.prologue_runs(), 1u);
  tensor<float> into({g.vertices(), 5});
  layer.into(into, g, x = fixed(data.features), fixed(params));
  expect_near(into, expected, 1e-5);
  EXPECT_EQ(layer.prologue_runs(), 2u) << "with the parameters fixed all of it is kept";
  into.fill(0);
  layer.into(into, g, x = fixed(data.features), fixed(params));
  expect_near(into, expected, 1e-5);
  EXPECT_EQ(layer.prologue_runs(), 2u);
}

TEST(fixed, tapes_hold_what_they_need) {
  net one(7), two(8, 200);
  auto layer = compile_for_training<net::loss>();
  const auto record = [&](net& n, tensor<float>& features) {
    return layer.record(n.g, net::x = fixed(features), net::w = n.weights, net::target = n.targets, net::eps = n.number,
                        n.params);
  };
  const auto backward = [&](net& n, auto& tape) {
    tensor<float> dy({n.g.vertices(), 3}), dz({n.g.vertices(), 5});
    uniform(dy, -1, 1, 1);
    uniform(dz, -1, 1, 2);
    return copy_of(tape.backward(tensor<float>::full({}, 1), dy, dz));
  };
  auto alone_one = record(one, one.features);
  const auto expected_one = backward(one, alone_one);
  auto alone_two = record(two, two.features);
  const auto expected_two = backward(two, alone_two);

  auto first = record(one, one.features);
  auto second = record(two, two.features);
  auto third = record(one, one.features);
  const auto outputs = copy_of(first.outputs());
  EXPECT_EQ(layer.prologue_runs(), 5u) << "the store keeps the last; tapes keep theirs";
  EXPECT_EQ(differences(backward(two, second), expected_two), "");
  EXPECT_EQ(differences(backward(one, first), expected_one), "");
  EXPECT_EQ(differences(backward(one, third), expected_one), "");
  EXPECT_EQ(differences(copy_of(first.outputs()), outputs), "") << "an output that is kept is there with the tape";
}

TEST(fixed, bytes_are_counted_and_predicted) {
  for (const int count : {1, 3}) {
    set_threads(count);
    net n(9);
    const sizes s{n.g.vertices(), n.g.edges(), {sized<"F">(5)}};
    const auto predicted = peak_bytes<net::loss>(s, fixed<net::x, net::w, net::eps>());
    const auto plain = peak_bytes<net::loss>(s);
    EXPECT_NE(predicted.training, plain.training);
    const std::uint64_t before = arena::total_allocated();
    auto step = value_and_grad<net::loss>();
    n.with_fixed(step);
    EXPECT_EQ(arena::total_allocated() - before, static_cast<std::uint64_t>(predicted.training));
    EXPECT_EQ(step.bytes(), predicted.training);
    n.with_fixed(step);
    EXPECT_EQ(arena::total_allocated() - before, static_cast<std::uint64_t>(predicted.training));
    n.plain(step);
    EXPECT_EQ(step.bytes(), plain.training);

    const std::uint64_t then = arena::total_allocated();
    const auto layer = compile<net::loss>();
    n.with_fixed(layer);
    EXPECT_EQ(arena::total_allocated() - then, static_cast<std::uint64_t>((predicted.inference + 63) / 64 * 64));
  }
  set_threads(2);
}

TEST(fixed, explain_shows_the_prologue) {
  const std::string text = explain<net::loss>(fixed<net::x, net::w>(), in_full);
  for (const char* part : {"inference, once for a graph and fixed inputs: ",
                           "training, once for a graph and fixed inputs: ", "kept for all calls", "input 'kept 0'"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(explain<net::loss>(in_full).find("once for"), std::string::npos);
  const sizes s{100, 1000, {sized<"F">(5)}};
  const auto peak = peak_bytes<net::loss>(s, fixed<net::x>());
  const std::string numbers = explain<net::loss>(s, fixed<net::x>(), in_full);
  const std::string prologue = "inference, once for a graph and fixed inputs: 2 units";  // a line where not in full
  EXPECT_TRUE(numbers.starts_with(prologue)) << "the summary comes first";
  EXPECT_TRUE(text.starts_with(prologue));
  EXPECT_TRUE(
      explain<net::loss>(s, fixed<net::x>()).starts_with(prologue + "; kept 3 arrays, 12*F*|V| = 6000 bytes\n"));
  EXPECT_TRUE(explain<net::loss>(fixed<net::x, net::w>()).starts_with(prologue + "; kept 5 arrays"));
  EXPECT_NE(numbers.find("peak: " + std::to_string(peak.training) + " bytes"), std::string::npos);
  EXPECT_NE(numbers.find(" kept by the prologue"), std::string::npos);
}

TEST(fixed, results_do_not_depend_on_threads) {
  net n(10, 3000);
  set_threads(1);
  auto alone = value_and_grad<net::loss>();
  const auto expected = n.with_fixed(alone);
  for (const int count : {2, 3, 5}) {
    set_threads(count);
    auto step = value_and_grad<net::loss>();
    const auto now = n.with_fixed(step);
    EXPECT_EQ(now.loss, expected.loss) << count << " threads";
    EXPECT_EQ(differences(copy_of(now.gradients), expected.gradients), "") << count << " threads";
  }
  set_threads(2);
}

// A backend that another thread sets the number of threads of, before every time that it is asked for.
struct rising_threads : default_backend {
  static inline int asked = 0;
  static void prepare(codegen::launch& l) { l.resources.threads = ++asked; }
};

// Memory is reserved for a number of threads: who asks again before the call runs may have too little.
TEST(fixed, threads_are_counted_once_for_the_call_and_once_for_its_prologue) {
  net n(11, 3000);
  const model<program_of<net::loss>, rising_threads> layer;
  const auto expected = compile<net::loss>();
  rising_threads::asked = 0;
  const auto results = n.with_fixed(layer);
  EXPECT_EQ(layer.prologue_runs(), 1u);
  EXPECT_EQ(rising_threads::asked, 2);
  EXPECT_EQ(differences(results, n.with_fixed(expected)), "");
}

// Several threads call one model with two sets of fixed tensors, each throwing out what the other keeps.
TEST(fixed, a_model_can_be_called_from_several_threads) {
  net one(12), two(13);
  const auto layer = compile<net::loss>();
  const auto expected_one = one.with_fixed(layer), expected_two = two.with_fixed(layer);
  std::vector<std::string> found(4);
  std::vector<std::thread> callers;
  for (std::size_t t = 0; t < found.size(); ++t)
    callers.emplace_back([&, t] {
      for (int call = 0; call < 50; ++call) {
        net& n = t % 2 ? one : two;
        found[t] += differences(n.with_fixed(layer), t % 2 ? expected_one : expected_two);
      }
    });
  for (std::thread& caller : callers) caller.join();
  for (const std::string& f : found) EXPECT_EQ(f, "");
}

}  // namespace
}  // namespace stg
