// Who answers whom next: a recurrent cell goes through the graphs of past weeks, in which edges come and go, and after
// each of them ranks links of the weeks that follow above others that are drawn. Li et al., DCRNN, ICLR 2018, whose
// cell this is; links as in Pareja et al., EvolveGCN, AAAI 2020, section 4.
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress

#include <stg/data/events.hpp>             // read_events_npy
#include <stg/data/search.hpp>             // find_dataset
#include <stg/data/windows.hpp>            // split_by_time
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/metrics.hpp>         // roc_auc
#include <stg/stg.hpp>                     // the language

#include <algorithm>  // copy, lower_bound, minmax
#include <chrono>     // steady_clock
#include <cmath>      // exp, log1p
#include <cstdio>     // printf
#include <limits>     // numeric_limits
#include <map>        // map
#include <random>     // mt19937_64
#include <span>       // span
#include <string>     // string
#include <tuple>      // tuple, get
#include <utility>    // pair
#include <vector>     // vector

constexpr int own = 14, hidden = 16;
constexpr double days = 86400;

// A step's edges are those that were there, of a positive weight, and the pairs that are asked for: -1 for a link of
// the weeks that follow, 0 for one that was drawn.
inline constexpr auto w = stg::over<"T">(stg::edge_feature<"w">);
inline constexpr auto r = stg::vertex_feature<"r", own>;  // drawn once: vertices are told apart by them
inline constexpr auto W = stg::parameter<"W", own + 2, 3 * hidden>;
inline constexpr auto F = stg::parameter<"F", own + 2, 3 * hidden>;
inline constexpr auto B = stg::parameter<"B", own + 2, 3 * hidden>;
inline constexpr auto U = stg::parameter<"U", hidden, 2 * hidden>;
inline constexpr auto G = stg::parameter<"G", hidden, 2 * hidden>;
inline constexpr auto D = stg::parameter<"D", hidden, 2 * hidden>;
inline constexpr auto C = stg::parameter<"C", hidden, hidden>;
inline constexpr auto E = stg::parameter<"E", hidden, hidden>;
inline constexpr auto K = stg::parameter<"K", hidden, hidden>;
inline constexpr auto b = stg::parameter<"b", 3 * hidden>;
inline constexpr auto S = stg::parameter<"S", hidden, hidden>;
inline constexpr auto R = stg::parameter<"R", hidden + 2, 2>;

/// The next state, how busy vertices were until now, and how likely each edge's link is.
inline constexpr auto step_of = [](auto v, auto h, auto busy) {
  using stg::nn::diffusion;
  auto e = v.in_edges();
  auto there = relu(e(w));
  auto now = concat<stg::axis<0>>(reshape<1>(sum(there)), reshape<1>(sum(relu(v.out_edges()(w)))));
  auto lately = now + 0.6 * busy;
  stg::nn::dcrnn cell{diffusion{W, F, B}, diffusion{U, G, D}, diffusion{C, E, K}, b};
  auto next = cell(stg::nn::weighted(v, there), concat<stg::axis<0>>(v(r), log1p(lately)), h);
  auto seen = concat<stg::axis<0>>(next, log1p(lately));
  // Those who are alike answer each other, and some ask or answer more than others.
  auto like = matmul(next, S);
  auto apart = matmul(seen, R);
  auto score = sum(e.src(like) * e.dst(like), stg::axis<0>) +
               sum(e.src(stg::slice<0, 1>(apart)) + e.dst(stg::slice<1, 2>(apart)), stg::axis<0>);
  return std::tuple(next, lately, score);
};
inline constexpr auto loss = [](auto v) {
  auto body = [](auto v, auto h, auto busy) {
    auto [next, lately, score] = step_of(v, h, busy);
    auto code = v.in_edges()(w);
    auto missed = bce_with_logits(score, stg::cast<stg::f32>(code < 0.0), code <= 0.0);
    return stg::next(next, lately).gives(missed);
  };
  auto missed = std::get<2>(stg::scan<"T">(v, body, stg::zeros<hidden>(v), stg::zeros<2>(v)));
  return mean(stg::stacked(missed), stg::axis<0>);
};
inline constexpr auto ranking = [](auto v) {
  auto body = [](auto v, auto h, auto busy) {
    auto [next, lately, score] = step_of(v, h, busy);
    return stg::next(next, lately).gives(score);
  };
  return std::get<2>(stg::scan<"T">(v, body, stg::zeros<hidden>(v), stg::zeros<2>(v)));
};

