// test: draft ranks, proof kernels 0, counted
// Sweeps that ranks of a cut graph share by columns: any number of ranks gives the bits of one, also where columns do
// not come out even, or are fewer than ranks.
#include "support/families.hpp"  // power_law
#include "support/on_ranks.hpp"  // bytes_in, error_of

#include <stg/call/explain_exchanges.hpp>         // exchanges, shared_sweeps
#include <stg/codegen/column_choice.hpp>          // chosen_column_sweeps
#include <stg/codegen/device_exchanges.hpp>       // device_exchanges
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>                            // the language
#include <stg/timeline.hpp>                       // timeline

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // count_if
#include <cmath>      // isfinite
#include <string>     // string
#include <vector>     // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", 12>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto series = over<"T">(vertex_feature<"series", 12>);
constexpr auto W = parameter<"W", 12, 21>;
constexpr auto a = parameter<"a", 3, 7>;
constexpr auto b = parameter<"b", 3, 7>;
constexpr auto V = parameter<"V", 21, 5>;
constexpr auto R = parameter<"R", 12, 21>;
constexpr auto g = parameter<"g", 21>;
constexpr auto o = parameter<"o", 21>;
constexpr auto U = parameter<"U", 33, 21>;
constexpr auto Z = parameter<"Z", 21, 2>;
constexpr auto z = parameter<"z", 1, 2>;
constexpr auto y = parameter<"y", 1, 2>;
constexpr auto Y = parameter<"Y", 2, 5>;

constexpr auto classes = [](auto v, auto h) { return cross_entropy(nn::gcn_conv(v, h, V), v(label)); };

constexpr auto gcn = [](auto v) { return classes(v, dropout(relu(nn::gcn_conv(v, v(x), W)), 0.3)); };
constexpr auto gat = [](auto v) { return classes(v, elu(reshape<21>(nn::gat_conv(v, v(x), W, a, b, 0.4)))); };
constexpr auto sage_max = [](auto v) {
  auto h = max(v.in_edges().src(relu(matmul(v(x), W)))) + matmul(v(x), R);
  return classes(v, h);
};
constexpr auto both_ways = [](auto v) {
  auto h = matmul(v(x), W);
  return classes(v, sum(v.in_edges().src(h)) * 0.1 + mean(v.out_edges().dst(tanh(h))));
};
/// Two sweeps gather the same rows.
constexpr auto same_rows = [](auto v) {
  auto h = tanh(matmul(v(x), W));
  return cross_entropy(matmul(max(v.in_edges().src(h)) + max(v.out_edges().dst(h)), V), v(label));
};
constexpr auto normed = [](auto v) {
  auto h = mean(v.in_edges().src(matmul(v(x), W)));
  auto d = h - mean(h, all_vertices);
  return classes(v, d * rsqrt(mean(d * d, all_vertices) + 1e-3) * g + o);
};
/// One head of two features, fewer than ranks: the scores are whole, the features are shared.
constexpr auto narrow = [](auto v) {
  auto h = relu(matmul(v(x), W));
  return cross_entropy(matmul(reshape<2>(nn::gat_conv(v, h, Z, z, y, 0.0)), Y), v(label));
};
constexpr auto over_time = [](auto v) {
  auto h = scan<"T">(
      v,
      [](auto v, auto h) {
        auto m = matmul(concat<axis<0>>(v(series), h), U);
        return tanh(mean(v.in_edges().src(m)) + h);
      },
      zeros<21>(v));
  return classes(v, h);
};
/// Rows that lie in memory as bf16 are read so by neighbours, and computed with in f32.
constexpr auto in_two_bytes = [](auto v) {
  auto h = stored_as<bf16>(relu(matmul(v(x), W)));
  auto e = v.in_edges();
  return classes(v, sum(e.src(h)) * 0.1 + mean(e.src(tanh(h))));
};
/// The sum over features of each message: a sweep by rows.
constexpr auto mixing = [](auto v) {
  auto e = v.in_edges();
  auto h = matmul(v(x), W);
  return classes(v, sum(softmax(sum(tanh(e.src(h) + e.dst(h)), axis<0>)) * e.src(h)));
};

struct task {
  graph on = test::power_law(400, 3000, 3);
  tensor<float> X{{400, 12}}, sequence{{3, 400, 12}};
  tensor<std::int32_t> Y{dimensions{400}};

  task() {
    uniform(X, -1, 1, 1);
    uniform(sequence, -1, 1, 2);
    for (std::int64_t v = 0; v < 400; ++v) Y(v) = static_cast<std::int32_t>(v * 7 % 5);
  }
};

using test::bytes;
using test::bytes_in;

/// Parameters after twenty steps of Adam, and the last loss.
struct outcome {
  float loss = 0;
  std::vector<bytes> parameters{};
  bool operator==(const outcome&) const = default;
};

