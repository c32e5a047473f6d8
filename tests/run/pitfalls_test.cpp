// test: draft calls
// Programs that are short and easily compiled wrong: a sign lost in a gradient, one of two uses forgotten, a weight
// taken for a constant. Values are those of plain loops, gradients the central differences of these loops.
#include "support/bind.hpp"      // bind_all, numbers_of
#include "support/families.hpp"  // from_pairs
#include "support/inputs.hpp"    // random_inputs

#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // TEST

#include <algorithm>    // max
#include <cmath>        // exp, isfinite, nan, tanh
#include <limits>       // numeric_limits
#include <map>          // map
#include <random>       // mt19937
#include <string>       // string
#include <type_traits>  // is_same_v
#include <vector>       // vector

namespace stg {
namespace {

constexpr auto h = trainable(vertex_feature<"h", f64, 2>);
constexpr auto a = trainable(vertex_feature<"a", f64, 2>);
constexpr auto b = trainable(vertex_feature<"b", f64, 2>);
constexpr auto norm = trainable(vertex_feature<"norm", f64>);
constexpr auto w = trainable(edge_feature<"w", f64>);

/// Parallel edges (0 → 2), a loop (1), a vertex without in-edges (4), one without out-edges (3), an isolated one (5).
/// Sorted by destination, so that rows of edge values are in this order.
struct arrow {
  int from, to;
};
constexpr arrow arrows[] = {{2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {0, 2}, {1, 2}, {4, 2}, {1, 3}, {2, 3}, {4, 3}};
constexpr int vertices = 6;

const graph& small() {
  static const graph g = [] {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const arrow e : arrows) pairs.push_back({e.from, e.to});
    return test::from_pairs(vertices, pairs);
  }();
  return g;
}

using numbers = std::vector<double>;

/// Inputs by name.
struct given {
  std::map<std::string, numbers> inputs;

  double operator()(const std::string& name, int row) const { return inputs.at(name)[static_cast<std::size_t>(row)]; }
  double operator()(const std::string& name, int row, int k) const { return (*this)(name, 2 * row + k); }
};

std::size_t at(int vertex, int k) { return static_cast<std::size_t>(2 * vertex + k); }

/// Σ over the in-edges of every vertex of message(edge, its number, feature): (vertices, 2).
template <class Message> numbers over_in_edges(Message message) {
  numbers y(2 * vertices);
  int number = 0;
  for (const arrow e : arrows) {
    for (int k = 0; k < 2; ++k) y[at(e.to, k)] += message(e, number, k);
    ++number;
  }
  return y;
}
/// f(vertex, feature): (vertices, 2).
template <class F> numbers over_vertices(F f) {
  numbers y;
  for (int v = 0; v < vertices; ++v)
    for (int k = 0; k < 2; ++k) y.push_back(f(v, k));
  return y;
}

void expect_near(const numbers& actual, const numbers& expected, double tolerance, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << what << "[" << i << "]";
}

/// A program's value, and its gradient for every trainable input, from the compiled program and from loops.
template <const auto& Program> void check(numbers (*loops)(const given&)) {
  using Ref = ref<Program>;
  const ir::program p = canonical<Ref>::value.thaw();
  const oracle::environment env = test::random_inputs(p, small(), 5);
  auto inputs = test::bind_all<Ref>(p, small(), env);
  given g{env.inputs};

  auto recorder = compile_for_training<Program>();
  auto tape = recorder.record(small(), inputs);
  auto value = tape.output();
  expect_near(test::numbers_of(value), loops(g), 1e-13, "value");

  tensor<double> cotangent({vertices, 2});
  std::mt19937 random(3);
  const numbers d = test::random_array(random, cotangent.size());
  std::copy(d.begin(), d.end(), cotangent.begin());
  const auto objective = [&] {
    const numbers y = loops(g);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += d[i] * y[i];
    return sum;
  };
  auto gradients = tape.backward(cotangent);
  for_each(gradients, [&](std::string_view name, auto& gradient) {
    numbers differences;
    for (double& x : g.inputs.at(std::string(name))) {
      const double before = x, step = 1e-5;
      x = before + step;
      const double above = objective();
      x = before - step;
      differences.push_back((above - objective()) / (2 * step));
      x = before;
    }
    expect_near(test::numbers_of(gradient), differences, 1e-8, "gradient of " + std::string(name));
  });
}

TEST(pitfalls, a_difference_of_both_ends) {
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(e.src(a) - e.dst(b));
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int, int k) { return g("a", e.from, k) - g("b", e.to, k); });
  });
}

