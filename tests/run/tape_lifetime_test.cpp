// test: draft calls
// Temporaries: parameter sets, tensors, tapes and steps that nobody has any more when what came of them is read.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // power_law, copy_of, differences, same_bits

#include <gtest/gtest.h>  // TEST

#include <cmath>    // nanf
#include <utility>  // as_const, move
#include <vector>   // vector

namespace stg {
namespace {

using test::differences;

constexpr auto input = vertex_feature<"input", 4>;
constexpr auto centre = graph_feature<"centre", 4>;
constexpr auto w = trainable(edge_feature<"w">);
constexpr auto A = parameter<"A", 4, 4>;
constexpr auto B = parameter<"B", 4>;
constexpr auto layer = [](auto v) {
  auto e = v.in_edges();
  return outputs(tanh(matmul(sum(e(w) * e.src(input)), A) + B), v(input));
};
constexpr auto below = [](auto v) { return matmul(v(input), A); };
constexpr auto loss = [](auto v) {
  auto y = matmul(v(input), A) + B - centre;
  return outputs(mean(sum(square(y), axis<0>), all_vertices), centre = mean(y, all_vertices));
};

constexpr std::int64_t vertices = 40;

/// What a layer and a loss are bound to.
struct all_bound {
  graph g = test::power_law(vertices, 200, 3);
  tensor<float> X{vertices, 4}, d{vertices, 4}, c{4};
  edge_values<float> weights;
  decltype(parameters<layer>()) params = parameters<layer>();
  decltype(compile_for_training<layer>()) recorder = compile_for_training<layer>();

