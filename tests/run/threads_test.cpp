// Outputs and gradients are bitwise equal for any number of threads and from run to run.
#include "support/networks.hpp"  // gcn_loss, gat_loss

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // max_element
#include <cmath>      // isfinite
#include <vector>     // vector

namespace stg {
namespace {

using test::copy_of;
using test::differences;
namespace networks = test::networks;

constexpr int thread_counts[] = {1, 2, 3, 4, 7};

/// Puts the number of threads back.
struct keep_threads {
  const int before = threads();
  ~keep_threads() { set_threads(before); }
};

/// Hubs with thousands of edges, most vertices with a few, and enough of both for a sweep to be cut into many parts.
const graph& hubs() {
  static const graph g = test::power_law(4000, 60000, 3).add_self_loops();
  return g;
}

TEST(threads, the_graph_is_large_enough_for_several_parts) {
  const keep_threads keep;
  for (const int n : thread_counts) {
    set_threads(n);
    cpu::launch l;
    l.vertices = hubs().vertices();
    l.in = hubs().in_edges();
    l.most_parts = cpu::most_sweep_parts();
    EXPECT_EQ(cpu::sweep_parts(l), n == 1 ? 1 : n <= 4 ? 4 * n : 17) << n << " threads";
  }
  EXPECT_GT(*std::max_element(hubs().in_degrees().begin(), hubs().in_degrees().end()), 4000);
}

/// Two steps of training, with all that they return, on 1, 2, 3, 4 and 7 threads and twice on each.
template <const auto& Loss> void check_training() {
  const keep_threads keep;
  const test::vertex_data data(hubs().vertices(), 11);
  auto weights = parameters<Loss>();
  initialize(weights, 5);
  const auto train = [&](auto use) {
    auto step = value_and_grad<Loss>();
    step.seed(42);
    for (int call = 0; call < 2; ++call)
      use(call, step(hubs(), networks::x = data.features, networks::label = data.labels, networks::known = data.known,
                     weights));
  };

  set_threads(1);
  using result = decltype(value_and_grad<Loss>()(hubs(), networks::x = data.features, networks::label = data.labels,
                                                 networks::known = data.known, weights));
  std::vector<result> expected;
  train([&](int, const result& r) {
    ASSERT_TRUE(std::isfinite(r.loss));
    expected.push_back({r.loss, copy_of(r.outputs), copy_of(r.gradients)});
  });
  EXPECT_NE(expected[0].loss, expected[1].loss) << "dropout draws anew in every call";

  for (const int n : thread_counts) {
    set_threads(n);
    for (int run = 0; run < 2; ++run)
      train([&](int call, const result& r) {
        EXPECT_EQ(differences(r.outputs, expected[static_cast<std::size_t>(call)].outputs), "") << n << " threads";
        EXPECT_EQ(differences(r.gradients, expected[static_cast<std::size_t>(call)].gradients), "") << n << " threads";
      });
  }
}

TEST(threads, graph_convolutions_train_to_the_same_bits) { check_training<networks::gcn_loss>(); }
TEST(threads, graph_attention_trains_to_the_same_bits) { check_training<networks::gat_loss>(); }

// Everything else that crosses rows: maxima, sums along out-edges, edge outputs and values reduced over all vertices.
constexpr auto h = trainable(vertex_feature<"h", 19>);
constexpr auto w = trainable(edge_feature<"w">);
constexpr auto everything = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto near = max(e.src(h) * e(w)) + mean(o.dst(h) * o(w));
  return outputs(near, e.src(near) * e(w), sum(near * near, all_vertices), max(near, all_vertices));
};

TEST(threads, maxima_edge_outputs_and_reductions_have_the_same_bits) {
  const keep_threads keep;
  tensor<float> H({hubs().vertices(), 19}), weights({hubs().edges()});
  uniform(H, -1, 1, 1);
  uniform(weights, -1, 1, 2);
  const auto W = hubs().edge_values(weights);
  const auto run = [&](auto use) {
    auto layer = compile_for_training<everything>();
    auto tape = layer.record(hubs(), h = H, w = W);
    const auto out = copy_of(tape.outputs());
    use(out, tape.backward(out.template get<0>(), out.template get<1>(), out.template get<2>(), out.template get<3>()));
  };
  set_threads(1);
  run([&](const auto& outputs, const auto& gradients) {
    for (const int n : thread_counts) {
      set_threads(n);
      run([&](const auto& again, const auto& gradients_again) {
        EXPECT_EQ(differences(again, outputs), "") << n << " threads";
        EXPECT_EQ(differences(gradients_again, gradients), "") << n << " threads";
      });
    }
  });
}

}  // namespace
}  // namespace stg
