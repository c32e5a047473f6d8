// test: draft calls
// What an accessor of a temporary gives is read after the temporary is gone: it owns its memory, or has it from there.
// (What cannot is refused: tests/errors/temporary.) Meant for AddressSanitizer; without it, memory is written over
// first.
#include "support/families.hpp"  // mixed
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/data/karate.hpp>                 // karate_club
#include <stg/data/npy.hpp>                    // map_npy, read_npy
#include <stg/data/table.hpp>                  // read_table
#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/graphs_sampler.hpp>     // graphs_sampler
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <gtest/gtest.h>  // TEST

#include <utility>  // as_const
#include <vector>   // vector

namespace stg {
namespace {

inline constexpr auto x = vertex_feature<"x", 2>;
inline constexpr auto s = edge_feature<"s">;
inline constexpr auto t = graph_feature<"t", 3>;
inline constexpr auto W = initialized(parameter<"W", 2, 3>, init::ones);
inline constexpr auto b = parameter<"b", 3>;
inline constexpr auto net = [](auto v) { return matmul(v(x), W) + v(b); };
inline constexpr auto both = [](auto v) { return outputs(v(x) * 2.0, t = mean(matmul(v(x), W), all_vertices)); };
inline constexpr auto scaled = [](auto v) { return v.in_edges()(s) * 2.0; };
inline constexpr auto loss = [](auto v) { return outputs(sum(sum(net(v), axis<0>), all_vertices), t = v(b) + 5.0); };
inline constexpr auto author = vertex_set<"author">;
inline constexpr auto paper = vertex_set<"paper">;
inline constexpr auto writes = relation<"writes", author, paper>;

using floats = tensor<float>;
const graph ring = graph::from_edges(4, {0, 1, 2, 3}, {1, 2, 3, 0});

/// Rows 10, 20, 30, 40, each twice.
floats ten() { return floats::from({4, 2}, {10, 10, 20, 20, 30, 30, 40, 40}); }
const_tensor<float> read_only() { return floats(ten()); }
edge_values<float> of_edges() { return ring.edge_values(floats::from({4}, {10, 20, 30, 40})); }
sparse_tensor<float> few() { return sparse(ten()); }
graphs of_kinds() {
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 2);
  g.add_edges(writes, std::vector<std::int32_t>{0, 1, 2}, std::vector<std::int32_t>{0, 0, 1});
  return g;
}
auto begun() {
  auto params = parameters<net>();
  initialize(params, 1);
  params[b].fill(7);
  return params;
}
const auto& kept() {
  static const auto params = begun();
  return params;
}
text_table table() {
  static const test::temporary_folder folder;
  static const std::string file = folder.write("a.csv", "who,age\na long name that has no room within,1\nb,2\n");
  return read_table(file);
}
std::string arrays(const char* name) {
  static const test::temporary_folder folder;
  write_npy(folder.file(name), ten());
  return folder.file(name);
}

/// Takes memory of the sizes that are read here, and writes it over.
void write_over() {
  for (int k = 0; k < 64; ++k) {
    const auto small = floats::full({3}, -1), middle = floats::full({4, 2}, -1), large = floats::full({4, 3}, -1);
    ASSERT_EQ(small(0) + middle(0, 0) + large(0, 0), -3);
  }
}

/// What `made` gives is kept, the memory of what it was made of written over, and then read.
template <class Make, class Read> void expect(const char* what, double wanted, const Make& make, const Read& read) {
  auto&& held = make();
  write_over();
  EXPECT_EQ(static_cast<double>(read(held)), wanted) << what;
}
#define STG_ROW(wanted, expression, read) \
  expect(                                 \
      #expression, wanted, []() -> decltype(auto) { return expression; }, [](auto& of) { return read; })

TEST(temporaries, tensors_give_views_that_own_their_memory) {
  STG_ROW(20, ten().view(), of(1, 0));
  STG_ROW(20, ten().reshape({8}), of(2));
  STG_ROW(30, ten().row(2), of(1));
  STG_ROW(40, ten().rows(2, 4), of(1, 1));
  STG_ROW(40, ten().rows(1, 4).rows(1, 3).row(1).reshape({2, 1}), of(1, 0));
  STG_ROW(20, ten().clone().reshape({2, 4}).row(0), of(2));
  STG_ROW(20, read_only().view(), of(1, 0));
  STG_ROW(20, read_only().reshape({8}), of(2));
  STG_ROW(30, read_only().row(2), of(1));
  STG_ROW(40, read_only().rows(2, 4), of(1, 1));
  STG_ROW(4, ten().shape(), of[0]);
  STG_ROW(20, ten().to<double>().row(1), of(1));
  STG_ROW(20, ten().to(host).row(1), of(1));
  STG_ROW(20, few().rows(std::vector<std::int32_t>{1}), of.dense()(0, 1));
  STG_ROW(30, karate_club().features.rows(0, 30), of.extent(0));
  STG_ROW(34, gather(karate_club().labels, std::vector<std::int32_t>{33}).row(0), 34 + 0 * of.item());
  STG_ROW(20, read_npy<float>(arrays("read.npy")).row(1), of(0));
  STG_ROW(20, map_npy<float>(arrays("mapped.npy")).row(1), of(0));
  double sum = 0;
  for (const float each : ten().row(3)) sum += each;
  for (const float each : ten().reshape({8}).rows(0, 2)) sum += each;
  EXPECT_EQ(sum, 100);
}

TEST(temporaries, values_of_edges_give_their_tensor) {
  STG_ROW(10, of_edges().values(), of(1));
  STG_ROW(10, of_edges().clone().values().reshape({4, 1}).row(1), of(0));
  STG_ROW(20, compile<scaled>()(ring, s = of_edges()).values(), of(1));
  STG_ROW(20, compile<scaled>()(ring, s = of_edges()).values().row(1), of.item());
  double sum = 0;
  for (const float each : compile<scaled>()(ring, s = of_edges()).values()) sum += each;
  EXPECT_EQ(sum, 200);
}

TEST(temporaries, calls_give_what_lives_on) {
  STG_ROW(47, compile<net>()(ring, x = ten(), kept()).row(1), of(2));
  STG_ROW(47, compile<net>()(ring, x = ten(), kept()).rows(1, 2).reshape({3}), of(2));
  STG_ROW(40, compile<both>()(ring, x = ten(), W = kept()[W]).get<0>(), of(1, 1));
  STG_ROW(40, compile<both>()(ring, x = ten(), W = kept()[W]).get<0>().row(1), of(1));
  STG_ROW(50, compile<both>()(ring, x = ten(), W = kept()[W])[t], of(2));
  STG_ROW(50, compile<both>()(ring, x = ten(), W = kept()[W]).clone()[t].rows(2, 3), of.item());
  STG_ROW(50, compile<both>()(ring, x = ten(), W = kept()[W]).items(), of[boost::hana::size_c<1>].value(0));
  const auto [doubled, mean] = compile<both>()(ring, x = ten(), W = kept()[W]);
  write_over();
  EXPECT_EQ(doubled(1, 1), 40);
  EXPECT_EQ(mean(0), 50);
}

TEST(temporaries, sets_give_their_values) {
  STG_ROW(7, begun()[b], of(1));
  STG_ROW(1, begun()[W].row(1), of(1));
  STG_ROW(1, begun().get<0>().reshape({6}), of(5));
  STG_ROW(7, begun().of(parameters<net>())[b], of(1));
  STG_ROW(7, begun().clone()[b].row(0), of.item());
  STG_ROW(0, begun().zeros()[b], of(1));
}

TEST(temporaries, steps_and_tapes_give_what_lives_on) {
  STG_ROW(428, value_and_grad<loss>()(ring, x = ten(), kept()).loss - 256, of);
  STG_ROW(12, value_and_grad<loss>()(ring, x = ten(), kept()).outputs[t], of(1));
  STG_ROW(12, value_and_grad<loss>()(ring, x = ten(), kept()).outputs[t].row(1), of.item());
  STG_ROW(100, value_and_grad<loss>()(ring, x = ten(), kept()).gradients[W], of(1, 1));
  STG_ROW(100, value_and_grad<loss>()(ring, x = ten(), kept()).gradients[W].row(1), of(1));
  STG_ROW(100, value_and_grad<loss>()(ring, x = ten(), kept()).gradients.of(kept())[W], of(1, 1));
  STG_ROW(4, value_and_grad<loss>()(ring, x = ten(), begun()).gradients, of[b](1));
  STG_ROW(47, compile_for_training<net>().record(ring, x = ten(), kept()).output().row(1), of(1));
  STG_ROW(100, compile_for_training<net>().record(ring, x = ten(), begun()).backward(floats::full({4, 3}, 1))[W].row(0),
          of(1));
}

TEST(temporaries, graphs_and_samples_give_what_lives_on) {
  const std::vector<std::int32_t> seeds = {33, 0};
  STG_ROW(78, karate_club().graph, of.in_edges().edges() / 2);
  STG_ROW(4, graph(ring).edge_list(), std::ssize(of.src));
  STG_ROW(20, graph(ring).edge_values(floats::from({4}, {10, 20, 30, 40})).values().row(2), of.item());
  STG_ROW(3, of_kinds().relation(writes), of.in_edges().edges());
  STG_ROW(2, of_kinds().vertex_sets(), std::ssize(of));
  STG_ROW(
      33,
      neighbour_sampler(karate_club().graph, {.fan_outs = {2}}).sample(std::vector<std::int32_t>{33, 0}, 1).vertices,
      of[0]);
  STG_ROW(
      2, neighbour_sampler(karate_club().graph, {.fan_outs = {2}}).sample(std::vector<std::int32_t>{33, 0}, 1).blocks(),
      of.seeds());
  STG_ROW(2,
          neighbour_sampler(karate_club().graph, {.fan_outs = {2}}).sample(std::vector<std::int32_t>{33, 0}, 1).graph,
          of.in_edges().degree(0));
  STG_ROW(1,
          neighbour_sampler(karate_club().graph, {.fan_outs = {2}})
              .sample(std::vector<std::int32_t>{33, 0}, 1)
              .seed_mask()
              .row(1),
          of.item());
  STG_ROW(1,
          graphs_sampler(of_kinds(), {.fan_outs = {2}}).sample(paper, std::vector<std::int32_t>{1}, 1).vertices(paper),
          of[0]);
  STG_ROW(2, graphs_sampler(of_kinds(), {.fan_outs = {2}}).sample(paper, std::vector<std::int32_t>{1}, 1).edges(writes),
          of[0]);
  loader batches(neighbour_sampler(karate_club().graph, {.fan_outs = {2}}), {33, 0}, {.batch_size = 2});
  const auto X = batches.rows(karate_club().features);  // moved in
  for (const loaded_batch& each : batches.epoch(0)) {
    write_over();
    EXPECT_EQ(each[X].extent(0), each.graph.vertices());
    EXPECT_EQ(each[X](0, each.vertices[0]), 1);
  }
}

TEST(temporaries, tables_give_words_of_their_own) {
  STG_ROW(35, table().words("who"), of[0].size());
  STG_ROW(3, table().names(), of[0].size());
  STG_ROW(2, table().tensor_of({"age"}).row(1), of.item());
  STG_ROW(2, table().tensor_of(all_columns_but({"who"})).row(1), of.item());
  double letters = 0;
  for (const auto& word : table().words("who")) letters += static_cast<double>(word.size());
  EXPECT_EQ(letters, 36);
}

#undef STG_ROW

}  // namespace
}  // namespace stg
