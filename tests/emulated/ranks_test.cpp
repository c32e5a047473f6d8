// test: calls, proof
// Training on a cut graph whose parts lie on devices, one for each rank: any number of ranks gives the bits of one, and
// what the whole graph gives on one device but for rounding; by NCCL and through the hosts. Kernels by the emulator,
// all else by fakes of CUDA and NCCL.
#include "../run/support/fake_nccl.hpp"  // fake_nccl, fake_nccl_in_place
#include "../run/support/hub_task.hpp"   // drawn_with_hub, hub_task
#include "../run/support/on_ranks.hpp"   // bytes_in, error_of
#include "gpu_under_test.hpp"            // on_gpu

#include <stg/codegen/cuda/exchanged_rows.hpp>    // rank_functions_of
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/device_links.hpp>       // device_links
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/runtime/long_rows.hpp>              // long_row_edges_of_device
#include <stg/runtime/rank_rows.hpp>              // rank_rows
#include <stg/stg.hpp>                            // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <chrono>   // seconds, steady_clock
#include <cmath>    // abs
#include <cstdint>  // int64_t
#include <string>   // string
#include <utility>  // move
#include <vector>   // vector

namespace stg {
namespace {

using test::bytes;
using test::bytes_in;
using test::on_gpu;
using testing::HasSubstr;

constexpr auto x = trainable(vertex_feature<"x", f64, 8>);
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto known = vertex_feature<"known", boolean>;
constexpr auto w = trainable(edge_feature<"w", f64>);
constexpr auto W = parameter<"W", f64, 8, 5>;
constexpr auto N = parameter<"N", f64, 8, 5>;
constexpr auto V = parameter<"V", f64, 5, 4>;
constexpr auto a = parameter<"a", f64, 5>;
constexpr auto b = parameter<"b", f64, 5>;

constexpr auto classified = [](auto v, auto h) { return cross_entropy(matmul(h, V), v(label), v(known)); };

constexpr auto gcn = [](auto v) {
  auto e = v.in_edges();
  auto norm = rsqrt(v.in_degree() + 1.0);
  auto h = relu(norm * sum(e.src(norm * matmul(dropout(v(x), 0.2), W)) * e(w)));
  return classified(v, norm * sum(e.src(norm * h)));
};
constexpr auto gat = [](auto v) {
  auto e = v.in_edges();
  auto z = matmul(dropout(v(x), 0.2), W);
  auto score = leaky_relu(sum(e.src(z) * a + e.dst(z) * b, axis<0>), 0.2) * e(w);
  auto h = tanh(sum(dropout(softmax(score), 0.1) * e.src(z)));
  return classified(v, dropout(h, 0.3));
};
constexpr auto sage = [](auto v) {
  auto e = v.in_edges();
  auto largest = max(e.src(relu(matmul(v(x), W))) * e(w));
  auto h = relu(matmul(v(x), N) + largest);
  auto centred = h - mean(h, all_vertices);
  auto counted = centred * ((v.in_degree() + 2.0 * v.out_degree()) / v.vertex_count());
  return classified(v, mean(e.src(counted)));
};

using task = test::hub_task;
using test::drawn_with_hub;

template <const auto& F> using step_on_gpu = training_step<ref<F>, stg::detail::trainable_entries<ref<F>>, on_gpu>;

struct outcome {
  std::vector<double> losses{};
  std::vector<bytes> parameters{};
  tensor<double> gradient{};  // of x, in the last step, on the host
};
void expect_bits(const outcome& found, const outcome& expected, const std::string& where) {
  EXPECT_EQ(found.losses, expected.losses) << where;
  EXPECT_EQ(found.parameters, expected.parameters) << where;
  EXPECT_EQ(bytes_in(found.gradient), bytes_in(expected.gradient)) << where;
}

/// Two steps of Adam on a device. rows: those of a tensor that the graph has.
template <const auto& F, class Rows, class Weights>
outcome trained(const graph& on, const task& t, const Rows& rows, const Weights& weights) {
  const location there = on.place();
  outcome result;
  auto params = parameters<F>();
  initialize(params, 3);
  auto on_device = params.to(there);
  adam optimizer(on_device, {.learning_rate = 0.01});
  step_on_gpu<F> step{on_gpu(cuda(there.device()))};
  step.seed(7);
  const auto X = rows(t.X).to(there);
  const auto Y = rows(t.Y).to(there);
  const auto mask = rows(t.mask).to(there);
  const auto of_edges = weights(t.weights).to(there);
  for (int k = 0; k < 2; ++k) {
    auto now = step(on, x = X, label = Y, known = mask, w = of_edges, on_device);
    result.losses.push_back(now.loss);
    optimizer.step(now.gradients.of(on_device));
    if (k == 1) result.gradient = now.gradients[x].to(host);
  }
  auto back = on_device.to(host);
  boost::hana::for_each(back.items(), [&](const auto& item) { result.parameters.push_back(bytes_in(item.value)); });
  return result;
}

constexpr auto all_rows = [](const auto& t) -> const auto& { return t; };

template <const auto& F>
outcome trained_on_rank(communicator& here, const cut& parts, const task& t, const device_link_options& how = {},
                        int device = -1) {
  const distributed_graph part(parts, here);
  const device_links links(here, cuda(device < 0 ? here.rank() : device), how);
  outcome mine = trained<F>(
      links.to_device(part), t, [&](const auto& all) { return part.rows(all); },
      [&](const auto& all) { return part.edge_rows(all); });
  mine.gradient = part.gathered(mine.gradient);
  return mine;
}

struct ranks_on_gpus : testing::Test {
  ranks_on_gpus() { test::emulated_launcher::on = &cuda_calls; }
  ~ranks_on_gpus() override {
    gpu::install_rank_functions(functions_);
    gpu::install_updates(updates_);
    gpu::install(before_);
    EXPECT_EQ(cuda_calls.alive(), "");
    EXPECT_TRUE(cuda_calls.misuses.empty()) << cuda_calls.misuses.front();
  }

