// Training steps of GCN and GAT on a graph that is cut in two: two ranks of one thread each, beside one program with
// two threads on the whole graph, interleaved; what the cut costs, what the ranks send in a step, and how much of the
// time that messages of five milliseconds take ranks compute in; with arxivai, where it is found.
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/distributed/trace_ranks.hpp>        // trace_ranks
#include <stg/runtime/parallel.hpp>               // set_threads
#include <stg/stg.hpp>                            // the language

#include <algorithm>  // sort
#include <chrono>     // steady_clock
#include <cstdio>     // printf
#include <optional>   // optional
#include <sstream>    // ostringstream
#include <vector>     // vector

#include "cut_graphs.hpp"  // grid, planted
#include "graphs.hpp"      // arxiv_like, named

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 64>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W1 = stg::parameter<"W1", 64, 64>;
inline constexpr auto W2 = stg::parameter<"W2", 64, 16>;
inline constexpr auto a = stg::parameter<"a", 8, 8>;
inline constexpr auto b = stg::parameter<"b", 8, 8>;
inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(x), W1));
  return cross_entropy(stg::nn::gcn_conv(v, h, W2), v(label));
};
inline constexpr auto gat = [](auto v) {
  auto h = elu(stg::reshape<64>(stg::nn::gat_conv(v, v(x), W1, a, b, 0.0)));
  return cross_entropy(stg::nn::gcn_conv(v, h, W2), v(label));
};

double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

template <class Body> double milliseconds(const Body& body) {
  const auto begun = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

const char* text_of(stg::cut_by by) { return by == stg::cut_by::rows ? "rows" : "features"; }

template <const auto& Loss>
void measure(const char* name, const char* of, const stg::graph& g, const stg::cut& cut, stg::cut_by by) {
  constexpr int rounds = 9;
  stg::tensor<float> features({g.vertices(), 64});
  stg::uniform(features, -1, 1, 1);
  stg::tensor<std::int32_t> labels({g.vertices()});
  for (std::int64_t v = 0; v < g.vertices(); ++v) labels(v) = static_cast<std::int32_t>(v * 7 % 16);
  auto params = stg::parameters<Loss>();
  stg::initialize(params, 1);
  auto whole = stg::value_and_grad<Loss>();
  std::vector<double> one, two;
  std::int64_t sent = 0;
  stg::run_ranks(2, [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here, by);
    const auto mine = part.rows(features);
    const auto mine_labels = part.rows(labels);
    auto step = stg::value_and_grad<Loss>();
    for (int round = 0; round <= rounds; ++round) {
      if (here.rank() == 0) {
        stg::set_threads(2);
        one.push_back(milliseconds([&] { (void)whole(g, x = features, label = labels, params).loss; }));
        stg::set_threads(1);
      }
      stg::barrier(here);
      const std::int64_t before = here.sent_bytes();
      const double took = milliseconds([&] {
        (void)step(part, x = mine, label = mine_labels, params).loss;
        stg::barrier(here);
      });
      if (here.rank() != 0) continue;
      two.push_back(took);
      sent = here.sent_bytes() - before;
    }
  });
  one.erase(one.begin());  // which allocates
  two.erase(two.begin());
  std::printf("%-12s %-4s by %-8s two threads %8.1f ms, two ranks %8.1f ms, %.2f ×; rank 0 sends %.1f MB\n", name, of,
              text_of(by), median(one), median(two), median(two) / median(one), static_cast<double>(sent) / 1e6);
}

/// Milliseconds that a rank waits for a message of rows and for one of sums, in some steps with messages that take so
/// long.
struct waits {
  std::vector<double> rows, sums;
};
template <const auto& Loss>
void add_waits(std::chrono::milliseconds delay, const stg::graph& g, const stg::cut& cut, waits& to) {
  constexpr int rounds = 4;
  stg::tensor<float> features({g.vertices(), 64});
  stg::uniform(features, -1, 1, 1);
  stg::tensor<std::int32_t> labels({g.vertices()});
  for (std::int64_t v = 0; v < g.vertices(); ++v) labels(v) = static_cast<std::int32_t>(v * 7 % 16);
  auto params = stg::parameters<Loss>();
  stg::initialize(params, 1);
  std::optional<stg::trace_ranks> trace;
  const auto work = [&](stg::communicator& here) {
    const stg::distributed_graph part(cut, here);
    const auto mine = part.rows(features);
    const auto mine_labels = part.rows(labels);
    auto step = stg::value_and_grad<Loss>();
    for (int round = 0; round <= rounds; ++round) {
      if (here.rank() == 0) trace.emplace();
      stg::barrier(here);
      (void)step(part, x = mine, label = mine_labels, params).loss;
      stg::barrier(here);
      if (here.rank() == 0 && round > 0) {
        const stg::rank_times took = trace->times(0);
        if (took.rows > 0) to.rows.push_back(took.wait_rows / took.rows);
        if (took.sums > 0) to.sums.push_back(took.wait_sums / took.sums);
      }
      if (here.rank() == 0) trace.reset();
      stg::barrier(here);
    }
  };
  stg::run_ranks(2, work, {.delay = delay});
}

/// Messages take five milliseconds: the share of this time in which ranks compute. They wait for messages that take no
/// time too, by turns, so waits for late ranks do not count.
template <const auto& Loss>
void measure_delayed(const char* name, const char* of, const stg::graph& g, const stg::cut& cut) {
  constexpr std::chrono::milliseconds delay(5);
  stg::set_threads(1);
  waits at_once, late;
  for (int turn = 0; turn < 5; ++turn) {
    add_waits<Loss>(std::chrono::milliseconds(0), g, cut, at_once);
    add_waits<Loss>(delay, g, cut, late);
  }
  const auto hidden = [&](std::vector<double> waits::*which) {
    return 1 - (median(late.*which) - median(at_once.*which)) / static_cast<double>(delay.count());
  };
  std::printf("%-12s %-4s messages of 5 ms: hidden %.2f of those of rows, %.2f of those of sums\n", name, of,
              hidden(&waits::rows), hidden(&waits::sums));
}

void measure(const char* name, const stg::graph& g) {
  std::optional<stg::cut> made;
  const double took = milliseconds([&] { made = stg::cut::by_metis(g, 2); });
  const stg::cut& cut = *made;
  std::ostringstream said;
  said << cut;
  std::printf("%-12s cut in %.0f ms: %s\n", name, took, said.str().c_str());
  for (const stg::cut_by by : {stg::cut_by::rows, stg::cut_by::features}) {
    measure<gcn>(name, "GCN", g, cut, by);
    measure<gat>(name, "GAT", g, cut, by);
  }
  measure_delayed<gcn>(name, "GCN", g, cut);
  measure_delayed<gat>(name, "GAT", g, cut);
}

}  // namespace

int main() {
  measure("grid", graphs::grid(400));
  measure("planted", graphs::planted(100));
  if (const auto arxivai = graphs::named("arxivai")) measure("arxivai", *arxivai);
  measure("arxiv_like", graphs::arxiv_like());
}
