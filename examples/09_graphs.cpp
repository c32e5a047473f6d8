// Classes of whole graphs, in which every vertex has four neighbours: no count of degrees tells them apart, and no
// layer that sees neighbours alone. Walks that end where they began do, and random numbers at the vertices find them.
// Sato et al., Random features strengthen graph neural networks, SDM 2021; Hutchinson, Communications in Statistics 18,
// 1989, for the estimate of a trace.
#include <common/finite.hpp>    // require_finite
#include <common/options.hpp>   // options, run_example
#include <common/progress.hpp>  // progress
#include <common/result.hpp>    // result
#include <stg/stg.hpp>          // the language, graphs

#include <algorithm>  // count
#include <random>     // mt19937_64
#include <utility>    // pair, swap
#include <vector>     // vector

inline constexpr auto vertex = stg::vertex_set<"vertex">;
inline constexpr auto whole = stg::vertex_set<"graph">;
inline constexpr auto joins = stg::relation<"joins", vertex, vertex>;  // both ways
inline constexpr auto part_of = stg::relation<"part of", vertex, whole>;

inline constexpr auto x = vertex.feature<"x", 32>;             // random signs
inline constexpr auto kind = whole.feature<"kind", stg::i32>;  // what is asked for
inline constexpr auto known = whole.feature<"known", stg::boolean>;

inline constexpr auto W1 = stg::parameter<"W1", 3, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto gate = stg::parameter<"gate", 16, 1>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto b2 = stg::parameter<"b2", 4>;

/// Attention over the vertices of each graph, of what is known of a vertex: (3) → (4) per graph.
inline constexpr auto read_out = [](auto g, auto told) {
  auto h = relu(matmul(told, W1) + b1);
  return stg::nn::global_attention_pool(g(whole).in_edges(part_of), h, gate, W2) + b2;
};
/// Walks of 2, 3 and 4 steps that end where they began: of x · A^k x at a vertex the mean is their number.
inline constexpr auto by_walks = [](auto g) {
  auto next = [e = g(vertex).in_edges(joins)](auto y) { return 0.5 * sum(e.src(y)); };
  auto x0 = g(vertex)(x);
  auto x1 = next(x0);
  auto x2 = next(x1);
  auto of = [](auto a, auto b) { return mean(a * b, stg::axis<0>, stg::keepdim); };
  auto walks = stg::concat<stg::axis<0>>(of(x1, x1), of(x1, x2), of(x2, x2));  // (3) per vertex
  return read_out(g, mean(g(vertex).in_edges(joins).src(walks)) + walks);
};
/// A bag of degrees: the same without the walks.
inline constexpr auto by_degrees = [](auto g) {
  auto d = g(vertex).in_degree(joins);
  return read_out(g, d * stg::ones<3>(g(vertex)));
};
inline constexpr auto loss_of_walks = [](auto g) {
  return cross_entropy(by_walks(g), g(whole)(kind), g(whole)(known));
};
inline constexpr auto loss_of_degrees = [](auto g) {
  return cross_entropy(by_degrees(g), g(whole)(kind), g(whole)(known));
};

using edge_list = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Exchanges the ends of two edges, which leaves every degree; not where that makes a loop or an edge twice.
static void trade_ends(edge_list& edges, std::mt19937_64& random) {
  auto& [a, b] = edges[random() % edges.size()];
  auto& [c, d] = edges[random() % edges.size()];
  const auto there = [&](std::int64_t from, std::int64_t to) {
    return std::count(edges.begin(), edges.end(), std::pair(from, to)) +
               std::count(edges.begin(), edges.end(), std::pair(to, from)) >
           0;
  };
  if (a != d && c != b && a != c && b != d && !there(a, d) && !there(c, b)) std::swap(b, d);
}

