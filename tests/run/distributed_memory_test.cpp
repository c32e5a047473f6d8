// test: draft ranks, proof kernels 0
// The memory of a rank: what the plan takes for its own rows and the halo, and for columns of all rows where sweeps are
// cut by features; peak_bytes foretells it.
#include "expect_error.hpp"      // expect_error
#include "support/families.hpp"  // power_law

#include <stg/call/explain_exchanges.hpp>         // shared_sweeps
#include <stg/call/memory_on_ranks.hpp>           // peak_bytes
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>                            // the language

#include <gtest/gtest.h>

#include <algorithm>  // max
#include <vector>     // vector

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W1 = stg::parameter<"W1", 32, 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto a = stg::parameter<"a", 4, 4>;
inline constexpr auto b = stg::parameter<"b", 4, 4>;
inline constexpr auto gcn = [](auto v) {
  auto h = dropout(relu(stg::nn::gcn_conv(v, v(x), W1)), 0.5);
  return cross_entropy(stg::nn::gcn_conv(v, h, W2), v(label));
};
inline constexpr auto gat = [](auto v) {
  auto h = elu(stg::reshape<16>(stg::nn::gat_conv(v, v(x), W1, a, b)));
  return cross_entropy(stg::nn::gcn_conv(v, h, W2), v(label));
};

template <const auto& Loss> void expect_foretold(const stg::cut& cut, int ranks) {
  const std::int64_t all = cut.whole().vertices();
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
  stg::run_ranks(ranks, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here);
    const auto X = part.rows(stg::tensor<float>::full({all, 32}, 0.5F));
    const auto Y = part.rows(stg::tensor<std::int32_t>({all}));
    auto params = stg::parameters<Loss>();
    stg::initialize(params, 1);
    auto step = stg::value_and_grad<Loss>();
    static_cast<void>(step(part, x = X, label = Y, params));
    const std::int64_t foretold = stg::peak_bytes<Loss>({.vertices = part.vertices(), .edges = part.edges()}).training;
    EXPECT_EQ(step.bytes(), foretold) << "rank " << here.rank();
    bytes[static_cast<std::size_t>(here.rank())] = step.bytes();
  });
  const std::int64_t whole = stg::peak_bytes<Loss>({.vertices = all, .edges = cut.whole().edges()}).training;
  for (const std::int64_t mine : bytes) EXPECT_LT(mine, whole);
}

TEST(distributed_memory, peak_bytes_foretells_that_of_own_rows_and_halo) {
  const stg::graph g = stg::test::power_law(2000, 9000, 7);
  for (const int ranks : {2, 4}) {
    const stg::cut cut = stg::cut::by_ranges(g, 4);
    expect_foretold<gcn>(cut, ranks);
    expect_foretold<gat>(cut, ranks);
  }
}

template <const auto& Loss> void expect_foretold_by_features(const stg::cut& cut, int ranks) {
  const std::int64_t all = cut.whole().vertices();
  std::int64_t columns = 0;  // of the rank and sweep that takes most
  for (const stg::shared_sweep& s : stg::shared_sweeps<Loss>(cut, ranks))
    columns = std::max(columns, s.memory_by_features);
  EXPECT_GT(columns, 0);
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
  stg::run_ranks(ranks, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here, stg::cut_by::features);
    const auto X = part.rows(stg::tensor<float>::full({all, 32}, 0.5F));
    const auto Y = part.rows(stg::tensor<std::int32_t>({all}));
    auto params = stg::parameters<Loss>();
    stg::initialize(params, 1);
    auto step = stg::value_and_grad<Loss>();
    static_cast<void>(step(part, x = X, label = Y, params));
    EXPECT_EQ(step.bytes(), stg::peak_bytes<Loss>(part).training) << "rank " << here.rank();
    bytes[static_cast<std::size_t>(here.rank())] = step.bytes();
  });
  const std::int64_t foretold = stg::peak_bytes<Loss>(cut, ranks, stg::cut_by::features).training;
  EXPECT_EQ(*std::max_element(bytes.begin(), bytes.end()), foretold);
  EXPECT_GT(foretold, stg::peak_bytes<Loss>(cut, ranks).training);
  EXPECT_GE(foretold, columns);
}
TEST(distributed_memory, peak_bytes_foretells_that_of_columns) {
  const stg::graph g = stg::test::power_law(2000, 9000, 7);
  for (const int ranks : {1, 2, 4}) {
    const stg::cut cut = stg::cut::by_ranges(g, 4);
    expect_foretold_by_features<gcn>(cut, ranks);
    expect_foretold_by_features<gat>(cut, ranks);
  }
}

TEST(distributed_memory, limits_of_bytes_are_agreed_on_by_ranks_that_run) {
  const stg::cut cut = stg::cut::by_ranges(stg::test::power_law(20, 90, 7), 2);
  stg::test::expect_error([&] { stg::peak_bytes<gcn>(cut, 2, stg::cut_by::rows, {.keep = {.within = 1000}}); },
                          {"which ranks agree on as they run", "{.every = steps}"});
}

}  // namespace
