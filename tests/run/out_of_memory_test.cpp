// test: kernels 0
// Memory runs out at every allocation of a call in turn: each time it is an out_of_memory, nothing is broken, and the
// same objects give the right values as soon as there is memory again.
#include "support/counted_new.hpp"     // allocations, fails_at
#include "support/failing_blocks.hpp"  // blocks of tensors and calls, too
#include "support/little_memory.hpp"   // little_memory
#include "temporary_folder.hpp"        // temporary_folder

#include <stg/base/sequence.hpp>               // sequence
#include <stg/call/as_draft.hpp>               // draft
#include <stg/data/checkpoint.hpp>             // load_parameters, save_parameters
#include <stg/data/edge_list.hpp>              // read_edge_list
#include <stg/data/npy.hpp>                    // read_npy
#include <stg/sampling/graphs_sampler.hpp>     // graphs_sampler
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/sampling/row_blocks.hpp>         // row_blocks
#include <stg/stg.hpp>

#include <gmock/gmock.h>  // StartsWith
#include <gtest/gtest.h>  // TEST

#include <cmath>     // exp2
#include <cstdio>    // printf
#include <cstdlib>   // atoi, getenv
#include <numeric>   // iota
#include <optional>  // optional
#include <vector>    // vector

namespace stg {
namespace {

using numbers = std::vector<double>;

inline constexpr auto x = trainable(vertex_feature<"x", 4>);
inline constexpr auto h0 = vertex_feature<"h0", 4>;
inline constexpr auto W = parameter<"W", 4, 4>;
inline constexpr auto near = [](auto v) { return mean(v.in_edges().src(x)); };
inline constexpr auto far = [](auto v) { return matmul(mean(v.in_edges().src(h0)), W); };
inline constexpr auto far_too = [](auto v) { return far(v); };
inline constexpr auto loss = [](auto v) { return sum(sum(far(v) * far(v), stg::axis<0>), all_vertices); };
inline constexpr auto deep = [](auto v) {
  return scan<3>(
      v, [](auto v, auto h) { return tanh(matmul(h, W) + mean(v.in_edges().src(h))); }, v(h0));
};
inline constexpr auto deep_too = [](auto v) { return deep(v); };
inline constexpr auto deep_loss = [](auto v) { return sum(sum(deep(v), stg::axis<0>), all_vertices); };
inline constexpr auto deep_loss_too = [](auto v) { return deep_loss(v); };

const graph& ring() {
  static const graph g = graph::from_edges(5, {0, 1, 2, 3, 4, 1}, {1, 2, 3, 4, 0, 3});
  return g;
}
const tensor<float>& features() {
  static const auto t = [] {
    tensor<float> made({5, 4});
    std::iota(made.begin(), made.end(), 1.0f);
    return made;
  }();
  return t;
}
auto& weights() {
  static auto set = [] {
    auto made = parameters<far>();
    initialize(made, 3);
    return made;
  }();
  return set;
}
template <class T> void append(numbers& to, const const_tensor<T>& t) { to.insert(to.end(), t.begin(), t.end()); }

/// What the test itself takes memory for, as users do: it is there.
template <class Body> auto with_memory(const Body& body) {
  const std::int64_t fails = test::fails_at.exchange(-1), before = test::new_calls;
  auto made = body();
  if (fails >= 0) test::fails_at = fails + (test::new_calls - before);
  return made;
}

/// Calls body() with the nth allocation failing. Whether it did; nothing where body() takes fewer.
template <class Body> std::optional<bool> fails_at(std::int64_t nth, const Body& body) {
  bool failed = false;
  std::int64_t fails = 0;
  test::fails_at = test::new_calls + nth;
  try {
    body();
    fails = test::fails_at.exchange(-1);
  } catch (const out_of_memory& e) {
    fails = test::fails_at.exchange(-1);
    failed = true;
    EXPECT_THAT(e.what(), testing::StartsWith("stg: out of memory"));
  }
  if (test::new_calls <= fails) return {};
  return failed;
}

/// Scenario: run() is what may fail; results() what it gave.
template <class Scenario> void each_allocation_fails(std::int64_t at_least) {
  Scenario all_goes_well;
  all_goes_well.run();
  const numbers expected = all_goes_well.results();
  std::int64_t failures = 0;
  for (std::int64_t nth = 0;; ++nth) {
    Scenario it;
    const std::optional<bool> failed = fails_at(nth, [&] { it.run(); });
    if (!failed) break;
    failures += *failed;
    it.run();
    EXPECT_EQ(it.results(), expected) << "after allocation " << nth << " failed";
  }
  EXPECT_GE(failures, at_least) << "nothing was allocated, so nothing failed";
}

/// The same of what is made once for the process, when it is first called: the same calls of another program say what
/// is right.
template <class Scenario, class Same> void each_allocation_of_the_first_call_fails(std::int64_t at_least) {
  Same same;
  same.run();
  std::int64_t failures = 0;
  for (std::int64_t nth = 0;; ++nth) {
    Scenario it;
    const std::optional<bool> failed = fails_at(nth, [&] { it.run(); });
    failures += failed.value_or(false);
    if (failed.value_or(false)) continue;
    EXPECT_EQ(it.results(), same.results());
    if (!failed) break;
  }
  EXPECT_GE(failures, at_least) << "nothing was allocated, so nothing failed";
}

// Models are made anew each time: what the first call of one leaves to the next is what is looked for.

struct call_of_kernels {
  std::optional<tensor<float>> out{};
  void run() {
    const auto model = compile<near>();
    out = model(ring(), x = features());
  }
  numbers results() const {
    numbers all;
    append(all, *out);
    return all;
  }
};
TEST(out_of_memory, of_a_compiled_call) { each_allocation_fails<call_of_kernels>(4); }

struct step_of_kernels {
  decltype(value_and_grad<loss>()) step = value_and_grad<loss>();
  numbers all{};
  void run() {
    step.seed(0);
    auto now = step(ring(), h0 = features(), weights());
    all = with_memory([&] {
      numbers n{now.loss};
      append(n, now.gradients[W]);
      return n;
    });
  }
  const numbers& results() const { return all; }
};
TEST(out_of_memory, of_a_training_step) { each_allocation_fails<step_of_kernels>(2); }

template <const auto& F> struct draft_call {
  std::optional<tensor<float>> out{};
  void run() { out = compile<F>(draft())(ring(), h0 = features(), weights()); }
  numbers results() const {
    numbers all;
    append(all, *out);
    return all;
  }
};
TEST(out_of_memory, of_a_draft) {
  each_allocation_of_the_first_call_fails<draft_call<far>, draft_call<far_too>>(100);
  each_allocation_fails<draft_call<far>>(5);
}
TEST(out_of_memory, of_a_scan) {
  each_allocation_of_the_first_call_fails<draft_call<deep>, draft_call<deep_too>>(300);
  each_allocation_fails<draft_call<deep>>(5);
}

template <const auto& F> struct draft_tape {
  decltype(compile_for_training<F>(draft())) trainer = compile_for_training<F>(draft());
  numbers all{};
  void run() {
    trainer.seed(0);
    auto tape = trainer.record(ring(), h0 = features(), weights());
    const auto one = tensor<float>::full({}, 1);
    auto gradients = tape.backward(one);
    all = with_memory([&] {
      numbers n;
      append(n, gradients[W]);
      return n;
    });
  }
  const numbers& results() const { return all; }
};
TEST(out_of_memory, of_a_tape) {
  each_allocation_of_the_first_call_fails<draft_tape<deep_loss>, draft_tape<deep_loss_too>>(300);
  each_allocation_fails<draft_tape<deep_loss>>(10);
}

/// Edges of vertex e % vertices, in no order.
template <std::int64_t Edges> struct graph_of {
  static constexpr std::int64_t vertices = Edges / 4;
  std::vector<std::int32_t> src = ends(7), dst = ends(3);
  std::optional<graph> made{}, both{};

  static std::vector<std::int32_t> ends(std::int64_t factor) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(Edges));
    for (std::int64_t e = 0; e < Edges; ++e)
      all[static_cast<std::size_t>(e)] = static_cast<std::int32_t>((e * factor + e / 5) % vertices);
    return all;
  }
  void run() {
    made = graph::from_edges(vertices, src, dst);
    both = made->to_undirected();
    const auto weights = made->edge_values(tensor<float>::full({Edges}, 2.0f));
    made->prepare();
  }
  numbers results() const {
    return {double(static_cast<std::uint64_t>(made->edge_identity()) >> 12),
            double(static_cast<std::uint64_t>(both->edge_identity()) >> 12), double(both->edges())};
  }
};
TEST(out_of_memory, of_a_graph) { each_allocation_fails<graph_of<40>>(20); }
TEST(out_of_memory, of_a_graph_that_threads_build) {
  const int before = threads();
  set_threads(4);
  each_allocation_fails<graph_of<70'000>>(20);
  set_threads(before);
}

