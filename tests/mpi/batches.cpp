// Shares sampled batches among processes of MPI: prints the loss of two epochs and the weights, as bits, which any
// number of processes has in common.
#include <stg/distributed/cut.hpp>                 // cut
#include <stg/distributed/distributed_loader.hpp>  // distributed_loader
#include <stg/distributed/mean_over_ranks.hpp>     // mean_over_ranks
#include <stg/distributed/mpi_ranks.hpp>           // run_mpi
#include <stg/sampling/neighbour_sampler.hpp>      // neighbour_sampler
#include <stg/stg.hpp>                             // the language

#include <bit>      // bit_cast
#include <cstdint>  // uint64_t
#include <cstdio>   // printf
#include <numeric>  // iota
#include <vector>   // vector

#include "drawn.hpp"  // drawn, loss

static void print(float loss, const stg::tensor<float>& weights) {
  std::uint64_t all = std::bit_cast<std::uint32_t>(loss);
  for (std::int64_t i = 0; i < weights.size(); ++i)
    all = all * 1099511628211u + std::bit_cast<std::uint32_t>(weights.data()[i]);
  std::printf("%016llx\n", static_cast<unsigned long long>(all));
}

/// Leaves the second epoch in the middle, with rows on their way.
static void train_on_batches(stg::communicator& ranks) {
  const task t = drawn();
  const stg::vertex_owners owners(stg::cut::by_ranges(t.graph, 4), ranks);
  std::vector<std::int32_t> seeds(300);
  std::iota(seeds.begin(), seeds.end(), 0);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01f});
  auto step = stg::value_and_grad<loss>();
  stg::distributed_loader loader(owners, stg::neighbour_sampler(t.graph, {.fan_outs = {5, 3}}), seeds,
                                 {.batch_size = 32, .seed = 1, .cache_bytes = 1000});
  const auto X = loader.own_rows(stg::gather(t.X, owners.own_vertices()));
  const auto Y = loader.rows(t.Y);
  auto mean = stg::mean_over_ranks(params, loader);
  for (int epoch = 0; epoch < 2; ++epoch)
    for (const stg::batch_share& batch : loader.epoch(epoch)) {
      for (const stg::micro_batch& b : batch) {
        step.seed(b.number);
        mean.add(b, step(b.blocks(), x = b[X], label = b[Y], params));
      }
      optimizer.step(mean.all_reduce());
      if (epoch == 1 && batch.index == 4) break;
    }
  if (ranks.rank() == 0) print(static_cast<float>(mean.loss()), params[W]);
}

int main() { return stg::run_mpi(train_on_batches); }
