// test: calls
// Sequences that make their steps on a device: rows, weights and training have the bits of resident snapshots, what is
// held stays as it was, and each CUDA call may fail. Thrust by its host backend, all else by a fake of CUDA.
#include "../run/expect_error.hpp"  // expect_error
#include "drawn.hpp"                // drawn
#include "gpu_under_test.hpp"       // on_gpu

#include <stg/runtime/cuda/stream.hpp>     // captured_step, stream
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // the language

#ifdef STG_ON_DEVICE
#include <stg/snapshots_on_gpu.hpp>  // steps are made there
#else
#include "../run/support/thrust_snapshots.hpp"  // thrust_in_place
#endif

#include <gtest/gtest.h>  // TEST

#include <cstring>  // memcmp
#include <random>   // mt19937
#include <vector>   // vector

namespace stg {
namespace {

using test::drawn_floats, test::on_gpu;

struct snapshots_on_a_gpu : test::gpu_under_test {
  test::without_checks unchecked;
#ifndef STG_ON_DEVICE
  test::thrust_in_place by_host;
#endif
};

constexpr std::int64_t V = 40;
constexpr auto w = over<"T">(edge_feature<"w">);
constexpr auto h = trainable(vertex_feature<"h", 3>);
constexpr auto k = parameter<"k", 3>;

/// Reads edges both ways, and the step's weights.
constexpr auto loss = [](auto v) {
  auto last = scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        return tanh(0.5 * state + k * sum(e(w) * e.src(state)) / (v.in_degree() + 1.0) +
                    0.1 * sum(v.out_edges().dst(state)));
      },
      v(h));
  return mean(square(sum(last, axis<0>)), all_vertices);
};
using step_on_gpu = training_step<ref<loss>, stg::detail::trainable_entries<ref<loss>>, on_gpu>;

/// Edges that come and go, parallel ones and loops among them; step 1 has none, step 2 a row of 2,500 into 7 and one of
/// as many out of 3.
std::vector<snapshot_edges> days(bool weighted) {
  std::mt19937 random(5);
  std::vector<snapshot_edges> all(5);
  for (std::size_t t = 0; t < all.size(); ++t) {
    const int edges = t == 1 ? 0 : 80 + 10 * static_cast<int>(t);
    for (int e = 0; e < edges + (t == 2 ? 5000 : 0); ++e) {
      const auto u = static_cast<std::int64_t>(random() % V), v = static_cast<std::int64_t>(random() % V);
      all[t].src.push_back(e >= edges + 2500 ? 3 : u);
      all[t].dst.push_back(e >= edges && e < edges + 2500 ? 7 : v);
      if (weighted) all[t].weights.push_back(0.25 * (random() % 9) - 1);
    }
  }
  return all;
}
graph_sequence sequence_of(bool weighted, snapshot_store store) {
  return graph_sequence::from_steps(V, days(weighted), {.store = store});
}

template <class T> bool same(const T* a, const T* b, std::int64_t count) {
  return count == 0 || std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(T)) == 0;
}
/// All that kernels read of rows. Memory of the fake is the host's.
void expect_same_rows(const adjacency& a, const adjacency& b, std::int64_t edges) {
  ASSERT_EQ(a.rows(), b.rows());
  EXPECT_TRUE(same(a.offsets(), b.offsets(), V + 1));
  EXPECT_TRUE(same(a.neighbours(), b.neighbours(), edges));
  for (std::int64_t e = 0; e < edges; ++e) ASSERT_EQ(a.edge_id(e), b.edge_id(e));
  for (std::int64_t v = 0; v < V; ++v) ASSERT_EQ(a.row_at(v), b.row_at(v));
  const long_rows &x = a.long_rows(), &y = b.long_rows();
  ASSERT_EQ(x.count, y.count);
  EXPECT_EQ(x.parts, y.parts);
  EXPECT_EQ(x.part_edges, y.part_edges);
  EXPECT_TRUE(same(x.row, y.row, x.count));
  EXPECT_TRUE(same(x.first_part, y.first_part, x.count + 1));
}

