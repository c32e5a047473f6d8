// Programs over several vertex sets: epochs of an RGCN over four kinds of vertices and eight relations, and steps of a
// GIN over 1,024 small graphs side by side.
#include "training.hpp"  // bound_work

#include <stg/sampling/gather.hpp>        // concatenate_rows
#include <stg/sampling/graphs_union.hpp>  // batch_graphs
#include <stg/stg.hpp>                    // the language, graphs

#include <tuple>    // tuple
#include <utility>  // move
#include <vector>   // vector

#include "../../drawn_steps.hpp"  // drawn

namespace peers {
namespace {

constexpr int classes = 16;

stg::tensor<std::int32_t> labels_of(const inputs& in, const std::string& name, std::int64_t count, int of) {
  stg::tensor<std::int32_t> made({count});
  for (std::int64_t v = 0; v < count; ++v) made(v) = static_cast<std::int32_t>((v * 2654435761) % of);
  in.keep(name, made);
  return made;
}
void keep(const inputs& in, const std::string& name, const std::vector<std::int64_t>& values) {
  stg::tensor<std::int32_t> t({static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) t.data()[i] = static_cast<std::int32_t>(values[i]);
  in.keep(name, t);
}

// ---- four kinds and eight relations ----

constexpr std::int64_t sizes[] = {40'000, 30'000, 20'000, 10'000}, edges_of_relation = 125'000;
constexpr int ends[][2] = {{0, 1}, {1, 0}, {1, 2}, {2, 0}, {2, 3}, {3, 0}, {0, 3}, {3, 1}};

/// "x" and a number of one digit.
consteval stg::fixed_string<3> numbered(char name, int number) {
  const char text[] = {name, static_cast<char>('0' + number), 0};
  return text;
}
consteval stg::fixed_string<4> numbered(char name, int first, int second) {
  const char text[] = {name, static_cast<char>('0' + first), static_cast<char>('0' + second), 0};
  return text;
}

template <int K> inline constexpr auto kind = stg::vertex_set<numbered('k', K)>;
template <int R> inline constexpr auto relation = stg::relation<numbered('r', R), kind<ends[R][0]>, kind<ends[R][1]>>;
template <int K> inline constexpr auto x = kind<K>.template feature<numbered('x', K), 64>;
template <int K> inline constexpr auto label = kind<K>.template feature<numbered('y', K), stg::i32>;
template <int L> inline constexpr int width = L == 1 ? 64 : classes;
template <int L, int R> inline constexpr auto W = stg::parameter<numbered('W', L, R), 64, width<L>>;
template <int L> inline constexpr auto own = stg::parameter<numbered('U', L), 64, width<L>>;
template <int L> inline constexpr auto b = stg::parameter<numbered('b', L), width<L>>;

/// A layer, of the values of all four kinds: own weights are shared by them, as PyTorch Geometric's RGCNConv has it.
template <int L, class G, class H> constexpr auto rgcn(G g, H h) {
  namespace nn = stg::nn;
  const auto along = [&]<int R>(std::integral_constant<int, R>) {
    return nn::mean_over(g(kind<ends[R][1]>).in_edges(relation<R>), std::get<ends[R][0]>(h), W<L, R>);
  };
  const auto into = [&]<int K, int... R>(std::integral_constant<int, K>, std::integer_sequence<int, R...>) {
    return nn::rgcn_conv(std::get<K>(h), own<L>, along(std::integral_constant<int, R>())...) + b<L>;
  };
  return std::tuple(into(std::integral_constant<int, 0>(), std::integer_sequence<int, 1, 3, 5>()),
                    into(std::integral_constant<int, 1>(), std::integer_sequence<int, 0, 7>()),
                    into(std::integral_constant<int, 2>(), std::integer_sequence<int, 2>()),
                    into(std::integral_constant<int, 3>(), std::integer_sequence<int, 4, 6>()));
}
/// Of all vertices, whatever their kind, the mean.
inline constexpr auto rgcn_loss = [](auto g) {
  const auto h = rgcn<1>(g, std::tuple(g(kind<0>)(x<0>), g(kind<1>)(x<1>), g(kind<2>)(x<2>), g(kind<3>)(x<3>)));
  const auto [h0, h1, h2, h3] = h;
  const auto [y0, y1, y2, y3] = rgcn<2>(g, std::tuple(relu(h0), relu(h1), relu(h2), relu(h3)));
  return 0.4 * cross_entropy(y0, g(kind<0>)(label<0>)) + 0.3 * cross_entropy(y1, g(kind<1>)(label<1>)) +
         0.2 * cross_entropy(y2, g(kind<2>)(label<2>)) + 0.1 * cross_entropy(y3, g(kind<3>)(label<3>));
};

std::unique_ptr<work> make_rgcn(const inputs& in) {
  struct drawn_kinds {
    stg::graphs graph;
    stg::tensor<float> x[4];
    stg::tensor<std::int32_t> y[4];
  };
  const auto data = std::make_shared<drawn_kinds>();
  [&]<int... K>(std::integer_sequence<int, K...>) { (data->graph.add_vertices(kind<K>, sizes[K]), ...); }
  (std::make_integer_sequence<int, 4>());
  drawn_steps::drawn random;
  const auto draw = [&]<int R>(std::integral_constant<int, R>) {
    std::vector<std::int64_t> src, dst;
    for (std::int64_t e = 0; e < edges_of_relation; ++e)
      src.push_back(random.below(sizes[ends[R][0]])), dst.push_back(random.below(sizes[ends[R][1]]));
    data->graph.add_edges(relation<R>, src, dst);
    keep(in, "src_" + std::to_string(R), src), keep(in, "dst_" + std::to_string(R), dst);
  };
  [&]<int... R>(std::integer_sequence<int, R...>) { (draw(std::integral_constant<int, R>()), ...); }
  (std::make_integer_sequence<int, 8>());
  for (int k = 0; k < 4; ++k) {
    data->x[k] = in.normal("x" + std::to_string(k), {sizes[k], 64}, static_cast<std::uint64_t>(k + 1));
    data->y[k] = labels_of(in, "y" + std::to_string(k), sizes[k], classes);
  }
  const auto bind = [data](auto call) {
    const auto& [graph, X, Y] = *data;
    return call(graph, x<0> = X[0], x<1> = X[1], x<2> = X[2], x<3> = X[3], label<0> = Y[0], label<1> = Y[1],
                label<2> = Y[2], label<3> = Y[3]);
  };
  return std::make_unique<bound_work<rgcn_loss, decltype(bind)>>(in, bind);
}

// ---- 1,024 graphs of 30 vertices ----

constexpr std::int64_t graphs = 1024, vertices_of_graph = 30, bonds_of_graph = 60;

inline constexpr auto atom = stg::vertex_set<"atom">;
inline constexpr auto molecule = stg::vertex_set<"molecule">;
inline constexpr auto bond = stg::relation<"bond", atom, atom>;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline constexpr auto known = atom.feature<"x", 16>;
inline constexpr auto family = molecule.feature<"y", stg::i32>;
template <int L> inline constexpr int inside = L == 1 ? 16 : 64;
template <int L> inline constexpr auto A = stg::parameter<numbered('A', L), inside<L>, 64>;
template <int L> inline constexpr auto a = stg::parameter<numbered('a', L), 64>;
template <int L> inline constexpr auto B = stg::parameter<numbered('B', L), 64, 64>;
template <int L> inline constexpr auto c = stg::parameter<numbered('c', L), 64>;
inline constexpr auto R = stg::parameter<"R", 64, 2>;
inline constexpr auto r = stg::parameter<"r", 2>;

template <int L, class G, class H> constexpr auto gin(G g, H h) {
  const auto mlp = [](auto y) { return matmul(relu(matmul(y, A<L>) + a<L>), B<L>) + c<L>; };
  return relu(stg::nn::gin_conv(g(atom).in_edges(bond), h, h, mlp));
}
inline constexpr auto gin_loss = [](auto g) {
  auto h = gin<5>(g, gin<4>(g, gin<3>(g, gin<2>(g, gin<1>(g, g(atom)(known))))));
  auto pooled = sum(g(molecule).in_edges(part_of).src(h));  // (64) per molecule
  return cross_entropy(matmul(pooled, R) + r, g(molecule)(family));
};

/// Graphs that are one batch already, or are put side by side for each step.
struct molecules {
  std::vector<stg::graph> each;
  std::vector<stg::tensor<float>> x_of_each;
  stg::tensor<float> x;
  stg::tensor<std::int32_t> y;
  stg::graphs batch;
};

std::unique_ptr<work> make_gin(const inputs& in, bool is_given) {
  const auto data = std::make_shared<molecules>();
  drawn_steps::drawn random;
  std::vector<std::int64_t> all_src, all_dst;
  for (std::int64_t i = 0; i < graphs; ++i) {
    std::vector<std::int64_t> src, dst;
    while (static_cast<std::int64_t>(src.size()) < 2 * bonds_of_graph) {
      const std::int64_t from = random.below(vertices_of_graph), to = random.below(vertices_of_graph);
      if (from == to) continue;
      src.insert(src.end(), {from, to});
      dst.insert(dst.end(), {to, from});
    }
    data->each.push_back(stg::graph::from_edges(vertices_of_graph, src, dst));
    all_src.insert(all_src.end(), src.begin(), src.end());
    all_dst.insert(all_dst.end(), dst.begin(), dst.end());
  }
  keep(in, "src", all_src), keep(in, "dst", all_dst);  // ids within each graph
  data->x = in.normal("x", {graphs * vertices_of_graph, 16}, 1);
  for (std::int64_t i = 0; i < graphs; ++i)
    data->x_of_each.push_back(data->x.rows(i * vertices_of_graph, (i + 1) * vertices_of_graph).clone());
  data->y = labels_of(in, "y", graphs, 2);
  data->batch = stg::batch_graphs(data->each, bond, part_of).graph;
  const auto bind = [data, is_given](auto call) {
    if (is_given) return call(data->batch, known = data->x, family = data->y);
    const auto batch = stg::batch_graphs(data->each, bond, part_of);
    const auto rows = stg::concatenate_rows(data->x_of_each);
    return call(batch.graph, known = rows, family = data->y);
  };
  return std::make_unique<bound_work<gin_loss, decltype(bind)>>(in, bind);
}

}  // namespace

std::unique_ptr<work> make_kinds(const case_name& which, const inputs& in) {
  if (which.kind == "rgcn") return make_rgcn(in);
  return make_gin(in, which.pass == "step");
}

}  // namespace peers