/// A graph of n vertices, a multiple of 10, each with four neighbours, and of one of four kinds: rings in which
/// everybody knows the next two; in which everybody knows the next and the third; cliques of five; none of these.
/// Some edges of each are exchanged, of the last kind all.
static edge_list draw(int kind, std::int64_t n, std::mt19937_64& random) {
  edge_list edges;
  for (std::int64_t v = 0; v < n; ++v) {
    if (kind == 2) {
      for (std::int64_t other = v + 1; other < v / 5 * 5 + 5; ++other) edges.emplace_back(v, other);
    } else {
      edges.emplace_back(v, (v + 1) % n);
      edges.emplace_back(v, (v + (kind == 1 ? 3 : 2)) % n);
    }
  }
  const std::int64_t exchanged = kind == 3 ? 10 * n : n / 5;
  for (std::int64_t k = 0; k < exchanged; ++k) trade_ends(edges, random);
  return edges;
}

/// All graphs side by side, and which kind each is.
struct collection {
  stg::graphs graph;
  stg::tensor<float> signs;
  stg::tensor<std::int32_t> kinds;
  stg::tensor<bool> train, val, test;
};
static collection draw(std::int64_t graphs, int seed) {
  collection all{{},
                 {},
                 stg::tensor<std::int32_t>({graphs}),
                 stg::tensor<bool>({graphs}),
                 stg::tensor<bool>({graphs}),
                 stg::tensor<bool>({graphs})};
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::vector<std::int64_t> src, dst, in;  // in: which graph a vertex is part of
  for (std::int64_t i = 0; i < graphs; ++i) {
    const auto first = static_cast<std::int64_t>(in.size());
    const std::int64_t n = 10 * (2 + static_cast<std::int64_t>(random() % 3));
    all.kinds(i) = static_cast<std::int32_t>(random() % 4);
    (i % 5 < 3 ? all.train : i % 5 == 3 ? all.val : all.test)(i) = true;
    for (const auto& [a, b] : draw(all.kinds(i), n, random)) {
      src.push_back(first + a), dst.push_back(first + b);
      src.push_back(first + b), dst.push_back(first + a);
    }
    in.insert(in.end(), static_cast<std::size_t>(n), i);
  }
  std::vector<std::int64_t> each(in.size());
  for (std::size_t v = 0; v < each.size(); ++v) each[v] = static_cast<std::int64_t>(v);
  all.graph.add_vertices(vertex, static_cast<std::int64_t>(in.size())).add_vertices(whole, graphs);
  all.graph.add_edges(joins, src, dst).add_edges(part_of, each, in);
  all.signs = stg::tensor<float>({static_cast<std::int64_t>(in.size()), 32});
  for (float& sign : all.signs) sign = random() % 2 == 0 ? 1.0f : -1.0f;
  return all;
}

/// Test accuracy after the last epoch. `inputs` are what a model reads besides kinds.
template <const auto& Model, const auto& Loss, class... Input>
static void train_one(const char* name, const common::options& options, const collection& all, const Input&... inputs) {
  auto step = stg::value_and_grad<Loss>();
  const auto predict = stg::compile<Model>();
  common::progress progress(options);
  common::result result("drawn_graphs", name);
  for (int seed = 0; seed < options.seeds; ++seed) {
    auto params = stg::parameters<Loss>();
    stg::initialize(params, seed);
    stg::adam optimizer(params, {.learning_rate = 0.02});
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
      auto now = step(all.graph, kind = all.kinds, known = all.train, params, inputs...);
      common::require_finite(now.loss, seed, epoch);
      optimizer.step(now.gradients);
      const auto logits = predict(all.graph, params, inputs...);
      progress.update(seed, epoch, now.loss, stg::accuracy(logits, all.kinds, all.val));
    }
    result.add(stg::accuracy(predict(all.graph, params, inputs...), all.kinds, all.test));
  }
  progress.clear();
  result.print();
}

static void train(const common::options& options) {
  if (options.dataset != "auto") throw stg::error("09_graphs draws its graphs; leave --dataset out");
  const collection all = draw(1000, 1);
  train_one<by_degrees, loss_of_degrees>("degrees", options, all);
  train_one<by_walks, loss_of_walks>("walks", options, all, x = all.signs);
}

int main(int argc, char** argv) {
  return common::run_example(argc, argv, {.seeds = 3, .epochs = 300}, "tells graphs of equal degrees apart", train);
}