struct sequence_of_graphs {
  std::vector<snapshot_edges> steps{{{0, 1, 2}, {1, 2, 0}, {}}, {{0, 2}, {1, 0}, {}}, {{2, 1, 1}, {2, 0, 2}, {}}};
  std::optional<graph_sequence> made{};
  std::int64_t edges = 0;
  void run() {
    made.emplace(graph_sequence::from_steps(3, steps, {.store = snapshot_store::changes}));
    edges = 0;
    for (const std::int64_t t : {0, 1, 2, 0}) edges = 10 * edges + made->at(t).edges();
  }
  numbers results() const { return {double(edges)}; }
};
TEST(out_of_memory, of_a_graph_sequence) { each_allocation_fails<sequence_of_graphs>(20); }

struct kinds_of_graph {
  std::int64_t sampled = 0;
  void run() {
    graphs g;
    g.add_vertices("a", 4).add_vertices("b", 3);
    const std::int64_t src[] = {0, 1, 2, 3}, dst[] = {0, 1, 2, 0};
    g.add_edges("ab", "a", "b", src, dst);
    g.add_reverse("ba", "ab");
    const graphs_sampler sampler(g, with_memory([] { return graphs_options{.fan_outs = {2, 2}}; }));
    const std::int32_t seeds[] = {0, 2};
    graphs_batch b;
    sampler.sample_into(b, "b", seeds, 1);
    sampled = b.of_relation("ab").edges.size() + b.blocks().seeds();
  }
  numbers results() const { return {double(sampled)}; }
};
TEST(out_of_memory, of_several_kinds_and_their_sampler) { each_allocation_fails<kinds_of_graph>(50); }

