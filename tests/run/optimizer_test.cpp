// test: draft runtime
// SGD, Adam and AdamW against their formulas in double, in every instruction set, bitwise for every number of threads.
#include "expect_error.hpp"              // expect_error
#include "support/trained_set.hpp"       // trained_set, filled_set
#include "support/update_reference.hpp"  // expect_reference

#include <stg/runtime/isa.hpp>        // isa, set_isa
#include <stg/runtime/optimizer.hpp>  // sgd, adam, adamw
#include <stg/runtime/parallel.hpp>   // set_threads

#include <gtest/gtest.h>  // TEST

#include <algorithm>    // fill_n
#include <cmath>        // nan, sqrt, pow
#include <limits>       // numeric_limits
#include <sstream>      // ostringstream
#include <string>       // string
#include <type_traits>  // remove_cvref_t
#include <vector>       // vector

namespace stg {
namespace {

using test::exact_name;
using test::large_name;
using test::small_name;
using test::small_symbol;
using set = test::trained_set;
// The gradients of a step come in an order of their own.
using gradients = named_values<named_value<exact_name, tensor<double>>, named_value<small_name, tensor<float>>,
                               named_value<large_name, tensor<float>>>;

/// Large enough for several parts of several threads.
template <class Set> Set filled(double phase) { return test::filled_set<Set>(phase, {7, 3}, {1100, 301}, {50, 401}); }

std::vector<double> numbers(const set& s) {
  std::vector<double> all;
  for_each(s, [&](std::string_view, const auto& t) { all.insert(all.end(), t.begin(), t.end()); });
  return all;
}

constexpr double decay = 0.05;
constexpr int steps = 3;

/// The formulas of optimizer.hpp, element by element; only `small` decays.
struct expected {
  std::vector<double> w, small_decay;
  expected() {
    const set s = filled<set>(0);
    w = numbers(s);
    small_decay.assign(w.size(), 0.0);
    std::fill_n(small_decay.begin(), s.get<0>().size(), decay);
  }
  template <class Element> void run(Element element) {
    std::vector<double> first(w.size()), second(w.size());
    for (int step = 1; step <= steps; ++step) {
      const std::vector<double> g = numbers(filled<set>(step));
      for (std::size_t i = 0; i < w.size(); ++i) element(w[i], g[i] + small_decay[i] * w[i], first[i], second[i], step);
    }
  }
};

class optimizer : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    before_ = isa();
    threads_before_ = threads();
    try {
      set_isa(GetParam());
    } catch (const error& e) {
      GTEST_SKIP() << e.what();
    }
  }
  void TearDown() override {
    set_isa(before_);
    set_threads(threads_before_);
  }

  template <class Make> static void check(const std::vector<double>& expected, Make make) {
    std::vector<double> first;
    for (const int n : {1, 2, 3, 4}) {
      set_threads(n);
      set parameters = filled<set>(0);
      auto optimiser = make(parameters);
      optimiser.weight_decay(small_symbol(), decay);
      for (int step = 1; step <= steps; ++step) optimiser.step(filled<gradients>(step));
      const std::vector<double> now = numbers(parameters);
      if (n == 1) {
        first = now;
        for (std::size_t i = 0; i < now.size(); ++i) ASSERT_NEAR(now[i], expected[i], 1e-6) << i;
        const std::size_t floats = now.size() - 50 * 401;
        for (std::size_t i = floats; i < now.size(); ++i) ASSERT_NEAR(now[i], expected[i], 1e-13) << i;
      }
      ASSERT_EQ(now, first) << n << " threads";
    }
  }

 private:
  std::string before_;
  int threads_before_ = 1;
};

TEST_P(optimizer, sgd_follows_its_formula) {
  expected e;
  e.run([](double& w, double d, double& v, double&, int) {
    v = 0.9 * v + d;
    w -= 0.1 * v;
  });
  check(e.w, [](set& s) { return sgd(s, {.learning_rate = 0.1, .momentum = 0.9}); });
}

TEST_P(optimizer, adam_follows_its_formula) {
  expected e;
  e.run([](double& w, double d, double& m, double& v, int step) {
    m = 0.8 * m + 0.2 * d;
    v = 0.95 * v + 0.05 * d * d;
    w -= 0.1 * (m / (1 - std::pow(0.8, step))) / (std::sqrt(v / (1 - std::pow(0.95, step))) + 1e-4);
  });
  check(e.w, [](set& s) { return adam(s, {.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-4}); });
}

/// A hundred steps at the defaults, of parameters that begin at zero.
template <class Make, class Reference>
void follow_a_hundred_steps(Make make, Reference reference, double decay_of_others = 0) {
  const dimensions small{7, 3}, large{40, 9}, exact{5, 4};
  set parameters = test::filled_set<set>(0, small, large, exact);
  for_each(parameters, [](std::string_view, auto& t) { t.fill(0); });
  auto optimiser = make(parameters);
  optimiser.weight_decay(small_symbol(), test::reference_decay);
  for (int step = 1; step <= test::reference_steps; ++step)
    optimiser.step(test::reference_gradients<gradients>(small, large, exact, step));
  test::expect_reference(parameters, reference, [&](std::string_view name) {
    return name == "small" ? test::reference_decay : decay_of_others;
  });
}

