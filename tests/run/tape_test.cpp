// test: draft calls
// Tapes: many alive at once, differentiated in any order, each with its own graph, bindings and random numbers.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // power_law, copy_of, differences

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // equal
#include <cmath>      // sqrt
#include <memory>     // unique_ptr
#include <utility>    // move
#include <vector>     // vector

namespace stg {
namespace {

using test::copy_of;
using test::differences;

constexpr auto h = trainable(vertex_feature<"h", 2, 3>);
constexpr auto w = trainable(edge_feature<"w">);
constexpr auto A = parameter<"A", 2, 3>;
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto score = leaky_relu(sum(e.src(v(h) * A), axis<1>, keepdim) + e(w), 0.2);
  auto near = sum(dropout(softmax(score), 0.5) * e.src(dropout(v(h), 0.25)));
  return outputs(near, max(e.src(h) * e(w)), e.src(near) * e(w));
};

/// A graph with something to bind, and cotangents. Every case has sizes of its own.
struct test_case {
  graph g;
  tensor<float> H, parameters, d_near, d_max, d_edge_rows;
  edge_values<float> W, d_edges;

  explicit test_case(unsigned k)
      : g(test::power_law(20 + 13 * k, 90 + 50 * ((3 * k) % 8), k)),
        H({g.vertices(), 2, 3}),
        parameters({2, 3}),
        d_near({g.vertices(), 2, 3}),
        d_max({g.vertices(), 2, 3}) {
    tensor<float> weights({g.edges()}), d({g.edges(), 2, 3});
    std::uint64_t seed = 10 * k;
    for (tensor<float>* t : {&H, &parameters, &d_near, &d_max, &weights, &d}) uniform(*t, -1, 1, ++seed);
    W = g.edge_values(weights);
    d_edges = g.edge_values(d);
  }
  auto record(auto& layer) const { return layer.record(g, h = H, w = W, A = parameters); }
  auto differentiate(auto& tape) const { return tape.backward(d_near, d_max, d_edges); }
};

constexpr std::uint64_t seed = 2718;
constexpr unsigned tapes = 8;

const std::vector<std::unique_ptr<test_case>>& cases() {
  static const auto all = [] {
    std::vector<std::unique_ptr<test_case>> list;
    for (unsigned k = 0; k < tapes; ++k) list.push_back(std::make_unique<test_case>(k));
    return list;
  }();
  return all;
}

using trainer_type = decltype(compile_for_training<attention>());
using tape_type = decltype(cases()[0]->record(std::declval<trainer_type&>()));
using outputs_type = decltype(std::declval<tape_type&>().outputs());
using gradients_type = decltype(cases()[0]->differentiate(std::declval<tape_type&>()));

/// Call k of a training by itself: nothing else is alive.
struct done_alone {
  outputs_type outputs;
  gradients_type gradients;