graph drawn() {
  const graph_of<400> ends;
  return graph::from_edges(ends.vertices, ends.src, ends.dst);
}

struct sampled_batches {
  graph of = drawn();
  neighbour_sampler sampler{of, {.fan_outs = {3, 2}}};
  batch b{};
  std::int64_t rows = 0;
  void run() {
    const std::int32_t seeds[] = {1, 5, 7};
    sampler.sample_into(b, seeds, 2);
    const auto all = b.blocks();
    rows = all.seeds();
  }
  numbers results() const {
    numbers n(b.vertices.begin(), b.vertices.end());
    n.insert(n.end(), b.edges.begin(), b.edges.end());
    n.push_back(double(rows));
    return n;
  }
};
TEST(out_of_memory, of_a_sampler_and_its_blocks) { each_allocation_fails<sampled_batches>(5); }

template <int Threads> struct loaded_batches {
  neighbour_sampler sampler{drawn(), {.fan_outs = {2}}};
  tensor<float> rows = tensor<float>::full({sampler.of().vertices(), 2}, 1.0f);
  std::optional<loader> made{};
  double sum = 0;
  void run() {
    made.emplace(
        sampler.of(), 6,
        [this](batch& to, std::span<const std::int32_t> items, std::uint64_t n) { sampler.sample_into(to, items, n); },
        loader_options{.batch_size = 2, .seed = 3, .threads = Threads, .blocks = true});
    const auto X = made->rows(rows);
    const auto F = made->rows<float>(
        {1}, [](std::span<const std::int32_t> v, tensor<float>& to) { std::copy(v.begin(), v.end(), to.begin()); },
        {.rows = 3});
    sum = 0;
    for (const std::int64_t epoch : {0, 1})
      for (const loaded_batch& b : made->epoch(epoch)) {
        for (const float f : b[X]) sum += f;
        for (const float f : b[F]) sum += 100 * f;
      }
  }
  numbers results() const { return {sum}; }
};
TEST(out_of_memory, of_a_loader) { each_allocation_fails<loaded_batches<0>>(20); }
TEST(out_of_memory, of_a_loader_with_threads) { each_allocation_fails<loaded_batches<2>>(20); }

struct blocks_of_rows {
  graph of = drawn();
  std::optional<row_blocks> made{};
  std::int64_t edges = 0;
  void run() {
    made.emplace(of, block_limit{.bytes = 4000, .vertex_bytes = 8});
    edges = 0;
    batch b;
    for (std::int64_t i = 0; i < made->count(); ++i) {
      made->block(i, b);
      edges += b.graph.edges();
    }
  }
  numbers results() const { return {double(edges)}; }
};
TEST(out_of_memory, of_blocks_of_rows) { each_allocation_fails<blocks_of_rows>(20); }

