// A graph convolution on a cut graph, trained by the processes that mpirun started: rank 0 prints the numbers of the
// last step, to the bit. With words, a rank misbehaves in its third step: `dies 1`, `throws 1`, `stands_still 1`.
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/mpi_ranks.hpp>          // run_mpi
#include <stg/stg.hpp>                            // the language

#include <bit>      // bit_cast
#include <chrono>   // milliseconds
#include <cstdint>  // uint64_t
#include <cstdio>   // printf
#include <cstdlib>  // _Exit, atoi
#include <random>   // mt19937
#include <string>   // string
#include <thread>   // sleep_for

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 8, 16>;
constexpr auto V = stg::parameter<"V", 16, 4>;

constexpr auto loss = [](auto v) {
  auto h = relu(mean(v.in_edges().src(matmul(v(x), W))));
  return cross_entropy(matmul(dropout(mean(v.in_edges().src(h)), 0.3), V), v(label));
};

static void train(stg::communicator& ranks, const std::string& fault, int faulty) {
  constexpr std::int64_t n = 500, m = 4000;
  std::mt19937 random(1);
  std::vector<std::int64_t> src, dst;
  for (std::int64_t k = 0; k < m; ++k) {
    src.push_back(static_cast<std::int64_t>(random() % n));
    dst.push_back(k % 3 == 0 ? 7 : static_cast<std::int64_t>(random() % n));
  }
  stg::tensor<float> X({n, 8});
  stg::tensor<std::int32_t> Y({n});
  for (std::int64_t k = 0; k < X.size(); ++k) X.data()[k] = static_cast<float>(random() % 1000) / 1000;
  for (std::int64_t v = 0; v < n; ++v) Y(v) = static_cast<std::int32_t>(random() % 4);
  const auto graph = stg::graph::from_edges(n, src, dst);
  const stg::distributed_graph part(stg::cut::by_ranges(graph, 4), ranks);
  const auto mine = part.rows(X);
  const auto labels = part.rows(Y);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01f});
  auto step = stg::value_and_grad<loss>();
  for (int k = 0; k < 20; ++k) {
    if (k == 2 && ranks.rank() == faulty) {
      if (fault == "dies") std::_Exit(3);
      if (fault == "throws") throw stg::error("the disk is full");
      if (fault == "stands_still") std::this_thread::sleep_for(std::chrono::hours(1));
    }
    auto now = step(part, x = mine, label = labels, params);
    optimizer.step(now.gradients);
    if (k == 19 && ranks.rank() == 0) {
      std::uint64_t all = std::bit_cast<std::uint32_t>(now.loss);
      for (std::int64_t i = 0; i < params[W].size(); ++i)
        all = all * 1099511628211u + std::bit_cast<std::uint32_t>(params[W].data()[i]);
      std::printf("%016llx\n", static_cast<unsigned long long>(all));
    }
  }
}

int main(int argc, char** argv) {
  const std::string fault = argc > 2 ? argv[1] : "";
  const int faulty = argc > 2 ? std::atoi(argv[2]) : -1;
  return stg::run_mpi([&](stg::communicator& ranks) { train(ranks, fault, faulty); },
                      {.patience = std::chrono::seconds(3), .silence = std::chrono::seconds(3)});
}