/// Weeks that a step looks back and ahead, and who was when linked to whom.
struct history {
  double length, stride;
  stg::event_list events;
};

/// The data set, or, where it is in none of the places that stg::find_dataset looks in, circles of people who answer
/// each other, and now and then somebody else.
static history load(const std::string& name) {
  const std::string wanted = name == "auto" ? "sx_mathoverflow" : name;
  const stg::search_result found = stg::find_dataset(wanted);
  history h{90 * days, 45 * days, {}};
  if (name != "auto" || !found.folder.empty()) {
    h.events = stg::read_events_npy((found.folder.empty() ? wanted : found.folder) + "/events.npy");
    return h;
  }
  std::fprintf(stderr,
               "06_changing_graph: no sx_mathoverflow in $STG_DATA_DIR or ~/.cache/stg; circles are drawn instead\n");
  std::mt19937_64 random(1);
  constexpr std::int64_t people = 600, circle = 60;
  for (int i = 0; i < 20000; ++i) {
    const auto src = static_cast<std::int64_t>(random() % people);
    const auto other = static_cast<std::int64_t>(random() % circle);
    h.events.src.push_back(src);
    h.events.dst.push_back(random() % 10 == 0 ? static_cast<std::int64_t>(random() % people)
                                              : src / circle * circle + other);
    h.events.time.push_back(i * 0.05 * days);
  }
  return h;
}

/// Steps of a history with what is asked for after each, and how simple rules would rank it.
struct questions {
  std::vector<stg::snapshot_edges> steps;
  struct pair {
    bool is_link;
    double before, busy;  // how much the two were linked, and how much the second was, lately
  };
  std::vector<std::vector<pair>> asked;  // in the order of the step's edges

  questions(const history& h, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const stg::event_list& all = h.events;
    const double first = all.time.front();
    for (double now = first + h.length; now + h.stride <= all.time.back(); now += h.stride) add(h, now, random);
  }

 private:
  void add(const history& h, double now, std::mt19937_64& random) {
    const stg::event_list& all = h.events;
    const auto at = [&](double t) {
      return static_cast<std::size_t>(std::lower_bound(all.time.begin(), all.time.end(), t) - all.time.begin());
    };
    std::map<std::pair<std::int64_t, std::int64_t>, double> weight;    // by destination, as edges are ordered
    std::map<std::pair<std::int64_t, std::int64_t>, double> together;  // either way
    std::vector<double> busy(static_cast<std::size_t>(all.vertices()));
    std::vector<std::int64_t> known;
    for (std::size_t i = 0; i < at(now); ++i) {
      const std::int64_t s = all.src[i], d = all.dst[i];
      const double lately = std::exp((all.time[i] - now) / h.length);
      for (const std::int64_t v : {s, d}) {
        if (busy[static_cast<std::size_t>(v)] == 0) known.push_back(v);
        busy[static_cast<std::size_t>(v)] += lately;
      }
      if (s != d) together[std::minmax(s, d)] += lately;
      if (all.time[i] >= now - h.length) weight[{d, s}] += 1;
    }
    std::map<std::pair<std::int64_t, std::int64_t>, bool> is_link;  // likewise; a drawn pair may be one: then it is
    for (std::size_t i = at(now); i < at(now + h.stride); ++i) {
      const std::int64_t s = all.src[i], d = all.dst[i];
      if (s == d || busy[static_cast<std::size_t>(s)] == 0 || busy[static_cast<std::size_t>(d)] == 0) continue;
      is_link[{d, s}] = true;
      const std::int64_t other = known[random() % known.size()];
      if (other != s) is_link.try_emplace({other, s}, false);
    }
    stg::snapshot_edges edges;
    const auto put = [&](std::int64_t s, std::int64_t d, double code) {
      edges.src.push_back(s);
      edges.dst.push_back(d);
      edges.weights.push_back(code);
    };
    for (const auto& [pair, count] : weight) put(pair.second, pair.first, std::log1p(count));
    std::vector<pair> of_step;
    for (const auto& [pair, link] : is_link) {
      put(pair.second, pair.first, link ? -1 : 0);
      const auto found = together.find(std::minmax(pair.first, pair.second));
      of_step.push_back(
          {link, found == together.end() ? 0 : found->second, busy[static_cast<std::size_t>(pair.first)]});
    }
    steps.push_back(std::move(edges));
    asked.push_back(std::move(of_step));
  }
};

