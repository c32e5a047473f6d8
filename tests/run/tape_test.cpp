// Tapes: many alive at once, differentiated in any order, each with its own graph, bindings and random numbers.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // power_law, copy_of, differences

#include <gtest/gtest.h>  // TEST

#include <cmath>    // sqrt
#include <memory>   // unique_ptr
#include <utility>  // move
#include <vector>   // vector

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

}  // namespace
}  // namespace stg
