// Measures programs on a device beside cuSPARSE and a copy, and writes what came of it: bench_gpu --out FILE
// [--exchange FOLDER] [--graphs FOLDER] [--only CASE]… [--without CASE]… [--rounds N]; exit code 3 when a case lost the
// device to the process.
#include "epoch.hpp"        // measure_epoch
#include "gat.hpp"          // measure_gat
#include "made_graphs.hpp"  // drawn_graph, write_edges
#include "session.hpp"      // session
#include "sum.hpp"          // measure_sums

#include "../graphs.hpp"  // dataset

#include <stg/runtime/cuda.hpp>         // cuda
#include <stg/runtime/cuda/device.hpp>  // device

#include <cstdio>      // fprintf
#include <cstdlib>     // atoi
#include <exception>   // exception
#include <filesystem>  // path
#include <future>      // async

namespace {

using namespace device_bench;

template <int Width> void try_sums(const subject& on, const sum_inputs& in, const session& to) {
  to.attempt("sum:" + on.name + ":" + std::to_string(Width) + ":forward", on.graph,
             [&] { measure_sums<Width>(on, in, to); });
}
template <int Heads, int Dim> void try_gat(const subject& on, const session& to) {
  to.attempt("gat:" + on.name + ":" + std::to_string(Heads) + "x" + std::to_string(Dim) + ":both", on.graph,
             [&] { measure_gat<Heads, Dim>(on, to); });
}
template <class Network> void try_epoch(const std::string& name, const cora_data& data, const session& to) {
  to.attempt(name, data.graph, [&] { measure_epoch<Network>(name, data, to); });
}

bool wants_sums(const std::string& graph, const session& to) {
  return to.may_want("sum:" + graph + ":") || to.may_want("convolution:" + graph + ":");
}
bool wants_gat(const std::string& graph, const session& to) { return to.may_want("gat:" + graph + ":"); }

void measure_graph(const subject& on, const session& to) {
  if (wants_sums(on.name, to)) {
    const sum_inputs in = make_sum_inputs(on);
    try_sums<16>(on, in, to);
    try_sums<64>(on, in, to);
    try_sums<128>(on, in, to);
    try_sums<256>(on, in, to);
  }
  if (!wants_gat(on.name, to)) return;
  if (!to.exchange.empty())
    write_edges(std::filesystem::path(to.exchange) / on.name, on.graph);  // which the peers read
  try_gat<8, 8>(on, to);
  try_gat<1, 128>(on, to);
  try_gat<4, 64>(on, to);
}

void measure_epochs(const session& to) {
  if (!to.may_want("gcn:cora:") && !to.may_want("gat:cora:")) return;
  auto data = graphs::dataset("cora");  // says so loudly where it is not
  if (!data) {
    to.to.about({{"skipped", "the epochs, since Cora is not here; set STG_DATA_DIR"}});
    return;
  }
  stg::normalize_rows(data->features);
  auto sparse = stg::sparse(data->features);
  const cora_data cora{data->graph.add_self_loops(), std::move(data->features), std::move(sparse),
                       std::move(data->labels),      std::move(data->train),    data->classes};
  try_epoch<gcn>("gcn:cora:16:epoch", cora, to);
  try_epoch<gat>("gat:cora:8x8:epoch", cora, to);
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
  std::fprintf(stderr,
               "bench_gpu: write bench_gpu --out FILE [--exchange FOLDER] [--graphs FOLDER] [--only CASE]... "
               "[--without CASE]... [--rounds N]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::string out, exchange, folder;
  std::vector<std::string> only;
  std::vector<std::string> without;
  int rounds = 9;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    if (i + 1 == argc) return usage();
    if (word == "--out") out = argv[i + 1];
    else if (word == "--exchange") exchange = argv[i + 1];
    else if (word == "--graphs") folder = argv[i + 1];
    else if (word == "--only") only.emplace_back(argv[i + 1]);
    else if (word == "--without") without.emplace_back(argv[i + 1]);
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
    const session all{to, exchange, only, without, rounds};
    // Graphs that are in no folder are drawn by one thread each, and nothing is measured beside that.
    std::vector<std::pair<std::string, std::future<stg::graph>>> drawn;
    for (const std::string& name : graph_names())
      if (wants_sums(name, all) || wants_gat(name, all))
        drawn.emplace_back(name, std::async(std::launch::async, drawn_graph, folder, name));
    for (auto& [name, graph] : drawn) graph.wait();
    measure_epochs(all);
    for (auto& [name, graph] : drawn) {
      all.attempt("graph:" + name, stg::graph(), [&] {  // that cannot be drawn, read, or brought to the device
        stg::graph g = graph.get();
        stg::graph there = g.to(place);
        measure_graph({name, std::move(g), std::move(there)}, all);
      });
    }
    std::printf("bench_gpu: %s\n", to.summary().c_str());
    return to.has_failures() ? 1 : 0;
  } catch (const device_is_lost& e) {
    std::fprintf(stderr, "bench_gpu: %s\n", e.what());
    return 3;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gpu: %s\n", e.what());
    return 1;
  }
}