  test::fake_cuda cuda_calls{test::fake_machine{.devices = 4}};
  test::without_checks unchecked{};

 private:
  gpu::api* before_ = gpu::install(&cuda_calls);
  const gpu::update_functions* updates_ = gpu::install_updates(&gpu::updates_of<test::emulated_launcher>);
  const gpu::rank_functions* functions_ = gpu::install_rank_functions(&gpu::rank_functions_of<test::emulated_launcher>);
};

/// How rows go, and what disturbs them.
struct passage {
  const char* name;
  int ranks;
  link_by by;
  bool one_device;
  test::fake_nccl_options how;
};

template <const auto& F> void expect_bits_of_one(test::fake_cuda& cuda_calls) {
  const task t = drawn_with_hub(70, 420, 1);
  const cut parts = cut::by_ranges(t.on, 8);
  const outcome plain = trained<F>(t.on.to(cuda()), t, all_rows, all_rows);
  outcome one;
  for (const passage& p : {passage{"one rank", 1, link_by::nccl, false, {}},
                           {"nccl", 2, link_by::nccl, false, {}},
                           {"late", 3, link_by::nccl, false, {.delay = std::chrono::microseconds(300)}},
                           {"in another order", 4, link_by::nccl, false, {.reorder = 5, .in_progress = false}},
                           {"by the hosts", 3, link_by::host, false, {}},
                           {"one device", 2, link_by::automatic, true, {}}}) {
    test::fake_nccl nccl(cuda_calls, p.how);
    const test::fake_nccl_in_place use(nccl);
    std::vector<outcome> of(static_cast<std::size_t>(p.ranks));
    run_ranks(p.ranks, [&](communicator& here) {
      of[static_cast<std::size_t>(here.rank())] =
          trained_on_rank<F>(here, parts, t, {.by = p.by}, p.one_device ? 0 : -1);
    });
    EXPECT_EQ(nccl.alive(), 0) << p.name;
    EXPECT_EQ(nccl.messages() > 0, p.by == link_by::nccl && p.ranks > 1) << p.name;
    if (p.ranks == 1) one = std::move(of[0]);
    else
      for (const outcome& mine : of) expect_bits(mine, one, p.name);
  }
  for (std::size_t k = 0; k < plain.losses.size(); ++k)
    EXPECT_NEAR(one.losses[k], plain.losses[k], 1e-12 * std::abs(plain.losses[k]));
  for (std::int64_t k = 0; k < plain.gradient.size(); ++k)
    EXPECT_NEAR(one.gradient.data()[k], plain.gradient.data()[k], 1e-12) << k;
}

TEST_F(ranks_on_gpus, graph_convolutions) { expect_bits_of_one<gcn>(cuda_calls); }
TEST_F(ranks_on_gpus, attention_with_dropout) { expect_bits_of_one<gat>(cuda_calls); }
TEST_F(ranks_on_gpus, largest_of_neighbours_centred_and_counted) { expect_bits_of_one<sage>(cuda_calls); }

constexpr auto smoothed = [](auto v) { return mean(v.in_edges().src(mean(v.in_edges().src(v(x))))); };

TEST_F(ranks_on_gpus, results_have_the_rows_of_other_ranks) {
  const task t = drawn_with_hub(60, 300, 3);
  const cut parts = cut::by_ranges(t.on, 6);
  test::fake_nccl nccl(cuda_calls);
  const test::fake_nccl_in_place use(nccl);
  using program = model<ref<smoothed>, on_gpu>;
  program whole{on_gpu(cuda())};
  const tensor<double> expected = whole(t.on.to(cuda()), x = t.X.to(cuda())).to(host);
  run_ranks(3, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const device_links links(here, cuda(here.rank()));
    program of_rank{on_gpu(cuda(here.rank()))};
    const auto found = of_rank(links.to_device(part), x = part.rows(t.X).to(links.place())).to(host);
    for (std::int64_t r = 0; r < found.extent(0); ++r)
      for (std::int64_t f = 0; f < 8; ++f)
        EXPECT_EQ(found(r, f), expected(part.global_vertices()[static_cast<std::size_t>(r)], f));
  });
}

/// What each rank says of one step, two if the first succeeds; of a rank that says nothing "".
std::vector<std::string> said_by_ranks(int ranks, const task& t, const cut& parts) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  try {
    run_ranks(ranks, [&](communicator& here) {
      try {
        (void)trained_on_rank<gcn>(here, parts, t);
      } catch (const error& e) {
        said[static_cast<std::size_t>(here.rank())] = e.what();
        throw;
      }
    });
  } catch (const error&) {
  }
  return said;
}