/// The area under the ROC curve of what is asked for in steps [first, last): of scores, or of a rule.
template <class Score>
static double auc_of(const questions& q, std::int64_t first, std::int64_t last, const Score& score) {
  std::vector<float> scores;
  std::vector<bool> links;
  for (std::int64_t t = first; t < last; ++t)
    for (std::size_t i = 0; i < q.asked[static_cast<std::size_t>(t)].size(); ++i) {
      scores.push_back(static_cast<float>(score(t, i)));
      links.push_back(q.asked[static_cast<std::size_t>(t)][i].is_link);
    }
  const auto count = static_cast<std::int64_t>(scores.size());
  stg::tensor<bool> targets({count});
  std::copy(links.begin(), links.end(), targets.begin());
  return stg::roc_auc(stg::tensor<float>::from({count}, scores), targets);
}

/// Scores of what is asked for, out of those of all edges of all steps.
static std::vector<std::vector<float>> asked_of(stg::graph_sequence& graphs, const stg::tensor<float>& all) {
  std::vector<std::vector<float>> found(static_cast<std::size_t>(graphs.steps()));
  for (std::int64_t t = 0; t < graphs.steps(); ++t) {
    const stg::tensor<float>& code = graphs.weights_at(t).values();
    for (std::int64_t e = 0; e < code.size(); ++e)
      if (code(e) <= 0) found[static_cast<std::size_t>(t)].push_back(all(graphs.edges_before(t) + e));
  }
  return found;
}

static void train(const common::options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const history data = load(options.dataset);
  const std::int64_t vertices = data.events.vertices();
  auto step = stg::value_and_grad<loss>();
  const auto rank = stg::compile<ranking>();
  common::progress progress(options);
  for (int seed = 0; seed < options.seeds; ++seed) {
    const questions asked(data, static_cast<std::uint64_t>(seed));
    const auto parts = stg::split_by_time(static_cast<std::int64_t>(asked.steps.size()), 0.7, 0.1);
    const std::span<const stg::snapshot_edges> all = asked.steps;
    auto past = stg::graph_sequence::from_steps(vertices, all.first(static_cast<std::size_t>(parts.train.last)));
    auto graphs = stg::graph_sequence::from_steps(vertices, all);
    stg::tensor<float> drawn({vertices, own});
    stg::uniform(drawn, -1, 1, static_cast<std::uint64_t>(seed));
    auto params = stg::parameters<loss>();
    stg::initialize(params, static_cast<std::uint64_t>(seed));
    stg::adam optimizer(params, {.learning_rate = 0.03});
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      auto now = step(past, r = drawn, w = past.weights(), params);
      common::require_finite(now.loss, seed, epoch);
      optimizer.step(now.gradients);
      progress.update(seed, epoch, now.loss, std::numeric_limits<double>::quiet_NaN());
    }
    progress.clear();
    const auto scores = asked_of(graphs, rank(graphs, r = drawn, w = graphs.weights(), params).values());
    const auto at = [&](std::int64_t t, std::size_t i) -> const questions::pair& {
      return asked.asked[static_cast<std::size_t>(t)][i];
    };
    const auto test = parts.test;
    const double model =
        auc_of(asked, test.first, test.last, [&](auto t, auto i) { return scores[static_cast<std::size_t>(t)][i]; });
    const double before = auc_of(asked, test.first, test.last, [&](auto t, auto i) { return at(t, i).before; });
    const double busy = auc_of(asked, test.first, test.last, [&](auto t, auto i) { return at(t, i).busy; });
    for (const auto& [name, auc] : {std::pair{"dcrnn", model}, {"linked lately", before}, {"busy lately", busy}})
      std::printf("%-13s  auc %.4f\n", name, auc);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("result dataset=%s model=dcrnn seed=%d test_auc=%.4f auc_linked=%.4f auc_busy=%.4f seconds=%.1f\n",
                options.dataset.c_str(), seed, model, before, busy, seconds);
  }
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 1, .epochs = 80}, "ranks links that come next in a changing graph",
                             train);
}
