// A user's file: training on ranks whose parts lie on devices. Where there is one device, one, two and four ranks share
// it, and rows go through the host; where there are more, each rank has its own, and NCCL moves the rows. All give the
// bits of one rank, and what the whole graph gives on one device but for rounding.
#include <stg/distributed/cut.hpp>           // cut
#include <stg/distributed/thread_ranks.hpp>  // run_ranks
#include <stg/ranks_on_gpu.hpp>              // device_links
#include <stg/runtime/cuda/nccl.hpp>         // nccl_problem
#include <stg/stg.hpp>                       // the language

#include <cmath>      // abs
#include <cstdint>    // int64_t
#include <cstdio>     // printf
#include <exception>  // exception
#include <string>     // string
#include <vector>     // vector

inline constexpr auto x = stg::vertex_feature<"x", 12>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W = stg::parameter<"W", 12, 16>;
inline constexpr auto V = stg::parameter<"V", 16, 8>;
inline constexpr auto loss = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, dropout(v(x), 0.2), W));
  return cross_entropy(stg::nn::gcn_conv(v, h - mean(h, stg::all_vertices), V), v(label));
};

namespace {

constexpr std::int64_t vertices = 1000, edges = 30000;  // a vertex has 3000: a long row
constexpr int steps = 5;

std::vector<float> trained(const stg::graph& on, const stg::tensor<float>& rows,
                           const stg::tensor<std::int32_t>& labels) {
  const stg::location there = on.place();
  auto near = stg::parameters<loss>();
  stg::initialize(near, 1);
  auto params = near.to(there);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss>(stg::cuda(there.device()));
  const auto X = rows.to(there);
  const auto Y = labels.to(there);
  std::vector<float> losses;
  for (int k = 0; k < steps; ++k) {
    auto now = step(on, x = X, label = Y, params);
    optimizer.step(now.gradients);
    losses.push_back(now.loss);
  }
  const auto trained_W = params[W].to(stg::host);
  losses.insert(losses.end(), trained_W.begin(), trained_W.end());
  return losses;
}

/// Whether all ranks gave what one gives; `one` is that of the first call.
bool gives_bits_of_one(int ranks, const stg::cut& cut, const stg::tensor<float>& X, const stg::tensor<std::int32_t>& Y,
                       stg::link_by by, std::vector<float>& one) {
  std::vector<std::vector<float>> of(static_cast<std::size_t>(ranks));
  const bool has_each_its_own = stg::cuda::count() >= ranks;
  stg::run_ranks(ranks, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here);
    const stg::device_links links(here, stg::cuda(has_each_its_own ? here.rank() : 0), {.by = by});
    if (here.rank() == 0)
      std::printf("%d ranks: %s\n", ranks, links.by_nccl() ? "rows go by NCCL" : links.why_by_host().c_str());
    of[static_cast<std::size_t>(here.rank())] = trained(links.to_device(part), part.rows(X), part.rows(Y));
  });
  if (one.empty()) one = of[0];
  for (const std::vector<float>& mine : of)
    if (mine != one) return false;
  return true;
}

int run() {
  if (!stg::cuda::available()) {
    std::printf("ranks on GPUs: not run: %s\n", stg::cuda::problem().c_str());
    return stg::cuda::problem().empty() ? 1 : 0;
  }
  std::vector<std::int64_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) {
    src.push_back(e * 7919 % vertices);
    dst.push_back(e * e % vertices * e % vertices);
  }
  const auto graph = stg::graph::from_edges(vertices, src, dst);
  stg::tensor<float> X({vertices, 12});
  stg::tensor<std::int32_t> Y({vertices});
  stg::uniform(X, -1, 1, 1);
  for (std::int64_t v = 0; v < vertices; ++v) Y(v) = static_cast<std::int32_t>(v * 13 % 8);

  const auto plain = trained(graph.to(stg::cuda()), X, Y);
  const auto cut = stg::cut::by_ranges(graph, 8);
  std::vector<float> one;
  bool agrees = gives_bits_of_one(1, cut, X, Y, stg::link_by::host, one);
  for (const int ranks : {2, 4}) {
    const bool same = gives_bits_of_one(ranks, cut, X, Y, stg::link_by::automatic, one);
    std::printf("%d ranks: %s\n", ranks, same ? "the bits of one" : "OTHER BITS than one");
    agrees = agrees && same;
  }
  if (std::string why = stg::gpu::nccl_problem(); !why.empty()) {
    std::printf("NCCL: there is none here: %s\n", why.c_str());
  } else {  // one rank has nobody to send to: what is seen is that NCCL takes its arguments, and ends
    const bool same = gives_bits_of_one(1, cut, X, Y, stg::link_by::nccl, one);
    std::printf("1 rank that NCCL joins: %s\n", same ? "the same bits" : "OTHER BITS");
    agrees = agrees && same;
  }
  double apart = 0;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const double d = std::abs(static_cast<double>(plain[k]) - static_cast<double>(one[k]));
    apart = d > apart || d != d ? d : apart;
  }
  std::printf("ranks on GPUs: apart from the whole graph by %.1e\n", apart);
  return agrees && apart < 1e-3 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& e) {  // what was said before it is said all the same
    std::printf("FAILED: %s\n", e.what());
    return 1;
  }
}