TEST(pitfalls, a_factor_twice_in_one_product) {
  static constexpr auto program = [](auto v) {
    auto x = v.in_edges().src(h);
    return sum(x * x);
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int, int k) { return g("h", e.from, k) * g("h", e.from, k); });
  });
}

TEST(pitfalls, a_value_of_the_neighbours_and_of_the_vertex_itself) {
  static constexpr auto program = [](auto v) { return sum(v.in_edges().src(h)) + v(h); };
  check<program>([](const given& g) {
    numbers y = over_in_edges([&](arrow e, int, int k) { return g("h", e.from, k); });
    for (int i = 0; i < 2 * vertices; ++i) y[at(0, i)] += g("h", i);
    return y;
  });
}

TEST(pitfalls, two_sums_over_the_same_edges) {
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(e.src(a)) + sum(e.src(b));
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int, int k) { return g("a", e.from, k) + g("b", e.from, k); });
  });
}

TEST(pitfalls, an_exponential_below_the_sum) {
  static constexpr auto program = [](auto v) { return sum(exp(v.in_edges().src(h))); };
  check<program>(
      [](const given& g) { return over_in_edges([&](arrow e, int, int k) { return std::exp(g("h", e.from, k)); }); });
}

TEST(pitfalls, relu_above_the_sum) {
  static constexpr auto program = [](auto v) { return relu(sum(v.in_edges().src(h))); };
  check<program>([](const given& g) {
    numbers y = over_in_edges([&](arrow e, int, int k) { return g("h", e.from, k); });
    for (double& x : y) x = std::max(x, 0.0);
    return y;
  });
}

TEST(pitfalls, a_sum_times_itself) {
  static constexpr auto program = [](auto v) {
    auto x = v.in_edges().src(h);
    return sum(x) * sum(x);
  };
  check<program>([](const given& g) {
    numbers y = over_in_edges([&](arrow e, int, int k) { return g("h", e.from, k); });
    for (double& x : y) x *= x;
    return y;
  });
}

TEST(pitfalls, an_edge_weight_that_is_trained) {
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(e(w) * e.src(h));
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int number, int k) { return g("w", number) * g("h", e.from, k); });
  });
}

TEST(pitfalls, a_normalisation_that_is_trained) {
  static constexpr auto program = [](auto v) { return v(norm) * sum(v.in_edges().src(v(norm) * v(h))); };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int, int k) { return g("norm", e.to) * g("norm", e.from) * g("h", e.from, k); });
  });
}

TEST(pitfalls, relu_on_edges) {
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(relu(e.src(a) + e.dst(b)));
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int, int k) { return std::max(g("a", e.from, k) + g("b", e.to, k), 0.0); });
  });
}

TEST(pitfalls, sigmoid_on_edges) {
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(sigmoid(e.src(a) * e.dst(b)));
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int, int k) { return 1 / (1 + std::exp(-g("a", e.from, k) * g("b", e.to, k))); });
  });
}

TEST(pitfalls, tanh_on_edges) {
  static constexpr auto program = [](auto v) {
    auto e = v.in_edges();
    return sum(tanh(e(w) * e.src(h)));
  };
  check<program>([](const given& g) {
    return over_in_edges([&](arrow e, int number, int k) { return std::tanh(g("w", number) * g("h", e.from, k)); });
  });
}

TEST(pitfalls, a_number_on_the_left) {
  static constexpr auto program = [](auto v) { return sum(1 + v.in_edges().src(h)); };
  check<program>(
      [](const given& g) { return over_in_edges([&](arrow e, int, int k) { return 1 + g("h", e.from, k); }); });
}

TEST(pitfalls, division_by_a_number_and_of_a_number) {
  static constexpr auto program = [](auto v) {
    auto x = v.in_edges().src(h);
    return sum(x / 2) - 2 / v(h);
  };
  check<program>([](const given& g) {
    numbers y = over_in_edges([&](arrow e, int, int k) { return g("h", e.from, k) / 2; });
    for (int i = 0; i < 2 * vertices; ++i) y[at(0, i)] -= 2 / g("h", i);
    return y;
  });
}

TEST(pitfalls, neighbours_along_out_edges) {
  static constexpr auto program = [](auto v) {
    auto o = v.out_edges();
    return sum(o(w) * o.dst(h));
  };
  check<program>([](const given& g) {
    numbers y(2 * vertices);
    int number = 0;
    for (const arrow e : arrows) {
      for (int k = 0; k < 2; ++k) y[at(e.from, k)] += g("w", number) * g("h", e.to, k);
      ++number;
    }
    return y;
  });
}

constexpr auto layer = [](auto v, auto x) { return sum(nn::weigh(v, v.in_edges().src(x))); };