TEST_P(optimizer, defaults_keep_to_float64_for_a_hundred_steps) {
  follow_a_hundred_steps([](set& s) { return sgd(s); }, test::sgd_reference());
  follow_a_hundred_steps([](set& s) { return sgd(s, {.momentum = 0.9}); }, test::sgd_reference{.momentum = 0.9});
  follow_a_hundred_steps([](set& s) { return adam(s); }, test::adam_reference());
  follow_a_hundred_steps([](set& s) { return adamw(s); }, test::adamw_reference(), 0.01);
}

/// Rounding takes a step this way or that; a factor that is rounded takes all of them one way.
TEST_P(optimizer, momentum_pulls_a_steady_gradient_neither_way) {
  for (const double momentum : {0.9, 0.99, 0.999}) {
    set parameters = filled<set>(0);
    for_each(parameters, [](std::string_view, auto& t) { t.fill(0); });
    auto steady = filled<gradients>(0);
    for_each(steady, [](std::string_view, auto& t) {
      for (std::int64_t i = 0; i < t.size(); ++i)
        t.data()[i] = static_cast<std::remove_cvref_t<decltype(t(0))>>((static_cast<double>(i % 997) + 1) / 300);
    });
    sgd optimiser(parameters, {.learning_rate = 0.1, .momentum = momentum});
    for (int step = 0; step < 100; ++step) optimiser.step(steady);
    const auto& w = parameters.get<1>();  // large, in float
    const auto& g = steady.get<2>();
    double off = 0;
    for (std::int64_t i = 0; i < w.size(); ++i) {
      double velocity = 0, way = 0;
      for (int step = 0; step < 100; ++step) way -= 0.1 * (velocity = momentum * velocity + g.data()[i]);
      EXPECT_NEAR(w.data()[i], way, 2e-6 * std::abs(way));
      off += w.data()[i] / way - 1;
    }
    EXPECT_NEAR(off / static_cast<double>(w.size()), 0, 1e-7) << momentum;
  }
}

/// Of a large decay, so that it counts beside the rest.
TEST_P(optimizer, adamw_follows_its_formula) {
  expected e;
  std::vector<double> m(e.w.size()), v(e.w.size());
  for (int step = 1; step <= steps; ++step) {
    const std::vector<double> g = numbers(filled<set>(step));
    for (std::size_t i = 0; i < e.w.size(); ++i) {
      m[i] = 0.8 * m[i] + 0.2 * g[i];
      v[i] = 0.95 * v[i] + 0.05 * g[i] * g[i];
      const double own = (m[i] / (1 - std::pow(0.8, step))) / (std::sqrt(v[i] / (1 - std::pow(0.95, step))) + 1e-4);
      e.w[i] -= 0.1 * ((e.small_decay[i] != 0 ? decay : 0.5) * e.w[i] + own);
    }
  }
  check(e.w, [](set& s) {
    return adamw(s, {.learning_rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-4, .weight_decay = 0.5});
  });
}

INSTANTIATE_TEST_SUITE_P(isa, optimizer, testing::Values("baseline", "avx2", "avx512"),
                         [](const auto& info) { return info.param; });

// Fields under other libraries' names, whose use is an error, take no room: the library reads what a file hands to it,
// be it compiled as CUDA, where there are none.
static_assert(sizeof(stg::sgd_options) == 2 * sizeof(double));
static_assert(sizeof(stg::adam_options) == 4 * sizeof(double));
static_assert(sizeof(stg::adamw_options) == 5 * sizeof(double));

TEST(optimizer, a_wrong_gradient_updates_nothing) {
  set parameters = filled<set>(0);
  auto wrong = filled<gradients>(1);
  wrong.get<0>() = tensor<double>({401, 50});
  adam optimiser(parameters);
  test::expect_error([&] { optimiser.step(wrong); }, {"gradient of 'exact'", "(401, 50)", "(50, 401)"});
  EXPECT_EQ(numbers(parameters), numbers(filled<set>(0)));

  // Nor does it count as a step.
  set untouched = filled<set>(0);
  adam other(untouched);
  const auto right = filled<gradients>(1);
  optimiser.step(right);
  other.step(right);
  EXPECT_EQ(numbers(parameters), numbers(untouched));
}

