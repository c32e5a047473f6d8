// test: draft calls, proof kernels 0
// What a call is given wrongly ends in an error that names the input and says what was expected; what is merely
// unusual, an empty graph or a NaN, does not.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // from_pairs, power_law

#include <stg/differentiate.hpp>  // differentiate

#include <gtest/gtest.h>  // TEST

#include <cmath>   // isnan
#include <limits>  // numeric_limits

namespace stg {
namespace {

using test::expect_error;

constexpr auto x = vertex_feature<"x", 3>;
constexpr auto z = vertex_feature<"z", extent<"F">>;
constexpr auto both = vertex_feature<"both", extent<"F"> * extent<"C">>;
constexpr auto M = parameter<"M", extent<"F">, extent<"C">>;
constexpr auto w = edge_feature<"w">;
constexpr auto eps = scalar<"eps">;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;

constexpr auto reads_all = [](auto v) {
  auto e = v.in_edges();
  return outputs(sum(e.src(x) * e(w)) * v(eps), matmul(v(z), M), v(both) * 2.0);
};
constexpr auto loss = [](auto v) { return cross_entropy(matmul(v(z), M), v(label), v(known)); };
constexpr auto train = vertex_feature<"train", boolean>;
constexpr auto loss_of_both = [](auto v) { return cross_entropy(matmul(v(z), M), v(label), v(known) & v(train)); };
constexpr auto loss_of_labelled = [](auto v) { return cross_entropy(matmul(v(z), M), v(label), v(label) >= 0); };

constexpr auto kind = graph_feature<"kind", i32>;
constexpr auto asked = edge_feature<"asked", boolean>;
constexpr auto whether = graph_feature<"whether", boolean>;
constexpr auto loss_of_one_label = [](auto v) { return cross_entropy(matmul(v(z), M), v(kind), v(known)); };
constexpr auto loss_of_links = [](auto v) {
  auto e = v.in_edges();
  return mse(e(w), 0.0 * e(w), e(asked));
};
constexpr auto loss_if = [](auto v) {
  auto y = sum(v(z)[0], all_vertices);
  return l1(y, 0.0 * y, v(whether));
};

constexpr auto loss_of_all = [](auto v) { return cross_entropy(matmul(v(z), M), v(label)); };

/// Five vertices and nine edges, with tensors that fit; a test spoils one of them.
struct call {
  graph g = test::mixed();
  tensor<float> X{5, 3}, Z{5, 4}, B{5, 8}, W{4, 2}, weights{9};
  tensor<std::int32_t> labels{5};
  tensor<bool> mask = tensor<bool>::full({5}, true);
  edge_values<float> E = g.edge_values(weights);
  tensor<float> number = tensor<float>::full({1}, 2);

