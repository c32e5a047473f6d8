// The time of a training step on many machines, from what one can measure: a thread's rate, the rows and bytes that a
// cut sends, a network's bandwidth and latency. The same sum is held against runs of two ranks on this machine, then
// printed for a graph of 10^9 edges on 4 to 256 machines.
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/runtime/parallel.hpp>               // set_threads
#include <stg/stg.hpp>                            // the language

#include <algorithm>  // max, sort
#include <chrono>     // steady_clock
#include <cstdio>     // printf
#include <cstring>    // memcpy
#include <map>        // map
#include <mutex>      // lock_guard, mutex
#include <utility>    // move
#include <vector>     // vector

#include "cut_graphs.hpp"  // grid, planted
#include "graphs.hpp"      // arxiv_like

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 64>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W1 = stg::parameter<"W1", 64, 64>;
inline constexpr auto W2 = stg::parameter<"W2", 64, 16>;
inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(x), W1));
  return cross_entropy(stg::nn::gcn_conv(v, h, W2), v(label));
};

/// A machine and its network.
constexpr double threads_of_machine = 64, bytes_per_second = 12.5e9, seconds_of_latency = 10e-6;

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}
template <class Body> double seconds(const Body& body) {
  std::vector<double> took;
  for (int round = 0; round < 6; ++round) {
    const auto begun = std::chrono::steady_clock::now();
    body();
    took.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  }
  took.erase(took.begin());  // which allocates
  return median(took);
}

/// Bytes per second of this machine's copies, which are the network of threads.
double rate_of_copies() {
  std::vector<char> from(64 << 20), to(64 << 20);
  return 64.0 * (1 << 20) / seconds([&] { std::memcpy(to.data(), from.data(), from.size()); });
}

struct step_on_ranks {
  double seconds = 0, bytes = 0, messages = 0;  // of a rank, and what it sends
};

struct inputs {
  explicit inputs(const stg::graph& g) : features({g.vertices(), 64}), labels({g.vertices()}) {
    stg::uniform(features, -1, 1, 1);
    for (std::int64_t v = 0; v < g.vertices(); ++v) labels(v) = static_cast<std::int32_t>(v * 7 % 16);
    stg::initialize(params, 1);
  }
  stg::tensor<float> features;
  stg::tensor<std::int32_t> labels;
  decltype(stg::parameters<gcn>()) params = stg::parameters<gcn>();
};

step_on_ranks run(const stg::cut& cut, int ranks) {
  inputs in(cut.whole());
  step_on_ranks found;
  std::mutex adding;
  stg::run_ranks(ranks, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here);
    const auto mine = part.rows(in.features);
    const auto labels = part.rows(in.labels);
    auto step = stg::value_and_grad<gcn>();
    const std::int64_t bytes = here.sent_bytes(), messages = here.sent_messages();
    const double took = seconds([&] {
      (void)step(part, x = mine, label = labels, in.params).loss;
      stg::barrier(here);
    });
    const std::lock_guard hold(adding);  // of all ranks the mean
    const double calls = 6.0 * ranks;
    found.seconds += took / ranks;
    found.bytes += static_cast<double>(here.sent_bytes() - bytes) / calls;
    found.messages += static_cast<double>(here.sent_messages() - messages) / calls;
  });
  return found;
}

/// A graph with its step on one thread, and on two ranks of one thread each.
struct measured {
  const char* name;
  stg::graph graph;
  double alone = 0, halo_of_rank = 0, largest_work = 0;
  step_on_ranks ran{};

  measured(const char* of, stg::graph g) : name(of), graph(std::move(g)) {
    inputs in(graph);
    auto whole = stg::value_and_grad<gcn>();
    alone = seconds([&] { (void)whole(graph, x = in.features, label = in.labels, in.params).loss; });
    const stg::cut two = stg::cut::by_metis(graph, 2);
    halo_of_rank = two.cost().halo_rows * static_cast<double>(graph.vertices()) / 2;
    largest_work = two.cost().largest_work;
    ran = run(two, 2);
  }
};

/// Bytes that a rank sends: for each row of its halo, and for sums over all vertices.
struct sent_bytes {
  double of_row = 0, of_sums = 0;

  sent_bytes(const measured& a, const measured& b) {
    of_row = (b.ran.bytes - a.ran.bytes) / (b.halo_of_rank - a.halo_of_rank);
    of_sums = a.ran.bytes - of_row * a.halo_of_rank;
  }
};

void foretell(const measured& m, const sent_bytes& sent) {
  const auto rows = static_cast<double>(m.graph.vertices()), edges = static_cast<double>(m.graph.edges());
  const double foretold = m.alone / 2 * m.largest_work + 2 * m.ran.bytes / rate_of_copies();
  std::printf("%-11s %.0f rows, %.0f edges; one thread %.1f ms; two ranks: foretold %.1f ms, ran %.1f ms, %.2f ×\n",
              m.name, rows, edges, 1e3 * m.alone, 1e3 * foretold, 1e3 * m.ran.seconds, m.ran.seconds / foretold);
  std::map<int, stg::cut::costs> of;
  for (const int parts : {4, 16, 64}) of[parts] = stg::cut::by_metis(m.graph, parts).cost();
  of[256] = of[64];  // four times as many parts as 64: as 64 are to 16
  if (of[16].halo_rows > 0) of[256].halo_rows *= of[64].halo_rows / of[16].halo_rows;
  const double scale = 1e9 / edges;
  for (const auto& [machines, costs] : of) {
    const double compute = m.alone * scale / machines / threads_of_machine * costs.largest_work;
    const double bytes = costs.halo_rows * rows * scale / machines * sent.of_row + sent.of_sums * (machines - 1);
    const double exchange = bytes / bytes_per_second + m.ran.messages * (machines - 1) * seconds_of_latency;
    std::printf(
        "  10^9 edges, %3d machines: %5.2f halo rows a vertex; computes %7.1f ms, exchanges %7.1f ms: %7.1f to "
        "%7.1f ms a step\n",
        machines, costs.halo_rows, 1e3 * compute, 1e3 * exchange, 1e3 * std::max(compute, exchange),
        1e3 * (compute + exchange));
  }
}

}  // namespace

int main() {
  stg::set_threads(1);
  const measured all[] = {
      {"grid", graphs::grid(400)}, {"planted", graphs::planted(100)}, {"arxiv_like", graphs::arxiv_like()}};
  const sent_bytes sent(all[0], all[2]);
  std::printf(
      "machines of %.0f threads, each as fast as one here; %.1f GB/s and %.0f us between two; %.0f bytes a halo row, "
      "%.0f for sums\n",
      threads_of_machine, bytes_per_second / 1e9, seconds_of_latency * 1e6, sent.of_row, sent.of_sums);
  for (const measured& m : all) foretell(m, sent);
}
