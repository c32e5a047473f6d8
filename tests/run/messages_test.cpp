// test: draft ranks, proof kernels 0
// Messages by hand: values, gradients, order, and what is wrong with them, on ranks that are threads.
#include <stg/data/karate.hpp>                    // karate_club
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/graph_of_rank.hpp>      // graph_of_rank
#include <stg/dsl/messages.hpp>                   // send, receive, sum_over_ranks
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/stg.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>  // milliseconds
#include <string>  // string
#include <vector>  // vector

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 4>;
inline constexpr auto U = stg::parameter<"U", 4, 4>;
inline constexpr auto V = stg::parameter<"V", 4>;
inline constexpr auto share = stg::scalar<"share">;

/// The encoder's rank sends the mean of its rows, and gets the decoder's sum for it.
inline constexpr auto encode = [](auto v) {
  auto h = mean(tanh(matmul(v(x), W)), stg::all_vertices);
  stg::send<"h">(v, h, stg::at_rank(1));
  return 0.5 * stg::receive<"loss">(v, stg::at_rank(1));
};
inline constexpr auto decode = [](auto v) {
  auto h = stg::receive<"h", 4>(v, stg::at_rank(0));
  auto y = h * V;
  auto loss = sum(y * y, stg::axis<0>);
  stg::send<"loss">(v, loss, stg::at_rank(0));
  return 0.5 * loss;
};
/// The same on one rank.
inline constexpr auto both = [](auto v) {
  auto h = mean(tanh(matmul(v(x), W)), stg::all_vertices);
  auto y = h * V;
  return sum(y * y, stg::axis<0>);
};

/// What every rank throws, one behind the other.
template <class Body>
std::vector<std::string> errors(int ranks, const Body& body, const stg::thread_rank_options& options = {}) {
  std::vector<std::string> all(static_cast<std::size_t>(ranks));
  const auto work = [&](stg::communicator& here) {
    try {
      body(here);
    } catch (const stg::error& e) {
      all[static_cast<std::size_t>(here.rank())] = e.what();
    }
  };
  stg::run_ranks(ranks, work, options);
  return all;
}

TEST(messages, a_model_on_two_ranks_is_the_model_on_one) {
  const auto data = stg::karate_club();
  auto params = stg::parameters<both>();
  stg::initialize(params, 3);
  auto step = stg::value_and_grad<both>();
  const auto one = step(data.graph, x = data.features, params);
  stg::run_ranks(2, [&](stg::communicator& here) {
    const stg::graph_of_rank mine(data.graph, here);
    if (here.rank() == 0) {
      auto own = stg::parameters<encode>();
      own[W] = params[W].clone();
      auto now = stg::value_and_grad<encode>()(mine, x = data.features, own);
      EXPECT_NEAR(now.loss, 0.5F * one.loss, 1e-6F);
      for (int k = 0; k < 34 * 4; ++k) EXPECT_NEAR(now.gradients[W].data()[k], one.gradients[W].data()[k], 1e-6F);
    } else {
      auto own = stg::parameters<decode>();
      own[V] = params[V].clone();
      auto now = stg::value_and_grad<decode>()(mine, own);
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(now.gradients[V].data()[k], one.gradients[V].data()[k], 1e-6F);
    }
  });
}

/// Each rank gives its value to the next one.
inline constexpr auto ring = [](auto v) {
  auto a = sum(V * V, stg::axis<0>);
  stg::send<"a">(v, a, stg::next_rank());
  return 3 * a + 2 * stg::receive<"a">(v, stg::previous_rank());
};

