// test: draft calls
// A weight that 64 places share: its gradients are added up in the order in which they become ready, in place, so that
// no more than the sum so far and the next one are in memory.
#include <stg/stg.hpp>  // the language

#include <stg/pipeline.hpp>  // differentiated, planned

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 8>;
constexpr auto W = parameter<"W", 8, 8>;
constexpr auto b = parameter<"b", 8>;

/// Arrays of the parameter's rank that a plan stores at one time, the most.
int most_at_once(const ir::program& p, int rank = 2) {
  const pass::plan plan = pipeline::planned(p);
  int most = 0, units = 0;
  const auto is_counted = [&](ir::value_id i) {
    const ir::statement& s = p[i];
    return plan.stored[i] && s.where == ir::space::graph && s.dims.rank == rank && s.code != ir::opcode::input;
  };
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (plan.stored[i]) units = std::max(units, plan.lifetimes[i].last + 1);
  for (int u = 0; u < units; ++u) {
    int live = 0;
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const bool takes_anothers_memory = plan.overwrites[i] >= 0 && plan.lifetimes[i].first == u;
      live += is_counted(i) && !takes_anothers_memory && plan.lifetimes[i].first <= u && u <= plan.lifetimes[i].last;
    }
    most = std::max(most, live);
  }
  return most;
}
int count_of(const ir::program& p, ir::opcode code) {
  int n = 0;
  for (const ir::statement& s : p.statements) n += s.code == code;
  return n;
}
template <class F> ir::program gradient_of(const F& loss) {
  const ir::program p = pipeline::canonical(trace(loss));
  return pipeline::differentiated(p, {0}, pass::trainable_inputs(p)).gradient;
}

TEST(sums_of_gradients, one_after_the_other) {
  const ir::program deep = gradient_of([](auto v) {
    auto h = v(x);
    for (int k = 0; k < 64; ++k) h = tanh(matmul(h, W));
    return mean(sum(h, axis<0>), all_vertices);
  });
  EXPECT_EQ(count_of(deep, ir::opcode::reduced_matmul), 64);
  EXPECT_EQ(most_at_once(deep), 2);
}

TEST(sums_of_gradients, of_places_side_by_side) {
  const ir::program wide = gradient_of([](auto v) {
    auto total = 0.0 * v(x);
    for (int k = 0; k < 64; ++k) total = total + tanh(matmul(v(x) * (1.0 + k), W));
    return mean(sum(total, axis<0>), all_vertices);
  });
  EXPECT_EQ(count_of(wide, ir::opcode::reduced_matmul), 64);
  EXPECT_EQ(most_at_once(wide), 2);
}

/// Of a bias the gradients are sums over vertices, which a reduction gives one by one.
TEST(sums_of_gradients, of_a_bias) {
  const ir::program deep = gradient_of([](auto v) {
    auto h = v(x);
    for (int k = 0; k < 64; ++k) h = tanh(sum(v.in_edges().src(h)) + v(b));
    return mean(sum(h, axis<0>), all_vertices);
  });
  EXPECT_GE(count_of(deep, ir::opcode::sum_vertices), 64);
  EXPECT_EQ(most_at_once(deep, 1), 2);
}

}  // namespace
}  // namespace stg