/// Two runs whose learning rate is changed and which stand where an optimiser made with that rate would.
TEST(optimizer, learning_rate_is_changed_between_steps) {
  set one = filled<set>(0), other = filled<set>(0);
  sgd changing(one, {.learning_rate = 0.1}), slow(other, {.learning_rate = 0.1}), fast(other, {.learning_rate = 0.4});
  changing.step(filled<gradients>(1));
  EXPECT_EQ(changing.learning_rate(), 0.1);
  changing.learning_rate(0.4).step(filled<gradients>(2));
  slow.step(filled<gradients>(1));
  fast.step(filled<gradients>(2));
  EXPECT_EQ(numbers(one), numbers(other));
  EXPECT_EQ(changing.options().learning_rate, 0.4);
  EXPECT_EQ(changing.steps(), 2);

  adamw still(one, {.learning_rate = 0});
  still.step(filled<gradients>(3));
  EXPECT_EQ(numbers(one), numbers(other));
  EXPECT_EQ(still.steps(), 1);
  for (const double wrong : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    test::expect_error([&] { still.learning_rate(wrong); }, {"learning rate is", "give a finite number, 0 or more"});
    test::expect_error([&] { adam(one, {.learning_rate = wrong}); }, {"learning rate is"});
  }
  EXPECT_EQ(still.learning_rate(), 0);
}

/// What PyTorch refuses, and what is no number. `make` gives an option a value.
template <class Make> void expect_option(const char* name, const char* range, std::vector<double> wrong, Make make) {
  wrong.insert(wrong.end(), {std::nan(""), std::numeric_limits<double>::infinity()});
  for (const double value : wrong) {
    std::ostringstream text;
    text << name << " is " << value << "; give a " << range;
    test::expect_error([&] { make(value); }, {text.str()});
  }
}

TEST(optimizer, options_are_in_their_range) {
  set one = filled<set>(0);
  const char *const positive = "finite number, 0 or more", *const share = "number in [0, 1)";
  expect_option("momentum", positive, {-0.5}, [&](double x) { sgd(one, {.momentum = x}); });
  expect_option("beta1", share, {-0.5, 1, 1.5}, [&](double x) { adam(one, {.beta1 = x}); });
  expect_option("beta2", share, {-0.5, 1, 1.5}, [&](double x) { adam(one, {.beta2 = x}); });
  expect_option("epsilon", positive, {-1e-08}, [&](double x) { adam(one, {.epsilon = x}); });
  expect_option("beta1", share, {1}, [&](double x) { adamw(one, {.beta1 = x}); });
  expect_option("beta2", share, {1}, [&](double x) { adamw(one, {.beta2 = x}); });
  expect_option("epsilon", positive, {-1e-08}, [&](double x) { adamw(one, {.epsilon = x}); });
  expect_option("weight decay", positive, {-0.5}, [&](double x) { adamw(one, {.weight_decay = x}); });
  expect_option("weight decay", positive, {-0.5}, [&](double x) { sgd(one).weight_decay(x); });
  expect_option("weight decay of 'small'", positive, {-0.5},
                [&](double x) { adam(one).weight_decay(small_symbol(), x); });

  EXPECT_NO_THROW(sgd(one, {.momentum = 1.5})) << "PyTorch takes it, too";
  EXPECT_NO_THROW(adam(one, {.beta1 = 0, .beta2 = 0, .epsilon = 0}).weight_decay(0));
  sgd decays(one, {.learning_rate = 0});
  decays.weight_decay(0.25);
  test::expect_error([&] { decays.weight_decay(-1); }, {"weight decay is -1"});
  EXPECT_NO_THROW(decays.step(filled<gradients>(1)));
}

/// A parameter gets another shape after the optimiser was made, and its gradient has that shape, too.
template <class Make> void expect_refused(Make make) {
  set parameters = filled<set>(0);
  auto optimiser = make(parameters);
  parameters.get<0>() = tensor<float>({70, 3});
  auto step = filled<gradients>(1);
  step.get<1>() = tensor<float>::full({70, 3}, 1);
  test::expect_error([&] { optimiser.step(step); },
                     {"parameter 'small' has shape (70, 3), the optimiser's state (7, 3)",
                      "make the optimiser after the parameters have their shapes"});
  EXPECT_EQ(parameters.get<0>()(69, 2), 0);
  EXPECT_EQ(parameters.get<1>()(0, 0), filled<set>(0).get<1>()(0, 0));

  parameters.get<0>() = tensor<float>({7, 3});
  step.get<1>() = tensor<float>::full({7, 3}, 1);
  optimiser.step(step);
  EXPECT_LT(parameters.get<0>()(6, 2), 0);
}

TEST(optimizer, another_shape_than_its_state_is_refused) {
  expect_refused([](set& s) { return sgd(s); });
  expect_refused([](set& s) { return adam(s); });
  expect_refused([](set& s) { return adamw(s); });
  set none;  // made before the parameters were
  adam early(none);
  none = filled<set>(0);
  test::expect_error([&] { early.step(filled<gradients>(1)); }, {"the optimiser's state (0,)"});
}

}  // namespace
}  // namespace stg