  all_bound() {
    tensor<float> by_edge({g.edges()});
    std::uint64_t seed = 0;
    for (tensor<float>* t : {&X, &d, &c, &by_edge}) uniform(*t, -0.5, 0.5, ++seed);
    for_each(params, [&](std::string_view, auto& t) { uniform(t, -0.5, 0.5, ++seed); });
    weights = g.edge_values(by_edge);
  }
  auto wanted() {
    auto tape = recorder.record(g, input = X, w = weights, params);
    return test::copy_of(tape.backward(d));
  }
};

/// Memory of the sizes that tests let go, written over.
std::vector<tensor<float>> written_over() {
  std::vector<tensor<float>> others;
  for (int k = 0; k < 8; ++k)
    for (const dimensions& shape : {dimensions{vertices, 4}, dimensions{4, 4}, dimensions{4}, dimensions{200}})
      others.push_back(tensor<float>::full(shape, std::nanf("")));
  return others;
}

TEST(tape, takes_over_a_temporary_set) {
  all_bound c;
  const auto wanted = c.wanted();
  auto tape = c.recorder.record(c.g, input = c.X, w = c.weights, c.params.clone());
  const auto others = written_over();
  EXPECT_EQ(differences(tape.backward(c.d), wanted), "");
}

TEST(tape, takes_over_a_value_of_a_temporary_set) {
  all_bound c;
  const auto wanted = c.wanted();
  auto tape =
      c.recorder.record(c.g, input = c.X, w = c.weights, A = c.params.clone()[A], B = c.params.clone().of(c.params)[B]);
  const auto others = written_over();
  EXPECT_EQ(differences(tape.backward(c.d), wanted), "");
}

TEST(tape, leaves_a_set_with_a_name_to_its_user) {
  all_bound c;
  const auto wanted = c.wanted();
  const float* const before = c.params[A].data();
  auto tape = c.recorder.record(c.g, input = c.X, w = c.weights, c.params);
  auto again = c.recorder.record(c.g, input = c.X, w = c.weights, std::as_const(c.params));
  EXPECT_EQ(c.params[A].data(), before);
  EXPECT_TRUE(c.params[A].owns_memory());
  EXPECT_EQ(differences(tape.backward(c.d), wanted), "");
  EXPECT_EQ(differences(again.backward(c.d), wanted), "");
}

template <class T> const T const_copy(const T& of) { return of.clone(); }

TEST(tape, copies_const_temporaries) {
  all_bound c;
  const auto wanted = c.wanted();
  auto tape = c.recorder.record(c.g, input = const_copy(c.X), w = const_copy(c.weights), const_copy(c.params));
  const auto others = written_over();
  EXPECT_TRUE(test::same_bits(tape.output<1>(), c.X));
  EXPECT_EQ(differences(tape.backward(c.d), wanted), "");

  const tensor<float> named = c.X.clone();
  auto of_named = c.recorder.record(c.g, input = std::move(named), w = c.weights, c.params);
  EXPECT_TRUE(test::same_bits(named, c.X)) << "what is const is never taken";
  EXPECT_EQ(differences(of_named.backward(c.d), wanted), "");
}

TEST(tape, gives_an_output_that_is_a_temporary_input) {
  all_bound c;
  tensor<float> taken, of_const;
  {
    auto tape = c.recorder.record(c.g, input = c.X.clone(), w = c.weights, c.params);
    taken = tape.output<1>();
  }
  of_const = c.recorder.record(c.g, input = const_copy(c.X), w = c.weights, c.params).output<1>();
  const auto others = written_over();
  EXPECT_TRUE(test::same_bits(taken, c.X));
  EXPECT_TRUE(test::same_bits(of_const, c.X));
}

TEST(tape, that_was_moved_says_so) {
  all_bound c;
  auto tape = c.recorder.record(c.g, input = c.X, w = c.weights, c.params);
  auto now = std::move(tape);
  const auto moved = {std::string_view("a tape that was moved"), std::string_view("ask the tape that it was moved to")};
  test::expect_error([&] { tape.output(); }, moved);
  test::expect_error([&] { tape.outputs(); }, moved);
  test::expect_error([&] { tape.backward(c.d); }, moved);
  test::expect_error([&] { (void)tape.bytes(); }, moved);
  EXPECT_EQ(differences(now.backward(c.d), c.wanted()), "");
}

TEST(named_values, parts_of_a_temporary_set_stay) {
  all_bound c;
  const auto wanted = c.wanted();
  auto of = parameters<below>();
  const auto matrix = [&] {
    auto tape = c.recorder.record(c.g, input = c.X, w = c.weights, c.params);
    return tape.backward(c.d).of(of);
  }();
  const auto view = [&] {
    auto tape = c.recorder.record(c.g, input = c.X, w = c.weights, c.params);
    auto gradient = tape.backward(c.d);
    return gradient.of(of);
  }();
  const auto copy = c.params.clone().of(of);
  const auto more = c.wanted();  // in the memory of the tapes, were it free
  const auto others = written_over();
  EXPECT_TRUE(test::same_bits(matrix[A], wanted[A]));
  EXPECT_TRUE(test::same_bits(view[A], wanted[A]));
  EXPECT_TRUE(test::same_bits(copy[A], c.params[A]));
}

TEST(training_step, without_a_name_gives_results_that_stay) {
  all_bound c;
  auto step = value_and_grad<loss>();
  auto wanted = step(c.g, input = c.X, centre = c.c, c.params.of(parameters<loss>()));
  auto now = value_and_grad<loss>()(c.g, input = c.X, centre = c.c, c.params.of(parameters<loss>()));
  const tensor<float> middle =
      value_and_grad<loss>()(c.g, input = c.X, centre = c.c, c.params.of(parameters<loss>())).outputs[centre];
  auto moved = value_and_grad<loss>();
  const auto last = std::move(moved)(c.g, input = c.X, centre = c.c, c.params.of(parameters<loss>()));
  const auto others = written_over();
  EXPECT_EQ(now.loss, wanted.loss);
  EXPECT_EQ(differences(now.outputs, wanted.outputs), "");
  EXPECT_EQ(differences(now.gradients, wanted.gradients), "");
  EXPECT_EQ(differences(last.gradients, wanted.gradients), "");
  EXPECT_TRUE(test::same_bits(middle, wanted.outputs[centre]));
  const tensor<float> wrong({5});
  test::expect_error([&] { value_and_grad<loss>()(c.g, input = c.X, centre = wrong, c.params.of(parameters<loss>())); },
                     {"input 'centre'", "extent 5"});
}

TEST(gradients, of_one_set_are_added_to_themselves) {
  all_bound c;
  auto sum = c.params.clone();
  add(sum, sum, 0.5);
  auto view = sum.of(sum);
  sum += view;
  for (std::int64_t i = 0; i < sum[A].size(); ++i) EXPECT_FLOAT_EQ(sum[A].data()[i], 3 * c.params[A].data()[i]);
}

}  // namespace
}  // namespace stg