template <const auto& F, class Step> outcome trained(const Step& step_with) {
  auto params = parameters<F>();
  initialize(params, 3);
  adam optimizer(params, {.learning_rate = 0.01});
  auto step = value_and_grad<F>();
  step.seed(7);
  outcome result;
  for (int k = 0; k < 20; ++k) {
    auto now = step_with(step, params);
    result.loss = now.loss;
    optimizer.step(now.gradients.of(params));
  }
  boost::hana::for_each(params.items(), [&](const auto& item) { result.parameters.push_back(bytes_in(item.value)); });
  return result;
}

template <const auto& F, class Bind> void expect_bits_of_one(const Bind& bind, cut_by by = cut_by::features) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 8);
  outcome one;
  for (const int ranks : {1, 2, 3, 4, 8}) {
    std::vector<outcome> of(static_cast<std::size_t>(ranks));
    run_ranks(ranks,
              [&](communicator& here) {
                const distributed_graph part(parts, here, by);
                of[static_cast<std::size_t>(here.rank())] =
                    trained<F>([&](auto& step, auto& params) { return bind(step, part, t, params); });
              },
              {.reorder = ranks == 3 ? 5u : 0u});
    if (ranks == 1) one = of[0];
    for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks";
  }
  EXPECT_TRUE(std::isfinite(one.loss));
}
template <const auto& F> void expect_bits_of_one(cut_by by = cut_by::features) {
  const auto bind = [](auto& step, const auto& on, const task& t, auto& params) {
    return step(on, x = on.rows(t.X), label = on.rows(t.Y), params);
  };
  expect_bits_of_one<F>(bind, by);
}

TEST(distributed_columns, graph_convolutions) { expect_bits_of_one<gcn>(); }
TEST(distributed_columns, attention_of_several_heads) { expect_bits_of_one<gat>(); }
TEST(distributed_columns, largest_of_neighbours) { expect_bits_of_one<sage_max>(); }
TEST(distributed_columns, both_directions) { expect_bits_of_one<both_ways>(); }
TEST(distributed_columns, norms_over_all_vertices) { expect_bits_of_one<normed>(); }
TEST(distributed_columns, fewer_columns_than_ranks) { expect_bits_of_one<narrow>(); }
TEST(distributed_columns, messages_that_mix_columns) { expect_bits_of_one<mixing>(); }
TEST(distributed_columns, rows_of_two_bytes_a_number) { expect_bits_of_one<in_two_bytes>(); }
TEST(distributed_columns, scans_over_time) {
  expect_bits_of_one<over_time>([](auto& step, const auto& on, const task& t, auto& params) {
    return step(on, series = on.step_rows(t.sequence), label = on.rows(t.Y), params);
  });
}

TEST(distributed_columns, sweeps_say_what_they_cost) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 4);
  const std::vector<shared_sweep> of_gat = shared_sweeps<gat>(parts, 4), of_mixing = shared_sweeps<mixing>(parts, 4);
  ASSERT_EQ(of_gat.size(), 4u);  // heads, classes; their gradients, of which that of attention reads packed values
  EXPECT_EQ(of_gat[0].columns, 3);
  EXPECT_EQ(of_gat[1].columns, 5);
  EXPECT_EQ(of_gat[2].columns, 5);
  EXPECT_EQ(of_gat[3].columns, 3);
  EXPECT_EQ(of_mixing[0].columns, 0);
  EXPECT_THAT(explain_exchanges<mixing>(parts, 4), HasSubstr("by features not, since it mixes them"));
  EXPECT_THAT(explain_exchanges<gat>(parts, 4), HasSubstr(", 3 columns, "));
}

// ---- the cheapest way ----

std::ptrdiff_t by_features(const std::vector<shared_sweep>& all) {
  return std::ranges::count_if(all, [](const shared_sweep& s) { return s.way == cut_by::features; });
}
template <const auto& F> std::int64_t bytes_of(const cut& parts, cut_by by) {
  std::int64_t bytes = 0;
  for (const exchange_report& e : exchanges<F>(parts, parts.parts(), {}, by)) bytes += e.bytes;
  for (const shared_sweep& s : shared_sweeps<F>(parts, parts.parts(), {}, by))
    if (s.way == cut_by::features) bytes += s.bytes_by_features;
  return bytes;
}
template <const auto& F> void expect_fewest_bytes(const cut& parts) {
  const std::int64_t least = bytes_of<F>(parts, cut_by::cheapest);
  EXPECT_LE(least, bytes_of<F>(parts, cut_by::rows));
  EXPECT_LE(least, bytes_of<F>(parts, cut_by::features));
}
/// A ring: each part has two neighbours in others.
graph ring() {
  std::vector<std::int32_t> src, dst;
  for (std::int32_t v = 0; v < 400; ++v) src.push_back(v), dst.push_back((v + 1) % 400);
  return graph::from_edges(400, src, dst);
}