TEST(messages, gradients_go_back_along_a_ring) {
  for (const int ranks : {2, 3, 4, 8})
    stg::run_ranks(ranks, [&](stg::communicator& here) {
      const stg::graph_of_rank mine(stg::karate_club().graph, here);
      auto params = stg::parameters<ring>();
      for (int k = 0; k < 4; ++k) params[V].data()[k] = static_cast<float>(here.rank() + k);
      const auto now = stg::value_and_grad<ring>()(mine, params);
      const auto a = [&](int r) {
        float s = 0;
        for (int k = 0; k < 4; ++k) s += static_cast<float>((r + k) * (r + k));
        return s;
      };
      EXPECT_EQ(now.loss, 3 * a(here.rank()) + 2 * a((here.rank() + ranks - 1) % ranks));
      for (int k = 0; k < 4; ++k) EXPECT_EQ(now.gradients[V].data()[k], 2 * 5 * static_cast<float>(here.rank() + k));
    });
}

/// Every rank has the sum of squared differences to the mean over ranks, and the gradient through it.
inline constexpr auto spread = [](auto v) {
  auto mine = V * v(share);
  auto mean = stg::sum_over_ranks<"mean">(v, mine) * 0.25;
  return sum((mine - mean) * (mine - mean), stg::axis<0>);
};
TEST(messages, values_that_ranks_join_are_differentiated) {
  std::vector<double> losses(4), gradient(4);
  const auto loss_of = [](const std::vector<double>& shares, const std::vector<double>& at, int r) {
    double all = 0;
    for (int k = 0; k < 4; ++k) {
      double mean = 0;
      for (std::size_t other = 0; other < 4; ++other) mean += 0.25 * at[other] * (k + 1) * shares[other];
      const double d = at[static_cast<std::size_t>(r)] * (k + 1) * shares[static_cast<std::size_t>(r)] - mean;
      all += d * d;
    }
    return all;
  };
  const std::vector<double> shares = {0.5, -1, 2, 0.25};
  stg::run_ranks(4, [&](stg::communicator& here) {
    const auto r = static_cast<std::size_t>(here.rank());
    const stg::graph_of_rank mine(stg::karate_club().graph, here);
    auto params = stg::parameters<spread>();
    for (int k = 0; k < 4; ++k) params[V].data()[k] = static_cast<float>(k + 1);
    const auto now = stg::value_and_grad<spread>()(mine, share = static_cast<float>(shares[r]), params);
    EXPECT_NEAR(now.loss, loss_of(shares, {1, 1, 1, 1}, here.rank()), 1e-5);
    double along = 0;
    for (int k = 0; k < 4; ++k) along += now.gradients[V].data()[k] * (k + 1);
    gradient[r] = along;
  });
  for (std::size_t r = 0; r < 4; ++r) {  // of all losses, since each rank's value is in all of them
    double slope = 0;
    for (int l = 0; l < 4; ++l) {
      std::vector<double> up(4, 1), down(4, 1);
      up[r] += 1e-4, down[r] -= 1e-4;
      slope += (loss_of(shares, up, l) - loss_of(shares, down, l)) / 2e-4;
    }
    EXPECT_NEAR(gradient[r], slope, 1e-4);
  }
}

/// Two ranks that answer each other, four times, and messages that nobody reads, the last ones of the program.
template <int Mine>
inline constexpr auto answers = [](auto v) {
  constexpr auto other = stg::at_rank(1 - Mine);
  auto a = sum(V * 1.0, stg::axis<0>);
  stg::send<"a">(v, a, other);
  auto b = stg::receive<"a">(v, other);
  stg::send<"b">(v, b * 2, other);
  auto c = stg::receive<"b">(v, other);
  stg::send<"late">(v, c + 1, other);
  static_cast<void>(stg::receive<"late">(v, other));
  stg::send<"number">(v, cast<stg::i32>(c), other);
  static_cast<void>(stg::receive<"number", stg::i32>(v, other));
  return c;
};
TEST(messages, two_ranks_answer_each_other_and_nothing_is_left_behind) {
  stg::run_ranks(2, [&](stg::communicator& here) {
    const stg::graph_of_rank mine(stg::karate_club().graph, here);
    const auto run = [&](auto model, auto params) {
      for (int k = 0; k < 4; ++k) params[V].data()[k] = static_cast<float>(here.rank() + 1);
      const std::int64_t before = here.sent_messages();
      for (int call = 0; call < 3; ++call)
        EXPECT_EQ(model(mine, params).item(), 8 * static_cast<float>(here.rank() + 1));
      EXPECT_GE(here.sent_messages() - before, 3 * 4);
    };
    if (here.rank() == 0) run(stg::compile<answers<0>>(), stg::parameters<answers<0>>());
    else run(stg::compile<answers<1>>(), stg::parameters<answers<1>>());
  });
}

