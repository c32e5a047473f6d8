// test: kernels 0, proof kernels 0
// Compiled programs with kernels for groups of columns: any number of ranks gives the bits of one, and what the whole
// graph gives without them.
#include "support/families.hpp"  // power_law
#include "support/on_ranks.hpp"  // bytes_in

#include <stg/call/as_draft.hpp>                  // draft
#include <stg/call/in_column_groups.hpp>          // column_groups
#include <stg/call/memory_on_ranks.hpp>           // peak_bytes
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>                            // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs
#include <vector>  // vector

namespace stg {
namespace {

constexpr column_groups<4> groups;

template <class Half> int kernels_of() {
  using P = typename column_groups<4>::template executable<Half>;
  const codegen::column_kernels* const all = codegen::column_kernels_of<column_groups<4>, P>();
  int count = 0;
  for (int unit = 0; unit < P::plan.unit_count; ++unit) count += all->of_unit[unit].choose != nullptr;
  return count;
}

// ---- one sweep ----

constexpr auto rows = vertex_feature<"rows", 12>;
constexpr auto M = parameter<"M", 12, 8>;
constexpr auto mean_of_products = [](auto v) { return mean(v.in_edges().src(matmul(v(rows), M))); };

TEST(distributed_groups, means_have_the_bits_of_the_whole_graph) {
  EXPECT_EQ(kernels_of<inferred<ref<mean_of_products>>>(), 1);
  const graph on = test::power_law(300, 2500, 3);
  tensor<float> X({300, 12}), to({12, 8});
  uniform(X, -1, 1, 1);
  uniform(to, -1, 1, 2);
  const cut parts = cut::by_ranges(on, 4);
  const test::bytes expected = test::bytes_in(compile<mean_of_products>()(on, rows = X, M = to));
  for (const int ranks : {1, 2, 3, 4})
    run_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here, cut_by::features);
      const auto layer = compile<mean_of_products>(groups);
      EXPECT_EQ(test::bytes_in(part.gathered(layer(part, rows = part.rows(X), M = to))), expected) << ranks << " ranks";
    });
}

#ifdef STG_PROOF  // its kernels take a minute to compile
// ---- attention ----

constexpr auto x = vertex_feature<"x", f64, 6>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", f64, 6, 16>;
constexpr auto a = parameter<"a", f64, 4, 4>;
constexpr auto b = parameter<"b", f64, 4, 4>;
constexpr auto V = parameter<"V", f64, 16, 6>;

/// Four heads, and six classes, of which four groups have no equal share.
constexpr auto gat = [](auto v) {
  auto h = elu(reshape<16>(nn::gat_conv(v, v(x), W, a, b, 0.0)));
  return cross_entropy(nn::gcn_conv(v, h, V), v(label));
};
struct task {
  graph on = test::power_law(300, 2500, 3);
  tensor<double> X{{300, 6}};
  tensor<std::int32_t> Y{dimensions{300}};
  task() {
    uniform(X, -1, 1, 1);
    for (std::int64_t v = 0; v < 300; ++v) Y(v) = static_cast<std::int32_t>(v * 7 % 6);
  }
};

TEST(distributed_groups, heads_have_kernels_and_uneven_classes_have_none) {
  using step = differentiated<ref<gat>, provided<0>, required<2, 3, 4, 5>>;
  EXPECT_EQ(kernels_of<step::forward>(), 1);
  EXPECT_EQ(kernels_of<step::gradient>(), 1);
}

void expect_bits_of_one(cut_by by) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 4);
  auto params = parameters<gat>();
  initialize(params, 3);
  auto whole = value_and_grad<gat>(draft());
  const double expected = whole(t.on, x = t.X, label = t.Y, params).loss;
  std::vector<test::bytes> one;
  for (const int ranks : {1, 2, 3, 4}) {
    std::vector<std::vector<test::bytes>> of(static_cast<std::size_t>(ranks));
    run_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here, by);
      auto mine = parameters<gat>();
      initialize(mine, 3);
      auto step = value_and_grad<gat>(groups);
      auto now = step(part, x = part.rows(t.X), label = part.rows(t.Y), mine);
      EXPECT_NEAR(now.loss, expected, 1e-12);
      EXPECT_EQ(step.bytes(), peak_bytes<gat>(part, {}, groups).training);
      adam(mine, {.learning_rate = 0.01}).step(now.gradients.of(mine));
      boost::hana::for_each(mine.items(), [&](const auto& item) {
        of[static_cast<std::size_t>(here.rank())].push_back(test::bytes_in(item.value));
      });
    });
    if (ranks == 1) one = of[0];
    for (const std::vector<test::bytes>& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
  }
}
TEST(distributed_groups, any_number_of_ranks_gives_the_bits_of_one) {
  expect_bits_of_one(cut_by::features);
  expect_bits_of_one(cut_by::cheapest);
}
#endif

}  // namespace
}  // namespace stg