TEST(distributed_columns, each_sweep_is_cut_in_the_cheapest_way) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 8), of_ring = cut::by_ranges(ring(), 8);
  const cut of_two = cut::by_ranges(t.on, 2);
  EXPECT_EQ(by_features(shared_sweeps<gat>(of_two, 2, {}, cut_by::cheapest)), 1);
  EXPECT_EQ(by_features(shared_sweeps<gat>(parts, 8, {}, cut_by::cheapest)), 4);
  EXPECT_EQ(by_features(shared_sweeps<gat>(parts, 8, {}, cut_by::features)), 4);
  EXPECT_EQ(by_features(shared_sweeps<gat>(parts, 8)), 0);
  EXPECT_EQ(by_features(shared_sweeps<gat>(of_ring, 8, {}, cut_by::cheapest)), 0);
  expect_fewest_bytes<gat>(parts);
  expect_fewest_bytes<gat>(of_two);
  expect_fewest_bytes<gat>(of_ring);
  expect_fewest_bytes<sage_max>(parts);
  expect_fewest_bytes<both_ways>(parts);
  EXPECT_THAT(explain_exchanges<gat>(parts, 8, {}, cut_by::cheapest), HasSubstr(" of memory: so it is cut\n"));
}
TEST(distributed_columns, sweeps_that_read_the_same_rows_are_cut_by_rows_together) {
  const cut parts = cut::by_ranges(test::power_law(400, 2500, 3), 6);
  const std::vector<shared_sweep> all = shared_sweeps<same_rows>(parts, 6, {}, cut_by::cheapest);
  ASSERT_EQ(all.size(), 4u);  // along in-edges and out-edges, and their gradients
  const std::int64_t rows_of_both = all[0].bytes_by_rows, columns = all[0].bytes_by_features;
  EXPECT_EQ(all[1].bytes_by_rows, 0);
  EXPECT_GT(rows_of_both, columns);  // so one of the two would be cut by features
  EXPECT_LT(rows_of_both, 2 * columns);
  EXPECT_EQ(all[0].way, cut_by::rows);
  EXPECT_EQ(all[1].way, cut_by::rows);
  EXPECT_EQ(all[2].way, cut_by::features);
  expect_fewest_bytes<same_rows>(parts);
}
TEST(distributed_columns, the_number_of_ranks_chooses_nothing) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 8);
  const std::vector<shared_sweep> of_8 = shared_sweeps<gat>(parts, 8, {}, cut_by::cheapest);
  for (const int ranks : {1, 3}) {
    const std::vector<shared_sweep> mine = shared_sweeps<gat>(parts, ranks, {}, cut_by::cheapest);
    ASSERT_EQ(mine.size(), of_8.size());
    for (std::size_t k = 0; k < mine.size(); ++k) EXPECT_EQ(mine[k].way, of_8[k].way) << k;
  }
  expect_bits_of_one<gat>(cut_by::cheapest);
  expect_bits_of_one<both_ways>(cut_by::cheapest);
}
TEST(distributed_columns, sweeps_in_either_way_give_the_bits_of_one) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 2);  // of which one sweep of gat is cut by features
  std::vector<outcome> of(3);
  for (const int ranks : {1, 2})
    run_ranks(ranks, [&](communicator& here) {
      const distributed_graph part(parts, here, cut_by::cheapest);
      of[static_cast<std::size_t>(ranks - 1 + here.rank())] = trained<gat>(
          [&](auto& step, auto& params) { return step(part, x = part.rows(t.X), label = part.rows(t.Y), params); });
    });
  EXPECT_EQ(of[1], of[0]);
  EXPECT_EQ(of[2], of[0]);
}
TEST(distributed_columns, compiled_programs_without_kernels_for_shares_are_cut_by_rows) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 2);
  const ir::program p = drafts::inferred(canonical<ref<gcn>>::value.thaw());
  const drafts::made_program made(p);
  run_ranks(2, [&](communicator& here) {
    const std::int64_t none = 0;
    const auto sweeps = [&](cut_by by, const codegen::column_kernels* kernels) {
      const distributed_graph part(parts, here, by);
      const rank_rows* const rows = static_cast<const graph&>(part).ranks();
      return codegen::chosen_column_sweeps(made.data, nullptr, -1, nullptr, {rows, &none, kernels}).size();
    };
    EXPECT_EQ(sweeps(cut_by::cheapest, nullptr), 0u);
    EXPECT_EQ(sweeps(cut_by::rows, &codegen::columns_of_drafts), 0u);
    EXPECT_GT(sweeps(cut_by::features, nullptr), 0u);
  });
}