// ---- what is wrong is the same error on all ranks ----

inline constexpr auto total = [](auto) { return sum(V * 1.0, stg::axis<0>); };
inline constexpr auto to_1 = [](auto v) {
  stg::send<"h">(v, total(v), stg::at_rank(1));
  return total(v);
};
inline constexpr auto to_1_more = [](auto v) {
  stg::send<"h">(v, V, stg::at_rank(1));
  return total(v);
};
inline constexpr auto twice = [](auto v) {
  stg::send<"h">(v, total(v), stg::at_rank(1));
  stg::send<"h">(v, 2 * total(v), stg::at_rank(1));
  return total(v);
};
inline constexpr auto to_7 = [](auto v) {
  stg::send<"h">(v, 3, stg::at_rank(7));
  return total(v);
};
inline constexpr auto to_self = [](auto v) {
  stg::send<"h">(v, total(v), stg::next_rank(0));
  return total(v);
};
inline constexpr auto from_0 = [](auto v) { return stg::receive<"h">(v, stg::at_rank(0)) + total(v); };
inline constexpr auto from_0_other = [](auto v) { return stg::receive<"g">(v, stg::at_rank(0)) + total(v); };
inline constexpr auto from_0_whole = [](auto v) {
  return cast<stg::f32>(stg::receive<"h", stg::i32>(v, stg::at_rank(0))) + total(v);
};
inline constexpr auto joined = [](auto v) { return stg::sum_over_ranks<"s">(v, total(v)); };
inline constexpr auto joined_elsewhere = [](auto v) { return stg::sum_at_rank<"s">(v, total(v), stg::at_rank(1)); };
template <int Mine>
inline constexpr auto waits = [](auto v) {
  auto a = stg::receive<"a">(v, stg::at_rank(1 - Mine));
  stg::send<"a">(v, a * total(v), stg::at_rank(1 - Mine));
  return a;
};

template <const auto& F> void call(const stg::graph& mine) {
  auto params = stg::parameters<F>();
  params.zeros();
  static_cast<void>(stg::compile<F>()(mine, params));
}
/// What ranks throw when rank 0 calls F, and all others G: the same sentence.
template <const auto& F, const auto& G> std::string error_of(int ranks) {
  const std::vector<std::string> all = errors(ranks, [](stg::communicator& here) {
    const stg::graph_of_rank mine(stg::karate_club().graph, here);
    here.rank() == 0 ? call<F>(mine) : call<G>(mine);
  });
  for (const std::string& e : all) EXPECT_EQ(e, all[0]);
  return all[0];
}

TEST(messages, a_message_without_its_counterpart_is_an_error_on_all_ranks) {
  for (const int ranks : {2, 3, 5, 8}) {
    EXPECT_THAT((error_of<to_1, joined>(ranks)),
                testing::HasSubstr("rank 0 sends 'h' to rank 1, which does not receive it"));
    EXPECT_THAT((error_of<to_7, joined>(2)), testing::HasSubstr("rank 0 sends 'h' to rank 7, and there are 2 ranks"));
    EXPECT_THAT((error_of<to_self, joined>(ranks)), testing::HasSubstr("rank 0 sends 'h' to rank 0, itself"));
    EXPECT_THAT((error_of<joined, joined_elsewhere>(ranks)),
                testing::HasSubstr("rank 0 joins 's' at rank 0, and rank 1"));
  }
  EXPECT_THAT((error_of<twice, from_0>(2)),
              testing::HasSubstr("rank 0 sends 'h' to rank 1 twice; give each a name of its own"));
  EXPECT_THAT((error_of<to_1, from_0_other>(2)),
              testing::HasSubstr("rank 0 sends 'h' to rank 1, which does not receive it"));
  EXPECT_THAT((error_of<joined, from_0>(2)), testing::HasSubstr("rank 0 joins 's' at rank 0, and rank 1 does not"));
  EXPECT_THAT((error_of<to_1, from_0_whole>(2)), testing::HasSubstr("as f32, and rank 1 has it as i32"));
  EXPECT_THAT((error_of<to_1_more, from_0>(2)), testing::HasSubstr("with 16 bytes, and rank 1 has it with 4"));
  EXPECT_THAT((error_of<waits<0>, waits<1>>(2)),
              testing::HasSubstr(
                  "messages wait for each other: rank 0 waits for 'a' of rank 1, which waits for 'a' of rank 0"));
  EXPECT_THAT((error_of<to_1, from_0>(2)), testing::IsEmpty());
}