TEST_F(ranks_on_gpus, a_call_of_nccl_that_fails_ends_all_ranks_by_one_sentence) {
  const task t = drawn_with_hub(24, 80, 4);
  const cut parts = cut::by_ranges(t.on, 3);
  int named_rows = 0, named_sums = 0, call = 0;
  for (bool fails = true; fails; ++call) {
    test::fake_nccl nccl(cuda_calls, {.failing_rank = 1, .failing_call = call});
    const test::fake_nccl_in_place use(nccl);
    const std::vector<std::string> said = said_by_ranks(3, t, parts);
    fails = !said[1].empty();
    EXPECT_EQ(nccl.alive(), 0) << call;
    if (!fails) {
      EXPECT_EQ(said, std::vector<std::string>(3));
      break;
    }
    EXPECT_THAT(said[1], HasSubstr("rank 1: nccl")) << call;
    EXPECT_THAT(said[1], HasSubstr("failed: fake status 3")) << call;
    for (const int other : {0, 2}) {
      const std::string& of_other = said[static_cast<std::size_t>(other)];
      EXPECT_THAT(of_other, HasSubstr("rank 1 failed: " + said[1])) << call;
      EXPECT_THAT(of_other, HasSubstr("rank " + std::to_string(other) + " waited for ")) << call;
    }
    named_rows += said[1].find("for rows of 'matmul' in call 0") != std::string::npos;
    named_sums += said[1].find("for sums of 'sum_vertices' in call") != std::string::npos;
  }
  EXPECT_GT(call, 30);
  EXPECT_GT(named_rows, 0);
  EXPECT_GT(named_sums, 0);
}

