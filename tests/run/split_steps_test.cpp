// test: kernels 0
// Scans whose bodies ask to be cut into parts: the same values and gradients as in one, the same bits for any number of
// threads and with checkpoints, memory as foretold. Graphs are small enough for steps to run together, and the last
// ones are fewer.
#include "support/changing_graphs.hpp"    // random_steps
#include "support/count_allocations.hpp"  // allocations
#include "support/families.hpp"           // power_law
#include "support/hubs.hpp"               // keep_threads

#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // scan

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstring>  // memcmp
#include <string>   // string

namespace stg {
namespace {

constexpr auto x = over<"T">(trainable(vertex_feature<"x", f64, 3>));
constexpr auto y = over<"T">(vertex_feature<"y", f64>);
constexpr auto still = vertex_feature<"still", f64, 3>;  // the same at all steps
constexpr auto h = trainable(vertex_feature<"h", f64, 4>);
constexpr auto W = parameter<"W", f64, 3, 4>;
constexpr auto U = parameter<"U", f64, 4, 4>;
constexpr auto R = parameter<"R", f64, 4, 2>;

/// Sums over neighbours of the inputs, a product of them, a state, a head behind it, a loss for each step and one that
/// is added up. Dropped: what draws random numbers does not run together.
template <bool Dropped> constexpr auto kept(auto value) {
  if constexpr (Dropped) return dropout(value, 0.2);
  else return value;
}
template <bool Dropped>
constexpr auto body = [](auto v, auto state, auto total) {
  auto seen = matmul(mean(v.in_edges().src(v(x))), W);
  auto n = tanh(seen + matmul(kept<Dropped>(state), U) + matmul(v(still), W));
  auto out = sum(tanh(matmul(kept<Dropped>(n), R)), axis<0>);
  return next(n, total + sum(square(out), all_vertices)).gives(mean(square(out - v(y)), all_vertices));
};
template <class Body> constexpr auto loss_of(vertex_view v, const Body& step) {
  auto [last, total, errors] = scan<"T">(v, step, v(h), full<f64>(0.0));
  return mean(errors, all_steps) + 0.01 * total + mean(sum(last, axis<0>), all_vertices);
}
constexpr auto whole = [](auto v) { return loss_of(v, body<false>); };
constexpr auto parts = [](auto v) { return loss_of(v, split_steps(body<false>)); };
constexpr auto dropped_whole = [](auto v) { return loss_of(v, body<true>); };
constexpr auto dropped_parts = [](auto v) { return loss_of(v, split_steps(body<true>)); };

tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
struct data {
  tensor<double> in, wanted, same, start, w, u, r;
  data(std::int64_t V, std::int64_t T)
      : in(drawn({T, V, 3}, 1)),
        wanted(drawn({T, V}, 2)),
        same(drawn({V, 3}, 3)),
        start(drawn({V, 4}, 4)),
        w(drawn({3, 4}, 5)),
        u(drawn({4, 4}, 6)),
        r(drawn({4, 2}, 7)) {}
};
struct trained {
  double loss;
  tensor<double> of_x, of_h, of_W, of_U, of_R;
};
template <const auto& Loss, class Graph> trained run_once(const Graph& g, const data& d, checkpoints keep = {}) {
  auto step = value_and_grad<Loss>();
  step.seed(7);
  if (keep.every > 0) step.checkpoint(keep);
  auto now = step(g, x = d.in, y = d.wanted, still = d.same, h = d.start, W = d.w, U = d.u, R = d.r);
  auto& of = now.gradients;
  return {now.loss, of[x].clone(), of[h].clone(), of[W].clone(), of[U].clone(), of[R].clone()};
}

void expect_near(const tensor<double>& a, const tensor<double>& b, const char* what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  double largest = 1;
  for (const double n : b) largest = std::max(largest, std::abs(n));
  for (std::int64_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a.data()[i], b.data()[i], 1e-12 * largest) << what << ' ' << i;
}
void expect_near(const trained& a, const trained& b) {
  EXPECT_NEAR(a.loss, b.loss, 1e-12 * std::max(1.0, std::abs(b.loss)));
  expect_near(a.of_x, b.of_x, "x");
  expect_near(a.of_h, b.of_h, "h");
  expect_near(a.of_W, b.of_W, "W");
  expect_near(a.of_U, b.of_U, "U");
  expect_near(a.of_R, b.of_R, "R");
}
void expect_same_bits(const trained& a, const trained& b, const std::string& what) {
  using changing::same_bits;
  EXPECT_EQ(a.loss, b.loss) << what;
  EXPECT_TRUE(same_bits(a.of_x, b.of_x) && same_bits(a.of_h, b.of_h) && same_bits(a.of_W, b.of_W) &&
              same_bits(a.of_U, b.of_U) && same_bits(a.of_R, b.of_R))
      << what;
}

TEST(scans_in_parts, are_the_same_as_in_one) {
  for (const std::int64_t V : {1, 20, 300, 5000}) {  // 4096, 204, 13 steps together, and each by itself
    const graph g = test::power_law(V, 6 * V, 3);
    for (const std::int64_t T : {0, 1, 2, 5, V == 20 ? 450 : 30}) {
      if (V == 5000 && T > 5) continue;
      SCOPED_TRACE(std::to_string(V) + " vertices, " + std::to_string(T) + " steps");
      const data d(V, T);
      expect_near(run_once<parts>(g, d), run_once<whole>(g, d));
    }
  }
  const graph g = test::power_law(20, 120, 3);
  const data d(20, 7);
  expect_near(run_once<dropped_parts>(g, d), run_once<dropped_whole>(g, d));
}

TEST(scans_in_parts, have_the_same_bits_for_any_number_of_threads_and_checkpoints) {
  const graph g = test::power_law(700, 5000, 3);
  const data d(700, 17);
  const test::keep_threads keep;
  set_threads(1);
  const trained first = run_once<parts>(g, d);
  for (const int n : {2, 3, 7}) {
    set_threads(n);
    expect_same_bits(run_once<parts>(g, d), first, std::to_string(n) + " threads");
  }
  for (const int every : {1, 4, 16}) expect_same_bits(run_once<parts>(g, d, {.every = every}), first, "checkpoints");
}

TEST(scans_in_parts, see_the_graph_of_their_step) {
  const std::int64_t V = 40, T = 12;
  const data d(V, T);
  const auto steps = changing::random_steps(T, V, 90, 5);
  for (const snapshot_store store : {snapshot_store::resident, snapshot_store::changes}) {
    const auto g = graph_sequence::from_steps(V, steps, {.store = store});
    expect_near(run_once<parts>(g, d), run_once<whole>(g, d));
  }
}

TEST(scans_in_parts, take_the_memory_that_is_foretold_and_allocate_once) {
  const std::int64_t V = 30, T = 200;
  const graph g = test::power_law(V, 200, 3);
  const data d(V, T);
  auto step = value_and_grad<parts>();
  const auto run = [&] {
    return step(g, x = d.in, y = d.wanted, still = d.same, h = d.start, W = d.w, U = d.u, R = d.r).loss;
  };
  run();
  const std::uint64_t before = test::allocations();
  run();
  run();
  EXPECT_EQ(test::allocations(), before);
  const sizes same{.vertices = V, .edges = g.edges(), .extents = {sized<"T">(T)}};
  EXPECT_EQ(peak_bytes<parts>(same).training, step.bytes());
}

TEST(scans_in_parts, infer_as_in_one) {
  const graph g = test::power_law(50, 300, 3);
  const data d(50, 100);
  const auto call = [&](const auto& model) {
    return model(g, x = d.in, y = d.wanted, still = d.same, h = d.start, W = d.w, U = d.u, R = d.r);
  };
  const double a = call(compile<parts>())(), b = call(compile<whole>())();
  EXPECT_NEAR(a, b, 1e-12 * std::abs(b));
}

}  // namespace
}  // namespace stg
