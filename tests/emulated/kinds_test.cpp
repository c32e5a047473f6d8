// test: programs, proof, whole
// Programs over vertex sets on a GPU: as CUDA kernels against the naive interpreter and central differences, and whole
// calls from stg::cuda() to gradients on the host. With STG_PROOF all programs that there are.
#include "../run/expect_error.hpp"    // expect_error
#include "drawn.hpp"                  // drawn_floats, expect_near
#include "gpu_under_test.hpp"         // on_gpu
#include "support/backend_check.hpp"  // check_sample
#include "support/kinds.hpp"          // for_each_program, small

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstdint>  // int32_t, int64_t
#include <utility>  // exchange

namespace stg {
namespace {

/// Rows of more edges than `edges` are cut while this lives.
struct cut_longer_than {
  explicit cut_longer_than(std::int32_t edges) : before_(std::exchange(test::backend::long_row_edges, edges)) {}
  ~cut_longer_than() { test::backend::long_row_edges = before_; }

 private:
  std::int32_t before_;
};

/// A set of authors, none of whom wrote, and nobody's papers; the one relation is without edges.
graphs without_edges() {
  graphs g;
  g.add_vertices(kinds::author, 3).add_vertices(kinds::paper, 2);
  g.add_edges(kinds::writes, {}, {}).add_edges(kinds::cites, {}, {}).add_edges(kinds::reviews, {}, {});
  return g;
}

TEST(emulated_kinds, run_as_the_oracle_says) {
  const auto check = [&]<const auto & Program>(const char* name) {
    test::check_sample<Program>(name, kinds::small(), "two sets");
    {
      const cut_longer_than two(2);  // parts of rows of the relation at hand
      test::check_sample<Program>(name, kinds::small(), "two sets, rows in parts");
    }
    test::check_sample<Program>(name, without_edges(), "two sets without edges");
  };
#if defined(STG_PROOF)
  kinds::for_each_program(check);
#else
  check.template operator()<kinds::gat>("gat");
  check.template operator()<kinds::trained>("trained");
#endif
}

// ---- whole calls ----

using test::on_gpu;

struct kinds_on_a_gpu : test::gpu_under_test {};

constexpr auto known = kinds::author.feature<"known", 3>;
constexpr auto words = kinds::paper.feature<"words", 4>;
constexpr auto share = trainable(kinds::writes.feature<"share">);
constexpr auto wanted = kinds::paper.feature<"wanted", 4>;
constexpr auto K = parameter<"K", 3, 4>;
constexpr auto N = parameter<"N", 4, 4>;
/// Along two relations, there and back, with dropout and a degree of a third one.
constexpr auto loss = [](auto g) {
  auto p = g(kinds::paper);
  auto e = p.in_edges(kinds::writes);
  auto by_authors = sum(e(share) * e.src(matmul(dropout(g(kinds::author)(known), 0.3), K)));
  auto h = relu(by_authors + matmul(mean(p.in_edges(kinds::cites).src(p(words))), N) + p.in_degree(kinds::reviews));
  auto seen = e.src(mean(g(kinds::author).out_edges(kinds::writes).dst(h)));
  return mse(h + sum(seen), p(wanted));
};
using step_on_gpu = training_step<ref<loss>, detail::trainable_entries<ref<loss>>, on_gpu>;

using test::drawn_floats, test::expect_near;

struct data {
  graphs g = kinds::small();
  tensor<float> k = drawn_floats({kinds::authors, 3}, 1), x = drawn_floats({kinds::papers, 4}, 2),
                y = drawn_floats({kinds::papers, 4}, 3);
  edge_values<float> s =
      g.edge_values(kinds::writes, drawn_floats({static_cast<std::int64_t>(kinds::writing.size())}, 4));
  decltype(parameters<loss>()) weights = parameters<loss>();
  data() { initialize(weights, 5); }
};

TEST_F(kinds_on_a_gpu, train_as_on_the_cpu) {
  const data d;
  const graphs there = d.g.to(cuda());
  EXPECT_EQ(there.place(), location(cuda()));
  EXPECT_EQ(there.relation(kinds::cites).place(), location(cuda()));
  EXPECT_EQ(there.vertices(kinds::author), kinds::authors);
  const auto k = d.k.to(cuda()), x = d.x.to(cuda()), y = d.y.to(cuda());
  const auto s = d.s.to(cuda());
  const auto far = d.weights.to(cuda());
  step_on_gpu step;
  auto here = value_and_grad<loss>(draft());
  for (int call = 0; call < 3; ++call) {
    auto on_device = step(there, known = k, words = x, share = s, wanted = y, far);
    auto near = here(d.g, known = d.k, words = d.x, share = d.s, wanted = d.y, d.weights);
    EXPECT_NEAR(on_device.loss, near.loss, 1e-5 * near.loss);
    expect_near(on_device.gradients[K].to(host), near.gradients[K]);
    expect_near(on_device.gradients[N].to(host), near.gradients[N]);
    expect_near(on_device.gradients[share].to(host).values(), near.gradients[share].values());
  }
}

#ifndef STG_ON_DEVICE
TEST_F(kinds_on_a_gpu, come_back_as_they_were) {
  const data d;
  const graphs there = d.g.to(cuda()), back = there.to(host);
  EXPECT_EQ(back.place(), host);
  EXPECT_EQ(back.relation(kinds::writes).in_edges().neighbours(), d.g.relation(kinds::writes).in_edges().neighbours());
  EXPECT_EQ(there.relations(), d.g.relations());
  EXPECT_EQ(there.vertex_sets(), d.g.vertex_sets());
  EXPECT_EQ(there.relation(kinds::writes).edge_list(), d.g.relation(kinds::writes).edge_list());
  EXPECT_EQ(there.relation(kinds::writes).edge_identity(), d.g.relation(kinds::writes).edge_identity());
  EXPECT_EQ(there.to(cuda(1)).place(), location(cuda(1)));
}
#endif

TEST_F(kinds_on_a_gpu, say_where_a_graph_lies) {
  const data d;
  graphs there = d.g.to(cuda());
  step_on_gpu step;
  const auto far = d.weights.to(cuda());
  const auto k = d.k.to(cuda()), x = d.x.to(cuda()), y = d.y.to(cuda());
  const auto s = d.s.to(cuda());
  test::expect_error([&] { step(d.g, known = k, words = x, share = s, wanted = y, far); },
                     {"graph lies on the host", "graph.to(stg::cuda())"});
  test::expect_error(
      [&] { value_and_grad<loss>(draft())(there, known = d.k, words = d.x, share = d.s, wanted = d.y, d.weights); },
      {"graph lies on CUDA device 0", "graph.to(stg::host)"});
  const graphs other = kinds::small().coalesce(kinds::writes).to(cuda());
  test::expect_error([&] { step(other, known = k, words = x, share = s, wanted = y, far); }, {"'share'"});
  test::expect_error([&] { there.add_vertices("venue", 2); },
                     {"they lie on CUDA device 0", "change graphs.to(stg::host)"});
  test::expect_error([&] { there.coalesce(kinds::writes); }, {"they lie on CUDA device 0"});
  EXPECT_EQ(there.vertex_sets().size(), 2u);
}

#ifndef STG_ON_DEVICE
TEST_F(kinds_on_a_gpu, survive_every_failing_call) {
  const data d;
  const int calls = test::fail_each_call("a training step over two sets", [&](test::fake_cuda& other) {
    test::emulated_launcher::on = &other;
    step_on_gpu step;
    auto now = step(d.g.to(cuda()), known = d.k.to(cuda()), words = d.x.to(cuda()), share = d.s.to(cuda()),
                    wanted = d.y.to(cuda()), d.weights.to(cuda()));
    ASSERT_EQ(now.gradients[K].to(host).extent(0), 3);
  });
  EXPECT_GT(calls, 50);
}
#endif

}  // namespace
}  // namespace stg