TEST_F(ranks_on_gpus, what_nccl_finds_later_ends_all_ranks_too) {
  const task t = drawn_with_hub(24, 80, 4);
  const cut parts = cut::by_ranges(t.on, 3);
  for (const int group : {0, 3, 7})
    for (const int failure : {2, 6}) {  // 6: another rank has failed, whose reason is waited for
      test::fake_nccl nccl(
          cuda_calls,
          {.failure = static_cast<gpu::nccl_status>(failure), .late_error_rank = 2, .late_error_group = group});
      const test::fake_nccl_in_place use(nccl);
      const std::vector<std::string> said = said_by_ranks(3, t, parts);
      EXPECT_THAT(said[2], HasSubstr(" failed: fake status " + std::to_string(failure))) << group;
      EXPECT_THAT(said[2], HasSubstr("s of '")) << group;
      EXPECT_THAT(said[0], HasSubstr("rank 2 failed: ")) << group;
      EXPECT_THAT(said[0], HasSubstr("rank 0 waited for ")) << group;
      EXPECT_EQ(nccl.alive(), 0) << group;
    }
}

/// Wherever it is in a rank's work, nobody waits in vain and nothing is left on a device.
TEST_F(ranks_on_gpus, a_call_of_cuda_that_fails_ends_all_ranks) {
  const task t = drawn_with_hub(24, 80, 4);
  const cut parts = cut::by_ranges(t.on, 2);
  int ended = 0;
  for (int call = 1;; call += 23) {
    test::fake_nccl nccl(cuda_calls);
    const test::fake_nccl_in_place use(nccl);
    cuda_calls.fail(call, gpu::status::illegal_address);
    const std::vector<std::string> said = said_by_ranks(2, t, parts);
    const bool was_reached = cuda_calls.reached();
    cuda_calls.recover();
    EXPECT_EQ(nccl.alive(), 0) << call;
    if (!was_reached) {
      EXPECT_EQ(said, std::vector<std::string>(2));
      break;
    }
    ended += !said[0].empty() && !said[1].empty();
  }
  EXPECT_GT(ended, 10);
}

TEST_F(ranks_on_gpus, a_rank_that_throws_between_calls_ends_the_others_at_once) {
  const task t = drawn_with_hub(24, 80, 4);
  const cut parts = cut::by_ranges(t.on, 3);
  test::fake_nccl nccl(cuda_calls);
  const test::fake_nccl_in_place use(nccl);
  const auto begun = std::chrono::steady_clock::now();
  const std::string said = test::error_of(3, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const device_links links(here, cuda(here.rank()));
    if (here.rank() == 1) throw error("lost its way");
    (void)trained_on_rank<gcn>(here, parts, t);
  });
  EXPECT_THAT(said, HasSubstr("lost its way"));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(4));
  EXPECT_EQ(nccl.alive(), 0);
}

/// A row's parts are joined in their order: as many of them on each number of ranks.
TEST_F(ranks_on_gpus, a_hub_is_cut_as_in_the_whole_graph) {
  constexpr std::int64_t vertices = 1000, edges = 4'000'000;
  std::vector<std::int32_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) {
    src.push_back(static_cast<std::int32_t>(e % vertices));
    dst.push_back(static_cast<std::int32_t>(e % 2 == 0 ? 1 : e * 7 % vertices));
  }
  const graph whole = graph::from_edges(vertices, src, dst);
  const cut parts = cut::by_ranges(whole, 2);
  const std::int32_t expected = long_row_edges_of_device(edges);
  run_ranks(2, [&](communicator& here) {
    const distributed_graph part(parts, here);
    const device_links links(here, cuda(), {.by = link_by::host});
    const graph there = links.to_device(part);
    EXPECT_EQ(there.ranks()->in.long_rows().part_edges, expected);
    EXPECT_EQ(there.in_edges().long_rows().part_edges, expected);
    if (here.rank() == 0) {
      EXPECT_GT(there.ranks()->in.long_rows().count, 0);
    }
  });
}