struct files {
  test::temporary_folder folder{};
  std::string file = folder.file("x.npy"), lines = folder.write("edges.txt", "0 1\n1 2\n2 0\n");
  std::string run_of = folder.file("run");
  tensor<float> read{};
  decltype(parameters<far>()) loaded{};
  std::int64_t edges = 0;
  void run() {
    write_npy(file, features());
    read = read_npy<float>(file);
    edges = static_cast<std::int64_t>(read_edge_list(lines).src.size());
    save_parameters(weights(), run_of);
    loaded = weights().zeros();
    load_parameters(loaded, run_of);
  }
  numbers results() const {
    numbers all{double(edges)};
    append(all, read);
    append(all, loaded[W]);
    return all;
  }
};
TEST(out_of_memory, of_files) { each_allocation_fails<files>(5); }

/// What throws while it is copied.
struct pair_of_lists {
  sequence<int> a{}, b{};
};

TEST(out_of_memory, of_a_sequence_leaves_what_was_there) {
  const pair_of_lists one{{1, 2, 3}, {4, 5, 6}};
  for (std::int64_t nth = 0; nth < 12; ++nth) {
    sequence<pair_of_lists> all;
    all.push_back(one);
    test::fails_at = test::new_calls + nth;
    try {
      all.push_back(one);
      all.resize(5);
      all.append(&one, 1);
      const sequence<pair_of_lists> copy = all;
    } catch (const std::bad_alloc&) {
    }
    test::fails_at = -1;
    for (const pair_of_lists& each : all) EXPECT_TRUE(each.a.empty() || each.a == one.a);
  }
}

#if STG_LIMITS_ADDRESSES
// ---- less and less memory, in a process of its own each time ----

using call_of_draft = draft_call<far>;
using call_of_scan = draft_call<deep>;
using small_graph = graph_of<400>;
using large_graph = graph_of<70'000>;
using few_batches = loaded_batches<0>;
using batches_of_threads = loaded_batches<2>;
using tape = draft_tape<deep_loss>;

template <class Scenario> class in_little_memory : public testing::Test {};
using scenarios = testing::Types<call_of_kernels, step_of_kernels, call_of_draft, call_of_scan, tape, small_graph,
                                 large_graph, sequence_of_graphs, kinds_of_graph, sampled_batches, few_batches,
                                 batches_of_threads, blocks_of_rows, files>;
TYPED_TEST_SUITE(in_little_memory, scenarios);

enum ending { went_well, ran_out, threw_something_else, gave_wrong_values };

/// Runs a scenario with `amount` bytes left, and once more with all memory.
template <class Scenario> ending with_bytes(std::size_t amount, const numbers& expected) {
  Scenario it;
  ending how = went_well;
  {
    const test::little_memory left(amount);
    try {
      it.run();
    } catch (const out_of_memory&) {
      how = ran_out;
    } catch (...) {
      return threw_something_else;
    }
  }
  if (how == ran_out) it.run();
  return it.results() == expected ? how : gave_wrong_values;
}

TYPED_TEST(in_little_memory, a_call_says_so_and_goes_on) {
  TypeParam all_goes_well;
  all_goes_well.run();
  const numbers expected = all_goes_well.results();
  const char* const wanted = std::getenv("STG_AMOUNTS");
  const int amounts = wanted == nullptr ? 6 : std::atoi(wanted);
  int ends[2] = {0, 0};
  for (int i = 0; i < amounts; ++i) {
    const auto amount = static_cast<std::size_t>(std::exp2(4 + 20.0 * i / amounts));  // 16 bytes to 16 MiB
    const pid_t child = fork();
    if (child == 0) _exit(with_bytes<TypeParam>(amount, expected));
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status) << " with " << amount << " bytes";
    const int how = WEXITSTATUS(status);
    ASSERT_LE(how, ran_out) << "with " << amount << " bytes";
    ++ends[how];
  }
  EXPECT_GT(ends[ran_out], 0) << "there was always memory";
  std::printf("%d amounts of memory, %d too small\n", amounts, ends[ran_out]);
}
#endif

}  // namespace
}  // namespace stg