#ifndef STG_ON_DEVICE
TEST_F(snapshots_on_a_gpu, have_the_rows_of_resident_ones) {
  for (const bool weighted : {true, false}) {
    graph_sequence here = sequence_of(weighted, snapshot_store::changes);
    graph_sequence there = here.to(cuda()), resident = here.to(cuda(), snapshot_store::resident);
    EXPECT_FALSE(there.is_resident());
    EXPECT_TRUE(resident.is_resident());
    bool long_in = false, long_out = false;
    for (const std::int64_t t : {0, 1, 2, 3, 4, 3, 2, 1, 0, 4, 0, 2, 4}) {  // by steps and by jumps, both ways
      SCOPED_TRACE(t);
      const graph &made = there.at(t), &given = resident.at(t);
      gpu::device::open(0)->synchronize({});
      ASSERT_EQ(made.edges(), given.edges());
      EXPECT_EQ(made.vertices(), V);
      EXPECT_EQ(made.place(), location(cuda()));
      EXPECT_EQ(made.edge_identity(), given.edge_identity());
      expect_same_rows(made.in_edges(), given.in_edges(), made.edges());
      expect_same_rows(made.out_edges(), given.out_edges(), made.edges());
      long_in = long_in || made.in_edges().long_rows().count > 0;
      long_out = long_out || made.out_edges().long_rows().count > 0;
      if (weighted) {
        EXPECT_TRUE(same(there.weights_at(t).values().data(), resident.weights_at(t).values().data(), made.edges()));
      }
    }
    EXPECT_TRUE(long_in && long_out);
  }
}
#endif

TEST_F(snapshots_on_a_gpu, of_few_changes_take_less) {
  std::mt19937 random(6);
  std::vector<snapshot_edges> all(60);
  for (std::size_t t = 0; t < all.size(); ++t) {
    if (t > 0) all[t] = all[t - 1];
    for (int e = 0; e < (t == 0 ? 2000 : 20); ++e) {
      all[t].src.push_back(static_cast<std::int64_t>(random() % V));
      all[t].dst.push_back(static_cast<std::int64_t>(random() % V));
    }
  }
  graph_sequence here = graph_sequence::from_steps(V, all, {.store = snapshot_store::changes});
  EXPECT_LT(5 * here.to(cuda()).bytes(), here.to(cuda(), snapshot_store::resident).bytes());
}

#ifndef STG_ON_DEVICE
TEST_F(snapshots_on_a_gpu, leave_what_is_held_as_it_was) {
  graph_sequence there = sequence_of(true, snapshot_store::changes).to(cuda());
  const graph first = there.at(0);
  const auto* const offsets = first.in_edges().offsets();
  gpu::device::open(0)->synchronize({});
  const std::vector<std::int64_t> before(offsets, offsets + V + 1);
  for (const std::int64_t t : {1, 2, 3, 4, 0}) there.at(t);
  gpu::device::open(0)->synchronize({});
  EXPECT_TRUE(same(offsets, before.data(), V + 1));
  EXPECT_NE(there.at(0).in_edges().offsets(), offsets);
}
#endif

struct data {
  tensor<float> start = drawn_floats({V, 3}, 1), product = drawn_floats({3}, 2);
};
struct trained {
  float loss;
  tensor<float> d_h, d_k;
};
trained trained_on(step_on_gpu& step, graph_sequence& there) {
  const data d;
  auto now = step(there, w = there.weights(), h = d.start.to(cuda()), k = d.product.to(cuda()));
  return {now.loss, now.gradients[h].to(host), now.gradients[k].to(host)};
}
bool same_bits(const trained& a, const trained& b) {
  return a.loss == b.loss && same(a.d_h.data(), b.d_h.data(), 3 * V) && same(a.d_k.data(), b.d_k.data(), 3);
}