TEST(distributed_columns, sweeps_of_a_scans_steps_say_what_they_cost) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 4);
  const sizes given{.extents = {sized<"T">(3)}};
  const std::vector<shared_sweep> all = shared_sweeps<over_time>(parts, 4, given);
  const auto in_steps = std::ranges::count_if(
      all, [](const shared_sweep& s) { return s.times == 3 && s.columns == 21 && s.bytes_by_features > 0; });
  EXPECT_EQ(in_steps, 2);  // and the gradient's
  EXPECT_THAT(explain_exchanges<over_time>(parts, 4, given), HasSubstr(" of memory, in each of 3 steps\n"));
}

TEST(distributed_columns, parts_on_devices_are_cut_by_rows) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 2);
  const std::string why = test::error_of(2, [&](communicator& here) {
    const distributed_graph part(parts, here, cut_by::features);
    codegen::launch l;
    l.graph.ranks = static_cast<const graph&>(part).ranks();
    (void)codegen::device_exchanges({}, l, nullptr, nullptr);
  });
  EXPECT_THAT(why,
              HasSubstr("the part of a rank is cut by features, which runs on the CPU; on devices cut it by rows"));
}

template <const auto& F> void expect_said_bytes() {
  const task t;
  const cut parts = cut::by_ranges(t.on, 4);
  run_ranks(4, [&](communicator& here) {
    const distributed_graph part(parts, here, cut_by::features);
    std::int64_t said = 5 * 8 * 3;  // numbers that ranks compare before the call
    for (const exchange_report& e : exchanges<F>(part)) said += e.bytes;
    for (const shared_sweep& s : shared_sweeps<F>(part)) said += s.bytes_by_features;
    auto params = parameters<F>();
    initialize(params, 3);
    auto step = value_and_grad<F>();
    (void)step(part, x = part.rows(t.X), label = part.rows(t.Y), params).loss;
    EXPECT_EQ(here.sent_bytes(), said) << "rank " << here.rank();
  });
}
TEST(distributed_columns, bytes_are_those_that_are_said) {
  expect_said_bytes<gcn>();
  expect_said_bytes<gat>();
  expect_said_bytes<mixing>();
}

TEST(distributed_columns, ranks_that_cut_otherwise_are_told) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 3);
  std::vector<std::string> said(3);
  run_ranks(3, [&](communicator& here) {
    const distributed_graph part(parts, here, here.rank() == 1 ? cut_by::rows : cut_by::features);
    auto params = parameters<gcn>();
    initialize(params, 3);
    auto step = value_and_grad<gcn>();
    try {
      (void)step(part, x = part.rows(t.X), label = part.rows(t.Y), params).loss;
    } catch (const error& e) {
      said[static_cast<std::size_t>(here.rank())] = e.what();
    }
  });
  for (const std::string& of_rank : said) EXPECT_THAT(of_rank, HasSubstr("sizes or a cut of its own"));
  EXPECT_EQ(said[0], said[1]);
}

TEST(distributed_columns, a_rank_that_fails_ends_the_others) {
  const task t;
  const cut parts = cut::by_ranges(t.on, 4);
  int failed = 0;
  for (std::int64_t at = 0; at < 200; at += 7) {
    const std::string why =
        test::error_of(4,
                       [&](communicator& here) {
                         const distributed_graph part(parts, here, cut_by::features);
                         auto step = value_and_grad<gcn>();
                         auto params = parameters<gcn>();
                         initialize(params, 1);
                         for (int k = 0; k < 4; ++k)
                           (void)step(part, x = part.rows(t.X), label = part.rows(t.Y), params).loss;
                       },
                       {.failing_rank = 2, .failing_call = at});
    if (why.empty()) continue;
    EXPECT_THAT(why, HasSubstr("rank 2"));
    ++failed;
  }
  EXPECT_GT(failed, 10);
}

constexpr auto summed = [](auto v) { return sum(v.in_edges().src(tanh(matmul(v(x), W)))); };

TEST(distributed_columns, sweeps_stand_in_a_timeline) {
  const cut parts = cut::by_ranges(test::power_law(400, 2500, 3), 2);
  const tensor<float> X({400, 12});
  const timeline run;
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here, cut_by::features);
    (void)compile<summed>()(part, x = part.rows(X), W = tensor<float>::full({12, 21}, 0.1f));
  });
  const auto is_sweep = [](const unit_time& u) { return u.what.find("in-edges") != std::string::npos; };
  const auto units = run.units();
  EXPECT_EQ(std::count_if(units.begin(), units.end(), is_sweep), 1) << run.table();
}

}  // namespace
}  // namespace stg