  explicit done_alone(unsigned k) {
    auto layer = compile_for_training<attention>();
    layer.seed(seed);
    for (unsigned call = 0; call < k; ++call) cases()[0]->record(layer);
    auto tape = cases()[k]->record(layer);
    outputs = copy_of(tape.outputs());
    gradients = copy_of(cases()[k]->differentiate(tape));
  }
};

void check_order(const std::vector<unsigned>& order) {
  auto layer = compile_for_training<attention>();
  auto predict = compile<attention>();
  const auto infer = [&] {
    return copy_of(predict(cases()[2]->g, h = cases()[2]->H, w = cases()[2]->W, A = cases()[2]->parameters));
  };
  const auto prediction = infer();
  std::vector<done_alone> alone;
  for (unsigned k = 0; k < tapes; ++k) alone.emplace_back(k);

  layer.seed(seed);
  std::vector<tape_type> alive;
  for (unsigned k = 0; k < tapes; ++k) {
    alive.push_back(cases()[k]->record(layer));
    if (k == 3) {
      EXPECT_EQ(differences(infer(), prediction), "");
    }
  }
  int done = 0;
  for (const unsigned k : order) {
    EXPECT_EQ(differences(alive[k].outputs(), alone[k].outputs), "") << "tape " << k;
    EXPECT_EQ(differences(cases()[k]->differentiate(alive[k]), alone[k].gradients), "") << "tape " << k;
    EXPECT_EQ(differences(alive[k].outputs(), alone[k].outputs), "") << "tape " << k << ", after it is differentiated";
    if (++done == 4) {
      EXPECT_EQ(differences(infer(), prediction), "");
    }
  }
}

TEST(tape, eight_are_differentiated_in_reverse) { check_order({7, 6, 5, 4, 3, 2, 1, 0}); }
TEST(tape, eight_are_differentiated_in_mixed_order) { check_order({3, 0, 7, 5, 1, 6, 2, 4}); }

TEST(tape, outlives_what_recorded_it_and_can_be_moved) {
  const done_alone alone(0);
  std::vector<tape_type> moved;
  {
    auto layer = compile_for_training<attention>();
    layer.seed(seed);
    moved.push_back(cases()[0]->record(layer));
  }
  tape_type last = std::move(moved.front());
  moved.clear();
  EXPECT_EQ(differences(cases()[0]->differentiate(last), alone.gradients), "");
}

TEST(tape, gradients_of_several_are_added) {
  auto layer = compile_for_training<attention>();
  const test_case& of = *cases()[1];
  auto first = of.record(layer), second = of.record(layer);
  const auto one = of.differentiate(first);
  auto sum = one.clone();
  sum += of.differentiate(second);
  EXPECT_FALSE(std::equal(sum[A].begin(), sum[A].end(), one[A].begin()));
  auto difference = sum.clone();
  add(difference, one, -1);
  EXPECT_GT(norm(difference), 0);
  const auto other = [&] {
    auto again = compile_for_training<attention>();
    of.record(again);
    auto later = of.record(again);
    return of.differentiate(later).clone();
  }();
  add(difference, other, -1);
  EXPECT_LE(norm(difference), 1e-6 * norm(sum));
}

TEST(tape, is_differentiated_once) {
  auto layer = compile_for_training<attention>();
  auto tape = cases()[1]->record(layer);
  cases()[1]->differentiate(tape);
  test::expect_error([&] { cases()[1]->differentiate(tape); }, {"tape", "once", "record the call again"});
}

TEST(tape, a_cotangent_has_the_shape_of_its_output) {
  const test_case& c = *cases()[1];
  auto layer = compile_for_training<attention>();
  auto tape = c.record(layer);
  const tensor<float> flat({c.g.vertices(), 6}), short_by_one({c.g.vertices() - 1, 2, 3});
  test::expect_error([&] { tape.backward(flat, c.d_max, c.d_edges); },
                     {"cotangent of output 0", "(33, 6)", "(33, 2, 3)"});
  test::expect_error([&] { tape.backward(c.d_near, short_by_one, c.d_edges); },
                     {"cotangent of output 1", "(32, 2, 3)", "(33, 2, 3)"});
  test::expect_error([&] { tape.backward(c.d_near, c.d_max, cases()[2]->d_edges); },
                     {"cotangent of output 2", "(390, 2, 3)", "(240, 2, 3)"});
  c.differentiate(tape);  // a refused cotangent leaves the tape as it was
}

TEST(tape, takes_cotangents_that_are_only_read) {
  const test_case& c = *cases()[1];
  auto layer = compile_for_training<attention>();
  auto tape = c.record(layer);
  const auto expected = c.differentiate(tape);
  layer.seed(0);
  auto again = c.record(layer);
  const const_tensor<float> d_near = c.d_near.view(), d_max = c.d_max.view();
  const auto found = again.backward(d_near, d_max, c.d_edges);
  EXPECT_EQ(differences(found, expected), "");
}

TEST(tape, memory_is_recycled) {
  auto layer = compile_for_training<attention>();
  const auto round = [&](const std::vector<unsigned>& order) {
    std::vector<std::unique_ptr<tape_type>> alive;
    for (unsigned k = 0; k < tapes; ++k) alive.push_back(std::make_unique<tape_type>(cases()[k]->record(layer)));
    for (const unsigned k : order) {
      cases()[k]->differentiate(*alive[k]);
      alive[k].reset();
    }
  };
  round({7, 6, 5, 4, 3, 2, 1, 0});
  const std::uint64_t arenas = arena::total_allocated(), tensors = tensor_bytes_allocated();
  round({0, 1, 2, 3, 4, 5, 6, 7});
  round({3, 0, 7, 5, 1, 6, 2, 4});
  round({7, 6, 5, 4, 3, 2, 1, 0});
  EXPECT_EQ(arena::total_allocated(), arenas);
  EXPECT_EQ(tensor_bytes_allocated(), tensors);
}

TEST(tape, calls_draw_independently_and_repeat_with_their_seed) {
  const test_case& c = *cases()[5];
  auto layer = compile_for_training<attention>();
  const auto call = [&] {
    auto tape = c.record(layer);
    return copy_of(tape.outputs());
  };
  layer.seed(1);
  const auto first = call(), second = call();
  EXPECT_NE(differences(first, second), "");
  layer.seed(2);
  EXPECT_NE(differences(call(), first), "") << "another seed";
  layer.seed(1);
  EXPECT_EQ(differences(call(), first), "");
  EXPECT_EQ(differences(call(), second), "");
}

TEST(tape, edge_values_stay_with_their_graph) {
  const test_case& c = *cases()[1];
  const edge_list list = c.g.edge_list();
  const auto made_of = [&](const auto& src, const auto& dst) {
    return graph::from_edges(c.g.vertices(), std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
  };
  const graph again = made_of(list.src, list.dst), turned = made_of(list.dst, list.src), copy = c.g;
  auto layer = compile_for_training<attention>();
  const auto record = [&](const graph& on, const edge_values<float>& weights) {
    return layer.record(on, h = c.H, w = weights, A = c.parameters);
  };
  const auto refused = {std::string_view("input 'w' has edge values of another graph")};

  EXPECT_NO_THROW(record(copy, c.W));
  EXPECT_NO_THROW(record(again, c.W)) << "the same edges in the same order";
  test::expect_error([&] { record(turned, c.W); }, refused);

  auto tape = record(c.g, c.W);
  test::expect_error([&] { tape.backward(c.d_near, c.d_max, turned.edge_values(c.g.to_input_order(c.d_edges))); },
                     {"cotangent of output 2 has edge values of another graph", "graph.edge_values(cotangent)"});
  auto gradient = tape.backward(c.d_near, c.d_max, c.d_edges);
  EXPECT_EQ(gradient[w].edge_identity(), c.g.edge_identity());
  EXPECT_EQ(gradient[w].clone().edge_identity(), c.g.edge_identity());
  EXPECT_NO_THROW(record(c.g, gradient[w]));
  test::expect_error([&] { record(turned, gradient[w]); }, refused);
  test::expect_error([&] { (void)turned.to_input_order(gradient[w]); }, {"edge values are those of another graph"});

  const auto predict = compile<attention>();
  auto out = predict(c.g, h = c.H, w = c.W, A = c.parameters);
  EXPECT_EQ(out.get<2>().edge_identity(), c.g.edge_identity());
  predict.into(out, turned, h = c.H, w = turned.edge_values(tensor<float>({turned.edges()})), A = c.parameters);
  EXPECT_EQ(out.get<2>().edge_identity(), turned.edge_identity()) << "they are now of the graph of the call";
  EXPECT_NO_THROW(record(turned, edge_values<float>::in_id_order(c.W.values().clone()))) << "of no graph that is told";
}

constexpr auto ones = vertex_feature<"ones", 64>;
constexpr auto masks = [](auto v) { return outputs(dropout(v(ones), 0.5), dropout(v(ones), 0.5)); };

TEST(tape, masks_of_two_calls_and_of_two_sites_agree_as_often_as_chance_has_it) {
  constexpr std::int64_t vertices = 1000, n = vertices * 64;
  const auto g = graph::from_edges(vertices, std::span<const std::int64_t>(), std::span<const std::int64_t>());
  const auto one = tensor<float>::full({vertices, 64}, 1);
  auto layer = compile_for_training<masks, ones>();
  auto first = layer.record(g, ones = one), second = layer.record(g, ones = one);
  const auto agree = [](const tensor<float>& a, const tensor<float>& b) {
    std::int64_t same = 0;
    for (std::int64_t i = 0; i < n; ++i) same += a.data()[i] == b.data()[i];
    return static_cast<double>(same) / static_cast<double>(n);
  };
  const double five_sigma = 5 * 0.5 / std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(agree(first.output<0>(), second.output<0>()), 0.5, five_sigma);
  EXPECT_NEAR(agree(first.output<0>(), first.output<1>()), 0.5, five_sigma);
  EXPECT_NEAR(agree(first.output<0>(), one), 0, 1e-9) << "what is kept is doubled";
}

// ---- what a tape refers to ----

constexpr auto input = vertex_feature<"input", 4>;
constexpr auto state = vertex_feature<"state", 4>;
constexpr auto R = parameter<"R", 4, 4>;
constexpr auto cell = [](auto v) {
  return outputs(tanh(v(input) + matmul(mean(v.in_edges().src(state)), R)), v(state));
};
constexpr auto three_cells = [](auto v) {
  auto h = v(state);
  for (int step = 0; step < 3; ++step) h = tanh(v(input) + matmul(mean(v.in_edges().src(h)), R));
  return h;
};

constexpr int steps = 3;

struct recurrence {
  graph g = test::power_law(40, 200, 3);
  tensor<float> X{40, 4}, start{40, 4}, weights{4, 4}, d_last{40, 4};
  decltype(compile_for_training<cell, state, R>()) recorder = compile_for_training<cell, state, R>();

  recurrence() {
    std::uint64_t seed = 0;
    for (tensor<float>* t : {&X, &start, &weights, &d_last}) uniform(*t, -0.5, 0.5, ++seed);
  }
  auto record(tensor<float>&& h) { return recorder.record(g, input = X, state = std::move(h), R = weights); }
};

double largest_difference(const tensor<float>& a, const tensor<float>& b) {
  double largest = 0;
  for (std::int64_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
  return largest;
}

TEST(tape, in_a_row_gives_the_gradient_of_the_whole) {
  recurrence c;
  std::vector<tape_of<cell, state, R>> tapes;
  tapes.push_back(c.record(c.start.view()));
  while (tapes.size() < steps) tapes.push_back(c.record(tapes.back().output()));

  auto whole = compile_for_training<three_cells, state, R>();
  auto at_once = whole.record(c.g, input = c.X, state = c.start, R = c.weights);
  EXPECT_LT(largest_difference(tapes.back().output(), at_once.output()), 1e-6);
  auto wanted = at_once.backward(c.d_last);

  tensor<float> d = c.d_last.clone(), sum({4, 4});
  while (!tapes.empty()) {
    auto gradient = tapes.back().backward(d);
    tapes.pop_back();  // its gradients stay
    for (std::int64_t i = 0; i < sum.size(); ++i) sum.data()[i] += gradient[R].data()[i];
    d = std::move(gradient[state]);
  }
  EXPECT_LT(largest_difference(d, wanted[state]), 1e-6);
  EXPECT_LT(largest_difference(sum, wanted[R]), 1e-5);
}

TEST(tape, keeps_what_it_was_recorded_with) {
  recurrence c;
  std::vector<tape_of<cell, state, R>> all;
  all.push_back(c.record(c.start.view()));
  while (all.size() < steps) all.push_back(c.record(all.back().output()));
  const auto wanted = copy_of(all.back().backward(c.d_last));

  auto last = c.record(c.start.view());
  for (int step = 1; step < steps; ++step) last = c.record(last.output());  // the tape before is gone
  auto other = c.record(c.X.view());                                        // and its memory would be taken
  EXPECT_EQ(differences(last.backward(c.d_last), wanted), "");

  auto first = c.record(c.start.view());
  auto h = first.output();
  first = c.record(c.X.view());
  auto next = c.recorder.record(c.g, input = c.X, state = h, R = c.weights);
  h = tensor<float>();
  first = c.record(c.X.view());
  other = c.record(c.X.view());
  EXPECT_TRUE(test::same_bits(next.output<1>(), c.record(c.start.view()).output<0>()));
}

TEST(tape, takes_over_temporaries) {
  recurrence c;
  auto named = c.record(c.start.view());
  auto tape = c.record(c.start.clone());
  std::vector<tensor<float>> others;
  for (int k = 0; k < 8; ++k) others.push_back(tensor<float>::full({40, 4}, std::nanf("")));
  EXPECT_TRUE(test::same_bits(tape.output<1>(), c.start));
  EXPECT_EQ(differences(tape.backward(c.d_last), copy_of(named.backward(c.d_last))), "");
}

TEST(tape, views_outlive_it_and_a_row_of_tapes_takes_no_more_memory) {
  recurrence c;
  auto tape = c.record(c.start.view());
  const auto run = [&](int count) {
    for (int k = 0; k < count; ++k) {
      auto h = tape.output();
      tape = c.record(std::move(h));
    }
  };
  run(4);
  const std::uint64_t before = arena::total_allocated();
  run(100);
  EXPECT_EQ(arena::total_allocated(), before);

  const auto kept = tape.output().clone();
  const auto view = tape.output();
  auto of_a_view = view.reshape({4, 40});
  run(8);
  EXPECT_TRUE(test::same_bits(view, kept));
  EXPECT_TRUE(test::same_bits(of_a_view, kept.reshape({4, 40})));
}

TEST(tape, a_cotangent_left_out_counts_as_zeros) {
  recurrence c;
  const tensor<float> zeros({40, 4});
  const auto gradient = [&](const auto&... d) {
    auto tape = c.record(c.start.view());
    return copy_of(tape.backward(d...));
  };
  EXPECT_EQ(differences(gradient(c.d_last), gradient(c.d_last, zeros)), "");
  EXPECT_EQ(differences(gradient(none, c.d_last), gradient(zeros, c.d_last)), "");
  EXPECT_EQ(differences(gradient(c.d_last, none), gradient(c.d_last, zeros)), "");
  auto wrong = c.record(c.start.view());
  test::expect_error([&] { wrong.backward(none, tensor<float>({4, 40})); }, {"cotangent of output 1", "(4, 40)"});
}

constexpr auto level = graph_feature<"level", 4>;
constexpr auto levelled = [](auto v) {
  auto y = matmul(v(input), R) - level;
  return outputs(mean(sum(square(y), axis<0>), all_vertices), level = mean(y, all_vertices));
};

TEST(tape, a_step_refuses_its_own_results) {
  recurrence c;
  auto step = value_and_grad<levelled>();
  const tensor<float> first({4});
  auto now = step(c.g, input = c.X, level = first, R = c.weights);
  test::expect_error([&] { step(c.g, input = c.X, level = now.outputs[level], R = c.weights); },
                     {"input 'level' is a result of the step that is to read it; bind a clone() of it"});
  now = step(c.g, input = c.X, level = first, R = c.weights);
  step(c.g, input = c.X, level = now.outputs[level].clone(), R = c.weights);
}

}  // namespace
}  // namespace stg
