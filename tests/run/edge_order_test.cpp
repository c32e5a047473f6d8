// test: kernels 0
// Edge values that are moved into the order of out-edges before they are read: sums along the out-edges of a graph have
// the bits of those along the in-edges of the graph turned round, where they lie in order.
#include <stg/codegen/cpu/rounds.hpp>  // rounds, ordered_values
#include <stg/runtime/edge_order.hpp>  // edge_order
#include <stg/stg.hpp>

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // min
#include <cstring>    // memcmp
#include <random>     // mt19937_64
#include <utility>    // pair
#include <vector>     // vector

namespace stg {
namespace {

constexpr std::int64_t edges = pass::choices().least_ordered_edges + 150'001;  // some whole blocks, and part of one

constexpr auto x = vertex_feature<"x", 16>;
constexpr auto w = edge_feature<"w">;
constexpr auto u = edge_feature<"u">;
constexpr auto pair = edge_feature<"pair", 2>;
constexpr auto W = parameter<"W", 16, 8>;

constexpr auto in_sum = [](auto v) { return sum(v.in_edges()(w) * v.in_edges().src(x)); };
constexpr auto out_sum = [](auto v) { return sum(v.out_edges()(w) * v.out_edges().dst(x)); };
constexpr auto in_two = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(x)) + max(e(u) * e.src(x));
};
constexpr auto out_two = [](auto v) {
  auto e = v.out_edges();
  return sum(e(w) * e.dst(x)) + max(e(u) * e.dst(x));
};
constexpr auto in_pairs = [](auto v) {
  auto e = v.in_edges();
  return sum(sum(e(pair), axis<0>) * e.src(x));
};
constexpr auto out_pairs = [](auto v) {
  auto e = v.out_edges();
  return sum(sum(e(pair), axis<0>) * e.dst(x));
};
constexpr auto in_product = [](auto v) { return relu(matmul(sum(v.in_edges()(w) * v.in_edges().src(x)), v(W))); };
constexpr auto out_product = [](auto v) { return relu(matmul(sum(v.out_edges()(w) * v.out_edges().dst(x)), v(W))); };

constexpr auto h = trainable(x);
constexpr auto trained = [](auto v) { return sum(v.in_edges()(w) * v.in_edges().src(h)); };

/// A graph, and the same with every edge turned round, which has the same edge ids where both are given in that order.
struct both_ways {
  graph given, turned;

  both_ways(std::int64_t vertices, std::int64_t in_hub) {
    std::mt19937_64 random(7);
    std::vector<std::int64_t> src, dst;
    for (std::int64_t e = 0; e < edges; ++e) {
      const auto any = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(vertices)); };
      dst.push_back(e * vertices / edges);
      src.push_back(e < in_hub ? 3 : any() * any() / vertices);  // most edges leave few of them
    }
    given = graph::from_edges(vertices, src, dst);  // ids: the order of this list
    turned = graph::from_edges(vertices, dst, src);
  }
};

tensor<float> numbers(const dimensions& shape, std::uint64_t seed) {
  tensor<float> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}

template <const auto& F> using plan_of = executable<inferred<ref<F>>>;
/// The rounds of F's first unit on a graph of these sizes, and the workspace before that of its sweep.
template <const auto& F> std::int64_t ordered_bytes(std::int64_t vertices, std::int64_t threads = 1) {
  codegen::launch l;
  l.graph.vertices = vertices;
  l.graph.edges = edges;
  l.resources.threads = threads;
  return cpu::rounds(codegen::data_of<plan_of<F>>, 0, l).bytes(l);
}

void expect_equal(const tensor<float>& a, const tensor<float>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())), 0);
}

void expect_turned_sums(const both_ways& on) {
  const std::int64_t n = on.given.vertices();
  const auto X = numbers({n, 16}, 1), P = numbers({16, 8}, 3);
  const auto Wt = numbers({edges}, 4), U = numbers({edges}, 5), Pair = numbers({edges, 2}, 6);
  const auto of = [](const graph& g, const tensor<float>& t) { return g.edge_values(t); };
  const graph &g = on.given, &t = on.turned;
  expect_equal(compile<out_sum>()(g, x = X, w = of(g, Wt)), compile<in_sum>()(t, x = X, w = of(t, Wt)));
  expect_equal(compile<out_two>()(g, x = X, w = of(g, Wt), u = of(g, U)),
               compile<in_two>()(t, x = X, w = of(t, Wt), u = of(t, U)));
  const auto both = of(g, Wt), turned = of(t, Wt);  // one tensor under two names
  expect_equal(compile<out_two>()(g, x = X, w = both, u = both), compile<in_two>()(t, x = X, w = turned, u = turned));
  expect_equal(compile<out_pairs>()(g, x = X, pair = of(g, Pair)), compile<in_pairs>()(t, x = X, pair = of(t, Pair)));
  expect_equal(compile<out_product>()(g, x = X, W = P, w = of(g, Wt)),
               compile<in_product>()(t, x = X, W = P, w = of(t, Wt)));
}

