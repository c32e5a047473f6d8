// Papers and words: what a paper is about, from the words that it holds, from the papers beside it, and from what else
// holds its words. Two vertex sets, two relations, one of them in both directions.
// Schlichtkrull et al., Modeling relational data with graph convolutional networks, ESWC 2018.
#include <common/finite.hpp>     // require_finite
#include <common/options.hpp>    // options, run_example
#include <common/progress.hpp>   // progress
#include <common/result.hpp>     // result
#include <stg/data/dataset.hpp>  // load_node_classification
#include <stg/data/split.hpp>    // random_split
#include <stg/stg.hpp>           // the language, graphs

#include <iostream>  // cerr
#include <random>    // mt19937_64
#include <utility>   // move
#include <vector>    // vector

inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto word = stg::vertex_set<"word">;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto holds = stg::relation<"holds", paper, word>;

inline constexpr auto code = word.feature<"code", 512>;          // random numbers, by which words are told apart
inline constexpr auto label = paper.feature<"label", stg::i32>;  // papers have no feature
inline constexpr auto known = paper.feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", 512, 32>;
inline constexpr auto b1 = stg::parameter<"b1", 32>;
inline constexpr auto own = stg::parameter<"own", 32, stg::extent<"C">>;
inline constexpr auto of_cited = stg::parameter<"of_cited", 32, stg::extent<"C">>;
inline constexpr auto of_words = stg::parameter<"of_words", 32, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto model = [](auto g) {
  namespace nn = stg::nn;
  auto p = g(paper);
  auto w = g(word);
  auto text = p.out_edges(holds);                                 // from a paper to its words
  auto near = p.in_edges(cites);                                  // from what cites a paper
  auto said = nn::mean_over(text, dropout(w(code), 0.5), W1);     // (32) per paper
  auto h = dropout(relu(said + mean(near.src(said)) + b1), 0.5);  // and with it what is said beside it
  auto meaning = dropout(mean(w.in_edges(holds).src(h)), 0.5);    // (32) per word: of the papers that hold it
  return nn::rgcn_conv(h, own, nn::mean_over(near, h, of_cited), nn::mean_over(text, meaning, of_words)) +
         b2;  // (C) per paper
};
inline constexpr auto loss = [](auto g) { return cross_entropy(model(g), g(paper)(label), g(paper)(known)); };

/// A graph of papers and words, and what is to be found.
struct library {
  std::string name;
  stg::graphs graph;
  stg::tensor<float> codes;
  stg::tensor<std::int32_t> labels;
  stg::vertex_split split;
  int classes = 0;
};

/// Papers, what they cite and which words they hold, as lists of edges.
struct records {
  std::int64_t papers = 0, words = 0;
  std::vector<std::int64_t> citing{}, cited{}, holding{}, held{};
};
static void build(library& all, const records& r) {
  all.graph.add_vertices(paper, r.papers).add_vertices(word, r.words);
  all.graph.add_edges(cites, r.citing, r.cited).add_edges(holds, r.holding, r.held);
  all.codes = stg::tensor<float>({r.words, 512});
  stg::uniform(all.codes, -1, 1, 1);
}

/// A data set for node classification, whose features say which words a paper has: any that is not 0 is an edge.
static library library_of(stg::node_classification data) {
  library all;
  all.name = data.name;
  all.labels = std::move(data.labels);
  all.split = {std::move(data.train), std::move(data.val), std::move(data.test)};
  all.classes = data.classes;
  records r;
  r.papers = data.graph.vertices();
  r.words = data.features.extent(1);
  if (r.words == 0)
    throw stg::error("data set " + data.name + " has no features, which are its words; take another one");
  for (std::int64_t v = 0; v < r.papers; ++v)
    for (std::int64_t k = 0; k < r.words; ++k)
      if (data.features(v, k) != 0) r.holding.push_back(v), r.held.push_back(k);
  const stg::edge_list edges = data.graph.edge_list();
  r.citing.assign(edges.src.begin(), edges.src.end());
  r.cited.assign(edges.dst.begin(), edges.dst.end());
  build(all, r);
  return all;
}

/// 600 papers of 4 topics: half of a paper's 12 words are its topic's, and two thirds of what it cites.
static library drawn() {
  constexpr std::int64_t topics = 4, words = 320;
  library all{"drawn_papers", {}, {}, stg::tensor<std::int32_t>({600}), {}, topics};
  records r;
  r.papers = 600;
  r.words = words;
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (std::int64_t v = 0; v < r.papers; ++v) {
    const std::int64_t topic = v % topics;
    all.labels(v) = static_cast<std::int32_t>(topic);
    for (int k = 0; k < 12; ++k) {
      r.holding.push_back(v);
      r.held.push_back(below(2) == 0 ? topic + topics * below(words / topics) : below(words));
    }
    for (int k = 0; k < 3; ++k) {
      r.citing.push_back(v);
      r.cited.push_back(below(3) != 0 ? topic + topics * below(r.papers / topics) : below(r.papers));
    }
  }
  build(all, r);
  all.split = stg::random_split(all.labels, stg::class_counts{.train_per_class = 10, .val = 100, .test = 400}, 1);
  return all;
}

static library load(const std::string& name) {
  const stg::search_result found = stg::find_dataset("cora");
  if (name != "auto") return name == "drawn_papers" ? drawn() : library_of(stg::load_node_classification(name));
  if (!found.folder.empty()) return library_of(stg::read_node_classification(found.folder, "cora"));
  std::cerr << "cora is not found, papers are drawn instead; looked in\n";
  for (const std::string& place : found.places) std::cerr << "  " << place << '\n';
  return drawn();
}

static void train(const common::options& options) {
  const library all = load(options.dataset);
  auto step = stg::value_and_grad<loss>();
  const auto predict = stg::compile<model>();
  common::progress progress(options);
  common::result result(all.name, "rgcn");
  for (int seed = 0; seed < options.seeds; ++seed) {
    auto params = stg::parameters<loss>(stg::sized<"C">(all.classes));
    stg::initialize(params, seed);
    step.seed(seed);
    stg::adam optimizer(params, {.learning_rate = 0.01});
    optimizer.weight_decay(5e-4);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      auto now = step(all.graph, code = all.codes, label = all.labels, known = all.split.train, params);
      common::require_finite(now.loss, seed, epoch);
      optimizer.step(now.gradients);
      const auto logits = predict(all.graph, code = all.codes, params);
      progress.update(seed, epoch, now.loss, stg::accuracy(logits, all.labels, all.split.val));
    }
    const auto logits = predict(all.graph, code = all.codes, params);
    result.add(stg::accuracy(logits, all.labels, all.split.test));
  }
  progress.clear();
  result.print();
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 5, .epochs = 200}, "trains an RGCN over papers and words", train);
}
