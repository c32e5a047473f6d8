// Training steps of GCN and GAT on a graph that is cut in two: two ranks of one thread each, beside one program with
// two threads on the whole graph, interleaved; what the cut costs, and what the ranks send in a step; with arxivai,
// where it is found. With --overlap: how much of the time that messages of five milliseconds take ranks compute in.
#include <stg/call/in_column_groups.hpp>          // column_groups
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/distributed/trace_ranks.hpp>        // trace_ranks
#include <stg/runtime/parallel.hpp>               // set_threads
#include <stg/stg.hpp>                            // the language

#include <algorithm>    // clamp, min, sort
#include <chrono>       // steady_clock
#include <cstdio>       // printf
#include <optional>     // optional
#include <sstream>      // ostringstream
#include <string_view>  // string_view
#include <vector>       // vector

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

/// How ranks share sweeps: by rows, or by features, with kernels of the program's own or those of drafts.
struct by_rows {
  static constexpr const char* text = "rows";
  static constexpr stg::cut_by by = stg::cut_by::rows;
  using backend = stg::default_backend;
};
struct by_drafts {
  static constexpr const char* text = "features, drafts' kernels";
  static constexpr stg::cut_by by = stg::cut_by::features;
  using backend = stg::default_backend;
};
struct by_groups {
  static constexpr const char* text = "features";
  static constexpr stg::cut_by by = stg::cut_by::features;
  using backend = stg::column_groups<2>;
};

template <const auto& Loss, class Way>
void measure(const char* name, const char* of, const stg::graph& g, const stg::cut& cut, const Way& way) {
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
    const stg::distributed_graph part(cut, here, way.by);
    const auto mine = part.rows(features);
    const auto mine_labels = part.rows(labels);
    auto step = stg::detail::checked_step<stg::ref<Loss>, typename Way::backend>({});
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
  std::printf("%-12s %-4s by %s: two threads %8.1f ms, two ranks %8.1f ms, %.2f ×; rank 0 sends %.1f MB\n", name, of,
              way.text, median(one), median(two), median(two) / median(one), static_cast<double>(sent) / 1e6);
}

/// Of each message that rank 0 waits for in a step, in some steps: milliseconds of the wait, and of units that ran
/// meanwhile.
struct waits {
  std::vector<std::vector<double>> waited{}, meanwhile{};
};
template <const auto& Loss>
void add_waits(std::chrono::milliseconds delay, int rounds, const stg::graph& g, const stg::cut& cut, waits& to) {
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
        const std::vector<stg::waited_message> all = trace->messages(0);
        to.waited.resize(all.size());
        to.meanwhile.resize(all.size());
        for (std::size_t m = 0; m < all.size(); ++m) {
          to.waited[m].push_back(all[m].waited);
          to.meanwhile[m].push_back(all[m].meanwhile);
        }
      }
      if (here.rank() == 0) trace.reset();
      stg::barrier(here);
    }
  };
  stg::run_ranks(2, work, {.delay = delay});
}

/// Messages take five milliseconds: the part of this time that rank 0 does not wait in, beside the work that reads
/// nothing of them. All of that work runs before the wait where messages take long enough, as in a first run.
template <const auto& Loss>
void measure_delayed(const char* name, const char* of, const stg::graph& g, const stg::cut& cut) {
  constexpr double delay = 5;
  stg::set_threads(1);
  waits slow, late;
  for (int turn = 0; turn < 4; ++turn) {
    add_waits<Loss>(std::chrono::milliseconds(100), 3, g, cut, slow);
    add_waits<Loss>(std::chrono::milliseconds(5), 8, g, cut, late);
  }
  double work = 0, could = 0, did = 0, waited = 0;
  for (std::size_t m = 0; m < late.waited.size(); ++m) {
    const double of_work = median(slow.meanwhile[m]), of_wait = median(late.waited[m]), most = std::min(delay, of_work);
    work += of_work;
    could += most;
    waited += of_wait;
    did += std::clamp(delay - of_wait, 0.0, most);
  }
  const double all = delay * static_cast<double>(late.waited.size());
  std::printf(
      "%-8s %-4s %2zu messages of 5 ms: waited %5.1f ms; independent work %6.1f ms, which could hide %5.1f and hid "
      "%5.1f, %.2f; of all %.2f is hidden\n",
      name, of, late.waited.size(), waited, work, could, did, could == 0 ? 1 : did / could, 1 - waited / all);
}

void measure_overlap(const char* name, const stg::graph& g) {
  const stg::cut cut = stg::cut::by_metis(g, 2);
  measure_delayed<gcn>(name, "GCN", g, cut);
  measure_delayed<gat>(name, "GAT", g, cut);
}

void measure(const char* name, const stg::graph& g) {
  std::optional<stg::cut> made;
  const double took = milliseconds([&] { made = stg::cut::by_metis(g, 2); });
  const stg::cut& cut = *made;
  std::ostringstream said;
  said << cut;
  std::printf("%-12s cut in %.0f ms: %s\n", name, took, said.str().c_str());
  const auto both = [&](const auto& way) {
    measure<gcn>(name, "GCN", g, cut, way);
    measure<gat>(name, "GAT", g, cut, way);
  };
  both(by_rows());
  both(by_groups());
  both(by_drafts());
}

/// Messages of five milliseconds, of what can hide them.
int overlap() {
  measure_overlap("grid", graphs::grid(400));
  measure_overlap("planted", graphs::planted(100));
  if (const auto arxivai = graphs::named("arxivai")) measure_overlap("arxivai", *arxivai);
  else std::printf("arxivai      is not on this machine: STG_DATA_DIR names no folder that has it\n");
  return 0;
}

}  // namespace

/// --overlap: how much of the time that messages take is hidden, alone.
int main(int count, char** words) {
  if (count > 1 && std::string_view(words[1]) == "--overlap") return overlap();
  measure("grid", graphs::grid(400));
  measure("planted", graphs::planted(100));
  if (const auto arxivai = graphs::named("arxivai")) measure("arxivai", *arxivai);
  measure("arxiv_like", graphs::arxiv_like());
}