TEST(edge_order, values_go_to_their_positions) {
  const both_ways on(5000, 200'000);
  const adjacency out = on.given.out_edges();
  const edge_order order(out);
  const std::int64_t blocks = order.blocks();
  ASSERT_GT(blocks, 3);
  std::vector<std::uint64_t> by_id(edges), scratch(2 * edge_order::block);
  for (std::size_t e = 0; e < by_id.size(); ++e) by_id[e] = e * 0x100000001u;
  for (const std::int64_t row : {4, 8})
    for (const auto& [first, last] :
         {std::pair<std::int64_t, std::int64_t>{0, blocks}, {0, 1}, {1, 3}, {blocks - 2, blocks}}) {
      std::vector<std::uint64_t> to(static_cast<std::size_t>((last - first) * edge_order::block));
      order.lay_out(reinterpret_cast<const std::byte*>(by_id.data()), row, first, last,
                    reinterpret_cast<std::byte*>(to.data()), reinterpret_cast<std::byte*>(scratch.data()), 2);
      const std::int64_t begin = first * edge_order::block, end = std::min(last * edge_order::block, edges);
      for (std::int64_t k = begin; k < end; ++k)
        ASSERT_EQ(std::memcmp(reinterpret_cast<std::byte*>(to.data()) + row * (k - begin),
                              reinterpret_cast<std::byte*>(by_id.data()) + row * out.edge_id(k),
                              static_cast<std::size_t>(row)),
                  0)
            << k;
    }
}

TEST(edge_order, graphs_have_one) {
  const auto both = both_ways(2, 0);
  EXPECT_NE(both.given.out_edges().order(), nullptr);
}

TEST(edge_order, sweeps_read_them_in_order) {
  using P = plan_of<out_sum>;
  const int weights = cpu::ordered_values(codegen::data_of<P>, 0).at.at[0];
  const both_ways on(60'000, 0);
  const auto given = numbers({edges}, 4);
  const adjacency out = on.given.out_edges();
  std::byte* memory[P::program.size] = {};
  memory[weights] = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(given.data()));
  codegen::launch call;
  call.memory = memory;
  call.graph.out = out;
  call.graph.vertices = on.given.vertices();
  call.graph.edges = edges;
  call.resources.threads = 100;  // more than there are blocks
  const cpu::rounds sweep(codegen::data_of<P>, 0, call);
  std::byte* room[P::program.size];
  std::vector<std::byte> workspace(static_cast<std::size_t>(sweep.bytes(call)));
  call.resources.workspace = workspace.data();
  std::int64_t seen = 0;
  sweep.run(call, room, [&](const codegen::launch& mine, std::int64_t round, std::int64_t count) {
    ASSERT_TRUE(mine.graph.out.ids_are_positions());
    const auto* const moved = reinterpret_cast<const float*>(mine.memory[weights]);
    const std::int64_t end = out.begin(out.split(round + 1, count));
    for (std::int64_t k = out.begin(out.split(round, count)); k < end; ++k, ++seen)
      ASSERT_EQ(moved[k], given.data()[out.edge_id(k)]) << k;
  });
  EXPECT_EQ(seen, edges);
}

TEST(edge_order, one_tensor_under_two_names_is_laid_out_once) {
  using P = plan_of<out_two>;
  const auto values = cpu::ordered_values(codegen::data_of<P>, 0).at;
  ASSERT_EQ(values.count, 2);
  const both_ways on(60'000, 0);
  const auto one = numbers({edges}, 4), other = numbers({edges}, 5);
  std::byte* memory[P::program.size] = {};
  codegen::launch call;
  call.memory = memory;
  call.graph.out = on.given.out_edges();
  call.graph.vertices = on.given.vertices();
  call.graph.edges = edges;
  const cpu::rounds sweep(codegen::data_of<P>, 0, call);
  std::byte* room[P::program.size];
  std::vector<std::byte> workspace(static_cast<std::size_t>(sweep.bytes(call)));
  call.resources.workspace = workspace.data();
  for (const bool same : {true, false}) {
    memory[values.at[0]] = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(one.data()));
    memory[values.at[1]] = const_cast<std::byte*>(reinterpret_cast<const std::byte*>((same ? one : other).data()));
    int seen = 0;
    sweep.run(call, room, [&](const codegen::launch& mine, std::int64_t, std::int64_t) {
      EXPECT_EQ(mine.memory[values.at[0]] == mine.memory[values.at[1]], same);
      ++seen;
    });
    EXPECT_GT(seen, 0);
  }
}

TEST(edge_order, in_one_round) {
  EXPECT_GE(ordered_bytes<out_sum>(200'000), edges * 4);
  EXPECT_GT(ordered_bytes<out_two>(200'000), 0);
  EXPECT_GT(ordered_bytes<out_pairs>(200'000), 0);
  expect_turned_sums(both_ways(200'000, 0));
}

TEST(edge_order, in_several_rounds_and_with_any_number_of_threads) {
  // A copy of 4.8 MB beside results of 1.9 MB: rounds of a third of it, and of spare blocks.
  EXPECT_GT(ordered_bytes<out_sum>(30'000), edges * 4 / 3);
  EXPECT_LT(ordered_bytes<out_sum>(30'000), edges * 4 / 3 + 6 * edge_order::block * 4);
  EXPECT_GT(ordered_bytes<out_two>(60'000), 0);
  EXPECT_GT(ordered_bytes<out_pairs>(60'000), 0);
  const both_ways on(60'000, 0);
  const int before = threads();
  for (const int n : {1, 3}) {
    set_threads(n);
    expect_turned_sums(on);
  }
  set_threads(before);
}

TEST(edge_order, a_row_too_long_for_a_round_is_read_by_id) {
  ASSERT_GT(ordered_bytes<out_sum>(30'000), 0);
  expect_turned_sums(both_ways(30'000, 700'000));
}

TEST(edge_order, gradients) {
  const both_ways on(60'000, 0);
  const auto X = numbers({60'000, 16}, 1), D = numbers({60'000, 16}, 2), Wt = numbers({edges}, 3);
  const auto weights = on.given.edge_values(Wt);
  auto trainer = compile_for_training<trained>();
  auto tape = trainer.record(on.given, h = X, w = weights);
  const auto gradients = tape.backward(D);
  expect_equal(gradients[h], compile<in_sum>()(on.turned, x = D, w = on.turned.edge_values(Wt)));
}

// What knows an edge by its id keeps the ids; wide rows, and those of run-time length, are read where they lie.
constexpr auto wide = edge_feature<"wide", 3>;
constexpr auto any = edge_feature<"any", extent<"F">>;
constexpr auto z = vertex_feature<"z", 3>;
constexpr auto out_wide = [](auto v) { return sum(v.out_edges()(wide) * v.out_edges().dst(z)); };
constexpr auto out_any = [](auto v) { return sum(v.out_edges()(any)); };
constexpr auto out_and_stored = [](auto v) {
  auto e = v.out_edges();
  auto message = e(w) * e.dst(x);
  return outputs(sum(message), message);
};
constexpr auto dropped = [](auto v) {
  auto e = v.in_edges();
  return sum(dropout(e(w) * e.src(h), 0.5));
};

template <class P> bool orders() { return cpu::ordered_values(codegen::data_of<P>, 0).at.count > 0; }
template <const auto& F> bool orders_in_inference() { return orders<plan_of<F>>(); }

TEST(edge_order, only_where_nothing_else_asks_for_ids) {
  EXPECT_TRUE(orders_in_inference<out_sum>());
  EXPECT_TRUE(orders_in_inference<out_pairs>());
  EXPECT_FALSE(orders_in_inference<in_sum>());
  EXPECT_FALSE(orders_in_inference<out_wide>());
  EXPECT_FALSE(orders_in_inference<out_any>());
  EXPECT_FALSE(orders_in_inference<out_and_stored>());
  using in_training = differentiated<ref<dropped>, provided<0>, required<1>>;
  EXPECT_FALSE(orders<executable<in_training::gradient>>());
}

// The copy is no larger than what the sweep computes, and a few blocks.
TEST(edge_order, only_for_large_graphs_and_results) {
  EXPECT_EQ(ordered_bytes<out_sum>(1000), 0);
  codegen::launch small;
  small.graph.vertices = 200'000;
  small.graph.edges = pass::choices().least_ordered_edges - 1;
  EXPECT_EQ(cpu::rounds(codegen::data_of<plan_of<out_sum>>, 0, small).bytes(small), 0);
}

}  // namespace
}  // namespace stg