TEST_F(snapshots_on_a_gpu, train_with_the_bits_of_resident_ones) {
  graph_sequence here = sequence_of(true, snapshot_store::changes);
  graph_sequence there = here.to(cuda()), resident = here.to(cuda(), snapshot_store::resident);
  step_on_gpu step;
  const trained expected = trained_on(step, resident);
  auto on_cpu = value_and_grad<loss>(draft());
  const data d;
  EXPECT_NEAR(on_cpu(here, w = here.weights(), h = d.start, k = d.product).loss, expected.loss, 1e-5 * expected.loss);
  gpu::stream mine(gpu::device::open(0));
  for (const bool on_mine : {false, true}) {
    step_on_gpu of_stream{on_gpu(on_mine ? cuda(0, {.stream = mine.handle()}) : cuda())};
    for (int call = 0; call < 2; ++call) EXPECT_TRUE(same_bits(trained_on(of_stream, there), expected)) << on_mine;
    EXPECT_EQ(of_stream.bytes(), step.bytes());
    for (const std::int64_t every : {1, 2, 3}) {
      of_stream.checkpoint({.every = every});
      EXPECT_TRUE(same_bits(trained_on(of_stream, there), expected)) << on_mine << ", every " << every;
    }
  }
}

#ifndef STG_ON_DEVICE
TEST_F(snapshots_on_a_gpu, take_no_memory_after_the_first_epoch) {
  graph_sequence there = sequence_of(true, snapshot_store::changes).to(cuda());
  const data d;
  const auto start = d.start.to(cuda()), product = d.product.to(cuda());
  step_on_gpu step;
  const auto epoch = [&] { return step(there, w = there.weights(), h = start, k = product).loss; };
  epoch();
  const std::int64_t bytes = there.bytes();
  fake.exhaust(1);  // nothing more is to be had
  const float again = epoch();
  fake.recover();
  EXPECT_EQ(there.bytes(), bytes);
  EXPECT_EQ(again, epoch());
}

TEST_F(snapshots_on_a_gpu, say_what_they_cannot) {
  graph_sequence here = sequence_of(true, snapshot_store::changes), there = here.to(cuda());
  test::expect_error([&] { (void)there.at(0).edge_list(); }, {"made on CUDA device 0", "sequence.to(stg::host).at(t)"});
  test::expect_error([&] { (void)there.at(0).to(host); }, {"made on CUDA device 0"});
  EXPECT_EQ(there.to(host).at(0).edge_list().src.size(), 80u);
  graph_sequence resident = sequence_of(true, snapshot_store::resident);
  test::expect_error([&] { resident.to(cuda(), snapshot_store::changes); }, {"has all its snapshots", ".store = "});
  gpu::stream on(gpu::device::open(0));
  test::expect_error([&] { gpu::captured_step captured(on, {"epoch"}, [&] { there.at(1); }); },
                     {"captured step", "stg::snapshot_store::resident"});
  EXPECT_EQ(there.at(1).edges(), 0);
  const auto* const before = gpu::install_snapshots(nullptr);
  EXPECT_TRUE(here.to(cuda()).is_resident());
  test::expect_error([&] { here.to(cuda(), snapshot_store::changes); }, {"<stg/snapshots_on_gpu.hpp>"});
  gpu::install_snapshots(before);
}

TEST_F(snapshots_on_a_gpu, survive_every_failing_call) {
  const std::vector<snapshot_edges> three{
      {{0, 2}, {1, 1}, {0.5, 3}}, {{0, 1, 2}, {1, 0, 2}, {0.5, 2, 1}}, {{0}, {2}, {1}}};
  graph_sequence here = graph_sequence::from_steps(V, three, {.store = snapshot_store::changes});
  const int calls = test::fail_each_call("a training step on changes", [&](test::fake_cuda& other) {
    test::emulated_launcher::on = &other;
    step_on_gpu step;
    graph_sequence there = here.to(cuda());
    const trained now = trained_on(step, there);
    ASSERT_EQ(now.d_k.extent(0), 3);
  });
  EXPECT_GT(calls, 60);
}
#endif

}  // namespace
}  // namespace stg
