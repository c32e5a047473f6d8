// Measures programs on a device beside cuSPARSE and a copy, and writes what came of it: bench_gpu --out FILE
// [--exchange FOLDER] [--only CASE]… [--rounds N]
#include "epoch.hpp"    // measure_epoch
#include "gat.hpp"      // measure_gat
#include "session.hpp"  // session
#include "sum.hpp"      // measure_sums

#include "../graphs.hpp"  // dataset

#include <stg/runtime/cuda.hpp>         // cuda
#include <stg/runtime/cuda/device.hpp>  // device

#include <cstdio>      // fprintf
#include <cstdlib>     // atoi
#include <exception>   // exception
#include <filesystem>  // create_directories
#include <future>      // async

namespace {

using namespace device_bench;

/// FOLDER/GRAPH/src.npy and dst.npy, int32, (edges): what the peers read.
void write_edges(const std::filesystem::path& folder, const subject& on) {
  std::filesystem::create_directories(folder / on.name);
  const stg::edge_list edges = on.graph.edge_list();
  const auto save = [&](const char* file, const std::vector<std::int32_t>& ids) {
    stg::write_npy((folder / on.name / file).string(),
                   stg::tensor<std::int32_t>::from({on.graph.edges()}, std::span<const std::int32_t>(ids)));
  };
  save("src.npy", edges.src);
  save("dst.npy", edges.dst);
}

void measure_graph(const subject& on, const session& to) {
  if (!to.exchange.empty()) write_edges(to.exchange, on);
  {
    const sum_inputs in = make_sum_inputs(on);
    measure_sums<16>(on, in, to);
    measure_sums<64>(on, in, to);
    measure_sums<128>(on, in, to);
    measure_sums<256>(on, in, to);
  }
  measure_gat<8, 8>(on, to);
  measure_gat<1, 128>(on, to);
  measure_gat<4, 64>(on, to);
}

void measure_epochs(const session& to) {
  auto data = graphs::dataset("cora");  // says so loudly where it is not
  if (!data) {
    to.to.about({{"skipped", "the epochs, since Cora is not here; set STG_DATA_DIR"}});
    return;
  }
  stg::normalize_rows(data->features);
  auto sparse = stg::sparse(data->features);
  const cora_data cora{data->graph.add_self_loops(), std::move(data->features), std::move(sparse),
                       std::move(data->labels),      std::move(data->train),    data->classes};
  measure_epoch<gcn>("gcn:cora:16:epoch", cora, to);
  measure_epoch<gat>("gat:cora:8x8:epoch", cora, to);
}

void about_device([[maybe_unused]] report& to) {
#if !defined(STG_BENCH_ON_HOST)
  const stg::gpu::device_properties& p = stg::gpu::device::open(place.device())->properties();
  to.about({{"device", p.name},
            {"capability", std::to_string(p.major) + "." + std::to_string(p.minor)},
            {"multiprocessors", std::to_string(p.multiprocessors)},
            {"l2_bytes", std::to_string(p.l2)},
            {"memory_bytes", std::to_string(p.memory)}});
#else
  to.about({{"device", "none: the host's threads, nothing is timed"}});
#endif
}

int usage() {
  std::fprintf(stderr, "bench_gpu: write bench_gpu --out FILE [--exchange FOLDER] [--only CASE]... [--rounds N]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::string out, exchange;
  std::vector<std::string> only;
  int rounds = 9;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    if (i + 1 == argc) return usage();
    if (word == "--out") out = argv[i + 1];
    else if (word == "--exchange") exchange = argv[i + 1];
    else if (word == "--only") only.emplace_back(argv[i + 1]);
    else if (word == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
    else return usage();
  }
  if (out.empty()) return usage();
  if (on_device && !stg::cuda::available()) {
    std::fprintf(stderr, "bench_gpu: not run: %s\n", stg::cuda::problem().c_str());
    return 1;
  }
  try {
    report to(out);
    about_device(to);
    const session all{to, exchange, only, rounds};
    // Graphs are drawn by one thread each, and nothing is measured beside that.
    std::vector<std::pair<std::string, std::future<stg::graph>>> drawn;
    for (const std::string& name : graph_names())
      if (all.wants_graph(name)) drawn.emplace_back(name, std::async(std::launch::async, make_graph, name));
    for (auto& [name, graph] : drawn) graph.wait();
    measure_epochs(all);
    for (auto& [name, graph] : drawn) {
      stg::graph g = graph.get();
      stg::graph there = g.to(place);
      measure_graph({name, std::move(g), std::move(there)}, all);
    }
    std::printf("bench_gpu: %s\n", to.summary().c_str());
    return to.has_failures() ? 1 : 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gpu: %s\n", e.what());
    return 1;
  }
}