TEST(pitfalls, a_layer_called_with_weights_and_then_without) {
  static constexpr auto program = [](auto v) { return layer(v, layer(nn::weighted(v, w), v(h))); };
  check<program>([](const given& g) {
    const numbers y = over_in_edges([&](arrow e, int number, int k) { return g("w", number) * g("h", e.from, k); });
    return over_in_edges([&](arrow e, int, int k) { return y[at(e.from, k)]; });
  });
}

// Evaluated before a step's gradient is taken and once more between the steps, with parameters of its own each time.
TEST(pitfalls, evaluation_between_two_training_steps) {
  static constexpr auto theta = parameter<"theta", f64, 2>;
  static constexpr auto input = vertex_feature<"h", f64, 2>;
  static constexpr auto model = [](auto v) { return sum(v.in_edges().src(input)) * theta; };
  const auto x = tensor<double>::from({vertices, 2}, {1, -2, 0.5, 3, -1, 0.25, 2, 1, -0.5, 4, 1, 1});
  const given g{{{"h", numbers(x.begin(), x.end())}}};
  const numbers s = over_in_edges([&](arrow e, int, int k) { return g("h", e.from, k); });
  double expected[2] = {0.5, -1};
  const auto value = [&] { return over_vertices([&](int v, int k) { return s[at(v, k)] * expected[k]; }); };

  auto recorder = compile_for_training<model>();
  auto evaluate = compile<model>();
  auto trained = tensor<double>::from({2}, {0.5, -1});
  const auto other = tensor<double>::from({2}, {100, 200});
  for (int step = 0; step < 2; ++step) {
    auto tape = recorder.record(small(), input = x, theta = trained);
    auto evaluated = evaluate(small(), input = x, theta = other);
    expect_near(test::numbers_of(evaluated), over_vertices([&](int v, int k) { return s[at(v, k)] * 100 * (1 + k); }),
                1e-13, "with other parameters");
    auto in_training = tape.output();
    expect_near(test::numbers_of(in_training), value(), 1e-13, "in training");
    const auto gradients = tape.backward(in_training);  // of half the sum of squares
    for (int k = 0; k < 2; ++k) {
      double slope = 0;
      for (int v = 0; v < vertices; ++v) slope += s[at(v, k)] * s[at(v, k)] * expected[k];
      EXPECT_NEAR(gradients[theta](k), slope, 1e-12 * std::abs(slope)) << "step " << step;
      expected[k] -= 0.01 * slope;
      trained(k) -= 0.01 * gradients[theta](k);
    }
    evaluated = evaluate(small(), input = x, theta = trained);
    expect_near(test::numbers_of(evaluated), value(), 1e-13, "after the step");
  }
}

// ---- what a call gives, without a name of its own ----

TEST(pitfalls, results_that_have_no_name) {
  static constexpr auto s = trainable(edge_feature<"s">);
  static constexpr auto shares = [](auto v) { return softmax(v.in_edges()(s)); };
  static constexpr auto both = [](auto v) { return outputs(named<"share">(shares(v)), named<"sum">(sum(shares(v)))); };
  const graph star = graph::from_edges(5, {1, 2, 3, 4}, {0, 0, 0, 0});
  const auto S = star.edge_values(tensor<float>::full({4}, 1));
  int seen = 0;
  for (const float share : compile<shares>()(star, s = S).values()) {
    EXPECT_FLOAT_EQ(share, 0.25f);
    ++seen;
  }
  for (const float share : compile<both>()(star, s = S).get<0>().values()) {
    EXPECT_FLOAT_EQ(share, 0.25f);
    ++seen;
  }
  auto trained = compile_for_training<shares>();
  const auto d = star.edge_values(tensor<float>::from({4}, {1, 0, 0, 0}));
  for (const float slope : trained.record(star, s = S).backward(d)[s].values()) {
    EXPECT_LT(slope, 0.2f);
    ++seen;
  }
  EXPECT_EQ(seen, 12);
  const auto of_0 = compile<both>()(star, s = S).get<1>().row(0);
  const auto other = compile<both>()(star, s = S).get<1>().clone();  // takes what would be free
  EXPECT_FLOAT_EQ(of_0.item(), 1);
  EXPECT_EQ(other.size(), 5);
}

// ---- behind the mask of a loss ----

constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto seen = edge_feature<"seen", boolean>;
constexpr auto of_edge = edge_feature<"of_edge", f64, 2>;
constexpr auto mixing = parameter<"mixing", f64, 2, 2>;