constexpr auto series = over<"T">(vertex_feature<"series", f64, 3>);
constexpr auto U = parameter<"U", f64, 11, 8>;
constexpr auto over_time = [](auto v) {
  auto [last, errors] = scan<"T">(
      v,
      [](auto v, auto h) {
        auto e = v.in_edges();
        auto m = matmul(concat<axis<0>>(v(series), h), U);
        auto n = tanh(sum(e.src(m) * e(w)) * 0.3 + h);
        return next(n).gives(mean(square(sum(n, axis<0>)), all_vertices));
      },
      v(x));
  return mean(stacked(errors), axis<0>);
};

TEST_F(ranks_on_gpus, scans_exchange_in_their_steps_with_checkpoints_too) {
  const task t = drawn_with_hub(40, 200, 5);
  const cut parts = cut::by_ranges(t.on, 4);
  bytes one;
  for (const int ranks : {1, 2, 4})
    for (const int every : {0, 2}) {
      test::fake_nccl nccl(cuda_calls);
      const test::fake_nccl_in_place use(nccl);
      run_ranks(ranks, [&](communicator& here) {
        const distributed_graph part(parts, here);
        const device_links links(here, cuda(here.rank()));
        auto params = parameters<over_time>();
        initialize(params, 3);
        step_on_gpu<over_time> step{on_gpu(cuda(here.rank()))};
        if (every > 0) step.checkpoint({.every = every});
        const location there = links.place();
        auto now =
            step(links.to_device(part), x = part.rows(t.X).to(there), series = part.step_rows(t.sequence).to(there),
                 w = part.edge_rows(t.weights).to(there), params.to(there));
        const bytes mine = bytes_in(part.gathered(now.gradients[x].to(host)));
        if (ranks == 1 && every == 0) one = mine;
        EXPECT_EQ(mine, one) << ranks << " ranks, checkpoints every " << every;
      });
    }
}

TEST_F(ranks_on_gpus, mistakes_are_sentences) {
  const task t = drawn_with_hub(24, 80, 4);
  const cut parts = cut::by_ranges(t.on, 3);
  const auto on_one_rank = [&](const auto& work) { return test::error_of(1, work); };
  EXPECT_THAT(on_one_rank([&](communicator& here) { (void)distributed_graph(parts, here).to(cuda()); }),
              HasSubstr("stg::device_links(ranks, stg::cuda()).to_device(part)"));
  gpu::install_rank_functions(nullptr);
  EXPECT_THAT(on_one_rank([&](communicator& here) { (void)trained_on_rank<gcn>(here, parts, t); }),
              HasSubstr("include <stg/ranks_on_gpu.hpp> in a file that is compiled as CUDA"));
  gpu::install_rank_functions(&gpu::rank_functions_of<test::emulated_launcher>);
  EXPECT_THAT(on_one_rank([&](communicator& here) {
                const distributed_graph part(parts, here);
                run_ranks(1, [&](communicator& other) {
                  (void)device_links(other, cuda(), {.by = link_by::host}).to_device(part);
                });
              }),
              HasSubstr("the part belongs to other ranks than the links"));
  EXPECT_THAT(on_one_rank([&](communicator& here) {
                const device_links links(here, cuda(), {.by = link_by::host});
                (void)links.to_device(distributed_graph(parts, here, cut_by::features));
              }),
              HasSubstr("cut by features, which runs on the CPU; on devices cut it by rows"));
  std::vector<std::string> said(2);
  test::fake_nccl nccl(cuda_calls);
  const test::fake_nccl_in_place use(nccl);
  run_ranks(2, [&](communicator& here) {
    try {
      (void)device_links(here, cuda(), {.by = link_by::nccl});
    } catch (const error& e) {
      said[static_cast<std::size_t>(here.rank())] = e.what();
    }
    const device_links links(here, cuda());
    EXPECT_FALSE(links.by_nccl());
    EXPECT_EQ(links.why_by_host(), "rows go through the memory of the hosts, since rank 0 and rank 1 have one device");
  });
  EXPECT_THAT(said[0], HasSubstr("NCCL cannot join the devices of all ranks, since rank 0 and rank 1 have one device"));
  EXPECT_EQ(said[0], said[1]);
}

}  // namespace
}  // namespace stg