  auto infer() const { return compile<reads_all>()(g, x = X, w = E, eps = number, z = Z, M = W, both = B); }
  float train() const {
    auto step = value_and_grad<loss>();
    return step(g, z = Z, M = W, label = labels, known = mask).loss;
  }
  void expect(std::initializer_list<std::string_view> parts) const {
    expect_error([&] { infer(); }, parts);
  }
};

TEST(bad_input, what_fits_is_taken) {
  const call c;
  EXPECT_EQ(c.infer().get<1>().shape(), dimensions({5, 2}));
  EXPECT_GT(c.train(), 0);
}

TEST(bad_input, what_lies_on_a_device) {
  const location device = location::on_device(1);
  call c, memory;
  c.X = tensor<float>::view_of(memory.X.data(), {5, 3}, device);
  c.expect({"input 'x' lies on CUDA device 1, the program runs on the host; write x.to(stg::host)"});
  call d;
  d.E = edge_values<float>::in_id_order(tensor<float>::view_of(memory.weights.data(), {9}, device));
  d.expect({"input 'w' lies on CUDA device 1", "write w.to(stg::host)"});

  call e;
  const auto layer = compile<reads_all>();
  auto results = e.infer();
  results.get<1>() = tensor<float>::view_of(memory.W.data(), {5, 2}, device);
  expect_error([&] { layer.into(results, e.g, x = e.X, w = e.E, eps = e.number, z = e.Z, M = e.W, both = e.B); },
               {"output 1 lies on CUDA device 1, the program runs on the host; write results.to(stg::host)"});
  auto trainer = compile_for_training<loss>();
  auto tape = trainer.record(e.g, z = e.Z, M = e.W, label = e.labels, known = e.mask);
  expect_error([&] { tape.backward(tensor<float>::view_of(memory.X.data(), {}, device)); },
               {"cotangent of output 0 lies on CUDA device 1"});
}

TEST(bad_input, another_number_of_rows) {
  call c;
  c.X = tensor<float>({4, 3});
  c.expect({"input 'x' has 4 rows", "the graph has 5 vertices"});
}

TEST(bad_input, another_number_of_columns) {
  call c;
  c.X = tensor<float>({5, 2});
  c.expect({"input 'x' axis 0 has extent 2", "the program says 3"});
}

TEST(bad_input, another_number_of_axes) {
  call c;
  c.X = tensor<float>({15});
  c.expect({"input 'x' has shape (15,)", "expected 2 axes: (vertices, 3)"});
  c = call();
  c.X = tensor<float>({5, 3, 1});
  c.expect({"input 'x' has shape (5, 3, 1)", "expected 2 axes: (vertices, 3)"});
  c = call();
  c.W = tensor<float>({8});
  c.expect({"input 'M' has shape (8,)", "expected 2 axes: (F, C)"});
  c = call();
  c.number = tensor<float>({2});
  c.expect({"input 'eps' has shape (2,)", "expected 0 axes: ()"});
}

TEST(bad_input, one_extent_of_two_sizes) {
  call c;
  c.W = tensor<float>({3, 2});
  c.expect({"extent 'F' is 4 in 'z' axis 0 and 3 in 'M' axis 0", "one name is one size"});
}

TEST(bad_input, a_product_of_extents) {
  call c;
  c.B = tensor<float>({5, 7});
  c.expect({"input 'both' axis 0 has extent 7", "expected C * F = 8"});
}

TEST(bad_input, an_extent_of_zero) {
  call c;
  c.Z = tensor<float>({5, 0});
  c.W = tensor<float>({0, 2});
  c.expect({"extent 'F' is 0 in 'z' axis 0", "an extent is 1 or more"});
}

constexpr auto product_alone = [](auto v) { return v(both) * 2.0; };

TEST(bad_input, an_extent_that_nothing_determines) {
  const call c;
  expect_error([&] { compile<product_alone>()(c.g, both = c.B); },
               {"extent 'C' is not the extent of any input", "bind an input that has it by itself"});
}

constexpr auto third_and_fourth = [](auto v) { return slice<2, 4>(v(z)); };

TEST(bad_input, a_slice_beyond_a_run_time_extent) {
  const graph g = test::mixed();
  const tensor<float> wide({5, 4}), narrow({5, 3});
  EXPECT_EQ(compile<third_and_fourth>()(g, z = wide).shape(), dimensions({5, 2}));
  EXPECT_EQ(compile<third_and_fourth>()(g, z = wide.view()).shape(), dimensions({5, 2})) << "a const view is an input";
  expect_error([&] { compile<third_and_fourth>()(g, z = narrow); }, {"slice ends at 4", "its axis has extent F = 3"});
}

constexpr auto first_five = [](auto, auto h) { return slice<0, 5>(h * 2.0f); };
constexpr auto slice_of_a_call = [](auto v) { return stg::call(first_five, v, v(z)); };
constexpr auto slice_of_a_step = [](auto v) {
  return scan<2>(
      v, [](auto v, auto h) { return h * sum(first_five(v, h), axis<0>); }, v(z));
};
TEST(bad_input, a_slice_beyond_a_run_time_extent_in_what_is_called) {
  const graph g = test::from_pairs(2, {{0, 1}});
  const tensor<float> narrow({2, 3}), wide({2, 5});
  expect_error([&] { compile<slice_of_a_call>()(g, z = narrow); }, {"slice ends at 5; its axis has extent F = 3"});
  expect_error([&] { compile<slice_of_a_step>()(g, z = narrow); }, {"slice ends at 5; its axis has extent F = 3"});
  EXPECT_EQ(compile<slice_of_a_call>()(g, z = wide).shape(), dimensions({2, 5}));
  EXPECT_EQ(compile<slice_of_a_step>()(g, z = wide).shape(), dimensions({2, 5}));
}

TEST(bad_input, edge_values_of_another_graph) {
  call c;
  const graph other = test::from_pairs(5, {{0, 1}, {1, 2}});
  c.E = other.edge_values(tensor<float>({2}));
  c.expect({"input 'w' has 2 rows", "the graph has 9 edges"});
  const edge_list edges = c.g.edge_list();
  const graph turned = graph::from_edges(5, std::span(edges.dst), std::span(edges.src));
  c.E = turned.edge_values(c.weights);
  c.expect({"stg: input 'w' has edge values of another graph; write graph.edge_values(w) with the graph of the call"});
  expect_error([&] { c.g.edge_values(tensor<float>({5})); }, {"edge values of shape (5,)", "9 edges"});
}

TEST(bad_input, a_label_outside_of_its_classes_counts_under_the_mask_only) {
  call c;
  c.mask.fill(true);
  for (const std::int32_t wrong : {2, -1, 1000000}) {
    c.labels.fill(1);
    c.labels(3) = wrong;
    c.mask(3) = true;
    expect_error([&] { c.train(); },
                 {"input 'label' is " + std::to_string(wrong) + " at vertex 3", "labels lie in [0, 2)"});
    c.mask(3) = false;
    EXPECT_TRUE(std::isfinite(c.train()));
  }
}

TEST(bad_input, labels_under_a_computed_mask_are_not_checked) {
  call c;
  uniform(c.Z, -1, 1, 1);
  uniform(c.W, -1, 1, 2);
  c.mask.fill(true);
  c.mask(3) = false;
  const auto all = tensor<bool>::full({5}, true);
  c.labels(3) = -1;
  const float expected = c.train();
  auto of_both = value_and_grad<loss_of_both>();
  EXPECT_EQ(of_both(c.g, z = c.Z, M = c.W, label = c.labels, known = c.mask, train = all).loss, expected);
  auto of_labelled = value_and_grad<loss_of_labelled>();
  EXPECT_EQ(of_labelled(c.g, z = c.Z, M = c.W, label = c.labels).loss, expected);
}

TEST(bad_input, labels_without_a_mask) {
  call c;
  uniform(c.Z, -1, 1, 1);
  uniform(c.W, -1, 1, 2);
  c.mask.fill(true);
  const float expected = c.train();
  auto of_all = value_and_grad<loss_of_all>();
  const auto train = [&] { return of_all(c.g, z = c.Z, M = c.W, label = c.labels).loss; };
  EXPECT_EQ(train(), expected);
  c.labels(3) = 2;
  expect_error([&] { train(); }, {"'label' is 2 at vertex 3"});
}

TEST(bad_input, an_error_leaves_a_step_usable) {
  call c;
  c.mask.fill(true);
  uniform(c.Z, -1, 1, 1);
  uniform(c.W, -1, 1, 2);
  auto step = value_and_grad<loss>();
  const auto train = [&] { return step(c.g, z = c.Z, M = c.W, label = c.labels, known = c.mask).loss; };
  const float before = train();
  c.labels(1) = 9;
  expect_error([&] { train(); }, {"label"});
  c.labels(1) = 0;
  EXPECT_EQ(train(), before);
}

constexpr auto loss_of_maybe_none = [](auto v) {
  return mse(matmul(v(z), M), 0.0 * matmul(v(z), M), may_be_empty(v(known)));
};
constexpr auto error_of_known = [](auto v) { return l1(matmul(v(z), M), 0.0 * matmul(v(z), M), v(known)); };

TEST(bad_input, a_mask_that_names_nobody) {
  call c;
  uniform(c.Z, 1, 2, 1);
  c.W.fill(1);
  c.mask.fill(false);
  const std::initializer_list<std::string_view> said = {
      "mask 'known' names no vertex, the loss would be 0; write may_be_empty(v(known)) where that is meant"};
  expect_error([&] { c.train(); }, said);
  expect_error([&] { compile<error_of_known>()(c.g, z = c.Z, M = c.W, known = c.mask); }, said);
  auto fixed_step = value_and_grad<loss>();
  const auto with_fixed_mask = [&] {
    return fixed_step(c.g, z = c.Z, M = c.W, label = c.labels, known = fixed(c.mask)).loss;
  };
  expect_error([&] { with_fixed_mask(); }, said);
  auto maybe = value_and_grad<loss_of_maybe_none>();
  auto now = maybe(c.g, z = c.Z, M = c.W, known = c.mask);
  EXPECT_EQ(now.loss, 0);
  EXPECT_EQ(now.gradients[M](0, 0), 0);
  auto both = value_and_grad<loss_of_both>();  // computed: not looked at
  EXPECT_EQ(both(c.g, z = c.Z, M = c.W, label = c.labels, known = c.mask, train = c.mask).loss, 0);

  c.mask(4) = true;  // one is enough
  EXPECT_GT(c.train(), 0);
  EXPECT_GT(with_fixed_mask(), 0);
  EXPECT_GT(maybe(c.g, z = c.Z, M = c.W, known = c.mask).loss, 0);
}

constexpr auto zs = over<"T">(vertex_feature<"zs", 2>);
constexpr auto labels_of_steps = over<"T">(vertex_feature<"labels", i32>);
constexpr auto known_at_step = over<"T">(vertex_feature<"known", boolean>);
constexpr auto loss_of_steps = [](auto v) {
  return mean(stacked(scan<"T">(v, [](auto v) { return cross_entropy(v(zs), v(labels_of_steps), v(known_at_step)); })),
              axis<0>);
};
TEST(bad_input, labels_and_masks_of_steps_are_told_by_step_and_vertex) {
  const graph g = test::from_pairs(3, {{0, 1}});
  const tensor<float> Z({2, 3, 2});
  tensor<std::int32_t> labels({2, 3});
  tensor<bool> mask = tensor<bool>::full({2, 3}, true);
  const auto run = [&] {
    return compile<loss_of_steps>()(g, zs = Z, labels_of_steps = labels, known_at_step = mask).item();
  };
  EXPECT_NEAR(run(), std::log(2), 1e-6);
  labels(1, 2) = 7;
  expect_error(run, {"input 'labels' is 7 at step 1, vertex 2; labels lie in [0, 2)"});
  labels(1, 2) = 1;
  for (int v = 0; v < 3; ++v) mask(0, v) = false;
  expect_error(run, {"mask 'known' names no vertex at step 0, the loss would be 0; write may_be_empty(v(known))"});
  mask.fill(false);
  expect_error(run, {"mask 'known' names no vertex, the loss would be 0"});
}

TEST(bad_input, a_mask_over_no_vertices_has_none_to_name) {
  const graph empty = graph::from_edges(0, std::span<const std::int32_t>(), std::span<const std::int32_t>());
  const tensor<float> none({0, 4});
  const call c;
  auto step = value_and_grad<loss>();
  auto now = step(empty, z = none, M = c.W, label = tensor<std::int32_t>({0}), known = tensor<bool>({0}));
  EXPECT_EQ(now.loss, 0);
  for (const float g : now.gradients[M]) EXPECT_EQ(g, 0);
}

TEST(bad_input, a_mask_of_edges_that_names_none) {
  const call c;
  const auto none = c.g.edge_values(tensor<bool>({9}));
  expect_error([&] { compile<loss_of_links>()(c.g, w = c.E, asked = none); },
               {"mask 'asked' names no edge, the loss would be 0; write may_be_empty(e(asked)) where that is meant"});
}

TEST(bad_input, a_mask_of_the_graph_may_be_false) {
  const call c;
  EXPECT_EQ(compile<loss_if>()(c.g, z = c.Z, whether = tensor<bool>({1})).data()[0], 0);
}

TEST(bad_input, one_label_for_the_graph_under_a_mask_of_its_vertices) {
  call c;
  uniform(c.Z, -1, 1, 1);
  auto one = tensor<std::int32_t>::full({1}, 1);
  const auto run = [&] { return compile<loss_of_one_label>()(c.g, z = c.Z, M = c.W, kind = one, known = c.mask); };
  EXPECT_GT(run().data()[0], 0);
  one(0) = 2;
  expect_error([&] { run(); }, {"stg: input 'kind' is 2; labels lie in [0, 2)"});
}

TEST(bad_input, sizes_of_parameters) {
  EXPECT_EQ(parameters<loss>(sized<"F">(4), sized<"C">(2))[M].shape(), dimensions({4, 2}));
  expect_error([] { parameters<loss>(sized<"F">(4), sized<"C">(0)); }, {"extent 'C' is 0; an extent is 1 or more"});
  expect_error([] { parameters<loss>(sized<"F">(-4), sized<"C">(2)); }, {"extent 'F' is -4; an extent is 1 or more"});
}

TEST(bad_input, results_of_another_shape_are_refused_and_kept) {
  const graph g = test::mixed();
  const tensor<float> wide({5, 4});
  const auto layer = compile<third_and_fourth>();
  auto result = tensor<float>::full({5, 3}, 7);
  expect_error([&] { layer.into(result, g, z = wide); }, {"output 0 has shape (5, 3)", "the program gives (5, 2)"});
  ASSERT_EQ(result.shape(), dimensions({5, 3}));
  EXPECT_EQ(result(4, 2), 7);
}

TEST(bad_input, more_edges_than_an_edge_id_can_count) {
  static constexpr auto h = trainable(vertex_feature<"h", 3>);
  static constexpr auto largest = [](auto v) { return sum(max(v.in_edges().src(h)), all_vertices); };
  const ir::program inferred = trace(largest);
  const auto both = differentiate(inferred);
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  check_edge_ids(view_of(both.gradient), most);
  check_edge_ids(view_of(inferred), 100 * most);
  expect_error([&] { check_edge_ids(view_of(both.gradient), most + 1); },
               {"graph has 2147483648 edges", "gradient of max and min over edges", "at most 2147483647"});
}

// ---- what is unusual, not wrong ----

constexpr auto four = vertex_feature<"four", extent<"A">, extent<"B">, extent<"C">, extent<"D">>;
constexpr auto known_four = vertex_feature<"known_four", 1, 2, 3, 4>;

TEST(unusual_input, a_loss_of_four_named_axes) {
  static constexpr auto named = [](auto v) { return mse(v(four), 0.0 * v(four)); };
  static constexpr auto numbered = [](auto v) { return mse(v(known_four), 0.0 * v(known_four)); };
  tensor<float> X({5, 1, 2, 3, 4});
  uniform(X, -1, 1, 1);
  EXPECT_FLOAT_EQ(compile<named>()(test::mixed(), four = X).data()[0],
                  compile<numbered>()(test::mixed(), known_four = X).data()[0]);
}

constexpr auto hub = trainable(vertex_feature<"hub", 4>);
constexpr auto everything = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto near = sum(softmax(e.src(hub)) * e.src(hub)) + max(e.src(hub)) + mean(o.dst(hub));
  return outputs(sum(near, all_vertices), max(near, all_vertices), mean(near, all_vertices), near, e.src(hub) * 2.0);
};

void check_unusual(const graph& g) {
  const tensor<float> H({g.vertices(), 4});
  const auto results = compile<everything>()(g, hub = H);
  for (int f = 0; f < 4; ++f) {
    EXPECT_EQ(results.get<0>()(f), 0);
    EXPECT_EQ(results.get<1>()(f), 0);
    EXPECT_EQ(results.get<2>()(f), 0);
  }
  EXPECT_EQ(results.get<3>().shape(), dimensions({g.vertices(), 4}));
  EXPECT_EQ(results.get<4>().values().shape(), dimensions({g.edges(), 4}));
  auto layer = compile_for_training<everything>();
  auto tape = layer.record(g, hub = H);
  const auto out = tape.outputs();
  const auto gradients = tape.backward(out.get<0>(), out.get<1>(), out.get<2>(), out.get<3>(), out.get<4>());
  EXPECT_EQ(gradients[hub].shape(), dimensions({g.vertices(), 4}));
  for (const float d : gradients[hub]) EXPECT_EQ(d, 0);
}

TEST(unusual_input, a_graph_without_vertices) { check_unusual(graph()); }
TEST(unusual_input, a_graph_without_edges) { check_unusual(test::from_pairs(6, {})); }

constexpr auto two_means = [](auto v) {
  auto e = v.in_edges();
  return outputs(sum(e.src(x)), mean(e.src(x) * e(w)), sum(softmax(e.src(x)) * e.src(x)), v(x) * v(x));
};

TEST(unusual_input, a_nan_stays_with_its_neighbours_and_its_column) {
  const graph g = test::power_law(60, 400, 3);
  tensor<float> X({60, 3}), weights({400});
  uniform(X, -1, 1, 1);
  X(7, 1) = std::numeric_limits<float>::quiet_NaN();
  std::vector<bool> reached(60);
  const auto edges = g.edge_list();
  for (std::size_t k = 0; k < edges.src.size(); ++k)
    if (edges.src[k] == 7) reached[static_cast<std::size_t>(edges.dst[k])] = true;
  const auto y = compile<two_means>()(g, x = X, w = g.edge_values(weights));
  const auto check = [&](const tensor<float>& t, auto hit, const char* what) {
    for (std::int64_t v = 0; v < 60; ++v)
      for (int f = 0; f < 3; ++f) EXPECT_EQ(std::isnan(t(v, f)), f == 1 && hit(v)) << what << " " << v << " " << f;
  };
  const auto neighbour = [&](std::int64_t v) { return static_cast<bool>(reached[static_cast<std::size_t>(v)]); };
  check(y.get<0>(), neighbour, "sum");
  check(y.get<1>(), neighbour, "mean");
  check(y.get<2>(), neighbour, "softmax");
  check(
      y.get<3>(), [](std::int64_t v) { return v == 7; }, "square");
}

TEST(unusual_input, a_nan_reaches_the_loss) {
  call c;
  c.mask.fill(true);
  c.Z(2, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(c.train()));
  c.mask(2) = false;
  EXPECT_TRUE(std::isfinite(c.train()));
}

}  // namespace
}  // namespace stg