template <class Y, class Target, class Mask> constexpr auto of_target(Y y, Target t, Mask m) {
  return outputs(mse(y, t, m) + l1(y, t, m) + huber(y, t, 0.5, m) + bce_with_logits(y, t, m), y);
}
constexpr auto of_vertices = [](auto v) { return of_target(matmul(v(h), mixing) + v(norm), v(a), v(known)); };
constexpr auto of_in_edges = [](auto v) {
  auto e = v.in_edges();
  return of_target(matmul(e.src(h) * e.dst(h), mixing), e(of_edge), e(seen));
};
constexpr auto of_out_edges = [](auto v) {
  auto e = v.out_edges();
  return of_target(matmul(e.src(h) * e.dst(h), mixing), e(of_edge), e(seen));
};
constexpr auto of_missing = [](auto v) { return of_target(matmul(v(h), mixing), v(a), !is_nan(v(a)[0])); };
constexpr auto of_classes = [](auto v) {
  auto y = matmul(v(h), mixing) + v(norm);
  return cross_entropy(y, v(label), v(known)) + nll(y, v(label), v(known));
};

struct loss_and_slope {
  double loss;
  numbers slope;
};
template <const auto& Loss> loss_and_slope of_step(const auto&... bound) {
  auto now = value_and_grad<Loss, mixing>()(small(), bound...);
  const auto& slope = now.gradients[mixing];
  return {now.loss, numbers(slope.begin(), slope.end())};
}
/// What a loss and its gradient are must not depend on what stands behind the mask, nor on the mask of one more row.
void expect_same(const loss_and_slope& now, const loss_and_slope& clean, double hidden) {
  EXPECT_EQ(now.loss, clean.loss) << hidden;
  EXPECT_EQ(now.slope, clean.slope) << hidden;
  for (const double each : now.slope) EXPECT_TRUE(std::isfinite(each) && each != 0) << hidden;
}

TEST(pitfalls, nothing_behind_a_mask_is_in_a_loss_or_its_gradient) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto H = tensor<double>::from({vertices, 2}, {1, -2, 0.5, 3, -1, 0.25, 2, 1, -0.5, 4, 1, 1});
  const auto M = tensor<double>::from({2, 2}, {0.1, 0.2, 0.3, -0.4});
  const auto K = tensor<bool>::from({vertices}, {true, false, true, true, false, true});
  tensor<bool> E({std::size(arrows)});
  for (std::int64_t i = 0; i < E.size(); ++i) E(i) = i % 3 != 1;
  const auto targets = [](std::int64_t rows, const auto& mask, double hidden) {
    tensor<double> t({rows, 2});
    for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = mask(i / 2) ? 0.25 * static_cast<double>(i % 5) : hidden;
    return t;
  };
  const auto shifts = [&](double hidden) {
    tensor<double> t({vertices});
    for (int v = 0; v < vertices; ++v) t(v) = K(v) ? 0 : hidden;
    return t;
  };
  const auto on_vertices = [&]<const auto & Loss>(double hidden) {
    return of_step<Loss>(h = H, a = targets(vertices, K, hidden), norm = shifts(hidden), known = K, mixing = M);
  };
  const auto on_edges = [&]<const auto & Loss>(double hidden) {
    return of_step<Loss>(h = H, of_edge = small().edge_values(targets(E.size(), E, hidden)),
                         seen = small().edge_values(E), mixing = M);
  };
  const auto classes = [&](double hidden, int hidden_label) {
    tensor<std::int32_t> labels({vertices});
    for (int v = 0; v < vertices; ++v) labels(v) = K(v) ? v % 2 : hidden_label;
    return of_step<of_classes>(h = H, norm = shifts(hidden), label = labels, known = K, mixing = M);
  };
  for (const double hidden : {std::nan(""), infinity, -infinity, 1e300}) {
    expect_same(on_vertices.template operator()<of_vertices>(hidden), on_vertices.template operator()<of_vertices>(0),
                hidden);
    expect_same(on_edges.template operator()<of_in_edges>(hidden), on_edges.template operator()<of_in_edges>(0),
                hidden);
    expect_same(on_edges.template operator()<of_out_edges>(hidden), on_edges.template operator()<of_out_edges>(0),
                hidden);
  }
  for (const double hidden : {std::nan(""), infinity, -infinity})
    for (const int wrong : {-1, 2, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
      expect_same(classes(hidden, wrong), classes(0, 0), hidden);
  const double none = std::nan("");
  const auto missing = of_step<of_missing>(h = H, a = targets(vertices, K, none), mixing = M);
  expect_same(missing, on_vertices.template operator()<of_vertices>(0), none);
}

}  // namespace
}  // namespace stg