TEST(messages, a_call_that_no_other_rank_makes_ends) {
  const auto alone = [](stg::communicator& here) {
    const stg::graph_of_rank mine(stg::karate_club().graph, here);
    if (here.rank() == 0) call<to_1>(mine);
  };
  EXPECT_THAT(errors(2, alone, {.patience = std::chrono::milliseconds(100)})[0], testing::HasSubstr("rank 1"));
  auto params = stg::parameters<to_1>();
  params.zeros();
  EXPECT_THAT([&] { static_cast<void>(stg::compile<to_1>()(stg::karate_club().graph, params)); },
              testing::ThrowsMessage<stg::error>(testing::HasSubstr("called on a graph without ranks")));
}

/// A gradient that one rank makes and another does not.
TEST(messages, a_gradient_without_its_counterpart_is_an_error_before_anything_runs) {
  const std::vector<std::string> all = errors(2, [](stg::communicator& here) {
    const stg::graph_of_rank mine(stg::karate_club().graph, here);
    if (here.rank() == 1) return call<from_0>(mine);
    auto params = stg::parameters<to_1>();
    params.zeros();
    static_cast<void>(stg::value_and_grad<to_1>()(mine, params));
  });
  EXPECT_EQ(all[0], all[1]);
  EXPECT_THAT(all[0], testing::HasSubstr("rank 0 receives the gradient of 'h' from rank 1, which does not send it"));
}

/// On the parts of a cut graph: what every rank has, which is the same on all, is added up by hand.
inline constexpr auto on_parts = [](auto v) {
  auto h = mean(tanh(matmul(stg::nn::gcn_conv(v, v(x), W), U)), stg::all_vertices);
  return sum(stg::sum_over_ranks<"h">(v, h * h), stg::axis<0>);
};
inline constexpr auto on_one = [](auto v) {
  auto h = mean(tanh(matmul(stg::nn::gcn_conv(v, v(x), W), U)), stg::all_vertices);
  return sum(h * h, stg::axis<0>);
};
TEST(messages, stand_beside_what_parts_of_a_cut_graph_exchange) {
  const auto data = stg::karate_club();
  const auto cut = stg::cut::by_ranges(data.graph, 4);
  auto params = stg::parameters<on_one>();
  stg::initialize(params, 3);
  const auto one = stg::value_and_grad<on_one>()(data.graph, x = data.features, params);
  for (const int ranks : {2, 4})
    stg::run_ranks(ranks, [&](stg::communicator& here) {
      const stg::distributed_graph part(cut, here);
      auto own = stg::parameters<on_parts>();
      own[W] = params[W].clone(), own[U] = params[U].clone();
      const auto now = stg::value_and_grad<on_parts>()(part, x = part.rows(data.features), own);
      const auto k = static_cast<float>(ranks);
      EXPECT_NEAR(now.loss, k * one.loss, 1e-5F);
      // Each of k losses has the sum of k values in it, and every rank's gradient goes through all of them.
      for (int i = 0; i < 16; ++i) EXPECT_NEAR(now.gradients[U].data()[i], k * one.gradients[U].data()[i], 1e-5F);
    });
}

}  // namespace
